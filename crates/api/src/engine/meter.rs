//! Counts what the evaluator behind it answers, for the speed that a person is shown.

use honinbo_net::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// Over what time the speed is taken.
const WINDOW: Duration = Duration::from_secs(4);

/// Tells the time; see [`crate::Host::monotonic`].
pub(crate) type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// An evaluator that counts the answers of another.
pub(crate) struct Metered {
    inner: Arc<dyn Evaluator>,
    clock: Clock,
    /// When a batch began, when it ended, how many positions it had; oldest first.
    batches: Mutex<VecDeque<(Duration, Duration, usize)>>,
}

impl Metered {
    pub(crate) fn new(inner: Arc<dyn Evaluator>, clock: Clock) -> Self {
        Self { inner, clock, batches: Mutex::new(VecDeque::new()) }
    }

    /// Evaluations a second of the time in which there was work, over the last seconds; 0 before the first.
    pub(crate) fn evaluations_per_second(&self) -> f64 {
        let batches = self.batches.lock();
        let evaluations: usize = batches.iter().map(|batch| batch.2).sum();
        let mut busy = Duration::ZERO;
        let mut covered_until = Duration::ZERO;
        for &(began, ended, _) in batches.iter() {
            busy += ended.saturating_sub(began.max(covered_until));
            covered_until = covered_until.max(ended);
        }
        if busy.is_zero() { 0.0 } else { evaluations as f64 / busy.as_secs_f64() }
    }
}

impl Evaluator for Metered {
    fn limits(&self) -> BatchLimits {
        self.inner.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let began = (self.clock)();
        let answers = self.inner.evaluate(requests, stop)?;
        let ended = (self.clock)();
        let mut batches = self.batches.lock();
        batches.push_back((began, ended, answers.len()));
        while batches.front().is_some_and(|batch| batches.len() > 1 && batch.1 + WINDOW < ended) {
            batches.pop_front();
        }
        Ok(answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::{Game, Preset, Setup};
    use honinbo_testkit::UniformEvaluator;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn idle_time_does_not_count_and_old_batches_are_forgotten() {
        let now = Arc::new(AtomicU64::new(0));
        let ticking = Arc::clone(&now);
        // Each look at the clock moves it by 50 ms, so that a batch takes 50 ms.
        let clock: Clock = Arc::new(move || Duration::from_millis(ticking.fetch_add(50, Ordering::Relaxed)));
        let metered = Metered::new(Arc::new(UniformEvaluator::default()), clock);
        assert_eq!(metered.evaluations_per_second(), 0.0);

        let game = Game::new(Setup::preset(Preset::Chinese)).unwrap();
        let request = EvalRequest { game: &game, params: honinbo_net::EvalParams::default() };
        metered.evaluate(&[request, request], &StopFlag::new()).unwrap();
        assert!((metered.evaluations_per_second() - 40.0).abs() < 1e-6);

        now.fetch_add(60_000, Ordering::Relaxed);
        metered.evaluate(&[request], &StopFlag::new()).unwrap();
        assert!((metered.evaluations_per_second() - 20.0).abs() < 1e-6, "{}", metered.evaluations_per_second());
    }
}
