//! What crosses the seam about weaknesses over many games.

use crate::{CardBoard, Finite};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Asks where a player errs how often.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WeaknessesOf {
    /// The player.
    pub name: String,
    /// Minutes that the person's clock is ahead of UTC, for the days on which trainings began and ended; null takes
    /// those of UTC.
    #[serde(default)]
    pub minutes_ahead: Option<i16>,
}

/// Where a player errs how often.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Weaknesses {
    /// The player's games.
    pub games: u32,
    /// Games among them of which a review judged every move.
    pub judged: u32,
    /// Classes of moves that occurred.
    pub classes: Vec<ClassRate>,
    /// What is practised, or was, the last begun first.
    pub trainings: Vec<TrainingView>,
}

/// Names an opening of a player.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PractiseOpening {
    /// The player.
    pub name: String,
    /// Of a corner, not of the whole board.
    pub corner: bool,
    /// Its moves, as they were told.
    pub line: String,
}

/// How often a player errs in a class of moves.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClassRate {
    /// Its name, such as `opening` or `ko`.
    pub class: String,
    /// It is a kind of mistake: the rate is over all moves. Otherwise it is over the moves of the class.
    pub kind: bool,
    /// Over all games.
    pub rate: Rate,
    /// Points lost by it in a judged game, on average; for the time left in one with a clock.
    pub lost_per_game: Finite,
    /// In each month with games, the last two years of them.
    pub months: Vec<MonthRate>,
}

/// A share of moves that are mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Rate {
    /// Games.
    pub games: u32,
    /// Moves.
    pub moves: u32,
    /// Mistakes among them.
    pub mistakes: u32,
    /// Their share, 0 to 1.
    pub rate: Finite,
    /// The interval that holds it with 95 %, from here,
    pub low: Finite,
    /// to here.
    pub high: Finite,
}

/// A rate in one month.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MonthRate {
    /// Year and month as `yyyymm`.
    pub month: u32,
    /// The rate.
    pub rate: Rate,
}

impl From<(u32, Rate)> for MonthRate {
    fn from((month, rate): (u32, Rate)) -> Self {
        Self { month, rate }
    }
}

/// Whether practice of a class changed anything, on positions that are not among the cards.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TrainingView {
    /// The class.
    pub class: String,
    /// Since when, in seconds since 1970.
    pub began: Finite,
    /// Until when; null while it goes on.
    pub ended: Option<Finite>,
    /// In games before it.
    pub before: Rate,
    /// In games during it.
    pub during: Rate,
    /// In games after it.
    pub after: Rate,
    /// What can be said.
    pub verdict: TrainingVerdict,
    /// The style of an opponent that brings more such positions about, as was measured; empty for none.
    pub steers: String,
}

/// What can be said about a training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TrainingVerdict {
    /// The rate fell; the interval of the difference does not hold 0.
    Better,
    /// The interval of the difference holds 0 and more than a tenth less.
    NotYetKnown,
    /// The interval of the difference excludes that the rate fell by a tenth.
    No,
}

/// Asks for mistakes of a class.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WeakPositionsOf {
    /// The player.
    pub name: String,
    /// The class.
    pub class: String,
    /// How many at most.
    pub limit: u32,
}

/// The position before a mistake.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WeakPosition {
    /// The record in the library.
    pub record: String,
    /// Which move of it, from 1.
    pub number: u32,
    /// Points that it lost.
    pub lost: Finite,
    /// The position is among the cards that come back.
    pub kept: bool,
    /// The position.
    pub board: CardBoard,
}

/// What was made into cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Practised {
    /// Positions.
    pub cards: u32,
    /// Those that were no cards before.
    pub new: u32,
}

/// Names a class of moves.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClassName {
    /// Such as `opening` or `ko`.
    pub class: String,
}

/// What a player opens with.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Repertoire {
    /// Whole boards and corners, the most frequent first.
    pub openings: Vec<OpeningView>,
}

/// An opening, and how it went.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OpeningView {
    /// Of a corner, not of the whole board.
    pub corner: bool,
    /// Games with it.
    pub games: u32,
    /// Won.
    pub wins: u32,
    /// Lost.
    pub losses: u32,
    /// Points that the player's own moves in it lost in a game, on average.
    pub lost: Finite,
    /// The last game with it.
    pub record: String,
    /// The number of its last move there.
    pub number: u32,
    /// Its moves, as a name for it.
    pub line: String,
    /// The board after that.
    pub board: CardBoard,
}
