//! Why there are no rooms, and why somebody does not get into one.

use crate::ServeError;
use honinbo_library::StoreError;
use honinbo_rooms::{LessonStartError, TermsError, TournamentError};
use std::net::SocketAddr;

/// Why a server has no rooms.
#[derive(Debug, thiserror::Error)]
pub enum RoomsError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The other servers could not come in there.
    #[error(transparent)]
    Peers(#[from] ServeError),
    /// The other servers would look for this one on their own machines.
    #[error("other servers cannot find this one at {0}")]
    PeersAddress(SocketAddr),
    /// People could not log in by the provider.
    #[error("nobody could log in by the provider: {0}")]
    Provider(#[from] honinbo_oidc::SettingsError),
    /// The system refused something else.
    #[error("the rooms cannot be served: {0}")]
    System(String),
}

impl RoomsError {
    /// What the operator can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Store(error) => error.hint(),
            Self::Peers(error) => error.hint(),
            Self::PeersAddress(_) => "name the address that this machine has for the others",
            Self::Provider(error) => error.hint(),
            Self::System(_) => "close other programs and try again",
        }
    }
}

/// Why somebody does not get into a room.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("there is no such room")]
    UnknownRoom,
    #[error("there is no such engine")]
    UnknownEngine,
    #[error("{0}")]
    Terms(String),
    /// Each can be had, and not together.
    #[error("{0}")]
    DoNotFit(String),
    #[error("you have as many games that are not over as this server allows; finish one first")]
    TooManyOfYours,
    #[error("the server has too many rooms; try again later")]
    TooMany,
    #[error("that player is not online")]
    NotOnline,
    #[error("you cannot invite yourself")]
    Yourself,
    #[error("no seat is free in that room")]
    NoSeat,
    #[error("you have no seat in that room")]
    NotYours,
    #[error("you have no invitation to that room")]
    NotInvited,
    #[error("you have played no such game")]
    UnknownGame,
    /// The lesson cannot begin with that.
    #[error("{0}")]
    BadLesson(String),
    #[error("games count for ratings between two people with accounts of their own")]
    NotRated,
    #[error("the lesson has no room for more people")]
    LessonFull,
    #[error("there is no such tournament")]
    UnknownTournament,
    #[error("only the organiser can do that")]
    NotTheOrganiser,
    #[error("a tournament is for people with accounts of their own")]
    NeedsAccount,
    #[error("you have tournaments enough that are not over; finish one first")]
    TooManyTournaments,
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    #[error("this server's store is a PostgreSQL database; copy it with pg_dump")]
    CopiedElsewhere,
    /// Another server has it now.
    #[error("the room has moved; come again")]
    Moved,
    #[error("the server cannot do that now; try again later")]
    Unavailable,
}

impl From<TermsError> for OpenError {
    fn from(error: TermsError) -> Self {
        match error {
            TermsError::Handicap(_) | TermsError::Rated => Self::DoNotFit(error.to_string()),
            other => Self::Terms(other.to_string()),
        }
    }
}

impl From<LessonStartError> for OpenError {
    fn from(error: LessonStartError) -> Self {
        match error {
            LessonStartError::Terms(error) => error.into(),
            other => Self::BadLesson(other.to_string()),
        }
    }
}

impl OpenError {
    /// A stable name, for programs and translations.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::UnknownRoom => "unknown_room",
            Self::UnknownEngine => "unknown_engine",
            Self::Terms(_) | Self::DoNotFit(_) => "bad_terms",
            Self::TooManyOfYours => "too_many_of_yours",
            Self::TooMany => "too_many_rooms",
            Self::NotOnline => "not_online",
            Self::Yourself => "yourself",
            Self::NoSeat => "no_seat",
            Self::NotYours => "not_yours",
            Self::NotInvited => "not_invited",
            Self::UnknownGame => "unknown_game",
            Self::BadLesson(_) => "bad_lesson",
            Self::NotRated => "not_rated",
            Self::LessonFull => "lesson_full",
            Self::UnknownTournament => "unknown_tournament",
            Self::NotTheOrganiser => "not_the_organiser",
            Self::NeedsAccount => "needs_account",
            Self::TooManyTournaments => "too_many_tournaments",
            Self::Tournament(error) => error.kind(),
            Self::CopiedElsewhere => "copied_elsewhere",
            Self::Moved => "moved",
            Self::Unavailable => "unavailable",
        }
    }
}
