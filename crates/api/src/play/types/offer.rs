//! What a new game can be.

use crate::{BoardTopology, Finite};
use serde::{Deserialize, Serialize};
use specta::Type;

/// The board, rules and handicap that a person has in mind.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GameTerms {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// How the edges meet.
    pub topology: BoardTopology,
    /// A ruleset's name; empty for the most usual one on this board.
    pub rules: String,
    /// Handicap stones; 0 for none.
    pub handicap: u8,
}

/// What fits them.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GameOffer {
    /// Sides of the boards that most games are played on.
    pub sizes: Vec<u8>,
    /// The fewest columns or rows.
    pub smallest_side: u8,
    /// The most columns or rows.
    pub largest_side: u8,
    /// Rulesets, the most usual first.
    pub rulesets: Vec<RulesetOffer>,
    /// The usual komi, with what the handicap makes of it.
    pub komi: Finite,
    /// Numbers of handicap stones that this board has places for; none where edges meet.
    pub handicaps: Vec<u8>,
    /// Whether a network plays on this board.
    pub engine: EngineOnBoard,
    /// Games on this board can count for the person's rating.
    pub rated: bool,
    /// Those who have just learnt the rules play on this board.
    pub pupils: bool,
    /// Somebody about as strong as the person.
    pub near: NearOpponent,
}

/// A ruleset for a new game.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RulesetOffer {
    /// Its name, such as `chinese`; the window has words for it.
    pub name: String,
    /// The komi that goes with it in an even game.
    pub komi: Finite,
}

/// Whether a network plays on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EngineOnBoard {
    /// It does.
    Plays,
    /// A second one does, which sees across joined edges.
    SecondNetwork,
    /// Only a convolutional one does, and none is at hand.
    NeedsConvolution,
    /// None does: the board is larger than those that networks know.
    TooLarge,
}

/// Somebody about as strong as the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NearOpponent {
    /// An opponent's id.
    pub opponent: String,
    /// Side of the board whose rated games say so; null where nothing is known yet: then the opponent begins weak and
    /// follows the score.
    pub rated_on: Option<u8>,
}
