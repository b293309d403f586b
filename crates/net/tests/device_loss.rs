//! A device that is lost in the middle of a game.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "common/network.rs"]
mod network;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_net::FallbackEvaluator;
use honinbo_rules::{BoardSize, Game, Move, Preset, Setup, Topology};
use honinbo_search::{ReportOptions, Search, SearchLimits, SearchParams};

/// How a device ends.
#[derive(Clone, Copy)]
enum End {
    Error,
    NotANumber,
}

/// Answers as another evaluator does, so many times.
struct Device {
    inner: Arc<dyn Evaluator>,
    left: AtomicUsize,
    end: End,
}

impl Evaluator for Device {
    fn limits(&self) -> BatchLimits {
        self.inner.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        match (left, self.end) {
            (Ok(_), _) => self.inner.evaluate(requests, stop),
            (Err(_), End::Error) => {
                Err(EvalError::Device { device: "webgpu".into(), reason: "the device is lost".into() })
            }
            (Err(_), End::NotANumber) => Err(EvalError::NotFinite { network: "net".into(), output: "policy" }),
        }
    }
}

/// Candidates with their visits in two turns of a game, from one tree.
fn two_turns(evaluator: Arc<dyn Evaluator>) -> Vec<(Move, u64, u64)> {
    let preset = Preset::Chinese;
    let setup = Setup::new(BoardSize::square(9).unwrap(), Topology::Plane, preset.ruleset(), preset.komi());
    let mut game = Game::new(setup).unwrap();
    let mut found = Vec::new();
    for _ in 0..2 {
        let search = Search::new(Arc::clone(&evaluator), game.clone(), SearchParams::default(), 7).unwrap();
        let limits = SearchLimits { max_visits: 60, threads: 1, leaves_per_thread: Some(1), ..SearchLimits::default() };
        search.run(&limits, &StopFlag::new()).unwrap();
        let report = search.report(&ReportOptions::default()).unwrap();
        assert_eq!(report.root.visits, 60);
        let best = report.candidates[0].mv;
        found.extend(report.candidates.iter().map(|found| (found.mv, found.visits, found.edge_visits)));
        game.play(game.to_play(), best).unwrap();
    }
    found
}

#[test]
fn no_visit_is_lost_with_a_device() {
    let Some(evaluator) = network::evaluator("g170-b6c96-s175395328-d26788732") else { return };
    let expected = two_turns(Arc::clone(&evaluator));
    for end in [End::Error, End::NotANumber] {
        // In the middle of the first turn, and of the second.
        for after in [20, 70] {
            let device = Arc::new(Device { inner: Arc::clone(&evaluator), left: AtomicUsize::new(after), end });
            let processor = Arc::clone(&evaluator);
            let fallback = FallbackEvaluator::new(device, move || Ok(Arc::clone(&processor)));
            let loss = fallback.loss();
            assert_eq!(two_turns(Arc::new(fallback)), expected);
            assert!(loss.reason().is_some());
        }
    }
}
