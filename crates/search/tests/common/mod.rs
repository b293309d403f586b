//! Evaluators that need no network.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test may")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::{BoardSize, Game, Preset, Setup, Topology};
use honinbo_search::bench::Scrambled;

/// Answers that look like a network's and depend on the stones alone: the same position has the same answer.
pub struct Hashed {
    /// How long one call takes.
    pub delay: Duration,
    /// Calls after which every call fails.
    pub fails_after: usize,
    /// Calls so far.
    pub calls: AtomicUsize,
    /// Positions so far.
    pub positions: AtomicUsize,
}

impl Hashed {
    pub fn new() -> Arc<Self> {
        Self::with(Duration::ZERO, usize::MAX)
    }

    pub fn with(delay: Duration, fails_after: usize) -> Arc<Self> {
        Arc::new(Self { delay, fails_after, calls: AtomicUsize::new(0), positions: AtomicUsize::new(0) })
    }
}

impl Evaluator for Hashed {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 8, max: 64 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        self.positions.fetch_add(requests.len(), Ordering::Relaxed);
        if self.calls.fetch_add(1, Ordering::Relaxed) >= self.fails_after {
            return Err(EvalError::Device { device: "test".into(), reason: "unplugged".into() });
        }
        let began = Instant::now();
        while began.elapsed() < self.delay {
            if stop.is_set() {
                return Err(EvalError::Cancelled);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Scrambled.evaluate(requests, &StopFlag::new())
    }
}

/// An empty board.
pub fn empty(side: usize, topology: Topology, preset: Preset) -> Game {
    let size = BoardSize::square(side).unwrap();
    Game::new(Setup::new(size, topology, preset.ruleset(), preset.komi())).unwrap()
}
