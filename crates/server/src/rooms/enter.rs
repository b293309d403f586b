//! Coming into a room.

use super::actor::Input;
use super::error::OpenError;
use super::mailbox::Mailbox;
use super::name::RoomName;
use super::registry::{GAME, Handle};
use super::service::Rooms;
use super::session::Visitor;
use super::together::LOOKING;
use crate::accounts::Account;
use honinbo_rooms::{Room, Seat, Stage, Terms};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// An open connection to a room.
pub(super) struct Seated {
    pub(super) connection: u64,
    pub(super) inputs: mpsc::Sender<Input>,
}

impl Rooms {
    /// The room of a name, which is made first where it is a person's own against an engine.
    fn find(&self, name: &str, account: &Account) -> Result<Handle, OpenError> {
        match RoomName::parse(name, account.id).ok_or(OpenError::UnknownRoom)? {
            RoomName::Number(id) => self.0.rooms.lock().by_key.get(&id).cloned().ok_or(OpenError::UnknownRoom),
            RoomName::Engine { level, own } => {
                // After the end of a game the next one begins, in a room of its own.
                let known = self.0.rooms.lock().of_engine(&own);
                if let Some(handle) = known.filter(|handle| handle.summary.lock().stage != Stage::Over) {
                    return Ok(handle);
                }
                self.may_open(account)?;
                if !self.0.engines.has(&level) {
                    return Err(OpenError::UnknownEngine);
                }
                let seats = [Some(Seat::person(account.id.to_string(), &account.name)), Some(Seat::engine(level))];
                let room = Room::new(name, Terms::default(), seats)?;
                let number = RoomName::random().ok_or(OpenError::Unavailable)?;
                Ok(self.start(format!("{own}{GAME}{number}"), room))
            }
        }
    }

    /// Opens a connection to a room. What the room has to say comes into the mailbox.
    pub(super) async fn enter(
        &self,
        name: &str,
        account: &Account,
        watch: bool,
        after: Option<u64>,
        mailbox: &Arc<Mailbox>,
    ) -> Result<Seated, OpenError> {
        // A room that closes or moves just now is looked for again.
        for _ in 0..LOOKING {
            let lesson = self.0.rooms.lock().lessons.get(name).map(|handle| handle.inputs.clone());
            let inputs = match lesson {
                Some(inputs) => inputs,
                None => match self.find(name, account) {
                    Ok(handle) => handle.inputs,
                    Err(OpenError::UnknownRoom) => match self.locate(name).await? {
                        None => continue,
                        Some(_) => return Err(OpenError::Moved),
                    },
                    Err(error) => return Err(error),
                },
            };
            let (joined, answer) = oneshot::channel();
            let visitor = Visitor { account: account.clone(), watch, after, mailbox: Arc::clone(mailbox) };
            if inputs.send(Input::Join { visitor, joined }).await.is_ok()
                && let Ok(connection) = answer.await
            {
                let connection = connection.ok_or(OpenError::LessonFull)?;
                return Ok(Seated { connection, inputs });
            }
        }
        Err(OpenError::UnknownRoom)
    }
}
