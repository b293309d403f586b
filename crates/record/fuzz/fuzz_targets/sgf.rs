//! Any bytes are a collection or a refusal; what is written is read back as it was written.
#![cfg_attr(fuzzing, no_main)]

use honinbo_record::{GameInfo, ReadLimits, read_sgf_with, replay};

pub(crate) fn run(data: &[u8]) {
    let limits = ReadLimits { max_bytes: 1 << 16, max_nodes: 5_000, max_depth: 500, ..ReadLimits::default() };
    let collection = read_sgf_with(data, limits);
    for diagnostic in &collection.diagnostics {
        assert!(!diagnostic.to_string().is_empty());
    }
    let written = collection.to_bytes();
    let again = read_sgf_with(&written, limits);
    if again.charset == collection.charset && again.games.len() == collection.games.len() {
        assert_eq!(again.to_bytes(), written, "writing is stable");
    }
    for game in &collection.games {
        let tree = &game.tree;
        drop(GameInfo::of(tree));
        let last = tree.line_from(tree.root()).last().unwrap_or(tree.root());
        drop(replay(tree, last));
    }
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
