//! What holds for every format but SGF.

use honinbo_record::{ReadLimits, RecordFormat, read_record, read_sgf, write_record};

/// Whatever follows the beginning of such a file is a game or a refusal. A game is written as SGF that is read back, and
/// in every other format or refused.
pub(crate) fn holds(beginning: &[u8], data: &[u8]) {
    let bytes = [beginning, data].concat();
    let collection = read_record(&bytes, ReadLimits { max_bytes: 1 << 16, max_nodes: 5_000, ..ReadLimits::default() });
    for game in &collection.games {
        let written = game.tree.to_sgf();
        let again = read_sgf(written.as_bytes());
        assert!(!again.games.is_empty(), "{written:?}");
        for format in RecordFormat::written() {
            let written = write_record(&game.tree, format);
            assert!(written.is_err() || written.is_ok_and(|written| !written.text.is_empty()), "{format:?}");
        }
    }
}
