//! Figures about the library as a whole, and the check of its file.

use rusqlite::Connection;

use crate::error::LibraryError;
use crate::list::{count_live, date_text};
use crate::open::{LIBRARY_VERSION, Library};
use crate::players::RecordLine;
use crate::readable::each_readable;
use crate::text::{TextCodec, text_of};

/// What is in a library.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LibraryStats {
    /// Games, without those in the bin.
    pub games: u32,
    /// Games in the bin.
    pub deleted: u32,
    /// Different names of players.
    pub players: u32,
    /// Other versions of games, kept beside them.
    pub copies: u32,
    /// Games won by Black.
    pub black_wins: u32,
    /// Games won by White.
    pub white_wins: u32,
    /// Day of the earliest dated game, as `yyyy-mm-dd`; empty when none is dated.
    pub first_date: String,
    /// Day of the latest.
    pub last_date: String,
    /// Size of the file in KiB, without its write-ahead log.
    pub file_kib: u32,
    /// Version of the file's layout.
    pub version: u32,
}

/// Results by what games have in common; won and lost are Black's.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LibraryFigures {
    /// In each year, earliest first; games without a date are left out.
    pub by_year: Vec<RecordLine>,
    /// By size of the board, as `19x19`, most frequent first.
    pub by_size: Vec<RecordLine>,
    /// By ruleset, most frequent first; empty for games that do not say.
    pub by_rules: Vec<RecordLine>,
    /// By kind of result, as [`crate::GameFilter::result`] names them, most frequent first.
    pub by_result: Vec<RecordLine>,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    /// Games that were read.
    pub games: u32,
    /// What is wrong, a sentence each; empty when the library is sound.
    pub problems: Vec<String>,
    /// What was repaired, a sentence each.
    pub repaired: Vec<String>,
}

/// Problems listed by a check.
const MAX_PROBLEMS: usize = 100;

impl Library {
    /// Figures about the library.
    ///
    /// # Errors
    /// What the database says.
    pub fn stats(&self) -> Result<LibraryStats, LibraryError> {
        self.read(|connection| {
            let number =
                |sql: &str| -> Result<u32, LibraryError> { Ok(connection.query_row(sql, [], |row| row.get(0))?) };
            let date = |sql: &str| -> Result<String, LibraryError> { Ok(date_text(number(sql)?)) };
            Ok(LibraryStats {
                games: count_live(connection)?,
                deleted: number("SELECT count(*) FROM games WHERE deleted IS NOT NULL")?,
                players: number("SELECT count(*) FROM players WHERE name <> ''")?,
                copies: number("SELECT count(*) FROM copies")?,
                black_wins: number("SELECT count(*) FROM games WHERE winner = 1 AND deleted IS NULL")?,
                white_wins: number("SELECT count(*) FROM games WHERE winner = 2 AND deleted IS NULL")?,
                first_date: date("SELECT coalesce(min(date), 0) FROM games WHERE date > 0")?,
                last_date: date("SELECT coalesce(max(date), 0) FROM games")?,
                file_kib: number("SELECT page_count * page_size / 1024 FROM pragma_page_count(), pragma_page_size()")?,
                version: LIBRARY_VERSION,
            })
        })
    }

    /// Results by year, size, rules and kind. Reads all games' rows.
    ///
    /// # Errors
    /// What the database says.
    pub fn figures(&self) -> Result<LibraryFigures, LibraryError> {
        self.read(|connection| {
            let lines = |what: &str, condition: &str, order: &str| -> Result<Vec<RecordLine>, LibraryError> {
                let sql = format!(
                    "SELECT {what} AS what, count(*) AS games, sum(g.winner = 1), sum(g.winner = 2)
                     FROM games g LEFT JOIN labels r ON r.id = g.rules
                     WHERE g.deleted IS NULL AND {condition} GROUP BY what ORDER BY {order} LIMIT 300"
                );
                let mut statement = connection.prepare_cached(&sql)?;
                let rows = statement.query_map([], |row| {
                    Ok(RecordLine { what: row.get(0)?, games: row.get(1)?, wins: row.get(2)?, losses: row.get(3)? })
                })?;
                Ok(rows.collect::<Result<_, _>>()?)
            };
            let kind = "CASE g.result WHEN 1 THEN 'score' WHEN 2 THEN 'resignation' WHEN 3 THEN 'time'
                        WHEN 4 THEN 'forfeit' WHEN 5 THEN 'win' WHEN 6 THEN 'draw' WHEN 7 THEN 'void' ELSE 'unknown' END";
            Ok(LibraryFigures {
                by_year: lines("CAST(g.date / 10000 AS TEXT)", "g.date >= 10000", "g.date / 10000")?,
                by_size: lines("g.width || 'x' || g.height", "1", "games DESC, what")?,
                by_rules: lines("coalesce(r.text, '')", "1", "games DESC, what")?,
                by_result: lines(kind, "1", "games DESC, what")?,
            })
        })
    }

    /// Reads the whole file and says what is wrong with it.
    ///
    /// # Errors
    /// What the database says when it cannot be read at all.
    pub fn check(&self) -> Result<CheckReport, LibraryError> {
        self.read(check)
    }

    /// Checks and repairs: makes the text index and the database's indexes anew and removes games whose record is
    /// gone. What cannot be repaired stays in `problems`.
    ///
    /// # Errors
    /// What the database says.
    pub fn repair(&self) -> Result<CheckReport, LibraryError> {
        let before = self.check()?;
        if before.problems.is_empty() {
            return Ok(before);
        }
        let repaired = match self.mend() {
            Ok(repaired) => repaired,
            // Pages that cannot be read are not mended by making indexes anew.
            Err(LibraryError::Damaged { .. }) => return Ok(before),
            Err(error) => return Err(error),
        };
        Ok(CheckReport { repaired, ..self.check()? })
    }

    /// What was repaired, a sentence each.
    fn mend(&self) -> Result<Vec<String>, LibraryError> {
        let mut repaired = vec!["the indexes were made anew".to_owned()];
        let mut writer = self.writer()?;
        let transaction = writer.transaction()?;
        transaction.execute_batch("REINDEX; INSERT INTO notes_index (notes_index) VALUES ('rebuild');")?;
        let orphans = "SELECT id FROM games WHERE id NOT IN (SELECT game FROM records)";
        transaction.execute(&format!("DELETE FROM notes WHERE game IN ({orphans})"), [])?;
        let removed = transaction.execute(&format!("DELETE FROM games WHERE id IN ({orphans})"), [])?;
        if removed > 0 {
            repaired.push(format!("{removed} games without a record were removed"));
        }
        transaction.commit()?;
        Ok(repaired)
    }
}

/// One thing that a check looks at; what is wrong goes into the report.
type Part = fn(&Connection, &mut CheckReport) -> Result<(), LibraryError>;

pub(crate) fn check(connection: &Connection) -> Result<CheckReport, LibraryError> {
    let mut report = CheckReport::default();
    let parts: [Part; 3] = [check_pages, check_references, check_records];
    for part in parts {
        // What cannot be read ends one part; the others say what else is there.
        match part(connection, &mut report) {
            Err(LibraryError::Damaged { detail }) => report.add(detail),
            other => other?,
        }
    }
    Ok(report)
}

impl CheckReport {
    fn add(&mut self, problem: String) {
        if self.problems.len() < MAX_PROBLEMS && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

fn check_pages(connection: &Connection, report: &mut CheckReport) -> Result<(), LibraryError> {
    let mut integrity = connection.prepare("PRAGMA integrity_check(50)")?;
    for line in integrity.query_map([], |row| row.get::<_, String>(0))? {
        let line = line?;
        if line != "ok" {
            report.add(line);
        }
    }
    Ok(())
}

fn check_references(connection: &Connection, report: &mut CheckReport) -> Result<(), LibraryError> {
    let mut keys = connection.prepare("PRAGMA foreign_key_check")?;
    let broken = keys.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<i64>>(1)?)))?;
    for row in broken.take(MAX_PROBLEMS) {
        let (table, row) = row?;
        report.add(format!("row {} of {table} points to nothing", row.unwrap_or_default()));
    }
    Ok(())
}

fn check_records(connection: &Connection, report: &mut CheckReport) -> Result<(), LibraryError> {
    let mut codec = TextCodec::new()?;
    let whole = each_readable(connection, "games", "id", &mut |row| {
        let game: i64 = row.get(0)?;
        report.games += 1;
        if let Err(error) = text_of(connection, game, &mut codec) {
            report.add(format!("game {game}: {error}"));
        }
        Ok(())
    })?;
    if !whole {
        report.add("some games cannot be read".to_owned());
    }
    Ok(())
}
