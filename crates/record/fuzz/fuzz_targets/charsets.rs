//! Text of games in any character set, declared or not, comes out the same however often it is written and read.
#![cfg_attr(fuzzing, no_main)]

use honinbo_record::{ReadLimits, read_sgf_text, read_sgf_with};

/// What a file may say about its characters.
const NAMES: [&str; 10] =
    ["", "UTF-8", "GB18030", "GB2312", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "ISO-8859-1", "nonsense"];

pub(crate) fn run(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    let name = NAMES[usize::from(choice) % NAMES.len()];
    let begin: &[u8] = match choice / 64 {
        0 => b"\xEF\xBB\xBF",
        1 => b"garbage before ",
        _ => b"",
    };
    let declared = if name.is_empty() { String::new() } else { format!("CA[{name}]") };
    let bytes =
        [begin, format!("(;GM[1]{declared}C[").as_bytes(), text, b"]PB[".as_slice(), text, b"];B[aa])"].concat();
    let limits = ReadLimits { max_bytes: 1 << 16, max_nodes: 5_000, ..ReadLimits::default() };
    let collection = read_sgf_with(&bytes, limits);
    for game in &collection.games {
        let tree = &game.tree;
        for node in std::iter::once(tree.root()).chain(tree.line_from(tree.root())) {
            for property in tree.properties(node) {
                let said: usize = property.texts().map(|text| text.chars().count()).sum();
                assert!(said <= bytes.len(), "text grew");
            }
        }
        // As text there is nothing left to guess.
        let written = tree.in_utf8().to_sgf();
        let again = read_sgf_text(&written);
        let first = again.games.first().expect("a game that was written");
        assert_eq!(first.tree.in_utf8().to_sgf(), written);
    }
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
