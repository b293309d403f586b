//! One connection of the store, whichever database is behind it.
//!
//! A query stands once, in SQL that SQLite and PostgreSQL both understand. Its parameters are numbered (`?1`), every whole
//! number is 64 bits wide, and truth is 0 or 1.

use rusqlite::types::{FromSql, ToSql};

use super::StoreError;
use super::postgres::{self, Session};

/// Runs queries, within a transaction where [`super::ServerStore::change`] gave it.
pub(super) enum Sql<'c> {
    /// Of a file.
    Sqlite(&'c rusqlite::Connection),
    /// Of a server.
    Postgres(&'c Session),
}

impl Sql<'_> {
    /// Runs a statement; how many rows it changed.
    pub(super) fn execute(&self, sql: &'static str, params: &[&dyn ToSql]) -> Result<u64, StoreError> {
        match self {
            Self::Sqlite(connection) => Ok(connection.prepare_cached(sql)?.execute(params)? as u64),
            Self::Postgres(session) => session.execute(sql, params),
        }
    }

    /// Every row of an answer.
    pub(super) fn all<T>(
        &self,
        sql: &'static str,
        params: &[&dyn ToSql],
        read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        match self {
            Self::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                let mut rows = statement.query(params)?;
                let mut found = Vec::new();
                while let Some(row) = rows.next()? {
                    found.push(read(&Row::Sqlite(row))?);
                }
                Ok(found)
            }
            Self::Postgres(session) => {
                session.query(sql, params)?.iter().map(|row| read(&Row::Postgres(row))).collect()
            }
        }
    }

    /// The first row of an answer.
    pub(super) fn first<T>(
        &self,
        sql: &'static str,
        params: &[&dyn ToSql],
        read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.all(sql, params, read)?.into_iter().next())
    }

    /// Inserts a row; the number that it was given, which the statement returns.
    pub(super) fn insert(&self, sql: &'static str, params: &[&dyn ToSql]) -> Result<i64, StoreError> {
        self.first(sql, params, |row| row.get(0))?.ok_or_else(|| rusqlite::Error::QueryReturnedNoRows.into())
    }
}

/// A row of an answer.
pub(super) enum Row<'r> {
    /// Of a file.
    Sqlite(&'r rusqlite::Row<'r>),
    /// Of a server.
    Postgres(&'r tokio_postgres::Row),
}

impl Row<'_> {
    /// A column, counted from 0.
    pub(super) fn get<T: FromSql>(&self, index: usize) -> Result<T, StoreError> {
        match self {
            Self::Sqlite(row) => Ok(row.get(index)?),
            Self::Postgres(row) => postgres::column(row, index),
        }
    }
}
