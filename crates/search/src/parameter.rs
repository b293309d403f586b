//! A parameter as data: what it is called, what it may be, how it is read and written.

use std::ops::RangeInclusive;

use honinbo_evaluator::PlayerProfile;
use honinbo_rules::Color;

use crate::error::SearchError;
use crate::params::SearchParams;

/// Limits of a number, both allowed.
pub(crate) type Range = RangeInclusive<f64>;

/// What KataGo calls a parameter, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// Alike in configuration files, `kata-set-param` and `overrideSettings`; in GTP it holds for playing and analysing.
    Shared(&'static str),
    /// In the analysis protocol only.
    Analysis(&'static str),
    /// In GTP playing and analysing have values of their own.
    Apart {
        /// In the analysis protocol, and in GTP for playing.
        usual: &'static str,
        /// In GTP for analysing.
        gtp_analysis: &'static str,
    },
    /// In GTP playing has a value of its own, and the usual name is for analysing.
    Split {
        /// In the analysis protocol, and in GTP for analysing.
        usual: &'static str,
        /// In GTP for playing.
        gtp_playing: &'static str,
    },
}

impl Names {
    /// All names.
    pub fn all(self) -> impl Iterator<Item = &'static str> {
        let (first, second) = match self {
            Self::Shared(name) | Self::Analysis(name) => (Some(name), None),
            Self::Apart { usual, gtp_analysis: other } | Self::Split { usual, gtp_playing: other } => {
                (Some(usual), Some(other))
            }
        };
        first.into_iter().chain(second)
    }
}

/// A value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Setting {
    /// A number.
    Number(f64),
    /// A number of 32 bits.
    Small(f32),
    /// A whole number.
    Count(u32),
    /// On or off.
    Switch(bool),
    /// On, off, or left to others.
    Choice(Option<bool>),
    /// One of the players, or neither in particular.
    Player(Option<Color>),
    /// Who plays, where somebody said so.
    Profile(Option<PlayerProfile>),
}

impl Setting {
    /// The value of a number.
    #[must_use]
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(value),
            Self::Small(value) => Some(value.into()),
            Self::Count(value) => Some(value.into()),
            Self::Switch(_) | Self::Choice(_) | Self::Player(_) | Self::Profile(_) => None,
        }
    }
}

/// One parameter; [`SearchParams::table`] has them all.
#[derive(Debug)]
pub struct Parameter {
    /// The field, with the path that leads there.
    pub field: &'static str,
    /// What the protocols call it.
    pub names: Names,
    /// Limits of a number; without bounds for anything else.
    pub limits: RangeInclusive<f64>,
    /// Reads it.
    pub get: fn(&SearchParams) -> Setting,
    /// Writes what a text means; `None` where it means nothing. Limits are for [`Parameter::check`] to judge.
    pub set: fn(&mut SearchParams, &str) -> Option<()>,
}

impl Parameter {
    /// Whether it is within its limits.
    ///
    /// # Errors
    /// Says what it is and what it may be.
    pub fn check(&self, params: &SearchParams) -> Result<(), SearchError> {
        let Some(value) = (self.get)(params).number().filter(|value| !self.limits.contains(value)) else {
            return Ok(());
        };
        let expected = format!("{} to {}", shown(*self.limits.start()), shown(*self.limits.end()));
        Err(SearchError::Parameter { name: self.field, value: shown(value), expected })
    }
}

fn shown(number: f64) -> String {
    if number.abs() < 1e15 { number.to_string() } else { format!("{number:e}") }
}

/// A type that parameters are of.
pub(crate) trait Kind: Sized {
    /// As a value.
    fn setting(&self) -> Setting;
    /// From what somebody wrote.
    fn parse(text: &str) -> Option<Self>;
}

impl Kind for f64 {
    fn setting(&self) -> Setting {
        Setting::Number(*self)
    }

    fn parse(text: &str) -> Option<Self> {
        text.trim().parse().ok().filter(|number: &f64| number.is_finite())
    }
}

impl Kind for f32 {
    fn setting(&self) -> Setting {
        Setting::Small(*self)
    }

    fn parse(text: &str) -> Option<Self> {
        <f64 as Kind>::parse(text).map(|number| number as f32)
    }
}

impl Kind for u32 {
    fn setting(&self) -> Setting {
        Setting::Count(*self)
    }

    fn parse(text: &str) -> Option<Self> {
        text.trim().parse().ok()
    }
}

impl Kind for bool {
    fn setting(&self) -> Setting {
        Setting::Switch(*self)
    }

    fn parse(text: &str) -> Option<Self> {
        switch_of(text)
    }
}

impl Kind for Option<bool> {
    fn setting(&self) -> Setting {
        Setting::Choice(*self)
    }

    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() || text.eq_ignore_ascii_case("auto") { Some(None) } else { switch_of(text).map(Some) }
    }
}

impl Kind for Option<Color> {
    fn setting(&self) -> Setting {
        Setting::Player(*self)
    }

    fn parse(text: &str) -> Option<Self> {
        match text.trim().to_lowercase().as_str() {
            "" => Some(None),
            "black" | "b" => Some(Some(Color::Black)),
            "white" | "w" => Some(Some(Color::White)),
            _ => None,
        }
    }
}

impl Kind for Option<PlayerProfile> {
    fn setting(&self) -> Setting {
        Setting::Profile(*self)
    }

    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) }
    }
}

/// `true` and `false`, and the other words that configuration files use for them.
#[must_use]
pub fn switch_of(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "t" | "y" | "on" | "enabled" => Some(true),
        "false" | "0" | "no" | "f" | "n" | "off" | "disabled" => Some(false),
        _ => None,
    }
}
