//! Area maps are those of a plain reading of Benson's algorithm, written with sets of points.
#![allow(clippy::unwrap_used, reason = "tests stop")]

use std::collections::BTreeSet;

use honinbo_rules::{AreaMap, AreaOptions, Board, BoardSize, Color, Point, Random, Topology, area_map_with};

type Set = BTreeSet<Point>;

struct Region {
    points: Set,
    /// Head points of the chains that each of its empty points touches (each point, where suicide is possible).
    vital: Set,
    /// Head points of every chain of the colour that it touches.
    touched: Set,
    holds_enemy: bool,
    internal: usize,
}

fn regions(board: &Board, color: Color, suicide: bool) -> Vec<Region> {
    let mut rest: Set = Point::all(board.size()).filter(|&point| board.get(point) != Some(color)).collect();
    let mut found = Vec::new();
    while let Some(start) = rest.pop_first() {
        let mut stack = vec![start];
        let mut points = Set::from([start]);
        while let Some(at) = stack.pop() {
            for q in board.neighbors(at) {
                if rest.remove(&q) {
                    points.insert(q);
                    stack.push(q);
                }
            }
        }
        let heads = |point: Point| -> Set {
            let around = board.neighbors(point).filter(|&q| board.get(q) == Some(color));
            around.map(|q| board.chain_at(q).unwrap().head_point()).collect()
        };
        let touched: Set = points.iter().flat_map(|&point| heads(point)).collect();
        let judged: Vec<Set> =
            points.iter().filter(|&&p| suicide || board.get(p).is_none()).map(|&point| heads(point)).collect();
        found.push(Region {
            vital: touched.iter().copied().filter(|head| judged.iter().all(|set| set.contains(head))).collect(),
            touched,
            holds_enemy: points.iter().any(|&point| board.get(point).is_some()),
            internal: points.iter().filter(|&&point| heads(point).is_empty()).count(),
            points,
        });
    }
    found
}

fn plain_area_map(board: &Board, options: AreaOptions) -> AreaMap {
    let mut map: AreaMap = vec![None; board.size().area()];
    let number = |point: Point| point.index(board.size());
    for color in Color::ALL {
        let mut standing: Set =
            board.chains().filter(|chain| chain.color() == color).map(|chain| chain.head_point()).collect();
        if standing.is_empty() {
            continue;
        }
        let regions = regions(board, color, options.suicide);
        let is_safe = |region: &Region, standing: &Set| region.touched.is_subset(standing);
        loop {
            let stays: Set = standing
                .iter()
                .copied()
                .filter(|head| regions.iter().filter(|r| r.vital.contains(head) && is_safe(r, &standing)).count() >= 2)
                .collect();
            if stays == standing {
                break;
            }
            standing = stays;
        }
        for head in &standing {
            board.chain_at(*head).unwrap().stones().for_each(|at| map[number(at)] = Some(color));
        }
        for region in &regions {
            let enclosed = region.internal <= 1 || options.safe_big && !region.holds_enemy;
            if enclosed && is_safe(region, &standing) {
                region.points.iter().for_each(|&at| map[number(at)] = Some(color));
            } else if options.unsafe_big && !region.holds_enemy {
                region.points.iter().for_each(|&at| {
                    map[number(at)].get_or_insert(color);
                });
            }
        }
    }
    if options.stones {
        for (entry, stone) in map.iter_mut().zip(board.points()) {
            *entry = entry.or(stone);
        }
    }
    map
}

#[test]
fn area_maps_agree_with_a_plain_reading_of_bensons_algorithm() {
    let mut random = Random::new(11);
    let (mut living, mut compared) = (0, 0);
    for topology in Topology::ALL {
        for (width, height) in [(2, 2), (2, 5), (3, 3), (5, 5), (7, 4), (9, 9), (19, 19), (33, 3)] {
            let size = BoardSize::new(width, height).unwrap();
            for length in 1..=12 {
                let mut board = Board::new(size, topology);
                board.play_out(Color::Black, size.area() * length / 6, &mut random);
                for choice in 0..16u8 {
                    let options = AreaOptions {
                        stones: choice & 1 != 0,
                        safe_big: choice & 2 != 0,
                        unsafe_big: choice & 4 != 0,
                        suicide: choice & 8 != 0,
                    };
                    let map = area_map_with(&board, options);
                    assert_eq!(map, plain_area_map(&board, options), "{options:?} {topology}\n{board}");
                    compared += 1;
                    living += usize::from(choice == 0 && map.iter().any(Option::is_some));
                }
            }
        }
    }
    // Without positions with life nothing was compared.
    assert!(living * 16 * 3 > compared, "{living} of {compared}");
}
