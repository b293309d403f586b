//! Players: people with one or several names, and their records.

use std::collections::HashMap;

use honinbo_rules::Color;
use rusqlite::Connection;

use crate::change::Change;
use crate::error::LibraryError;
use crate::open::Library;
use crate::person::{id_of, names_of, person_of};
use crate::ratings::{RatingAt, Ratings};
use crate::track::TrackReader;

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
    /// By the player's own first two moves on boards of 19x19, as `4-4 + 3-4`, most frequent first.
    pub by_opening: Vec<RecordLine>,
}

/// One row for each game of a person `?1`: which colour, whether it was won or lost, who the other was, when.
pub(crate) const GAMES_OF: &str =
    "SELECT 'black' AS color, g.winner = 1 AS won, g.winner = 2 AS lost, o.person AS other, g.date AS date
     FROM games g JOIN players p ON p.id = g.black JOIN players o ON o.id = g.white
     WHERE p.person = ?1 AND g.deleted IS NULL
     UNION ALL
     SELECT 'white', g.winner = 2, g.winner = 1, o.person, g.date
     FROM games g JOIN players p ON p.id = g.white JOIN players o ON o.id = g.black
     WHERE p.person = ?1 AND g.deleted IS NULL";

impl Library {
    /// People one of whose names has all words of a text, in any order, those with most games first.
    ///
    /// # Errors
    /// What the database says.
    pub fn players(&self, text: &str, limit: u32) -> Result<Vec<PlayerSummary>, LibraryError> {
        let people = self.facts()?.people(text, limit.min(1000) as usize);
        self.read(|connection| people.into_iter().map(|person| summary(connection, person.into())).collect())
    }

    /// A player's rating over time: one entry for each month with games. Games without a date or a winner do not count.
    ///
    /// The first call after a change reads all games.
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`].
    pub fn player_ratings(&self, name: &str) -> Result<Vec<RatingAt>, LibraryError> {
        self.read(|connection| {
            let person = person_of(connection, name)?;
            Ok(Ratings::keep_current(&mut self.caches.ratings(), connection)?.of(person))
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
                by_opening: by_opening(connection, person)?,
            })
        })
    }

    /// Says that several names are one person, shown by the first of them. Undone by [`Library::part_player`].
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`]: then nothing changes.
    pub fn join_players(&self, names: &[&str]) -> Result<(), LibraryError> {
        let Some((shown, _)) = names.split_first() else { return Ok(()) };
        self.change_with("players", |transaction| {
            let shown_id = id_of(transaction, shown)?;
            let mut persons = Vec::new();
            for name in names {
                for id in names_of(transaction, person_of(transaction, name)?)? {
                    persons.push((id, shown_id));
                }
            }
            Ok(Change::Persons { persons })
        })?;
        Ok(())
    }

    /// Says that a name is a person of its own again.
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`].
    pub fn part_player(&self, name: &str) -> Result<(), LibraryError> {
        self.change_with("players", |transaction| {
            let id = id_of(transaction, name)?;
            let person = person_of(transaction, name)?;
            // The others of the person keep together, under the first of them when it was this name that stood for
            // them.
            let others: Vec<i64> = names_of(transaction, person)?.into_iter().filter(|other| *other != id).collect();
            let heir = if person == id { others.first().copied() } else { Some(person) };
            let mut persons = vec![(id, id)];
            persons.extend(heir.into_iter().flat_map(|heir| others.iter().map(move |&other| (other, heir))));
            Ok(Change::Persons { persons })
        })?;
        Ok(())
    }
}

/// Games of a person that are opened for the figures about openings, the last ones.
const MAX_OPENED: u32 = 5_000;

fn by_opening(connection: &Connection, person: i64) -> Result<Vec<RecordLine>, LibraryError> {
    let mut lines: HashMap<String, RecordLine> = HashMap::new();
    for (column, other, color) in [("black", 2, Color::Black), ("white", 1, Color::White)] {
        let mut statement = connection.prepare_cached(&format!(
            "SELECT g.winner, r.track FROM games g JOIN players p ON p.id = g.{column} JOIN records r ON r.game = g.id
             WHERE p.person = ?1 AND g.deleted IS NULL AND g.width = 19 AND g.height = 19
             ORDER BY g.id DESC LIMIT {MAX_OPENED}"
        ))?;
        let mut rows = statement.query([person])?;
        while let Some(row) = rows.next()? {
            let winner: i64 = row.get(0)?;
            let Some(mut track) = TrackReader::new(row.get_ref(1)?.as_blob().unwrap_or_default()) else { continue };
            if track.n_setup > 0 {
                continue;
            }
            let moves = (0..track.n_moves.min(8)).map_while(|_| track.next_move());
            let own: Vec<u16> = moves.filter(|(mover, _)| *mover == color).map(|(_, at)| at).take(2).collect();
            let [first, second] = own[..] else { continue };
            let mut names = [corner_name(first), corner_name(second)];
            names.sort_unstable_by(|a, b| b.cmp(a));
            let what = names.join(" + ");
            let line = lines.entry(what.clone()).or_insert(RecordLine { what, games: 0, wins: 0, losses: 0 });
            line.games += 1;
            line.losses += u32::from(winner == other);
            line.wins += u32::from(winner == 3 - other);
        }
    }
    let mut lines: Vec<RecordLine> = lines.into_values().collect();
    lines.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.what.cmp(&b.what)));
    lines.truncate(30);
    Ok(lines)
}

/// Lines from the nearest corner's sides of a point of a 19x19 board, as players call it: `4-4`, `3-4`.
fn corner_name(at: u16) -> String {
    if at >= 361 {
        return "pass".to_owned();
    }
    let line = |n: u16| (n + 1).min(19 - n);
    let (a, b) = (line(at % 19), line(at / 19));
    format!("{}-{}", a.min(b), a.max(b))
}

pub(crate) fn summary(connection: &Connection, person: i64) -> Result<PlayerSummary, LibraryError> {
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
