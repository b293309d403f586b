//! Putting a backup in the place of a library.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::backups::{games_in, name_for_set_aside};
use crate::error::LibraryError;
use crate::open::Library;
use crate::saver::last_number;
use crate::sqlite_file::{self, with_end};
use crate::time::Timestamp;

/// What a backup has behind the library's name that takes its place at the next start.
const READY: &str = ".restore";
/// Held while a backup is copied and checked: two windows may ask for that at once, and the second copy would be taken for
/// the first.
static PREPARING: Mutex<()> = Mutex::new(());
/// What the files of a write-ahead log have behind the library's name.
const LOG: [&str; 2] = ["-wal", "-shm"];

/// A backup that took the library's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Its games, without those in the bin.
    pub games: u32,
    /// Where what was there before is kept; `None` where nothing was.
    pub aside: Option<PathBuf>,
}

impl Library {
    /// Puts a backup in the place of a library that is not open: [`Library::prepare_restore`] and
    /// [`Library::finish_restore`] at once. Returns where what was there before is kept, if something was.
    ///
    /// # Errors
    /// As these two; nothing is changed then.
    pub fn restore_backup(backup: &Path, library: &Path, now: Timestamp) -> Result<Option<PathBuf>, LibraryError> {
        Self::prepare_restore(backup, library)?;
        let restored = Self::finish_restore(library, now);
        if restored.is_err() {
            Self::cancel_restore(library);
        }
        Ok(restored?.and_then(|restored| restored.aside))
    }

    /// Copies a backup beside the library, which may be open, and checks it there: it is ready to take the library's
    /// place then. The backup stays what it is. Returns its games.
    ///
    /// # Errors
    /// A backup that is no library, of a newer version or damaged changes nothing.
    pub fn prepare_restore(backup: &Path, library: &Path) -> Result<u32, LibraryError> {
        let games = games_in(backup)?;
        let _one = PREPARING.lock().unwrap_or_else(PoisonError::into_inner);
        let (copy, ready) = (with_end(library, ".restoring"), with_end(library, READY));
        remove_library(&copy);
        let prepared = copy_library(backup, &copy)
            .and_then(|()| refuse_damaged(&copy))
            .and_then(|()| bring_into_file(&copy))
            .and_then(|()| {
                // The log of an earlier one would be taken for this one's.
                remove_library(&ready);
                std::fs::rename(&copy, &ready).map_err(|source| LibraryError::File { path: ready.clone(), source })
            });
        if prepared.is_err() {
            remove_library(&copy);
        }
        prepared.map(|()| games)
    }

    /// Gives a backup that is ready the name of the library, which must not be open anywhere. What was there becomes a
    /// backup of its own, with its log where that could not be brought into it. `None` where no backup is ready.
    ///
    /// # Errors
    /// [`LibraryError::Locked`], when the library is open somewhere, [`LibraryError::Newer`], when a newer program made it,
    /// and what the system says. The library is where it was then, and the backup stays ready.
    pub fn finish_restore(library: &Path, now: Timestamp) -> Result<Option<Restored>, LibraryError> {
        let ready = with_end(library, READY);
        if !ready.exists() {
            return Ok(None);
        }
        let games = games_in(&ready)?;
        let aside = name_for_set_aside(library, now);
        let was_there = library.exists();
        keep_numbers(&ready, library)?;
        put_in_place(&ready, library, &aside)?;
        Ok(Some(Restored { games, aside: was_there.then_some(aside) }))
    }

    /// Forgets a backup that is ready.
    pub fn cancel_restore(library: &Path) {
        remove_library(&with_end(library, READY));
    }
}

/// Copies a library with its log.
fn copy_library(from: &Path, to: &Path) -> Result<(), LibraryError> {
    let (log, copied_log) = (with_end(from, "-wal"), with_end(to, "-wal"));
    if log.exists() {
        copy_file(&log, &copied_log)?;
    }
    copy_file(from, to)
}

/// Copies what a file says, not who may read or write it; half a copy is not left behind.
fn copy_file(from: &Path, to: &Path) -> Result<(), LibraryError> {
    let failed = |path: &Path, source| LibraryError::File { path: path.to_owned(), source };
    let mut source = std::fs::File::open(from).map_err(|error| failed(from, error))?;
    let copied = std::fs::File::create(to).and_then(|mut target| std::io::copy(&mut source, &mut target));
    copied.map(drop).map_err(|error| {
        drop(std::fs::remove_file(to));
        failed(to, error)
    })
}

/// Open games, which outlive the library, name games by their numbers: what comes into the library that takes its place
/// gets numbers behind those of the library before, where that can be read.
fn keep_numbers(ready: &Path, library: &Path) -> Result<(), LibraryError> {
    let before = sqlite_file::connect_to_look(library).ok().and_then(|before| last_number(&before).ok());
    let Some(before) = before else { return Ok(()) };
    Library::open(ready)?.writer()?.execute("UPDATE deleted_numbers SET highest = max(highest, ?1)", [before])?;
    Ok(())
}

/// Gives a library that is ready the name of another one, which is put aside before; both or neither. What is not in its
/// file yet is brought there first: the log of a program that had no room for that would stay behind.
pub(crate) fn put_in_place(ready: &Path, library: &Path, aside: &Path) -> Result<(), LibraryError> {
    bring_into_file(ready)?;
    exchange(ready, library, aside)
}

fn exchange(ready: &Path, library: &Path, aside: &Path) -> Result<(), LibraryError> {
    let failed = |source| LibraryError::File { path: library.to_owned(), source };
    let exchanged = put_aside(library, aside).and_then(|()| std::fs::rename(ready, library).map_err(failed));
    if exchanged.is_err() && aside.exists() && !library.exists() {
        // Where there is no library, an empty one is begun.
        drop(rename_library(aside, library));
    }
    exchanged
}

/// Opening migrates.
fn refuse_damaged(copy: &Path) -> Result<(), LibraryError> {
    let problems = Library::open(copy)?.check()?.problems;
    if problems.is_empty() { Ok(()) } else { Err(LibraryError::Damaged { detail: problems.join("; ") }) }
}

pub(crate) fn remove_library(path: &Path) {
    drop(std::fs::remove_file(path));
    remove_log(path);
}

fn remove_log(path: &Path) {
    LOG.iter().for_each(|end| drop(std::fs::remove_file(with_end(path, end))));
}

/// Puts a library that is not open aside, with its log where that cannot be brought into it. What the other name meant
/// before is gone.
fn put_aside(path: &Path, aside: &Path) -> Result<(), LibraryError> {
    if !path.exists() {
        // A log without its file belongs to nothing, and would be taken for that of the file that comes.
        remove_log(path);
        return Ok(());
    }
    close_log(path)?;
    if let Some(folder) = aside.parent() {
        std::fs::create_dir_all(folder).map_err(|source| LibraryError::File { path: folder.to_owned(), source })?;
    }
    remove_log(aside);
    rename_library(path, aside).map_err(|source| LibraryError::File { path: path.to_owned(), source })
}

/// Gives a library another name, with its log where that is still beside it.
fn rename_library(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::rename(from, to)?;
    for end in LOG {
        let log = with_end(from, end);
        if log.exists() {
            std::fs::rename(log, with_end(to, end))?;
        }
    }
    Ok(())
}

/// Brings what stands in the write-ahead log into the file, which nobody else may have open meanwhile: they would go on
/// writing into a file that was put aside. The log of a file that cannot be opened, because it is damaged or something
/// else, stays as it is.
fn close_log(path: &Path) -> Result<(), LibraryError> {
    let library = match Library::open(path) {
        Ok(library) if library.is_read_only() => return Ok(()),
        Ok(library) => library,
        Err(error @ (LibraryError::Locked | LibraryError::Newer { .. })) => return Err(error),
        Err(_) => return Ok(()),
    };
    match end_log(&library) {
        Err(LibraryError::Damaged { .. }) => Ok(()),
        other => other,
    }
}

/// As [`close_log`], of a library that is whole: one file alone is renamed in one step, and SQLite brings it to the disk.
fn bring_into_file(path: &Path) -> Result<(), LibraryError> {
    end_log(&Library::open(path)?)
}

fn end_log(library: &Library) -> Result<(), LibraryError> {
    let mode: String = library.writer()?.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
    if mode == "delete" { Ok(()) } else { Err(LibraryError::Locked) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_copied_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("backup.sqlite");
        std::fs::write(&source, vec![1; 9000]).unwrap();
        let Err(LibraryError::File { path, source }) = copy_file(&source, &folder.path().join("no/such/folder")) else {
            panic!("it was copied")
        };
        assert_eq!((path.ends_with("no/such/folder"), source.kind()), (true, std::io::ErrorKind::NotFound));
    }

    #[test]
    fn what_stands_in_the_log_of_a_new_library_comes_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let [path, ready, left, aside] =
            ["library.sqlite", "ready.sqlite", "left.sqlite", "aside.sqlite"].map(|name| folder.path().join(name));
        Library::open(&path).unwrap().save_record("(;SZ[9];B[ee])", 1).unwrap();
        let games = || Library::open(&path).unwrap().stats().unwrap().games;
        let open = Library::open(&ready).unwrap();
        open.save_record("(;SZ[9];B[cc];W[ge])", 1).unwrap();
        open.save_record("(;SZ[9];B[dc];W[fg];B[ee])", 1).unwrap();
        assert!(matches!(put_in_place(&ready, &path, &aside), Err(LibraryError::Locked)));
        assert_eq!((games(), aside.exists()), (1, false));
        // A program that had no room for what stands in its log leaves the two like this.
        std::fs::copy(&ready, &left).unwrap();
        std::fs::copy(with_end(&ready, "-wal"), with_end(&left, "-wal")).unwrap();
        put_in_place(&left, &path, &aside).unwrap();
        assert_eq!((games(), aside.exists()), (2, true));
    }

    #[test]
    fn a_library_that_nothing_can_replace_is_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library.sqlite");
        Library::open(&path).unwrap().save_record("(;SZ[9];B[ee])", 1).unwrap();
        let aside = folder.path().join("backups/before.sqlite");
        let error = exchange(&folder.path().join("nowhere"), &path, &aside).unwrap_err();
        assert!(matches!(error, LibraryError::File { .. }), "{error:?}");
        assert!(!aside.exists());
        assert_eq!(Library::open(&path).unwrap().stats().unwrap().games, 1);
    }
}
