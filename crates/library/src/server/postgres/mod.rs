//! The store in a PostgreSQL database.
//!
//! Of each server one connection writes, and others read. The one that writes holds an advisory lock as long as it lives,
//! and what was begun on it ends with it. PostgreSQL ends it, and with it the lock, when nothing is heard of the server for
//! [`session::TENURE_SECONDS`] by PostgreSQL's own clock. Whoever can take the lock then declares the server over, in the
//! table of processes, and others have its rooms. One that comes back takes its lock first, finds what was said of it, and
//! writes no more.

mod address;
mod session;
mod tls;
mod value;

pub use address::PostgresAddress;
pub(super) use session::Session;
pub(super) use value::column;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::params;
use tokio::runtime::Runtime;
use tokio_postgres::error::SqlState;

use self::session::{Access, Role, TransactionError};
use self::tls::MakeTls;
use super::StoreError;
use super::error::{DatabaseError, said_by};
use super::sql::{Row, Sql};

/// Migration `n` brings the tables from version `n` to version `n + 1`. Published ones never change.
const MIGRATIONS: &[&str] = &[
    include_str!("0001.sql"),
    include_str!("0002.sql"),
    include_str!("0003.sql"),
    include_str!("0004.sql"),
    include_str!("0005.sql"),
    include_str!("0006.sql"),
    include_str!("0007.sql"),
];
/// How often, and how long apart, the lock is tried: a server that was told to end a moment ago may still be writing.
const LOCK_TRIES: u32 = 100;
const LOCK_PAUSE: Duration = Duration::from_millis(20);
/// What tells the lock of whoever changes the tables from those of other programs, beside the schema: `HONS`.
const LOCK_CLASS: i32 = 0x484F_4E53;
/// The same of the locks that servers hold as long as they live: `HONP`.
const PROCESS_CLASS: i32 = 0x484F_4E50;
/// Connections that read.
const MAX_READERS: usize = 4;
/// How long it is tried to learn whether a change was made when the connection broke at its end.
const SETTLE_WITHIN: Duration = Duration::from_secs(60);
const SETTLE_PAUSE: Duration = Duration::from_millis(500);

/// One database.
pub(super) struct PostgresStore {
    /// Carries the connections; `None` only while it is dropped.
    runtime: Option<Runtime>,
    access: Access,
    process: Process,
    /// Nobody else has come since, which is not known any more once the connection broke.
    is_alone: bool,
    writer: Mutex<Writer>,
    readers: Mutex<Readers>,
    /// Signalled when a connection that reads is free.
    freed: Condvar,
}

struct Writer {
    /// Holds the process's lock.
    session: Option<Session>,
    /// Others have declared the process over. That does not change back.
    is_taken_over: bool,
}

/// A server among those of a store.
#[derive(Debug, Clone, Copy)]
pub(super) struct Process {
    pub(super) id: i64,
}

#[derive(Default)]
struct Readers {
    idle: Vec<Session>,
    /// Idle or in use.
    open: usize,
}

impl PostgresStore {
    /// Connects; `alone` keeps others from coming as long as the connection lives, and is refused while somebody is there.
    pub(super) fn connect(address: &PostgresAddress, alone: bool) -> Result<Self, StoreError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("postgres")
            .enable_all()
            .build()
            .map_err(|error| StoreError::Unreachable { place: address.to_string(), reason: error.to_string() })?;
        let access =
            Access { runtime: runtime.handle().clone(), tls: MakeTls::new(address)?, address: address.clone() };
        let session = access.open(Role::Writer)?;
        let place = || address.to_string();
        // An older version holds this lock as long as it runs.
        if !take_lock(&session)? {
            return Err(StoreError::InUse);
        }
        let begun = migrate(&session, &place).and_then(|()| Process::begin(&session));
        let process = begun.map_err(|error| match error {
            StoreError::Database(DatabaseError::Postgres(error))
                if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) =>
            {
                StoreError::Refused { place: place(), reason: said_by(&error) }
            }
            other => other,
        })?;
        if !alone {
            give_lock_back(&session)?;
        } else if process.has_company(&session)? {
            return Err(StoreError::InUse);
        }
        Ok(Self {
            runtime: Some(runtime),
            access,
            process,
            is_alone: alone,
            writer: Mutex::new(Writer { session: Some(session), is_taken_over: false }),
            readers: Mutex::default(),
            freed: Condvar::new(),
        })
    }

    pub(super) fn process(&self) -> Process {
        self.process
    }

    pub(super) fn read<T>(&self, read: impl Fn(&Sql<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut is_first = true;
        loop {
            let session = self.reader()?;
            let found = read(&Sql::Postgres(&session));
            let is_broken = session.is_broken();
            self.give_back(session);
            match found {
                Err(_) if is_broken && is_first => is_first = false,
                found => return found,
            }
        }
    }

    pub(super) fn change<T>(&self, change: impl Fn(&Sql<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut writer = lock(&self.writer);
        let mut is_first = true;
        loop {
            let session = self.ready(&mut writer)?;
            match session.transaction(&|session: &Session| change(&Sql::Postgres(session))) {
                Ok(result) => return Ok(result),
                Err(TransactionError::NotMade(_)) if session.is_broken() && is_first => is_first = false,
                Err(TransactionError::NotMade(error)) => return Err(error),
                Err(TransactionError::Unknown { error, result, transaction }) => {
                    return if self.was_made(&mut writer, &transaction)? { Ok(result) } else { Err(error) };
                }
            }
        }
    }

    /// The connection that writes, made again where it broke.
    fn ready<'w>(&self, writer: &'w mut Writer) -> Result<&'w Session, StoreError> {
        if writer.is_taken_over {
            return Err(StoreError::TakenOver);
        }
        let session = match writer.session.take().filter(|session| !session.is_broken()) {
            Some(session) => session,
            None if self.is_alone => return Err(StoreError::InUse),
            None => {
                let session = self.access.open(Role::Writer)?;
                let is_locked = self.process.take_lock(&session)?;
                if self.process.is_over(&session)? {
                    writer.is_taken_over = true;
                    return Err(StoreError::TakenOver);
                }
                if !is_locked {
                    // PostgreSQL has not noticed yet that the connection before is gone.
                    return Err(StoreError::Locked);
                }
                session
            }
        };
        Ok(writer.session.insert(session))
    }

    /// Whether a change was made whose end was not heard of. Waits until the database can say.
    fn was_made(&self, writer: &mut Writer, transaction: &str) -> Result<bool, StoreError> {
        let give_up = Instant::now() + SETTLE_WITHIN;
        loop {
            let asked = self.ready(writer).and_then(|session| {
                Sql::Postgres(session).first(
                    "SELECT pg_xact_status(CAST(CAST(?1 AS TEXT) AS xid8))",
                    params![transaction],
                    |row| row.get::<Option<String>>(0),
                )
            });
            match asked {
                Ok(status) => match status.flatten().as_deref() {
                    Some("committed") => return Ok(true),
                    Some("in progress") if Instant::now() < give_up => {}
                    _ => return Ok(false),
                },
                Err(StoreError::TakenOver) => return Err(StoreError::TakenOver),
                Err(error) if Instant::now() >= give_up => return Err(error),
                Err(_) => {}
            }
            std::thread::sleep(SETTLE_PAUSE);
        }
    }

    /// A connection that reads.
    fn reader(&self) -> Result<Session, StoreError> {
        let mut readers = lock(&self.readers);
        loop {
            while let Some(session) = readers.idle.pop() {
                if !session.is_broken() {
                    return Ok(session);
                }
                readers.open -= 1;
            }
            if readers.open < MAX_READERS {
                break;
            }
            readers = self.freed.wait(readers).unwrap_or_else(PoisonError::into_inner);
        }
        readers.open += 1;
        drop(readers);
        let opened = self.access.open(Role::Reader);
        if opened.is_err() {
            self.forget_reader();
        }
        opened
    }

    fn give_back(&self, session: Session) {
        if session.is_broken() {
            return self.forget_reader();
        }
        lock(&self.readers).idle.push(session);
        self.freed.notify_one();
    }

    fn forget_reader(&self) {
        lock(&self.readers).open -= 1;
        self.freed.notify_one();
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        lock(&self.writer).session = None;
        lock(&self.readers).idle.clear();
        if let Some(runtime) = self.runtime.take() {
            // May be called where nothing may wait.
            runtime.shutdown_background();
        }
    }
}

/// A panic in another thread leaves nothing half done: its connection is gone, or its transaction ends before the next.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Process {
    /// Enters a new server, whose lock this connection holds from the moment that others can see it.
    fn begin(session: &Session) -> Result<Self, StoreError> {
        let begun = session.transaction(&|session: &Session| {
            let sql = &Sql::Postgres(session);
            let process = Self { id: sql.insert("INSERT INTO processes DEFAULT VALUES RETURNING id", params![])? };
            if process.try_lock(sql)? { Ok(process) } else { Err(StoreError::Locked) }
        });
        begun.map_err(not_made)
    }

    /// Takes the server's lock for as long as this connection lives, unless one before it is still there.
    fn take_lock(self, session: &Session) -> Result<bool, StoreError> {
        tried(|| self.try_lock(&Sql::Postgres(session)))
    }

    fn try_lock(self, sql: &Sql<'_>) -> Result<bool, StoreError> {
        let taken = sql.first(
            "SELECT pg_try_advisory_lock(?1, hashtext(coalesce(current_schema(), '') || ':' || CAST(?2 AS BIGINT)))",
            params![PROCESS_CLASS, self.id],
            |row| row.get(0),
        )?;
        Ok(taken.unwrap_or(false))
    }

    /// Whether others have declared it over. Its lock is held.
    fn is_over(self, session: &Session) -> Result<bool, StoreError> {
        let is_alive = Sql::Postgres(session).first(
            "SELECT 1 FROM processes WHERE id = ?1 AND ended = 0",
            params![self.id],
            |row| row.get::<i64>(0),
        )?;
        Ok(is_alive.is_none())
    }

    /// Whether another server holds its lock.
    fn has_company(self, session: &Session) -> Result<bool, StoreError> {
        let others = session.transaction(&|session: &Session| {
            Sql::Postgres(session).first(
                "SELECT count(*) FROM processes WHERE ended = 0 AND id <> ?1
                     AND NOT pg_try_advisory_xact_lock(?2, hashtext(coalesce(current_schema(), '') || ':' || id))",
                params![self.id, PROCESS_CLASS],
                |row| row.get::<i64>(0),
            )
        });
        Ok(others.map_err(not_made)?.unwrap_or_default() > 0)
    }

    /// Declares those over that hold their lock no more and have not been heard of for a while, during which this server was
    /// heard: a connection that has just broken may be made again.
    pub(super) fn end_silent(self, sql: &Sql<'_>) -> Result<(), StoreError> {
        sql.execute(
            "UPDATE processes SET ended = 1 WHERE ended = 0 AND id <> ?1 AND id IN (
                 SELECT id FROM processes WHERE ended = 0 AND id <> ?1 AND seen < now() - interval '3 seconds'
                 FOR UPDATE SKIP LOCKED)
                 AND EXISTS (SELECT 1 FROM processes WHERE id = ?1 AND since < now() - interval '3 seconds')
                 AND pg_try_advisory_xact_lock(?2, hashtext(coalesce(current_schema(), '') || ':' || id))",
            params![self.id, PROCESS_CLASS],
        )?;
        Ok(())
    }
}

/// Takes the lock that keeps others from changing the tables, unless another one has it. Schemas of one database are stores
/// of their own.
fn take_lock(session: &Session) -> Result<bool, StoreError> {
    tried(|| {
        let taken = Sql::Postgres(session).first(
            "SELECT pg_try_advisory_lock(?1, hashtext(coalesce(current_schema(), '')))",
            params![LOCK_CLASS],
            |row| row.get(0),
        )?;
        Ok(taken.unwrap_or(false))
    })
}

fn give_lock_back(session: &Session) -> Result<(), StoreError> {
    Sql::Postgres(session).first(
        "SELECT pg_advisory_unlock(?1, hashtext(coalesce(current_schema(), '')))",
        params![LOCK_CLASS],
        |row| row.get::<bool>(0),
    )?;
    Ok(())
}

fn tried(mut take: impl FnMut() -> Result<bool, StoreError>) -> Result<bool, StoreError> {
    for nth in 0..LOCK_TRIES {
        if nth > 0 {
            std::thread::sleep(LOCK_PAUSE);
        }
        if take()? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn not_made<T>(error: TransactionError<T>) -> StoreError {
    match error {
        TransactionError::NotMade(error) | TransactionError::Unknown { error, .. } => error,
    }
}

/// Brings the tables to the version that this program writes. The lock is held.
fn migrate(session: &Session, place: &dyn Fn() -> String) -> Result<(), StoreError> {
    let sql = Sql::Postgres(session);
    let tables = sql.first(
        "SELECT count(*) FILTER (WHERE relname = 'honinbo_store'), count(*) FROM pg_class
             WHERE relnamespace = CAST(current_schema() AS regnamespace) AND relkind IN ('r', 'p')",
        params![],
        |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let mut version: u32 = match tables.unwrap_or_default() {
        (0_u32, 0_u32) => 0,
        (0, _) => return Err(StoreError::OtherTables { place: place() }),
        _ => sql.first("SELECT version FROM honinbo_store", params![], |row| row.get(0))?.unwrap_or_default(),
    };
    let known = MIGRATIONS.len() as u32;
    if version > known {
        return Err(StoreError::Newer { found: version, known });
    }
    while let Some(migration) = MIGRATIONS.get(version as usize) {
        let migrated = session.transaction(&|session: &Session| {
            session.run(migration)?;
            sql.execute("UPDATE honinbo_store SET version = ?1", params![version + 1])
        });
        migrated.map_err(not_made)?;
        version += 1;
    }
    Ok(())
}
