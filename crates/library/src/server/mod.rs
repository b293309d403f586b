//! What a server with accounts keeps: who may come in, the rooms, the games and lessons that
//! were played and given in them, and tournaments.
//!
//! A file of its own beside the libraries: nobody's library holds a password, and a library can be copied or restored
//! without touching anybody's account.
//! Passwords and tokens come hashed; this module never sees one.

mod accounts;
mod error;
mod games;
mod identities;
mod lessons;
mod rooms;
mod tokens;
mod tournaments;

pub use accounts::{Account, AccountFacts, AccountId};
pub use error::StoreError;
pub use games::{CountedGame, FinishedGame, PlayedGame};
pub use identities::Linked;
pub use lessons::{FinishedLesson, KeptLesson};
pub use rooms::{RoomChange, StoredRoom};
pub use tokens::TokenHash;
pub use tournaments::StoredTournament;

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

use crate::sqlite_file::{self, FileKind};

const KIND: FileKind = FileKind {
    application_id: 0x484F_4E53, // `HONS`
    migrations: &[
        include_str!("0001.sql"),
        include_str!("0002.sql"),
        include_str!("0003.sql"),
        include_str!("0004.sql"),
        include_str!("0005.sql"),
    ],
};

/// How long a call waits for another program that is writing.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How often, and how long apart, the lock is tried.
const LOCK_TRIES: u32 = 25;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// The accounts and rooms of a server: one SQLite file, shared between threads by reference.
///
/// Every change is one transaction: after a crash it is there whole or not at all.
/// Times are milliseconds since 1970 and given by the caller.
pub struct ServerStore {
    connection: Mutex<Connection>,
    /// Held for as long as the store is open.
    _lock: File,
}

impl std::fmt::Debug for ServerStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerStore").finish_non_exhaustive()
    }
}

impl ServerStore {
    /// Opens the file; makes it, with its folder and readable by its owner alone, when it is not there.
    ///
    /// # Errors
    /// A file of a newer version or of another kind is refused untouched, and so is one that another server uses
    /// ([`StoreError::InUse`]); see [`StoreError`] for the others.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |error| StoreError::of_file(error, path);
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|source| StoreError::File { path: folder.to_owned(), source })?;
        }
        sqlite_file::refuse_strangers(path, &KIND).map_err(failed)?;
        keep_private(path).map_err(|source| StoreError::File { path: path.to_owned(), source })?;
        let lock = lock(&path.with_extension("lock"))?;
        let mut connection = sqlite_file::connect(path, BUSY_TIMEOUT).map_err(failed)?;
        sqlite_file::migrate(&mut connection, &KIND).map_err(failed)?;
        Ok(Self { connection: Mutex::new(connection), _lock: lock })
    }

    /// A panic in another thread cannot leave a transaction half done: it rolls back.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(
        &self,
        change: impl FnOnce(&rusqlite::Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = change(&transaction)?;
        transaction.commit()?;
        Ok(result)
    }

    /// Writes a copy of the file as it stands now, readable by its owner alone, while everybody goes on.
    ///
    /// # Errors
    /// When the copy cannot be written, or something is there already.
    pub fn backup_to(&self, target: &Path) -> Result<(), StoreError> {
        let of_target = |source| StoreError::File { path: target.to_owned(), source };
        if target.exists() {
            return Err(of_target(std::io::ErrorKind::AlreadyExists.into()));
        }
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder).map_err(of_target)?;
        }
        keep_private(target).map_err(of_target)?;
        let path = self.connection().path().map(std::path::PathBuf::from);
        let path = path.ok_or_else(|| of_target(std::io::ErrorKind::NotFound.into()))?;
        // A connection of its own: the log lets it read one state while the others write.
        let reading = sqlite_file::connect(&path, BUSY_TIMEOUT).map_err(|error| StoreError::of_file(error, &path))?;
        let written = reading.execute("VACUUM INTO ?1", [target.to_string_lossy()]);
        if let Err(error) = written {
            let _ = std::fs::remove_file(target); // Half a copy is none.
            return Err(error.into());
        }
        Ok(())
    }

    /// Notes that the server runs now.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn set_alive(&self, now_ms: i64) -> Result<(), StoreError> {
        self.connection().execute("INSERT OR REPLACE INTO alive (row, at) VALUES (1, ?1)", [now_ms])?;
        Ok(())
    }

    /// When the server was last seen running; `None` before its first start.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn last_alive(&self) -> Result<Option<i64>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT at FROM alive")?;
        let mut rows = statement.query([])?;
        Ok(rows.next()?.map(|row| row.get(0)).transpose()?)
    }
}

/// Two servers on one file would each believe that a room is theirs. The system lets go of the lock when a program ends,
/// however it ends.
fn lock(path: &Path) -> Result<File, StoreError> {
    let failed = |source| StoreError::File { path: path.to_owned(), source };
    keep_private(path).map_err(failed)?;
    let file = File::options().append(true).open(path).map_err(failed)?;
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
