//! Searches that KataGo made, repeated with the same networks.
//!
//! Needs ONNX Runtime in `HONINBO_ONNXRUNTIME` or among the resources, and for the default network that too.
//! Short searches are always compared, all of them with `HONINBO_SLOW_TESTS=1`.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may")]

#[path = "common/network.rs"]
mod network;

use std::io::Read;

use honinbo_evaluator::StopFlag;
use honinbo_net::{Limits, NetworkFile};
use honinbo_rules::{BoardSize, Game, Komi, Move, Preset, Setup, Topology};
use honinbo_search::check::check_recorded_searches;
use honinbo_search::{HumanEvaluator, HumanParams, HumanShare, ReportOptions, Search, SearchLimits, SearchParams};
use honinbo_testkit::fixtures;
use network::evaluator;

fn check(network: &str) {
    let file = std::fs::File::open(fixtures::fixture(&format!("golden/search/{network}.jsonl.gz"))).unwrap();
    let Some(evaluator) = evaluator(network) else { return };
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let everything = fixtures::are_slow_tests_on();
    let lines = text.lines().filter(|line| {
        everything
            || (line.contains("\"max_visits\":50,") || line.contains("\"max_visits\":10,"))
                && line.contains("\"size\":9,")
    });
    let report = check_recorded_searches(&evaluator, lines, &StopFlag::new(), |_| {}).unwrap();
    eprintln!("{network}: {} of {} with the same visits", report.same_visits, report.searches);
    eprintln!("{:?}", report.largest);
    for different in report.different.iter().chain(&report.different_variations) {
        eprintln!(
            "line {}: {}\n  KataGo {}\n  here   {}",
            different.line, different.what, different.expected, different.found
        );
    }
    assert!(report.passes(), "{network}: {} of {} agree, {:?}", report.same_visits, report.searches, report.largest);
}

#[test]
fn a_small_convolutional_network_searches_as_katago() {
    check("g170-b6c96-s175395328-d26788732");
}

#[test]
fn a_small_transformer_network_searches_as_katago() {
    check("b7c96h3tfrs-test5-cnorm");
}

#[test]
fn the_default_network_searches_as_katago() {
    if !fixtures::slow_tests() {
        return;
    }
    check("b10c384h6nbttflrs");
}

/// Visits that are left of the last search, the move played, and visits of some root moves.
type ReusedMove = (u64, &'static str, &'static [(&'static str, u64)]);

/// Eight moves of a game in which each search begins with what the one before left of the tree.
const REUSED: [ReusedMove; 8] = [
    (0, "D4", &[("D4", 56), ("D7", 2), ("E7", 1)]),
    (56, "D7", &[("D7", 47), ("E7", 11), ("D6", 1)]),
    (47, "C7", &[("C7", 51)]),
    (51, "E4", &[("E4", 36), ("D5", 21)]),
    (36, "D3", &[("D3", 57)]),
    (57, "D6", &[("D6", 52)]),
    (52, "C8", &[("C8", 20), ("D5", 30)]),
    (20, "E3", &[]),
];

#[test]
fn a_kept_tree_goes_on_as_in_katago() {
    let Some(evaluator) = evaluator("b7c96h3tfrs-test5-cnorm") else { return };
    let size = BoardSize::NINE;
    let setup = Setup::new(size, Topology::Plane, Preset::TrompTaylor.ruleset(), Komi::from_points(7.0).unwrap());
    let mut game = Game::new(setup).unwrap();
    for vertex in ["E5", "C6", "G4"] {
        game.play(game.to_play(), Move::from_gtp(vertex, size).unwrap()).unwrap();
    }
    let params = SearchParams {
        randomize_symmetry: false,
        chosen_move_temperature: 0.0,
        chosen_move_temperature_early: 0.0,
        ..SearchParams::play()
    };
    let search = Search::new(evaluator, game, params, 0).unwrap();
    for (turn, (left, played, visits)) in REUSED.into_iter().enumerate() {
        assert_eq!(search.root_visits(), left, "visits before move {turn}");
        search.run(&SearchLimits { max_visits: 60, ..SearchLimits::default() }, &StopFlag::new()).unwrap();
        let report = search.report(&ReportOptions::default()).unwrap();
        for (vertex, visits) in visits {
            let candidate = report.candidates.iter().find(|candidate| candidate.mv.to_gtp(size) == *vertex);
            assert_eq!(candidate.map(|candidate| candidate.visits), Some(*visits), "{vertex} at move {turn}");
        }
        let chosen = search.choose_move().unwrap();
        assert_eq!(chosen.to_gtp(size), played, "move {turn}");
        search.advance(chosen).unwrap();
    }
}

#[test]
fn a_network_of_human_style_leads_and_chooses_as_in_katago() {
    let Some(evaluator) = evaluator("b7c96h3tfrs-test5-cnorm") else { return };
    let human = NetworkFile::from_bytes("human.bin.gz", &fixtures::human_style(), &Limits::default()).unwrap();
    let human = network::opened(human).expect("the runtime was there a moment ago");
    // Move, visits, visits of its edge, and the value that the choice goes by, as KataGo 1.17.2 answered `analysis
    // -model b7c96h3tfrs-test5-cnorm -human-model synthetic-meta` for 100 visits and the profile rank_5k, where the
    // second is `fixtures::human_style`. Probabilities are zero or one, so that nothing is drawn.
    let always = |weightless, weightful| HumanShare { weightless, weightful };
    let recorded = [
        (
            HumanParams {
                at_root: always(0.0, 1.0),
                cpuct_exploration: 0.5,
                cpuct_permanent: 0.2,
                ..HumanParams::default()
            },
            "D4:63/63:42.8247 D7:7/7:4.0000 E7:1/1:1.0000 G5:8/8:0.0000 E6:4/4:0.0000 F4:3/3:0.0000 D5:2/2:0.0000 C4:2/2:0.0000 G3:1/1:0.0000 D3:1/1:0.0000 F7:1/1:0.0000 G6:1/1:0.0000 F5:1/1:0.0000 G7:1/1:0.0000 F3:1/1:0.0000 D6:1/1:0.0000 F6:1/1:0.0000",
        ),
        (
            HumanParams { for_player: always(0.0, 1.0), cpuct_permanent: 1.0, ..HumanParams::default() },
            "D7:47/47:26.3748 D4:25/25:11.0000 E7:18/18:7.0000 D5:2/2:1.0000 G5:1/1:1.0000 C4:3/3:0.0000 G3:2/2:0.0000 D3:1/1:0.0000",
        ),
        (
            HumanParams { for_opponent: always(0.0, 1.0), ..HumanParams::default() },
            "D4:82/82:52.4255 D7:14/14:8.0000 E7:1/1:1.0000 D5:1/1:0.0000 G5:1/1:0.0000",
        ),
        (HumanParams { for_player: always(1.0, 0.0), ..HumanParams::default() }, "D4:2/2:1.6213"),
        (
            HumanParams { at_root: always(1.0, 0.0), cpuct_permanent: 2.0, ..HumanParams::default() },
            "D4:6/0:1.0000 D7:9/0:0.3527 E7:6/0:0.2902 D5:6/0:0.1195 G5:18/0:0.1192 C4:4/0:0.0772 G3:3/0:0.0651 D3:1/0:0.0636 E6:9/0:0.0568 F7:5/0:0.0227 C3:1/0:0.0000 F4:11/0:0.0000 G6:1/0:0.0000 F5:6/0:0.0000 G7:6/0:0.0000 F3:3/0:0.0000 D6:2/0:0.0000 F6:2/0:0.0000",
        ),
        (
            HumanParams {
                chosen_move_prop: 1.0,
                chosen_move_ignore_pass: true,
                chosen_move_pikl_lambda: 0.08,
                ..HumanParams::default()
            },
            "D4:86/86:40.8764 D7:8/8:13.7467 C4:1/1:9.3221 E7:2/2:0.7460 D5:1/1:0.4751 G5:1/1:0.1674",
        ),
    ];
    let size = BoardSize::NINE;
    let setup = Setup::new(size, Topology::Plane, Preset::TrompTaylor.ruleset(), Komi::from_points(7.0).unwrap());
    let mut game = Game::new(setup).unwrap();
    for vertex in ["E5", "C6", "G4"] {
        game.play(game.to_play(), Move::from_gtp(vertex, size).unwrap()).unwrap();
    }
    for (settings, expected) in recorded {
        let params =
            SearchParams { profile: "rank_5k".parse().ok(), human: settings, ..SearchParams::deterministic_analysis() };
        let human = HumanEvaluator { evaluator: human.clone(), needs_profile: true };
        let search = Search::new(evaluator.clone(), game.clone(), params, 0).unwrap().with_human(Some(human));
        search.run(&SearchLimits { max_visits: 100, ..SearchLimits::default() }, &StopFlag::new()).unwrap();
        let report = search.report(&ReportOptions::default()).unwrap();
        assert!(report.human.is_some());
        let expected: Vec<&str> = expected.split(' ').collect();
        assert_eq!(report.candidates.len(), expected.len(), "{settings:?}");
        for entry in expected {
            let parts: Vec<&str> = entry.split([':', '/']).collect();
            let candidate = report.candidates.iter().find(|candidate| candidate.mv.to_gtp(size) == parts[0]).unwrap();
            let found = [candidate.visits, candidate.edge_visits].map(|count| count.to_string());
            assert_eq!(found, [parts[1], parts[2]], "{entry} with {settings:?}");
            let value: f64 = parts[3].parse().unwrap();
            let difference = (candidate.play_selection_value - value).abs();
            assert!(difference < 1e-3 * value.max(1.0), "{entry}, not {}", candidate.play_selection_value);
        }
    }
}
