//! From the typed errors of the rooms below to what a person reads.

use crate::{ApiError, Host, IllegalReason};
use honinbo_evaluator::EvalError;
use honinbo_rules::{BoardSize, IllegalMove};
use honinbo_search::SearchError;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Logs a fault of the program and gives the number under which it stands in the log.
pub(crate) fn fault(host: &dyn Host, what: &str, error: &dyn std::fmt::Display) -> ApiError {
    static REPORTS: AtomicU64 = AtomicU64::new(0);
    let count = REPORTS.fetch_add(1, Ordering::Relaxed) + 1;
    let report = format!("{:x}-{count}", host.unix_seconds());
    tracing::error!(report, %error, "{what}");
    ApiError::Internal { report }
}

impl ApiError {
    /// A file that could not be written.
    pub(crate) fn from_write(path: &Path, error: &io::Error) -> Self {
        Self::UnwritableFile { file: path.display().to_string(), message: error.to_string() }
    }

    /// A refused move, with its point as a person on a board of this size writes it.
    pub(crate) fn from_illegal_move(error: IllegalMove, size: BoardSize) -> Self {
        let reason = match error {
            IllegalMove::Outside { .. } => IllegalReason::Outside,
            IllegalMove::Occupied { .. } => IllegalReason::Occupied,
            IllegalMove::Ko { .. } => IllegalReason::Ko,
            IllegalMove::Superko { .. } | IllegalMove::KoTakenBefore { .. } => IllegalReason::Superko,
            IllegalMove::Suicide { .. } => IllegalReason::Suicide,
            IllegalMove::WrongTurn { .. } => IllegalReason::WrongTurn,
            IllegalMove::GameOver | IllegalMove::TooLong { .. } => IllegalReason::GameOver,
        };
        Self::IllegalMove { reason, message: error.on_board(size) }
    }

    /// A search that failed.
    pub(crate) fn from_search(error: &SearchError) -> Self {
        if let SearchError::Evaluation(cause) = error {
            return Self::from_evaluation(cause);
        }
        Self::EngineUnavailable {
            message: error.to_string(),
            hint: error.hint().unwrap_or("start the analysis again").to_owned(),
        }
    }

    /// An evaluation that failed.
    pub(crate) fn from_evaluation(error: &EvalError) -> Self {
        match error {
            EvalError::Cancelled => Self::Cancelled,
            other => Self::EngineUnavailable {
                message: other.to_string(),
                hint: other.hint().unwrap_or("start the analysis again, or choose another network").to_owned(),
            },
        }
    }
}
