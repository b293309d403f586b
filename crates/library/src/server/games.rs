//! Games that were played to their end, for those who played them.

use rusqlite::params;

use super::sql::Sql;
use super::{AccountId, ServerStore, StoreError};

/// A game that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedGame {
    /// The room it was played in.
    pub room: String,
    /// Black's and White's accounts; `None` for an engine.
    pub players: [Option<AccountId>; 2],
    /// Black's and White's names.
    pub names: [String; 2],
    /// Columns and rows.
    pub size: (u32, u32),
    /// Turns taken.
    pub moves: u32,
    /// As SGF's `RE` writes it.
    pub result: String,
    /// When it ended, in milliseconds since 1970.
    pub ended_ms: i64,
    /// It is to count for ratings, where both have accounts of their own, or had them when it began.
    pub rated: bool,
    /// The record.
    pub sgf: String,
}

/// A game that counts for ratings, also where those who played it are gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedGame {
    /// Its number.
    pub id: i64,
    /// The numbers of Black's and White's accounts, which nobody has who is gone.
    pub players: [AccountId; 2],
    /// Columns and rows.
    pub size: (u32, u32),
    /// As SGF's `RE` writes it.
    pub result: String,
}

/// A line in somebody's list of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    /// Its number.
    pub id: i64,
    /// Black's and White's names.
    pub names: [String; 2],
    /// Columns and rows.
    pub size: (u32, u32),
    /// Turns taken.
    pub moves: u32,
    /// As SGF's `RE` writes it.
    pub result: String,
    /// When it ended, in milliseconds since 1970.
    pub ended_ms: i64,
}

impl FinishedGame {
    pub(super) fn insert(&self, sql: &Sql<'_>) -> Result<(), StoreError> {
        // An account that was deleted while it played is nobody's.
        let game = sql.insert(
            "INSERT INTO games (room, black, white, black_name, white_name, width, height, moves, result, ended, sgf)
                 VALUES (?1, (SELECT id FROM accounts WHERE id = ?2), (SELECT id FROM accounts WHERE id = ?3),
                     ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) RETURNING id",
            params![
                self.room,
                self.players[0].map(|id| id.0),
                self.players[1].map(|id| id.0),
                self.names[0],
                self.names[1],
                self.size.0,
                self.size.1,
                self.moves,
                self.result,
                self.ended_ms,
                self.sgf,
            ],
        )?;
        if let (true, [Some(black), Some(white)]) = (self.rated, self.players) {
            // A guest's games do not count; those of somebody who has just gone do.
            sql.execute(
                "UPDATE games SET rated = 1, black_counted = ?2, white_counted = ?3 WHERE id = ?1
                     AND (SELECT count(*) FROM (SELECT id FROM accounts WHERE guest = 0
                         UNION ALL SELECT id FROM gone_accounts) AS people WHERE people.id IN (?2, ?3)) = 2",
                params![game, black.0, white.0],
            )?;
        }
        Ok(())
    }
}

/// Forgets the games whose players are all gone. Of those that count, on which others' ratings rest, the figures stay.
pub(super) fn forget_unowned(sql: &Sql<'_>) -> Result<(), StoreError> {
    sql.execute("DELETE FROM games WHERE black IS NULL AND white IS NULL AND rated = 0", params![])?;
    sql.execute(
        "UPDATE games SET room = '', black_name = '', white_name = '', sgf = ''
             WHERE black IS NULL AND white IS NULL AND sgf <> ''",
        params![],
    )?;
    Ok(())
}

impl ServerStore {
    /// The games of an account, newest first: at most `limit` of those before the game with the number `before`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn games_of(&self, account: AccountId, before: Option<i64>, limit: u32) -> Result<Vec<PlayedGame>, StoreError> {
        self.read(|sql| {
            sql.all(
                "SELECT id, black_name, white_name, width, height, moves, result, ended FROM games
                     WHERE (black = ?1 OR white = ?1) AND id < ?2 ORDER BY id DESC LIMIT ?3",
                params![account.0, before.unwrap_or(i64::MAX), limit],
                |row| {
                    Ok(PlayedGame {
                        id: row.get(0)?,
                        names: [row.get(1)?, row.get(2)?],
                        size: (row.get(3)?, row.get(4)?),
                        moves: row.get(5)?,
                        result: row.get(6)?,
                        ended_ms: row.get(7)?,
                    })
                },
            )
        })
    }

    /// Games that count for ratings and have numbers above `after`, in their order.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn rated_games(&self, after: i64, limit: u32) -> Result<Vec<CountedGame>, StoreError> {
        self.read(|sql| {
            sql.all(
                "SELECT id, black_counted, white_counted, width, height, result FROM games
                     WHERE rated = 1 AND id > ?1 AND black_counted IS NOT NULL AND white_counted IS NOT NULL
                     ORDER BY id LIMIT ?2",
                params![after, limit],
                |row| {
                    Ok(CountedGame {
                        id: row.get(0)?,
                        players: [AccountId(row.get(1)?), AccountId(row.get(2)?)],
                        size: (row.get(3)?, row.get(4)?),
                        result: row.get(5)?,
                    })
                },
            )
        })
    }

    /// The record of a game that this account played; `None` for any other.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn record_of(&self, account: AccountId, game: i64) -> Result<Option<String>, StoreError> {
        self.read(|sql| {
            sql.first(
                "SELECT sgf FROM games WHERE id = ?2 AND (black = ?1 OR white = ?1)",
                params![account.0, game],
                |row| row.get(0),
            )
        })
    }
}
