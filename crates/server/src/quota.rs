//! How much a person's folder may take.

use parking_lot::Mutex;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What the smallest file takes on most disks; files and folders without content count as much.
const BLOCK: u64 = 4096;
/// How long a measurement holds; what is put in meanwhile is added to it.
const HOLDS: Duration = Duration::from_millis(500);

/// The most that a folder with all that is in it may take.
#[derive(Debug)]
pub(crate) struct Quota {
    folder: PathBuf,
    max_bytes: u64,
    /// When it was measured last, and how much there is at most since.
    measured: Mutex<Option<(Instant, u64)>>,
}

impl Quota {
    pub(crate) fn new(folder: PathBuf, max_bytes: u64) -> Self {
        Self { folder, max_bytes, measured: Mutex::default() }
    }

    pub(crate) fn max_mib(&self) -> u64 {
        self.max_bytes >> 20
    }

    /// Whether so much more may be put in, which is then taken to be there; `beyond` the limit where that may be passed.
    pub(crate) fn has_room_for(&self, bytes: u64, beyond: u64) -> bool {
        let fits = |there: u64| there.saturating_add(bytes) <= self.max_bytes.saturating_add(beyond);
        let mut measured = self.measured.lock();
        let held = measured.filter(|(at, there)| at.elapsed() < HOLDS && fits(*there));
        // Refused is nothing but by what there is: files that were put aside may be gone already.
        let (at, there) = held.unwrap_or_else(|| (Instant::now(), folder_bytes(&self.folder)));
        let room = fits(there);
        *measured = Some((at, if room { there.saturating_add(bytes) } else { there }));
        room
    }
}

/// About what the arguments of a command may put into a folder: all its texts.
pub(crate) fn text_bytes(args: &Value) -> u64 {
    match args {
        Value::String(text) => text.len() as u64,
        Value::Array(items) => items.iter().map(text_bytes).sum(),
        Value::Object(fields) => fields.values().map(text_bytes).sum(),
        _ => 0,
    }
}

/// What a folder takes with all that is in it; links are not followed.
fn folder_bytes(folder: &Path) -> u64 {
    let mut sum = 0_u64;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let Ok(facts) = entry.metadata() else { continue };
            if facts.is_dir() {
                folders.push(entry.path());
            }
            sum = sum.saturating_add(facts.len().max(1).next_multiple_of(BLOCK));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn everything_below_a_folder_counts_and_what_is_empty_counts_too() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("cache").join("import-1").join("0");
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("a.sgf"), vec![b'x'; 10_000]).unwrap();
        fs::write(folder.path().join("empty"), "").unwrap();
        assert_eq!(folder_bytes(folder.path()), 7 * BLOCK, "three blocks of content, an empty file and three folders");
        assert_eq!(folder_bytes(&folder.path().join("not there")), 0);
    }

    #[test]
    fn what_comes_between_two_measurements_counts_and_what_is_gone_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let quota = Quota::new(folder.path().to_owned(), 100_000);
        fs::write(folder.path().join("put-aside"), vec![b'x'; 50_000]).unwrap();
        assert!(quota.has_room_for(40_000, 0));
        assert!(quota.has_room_for(40_000, 0), "the first came to nothing");
        assert!(!quota.has_room_for(50_000, 0));
        assert!(quota.has_room_for(50_000, 10_000));
        fs::remove_file(folder.path().join("put-aside")).unwrap();
        assert!(quota.has_room_for(90_000, 0));
    }

    #[test]
    fn all_texts_of_a_command_count() {
        assert_eq!(text_bytes(&json!({ "name": "a", "games": ["bc", { "base64": "def" }], "batch": 7 })), 6);
    }
}
