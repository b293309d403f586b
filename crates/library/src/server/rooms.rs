//! Rooms as they were last saved.

use rusqlite::params;

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
    /// It is closed.
    Remove {
        /// Its name.
        id: String,
    },
}

impl ServerStore {
    /// Makes several changes in one transaction.
    ///
    /// # Errors
    /// When the store cannot be written; none of the changes is made then.
    pub fn change_rooms(&self, changes: &[RoomChange]) -> Result<(), StoreError> {
        self.change(|sql| {
            for change in changes {
                match change {
                    RoomChange::Save { room, finished } => {
                        sql.execute(
                            "INSERT INTO rooms (id, state, saved) VALUES (?1, ?2, ?3)
                                 ON CONFLICT (id) DO UPDATE SET state = excluded.state, saved = excluded.saved",
                            params![room.id, room.state, room.saved_ms],
                        )?;
                        if let Some(game) = finished {
                            game.insert(sql)?;
                        }
                    }
                    RoomChange::Finish { id, lesson } => {
                        sql.execute("DELETE FROM rooms WHERE id = ?1", params![id])?;
                        lesson.insert(sql)?;
                    }
                    RoomChange::Remove { id } => {
                        sql.execute("DELETE FROM rooms WHERE id = ?1", params![id])?;
                    }
                }
            }
            Ok(())
        })
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
