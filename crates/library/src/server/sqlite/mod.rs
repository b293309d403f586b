//! The store in a file.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

use super::StoreError;
use super::sql::Sql;
use crate::sqlite_file::{self, FileKind};

const KIND: FileKind = FileKind {
    application_id: 0x484F_4E53, // `HONS`
    migrations: &[
        include_str!("0001.sql"),
        include_str!("0002.sql"),
        include_str!("0003.sql"),
        include_str!("0004.sql"),
        include_str!("0005.sql"),
        include_str!("0006.sql"),
        include_str!("0007.sql"),
        include_str!("0008.sql"),
        include_str!("0009.sql"),
    ],
};

/// How long a call waits for another program that is writing.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How often, and how long apart, the lock is tried.
const LOCK_TRIES: u32 = 25;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// One file, whose connection its users share.
pub(super) struct SqliteStore {
    connection: Mutex<Connection>,
    path: PathBuf,
    /// Held for as long as the store is open.
    _lock: File,
}

impl SqliteStore {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |error| StoreError::of_file(error, path);
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|source| StoreError::File { path: folder.to_owned(), source })?;
        }
        sqlite_file::refuse_strangers(path, &KIND).map_err(failed)?;
        keep_private(path).map_err(|source| StoreError::File { path: path.to_owned(), source })?;
        let lock = lock(&path.with_extension("lock"))?;
        let mut connection = sqlite_file::connect(path, BUSY_TIMEOUT).map_err(failed)?;
        sqlite_file::migrate(&mut connection, &KIND).map_err(failed)?;
        Ok(Self { connection: Mutex::new(connection), path: path.to_owned(), _lock: lock })
    }

    /// A panic in another thread cannot leave a transaction half done: it rolls back.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn read<T>(&self, read: impl FnOnce(&Sql<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        read(&Sql::Sqlite(&self.connection()))
    }

    pub(super) fn change<T>(&self, change: impl FnOnce(&Sql<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = change(&Sql::Sqlite(&transaction))?;
        transaction.commit()?;
        Ok(result)
    }

    pub(super) fn backup_to(&self, target: &Path) -> Result<(), StoreError> {
        let of_target = |source| StoreError::File { path: target.to_owned(), source };
        if target.exists() {
            return Err(of_target(std::io::ErrorKind::AlreadyExists.into()));
        }
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder).map_err(of_target)?;
        }
        let part = part_of(target);
        let written = self.write_copy(&part).and_then(|()| std::fs::rename(&part, target).map_err(of_target));
        if written.is_err() {
            let _ = std::fs::remove_file(&part); // Half a copy is none.
        }
        written
    }

    fn write_copy(&self, part: &Path) -> Result<(), StoreError> {
        let of_part = |source| StoreError::File { path: part.to_owned(), source };
        // A program that ended while it copied may have left one.
        match std::fs::remove_file(part) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(of_part(error)),
            _ => {}
        }
        keep_private(part).map_err(of_part)?;
        // A connection of its own: the log lets it read one state while the others write.
        let reading =
            sqlite_file::connect(&self.path, BUSY_TIMEOUT).map_err(|error| StoreError::of_file(error, &self.path))?;
        reading.execute("VACUUM INTO ?1", [part.to_string_lossy()])?;
        File::options().write(true).open(part).and_then(|file| file.sync_all()).map_err(of_part)
    }
}

/// Where a copy is until it is a whole one.
fn part_of(target: &Path) -> PathBuf {
    let mut part = target.as_os_str().to_owned();
    part.push(".part");
    part.into()
}

/// Two servers on one file would each believe that a room is theirs. The system lets go of the lock when a program ends,
/// however it ends.
fn lock(path: &Path) -> Result<File, StoreError> {
    let failed = |source| StoreError::File { path: path.to_owned(), source };
    keep_private(path).map_err(failed)?;
    // Windows locks only what is open for reading or writing; appending alone is neither.
    let file = File::options().write(true).create(true).truncate(false).open(path).map_err(failed)?;
    // A server that was told to end a moment ago may still be writing.
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
    }
    Err(StoreError::InUse)
}

/// The file is made with rights for its owner alone before SQLite writes into it; its log has the same rights then.
fn keep_private(path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        std::fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    }
    #[cfg(not(unix))]
    let _ = path; // The folder's rights hold.
    Ok(())
}
