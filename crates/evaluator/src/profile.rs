//! The metadata row of human-style networks: who plays, how strong, when, how fast, where.

use std::str::FromStr;

use honinbo_rules::Color;

/// Values of a profile's row.
pub const PROFILE_CHANNELS: usize = 192;

/// What a human-style network is told about the players.
///
/// Named profiles: `rank_5k`, `rank_3d_1k` (Black's rank first), `preaz_…` for the time before 2017, and `proyear_1995`
/// for professionals of a year from 1800 to 2023.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlayerProfile {
    /// Inverse rank of Black: 9 dan 1, 1 dan 9, 1 kyu 10, 20 kyu 29.
    black_inverse_rank: u8,
    /// Inverse rank of White.
    white_inverse_rank: u8,
    /// `None`: unknown; else whether the game counts for ratings.
    rated: Option<bool>,
    clock: Clock,
    /// Days since 1970-01-01.
    days: i32,
    source: Source,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Clock {
    Unknown,
    /// Main time, then periods, in seconds.
    ByoYomi {
        main: u32,
        period: u32,
        periods: u32,
    },
}

/// Where the games a network learnt from were played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Kgs = 2,
    GoGoD = 5,
    Go4Go = 6,
}

/// A profile name nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown player profile {0:?}")]
pub struct ProfileError(String);

impl ProfileError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        "use rank_20k to rank_9d, preaz_20k to preaz_9d, or proyear_1800 to proyear_2023"
    }
}

impl FromStr for PlayerProfile {
    type Err = ProfileError;

    fn from_str(name: &str) -> Result<Self, ProfileError> {
        let unknown = || ProfileError(name.chars().take(60).collect());
        if let Some(year) = name.strip_prefix("proyear_") {
            let year: i32 = year.parse().map_err(|_| unknown())?;
            let source = match year {
                1800..=2020 => Source::GoGoD,
                2021..=2023 => Source::Go4Go,
                _ => return Err(unknown()),
            };
            return Ok(Self {
                black_inverse_rank: 1,
                white_inverse_rank: 1,
                rated: Some(true),
                clock: Clock::Unknown,
                days: days_since_1970(year, 6, 1),
                source,
            });
        }
        let (ranks, days) = if let Some(ranks) = name.strip_prefix("rank_") {
            (ranks, days_since_1970(2020, 3, 1))
        } else if let Some(ranks) = name.strip_prefix("preaz_") {
            (ranks, days_since_1970(2016, 9, 1))
        } else {
            return Err(unknown());
        };
        let (black, white) = ranks.split_once('_').unwrap_or((ranks, ranks));
        Ok(Self {
            black_inverse_rank: inverse_rank(black).ok_or_else(unknown)?,
            white_inverse_rank: inverse_rank(white).ok_or_else(unknown)?,
            rated: None,
            clock: Clock::ByoYomi { main: 1200, period: 30, periods: 5 },
            days,
            source: Source::Kgs,
        })
    }
}

/// The name that reads back as the same profile; where both players have one rank it is named once.
impl std::fmt::Display for PlayerProfile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let since_1970 = f64::from(self.days) / 365.2425;
        let year = 1970 + since_1970.floor() as i32;
        if self.source != Source::Kgs {
            return write!(f, "proyear_{year}");
        }
        let rank = |inverse: u8| if inverse < 10 { format!("{}d", 10 - inverse) } else { format!("{}k", inverse - 9) };
        f.write_str(if year < 2017 { "preaz_" } else { "rank_" })?;
        f.write_str(&rank(self.black_inverse_rank))?;
        if self.black_inverse_rank != self.white_inverse_rank {
            write!(f, "_{}", rank(self.white_inverse_rank))?;
        }
        Ok(())
    }
}

fn inverse_rank(text: &str) -> Option<u8> {
    let number = |digits: &str| digits.parse::<u8>().ok().filter(|_| !digits.starts_with(['0', '+']));
    if let Some(dan) = text.strip_suffix('d').and_then(number) {
        return (1..=9).contains(&dan).then(|| 10 - dan);
    }
    let kyu = text.strip_suffix('k').and_then(number)?;
    (1..=20).contains(&kyu).then(|| 9 + kyu)
}

impl PlayerProfile {
    /// The 192 values, for the player to move on a board of `area` points.
    #[must_use]
    pub fn row(&self, player: Color, area: usize) -> [f32; PROFILE_CHANNELS] {
        let mut row = [0.0; PROFILE_CHANNELS];
        let (own, other) = match player {
            Color::Black => (self.black_inverse_rank, self.white_inverse_rank),
            Color::White => (self.white_inverse_rank, self.black_inverse_rank),
        };
        // Both are human, ranked, and their ranks are known.
        row[0] = 1.0;
        row[1] = 1.0;
        row[6..6 + usize::from(own)].fill(1.0);
        row[40..40 + usize::from(other)].fill(1.0);
        row[74] = match self.rated {
            None => 0.5,
            Some(false) => 1.0,
            Some(true) => 0.0,
        };
        let (kind, main, period, periods) = match self.clock {
            Clock::Unknown => (75, 0, 0, 0),
            Clock::ByoYomi { main, period, periods } => (79, main, period, periods),
        };
        row[kind] = 1.0;
        row[82] = (0.4 * ((f64::from(main) + 60.0).ln() - 6.5)) as f32;
        row[83] = (0.3 * ((f64::from(period) + 1.0).ln() - 3.0)) as f32;
        row[84] = (0.5 * ((f64::from(periods) + 2.0).ln() - 1.5)) as f32;
        row[85] = (0.25 * (2f64.ln() - 1.5)) as f32;
        row[86] = (0.5 * (area as f64 / 361.0).ln()) as f32;
        let mut days_in_period = 7.0;
        let growth = 80000f64.powf(1.0 / 31.0);
        for wave in 0..32 {
            let angle = std::f64::consts::TAU * f64::from(self.days) / days_in_period;
            row[87 + 2 * wave] = angle.cos() as f32;
            row[88 + 2 * wave] = angle.sin() as f32;
            days_in_period *= growth;
        }
        row[151 + self.source as usize] = 1.0;
        row
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar (H. Hinnant, "chrono-compatible low-level date algorithms").
fn days_since_1970(year: i32, month: i32, day: i32) -> i32 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, area: usize) -> [f32; PROFILE_CHANNELS] {
        name.parse::<PlayerProfile>().unwrap().row(Color::Black, area)
    }

    fn close(row: &[f32], expected: &[(usize, f32)]) {
        for &(index, value) in expected {
            assert!((row[index] - value).abs() < 2e-6, "{index}: {} is not {value}", row[index]);
        }
    }

    #[test]
    fn rows_of_named_profiles_are_those_of_katago() {
        let rank = row("rank_5k", 361);
        assert_eq!(rank[6..40].iter().sum::<f32>(), 14.0);
        assert_eq!(rank[40..74].iter().sum::<f32>(), 14.0);
        close(
            &rank,
            &[
                (0, 1.0),
                (1, 1.0),
                (74, 0.5),
                (79, 1.0),
                (82, 0.255_546_8),
                (83, 0.130_196_2),
                (84, 0.222_955_1),
                (85, -0.201_713_2),
                (86, 0.0),
                (87, -0.900_968_9),
                (88, 0.433_883_7),
                (89, -0.997_552_8),
                (90, 0.069_918_22),
                (149, 0.978_944_3),
                (150, 0.204_127_5),
                (153, 1.0),
            ],
        );
        close(
            &row("preaz_9d", 361),
            &[(6, 1.0), (7, 0.0), (40, 1.0), (89, -0.034_570_43), (90, -0.999_402_3), (153, 1.0)],
        );
        close(
            &row("proyear_1995", 81),
            &[
                (6, 1.0),
                (40, 1.0),
                (74, 0.0),
                (75, 1.0),
                (156, 1.0),
                (82, -0.962_262_2),
                (83, -0.9),
                (84, -0.403_426_4),
                (85, -0.201_713_2),
                (86, -0.747_214),
                (89, -0.024_389_3),
                (90, 0.999_702_5),
            ],
        );
        let mixed: PlayerProfile = "rank_3d_10k".parse().unwrap();
        assert_eq!(mixed.row(Color::White, 361)[6..40].iter().sum::<f32>(), 19.0);
        assert_eq!(mixed.row(Color::Black, 361)[6..40].iter().sum::<f32>(), 7.0);
    }

    #[test]
    fn names_that_mean_nothing_are_refused() {
        for name in [
            "",
            "rank_",
            "rank_10d",
            "rank_0k",
            "rank_21k",
            "rank_5k_",
            "proyear_1799",
            "proyear_2024",
            "rank_05k",
            "go",
        ] {
            assert!(name.parse::<PlayerProfile>().is_err(), "{name}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for name in [
            "rank_20k",
            "rank_1k",
            "rank_1d",
            "rank_9d",
            "preaz_5k",
            "rank_3d_10k",
            "proyear_1800",
            "proyear_2020",
            "proyear_2023",
        ] {
            assert_eq!(name.parse::<PlayerProfile>().unwrap().to_string(), name);
        }
        assert_eq!("rank_2k_2k".parse::<PlayerProfile>().unwrap().to_string(), "rank_2k");
    }
}
