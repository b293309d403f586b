//! Finding and reading KataGo's recorded answers.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::MultiGzDecoder;
use honinbo_rules::{BoardSize, Color, Game, Komi, Ruleset, Setup, Topology};
use serde_json::Value;

/// The folder of recorded answers; `None`, said aloud, when this machine has none.
pub(crate) fn golden_folder() -> Option<PathBuf> {
    let shared = std::env::var_os("HONINBO_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let golden = shared.join("golden");
    if golden.is_dir() {
        return Some(golden);
    }
    eprintln!("SKIPPED: {} is not there", golden.display());
    None
}

/// Complete lines of a gzip file: a cut end is left out.
pub(crate) fn lines(path: &std::path::Path) -> impl Iterator<Item = String> {
    let file = std::fs::File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut reader = BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file));
    std::iter::from_fn(move || {
        let mut line = String::new();
        // An error here is the cut end of a stream.
        let read = reader.read_line(&mut line).unwrap_or(0);
        (read > 0 && line.ends_with('\n')).then_some(line)
    })
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
