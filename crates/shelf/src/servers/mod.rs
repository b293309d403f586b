//! Game servers: a person's own games, asked for politely and each once.
//!
//! Nobody is asked but when a person wants it. Requests keep a distance from each other, wait when the server says so,
//! and end at once when they are stopped. What was taken, and which pages are known, is the [`Receiver`]'s to remember.

mod asking;
mod kgs;
mod ogs;

pub use asking::{Clock, SystemClock};

use crate::download::SILENCE;
use asking::Asker;
use honinbo_evaluator::StopFlag;
use std::time::Duration;

/// A server whose games can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameServer {
    /// The Online-Go Server, by its REST interface.
    Ogs,
    /// The KGS Go Server, by its archives.
    Kgs,
}

impl GameServer {
    /// Requests keep this distance at least. Neither server says how many it bears; a person who clicks through the
    /// pages asks about as often.
    #[must_use]
    pub fn usual_gap(self) -> Duration {
        match self {
            Self::Ogs => Duration::from_secs(3),
            Self::Kgs => Duration::from_secs(10),
        }
    }

    /// What the library says of where a game came from.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Ogs => "online-go.com",
            Self::Kgs => "gokgs.com",
        }
    }
}

/// Where the servers are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAddresses {
    /// The Online-Go Server, without a slash at the end.
    pub ogs: String,
    /// The KGS Go Server, likewise.
    pub kgs: String,
}

impl Default for ServerAddresses {
    fn default() -> Self {
        Self { ogs: "https://online-go.com".into(), kgs: "https://www.gokgs.com".into() }
    }
}

/// What a server gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery {
    /// A game under its key; without bytes the server does not give it, and it is not to be asked for again.
    Game {
        /// The game's number there.
        key: String,
        /// The record.
        bytes: Option<Vec<u8>>,
    },
    /// An archive of games, among them known ones.
    Archive {
        /// What goes before the paths in it.
        key: String,
        /// The archive.
        bytes: Vec<u8>,
    },
}

/// Why a receiver could not keep what it was given.
pub type NotKept = Box<dyn std::error::Error + Send + Sync>;

/// Who asks: remembers what was taken, and takes what is new.
pub trait Receiver {
    /// A game with this key was taken.
    fn has(&self, key: &str) -> bool;
    /// What was kept of a page; empty where nothing was.
    ///
    /// # Errors
    /// What ends the visit.
    fn mark(&self, page: &str) -> Result<String, NotKept>;
    /// Keeps something of a page; an empty mark forgets it.
    ///
    /// # Errors
    /// What ends the visit.
    fn keep_mark(&mut self, page: &str, mark: &str) -> Result<(), NotKept>;
    /// Takes games.
    ///
    /// # Errors
    /// What ends the visit.
    fn take(&mut self, delivery: Delivery) -> Result<(), NotKept>;
    /// Hears how the visit goes on.
    fn hear(&mut self, progress: VisitProgress);
}

/// How a visit goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VisitProgress {
    /// New games that were found so far, at servers that say so.
    pub found: u32,
    /// New games, or archives, that were fetched.
    pub fetched: u32,
    /// The server asks for so long a pause.
    pub pause: Option<Duration>,
}

/// An account, and how it is asked.
#[derive(Clone, Copy)]
pub struct Visit<'a> {
    /// The server.
    pub server: GameServer,
    /// Its address, without a slash at the end.
    pub address: &'a str,
    /// The name of the person there.
    pub name: &'a str,
    /// The time, as seconds since 1970.
    pub unix_seconds: u64,
    /// Requests keep this distance.
    pub gap: Duration,
    /// Without a byte for so long a request is given up.
    pub silence: Duration,
    /// The clock that it waits by.
    pub clock: &'a dyn Clock,
}

impl std::fmt::Debug for Visit<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Visit").field("server", &self.server).field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'a> Visit<'a> {
    /// A visit with the usual distance and patience; a server on this machine is the person's own and needs no distance.
    #[must_use]
    pub fn new(server: GameServer, addresses: &'a ServerAddresses, name: &'a str, unix_seconds: u64) -> Self {
        let address = match server {
            GameServer::Ogs => &addresses.ogs,
            GameServer::Kgs => &addresses.kgs,
        };
        let gap = if address.starts_with("https:") { server.usual_gap() } else { Duration::ZERO };
        Self { server, address, name, unix_seconds, gap, silence: SILENCE, clock: &SystemClock }
    }

    /// Asks for the games that the receiver does not have, newest first. Returns the name as the server spells it.
    ///
    /// # Errors
    /// [`VisitError`]; what was taken until then stays taken, and the next visit goes on from there.
    pub fn pay(&self, receiver: &mut dyn Receiver, stop: &StopFlag) -> Result<String, VisitError> {
        let mut asker = Asker::new(self, stop)?;
        match self.server {
            GameServer::Ogs => ogs::visit(self, &mut asker, receiver),
            GameServer::Kgs => kgs::visit(self, &mut asker, receiver),
        }
    }
}

/// Why a visit ended early.
#[derive(Debug, thiserror::Error)]
pub enum VisitError {
    /// Not an address that is asked.
    #[error(transparent)]
    Address(#[from] crate::DownloadError),
    /// The server knows nobody of this name.
    #[error("{server} knows nobody of the name {name:?}")]
    NoSuchPlayer {
        /// The server.
        server: &'static str,
        /// The name.
        name: String,
    },
    /// The server shows games only to those who log in.
    #[error("{server} shows the games of {name:?} only to those who log in")]
    LogInAsked {
        /// The server.
        server: &'static str,
        /// The name.
        name: String,
    },
    /// The server asks for a longer pause than anybody waits for.
    #[error("{server} asks for a pause of {} min", seconds.div_ceil(60))]
    Busy {
        /// The server.
        server: &'static str,
        /// How long.
        seconds: u64,
    },
    /// The server cannot be reached, or fails.
    #[error("{address} cannot be fetched: {reason}")]
    Unreachable {
        /// What was asked for.
        address: String,
        /// What happened.
        reason: String,
    },
    /// Something else than what was asked for: a page to sign in, or another form than the one that is known.
    #[error("{address} is not what was asked for: {reason}")]
    Unexpected {
        /// What was asked for.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// More than any such answer has.
    #[error("{address} is larger than {} MiB", limit >> 20)]
    TooLarge {
        /// What was asked for.
        address: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// Somebody asked for the end.
    #[error("stopped")]
    Stopped,
    /// What came cannot be kept.
    #[error("what came cannot be kept: {0}")]
    NotKept(#[source] NotKept),
}

impl VisitError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Address(error) => error.hint(),
            Self::NoSuchPlayer { .. } => "check how the name is spelled there",
            Self::LogInAsked { .. } => {
                "log in with a browser, save the archives that the page offers, and let the folder they are saved in be watched"
            }
            Self::Busy { .. } => "try again later; what came so far is kept",
            Self::Unreachable { .. } => "check the connection and try again; what came so far is kept",
            Self::Unexpected { .. } => {
                "the network may ask for a log-in, or the server has changed: open the address with a browser"
            }
            Self::TooLarge { .. } => "open the address with a browser; no such answer is that large",
            Self::Stopped => "what came so far is kept; the next look goes on from there",
            Self::NotKept(_) => "make room on the disk and try again",
        }
    }

    /// Somebody asked for the end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        matches!(self, Self::Stopped)
    }
}
