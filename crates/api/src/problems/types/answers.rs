//! Tries, and what became of them.

use crate::{CardBoard, Finite, LineView, ProblemRating, ProblemRef, ProblemSet, Vertex};
use serde::{Deserialize, Serialize};
use specta::Type;

/// A try of a move.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TryProblem {
    /// The problem.
    pub problem: ProblemRef,
    /// The moves so far, the person's and the replies, as [`ProblemTry::moves`] had them.
    pub moves: Vec<Vertex>,
    /// The move, or null for a pass, on the board as it was asked.
    pub vertex: Vertex,
}

/// Asks what is right.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ShowProblem {
    /// The problem.
    pub problem: ProblemRef,
    /// The person gave up: it is not solved.
    pub given_up: bool,
}

/// What a try is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ProblemVerdict {
    /// Right so far: the file has replied.
    Right,
    /// The problem is solved.
    Solved,
    /// The file has it among the wrong moves.
    Wrong,
    /// The author does not want it to be tried here; nothing happened.
    Refused,
    /// The file does not know it. The engine has replied; what it holds of the move is said beside it.
    Unknown,
}

/// What the engine holds of a move that the file does not know.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProblemOpinion {
    /// It loses: that counts as a wrong answer.
    Loses {
        /// Points against the best move.
        points: Finite,
    },
    /// It seems to be as good as the best move. That counts for nothing: only the file says what is right.
    Keeps,
    /// It is proved to do as well as any. That counts for nothing: only the file says what is right.
    Holds,
    /// It loses something, or the engine is not sure. That counts for nothing.
    Unclear {
        /// Points against the best move; null where they are not known.
        points: Option<Finite>,
    },
}

/// What a try that counted did.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProblemCounted {
    /// It solved the problem.
    pub solved: bool,
    /// The person's rating before it.
    pub before: ProblemRating,
    /// The person's rating after it.
    pub after: ProblemRating,
    /// The problem's rating after it.
    pub problem: ProblemRating,
}

/// What became of a try.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProblemTry {
    /// What it is.
    pub verdict: ProblemVerdict,
    /// What the engine holds of it; null where the file knows it.
    pub opinion: Option<ProblemOpinion>,
    /// What the file says of it.
    pub comment: String,
    /// The move and what follows it: the reply, or how a wrong move is punished.
    pub line: LineView,
    /// The reply in it is the engine's.
    pub engine: bool,
    /// The file does not know the move; that it fails, or does as well as any, is proved.
    pub proved: bool,
    /// All moves so far with those of `line`, for the next try.
    pub moves: Vec<Vertex>,
    /// The position after them.
    pub board: CardBoard,
    /// What the try did to the ratings; null where it did not count.
    pub counted: Option<ProblemCounted>,
    /// The timed set; null where none goes on.
    pub set: Option<ProblemSet>,
}

/// What the file holds to be right.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProblemSolution {
    /// The moves from the beginning on.
    pub line: LineView,
    /// What the file says of each of them.
    pub comments: Vec<String>,
    /// All first moves that are right.
    pub right: Vec<Vertex>,
    /// What giving up did to the ratings; null where it did not count.
    pub counted: Option<ProblemCounted>,
    /// The timed set; null where none goes on.
    pub set: Option<ProblemSet>,
}
