//! A whole store in another place: from a file into a database, and back.

use rusqlite::params;
use rusqlite::types::{ToSql, Value};

use super::sql::Sql;
use super::{ServerStore, StoreError};

/// Rows that are read at a time. A game or a room has some tens of thousands of bytes.
const PAGE: i64 = 200;

/// A table that was copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopiedTable {
    /// Its name.
    pub name: &'static str,
    /// How many rows it has, here and there.
    pub rows: u64,
}

struct Table {
    name: &'static str,
    count: &'static str,
    /// So many rows behind a key, in its order.
    page: &'static str,
    insert: Insert,
    columns: usize,
    /// The first columns, which are the key.
    key: &'static [Key],
    /// The database gives out its numbers, and none twice.
    is_numbered: bool,
}

struct Insert {
    into_file: &'static str,
    /// Numbers are given out by the database unless it is told otherwise.
    into_database: &'static str,
}

/// What kind of value a part of a key is.
enum Key {
    Number,
    Text,
    Bytes,
}

impl Key {
    /// What comes before all others.
    fn start(&self) -> Value {
        match self {
            Self::Number => Value::Integer(i64::MIN),
            Self::Text => Value::Text(String::new()),
            Self::Bytes => Value::Blob(Vec::new()),
        }
    }
}

macro_rules! table {
    ($name:literal: $columns:literal = $marks:literal, $count:literal by $key:literal > $behind:literal limit $limit:literal $kinds:expr) => {
        Table {
            name: $name,
            count: concat!("SELECT count(*) FROM ", $name),
            page: concat!(
                "SELECT ",
                $columns,
                " FROM ",
                $name,
                " WHERE (",
                $key,
                ") > (",
                $behind,
                ") ORDER BY ",
                $key,
                " LIMIT ",
                $limit
            ),
            insert: Insert {
                into_file: concat!("INSERT INTO ", $name, " (", $columns, ") VALUES (", $marks, ")"),
                into_database: concat!(
                    "INSERT INTO ",
                    $name,
                    " (",
                    $columns,
                    ") OVERRIDING SYSTEM VALUE VALUES (",
                    $marks,
                    ")"
                ),
            },
            columns: $count,
            key: $kinds,
            is_numbered: false,
        }
    };
}

/// What a store holds, each table behind those that it refers to. Which servers run on it is none of it.
const TABLES: [Table; 12] = [
    numbered(table!("accounts": "id, name, name_key, password, guest, created" = "?1, ?2, ?3, ?4, ?5, ?6", 6
        by "id" > "?1" limit "?2" &[Key::Number])),
    table!("gone_accounts": "id" = "?1", 1 by "id" > "?1" limit "?2" &[Key::Number]),
    table!("tokens": "hash, account, expires, operator_until, issuer, provider_session" = "?1, ?2, ?3, ?4, ?5, ?6", 6
        by "hash" > "?1" limit "?2" &[Key::Bytes]),
    table!("identities": "account, issuer, subject, linked" = "?1, ?2, ?3, ?4", 4
        by "account" > "?1" limit "?2" &[Key::Number]),
    table!("sign_up_codes": "hash, expires" = "?1, ?2", 2 by "hash" > "?1" limit "?2" &[Key::Bytes]),
    table!("reset_codes": "hash, account, expires" = "?1, ?2, ?3", 3 by "hash" > "?1" limit "?2" &[Key::Bytes]),
    table!("rooms": "id, state, saved" = "?1, ?2, ?3", 3 by "id" > "?1" limit "?2" &[Key::Text]),
    numbered(table!("games":
        "id, room, black, white, black_name, white_name, width, height, moves, result, ended, sgf, rated, black_counted, white_counted" =
        "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15", 15
        by "id" > "?1" limit "?2" &[Key::Number])),
    numbered(table!("lessons": "id, room, title, teacher, moves, ended, sgf" = "?1, ?2, ?3, ?4, ?5, ?6, ?7", 7
        by "id" > "?1" limit "?2" &[Key::Number])),
    table!("lesson_people": "account, lesson" = "?1, ?2", 2
        by "account, lesson" > "?1, ?2" limit "?3" &[Key::Number, Key::Number]),
    numbered(table!("tournaments": "id, state, is_over, changed" = "?1, ?2, ?3, ?4", 4
        by "id" > "?1" limit "?2" &[Key::Number])),
    table!("settings": "name, value" = "?1, ?2", 2 by "name" > "?1" limit "?2" &[Key::Text]),
];

const fn numbered(table: Table) -> Table {
    Table { is_numbered: true, ..table }
}

impl ServerStore {
    /// Copies everything into an empty store, in one transaction of that: it has all of it afterwards, or nothing. Answers
    /// what was copied, counted in both.
    ///
    /// Numbers stay what they are, and those that were given to somebody who is gone are given to nobody there either.
    /// A text with the character U+0000, which PostgreSQL has in none, has U+FFFD in its place there.
    ///
    /// # Errors
    /// [`StoreError::NotEmpty`], [`StoreError::Miscounted`], and when one of the two cannot be read or written.
    pub fn copy_to(&self, target: &Self) -> Result<Vec<CopiedTable>, StoreError> {
        let alive = self.last_alive()?;
        target.change(|sql| {
            for table in &TABLES {
                if count(sql, table)? > 0 {
                    return Err(StoreError::NotEmpty { table: table.name });
                }
            }
            let copied = TABLES.iter().map(|table| self.copy_table(table, sql)).collect::<Result<Vec<_>, _>>()?;
            // Clocks are charged as here for the time since.
            match target.process() {
                None => {
                    sql.execute("DELETE FROM alive", params![])?;
                    if let Some(alive) = alive {
                        sql.execute("INSERT INTO alive (row, at) VALUES (1, ?1)", params![alive])?;
                    }
                }
                // The rooms were those of a server that is over.
                Some(process) => {
                    sql.execute("UPDATE rooms SET process = ?1", params![process.id])?;
                    sql.execute(
                        "UPDATE processes SET alive = ?1, ended = 1 WHERE id = ?2",
                        params![alive, process.id],
                    )?;
                }
            }
            Ok(copied)
        })
    }

    fn copy_table(&self, table: &Table, target: &Sql<'_>) -> Result<CopiedTable, StoreError> {
        let insert = match target {
            Sql::Sqlite(_) => table.insert.into_file,
            Sql::Postgres(_) => table.insert.into_database,
        };
        let mut behind: Vec<Value> = table.key.iter().map(Key::start).collect();
        loop {
            // By the connection that holds a database's lock: it stays open for that, and nobody else has the store.
            let rows = self.change(|sql| page(sql, table, &behind))?;
            for row in &rows {
                target.execute(insert, &references(row))?;
            }
            match rows.into_iter().next_back() {
                Some(last) => behind = last.into_iter().take(table.key.len()).collect(),
                None => break,
            }
        }
        if table.is_numbered {
            let given = self.change(|sql| last_number(sql, table.name))?;
            set_last_number(target, table.name, given)?;
        }
        let (here, there) = (self.change(|sql| count(sql, table))?, count(target, table)?);
        if here != there {
            return Err(StoreError::Miscounted { table: table.name, here, there });
        }
        Ok(CopiedTable { name: table.name, rows: there })
    }
}

fn count(sql: &Sql<'_>, table: &Table) -> Result<u64, StoreError> {
    let found = sql.first(table.count, params![], |row| row.get::<i64>(0))?;
    Ok(u64::try_from(found.unwrap_or_default()).unwrap_or_default())
}

fn page(sql: &Sql<'_>, table: &Table, behind: &[Value]) -> Result<Vec<Vec<Value>>, StoreError> {
    let limit: &dyn ToSql = &PAGE;
    let params: Vec<&dyn ToSql> = references(behind).into_iter().chain([limit]).collect();
    sql.all(table.page, &params, |row| (0..table.columns).map(|column| row.get(column)).collect())
}

fn references(values: &[Value]) -> Vec<&dyn ToSql> {
    values.iter().map(|value| value as &dyn ToSql).collect()
}

/// The last number that a table has given out, to whom it may.
fn last_number(sql: &Sql<'_>, table: &str) -> Result<i64, StoreError> {
    let last = match sql {
        Sql::Sqlite(_) => "SELECT seq FROM sqlite_sequence WHERE name = ?1",
        Sql::Postgres(_) => {
            "SELECT coalesce(pg_sequence_last_value(CAST(pg_get_serial_sequence(?1, 'id') AS regclass)), 0)"
        }
    };
    Ok(sql.first(last, params![table], |row| row.get(0))?.unwrap_or_default())
}

fn set_last_number(sql: &Sql<'_>, table: &str, number: i64) -> Result<(), StoreError> {
    let number = number.max(last_number(sql, table)?);
    if number == 0 {
        return Ok(());
    }
    match sql {
        Sql::Sqlite(_) => {
            sql.execute("DELETE FROM sqlite_sequence WHERE name = ?1", params![table])?;
            sql.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", params![table, number])?;
        }
        Sql::Postgres(_) => {
            sql.first(
                "SELECT setval(CAST(pg_get_serial_sequence(?1, 'id') AS regclass), ?2)",
                params![table, number],
                |row| row.get::<i64>(0),
            )?;
        }
    }
    Ok(())
}
