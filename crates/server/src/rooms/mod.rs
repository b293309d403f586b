//! Rooms behind their sockets: each in a task of its own, kept in the store before anybody is told what happened.

mod actor;
mod copies;
mod delay;
mod deletion;
mod engines;
mod enter;
mod error;
mod game;
mod invitations;
mod lesson;
mod lessons;
mod limits;
mod listed;
mod lobby;
mod mailbox;
mod name;
mod new_room;
mod opponents;
mod overview;
mod ratings;
mod registry;
mod saver;
mod service;
mod session;
pub(crate) mod socket;
mod summary;
mod together;
pub(crate) mod tournament_socket;
mod tournament_view;
mod tournaments;

pub(crate) use error::OpenError;
pub use error::RoomsError;
pub(crate) use lesson::LessonSummary;
pub(crate) use lessons::NewLesson;
pub(crate) use limits::PeopleLimits;
pub(crate) use lobby::{Invitation, OnlineUser};
pub(crate) use new_room::NewRoom;
pub use opponents::Opponents;
pub(crate) use ratings::Rating;
pub use service::{Rooms, RoomsOptions};
pub(crate) use summary::RoomSummary;
pub(crate) use together::{Arriving, View, Whereabouts};
#[cfg(test)]
pub(crate) use tournament_socket::TournamentNews;
pub(crate) use tournament_view::{ListedTournament, TournamentView};
pub(crate) use tournaments::Asker;
