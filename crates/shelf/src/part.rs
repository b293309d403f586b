//! The file that a download fills, and whose it is meanwhile.

use crate::error::DownloadError;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// The beginning of a file, held against other programs until it is dropped.
///
/// The lock is a file of its own: on Windows nobody, not even its holder, could read a locked one by its name.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    lock: PathBuf,
    is_locked: bool,
    _held: File,
}

impl Part {
    /// Where the beginning of `file` lies in a folder.
    pub fn path_in(folder: &Path, file: &str) -> PathBuf {
        folder.join(format!(".{file}.part"))
    }

    /// Holds the beginning of `file` in a folder, whether there is one yet or not.
    ///
    /// # Errors
    /// [`DownloadError::Busy`] and [`DownloadError::Unwritable`].
    pub fn hold(folder: &Path, file: &str) -> Result<Self, DownloadError> {
        let path = Self::path_in(folder, file);
        let lock = beside(&path, "lock");
        loop {
            let unwritable = |source| DownloadError::Unwritable { path: lock.clone(), source };
            // Windows locks only what is open for reading or writing.
            let held = File::options().write(true).create(true).truncate(false).open(&lock).map_err(unwritable)?;
            let is_locked = match held.try_lock() {
                Ok(()) => true,
                Err(TryLockError::WouldBlock) => return Err(DownloadError::Busy { file: file.to_owned() }),
                Err(TryLockError::Error(error)) => {
                    tracing::debug!(%error, "this file system has no locks");
                    false
                }
            };
            // Whoever held it an instant ago has taken it away, and another one may have made it anew since.
            if is_at(&held, &lock) {
                return Ok(Self { path, lock, is_locked, _held: held });
            }
        }
    }

    /// Whether nobody else can hold it: not every file system has locks.
    pub(crate) fn is_locked(&self) -> bool {
        self.is_locked
    }

    /// The file itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How much there is of it.
    pub(crate) fn bytes(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |metadata| metadata.len())
    }

    /// The address that it came from, and the mark by which the server knows that version of the file.
    pub(crate) fn mark_file(&self) -> PathBuf {
        beside(&self.path, "mark")
    }

    /// Forgets where it came from: it is not gone on with.
    pub fn forget(&self) {
        let _ = fs::remove_file(self.mark_file());
    }

    /// Takes it off the disk.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.path);
        self.forget();
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.lock);
    }
}

/// Whether an open file is the one that a path names.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |facts: fs::Metadata| (facts.dev(), facts.ino());
    file.metadata().map(identity).ok() == fs::metadata(path).map(identity).ok()
}

/// Whether a path names a file; the standard library does not say which one there.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".");
    beside.push(ending);
    beside.into()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_was_taken_away_is_not_the_one_that_was_made_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = File::create(&path).unwrap();
        assert!(is_at(&first, &path));
        fs::remove_file(&path).unwrap();
        assert!(!is_at(&first, &path));
        let second = File::create(&path).unwrap();
        assert!(!is_at(&first, &path) && is_at(&second, &path));
    }
}
