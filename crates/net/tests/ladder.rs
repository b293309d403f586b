//! A shortened ladder: who stands a few ranks higher wins clearly more games. The whole one is in
//! docs/experiments/ladder.md.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "each pair is told as it ends")]

use honinbo_testkit::fixtures;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use honinbo_evaluator::{CachingEvaluator, Evaluator, StopFlag};
use honinbo_net::{EvaluatorOptions, LibrarySearch, Runtime, open_network};
use honinbo_players::{Contest, LevelSpec, NetworkSource, Openings, OtherNetwork, OtherNetworks, ReadyNetwork};
use honinbo_rules::{BoardSize, Komi, Ruleset, Setup, Topology};

/// The small network that the ladder was measured with.
const NETWORK: &str = "networks/g170-b6c96-s175395328-d26788732.bin.gz";

/// Those of the levels for beginners, with the step of each.
fn pupil(step: u8) -> String {
    format!("networks/pupils/pupil-{step}.bin.gz")
}

fn network(file: &str) -> Option<Arc<dyn Evaluator>> {
    let runtime = match Runtime::load(&LibrarySearch::new(None, vec![fixtures::resources().join("onnxruntime")])) {
        Ok(runtime) => runtime,
        Err(error) => {
            fixtures::skip(&error.to_string());
            return None;
        }
    };
    let evaluator = open_network(&fixtures::fixture(file), &runtime, EvaluatorOptions::cpu(1), (9, 9)).unwrap();
    Some(Arc::new(CachingEvaluator::new(evaluator, 64 << 20)))
}

/// Games of each pair, half of them with either colour.
const GAMES: u32 = 60;
/// Games that the stronger one must win. Who is 288 points stronger, four ranks, wins fewer once in 10,000 times by
/// chance; who is not stronger at all wins so many once in 70 times.
const NEEDED: u32 = 39;

/// Games of 9x9 that the first of two levels wins.
fn wins(network: &NetworkSource, strong: &str, weak: &str) -> u32 {
    let contest = Contest {
        games: GAMES,
        setup: Setup::new(BoardSize::NINE, Topology::Plane, Ruleset::TROMP_TAYLOR, Komi::from_half_points(15)),
        openings: Openings::Random { moves: 2 },
        seed: 5,
        move_limit: 240,
        within: Duration::from_secs(600),
        clock: None,
        // One after the other: the players keep their random numbers from game to game.
        at_a_time: 1,
    };
    let players = || {
        Ok([(strong, 11), (weak, 12)].map(|(name, seed)| LevelSpec::usual(name).unwrap().player(name, network, seed)))
    };
    let tally = contest
        .run(&players, &StopFlag::new(), &|game| {
            assert!(game.played.outcome.winner().is_some(), "{strong} against {weak}: {:?}", game.played.ending);
            assert_eq!(game.played.stood_in, [0, 0], "{strong} against {weak}: somebody else moved");
        })
        .unwrap();
    assert_eq!(tally.games(), GAMES);
    tally.wins
}

/// Plays each pair, the stronger one first.
fn stronger_ones_win(network: &NetworkSource, pairs: &[(&str, &str)]) {
    let mut too_few = Vec::new();
    for (strong, weak) in pairs {
        let won = wins(network, strong, weak);
        println!("{strong} won {won} of {GAMES} games against {weak}");
        if won < NEEDED {
            too_few.push(format!("{strong} won {won} against {weak}"));
        }
    }
    assert!(too_few.is_empty(), "{NEEDED} of {GAMES} are needed: {too_few:?}");
}

#[test]
fn medium_wins_against_easy() {
    let none: NetworkSource = Arc::new(|| Err("neither of them has a network".into()));
    stronger_ones_win(&none, &[("medium", "easy")]);
}

#[test]
fn two_pupils_up_win_clearly_more_games() {
    let mut pupils: HashMap<u8, Arc<dyn Evaluator>> = HashMap::new();
    for step in 1..=5 {
        let Some(evaluator) = network(&pupil(step)) else { return };
        pupils.insert(step, evaluator);
    }
    let at_hand = Arc::clone(&pupils[&1]);
    let others: OtherNetworks = Arc::new(move |wanted| match wanted {
        OtherNetwork::Pupil(step) => pupils.get(&step).map(Arc::clone),
        OtherNetwork::Human => None,
    });
    let network: NetworkSource = Arc::new(move || {
        let (evaluator, others) = (Arc::clone(&at_hand), Some(Arc::clone(&others)));
        Ok(ReadyNetwork { evaluator, threads: 1, human_style: false, others })
    });
    stronger_ones_win(
        &network,
        &[("pupil_1", "easy"), ("pupil_3", "pupil_1"), ("pupil_4", "pupil_2"), ("pupil_5", "pupil_3")],
    );
}

#[test]
fn four_ranks_up_win_clearly_more_games() {
    if !fixtures::slow_tests() {
        return;
    }
    let Some(evaluator) = network(NETWORK) else { return };
    let network: NetworkSource = Arc::new(move || {
        Ok(ReadyNetwork { evaluator: Arc::clone(&evaluator), threads: 1, human_style: false, others: None })
    });
    stronger_ones_win(
        &network,
        &[
            ("rank_17k", "medium"),
            ("rank_16k", "rank_20k"),
            ("rank_12k", "rank_16k"),
            ("rank_8k", "rank_12k"),
            ("rank_4k", "rank_8k"),
            ("rank_1d", "rank_4k"),
            ("rank_5d", "rank_1d"),
            ("rank_9d", "rank_5d"),
        ],
    );
}
