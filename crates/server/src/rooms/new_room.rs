//! Making a room.

use super::error::OpenError;
use super::name::RoomName;
use super::service::Rooms;
use crate::accounts::Account;
use honinbo_rooms::{Room, Seat, Stage, Terms};
use honinbo_rules::Color;
use serde::Deserialize;
use specta::Type;

/// Rooms at a time.
const MAX_ROOMS: usize = 20_000;

/// A room that somebody wants.
#[derive(Debug, Clone, Default, Deserialize, Type)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewRoom {
    /// What is played.
    pub(crate) terms: Terms,
    /// The colour of whoever makes the room; drawn where it is not said.
    pub(crate) color: Option<WantedColor>,
    /// An engine's level, rank or name; a person otherwise.
    pub(crate) opponent: Option<String>,
    /// Everybody sees it.
    pub(crate) listed: bool,
}

#[derive(Debug, Clone, Copy, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WantedColor {
    Black,
    White,
}

impl Rooms {
    /// Makes a room; answers its number.
    pub(crate) async fn create(&self, account: &Account, wanted: NewRoom) -> Result<String, OpenError> {
        self.may_open(account)?;
        if let Some(level) = &wanted.opponent
            && !self.0.engines.has(level)
        {
            return Err(OpenError::UnknownEngine);
        }
        if wanted.terms.rated && (wanted.opponent.is_some() || account.guest) {
            return Err(OpenError::NotRated);
        }
        wanted.terms.check_new()?;
        let color = match wanted.color {
            Some(WantedColor::Black) => Color::Black,
            Some(WantedColor::White) => Color::White,
            None => {
                let mut byte = [0];
                getrandom::fill(&mut byte).map_err(|_| OpenError::Unavailable)?;
                Color::ALL[usize::from(byte[0] & 1)]
            }
        };
        let own = Some(Seat::person(account.id.to_string(), &account.name));
        let other = wanted.opponent.map(Seat::engine);
        let seats = if color == Color::Black { [own, other] } else { [other, own] };
        let id = self.free_number()?;
        let room = Room::new(&id, wanted.terms, seats)?;
        let handle = self.start(id.clone(), if wanted.listed { room.listed() } else { room });
        self.settled(&handle.inputs).await;
        Ok(id)
    }

    /// Whether there are as many rooms as there may be.
    pub(super) fn is_full(&self) -> bool {
        let rooms = self.0.rooms.lock();
        rooms.by_key.len() + rooms.lessons.len() + self.rooms_elsewhere() >= MAX_ROOMS
    }

    pub(super) fn free_number(&self) -> Result<String, OpenError> {
        for _ in 0..100 {
            let id = RoomName::random().ok_or(OpenError::Unavailable)?;
            let rooms = self.0.rooms.lock();
            if !rooms.by_key.contains_key(&id) && !rooms.lessons.contains_key(&id) && !self.is_elsewhere(&id) {
                return Ok(id);
            }
        }
        Err(OpenError::TooMany)
    }

    pub(super) fn may_open(&self, account: &Account) -> Result<(), OpenError> {
        if self.is_full() {
            return Err(OpenError::TooMany);
        }
        let person = account.id.to_string();
        let mut own = 0;
        self.for_each_lesson(|lesson| own += u32::from(lesson.is_taught_by(&person)));
        self.for_each_room(|_, room| {
            own += u32::from(room.stage != Stage::Over && !room.official && room.is_played_by(&person));
        });
        if own >= self.rooms_of_one() { Err(OpenError::TooManyOfYours) } else { Ok(()) }
    }
}
