//! Why a command failed, in the words of the person who gave it.

use crate::RecordProblem;
use serde::Serialize;
use specta::Type;

/// Why a command failed. Variants exist where a window does something different with them; everything else is
/// `internal` with a number that also stands in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type, thiserror::Error)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ApiError {
    /// A move that the rules refuse. The position is untouched.
    #[error("{message}")]
    IllegalMove {
        /// What rule refused it.
        reason: IllegalReason,
        /// The sentence.
        message: String,
    },
    /// The board of a `run` request has no such size, no such shape, or a chain without liberties.
    #[error("{message}")]
    InvalidBoard {
        /// What is wrong and where.
        message: String,
    },
    /// A request that is not of the form that the command takes.
    #[error("{message}")]
    InvalidRequest {
        /// What is wrong and where.
        message: String,
    },
    /// A record, a network or a board that cannot be read at all.
    #[error("{}{message}", before_reason(.file))]
    UnreadableFile {
        /// The file or its name; empty for text that was pasted.
        file: String,
        /// The reason alone, without the file.
        message: String,
        /// The same where the reader of records says it.
        problem: Option<RecordProblem>,
    },
    /// A file that cannot be written: the disk is full, say. What it said before is still there.
    #[error("{file} cannot be written: {message}")]
    UnwritableFile {
        /// The file or its name.
        file: String,
        /// The reason alone, without the file.
        message: String,
    },
    /// A file with several games, of which one is to be chosen.
    #[error("{}{message}", before_reason(.file))]
    SeveralGames {
        /// The file or its name; empty for text that was pasted.
        file: String,
        /// The reason alone, without the file.
        message: String,
    },
    /// A game, node or record that is no longer there.
    #[error("{message}")]
    NotFound {
        /// What was looked for.
        message: String,
    },
    /// The engine cannot answer: no network, no ONNX Runtime, a device that is not there.
    #[error("{message}")]
    EngineUnavailable {
        /// What failed.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// The library cannot be read or written.
    #[error("{message}")]
    Library {
        /// What failed.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// The file of the library is damaged.
    #[error("{message}")]
    DamagedLibrary {
        /// What was found.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// The work was ended because somebody asked for that.
    #[error("the work was stopped")]
    Cancelled,
    /// This host cannot do that (a path on the server's disk asked for by a browser, say).
    #[error("{message}")]
    NotPossibleHere {
        /// What cannot be done.
        message: String,
    },
    /// A fault of the program; the log has the rest under the same number.
    #[error("something went wrong inside the program (report {report})")]
    Internal {
        /// The number to look for in the log.
        report: String,
    },
}

fn before_reason(file: &str) -> String {
    if file.is_empty() { String::new() } else { format!("{file}: ") }
}

/// The rule that refused a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum IllegalReason {
    /// The point is not on the board.
    Outside,
    /// A stone is there.
    Occupied,
    /// It retakes a ko at once.
    Ko,
    /// It repeats a position of the whole board.
    Superko,
    /// The stone would have no liberty.
    Suicide,
    /// The game is over.
    GameOver,
    /// It is the other player's turn.
    WrongTurn,
}
