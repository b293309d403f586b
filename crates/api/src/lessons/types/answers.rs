//! Answers, and what they are worth.

use crate::{CardRef, Finite, Vertex};
use serde::{Deserialize, Serialize};
use specta::Type;

/// An answer to a card.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AnswerCard {
    /// The card.
    pub card: CardRef,
    /// The move, or null for a pass, on the board as it was asked.
    pub vertex: Vertex,
    /// Who replies to a wrong move: somebody of this rank, such as `5k`; null for the engine's best.
    #[serde(default)]
    pub replier: Option<String>,
}

/// Names a card.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OneCard {
    /// The card.
    pub card: CardRef,
}

/// Asks what was better.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ShowSolution {
    /// The card.
    pub card: CardRef,
    /// The person gave up: that counts as a wrong answer.
    pub given_up: bool,
}

/// What an answer is worth.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CardAnswer {
    /// It loses so little that it is as good as any.
    pub accepted: bool,
    /// It is the search's own choice.
    pub is_best: bool,
    /// Points that it loses against the best move, 0 or more.
    pub points_lost: Finite,
    /// The move, and how the engine goes on.
    pub line: LineView,
    /// What became of the card.
    pub kept: KeptCard,
}

/// A card among those that come back.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KeptCard {
    /// It is among them.
    pub kept: bool,
    /// When it is asked next, in seconds since 1970; null where it is not among them.
    pub due: Option<Finite>,
}

/// Moves from a position on.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LineView {
    /// The moves; of a search a dozen at most.
    pub moves: Vec<Vertex>,
    /// The stones after each, row by row from the top left: 1 black, -1 white, 0 empty.
    pub boards: Vec<Vec<i8>>,
}

/// What was played, and what is better.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CardSolution {
    /// The move of the game; null where the position was added without one.
    pub played: Option<PlayedMove>,
    /// The search's choice.
    pub best: Vertex,
    /// How the engine goes on with it.
    pub better: LineView,
    /// Moves that the search holds to be as good as any, the best first.
    pub good: Vec<GoodMove>,
    /// What became of the card.
    pub kept: KeptCard,
}

/// The move of the game.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayedMove {
    /// The move.
    pub vertex: Vertex,
    /// Points that it lost.
    pub points_lost: Finite,
    /// The move, and how the engine goes on.
    pub line: LineView,
}

/// A move that is as good as any.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GoodMove {
    /// The move.
    pub vertex: Vertex,
    /// Points that it loses against the best move, 0 or more.
    pub points_lost: Finite,
}
