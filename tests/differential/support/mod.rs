//! Finding and reading KataGo's recorded answers.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::MultiGzDecoder;
use honinbo_rules::{BoardSize, Color, Game, Komi, Ruleset, Setup, Topology};
use serde_json::Value;

/// A file of recorded answers.
pub(crate) fn golden(name: &str) -> PathBuf {
    honinbo_testkit::fixtures::fixture("golden").join(name)
}

/// Lines of a gzip file. A damaged one fails the test.
pub(crate) fn lines(path: &std::path::Path) -> impl Iterator<Item = String> {
    let file = std::fs::File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file)).lines().map(Result::unwrap)
}

/// The game that a line of JSON describes, before its first move.
#[allow(dead_code, reason = "not every test reads JSON")]
pub(crate) fn game_of(line: &Value) -> Game {
    let number = |key: &str| line[key].as_u64().unwrap() as usize;
    let size = BoardSize::new(number("width"), number("height")).unwrap();
    let ruleset = Ruleset::from_json(&line["rules"]).unwrap().ruleset;
    let komi = Komi::from_points(line["komi"].as_f64().unwrap()).unwrap();
    Game::new(Setup::new(size, Topology::Plane, ruleset, komi)).unwrap()
}

#[allow(dead_code, reason = "not every test reads JSON")]
pub(crate) fn color_of(value: &Value) -> Color {
    Color::parse(value.as_str().unwrap()).unwrap()
}
