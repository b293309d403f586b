//! Opening, renaming, deleting and bringing back games.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use crate::change::Change;
use crate::error::LibraryError;
use crate::id::GameId;
use crate::list::{GameSummary, summary};
use crate::open::Library;
use crate::text::{TextCodec, text_of};
use crate::time::Timestamp;

/// Longest title, in characters.
const MAX_TITLE: usize = 200;
/// One page of so many that is free makes the file worth being written anew.
const LARGE_PART: i64 = 4;

/// A game with its whole text.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredGame {
    /// What the list shows of it.
    pub summary: GameSummary,
    /// The record as it came in or was last edited, byte for byte.
    pub sgf: String,
    /// How many other versions of the same game are kept: see [`Library::copies`].
    pub n_copies: u32,
}

/// Where the space of games goes that are deleted for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreedSpace {
    /// The next games take it; to the disk where it is a large part of the file.
    ForGames,
    /// To the disk, also what changes of before take; the whole file is written anew. For whoever may take no more of it.
    ToDisk,
}

impl Library {
    /// A game with its whole text, also when it is in the bin.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`]; [`LibraryError::Damaged`] when its text cannot be unpacked.
    pub fn game(&self, id: &GameId) -> Result<StoredGame, LibraryError> {
        let row = id.row()?;
        let mut codec = TextCodec::new()?;
        self.read(|connection| {
            let summary = summary(connection, row)?.ok_or_else(|| id.unknown())?;
            let sgf = text_of(connection, row, &mut codec)?;
            let n_copies = connection
                .prepare_cached("SELECT count(*) FROM copies WHERE game = ?1")?
                .query_row([row], |row| row.get(0))?;
            Ok(StoredGame { summary, sgf, n_copies })
        })
    }

    /// Other versions of a game that came in later, or that a fuller one replaced, oldest first.
    ///
    /// # Errors
    /// What the database says.
    pub fn copies(&self, id: &GameId) -> Result<Vec<String>, LibraryError> {
        let row = id.row()?;
        let mut codec = TextCodec::new()?;
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT text FROM copies WHERE game = ?1 ORDER BY id")?;
            let packed: Vec<Vec<u8>> = statement.query_map([row], |row| row.get(0))?.collect::<Result<_, _>>()?;
            packed.iter().map(|text| codec.unpack(text, None)).collect()
        })
    }

    /// Gives a game a title; an empty one takes the title away.
    ///
    /// # Errors
    /// [`LibraryError::BadName`] for more than 200 characters, [`LibraryError::UnknownGame`].
    pub fn rename(&self, id: &GameId, title: &str, now: Timestamp) -> Result<(), LibraryError> {
        let row = id.row()?;
        let title = title.trim();
        let bad = |reason| LibraryError::BadName { name: title.chars().take(40).collect(), reason };
        if title.chars().count() > MAX_TITLE {
            return Err(bad("it is longer than 200 characters"));
        }
        if title.contains(|c: char| c.is_control()) {
            return Err(bad("it contains control characters"));
        }
        let title = (!title.is_empty()).then(|| title.to_owned());
        self.change_with("rename", |transaction| {
            check_games(transaction, std::slice::from_ref(id))?;
            Ok(Change::Titles { titles: vec![(row, title)], now })
        })?;
        Ok(())
    }

    /// Moves games to the bin; returns how many were not there already. Undone by [`Library::restore`].
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`] when one of them does not exist: then none is deleted.
    pub fn delete(&self, ids: &[GameId], now: Timestamp) -> Result<u32, LibraryError> {
        self.set_deleted("delete", ids, Some(now))
    }

    /// Takes games out of the bin; returns how many were there.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`] when one of them was deleted for good: then none is restored.
    pub fn restore(&self, ids: &[GameId]) -> Result<u32, LibraryError> {
        self.set_deleted("restore", ids, None)
    }

    fn set_deleted(&self, what: &str, ids: &[GameId], deleted: Option<Timestamp>) -> Result<u32, LibraryError> {
        self.change_with(what, |transaction| {
            let rows = check_games(transaction, ids)?;
            Ok(Change::Bin { states: rows.into_iter().map(|row| (row, deleted)).collect() })
        })
    }

    /// Deletes for good what is in the bin, with the texts that changes of before would bring back, so that those cannot
    /// be taken back. Returns how many games were in the bin.
    ///
    /// # Errors
    /// What the database says; then nothing is deleted. [`LibraryError::DiskFull`] where the space is wanted back and
    /// there is no room for another file beside this one: then the games are gone, and their space is not given back.
    pub fn empty_bin(&self, space: FreedSpace) -> Result<u32, LibraryError> {
        self.with_large_cache(|| {
            let mut writer = self.writer()?;
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // The text index is emptied by the trigger on `notes`, which cascades do not fire in order.
            let notes = "DELETE FROM notes WHERE game IN (SELECT id FROM games WHERE deleted IS NOT NULL)";
            transaction.execute(notes, [])?;
            let removed = transaction.execute("DELETE FROM games WHERE deleted IS NOT NULL", [])?;
            if removed > 0 || space == FreedSpace::ToDisk {
                transaction.execute("DELETE FROM history", [])?;
            }
            transaction.commit()?;
            let count = |name: &str| writer.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
            let write_anew = || writer.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
            match space {
                FreedSpace::ToDisk => write_anew()?,
                FreedSpace::ForGames => {
                    if removed > 0 && count("freelist_count")? > count("page_count")? / LARGE_PART {
                        // A disk without room for another file keeps this one as large as it is.
                        drop(write_anew());
                    }
                }
            }
            Ok(u32::try_from(removed).unwrap_or(u32::MAX))
        })
    }
}

/// The rows of games that must all be there.
pub(crate) fn check_games(connection: &Connection, ids: &[GameId]) -> Result<Vec<i64>, LibraryError> {
    let mut look = connection.prepare_cached("SELECT 1 FROM games WHERE id = ?1")?;
    ids.iter()
        .map(|id| {
            let row = id.row()?;
            let known: Option<i64> = look.query_row([row], |row| row.get(0)).optional()?;
            known.map(|_| row).ok_or_else(|| id.unknown())
        })
        .collect()
}
