//! Error rates with intervals.
//!
//! Wilson's score interval with 95 %, of as many moves as they are worth: moves of a game are alike, so their number is
//! divided by how much more the rate varies from game to game than it would by chance (the design effect, 1 or more). The
//! interval of a difference is Newcombe's, made of two of these (R. G. Newcombe, Statistics in Medicine 17, 1998, method 10).

use honinbo_library::ClassSum;

/// Of a normal distribution, 95 % lie within so many deviations.
const Z: f64 = 1.96;

/// Moves of some games.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counted {
    pub(crate) games: u32,
    pub(crate) moves: f64,
    pub(crate) mistakes: f64,
    pub(crate) lost: f64,
    /// As in [`ClassSum`].
    pub(crate) squares: [f64; 3],
}

impl Counted {
    pub(crate) fn of<'a>(sums: impl Iterator<Item = &'a ClassSum>) -> Self {
        let mut all = Self::default();
        sums.for_each(|sum| all.add(sum));
        all
    }

    pub(crate) fn add(&mut self, sum: &ClassSum) {
        self.games += sum.games;
        self.moves += sum.moves;
        self.mistakes += sum.mistakes;
        self.lost += sum.lost;
        for (so_far, more) in self.squares.iter_mut().zip(sum.squares) {
            *so_far += more;
        }
    }

    /// How many independent moves they are worth.
    fn worth(&self) -> f64 {
        let games = f64::from(self.games);
        let share = self.mistakes / self.moves;
        let by_chance = share * (1.0 - share) / self.moves;
        if self.games < 2 || by_chance <= 0.0 {
            return self.moves;
        }
        let [wrong, both, all] = self.squares;
        let spread = (wrong - 2.0 * share * both + share * share * all).max(0.0);
        let found = spread / (self.moves * self.moves) * games / (games - 1.0);
        self.moves / (found / by_chance).max(1.0)
    }
}

/// A rate, 0 to 1, with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Interval {
    pub(crate) middle: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// The share of mistakes.
pub(crate) fn rate(counted: &Counted) -> Interval {
    if counted.moves <= 0.0 {
        return Interval { middle: 0.0, low: 0.0, high: 1.0 };
    }
    let share = (counted.mistakes / counted.moves).clamp(0.0, 1.0);
    let n = counted.worth();
    let z2 = Z * Z;
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    Interval { middle: share, low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
}

/// The mean of values by their number, sum and sum of squares, with Student's interval.
pub(crate) fn mean(number: u32, sum: f64, squares: f64) -> Interval {
    let n = f64::from(number.max(1));
    let middle = sum / n;
    let freedom = (n - 1.0).max(1.0);
    let deviation = ((squares - sum * middle).max(0.0) / freedom).sqrt();
    // Student's quantile by its expansion about the normal one: Abramowitz and Stegun, 26.7.5.
    let z = Z;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z) / 92160.0,
    ];
    let quantile = terms.iter().rev().fold(0.0, |so_far, term| (so_far + term) / freedom) + z;
    let half = quantile * deviation / n.sqrt();
    Interval { middle, low: middle - half, high: middle + half }
}

/// The interval of the second rate less the first.
pub(crate) fn difference(before: &Counted, after: &Counted) -> [f64; 2] {
    let [one, other] = [before, after].map(rate);
    let change = other.middle - one.middle;
    let down = ((other.middle - other.low).powi(2) + (one.high - one.middle).powi(2)).sqrt();
    let up = ((other.high - other.middle).powi(2) + (one.middle - one.low).powi(2)).sqrt();
    [change - down, change + up]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(games: u32, moves: f64, mistakes: f64) -> Counted {
        let n = f64::from(games);
        Counted {
            games,
            moves: moves * n,
            mistakes: mistakes * n,
            lost: 0.0,
            squares: [mistakes * mistakes * n, mistakes * moves * n, moves * moves * n],
        }
    }

    #[test]
    fn wilsons_interval_is_the_known_one_where_games_are_alike() {
        // 10 of 100: 5.5 % to 17.4 %.
        let found = rate(&alike(10, 10.0, 1.0));
        assert!((found.low - 0.0552).abs() < 5e-4 && (found.high - 0.1744).abs() < 5e-4, "{found:?}");
        let none = rate(&alike(5, 10.0, 0.0));
        assert!(none.low == 0.0 && (none.high - 0.0713).abs() < 1e-3, "{none:?}");
        assert_eq!(rate(&Counted::default()), Interval { middle: 0.0, low: 0.0, high: 1.0 }, "nothing is known");
    }

    #[test]
    fn games_that_differ_say_less_than_their_moves() {
        let mut uneven = alike(10, 10.0, 1.0);
        // All mistakes in one game.
        uneven.squares[0] = 100.0;
        let [one, other] = [alike(10, 10.0, 1.0), uneven].map(|counted| rate(&counted));
        assert!(other.high - other.low > 1.5 * (one.high - one.low), "{one:?} {other:?}");
    }

    #[test]
    fn newcombes_interval_is_the_known_one() {
        // 56/70 against 48/80: 0.0524 to 0.3339 (Newcombe 1998, method 10).
        let [low, high] = difference(&alike(80, 1.0, 0.6), &alike(70, 1.0, 0.8));
        assert!((low - 0.0524).abs() < 1e-3 && (high - 0.3339).abs() < 1e-3, "{low} {high}");
    }
}
