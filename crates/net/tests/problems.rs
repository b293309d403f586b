//! Positions with known answers, found within stated visits by a small network.
//!
//! Needs the network beside the repository and ONNX Runtime; what is not there is skipped aloud. Some problems are
//! always solved as they are drawn, all of them and their images under a symmetry with `HONINBO_SLOW_TESTS=1`.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may")]

#[path = "common/network.rs"]
mod network;

use std::path::Path;
use std::sync::Arc;

use honinbo_evaluator::{Evaluator, StopFlag};
use honinbo_rules::{BoardSize, Color, Game, Komi, Move, Point, Preset, Setup, Symmetry, Topology};
use honinbo_search::{ReportOptions, Search, SearchLimits, SearchParams};

/// The network that has to solve them.
const NETWORK: &str = "g170-b6c96-s175395328-d26788732";
/// Of so many problems one is solved in a quick run.
const QUICK: usize = 4;

#[derive(Default)]
struct Exercise {
    name: String,
    to_play: String,
    /// Moves of which one must be played, or none may be.
    moves: Vec<String>,
    moves_are_wrong: bool,
    visits: u64,
    komi: f64,
    rows: Vec<Vec<char>>,
}

impl Exercise {
    fn read_all(text: &str) -> Vec<Self> {
        let mut problems: Vec<Self> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let (key, value) = line.split_once(' ').unwrap();
            if key == "problem" {
                problems.push(Self { name: value.into(), ..Self::default() });
                continue;
            }
            let problem = problems.last_mut().unwrap();
            match key {
                "to-play" => problem.to_play = value.into(),
                "answer" | "not" => {
                    problem.moves = value.split(' ').map(str::to_owned).collect();
                    problem.moves_are_wrong = key == "not";
                }
                "visits" => problem.visits = value.parse().unwrap(),
                "komi" => problem.komi = value.parse().unwrap(),
                _ => problem.rows.push(line.split(' ').map(|cell| cell.chars().next().unwrap()).collect()),
            }
        }
        problems
    }

    /// The position, turned by a symmetry and with the colours exchanged where that is wanted.
    fn game(&self, size: BoardSize, symmetry: Symmetry, exchange: bool) -> Game {
        let turned = |color: Color| if exchange { color.opponent() } else { color };
        let mut stones = Vec::new();
        for (y, row) in self.rows.iter().enumerate() {
            assert_eq!(row.len(), size.width(), "{}", self.name);
            for (x, cell) in row.iter().enumerate() {
                let color = match cell {
                    'X' => Color::Black,
                    'O' => Color::White,
                    '.' => continue,
                    other => panic!("{}: {other}", self.name),
                };
                stones.push((symmetry.apply(Point::new(x, y), size), turned(color)));
            }
        }
        let komi = Komi::from_points(if exchange { -self.komi } else { self.komi }).unwrap();
        let setup = Setup::new(symmetry.apply_size(size), Topology::Plane, Preset::TrompTaylor.ruleset(), komi);
        let first_player = turned(Color::parse(&self.to_play).unwrap());
        Game::new(Setup { stones, first_player, ..setup }).unwrap()
    }

    /// What is wrong with the move that is played; `None` where it is the answer.
    fn mistake(&self, evaluator: &Arc<dyn Evaluator>, symmetry: Symmetry, exchange: bool) -> Option<String> {
        let size = BoardSize::new(self.rows[0].len(), self.rows.len()).unwrap();
        let game = self.game(size, symmetry, exchange);
        let params = SearchParams { randomize_symmetry: false, ..SearchParams::play() };
        let search = Search::new(Arc::clone(evaluator), game, params, 0).unwrap();
        let limits = SearchLimits { max_visits: self.visits, ..SearchLimits::default() };
        search.run(&limits, &StopFlag::new()).unwrap();
        let report = search.report(&ReportOptions::default()).unwrap();
        let played = report.candidates[0].mv;
        let named = self.moves.iter().any(|text| {
            let mv = match Move::from_gtp(text, size).unwrap() {
                Move::Place(point) => Move::Place(symmetry.apply(point, size)),
                other => other,
            };
            // Mirror images of a searched move are not searched themselves.
            mv == played || report.candidates.iter().any(|one| one.mv == mv && one.symmetry_of == Some(played))
        });
        (named == self.moves_are_wrong).then(|| {
            let played = played.to_gtp(symmetry.apply_size(size));
            format!("{}: {played} is played, symmetry {}, exchanged {exchange}", self.name, symmetry.number())
        })
    }
}

#[test]
fn problems_with_known_answers_are_solved() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/problems/problems.txt");
    let problems = Exercise::read_all(&std::fs::read_to_string(path).unwrap());
    assert!(problems.len() >= 26);
    let Some(evaluator) = network::evaluator(NETWORK) else { return };
    let everything = honinbo_testkit::fixtures::are_slow_tests_on();
    let mut tried = 0;
    let mut mistakes = Vec::new();
    for (number, problem) in problems.iter().enumerate() {
        if everything || number % QUICK == 0 {
            tried += 1;
            mistakes.extend(problem.mistake(&evaluator, Symmetry::IDENTITY, false));
        }
        if everything {
            tried += 1;
            mistakes.extend(problem.mistake(&evaluator, Symmetry::ALL[1 + number % 7], true));
        }
    }
    eprintln!("{} of {tried} solved", tried - mistakes.len());
    assert!(mistakes.is_empty(), "{mistakes:#?}");
}
