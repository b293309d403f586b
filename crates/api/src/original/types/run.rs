//! The original JSON protocol: `run` and `saveGoban`.

use crate::{Finite, OpenGameId};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Asks for the best move on a board, or in an open game. The one type of the desktop command and of the TCP line.
#[derive(Debug, Clone, Default, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunRequest {
    /// An open game, whose current position is meant, with its moves, its handicap, its rules and its komi. Board, color,
    /// rules, komi, moves and topology are not read then. A TCP client has no open games.
    #[serde(default)]
    pub game_id: Option<OpenGameId>,
    /// Rows from the top, or one flat list: 0 empty, 1 black, -1 white. Needed without a game.
    #[serde(default)]
    pub board: Option<crate::WireBoard>,
    /// Who is to move. Needed without a game.
    #[serde(default)]
    pub color: Option<crate::Side>,
    /// When to stop; the default is the setting.
    #[serde(default)]
    pub visits: Option<u32>,
    /// When to stop, in seconds.
    #[serde(default)]
    pub seconds: Option<Finite>,
    /// Stops as soon as more visits change little: the best move stays, and the win rate and the lead stand still.
    #[serde(default)]
    pub until_settled: bool,
    /// A ruleset's name.
    #[serde(default)]
    pub rules: Option<String>,
    /// Points for White.
    #[serde(default)]
    pub komi: Option<Finite>,
    /// The moves that led to the board, `[["black",[x,y]],...]`, `"pass"` for a pass.
    #[serde(default)]
    pub moves: Option<crate::WireMoves>,
    /// How the edges meet.
    #[serde(default)]
    pub topology: crate::BoardTopology,
    /// Asks for the ownership of every point.
    #[serde(default)]
    pub ownership: bool,
    /// Who answers: `easy`, `medium`, `hard`, `expert`, `custom`, or an engine of `engines.yaml`.
    #[serde(default)]
    pub level: Option<String>,
}

/// The answer to a `run`.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunReply {
    /// The best move.
    #[serde(rename = "move")]
    pub best: WireMove,
    /// Chance of `color` to win, 0 to 1.
    pub winrate: Finite,
    /// Points that `color` leads by.
    pub score_lead: Finite,
    /// Visits of the root; 0 where a level answered that does not look ahead: then the values say nothing.
    pub visits: u32,
    /// Best first.
    pub candidates: Vec<RunCandidate>,
    /// Whose each point will be, row by row from the top: 1 for `color`'s, -1 for the other's. Only if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ownership: Option<Vec<Finite>>,
    /// The device that computed it.
    pub device: String,
    /// The network's name.
    pub network: String,
    /// Why another level answered than the one that was asked for, or why there are fewer visits than were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A move as the original protocol writes it: `{"x":17,"y":4}`, both from 1, or `{"pass":true}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(untagged)]
pub enum WireMove {
    /// A stone.
    Place {
        /// Column from the left, from 1.
        x: u8,
        /// Row from the top, from 1.
        y: u8,
    },
    /// A pass.
    Pass {
        /// Always true.
        pass: bool,
    },
}

/// A candidate of a `run`.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunCandidate {
    /// The move.
    #[serde(rename = "move")]
    pub candidate: WireMove,
    /// Its visits.
    pub visits: u32,
    /// Chance of `color` to win after it.
    pub winrate: Finite,
    /// Points that `color` leads by after it.
    pub score_lead: Finite,
    /// The network's first thought.
    pub prior: Finite,
    /// The line that the engine expects, this move first.
    pub pv: Vec<WireMove>,
}

/// Keeps a record or an open game in the library.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SaveGoban {
    /// An open game: a new record, or a new text for the one it came from. A TCP client has no open games.
    #[serde(default)]
    pub game_id: Option<OpenGameId>,
    /// The record as SGF. Needed without a game.
    #[serde(default)]
    pub goban: Option<String>,
}

/// Where a record was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedGoban {
    /// The record.
    pub id: String,
    /// The record that already held the same game.
    pub duplicate_of: Option<String>,
}
