//! Rooms as they were last saved.

use rusqlite::params;

use super::sql::Sql;
use super::{FinishedGame, FinishedLesson, ServerStore, StoreError};

/// A room with what it says of itself; the store does not read that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRoom {
    /// Its name in addresses.
    pub id: String,
    /// Its state, as text.
    pub state: String,
    /// When it was saved.
    pub saved_ms: i64,
}

/// What became of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoomChange {
    /// It is as said here. Where its game has just ended, that is kept with the players in the same transaction, so
    /// that no game is kept twice or not at all.
    Save {
        /// The room.
        room: StoredRoom,
        /// The game that has ended.
        finished: Option<Box<FinishedGame>>,
    },
    /// It was a lesson and has ended: its record is kept in the same transaction.
    Finish {
        /// Its name.
        id: String,
        /// The lesson.
        lesson: Box<FinishedLesson>,
    },
    /// It is as said here, and this server gives it away to whoever takes it next.
    GiveAway {
        /// The room.
        room: StoredRoom,
    },
    /// It is closed.
    Remove {
        /// Its name.
        id: String,
    },
}

impl ServerStore {
    /// Makes several changes in one transaction. Answers of each whether it was made: a room that is another server's now
    /// stays as that one has it.
    ///
    /// # Errors
    /// When the store cannot be written; none of the changes is made then.
    pub fn change_rooms(&self, changes: &[RoomChange]) -> Result<Vec<bool>, StoreError> {
        let process = self.process().map(|process| process.id);
        self.change(|sql| changes.iter().map(|change| change.make(sql, process)).collect())
    }

    /// Every room that is kept.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn rooms(&self) -> Result<Vec<StoredRoom>, StoreError> {
        self.read(|sql| {
            sql.all("SELECT id, state, saved FROM rooms ORDER BY id", params![], |row| {
                Ok(StoredRoom { id: row.get(0)?, state: row.get(1)?, saved_ms: row.get(2)? })
            })
        })
    }
}

impl RoomChange {
    /// Makes the change, unless the room is another server's.
    fn make(&self, sql: &Sql<'_>, process: Option<i64>) -> Result<bool, StoreError> {
        match self {
            Self::Save { room, finished } => {
                if !save(sql, room, process)? {
                    return Ok(false);
                }
                if let Some(game) = finished {
                    game.insert(sql)?;
                }
            }
            Self::GiveAway { room } => {
                if !save(sql, room, process)? {
                    return Ok(false);
                }
                if process.is_some() {
                    sql.execute("UPDATE rooms SET process = NULL WHERE id = ?1", params![room.id])?;
                }
            }
            Self::Finish { id, lesson } => {
                if !remove(sql, id, process)? {
                    return Ok(false);
                }
                lesson.insert(sql)?;
            }
            Self::Remove { id } => return remove(sql, id, process),
        }
        Ok(true)
    }
}

fn save(sql: &Sql<'_>, room: &StoredRoom, process: Option<i64>) -> Result<bool, StoreError> {
    let StoredRoom { id, state, saved_ms } = room;
    let saved = match process {
        None => sql.execute(
            "INSERT INTO rooms (id, state, saved) VALUES (?1, ?2, ?3)
                 ON CONFLICT (id) DO UPDATE SET state = excluded.state, saved = excluded.saved",
            params![id, state, saved_ms],
        )?,
        Some(process) => sql.execute(
            "INSERT INTO rooms (id, state, saved, process) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (id) DO UPDATE SET state = excluded.state, saved = excluded.saved
                     WHERE rooms.process = excluded.process",
            params![id, state, saved_ms, process],
        )?,
    };
    Ok(saved > 0)
}

/// False where the room is there and another server's.
fn remove(sql: &Sql<'_>, id: &str, process: Option<i64>) -> Result<bool, StoreError> {
    let Some(process) = process else {
        sql.execute("DELETE FROM rooms WHERE id = ?1", params![id])?;
        return Ok(true);
    };
    if sql.execute("DELETE FROM rooms WHERE id = ?1 AND process = ?2", params![id, process])? > 0 {
        return Ok(true);
    }
    let others = sql.first("SELECT 1 FROM rooms WHERE id = ?1", params![id], |row| row.get::<i64>(0))?;
    Ok(others.is_none())
}
