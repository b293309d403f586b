//! How an open game is being played, as it is kept with it.

use crate::{NodeId, Seats};
use honinbo_players::{TimeControl, TimeLeft};
use serde::{Deserialize, Serialize};

/// What is kept of a game that is played, beside its record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeptPlay {
    pub(crate) seats: Seats,
    /// Seconds that two opponents rest between two moves.
    #[serde(default)]
    pub(crate) pace: f64,
    pub(crate) teaching: Option<f64>,
    /// Turns of another game that it was played on from.
    #[serde(default)]
    pub(crate) given: Option<usize>,
    /// The opponent's rank in a rated game.
    pub(crate) rated: Option<String>,
    pub(crate) clock: Option<KeptClock>,
}

/// Both clocks, standing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptClock {
    pub(crate) control: TimeControl,
    pub(crate) black: TimeLeft,
    pub(crate) white: TimeLeft,
}

/// A game that is being played, at one moment.
pub(crate) struct PlayedNow {
    /// Counts the changes of the game as it is played.
    pub(crate) generation: u32,
    /// The last node as it was played.
    pub(crate) tip: NodeId,
    /// What is kept of it.
    pub(crate) play: KeptPlay,
}
