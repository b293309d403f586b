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
    /// The next records, read; none when there are no more.
    pub(super) fn next_records(&mut self, seen: &mut Seen) -> Vec<FoundRecord> {
        let mut records = Vec::new();
        let n = self.ready.len().min(MAX_AT_ONCE);
        for (path, key, stamp) in self.ready.drain(..n) {
            match read(&path) {
                Some(bytes) => records.push(FoundRecord { key, stamp, bytes: Some(bytes) }),
                // Half a record, or one that cannot be read now: looked at again when it has changed.
                None => {
                    seen.refused.insert(path, stamp);
                }
            }
        }
        records
    }

    /// Nothing is left to read.
    pub(super) fn is_empty(&self) -> bool {
        self.ready.is_empty()
    }
}

/// All records of a file behind each other; `None` where there is none, or where the file is not complete.
fn read(path: &Path) -> Option<Vec<u8>> {
    let file = std::fs::File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    let (mut records, mut broken) = (Vec::new(), false);
    let limits = ReadLimits::default();
    let visit = &mut |part| {
        match part {
            FilePart::Record { bytes, .. } => records.push(bytes),
            FilePart::Refused { .. } => broken = true,
        }
        ControlFlow::Continue(())
    };
    let _ = unpack(path, std::io::BufReader::new(file), size, limits.max_bytes, visit);
    let complete = |bytes: &Vec<u8>| {
        // What begins as SGF ends as SGF, or is still being written.
        let text = bytes.trim_ascii();
        !text.is_empty() && (!text.starts_with(b"(") || text.ends_with(b")"))
    };
    (!broken && !records.is_empty() && records.iter().all(complete)).then(|| records.concat())
}
