//! Pass-alive chains and territory (Benson's algorithm), and the area map that scoring counts.

use crate::board::Board;
use crate::geometry::Index;
use crate::rows::{Rows, Surface};
use crate::{BoardSize, Color};

/// One entry per point, row by row from the top: whose point it is, if anybody's.
pub type AreaMap = Vec<Option<Color>>;

/// What [`area_map_with`] marks besides pass-alive chains and the territory they enclose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AreaOptions {
    /// Stones on points that are nobody's otherwise.
    pub stones: bool,
    /// Large regions bordered by pass-alive chains only, without an opposing stone in them.
    pub safe_big: bool,
    /// Every region bordered by one colour only, without an opposing stone in it.
    pub unsafe_big: bool,
    /// Whether suicide of several stones counts as possible when life is judged.
    pub suicide: bool,
}

impl AreaOptions {
    /// Everything that area scoring counts.
    #[must_use]
    pub const fn full(suicide: bool) -> AreaOptions {
        AreaOptions { stones: true, safe_big: true, unsafe_big: true, suicide }
    }

    /// Pass-alive chains and what they enclose safely, nothing more.
    #[must_use]
    pub const fn pass_alive(suicide: bool) -> AreaOptions {
        AreaOptions { stones: false, safe_big: false, unsafe_big: false, suicide }
    }
}

/// Chains that live even if their owner always passes, and the territory they enclose so that nobody can live in
/// it (D. B. Benson, "Life in the game of Go", 1976).
///
/// `suicide`: whether suicide of several stones counts as possible.
#[must_use]
pub fn pass_alive(board: &Board, suicide: bool) -> AreaMap {
    area_map_with(board, AreaOptions::pass_alive(suicide))
}

/// Whose area every point is when the game ends now and all stones stand.
///
/// `suicide`: whether suicide of several stones counts as possible; it decides only whether stones inside an
/// enemy's eyes are dead without having to be taken.
#[must_use]
pub fn area_map(board: &Board, suicide: bool) -> AreaMap {
    area_map_with(board, AreaOptions::full(suicide))
}

/// The area map with a choice of what is marked.
///
/// Source: KataGo `cpp/game/board.cpp`, `calculateArea`, v1.17.2. Black is marked first, then White, so that
/// White's certain points may overwrite Black's uncertain ones.
#[must_use]
pub fn area_map_with(board: &Board, options: AreaOptions) -> AreaMap {
    let mut map = vec![None; board.size().area()];
    let surface = Surface::of(board);
    let stones = surface.stones(board);
    for color in Color::ALL {
        mark_color(board, &surface, &stones, color, options, &mut map);
    }
    if options.stones {
        for (entry, stone) in map.iter_mut().zip(board.points()) {
            *entry = entry.or(stone);
        }
    }
    map
}

const POINTS: usize = BoardSize::MAX * BoardSize::MAX;

/// Marks what belongs to one colour.
///
/// A region is a connected set of points that hold no stone of the colour. A region is vital to a chain that all its
/// empty points touch (all its points, where suicide is possible). Regions with a point that touches no stone of the
/// colour are vital to none: they are most of a board in mid-game, and are left out by a flood of whole rows.
fn mark_color(
    board: &Board,
    surface: &Surface,
    stones: &[Rows; 2],
    color: Color,
    options: AreaOptions,
    map: &mut AreaMap,
) {
    let (own, enemy) = (&stones[color.index()], &stones[color.opponent().index()]);
    if own.is_empty() {
        return;
    }
    let outside = surface.complement(own);
    let touching = surface.touching(own);
    let far = surface.difference(&outside, &touching);
    let open = if options.suicide { far } else { surface.difference(&far, enemy) };
    let small = surface.difference(&outside, &surface.flood(&open, &outside));
    let alive = living_stones(board, surface, color, &small, options.suicide);
    let lives = !alive.is_empty();

    let no_enemy = if options.unsafe_big || (options.safe_big && lives) {
        surface.difference(&outside, &surface.flood(enemy, &outside))
    } else {
        Rows::EMPTY
    };
    let mut safe = Rows::EMPTY;
    if lives {
        surface.for_each(&alive, |at| map[at as usize] = Some(color));
        // Regions that touch a chain which may be taken are spoiled.
        let mortal = surface.touching(&surface.difference(own, &alive));
        let spoiled = surface.flood(&surface.combined([&mortal, &outside], |[a, b]| a & b), &outside);
        let mut rest = surface.difference(&outside, &spoiled);
        if options.safe_big {
            safe = surface.combined([&rest, &no_enemy], |[a, b]| a & b);
            rest = surface.difference(&rest, &safe);
        }
        while let Some(region) = surface.take_part(&mut rest) {
            // Nobody can make two eyes in a region with at most one point that touches no stone of the colour.
            if surface.difference(&region, &touching).count_up_to(2) <= 1 {
                safe = surface.combined([&safe, &region], |[a, b]| a | b);
            }
        }
        surface.for_each(&safe, |at| map[at as usize] = Some(color));
    }
    if options.unsafe_big {
        surface.for_each(&surface.difference(&no_enemy, &safe), |at| {
            map[at as usize].get_or_insert(color);
        });
    }
}

/// A region that may be vital to a chain.
struct Region {
    /// Chains that every point that matters touches. A point touches at most four.
    vital: [Index; 4],
    vital_count: u8,
    /// Whether it touches a chain that is not pass-alive.
    spoiled: bool,
    /// Its points are `points[first..last]`.
    first: u16,
    last: u16,
}

/// The stones of the chains that have two vital regions which touch no other chains than such.
///
/// `small` holds the regions whose every point that matters touches a stone of the colour.
fn living_stones(board: &Board, surface: &Surface, color: Color, small: &Rows, suicide: bool) -> Rows {
    let mut alive = Rows::EMPTY;
    if small.count_up_to(2) < 2 {
        return alive;
    }
    let (own, enemy) = (color as u8 + 1, color.opponent() as u8 + 1);
    let (cells, geometry) = (&board.cells, board.geometry);
    let is_own = |q: Index| cells[q as usize].holds(own);
    // Points of `small` that are in no region yet.
    let mut open = [false; POINTS + 1];
    surface.for_each(small, |at| open[at as usize] = true);
    let mut points = [0 as Index; POINTS];
    let mut filled = 0;
    let mut regions: Vec<Region> = Vec::with_capacity(32);
    // Vital regions of each chain, at its head.
    let mut vital_regions = [0u16; POINTS];
    surface.for_each(small, |start| {
        if !std::mem::take(&mut open[start as usize]) {
            return;
        }
        let first = filled;
        let mut vital: Option<([Index; 4], u8)> = None;
        points[filled] = start;
        filled += 1;
        let mut next = first;
        while next < filled {
            let at = points[next];
            next += 1;
            let mut heads = [None; 4];
            for (head, q) in heads.iter_mut().zip(geometry.neighbors(at)) {
                if is_own(q) {
                    *head = Some(board.head(q));
                } else if std::mem::take(&mut open[q as usize]) {
                    points[filled] = q;
                    filled += 1;
                }
            }
            if suicide || !cells[at as usize].holds(enemy) {
                vital = Some(narrowed(vital, heads));
            }
        }
        let (vital, vital_count) = vital.unwrap_or_default();
        for &head in &vital[..vital_count as usize] {
            vital_regions[head as usize] += 1;
        }
        regions.push(Region { vital, vital_count, spoiled: false, first: first as u16, last: filled as u16 });
    });

    // Chains with fewer than two vital regions fall, and spoil the regions they touch, until none does.
    loop {
        let mut fell = false;
        for region in regions.iter_mut().filter(|region| !region.spoiled) {
            let falls = |&at: &Index| {
                let mut around = geometry.neighbors(at).into_iter();
                around.any(|q| is_own(q) && vital_regions[board.head(q) as usize] < 2)
            };
            if points[region.first as usize..region.last as usize].iter().any(falls) {
                region.spoiled = true;
                fell = true;
                for &head in &region.vital[..region.vital_count as usize] {
                    vital_regions[head as usize] -= 1;
                }
            }
        }
        if !fell {
            break;
        }
    }
    for region in &regions {
        for &head in &region.vital[..region.vital_count as usize] {
            // A chain that is done has its stones in the set already.
            if vital_regions[head as usize] >= 2 && !surface.contains(&alive, head) {
                board.chain_indices(head).for_each(|at| surface.insert(&mut alive, at));
            }
        }
    }
    alive
}

/// The vital chains of a region that are also among these, the neighbours of one more of its points.
fn narrowed(vital: Option<([Index; 4], u8)>, touching: [Option<Index>; 4]) -> ([Index; 4], u8) {
    let mut kept = [0; 4];
    let mut count = 0u8;
    let mut keep = |head| {
        if !kept[..count as usize].contains(&head) {
            kept[count as usize] = head;
            count += 1;
        }
    };
    match vital {
        None => touching.into_iter().flatten().for_each(&mut keep),
        Some((chains, number)) => {
            chains[..number as usize]
                .iter()
                .filter(|&&head| touching.contains(&Some(head)))
                .for_each(|&head| keep(head));
        }
    }
    (kept, count)
}
