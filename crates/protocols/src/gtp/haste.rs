//! Thinking less where a game is as good as over.

use honinbo_rules::{Color, Game, Move};

/// Shares, 0 ..= 1, of the visits, playouts and time of a move that are spent on it in some situations; 1 spends all.
///
/// Source: KataGo v1.17.2, `search.cpp` (`runWholeSearch`) and `playutils.cpp` (`getSearchFactor`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Haste {
    /// After a pass of the opponent.
    pub after_one_pass: f64,
    /// After a pass of the opponent, when the opponent's turn before was one, too.
    pub after_two_passes: f64,
    /// When the game is won.
    pub when_winning: f64,
    /// Win minus loss, -1 ..= 1, above which the last three searches must have seen the game; from here to 1 the share
    /// falls evenly to that of a game that is won. 1 is never.
    pub winning_above: f64,
}

impl Default for Haste {
    fn default() -> Self {
        Self { after_one_pass: 1.0, after_two_passes: 1.0, when_winning: 1.0, winning_above: 1.0 }
    }
}

impl Haste {
    /// What this player spends on the next move; `results` is White's win minus loss after each search, newest last.
    pub(crate) fn share(&self, game: &Game, color: Color, results: &[f64]) -> f64 {
        let turns = game.turns();
        let passed = |back: usize| {
            let turn = turns.len().checked_sub(back).and_then(|turn| turns.get(turn));
            turn.is_some_and(|turn| turn.played == Move::Pass)
        };
        let after_pass = match (passed(1), passed(3)) {
            (false, _) => 1.0,
            (true, false) => self.after_one_pass,
            (true, true) => self.after_two_passes,
        };
        let own = |white: &f64| if color == Color::White { *white } else { -*white };
        let (Some(last), true) = (results.last_chunk::<3>(), self.winning_above < 1.0) else { return after_pass };
        let least = last.iter().map(own).fold(1.0, f64::min);
        let over = ((least - self.winning_above) / (1.0 - self.winning_above)).max(0.0);
        after_pass * (1.0 + over * (self.when_winning - 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::{BoardSize, Komi, Point, Preset, Setup, Topology};

    fn after(moves: &[Option<Point>]) -> Game {
        let rules = Preset::TrompTaylor.ruleset();
        let setup = Setup::new(BoardSize::NINE, Topology::Plane, rules, Komi::from_half_points(15));
        let mut game = Game::new(setup).unwrap();
        for mv in moves {
            game.play(game.to_play(), mv.map_or(Move::Pass, Move::Place)).unwrap();
        }
        game
    }

    #[test]
    fn passes_shorten_the_search() {
        let haste = Haste { after_one_pass: 0.5, after_two_passes: 0.25, ..Haste::default() };
        let (a, b) = (Some(Point::new(2, 2)), Some(Point::new(6, 6)));
        for (moves, share) in [
            (&[][..], 1.0),
            (&[None], 0.5),
            (&[None, a], 1.0),
            (&[None, a, None], 0.25),
            (&[a, None, b, None], 0.25),
            (&[None, a, b, None], 0.5),
        ] {
            let game = after(moves);
            assert_eq!(haste.share(&game, game.to_play(), &[]), share, "{moves:?}");
            assert_eq!(Haste::default().share(&game, game.to_play(), &[1.0; 9]), 1.0);
        }
    }

    #[test]
    fn a_won_game_shortens_the_search_by_the_least_of_three_results() {
        let haste = Haste { when_winning: 0.4, winning_above: 0.9, after_one_pass: 0.5, ..Haste::default() };
        let game = after(&[]);
        let share = |color, results: &[f64]| haste.share(&game, color, results);
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-12, "{value} {expected}");
        near(share(Color::White, &[1.0, 1.0]), 1.0);
        near(share(Color::White, &[1.0, 1.0, 1.0]), 0.4);
        near(share(Color::White, &[0.0, 1.0, 0.95, 1.0]), 0.7);
        near(share(Color::White, &[0.99, 0.8, 0.99]), 1.0);
        near(share(Color::Black, &[1.0, 1.0, 1.0]), 1.0);
        near(share(Color::Black, &[-1.0, -0.95, -1.0]), 0.7);
        near(haste.share(&after(&[None]), Color::White, &[1.0, 1.0, 1.0]), 0.2);
    }
}
