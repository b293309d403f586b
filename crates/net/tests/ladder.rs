//! A shortened ladder: many steps up win nearly always. The whole one is in docs/experiments/ladder.md.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use honinbo_testkit::fixtures;
use std::sync::Arc;
use std::time::Duration;

use honinbo_evaluator::{CachingEvaluator, Evaluator, StopFlag};
use honinbo_net::{EvaluatorOptions, LibrarySearch, Runtime, open_network};
use honinbo_players::{Contest, LevelSpec, NetworkSource, Openings, ReadyNetwork};
use honinbo_rules::{BoardSize, Komi, Ruleset, Setup, Topology};

/// The small network that the ladder was measured with.
const NETWORK: &str = "networks/g170-b6c96-s175395328-d26788732.bin.gz";

fn network() -> Option<Arc<dyn Evaluator>> {
    let runtime = match Runtime::load(&LibrarySearch::new(None, vec![fixtures::resources().join("onnxruntime")])) {
        Ok(runtime) => runtime,
        Err(error) => {
            fixtures::skip(&error.to_string());
            return None;
        }
    };
    let evaluator = open_network(&fixtures::fixture(NETWORK), &runtime, EvaluatorOptions::cpu(1), (9, 9)).unwrap();
    Some(Arc::new(CachingEvaluator::new(evaluator, 64 << 20)))
}

/// Games of 9x9 that the first of two levels wins.
fn wins(evaluator: &Arc<dyn Evaluator>, strong: &str, weak: &str, games: u32) -> u32 {
    let evaluator = Arc::clone(evaluator);
    let network: NetworkSource = Arc::new(move || {
        Ok(ReadyNetwork { evaluator: Arc::clone(&evaluator), threads: 1, human_style: false, human: None })
    });
    let contest = Contest {
        games,
        setup: Setup::new(BoardSize::NINE, Topology::Plane, Ruleset::TROMP_TAYLOR, Komi::from_half_points(15)),
        openings: Openings::Random { moves: 2 },
        seed: 5,
        move_limit: 240,
        within: Duration::from_secs(600),
        clock: None,
        at_a_time: 1,
    };
    let players = || {
        Ok([(strong, 11), (weak, 12)].map(|(name, seed)| LevelSpec::usual(name).unwrap().player(name, &network, seed)))
    };
    let tally = contest
        .run(&players, &StopFlag::new(), &|game| {
            assert!(game.played.outcome.winner().is_some(), "{strong} against {weak}: {:?}", game.played.ending);
        })
        .unwrap();
    assert_eq!(tally.games(), games);
    tally.wins
}

#[test]
fn many_steps_up_win_nearly_always() {
    if !fixtures::slow_tests() {
        return;
    }
    let Some(evaluator) = network() else { return };
    // Each pair is 1000 points of Elo apart or more: to lose two games of six by chance happens once in 20,000 times.
    for (strong, weak) in [("rank_13k", "easy"), ("rank_8k", "medium"), ("rank_1d", "rank_14k")] {
        let won = wins(&evaluator, strong, weak, 6);
        assert!(won >= 5, "{strong} won {won} of 6 games against {weak}");
    }
}
