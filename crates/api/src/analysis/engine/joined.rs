//! A second network for boards whose edges are joined, where the one in use cannot see across them.

use super::load::Opened;
use crate::ApiError;
use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, Priority, StopFlag};
use honinbo_rules::Topology;
use std::sync::{Arc, OnceLock};

/// The network that comes with the program for boards with joined edges: convolutions alone, so it sees across them.
pub(super) const NETWORK_FOR_JOINED_EDGES: &str = "g170-b6c96-s175395328-d26788732.bin.gz";

/// Reads the network when it is first needed.
type Open = Box<dyn Fn() -> Result<Opened, ApiError> + Send + Sync>;

/// The second network, read when the first board with joined edges is asked about.
pub(super) struct Joined {
    /// The name that it gives itself.
    pub(super) network: String,
    open: Open,
    opened: OnceLock<Result<Opened, String>>,
}

impl Joined {
    pub(super) fn new(network: String, open: impl Fn() -> Result<Opened, ApiError> + Send + Sync + 'static) -> Self {
        Self { network, open: Box::new(open), opened: OnceLock::new() }
    }

    fn get(&self, priority: Priority) -> Result<&Arc<dyn Evaluator>, EvalError> {
        let opened = self.opened.get_or_init(|| (self.open)().map_err(|error| error.to_string()));
        let unsupported =
            |reason: &String| EvalError::Unsupported { network: self.network.clone(), reason: reason.clone() };
        let opened = opened.as_ref().map_err(unsupported)?;
        Ok(if priority == Priority::Live { &opened.live } else { &opened.background })
    }

    /// Forgets remembered answers.
    pub(super) fn clear_cache(&self) {
        if let Some(Ok(opened)) = self.opened.get() {
            opened.clear_cache();
        }
    }
}

/// Asks the network in use where edges end, and the second one where they are joined.
pub(super) struct ByEdges {
    pub(super) ending: Arc<dyn Evaluator>,
    pub(super) joined: Arc<Joined>,
    pub(super) priority: Priority,
}

impl Evaluator for ByEdges {
    fn limits(&self) -> BatchLimits {
        self.ending.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        // Searches ask about one game, so batches are rarely mixed; each run of one kind goes together.
        let are_joined = |request: &EvalRequest<'_>| request.game.board().topology() != Topology::Plane;
        let mut answers = Vec::with_capacity(requests.len());
        for part in requests.chunk_by(|one, next| are_joined(one) == are_joined(next)) {
            answers.extend(if are_joined(&part[0]) {
                self.joined.get(self.priority)?.evaluate(part, stop)?
            } else {
                self.ending.evaluate(part, stop)?
            });
        }
        Ok(answers)
    }
}
