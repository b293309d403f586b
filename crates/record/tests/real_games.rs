//! Round trips of the real records beside the repository: byte for byte, every one of them.
#![expect(clippy::unwrap_used, reason = "helpers of tests end at the first surprise")]

use std::io::Read;
use std::path::{Path, PathBuf};

use honinbo_record::read_sgf;
use honinbo_testkit::fixtures;

fn shared(path: &str) -> Option<PathBuf> {
    let found = fixtures::shared(path);
    if found.is_none() {
        fixtures::skip(&format!("{path} is not there"));
    }
    found
}

fn gunzip(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).unwrap();
    flate2::read::MultiGzDecoder::new(file).read_to_end(&mut bytes).unwrap();
    bytes
}

/// The regular files of a tar archive: 512-byte headers with an octal size, contents padded to 512.
fn untar(archive: &[u8]) -> Vec<(String, &[u8])> {
    let mut files = Vec::new();
    let mut at = 0;
    while at + 512 <= archive.len() {
        let header = &archive[at..at + 512];
        let size = String::from_utf8_lossy(&header[124..135]);
        let size = usize::from_str_radix(size.trim_matches(['\0', ' ']), 8).unwrap_or(0);
        let name = String::from_utf8_lossy(&header[..100]).trim_end_matches('\0').to_owned();
        let contents = &archive[at + 512..(at + 512 + size).min(archive.len())];
        if matches!(header[156], b'0' | 0) && size > 0 {
            files.push((name, contents));
        }
        at += 512 + size.div_ceil(512) * 512;
    }
    files
}

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
