//! All rooms of a server, its accounts and its lobby.

use super::Opponents;
use super::actor::{Actor, Kind, MAX_INPUTS};
use super::copies::BACKUPS_FOLDER;
use super::engines::Engines;
use super::error::{OpenError, RoomsError};
use super::game::GameRoom;
use super::lobby::Lobby;
use super::ratings::Ratings;
use super::registry::{Handle, Registry};
use super::saver::Saver;
use super::together;
use super::together::Taking;
use super::tournaments::Tournaments;
use crate::Limits;
use crate::accounts::{AccountPolicy, Accounts, OidcOptions, SignIn};
use crate::clock::Clock;
use crate::metrics::Metrics;
use crate::peers::Peers;
use crate::people::{NoWindow, People};
use crate::socket::Windows;
use honinbo_library::{AccountId, ServerStore, StoreError, StorePlace, TakenRoom};
use honinbo_rooms::{Lesson, Now, Room};
use parking_lot::Mutex;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::task::JoinSet;

/// Games and lessons of one person that are not over, where the operator has not said otherwise.
const ROOMS_OF_ONE: u32 = 20;
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
    pub(super) ratings: Ratings,
    /// The other servers of the store.
    pub(super) peers: Peers,
    pub(super) taking: Taking,
    pub(super) rooms_of_one: AtomicU32,
    /// Who may come in, as the server was started.
    pub(super) policy_options: AccountPolicy,
    /// Where copies of the file are put, where the store is one.
    pub(super) backups: Option<PathBuf>,
    /// Held while a copy is made, which blocks.
    pub(super) copying: Mutex<()>,
    /// Becomes true when another server has taken the store.
    taken_over: watch::Sender<bool>,
    pub(super) rooms: Mutex<Registry>,
    pub(super) actors: Mutex<JoinSet<()>>,
    /// Accounts that are being deleted, also where nobody waits for that.
    pub(super) deletions: Mutex<JoinSet<()>>,
    /// Tells of accounts that are gone those who serve them elsewhere than in a room.
    pub(super) gone: broadcast::Sender<AccountId>,
}

impl Inner {
    /// The room or the lesson is closed.
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
}

/// The accounts and rooms of a server. Clones are the same.
#[derive(Clone)]
pub struct Rooms(pub(super) Arc<Inner>);

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
                let invited = room.invited().filter_map(|id| id.parse().ok().map(AccountId)).collect();
                let handle = self.start_with(stored.id.clone(), room, true);
                let summary = handle.summary.lock().clone();
                self.invite_again(&stored.id, invited, &summary);
                Some(summary.accounts())
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
        let now = Now::at(self.0.clock.monotonic());
        self.put_to_work(key, GameRoom::new(room, now), came)
    }

    pub(super) fn put_to_work<K: Kind>(&self, key: String, kind: K, came: bool) -> Handle<K::Summary> {
        let (inputs, queue) = mpsc::channel(MAX_INPUTS);
        let summary = Arc::new(Mutex::new(kind.summary()));
        let handle = Handle { inputs: inputs.clone(), summary: Arc::clone(&summary) };
        K::register(&mut self.0.rooms.lock(), key.clone(), handle.clone());
        let actor = Actor::new(kind, key, Arc::clone(&self.0), summary, inputs.downgrade(), came);
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

    /// Whether everybody with an account has a window of their own.
    pub(crate) fn has_windows(&self) -> bool {
        self.0.people.is_some()
    }

    /// Names of all engines.
    pub(crate) async fn engine_names(&self) -> Vec<String> {
        let inner = Arc::clone(&self.0);
        tokio::task::spawn_blocking(move || inner.engines.names()).await.unwrap_or_else(|error| {
            tracing::error!(%error, "listing engines panicked");
            Vec::new()
        })
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
