//! Any text is a ruleset, a point, a diagram or a refusal; what is written is read back.
#![cfg_attr(fuzzing, no_main)]

use honinbo_rules::{Board, BoardSize, Komi, Move, Preset, Ruleset, Topology};

pub(crate) fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Ruleset::parse(text) {
        Ok(read) => {
            let again = Ruleset::parse(&read.ruleset.to_compact(read.komi)).expect("what is written is read");
            assert_eq!((again.ruleset, again.komi), (read.ruleset, read.komi));
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
    if let Some(read) = Ruleset::from_sgf(text) {
        for topology in [Topology::Plane, Topology::Torus] {
            let written = read.ruleset.to_sgf(Komi::ZERO, topology);
            assert_eq!(Ruleset::from_sgf(&written).expect("what is written is read").ruleset, read.ruleset);
        }
    }
    let _ = Preset::parse(text);
    let _ = Komi::from_points(text.trim().parse().unwrap_or(0.0));
    for size in [BoardSize::NINE, BoardSize::square(BoardSize::MAX).expect("in range")] {
        if let Some(played) = Move::from_gtp(text, size) {
            assert_eq!(Move::from_gtp(&played.to_gtp(size), size), Some(played));
        }
        let _ = honinbo_rules::Point::from_sgf(text, size);
    }
    for topology in Topology::ALL {
        match Board::from_diagram(text, topology) {
            Ok(board) => {
                let again = Board::from_diagram(&board.to_string(), topology).expect("what is written is read");
                assert_eq!(again, board);
            }
            Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
        }
    }
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
