//! Evaluators on made-up networks: sizes, batches, symmetries, edges, wrappers. Needs ONNX Runtime.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test ends at the first surprise and says what it skips"
)]

mod common;

use std::sync::{Arc, Barrier};

use honinbo_evaluator::{EvalError, EvalParams, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_net::onnx::{GraphError, GraphOptions, Precision, to_onnx, to_onnx_int8};
use honinbo_net::{
    CalibrationError, EvaluatorOptions, Limits, ModelCache, NetworkFile, OrtEvaluator, Runtime, calibrate,
};
use honinbo_rules::{
    BoardSize, Color, Game, Komi, Move, Phase, Point, Preset, Ruleset, Scoring, Setup, Symmetry, Tax, Topology,
};
use honinbo_testkit::{TinyNetwork, fixtures};

fn network(tiny: &TinyNetwork) -> Arc<NetworkFile> {
    Arc::new(NetworkFile::from_bytes("tiny.txt", tiny.to_text().as_bytes(), &Limits::default()).unwrap())
}

fn evaluator(runtime: &Runtime, tiny: &TinyNetwork) -> OrtEvaluator {
    OrtEvaluator::new(runtime.clone(), network(tiny), EvaluatorOptions::cpu(2))
}

/// A game of `turns` moves that look random and are always the same.
fn game(width: usize, height: usize, topology: Topology, turns: usize) -> Game {
    let size = BoardSize::new(width, height).unwrap();
    let preset = Preset::TrompTaylor;
    let mut game = Game::new(Setup::new(size, topology, preset.ruleset(), preset.komi())).unwrap();
    for turn in 0..turns {
        let legal: Vec<Point> = game.legal_points().collect();
        game.play(game.to_play(), Move::Place(legal[(turn * 7919 + 13) % legal.len()])).unwrap();
    }
    game
}

fn params() -> EvalParams {
    EvalParams { include_ownership: true, profile: "rank_3k".parse().ok(), ..EvalParams::default() }
}

fn ask(evaluator: &dyn Evaluator, games: &[&Game], params: EvalParams) -> Vec<Evaluation> {
    let requests: Vec<EvalRequest<'_>> = games.iter().map(|game| EvalRequest { game, params }).collect();
    evaluator.evaluate(&requests, &StopFlag::new()).unwrap()
}

fn assert_close(a: &Evaluation, b: &Evaluation, what: &str) {
    let pairs = [
        (a.white_win, b.white_win),
        (a.white_loss, b.white_loss),
        (a.white_lead / 20.0, b.white_lead / 20.0),
        (a.white_score_mean / 20.0, b.white_score_mean / 20.0),
    ];
    let (ownership_a, ownership_b) = (a.white_ownership.as_ref().unwrap(), b.white_ownership.as_ref().unwrap());
    let all = pairs.into_iter().chain(a.policy.iter().copied().zip(b.policy.iter().copied()));
    for (a, b) in all.chain(ownership_a.iter().copied().zip(ownership_b.iter().copied())) {
        assert!((a - b).abs() < 2e-5, "{what}: {a} is not {b}");
    }
}

fn kinds() -> Vec<TinyNetwork> {
    let mut kinds: Vec<TinyNetwork> = (8..=17).map(TinyNetwork::convolutional).collect();
    kinds.push(TinyNetwork::transformer());
    kinds.push(TinyNetwork { meta: true, ..TinyNetwork::convolutional(15) });
    kinds.push(TinyNetwork { activation: "ACTIVATION_IDENTITY", ..TinyNetwork::convolutional(13) });
    kinds
}

#[test]
fn alone_in_a_batch_and_in_a_larger_buffer_the_answer_is_the_same() {
    let Some(runtime) = common::runtime() else { return };
    for tiny in kinds() {
        let exact = evaluator(&runtime, &tiny);
        let games: Vec<Game> = [(9, 9, 20), (5, 7, 9), (9, 9, 33), (13, 13, 40), (2, 2, 1)]
            .map(|(w, h, turns)| game(w, h, Topology::Plane, turns))
            .into();
        let all = ask(&exact, &games.iter().collect::<Vec<_>>(), params());
        let options = EvaluatorOptions { buffer: Some((13, 14)), ..EvaluatorOptions::cpu(1) };
        let masked = OrtEvaluator::new(runtime.clone(), network(&tiny), options);
        let mixed = ask(&masked, &games.iter().collect::<Vec<_>>(), params());
        for ((game, together), in_buffer) in games.iter().zip(&all).zip(&mixed) {
            let what = format!("version {} {:?} {}", tiny.version, tiny.blocks[0], game.board().size());
            assert_close(&ask(&exact, &[game], params())[0], together, &what);
            assert_close(in_buffer, together, &format!("{what} in a buffer of 13x14"));
            assert!(together.policy.iter().all(|&p| p == -1.0 || (0.0..=1.0).contains(&p)));
            let sum: f32 = together.policy.iter().filter(|&&p| p >= 0.0).sum();
            assert!((sum - 1.0).abs() < 1e-4);
        }
    }
}

/// The library keeps a list of operator sets for the whole process and does not guard it: the first sessions of a
/// process, built at the same moment, must not find each other at it.
#[test]
fn the_first_sessions_may_be_built_at_once() {
    let Some(runtime) = common::runtime() else { return };
    let tiny = TinyNetwork::convolutional(8);
    let game = game(9, 9, Topology::Plane, 5);
    let together = Barrier::new(16);
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                let own_kernels = EvaluatorOptions { own_kernels: true, ..EvaluatorOptions::cpu(1) };
                let evaluator = OrtEvaluator::new(runtime.clone(), network(&tiny), own_kernels);
                together.wait();
                ask(&evaluator, &[&game], params());
            });
        }
    });
}

#[test]
fn own_kernels_answer_as_the_library_does() {
    let Some(runtime) = common::runtime() else { return };
    for tiny in kinds() {
        let plain = EvaluatorOptions { own_kernels: false, ..EvaluatorOptions::cpu(1) };
        let plain = OrtEvaluator::new(runtime.clone(), network(&tiny), plain);
        let options = EvaluatorOptions { own_kernels: true, ..EvaluatorOptions::cpu(1) };
        let own = OrtEvaluator::new(runtime.clone(), network(&tiny), options);
        for (width, height, turns) in [(9, 9, 20), (5, 7, 9), (2, 2, 1)] {
            let board = game(width, height, Topology::Plane, turns);
            let what = format!("version {} {:?} {width}x{height}", tiny.version, tiny.blocks[0]);
            assert_close(&ask(&own, &[&board], params())[0], &ask(&plain, &[&board], params())[0], &what);
        }
    }
}

#[test]
fn eight_bits_answer_nearly_as_thirty_two_do() {
    let Some(runtime) = common::runtime() else { return };
    let folder = tempfile::tempdir().unwrap();
    let kinds = [
        TinyNetwork::convolutional(8),
        TinyNetwork::convolutional(14),
        TinyNetwork::transformer(),
        TinyNetwork { meta: true, ..TinyNetwork::convolutional(15) },
    ];
    for tiny in kinds {
        let eight = EvaluatorOptions { precision: Precision::Int8, ..EvaluatorOptions::cpu(1) };
        // The second evaluator finds in the folder what the first one measured.
        let kept = EvaluatorOptions { cache: Some(ModelCache::new(folder.path().into())), ..eight.clone() };
        let exact = evaluator(&runtime, &tiny);
        let narrow = OrtEvaluator::new(runtime.clone(), network(&tiny), kept.clone());
        let buffered = EvaluatorOptions { buffer: Some((10, 11)), ..kept };
        let buffered = OrtEvaluator::new(runtime.clone(), network(&tiny), buffered);
        assert!(exact.uses_own_kernels() == EvaluatorOptions::cpu(1).own_kernels && !narrow.uses_own_kernels());
        for (topology, width, height, turns) in
            [(Topology::Plane, 9, 9, 20), (Topology::Plane, 5, 7, 9), (Topology::Torus, 7, 7, 12)]
        {
            let what = format!("version {} {:?} {topology:?} {width}x{height}", tiny.version, tiny.blocks[0]);
            let board = game(width, height, topology, turns);
            let asked = |evaluator: &OrtEvaluator| {
                evaluator.evaluate(&[EvalRequest { game: &board, params: params() }], &StopFlag::new())
            };
            let Ok(expected) = asked(&exact) else {
                assert!(topology == Topology::Torus && asked(&narrow).is_err(), "{what}");
                continue;
            };
            for evaluator in [&narrow, &buffered] {
                let found = asked(evaluator).unwrap();
                let legal = expected[0].policy.iter().filter(|share| **share >= 0.0).count() as f32;
                let pairs = || found[0].policy.iter().zip(&expected[0].policy).filter(|pair| *pair.1 >= 0.0);
                let error: f32 = pairs().map(|(narrow, exact)| (narrow - exact).abs()).sum();
                // What the network says at all: how far it is from calling all moves the same.
                let said: f32 = pairs().map(|(_, exact)| (exact - 1.0 / legal).abs()).sum();
                assert!(error > 0.0, "{what}: these are 32 bits");
                assert!(error < (0.5 * said).max(0.1), "{what}: policies are {error} apart and say {said}");
                assert!((found[0].white_win - expected[0].white_win).abs() < 0.1, "{what}");
            }
        }
    }
}

#[test]
fn a_graph_of_eight_bits_belongs_to_its_own_network() {
    let Some(runtime) = common::runtime() else { return };
    let (small, large) = (network(&TinyNetwork::convolutional(8)), network(&TinyNetwork::transformer()));
    let options = GraphOptions { precision: Precision::Int8, ..GraphOptions::exact(9, 9) };
    let calibration = calibrate(&runtime, &small, 1, &StopFlag::new()).unwrap();
    assert!(to_onnx_int8(&small.model, &options, &calibration).is_ok());
    assert!(matches!(to_onnx_int8(&large.model, &options, &calibration), Err(GraphError::NotCalibrated { .. })));
    assert!(matches!(to_onnx(&small.model, &options), Err(GraphError::NotCalibrated { .. })));
    let stop = StopFlag::new();
    stop.set();
    let stopped = calibrate(&runtime, &small, 1, &stop).unwrap_err();
    assert_eq!(stopped, CalibrationError::Evaluation(EvalError::Cancelled));
}

#[test]
fn turning_the_board_and_turning_the_look_are_the_same() {
    let Some(runtime) = common::runtime() else { return };
    let evaluator = evaluator(&runtime, &TinyNetwork::convolutional(14));
    let size = BoardSize::square(7).unwrap();
    let moves = [(1, 1), (5, 2), (2, 4), (4, 4), (3, 0)];
    for (topology, symmetry) in Topology::ALL.into_iter().flat_map(|it| Symmetry::ALL.map(|symmetry| (it, symmetry))) {
        // One axis alone of a cylinder is joined, so nothing exchanges the two.
        let kept = if topology == Topology::Cylinder { symmetry.number() & 3 } else { symmetry.number() };
        let turn = |point: Point| Symmetry::ALL[kept].apply(point, size);
        let (mut plain, mut turned) = (game(7, 7, topology, 0), game(7, 7, topology, 0));
        for (x, y) in moves {
            let point = Point::new(x, y);
            plain.play(plain.to_play(), Move::Place(point)).unwrap();
            turned.play(turned.to_play(), Move::Place(turn(point))).unwrap();
        }
        let looked = &ask(&evaluator, &[&plain], EvalParams { symmetry, ..params() })[0];
        let found = &ask(&evaluator, &[&turned], params())[0];
        let what = format!("{topology:?}, symmetry {}", symmetry.number());
        assert!((looked.white_win - found.white_win).abs() < 1e-5, "{what}");
        for point in Point::all(size) {
            let (a, b) = (looked.policy[point.index(size)], found.policy[turn(point).index(size)]);
            assert!((a - b).abs() < 1e-5, "{what} at {}", point.to_gtp(size));
        }
    }
}

#[test]
fn on_a_torus_the_answer_moves_with_the_stones() {
    let Some(runtime) = common::runtime() else { return };
    let evaluator = evaluator(&runtime, &TinyNetwork::convolutional(8));
    for (topology, width, height) in [(Topology::Torus, 7, 6), (Topology::Cylinder, 6, 5)] {
        let size = BoardSize::new(width, height).unwrap();
        let moves = [(0, 0), (3, 2), (1, 4), (5, 1), (5, 4)];
        let shifted = |dx: usize, dy: usize| {
            let mut game = game(width, height, topology, 0);
            for (x, y) in moves {
                game.play(game.to_play(), Move::Place(Point::new((x + dx) % width, (y + dy) % height))).unwrap();
            }
            game
        };
        let base = ask(&evaluator, &[&shifted(0, 0)], params()).remove(0);
        let mut plane_differs = false;
        for dx in 0..width {
            for dy in 0..if topology == Topology::Torus { height } else { 1 } {
                let moved = ask(&evaluator, &[&shifted(dx, dy)], params()).remove(0);
                assert!((moved.white_win - base.white_win).abs() < 1e-5, "{topology:?} by {dx}, {dy}");
                for point in Point::all(size) {
                    let to = Point::new((point.x() + dx) % width, (point.y() + dy) % height).index(size);
                    assert!(
                        (moved.policy[to] - base.policy[point.index(size)]).abs() < 1e-5,
                        "{topology:?} {dx}, {dy}"
                    );
                    let own = |e: &Evaluation, at: usize| e.white_ownership.as_ref().unwrap()[at];
                    assert!((own(&moved, to) - own(&base, point.index(size))).abs() < 1e-5);
                }
                // With ordinary edges the same shift does change the answer: the test can fail.
                let mut flat = game(width, height, Topology::Plane, 0);
                for (x, y) in moves {
                    let point = Point::new((x + dx) % width, (y + dy) % height);
                    flat.play(flat.to_play(), Move::Place(point)).unwrap();
                }
                let flat = ask(&evaluator, &[&flat], params()).remove(0);
                plane_differs |= (flat.white_win - base.white_win).abs() > 1e-4;
            }
        }
        assert!(plane_differs);
    }
}

#[test]
fn a_transformer_says_why_it_cannot_play_on_a_torus() {
    let Some(runtime) = common::runtime() else { return };
    let evaluator = evaluator(&runtime, &TinyNetwork::transformer());
    let game = game(7, 7, Topology::Torus, 0);
    let request = EvalRequest { game: &game, params: params() };
    let error = evaluator.evaluate(&[request], &StopFlag::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "tiny-v17 cannot evaluate this position: tiny-v17 is a transformer network: its positions have coordinates, which \
         do not wrap around, so it cannot play on a torus or cylinder"
    );
    assert!(evaluator.prepare(7, 7, Topology::Torus).is_err());
}

#[test]
fn parameters_out_of_range_and_missing_profiles_are_refused() {
    let Some(runtime) = common::runtime() else { return };
    let plain = evaluator(&runtime, &TinyNetwork::convolutional(8));
    let game = game(5, 5, Topology::Plane, 0);
    let refused = |evaluator: &OrtEvaluator, params| {
        evaluator.evaluate(&[EvalRequest { game: &game, params }], &StopFlag::new()).unwrap_err().to_string()
    };
    let zero = EvalParams { policy_temperature: 0.0, ..params() };
    assert_eq!(refused(&plain, zero), "policy temperature is 0, expected a positive number");
    let two = EvalParams { policy_optimism: 2.0, ..params() };
    assert_eq!(refused(&plain, two), "policy optimism is 2, expected 0 to 1");
    let human = evaluator(&runtime, &TinyNetwork { meta: true, ..TinyNetwork::convolutional(15) });
    let nobody = EvalParams { profile: None, ..params() };
    assert!(refused(&human, nobody).contains("must be told which, such as rank_5k"));
}

#[test]
fn profiles_change_what_a_human_style_network_says() {
    let Some(runtime) = common::runtime() else { return };
    let human = evaluator(&runtime, &TinyNetwork { meta: true, ..TinyNetwork::convolutional(15) });
    let game = game(9, 9, Topology::Plane, 6);
    let of = |name: &str| ask(&human, &[&game], EvalParams { profile: name.parse().ok(), ..params() }).remove(0);
    assert_ne!(of("rank_20k").policy, of("rank_9d").policy);
    assert_eq!(of("rank_5k"), of("rank_5k_5k"));
}

/// The stone at the top right of White is in atari, and would have to be connected on White's own point.
const ATARI: [&str; 4] = [".O.OX", "OOOXX", "XXXX.", ".X.XX"];

/// What KataGo 1.18.1 answered (`kata-raw-nn 0` after `set_position` and four passes, `preventCleanupPhase=false`), with
/// `excludeTerritoryAdjacentToAtari` and without: win, loss, lead, and the policy at C4, E2 and pass.
const RECORDED: [(bool, [f32; 6]); 2] = [
    (true, [0.062_843, 0.937_141, -11.292, 0.712_906, 0.090_025, 0.072_506]),
    (false, [0.069_927, 0.930_056, -11.106, 0.717_439, 0.089_749, 0.063_325]),
];

#[test]
fn territory_beside_a_chain_in_atari_is_shown_or_hidden_as_in_katago() {
    let Some(runtime) = common::runtime() else { return };
    let path = fixtures::fixture("networks/g170-b6c96-s175395328-d26788732.bin.gz");
    let file = NetworkFile::open(&path, &Limits::default()).unwrap();
    let evaluator = OrtEvaluator::new(runtime, Arc::new(file), EvaluatorOptions::cpu(1));
    let size = BoardSize::new(5, 4).unwrap();
    let ruleset = Ruleset {
        scoring: Scoring::Territory,
        tax: Tax::None,
        multi_stone_suicide: false,
        ..Preset::Japanese.ruleset()
    };
    let stones = ATARI.iter().enumerate().flat_map(|(y, row)| {
        row.char_indices().filter_map(move |(x, stone)| match stone {
            'X' => Some((Point::new(x, y), Color::Black)),
            'O' => Some((Point::new(x, y), Color::White)),
            _ => None,
        })
    });
    let setup = Setup {
        stones: stones.collect(),
        ..Setup::new(size, Topology::Plane, ruleset, Komi::from_points(0.5).unwrap())
    };
    let mut game = Game::new(setup).unwrap();
    game.set_prevent_clean_up(false);
    for _ in 0..4 {
        game.play(game.to_play(), Move::Pass).unwrap();
    }
    assert_eq!(game.phase(), Phase::CleanUp2);
    for (exclude, expected) in RECORDED {
        let params = EvalParams { exclude_beside_atari: Some(exclude), ..EvalParams::default() };
        let answer = ask(&evaluator, &[&game], params).remove(0);
        let policy = &answer.policy;
        let found = [answer.white_win, answer.white_loss, answer.white_lead, policy[2], policy[14], policy[20]];
        for (index, (found, expected)) in found.into_iter().zip(expected).enumerate() {
            let tolerance = if index == 2 { 2e-3 } else { 2e-5 };
            assert!((found - expected).abs() <= tolerance, "{exclude}, {index}: {found} is not {expected}");
        }
    }
}

#[test]
fn a_header_may_ask_for_no_territory_beside_a_chain_in_atari() {
    let plain = TinyNetwork::convolutional(15);
    let asking = TinyNetwork { exclude_beside_atari: true, ..plain.clone() };
    assert!(!network(&plain).model.exclude_beside_atari && network(&asking).model.exclude_beside_atari);
    // The third option of the header, after those for profiles and for pass-alive areas.
    let header = "150.0\n0\n0\n1\n";
    let unknown = asking.to_text().replacen(header, "150.0\n0\n0\n2\n", 1);
    let error = NetworkFile::from_bytes("tiny.txt", unknown.as_bytes(), &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("territory beside atari"), "{error}");
}

#[test]
fn a_set_flag_stops_everything() {
    let Some(runtime) = common::runtime() else { return };
    let evaluator = evaluator(&runtime, &TinyNetwork::convolutional(8));
    let game = game(5, 5, Topology::Plane, 0);
    let stop = StopFlag::new();
    stop.set();
    let request = EvalRequest { game: &game, params: params() };
    assert_eq!(evaluator.evaluate(&[request], &stop), Err(EvalError::Cancelled));
}

#[test]
fn optimised_graphs_come_back_from_disk_and_damaged_ones_are_made_again() {
    let Some(runtime) = common::runtime() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = network(&TinyNetwork::convolutional(14));
    let game = game(9, 9, Topology::Plane, 12);
    let fresh = || {
        let cache = Some(ModelCache::new(folder.path().join("cache")));
        let options = EvaluatorOptions { cache, ..EvaluatorOptions::cpu(1) };
        let evaluator = OrtEvaluator::new(runtime.clone(), Arc::clone(&file), options);
        ask(&evaluator, &[&game], params()).remove(0)
    };
    let first = fresh();
    let files = || -> Vec<_> {
        std::fs::read_dir(folder.path().join("cache")).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    assert_eq!(files().len(), 1, "one graph and no leftovers: {:?}", files());
    assert_close(&fresh(), &first, "from the cache");
    let bytes = std::fs::read(&files()[0]).unwrap();
    std::fs::write(&files()[0], &bytes[..bytes.len() / 2]).unwrap();
    assert_close(&fresh(), &first, "after damage");
    assert_eq!(std::fs::read(&files()[0]).unwrap().len(), bytes.len(), "made again");
}

#[test]
fn a_cache_that_cannot_be_written_is_only_slow() {
    let Some(runtime) = common::runtime() else { return };
    let folder = tempfile::tempdir().unwrap();
    let blocker = folder.path().join("file");
    std::fs::write(&blocker, "").unwrap();
    let options = EvaluatorOptions { cache: Some(ModelCache::new(blocker.join("cache"))), ..EvaluatorOptions::cpu(1) };
    let evaluator = OrtEvaluator::new(runtime, network(&TinyNetwork::convolutional(8)), options);
    assert_eq!(ask(&evaluator, &[&game(5, 5, Topology::Plane, 3)], params()).len(), 1);
}

#[test]
fn a_device_that_is_not_there_is_told() {
    let Some(runtime) = common::runtime() else { return };
    let device = honinbo_net::Device::Cuda;
    if runtime.offers(device) {
        fixtures::skip(&format!("this ONNX Runtime knows {device}"));
        return;
    }
    let options = EvaluatorOptions { device, ..EvaluatorOptions::cpu(1) };
    let evaluator = OrtEvaluator::new(runtime, network(&TinyNetwork::convolutional(8)), options);
    let error = evaluator.prepare(9, 9, Topology::Plane).unwrap_err();
    assert!(error.to_string().starts_with("cuda is not available: ") && !error.to_string().ends_with('.'), "{error}");
    let adds = error.hint().starts_with("`honinbo net runtime add cuda`");
    assert_eq!(adds, cfg!(all(target_arch = "x86_64", any(target_os = "linux", windows))), "{}", error.hint());
    assert!(error.hint().ends_with("cpu always works"), "{}", error.hint());
}

#[test]
fn the_mean_of_all_symmetries_is_symmetric() {
    let Some(runtime) = common::runtime() else { return };
    let network = evaluator(&runtime, &TinyNetwork::convolutional(14));
    let size = BoardSize::square(9).unwrap();
    let mut game = game(9, 9, Topology::Plane, 0);
    game.play(Color::Black, Move::Place(Point::new(4, 4))).unwrap();
    let mut answers =
        Symmetry::ALL.map(|symmetry| ask(&network, &[&game], EvalParams { symmetry, ..params() }).remove(0));
    let one = answers[0].clone();
    let uneven = |answer: &Evaluation| {
        let pairs = Symmetry::ALL.into_iter().flat_map(|symmetry| {
            Point::all(size).map(move |point| (point.index(size), symmetry.apply(point, size).index(size)))
        });
        pairs.map(|(from, to)| (answer.policy[from] - answer.policy[to]).abs()).fold(0.0, f32::max)
    };
    let mean = Evaluation::mean(one.clone(), &answers[1..]);
    assert!(uneven(&one) > 1e-4 && uneven(&mean) < 1e-6, "{} {}", uneven(&one), uneven(&mean));
    assert_eq!(mean.policy[Point::new(4, 4).index(size)], -1.0, "an illegal move stays one");
    assert!((mean.policy.iter().filter(|p| **p >= 0.0).sum::<f32>() - 1.0).abs() < 1e-5);
    let middle = answers.iter().map(|answer| answer.white_lead).sum::<f32>() / 8.0;
    assert!((mean.white_lead - middle).abs() < 1e-5);
    assert_eq!(mean.white_ownership.as_ref().map(|o| o.len()), one.white_ownership.as_ref().map(|o| o.len()));
    answers[7].white_ownership = None;
    assert_eq!(Evaluation::mean(one.clone(), &answers[1..]).white_ownership, None);
    assert_eq!(Evaluation::mean(one.clone(), &[]), one);
}
