//! Games that wait for a review, in the file: whatever ends the program, they wait on.

use rusqlite::{OptionalExtension, TransactionBehavior, params};

use crate::error::LibraryError;
use crate::id::GameId;
use crate::open::Library;
use crate::time::Timestamp;

/// In which order games are reviewed: those of the last of these first. Two of them were asked for by a person, who is
/// told how far they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewOrder {
    /// Nobody waits for it.
    Unasked = -1,
    /// Asked for, behind those that wait.
    Asked = 0,
    /// Asked for, before them.
    AskedFirst = 1,
    /// All is known of it, so that it takes a moment; nobody asked.
    Known = 2,
}

/// How far the list of reviews is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReviewCounts {
    /// Games that wait.
    pub waiting: u32,
    /// Moves of these games.
    pub moves: u32,
    /// Games that were reviewed since the list was last empty.
    pub done: u32,
    /// Games among these that could not be.
    pub failed: u32,
    /// A person asked for some of them.
    pub asked: bool,
}

impl Library {
    /// Puts games on the list; what waits already takes the earlier of two places.
    /// Deleted games and such as are not there are left out. Returns how many of them wait now that did not before.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`] for a text that is no id, and what the database says.
    pub fn add_reviews(&self, games: &[GameId], order: ReviewOrder, now: Timestamp) -> Result<u32, LibraryError> {
        let rows = games.iter().map(GameId::row).collect::<Result<Vec<i64>, _>>()?;
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let waiting = |connection: &rusqlite::Connection| -> Result<u32, LibraryError> {
            Ok(connection.query_row("SELECT count(*) FROM reviews WHERE done IS NULL", [], |row| row.get(0))?)
        };
        let before = waiting(&transaction)?;
        if before == 0 {
            transaction.execute("DELETE FROM reviews", [])?;
        }
        {
            let mut add = transaction.prepare_cached(
                "INSERT INTO reviews (game, priority, asked)
                     SELECT id, ?2, ?3 FROM games WHERE id = ?1 AND deleted IS NULL
                 ON CONFLICT (game) DO UPDATE SET priority = max(priority, excluded.priority),
                     asked = CASE WHEN done IS NULL THEN asked ELSE excluded.asked END, done = NULL, failure = NULL",
            )?;
            for row in rows {
                add.execute(params![row, order as i32, now])?;
            }
        }
        let after = waiting(&transaction)?;
        transaction.commit()?;
        Ok(after - before)
    }

    /// The game to be reviewed next.
    ///
    /// # Errors
    /// What the database says.
    pub fn next_review(&self) -> Result<Option<GameId>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT game FROM reviews JOIN games ON games.id = game WHERE done IS NULL AND deleted IS NULL
                 ORDER BY priority DESC, asked, game LIMIT 1",
            )?;
            Ok(statement.query_row([], |row| row.get(0)).optional()?.map(GameId::from_row))
        })
    }

    /// A game was reviewed, or could not be for a reason. Returns whether it waited.
    ///
    /// # Errors
    /// As for [`Library::add_reviews`].
    pub fn end_review(&self, game: &GameId, failure: Option<&str>, now: Timestamp) -> Result<bool, LibraryError> {
        let row = game.row()?;
        let ended = self.writer()?.execute(
            "UPDATE reviews SET done = ?2, failure = ?3 WHERE game = ?1 AND done IS NULL",
            params![row, now, failure],
        )?;
        Ok(ended > 0)
    }

    /// Takes all games off the list; what was found of them stays. Returns how many waited.
    ///
    /// # Errors
    /// What the database says.
    pub fn clear_reviews(&self) -> Result<u32, LibraryError> {
        let waited = self.review_counts()?.waiting;
        self.writer()?.execute("DELETE FROM reviews", [])?;
        Ok(waited)
    }

    /// How far the list is.
    ///
    /// # Errors
    /// What the database says.
    pub fn review_counts(&self) -> Result<ReviewCounts, LibraryError> {
        self.read(|connection| {
            let sql = "SELECT coalesce(sum(done IS NULL), 0), coalesce(sum(CASE WHEN done IS NULL THEN moves END), 0),
                           coalesce(sum(done IS NOT NULL), 0), coalesce(sum(failure IS NOT NULL), 0),
                           coalesce(max(priority IN (0, 1)), 0)
                       FROM reviews JOIN games ON games.id = game WHERE deleted IS NULL";
            let counts = |row: &rusqlite::Row<'_>| {
                Ok(ReviewCounts {
                    waiting: row.get(0)?,
                    moves: row.get(1)?,
                    done: row.get(2)?,
                    failed: row.get(3)?,
                    asked: row.get(4)?,
                })
            };
            Ok(connection.prepare_cached(sql)?.query_row([], counts)?)
        })
    }
}
