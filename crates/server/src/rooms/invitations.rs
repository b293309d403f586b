//! Inviting somebody who is online.

use super::error::OpenError;
use super::lobby::Invitation;
use super::new_room::NewRoom;
use super::service::Rooms;
use crate::accounts::{Account, name_key};
use crate::peers::{Order, Reservation};

impl Rooms {
    /// Invites somebody who is online into a room of one's own, which is made where none is named.
    pub(crate) async fn invite(
        &self,
        from: &Account,
        name: &str,
        room: Option<String>,
        wanted: NewRoom,
    ) -> Result<String, OpenError> {
        let online = self.online();
        let key = name_key(name);
        let guest = online.iter().find(|user| name_key(&user.account.name) == key);
        let guest = &guest.ok_or(OpenError::NotOnline)?.account;
        if guest.id == from.id {
            return Err(OpenError::Yourself);
        }
        if room.is_none() && wanted.terms.rated && guest.guest {
            return Err(OpenError::NotRated);
        }
        let id = match room {
            Some(id) => id,
            None => self.create(from, NewRoom { opponent: None, ..wanted }).await?,
        };
        let order = Order::Reserve { room: id.clone(), by: from.id.0, person: guest.id.0, guest: guest.guest };
        let terms = match self.order(&id, order).await? {
            Reservation::Seat { terms } => Some(terms),
            Reservation::Lesson => None,
            Reservation::NoSeat => return Err(OpenError::NoSeat),
            Reservation::NotRated => return Err(OpenError::NotRated),
            Reservation::NotYours => return Err(OpenError::NotYours),
            Reservation::Unknown => return Err(OpenError::UnknownRoom),
        };
        self.0.lobby.invite(guest.id, &id, from, terms, self.0.clock.monotonic());
        Ok(id)
    }

    pub(crate) fn invitations(&self, account: &Account) -> Vec<Invitation> {
        self.0.lobby.invitations(account.id, self.0.clock.monotonic())
    }

    /// Takes an invitation: the seat is kept until it is taken.
    pub(crate) async fn accept_invitation(&self, account: &Account, room: &str) -> Result<(), OpenError> {
        if !self.0.lobby.take_invitation(account.id, room, self.0.clock.monotonic()) {
            return Err(OpenError::NotInvited);
        }
        if self.has_room(room).await? { Ok(()) } else { Err(OpenError::UnknownRoom) }
    }

    /// Puts an invitation away; whoever sent it is told.
    pub(crate) async fn decline_invitation(&self, account: &Account, room: &str) -> Result<(), OpenError> {
        if !self.0.lobby.take_invitation(account.id, room, self.0.clock.monotonic()) {
            return Err(OpenError::NotInvited);
        }
        let decline = Order::Decline { room: room.to_owned(), person: account.id.0, name: account.name.clone() };
        if let Err(error) = self.order::<bool>(room, decline).await {
            tracing::debug!(%error, room, "nobody is told that an invitation was put away");
        }
        Ok(())
    }
}
