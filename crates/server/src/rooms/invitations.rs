//! Inviting somebody who is online.

use super::error::OpenError;
use super::lobby::Invitation;
use super::new_room::NewRoom;
use super::service::Rooms;
use super::summary::RoomSummary;
use crate::accounts::{Account, name_key};
use crate::peers::{Order, Reservation};
use honinbo_library::AccountId;

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
        self.0.lobby.invite(guest.id, &id, (from.id, &from.name), terms, self.0.clock.monotonic());
        Ok(id)
    }

    /// What somebody is invited to, as long as there is a seat or a lesson that it leads to.
    pub(crate) fn invitations(&self, account: &Account) -> Vec<Invitation> {
        let mut invitations = self.0.lobby.invitations(account.id, self.0.clock.monotonic());
        let person = account.id.to_string();
        invitations.retain(|invitation| self.still_awaits(&invitation.room, &person));
        invitations
    }

    /// Has those see their invitations again for whom a seat is kept in a room that has come back.
    pub(super) fn invite_again(&self, key: &str, invited: Vec<AccountId>, summary: &RoomSummary) {
        let Some((host, name)) = summary.host() else { return };
        for person in invited {
            self.0.lobby.invite(person, key, (host, name), Some(summary.terms.clone()), self.0.clock.monotonic());
        }
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
