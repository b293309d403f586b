//! Sessions of one graph, lent out one caller at a time.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::codec::{NetworkInputs, NetworkOutputs};
use crate::runtime::{NetSession, NodeCounts, SessionError};
use honinbo_evaluator::{EvalError, StopFlag};

/// What runs a batch: a session, or something that stands for one in tests.
pub(super) trait Runner: Send {
    /// The message of a failure is the device's own.
    fn run(&mut self, inputs: &NetworkInputs) -> Result<NetworkOutputs, String>;

    /// Which nodes the device computes itself, where that is known.
    fn nodes(&self) -> Option<NodeCounts> {
        None
    }
}

impl Runner for NetSession {
    fn run(&mut self, inputs: &NetworkInputs) -> Result<NetworkOutputs, String> {
        NetSession::run(self, inputs)
    }

    fn nodes(&self) -> Option<NodeCounts> {
        NetSession::nodes(self)
    }
}

/// Builds another runner of the same kind.
pub(super) type Build = Box<dyn Fn() -> Result<Box<dyn Runner>, SessionError> + Send + Sync>;

/// Up to `most` runners, built when they are first needed.
pub(super) struct RunnerPool {
    build: Build,
    most: usize,
    device: String,
    nodes: Mutex<Option<NodeCounts>>,
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Box<dyn Runner>>,
    built: usize,
}

/// How often a waiting caller looks at its stop flag.
const LOOK: Duration = Duration::from_millis(5);

impl RunnerPool {
    pub(super) fn new(build: Build, most: usize, device: String) -> Arc<Self> {
        Arc::new(Self {
            build,
            most: most.max(1),
            device,
            nodes: Mutex::default(),
            state: Mutex::default(),
            freed: Condvar::new(),
        })
    }

    /// Runs a batch on a free runner. One that fails is thrown away, rebuilt once, and only then reported.
    pub(super) fn run(&self, inputs: &NetworkInputs, stop: &StopFlag) -> Result<NetworkOutputs, EvalError> {
        let mut lent = self.lend(stop)?;
        let first = match lent.runner().run(inputs) {
            Ok(outputs) => return Ok(outputs),
            Err(reason) => reason,
        };
        tracing::warn!(device = self.device, reason = first, "a network session failed and is built again");
        lent.discard();
        let fail = |reason: String| EvalError::Device { device: self.device.clone(), reason };
        lent.replace((self.build)().map_err(|error| fail(format!("{first}; and again: {error}")))?);
        lent.runner().run(inputs).map_err(|second| {
            lent.discard();
            fail(second)
        })
    }

    /// Builds one runner now, so that failures are known early.
    pub(super) fn warm(&self) -> Result<(), SessionError> {
        let mut state = self.state.lock();
        if state.built == 0 {
            let runner = (self.build)()?;
            *self.nodes.lock() = runner.nodes();
            state.idle.push(runner);
            state.built = 1;
        }
        Ok(())
    }

    /// Which nodes the device computes itself; known once a runner was built by [`RunnerPool::warm`].
    pub(super) fn nodes(&self) -> Option<NodeCounts> {
        *self.nodes.lock()
    }

    fn lend(&self, stop: &StopFlag) -> Result<Lent<'_>, EvalError> {
        let mut state = self.state.lock();
        loop {
            if stop.is_set() {
                return Err(EvalError::Cancelled);
            }
            if let Some(runner) = state.idle.pop() {
                return Ok(Lent { pool: self, runner: Some(runner) });
            }
            if state.built < self.most {
                state.built += 1;
                drop(state);
                let mut lent = Lent { pool: self, runner: None };
                let runner = (self.build)()
                    .map_err(|error| EvalError::Device { device: self.device.clone(), reason: error.to_string() })?;
                lent.runner = Some(runner);
                return Ok(lent);
            }
            self.freed.wait_for(&mut state, LOOK);
        }
    }
}

/// A runner on loan; it goes back when dropped, also on the way out of a failure.
struct Lent<'p> {
    pool: &'p RunnerPool,
    runner: Option<Box<dyn Runner>>,
}

impl Lent<'_> {
    fn runner(&mut self) -> &mut dyn Runner {
        self.runner.as_deref_mut().expect("a loan holds a runner until it is discarded")
    }

    fn discard(&mut self) {
        self.runner = None;
    }

    fn replace(&mut self, runner: Box<dyn Runner>) {
        self.runner = Some(runner);
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut state = self.pool.state.lock();
        match self.runner.take() {
            Some(runner) => state.idle.push(runner),
            // The place is free for another to be built.
            None => state.built -= 1,
        }
        drop(state);
        self.pool.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Fails the first `failures` runs, counted over all runners.
    struct Flaky(Arc<AtomicUsize>);

    impl Runner for Flaky {
        fn run(&mut self, _: &NetworkInputs) -> Result<NetworkOutputs, String> {
            let left = self.0.load(Ordering::SeqCst);
            if left == 0 {
                return Ok(NetworkOutputs::default());
            }
            self.0.store(left - 1, Ordering::SeqCst);
            Err("the device has gone".into())
        }
    }

    fn pool(failures: usize) -> (Arc<RunnerPool>, Arc<AtomicUsize>) {
        let left = Arc::new(AtomicUsize::new(failures));
        let built = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&built);
        let build: Build = Box::new(move || {
            counter.fetch_add(1, Ordering::SeqCst);
            Ok(Box::new(Flaky(Arc::clone(&left))) as Box<dyn Runner>)
        });
        (RunnerPool::new(build, 1, "test device".into()), built)
    }

    #[test]
    fn a_session_that_fails_once_is_rebuilt_and_nobody_notices() {
        let (pool, built) = pool(1);
        assert!(pool.run(&NetworkInputs::default(), &StopFlag::new()).is_ok());
        assert_eq!(built.load(Ordering::SeqCst), 2);
        assert!(pool.run(&NetworkInputs::default(), &StopFlag::new()).is_ok());
        assert_eq!(built.load(Ordering::SeqCst), 2, "the rebuilt session is kept");
    }

    #[test]
    fn a_session_that_fails_again_is_reported_and_the_next_call_starts_afresh() {
        let (pool, _) = pool(2);
        let error = pool.run(&NetworkInputs::default(), &StopFlag::new()).unwrap_err();
        assert_eq!(error.to_string(), "test device failed while evaluating: the device has gone");
        assert!(pool.run(&NetworkInputs::default(), &StopFlag::new()).is_ok());
    }

    #[test]
    fn waiting_for_a_session_ends_when_stopped() {
        let (pool, _) = pool(0);
        let stop = StopFlag::new();
        let lent = pool.lend(&stop).unwrap();
        stop.set();
        assert_eq!(pool.run(&NetworkInputs::default(), &stop), Err(EvalError::Cancelled));
        drop(lent);
    }
}
