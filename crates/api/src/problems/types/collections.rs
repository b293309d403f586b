//! Collections, and the problems that are asked of them.

use crate::{CardBoard, Finite, GameSource, ProblemTheme, ShippedProblems};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Takes a collection in.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OpenProblems {
    /// The file.
    pub source: GameSource,
}

/// What a file brought.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProblemsOpened {
    /// The collection; null where the file has no problem.
    pub collection: Option<ProblemCollection>,
    /// It was not there before.
    pub is_new: bool,
    /// Games of the file that are no problem, and what cannot be read.
    pub skipped: u32,
}

/// A collection of problems.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProblemCollection {
    /// Its id.
    pub id: String,
    /// Its name: that of the file.
    pub name: String,
    /// It came with the program.
    pub theme: Option<ProblemTheme>,
    /// Its problems.
    pub problems: u32,
    /// Problems that were tried.
    pub tried: u32,
    /// Problems that the last try solved.
    pub solved: u32,
}

/// Names a collection.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OneCollection {
    /// Its id.
    pub collection_id: String,
}

/// A rating by the Glicko-2 system.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProblemRating {
    /// The rating; 1500 is where everybody begins.
    pub rating: Finite,
    /// Its standard deviation.
    pub deviation: Finite,
}

/// The collections, and how strong the person is.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProblemState {
    /// The collections, the newest first.
    pub collections: Vec<ProblemCollection>,
    /// What comes with the program, in the order in which it is learnt; begun or not.
    pub shipped: Vec<ShippedProblems>,
    /// The person's rating at problems; null before the first try.
    pub rating: Option<ProblemRating>,
    /// The timed set that goes on or was the last; null where there was none since the program began.
    pub set: Option<ProblemSet>,
}

/// In which order problems come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ProblemOrder {
    /// As in the file.
    File,
    /// As in the file, without those that the last try solved.
    Open,
    /// Those first that are about as hard as the person is strong, without those that the last try solved and those that
    /// were tried today.
    Near,
}

/// Asks for the next problem of a collection.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NextProblemOf {
    /// The collection.
    pub collection_id: String,
    /// In which order.
    pub order: ProblemOrder,
    /// The number of the problem that was asked before, from 1; null for the first one.
    pub after: Option<u32>,
}

/// Begins a timed set.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct StartProblemSet {
    /// The collection.
    pub collection_id: String,
    /// In which order.
    pub order: ProblemOrder,
    /// How many problems, 1 to 100; fewer where the collection has no more.
    pub count: u32,
    /// The time for all of them, 10 to 36,000 seconds.
    pub seconds: u32,
}

/// A set of problems against the clock.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProblemSet {
    /// Its problems.
    pub count: u32,
    /// Which of them is asked, from 1.
    pub number: u32,
    /// How many were answered.
    pub tried: u32,
    /// How many of these at the first try.
    pub solved: u32,
    /// Seconds that it has taken, or took.
    pub seconds: Finite,
    /// Seconds that are left.
    pub seconds_left: Finite,
    /// Nothing counts any more: all problems were asked, the time is up, or the person ended it.
    pub over: bool,
}

/// Names a problem as it was turned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProblemRef {
    /// The problem.
    pub problem_id: String,
    /// How it is turned, as it was said when it was asked: the symmetry, exchanged colours, the shift on joined sides.
    pub turn: u32,
}

/// A problem that is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProblemView {
    /// Its name.
    pub problem: ProblemRef,
    /// Its collection.
    pub collection_id: String,
    /// Counts the problems of the collection from 1.
    pub number: u32,
    /// Its name in the file.
    pub name: String,
    /// What the file says before the first move.
    pub text: String,
    /// What a problem that came with the program is about; null where it did not.
    pub theme: Option<ProblemTheme>,
    /// The stones that it is about, where the file marks them.
    pub marked: Vec<u16>,
    /// How hard the file says it is, as `5k`; empty where it does not say.
    pub level: String,
    /// How hard it is for this person.
    pub rating: ProblemRating,
    /// Tries that counted.
    pub tries: u32,
    /// How many of these solved it.
    pub solved: u32,
    /// The position.
    pub board: CardBoard,
}

/// The problem that comes next.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProblemAsked {
    /// The problem; null where there is none.
    pub problem: Option<ProblemView>,
    /// The timed set; null where none goes on.
    pub set: Option<ProblemSet>,
}
