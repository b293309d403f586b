//! Everything about a search that KataGo's configuration can say, and a query can say otherwise.

use std::time::Duration;

use honinbo_search::{Perspective, SearchParams, switch_of};

use crate::parameters::{self, Chosen, NotASetting, Refusal, perspective_of};

/// Visits where nobody says how many, as in KataGo's example configuration.
const USUAL_VISITS: u64 = 500;
/// What KataGo says for "no limit".
const NO_LIMIT: u64 = 1 << 50;

/// Settings of a search.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) params: SearchParams,
    pub(crate) chosen: Chosen,
    pub(crate) max_visits: u64,
    pub(crate) max_playouts: u64,
    pub(crate) max_time: Option<Duration>,
    /// Threads of this search; `None` shares what there is.
    pub(crate) threads: Option<usize>,
    pub(crate) perspective: Perspective,
    /// Most moves of a variation after its first.
    pub(crate) pv_len: usize,
    /// Whether games with territory end with two passes, as people end them, without playing disputes out.
    pub(crate) prevents_clean_up: bool,
    /// Whether Black's moves before White's first are handicap stones.
    pub(crate) counts_opening_moves: bool,
    /// Whether a field that means nothing is reported.
    pub(crate) warn_unused_fields: bool,
}

/// A setting that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The value is of another kind.
    #[error("{name} cannot be `{value}`")]
    Value {
        /// The setting.
        name: String,
        /// What was given.
        value: String,
    },
    /// The value is out of range.
    #[error("{0}")]
    Range(String),
    /// A setting for a network of human style, without one.
    #[error("the humanSL settings need a network of human style, and none is loaded")]
    NoHumanNetwork,
    /// A line of a configuration file.
    #[error(transparent)]
    Line(#[from] NotASetting),
}

impl Default for Settings {
    /// What KataGo's analysis engine does under its example configuration: 500 visits, from Black's side.
    fn default() -> Self {
        Self {
            params: SearchParams::analysis(),
            chosen: Chosen::default(),
            max_visits: USUAL_VISITS,
            max_playouts: NO_LIMIT,
            max_time: None,
            threads: None,
            perspective: Perspective::Black,
            pv_len: 15,
            prevents_clean_up: true,
            counts_opening_moves: true,
            warn_unused_fields: true,
        }
    }
}

impl Settings {
    /// Sets one. `Ok(false)` where the name means nothing.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<bool, SettingsError> {
        let wrong = || SettingsError::Value { name: name.into(), value: super::fields::shortened(value) };
        match parameters::set(&mut self.params, &mut self.chosen, name, value) {
            Ok(()) => return Ok(true),
            Err(Refusal::WrongValue) => return Err(wrong()),
            Err(Refusal::UnknownName) => {}
        }
        let number = || value.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong);
        let count = |low: u64, high: u64| {
            value.parse::<u64>().ok().filter(|count| (low..=high).contains(count)).ok_or_else(wrong)
        };
        let switch = || switch_of(value).ok_or_else(wrong);
        match name {
            "maxVisits" => self.max_visits = count(1, NO_LIMIT)?,
            "maxPlayouts" => self.max_playouts = count(1, NO_LIMIT)?,
            "maxTime" => {
                let seconds = number()?;
                if seconds < 0.0 {
                    return Err(wrong());
                }
                self.max_time = (seconds < 1e9).then(|| Duration::from_secs_f64(seconds));
            }
            "numSearchThreads" | "numSearchThreadsPerAnalysisThread" => self.threads = Some(count(1, 256)? as usize),
            "analysisPVLen" => self.pv_len = count(1, 1000)? as usize,
            "preventCleanupPhase" => self.prevents_clean_up = switch()?,
            "assumeMultipleStartingBlackMovesAreHandicap" => self.counts_opening_moves = switch()?,
            "warnUnusedFields" => self.warn_unused_fields = switch()?,
            "reportAnalysisWinratesAs" => self.perspective = perspective_of(value).ok_or_else(wrong)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether everything is in its range.
    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        self.params.check().map_err(|error| SettingsError::Range(error.to_string()))
    }
}
