//! What a caller may have computed, and what it costs the others.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use honinbo_evaluator::{Allowance, EvalError, EvalParams, EvalRequest, Evaluator, Ration, StopFlag};
use honinbo_rules::{BoardSize, Game, Preset, Setup, Topology};
use honinbo_testkit::UniformEvaluator;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn game() -> Game {
    let setup = Setup::new(BoardSize::NINE, Topology::Plane, Preset::Chinese.ruleset(), Preset::Chinese.komi());
    Game::new(setup).unwrap()
}

fn ask(evaluator: &dyn Evaluator, positions: usize, stop: &StopFlag) -> Result<usize, EvalError> {
    let game = game();
    let requests = vec![EvalRequest { game: &game, params: EvalParams::default() }; positions];
    evaluator.evaluate(&requests, stop).map(|answers| answers.len())
}

#[test]
fn who_has_used_the_share_up_waits_until_there_is_more_and_others_do_not() {
    let seconds = Arc::new(AtomicU64::new(0));
    let clock: Arc<dyn Fn() -> Duration + Send + Sync> = {
        let seconds = Arc::clone(&seconds);
        Arc::new(move || Duration::from_secs(seconds.load(Ordering::SeqCst)))
    };
    let engine: Arc<dyn Evaluator> = Arc::new(UniformEvaluator::default());
    let ration = Ration { burst: 10, per_second: 2 };
    let share = || Allowance::new(ration, Arc::clone(&clock));
    let (anna, ben) = (share(), share());
    // The two ends of one caller share its ration.
    let (live, sweeps) = (anna.of(Arc::clone(&engine)), anna.of(Arc::clone(&engine)));
    let go = StopFlag::new();
    assert_eq!(ask(&live, 4, &go), Ok(4));
    assert_eq!(ask(&sweeps, 7, &go), Ok(7), "what is left is enough to begin with");
    let stopped = StopFlag::new();
    stopped.set();
    assert_eq!(ask(&live, 1, &stopped), Err(EvalError::Cancelled), "nothing is left, and nobody waits in vain");
    assert_eq!(ask(&ben.of(Arc::clone(&engine)), 10, &go), Ok(10), "another one's share is whole");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| ask(&sweeps, 1, &go));
        seconds.store(1, Ordering::SeqCst);
        assert_eq!(waiting.join().unwrap(), Ok(1));
    });
    // A rest fills it, and no further than to the brim.
    seconds.store(1_000_000, Ordering::SeqCst);
    assert_eq!(ask(&live, 10, &go), Ok(10));
    assert_eq!(ask(&live, 1, &stopped), Err(EvalError::Cancelled));
}

#[test]
fn without_a_limit_nobody_waits() {
    let free = Allowance::new(Ration { burst: 0, per_second: 0 }, Arc::new(|| Duration::ZERO));
    let evaluator = free.of(Arc::new(UniformEvaluator::default()));
    for _ in 0..100 {
        assert_eq!(ask(&evaluator, 100, &StopFlag::new()), Ok(100));
    }
}
