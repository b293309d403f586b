//! One connection to the database.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::Future;
use std::time::Duration;

use rusqlite::types::ToSql;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::error::{Severity, SqlState};
use tokio_postgres::types::ToSql as PostgresToSql;
use tokio_postgres::{Client, SimpleQueryMessage, Statement};

use super::super::error::{MIN_POSTGRES, said_by};
use super::tls::MakeTls;
use super::value::Bound;
use super::{PostgresAddress, StoreError};

/// How long a server may be silent before PostgreSQL lets others have its rooms, in seconds.
pub(super) const TENURE_SECONDS: u32 = 10;
/// How long a connection may take to be made, whichever of the address's hosts answers.
const OPEN_WITHIN: Duration = Duration::from_secs(15);
/// How long an answer may take. PostgreSQL itself gives a statement up a little earlier, and says so.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
const STATEMENT_SECONDS: u32 = 25;

/// What makes connections.
pub(super) struct Access {
    pub(super) runtime: Handle,
    pub(super) tls: MakeTls,
    pub(super) address: PostgresAddress,
}

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Holds the process's lock, and loses it when it is silent for too long.
    Writer,
    Reader,
}

/// Why a transaction has no result.
pub(super) enum TransactionError<T> {
    /// Nothing was changed.
    NotMade(StoreError),
    /// The connection broke while the change was being made for good.
    Unknown {
        error: StoreError,
        /// What the change answers if it was made.
        result: T,
        /// PostgreSQL's number of it.
        transaction: String,
    },
}

/// One connection. Calls wait for the answer.
pub(in super::super) struct Session {
    client: Client,
    driver: JoinHandle<()>,
    runtime: Handle,
    place: String,
    prepared: RefCell<HashMap<&'static str, Statement>>,
    has_failed: Cell<bool>,
}

impl Access {
    /// A new connection.
    pub(super) fn open(&self, role: Role) -> Result<Session, StoreError> {
        let place = self.address.to_string();
        let connected = self.runtime.block_on(async {
            let connecting = self.address.config.connect(self.tls.clone());
            timeout(OPEN_WITHIN, connecting).await
        });
        let (client, connection) = match connected {
            Ok(Ok(connected)) => connected,
            Ok(Err(error)) => return Err(not_let_in(&error, place)),
            Err(_) => return Err(StoreError::Unreachable { place, reason: "it took too long".into() }),
        };
        // How it ends is seen by the next call.
        let driver = self.runtime.spawn(async move { drop(connection.await) });
        let session = Session {
            client,
            driver,
            runtime: self.runtime.clone(),
            place,
            prepared: RefCell::default(),
            has_failed: Cell::new(false),
        };
        let found = session.first_text("SHOW server_version_num")?.parse().unwrap_or(0);
        if found < MIN_POSTGRES {
            return Err(StoreError::OldDatabase { place: session.place.clone(), found: found / 10_000 });
        }
        session.run(&format!(
            "SET statement_timeout = '{STATEMENT_SECONDS}s'; SET idle_in_transaction_session_timeout = '{TENURE_SECONDS}s'"
        ))?;
        if role == Role::Writer {
            session.run(&format!("SET idle_session_timeout = '{TENURE_SECONDS}s'"))?;
        }
        Ok(session)
    }
}

impl Session {
    /// Whether it is of no use any more.
    pub(super) fn is_broken(&self) -> bool {
        self.has_failed.get() || self.client.is_closed()
    }

    pub(in super::super) fn execute(&self, sql: &'static str, params: &[&dyn ToSql]) -> Result<u64, StoreError> {
        let bound = bind(params)?;
        let statement = self.statement(sql)?;
        self.wait(self.client.execute(&statement, &references(&bound)))
    }

    pub(in super::super) fn query(
        &self,
        sql: &'static str,
        params: &[&dyn ToSql],
    ) -> Result<Vec<tokio_postgres::Row>, StoreError> {
        let bound = bind(params)?;
        let statement = self.statement(sql)?;
        self.wait(self.client.query(&statement, &references(&bound)))
    }

    /// Runs statements without parameters.
    pub(super) fn run(&self, sql: &str) -> Result<(), StoreError> {
        self.wait(self.client.batch_execute(sql))
    }

    /// Makes a change in one transaction.
    pub(super) fn transaction<T>(
        &self,
        change: &impl Fn(&Self) -> Result<T, StoreError>,
    ) -> Result<T, TransactionError<T>> {
        let transaction = self.first_text("BEGIN; SELECT pg_current_xact_id()").map_err(|error| {
            self.has_failed.set(true);
            TransactionError::NotMade(error)
        })?;
        let result = match change(self) {
            Ok(result) => result,
            Err(error) => {
                if self.run("ROLLBACK").is_err() {
                    self.has_failed.set(true);
                }
                return Err(TransactionError::NotMade(error));
            }
        };
        match self.run("COMMIT") {
            Ok(()) => Ok(result),
            Err(error) => {
                // Whatever it is in now, the next transaction does not begin in it.
                self.has_failed.set(true);
                Err(TransactionError::Unknown { error, result, transaction })
            }
        }
    }

    /// The first column of the first row of an answer.
    fn first_text(&self, sql: &str) -> Result<String, StoreError> {
        let answers = self.wait(self.client.simple_query(sql))?;
        let row = answers.iter().find_map(|answer| match answer {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        Ok(row.unwrap_or_default().to_owned())
    }

    fn statement(&self, sql: &'static str) -> Result<Statement, StoreError> {
        if let Some(prepared) = self.prepared.borrow().get(sql) {
            return Ok(prepared.clone());
        }
        let prepared = self.wait(self.client.prepare(&sql.replace('?', "$")))?;
        self.prepared.borrow_mut().insert(sql, prepared.clone());
        Ok(prepared)
    }

    fn wait<T>(&self, work: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, StoreError> {
        match self.runtime.block_on(async { timeout(ANSWER_WITHIN, work).await }) {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) if ends_connection(&error) => {
                self.has_failed.set(true);
                Err(StoreError::Unreachable { place: self.place.clone(), reason: said_by(&error) })
            }
            Ok(Err(error)) => Err(error.into()),
            Err(_) => {
                self.has_failed.set(true);
                Err(StoreError::Unreachable { place: self.place.clone(), reason: "an answer took too long".into() })
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

fn bind<'a>(params: &'a [&'a dyn ToSql]) -> Result<Vec<Bound<'a>>, StoreError> {
    params.iter().map(|param| Ok(Bound(param.to_sql()?))).collect()
}

fn references<'a>(bound: &'a [Bound<'_>]) -> Vec<&'a (dyn PostgresToSql + Sync)> {
    bound.iter().map(|one| one as &(dyn PostgresToSql + Sync)).collect()
}

fn is_of_system(error: &tokio_postgres::Error) -> bool {
    std::error::Error::source(error).is_some_and(<dyn std::error::Error>::is::<std::io::Error>)
}

fn ends_connection(error: &tokio_postgres::Error) -> bool {
    match error.as_db_error() {
        Some(said) => matches!(said.parsed_severity(), Some(Severity::Fatal | Severity::Panic)),
        None => error.is_closed() || is_of_system(error),
    }
}

/// Why there is no connection.
fn not_let_in(error: &tokio_postgres::Error, place: String) -> StoreError {
    let reason = said_by(error);
    let comes_later = [SqlState::CANNOT_CONNECT_NOW, SqlState::TOO_MANY_CONNECTIONS, SqlState::ADMIN_SHUTDOWN];
    match error.code() {
        Some(code) if comes_later.contains(code) => StoreError::Unreachable { place, reason },
        None if is_of_system(error) => StoreError::Unreachable { place, reason },
        _ => StoreError::Refused { place, reason },
    }
}
