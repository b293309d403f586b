//! The back end: open games, engine, library and settings of one data folder.

use crate::analysis::engine::{Engine, EngineSource};
use crate::analysis::evaluations::Evaluations;
use crate::games::Games;
use crate::games::closed_games::ClosedGames;
use crate::games::open_games::OpenGamesFolder;
use crate::library::LibraryRoom;
use crate::play::PlayRoom;
use crate::settings::file::SettingsFile;
use crate::settings::{EngineOverride, wanted_by};
use crate::{ApiError, FilePath, Host};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

/// The back end of one data folder: open games, engine, library and settings. Every host has one.
///
/// Methods may be called from any thread. None of the locks is held while the engine thinks or a file is read.
pub struct App {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) engine: Engine,
    pub(crate) evaluations: Arc<Evaluations>,
    pub(crate) games: Games,
    pub(crate) settings: SettingsFile,
    pub(crate) engine_override: Mutex<EngineOverride>,
    pub(crate) library: LibraryRoom,
    pub(crate) play: PlayRoom,
    notices: Vec<String>,
    reports: AtomicU64,
    /// Where open games are kept, once [`App::keep_open_games`] was called and no other program keeps its own there.
    pub(crate) kept: Mutex<Option<OpenGamesFolder>>,
    pub(crate) recovered: AtomicU32,
    pub(crate) closed: ClosedGames,
    /// Files with several games that were given to the program before there was a window to ask in.
    pub(crate) given: Mutex<Vec<FilePath>>,
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

    /// The program around.
    pub fn host(&self) -> &Arc<dyn Host> {
        &self.host
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

    pub(crate) fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Logs a fault of the program and gives the number under which it stands in the log.
    pub(crate) fn internal(&self, what: &str, error: &dyn std::fmt::Display) -> ApiError {
        let count = self.reports.fetch_add(1, Ordering::Relaxed) + 1;
        let report = format!("{:x}-{count}", self.host.unix_seconds());
        tracing::error!(report, %error, "{what}");
        ApiError::Internal { report }
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.shut_down();
    }
}
