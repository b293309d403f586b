//! How a game ended.

use crate::Color;

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// One side won.
    Win {
        /// Who.
        winner: Color,
        /// How.
        by: WinBy,
    },
    /// The scores are equal.
    Draw,
    /// A long cycle without superko, or void by agreement: nobody won.
    NoResult,
}

/// How a game was won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WinBy {
    /// Half points; more than 0.
    Score(u32),
    /// The loser resigned.
    Resignation,
    /// The loser ran out of time.
    Time,
    /// The loser broke the rules or did not appear.
    Forfeit,
}

impl Outcome {
    /// From White's final score minus Black's, in half points.
    #[must_use]
    pub const fn from_white_minus_black(half_points: i32) -> Outcome {
        let by = WinBy::Score(half_points.unsigned_abs());
        match half_points {
            0 => Outcome::Draw,
            1.. => Outcome::Win { winner: Color::White, by },
            _ => Outcome::Win { winner: Color::Black, by },
        }
    }

    /// The winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Win { winner, .. } => Some(winner),
            Outcome::Draw | Outcome::NoResult => None,
        }
    }

    /// The value of SGF's `RE`: `B+3.5`, `W+R`, `W+T`, `B+F`, `0` or `Void`.
    #[must_use]
    pub fn to_sgf(self) -> String {
        match self {
            Outcome::Draw => "0".into(),
            Outcome::NoResult => "Void".into(),
            Outcome::Win { winner, by } => {
                let margin = match by {
                    WinBy::Score(halves) => (f64::from(halves) / 2.0).to_string(),
                    WinBy::Resignation => "R".into(),
                    WinBy::Time => "T".into(),
                    WinBy::Forfeit => "F".into(),
                };
                format!("{}+{margin}", winner.letter())
            }
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Draw => f.write_str("draw"),
            Outcome::NoResult => f.write_str("no result"),
            Outcome::Win { .. } => f.write_str(&self.to_sgf()),
        }
    }
}
