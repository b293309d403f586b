//! Opening a library file: its version, its migrations, its connections.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};

use crate::caches::Caches;
use crate::elsewhere::Seen;
use crate::error::LibraryError;
use crate::facts::FactsIndex;
use crate::follow::FollowsGames;
use crate::index::SearchIndex;
use crate::last_date::offer_last_date;
use crate::sqlite_file::{self, FileError, FileIdentity, FileKind};
use crate::store_size::StoreSize;

/// Migration `n` brings a file from version `n` to version `n + 1`. Published ones never change.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001.sql"),
    include_str!("migrations/0002.sql"),
    include_str!("migrations/0003.sql"),
    include_str!("migrations/0004.sql"),
    include_str!("migrations/0005.sql"),
    include_str!("migrations/0006.sql"),
    include_str!("migrations/0007.sql"),
    include_str!("migrations/0008.sql"),
    include_str!("migrations/0009.sql"),
    include_str!("migrations/0010.sql"),
    include_str!("migrations/0011.sql"),
    include_str!("migrations/0012.sql"),
    include_str!("migrations/0013.sql"),
    include_str!("migrations/0014.sql"),
    include_str!("migrations/0015.sql"),
    include_str!("migrations/0016.sql"),
];

/// Version of the files that this program writes.
pub const LIBRARY_VERSION: u32 = MIGRATIONS.len() as u32;

pub(crate) const KIND: FileKind = FileKind { application_id: 0x484F_4E42, migrations: MIGRATIONS }; // `HONB`

/// Connections kept for reading.
const MAX_IDLE_READERS: usize = 4;

/// How a library is opened.
#[derive(Debug, Clone)]
pub struct LibraryOptions {
    /// How long a call waits for another program that is writing.
    pub busy_timeout: Duration,
    /// Largest size of the file in pages of 8 KiB, for tests of a full disk; `None`: no limit but the disk's.
    pub max_pages: Option<u32>,
}

impl Default for LibraryOptions {
    fn default() -> Self {
        Self { busy_timeout: Duration::from_secs(5), max_pages: None }
    }
}

/// The game library: one SQLite file.
///
/// Shared between threads by reference. One call writes at a time; reading goes on beside it on connections of its
/// own and sees the last committed state. Every change is one transaction: after a crash it is there whole or not at
/// all. Several programs may use one file at once.
pub struct Library {
    path: PathBuf,
    identity: FileIdentity,
    is_read_only: bool,
    options: LibraryOptions,
    writer: Mutex<Connection>,
    seen: Mutex<Seen>,
    readers: Mutex<Vec<Connection>>,
    pub(crate) caches: Caches,
    /// What the evaluation store takes. Locked for moments only, with or without the writer.
    store_size: Mutex<StoreSize>,
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Library {
    /// Opens a library file; makes it, with its folder, when it is not there.
    ///
    /// # Errors
    /// A file of a newer version or of another kind is refused untouched; see [`LibraryError`] for the others.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LibraryError> {
        Self::open_with(path, LibraryOptions::default())
    }

    /// Opens a library file with options.
    ///
    /// # Errors
    /// As [`Library::open`].
    pub fn open_with(path: impl AsRef<Path>, options: LibraryOptions) -> Result<Self, LibraryError> {
        let path = path.as_ref().to_owned();
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|source| LibraryError::File { path: folder.to_owned(), source })?;
        }
        let failed = |error| LibraryError::of_file(error, &path);
        sqlite_file::refuse_strangers(&path, &KIND).map_err(failed)?;
        let opened = connect(&path, &options).and_then(|mut writer| {
            offer_last_date(&writer)?;
            sqlite_file::migrate(&mut writer, &KIND).map_err(failed)?;
            Ok(writer)
        });
        let (writer, is_read_only) = match opened {
            Ok(writer) => (writer, false),
            // Games can be looked at where nothing can be written, if they need not be brought to a newer version first.
            Err(error @ (LibraryError::ReadOnly | LibraryError::CannotOpen { .. })) => {
                (sqlite_file::connect_in_place(&path, &KIND).map_err(|_| error)?, true)
            }
            Err(error) => return Err(error),
        };
        let seen = Seen::now(&writer)?;
        Ok(Self {
            is_read_only,
            identity: FileIdentity::of(&path),
            path,
            options,
            seen: Mutex::new(seen),
            writer: Mutex::new(writer),
            readers: Mutex::new(Vec::new()),
            caches: Caches::default(),
            store_size: Mutex::default(),
        })
    }

    /// The library's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Nothing can be written to it or its folder: games are found and read, and every change is refused.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// Whether another program added, changed or deleted games since this was asked last; costs next to nothing where
    /// none wrote. Never waits: while this program writes it is false, and the next time says it.
    ///
    /// # Errors
    /// What the database says.
    pub fn changed_elsewhere(&self) -> Result<bool, LibraryError> {
        let writer = match self.writer.try_lock() {
            Ok(writer) => writer,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(false),
        };
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).is_news(&writer)
    }

    /// The one connection that writes. A panic in another thread cannot leave a transaction half done: it rolls back.
    pub(crate) fn writer(&self) -> Result<MutexGuard<'_, Connection>, LibraryError> {
        self.refuse_other_file()?;
        if self.is_read_only {
            return Err(LibraryError::ReadOnly);
        }
        Ok(self.writer.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What is written to a file that lost its name is gone once it is closed.
    fn refuse_other_file(&self) -> Result<(), LibraryError> {
        if FileIdentity::of(&self.path) == self.identity {
            Ok(())
        } else {
            Err(LibraryError::Replaced { path: self.path.clone() })
        }
    }

    pub(crate) fn store_size(&self) -> MutexGuard<'_, StoreSize> {
        self.store_size.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something that writes very much: with more memory for pages, and carrying what was written from the log
    /// over into the file less often, so that pages which are written again and again are carried over once.
    pub(crate) fn with_large_cache<T>(
        &self,
        work: impl FnOnce() -> Result<T, LibraryError>,
    ) -> Result<T, LibraryError> {
        self.writer()?.execute_batch("PRAGMA cache_size = -131072; PRAGMA wal_autocheckpoint = 12800;")?;
        let result = work();
        // The work is done or has failed already: a log that cannot be carried over now, because readers need it or the
        // disk is full, is carried over after a later change.
        if let Ok(writer) = self.writer() {
            drop(writer.execute_batch("PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 1000;"));
            drop(writer.execute_batch("PRAGMA wal_checkpoint(PASSIVE);"));
        }
        result
    }

    /// Runs `read` on a connection of its own, within one consistent view of the file.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, LibraryError>) -> Result<T, LibraryError> {
        let idle = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self.connection()?,
        };
        let view = connection.unchecked_transaction()?;
        let result = read(&view);
        view.finish()?;
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() < MAX_IDLE_READERS {
            readers.push(connection);
        }
        result
    }

    /// A new connection, for what takes so long that neither writing nor other reading may wait for it.
    pub(crate) fn connection(&self) -> Result<Connection, LibraryError> {
        self.refuse_other_file()?;
        if self.is_read_only {
            return sqlite_file::connect_in_place(&self.path, &KIND)
                .map_err(|error| LibraryError::of_file(error, &self.path));
        }
        connect(&self.path, &self.options)
    }

    /// The index of positions, brought up to date with whatever this program or another changed.
    pub(crate) fn search_index(&self) -> Result<Arc<SearchIndex>, LibraryError> {
        self.current(&self.caches.index)
    }

    /// The facts of all games, brought up to date in the same way.
    pub(crate) fn facts(&self) -> Result<Arc<FactsIndex>, LibraryError> {
        self.current(&self.caches.facts)
    }

    fn current<T: FollowsGames>(&self, cache: &Mutex<Option<Arc<T>>>) -> Result<Arc<T>, LibraryError> {
        let mut kept = cache.lock().unwrap_or_else(PoisonError::into_inner);
        // Within the lock, so that nobody sees an older state of the file than what is kept.
        let current = self.read(|connection| {
            let Some(known) = kept.as_ref() else {
                return T::load(connection).map(Arc::new);
            };
            if known.is_current(connection)? {
                return Ok(Arc::clone(known));
            }
            let mut grown = T::clone(known);
            Ok(Arc::new(if grown.follow(connection)? { grown } else { T::load(connection)? }))
        })?;
        *kept = Some(Arc::clone(&current));
        Ok(current)
    }
}

fn connect(path: &Path, options: &LibraryOptions) -> Result<Connection, LibraryError> {
    let connection =
        sqlite_file::connect(path, options.busy_timeout).map_err(|error| LibraryError::of_file(error, path))?;
    if let Some(pages) = options.max_pages {
        connection.pragma_update(None, "max_page_count", pages)?;
    }
    Ok(connection)
}

impl LibraryError {
    pub(crate) fn of_file(error: FileError, path: &Path) -> Self {
        let path = path.to_owned();
        match error {
            FileError::Newer { found, known } => Self::Newer { found, known },
            FileError::Stranger => Self::NotALibrary { path },
            FileError::Open(source) => Self::CannotOpen { path, source },
            FileError::Read(source) => Self::File { path, source },
            // Also where the file is there and its log cannot be made beside it.
            FileError::Database(source) if source.sqlite_error_code() == Some(ErrorCode::CannotOpen) => {
                Self::CannotOpen { path, source }
            }
            FileError::Database(error) => error.into(),
        }
    }
}
