//! What a number of games says about the difference in strength.

/// Results of games from one player's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games that nobody won.
    pub draws: u32,
}

/// Quantile of the normal distribution for a two-sided interval of 95 %.
const Z_95: f64 = 1.959_963_984_540_054;

impl Tally {
    /// Number of games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// Share of the points, a draw being half of one; 0 to 1. `None` without a game.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(games))
    }

    /// The difference in Elo points that would make this score the expected one: `400 log10(p / (1 - p))`.
    /// `None` without a game, and where one player won everything: then it has no upper end.
    ///
    /// Source: A. Elo, The Rating of Chessplayers (1978), with the logistic curve.
    #[must_use]
    pub fn elo(&self) -> Option<f64> {
        self.score().and_then(elo_of)
    }

    /// The share of the points that lies, with 95 % certainty, between these two.
    ///
    /// Source: E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference (1927), with a draw
    /// counted as half a success. Draws vary less than that supposes, so that with many of them the interval is a
    /// little too wide, never too narrow. It stays inside 0 and 1 also where one player won every game.
    #[must_use]
    pub fn score_interval(&self) -> Option<(f64, f64)> {
        let score = self.score()?;
        let games = f64::from(self.games());
        let square = Z_95 * Z_95;
        let middle = (score + square / (2.0 * games)) / (1.0 + square / games);
        let half =
            Z_95 / (1.0 + square / games) * (score * (1.0 - score) / games + square / (4.0 * games * games)).sqrt();
        Some(((middle - half).max(0.0), (middle + half).min(1.0)))
    }

    /// [`Tally::score_interval`] as differences in Elo points; an end is `None` where there is no bound on that side.
    #[must_use]
    pub fn elo_interval(&self) -> (Option<f64>, Option<f64>) {
        self.score_interval().map_or((None, None), |(low, high)| (elo_of(low), elo_of(high)))
    }
}

fn elo_of(score: f64) -> Option<f64> {
    // What is this close to an end is rounding, not a score.
    (score > 1e-9 && score < 1.0 - 1e-9).then(|| 400.0 * (score / (1.0 - score)).log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_results_are_no_difference() {
        let tally = Tally { wins: 50, losses: 50, draws: 0 };
        assert!(tally.elo().unwrap().abs() < 1e-9);
        let (low, high) = tally.elo_interval();
        assert!((low.unwrap() + high.unwrap()).abs() < 1e-9);
        assert!((high.unwrap() - 67.0).abs() < 1.5, "{high:?}");
    }

    /// Wilson's interval of 8 successes in 10 is 0.490 to 0.943 (Brown, Cai and DasGupta 2001 give the formula).
    #[test]
    fn the_interval_is_wilsons() {
        let (low, high) = Tally { wins: 8, losses: 2, draws: 0 }.score_interval().unwrap();
        assert!((low - 0.4902).abs() < 5e-4 && (high - 0.9433).abs() < 5e-4, "{low} {high}");
    }

    #[test]
    fn winning_everything_has_a_lower_bound_only() {
        let tally = Tally { wins: 20, losses: 0, draws: 0 };
        assert_eq!(tally.elo(), None);
        let (low, high) = tally.elo_interval();
        assert!(low.unwrap() > 250.0 && high.is_none(), "{low:?} {high:?}");
        assert_eq!(Tally::default().elo_interval(), (None, None));
    }

    #[test]
    fn draws_are_half_points() {
        let tally = Tally { wins: 10, losses: 0, draws: 10 };
        assert_eq!(tally.score(), Some(0.75));
        assert!((tally.elo().unwrap() - 190.8).abs() < 0.1);
    }
}
