//! Ranks from 20 kyu to 9 dan, and what each of them sees and reads.

use std::fmt;
use std::str::FromStr;

/// A rank, ordered by strength. Reads and writes itself as `5k` or `3d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// Points of Elo between neighbours, as they were measured on 9x9 from 20 kyu to 8 dan with `g170-b6c96` (2026-11, about
/// 8,600 games): see docs/experiments/ladder.md.
const POINTS_OF_A_RANK: f64 = 72.0;

/// Steps from 20 kyu to 1 kyu.
const KYUS: u8 = 20;

impl Rank {
    /// The weakest.
    pub const WEAKEST: Rank = Rank(0);
    /// The strongest.
    pub const STRONGEST: Rank = Rank(28);

    /// All of them, weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Rank> {
        (Rank::WEAKEST.0..=Rank::STRONGEST.0).map(Rank)
    }

    /// So many ranks stronger, or weaker where it is negative; never beyond the ends.
    #[must_use]
    pub fn stronger_by(self, ranks: i32) -> Rank {
        let moved = i32::from(self.0).saturating_add(ranks);
        Rank(moved.clamp(i32::from(Rank::WEAKEST.0), i32::from(Rank::STRONGEST.0)) as u8)
    }

    /// Ranks above 20 kyu: 20 kyu 0, 1 kyu 19, 1 dan 20, 9 dan 28.
    #[must_use]
    pub fn above_weakest(self) -> u8 {
        self.0
    }

    /// The rating that goes with it in rated games: an average player of 10 kyu has the 1500 that everybody begins with.
    #[must_use]
    pub fn rating(self) -> f64 {
        1500.0 + POINTS_OF_A_RANK * (f64::from(self.0) - 10.0)
    }

    /// The rank whose rating is nearest.
    #[must_use]
    pub fn of_rating(rating: f64) -> Rank {
        let above = ((rating - Rank::WEAKEST.rating()) / POINTS_OF_A_RANK).round();
        Rank(above.clamp(0.0, f64::from(Rank::STRONGEST.0)) as u8)
    }

    /// What a player of this rank sees and reads. Between the rows of the table in a straight line, visits in a
    /// geometric one.
    #[must_use]
    pub fn limits(self) -> RankLimits {
        let at = f64::from(self.0);
        let above = TABLE.iter().position(|row| row.0 >= at).unwrap_or(TABLE.len() - 1);
        let (high, low) = (TABLE[above], TABLE[above.saturating_sub(1)]);
        let part = if above == 0 { 0.0 } else { ((at - low.0) / (high.0 - low.0)).clamp(0.0, 1.0) };
        let between = |low: f64, high: f64| low + part * (high - low);
        RankLimits {
            visits: between(low.1.ln(), high.1.ln()).exp().round() as u64,
            temperature: between(low.2, high.2),
            whim: between(low.3, high.3),
            blindness: between(low.4, high.4),
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < KYUS { write!(f, "{}k", KYUS - self.0) } else { write!(f, "{}d", self.0 - KYUS + 1) }
    }
}

/// A text that is no rank.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no rank {0:?}; ranks are 20k to 1k and 1d to 9d")]
pub struct RankError(String);

impl FromStr for Rank {
    type Err = RankError;

    fn from_str(text: &str) -> Result<Rank, RankError> {
        Rank::all().find(|rank| rank.to_string() == text).ok_or_else(|| RankError(text.chars().take(20).collect()))
    }
}

/// What a player of limited strength sees and reads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankLimits {
    /// Visits of a search; 1 asks the network alone.
    pub visits: u64,
    /// Flattens the choice between moves, 0 to 10: 0 always takes the best, 1 follows the network's own odds.
    pub temperature: f64,
    /// How often, 0 to 1, a move is played for no reason but that it is near: a beginner's answer.
    pub whim: f64,
    /// How often, 0 to 1, a point away from the last moves is not looked at.
    pub blindness: f64,
}

impl RankLimits {
    /// These limits of one rank at another: what is as usual becomes what is usual there, what somebody chose stays.
    pub(super) fn moved(self, from: Rank, to: Rank) -> RankLimits {
        fn chosen<T: PartialEq>(own: T, usual: T, there: T) -> T {
            if own == usual { there } else { own }
        }
        let (usual, there) = (from.limits(), to.limits());
        RankLimits {
            visits: chosen(self.visits, usual.visits, there.visits),
            temperature: chosen(self.temperature, usual.temperature, there.temperature),
            whim: chosen(self.whim, usual.whim, there.whim),
            blindness: chosen(self.blindness, usual.blindness, there.blindness),
        }
    }
}

/// Rank above the weakest, visits, temperature, whim, blindness: the rungs of the ladder that was measured on 9x9 with
/// `g170-b6c96`, each where its points of Elo above 20 kyu put it, see docs/experiments/ladder.md.
const TABLE: &[(f64, f64, f64, f64, f64)] = &[
    (0.0, 1.0, 1.00, 0.76, 0.38),
    (1.3, 1.0, 1.00, 0.686, 0.343),
    (2.8, 1.0, 1.00, 0.60, 0.3),
    (5.0, 1.0, 1.00, 0.47, 0.235),
    (6.7, 1.0, 1.00, 0.36, 0.18),
    (8.1, 1.0, 1.00, 0.27, 0.135),
    (9.7, 1.0, 1.00, 0.19, 0.095),
    (10.8, 1.0, 1.00, 0.12, 0.06),
    (12.2, 1.0, 1.00, 0.06, 0.03),
    (14.3, 1.0, 1.00, 0.00, 0.0),
    (16.3, 1.0, 0.75, 0.00, 0.0),
    (18.2, 1.0, 0.50, 0.00, 0.0),
    (19.4, 1.0, 0.25, 0.00, 0.0),
    (20.5, 3.0, 0.20, 0.00, 0.0),
    (22.7, 8.0, 0.20, 0.00, 0.0),
    (25.6, 16.0, 0.20, 0.00, 0.0),
    (26.8, 32.0, 0.20, 0.00, 0.0),
    (28.0, 64.0, 0.20, 0.00, 0.0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_named_as_players_name_them() {
        let names: Vec<String> = Rank::all().map(|rank| rank.to_string()).collect();
        assert_eq!(names.len(), 29);
        assert_eq!(
            (names[0].as_str(), names[19].as_str(), names[20].as_str(), names[28].as_str()),
            ("20k", "1k", "1d", "9d")
        );
        for (rank, name) in Rank::all().zip(&names) {
            assert_eq!(name.parse(), Ok(rank));
        }
        for wrong in ["", "21k", "0k", "10d", "0d", "5", "k", "05k", "5K", "５k"] {
            assert!(wrong.parse::<Rank>().is_err(), "{wrong}");
        }
        assert_eq!(Rank::STRONGEST.stronger_by(i32::MAX), Rank::STRONGEST);
        assert_eq!("1d".parse::<Rank>().unwrap().stronger_by(-1).to_string(), "1k");
    }

    #[test]
    fn ratings_name_the_nearest_rank() {
        for rank in Rank::all() {
            assert_eq!(Rank::of_rating(rank.rating() + 0.45 * POINTS_OF_A_RANK), rank);
        }
        assert_eq!(Rank::of_rating(1500.0).to_string(), "10k");
        assert_eq!((Rank::of_rating(-1e12), Rank::of_rating(1e12)), (Rank::WEAKEST, Rank::STRONGEST));
        assert_eq!(Rank::of_rating(f64::NAN), Rank::WEAKEST);
    }

    #[test]
    fn who_is_stronger_sees_and_reads_no_less() {
        let all: Vec<RankLimits> = Rank::all().map(Rank::limits).collect();
        for pair in all.windows(2) {
            let (weak, strong) = (pair[0], pair[1]);
            assert!(weak.visits <= strong.visits && weak.whim >= strong.whim, "{pair:?}");
            assert!(weak.temperature >= strong.temperature && weak.blindness >= strong.blindness, "{pair:?}");
        }
        for limits in all {
            assert!((1..=1000).contains(&limits.visits) && (0.0..=10.0).contains(&limits.temperature), "{limits:?}");
            assert!((0.0..=1.0).contains(&limits.whim) && (0.0..=1.0).contains(&limits.blindness), "{limits:?}");
        }
    }
}
