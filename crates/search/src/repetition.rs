//! Shapes that a player has made in this game already: what making them again costs.
//!
//! Source: KataGo v1.17.2, `patternbonustable.cpp` and `localpattern.cpp`: nine points square around the move, chains
//! in atari told apart, in all symmetries; captures of a ko excepted.

use std::collections::HashSet;

use honinbo_rules::{Board, Color, Game, Move, Point, Symmetry};

use crate::position::key;

/// Points on each side of the move that belong to its shape.
const RADIUS: usize = 4;

/// The shapes of one player's moves in a game.
#[derive(Debug)]
pub(crate) struct RepeatedShapes {
    player: Color,
    shapes: HashSet<u128>,
    /// Utility for White of a move that makes one of them again.
    white_utility: f64,
}

impl RepeatedShapes {
    /// The moves of this player, with what each repetition costs them, in utility.
    pub(crate) fn of(game: &Game, player: Color, cost: f64) -> Self {
        let white_utility = if player == Color::White { -cost } else { cost };
        let mut shapes = HashSet::new();
        if let Ok(mut replay) = Game::new(game.setup().clone()) {
            for turn in game.turns() {
                let before = replay.board().clone();
                if replay.play_tolerant(turn.color, turn.played).is_err() {
                    break;
                }
                let Move::Place(point) = turn.played else { continue };
                if turn.color != player || replay.board().ko_point().is_some() {
                    continue;
                }
                shapes.extend(Symmetry::ALL.map(|symmetry| shape(&before, point, player, symmetry)));
            }
        }
        Self { player, shapes, white_utility }
    }

    /// What the move that led to a position costs, as utility for White. `next` is to move there.
    pub(crate) fn white_utility(&self, shape: u128, next: Color) -> f64 {
        let counts = shape != 0 && next != self.player && self.shapes.contains(&shape);
        if counts { self.white_utility } else { 0.0 }
    }
}

/// The number of a move's shape on the board before it.
pub(crate) fn shape_of(board: &Board, mover: Color, point: Point) -> u128 {
    shape(board, point, mover, Symmetry::IDENTITY)
}

/// The shape as it looks under a symmetry.
fn shape(board: &Board, point: Point, mover: Color, symmetry: Symmetry) -> u128 {
    let size = board.size();
    let image_size = symmetry.apply_size(size);
    let center = symmetry.apply(point, size);
    let sides = (image_size.width() * 64 + image_size.height()) as u64;
    let mut hash = key(30, mover.index() as u64) ^ key(31, center.index(image_size) as u64) ^ key(32, sides);
    let rows = point.y().saturating_sub(RADIUS)..=(point.y() + RADIUS).min(size.height() - 1);
    for y in rows {
        for x in point.x().saturating_sub(RADIUS)..=(point.x() + RADIUS).min(size.width() - 1) {
            let near = Point::new(x, y);
            let content = match board.chain_at(near) {
                None => 0,
                Some(chain) => 1 + 2 * u64::from(chain.color() == mover) + u64::from(chain.is_in_atari()),
            };
            // The offset, each side from 0 to twice the radius.
            let image = symmetry.apply(near, size);
            let offset = (image.x() + RADIUS - center.x()) * 16 + (image.y() + RADIUS - center.y());
            hash ^= key(33, (offset as u64) << 3 | content);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use honinbo_rules::{BoardSize, Preset, Setup, Topology};

    use super::*;

    fn game(moves: &[&str]) -> Game {
        let size = BoardSize::NINETEEN;
        let ruleset = Preset::TrompTaylor.ruleset();
        let mut game = Game::new(Setup::new(size, Topology::Plane, ruleset, Preset::TrompTaylor.komi())).unwrap();
        for mv in moves {
            game.play(game.to_play(), Move::from_gtp(mv, size).unwrap()).unwrap();
        }
        game
    }

    fn shape_at(game: &Game, vertex: &str) -> u128 {
        shape_of(game.board(), game.to_play(), Point::from_gtp(vertex, BoardSize::NINETEEN).unwrap())
    }

    #[test]
    fn the_same_shape_in_another_corner_is_one_again() {
        // Black plays D4 alone in its corner, then looks at the others.
        let game = game(&["D4", "K10"]);
        let shapes = RepeatedShapes::of(&game, Color::Black, 0.02);
        for vertex in ["Q16", "D16", "Q4"] {
            let shape = shape_at(&game, vertex);
            assert_eq!(shapes.white_utility(shape, Color::White), 0.02, "{vertex}");
            assert_eq!(shapes.white_utility(shape, Color::Black), 0.0, "a move of White's");
        }
        assert_eq!(shapes.white_utility(shape_at(&game, "C4"), Color::White), 0.0, "another place");
        assert_eq!(shapes.white_utility(0, Color::White), 0.0, "no shape");
    }

    #[test]
    fn neighbours_make_another_shape() {
        let game = game(&["D4", "Q15"]);
        let shapes = RepeatedShapes::of(&game, Color::Black, 0.02);
        assert_eq!(shapes.white_utility(shape_at(&game, "Q16"), Color::White), 0.0);
        assert_eq!(shapes.white_utility(shape_at(&game, "D16"), Color::White), 0.02);
    }

    #[test]
    fn only_moves_of_the_player_who_is_searched_for_count() {
        let game = game(&["K10", "D4", "Q3"]);
        let shape = shape_at(&game, "D16");
        let utility = |player| RepeatedShapes::of(&game, player, 0.02).white_utility(shape, Color::Black);
        assert_eq!(utility(Color::White), -0.02, "White's to move: it costs White");
        assert_eq!(utility(Color::Black), 0.0, "searched for Black it does not");
    }
}
