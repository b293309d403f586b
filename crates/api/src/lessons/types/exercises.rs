//! Exercises: positions of the library's games with one question each.

use crate::{CardBoard, Finite, LineView, ScoreView, Vertex};
use serde::{Deserialize, Serialize};
use specta::Type;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ExerciseKind {
    /// Who leads by how much in the middle of a game.
    Score,
    /// Who leads by how much at its end.
    Count,
    /// Whether a ladder works.
    Ladder,
    /// Which move is worth most.
    Biggest,
}

/// Names an exercise: a position of a game in the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExerciseRef {
    /// What is asked.
    pub kind: ExerciseKind,
    /// The game.
    pub record: String,
    /// Moves of its main line before the position.
    pub number: u32,
    /// A stone of the chain in the ladder, on the board of the game.
    pub point: Option<u16>,
    /// How it is turned, as with a card.
    pub turn: u32,
}

/// Asks for an exercise.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NextExercise {
    /// Of this kind.
    pub kind: ExerciseKind,
}

/// An exercise, or none.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExerciseFound {
    /// The exercise; null where the library has no position for one.
    pub exercise: Option<ExerciseView>,
}

/// A position with a question.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExerciseView {
    /// Its name.
    pub exercise: ExerciseRef,
    /// Black's name in the game.
    pub black: String,
    /// White's name in the game.
    pub white: String,
    /// The position.
    pub board: CardBoard,
    /// Points that White is given.
    pub komi: Finite,
    /// Territory and prisoners are counted, not stones.
    pub territory: bool,
    /// The chain in the ladder, or the moves among which the biggest is.
    pub marks: Vec<u16>,
    /// It was answered wrongly before.
    pub again: bool,
}

/// Names an exercise.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OneExercise {
    /// The exercise.
    pub exercise: ExerciseRef,
}

/// An answer to an exercise.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AnswerExercise {
    /// The exercise.
    pub exercise: ExerciseRef,
    /// The answer.
    pub answer: ExerciseAnswer,
}

/// What somebody says.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ExerciseAnswer {
    /// Black leads by so many points, komi included; less than nothing where White leads.
    Lead {
        /// The points.
        black_lead: Finite,
    },
    /// Whether the ladder works.
    Ladder {
        /// It does.
        works: bool,
    },
    /// The biggest move, on the board as it was asked; null for a pass.
    Move {
        /// The move.
        vertex: Vertex,
    },
}

/// What an answer is worth.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExerciseJudged {
    /// It counts as right.
    pub right: bool,
    /// Points that it is off or that the move loses; of a ladder 0 or 1.
    pub error: Finite,
    /// Black's lead, where that was asked.
    pub black_lead: Option<Finite>,
    /// Whether the ladder works, where that was asked.
    pub works: Option<bool>,
    /// How the position is counted, where that was asked.
    pub score: Option<ScoreView>,
    /// Whose the points seem to be, row by row from the top: 1 Black's to -1 White's; empty where nothing is known.
    pub ownership: Vec<Finite>,
    /// What the marked moves and the one that was chosen lose, the best first.
    pub moves: Vec<MoveWorth>,
    /// The ladder to its end, or the best move and how it goes on.
    pub line: Option<LineView>,
    /// When it is asked again, in seconds since 1970; null where it is not.
    pub due: Option<Finite>,
}

/// What a move is worth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MoveWorth {
    /// The move.
    pub vertex: Vertex,
    /// Points that it loses against the best one, 0 or more.
    pub points_lost: Finite,
}

/// Asks how well somebody answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExerciseFiguresOf {
    /// Minutes that the person's clock is ahead of UTC, for the month of an answer; null takes months of UTC.
    #[serde(default)]
    pub minutes_ahead: Option<i16>,
}

/// How well somebody answers.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExerciseFigures {
    /// Each kind.
    pub kinds: Vec<KindFigures>,
}

/// How well somebody answers exercises of a kind.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KindFigures {
    /// The kind.
    pub kind: ExerciseKind,
    /// Exercises of it that are to be asked again now.
    pub due: u32,
    /// Over all answers; null before the first one.
    pub all: Option<ExerciseRate>,
    /// In each month with answers, the last two years of them.
    pub months: Vec<ExerciseMonth>,
}

/// A month.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExerciseMonth {
    /// Year and month as `yyyymm`.
    pub month: u32,
    /// The answers.
    pub rate: ExerciseRate,
}

/// Answers to positions that were not asked before. Intervals hold the value with 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExerciseRate {
    /// Answers.
    pub asked: u32,
    /// Right ones among them.
    pub right: u32,
    /// Their share, 0 to 1,
    pub rate: Finite,
    /// from here,
    pub low: Finite,
    /// to here.
    pub high: Finite,
    /// Points that an answer is off, on average,
    pub error: Finite,
    /// from here; null for a single answer,
    pub error_low: Option<Finite>,
    /// to here.
    pub error_high: Option<Finite>,
}
