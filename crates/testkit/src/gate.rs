//! An evaluator that answers no more positions than a test lets it.

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Between two looks at a stop flag, which cannot be waited for.
const LOOK: Duration = Duration::from_millis(2);

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many positions may still be answered. Open until it is told otherwise; clones of the `Arc` share it.
#[derive(Debug, Default)]
pub struct Gate {
    left: Mutex<Option<u64>>,
    changed: Condvar,
}

impl Gate {
    /// Lets so many more positions through, whatever was left; `None` lets all through.
    pub fn allow(&self, positions: Option<u64>) {
        *self.lock() = positions;
        self.changed.notify_all();
    }

    /// Waits until all that was allowed has been taken: whoever asks more waits.
    ///
    /// # Panics
    /// When nobody takes it for a minute.
    pub fn wait_until_empty(&self) {
        let (left, waited) = self
            .changed
            .wait_timeout_while(self.lock(), PATIENCE, |left| *left != Some(0))
            .unwrap_or_else(PoisonError::into_inner);
        assert!(!waited.timed_out(), "{left:?} positions were not asked for");
    }

    fn lock(&self) -> MutexGuard<'_, Option<u64>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something is left, and takes a batch of it; the last batch may be larger than what is left.
    fn pass(&self, positions: u64, stop: &StopFlag) -> Result<(), EvalError> {
        let mut left = self.lock();
        while *left == Some(0) && !stop.is_set() {
            left = self.changed.wait_timeout(left, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        if stop.is_set() {
            return Err(EvalError::Cancelled);
        }
        *left = left.map(|left| left.saturating_sub(positions));
        self.changed.notify_all();
        Ok(())
    }
}

/// Asks another evaluator as far as its gate lets it.
pub struct GatedEvaluator<E> {
    inner: E,
    gate: Arc<Gate>,
}

impl<E: Evaluator> GatedEvaluator<E> {
    /// `inner` behind `gate`.
    pub fn new(inner: E, gate: Arc<Gate>) -> Self {
        Self { inner, gate }
    }
}

impl<E: Evaluator> Evaluator for GatedEvaluator<E> {
    fn limits(&self) -> BatchLimits {
        self.inner.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        self.gate.pass(requests.len() as u64, stop)?;
        self.inner.evaluate(requests, stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_allowed_passes_and_the_rest_waits_until_more_is_or_until_the_end() {
        let gate = Arc::new(Gate::default());
        let never = StopFlag::new();
        gate.pass(9, &never).unwrap();
        gate.allow(Some(4));
        gate.pass(4, &never).unwrap();
        let stop = StopFlag::new();
        let waiting = {
            let (gate, stop) = (Arc::clone(&gate), stop.clone());
            std::thread::spawn(move || gate.pass(1, &stop))
        };
        stop.set();
        assert_eq!(waiting.join().unwrap(), Err(EvalError::Cancelled));
        let waiting = {
            let gate = Arc::clone(&gate);
            std::thread::spawn(move || gate.pass(1, &StopFlag::new()))
        };
        gate.allow(None);
        assert_eq!(waiting.join().unwrap(), Ok(()));
    }
}
