//! The back end: rooms for open games, engine, played games, library and settings of one data folder.

use crate::analysis::engine::{Engine, EngineSource};
use crate::analysis::evaluations::Evaluations;
use crate::analysis::{AnalysisRoom, ReadyEngine};
use crate::booklets::BookletsRoom;
use crate::games::GamesRoom;
use crate::lessons::LessonsRoom;
use crate::library::LibraryRoom;
use crate::library::backups::Backups;
use crate::networks::NetworksRoom;
use crate::original::OriginalRoom;
use crate::play::PlayRoom;
use crate::problems::ProblemsRoom;
use crate::reviews::ReviewsRoom;
use crate::runtimes::RuntimesRoom;
use crate::settings::file::SettingsFile;
use crate::settings::{SettingsRoom, wanted_by};
use crate::sources::SourcesRoom;
use crate::updates::UpdatesRoom;
use crate::{
    ApiError, EnginePrecision, EngineStatus, GameReview, GameView, Host, OpponentKind, ReviewOptions, ReviewProgress,
    RunLimits, RunProgress, RunReply, RunRequest, Settings, SettingsChange,
};
use honinbo_evaluator::StopFlag;
use honinbo_library::FreedSpace;
use honinbo_players::Player;
use honinbo_record::{Charset, GameTree};
use honinbo_remote::RemoteOptions;
use honinbo_rules::{Game, Point};
use honinbo_shelf::Shelf;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The back end of one data folder. Every host has one.
///
/// It puts the rooms of its subjects together, each with a state of its own, and does itself only what takes two rooms
/// that do not know each other. A room holds rooms before it here, never one after it.
///
/// Methods may be called from any thread. None of the locks is held while the engine thinks or a file is read.
pub struct App {
    host: Arc<dyn Host>,
    pub(crate) settings: Arc<SettingsRoom>,
    pub(crate) networks: NetworksRoom,
    pub(crate) runtimes: RuntimesRoom,
    pub(crate) updates: UpdatesRoom,
    pub(crate) library: Arc<LibraryRoom>,
    pub(crate) games: Arc<GamesRoom>,
    pub(crate) analysis: Arc<AnalysisRoom>,
    pub(crate) play: Arc<PlayRoom>,
    pub(crate) reviews: Arc<ReviewsRoom>,
    pub(crate) lessons: Arc<LessonsRoom>,
    pub(crate) problems: ProblemsRoom,
    pub(crate) original: OriginalRoom,
    pub(crate) sources: SourcesRoom,
    pub(crate) booklets: BookletsRoom,
    backups: Backups,
}

impl App {
    /// A back end for the host's data folder.
    ///
    /// What is wrong there (an unreadable settings file, a library of a newer version) does not stop it: it is reported
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
        let file = SettingsFile::open(&data_dir, host.has_windows());
        notices.extend(file.notice().map(str::to_owned));
        let (library, said) = LibraryRoom::open(Arc::clone(&host));
        notices.extend(said);
        let chosen = file.get();
        let evaluations = Arc::new(Evaluations::new(Arc::clone(&host), library.shared(), chosen.evaluations_mib));
        let engine =
            Engine::new(Arc::clone(&host), source, wanted_by(&chosen, file.inference()), Arc::clone(&evaluations));
        engine.want_other(&chosen.analysis_engine);
        let library = Arc::new(library);
        let settings =
            Arc::new(SettingsRoom::new(Arc::clone(&host), file, engine.clone(), Arc::clone(&evaluations), notices));
        let networks = NetworksRoom::new(Arc::clone(&host), engine.clone(), Arc::clone(&settings));
        let runtimes = RuntimesRoom::new(Arc::clone(&host));
        let updates = UpdatesRoom::new(Arc::clone(&host), Arc::clone(&settings));
        let games = Arc::new(GamesRoom::new(Arc::clone(&host), engine.clone(), Arc::clone(&library)));
        let analysis =
            Arc::new(AnalysisRoom { host: Arc::clone(&host), engine, evaluations, games: Arc::clone(&games) });
        let play = PlayRoom::new(Arc::clone(&host), Arc::clone(&games), Arc::clone(&analysis), Arc::clone(&library));
        let reviews = Arc::new(ReviewsRoom::new(
            Arc::clone(&host),
            Arc::clone(&settings),
            Arc::clone(&library),
            Arc::clone(&analysis),
            Arc::clone(&play),
        ));
        let lessons = Arc::new(LessonsRoom::new(
            Arc::clone(&host),
            Arc::clone(&games),
            Arc::clone(&analysis),
            Arc::clone(&library),
        ));
        let problems = ProblemsRoom::new(Arc::clone(&host), Arc::clone(&analysis), Arc::clone(&library));
        let original =
            OriginalRoom { analysis: Arc::clone(&analysis), play: Arc::clone(&play), settings: Arc::clone(&settings) };
        let sources = SourcesRoom::new(Arc::clone(&host), Arc::clone(&library), Arc::clone(&reviews));
        let backups = Backups::begin(Arc::clone(&host), Arc::clone(&library), Arc::clone(&settings));
        let booklets = BookletsRoom { library: Arc::clone(&library), lessons: Arc::clone(&lessons) };
        Arc::new(Self {
            host,
            settings,
            networks,
            runtimes,
            updates,
            library,
            games,
            analysis,
            play,
            reviews,
            lessons,
            problems,
            original,
            sources,
            booklets,
            backups,
        })
    }

    /// The program around.
    pub fn host(&self) -> &Arc<dyn Host> {
        &self.host
    }

    /// Ends the engine's threads. Call once before the program ends.
    pub fn shut_down(&self) {
        self.play.halt_play();
        self.reviews.shut_down();
        self.networks.shut_down();
        self.runtimes.shut_down();
        self.updates.pause();
        self.analysis.engine.shut_down();
        self.library.cancel_import();
        self.sources.shut_down();
        self.backups.shut_down();
        self.analysis.evaluations.shut_down();
        self.write_open_games_at_the_end();
    }

    /// The shelf of networks of this data folder, for hosts that fetch with a progress of their own.
    pub fn shelf(&self) -> Shelf {
        self.networks.shelf()
    }

    /// What the person chose.
    pub fn settings(&self) -> Settings {
        self.settings.get()
    }

    /// What was wrong with the settings when this began, in a sentence: for hosts without windows.
    pub fn settings_notice(&self) -> Option<&str> {
        self.settings.notice()
    }

    /// Takes this name for the person's own as long as nobody has said another one: for hosts that know who it is.
    ///
    /// # Errors
    /// What writing the settings says; it holds all the same.
    pub fn know_own_name(&self, name: &str) -> Result<(), ApiError> {
        if self.settings.get().own_name.is_empty() {
            self.settings.change(SettingsChange { own_name: Some(name.to_owned()), ..SettingsChange::default() })?;
        }
        Ok(())
    }

    /// Lets what the engine found take no more than this, whatever was chosen before: for hosts that lend their disk.
    ///
    /// # Errors
    /// What writing the settings says; it holds all the same.
    pub fn limit_evaluations(&self, mib: u32) -> Result<(), ApiError> {
        if self.settings.get().evaluations_mib > mib {
            self.settings.change(SettingsChange { evaluations_mib: Some(mib), ..SettingsChange::default() })?;
        }
        Ok(())
    }

    /// Deletes for good what is in the library's bin, and gives its space back to the disk: for hosts that lend theirs.
    ///
    /// # Errors
    /// What the library says.
    pub fn make_room(&self) -> Result<(), ApiError> {
        let emptied = self.library.library()?.empty_bin(FreedSpace::ToDisk);
        emptied.map(drop).map_err(|error| ApiError::from_library(&error))
    }

    /// Computes with this network (a name or a path), device and number of threads from now on, without keeping that
    /// as the person's choice: for options of a command line. `None` leaves it to the settings. It holds until the
    /// person chooses another network or number of threads.
    pub fn override_engine(&self, network: Option<String>, device: Option<String>, threads: Option<u32>) {
        self.settings.override_engine(network, device, threads);
    }

    /// Computes so exactly from now on, in the same way as [`App::override_engine`].
    pub fn override_precision(&self, precision: Option<EnginePrecision>) {
        self.settings.override_precision(precision);
    }

    /// Has these servers compute the network from now on, in the same way as [`App::override_engine`].
    pub fn override_inference(&self, inference: Option<RemoteOptions>) {
        self.settings.override_inference(inference);
    }

    /// Whether a person is here for the first time: no window has kept anything of its own yet, and no game is open.
    pub fn is_first_start(&self) -> bool {
        self.settings.get().window.is_empty() && !self.games.are_there()
    }

    /// Opens the famous game, which nobody asked for, so that a first start has something to show.
    ///
    /// # Errors
    /// As for a file that a person opens.
    pub fn open_first_game(&self) -> Result<GameView, ApiError> {
        self.games.open_first_game()
    }

    /// Opens a file that the system hands to the program and reports it to every window; one that cannot be opened, or holds
    /// several games, is left to the window.
    ///
    /// # Errors
    /// [`ApiError::UnreadableFile`] when there is no record in it.
    pub fn open_path(&self, path: &Path) -> Result<(), ApiError> {
        self.games.open_path(path).inspect(|()| self.host.used_file(path))
    }

    /// As [`App::open_path`], before there is a window: it hears of it when it asks for what is open.
    ///
    /// # Errors
    /// As for [`App::open_path`].
    pub fn open_before_window(&self, path: &Path) -> Result<(), ApiError> {
        self.games.open_before_window(path).inspect(|()| self.host.used_file(path))
    }

    /// The engine as it is now.
    pub fn engine_status(&self) -> EngineStatus {
        self.analysis.engine_status()
    }

    /// The engine itself, for protocols that have a search of their own; the network is read now if it has not been.
    ///
    /// # Errors
    /// [`ApiError::EngineUnavailable`] when nobody can answer.
    pub fn ready_engine(&self) -> Result<ReadyEngine, ApiError> {
        self.analysis.ready_engine()
    }

    /// The engine for the back ends of others: each follows this one to another network or device.
    #[must_use]
    pub fn shared_engine(&self) -> EngineSource {
        self.analysis.shared_engine()
    }

    /// A second network beside the one in use: a file, or the name of one that is at hand.
    ///
    /// # Errors
    /// [`ApiError::EngineUnavailable`] when it cannot be read.
    pub fn ready_engine_beside(&self, network: &str) -> Result<ReadyEngine, ApiError> {
        self.analysis.ready_engine_beside(network)
    }

    /// Reads the network in the background, so that the first answer comes sooner: for hosts whose window takes a
    /// while to ask.
    pub fn warm_up(&self) {
        self.analysis.warm_up();
    }

    /// Reviews the main line of a record. What the library knows is not asked for again, and what is found is kept there.
    ///
    /// # Errors
    /// [`ApiError::EngineUnavailable`] when nobody can answer, [`ApiError::Cancelled`] when it was ended early.
    pub fn review_record(
        &self,
        tree: &GameTree,
        options: &ReviewOptions,
        stop: &StopFlag,
        on_progress: &dyn Fn(ReviewProgress),
    ) -> Result<GameReview, ApiError> {
        Ok(self.analysis.review_record(tree, options, stop, on_progress)?)
    }

    /// As the command `import_paths`, of files whose names may be no text, read in this character set whatever they say.
    ///
    /// # Errors
    /// [`ApiError::UnreadableFile`] for a file that is not there, [`ApiError::Library`] without a library.
    pub fn import_files(&self, paths: Vec<PathBuf>, charset: Option<Charset>) -> Result<(), ApiError> {
        self.library.import_paths(paths, charset, self.reviews.after_import())
    }

    /// Answers a `run`. Ends early, with what it has, once `stop` is set.
    ///
    /// # Errors
    /// [`ApiError::InvalidBoard`] and [`ApiError::InvalidRequest`] for what cannot be understood,
    /// [`ApiError::EngineUnavailable`] when nobody can answer, [`ApiError::Cancelled`] when it was ended before the
    /// first answer.
    pub fn run(&self, request: &RunRequest, stop: &StopFlag) -> Result<RunReply, ApiError> {
        self.original.run(request, stop, &|_| {})
    }

    /// As [`App::run`], on a game with its own history, and reporting progress about twenty times a second.
    ///
    /// # Errors
    /// As [`App::run`].
    pub fn run_game(
        &self,
        game: Game,
        limits: &RunLimits,
        ownership: bool,
        stop: &StopFlag,
        on_progress: &(dyn Fn(RunProgress<'_>) + Sync),
    ) -> Result<RunReply, ApiError> {
        self.original.run_game(game, limits, ownership, stop, on_progress)
    }

    /// A player by its id: a level, or an engine of `engines.yaml`.
    ///
    /// # Errors
    /// [`ApiError::InvalidRequest`] when there is none of that name.
    pub fn opponent(&self, id: &str) -> Result<Box<dyn Player>, ApiError> {
        self.play.opponent(id)
    }

    /// What [`App::opponent`] knows: levels, ranks and the engines of `engines.yaml`.
    #[must_use]
    pub fn opponent_names(&self) -> Vec<String> {
        let opponents = self.play.opponents().opponents.into_iter();
        // Each of the others' games would have a network of its own in memory.
        opponents.filter(|opponent| opponent.kind != OpponentKind::Network).map(|opponent| opponent.id).collect()
    }

    /// The stones that are dead in a game that both players have passed in: as the network sees it, or what random play
    /// loses where there is none. Blocks.
    pub fn dead_stones(&self, game: &Game) -> Vec<Point> {
        self.analysis.dead_at_the_end(game)
    }

    /// A seed unlike those before, so that no two games are alike.
    #[must_use]
    pub fn fresh_seed(&self) -> u64 {
        self.play.fresh_seed()
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.shut_down();
    }
}
