//! The person's games by themselves: from accounts at game servers when they are asked for, from folders while the
//! program runs.

mod folders;
pub(crate) mod handlers;
mod list;
pub(crate) mod types;
mod visit;

use crate::library::LibraryRoom;
use crate::reviews::ReviewsRoom;
use crate::{ApiError, Event, Host, NewSource, SourceKind, SourceSync, SourceView, SyncState};
use folders::Seen;
use honinbo_evaluator::StopFlag;
use honinbo_library::{Library, LibraryError, Source, SourceId, Taking};
use honinbo_shelf::{GameServer, Visit};
use parking_lot::{Condvar, Mutex};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use visit::Taker;

/// A file that nobody has written for so long is complete.
const SETTLES: Duration = Duration::from_secs(2);
/// A folder is looked at so much less often than a look takes, whatever the host says.
const LOOKS_PER_TIME: u32 = 50;

/// The accounts and folders, looks through them, and the thread that watches folders.
pub(crate) struct SourcesRoom {
    collector: Arc<Collector>,
    watcher: Mutex<Option<JoinHandle<()>>>,
}

struct Collector {
    host: Arc<dyn Host>,
    library: Arc<LibraryRoom>,
    reviews: Arc<ReviewsRoom>,
    work: Mutex<Work>,
    /// Signalled when folders are added and at the end.
    changed: Condvar,
    /// What was seen of each folder. Held while one is looked through, so that no file is taken by two.
    seen: Mutex<HashMap<SourceId, Seen>>,
}

#[derive(Default)]
struct Work {
    ended: bool,
    waiting: VecDeque<SourceId>,
    /// The look under way.
    looking: Option<SourceId>,
    stop: StopFlag,
    states: BTreeMap<SourceId, Arc<Mutex<SourceSync>>>,
}

impl SourcesRoom {
    pub(crate) fn new(host: Arc<dyn Host>, library: Arc<LibraryRoom>, reviews: Arc<ReviewsRoom>) -> Self {
        let collector = Collector {
            host,
            library,
            reviews,
            work: Mutex::default(),
            changed: Condvar::new(),
            seen: Mutex::default(),
        };
        let room = Self { collector: Arc::new(collector), watcher: Mutex::default() };
        room.watch();
        room
    }

    pub(crate) fn list(&self) -> Result<Vec<SourceView>, ApiError> {
        let sources = self.collector.library()?.sources().map_err(failed)?;
        Ok(sources.into_iter().map(|source| self.collector.view(source)).collect())
    }

    /// Adds an account, or a folder whose path was allowed.
    pub(crate) fn add(&self, new: &NewSource, folder: Option<PathBuf>) -> Result<SourceView, ApiError> {
        let name = match &folder {
            None => new.name.clone(),
            Some(folder) => {
                let whole = dunce::canonicalize(folder).ok().filter(|path| path.is_dir());
                let whole = whole.and_then(|path| path.to_str().map(str::to_owned));
                whole.ok_or_else(|| ApiError::UnreadableFile {
                    file: new.name.clone(),
                    message: "it is no folder that can be read".into(),
                    problem: None,
                })?
            }
        };
        let kind = kind_in_library(new.kind);
        let source = self
            .collector
            .library()?
            .add_source(kind, &name, &new.person, self.collector.host.unix_ms())
            .map_err(failed)?;
        self.watch();
        Ok(self.collector.view(source))
    }

    pub(crate) fn remove(&self, id: u32) -> Result<(), ApiError> {
        let id = SourceId::new(id);
        self.collector.library()?.remove_source(id).map_err(failed)?;
        let mut work = self.collector.work.lock();
        work.waiting.retain(|waiting| *waiting != id);
        work.states.remove(&id);
        if work.looking == Some(id) {
            work.stop.set();
        }
        Ok(())
    }

    /// Looks through some of them, or all, in the background.
    pub(crate) fn sync(&self, ids: &[u32]) -> Result<(), ApiError> {
        let sources = self.collector.library()?.sources().map_err(failed)?;
        if let Some(unknown) = ids.iter().find(|id| !sources.iter().any(|source| source.id.number() == **id)) {
            let error = LibraryError::UnknownSource { id: unknown.to_string() };
            return Err(ApiError::NotFound { message: error.to_string() });
        }
        let wanted = sources.iter().filter(|source| ids.is_empty() || ids.contains(&source.id.number()));
        let mut work = self.collector.work.lock();
        let mut news = Vec::new();
        for source in wanted {
            let goes_on = work.looking == Some(source.id)
                && !work.stop.is_set()
                && work.states.get(&source.id).is_some_and(|state| state.lock().state == SyncState::Looking);
            if !goes_on && !work.waiting.contains(&source.id) {
                work.waiting.push_back(source.id);
                let sync = waiting(source.id);
                news.push(sync.clone());
                work.states.insert(source.id, Arc::new(Mutex::new(sync)));
            }
        }
        let begins = work.looking.is_none() && !work.waiting.is_empty() && !work.ended;
        if begins {
            work.looking = work.waiting.front().copied();
            work.stop = StopFlag::new();
        }
        drop(work);
        for sync in news {
            self.collector.host.emit(Event::Source(sync));
        }
        if !begins {
            return Ok(());
        }
        let collector = Arc::clone(&self.collector);
        std::thread::Builder::new().name("sources".into()).spawn(move || collector.work_on()).map(drop).map_err(
            |error| {
                self.collector.work.lock().looking = None;
                ApiError::Library {
                    message: format!("the look for games could not be started: {error}"),
                    hint: "try again when the machine has less to do".into(),
                }
            },
        )
    }

    /// Ends all looks; what came stays.
    pub(crate) fn stop(&self) {
        let mut work = self.collector.work.lock();
        work.stop.set();
        let left: Vec<SourceId> = work.waiting.drain(..).collect();
        let states: Vec<_> = left.iter().filter_map(|id| work.states.get(id).cloned()).collect();
        drop(work);
        for state in states {
            let mut sync = state.lock();
            if sync.state == SyncState::Waiting {
                sync.state = SyncState::Stopped;
                self.collector.host.emit(Event::Source(sync.clone()));
            }
        }
    }

    pub(crate) fn shut_down(&self) {
        self.collector.work.lock().ended = true;
        self.stop();
        self.collector.changed.notify_all();
        if let Some(watcher) = self.watcher.lock().take() {
            let _ = watcher.join();
        }
    }

    /// Begins to watch folders, where there are some and the host wants it.
    fn watch(&self) {
        self.collector.changed.notify_all();
        let Some(every) = self.collector.host.watches_folders() else { return };
        let Ok(sources) = self.collector.library().and_then(|library| library.sources().map_err(failed)) else {
            return;
        };
        let mut watcher = self.watcher.lock();
        if watcher.is_some() || !sources.iter().any(|source| !source.kind.is_account()) {
            return;
        }
        let collector = Arc::clone(&self.collector);
        *watcher = std::thread::Builder::new().name("folders".into()).spawn(move || collector.watch(every)).ok();
    }
}

impl Collector {
    fn library(&self) -> Result<&Arc<Library>, ApiError> {
        self.library.library()
    }

    fn view(&self, source: Source) -> SourceView {
        let sync = self.work.lock().states.get(&source.id).cloned();
        SourceView {
            id: source.id.number(),
            kind: match source.kind {
                honinbo_library::SourceKind::Ogs => SourceKind::Ogs,
                honinbo_library::SourceKind::Kgs => SourceKind::Kgs,
                honinbo_library::SourceKind::Folder => SourceKind::Folder,
            },
            name: source.name,
            person: source.person,
            synced_at: source.synced.map(|at| u32::try_from(at / 1000).unwrap_or(u32::MAX)),
            games: source.games,
            sync: sync.map(|sync| sync.lock().clone()),
        }
    }

    /// Looks through what waits, one after the other.
    fn work_on(&self) {
        loop {
            let (id, stop, state) = {
                let mut work = self.work.lock();
                let Some(id) = work.waiting.pop_front().filter(|_| !work.ended) else {
                    work.looking = None;
                    return;
                };
                work.looking = Some(id);
                if work.stop.is_set() {
                    work.stop = StopFlag::new();
                }
                let state = Arc::clone(work.states.entry(id).or_insert_with(|| Arc::new(Mutex::new(waiting(id)))));
                (id, work.stop.clone(), state)
            };
            self.look_through(id, &stop, &state);
        }
    }

    fn look_through(&self, id: SourceId, stop: &StopFlag, state: &Arc<Mutex<SourceSync>>) {
        let found = self.library().and_then(|library| {
            let sources = library.sources().map_err(failed)?;
            Ok((library, sources.into_iter().find(|source| source.id == id)))
        });
        let (library, source) = match found {
            Ok((library, Some(source))) => (library, source),
            Ok((_, None)) => return,
            Err(error) => return self.end(state, Err(Ended::Failed(error.to_string(), String::new()))),
        };
        let server = match source.kind {
            honinbo_library::SourceKind::Ogs => Some(GameServer::Ogs),
            honinbo_library::SourceKind::Kgs => Some(GameServer::Kgs),
            honinbo_library::SourceKind::Folder => None,
        };
        state.lock().state = SyncState::Looking;
        self.host.emit(Event::Source(state.lock().clone()));
        let began = self.host.unix_ms();
        let outcome = match server {
            Some(server) => self.visit(library, &source, server, stop, state),
            None => self.look_into(library, &source, Some(stop), state),
        };
        if let Err(error) = library.join_own_names() {
            tracing::warn!(%error, "the names of accounts were not joined");
        }
        self.reviews.came(began);
        self.end(state, outcome);
        self.host.emit(Event::LibraryChanged);
    }

    fn visit(
        &self,
        library: &Library,
        source: &Source,
        server: GameServer,
        stop: &StopFlag,
        state: &Arc<Mutex<SourceSync>>,
    ) -> Result<(), Ended> {
        let mut taker = self.taker(library, source, server.label(), state)?;
        let addresses = self.host.game_servers();
        let visit = Visit::new(server, &addresses, &source.name, self.host.unix_seconds());
        let visited = visit.pay(&mut taker, stop);
        let taking = std::mem::take(&mut taker.taking);
        library.end_taking(source.id, taking, visited.is_ok(), self.host.unix_ms())?;
        match visited {
            Ok(name) if name != source.name => Ok(library.spell_source(source.id, &name)?),
            Ok(_) => Ok(()),
            Err(error) if error.is_stopped() => Err(Ended::Stopped),
            Err(error) => {
                tracing::info!(%error, "a game server gave no more games");
                Err(Ended::Failed(error.to_string(), error.hint().to_owned()))
            }
        }
    }

    fn taker<'t>(
        &'t self,
        library: &'t Library,
        source: &Source,
        label: &'t str,
        state: &Arc<Mutex<SourceSync>>,
    ) -> Result<Taker<'t>, Ended> {
        let mut known = library.taken_from(source.id)?;
        if !source.kind.is_account() {
            known.extend(library.source_pages(source.id)?);
        }
        let sync = Arc::clone(state);
        let now = self.host.unix_ms();
        Ok(Taker { host: &*self.host, library, id: source.id, label, now, known, taking: Taking::default(), sync })
    }

    /// Looks into a folder. Whoever asked waits until what is written just now is complete.
    fn look_into(
        &self,
        library: &Library,
        source: &Source,
        asked: Option<&StopFlag>,
        state: &Arc<Mutex<SourceSync>>,
    ) -> Result<(), Ended> {
        let mut seen = self.seen.lock();
        let seen = seen.entry(source.id).or_default();
        let mut taker = self.taker(library, source, &source.name, state)?;
        let is_stopped = || asked.is_some_and(StopFlag::is_set) || self.work.lock().ended;
        let mut outcome = Ok(());
        let mut again = asked.is_some();
        loop {
            let look = folders::look(Path::new(&source.name), &taker.known, seen, SETTLES);
            let mut look = look.map_err(|error| {
                let hint = "check that the folder is there, or remove it from the list".to_owned();
                Ended::Failed(format!("{} cannot be read: {error}", source.name), hint)
            })?;
            while !look.is_empty() && outcome.is_ok() {
                if is_stopped() {
                    outcome = Err(Ended::Stopped);
                    break;
                }
                let batch = look.next_batch(&taker.known, seen);
                outcome = taker.take_batch(batch).map_err(Ended::from);
            }
            if !(look.unsettled && again) || outcome.is_err() {
                break;
            }
            again = false;
            // By the machine's own clock, as the times of files are.
            std::thread::sleep(SETTLES);
        }
        let taking = std::mem::take(&mut taker.taking);
        library.end_taking(source.id, taking, outcome.is_ok(), self.host.unix_ms())?;
        outcome
    }

    fn end(&self, state: &Arc<Mutex<SourceSync>>, outcome: Result<(), Ended>) {
        let news = {
            let mut sync = state.lock();
            sync.pause = 0;
            match outcome {
                Ok(()) => sync.state = SyncState::Done,
                Err(Ended::Stopped) => sync.state = SyncState::Stopped,
                Err(Ended::Failed(message, hint)) => {
                    sync.state = SyncState::Failed;
                    (sync.message, sync.hint) = (message, hint);
                }
            }
            sync.clone()
        };
        self.host.emit(Event::Source(news));
    }

    /// Watches folders until the program ends.
    fn watch(&self, every: Duration) {
        loop {
            let began = self.host.monotonic();
            let folders = self.library().and_then(|library| library.sources().map_err(failed)).unwrap_or_default();
            for source in folders.iter().filter(|source| !source.kind.is_account()) {
                if self.work.lock().ended {
                    return;
                }
                self.watch_one(source);
            }
            let took = self.host.monotonic().saturating_sub(began);
            let mut work = self.work.lock();
            if work.ended {
                return;
            }
            self.changed.wait_for(&mut work, every.max(took * LOOKS_PER_TIME));
            if work.ended {
                return;
            }
        }
    }

    fn watch_one(&self, source: &Source) {
        let Ok(library) = self.library() else { return };
        let state = Arc::new(Mutex::new(SourceSync { state: SyncState::Looking, ..waiting(source.id) }));
        let began = self.host.unix_ms();
        match self.look_into(library, source, None, &state) {
            Ok(()) => {}
            // A drive that is not there now comes back; who asks for a look is told.
            Err(Ended::Failed(message, _)) => return tracing::debug!(message, "a watched folder was not looked into"),
            Err(Ended::Stopped) => return,
        }
        let sync = state.lock().clone();
        if sync.added + sync.duplicates + sync.refused > 0 {
            self.reviews.came(began);
            // Windows see what came as they see it after a look that was asked for.
            self.work.lock().states.insert(source.id, Arc::clone(&state));
            self.end(&state, Ok(()));
            self.host.emit(Event::LibraryChanged);
        }
    }
}

/// Why a look ended early.
enum Ended {
    Stopped,
    Failed(String, String),
}

impl From<LibraryError> for Ended {
    fn from(error: LibraryError) -> Self {
        match error {
            // It was removed meanwhile.
            LibraryError::UnknownSource { .. } => Self::Stopped,
            other => Self::Failed(other.to_string(), other.hint().to_owned()),
        }
    }
}

fn waiting(id: SourceId) -> SourceSync {
    SourceSync {
        id: id.number(),
        state: SyncState::Waiting,
        found: 0,
        fetched: 0,
        added: 0,
        duplicates: 0,
        refused: 0,
        pause: 0,
        message: String::new(),
        hint: String::new(),
    }
}

fn kind_in_library(kind: SourceKind) -> honinbo_library::SourceKind {
    match kind {
        SourceKind::Ogs => honinbo_library::SourceKind::Ogs,
        SourceKind::Kgs => honinbo_library::SourceKind::Kgs,
        SourceKind::Folder => honinbo_library::SourceKind::Folder,
    }
}

#[allow(clippy::needless_pass_by_value, reason = "used as a function of `map_err`")]
fn failed(error: LibraryError) -> ApiError {
    ApiError::from_library(&error)
}
