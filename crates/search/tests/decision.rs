//! When a run ends early because its move is decided, and when it goes on because it is open.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use common::empty;
use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::{Preset, Topology};
use honinbo_search::{Decision, RunOutcome, Search, SearchLimits, SearchParams, StopReason, TimeLimit};

/// Finds all positions even, and shares its policy out among the first points of the board.
struct Shares(Vec<f32>);

impl Evaluator for Shares {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 1, max: 8 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], _: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let answer = |request: &EvalRequest<'_>| {
            let area = request.game.board().size().area();
            let mut answer = Evaluation::even(area + 1);
            let legal = honinbo_rules::Point::all(request.game.board().size())
                .map(|point| request.game.is_legal_point(point))
                .chain([true]);
            let shares = self.0.iter().copied().chain(std::iter::repeat(1e-4));
            for ((policy, legal), share) in answer.policy.iter_mut().zip(legal).zip(shares) {
                *policy = if legal { share } else { -1.0 };
            }
            answer.white_ownership = request.params.include_ownership.then(|| vec![0.0; area].into());
            answer
        };
        Ok(requests.iter().map(answer).collect())
    }
}

fn run(shares: &[f32], limits: &SearchLimits) -> RunOutcome {
    let game = empty(7, Topology::Plane, Preset::TrompTaylor);
    let params = SearchParams { root_symmetry_pruning: false, ..SearchParams::play() };
    let search = Search::new(Arc::new(Shares(shares.to_vec())), game, params, 1).unwrap();
    search.run(limits, &StopFlag::new()).unwrap()
}

const SURE: [f32; 2] = [0.97, 0.01];
const TORN: [f32; 2] = [0.49, 0.49];

fn deciding(rival_share: f64, stretch: f64) -> SearchLimits {
    let decision = Some(Decision { rival_share, stretch });
    SearchLimits { max_visits: 200, decision, ..SearchLimits::default() }
}

#[test]
fn a_decided_move_takes_less_than_it_may() {
    let outcome = run(&SURE, &deciding(1.0, 1.0));
    assert_eq!(outcome.reason, StopReason::Decided);
    // The move has nearly all visits, so that no other can catch up after half of them.
    assert!((100..=125).contains(&outcome.root_visits), "{outcome:?}");
    // Whoever wants rivals only to come near gives them longer.
    let careful = run(&SURE, &deciding(0.5, 1.0));
    assert_eq!(careful.reason, StopReason::Decided);
    assert!(careful.root_visits > outcome.root_visits, "{careful:?}");
}

#[test]
fn an_open_decision_goes_on_for_as_long_as_it_may() {
    let within = run(&TORN, &deciding(1.0, 1.0));
    assert_eq!((within.reason, within.root_visits), (StopReason::Visits, 200));
    let beyond = run(&TORN, &deciding(1.0, 1.5));
    assert_eq!((beyond.reason, beyond.root_visits), (StopReason::Visits, 300));
    let playouts = SearchLimits { max_visits: 10_000, max_playouts: 50, ..deciding(1.0, 2.0) };
    let outcome = run(&TORN, &playouts);
    assert_eq!((outcome.reason, outcome.playouts), (StopReason::Playouts, 100));
}

#[test]
fn without_a_word_about_it_nothing_changes() {
    for shares in [SURE, TORN] {
        let outcome = run(&shares, &SearchLimits { max_visits: 200, ..SearchLimits::default() });
        assert_eq!((outcome.reason, outcome.root_visits), (StopReason::Visits, 200));
    }
}

#[test]
fn time_is_shared_out_alike() {
    // Ten milliseconds pass with each look at the clock.
    let limits = |max| {
        let clock = AtomicU64::new(0);
        let stopwatch = Arc::new(move || Duration::from_millis(10 * clock.fetch_add(1, Ordering::Relaxed)));
        let time = Some(TimeLimit { stopwatch, max: Duration::from_millis(max) });
        SearchLimits { max_visits: 1 << 50, time, ..deciding(1.0, 2.0) }
    };
    let sure = run(&SURE, &limits(4000));
    assert_eq!(sure.reason, StopReason::Decided);
    let torn = run(&TORN, &limits(4000));
    assert_eq!(torn.reason, StopReason::Time);
    assert!(torn.playouts > 2 * sure.playouts, "{sure:?} {torn:?}");
}
