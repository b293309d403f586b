//! Dead stones: guessed, toggled by chain, and judged by a network's ownership.

use std::collections::BTreeSet;

use crate::area::pass_alive;
use crate::board::Board;
use crate::{Color, Point, Random};

/// The stones that are taken off before counting.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeadStones(BTreeSet<Point>);

/// Share of playouts, or of certainty, by which a chain must belong to the opponent to be proposed as dead.
const CONVICTION: f32 = 0.35;

impl DeadStones {
    /// None.
    #[must_use]
    pub fn new() -> DeadStones {
        DeadStones::default()
    }

    /// Guessed without a network: chains inside an opponent's pass-alive territory, and chains that random play
    /// nearly always loses. Seki, where random play is undecided, is left alone.
    ///
    /// `playouts` of 100 to 300 are enough, at about 40 µs each on 19x19. The same seed gives the same guess.
    #[must_use]
    pub fn guess_by_playouts(board: &Board, playouts: usize, seed: u64) -> DeadStones {
        let area = board.size().area();
        let mut random = Random::new(seed);
        let mut owned = vec![0i32; area];
        let mut copy = board.clone();
        for nth in 0..playouts.max(1) {
            copy.clone_from(board);
            copy.clear_ko();
            copy.play_out(Color::ALL[nth % 2], 3 * area, &mut random);
            for (index, owner) in copy.settled_owners().enumerate() {
                owned[index] += match owner {
                    Some(Color::Black) => 1,
                    Some(Color::White) => -1,
                    None => 0,
                };
            }
        }
        let scale = 1.0 / playouts.max(1) as f32;
        let mut certain: Vec<f32> = owned.into_iter().map(|sum| sum as f32 * scale).collect();
        for (entry, owner) in certain.iter_mut().zip(pass_alive(board, false)) {
            match owner {
                Some(Color::Black) => *entry = 1.0,
                Some(Color::White) => *entry = -1.0,
                None => {}
            }
        }
        DeadStones::from_ownership(board, &certain)
    }

    /// Judged by a network: chains whose points belong to the opponent on average.
    ///
    /// `black_ownership`: one value per point, row by row from the top, 1 for certainly Black's, -1 for certainly
    /// White's. Values that are missing or not numbers count as undecided.
    #[must_use]
    pub fn from_ownership(board: &Board, black_ownership: &[f32]) -> DeadStones {
        let size = board.size();
        let mut dead = BTreeSet::new();
        for chain in board.chains() {
            let sign = if chain.color() == Color::Black { 1.0 } else { -1.0 };
            let value =
                |stone: Point| black_ownership.get(stone.index(size)).copied().filter(|v| v.is_finite()).unwrap_or(0.0);
            let own = chain.stones().map(value).sum::<f32>() * sign / chain.len() as f32;
            if own < -CONVICTION {
                dead.extend(chain.stones());
            }
        }
        DeadStones(dead)
    }

    /// Turns the chain at a point from living to dead or back. Does nothing where there is no stone.
    pub fn toggle(&mut self, board: &Board, point: Point) {
        let Some(chain) = board.chain_at(point) else { return };
        if self.0.contains(&point) {
            chain.stones().for_each(|stone| {
                self.0.remove(&stone);
            });
        } else {
            self.0.extend(chain.stones());
        }
    }

    /// Whether the stone on a point is dead.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        self.0.contains(&point)
    }

    /// The dead stones, row by row from the top: what [`crate::Game::score_without`] takes.
    #[must_use]
    pub fn to_vec(&self) -> Vec<Point> {
        self.0.iter().copied().collect()
    }

    /// Number of dead stones.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Board {
    /// Owners at the end of random play: stones, and empty points whose neighbours are all of one colour.
    pub(crate) fn settled_owners(&self) -> impl Iterator<Item = Option<Color>> + '_ {
        (0..self.geometry.area).map(|index| {
            self.stone(index).or_else(|| {
                let cell = self.cells[index as usize];
                match (cell.has_empty_neighbor(), cell.near_count(1), cell.near_count(2)) {
                    (false, 1.., 0) => Some(Color::Black),
                    (false, 0, 1..) => Some(Color::White),
                    _ => None,
                }
            })
        })
    }
}
