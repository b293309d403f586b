//! Many callers and one evaluator.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod common;

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

use common::{ask, game};
use honinbo_evaluator::{
    BatchLimits, EvalError, EvalParams, EvalRequest, EvalService, Evaluation, Evaluator, Priority, ServiceEvaluator,
    ServiceOptions, StopFlag,
};
use honinbo_rules::{Color, Game, Topology};
use honinbo_testkit::{CountingEvaluator, UniformEvaluator};

#[test]
fn one_service_serves_many_callers() {
    let slow = Arc::new(CountingEvaluator::new(UniformEvaluator::slow(Duration::from_millis(2))));
    let service = EvalService::new(slow.clone(), ServiceOptions { workers: 2, batch: 8, queue: 64 });
    let expected = UniformEvaluator::default();
    std::thread::scope(|scope| {
        for caller in 0..8 {
            let handle = service.handle(if caller % 2 == 0 { Priority::Live } else { Priority::Batch });
            let expected = &expected;
            scope.spawn(move || {
                for turns in 0..20 {
                    let games = [game(9, 9, Topology::Plane, turns + caller), game(7, 7, Topology::Plane, turns)];
                    let games: Vec<&Game> = games.iter().collect();
                    assert_eq!(
                        ask(&handle, &games, EvalParams::default()),
                        ask(expected, &games, EvalParams::default())
                    );
                }
            });
        }
    });
    let stats = service.stats();
    assert_eq!((stats.evaluated, stats.waiting, stats.cancelled), (320, 0, 0));
    assert!(stats.batches < 320, "callers share batches: {stats:?}");
}

/// Says which positions it is asked for, and answers when it is told to.
struct Scripted {
    asked: Mutex<Sender<Vec<usize>>>,
    answers: Mutex<Receiver<()>>,
    limits: Mutex<BatchLimits>,
}

impl Scripted {
    fn new(preferred: usize) -> (Arc<Self>, Receiver<Vec<usize>>, Sender<()>) {
        let (asked, seen) = channel();
        let (answer, answers) = channel();
        let limits = Mutex::new(BatchLimits { preferred, max: 8 });
        (Arc::new(Self { asked: Mutex::new(asked), answers: Mutex::new(answers), limits }), seen, answer)
    }
}

impl Evaluator for Scripted {
    fn limits(&self) -> BatchLimits {
        *self.limits.lock().unwrap()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let turns = requests.iter().map(|request| request.game.turns().len()).collect();
        self.asked.lock().unwrap().send(turns).unwrap();
        self.answers.lock().unwrap().recv().unwrap();
        UniformEvaluator::default().evaluate(requests, stop)
    }
}

/// Positions of batch work have this many turns, those of live work others.
const OF_BATCH: usize = 3;

/// Asks for a position so many times, on a thread of its own.
fn ask_aside<'scope>(
    scope: &'scope Scope<'scope, '_>,
    handle: ServiceEvaluator,
    turns: usize,
    times: usize,
    stop: &StopFlag,
) -> ScopedJoinHandle<'scope, Result<Vec<Evaluation>, EvalError>> {
    let stop = stop.clone();
    scope.spawn(move || {
        let game = game(9, 9, Topology::Plane, turns);
        let requests = vec![EvalRequest { game: &game, params: EvalParams::default() }; times];
        handle.evaluate(&requests, &stop)
    })
}

fn wait_for(service: &EvalService, waiting: usize) {
    while service.stats().waiting != waiting {
        std::thread::yield_now();
    }
}

#[test]
fn with_a_full_batch_queue_a_live_question_is_answered_next() {
    let (scripted, asked, answer) = Scripted::new(1);
    let service = EvalService::new(scripted, ServiceOptions { workers: 1, batch: 8, queue: 16 });
    let stop = StopFlag::new();
    std::thread::scope(|scope| {
        let background = ask_aside(scope, service.handle(Priority::Batch), OF_BATCH, 1000, &stop);
        // One batch is under way, and the queue is full: its caller waits until there is room for more.
        assert!(asked.recv().unwrap().iter().all(|&turns| turns == OF_BATCH));
        wait_for(&service, 16);
        let live = ask_aside(scope, service.handle(Priority::Live), 5, 1, &stop);
        wait_for(&service, 17);
        answer.send(()).unwrap();
        assert_eq!(asked.recv().unwrap(), [5], "the live question is next, and alone");
        answer.send(()).unwrap();
        assert_eq!(live.join().unwrap().unwrap().len(), 1);
        assert!(asked.recv().unwrap().iter().all(|&turns| turns == OF_BATCH));
        // Whoever stops leaves the queue.
        stop.set();
        answer.send(()).unwrap();
        assert_eq!(background.join().unwrap(), Err(EvalError::Cancelled));
    });
    let stats = service.stats();
    assert_eq!(stats.waiting, 0);
    assert!(stats.cancelled > 0, "{stats:?}");
}

#[test]
fn a_device_that_likes_batches_has_them_filled_up() {
    let (scripted, asked, answer) = Scripted::new(8);
    let service = EvalService::new(scripted, ServiceOptions { workers: 1, batch: 8, queue: 64 });
    let stop = StopFlag::new();
    std::thread::scope(|scope| {
        let background = ask_aside(scope, service.handle(Priority::Batch), OF_BATCH, 64, &stop);
        let first = asked.recv().unwrap().len();
        wait_for(&service, 64 - first);
        let live = ask_aside(scope, service.handle(Priority::Live), 5, 2, &stop);
        wait_for(&service, 66 - first);
        answer.send(()).unwrap();
        assert_eq!(asked.recv().unwrap(), [[5; 2].as_slice(), &[OF_BATCH; 6]].concat());
        for _ in 0..64 {
            answer.send(()).unwrap();
        }
        live.join().unwrap().unwrap();
        background.join().unwrap().unwrap();
    });
}

#[test]
fn a_device_that_likes_smaller_batches_from_now_on_gets_them() {
    let (scripted, asked, answer) = Scripted::new(8);
    let service = EvalService::new(scripted.clone(), ServiceOptions { workers: 1, batch: 8, queue: 64 });
    let stop = StopFlag::new();
    std::thread::scope(|scope| {
        let background = ask_aside(scope, service.handle(Priority::Batch), OF_BATCH, 40, &stop);
        let first = asked.recv().unwrap().len();
        wait_for(&service, 40 - first);
        *scripted.limits.lock().unwrap() = BatchLimits { preferred: 2, max: 2 };
        answer.send(()).unwrap();
        assert_eq!(asked.recv().unwrap(), [OF_BATCH; 2]);
        let live = ask_aside(scope, service.handle(Priority::Live), 5, 1, &stop);
        wait_for(&service, 40 - first - 2 + 1);
        answer.send(()).unwrap();
        assert_eq!(asked.recv().unwrap(), [5, OF_BATCH]);
        for _ in 0..40 {
            answer.send(()).unwrap();
        }
        live.join().unwrap().unwrap();
        background.join().unwrap().unwrap();
    });
}

#[test]
fn batch_work_goes_on_however_much_live_work_there_is() {
    let (scripted, asked, answer) = Scripted::new(1);
    let service = EvalService::new(scripted, ServiceOptions { workers: 1, batch: 1, queue: 64 });
    let stop = StopFlag::new();
    std::thread::scope(|scope| {
        let live = ask_aside(scope, service.handle(Priority::Live), 5, 40, &stop);
        assert_eq!(asked.recv().unwrap(), [5]);
        let background = ask_aside(scope, service.handle(Priority::Batch), OF_BATCH, 2, &stop);
        wait_for(&service, 41);
        for _ in 0..40 {
            answer.send(()).unwrap();
        }
        live.join().unwrap().unwrap();
        background.join().unwrap().unwrap();
        // Eight turns of live work alone, then one with a position of batch work, twice.
        let turns: Vec<Vec<usize>> = asked.try_iter().collect();
        let with_batch: Vec<usize> = (0..turns.len()).filter(|&at| turns[at].contains(&OF_BATCH)).collect();
        assert_eq!(with_batch, [8, 17]);
        assert!(turns.iter().all(|turn| turn.contains(&5)));
    });
}

#[test]
fn a_closed_service_says_so() {
    let service = EvalService::new(Arc::new(UniformEvaluator::default()), ServiceOptions::for_sessions(1, 4));
    let handle = service.handle(Priority::Live);
    drop(service);
    let game = game(5, 5, Topology::Plane, 0);
    let request = EvalRequest { game: &game, params: EvalParams::default() };
    assert_eq!(handle.evaluate(&[request], &StopFlag::new()), Err(EvalError::Closed));
}

#[test]
fn a_service_goes_on_for_whoever_keeps_it_until_it_is_closed() {
    let service = EvalService::new(Arc::new(UniformEvaluator::default()), ServiceOptions::for_sessions(1, 4));
    let service = Arc::new(service);
    let live = service.lasting_handle(Priority::Live);
    let batch = service.lasting_handle(Priority::Batch);
    let service = {
        let kept = Arc::downgrade(&service);
        drop(service);
        kept
    };
    let game = game(5, 5, Topology::Plane, 0);
    let request = EvalRequest { game: &game, params: EvalParams::default() };
    assert_eq!(ask(&live, &[&game], EvalParams::default()).len(), 1);
    drop(live);
    assert_eq!(ask(&batch, &[&game], EvalParams::default()).len(), 1);
    service.upgrade().unwrap().close();
    assert_eq!(batch.evaluate(&[request], &StopFlag::new()), Err(EvalError::Closed));
    drop(batch);
    assert!(service.upgrade().is_none(), "its last user is gone");
}

/// Panics on boards with stones on them.
struct Fragile;

impl Evaluator for Fragile {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 4, max: 4 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        assert!(requests.iter().all(|request| request.game.board().count(Color::Black) == 0), "broken");
        UniformEvaluator::default().evaluate(requests, stop)
    }
}

#[test]
fn one_callers_bad_position_does_not_fail_the_others() {
    let service = EvalService::new(Arc::new(Fragile), ServiceOptions { workers: 1, batch: 8, queue: 100 });
    let (good, bad) = (game(5, 5, Topology::Plane, 0), game(5, 5, Topology::Plane, 4));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let (good_handle, bad_handle) = (service.handle(Priority::Live), service.handle(Priority::Live));
            let (good, bad) = (&good, &bad);
            scope.spawn(move || {
                for _ in 0..5 {
                    assert_eq!(ask(&good_handle, &[good], EvalParams::default()).len(), 1);
                }
            });
            scope.spawn(move || {
                for _ in 0..5 {
                    let request = EvalRequest { game: bad, params: EvalParams::default() };
                    let error = bad_handle.evaluate(&[request], &StopFlag::new()).unwrap_err();
                    assert!(matches!(error, EvalError::Device { .. }));
                }
            });
        }
    });
}
