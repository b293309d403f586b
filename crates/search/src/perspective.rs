//! From whose side a value is. The search itself always thinks from White's.

use honinbo_rules::Color;

/// The side that win rates, scores, utilities and ownership are from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Perspective {
    /// Black's side, the custom outside the search.
    #[default]
    Black,
    /// White's side.
    White,
    /// The side of the player to move at the root.
    Mover,
}

impl Perspective {
    /// The factor that takes a value from White's side to this one, where `mover` is to move: 1 or -1.
    ///
    /// Every value that leaves the search goes through it.
    #[must_use]
    pub fn sign(self, mover: Color) -> f64 {
        let side = match self {
            Self::Black => Color::Black,
            Self::White => Color::White,
            Self::Mover => mover,
        };
        match side {
            Color::White => 1.0,
            Color::Black => -1.0,
        }
    }
}
