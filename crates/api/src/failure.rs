//! From the typed errors of the rooms below to what a person reads.

use crate::{ApiError, Host, IllegalReason};
use honinbo_evaluator::EvalError;
use honinbo_rules::{BoardSize, IllegalMove, Point};
use honinbo_search::SearchError;
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
    /// A refused move, with its point as a person on a board of this size writes it.
    pub(crate) fn from_illegal_move(error: IllegalMove, size: BoardSize) -> Self {
        let at = |point: Point| point.to_gtp(size);
        let (reason, message) = match error {
            IllegalMove::Outside { .. } => (IllegalReason::Outside, error.to_string()),
            IllegalMove::Occupied { point } => (IllegalReason::Occupied, format!("{} is already occupied", at(point))),
            IllegalMove::Ko { point } => (IllegalReason::Ko, format!("{} would retake the ko at once", at(point))),
            IllegalMove::Superko { point, first_seen } => {
                (IllegalReason::Superko, format!("{} would repeat the position after move {first_seen}", at(point)))
            }
            IllegalMove::KoTakenBefore { point } => {
                (IllegalReason::Superko, format!("{} would take the same ko a second time in this phase", at(point)))
            }
            IllegalMove::Suicide { point } => (IllegalReason::Suicide, format!("{} would be suicide", at(point))),
            IllegalMove::WrongTurn { .. } => (IllegalReason::WrongTurn, error.to_string()),
            IllegalMove::GameOver | IllegalMove::TooLong { .. } => (IllegalReason::GameOver, error.to_string()),
        };
        Self::IllegalMove { reason, message }
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
