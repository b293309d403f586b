//! What can go wrong with the file of a server.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::sqlite_file::FileError;

/// Why the server's file could not do what was asked. Nothing that was stored before is lost by any of these.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file was written by a later version of this program. It was not touched.
    #[error("the server's file has version {found}, this program knows versions up to {known}")]
    Newer {
        /// Version of the file.
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
    /// Another server has the file open.
    #[error("another server uses this data folder")]
    InUse,
    /// Another program has held the file for too long.
    #[error("the server's file is in use by another program")]
    Locked,
    /// No room left.
    #[error("the disk is full")]
    DiskFull,
    /// Anything else that the database reports.
    #[error("the server's database failed: {0}")]
    Database(#[source] rusqlite::Error),
}

impl StoreError {
    /// What the operator can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Newer { .. } => "update Honinbo, or choose another data folder; the file was not changed",
            Self::NotAStore { .. } => "choose another data folder; the file was not changed",
            Self::File { .. } => "check that the data folder exists and can be written",
            Self::NameTaken => "choose another name",
            Self::Linked => "end the other link first",
            Self::InUse => "end the other server, or choose another data folder",
            Self::Locked => "close other programs that use the file",
            Self::DiskFull => "free some space; everything stored before is still there",
            Self::Database(_) => "try again; if it stays, restore a backup of the data folder",
        }
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
            _ => Self::Database(error),
        }
    }
}
