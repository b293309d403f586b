//! What can go wrong with a library file.

use std::path::PathBuf;

use rusqlite::ErrorCode;

/// Why the library could not do what was asked. Nothing that was stored before is lost by any of these.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The file was written by a later version of this program. It was not touched.
    #[error("the library has version {found}, this program knows versions up to {known}")]
    Newer {
        /// Version of the file.
        found: u32,
        /// Newest version this program reads.
        known: u32,
    },
    /// The file is something else.
    #[error("{path} is not a game library")]
    NotALibrary {
        /// The file.
        path: PathBuf,
    },
    /// The file's contents contradict themselves.
    #[error("the library is damaged: {detail}")]
    Damaged {
        /// What was found.
        detail: String,
    },
    /// Another program has held the library for too long.
    #[error("the library is in use by another program")]
    Locked,
    /// The file or its folder cannot be written.
    #[error("the library cannot be written")]
    ReadOnly,
    /// No room left.
    #[error("the disk is full")]
    DiskFull,
    /// Something else has the file's name by now, or nothing. What was to be written was not.
    #[error("the library's file {path} was replaced or removed while it was open")]
    Replaced {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be opened or created.
    #[error("cannot open {path}")]
    CannotOpen {
        /// The file.
        path: PathBuf,
        /// Why, as the system says it.
        #[source]
        source: rusqlite::Error,
    },
    /// A file could not be read or written.
    #[error("cannot use {path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why, as the system says it.
        #[source]
        source: std::io::Error,
    },
    /// No game has this id, or it was deleted for good.
    #[error("there is no game {id} in the library")]
    UnknownGame {
        /// What was asked for.
        id: String,
    },
    /// No card has this id, or it was put away.
    #[error("there is no card {id} in the library")]
    UnknownCard {
        /// What was asked for.
        id: String,
    },
    /// No account or watched folder has this id.
    #[error("there is no account or watched folder {id} in the library")]
    UnknownSource {
        /// What was asked for.
        id: String,
    },
    /// What should be saved holds no game.
    #[error("nothing to save: {reason}")]
    NotARecord {
        /// What the reader said.
        reason: String,
    },
    /// A name is empty, taken, or too long.
    #[error("`{name}` cannot be used as a name: {reason}")]
    BadName {
        /// The name.
        name: String,
        /// Why.
        reason: &'static str,
    },
    /// A fact that a record cannot be given.
    #[error("`{fact}` cannot be written: {reason}")]
    BadFact {
        /// The fact, as SGF has it.
        fact: String,
        /// Why.
        reason: &'static str,
    },
    /// No player has this name.
    #[error("there is no player `{name}` in the library")]
    UnknownPlayer {
        /// What was asked for.
        name: String,
    },
    /// A pattern that cannot be.
    #[error("{0}")]
    BadPattern(#[source] PatternError),
    /// Anything else that the database reports.
    #[error("the library's database failed: {0}")]
    Database(#[source] rusqlite::Error),
}

/// A pattern that is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Width times height is not the number of cells.
    #[error("a pattern of {width}x{height} cannot have {cells} points")]
    WrongShape {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// Cells given.
        cells: usize,
    },
    /// It is larger than the board, or does not fit where it should lie.
    #[error("the pattern does not fit on the board")]
    TooLarge,
    /// A move of the sequence lies outside the pattern, or there are more than a hundred.
    #[error("the sequence of moves leaves the pattern")]
    BadSequence,
    /// A character that means nothing.
    #[error("`{0}` means nothing in a pattern")]
    UnknownCharacter(char),
}

impl LibraryError {
    /// A stable name, for programs and translations.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Newer { .. } => "newerLibrary",
            Self::NotALibrary { .. } => "notALibrary",
            Self::Damaged { .. } => "damagedLibrary",
            Self::Locked => "libraryLocked",
            Self::ReadOnly => "libraryReadOnly",
            Self::DiskFull => "diskFull",
            Self::Replaced { .. } => "replacedLibrary",
            Self::CannotOpen { .. } => "cannotOpenLibrary",
            Self::File { .. } => "file",
            Self::UnknownGame { .. } => "unknownGame",
            Self::UnknownCard { .. } => "unknownCard",
            Self::UnknownSource { .. } => "unknownSource",
            Self::NotARecord { .. } => "notARecord",
            Self::BadName { .. } => "badName",
            Self::BadFact { .. } => "badFact",
            Self::UnknownPlayer { .. } => "unknownPlayer",
            Self::BadPattern(_) => "badPattern",
            Self::Database(_) => "database",
        }
    }

    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Newer { .. } => "update Honinbo, or choose another data folder; the file was not changed",
            Self::NotALibrary { .. } => "choose another file or data folder; the file was not changed",
            Self::Damaged { .. } => "rescue what can be read with `honinbo library rescue`, or restore a backup",
            Self::Locked => "close other programs that use this library and try again",
            Self::ReadOnly => "check the permissions of the data folder, or choose another one",
            Self::DiskFull => "free some space and try again; everything saved before is still there",
            Self::Replaced { .. } => "start Honinbo again, which opens the file that is there now",
            Self::CannotOpen { .. } => "check that the data folder exists and can be written, or choose another one",
            Self::File { source, .. } if source.kind() == std::io::ErrorKind::AlreadyExists => "choose another name",
            Self::File { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
                "free some space there and try again"
            }
            Self::File { .. } => "check the path and its permissions",
            Self::UnknownGame { .. } => "refresh the list of games",
            Self::UnknownCard { .. } => "go on with the next card",
            Self::UnknownSource { .. } => "choose one from the list of accounts and folders",
            Self::NotARecord { .. } => "save a game record in SGF",
            Self::BadName { .. } => "choose another name",
            Self::BadFact { .. } => {
                "give it as records have it, such as the date 1953-05-01, the result B+2.5 or the komi 6.5"
            }
            Self::UnknownPlayer { .. } => "choose a name from the list of players",
            Self::BadPattern(_) => "draw a pattern that fits on the board",
            Self::Database(_) => "try again; if it stays, run `honinbo library check`",
        }
    }
}

impl From<rusqlite::Error> for LibraryError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged { detail: error.to_string() },
            _ => Self::Database(error),
        }
    }
}
