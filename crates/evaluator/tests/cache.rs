//! What was answered before.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod common;

use std::sync::Arc;

use common::{ask, game};
use honinbo_evaluator::{
    AnswerMemory, CachingEvaluator, EvalError, EvalParams, EvalRequest, EvalService, Evaluator, Priority,
    ServiceOptions, StopFlag,
};
use honinbo_rules::{Move, Point, Symmetry, Topology};
use honinbo_testkit::{CountingEvaluator, Gate, GatedEvaluator, UniformEvaluator};

#[test]
fn what_was_answered_is_remembered_within_its_memory() {
    let counting = CountingEvaluator::new(UniformEvaluator::default());
    let cache = CachingEvaluator::new(counting, 16 * 4096);
    let asked = || cache.inner().asked();
    let one = game(9, 9, Topology::Plane, 10);
    let plain = EvalParams::default();
    let first = ask(&cache, &[&one, &one], plain);
    assert_eq!(asked(), 2);
    assert_eq!(ask(&cache, &[&one], plain)[0], first[0]);
    assert_eq!(asked(), 2, "the second time it is remembered");
    ask(&cache, &[&one], EvalParams { policy_temperature: 2.0, ..plain });
    ask(&cache, &[&one], EvalParams { max_history: 0, ..plain });
    ask(&cache, &[&one], EvalParams { playout_doubling_advantage: 1.0, ..plain });
    assert_eq!(asked(), 5, "other questions are other questions");
    let mut passed = one.clone();
    passed.play(one.to_play(), Move::Pass).unwrap();
    ask(&cache, &[&passed], plain);
    assert_eq!(asked(), 6);
    for turns in 0..60 {
        ask(&cache, &[&game(9, 9, Topology::Plane, turns), &game(8, 9, Topology::Plane, turns)], plain);
    }
    let stats = cache.memory().stats();
    assert!(stats.bytes <= 16 * 4096 && stats.entries < 120, "{stats:?}");
    cache.memory().clear();
    assert_eq!(cache.memory().stats().entries, 0);
}

#[test]
fn whose_advantage_is_none_makes_no_other_question() {
    let cache = CachingEvaluator::new(CountingEvaluator::new(UniformEvaluator::default()), 1 << 20);
    let one = game(9, 9, Topology::Plane, 10);
    for playout_doubling_advantage in [0.0, -0.0] {
        ask(&cache, &[&one], EvalParams { playout_doubling_advantage, ..EvalParams::default() });
    }
    assert_eq!(cache.inner().asked(), 1);
    for playout_doubling_advantage in [1.0, -1.0] {
        ask(&cache, &[&one], EvalParams { playout_doubling_advantage, ..EvalParams::default() });
    }
    assert_eq!(cache.inner().asked(), 3);
}

#[test]
fn another_symmetry_is_another_question_unless_it_is_left_open() {
    let cache = CachingEvaluator::new(CountingEvaluator::new(UniformEvaluator::default()), 1 << 20);
    let asked = || cache.inner().asked();
    let one = game(9, 9, Topology::Plane, 10);
    for any_symmetry in [true, false] {
        for symmetry in Symmetry::ALL {
            ask(&cache, &[&one], EvalParams { symmetry, any_symmetry, ..EvalParams::default() });
        }
        // One answer serves all eight where any will do; where it will not, it is not taken for another's either.
        assert_eq!(asked(), if any_symmetry { 1 } else { 9 });
    }
    for symmetry in Symmetry::ALL {
        ask(&cache, &[&one], EvalParams { symmetry, ..EvalParams::default() });
    }
    assert_eq!(asked(), 9, "each is remembered");
}

#[test]
fn the_same_position_in_another_order_of_moves_is_known() {
    let counting = CountingEvaluator::new(UniformEvaluator::default());
    let cache = CachingEvaluator::new(counting, 1 << 20);
    let play = |moves: [(usize, usize); 4]| {
        let mut game = game(9, 9, Topology::Plane, 0);
        for (x, y) in moves {
            game.play(game.to_play(), Move::Place(Point::new(x, y))).unwrap();
        }
        game
    };
    ask(&cache, &[&play([(2, 2), (6, 6), (2, 6), (6, 2)])], EvalParams::default());
    ask(&cache, &[&play([(2, 6), (6, 2), (2, 2), (6, 6)])], EvalParams::default());
    assert_eq!(cache.memory().stats().hits, 1);
}

#[test]
fn what_is_remembered_waits_in_no_queue() {
    let counting = Arc::new(CountingEvaluator::new(UniformEvaluator::default()));
    let gate = Arc::new(Gate::default());
    let gated = Arc::new(GatedEvaluator::new(Arc::clone(&counting), Arc::clone(&gate)));
    let service = EvalService::new(gated, ServiceOptions { workers: 1, batch: 1, queue: 4 });
    let memory = Arc::new(AnswerMemory::new(1 << 20));
    let of = |priority| CachingEvaluator::sharing(service.handle(priority), Arc::clone(&memory));
    let (live, batch) = (of(Priority::Live), of(Priority::Batch));
    let (known, unknown) = (game(9, 9, Topology::Plane, 10), game(9, 9, Topology::Plane, 11));
    let first = ask(&batch, &[&known], EvalParams::default());
    gate.allow(Some(0));
    let stop = StopFlag::new();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let request = EvalRequest { game: &unknown, params: EvalParams::default() };
            live.evaluate(&[request], &stop)
        });
        // Nothing passes the gate, so an answer can only come from memory: also one that the other end asked for.
        assert_eq!(ask(&live, &[&known], EvalParams::default()), first);
        assert_eq!(ask(&batch, &[&known], EvalParams::default()), first);
        stop.set();
        assert_eq!(waiting.join().unwrap(), Err(EvalError::Cancelled));
    });
    assert_eq!((counting.asked(), memory.stats().hits), (1, 2));
}

#[test]
fn a_turned_position_is_another_question() {
    let cache = CachingEvaluator::new(CountingEvaluator::new(UniformEvaluator::default()), 1 << 20);
    let at = |x, y| {
        let mut game = game(9, 9, Topology::Plane, 0);
        game.play(game.to_play(), Move::Place(Point::new(x, y))).unwrap();
        game
    };
    let params = EvalParams { any_symmetry: true, ..EvalParams::default() };
    for (x, y) in [(2, 3), (3, 2), (6, 3), (2, 3)] {
        ask(&cache, &[&at(x, y)], params);
    }
    assert_eq!(cache.inner().asked(), 3);
}
