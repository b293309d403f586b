//! What crosses the seam about games that wait for a review.

use crate::Finite;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Puts games of the library on the list.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueueReviews {
    /// The games.
    pub ids: Vec<String>,
    /// Before all that wait already.
    pub first: bool,
}

/// What becomes of own games of which it is asked whether they are to be reviewed.
#[derive(Debug, Clone, Copy, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AnswerReviewOffer {
    /// They are put on the list; otherwise they are left, and not asked about again.
    pub review: bool,
}

/// The games that wait for a review.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReviewQueue {
    /// Games that wait, that under review among them.
    pub waiting: u32,
    /// Games that were reviewed since nothing waited last.
    pub done: u32,
    /// Games among these that could not be.
    pub failed: u32,
    /// Own games that came in together, too many to be reviewed without a question; 0 where there is nothing to ask.
    pub offered: u32,
    /// A person asked for some of them; others were put there because they were reviewed in a window.
    pub asked: bool,
    /// What is done now.
    pub state: QueueState,
    /// About how long the rest takes, in seconds; null where that is not known yet.
    pub seconds_left: Option<Finite>,
}

/// What is done about the games that wait.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum QueueState {
    /// Nothing waits.
    Idle,
    /// A game is reviewed.
    Working {
        /// The game.
        id: String,
        /// Its positions that are known.
        done: u32,
        /// Its positions.
        total: u32,
    },
    /// It goes on by itself when the reason is gone.
    Resting {
        /// Why.
        reason: RestReason,
    },
}

/// Why no game is reviewed although some wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum RestReason {
    /// The machine runs on its battery.
    Battery,
    /// A rated game has the machine to itself.
    Rated,
    /// The person has a game reviewed.
    Busy,
    /// No network answers.
    NoEngine,
    /// The library takes nothing; a full disk, say.
    Library,
}
