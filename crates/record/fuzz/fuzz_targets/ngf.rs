//! Any bytes behind the beginning of wBaduk records are a game or a refusal; a game is written as SGF that is read back.
#![cfg_attr(fuzzing, no_main)]

use honinbo_record::{ReadLimits, read_record, read_sgf};

/// What such files begin with.
const BEGINNING: &[u8] = b"Rating game\n19\na       1D\nb       2D\nsite\n0\n0\n6\n20020101 [12:00]\n10\nWhite wins by time!\n2\nPMABBQDDQ\n";

pub(crate) fn run(data: &[u8]) {
    let bytes = [BEGINNING, data].concat();
    let collection = read_record(&bytes, ReadLimits { max_bytes: 1 << 16, max_nodes: 5_000, ..ReadLimits::default() });
    for game in &collection.games {
        let written = game.tree.to_sgf();
        let again = read_sgf(written.as_bytes());
        assert!(!again.games.is_empty(), "{written:?}");
    }
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
