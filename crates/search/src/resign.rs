//! When a game is given up.

use honinbo_rules::{Color, Game};

use crate::initial_black_advantage;

/// What must be so before a player resigns.
///
/// Source: KataGo v1.17.2, `gtp.cpp`, `shouldResign`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResignRule {
    /// The chance to win below which a turn looks lost.
    pub below: f64,
    /// Own turns in a row that must look lost, at least one.
    pub turns: usize,
    /// Points that it must be behind.
    pub least_deficit: f64,
    /// Moves that must have been played for each point of the board.
    pub moves_per_point: f64,
}

impl ResignRule {
    /// Whether `color` resigns. `results`: White's win minus loss, -1 to 1, at each of its turns so far, and
    /// `white_lead` at the last of them.
    ///
    /// In a handicap game White is expected to be behind for long: it resigns only when it is behind by more than is left
    /// of the handicap, of which 0.6 moves for each point take the rest.
    #[must_use]
    pub fn resigns(&self, game: &Game, color: Color, results: &[f64], white_lead: f64) -> bool {
        let area = game.board().size().area();
        if (game.turns().len() as f64) < (self.moves_per_point * area as f64).floor() {
            return false;
        }
        let behind = if color == Color::White { -white_lead } else { white_lead };
        if behind < self.least_deficit {
            return false;
        }
        let handicap = initial_black_advantage(game);
        if color == Color::White && handicap > 0.9 {
            let moves = game.turns().len();
            let earliest = 1 + area / 5;
            let long = (0.6 * area as f64 - earliest as f64).max(1.0);
            let spent = (moves as f64 - earliest as f64).clamp(0.0, long);
            let expected = -handicap * (long - spent) / long - 5.0 - 0.15 * handicap;
            if moves < earliest || white_lead > expected {
                return false;
            }
        }
        let lost = |white_win_loss: &f64| match color {
            Color::White => 0.5 * (1.0 + white_win_loss) < self.below,
            Color::Black => 0.5 * (1.0 - white_win_loss) < self.below,
        };
        let turns = self.turns.max(1);
        results.len() >= turns && results.iter().rev().take(turns).all(lost)
    }
}

#[cfg(test)]
mod tests {
    use honinbo_rules::{BoardSize, Komi, Move, Ruleset, Setup, Topology};

    use super::*;

    #[test]
    fn a_game_is_given_up_after_turns_in_a_row_that_look_lost_and_far_behind() {
        let setup = Setup::new(BoardSize::NINE, Topology::Plane, Ruleset::TROMP_TAYLOR, Komi::from_half_points(14));
        let mut game = Game::new(setup).unwrap();
        let rule = ResignRule { below: 0.03, turns: 3, least_deficit: 10.0, moves_per_point: 0.02 };
        let resigns = |game: &Game, color, results: &[f64], lead| rule.resigns(game, color, results, lead);
        assert!(!resigns(&game, Color::White, &[-1.0; 3], -20.0), "too early");
        game.play(Color::Black, Move::Pass).unwrap();
        for (color, sign) in [(Color::White, 1.0), (Color::Black, -1.0)] {
            let lost = [-0.95 * sign; 3];
            assert!(resigns(&game, color, &lost, -20.0 * sign), "{color}");
            assert!(!resigns(&game, color, &lost[1..], -20.0 * sign), "two turns");
            assert!(!resigns(&game, color, &lost, -9.0 * sign), "not far behind");
            assert!(!resigns(&game, color, &[lost[0], -0.9 * sign, lost[2]], -20.0 * sign), "one had some hope");
            assert!(!resigns(&game, color.opponent(), &lost, -20.0 * sign), "the winner");
        }
    }
}
