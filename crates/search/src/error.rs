//! Why a search could not be done.

use honinbo_evaluator::EvalError;

/// Why a search ended without a result. Being stopped is not among them: that is an outcome.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// The evaluator failed; what was found before is still there.
    #[error("the evaluation failed")]
    Evaluation(#[from] EvalError),
    /// The evaluator answered with something that does not fit the position.
    #[error("the evaluator gave {found} for {what}, expected {expected}")]
    Answer {
        /// What does not fit.
        what: &'static str,
        /// What it gave.
        found: String,
        /// What would fit.
        expected: String,
    },
    /// A parameter is out of range.
    #[error("{name} is {value}, expected {expected}")]
    Parameter {
        /// Name of the parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would be right.
        expected: String,
    },
    /// A move of the request cannot be played.
    #[error("{mv} cannot be played here")]
    IllegalMove {
        /// The move, in GTP letters.
        mv: String,
    },
    /// A search is already running on this tree.
    #[error("a search is already running")]
    Busy,
    /// A worker of the search ended unexpectedly.
    #[error("a search thread ended unexpectedly")]
    WorkerLost,
}

impl SearchError {
    /// What a person can do about it; `None` where there is nothing to do.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Evaluation(error) => error.hint(),
            Self::Answer { .. } => Some("the network file may be damaged: fetch it again"),
            Self::Parameter { .. } => Some("correct the parameter"),
            Self::IllegalMove { .. } => Some("choose a legal move"),
            Self::Busy => Some("stop the running search first"),
            Self::WorkerLost => Some("start the search again, and report the fault if it comes back"),
        }
    }
}
