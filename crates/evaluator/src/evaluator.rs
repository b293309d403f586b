//! What answers.

use std::sync::Arc;

use crate::evaluation::{EvalRequest, Evaluation};
use crate::stop::StopFlag;

/// How many positions a device likes at a time. Smaller batches are always accepted, larger ones are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchLimits {
    /// The batch at which the device is efficient.
    pub preferred: usize,
    /// The largest batch computed at once.
    pub max: usize,
}

impl BatchLimits {
    /// No more than the preferred batch, for a device that takes over from a faster one: everything that is asked comes
    /// there at once, and larger batches would only make the answers late.
    #[must_use]
    pub fn only_preferred(self) -> Self {
        Self { max: self.preferred, ..self }
    }
}

/// Answers positions in batches. Wrapping beats flags: cache, averaging, batching service and fakes are all evaluators.
pub trait Evaluator: Send + Sync {
    /// Preferred and largest batch; a hint only.
    fn limits(&self) -> BatchLimits;

    /// Evaluates every request, in order. Blocks the calling thread.
    ///
    /// # Errors
    /// [`EvalError::Cancelled`] soon after `stop` is set; otherwise the first failure, which loses the whole call.
    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError>;
}

impl<E: Evaluator + ?Sized> Evaluator for Arc<E> {
    fn limits(&self) -> BatchLimits {
        (**self).limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        (**self).evaluate(requests, stop)
    }
}

/// Why positions were not evaluated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// The stop flag was set. An outcome rather than a failure.
    #[error("the evaluation was stopped")]
    Cancelled,
    /// This network or evaluator cannot answer this kind of position.
    #[error("{network} cannot evaluate this position: {reason}")]
    Unsupported {
        /// Name of the network.
        network: String,
        /// What about the position it cannot take.
        reason: String,
    },
    /// A parameter of the request is out of range.
    #[error("{name} is {value}, expected {expected}")]
    Parameter {
        /// Name of the parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would be right.
        expected: &'static str,
    },
    /// The device or its library failed.
    #[error("{device} failed while evaluating: {reason}")]
    Device {
        /// The device that failed.
        device: String,
        /// What it said.
        reason: String,
    },
    /// The network answered with infinity or "not a number".
    #[error("{network} gave a {output} that is not a finite number")]
    NotFinite {
        /// Name of the network.
        network: String,
        /// Which output.
        output: &'static str,
    },
    /// The evaluator was shut down while the request waited.
    #[error("the evaluation service has been closed")]
    Closed,
}

impl EvalError {
    /// What a person can do about it; `None` where there is nothing to do.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Cancelled | Self::Closed => None,
            Self::Unsupported { .. } => Some("choose another network for this board, or another ruleset"),
            Self::Parameter { .. } => Some("correct the parameter"),
            Self::Device { .. } => Some("choose another device (the processor always works), or start again"),
            Self::NotFinite { .. } => {
                Some("the network file may be damaged: fetch it again, or choose another precision")
            }
        }
    }
}
