//! A share for each of many callers: nobody has more positions computed than so many a second.

use crate::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;

/// How often a caller that has used its share up looks whether there is more, and whether it is to stop.
const LOOK: Duration = Duration::from_millis(5);

/// How much a caller may have computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ration {
    /// Positions that may be asked for at once after a rest.
    pub burst: u32,
    /// Positions a second after that; 0 does not limit.
    pub per_second: u32,
}

/// What is left of a ration: a token bucket, which may go into debt so that a batch of any size passes once. Clones share it.
#[derive(Clone)]
pub struct Allowance(Arc<Bucket>);

struct Bucket {
    ration: Ration,
    /// Time since any fixed moment.
    clock: Arc<dyn Fn() -> Duration + Send + Sync>,
    left: Mutex<Left>,
}

struct Left {
    positions: f64,
    at: Duration,
}

impl Allowance {
    /// A full ration. `clock` is asked for the time since any fixed moment.
    pub fn new(ration: Ration, clock: Arc<dyn Fn() -> Duration + Send + Sync>) -> Self {
        let at = clock();
        let left = Mutex::new(Left { positions: f64::from(ration.burst), at });
        Self(Arc::new(Bucket { ration, clock, left }))
    }

    /// An evaluator that takes from this allowance before it asks the inner one.
    #[must_use]
    pub fn of(&self, inner: Arc<dyn Evaluator>) -> RationedEvaluator {
        RationedEvaluator { allowance: self.clone(), inner }
    }

    /// False when nothing is left.
    fn take(&self, positions: usize) -> bool {
        let Ration { burst, per_second } = self.0.ration;
        if per_second == 0 {
            return true;
        }
        let now = (self.0.clock)();
        let mut left = self.0.left.lock();
        let grown = now.saturating_sub(left.at).as_secs_f64() * f64::from(per_second);
        left.positions = (left.positions + grown).min(f64::from(burst.max(1)));
        left.at = now;
        if left.positions <= 0.0 {
            return false;
        }
        left.positions -= positions as f64;
        true
    }
}

impl std::fmt::Debug for Allowance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Allowance").field("ration", &self.0.ration).finish_non_exhaustive()
    }
}

/// One caller's end of an evaluator that many share: it waits where the caller's [`Allowance`] is used up.
pub struct RationedEvaluator {
    allowance: Allowance,
    inner: Arc<dyn Evaluator>,
}

impl Evaluator for RationedEvaluator {
    fn limits(&self) -> BatchLimits {
        self.inner.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        while !self.allowance.take(requests.len()) {
            if stop.is_set() {
                return Err(EvalError::Cancelled);
            }
            std::thread::sleep(LOOK);
        }
        self.inner.evaluate(requests, stop)
    }
}
