//! Backups, and the folder of them beside a library: those that are made by themselves, by hand, and by restoring.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use honinbo_record::GameDate;
use rusqlite::Connection;

use crate::error::LibraryError;
use crate::list::count_live;
use crate::open::{KIND, Library};
use crate::sqlite_file::{self, with_end};
use crate::stats::check;
use crate::time::Timestamp;

/// What a backup has behind its name until it is whole.
const PART: &str = ".part";
/// The folder, beside the library.
const FOLDER: &str = "backups";
const AUTOMATIC: &str = "automatic-";
const SET_ASIDE: &str = "before-restore-";
const END: &str = ".sqlite";
/// Automatic backups that are kept.
const MAX_AUTOMATIC: usize = 3;
/// Days from one automatic backup to the next.
const INTERVAL_DAYS: i64 = 7;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Steps of the database between two pauses: about a thousand rows.
const STEPS: i32 = 5_000;

/// Called again and again while a backup is made in the background: it may wait, and ends the backup.
pub type Pace = Arc<dyn Fn() -> ControlFlow<()> + Send + Sync>;

/// How a backup came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum BackupKind {
    /// By itself.
    Automatic,
    /// It was the library until another backup was restored.
    SetAside,
    /// By hand, or elsewhere.
    ByHand,
}

/// A backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// Its file.
    pub path: PathBuf,
    /// How it came about.
    pub kind: BackupKind,
    /// When the file was changed last; of an automatic backup when the library was.
    pub changed: Timestamp,
    /// Size of the file.
    pub bytes: u64,
    /// Its games, without those in the bin; `None` where it cannot be read.
    pub games: Option<u32>,
}

impl Library {
    /// Writes the whole library into one new file, also while it is in use. The file has its name once it is whole.
    ///
    /// # Errors
    /// A file that is there already is not overwritten; [`LibraryError::File`] with it where it does not fit, and what else
    /// the database says.
    pub fn backup(&self, to: &Path) -> Result<(), LibraryError> {
        // The write-ahead log lets a connection of its own read one state while the writer goes on.
        self.write_backup(to, |part| Ok(self.connection()?.execute("VACUUM INTO ?1", [part]).map(drop)?))
    }

    /// A backup that `write` makes in a file of another name, which is there and empty.
    pub(crate) fn write_backup(
        &self,
        to: &Path,
        write: impl FnOnce(&str) -> Result<(), LibraryError>,
    ) -> Result<(), LibraryError> {
        let failed = |source| LibraryError::File { path: to.to_owned(), source };
        if to.exists() {
            return Err(failed(std::io::Error::new(std::io::ErrorKind::AlreadyExists, "it is there already")));
        }
        // Two programs may back up one library at once.
        let part = with_end(to, &format!(".{}{PART}", std::process::id()));
        let name = part.to_str().ok_or_else(|| failed(std::io::ErrorKind::InvalidInput.into()))?;
        // SQLite takes an empty file, and the system says better why none can be made.
        std::fs::File::create(&part).map_err(failed)?;
        // SQLite has brought it to the disk by then.
        let written =
            write(name).map_err(|error| of_target(error, to)).and_then(|()| std::fs::rename(&part, to).map_err(failed));
        if written.is_err() {
            // Half a backup is worse than none.
            drop(std::fs::remove_file(&part));
        }
        written
    }

    /// The folder of backups of the library at `path`; it need not be there.
    #[must_use]
    pub fn backup_folder(path: &Path) -> PathBuf {
        path.with_file_name(FOLDER)
    }

    /// The backups of the library at `path`, the newest first.
    ///
    /// # Errors
    /// [`LibraryError::File`] where the folder cannot be read.
    pub fn backups_of(path: &Path) -> Result<Vec<Backup>, LibraryError> {
        let folder = Self::backup_folder(path);
        let mut backups: Vec<Backup> = names_in(&folder)?
            .iter()
            .filter(|name| name.ends_with(END))
            .map(|name| folder.join(name))
            .filter_map(|path| backup_at(path.clone(), games_in(&path).ok()).ok())
            .collect();
        backups.sort_by(|one, other| (other.changed, &other.path).cmp(&(one.changed, &one.path)));
        Ok(backups)
    }

    /// What can be said of a backup without reading all of it.
    ///
    /// # Errors
    /// [`LibraryError::File`] when it is not there, and otherwise as for opening a library.
    pub fn look_at_backup(path: &Path) -> Result<Backup, LibraryError> {
        let games = games_in(path)?;
        backup_at(path.to_owned(), Some(games)).map_err(|source| LibraryError::File { path: path.to_owned(), source })
    }

    /// Whether an automatic backup is to be made: there was none for a week, and the library has changed since the newest
    /// one. One that holds nothing of the person's is not worth it.
    ///
    /// # Errors
    /// What the database says, and the folder of backups.
    pub fn is_backup_due(&self, now: Timestamp) -> Result<bool, LibraryError> {
        let folder = Self::backup_folder(self.path());
        let names = names_in(&folder)?;
        // By name: the clock may have been set back since a later one.
        let is_recent = |name: &String| (0..INTERVAL_DAYS).any(|days| *name == automatic_name(now - days * DAY_MS));
        if self.is_read_only() || names.iter().any(is_recent) {
            return Ok(false);
        }
        let held = names.iter().filter(|name| is_automatic(name)).max().and_then(|name| changed(&folder.join(name)));
        if held.is_some_and(|held| state_of(self.path()).is_some_and(|state| state <= held)) {
            return Ok(false);
        }
        self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM games) OR EXISTS (SELECT 1 FROM cards)
                           OR EXISTS (SELECT 1 FROM problem_answers)";
            Ok(connection.query_row(sql, [], |row| row.get(0))?)
        })
    }

    /// Makes an automatic backup, checks it, and then removes the oldest ones.
    ///
    /// # Errors
    /// As [`Library::backup`], and [`LibraryError::Damaged`] where the backup is: then all earlier ones stay.
    pub fn back_up_automatically(&self, now: Timestamp, pace: &Pace) -> Result<PathBuf, LibraryError> {
        let folder = Self::backup_folder(self.path());
        std::fs::create_dir_all(&folder).map_err(|source| LibraryError::File { path: folder.clone(), source })?;
        let name = automatic_name(now);
        remove_unfinished(&folder, &name)?;
        let path = folder.join(&name);
        // Before: what is written meanwhile may not be in it.
        let state = state_of(self.path());
        self.write_backup(&path, |part| {
            paced(self.connection()?, pace)?.execute("VACUUM INTO ?1", [part])?;
            let file = sqlite_file::connect_in_place(Path::new(part), &KIND);
            let file = file.map_err(|error| LibraryError::of_file(error, Path::new(part)))?;
            let problems = check(&paced(file, pace)?)?.problems;
            if !problems.is_empty() {
                return Err(LibraryError::Damaged { detail: problems.join("; ") });
            }
            let dated = state.map_or(Ok(()), |state| {
                std::fs::File::options().write(true).open(part).and_then(|file| file.set_modified(state))
            });
            dated.map_err(|source| LibraryError::File { path: path.clone(), source })
        })?;
        remove_old(&folder, &name)?;
        Ok(path)
    }
}

/// A disk that is full is that of the new file.
fn of_target(error: LibraryError, to: &Path) -> LibraryError {
    match error {
        LibraryError::DiskFull => {
            LibraryError::File { path: to.to_owned(), source: std::io::ErrorKind::StorageFull.into() }
        }
        other => other,
    }
}

/// Games of a library's file of whatever version, which is left as it is.
pub(crate) fn games_in(path: &Path) -> Result<u32, LibraryError> {
    let of_file = |error| LibraryError::of_file(error, path);
    let stranger = || LibraryError::NotALibrary { path: path.to_owned() };
    let facts = std::fs::metadata(path).map_err(|source| LibraryError::File { path: path.to_owned(), source })?;
    if facts.len() == 0 || facts.is_dir() {
        return Err(stranger());
    }
    sqlite_file::refuse_strangers(path, &KIND).map_err(of_file)?;
    let connection = sqlite_file::connect_to_look(path).map_err(of_file)?;
    count_live(&connection).map_err(|error| match error {
        // It has no such table.
        LibraryError::Database(_) => stranger(),
        other => other,
    })
}

/// A name for a library that gives way to a backup, in the folder of backups.
pub(crate) fn name_for_set_aside(library: &Path, now: Timestamp) -> PathBuf {
    let first = Library::backup_folder(library).join(format!("{SET_ASIDE}{}", day_of(now)));
    let mut name = with_end(&first, END);
    let mut number = 2;
    while name.exists() {
        name = with_end(&first, &format!("-{number}{END}"));
        number += 1;
    }
    name
}

fn paced(mut connection: Connection, pace: &Pace) -> Result<Connection, LibraryError> {
    let pace = Arc::clone(pace);
    connection.progress_handler(STEPS, Some(move || pace().is_break()))?;
    Ok(connection)
}

fn backup_at(path: PathBuf, games: Option<u32>) -> std::io::Result<Backup> {
    let facts = std::fs::metadata(&path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let kind = if is_automatic(&name) {
        BackupKind::Automatic
    } else if name.starts_with(SET_ASIDE) {
        BackupKind::SetAside
    } else {
        BackupKind::ByHand
    };
    let since = facts.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Backup { kind, changed: i64::try_from(since.as_millis()).unwrap_or(i64::MAX), bytes: facts.len(), games, path })
}

/// The day of a moment, by UTC.
fn day_of(now: Timestamp) -> String {
    let seconds = u64::try_from(now / 1000).unwrap_or_default();
    GameDate::at(seconds, 0).map(|date| date.to_string()).unwrap_or_default()
}

fn automatic_name(now: Timestamp) -> String {
    format!("{AUTOMATIC}{}{END}", day_of(now))
}

fn is_automatic(name: &str) -> bool {
    let day = name.strip_prefix(AUTOMATIC).and_then(|name| name.strip_suffix(END));
    day.and_then(GameDate::parse_exact).is_some_and(|date| date.day > 0)
}

/// Names of the files of a folder; none where it is not there.
fn names_in(folder: &Path) -> Result<Vec<String>, LibraryError> {
    let names = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => {
            entries.and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect::<Result<Vec<_>, _>>())
        }
    };
    let names = names.map_err(|source| LibraryError::File { path: folder.to_owned(), source })?;
    Ok(names.into_iter().filter_map(|name| name.into_string().ok()).collect())
}

fn changed(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|facts| facts.modified()).ok()
}

/// When a library was written to last, as its file and its log say.
fn state_of(path: &Path) -> Option<SystemTime> {
    let log = with_end(path, "-wal");
    // An empty log is made by whoever opens the library.
    let written = std::fs::metadata(&log).is_ok_and(|facts| facts.len() > 0);
    changed(path).max(if written { changed(&log) } else { None })
}

/// Removes what programs that ended meanwhile left of automatic backups; that of today may be under way elsewhere.
fn remove_unfinished(folder: &Path, today: &str) -> Result<(), LibraryError> {
    let is_left = |name: &String| name.starts_with(AUTOMATIC) && name.ends_with(PART) && !name.starts_with(today);
    remove(folder, names_in(folder)?.iter().filter(|name| is_left(name)))
}

/// Leaves the newest automatic backups, `made` among them.
fn remove_old(folder: &Path, made: &str) -> Result<(), LibraryError> {
    let mut others = names_in(folder)?;
    others.retain(|name| is_automatic(name) && name != made);
    others.sort_unstable_by(|one, other| other.cmp(one));
    remove(folder, others.iter().skip(MAX_AUTOMATIC - 1))
}

fn remove<'n>(folder: &Path, mut names: impl Iterator<Item = &'n String>) -> Result<(), LibraryError> {
    names.try_for_each(|name| {
        let path = folder.join(name);
        std::fs::remove_file(&path).map_err(|source| LibraryError::File { path, source })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_said_of_the_file_that_did_not_fit() {
        let full = Path::new("/full/backup.sqlite");
        let sqlite = |code| rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None).into();
        let error = of_target(sqlite(rusqlite::ffi::SQLITE_FULL), full);
        assert_eq!(error.to_string(), "cannot use /full/backup.sqlite: no storage space");
        assert_eq!(error.hint(), "free some space there and try again");
        assert!(matches!(of_target(sqlite(rusqlite::ffi::SQLITE_CORRUPT), full), LibraryError::Damaged { .. }));
    }

    #[test]
    fn a_backup_is_made_while_somebody_writes_and_has_what_was_committed() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path().join("library.sqlite")).unwrap();
        let id = library.save_record("(;SZ[9]PB[kept];B[ee])", 1).unwrap().id;
        let backup = folder.path().join("backup.sqlite");
        let writer = library.writer().unwrap();
        writer.execute_batch("BEGIN IMMEDIATE; UPDATE games SET title = 'later';").unwrap();
        library.backup(&backup).unwrap();
        writer.execute_batch("ROLLBACK;").unwrap();
        drop(writer);
        let copy = Library::open(&backup).unwrap().summary(&id).unwrap();
        assert_eq!((copy.black.as_str(), copy.title), ("kept", None));
    }
}
