//! The back end: open games, engine, library and settings of one data folder.

use crate::closed_games::ClosedGames;
use crate::engine::{AnalysisFocus, AnalysisTarget, Engine, EngineSource, Loaded, RecallWork, SweepWork, Wanted};
use crate::evaluations::Evaluations;
use crate::famous::famous_game;
use crate::games::Games;
use crate::library_room::LibraryRoom;
use crate::open_games::OpenGamesFolder;
use crate::play::PlayRoom;
use crate::session::Session;
use crate::settings_file::SettingsFile;
use crate::{
    AnalysisUpdate, ApiError, EngineStatus, FilePath, GameId, GameRef, GameView, Host, LineReview, NodeRef,
    SetAnalysis, Settings, SweepGame, SweepStarted,
};
use honinbo_evaluator::Evaluator;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// How often changed games are written to the data folder.
const KEEP_EVERY: Duration = Duration::from_secs(1);

/// The back end of one data folder: open games, engine, library and settings. Every host has one.
///
/// Methods may be called from any thread. None of the locks is held while the engine thinks or a file is read.
pub struct App {
    host: Arc<dyn Host>,
    engine: Engine,
    pub(crate) evaluations: Arc<Evaluations>,
    pub(crate) games: Games,
    settings: SettingsFile,
    engine_override: Mutex<EngineOverride>,
    pub(crate) library: LibraryRoom,
    pub(crate) play: PlayRoom,
    notices: Vec<String>,
    reports: AtomicU64,
    /// Where open games are kept, once [`App::keep_open_games`] was called and no other program keeps its own there.
    kept: Mutex<Option<OpenGamesFolder>>,
    recovered: AtomicU32,
    pub(crate) closed: ClosedGames,
    /// Files with several games that were given to the program before there was a window to ask in.
    pub(crate) given: Mutex<Vec<FilePath>>,
}

/// An engine that answers, as long as this is kept.
pub struct ReadyEngine {
    /// Answers for positions; shared with everybody else.
    pub evaluator: Arc<dyn Evaluator>,
    /// The network's own name.
    pub network: String,
    /// The device that computes.
    pub device: String,
    /// Search threads that keep it busy.
    pub threads: usize,
    /// KataGo's number for the network's architecture, where it is known.
    pub model_version: Option<u32>,
    /// Whether the network is of human style and wants to know who plays.
    pub human_style: bool,
    loaded: Arc<Loaded>,
}

impl ReadyEngine {
    fn new(loaded: Arc<Loaded>) -> Self {
        Self {
            evaluator: loaded.evaluator(),
            network: loaded.network.clone(),
            device: loaded.device.clone(),
            threads: loaded.threads,
            model_version: loaded.model_version,
            human_style: loaded.human_style,
            loaded,
        }
    }

    /// Forgets remembered evaluations.
    pub fn clear_cache(&self) {
        self.loaded.clear_cache();
    }
}

/// What a command line asks of the engine instead of the settings; not kept.
#[derive(Debug, Default)]
struct EngineOverride {
    network: Option<String>,
    device: Option<String>,
    threads: Option<u32>,
}

impl EngineOverride {
    /// What is computed with where the settings ask for `usual`.
    fn over(&self, usual: Wanted) -> Wanted {
        Wanted {
            network: self.network.clone().unwrap_or(usual.network),
            device: self.device.clone().unwrap_or(usual.device),
            threads: self.threads.unwrap_or(usual.threads),
        }
    }

    /// Gives way where the person chose something else.
    fn yield_to(&mut self, before: &Settings, now: &Settings) {
        if before.network != now.network {
            self.network = None;
        }
        if before.threads != now.threads {
            self.threads = None;
        }
    }
}

impl App {
    /// A back end for the host's data folder.
    ///
    /// What is wrong there (an unreadable settings file, a library of a newer version) does not stop it: it is told
    /// in [`crate::Startup::notices`], and by the commands that need it.
    pub fn new(host: Arc<dyn Host>) -> Arc<Self> {
        Self::with_engine(host, EngineSource::Network)
    }

    /// As [`App::new`], with somebody else answering for positions: for tests.
    pub fn with_engine(host: Arc<dyn Host>, source: EngineSource) -> Arc<Self> {
        let data_dir = host.data_dir();
        let mut notices = Vec::new();
        if let Err(error) = std::fs::create_dir_all(&data_dir) {
            notices.push(format!("the data folder {} cannot be made: {error}", data_dir.display()));
        }
        let (settings, notice) = SettingsFile::open(&data_dir);
        notices.extend(notice);
        let (library, notice) = LibraryRoom::open(Arc::clone(&host));
        notices.extend(notice);
        let limit = settings.get().evaluations_mib;
        let evaluations = Arc::new(Evaluations::new(Arc::clone(&host), library.shared(), limit));
        let engine = Engine::new(Arc::clone(&host), source, wanted_by(&settings.get()), Arc::clone(&evaluations));
        engine.want_other(&settings.get().analysis_engine);
        Arc::new_cyclic(|this| Self {
            host,
            engine,
            evaluations,
            games: Games::default(),
            settings,
            engine_override: Mutex::default(),
            library,
            play: PlayRoom::new(Weak::clone(this)),
            notices,
            reports: AtomicU64::new(0),
            kept: Mutex::default(),
            recovered: AtomicU32::new(0),
            closed: ClosedGames::new(&data_dir),
            given: Mutex::default(),
        })
    }

    /// Opens again what was open when the program last ended, and from now on keeps the open games in the data
    /// folder, about once a second, so that neither a crash nor a power cut takes more than that.
    ///
    /// For hosts with a window; call it once, before the first game is opened. While another program keeps its games
    /// in the same folder nothing is opened and nothing is kept.
    pub fn keep_open_games(self: &Arc<Self>) {
        let Some(folder) = OpenGamesFolder::claim(&self.host.data_dir()) else { return };
        let (opened, recovered) = folder.read();
        self.recovered.store(recovered, Ordering::Relaxed);
        let mut played = Vec::new();
        let mut sessions = Vec::new();
        for (session, play) in opened {
            played.extend(play.map(|(tip, play)| (session.id.clone(), tip, play)));
            sessions.push(session);
        }
        self.games.restore(sessions);
        for (id, tip, play) in played {
            self.resume_play(&id, tip, play);
        }
        *self.kept.lock() = Some(folder);
        let app = Arc::downgrade(self);
        let _ = std::thread::Builder::new().name("keep-games".into()).spawn(move || {
            loop {
                std::thread::sleep(KEEP_EVERY);
                let Some(app) = app.upgrade() else { return };
                app.write_open_games();
            }
        });
    }

    /// Writes the open games that changed since they were last written.
    pub(crate) fn write_open_games(&self) {
        let mut kept = self.kept.lock();
        let Some(folder) = kept.as_mut() else { return };
        // Asked before the games, as locks are taken in that order: at worst a move is kept in the record that is not
        // played yet.
        let played = self.played_now();
        let open = self.games.all();
        let present: Vec<GameId> = open.iter().map(|game| game.id.clone()).collect();
        let changed = folder.changed(&open, &played);
        folder.write(&*self.host, &present, changed);
    }

    /// The program around.
    pub fn host(&self) -> &Arc<dyn Host> {
        &self.host
    }

    /// What the person chose.
    pub fn settings(&self) -> Settings {
        self.settings.get()
    }

    /// The engine as it is now.
    pub fn engine_status(&self) -> EngineStatus {
        self.engine.status()
    }

    /// Computes with this network (a name or a path), device and number of threads from now on, without keeping that
    /// as the person's choice: for options of a command line. `None` leaves it to the settings. It holds until the
    /// person chooses another network or number of threads.
    pub fn override_engine(&self, network: Option<String>, device: Option<String>, threads: Option<u32>) {
        let settings = self.settings();
        let chosen = EngineOverride { network, device, threads };
        self.engine.want(chosen.over(wanted_by(&settings)));
        *self.engine_override.lock() = chosen;
    }

    /// The engine itself, for protocols that have a search of their own; the network is read now if it has not been.
    ///
    /// # Errors
    /// [`ApiError::EngineUnavailable`] when nobody can answer.
    pub fn ready_engine(&self) -> Result<ReadyEngine, ApiError> {
        Ok(ReadyEngine::new(self.engine.load()?))
    }

    /// A second network beside the one in use: a file, or the name of one that is at hand.
    ///
    /// # Errors
    /// [`ApiError::EngineUnavailable`] when it cannot be read.
    pub fn ready_engine_beside(&self, network: &str) -> Result<ReadyEngine, ApiError> {
        Ok(ReadyEngine::new(Arc::new(self.engine.load_beside(network)?)))
    }

    /// Reads the network in the background, so that the first answer comes sooner: for hosts whose window takes a
    /// while to ask.
    pub fn warm_up(&self) {
        self.engine.warm_up();
    }

    /// Ends the engine's threads. Call once before the program ends.
    pub fn shut_down(&self) {
        self.halt_play();
        self.engine.shut_down();
        self.library.cancel_import();
        self.evaluations.shut_down();
        self.write_open_games();
        self.play.close_all();
        if let Some(folder) = self.kept.lock().take() {
            folder.end();
        }
    }

    /// Games with unsaved changes that came back after an end that was not said.
    pub(crate) fn recovered(&self) -> u32 {
        self.recovered.load(Ordering::Relaxed)
    }

    /// Opens the famous game, which nobody asked for, so that a first start has something to show.
    ///
    /// # Errors
    /// As for a file that a person opens.
    pub fn open_first_game(&self) -> Result<GameView, ApiError> {
        self.open_read(|id| {
            let mut session = famous_game(id)?;
            session.first = true;
            Ok(session)
        })
    }

    /// The game of the first start, as long as it is open and unchanged.
    pub(crate) fn first_game(&self) -> Option<GameId> {
        let is_first = |session: &mut Session| Ok(session.first && !session.is_modified());
        let first = self.games.all().into_iter().find(|game| game.with(is_first).unwrap_or(false))?;
        Some(first.id.clone())
    }

    /// Whether a person is here for the first time: no window has kept anything of its own yet, and no game is open.
    pub fn is_first_start(&self) -> bool {
        self.settings.get().window.is_empty() && !self.games.are_there()
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) fn notices(&self) -> &[String] {
        &self.notices
    }

    pub(crate) fn set_settings(&self, settings: Settings) -> Result<(), ApiError> {
        let wanted = {
            let mut chosen = self.engine_override.lock();
            chosen.yield_to(&self.settings.get(), &settings);
            chosen.over(wanted_by(&settings))
        };
        self.engine.want(wanted);
        self.engine.want_other(&settings.analysis_engine);
        self.evaluations.set_limit(settings.evaluations_mib);
        let written = self.settings.set(settings, |path, bytes| self.host.write(path, bytes));
        written.map_err(|error| self.internal("the settings could not be written", &error))
    }

    /// Logs a fault of the program and gives the number under which it stands in the log.
    pub(crate) fn internal(&self, what: &str, error: &dyn std::fmt::Display) -> ApiError {
        let count = self.reports.fetch_add(1, Ordering::Relaxed) + 1;
        let report = format!("{:x}-{count}", self.host.unix_seconds());
        tracing::error!(report, %error, "{what}");
        ApiError::Internal { report }
    }

    // ---- Open games ----

    /// As [`App::open_session`], for games that were played before: what is known of them is told in the background.
    pub(crate) fn open_read(
        &self,
        make: impl FnOnce(GameId) -> Result<Session, ApiError>,
    ) -> Result<GameView, ApiError> {
        let view = self.open_session(make)?;
        self.recall(&view.game_id);
        Ok(view)
    }

    /// Tells windows, in the background, what is known of the positions of an open game.
    fn recall(&self, id: &str) {
        let shown = self.games.find(id).and_then(|game| {
            game.with(|session| {
                let (tree, current) = session.tree_and_current();
                Ok(RecallWork { game_id: id.to_owned(), tree: tree.clone(), current })
            })
        });
        if let Ok(work) = shown {
            self.engine.recall(work);
        }
    }

    /// As [`App::recall`], for all open games.
    pub(crate) fn recall_open_games(&self) {
        self.games.all().iter().for_each(|game| self.recall(&game.id));
    }

    /// Makes a session and puts it in front.
    pub(crate) fn open_session(
        &self,
        make: impl FnOnce(GameId) -> Result<Session, ApiError>,
    ) -> Result<GameView, ApiError> {
        self.games.open(make, Session::view)
    }

    /// Does something with an open game. If analysis follows it, the engine is told where it stands afterwards.
    pub(crate) fn with_game<T>(
        &self,
        id: &str,
        act: impl FnOnce(&mut Session) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        self.games.find(id)?.with(|session| {
            let result = act(session)?;
            self.engine.follow(id, session.current_id(), |focus| target_of(session, focus));
            Ok(result)
        })
    }

    /// Lets go of an open game.
    pub(crate) fn remove_game(&self, id: &str) {
        self.games.remove(id);
        self.engine.forget(id);
        self.play.close(id);
    }

    pub(crate) fn open_games(&self) -> Vec<GameView> {
        self.games.all().iter().filter_map(|game| game.with(|session| Ok(session.view())).ok()).collect()
    }

    pub(crate) fn set_analysis(&self, wanted: &SetAnalysis) -> Result<(), ApiError> {
        let id = &wanted.game_id;
        let focus = AnalysisFocus {
            visits: wanted.visits,
            allow: wanted.allow.clone(),
            avoid: wanted.avoid.clone(),
            candidate_ownership: wanted.candidate_ownership,
            equal: None,
        };
        // Held to the end: a step made meanwhile would be followed by the position before it.
        self.games.find(id)?.with(|session| {
            let equal = wanted.equal.clone().filter(|equal| equal.node_id == session.current_id());
            let target = target_of(session, AnalysisFocus { equal, ..focus });
            if wanted.running {
                self.engine.analyse(Some(target));
            } else {
                self.engine.leave(id);
            }
            Ok(())
        })
    }

    pub(crate) fn sweep(&self, wanted: &SweepGame) -> Result<SweepStarted, ApiError> {
        if wanted.passes.is_empty() {
            return Err(ApiError::InvalidRequest { message: "a sweep needs at least one pass".into() });
        }
        let positions = self.with_game(&wanted.game_id, |session| Ok(session.line_games()))?;
        let work = SweepWork {
            game_id: wanted.game_id.clone(),
            positions,
            passes: wanted.passes.clone(),
            worst: wanted.worst.map(|moves| moves as usize),
        };
        Ok(SweepStarted { serial: self.engine.sweep(work) })
    }

    /// How the players of the variation on the board did, as far as its moves are judged.
    pub(crate) fn line_review(&self, game: &GameRef) -> Result<LineReview, ApiError> {
        let (line, area) =
            self.with_game(&game.game_id, |session| Ok((session.line_moves(), session.game().board().size().area())))?;
        Ok(self.engine.line_review(&game.game_id, &line, area))
    }

    /// What is known of a node's position; `None` where nobody looked at it, or nobody knows which moves are good.
    pub(crate) fn known_analysis(&self, wanted: &NodeRef) -> Result<Option<AnalysisUpdate>, ApiError> {
        let game = self.with_game(&wanted.game_id, |session| session.game_at(wanted.node_id))?;
        Ok(self.engine.known_analysis(&wanted.game_id, wanted.node_id, &game))
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.shut_down();
    }
}

fn target_of(session: &Session, focus: AnalysisFocus) -> AnalysisTarget {
    AnalysisTarget {
        game_id: session.id.clone(),
        node_id: session.current_id(),
        game: session.game().clone(),
        last_move: session.last_move(),
        focus,
    }
}

fn wanted_by(settings: &Settings) -> Wanted {
    Wanted { network: settings.network.clone(), device: String::new(), threads: settings.threads }
}
