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
    /// Openings of which both games are counted, one with each colour, by the half points that both brought: 0 to 4.
    /// As much as these vary, all games are taken to vary.
    pub pairs: [u32; 5],
}

/// Quantile of the normal distribution for a two-sided interval of 95 %.
const Z_95: f64 = 1.959_963_984_540_054;
/// Pairs of games that know nothing of each other, added in thought where it is asked how much pairs vary: of few pairs
/// it cannot be known.
const IMAGINED_PAIRS: f64 = 4.0;

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

    /// Adds the games of another contest of the same players.
    pub fn add(&mut self, other: &Self) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        for (so_far, more) in self.pairs.iter_mut().zip(other.pairs) {
            *so_far += more;
        }
    }

    /// How many games that know nothing of each other would say as much.
    ///
    /// An opening that favours a colour gives each player one of its two games, so that pairs vary less than their games
    /// would by chance; how much less (the design effect) is what their number is divided by. Source: the "pentanomial"
    /// statistics of matches of chess programs (Fishtest); L. Kish, Survey Sampling (1965), for the design effect.
    #[must_use]
    pub fn independent_games(&self) -> f64 {
        let games = f64::from(self.games());
        let Some(score) = self.score() else { return 0.0 };
        let pairs: f64 = self.pairs.iter().copied().map(f64::from).sum();
        // Of the mean of two games.
        let by_chance = score * (1.0 - score) / 2.0;
        if pairs < 2.0 || by_chance <= 0.0 {
            return games;
        }
        let of_pairs = |value: &dyn Fn(f64) -> f64| -> f64 {
            self.pairs
                .iter()
                .zip([0.0, 0.25, 0.5, 0.75, 1.0])
                .map(|(&count, share)| f64::from(count) * value(share))
                .sum()
        };
        let mean = of_pairs(&|share| share) / pairs;
        let squares = of_pairs(&|share| (share - mean).powi(2));
        let found = (squares + IMAGINED_PAIRS * by_chance) / (pairs - 1.0 + IMAGINED_PAIRS);
        games / (found / by_chance)
    }

    /// The share of the points that lies, with 95 % certainty, between these two.
    ///
    /// Source: E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference (1927), of
    /// [`Tally::independent_games`], with a draw counted as half a success. It stays inside 0 and 1 also where one player
    /// won every game.
    #[must_use]
    pub fn score_interval(&self) -> Option<(f64, f64)> {
        let score = self.score()?;
        let games = self.independent_games();
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
        let tally = Tally { wins: 50, losses: 50, draws: 0, ..Tally::default() };
        assert!(tally.elo().unwrap().abs() < 1e-9);
        let (low, high) = tally.elo_interval();
        assert!((low.unwrap() + high.unwrap()).abs() < 1e-9);
        assert!((high.unwrap() - 67.0).abs() < 1.5, "{high:?}");
    }

    /// Wilson's interval of 8 successes in 10 is 0.490 to 0.943 (Brown, Cai and DasGupta 2001 give the formula).
    #[test]
    fn the_interval_is_wilsons() {
        let (low, high) = Tally { wins: 8, losses: 2, draws: 0, ..Tally::default() }.score_interval().unwrap();
        assert!((low - 0.4902).abs() < 5e-4 && (high - 0.9433).abs() < 5e-4, "{low} {high}");
    }

    #[test]
    fn winning_everything_has_a_lower_bound_only() {
        let tally = Tally { wins: 20, losses: 0, draws: 0, ..Tally::default() };
        assert_eq!(tally.elo(), None);
        let (low, high) = tally.elo_interval();
        assert!(low.unwrap() > 250.0 && high.is_none(), "{low:?} {high:?}");
        assert_eq!(Tally::default().elo_interval(), (None, None));
    }

    #[test]
    fn draws_are_half_points() {
        let tally = Tally { wins: 10, losses: 0, draws: 10, ..Tally::default() };
        assert_eq!(tally.score(), Some(0.75));
        assert!((tally.elo().unwrap() - 190.8).abs() < 0.1);
    }
    /// Of 8 pairs that split and one each that a player won twice, by hand: the pairs' squares are 0.5, chance alone
    /// 0.125 each, so (0.5 + 4 x 0.125) / (9 + 4) = 0.0769, which is 0.615 of chance: 20 games are worth 32.5.
    #[test]
    fn pairs_that_split_say_more_than_their_games() {
        let tally = Tally { wins: 10, losses: 10, draws: 0, pairs: [1, 0, 8, 0, 1] };
        assert!((tally.independent_games() - 32.5).abs() < 0.01, "{}", tally.independent_games());
        let alone = Tally { pairs: [0; 5], ..tally };
        assert_eq!(alone.independent_games(), 20.0);
        let wins_all = Tally { wins: 20, losses: 0, draws: 0, pairs: [0, 0, 0, 0, 10] };
        assert_eq!(wins_all.independent_games(), 20.0, "nothing can be said of how they vary");
    }

    /// Contests of ten openings and of a hundred, each of which decides so many of its games for a colour, between players of
    /// whom one wins so much of the rest: the interval holds the truth 95 times of 100 or a little more, whatever openings
    /// do; of ten openings at least 92 times.
    #[test]
    fn the_interval_holds_the_truth_as_often_as_it_says() {
        const CONTESTS: u32 = 2000;
        let mut random = honinbo_rules::Random::new(2026);
        let mut chance = |of: f64| random.unit() < of;
        let cases = [(0.0, 0.5), (0.5, 0.5), (0.9, 0.5), (0.5, 0.7), (0.9, 0.8), (0.0, 0.9)];
        for (openings, (decided, strength)) in
            [10, 100].into_iter().flat_map(|openings| cases.map(|case| (openings, case)))
        {
            let truth = decided * 0.5 + (1.0 - decided) * strength;
            let (mut held, mut width) = (0, 0.0);
            for _ in 0..CONTESTS {
                let mut tally = Tally::default();
                for _ in 0..openings {
                    let for_black = chance(decided).then(|| chance(0.5));
                    let won: usize = [true, false]
                        .map(|has_black| for_black.map_or_else(|| chance(strength), |black| black == has_black))
                        .map(usize::from)
                        .iter()
                        .sum();
                    tally.wins += won as u32;
                    tally.losses += 2 - won as u32;
                    tally.pairs[2 * won] += 1;
                }
                let (low, high) = tally.score_interval().unwrap();
                held += u32::from(low <= truth && truth <= high);
                width += (high - low) / f64::from(CONTESTS);
            }
            let share = f64::from(held) / f64::from(CONTESTS);
            assert!(share >= if openings == 10 { 0.925 } else { 0.935 }, "{openings} {decided} {strength}: {share}");
            // The widths that independent games would have, and pairs of which it is known how they vary.
            let width_of = |variance: f64| 2.0 * Z_95 * (variance / f64::from(openings)).sqrt();
            let of_games = width_of(truth * (1.0 - truth) / 2.0);
            let undecided = 1.0 - decided;
            let luck = undecided * strength * (1.0 - strength) / 2.0;
            let of_pairs = width_of(luck + decided * undecided * (strength - 0.5).powi(2));
            assert!(width < 1.05 * of_games, "{openings} {decided} {strength}: {width} {of_games}");
            assert!(openings == 10 || width < 1.3 * of_pairs, "{decided} {strength}: {width} {of_pairs}");
        }
    }
}
