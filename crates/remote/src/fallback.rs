//! An evaluator that computes here while no server answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};

use crate::evaluator::RemoteEvaluator;
use crate::fleet::{EndpointPhase, EndpointStatus};

/// Asks servers, and the network in this process where none answers, in the same call; the servers again as soon as one
/// is back. What servers cannot compute (joined edges) is computed here in any case.
pub struct FallbackToLocal {
    remote: RemoteEvaluator,
    local: Arc<dyn Evaluator>,
    /// The network here answered last.
    here: AtomicBool,
}

impl FallbackToLocal {
    /// Asks `remote`, and `local` instead where need be.
    #[must_use]
    pub fn new(remote: RemoteEvaluator, local: Arc<dyn Evaluator>) -> Self {
        Self { remote, local, here: AtomicBool::new(false) }
    }

    /// The servers.
    #[must_use]
    pub fn remote(&self) -> &RemoteEvaluator {
        &self.remote
    }

    /// Servers that can be asked now, and how many there are.
    #[must_use]
    pub fn ready(&self) -> (usize, usize) {
        let status = self.remote.status();
        (status.iter().filter(|server| server.phase == EndpointPhase::Ready).count(), status.len())
    }

    /// What a person should know of the servers; empty when all is as it should be.
    #[must_use]
    pub fn note(&self) -> String {
        let status = self.remote.status();
        let wrong = |server: &EndpointStatus| {
            let error = server.error.as_ref().filter(|_| server.phase != EndpointPhase::Ready)?;
            Some(format!("{}: {error}", server.address))
        };
        let mut sentences: Vec<String> = status.iter().filter_map(wrong).collect();
        if !self.remote.is_answering() {
            sentences.push("no inference server answers; the network is computed here".into());
        }
        sentences.join("; ")
    }

    fn noted(&self, here: bool, why: &str) {
        if self.here.swap(here, Ordering::Relaxed) != here {
            if here {
                tracing::warn!(why, "no inference server answers; the network is computed here");
            } else {
                tracing::info!("inference servers compute again");
            }
        }
    }
}

impl Evaluator for FallbackToLocal {
    /// Those of whoever answered last: to ask each server for its state would cost a lock each with every batch.
    fn limits(&self) -> BatchLimits {
        if self.here.load(Ordering::Relaxed) { self.local.limits().only_preferred() } else { self.remote.limits() }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        if self.remote.is_answering() {
            match self.remote.evaluate(requests, stop) {
                Err(EvalError::Unsupported { .. }) => {}
                Err(error @ (EvalError::Device { .. } | EvalError::NotFinite { .. })) => {
                    self.noted(true, &error.to_string());
                }
                answered => {
                    self.noted(false, "");
                    return answered;
                }
            }
        } else {
            self.noted(true, &self.note());
        }
        self.local.evaluate(requests, stop)
    }
}

impl std::fmt::Debug for FallbackToLocal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FallbackToLocal").field("remote", &self.remote).finish_non_exhaustive()
    }
}
