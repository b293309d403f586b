//! Whom a name belongs to.

use rusqlite::{Connection, OptionalExtension};

use crate::error::LibraryError;

/// The row of a name.
pub(crate) fn id_of(connection: &Connection, name: &str) -> Result<i64, LibraryError> {
    let mut statement = connection.prepare_cached("SELECT id FROM players WHERE name = ?1")?;
    let id: Option<i64> = statement.query_row([name], |row| row.get(0)).optional()?;
    id.ok_or_else(|| LibraryError::UnknownPlayer { name: name.chars().take(80).collect() })
}

/// The person of a name.
pub(crate) fn person_of(connection: &Connection, name: &str) -> Result<i64, LibraryError> {
    let id = id_of(connection, name)?;
    Ok(connection.prepare_cached("SELECT person FROM players WHERE id = ?1")?.query_row([id], |row| row.get(0))?)
}

/// All names of a person, the first one first.
pub(crate) fn names_of(connection: &Connection, person: i64) -> Result<Vec<i64>, LibraryError> {
    let mut statement = connection.prepare_cached("SELECT id FROM players WHERE person = ?1 ORDER BY id")?;
    Ok(statement.query_map([person], |row| row.get(0))?.collect::<Result<_, _>>()?)
}
