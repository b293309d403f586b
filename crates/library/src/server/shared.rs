//! Several servers on one store: whose each room is, and who is alive.
//!
//! A room is one server's at a time, and only that server writes it. A server is alive as long as its connection that writes
//! is, which the database ends when nothing is heard of it; one that is over writes nothing any more, and its rooms are for
//! others to take. In a file there is one server and every room is its own.

use rusqlite::params;

use super::postgres::Process;
use super::{BackEnd, ServerStore, StoreError, StoredRoom};

/// How often a room is looked for that others take just then.
const TRIES: u32 = 3;

/// Another server of the same store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbour {
    /// Its number, which no other ever has.
    pub id: i64,
    /// Where this one reaches it.
    pub address: String,
    /// The checksum of its certificate.
    pub certificate: String,
}

/// The servers of a store.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Neighbours {
    /// Whether this server is the one that leads.
    pub leads: bool,
    /// The other one that leads.
    pub leader: Option<Neighbour>,
    /// The others that are alive, the leader among them.
    pub others: Vec<Neighbour>,
}

/// A room that came to this server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenRoom {
    /// The room as it was last saved.
    pub room: StoredRoom,
    /// When the server that had it was last seen running; `None` where it gave the room away, or there was none.
    pub alive_ms: Option<i64>,
}

/// Where a room is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoomPlace {
    /// There is no such room.
    Nowhere,
    /// It was nobody's, and is this server's now.
    Taken(TakenRoom),
    /// It has been this server's.
    Own,
    /// It is another one's.
    Elsewhere(Neighbour),
}

impl ServerStore {
    /// Whether several servers can use the store at once.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self.back_end, BackEnd::Postgres(_))
    }

    /// Tells the other servers where they reach this one, and the checksum of the certificate by which they know it; answers
    /// the secret by which it knows them. `None` where the store is a file.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn announce(&self, address: &str, certificate: &str) -> Result<Option<String>, StoreError> {
        let Some(process) = self.process() else { return Ok(None) };
        self.change(|sql| {
            sql.execute(
                "UPDATE processes SET address = ?2, certificate = ?3 WHERE id = ?1",
                params![process.id, address, certificate],
            )?;
            sql.first("SELECT secret FROM honinbo_store", params![], |row| row.get(0))
        })
    }

    /// Declares those over that are silent, takes the lead where nobody has it, and answers who is there.
    ///
    /// # Errors
    /// When the store cannot be written; [`StoreError::TakenOver`] where this server is over itself.
    pub fn neighbours(&self) -> Result<Neighbours, StoreError> {
        let Some(process) = self.process() else { return Ok(Neighbours { leads: true, ..Neighbours::default() }) };
        self.change(|sql| {
            process.end_silent(sql)?;
            sql.execute(
                "UPDATE honinbo_store SET leader = ?1
                     WHERE leader IS NULL OR leader NOT IN (SELECT id FROM processes WHERE ended = 0)",
                params![process.id],
            )?;
            let leader = sql.first("SELECT leader FROM honinbo_store", params![], |row| row.get::<i64>(0))?;
            let others = sql.all(
                "SELECT id, address, certificate FROM processes WHERE ended = 0 AND id <> ?1 ORDER BY id",
                params![process.id],
                |row| Ok(Neighbour { id: row.get(0)?, address: row.get(1)?, certificate: row.get(2)? }),
            )?;
            Ok(Neighbours {
                leads: leader == Some(process.id),
                leader: others.iter().find(|other| Some(other.id) == leader).cloned(),
                others,
            })
        })
    }

    /// Looks where a room is, and takes it where it is nobody's.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn take_room(&self, id: &str) -> Result<RoomPlace, StoreError> {
        let Some(process) = self.process() else { return Ok(RoomPlace::Own) };
        self.change(|sql| {
            for _ in 0..TRIES {
                let found = sql.first(
                    "SELECT state, saved, rooms.process, alive, coalesce(ended, 1), coalesce(address, ''),
                            coalesce(certificate, '') FROM rooms
                         LEFT JOIN processes ON processes.id = rooms.process WHERE rooms.id = ?1",
                    params![id],
                    |row| {
                        let room = StoredRoom { id: id.to_owned(), state: row.get(0)?, saved_ms: row.get(1)? };
                        let (owner, is_over): (Option<i64>, bool) = (row.get(2)?, row.get(4)?);
                        let neighbour =
                            |id| Ok::<_, StoreError>(Neighbour { id, address: row.get(5)?, certificate: row.get(6)? });
                        Ok((TakenRoom { room, alive_ms: row.get(3)? }, owner.map(neighbour).transpose()?, is_over))
                    },
                )?;
                let (taken, owner) = match found {
                    None => return Ok(RoomPlace::Nowhere),
                    Some((_, Some(owner), _)) if owner.id == process.id => return Ok(RoomPlace::Own),
                    Some((_, Some(owner), false)) => return Ok(RoomPlace::Elsewhere(owner)),
                    Some((taken, owner, _)) => (taken, owner.map(|owner| owner.id)),
                };
                let is_taken = sql.execute(
                    "UPDATE rooms SET process = ?2 WHERE id = ?1 AND process IS NOT DISTINCT FROM ?3",
                    params![id, process.id, owner],
                )?;
                if is_taken > 0 {
                    return Ok(RoomPlace::Taken(taken));
                }
                // Another one was quicker: the next look finds it there.
            }
            Err(StoreError::Locked)
        })
    }

    /// Takes rooms that are nobody's, at most so many; of those that a server has given away only what was saved before
    /// `given_before_ms`, as somebody else is about to take the others. In a file, every room is answered.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn take_free_rooms(&self, most: u32, given_before_ms: i64) -> Result<Vec<TakenRoom>, StoreError> {
        let Some(process) = self.process() else {
            let alive_ms = self.last_alive()?;
            return Ok(self.rooms()?.into_iter().map(|room| TakenRoom { room, alive_ms }).collect());
        };
        self.change(|sql| {
            let taken = sql.all(
                "WITH free AS (
                     SELECT rooms.id, alive FROM rooms LEFT JOIN processes ON processes.id = rooms.process
                         WHERE ended <> 0 OR (processes.id IS NULL AND saved < ?3)
                         ORDER BY rooms.id LIMIT ?2 FOR UPDATE OF rooms SKIP LOCKED)
                 UPDATE rooms SET process = ?1 FROM free WHERE rooms.id = free.id
                     RETURNING rooms.id, state, saved, alive",
                params![process.id, most, given_before_ms],
                |row| {
                    let room = StoredRoom { id: row.get(0)?, state: row.get(1)?, saved_ms: row.get(2)? };
                    Ok(TakenRoom { room, alive_ms: row.get(3)? })
                },
            )?;
            sql.execute(
                "DELETE FROM processes WHERE ended <> 0 AND seen < now() - interval '1 day'
                     AND NOT EXISTS (SELECT 1 FROM rooms WHERE rooms.process = processes.id)",
                params![],
            )?;
            Ok(taken)
        })
    }

    /// The room whose name begins so and that was saved last.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn newest_room(&self, beginning: &str) -> Result<Option<String>, StoreError> {
        self.read(|sql| {
            sql.first(
                "SELECT id FROM rooms WHERE id >= ?1 AND substr(id, 1, length(?1)) = ?1 ORDER BY saved DESC LIMIT 1",
                params![beginning],
                |row| row.get(0),
            )
        })
    }

    /// Whether there is such a room, whoever has it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn has_room(&self, id: &str) -> Result<bool, StoreError> {
        let found =
            self.read(|sql| sql.first("SELECT 1 FROM rooms WHERE id = ?1", params![id], |row| row.get::<i64>(0)));
        Ok(found?.is_some())
    }

    /// This server is over: others take its rooms at once.
    ///
    /// # Errors
    /// When the store cannot be written. The rooms are free all the same, when nothing is heard of this server.
    pub fn leave(&self) -> Result<(), StoreError> {
        let Some(process) = self.process() else { return Ok(()) };
        self.change(|sql| {
            sql.execute("UPDATE processes SET ended = 1 WHERE id = ?1", params![process.id])?;
            Ok(())
        })
    }

    pub(super) fn process(&self) -> Option<Process> {
        match &self.back_end {
            BackEnd::Sqlite(_) => None,
            BackEnd::Postgres(store) => Some(store.process()),
        }
    }
}
