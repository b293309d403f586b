//! What a server with accounts keeps: who may come in, the rooms, the games and lessons that
//! were played and given in them, and tournaments.
//!
//! In a file of its own beside the libraries: nobody's library holds a password, and a library can be copied or restored
//! without touching anybody's account. Or in a PostgreSQL database, where the server is large: several processes serve
//! from it together, and what one had goes on in another when it fails.
//! Passwords and tokens come hashed; this module never sees one.

mod account_id;
mod accounts;
mod copy;
mod error;
mod games;
mod identities;
mod lessons;
mod postgres;
mod rooms;
mod settings;
mod shared;
mod sql;
mod sqlite;
mod tokens;
mod tournaments;

pub use account_id::AccountId;
pub use accounts::{Account, AccountFacts};
pub use copy::CopiedTable;
pub use error::{DatabaseError, StoreError};
pub use games::{CountedGame, FinishedGame, PlayedGame};
pub use identities::Linked;
pub use lessons::{FinishedLesson, KeptLesson};
pub use postgres::PostgresAddress;
pub use rooms::{RoomChange, StoredRoom};
pub use shared::{Neighbour, Neighbours, RoomPlace, TakenRoom};
pub use tokens::TokenHash;
pub use tournaments::StoredTournament;

use std::path::{Path, PathBuf};

use rusqlite::params;

use self::postgres::PostgresStore;
use self::sql::Sql;
use self::sqlite::SqliteStore;

/// Where a server's store is.
#[derive(Debug, Clone)]
pub enum StorePlace {
    /// A SQLite file, made when it is not there.
    File(PathBuf),
    /// A PostgreSQL database, whose tables are made when they are not there.
    Postgres(PostgresAddress),
}

/// The accounts and rooms of a server, shared between threads by reference.
///
/// Every change is one transaction: after a crash it is there whole or not at all.
/// Times are milliseconds since 1970 and given by the caller.
/// Calls block until the database has answered; a task of an asynchronous runtime makes them on a thread for blocking work.
pub struct ServerStore {
    back_end: BackEnd,
}

enum BackEnd {
    Sqlite(SqliteStore),
    Postgres(Box<PostgresStore>),
}

impl std::fmt::Debug for ServerStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerStore").finish_non_exhaustive()
    }
}

impl ServerStore {
    /// Opens a store, wherever it is: [`ServerStore::open`] or [`ServerStore::connect`].
    ///
    /// # Errors
    /// As these.
    pub fn open_at(place: &StorePlace) -> Result<Self, StoreError> {
        match place {
            StorePlace::File(path) => Self::open(path),
            StorePlace::Postgres(address) => Self::connect(address),
        }
    }

    /// Opens the file; makes it, with its folder and readable by its owner alone, when it is not there.
    ///
    /// # Errors
    /// A file of a newer version or of another kind is refused untouched, and so is one that another server uses
    /// ([`StoreError::InUse`]); see [`StoreError`] for the others.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { back_end: BackEnd::Sqlite(SqliteStore::open(path)?) })
    }

    /// Connects to a database and makes its tables when there are none.
    ///
    /// Other servers may use it at the same time. One that is cut off from the database, or stands still, for longer than
    /// ten seconds loses its rooms to them; all it wants to write from then on is refused with [`StoreError::TakenOver`].
    /// Whatever else breaks the connection is mended by the next call.
    ///
    /// # Errors
    /// A database of a newer version or with other tables is refused untouched, and so is one that a server of an older
    /// version uses ([`StoreError::InUse`]); see [`StoreError`] for the others.
    pub fn connect(address: &PostgresAddress) -> Result<Self, StoreError> {
        Ok(Self { back_end: BackEnd::Postgres(Box::new(PostgresStore::connect(address, false)?)) })
    }

    /// Opens a store, wherever it is, for this program alone: nobody else uses it meanwhile.
    ///
    /// # Errors
    /// As [`ServerStore::open_at`]; [`StoreError::InUse`] while any server uses it.
    pub fn open_alone(place: &StorePlace) -> Result<Self, StoreError> {
        match place {
            StorePlace::File(path) => Self::open(path),
            StorePlace::Postgres(address) => {
                Ok(Self { back_end: BackEnd::Postgres(Box::new(PostgresStore::connect(address, true)?)) })
            }
        }
    }

    /// Reads. Begun again where the connection turns out to be broken.
    fn read<T>(&self, read: impl Fn(&Sql<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        match &self.back_end {
            BackEnd::Sqlite(store) => store.read(read),
            BackEnd::Postgres(store) => store.read(read),
        }
    }

    /// Changes something in one transaction, one after the other. Begun again where the connection turns out to be broken,
    /// as long as the change cannot have been made.
    fn change<T>(&self, change: impl Fn(&Sql<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        match &self.back_end {
            BackEnd::Sqlite(store) => store.change(change),
            BackEnd::Postgres(store) => store.change(change),
        }
    }

    /// Writes a copy of the file as it stands now, readable by its owner alone, while everybody goes on.
    ///
    /// # Errors
    /// When the copy cannot be written, or something is there already; [`StoreError::CopiedElsewhere`] where there is no
    /// file.
    pub fn backup_to(&self, target: &Path) -> Result<(), StoreError> {
        match &self.back_end {
            BackEnd::Sqlite(store) => store.backup_to(target),
            BackEnd::Postgres(_) => Err(StoreError::CopiedElsewhere),
        }
    }

    /// Notes that the server runs now. In a database, the rooms of a server that does not say so for ten seconds are for
    /// others to take.
    ///
    /// # Errors
    /// When the store cannot be written; [`StoreError::TakenOver`] where the server is over.
    pub fn set_alive(&self, now_ms: i64) -> Result<(), StoreError> {
        let process = self.process();
        self.change(|sql| {
            match &process {
                None => sql.execute(
                    "INSERT INTO alive (row, at) VALUES (1, ?1) ON CONFLICT (row) DO UPDATE SET at = excluded.at",
                    params![now_ms],
                )?,
                Some(process) => sql.execute(
                    "UPDATE processes SET alive = ?1, seen = now(),
                         since = CASE WHEN seen < now() - interval '3 seconds' THEN now() ELSE since END
                         WHERE id = ?2",
                    params![now_ms, process.id],
                )?,
            };
            Ok(())
        })
    }

    /// When a server was last seen running on this store; `None` before the first start.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn last_alive(&self) -> Result<Option<i64>, StoreError> {
        let latest = if self.is_shared() { "SELECT max(alive) FROM processes" } else { "SELECT max(at) FROM alive" };
        Ok(self.read(|sql| sql.first(latest, params![], |row| row.get::<Option<i64>>(0)))?.flatten())
    }
}
