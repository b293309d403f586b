//! A room as lists show it.

use honinbo_library::AccountId;
use honinbo_rooms::{Room, Seat, Stage, Terms};
use serde::{Deserialize, Serialize};

/// A room as the list of rooms shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RoomSummary {
    pub(crate) id: String,
    pub(crate) stage: Stage,
    pub(crate) terms: Terms,
    pub(crate) names: [Option<String>; 2],
    /// Whether Black and White are here; engines always are.
    pub(crate) online: [bool; 2],
    /// Whether Black's and White's seat is an engine's.
    pub(crate) engines: [bool; 2],
    pub(crate) moves: usize,
    pub(crate) spectators: u32,
    pub(crate) has_open_seat: bool,
    pub(super) listed: bool,
    /// Of a tournament: nobody has asked for it themselves.
    pub(super) official: bool,
    people: [Option<String>; 2],
}

impl RoomSummary {
    pub(super) fn of(room: &Room) -> Self {
        let seats = room.seats();
        Self {
            id: room.id().to_owned(),
            stage: room.stage(),
            // Also where it is the usual one: people want to know what they play.
            terms: Terms { komi: Some(room.game().komi().points()), ..room.terms().clone() },
            names: [0, 1].map(|nth: usize| seats[nth].as_ref().map(|seat| seat.name().to_owned())),
            online: honinbo_rules::Color::ALL.map(|color| room.is_online(color)),
            engines: [0, 1].map(|nth: usize| seats[nth].as_ref().is_some_and(|seat| seat.level().is_some())),
            moves: room.game().turns().len(),
            spectators: room.spectators(),
            has_open_seat: room.has_open_seat(),
            listed: room.is_listed(),
            official: room.is_official(),
            people: [0, 1].map(|nth: usize| seats[nth].as_ref().and_then(Seat::person_id).map(str::to_owned)),
        }
    }

    pub(super) fn has_people(&self) -> bool {
        self.people.iter().any(Option::is_some)
    }

    /// Whether somebody who is invited could still sit down.
    pub(super) fn awaits(&self, person: &str) -> bool {
        let has_seat = self.has_people() && self.names.iter().any(Option::is_none);
        self.stage == Stage::Waiting && has_seat && !self.is_played_by(person)
    }

    /// Who waits in it for somebody else, and the name.
    pub(super) fn host(&self) -> Option<(AccountId, &str)> {
        let mut seats = self.people.iter().zip(&self.names);
        seats.find_map(|(id, name)| Some((AccountId(id.as_ref()?.parse().ok()?), name.as_deref()?)))
    }

    /// Those who have a seat.
    pub(super) fn accounts(&self) -> Vec<AccountId> {
        self.people.iter().flatten().filter_map(|id| id.parse().ok().map(AccountId)).collect()
    }

    pub(super) fn is_played_by(&self, person: &str) -> bool {
        self.people.iter().flatten().any(|id| id == person)
    }
}
