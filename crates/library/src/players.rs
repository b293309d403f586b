//! Players: people with one or several names, and their records.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::error::LibraryError;
use crate::open::Library;

/// A person and how they fared.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayerSummary {
    /// The name they are shown by.
    pub name: String,
    /// Their other names.
    pub other_names: Vec<String>,
    /// Games, without those in the bin.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
}

/// Results of some of a player's games.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordLine {
    /// `black` or `white`, a year, or an opponent's name.
    pub what: String,
    /// Games.
    pub games: u32,
    /// Won by the player.
    pub wins: u32,
    /// Lost by the player.
    pub losses: u32,
}

/// A player's record.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayerRecord {
    /// Who, and all games.
    pub player: PlayerSummary,
    /// As Black and as White.
    pub by_color: Vec<RecordLine>,
    /// Against each opponent, most frequent first, at most a hundred.
    pub by_opponent: Vec<RecordLine>,
    /// In each year, earliest first; games without a date are left out.
    pub by_year: Vec<RecordLine>,
}

/// One row for each game of a person `?1`: which colour, whether it was won or lost, who the other was, when.
const GAMES_OF: &str =
    "SELECT 'black' AS color, g.winner = 1 AS won, g.winner = 2 AS lost, o.person AS other, g.date AS date
     FROM games g JOIN players p ON p.id = g.black JOIN players o ON o.id = g.white
     WHERE p.person = ?1 AND g.deleted IS NULL
     UNION ALL
     SELECT 'white', g.winner = 2, g.winner = 1, o.person, g.date
     FROM games g JOIN players p ON p.id = g.white JOIN players o ON o.id = g.black
     WHERE p.person = ?1 AND g.deleted IS NULL";

impl Library {
    /// People one of whose names contains a text, those with most games first.
    ///
    /// # Errors
    /// What the database says.
    pub fn players(&self, text: &str, limit: u32) -> Result<Vec<PlayerSummary>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT person FROM (
                     SELECT DISTINCT person FROM players WHERE name <> '' AND name LIKE ?1 ESCAPE '\\') found
                 ORDER BY (SELECT count(*) FROM games g JOIN players p ON p.id = g.black WHERE p.person = found.person)
                        + (SELECT count(*) FROM games g JOIN players p ON p.id = g.white WHERE p.person = found.person)
                        DESC, person LIMIT ?2",
            )?;
            let people: Vec<i64> = statement
                .query_map(params![crate::query::like_pattern(text), limit.min(1000)], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            people.into_iter().map(|person| summary(connection, person)).collect()
        })
    }

    /// A player's results by colour, opponent and year, under whichever of the names.
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`].
    pub fn player_record(&self, name: &str) -> Result<PlayerRecord, LibraryError> {
        self.read(|connection| {
            let person = person_of(connection, name)?;
            let lines = |sql: String| -> Result<Vec<RecordLine>, LibraryError> {
                let mut statement = connection.prepare_cached(&sql)?;
                let rows = statement.query_map([person], |row| {
                    Ok(RecordLine { what: row.get(0)?, games: row.get(1)?, wins: row.get(2)?, losses: row.get(3)? })
                })?;
                Ok(rows.collect::<Result<_, _>>()?)
            };
            let sums = "count(*), sum(won), sum(lost)";
            Ok(PlayerRecord {
                player: summary(connection, person)?,
                by_color: lines(format!("SELECT color, {sums} FROM ({GAMES_OF}) GROUP BY color ORDER BY color"))?,
                by_opponent: lines(format!(
                    "SELECT (SELECT name FROM players WHERE id = other), {sums} FROM ({GAMES_OF})
                     GROUP BY other ORDER BY count(*) DESC, other LIMIT 100"
                ))?,
                by_year: lines(format!(
                    "SELECT CAST(date / 10000 AS TEXT), {sums} FROM ({GAMES_OF}) WHERE date > 0
                     GROUP BY date / 10000 ORDER BY date / 10000"
                ))?,
            })
        })
    }

    /// Says that several names are one person, shown by the first of them. Undone by [`Library::part_player`].
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`]: then nothing changes.
    pub fn join_players(&self, names: &[&str]) -> Result<(), LibraryError> {
        let mut writer = self.writer();
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let Some((shown, _)) = names.split_first() else { return Ok(()) };
        let shown_id = id_of(&transaction, shown)?;
        for name in names {
            let person = person_of(&transaction, name)?;
            transaction.execute("UPDATE players SET person = ?1 WHERE person = ?2", [shown_id, person])?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Says that a name is a person of its own again.
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`].
    pub fn part_player(&self, name: &str) -> Result<(), LibraryError> {
        let mut writer = self.writer();
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let id = id_of(&transaction, name)?;
        // The others of the person keep together, under the first of them when it was this name that stood for them.
        let heir: Option<i64> =
            transaction
                .query_row("SELECT min(id) FROM players WHERE person = ?1 AND id <> ?1", [id], |row| row.get(0))?;
        if let Some(heir) = heir {
            transaction.execute("UPDATE players SET person = ?1 WHERE person = ?2 AND id <> ?2", [heir, id])?;
        }
        transaction.execute("UPDATE players SET person = id WHERE id = ?1", [id])?;
        transaction.commit()?;
        Ok(())
    }
}

fn id_of(connection: &Connection, name: &str) -> Result<i64, LibraryError> {
    let mut statement = connection.prepare_cached("SELECT id FROM players WHERE name = ?1")?;
    let id: Option<i64> = statement.query_row([name], |row| row.get(0)).optional()?;
    id.ok_or_else(|| LibraryError::UnknownPlayer { name: name.chars().take(80).collect() })
}

fn person_of(connection: &Connection, name: &str) -> Result<i64, LibraryError> {
    let id = id_of(connection, name)?;
    Ok(connection.prepare_cached("SELECT person FROM players WHERE id = ?1")?.query_row([id], |row| row.get(0))?)
}

fn summary(connection: &Connection, person: i64) -> Result<PlayerSummary, LibraryError> {
    let name =
        connection.prepare_cached("SELECT name FROM players WHERE id = ?1")?.query_row([person], |row| row.get(0))?;
    let mut statement =
        connection.prepare_cached("SELECT name FROM players WHERE person = ?1 AND id <> ?1 ORDER BY name")?;
    let other_names = statement.query_map([person], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let sql = format!("SELECT count(*), coalesce(sum(won), 0), coalesce(sum(lost), 0) FROM ({GAMES_OF})");
    let (games, wins, losses) =
        connection.prepare_cached(&sql)?.query_row([person], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(PlayerSummary { name, other_names, games, wins, losses })
}
