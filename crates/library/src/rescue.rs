//! What can be read of a damaged library, in a new one.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use honinbo_record::read_sgf_text;
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, Row, Statement, Transaction, params, params_from_iter};

use crate::error::LibraryError;
use crate::open::{KIND, Library, LibraryOptions};
use crate::prepare::PreparedGame;
use crate::readable::{each_readable, rows_until_damage};
use crate::restore::{put_in_place, remove_library};
use crate::saver::Saver;
use crate::sqlite_file;
use crate::sqlite_file::with_end;
use crate::text::TextCodec;
use crate::time::Timestamp;
use crate::track::Track;

/// What became of a damaged library.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RescueReport {
    /// Games in the new library, with those in the bin.
    pub games: u32,
    /// Those of them of which the record alone could be read: they are in no folder.
    pub from_record: u32,
    /// Games of which something was found, but no record.
    pub lost: u32,
    /// Tables of the file of which not every row could be taken over.
    pub incomplete: Vec<&'static str>,
}

/// What is taken over; what a row points to comes before it.
const TABLES: [&str; 31] = [
    "players",
    "labels",
    "folders",
    "tags",
    "games",
    "records",
    "copies",
    "notes",
    "game_tags",
    "saved_searches",
    "contexts",
    "evaluations",
    "rated_games",
    "cards",
    "card_answers",
    "card_moves",
    "reviews",
    "problem_collections",
    "problems",
    "problem_answers",
    "sources",
    "source_games",
    "source_pages",
    "judged_games",
    "judged_sums",
    "judged_mistakes",
    "judged_openings",
    "trainings",
    "exercises",
    "exercise_answers",
    "deleted_numbers",
];

impl Library {
    /// Takes what can be read of a damaged library into a new file, row by row, so that a page that cannot be read costs
    /// what stands on it and nothing else. The damaged file stays as it is.
    ///
    /// # Errors
    /// A file that is there already is not overwritten; [`LibraryError::Damaged`] when not even its list of tables can be
    /// read, and what writing says: half a library is not left behind.
    pub fn rescue(from: &Path, to: &Path, now: Timestamp) -> Result<RescueReport, LibraryError> {
        if to.exists() {
            let source = std::io::Error::new(std::io::ErrorKind::AlreadyExists, "it is there already");
            return Err(LibraryError::File { path: to.to_owned(), source });
        }
        let failed = |error| LibraryError::of_file(error, from);
        sqlite_file::refuse_strangers(from, &KIND).map_err(failed)?;
        let source = sqlite_file::connect_to_read(from, LibraryOptions::default().busy_timeout).map_err(failed)?;
        let report = Self::open(to).and_then(|library| library.with_large_cache(|| library.take_over(&source, now)));
        if report.is_err() {
            remove_library(to);
        }
        report
    }

    /// Puts what can be read of a damaged library that is not open in its place. The damaged file is kept beside it with
    /// `.damaged` behind its name, and a number where there is such a file already; the answer says where.
    ///
    /// # Errors
    /// As [`Library::rescue`], and [`LibraryError::Locked`] when the library is open somewhere; nothing is changed then.
    pub fn rescue_in_place(path: &Path, now: Timestamp) -> Result<(RescueReport, PathBuf), LibraryError> {
        let fresh = with_end(path, ".rescued");
        // Of a rescue that was broken off.
        remove_library(&fresh);
        let report = Self::rescue(path, &fresh, now)?;
        let aside = free_name(path);
        put_in_place(&fresh, path, &aside).inspect_err(|_| remove_library(&fresh))?;
        Ok((report, aside))
    }

    fn take_over(&self, source: &Connection, now: Timestamp) -> Result<RescueReport, LibraryError> {
        let source = source.unchecked_transaction()?;
        let mut writer = self.writer()?;
        let target = writer.transaction()?;
        target.execute("DELETE FROM deleted_numbers", [])?;
        let mut report = RescueReport::default();
        let mut known = HashSet::new();
        for table in TABLES {
            let whole = match table {
                "records" => copy_records(&source, &target, &mut known, &mut report, now)?,
                table => copy_rows(&source, &target, table)?,
            };
            if !whole {
                report.incomplete.push(table);
            }
        }
        // An index may know games of which neither row nor record is left.
        if let Ok(mut listed) = source.prepare("SELECT id FROM games INDEXED BY games_line_key") {
            note_numbers(&mut listed, &mut known)?;
        }
        note_numbers(&mut target.prepare("SELECT id FROM games")?, &mut known)?;
        target.execute_batch(
            "UPDATE players SET person = id WHERE person NOT IN (SELECT id FROM players);
             DELETE FROM games WHERE id NOT IN (SELECT game FROM records);
             INSERT OR IGNORE INTO deleted_numbers (row, highest) VALUES (1, 0);",
        )?;
        // A number is never another game's.
        let highest = known.iter().max().copied().unwrap_or_default();
        target.execute("UPDATE deleted_numbers SET highest = max(highest, ?1)", [highest])?;
        report.games = target.query_row("SELECT count(*) FROM games", [], |row| row.get(0))?;
        report.lost = u32::try_from(known.len()).unwrap_or(u32::MAX).saturating_sub(report.games);
        target.commit()?;
        Ok(report)
    }
}

/// The first name for a damaged file that none has yet.
fn free_name(path: &Path) -> PathBuf {
    let mut aside = with_end(path, ".damaged");
    let mut number = 2;
    while aside.exists() {
        aside = with_end(path, &format!(".damaged-{number}"));
        number += 1;
    }
    aside
}

/// False where not every row could be taken over.
fn copy_rows(source: &Connection, target: &Connection, table: &str) -> Result<bool, LibraryError> {
    let there = columns_of(source, table)?;
    // An older file has fewer of them.
    let columns: Vec<String> = columns_of(target, table)?.into_iter().filter(|name| there.contains(name)).collect();
    if columns.is_empty() {
        return Ok(true);
    }
    let (names, marks) = (columns.join(", "), vec!["?"; columns.len()].join(", "));
    let mut insert = target.prepare(&format!("INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"))?;
    let mut every_row = true;
    let whole = each_readable(source, table, &names, &mut |row| {
        every_row &= copy_row(row, columns.len(), &mut insert)?;
        Ok(())
    })?;
    Ok(whole && every_row)
}

/// False for a row that means nothing: it has values of a damaged page, or is about something that is lost.
fn copy_row(row: &Row<'_>, columns: usize, insert: &mut Statement<'_>) -> Result<bool, LibraryError> {
    let Ok(values) = (0..columns).map(|at| row.get(at)).collect::<Result<Vec<Value>, _>>() else {
        return Ok(false);
    };
    match insert.execute(params_from_iter(values)) {
        Err(error) if is_refused(&error) => Ok(false),
        other => Ok(other.map(|_| true)?),
    }
}

fn is_refused(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch))
}

/// The records, each unpacked once to see that it can be. Where only the record of a game is left, what lists show of the
/// game is read from that.
fn copy_records(
    source: &Connection,
    target: &Transaction<'_>,
    known: &mut HashSet<i64>,
    report: &mut RescueReport,
    now: Timestamp,
) -> Result<bool, LibraryError> {
    let mut codec = TextCodec::new()?;
    let mut saver = Saver::new(target, &mut codec);
    let mut insert = target.prepare("INSERT INTO records (game, track, text) VALUES (?1, ?2, ?3)")?;
    let mut game_of = target.prepare("SELECT 1 FROM games WHERE id = ?1")?;
    let mut every_row = true;
    let whole = each_readable(source, "records", "game, track, text", &mut |row| {
        let id: i64 = row.get(0)?;
        known.insert(id);
        let Some((track, text, sgf)) = unpacked(row, saver.codec) else {
            every_row = false;
            return Ok(());
        };
        if game_of.exists([id])? {
            insert.execute(params![id, track, text])?;
        } else if let Some(game) = read_sgf_text(&sgf).games.into_iter().next() {
            let prepared = PreparedGame::new(&game.tree, saver.codec)?;
            saver.insert_as(id, &prepared, None, now)?;
            report.from_record += 1;
        }
        Ok(())
    })?;
    Ok(whole && every_row)
}

fn unpacked(row: &Row<'_>, codec: &mut TextCodec) -> Option<(Vec<u8>, Vec<u8>, String)> {
    let (track, text): (Vec<u8>, Vec<u8>) = (row.get(1).ok()?, row.get(2).ok()?);
    let sgf = codec.unpack(&text, Some(&Track::unpack(&track)?)).ok()?;
    Some((track, text, sgf))
}

fn columns_of(connection: &Connection, table: &str) -> Result<Vec<String>, LibraryError> {
    let mut columns = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
    let names = columns.query_map([table], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(names)
}

fn note_numbers(statement: &mut Statement<'_>, known: &mut HashSet<i64>) -> Result<(), LibraryError> {
    rows_until_damage(statement, [], &mut |row| {
        known.insert(row.get(0)?);
        Ok(())
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_taken_over_or_left_out_on_purpose() {
        // What lists follow, what can be undone, and imports that were broken off: all of it is about the file as it was.
        let left_out = ["touched", "relisted", "history", "import_progress"];
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path().join("library.sqlite")).unwrap();
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
                   AND name NOT LIKE 'notes_index%' ORDER BY name";
        let writer = library.writer().unwrap();
        let mut names = writer.prepare(sql).unwrap();
        let there: Vec<String> = names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let mut expected: Vec<&str> = TABLES.into_iter().chain(left_out).collect();
        expected.sort_unstable();
        assert_eq!(there, expected);
    }
}
