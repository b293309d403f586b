//! Folders that other programs save into: which of their records are new and complete.

use honinbo_library::FoundRecord;
use honinbo_record::{FilePart, ReadLimits, has_archive_name, has_record_name, unpack};
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Folders within folders that are looked into.
const MAX_DEPTH: usize = 16;
/// A larger file is no game that somebody just played; it can be imported.
const MAX_BYTES: u64 = 64 << 20;
/// Records that are read before they are taken, and bytes of their files. Archives, which may unpack to far more than they
/// have, are read one at a time.
const MAX_AT_ONCE: usize = 100;
const MAX_BYTES_AT_ONCE: u64 = 64 << 20;

/// What was seen of a folder before.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Each file with what told it from others of its name.
    stamps: HashMap<PathBuf, String>,
    /// Files that were read in vain, as they were then.
    refused: HashMap<PathBuf, String>,
}

/// What a look found.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// Files to read.
    ready: VecDeque<ReadyFile>,
    /// New files that may still be written.
    pub(super) unsettled: bool,
}

/// A file to read.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ReadyFile {
    path: PathBuf,
    key: String,
    stamp: String,
    bytes: u64,
}

/// What was read of some files.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Records that were not taken yet as they are now.
    pub(super) records: Vec<FoundRecord>,
    /// Archives that were read to their end: key and stamp.
    pub(super) archives: Vec<(String, String)>,
}

/// Looks through a folder for files that are not `known` as they are now. One is taken when nobody has written it for
/// `settles`, or when it is as it was at the look before.
///
/// # Errors
/// When the folder itself cannot be read.
pub(super) fn look(
    folder: &Path,
    known: &HashMap<String, String>,
    seen: &mut Seen,
    settles: Duration,
) -> std::io::Result<Look> {
    let mut look = Look::default();
    let mut ready = Vec::new();
    let mut stamps = HashMap::new();
    let mut open = vec![(folder.to_owned(), 0)];
    let now = SystemTime::now();
    while let Some((path, depth)) = open.pop() {
        let entries = match std::fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if depth == 0 => return Err(error),
            // One that is not ours to read, or went away.
            Err(_) => continue,
        };
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            // Links are not followed: they lead in circles, or out of the folder that was named.
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_dir() && depth < MAX_DEPTH {
                open.push((path, depth + 1));
                continue;
            }
            let is_record = has_record_name(&path) || has_archive_name(&path);
            if !metadata.is_file() || !is_record || metadata.len() == 0 || metadata.len() > MAX_BYTES {
                continue;
            }
            let modified = metadata.modified().unwrap_or(UNIX_EPOCH);
            let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
            let stamp = format!("{}:{}", metadata.len(), since.as_millis());
            let inside = path.strip_prefix(folder).unwrap_or(&path);
            let key = inside.to_string_lossy().replace('\\', "/");
            if known.get(&key) == Some(&stamp) || seen.refused.get(&path) == Some(&stamp) {
                continue;
            }
            let as_before = seen.stamps.get(&path) == Some(&stamp);
            if as_before || now.duration_since(modified).is_ok_and(|age| age >= settles) {
                ready.push(ReadyFile { path: path.clone(), key, stamp: stamp.clone(), bytes: metadata.len() });
            } else {
                look.unsettled = true;
            }
            stamps.insert(path, stamp);
        }
    }
    seen.stamps = stamps;
    ready.sort();
    look.ready = ready.into();
    Ok(look)
}

impl Look {
    /// The next files, read.
    pub(super) fn next_batch(&mut self, known: &HashMap<String, String>, seen: &mut Seen) -> Batch {
        let mut batch = Batch::default();
        let n = self.next_files();
        for ReadyFile { path, key, stamp, .. } in self.ready.drain(..n) {
            match read(&path, &key) {
                Some(Content::Record(bytes)) => batch.records.push(FoundRecord { key, stamp, bytes: Some(bytes) }),
                Some(Content::Archive(mut records)) => {
                    records.retain(|record| known.get(&record.key) != Some(&record.stamp));
                    batch.records.append(&mut records);
                    batch.archives.push((key, stamp));
                }
                // Half a record, or one that cannot be read now: looked at again when it has changed.
                None => {
                    seen.refused.insert(path, stamp);
                }
            }
        }
        batch
    }

    /// How many of the files are read together: one at least.
    fn next_files(&self) -> usize {
        let mut bytes = 0_u64;
        let fits = |(at, file): &(usize, &ReadyFile)| {
            bytes = bytes.saturating_add(file.bytes);
            *at == 0 || (bytes <= MAX_BYTES_AT_ONCE && !has_archive_name(&file.path))
        };
        // What follows an archive waits until its records are taken.
        let most = if self.ready.front().is_some_and(|file| has_archive_name(&file.path)) { 1 } else { MAX_AT_ONCE };
        self.ready.iter().enumerate().take(most).take_while(fits).count()
    }

    /// Nothing is left to read.
    pub(super) fn is_empty(&self) -> bool {
        self.ready.is_empty()
    }
}

/// What a file holds.
enum Content {
    Record(Vec<u8>),
    /// Each of its records is one by itself, in a format and a character set of its own, and may change while the others
    /// stay.
    Archive(Vec<FoundRecord>),
}

/// Reads a file; `None` where there is no record, or where the file is not complete.
fn read(path: &Path, key: &str) -> Option<Content> {
    let file = std::fs::File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    let (mut whole, mut parts, mut broken) = (None, Vec::new(), false);
    let visit = &mut |part| {
        let (path, bytes) = match part {
            FilePart::Record { path, bytes } => (path, Some(bytes)),
            FilePart::Refused { path, .. } => (path, None),
        };
        let part = path.to_string_lossy().replace('\\', "/");
        match bytes {
            Some(bytes) if part == key => whole = Some(bytes),
            None if part == key => broken = true,
            bytes => {
                let stamp = bytes.as_deref().map(stamp_of).unwrap_or_default();
                parts.push(FoundRecord { key: part, stamp, bytes });
            }
        }
        ControlFlow::Continue(())
    };
    let limits = ReadLimits::default();
    let _ = unpack(Path::new(key), std::io::BufReader::new(file), size, limits.max_bytes, visit);
    match whole {
        _ if broken => None,
        // What begins as SGF ends as SGF, or is still being written.
        Some(bytes) => {
            let text = bytes.trim_ascii();
            let complete = !text.is_empty() && (!text.starts_with(b"(") || text.ends_with(b")"));
            complete.then_some(Content::Record(bytes))
        }
        None => (!parts.is_empty()).then_some(Content::Archive(parts)),
    }
}

/// What tells a record of an archive, which has no time of its own, from another one there: its length and FNV-1a with 64
/// bits.
fn stamp_of(bytes: &[u8]) -> String {
    let next = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{}:{:x}", bytes.len(), bytes.iter().fold(0xcbf2_9ce4_8422_2325, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_and_archives_are_not_read_together_with_all_others() {
        let file = |name: &str, mib: u64| ReadyFile {
            path: name.into(),
            key: name.to_owned(),
            stamp: String::new(),
            bytes: mib << 20,
        };
        let batches = |files: Vec<ReadyFile>| {
            let mut look = Look { ready: files.into(), unsettled: false };
            let mut batches = Vec::new();
            while !look.is_empty() {
                let n = look.next_files();
                look.ready.drain(..n);
                batches.push(n);
            }
            batches
        };
        assert_eq!(batches((0..250).map(|_| file("game.sgf", 0)).collect()), [100, 100, 50]);
        let sizes = [30, 30, 30, 64, 64, 1];
        assert_eq!(batches(sizes.iter().map(|&mib| file("game.sgf", mib)).collect()), [2, 1, 1, 1, 1]);
        let names = ["a.sgf", "b.zip", "c.zip", "d.sgf", "e.sgf", "f.ZIP"];
        assert_eq!(batches(names.into_iter().map(|name| file(name, 1)).collect()), [1, 1, 1, 2, 1]);
    }
}
