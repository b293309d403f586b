//! How the games of a contest begin.

use std::sync::Arc;

use honinbo_rules::{Game, Move, Point, Random};

/// The first moves of the games of a contest. Two games, with colours exchanged, share each opening.
#[derive(Debug, Clone)]
pub enum Openings {
    /// Every game begins on the empty board.
    None,
    /// So many moves, chosen at random where players would open: off the edges, apart from each other.
    Random {
        /// Moves.
        moves: usize,
    },
    /// These, one after the other, and again from the first.
    Given(Arc<[Vec<Move>]>),
}

impl Openings {
    /// So many random moves as leave the game open on a board of this area: one for each 25 points, 1 to 8.
    #[must_use]
    pub fn usual(area: usize) -> Openings {
        Openings::Random { moves: (area / 25).clamp(1, 8) }
    }

    /// The moves of the opening with this number. The same seed gives the same openings.
    #[must_use]
    pub fn moves(&self, start: &Game, number: u64, seed: u64) -> Vec<Move> {
        match self {
            Openings::None => Vec::new(),
            Openings::Random { moves } => {
                random_opening(start, *moves, seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            }
            Openings::Given(lists) if lists.is_empty() => Vec::new(),
            Openings::Given(lists) => lists[(number % lists.len() as u64) as usize].clone(),
        }
    }
}

/// Moves on the third line from the edge or further in (on small boards the second), none next to a stone.
fn random_opening(start: &Game, moves: usize, seed: u64) -> Vec<Move> {
    let mut random = Random::new(seed);
    let mut game = start.clone();
    let mut played = Vec::with_capacity(moves);
    for _ in 0..moves {
        let suitable: Vec<Point> = game.legal_points().filter(|&point| is_open(&game, point)).collect();
        let Some(&point) = suitable.get(random.below(suitable.len().max(1))) else { break };
        let color = game.to_play();
        if game.play(color, Move::Place(point)).is_err() {
            break;
        }
        played.push(Move::Place(point));
    }
    played
}

fn is_open(game: &Game, point: Point) -> bool {
    let board = game.board();
    let (size, topology) = (board.size(), board.topology());
    let margin = |side: usize| match side {
        0..=4 => 0,
        5..=8 => 1,
        _ => 2,
    };
    let inside = |at: usize, side: usize| at >= margin(side) && at + margin(side) < side;
    (topology.wraps_x() || inside(point.x(), size.width()))
        && (topology.wraps_y() || inside(point.y(), size.height()))
        && board.neighbors(point).chain(board.diagonals(point)).all(|near| board.get(near).is_none())
}

#[cfg(test)]
mod tests {
    use honinbo_rules::{BoardSize, Komi, Ruleset, Setup, Topology};

    use super::*;

    fn empty(size: BoardSize, topology: Topology) -> Game {
        Game::new(Setup::new(size, topology, Ruleset::TROMP_TAYLOR, Komi::from_half_points(15))).unwrap()
    }

    #[test]
    fn openings_differ_by_number_and_repeat_by_seed() {
        for (side, topology) in
            [(5, Topology::Plane), (9, Topology::Plane), (19, Topology::Plane), (9, Topology::Torus)]
        {
            let start = empty(BoardSize::square(side).unwrap(), topology);
            let openings = Openings::usual(side * side);
            let all: Vec<Vec<Move>> = (0..40).map(|number| openings.moves(&start, number, 7)).collect();
            assert!(all.iter().all(|moves| !moves.is_empty()));
            let distinct: std::collections::HashSet<_> = all.iter().collect();
            assert!(distinct.len() > if side == 5 { 5 } else { 30 }, "{side} {topology}: {}", distinct.len());
            assert_eq!(all[3], openings.moves(&start, 3, 7));
        }
    }

    #[test]
    fn no_stone_begins_at_the_edge_or_in_contact() {
        let start = empty(BoardSize::NINE, Topology::Plane);
        for number in 0..200 {
            let mut game = start.clone();
            for played in (Openings::Random { moves: 4 }).moves(&start, number, 1) {
                let point = played.point().unwrap();
                assert!((2..7).contains(&point.x()) && (2..7).contains(&point.y()), "{point:?}");
                assert!(game.board().neighbors(point).all(|near| game.board().get(near).is_none()));
                game.play(game.to_play(), played).unwrap();
            }
        }
    }
}
