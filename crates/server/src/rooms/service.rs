//! All rooms of a server, its accounts and its lobby.

use super::Opponents;
use super::actor::{Actor, Input, MAX_INPUTS, Visitor};
use super::engines::Engines;
use super::lesson::{LessonActor, LessonSummary};
use super::listed::Listed;
use super::lobby::{Invitation, Lobby, OnlineUser};
use super::mailbox::Mailbox;
use super::name::RoomName;
use super::ratings::{Rating, Ratings};
use super::saver::Saver;
use super::together;
use super::together::{LOOKING, Taking};
use super::tournaments::Tournaments;
use crate::accounts::{Account, AccountError, AccountPolicy, Accounts, AttemptLimits, OidcOptions, SignIn, name_key};
use crate::clock::Clock;
use crate::metrics::{Metrics, Standing};
use crate::peers::{Order, Peers, Reservation};
use crate::people::{NoWindow, Owner, People};
use crate::socket::Windows;
use crate::{Limits, ServeError};
use base64::Engine as _;
use honinbo_library::{AccountId, KeptLesson, PlayedGame, ServerStore, StoreError, StorePlace, TakenRoom};
use honinbo_rooms::{Lesson, LessonStartError, Role, Room, Seat, Stage, Terms, TermsError, TournamentError};
use honinbo_rules::Color;
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::task::JoinSet;

/// Rooms at a time.
const MAX_ROOMS: usize = 20_000;
/// Games and lessons of one person that are not over, where the operator has not said otherwise.
const ROOMS_OF_ONE: u32 = 20;
/// What the limits are called in the store.
const LIMITS: &str = "limits";
/// What is kept there of who may come in.
const POLICY: &str = "policy";
/// The folder with copies of the server's file, beside it, and how many are kept.
const BACKUPS_FOLDER: &str = "backups";
const MAX_BACKUPS: usize = 10;
/// How often the server notes that it runs, and forgets what has expired.
const HEARTBEAT: Duration = Duration::from_secs(1);
const FORGET_EVERY: Duration = Duration::from_secs(600);
/// Accounts that are gone of which nobody has heard yet.
const MAX_GONE: usize = 64;
/// How often back ends that nobody has a window on are looked for.
const TIDY_EVERY: Duration = Duration::from_secs(30);

/// How a server with rooms is to be.
#[derive(Debug, Clone)]
pub struct RoomsOptions {
    /// Where accounts, rooms and games are.
    pub store: StorePlace,
    /// Who may come in.
    pub accounts: AccountPolicy,
    /// Another way to log in than name and password.
    pub provider: Option<OidcOptions>,
    /// Engines that think at a time, over all rooms; others wait.
    pub engines: usize,
    /// Where everybody with an account has a folder for a library and settings of their own; without one nobody has.
    pub people: Option<PathBuf>,
    /// Positions a second that each of them may have computed there; 0 does not limit.
    pub thinking: u32,
    /// Where the other servers of the same database reach this one: an address of this machine, port 0 for any free one.
    /// Without it, any port of 127.0.0.1, for servers on one machine.
    pub peers: Option<String>,
}

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

/// What one person, or one address, may do. The operator changes it while the server runs.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct PeopleLimits {
    pub(crate) rooms_of_one: u32,
    #[serde(flatten)]
    pub(crate) attempts: AttemptLimits,
}

/// Who may come in, as the operator has said.
#[derive(Serialize, Deserialize)]
struct KeptPolicy {
    policy: AccountPolicy,
    /// What the server was started with then: started with something else, it does what it is told now.
    options: AccountPolicy,
}

/// A room that somebody wants.
#[derive(Debug, Clone, Default, Deserialize)]
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

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WantedColor {
    Black,
    White,
}

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
    listed: bool,
    /// Of a tournament: nobody has asked for it themselves.
    official: bool,
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

    /// Those who have a seat.
    fn accounts(&self) -> Vec<AccountId> {
        self.people.iter().flatten().filter_map(|id| id.parse().ok().map(AccountId)).collect()
    }

    pub(super) fn is_played_by(&self, person: &str) -> bool {
        self.people.iter().flatten().any(|id| id == person)
    }
}

/// A lesson that somebody wants to give: on an empty board, about a finished game of one's own, or about a record.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewLesson {
    title: String,
    terms: Terms,
    /// The number of a finished game.
    #[serde(deserialize_with = "game_number")]
    game: Option<u64>,
    sgf: Option<String>,
    /// The bytes of a record's file, in any character set that the reader knows.
    sgf_base64: Option<String>,
    /// Everybody sees it.
    listed: bool,
    /// Those who come watch, until the teacher makes them students.
    audience: bool,
}

/// A whole number in any form that JSON has for it, as [`honinbo_rooms::whole`] reads smaller ones.
fn game_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let number = Option::<serde_json::Number>::deserialize(deserializer)?;
    let whole = |number: serde_json::Number| {
        let rounded =
            || number.as_f64().filter(|value| value.fract() == 0.0 && *value >= 0.0).map(|value| value as u64);
        let none = || serde::de::Error::custom(format_args!("{number} is no whole number"));
        number.as_u64().or_else(rounded).ok_or_else(none)
    };
    number.map(whole).transpose()
}

#[derive(Clone)]
pub(super) struct LessonHandle {
    pub(super) inputs: mpsc::Sender<Input>,
    pub(super) summary: Arc<Mutex<LessonSummary>>,
}

#[derive(Clone)]
pub(super) struct Handle {
    pub(super) inputs: mpsc::Sender<Input>,
    pub(super) summary: Arc<Mutex<RoomSummary>>,
}

/// What rooms share.
pub(super) struct Inner {
    pub(super) accounts: Arc<Accounts>,
    sign_in: Option<SignIn>,
    pub(super) store: Arc<ServerStore>,
    pub(super) saver: Saver,
    pub(super) engines: Engines,
    pub(super) lobby: Lobby,
    pub(super) clock: Clock,
    pub(super) metrics: Metrics,
    /// Everybody's own windows, where the server has them.
    pub(super) people: Option<Arc<People>>,
    pub(super) tournaments: Tournaments,
    ratings: Ratings,
    /// The other servers of the store.
    pub(super) peers: Peers,
    pub(super) taking: Taking,
    rooms_of_one: AtomicU32,
    /// Who may come in, as the server was started.
    policy_options: AccountPolicy,
    /// Where copies of the file are put, where the store is one.
    backups: Option<PathBuf>,
    /// Held while a copy is made, which blocks.
    copying: Mutex<()>,
    /// Becomes true when another server has taken the store.
    taken_over: watch::Sender<bool>,
    pub(super) rooms: Mutex<Registry>,
    actors: Mutex<JoinSet<()>>,
    /// Accounts that are being deleted, also where nobody waits for that.
    deletions: Mutex<JoinSet<()>>,
    /// Tells of accounts that are gone those who serve them elsewhere than in a room.
    pub(super) gone: broadcast::Sender<AccountId>,
}

/// Rooms that are at work.
#[derive(Default)]
pub(super) struct Registry {
    pub(super) by_key: HashMap<String, Handle>,
    /// The key of the last room that a person opened against an engine.
    engines: HashMap<String, String>,
    /// Lessons, which have numbers as rooms have.
    pub(super) lessons: HashMap<String, LessonHandle>,
    /// How many have been let into a room or a lesson and are not in it yet.
    pub(super) arriving: HashMap<String, u32>,
}

/// Between what the rooms of one person and one engine have in common, and what tells them apart.
pub(super) const GAME: char = '#';

impl Registry {
    fn insert(&mut self, key: String, handle: Handle) {
        if let Some((own, _)) = key.rsplit_once(GAME) {
            self.engines.insert(own.to_owned(), key.clone());
        }
        self.by_key.insert(key, handle);
    }

    fn remove(&mut self, key: &str) {
        self.by_key.remove(key);
        if let Some((own, _)) = key.rsplit_once(GAME)
            && self.engines.get(own).is_some_and(|last| last == key)
        {
            self.engines.remove(own);
        }
    }

    /// The key of the last room that a person opened against an engine, where that is here.
    pub(super) fn key_of_engine(&self, own: &str) -> Option<&String> {
        self.engines.get(own)
    }

    /// The same, where its game is not over.
    pub(super) fn of_engine_at_play(&self, own: &str) -> Option<String> {
        let key = self.key_of_engine(own)?;
        (self.by_key.get(key)?.summary.lock().stage != Stage::Over).then(|| key.clone())
    }

    pub(super) fn of_engine(&self, own: &str) -> Option<Handle> {
        self.by_key.get(self.key_of_engine(own)?).cloned()
    }
}

impl Inner {
    /// The room is closed.
    pub(super) fn forget(&self, key: &str) {
        self.rooms.lock().remove(key);
    }

    /// Counts rated games that have ended meanwhile.
    pub(super) async fn count_games(self: &Arc<Self>) {
        let inner = Arc::clone(self);
        match tokio::task::spawn_blocking(move || inner.ratings.refresh(&inner.store)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, hint = error.hint(), "ratings could not be counted"),
            Err(error) => tracing::error!(%error, "counting ratings panicked"),
        }
    }

    /// Whether somebody has been let into a room or a lesson who is not in it yet.
    pub(super) fn is_awaiting(&self, key: &str) -> bool {
        self.rooms.lock().arriving.contains_key(key)
    }

    /// The lesson is closed.
    pub(super) fn forget_lesson(&self, id: &str) {
        self.rooms.lock().lessons.remove(id);
    }
}

/// The accounts and rooms of a server. Clones are the same.
#[derive(Clone)]
pub struct Rooms(pub(super) Arc<Inner>);

/// An open connection to a room.
pub(super) struct Seated {
    pub(super) connection: u64,
    pub(super) inputs: mpsc::Sender<Input>,
}

impl Rooms {
    /// Opens the store and lets every room that is kept there come back. Within a runtime of tokio.
    ///
    /// # Errors
    /// [`RoomsError`].
    pub async fn open(options: RoomsOptions, opponents: Arc<dyn Opponents>) -> Result<Self, RoomsError> {
        Self::open_with(options, opponents, Clock::system()).await
    }

    pub(crate) async fn open_with(
        options: RoomsOptions,
        opponents: Arc<dyn Opponents>,
        clock: Clock,
    ) -> Result<Self, RoomsError> {
        let system = |error: &dyn std::fmt::Display| RoomsError::System(error.to_string());
        let RoomsOptions { store, accounts: policy_options, provider, engines, people, thinking, peers } = options;
        let backups = match &store {
            StorePlace::File(path) => Some(path.with_file_name(BACKUPS_FOLDER)),
            StorePlace::Postgres(_) => None,
        };
        let store = tokio::task::spawn_blocking(move || ServerStore::open_at(&store).map(Arc::new));
        let store = store.await.map_err(|error| system(&error))??;
        let peers = together::meet(&store, peers.as_deref(), clock.steady_unix_ms()).await?;
        let accounts =
            Accounts::new(Arc::clone(&store), policy_options, clock.clone()).map_err(|error| system(&error))?;
        let rooms = Self(Arc::new(Inner {
            accounts: Arc::new(accounts),
            sign_in: provider.map(|provider| SignIn::new(provider, clock.clone())).transpose()?,
            metrics: Metrics::default(),
            people: people
                .map(|folder| Arc::new(People::new(folder, thinking, Arc::clone(&opponents), Arc::clone(&store)))),
            saver: Saver::start(Arc::clone(&store)).map_err(|error| system(&error))?,
            store,
            engines: Engines::new(opponents, engines.max(1)),
            lobby: Lobby::default(),
            tournaments: Tournaments::default(),
            ratings: Ratings::default(),
            peers,
            taking: Taking::default(),
            rooms_of_one: AtomicU32::new(ROOMS_OF_ONE),
            policy_options,
            backups,
            copying: Mutex::default(),
            taken_over: watch::channel(false).0,
            clock,
            rooms: Mutex::default(),
            actors: Mutex::default(),
            deletions: Mutex::default(),
            gone: broadcast::channel(MAX_GONE).0,
        }));
        if rooms.0.peers.leads() {
            rooms.lead().await.map_err(|error| system(&error))?;
        }
        Ok(rooms)
    }

    /// Lets a room come back that is this server's now, and answers who has a part in it; `None` where it cannot be read,
    /// and stays in the store for a later version.
    pub(super) fn bring_back(&self, taken: TakenRoom) -> Option<Vec<AccountId>> {
        let TakenRoom { room: stored, alive_ms } = taken;
        if Lesson::is_kept(&stored.state) {
            return match Lesson::from_kept(&stored.state) {
                Ok(lesson) => {
                    let handle = self.start_lesson(lesson, true);
                    let accounts = handle.summary.lock().accounts();
                    Some(accounts)
                }
                Err(error) => {
                    tracing::error!(%error, lesson = stored.id, "a lesson could not be brought back");
                    None
                }
            };
        }
        let ran_on = alive_ms.unwrap_or(stored.saved_ms).saturating_sub(stored.saved_ms).max(0);
        let ran_on = Duration::from_millis(ran_on.unsigned_abs());
        match Room::from_kept(&stored.state, ran_on, self.0.clock.monotonic()) {
            Ok(room) => {
                let handle = self.start_with(stored.id, room, true);
                let accounts = handle.summary.lock().accounts();
                Some(accounts)
            }
            Err(error) => {
                tracing::error!(%error, room = stored.id, "a room could not be brought back");
                None
            }
        }
    }

    /// Does what has to be done from time to time, for as long as it is polled.
    pub(crate) async fn keep_house(&self) {
        let mut forgot = self.0.clock.monotonic();
        let mut tidied = forgot;
        loop {
            self.note_alive().await;
            self.look_around().await;
            let now = self.0.clock.monotonic();
            if let Some(people) = &self.0.people
                && now.saturating_sub(tidied) >= TIDY_EVERY
            {
                tidied = now;
                people.tidy();
            }
            if self.0.peers.leads() && now.saturating_sub(forgot) >= FORGET_EVERY {
                forgot = now;
                match self.0.accounts.forget_expired().await {
                    Ok(gone) => {
                        for guest in gone {
                            self.forfeit(guest).await;
                        }
                    }
                    Err(error) => tracing::error!(%error, "what has expired could not be forgotten"),
                }
            }
            tokio::time::sleep(HEARTBEAT).await;
        }
    }

    /// Notes that the server runs, so that clocks are charged for the time until now if it ends.
    pub(crate) async fn note_alive(&self) {
        let (store, now) = (Arc::clone(&self.0.store), self.0.clock.steady_unix_ms());
        match tokio::task::spawn_blocking(move || store.set_alive(now)).await {
            Ok(Err(error @ StoreError::TakenOver)) => {
                if !self.0.taken_over.send_replace(true) {
                    tracing::error!(%error, hint = error.hint(), "the rooms are in another server");
                }
            }
            Ok(Err(error)) => tracing::error!(%error, hint = error.hint(), "the server's store cannot be written"),
            Ok(Ok(())) | Err(_) => {}
        }
    }

    /// Waits until another server has taken the rooms over, which it does where this one was cut off from the store or stood
    /// still. It cannot keep anything any more then.
    pub async fn taken_over(&self) {
        let mut taken_over = self.0.taken_over.subscribe();
        let _ = taken_over.wait_for(|taken| *taken).await; // The sender is in `self`.
    }

    /// Whether another server has taken the rooms over.
    #[must_use]
    pub fn are_taken_over(&self) -> bool {
        *self.0.taken_over.borrow()
    }

    pub(crate) fn accounts(&self) -> &Arc<Accounts> {
        &self.0.accounts
    }

    /// The provider by which people log in, where there is one.
    pub(crate) fn sign_in(&self) -> Option<&SignIn> {
        self.0.sign_in.as_ref()
    }

    /// The other servers of the store.
    pub(crate) fn peers(&self) -> &Peers {
        &self.0.peers
    }

    pub(super) fn start(&self, key: String, room: Room) -> Handle {
        self.start_with(key, room, false)
    }

    fn start_with(&self, key: String, room: Room, came: bool) -> Handle {
        let (inputs, queue) = mpsc::channel(MAX_INPUTS);
        let summary = Arc::new(Mutex::new(RoomSummary::of(&room)));
        let handle = Handle { inputs: inputs.clone(), summary: Arc::clone(&summary) };
        self.0.rooms.lock().insert(key.clone(), handle.clone());
        let actor = Actor::new(room, key, Arc::clone(&self.0), summary, inputs.downgrade(), came);
        let mut actors = self.0.actors.lock();
        while actors.try_join_next().is_some() {}
        actors.spawn(actor.run(queue));
        handle
    }

    /// Ends the work of every room, once nobody is connected any more. The rooms stay in the store.
    pub(crate) async fn stop(&self) {
        self.note_alive().await;
        let mut deletions = std::mem::take(&mut *self.0.deletions.lock());
        while deletions.join_next().await.is_some() {}
        *self.0.rooms.lock() = Registry::default();
        let mut actors = std::mem::take(&mut *self.0.actors.lock());
        while actors.join_next().await.is_some() {}
        self.leave().await;
        if let Some(people) = &self.0.people {
            people.stop().await;
        }
    }

    /// What a window needs of the person that this token belongs to; `None` where it is nobody's, or there are no windows.
    pub(crate) async fn window_of(&self, token: &str, limits: Limits) -> Option<Result<Windows, NoWindow>> {
        let people = self.0.people.as_ref()?;
        let account = match self.0.accounts.account_of(token).await {
            Ok(account) => account?,
            Err(error) => {
                tracing::error!(%error, "a token could not be looked up");
                return Some(Err(NoWindow::Failed));
            }
        };
        self.saw(&account);
        Some(people.window_of(&account, limits).await)
    }

    /// How things stand. `connections` is how many to rooms are open.
    pub(crate) fn standing(&self, connections: usize) -> Standing {
        let mut standing = Standing { connections, people: self.online().len(), ..Standing::default() };
        for handle in self.0.rooms.lock().by_key.values() {
            standing.rooms[handle.summary.lock().stage as usize] += 1;
        }
        standing.lessons = self.0.rooms.lock().lessons.len();
        standing.engines = self.0.engines.thinking();
        standing
    }

    /// Figures for whoever runs the server, as Prometheus reads them.
    pub(crate) fn metrics(&self, connections: usize) -> String {
        self.0.metrics.text(&self.standing(connections))
    }

    /// Moves that a substitute made for an engine, since this server began.
    pub(crate) fn engine_stand_ins(&self) -> u64 {
        self.0.metrics.stand_ins.get()
    }

    /// Engines that think at a time.
    pub(crate) fn engines_at_a_time(&self) -> usize {
        self.0.engines.at_a_time()
    }

    /// Every room, with what it is called in the store, and every lesson that is not over, by number, and how many there
    /// are; no more than a list holds.
    pub(crate) fn all(&self) -> (Vec<(String, RoomSummary)>, Vec<LessonSummary>, usize) {
        let (mut rooms, mut lessons, mut total) = (Listed::new(), Listed::new(), 0);
        self.for_each_room(|key, room| {
            if room.stage != Stage::Over && room.has_people() {
                total += 1;
                rooms.put((false, false, key), room);
            }
        });
        self.for_each_lesson(|lesson| {
            if !lesson.over {
                total += 1;
                lessons.put((false, false, &lesson.id), lesson);
            }
        });
        (rooms.named(), lessons.items(), total)
    }

    /// Whether everybody with an account has a window of their own.
    pub(crate) fn has_windows(&self) -> bool {
        self.0.people.is_some()
    }

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

    /// Games and lessons that one person may have that are not over.
    pub(crate) fn rooms_of_one(&self) -> u32 {
        self.0.rooms_of_one.load(Ordering::Relaxed)
    }

    /// Changes what one person, or one address, may do, and keeps it.
    pub(crate) async fn set_limits(&self, limits: PeopleLimits) -> Result<(), OpenError> {
        let text = serde_json::to_string(&limits).map_err(|_| OpenError::Unavailable)?;
        self.read(move |store| store.set_setting(LIMITS, &text)).await?;
        self.apply(limits);
        Ok(())
    }

    /// Changes who may come in, and keeps it.
    pub(crate) async fn set_policy(&self, policy: AccountPolicy) -> Result<(), OpenError> {
        let kept = KeptPolicy { policy, options: self.0.policy_options };
        let text = serde_json::to_string(&kept).map_err(|_| OpenError::Unavailable)?;
        self.read(move |store| store.set_setting(POLICY, &text)).await?;
        self.0.accounts.set_policy(policy);
        Ok(())
    }

    /// Finds what the operator has set before.
    pub(super) async fn find_settings(&self) -> Result<(), OpenError> {
        if let Some(limits) = self.find_setting(LIMITS).await? {
            self.apply(limits);
        }
        match self.find_setting::<KeptPolicy>(POLICY).await? {
            Some(kept) if kept.options == self.0.policy_options => self.0.accounts.set_policy(kept.policy),
            // Forgotten, lest it come back with the options of then.
            Some(_) => self.set_policy(self.0.policy_options).await?,
            None => {}
        }
        Ok(())
    }

    async fn find_setting<T: DeserializeOwned>(&self, name: &'static str) -> Result<Option<T>, OpenError> {
        let Some(text) = self.read(move |store| store.setting(name)).await? else { return Ok(None) };
        let damaged =
            |error: &_| tracing::error!(%error, "what the operator set ({name}) cannot be read; it is as usual");
        Ok(serde_json::from_str(&text).inspect_err(damaged).ok())
    }

    fn apply(&self, PeopleLimits { rooms_of_one, attempts }: PeopleLimits) {
        self.0.rooms_of_one.store(rooms_of_one, Ordering::Relaxed);
        self.0.accounts.set_attempt_limits(attempts);
    }

    fn may_open(&self, account: &Account) -> Result<(), OpenError> {
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

    /// Somebody asked for something.
    pub(crate) fn saw(&self, account: &Account) {
        self.0.lobby.saw(account, self.0.clock.monotonic());
    }

    pub(crate) fn online(&self) -> Vec<OnlineUser> {
        self.with_those_elsewhere(self.0.lobby.online(self.0.clock.monotonic()))
    }

    /// Somebody's ratings.
    pub(crate) fn ratings(&self, account: AccountId) -> Vec<Rating> {
        self.0.ratings.of(account)
    }

    /// Somebody who is online or has ratings, with these; who else has an account is nobody's business.
    pub(crate) async fn player(&self, name: &str) -> Result<Option<(Account, Vec<Rating>)>, OpenError> {
        let key = name_key(name);
        let account = self.read(move |store| store.account_named(&key)).await?;
        let online = self.online();
        Ok(account.map(|account| (account.clone(), self.0.ratings.of(account.id))).filter(|(account, ratings)| {
            !ratings.is_empty() || online.iter().any(|user| user.account.id == account.id)
        }))
    }

    /// Rooms that everybody sees, those with an open seat first, and the person's own.
    pub(crate) fn list(&self, account: &Account) -> Vec<RoomSummary> {
        let person = account.id.to_string();
        let mut listed = Listed::new();
        self.for_each_room(|key, room| {
            let own = room.is_played_by(&person);
            if room.stage != Stage::Over && (own || room.listed && room.has_people()) {
                listed.put((!own, !room.has_open_seat, key), room);
            }
        });
        listed.items()
    }

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

    /// Names of all engines.
    pub(crate) async fn engine_names(&self) -> Vec<String> {
        let inner = Arc::clone(&self.0);
        tokio::task::spawn_blocking(move || inner.engines.names()).await.unwrap_or_else(|error| {
            tracing::error!(%error, "listing engines panicked");
            Vec::new()
        })
    }

    /// Deletes an account in the way that is given, and ends what it leaves. Both are done to their end, also where whoever
    /// asked for it has hung up meanwhile: an account that is gone is not asked for again.
    pub(crate) async fn delete_account(
        &self,
        person: AccountId,
        deletion: impl Future<Output = Result<(), AccountError>> + Send + 'static,
    ) -> Result<(), AccountError> {
        let rooms = self.clone();
        let work = async move {
            let created_ms = rooms.read(move |store| store.account_created(person)).await;
            let created_ms = created_ms.map_err(|_| AccountError::Unavailable)?;
            let owner = created_ms.map(|created_ms| Owner { account: person, created_ms });
            let folder = rooms.0.people.as_ref().zip(owner);
            if let Some((people, owner)) = folder {
                people.mark_leaving(owner).await;
            }
            if let Err(error) = deletion.await {
                if let Some((people, owner)) = folder {
                    people.settle_leaving(owner).await;
                }
                return Err(error);
            }
            rooms.forfeit(person).await;
            if let Some((people, owner)) = folder {
                people.forget(owner).await;
            }
            Ok::<_, AccountError>(())
        };
        let (done, deleted) = oneshot::channel();
        {
            let mut deletions = self.0.deletions.lock();
            while deletions.try_join_next().is_some() {}
            deletions.spawn(async move {
                let _ = done.send(work.await); // Nobody hears it where whoever asked has hung up.
            });
        }
        deleted.await.unwrap_or_else(|_| {
            tracing::error!("deleting an account panicked");
            Err(AccountError::Unavailable)
        })
    }

    /// The account is gone: its games are lost, its seats free.
    async fn forfeit(&self, person: AccountId) {
        self.forfeit_here(person).await;
        self.forfeit_elsewhere(person).await;
        self.forget_in_tournaments(person).await;
    }

    /// A page of somebody's finished games, newest first.
    pub(crate) async fn games(
        &self,
        account: AccountId,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<PlayedGame>, OpenError> {
        self.read(move |store| store.games_of(account, before, limit)).await
    }

    /// The record of a game that this account played.
    pub(crate) async fn record(&self, account: AccountId, game: i64) -> Result<Option<String>, OpenError> {
        self.read(move |store| store.record_of(account, game)).await
    }

    /// Makes a lesson; answers its number.
    pub(crate) async fn create_lesson(&self, account: &Account, wanted: NewLesson) -> Result<String, OpenError> {
        self.may_open(account)?;
        let NewLesson { title, terms, game, sgf, sgf_base64, listed, audience } = wanted;
        let sgf = match game {
            Some(game) => {
                let game = i64::try_from(game).unwrap_or(i64::MAX);
                Some(self.record(account.id, game).await?.ok_or(OpenError::UnknownGame)?)
            }
            None => sgf,
        };
        let file = sgf_base64
            .map(|text| base64::engine::general_purpose::STANDARD.decode(text))
            .transpose()
            .map_err(|error| OpenError::BadLesson(format!("the record is not base64: {error}")))?;
        let id = self.free_number()?;
        let (number, teacher) = (id.clone(), account.clone());
        // A long record takes milliseconds: none of the others waits for it.
        let made = tokio::task::spawn_blocking(move || {
            let person = teacher.id.to_string();
            let teacher = [person.as_str(), teacher.name.as_str()];
            match (sgf, file) {
                (Some(sgf), _) => Lesson::on_record(number, &title, teacher, &sgf),
                (None, Some(file)) => Lesson::on_file(number, &title, teacher, &file),
                (None, None) => Lesson::on_board(number, &title, teacher, &terms),
            }
        });
        let lesson = made.await.map_err(|_| OpenError::Unavailable)??;
        let lesson = lesson.with_newcomers(if audience { Role::Audience } else { Role::Student });
        let handle = self.start_lesson(if listed { lesson.listed() } else { lesson }, false);
        self.settled(&handle.inputs).await;
        Ok(id)
    }

    fn start_lesson(&self, lesson: Lesson, came: bool) -> LessonHandle {
        let (inputs, queue) = mpsc::channel(MAX_INPUTS);
        let summary = Arc::new(Mutex::new(LessonSummary::of(&lesson)));
        let handle = LessonHandle { inputs: inputs.clone(), summary: Arc::clone(&summary) };
        self.0.rooms.lock().lessons.insert(lesson.id().to_owned(), handle.clone());
        let actor = LessonActor::new(lesson, Arc::clone(&self.0), summary, inputs.downgrade(), came);
        let mut actors = self.0.actors.lock();
        while actors.try_join_next().is_some() {}
        actors.spawn(actor.run(queue));
        handle
    }

    /// Lessons that everybody sees, and those that the person has been in; these first.
    pub(crate) fn lessons(&self, account: &Account) -> Vec<LessonSummary> {
        let person = account.id.to_string();
        let mut listed = Listed::new();
        self.for_each_lesson(|lesson| {
            let own = lesson.has(&person);
            if !lesson.over && (lesson.listed || own) {
                listed.put((!own, false, &lesson.id), lesson);
            }
        });
        listed.items()
    }

    /// A page of the records of lessons that somebody took part in, newest first.
    pub(crate) async fn lesson_records(
        &self,
        account: AccountId,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<KeptLesson>, OpenError> {
        self.read(move |store| store.lessons_of(account, before, limit)).await
    }

    /// The record of a lesson that this account took part in.
    pub(crate) async fn lesson_record(&self, account: AccountId, lesson: i64) -> Result<Option<String>, OpenError> {
        self.read(move |store| store.lesson_record_of(account, lesson)).await
    }

    /// Copies the store while everybody goes on, one copy at a time; answers its name and its bytes. The oldest copies go.
    pub(crate) async fn back_up(&self) -> Result<(String, u64), OpenError> {
        let folder = self.0.backups.clone().ok_or(OpenError::CopiedElsewhere)?;
        let inner = Arc::clone(&self.0);
        self.read(move |store| {
            let _one = inner.copying.lock();
            let name = next_copy(&folder, inner.clock.unix_ms());
            let copy = folder.join(&name);
            store.backup_to(&copy)?;
            let bytes = std::fs::metadata(&copy).map_or(0, |facts| facts.len());
            if let Err(error) = remove_old_copies(&folder) {
                tracing::warn!(%error, "old copies of the server's file could not be removed");
            }
            Ok((name, bytes))
        })
        .await
    }

    /// Whether the store answers.
    pub(crate) async fn is_ready(&self) -> bool {
        self.read(ServerStore::last_alive).await.is_ok()
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&ServerStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, OpenError> {
        let store = Arc::clone(&self.0.store);
        match tokio::task::spawn_blocking(move || read(&store)).await {
            Ok(Ok(found)) => Ok(found),
            Ok(Err(error)) => {
                tracing::error!(%error, hint = error.hint(), "the server's store cannot be read");
                Err(OpenError::Unavailable)
            }
            Err(error) => {
                tracing::error!(%error, "reading the server's store panicked");
                Err(OpenError::Unavailable)
            }
        }
    }
}

/// The number in the name of a copy; `None` for other files.
fn number_of_copy(name: &str) -> Option<i64> {
    name.strip_prefix("server-")?.strip_suffix(".sqlite")?.parse().ok()
}

/// What the next copy is called: after the time, and behind the last one where the clock was set back since.
fn next_copy(folder: &Path, now_ms: i64) -> String {
    let copies = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let last = copies.filter_map(|entry| number_of_copy(entry.file_name().to_str()?)).max();
    let number = last.map_or(now_ms, |last| now_ms.max(last.saturating_add(1)));
    format!("server-{number}.sqlite")
}

/// Leaves the copies with the largest numbers. What was not finished goes, too.
fn remove_old_copies(folder: &Path) -> std::io::Result<()> {
    let mut copies = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let (name, path) = entry.map(|entry| (entry.file_name(), entry.path()))?;
        let Some(name) = name.to_str() else { continue };
        if let Some(number) = number_of_copy(name) {
            copies.push((number, path));
        } else if name.strip_suffix(".part").and_then(number_of_copy).is_some() {
            std::fs::remove_file(path)?;
        }
    }
    copies.sort();
    copies.iter().rev().skip(MAX_BACKUPS).try_for_each(|(_, path)| std::fs::remove_file(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    /// No engine plays.
    struct Nobody;

    impl Opponents for Nobody {
        fn opponent(&self, level: &str) -> Result<Box<dyn honinbo_players::Player>, honinbo_api::ApiError> {
            Err(honinbo_api::ApiError::InvalidRequest { message: level.to_owned() })
        }

        fn names(&self) -> Vec<String> {
            Vec::new()
        }

        fn engine(&self) -> honinbo_api::EngineSource {
            honinbo_api::EngineSource::Network
        }

        fn dead_stones(&self, _: &honinbo_rules::Game) -> Vec<honinbo_rules::Point> {
            Vec::new()
        }

        fn opinion(&self, _: &honinbo_rules::Game, _: &honinbo_api::Caller) -> Option<honinbo_rooms::Opinion> {
            None
        }
    }

    #[test]
    fn the_number_of_a_game_is_whole_in_any_form() {
        let game = |text: &str| serde_json::from_str::<NewLesson>(text).map(|wanted| wanted.game).ok();
        assert_eq!((game("{}"), game(r#"{"game":null}"#)), (Some(None), Some(None)));
        assert_eq!((game(r#"{"game":7}"#), game(r#"{"game":7.0}"#)), (Some(Some(7)), Some(Some(7))));
        for text in [r#"{"game":7.5}"#, r#"{"game":-1}"#, r#"{"game":"7"}"#] {
            assert_eq!(game(text), None, "{text}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_account_is_deleted_to_the_end_though_whoever_asked_has_hung_up() {
        let folder = tempfile::tempdir().unwrap();
        let options = RoomsOptions {
            store: StorePlace::File(folder.path().join("server.sqlite")),
            accounts: AccountPolicy::default(),
            provider: None,
            engines: 1,
            people: None,
            thinking: 0,
            peers: None,
        };
        let rooms = Rooms::open(options, Arc::new(Nobody)).await.unwrap();
        let (go_on, waits) = oneshot::channel::<()>();
        let (tell, told) = oneshot::channel();
        let deletion = async move {
            waits.await.unwrap();
            tell.send(()).unwrap();
            Ok(())
        };
        // It is asked for once, and dropped.
        assert!(rooms.delete_account(AccountId(1), deletion).now_or_never().is_none());
        go_on.send(()).unwrap();
        told.await.unwrap();
        // The server stops after that.
        rooms.stop().await;
    }
}
