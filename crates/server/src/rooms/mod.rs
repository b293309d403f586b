//! Rooms behind their sockets: each in a task of its own, kept in the store before anybody is told what happened.

mod actor;
mod delay;
mod engines;
mod lesson;
mod listed;
mod lobby;
mod mailbox;
mod name;
mod opponents;
mod ratings;
mod saver;
mod service;
pub(crate) mod socket;
mod together;
pub(crate) mod tournament_socket;
mod tournament_view;
mod tournaments;

pub(crate) use lesson::LessonSummary;
pub(crate) use lobby::{Invitation, OnlineUser};
pub use opponents::Opponents;
pub(crate) use ratings::Rating;
pub(crate) use service::{NewLesson, NewRoom, OpenError, PeopleLimits, RoomSummary};
pub use service::{Rooms, RoomsError, RoomsOptions};
pub(crate) use together::{Arriving, View, Whereabouts};
pub(crate) use tournament_view::{ListedTournament, TournamentView};
pub(crate) use tournaments::Asker;
