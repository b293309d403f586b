//! Folders that other programs save into: which of their records are new and complete.

use honinbo_library::FoundRecord;
use honinbo_record::{FilePart, ReadLimits, has_archive_name, has_record_name, unpack};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Folders within folders that are looked into.
const MAX_DEPTH: usize = 16;
/// A larger file is no game that somebody just played; it can be imported.
const MAX_BYTES: u64 = 64 << 20;
/// Records that are read before they are taken.
const MAX_AT_ONCE: usize = 100;

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
    /// Files to read: path, key and stamp.
    ready: Vec<(PathBuf, String, String)>,
    /// New files that may still be written.
    pub(super) unsettled: bool,
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
                look.ready.push((path.clone(), key, stamp.clone()));
            } else {
                look.unsettled = true;
            }
            stamps.insert(path, stamp);
        }
    }
    seen.stamps = stamps;
    look.ready.sort();
    Ok(look)
}

impl Look {
    /// The next files, read.
    pub(super) fn next_batch(&mut self, known: &HashMap<String, String>, seen: &mut Seen) -> Batch {
        let mut batch = Batch::default();
        let n = self.ready.len().min(MAX_AT_ONCE);
        for (path, key, stamp) in self.ready.drain(..n) {
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
