//! Lessons that have ended.

use rusqlite::params;

use super::sql::Sql;
use super::{AccountId, ServerStore, StoreError};

/// A lesson that has just ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedLesson {
    /// The name of its room.
    pub room: String,
    /// Everybody who took part.
    pub people: Vec<AccountId>,
    /// What it was called.
    pub title: String,
    /// Who led it.
    pub teacher: String,
    /// Moves in the record, variations included.
    pub moves: u32,
    /// When it ended, in milliseconds since 1970.
    pub ended_ms: i64,
    /// The record.
    pub sgf: String,
}

/// A line in somebody's list of lessons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptLesson {
    /// Its number.
    pub id: i64,
    /// What it was called.
    pub title: String,
    /// Who led it.
    pub teacher: String,
    /// Moves in the record, variations included.
    pub moves: u32,
    /// When it ended, in milliseconds since 1970.
    pub ended_ms: i64,
}

impl FinishedLesson {
    pub(super) fn insert(&self, sql: &Sql<'_>) -> Result<(), StoreError> {
        let id = sql.insert(
            "INSERT INTO lessons (room, title, teacher, moves, ended, sgf) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id",
            params![self.room, self.title, self.teacher, self.moves, self.ended_ms, self.sgf],
        )?;
        for person in &self.people {
            // An account that was deleted meanwhile is nobody's.
            sql.execute(
                "INSERT INTO lesson_people (account, lesson) SELECT id, CAST(?2 AS BIGINT) FROM accounts WHERE id = ?1
                     ON CONFLICT DO NOTHING",
                params![person.0, id],
            )?;
        }
        forget_unowned(sql)
    }
}

/// Lessons that nobody has any more.
pub(super) fn forget_unowned(sql: &Sql<'_>) -> Result<(), StoreError> {
    sql.execute(
        "DELETE FROM lessons WHERE NOT EXISTS (SELECT 1 FROM lesson_people WHERE lesson = lessons.id)",
        params![],
    )?;
    Ok(())
}

impl ServerStore {
    /// The lessons that an account took part in, newest first: at most `limit` of those before number `before`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn lessons_of(
        &self,
        account: AccountId,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<KeptLesson>, StoreError> {
        self.read(|sql| {
            sql.all(
                "SELECT id, title, teacher, moves, ended FROM lesson_people JOIN lessons ON lessons.id = lesson
                     WHERE account = ?1 AND lesson < ?2 ORDER BY lesson DESC LIMIT ?3",
                params![account.0, before.unwrap_or(i64::MAX), limit],
                |row| {
                    Ok(KeptLesson {
                        id: row.get(0)?,
                        title: row.get(1)?,
                        teacher: row.get(2)?,
                        moves: row.get(3)?,
                        ended_ms: row.get(4)?,
                    })
                },
            )
        })
    }

    /// The record of a lesson that this account took part in; `None` for any other.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn lesson_record_of(&self, account: AccountId, lesson: i64) -> Result<Option<String>, StoreError> {
        self.read(|sql| {
            sql.first(
                "SELECT sgf FROM lesson_people JOIN lessons ON lessons.id = lesson WHERE account = ?1 AND lesson = ?2",
                params![account.0, lesson],
                |row| row.get(0),
            )
        })
    }
}
