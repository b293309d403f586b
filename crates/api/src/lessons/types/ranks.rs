//! What crosses the seam about ranks: how strong somebody played, and what somebody of a rank finds.

use crate::{Finite, NodeId, OpenGameId};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Asks how strong the players of a game were, and what somebody of a rank would have found.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RankReviewOf {
    /// The game.
    pub game_id: OpenGameId,
    /// The rank, such as `5k`; null asks only for the players.
    pub rank: Option<String>,
}

/// How strong the players of a game were, and what somebody of a rank would have found.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RankReview {
    /// How strong Black played; null where too few moves are judged.
    pub black: Option<RankSpan>,
    /// How strong White played.
    pub white: Option<RankSpan>,
    /// A network of human style was asked; otherwise the points lost and the network's first thoughts.
    pub human: bool,
    /// For each mistake that is judged: how likely somebody of the rank avoids it.
    pub found: Vec<FoundAt>,
}

/// A rank with the interval that holds it with 90 %.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RankSpan {
    /// As likely stronger as weaker.
    pub middle: String,
    /// From here; `20k` stands for all weaker ones, too.
    pub low: String,
    /// To here; `9d` stands for all stronger ones, too.
    pub high: String,
    /// Moves that it rests on.
    pub moves: u32,
}

/// How likely a mistake is avoided.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundAt {
    /// The node of the mistake.
    pub node_id: NodeId,
    /// How likely somebody of the rank plays a move that loses at most a point, 0 to 1.
    pub chance: Finite,
}

/// Only what helps somebody of a rank.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HelpsAt {
    /// The rank, such as `5k`.
    pub rank: String,
    /// How likely such a player has to find something better, 0 to 1.
    pub least: Finite,
}
