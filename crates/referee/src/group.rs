//! Which group a problem is about.

use crate::region::levels;
use honinbo_rules::{Board, Color, Point};

/// Stones of a group that a problem is likely about.
pub(crate) const LIKELY_STONES: usize = 3;

/// A group that is surrounded, with the room that its fight takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surrounded {
    /// Whose it is.
    pub color: Color,
    /// Its stones: the largest chain, and chains of two stones and more within the same narrow region.
    pub stones: Vec<Point>,
    /// Empty points of the narrowest region with nothing of the group outside.
    pub empty: usize,
}

/// The groups of a position that a problem may be about, the most likely first: at most one of each colour and region.
#[must_use]
pub fn groups(board: &Board, most_empty: usize) -> Vec<Surrounded> {
    let size = board.size();
    let mut found: Vec<Surrounded> = Vec::new();
    for color in Color::ALL {
        let mut chains: Vec<Vec<Point>> =
            board.chains().filter(|chain| chain.color() == color).map(|chain| chain.stones().collect()).collect();
        chains.sort_by_key(|stones| std::cmp::Reverse(stones.len()));
        let mut taken = vec![false; size.area()];
        for chain in &chains {
            let Some(&first) = chain.first() else { continue };
            if taken[first.index(size)] {
                continue;
            }
            let Ok(levels) = levels(board, chain, most_empty) else { continue };
            let Some(level) = levels.iter().find(|level| level.open.is_some()) else { continue };
            let Some(ground) = &level.open else { continue };
            let is_in = |point: &Point| ground.number(*point).is_some_and(|number| ground.mask >> number & 1 == 1);
            let mut stones = chain.clone();
            for other in chains.iter().filter(|other| other.len() > 1 && other.first() != Some(&first)) {
                if other.iter().any(&is_in) {
                    stones.extend(other);
                }
            }
            for point in chain.iter().chain(&stones) {
                taken[point.index(size)] = true;
            }
            stones.sort_unstable();
            found.push(Surrounded { color, stones, empty: level.empty });
        }
    }
    // Much in little room is what problems are about.
    found.sort_by_key(|group| {
        (group.stones.len() < LIKELY_STONES, group.empty * 4 / (group.stones.len() + 2), group.empty)
    });
    found
}
