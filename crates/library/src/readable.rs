//! Reading a table of which some pages cannot be read.

use rusqlite::{Connection, ErrorCode, Params, Row, Statement};

use crate::error::LibraryError;

/// Numbers that are tried one by one behind a page that cannot be read: about as many games as hang below an inner page.
const MAX_GAP: i64 = 1 << 16;

/// Hands over every row of a table that can be read; false where some could not be. `columns` as behind `SELECT`.
pub(crate) fn each_readable(
    connection: &Connection,
    table: &str,
    columns: &str,
    visit: &mut dyn FnMut(&Row<'_>) -> Result<(), LibraryError>,
) -> Result<bool, LibraryError> {
    let without_rowid: bool = connection
        .prepare("SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1")?
        .query_row([table], |row| row.get(0))?;
    if without_rowid {
        from_both_ends(connection, table, columns, visit)
    } else {
        by_number(connection, table, columns, visit)
    }
}

/// In the order of the rows' numbers; behind what cannot be read they are tried one by one.
fn by_number(
    connection: &Connection,
    table: &str,
    columns: &str,
    visit: &mut dyn FnMut(&Row<'_>) -> Result<(), LibraryError>,
) -> Result<bool, LibraryError> {
    let select = format!("SELECT {columns}, rowid FROM {table} NOT INDEXED");
    let mut all = connection.prepare(&format!("{select} WHERE rowid >= ?1 ORDER BY rowid"))?;
    let mut one = connection.prepare(&format!("{select} WHERE rowid = ?1"))?;
    let mut highest = None;
    let mut end = connection.prepare(&format!("SELECT rowid FROM {table} NOT INDEXED ORDER BY rowid DESC LIMIT 1"))?;
    rows_until_damage(&mut end, [], &mut |row| {
        highest = Some(row.get::<_, i64>(0)?);
        Ok(())
    })?;
    let number = all.column_count() - 1;
    let (mut next, mut whole) = (1_i64, true);
    loop {
        let reached_end = rows_until_damage(&mut all, [next], &mut |row| {
            next = row.get::<_, i64>(number)?.saturating_add(1);
            visit(row)
        })?;
        if reached_end {
            return Ok(whole);
        }
        whole = false;
        let end = match highest {
            Some(highest) => next.saturating_add(MAX_GAP).min(highest.saturating_add(1)),
            // Neither end can be read: it is the page that all others hang from.
            None if next == 1 => return Ok(false),
            None => next.saturating_add(MAX_GAP),
        };
        while next < end && !is_readable(&mut one, next)? {
            next += 1;
        }
        if next >= end {
            return Ok(false);
        }
    }
}

/// A key of other values than numbers cannot be counted on: what lies between two such pages is left out.
fn from_both_ends(
    connection: &Connection,
    table: &str,
    columns: &str,
    visit: &mut dyn FnMut(&Row<'_>) -> Result<(), LibraryError>,
) -> Result<bool, LibraryError> {
    let keys: Vec<String> = connection
        .prepare("SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk")?
        .query_map([table], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let ordered = |direction: &str| {
        let keys: Vec<String> = keys.iter().map(|key| format!("\"{key}\" {direction}")).collect();
        format!("SELECT {columns} FROM {table} ORDER BY {}", keys.join(", "))
    };
    if rows_until_damage(&mut connection.prepare(&ordered("ASC"))?, [], visit)? {
        return Ok(true);
    }
    rows_until_damage(&mut connection.prepare(&ordered("DESC"))?, [], visit)?;
    Ok(false)
}

/// Hands over the rows up to the first that cannot be read; false if there is one.
pub(crate) fn rows_until_damage(
    statement: &mut Statement<'_>,
    params: impl Params,
    visit: &mut dyn FnMut(&Row<'_>) -> Result<(), LibraryError>,
) -> Result<bool, LibraryError> {
    let mut rows = statement.query(params)?;
    loop {
        match rows.next() {
            Ok(Some(row)) => visit(row)?,
            Ok(None) => return Ok(true),
            Err(error) if is_damage(&error) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
    }
}

fn is_readable(one: &mut Statement<'_>, number: i64) -> Result<bool, LibraryError> {
    match one.exists([number]) {
        Err(error) if is_damage(&error) => Ok(false),
        other => Ok(other?),
    }
}

/// The file contradicts itself, or the disk cannot read a part of it.
fn is_damage(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure))
}
