//! Ratings with their uncertainty.
//!
//! Source: M. Glickman, "Example of the Glicko-2 system", 2013; the symbols are those of that text.

use std::f64::consts::PI;

/// Points of the Glicko scale for one of the Glicko-2 scale.
const SCALE: f64 = 173.7178;
/// Where everybody begins.
const FIRST_RATING: f64 = 1500.0;
/// The uncertainty of somebody nobody knows, and the greatest there is.
const FIRST_DEVIATION: f64 = 350.0;
const FIRST_VOLATILITY: f64 = 0.06;
/// τ: how much the volatility may change over time.
const TAU: f64 = 0.5;
/// Where the search for the new volatility ends.
const CLOSE_ENOUGH: f64 = 1e-6;
/// Steps after which it ends in any case.
const MAX_STEPS: usize = 200;

/// A rating by the Glicko-2 system.
///
/// ```
/// use honinbo_players::{Glicko2, RatedResult};
///
/// let beginner = Glicko2::default();
/// let won = beginner.after(&[RatedResult { opponent: beginner, score: 1.0 }]);
/// assert!(won.rating() > beginner.rating() && won.deviation() < beginner.deviation());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glicko2 {
    rating: f64,
    deviation: f64,
    volatility: f64,
}

/// A game against somebody of a rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatedResult {
    /// The other player before the game.
    pub opponent: Glicko2,
    /// 1 for a win, 0 for a loss, 0.5 for a draw.
    pub score: f64,
}

impl Default for Glicko2 {
    /// Somebody nobody knows: 1500 ± 350.
    fn default() -> Glicko2 {
        Glicko2 { rating: FIRST_RATING, deviation: FIRST_DEVIATION, volatility: FIRST_VOLATILITY }
    }
}

impl Glicko2 {
    /// A rating between -10000 and 10000, its deviation between 1 and 350, a volatility between 0.0001 and 1; what is
    /// outside is moved to the nearest that is not, and what is no number to where everybody begins.
    #[must_use]
    pub fn new(rating: f64, deviation: f64, volatility: f64) -> Glicko2 {
        let within = |value: f64, low: f64, high: f64, usual: f64| {
            if value.is_nan() { usual } else { value.clamp(low, high) }
        };
        Glicko2 {
            rating: within(rating, -10_000.0, 10_000.0, FIRST_RATING),
            deviation: within(deviation, 1.0, FIRST_DEVIATION, FIRST_DEVIATION),
            volatility: within(volatility, 1e-4, 1.0, FIRST_VOLATILITY),
        }
    }

    /// The rating.
    #[must_use]
    pub fn rating(&self) -> f64 {
        self.rating
    }

    /// Its standard deviation: with 95 % the strength is within twice this much.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.deviation
    }

    /// How erratic the results are.
    #[must_use]
    pub fn volatility(&self) -> f64 {
        self.volatility
    }

    /// After a rating period with these games; without any it only becomes less certain.
    #[must_use]
    pub fn after(&self, games: &[RatedResult]) -> Glicko2 {
        let (mu, phi, sigma) = (self.mu(), self.phi(), self.volatility);
        if games.is_empty() {
            return Glicko2::new(self.rating, phi.hypot(sigma) * SCALE, sigma);
        }
        let mut information = 0.0;
        let mut surprise = 0.0;
        for RatedResult { opponent, score } in games {
            let g = 1.0 / (1.0 + 3.0 * opponent.phi().powi(2) / (PI * PI)).sqrt();
            let expected = 1.0 / (1.0 + (-g * (mu - opponent.mu())).exp());
            information += g * g * expected * (1.0 - expected);
            surprise += g * (score.clamp(0.0, 1.0) - expected);
        }
        let v = 1.0 / information.max(1e-12);
        let sigma = new_volatility(phi, sigma, v, v * surprise);
        let phi_star = phi.hypot(sigma);
        let phi = 1.0 / (1.0 / (phi_star * phi_star) + 1.0 / v).sqrt();
        Glicko2::new(FIRST_RATING + SCALE * (mu + phi * phi * surprise), SCALE * phi, sigma)
    }

    fn mu(&self) -> f64 {
        (self.rating - FIRST_RATING) / SCALE
    }

    fn phi(&self) -> f64 {
        self.deviation / SCALE
    }
}

/// Step 5 of the text: the zero of `f` by the Illinois variant of false position.
fn new_volatility(phi: f64, sigma: f64, v: f64, delta: f64) -> f64 {
    let start = (sigma * sigma).ln();
    let f = |x: f64| {
        let e = x.exp();
        let square = phi * phi + v + e;
        e * (delta * delta - square) / (2.0 * square * square) - (x - start) / (TAU * TAU)
    };
    let mut low = start;
    let mut high = if delta * delta > phi * phi + v {
        (delta * delta - phi * phi - v).ln()
    } else {
        let mut steps = 1.0;
        while f(start - steps * TAU) < 0.0 && steps < MAX_STEPS as f64 {
            steps += 1.0;
        }
        start - steps * TAU
    };
    let (mut at_low, mut at_high) = (f(low), f(high));
    for _ in 0..MAX_STEPS {
        if (high - low).abs() <= CLOSE_ENOUGH || at_high == at_low {
            break;
        }
        let middle = low + (low - high) * at_low / (at_high - at_low);
        let at_middle = f(middle);
        if at_middle * at_high <= 0.0 {
            (low, at_low) = (high, at_high);
        } else {
            at_low /= 2.0;
        }
        (high, at_high) = (middle, at_middle);
    }
    (low / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of the text.
    #[test]
    fn the_published_example_comes_out() {
        let player = Glicko2::new(1500.0, 200.0, 0.06);
        let games = [(1400.0, 30.0, 1.0), (1550.0, 100.0, 0.0), (1700.0, 300.0, 0.0)]
            .map(|(rating, deviation, score)| RatedResult { opponent: Glicko2::new(rating, deviation, 0.06), score });
        let after = player.after(&games);
        assert!((after.rating() - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation() - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility() - 0.05999).abs() < 0.00001, "{after:?}");
    }

    #[test]
    fn without_games_one_is_less_certain() {
        let player = Glicko2::new(1800.0, 50.0, 0.06);
        let later = player.after(&[]);
        assert_eq!(later.rating(), 1800.0);
        assert!((later.deviation() - 51.07).abs() < 0.01, "{later:?}");
        assert_eq!(Glicko2::default().after(&[]).deviation(), 350.0, "never above the first");
    }

    #[test]
    fn a_player_of_known_strength_is_found() {
        // Wins exactly as often as somebody of 1900 would, opponents always beside the rating.
        let mut player = Glicko2::default();
        let mut owed = 0.0;
        for _ in 0..200 {
            let opponent = Glicko2::new((player.rating() / 100.0).round() * 100.0, 60.0, 0.06);
            owed += 1.0 / (1.0 + 10f64.powf((opponent.rating() - 1900.0) / 400.0));
            let score = if owed >= 0.5 { 1.0 } else { 0.0 };
            owed -= score;
            player = player.after(&[RatedResult { opponent, score }]);
        }
        assert!((player.rating() - 1900.0).abs() < 80.0 && player.deviation() < 90.0, "{player:?}");
    }

    #[test]
    fn what_no_rating_can_be_is_moved_to_one_that_can() {
        let wild = Glicko2::new(f64::NAN, f64::INFINITY, -1.0);
        assert_eq!((wild.rating(), wild.deviation(), wild.volatility()), (1500.0, 350.0, 1e-4));
        let mut player = Glicko2::new(1e9, 0.0, 5.0);
        for score in [1.0, 0.0, f64::INFINITY, -3.0] {
            player = player.after(&[RatedResult { opponent: Glicko2::new(-1e9, 1e9, 1e9), score }]);
            assert!(player.rating().is_finite() && player.deviation() >= 1.0, "{player:?}");
        }
    }
}
