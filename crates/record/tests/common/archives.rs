//! Real records: those of the repository, and how the larger collection beside it is unpacked.

use std::io::Read;
use std::path::Path;

use honinbo_testkit::fixtures;

/// The real records of the repository: one old game, and the games of a contest in one file.
pub(crate) fn of_the_repository() -> impl Iterator<Item = (String, Vec<u8>)> {
    let names = ["tests/fixtures/games/ear-reddening-1846.sgf", "docs/experiments/ladder-games.sgf"];
    names.into_iter().map(|name| (name.to_owned(), std::fs::read(fixtures::repository().join(name)).unwrap()))
}

pub(crate) fn gunzip(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).unwrap();
    flate2::read::MultiGzDecoder::new(file).read_to_end(&mut bytes).unwrap();
    bytes
}

/// The regular files of a tar archive: 512-byte headers with an octal size, contents padded to 512.
pub(crate) fn untar(archive: &[u8]) -> Vec<(String, &[u8])> {
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
