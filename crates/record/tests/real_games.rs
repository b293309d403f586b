//! Round trips of real records: byte for byte, every one of them.
#![expect(clippy::unwrap_used, reason = "helpers of tests end at the first surprise")]

#[path = "common/archives.rs"]
mod archives;

use archives::{gunzip, of_the_repository, untar};
use honinbo_record::read_sgf;
use honinbo_testkit::fixtures;

/// Collections without a fault: of the repository, and of twenty thousand games where the larger collection is.
#[test]
fn collections_come_out_as_they_came_in() {
    let mut collections: Vec<(String, Vec<u8>, usize)> =
        of_the_repository().zip([1, 28]).map(|((name, bytes), games)| (name, bytes, games)).collect();
    if let Some(path) = fixtures::shared("games/tom-9d-20k.sgf.gz") {
        collections.push(("tom-9d-20k.sgf".into(), gunzip(&path), 20_000));
    }
    for (name, bytes, games) in collections {
        let collection = read_sgf(&bytes);
        assert_eq!(collection.games.len(), games, "{name}");
        assert_eq!(collection.all_diagnostics().count(), 0, "{name}");
        assert!(collection.to_bytes() == bytes, "{name} changed on its way through");
    }
}

/// Files with whatever programs write: what fuzzing kept, and seven thousand files of the larger collection where it is.
#[test]
fn files_of_many_writers_come_out_as_they_came_in() {
    let kept = fixtures::repository().join("crates/record/fuzz/corpus/sgf");
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(kept)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.display().to_string(), std::fs::read(path).unwrap()))
        .filter(|(_, bytes)| read_sgf(bytes).all_diagnostics().next().is_none())
        .collect();
    assert!(files.len() >= 3, "{}", files.len());
    if let Some(path) = fixtures::shared("games/ai-games.tar.gz") {
        let archive = gunzip(&path);
        let real: Vec<_> = untar(&archive).into_iter().map(|(name, bytes)| (name, bytes.to_vec())).collect();
        assert_eq!(real.len(), 7_259);
        files.extend(real);
    }
    let mut changed = Vec::new();
    let mut repaired = 0;
    for (name, bytes) in files {
        let collection = read_sgf(&bytes);
        assert!(!collection.games.is_empty(), "{name}: no game found");
        repaired += usize::from(collection.all_diagnostics().next().is_some());
        if collection.to_bytes() != bytes {
            changed.push((name, collection.all_diagnostics().map(ToString::to_string).collect::<Vec<_>>()));
        }
    }
    println!("files with diagnostics: {repaired}");
    assert!(changed.is_empty(), "{} files changed, first ones: {:#?}", changed.len(), &changed[..changed.len().min(5)]);
}
