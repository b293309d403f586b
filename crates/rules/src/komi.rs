//! Komi in half points.

/// Points added to White's score, counted in halves so that 6.5 is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Komi {
    half_points: i16,
}

/// A komi that is no multiple of a half, not finite, or beyond ±400 points.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("komi {0} is not a multiple of 0.5 between -400 and 400")]
pub struct KomiError(pub f64);

impl KomiError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        "use a whole or half number such as 6.5 or 7"
    }
}

impl Komi {
    /// No komi.
    pub const ZERO: Komi = Komi { half_points: 0 };
    /// Largest komi either way, in points.
    pub const LIMIT_POINTS: i32 = 400;

    /// `half_points / 2` points; beyond ±400 points it is clipped.
    #[must_use]
    pub const fn from_half_points(half_points: i32) -> Komi {
        let limit = Self::LIMIT_POINTS * 2;
        let clipped = if half_points > limit {
            limit
        } else if half_points < -limit {
            -limit
        } else {
            half_points
        };
        Komi { half_points: clipped as i16 }
    }

    /// Komi of so many points.
    ///
    /// # Errors
    /// When `points` is no multiple of 0.5 or is beyond ±400.
    pub fn from_points(points: f64) -> Result<Komi, KomiError> {
        let halves = points * 2.0;
        if !halves.is_finite() || halves.fract() != 0.0 || halves.abs() > f64::from(Self::LIMIT_POINTS * 2) {
            return Err(KomiError(points));
        }
        Ok(Komi { half_points: halves as i16 })
    }

    /// In points.
    #[must_use]
    pub fn points(self) -> f64 {
        f64::from(self.half_points) / 2.0
    }

    /// In half points.
    #[must_use]
    pub const fn half_points(self) -> i32 {
        self.half_points as i32
    }

    /// Whether it is a whole number of points, so that a game can be drawn.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        self.half_points % 2 == 0
    }
}

impl std::fmt::Display for Komi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.points())
    }
}
