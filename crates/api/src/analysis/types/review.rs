//! How the players of a game did.

use crate::{Finite, NodeId, Side, Vertex};
use serde::Serialize;
use specta::Type;

/// How the players did in the variation on the board, as far as its moves are judged.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LineReview {
    /// Moves of the variation.
    pub moves: u32,
    /// How Black did.
    pub black: PlayerReview,
    /// How White did.
    pub white: PlayerReview,
    /// Moves that lost so much that they are mistakes, the worst first, of equal ones the earlier.
    pub mistakes: Vec<Mistake>,
    /// The nodes of the few mistakes that cost most of the chance to win, in the order of the game.
    pub turning_points: Vec<NodeId>,
    /// Moves after which the engine thought otherwise than before them, in the order of the game.
    pub changes: Vec<ChangeOfMind>,
}

/// A move that turned out otherwise than the engine had thought.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangeOfMind {
    /// The node of the move.
    pub node_id: NodeId,
    /// Which move of the game it is, from 1.
    pub number: u32,
    /// Who played it.
    pub side: Side,
    /// Points by which it is better for its player than all that was known before it; less than 0 where it was the engine's
    /// own choice and is worse.
    pub points: Finite,
}

/// How a player did, over the moves that are judged.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayerReview {
    /// Moves.
    pub moves: u32,
    /// Points lost by all of them.
    pub lost: Finite,
    /// Points lost by a move on average; 0 without moves.
    pub mean: Finite,
    /// How near to the engine's choice the player came, in percent: the mean of 0.75 to the power of the points that each
    /// move lost; null without moves.
    pub accuracy: Option<Finite>,
    /// Points lost in each part of the game.
    pub phases: PhasesLost,
    /// Moves that were mistakes.
    pub mistakes: u32,
    /// Mistakes among them that lost 2 to 6 points, 6 to 12, and 12 or more.
    pub sizes: [u32; 3],
    /// Moves that were the engine's first choice.
    pub best: u32,
    /// Moves that were among its first five.
    pub among_top: u32,
}

/// Points lost in each part of a game.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PhasesLost {
    /// In the opening.
    pub opening: Finite,
    /// In the middle game.
    pub middle: Finite,
    /// In the endgame.
    pub endgame: Finite,
}

/// A move that lost points.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Mistake {
    /// The node of the move.
    pub node_id: NodeId,
    /// The node before it.
    pub before: NodeId,
    /// Which move of the game it is, from 1.
    pub number: u32,
    /// Who played it.
    pub side: Side,
    /// Points that it lost.
    pub points_lost: Finite,
    /// What it cost of the chance to win, -1 to 1; 0 where that is not known.
    pub chance_lost: Finite,
    /// The engine's first choice.
    pub best: Vertex,
}
