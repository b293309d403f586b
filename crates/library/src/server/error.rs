//! What can go wrong with the store of a server.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use tokio_postgres::error::SqlState;

use crate::sqlite_file::FileError;

/// Why the server's store could not do what was asked. Nothing that was stored before is lost by any of these.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store was written by a later version of this program. It was not touched.
    #[error("the server's store has version {found}, this program knows versions up to {known}")]
    Newer {
        /// Version of the store.
        found: u32,
        /// Newest version this program reads.
        known: u32,
    },
    /// The file is something else.
    #[error("{} does not hold a server's accounts", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The file or its folder cannot be used.
    #[error("cannot use {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Somebody has this name, or one that looks like it.
    #[error("that name is taken")]
    NameTaken,
    /// The person of that provider has an account, or the account another person there.
    #[error("that is linked already")]
    Linked,
    /// Another server has the store open.
    #[error("another server uses this store")]
    InUse,
    /// Another program, or the database's memory of a connection that broke, has held the store for too long.
    #[error("the server's store is in use by another program")]
    Locked,
    /// The address of a database is none, or asks for what is not known here.
    #[error("the address of the store cannot be used: {reason}")]
    BadAddress {
        /// Why; without what stands in it, which may be secret.
        reason: String,
    },
    /// The database cannot be reached, or does not answer in time.
    #[error("the database at {place} does not answer: {reason}")]
    Unreachable {
        /// Host, port and name of the database.
        place: String,
        /// What the system said.
        reason: String,
    },
    /// The database does not let this server in.
    #[error("the database at {place} refuses this server: {reason}")]
    Refused {
        /// Host, port and name of the database.
        place: String,
        /// What the database said.
        reason: String,
    },
    /// The database's program is older than this one can use.
    #[error("the database at {place} is PostgreSQL {found}; this program needs {} or newer", MIN_POSTGRES / 10_000)]
    OldDatabase {
        /// Host, port and name of the database.
        place: String,
        /// Its major version.
        found: u32,
    },
    /// The database has tables that are not a server's. It was not touched.
    #[error("the database at {place} has tables of something else")]
    OtherTables {
        /// Host, port and name of the database.
        place: String,
    },
    /// This server was cut off or stood still, and another has taken the store since.
    #[error("another server has taken this one's rooms over")]
    TakenOver,
    /// The store is no file that could be copied here.
    #[error("this server's store is a PostgreSQL database, which PostgreSQL's own programs copy")]
    CopiedElsewhere,
    /// A store that another one was to be copied into has something in it. It was not changed.
    #[error("the store to copy into is not empty: there are {table} in it")]
    NotEmpty {
        /// The table.
        table: &'static str,
    },
    /// A copy had another number of rows than what was copied. It was undone.
    #[error("of {here} rows of {table} {there} arrived; nothing was copied")]
    Miscounted {
        /// The table.
        table: &'static str,
        /// Rows in the store that was copied.
        here: u64,
        /// Rows in the copy.
        there: u64,
    },
    /// No room left.
    #[error("the disk is full")]
    DiskFull,
    /// Anything else that the database reports.
    #[error("the server's database failed: {0}")]
    Database(#[source] DatabaseError),
}

/// What a database reported.
#[derive(Debug)]
pub enum DatabaseError {
    /// SQLite.
    Sqlite(rusqlite::Error),
    /// PostgreSQL.
    Postgres(tokio_postgres::Error),
}

impl std::fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sqlite(error) => error.fmt(f),
            Self::Postgres(error) => f.write_str(&said_by(error)),
        }
    }
}

impl std::error::Error for DatabaseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Sqlite(error) => error.source(),
            Self::Postgres(error) => error.source(),
        }
    }
}

/// The oldest PostgreSQL that can be used, as it numbers itself: it ends the session of a server that stands still.
pub(super) const MIN_POSTGRES: u32 = 140_000;

/// What went wrong, in the database's own words where it has some.
pub(super) fn said_by(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => said.message().to_owned(),
        None => match std::error::Error::source(error) {
            Some(cause) => format!("{error}: {cause}"),
            None => error.to_string(),
        },
    }
}

impl StoreError {
    /// What the operator can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Newer { .. } => "update Honinbo, or choose another store; this one was not changed",
            Self::NotAStore { .. } => "choose another data folder; the file was not changed",
            Self::File { .. } => "check that the data folder exists and can be written",
            Self::NameTaken => "choose another name",
            Self::Linked => "end the other link first",
            Self::InUse => "end the other server, or choose another store; servers of one version share a database",
            Self::Locked => "close other programs that use it; what is not written yet is tried again",
            Self::BadAddress { .. } => "write it as postgres://USER@HOST:PORT/DATABASE; docs/operating.md says more",
            Self::Unreachable { .. } => {
                "check that PostgreSQL runs there and can be reached; with a certificate of your own, name its authority"
            }
            Self::Refused { .. } => "check user, password and database, and what PostgreSQL's pg_hba.conf allows",
            Self::OldDatabase { .. } => "update PostgreSQL",
            Self::OtherTables { .. } => "name an empty database, or a schema of its own; nothing was changed",
            Self::TakenOver => "nothing was lost; start this server again",
            Self::CopiedElsewhere => "use pg_dump, or the base backups of PostgreSQL",
            Self::NotEmpty { .. } => "name a file that is not there yet, or an empty database or schema",
            Self::Miscounted { .. } => "look for what else writes there, such as rules or triggers of the database",
            Self::DiskFull => "free some space; everything stored before is still there",
            Self::Database(_) => "try again; if it stays, restore a backup",
        }
    }

    /// As it is, or `there` where a row is refused because another one is there.
    pub(super) fn if_there(self, there: Self) -> Self {
        let is_conflict = match &self {
            Self::Database(DatabaseError::Sqlite(error)) => {
                error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation)
            }
            Self::Database(DatabaseError::Postgres(error)) => error.code() == Some(&SqlState::UNIQUE_VIOLATION),
            _ => false,
        };
        if is_conflict { there } else { self }
    }

    pub(super) fn of_file(error: FileError, path: &Path) -> Self {
        let path = path.to_owned();
        match error {
            FileError::Newer { found, known } => Self::Newer { found, known },
            FileError::Stranger => Self::NotAStore { path },
            FileError::Read(source) => Self::File { path, source },
            FileError::Open(error) | FileError::Database(error) => error.into(),
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            _ => Self::Database(DatabaseError::Sqlite(error)),
        }
    }
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.code() {
            Some(&SqlState::DISK_FULL) => Self::DiskFull,
            Some(&SqlState::LOCK_NOT_AVAILABLE) => Self::Locked,
            _ => Self::Database(DatabaseError::Postgres(error)),
        }
    }
}
