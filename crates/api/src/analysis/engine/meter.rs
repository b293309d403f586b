//! What an engine is asked, for work that is to be done only while nobody asks, and how fast it computes the answers, for
//! the speed that a person is shown.

use honinbo_evaluator::{
    BatchLimits, EvalError, EvalParams, EvalRequest, Evaluation, Evaluator, PlayerProfile, Priority, StopFlag,
};
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Over what time the speed is taken.
const WINDOW: Duration = Duration::from_secs(4);

/// So much work has to be seen before its speed is believed: the first positions of all are slower.
const ENOUGH: Duration = Duration::from_secs(1);

/// How often whoever waits for a measurement looks at its stop flag.
const LOOK: Duration = Duration::from_millis(5);

/// The time; see [`crate::Host::monotonic`].
pub(crate) type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// Questions to an engine, whichever network answers them.
#[derive(Debug, Default)]
pub(crate) struct Demand {
    asked: AtomicU64,
    /// Ends what is done while nobody asks.
    idle_work: Mutex<StopFlag>,
    /// Somebody has devices measured, for which work that may take its time rests.
    is_measured: Mutex<bool>,
    measured: Condvar,
}

impl Demand {
    /// How often the engine was asked so far.
    pub(crate) fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Work begins that the next question ends.
    pub(crate) fn begin_idle_work(&self) -> StopFlag {
        let stop = StopFlag::new();
        *self.idle_work.lock() = stop.clone();
        stop
    }

    /// Somebody asks: what is done while nobody does ends.
    pub(crate) fn ask(&self) {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.idle_work.lock().set();
    }

    /// A measurement that somebody waits for begins or ends.
    pub(crate) fn set_measured(&self, is_measured: bool) {
        *self.is_measured.lock() = is_measured;
        self.measured.notify_all();
    }

    fn wait_for_measurement(&self, stop: &StopFlag) -> Result<(), EvalError> {
        let mut is_measured = self.is_measured.lock();
        while *is_measured {
            if stop.is_set() {
                return Err(EvalError::Cancelled);
            }
            self.measured.wait_for(&mut is_measured, LOOK);
        }
        Ok(())
    }
}

/// Where questions come in: whatever is done while nobody asks ends, and a network of human style hears who plays.
pub(crate) struct Entrance {
    inner: Arc<dyn Evaluator>,
    /// Who is said to play where a question does not say it.
    profile: Option<PlayerProfile>,
    demand: Arc<Demand>,
    priority: Priority,
}

impl Entrance {
    /// `profile` is for networks of human style, which cannot answer without knowing who plays. Batch work waits while
    /// devices are measured.
    pub(crate) fn new(
        inner: Arc<dyn Evaluator>,
        profile: Option<PlayerProfile>,
        demand: Arc<Demand>,
        priority: Priority,
    ) -> Self {
        Self { inner, profile, demand, priority }
    }
}

impl Evaluator for Entrance {
    fn limits(&self) -> BatchLimits {
        self.inner.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        self.demand.ask();
        if self.priority == Priority::Batch {
            self.demand.wait_for_measurement(stop)?;
        }
        let Some(usual) = self.profile else { return self.inner.evaluate(requests, stop) };
        let named: Vec<EvalRequest<'_>> = requests
            .iter()
            .map(|&EvalRequest { game, params }| {
                let profile = Some(params.profile.unwrap_or(usual));
                EvalRequest { game, params: EvalParams { profile, ..params } }
            })
            .collect();
        self.inner.evaluate(&named, stop)
    }
}

/// How fast a network computes.
pub(crate) struct Meter {
    clock: Clock,
    /// In the order in which they ended.
    batches: Mutex<VecDeque<Batch>>,
}

/// Positions that were computed together.
#[derive(Clone, Copy)]
struct Batch {
    began: Duration,
    ended: Duration,
    positions: usize,
}

/// An evaluator whose answers a meter counts. It stands behind whatever remembers answers: those take no time.
pub(crate) struct Metered<E> {
    inner: E,
    meter: Arc<Meter>,
}

impl Meter {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, batches: Mutex::default() }
    }

    /// Counts what `inner` answers, together with whatever else it counts.
    pub(crate) fn over<E>(self: &Arc<Self>, inner: E) -> Metered<E> {
        Metered { inner, meter: Arc::clone(self) }
    }

    /// Evaluations a second of the time in which there was work, over the last seconds; 0 before the first.
    pub(crate) fn evaluations_per_second(&self) -> f64 {
        let (evaluations, busy) = self.work();
        if busy.is_zero() { 0.0 } else { evaluations as f64 / busy.as_secs_f64() }
    }

    /// As [`Meter::evaluations_per_second`], where there was enough work.
    pub(crate) fn measured_speed(&self) -> Option<f64> {
        let (evaluations, busy) = self.work();
        (busy >= ENOUGH).then(|| evaluations as f64 / busy.as_secs_f64())
    }

    /// Evaluations of the last seconds, and the time that they took.
    fn work(&self) -> (usize, Duration) {
        let mut batches: Vec<Batch> = self.batches.lock().iter().copied().collect();
        batches.sort_unstable_by_key(|batch| batch.began);
        let evaluations: usize = batches.iter().map(|batch| batch.positions).sum();
        let mut busy = Duration::ZERO;
        let mut covered_until = Duration::ZERO;
        for Batch { began, ended, .. } in batches {
            busy += ended.saturating_sub(began.max(covered_until));
            covered_until = covered_until.max(ended);
        }
        (evaluations, busy)
    }

    fn count(&self, batch: Batch) {
        let mut batches = self.batches.lock();
        batches.push_back(batch);
        while batches.front().is_some_and(|first| batches.len() > 1 && first.ended + WINDOW < batch.ended) {
            batches.pop_front();
        }
    }
}

impl<E: Evaluator> Evaluator for Metered<E> {
    fn limits(&self) -> BatchLimits {
        self.inner.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let began = (self.meter.clock)();
        let answers = self.inner.evaluate(requests, stop)?;
        self.meter.count(Batch { began, ended: (self.meter.clock)(), positions: answers.len() });
        Ok(answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::{Game, Preset, Setup};
    use honinbo_testkit::{NotingEvaluator, UniformEvaluator};
    #[test]
    fn idle_time_does_not_count_and_old_batches_are_forgotten() {
        let now = Arc::new(AtomicU64::new(0));
        let ticking = Arc::clone(&now);
        // Each look at the clock moves it by 50 ms, so that a batch takes 50 ms.
        let clock: Clock = Arc::new(move || Duration::from_millis(ticking.fetch_add(50, Ordering::Relaxed)));
        let meter = Arc::new(Meter::new(clock));
        let metered = meter.over(UniformEvaluator::default());
        assert_eq!(meter.evaluations_per_second(), 0.0);

        let game = Game::new(Setup::preset(Preset::Chinese)).unwrap();
        let request = EvalRequest { game: &game, params: honinbo_evaluator::EvalParams::default() };
        metered.evaluate(&[request, request], &StopFlag::new()).unwrap();
        assert!((meter.evaluations_per_second() - 40.0).abs() < 1e-6);

        now.fetch_add(60_000, Ordering::Relaxed);
        metered.evaluate(&[request], &StopFlag::new()).unwrap();
        assert!((meter.evaluations_per_second() - 20.0).abs() < 1e-6, "{}", meter.evaluations_per_second());
    }

    #[test]
    fn time_counts_once_in_whatever_order_batches_end() {
        let meter = Meter::new(Arc::new(Duration::default));
        // A short batch begins after a long one and ends before it.
        for (began, ended) in [(400, 600), (0, 1000), (900, 1500), (3000, 3500)] {
            let [began, ended] = [began, ended].map(Duration::from_millis);
            meter.count(Batch { began, ended, positions: 10 });
        }
        assert_eq!(meter.work(), (40, Duration::from_secs(2)));
        assert_eq!(meter.measured_speed(), Some(20.0));
    }

    #[test]
    fn a_question_through_either_end_stops_what_is_done_while_nobody_asks() {
        let demand = Arc::new(Demand::default());
        let inner = Arc::new(UniformEvaluator::default());
        let end = || Entrance::new(Arc::clone(&inner) as _, None, Arc::clone(&demand), Priority::Live);
        let game = Game::new(Setup::preset(Preset::Chinese)).unwrap();
        let request = EvalRequest { game: &game, params: EvalParams::default() };
        for (number, end) in [end(), end()].into_iter().enumerate() {
            let work = demand.begin_idle_work();
            assert!(!work.is_set());
            end.evaluate(&[request], &StopFlag::new()).unwrap();
            assert!(work.is_set());
            assert_eq!(demand.asked(), number as u64 + 1);
        }
    }

    #[test]
    fn a_network_of_human_style_is_always_told_who_plays() {
        let (strong, weak): (PlayerProfile, PlayerProfile) = ("rank_9d".parse().unwrap(), "rank_10k".parse().unwrap());
        let profile = |request: &EvalRequest<'_>| request.params.profile;
        let listening = Arc::new(NotingEvaluator::new(UniformEvaluator::default(), profile));
        let entrance = Entrance::new(Arc::clone(&listening) as _, Some(strong), Arc::default(), Priority::Live);
        let game = Game::new(Setup::preset(Preset::Chinese)).unwrap();
        let of = |profile| EvalRequest { game: &game, params: EvalParams { profile, ..EvalParams::default() } };
        entrance.evaluate(&[of(None), of(Some(weak))], &StopFlag::new()).unwrap();
        assert_eq!(listening.noted(), [Some(strong), Some(weak)]);
    }
}
