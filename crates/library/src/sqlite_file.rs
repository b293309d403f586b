//! A SQLite file of a known kind: its header, its connections, its migrations.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

/// What tells files of one kind from others, and how they came to their present form.
pub(crate) struct FileKind {
    /// SQLite's `application_id`.
    pub(crate) application_id: u32,
    /// Migration `n` brings a file from version `n` to version `n + 1`. Published ones never change.
    pub(crate) migrations: &'static [&'static str],
}

impl FileKind {
    /// Version of the files that this program writes.
    pub(crate) const fn version(&self) -> u32 {
        self.migrations.len() as u32
    }
}

/// Why a file cannot be opened. It was not touched, but for the last two.
#[derive(Debug)]
pub(crate) enum FileError {
    /// Written by a later version of this program.
    Newer { found: u32, known: u32 },
    /// A file of another kind.
    Stranger,
    /// It cannot be read.
    Read(io::Error),
    /// SQLite cannot open it.
    Open(rusqlite::Error),
    /// SQLite cannot use it.
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for FileError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

/// Which file a path names: another one once the file was replaced or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileIdentity(Option<(u64, u64)>);

impl FileIdentity {
    /// Device and number of the file; `None` where none is there.
    #[cfg(unix)]
    pub(crate) fn of(path: &Path) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self(std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino())))
    }

    /// Windows lets nobody rename or remove a file that SQLite has open.
    #[cfg(not(unix))]
    pub(crate) fn of(_: &Path) -> Self {
        Self(None)
    }
}

/// The name of a file beside another one, which it begins with.
pub(crate) fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Looks at the file's header without SQLite, which would leave files beside it.
pub(crate) fn refuse_strangers(path: &Path, kind: &FileKind) -> Result<(), FileError> {
    let mut header = Vec::with_capacity(100);
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(FileError::Read(error)),
    };
    file.take(100).read_to_end(&mut header).map_err(FileError::Read)?;
    if header.is_empty() {
        return Ok(());
    }
    if header.len() < 100 || !header.starts_with(b"SQLite format 3\0") {
        return Err(FileError::Stranger);
    }
    let number = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let (version, application) = (number(60), number(68));
    if application != kind.application_id && (application != 0 || version != 0) {
        return Err(FileError::Stranger);
    }
    if version > kind.version() {
        return Err(FileError::Newer { found: version, known: kind.version() });
    }
    Ok(())
}

/// A connection that writes ahead and waits `busy_timeout` for another program that is writing.
pub(crate) fn connect(path: &Path, busy_timeout: Duration) -> Result<Connection, FileError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(FileError::Open)?;
    connection.busy_timeout(busy_timeout)?;
    // SQLite waits for no other program while it changes the journal's mode, which two that open a new file at once both do.
    let give_up = Instant::now() + busy_timeout;
    while let Err(error) = configure(&connection) {
        if error.sqlite_error_code() != Some(ErrorCode::DatabaseBusy) || Instant::now() >= give_up {
            return Err(error.into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// A connection that changes nothing, for a file that may be damaged.
pub(crate) fn connect_to_read(path: &Path, busy_timeout: Duration) -> Result<Connection, FileError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(FileError::Open)?;
    connection.busy_timeout(busy_timeout)?;
    connection.execute_batch("PRAGMA cell_size_check = ON")?;
    Ok(connection)
}

/// A connection to a file that cannot be written, in a folder that cannot be written either, as on a medium that is
/// read-only: SQLite usually makes files beside it to read it. It has to be of the version that this program writes.
pub(crate) fn connect_in_place(path: &Path, kind: &FileKind) -> Result<Connection, FileError> {
    let connection = connect_to_look(path)?;
    let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == kind.version() { Ok(connection) } else { Err(FileError::Stranger) }
}

/// As [`connect_in_place`], whatever the version: for what all of them have.
pub(crate) fn connect_to_look(path: &Path) -> Result<Connection, FileError> {
    let absolute = std::path::absolute(path).map_err(FileError::Read)?;
    let mut log = absolute.clone().into_os_string();
    log.push("-wal");
    // Without its log the file is an older state, or none.
    let is_whole = std::fs::metadata(&log).map_or(0, |log| log.len()) == 0;
    let address = address_of(&absolute).ok_or_else(|| FileError::Read(io::ErrorKind::InvalidFilename.into()))?;
    let address = if is_whole { address + "?immutable=1" } else { address };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address, flags).map_err(FileError::Open)?;
    connection
        .execute_batch("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; PRAGMA mmap_size = 268435456;")?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// An absolute path as an address.
fn address_of(path: &Path) -> Option<String> {
    let path = path.to_str()?;
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let path = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Some(format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" }))
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    // NORMAL with a write-ahead log keeps every commit when the program dies; a power cut may take the last ones.
    connection.execute_batch(
        "PRAGMA page_size = 8192;
         PRAGMA journal_mode = WAL;
         PRAGMA synchronous = NORMAL;
         PRAGMA foreign_keys = ON;
         PRAGMA temp_store = MEMORY;
         PRAGMA cache_size = -16384;
         PRAGMA mmap_size = 268435456;
         PRAGMA journal_size_limit = 67108864;",
    )
}

/// Brings a file to the version that this program writes.
pub(crate) fn migrate(connection: &mut Connection, kind: &FileKind) -> Result<(), FileError> {
    loop {
        // Immediate: two programs that open an old file at once do not both migrate it.
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version: u32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version > kind.version() {
            return Err(FileError::Newer { found: version, known: kind.version() });
        }
        let Some(migration) = kind.migrations.get(version as usize) else { return Ok(()) };
        if version == 0 {
            let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
            if tables > 0 {
                return Err(FileError::Stranger);
            }
        }
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "application_id", kind.application_id)?;
        transaction.pragma_update(None, "user_version", version + 1)?;
        transaction.commit()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: FileKind =
        FileKind { application_id: 7, migrations: &["CREATE TABLE t (x); INSERT INTO t VALUES (1)"] };

    #[test]
    fn a_file_is_read_in_place_whatever_its_name_has_in_it_and_nothing_is_made_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("50% of #1 games.sqlite");
        let mut connection = connect(&path, Duration::ZERO).unwrap();
        migrate(&mut connection, &KIND).unwrap();
        drop(connection);
        let connection = connect_in_place(&path, &KIND).unwrap();
        assert_eq!(connection.query_row("SELECT x FROM t", [], |row| row.get::<_, u32>(0)).unwrap(), 1);
        assert!(connection.execute("INSERT INTO t VALUES (2)", []).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let copy = folder.path().join("copy");
        connection.execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
        assert!(copy.exists());
        let newer = FileKind { migrations: &["", ""], ..KIND };
        assert!(connect_in_place(&path, &newer).is_err(), "it would have to be brought to that version");
    }
}
