//! Round trips of the real records beside the repository: byte for byte, every one of them.
#![expect(clippy::unwrap_used, reason = "helpers of tests end at the first surprise")]

#[path = "common/archives.rs"]
mod archives;

use archives::{gunzip, shared, untar};
use honinbo_record::read_sgf;

#[test]
fn twenty_thousand_games_of_one_collection_come_out_as_they_came_in() {
    let Some(path) = shared("games/tom-9d-20k.sgf.gz") else { return };
    let bytes = gunzip(&path);
    let collection = read_sgf(&bytes);
    assert_eq!(collection.games.len(), 20_000);
    assert_eq!(collection.all_diagnostics().count(), 0);
    assert!(collection.to_bytes() == bytes, "the collection changed on its way through");
}

#[test]
fn seven_thousand_files_of_many_writers_come_out_as_they_came_in() {
    let Some(path) = shared("games/ai-games.tar.gz") else { return };
    let archive = gunzip(&path);
    let files = untar(&archive);
    assert_eq!(files.len(), 7_259);
    let mut changed = Vec::new();
    let mut repaired = 0;
    for (name, bytes) in files {
        let collection = read_sgf(bytes);
        assert!(!collection.games.is_empty(), "{name}: no game found");
        repaired += usize::from(collection.all_diagnostics().next().is_some());
        if collection.to_bytes() != bytes {
            changed.push((name, collection.all_diagnostics().map(ToString::to_string).collect::<Vec<_>>()));
        }
    }
    println!("files with diagnostics: {repaired}");
    assert!(changed.is_empty(), "{} files changed, first ones: {:#?}", changed.len(), &changed[..changed.len().min(5)]);
}
