//! Taking dead stones before the last pass.

use crate::{Game, Move, Point, Scoring, pass_alive};

/// A move that begins to take dead stones where every stone on the board counts: under area scoring, a point of the
/// player's own safe area beside an opposing stone. `None` where there is nothing to take.
///
/// Source: KataGo v1.17.2, `playutils.cpp`, `maybeCleanupBeforePass`.
#[must_use]
pub fn clean_up_move(game: &Game) -> Option<Move> {
    let color = game.to_play();
    if game.ruleset().scoring != Scoring::Area || game.button_available() {
        return None;
    }
    let board = game.board();
    let size = board.size();
    let safe = pass_alive(board, game.suicide_for_pass_alive());
    Point::all(size)
        .find(|point| {
            safe[point.index(size)] == Some(color)
                && board.get(*point).is_none()
                && board.neighbors(*point).any(|near| board.get(near) == Some(color.opponent()))
                && game.is_legal_point(*point)
        })
        .map(Move::Place)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use crate::{BoardSize, Color, Preset, Setup, Topology};

    use super::*;

    /// White has two eyes above and a wall below them; Black stones lie beyond it.
    fn game(preset: Preset, black: &[(usize, usize)]) -> Game {
        let size = BoardSize::square(5).unwrap();
        let wall = (1..4).flat_map(|y| (0..5).map(move |x| (x, y)));
        let mut setup = Setup::new(size, Topology::Plane, preset.ruleset(), preset.komi());
        let white = wall.chain([(1, 0), (3, 0)]);
        setup.stones = white.map(|(x, y)| (Point::new(x, y), Color::White)).collect();
        setup.stones.extend(black.iter().map(|&(x, y)| (Point::new(x, y), Color::Black)));
        setup.first_player = Color::White;
        Game::new(setup).unwrap()
    }

    #[test]
    fn a_dead_stone_is_surrounded_and_a_clean_board_is_left_alone() {
        let found = clean_up_move(&game(Preset::TrompTaylor, &[(2, 4)])).and_then(Move::point).unwrap();
        let near = found.x().abs_diff(2) + found.y().abs_diff(4);
        assert_eq!(near, 1, "{found:?}");
        assert_eq!(clean_up_move(&game(Preset::TrompTaylor, &[])), None);
        assert_eq!(clean_up_move(&game(Preset::Japanese, &[(2, 4)])), None);
    }
}
