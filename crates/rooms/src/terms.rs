//! What two players agree on before a game.

use crate::offer::USUAL_SIDES;
use crate::wire::TopologyName;
use honinbo_players::TimeControl;
use honinbo_rules::{BoardSize, Komi, Preset, Ruleset, Setup, Topology};
use honinbo_search::TimeSystem;
use serde::{Deserialize, Deserializer, Serialize};
use specta::Type;

/// The longest that a clock may be set to, in seconds.
const MAX_SECONDS: f64 = 100.0 * 3600.0;
/// Most periods, and most stones in one.
const MAX_COUNT: u32 = 1000;
/// Komi is at most so many points either way.
const MAX_KOMI: f64 = 200.0;

/// The longest delay for those who watch, in seconds.
pub const MAX_DELAY: u32 = 600;

/// Board, rules, handicap and time of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename = "RoomTerms", default, deny_unknown_fields)]
pub struct Terms {
    /// Columns, from 2 to 52.
    #[serde(deserialize_with = "whole")]
    #[specta(type = u32)]
    pub width: u32,
    /// Rows, from 2 to 52.
    #[serde(deserialize_with = "whole")]
    #[specta(type = u32)]
    pub height: u32,
    /// `plane`, `cylinder` or `torus`.
    #[specta(type = TopologyName)]
    pub topology: String,
    /// A ruleset's name; empty for the usual one on this board.
    pub rules: String,
    /// Points for White; the ruleset's own, or half a point in a game with handicap, where it is `None`.
    pub komi: Option<f64>,
    /// Black stones on the star points; 0 and 1 place none.
    #[serde(deserialize_with = "whole")]
    #[specta(type = u32)]
    pub handicap: u32,
    /// The clocks; `None` plays without.
    pub time: Option<TimeTerms>,
    /// Whether the result counts for ratings.
    pub rated: bool,
    /// Those who watch see everything so many seconds later; at most [`MAX_DELAY`].
    #[serde(deserialize_with = "whole")]
    #[specta(type = u32)]
    pub delay_seconds: u32,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            width: 19,
            height: 19,
            topology: Topology::Plane.name().into(),
            rules: String::new(),
            komi: None,
            handicap: 0,
            time: None,
            rated: false,
            delay_seconds: 0,
        }
    }
}

/// How time is given.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename = "RoomTime", tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TimeTerms {
    /// Main time alone.
    Absolute {
        /// Seconds of main time.
        main_seconds: f64,
    },
    /// Main time that grows with each move.
    Fischer {
        /// Seconds of main time.
        main_seconds: f64,
        /// Seconds added after each move.
        increment_seconds: f64,
    },
    /// After the main time, periods that begin again with each move that is made within them.
    ByoYomi {
        /// Seconds of main time.
        main_seconds: f64,
        /// Seconds of a period.
        period_seconds: f64,
        /// Number of periods.
        #[serde(deserialize_with = "whole")]
        #[specta(type = u32)]
        periods: u32,
    },
    /// After the main time, so many stones in each period.
    Canadian {
        /// Seconds of main time.
        main_seconds: f64,
        /// Seconds of a period.
        period_seconds: f64,
        /// Stones in a period.
        #[serde(deserialize_with = "whole")]
        #[specta(type = u32)]
        stones: u32,
    },
}

/// Why terms are no terms.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TermsError {
    /// A board of no such size.
    #[error("{0}")]
    Board(String),
    /// The board has no places for the handicap.
    #[error("{0}")]
    Handicap(String),
    /// No such topology.
    #[error("{0:?} is no topology; choose plane, cylinder or torus")]
    Topology(String),
    /// No such ruleset.
    #[error("{0}")]
    Rules(String),
    /// Komi that is no whole or half number of points, or too large.
    #[error("a komi of {0} points is not a half or whole number from -200 to 200")]
    Komi(f64),
    /// A clock that gives no time, or too much.
    #[error("{0}")]
    Time(String),
    /// A game that does not say who is stronger.
    #[error("a rated game is played on 9x9, 13x13 or 19x19, with the komi that is usual for its rules")]
    Rated,
    /// Those who watch would wait too long.
    #[error("those who watch may see a game at most {MAX_DELAY} seconds later, not {0}")]
    Delay(u32),
}

impl Terms {
    /// The position to begin from.
    ///
    /// # Errors
    /// Whatever cannot be played under.
    pub fn setup(&self) -> Result<Setup, TermsError> {
        let size = BoardSize::new(self.width as usize, self.height as usize)
            .map_err(|error| TermsError::Board(error.to_string()))?;
        let topology = Topology::parse(&self.topology).ok_or_else(|| TermsError::Topology(self.topology.clone()))?;
        if self.delay_seconds > MAX_DELAY {
            return Err(TermsError::Delay(self.delay_seconds));
        }
        if self.rated && self.handicap > 1 {
            return Err(TermsError::Handicap("a rated game is played without handicap".into()));
        }
        let rules = Ruleset::parse(self.rules_on(topology)).map_err(|error| TermsError::Rules(error.to_string()))?;
        let komi = match self.komi {
            Some(points) if points.abs() > MAX_KOMI => return Err(TermsError::Komi(points)),
            Some(points) => Komi::from_points(points).map_err(|_| TermsError::Komi(points))?,
            None if self.handicap > 1 => Komi::from_half_points(1),
            None => rules.komi,
        };
        Setup::new(size, topology, rules.ruleset, komi)
            .with_fixed_handicap(self.handicap as usize)
            .map_err(|error| TermsError::Handicap(error.to_string()))
    }

    /// The same with the usual rules by their name where none are named: what is played by stays what it is.
    pub(crate) fn with_rules_named(mut self) -> Self {
        let topology = Topology::parse(&self.topology).unwrap_or_default();
        self.rules = self.rules_on(topology).to_owned();
        self
    }

    fn rules_on(&self, topology: Topology) -> &str {
        if self.rules.is_empty() { Preset::usual(topology).name() } else { &self.rules }
    }

    /// Whether a new game can be had by these terms: whoever makes it answers for that. One that has begun goes on.
    ///
    /// # Errors
    /// [`TermsError`] for what cannot be played under, or not for ratings.
    pub fn check_new(&self) -> Result<(), TermsError> {
        let setup = self.setup()?;
        self.time_control()?;
        let usual_komi = Self { komi: None, ..self.clone() }.setup()?.komi;
        let usual_board =
            self.width == self.height && USUAL_SIDES.contains(&self.width) && setup.topology == Topology::Plane;
        if self.rated && !(usual_board && setup.komi == usual_komi) {
            return Err(TermsError::Rated);
        }
        Ok(())
    }

    /// The clocks to play with.
    ///
    /// # Errors
    /// [`TermsError::Time`].
    pub fn time_control(&self) -> Result<Option<TimeControl>, TermsError> {
        self.time.map(TimeTerms::control).transpose()
    }
}

impl TimeTerms {
    fn control(self) -> Result<TimeControl, TermsError> {
        let (main, system) = match self {
            Self::Absolute { main_seconds } => {
                (positive("main time", main_seconds)?, TimeSystem::Fischer { increment: 0.0, stored_at_most: None })
            }
            Self::Fischer { main_seconds, increment_seconds } => {
                let increment = seconds("increment", increment_seconds)?;
                (positive("main time", main_seconds)?, TimeSystem::Fischer { increment, stored_at_most: None })
            }
            Self::ByoYomi { main_seconds, period_seconds, periods } => {
                let (period, periods) = (positive("period", period_seconds)?, count("periods", periods)?);
                (seconds("main time", main_seconds)?, TimeSystem::Overtime { period, stones: 1, periods })
            }
            Self::Canadian { main_seconds, period_seconds, stones } => {
                let (period, stones) = (positive("period", period_seconds)?, count("stones", stones)?);
                (seconds("main time", main_seconds)?, TimeSystem::Overtime { period, stones, periods: 1 })
            }
        };
        Ok(TimeControl { main, system })
    }
}

/// A whole number in any form that JSON has for it: 25 and 25.0 are the same.
///
/// # Errors
/// For what is no number, or none from 0 to 4,294,967,295.
pub fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let value = f64::deserialize(deserializer)?;
    if value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value) {
        return Ok(value as u32);
    }
    Err(serde::de::Error::custom(format_args!("{value} is no whole number")))
}

fn seconds(what: &str, value: f64) -> Result<f64, TermsError> {
    if (0.0..=MAX_SECONDS).contains(&value) {
        return Ok(value);
    }
    Err(TermsError::Time(format!("a {what} of {value} seconds is not between 0 and {MAX_SECONDS}")))
}

fn positive(what: &str, value: f64) -> Result<f64, TermsError> {
    if value < 1.0 {
        return Err(TermsError::Time(format!("a {what} of {value} seconds is less than one second")));
    }
    seconds(what, value)
}

fn count(what: &str, value: u32) -> Result<u32, TermsError> {
    if (1..=MAX_COUNT).contains(&value) {
        return Ok(value);
    }
    Err(TermsError::Time(format!("{value} {what} are not between 1 and {MAX_COUNT}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_that_nobody_can_play_under_are_refused() {
        let usual = Terms::default;
        for wrong in [
            Terms { width: 1, ..usual() },
            Terms { height: 4_000_000_000, ..usual() },
            Terms { topology: "sphere".into(), ..usual() },
            Terms { rules: "house rules".into(), ..usual() },
            Terms { komi: Some(6.3), ..usual() },
            Terms { komi: Some(f64::NAN), ..usual() },
            Terms { komi: Some(1e300), ..usual() },
            Terms { handicap: 10, ..usual() },
            Terms { width: 5, height: 5, handicap: 2, ..usual() },
            Terms { handicap: 2, rated: true, ..usual() },
            Terms { delay_seconds: MAX_DELAY + 1, ..usual() },
        ] {
            assert!(wrong.setup().is_err(), "{wrong:?}");
        }
        for wrong in [
            TimeTerms::Absolute { main_seconds: 0.0 },
            TimeTerms::Absolute { main_seconds: f64::NAN },
            TimeTerms::Fischer { main_seconds: 60.0, increment_seconds: -1.0 },
            TimeTerms::ByoYomi { main_seconds: 0.0, period_seconds: 30.0, periods: 0 },
            TimeTerms::ByoYomi { main_seconds: 1e9, period_seconds: 30.0, periods: 5 },
            TimeTerms::Canadian { main_seconds: 60.0, period_seconds: 0.0, stones: 25 },
        ] {
            assert!(Terms { time: Some(wrong), ..usual() }.time_control().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn ratings_are_for_usual_boards_and_the_komi_of_the_rules() {
        let nine = || Terms { width: 9, height: 9, rated: true, ..Terms::default() };
        for right in [
            nine(),
            Terms { komi: Some(7.5), ..nine() },
            Terms { rules: "japanese".into(), komi: Some(6.5), ..nine() },
            Terms { rated: true, ..Terms::default() },
            Terms { rated: false, komi: Some(-60.0), width: 2, ..nine() },
        ] {
            assert_eq!(right.check_new(), Ok(()), "{right:?}");
        }
        for wrong in [
            Terms { komi: Some(-60.0), ..nine() },
            Terms { komi: Some(-200.0), ..nine() },
            Terms { komi: Some(6.5), ..nine() },
            Terms { width: 2, height: 2, ..nine() },
            Terms { width: 13, ..nine() },
            Terms { topology: "torus".into(), ..nine() },
        ] {
            assert_eq!(wrong.check_new(), Err(TermsError::Rated), "{wrong:?}");
        }
    }

    #[test]
    fn a_handicap_brings_its_komi_unless_one_is_given() {
        let komi = |terms: Terms| terms.setup().unwrap().komi.points();
        assert_eq!(komi(Terms { handicap: 4, ..Terms::default() }), 0.5);
        assert_eq!(komi(Terms { handicap: 4, komi: Some(-3.5), ..Terms::default() }), -3.5);
        assert_eq!(komi(Terms { rules: "japanese".into(), ..Terms::default() }), 6.5);
    }

    #[test]
    fn terms_are_read_with_what_is_usual_for_the_rest() {
        let read: Terms = serde_json::from_str(
            r#"{"width":9,"height":9,"topology":"torus","time":{"kind":"byo_yomi","main_seconds":60,"period_seconds":10,"periods":3}}"#,
        )
        .unwrap();
        assert_eq!((read.width, read.setup().unwrap().komi.points()), (9, 4.0));
        assert_eq!(read.clone().with_rules_named().rules, "daoqi");
        assert_eq!(Terms::default().with_rules_named().rules, "chinese");
        assert!(read.setup().is_ok() && read.time_control().unwrap().is_some());
        assert!(serde_json::from_str::<Terms>(r#"{"widht":9}"#).is_err());
        assert_eq!(serde_json::from_str::<Terms>(r#"{"width":9.0,"handicap":2.0}"#).unwrap().width, 9);
        for wrong in [
            r#"{"width":9.5}"#,
            r#"{"width":-1}"#,
            r#"{"handicap":1e300}"#,
            r#"{"height":"9"}"#,
            r#"{"time":{"kind":0,"main_seconds":60}}"#,
        ] {
            assert!(serde_json::from_str::<Terms>(wrong).is_err(), "{wrong}");
        }
    }
}
