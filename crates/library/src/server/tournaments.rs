//! Tournaments as they were last saved.

use rusqlite::params;

use super::{AccountId, ServerStore, StoreError};

/// A tournament with what it says of itself; the store does not read that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTournament {
    /// Its number.
    pub id: i64,
    /// Its state, as text.
    pub state: String,
}

impl ServerStore {
    /// Keeps a new tournament; answers its number. Of those that are over, or in which nothing has changed since
    /// `abandoned_before_ms`, only the newest stay, so that there are no more than `most` together with the others; `None`
    /// where those are as many.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn add_tournament(
        &self,
        state: &str,
        now_ms: i64,
        abandoned_before_ms: i64,
        most: u32,
    ) -> Result<Option<i64>, StoreError> {
        self.change(|sql| {
            let counted = sql.first(
                "SELECT count(*), count(*) FILTER (WHERE is_over = 1 OR changed < ?1) FROM tournaments",
                params![abandoned_before_ms],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            let (all, may_go): (u32, u32) = counted.unwrap_or_default();
            if all - may_go >= most {
                return Ok(None);
            }
            // Those that are over go first.
            sql.execute(
                "DELETE FROM tournaments WHERE id IN (SELECT id FROM tournaments
                 WHERE is_over = 1 OR changed < ?1 ORDER BY is_over DESC, id LIMIT ?2)",
                params![abandoned_before_ms, (all + 1).saturating_sub(most)],
            )?;
            let id = sql.insert(
                "INSERT INTO tournaments (state, changed) VALUES (?1, ?2) RETURNING id",
                params![state, now_ms],
            )?;
            Ok(Some(id))
        })
    }

    /// Keeps how a tournament stands now.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn save_tournament(&self, id: i64, state: &str, is_over: bool, now_ms: i64) -> Result<(), StoreError> {
        self.change(|sql| {
            sql.execute(
                "UPDATE tournaments SET state = ?2, is_over = ?3, changed = ?4 WHERE id = ?1",
                params![id, state, is_over, now_ms],
            )?;
            Ok(())
        })
    }

    /// Every tournament that is kept, the oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn tournaments(&self) -> Result<Vec<StoredTournament>, StoreError> {
        self.read(|sql| {
            sql.all("SELECT id, state FROM tournaments ORDER BY id", params![], |row| {
                Ok(StoredTournament { id: row.get(0)?, state: row.get(1)? })
            })
        })
    }

    /// The result, as SGF's `RE` writes it, of the game that these two played in a room and ended at this time or later.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn result_in_room(
        &self,
        room: &str,
        players: [AccountId; 2],
        since_ms: i64,
    ) -> Result<Option<String>, StoreError> {
        self.read(|sql| {
            sql.first(
                "SELECT result FROM games WHERE room = ?1 AND ended >= ?4
                     AND (black = ?2 OR black IS NULL) AND (white = ?3 OR white IS NULL) ORDER BY id DESC LIMIT 1",
                params![room, players[0].0, players[1].0, since_ms],
                |row| row.get(0),
            )
        })
    }
}
