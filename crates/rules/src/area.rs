//! Pass-alive chains and territory (Benson's algorithm), and the area map that scoring counts.

use crate::board::{Board, EMPTY};
use crate::geometry::Index;
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
    for color in Color::ALL {
        mark_color(board, color, options, &mut map);
    }
    if options.stones {
        for (entry, stone) in map.iter_mut().zip(board.points()) {
            *entry = entry.or(stone);
        }
    }
    map
}

const POINTS: usize = BoardSize::MAX * BoardSize::MAX;
const NO_REGION: u16 = u16::MAX;

/// A connected set of points that hold no stone of the colour in question.
struct Region {
    /// Chains that every point that matters touches. A point touches at most four.
    vital: [Index; 4],
    vital_count: u8,
    /// Whether `vital` was started.
    judged: bool,
    holds_enemy: bool,
    /// Points without a neighbour of the colour, counted up to 2.
    internal: u8,
    /// Whether it touches a chain that is not pass-alive.
    spoiled: bool,
    /// Its points are `order[first..last]`.
    first: u16,
    last: u16,
}

fn mark_color(board: &Board, color: Color, options: AreaOptions, map: &mut AreaMap) {
    let own = color as u8 + 1;
    let area = board.size().area();
    let cells = &board.cells;
    let geometry = board.geometry;
    if !cells[..area].iter().any(|cell| cell.stone() == own) {
        return;
    }
    let mut region_of = [NO_REGION; POINTS];
    // Points in the order in which regions were filled.
    let mut order = [0 as Index; POINTS];
    let mut filled = 0usize;
    let mut regions: Vec<Region> = Vec::with_capacity(32);
    // Vital regions of each chain, at its head.
    let mut vital_regions = [0u16; POINTS];

    for start in 0..area {
        if cells[start].stone() == own || region_of[start] != NO_REGION {
            continue;
        }
        let number = regions.len() as u16;
        let first = filled;
        let mut region = Region {
            vital: [0; 4],
            vital_count: 0,
            judged: false,
            holds_enemy: false,
            internal: 0,
            spoiled: false,
            first: first as u16,
            last: 0,
        };
        region_of[start] = number;
        order[filled] = start as Index;
        filled += 1;
        let mut next = first;
        while next < filled {
            let at = order[next];
            next += 1;
            let cell = cells[at as usize];
            let around = geometry.neighbors(at);
            for q in around {
                if q == geometry.area {
                    continue;
                }
                let slot = &mut region_of[q as usize];
                if *slot == NO_REGION && cells[q as usize].stone() != own {
                    *slot = number;
                    order[filled] = q;
                    filled += 1;
                }
            }
            if cell.near_count(own) == 0 {
                region.internal = (region.internal + 1).min(2);
            }
            region.holds_enemy |= cell.stone() != EMPTY;
            if cell.stone() == EMPTY || options.suicide {
                region.narrow(around.map(|q| (cells[q as usize].stone() == own).then(|| cells[q as usize].head())));
            }
        }
        region.last = filled as u16;
        for &head in &region.vital[..region.vital_count as usize] {
            vital_regions[head as usize] += 1;
        }
        regions.push(region);
    }

    // Chains with fewer than two vital regions fall, and spoil the regions they touch, until none does.
    let mut standing: Vec<Index> = board.heads().filter(|&head| cells[head as usize].stone() == own).collect();
    loop {
        let before = standing.len();
        standing.retain(|&head| {
            let stays = vital_regions[head as usize] >= 2;
            if !stays {
                for at in board.chain_indices(head) {
                    for q in geometry.around(at) {
                        let number = region_of[q as usize];
                        if number != NO_REGION && !regions[number as usize].spoiled {
                            let region = &mut regions[number as usize];
                            region.spoiled = true;
                            for &vital in &region.vital[..region.vital_count as usize] {
                                vital_regions[vital as usize] -= 1;
                            }
                        }
                    }
                }
            }
            stays
        });
        if standing.len() == before {
            break;
        }
    }

    for &head in &standing {
        for at in board.chain_indices(head) {
            map[at as usize] = Some(color);
        }
    }
    for region in &regions {
        let points = &order[region.first as usize..region.last as usize];
        let safe = region.internal <= 1 || (options.safe_big && !region.holds_enemy);
        if safe && !region.spoiled {
            for &at in points {
                map[at as usize] = Some(color);
            }
        } else if options.unsafe_big && !region.holds_enemy {
            for &at in points {
                map[at as usize].get_or_insert(color);
            }
        }
    }
}

impl Region {
    /// Keeps only the vital chains that are among these, the neighbours of one more point.
    fn narrow(&mut self, touching: [Option<Index>; 4]) {
        let mut kept = 0u8;
        if self.judged {
            for i in 0..self.vital_count as usize {
                let head = self.vital[i];
                if touching.contains(&Some(head)) {
                    self.vital[kept as usize] = head;
                    kept += 1;
                }
            }
        } else {
            self.judged = true;
            for head in touching.into_iter().flatten() {
                if !self.vital[..kept as usize].contains(&head) {
                    self.vital[kept as usize] = head;
                    kept += 1;
                }
            }
        }
        self.vital_count = kept;
    }
}
