//! Who can be played against, and what an opponent does when it is its turn.

use super::table::{Awaited, Flow, Table};
use super::time::time_for_a_turn;
use crate::analysis::resources::{networks, pupil_network, resource_dirs};
use crate::failure::fault;
use crate::play::{NetworkBeside, OwnNetwork, PlayRoom};
use crate::{
    AddEngine, ApiError, ChangeEngine, EngineCommand, EngineFound, EngineName, GameUpdate, InstalledEngineView,
    Opponent, OpponentKind, Opponents,
};
use honinbo_evaluator::{Evaluator, StopFlag};
use honinbo_players::{
    AnalysisPlayer, CommandLine, EngineError, EngineLimits, EnginesFile, EnginesFileError, GtpPlayer, HeuristicPlayer,
    LEVELS, LevelSpec, NetworkSource, OtherNetwork, PUPILS, Player, PlayerError, Rank, ReadyNetwork, Style,
    installed_engines,
};
use honinbo_rules::{BoardSize, Color, Game, Komi, Move, Ruleset, Setup, Topology, WinBy};
use parking_lot::Mutex;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Visits of the first move of an analysis engine that is tried out.
const TRIAL_VISITS: u64 = 10;
/// How long a program that is tried out may take for its first move.
const TRIAL: Duration = Duration::from_secs(60);
/// What the name of a network stands after where that is an opponent: `network:b18c384nbt.bin.gz`.
const NETWORK: &str = "network:";
/// The level as which such an opponent searches: so long for each move.
const LEVEL_OF_NETWORKS: &str = "hard";
/// What the file names of human-style networks have in common, such as `b18c384nbt-humanv0.bin.gz`.
const HUMAN: &str = "human";

impl PlayRoom {
    /// Who can be played against.
    pub(crate) fn opponents(&self) -> Opponents {
        let (file, problem) = self.engines_file();
        let levels = LEVELS.into_iter().map(|level| Opponent {
            id: level.to_owned(),
            kind: OpponentKind::Level,
            needs_network: file.level(level).is_some_and(|spec| spec.needs_network()),
            command: String::new(),
        });
        let ranks = Rank::all().map(|rank| Opponent {
            id: format!("rank_{rank}"),
            kind: OpponentKind::Rank,
            needs_network: true,
            command: String::new(),
        });
        let pupils = PUPILS.into_iter().map(|pupil| Opponent {
            id: pupil.to_owned(),
            kind: OpponentKind::Pupil,
            needs_network: true,
            command: String::new(),
        });
        let engines = file.engines().map(|(name, spec)| Opponent {
            id: name.to_owned(),
            kind: OpponentKind::Engine,
            needs_network: spec.needs_network(),
            command: match spec {
                LevelSpec::Gtp { line, .. } | LevelSpec::Analysis { line, .. } => line.text(),
                _ => String::new(),
            },
        });
        let networks = self.networks_to_play().into_iter().map(|file| Opponent {
            id: format!("{NETWORK}{file}"),
            kind: OpponentKind::Network,
            needs_network: true,
            command: String::new(),
        });
        Opponents {
            opponents: levels.chain(ranks).chain(pupils).chain(networks).chain(engines).collect(),
            styles: Style::ALL.into_iter().map(|style| style.name().to_owned()).collect(),
            problem: problem.map(|problem| self.without_path(format!("{problem}; {}", problem.hint()))),
            file: self.engines_path(),
            may_change: self.host.capabilities().paths,
        }
    }

    /// Where `engines.yaml` lies; its name alone for who sees no path of the machine.
    fn engines_path(&self) -> String {
        let path = EnginesFile::path_in(&self.host.data_dir());
        self.without_path(path.display().to_string())
    }

    /// A text as it is for who sees the machine's paths; for others without the folder of `engines.yaml`.
    fn without_path(&self, text: String) -> String {
        if self.host.capabilities().paths {
            return text;
        }
        text.replace(&self.host.data_dir().join("").display().to_string(), "")
    }

    /// What `engines.yaml` says now; nothing, and the problem, where it cannot be used.
    fn engines_file(&self) -> (EnginesFile, Option<EnginesFileError>) {
        match EnginesFile::read(&EnginesFile::path_in(&self.host.data_dir())) {
            Ok(file) => (file, None),
            Err(problem) => {
                tracing::warn!(%problem, "the levels are as usual");
                (EnginesFile::default(), Some(problem))
            }
        }
    }

    /// The files of installed networks that play by themselves; none where one engine is shared, in the place of all
    /// networks. Those of human style play as the ranks.
    fn networks_to_play(&self) -> Vec<String> {
        if self.analysis.engine.is_given() {
            return Vec::new();
        }
        let found = networks(&self.host.data_dir(), &resource_dirs(&self.host.resource_dirs()));
        found.into_iter().map(|network| network.file_name).filter(|name| !is_human(name)).collect()
    }

    /// An opponent of this window by its id: an installed network, or one of [`PlayRoom::opponent`].
    ///
    /// # Errors
    /// As there.
    pub(super) fn own_opponent(&self, id: &str) -> Result<Box<dyn Player>, ApiError> {
        let Some(name) = id.strip_prefix(NETWORK) else { return self.opponent(id) };
        let is_there = self.networks_to_play().iter().any(|known| known == name);
        let spec = LevelSpec::usual(LEVEL_OF_NETWORKS).filter(|_| is_there);
        let message = format!("there is no network {name:?} to play against");
        let spec = spec.ok_or(ApiError::InvalidRequest { message })?;
        Ok(spec.player(id, &self.source_of(name), self.fresh_seed()))
    }

    /// A player by its id: a level, or an engine of `engines.yaml`.
    ///
    /// # Errors
    /// [`ApiError::InvalidRequest`] when there is none of that name.
    pub(crate) fn opponent(&self, id: &str) -> Result<Box<dyn Player>, ApiError> {
        let (file, _) = self.engines_file();
        let Some(spec) = file.opponent(id) else {
            let engines = file.engines().map(|(name, _)| name);
            let names = LEVELS.into_iter().chain(engines).collect::<Vec<_>>().join(", ");
            return Err(ApiError::InvalidRequest {
                message: format!(
                    "there is no level {id:?}; choose one of {names}, rank_20k to rank_9d (with a style: rank_5k+local), \
                     preaz_20k to preaz_9d, proyear_1800 to proyear_2023, or pupil_1 to pupil_5"
                ),
            });
        };
        Ok(spec.player(id, &self.network_source(), self.fresh_seed()))
    }

    /// A seed unlike those before, so that no two games are alike.
    #[must_use]
    pub(crate) fn fresh_seed(&self) -> u64 {
        let now = self.host.monotonic();
        self.host.unix_seconds().wrapping_mul(1_000_000_007) ^ now.as_nanos() as u64
    }

    /// The network in use, asked for anew at every turn.
    pub(crate) fn network_source(&self) -> NetworkSource {
        let room = Weak::clone(&self.this);
        Arc::new(move || {
            let room = room.upgrade().ok_or("the program is ending")?;
            let ready = room.analysis.ready_engine().map_err(|error| error.to_string())?;
            let weak = Arc::downgrade(&room);
            Ok(ReadyNetwork {
                evaluator: ready.evaluator,
                threads: ready.threads,
                human_style: ready.human_style,
                others: Some(Arc::new(move |wanted| weak.upgrade()?.other_network(wanted))),
            })
        })
    }

    /// An installed network, which is read at the first turn of an opponent that plays with it.
    fn source_of(&self, name: &str) -> NetworkSource {
        let (room, name) = (Weak::clone(&self.this), name.to_owned());
        // Let go of with the last opponent of that name.
        let held: Mutex<Option<Arc<OwnNetwork>>> = Mutex::default();
        Arc::new(move || {
            let room = room.upgrade().ok_or("the program is ending")?;
            let mut held = held.lock();
            // First, so that the same network never lies in memory twice when it is read anew.
            held.take_if(|known| known.outdated != room.analysis.engine.outdated());
            let known = match held.take() {
                Some(known) => known,
                None => room.own_network(&name).map_err(|error| error.to_string())?,
            };
            let ready = &known.ready;
            let (evaluator, threads, human_style) = (Arc::clone(&ready.evaluator), ready.threads, ready.human_style);
            *held = Some(known);
            Ok(ReadyNetwork { evaluator, threads, human_style, others: None })
        })
    }

    fn own_network(&self, name: &str) -> Result<Arc<OwnNetwork>, ApiError> {
        // Held while it is read: two opponents of that name play with one network.
        let mut own = self.own.lock();
        own.retain(|_, known| known.strong_count() > 0);
        let outdated = self.analysis.engine.outdated();
        let known = own.get(name).and_then(Weak::upgrade).filter(|known| known.outdated == outdated);
        if let Some(known) = known {
            return Ok(known);
        }
        let ready = self.analysis.ready_engine_beside(name)?;
        let read = Arc::new(OwnNetwork { outdated, ready });
        own.insert(name.to_owned(), Arc::downgrade(&read));
        Ok(read)
    }

    /// A network of human style among those that are installed, read when it is first wanted.
    pub(crate) fn human_network(&self) -> Option<Arc<dyn Evaluator>> {
        self.other_network(OtherNetwork::Human)
    }

    /// A network for certain players among those that are installed, read when it is first wanted.
    fn other_network(&self, wanted: OtherNetwork) -> Option<Arc<dyn Evaluator>> {
        let (data_dir, resources) = (self.host.data_dir(), resource_dirs(&self.host.resource_dirs()));
        let name = match wanted {
            OtherNetwork::Human => networks(&data_dir, &resources)
                .into_iter()
                .map(|network| network.file_name)
                .find(|name| is_human(name))?,
            OtherNetwork::Pupil(step) => pupil_network(step, &resources)?.to_str()?.to_owned(),
        };
        let mut others = self.others.lock();
        let outdated = self.analysis.engine.outdated();
        if others.get(&wanted).is_none_or(|kept| kept.name != name || kept.outdated != outdated) {
            // Let go of first, so that the same network never lies in memory twice.
            others.remove(&wanted);
            let read = self.analysis.ready_engine_beside(&name);
            let failed = |error: &ApiError| {
                tracing::warn!(%error, network = name, "a network for certain players is not used");
            };
            // What failed is tried again at the next turn: the file may be whole by then, or memory free.
            let ready = read.inspect_err(failed).ok()?;
            let fits = ready.human_style == (wanted == OtherNetwork::Human);
            others.insert(wanted, NetworkBeside { name, outdated, ready: fits.then_some(ready) });
        }
        others.get(&wanted)?.ready.as_ref().map(|ready| Arc::clone(&ready.evaluator))
    }

    /// Engines that are installed and not in `engines.yaml` yet. A host that may start no programs has none.
    pub(crate) fn find_engines(&self) -> Vec<InstalledEngineView> {
        if !self.host.capabilities().paths {
            return Vec::new();
        }
        let known = self.opponents().opponents;
        let resources = resource_dirs(&self.host.resource_dirs());
        let files = networks(&self.host.data_dir(), &resources);
        let folders = std::iter::once(self.host.data_dir()).chain(resources);
        let network = files.first().and_then(|network| {
            folders.map(|folder| folder.join("networks").join(&network.file_name)).find(|path| path.is_file())
        });
        let home = std::env::var_os("HOME").map(std::path::PathBuf::from);
        installed_engines(std::env::var_os("PATH").as_deref(), home.as_deref(), network.as_slice())
            .into_iter()
            .filter(|found| known.iter().all(|known| known.command != found.command && known.id != found.name))
            .map(|found| InstalledEngineView {
                name: found.name.to_owned(),
                command: found.command,
                lacks_config: found.lacks_config,
            })
            .collect()
    }

    /// Starts a program, asks it who it is, and for a move. Once `stop` is set the program is ended.
    pub(crate) fn test_engine(&self, wanted: &EngineCommand, stop: &StopFlag) -> Result<EngineFound, ApiError> {
        let found = self.try_engine(&wanted.command, stop);
        if stop.is_set() { Err(ApiError::Cancelled) } else { found }
    }

    fn try_engine(&self, command: &str, stop: &StopFlag) -> Result<EngineFound, ApiError> {
        let line = self.command_line(command)?;
        let limits = EngineLimits { start: TRIAL, ..EngineLimits::default() };
        let (mut player, name, version): (Box<dyn Player>, String, String) = if line.speaks_json() {
            let mut player = AnalysisPlayer::new(line, limits, Some(TRIAL_VISITS)).unless(stop.clone());
            let introduced = player.introduction().map_err(|error| refused(&error))?;
            let (name, version) = introduced.rsplit_once(' ').unwrap_or((&introduced, ""));
            (Box::new(player), name.to_owned(), version.to_owned())
        } else {
            let mut player = GtpPlayer::new(line, limits, Vec::new()).unless(stop.clone());
            let client = player.client().map_err(|error| refused(&error))?;
            let (name, version) = (client.name().to_owned(), client.version().to_owned());
            (Box::new(player), name, version)
        };
        let setup = Setup::new(BoardSize::NINE, Topology::Plane, Ruleset::TROMP_TAYLOR, Komi::from_half_points(15));
        let game = Game::new(setup).map_err(|error| fault(&*self.host, "an empty board is no position", &error))?;
        let first = player.choose(&game, TRIAL, stop).map_err(|error| match error {
            PlayerError::Engine(error) => refused(&error),
            other => ApiError::InvalidRequest { message: other.to_string() },
        })?;
        Ok(EngineFound { name, version, first_move: first.to_gtp(BoardSize::NINE) })
    }

    /// Tries a program out and writes it into `engines.yaml`, whose other lines stay as they are.
    pub(crate) fn add_engine(&self, wanted: &AddEngine, stop: &StopFlag) -> Result<EngineFound, ApiError> {
        let AddEngine { name, command } = wanted;
        self.keep_tried(command, stop, |text| EnginesFile::with_engine(text, name, command))
    }

    /// Tries a program out and writes it into `engines.yaml` in place of an engine.
    pub(crate) fn change_engine(&self, wanted: &ChangeEngine, stop: &StopFlag) -> Result<EngineFound, ApiError> {
        let ChangeEngine { engine, name, command } = wanted;
        self.keep_tried(command, stop, |text| EnginesFile::with_engine_changed(text, engine, name, command))
    }

    /// Takes an engine out of `engines.yaml`.
    pub(crate) fn remove_engine(&self, wanted: &EngineName) -> Result<(), ApiError> {
        self.check_may_change()?;
        self.keep_engines(&self.edited_engines(|text| EnginesFile::without_engine(text, &wanted.name))?)
    }

    fn keep_tried(
        &self,
        command: &str,
        stop: &StopFlag,
        edit: impl Fn(&str) -> Result<String, EnginesFileError>,
    ) -> Result<EngineFound, ApiError> {
        self.command_line(command)?;
        // What cannot be written is refused before the wait for a program.
        self.edited_engines(&edit)?;
        let found = self.test_engine(&EngineCommand { command: command.to_owned() }, stop)?;
        self.keep_engines(&self.edited_engines(&edit)?)?;
        Ok(found)
    }

    /// The text of `engines.yaml` after a change, or of the file of the first programs, which counts no more once the
    /// former is there.
    fn edited_engines(&self, edit: impl Fn(&str) -> Result<String, EnginesFileError>) -> Result<String, ApiError> {
        let failed =
            |problem: EnginesFileError| ApiError::InvalidRequest { message: format!("{problem}; {}", problem.hint()) };
        let path = EnginesFile::path_in(&self.host.data_dir());
        EnginesFile::read(&path).map_err(failed)?;
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                let message = format!("{} cannot be read: {error}", path.display());
                return Err(ApiError::InvalidRequest { message });
            }
        };
        edit(&text).map_err(failed)
    }

    fn keep_engines(&self, text: &str) -> Result<(), ApiError> {
        let path = self.host.data_dir().join(EnginesFile::NAME);
        self.host.write(&path, text.as_bytes()).map_err(|error| ApiError::InvalidRequest {
            message: format!("{} cannot be written: {error}", path.display()),
        })
    }

    /// A program runs on this machine with the rights of whoever runs the back end: only a host that may use its disk
    /// may start one, or say which are started.
    fn check_may_change(&self) -> Result<(), ApiError> {
        if self.host.capabilities().paths {
            return Ok(());
        }
        let message = "programs cannot be started from here; add engines on the machine itself, in engines.yaml";
        Err(ApiError::NotPossibleHere { message: message.into() })
    }

    fn command_line(&self, text: &str) -> Result<CommandLine, ApiError> {
        self.check_may_change()?;
        CommandLine::parse(text)
            .map_err(|error| ApiError::InvalidRequest { message: format!("{error}; {}", error.hint()) })
    }
}

fn is_human(file_name: &str) -> bool {
    file_name.to_ascii_lowercase().contains(HUMAN)
}

/// What an opponent is called in the record of a game: `Honinbo 20k`, `Honinbo medium`, `Honinbo b18c384nbt` for a
/// network, or an engine's name.
pub(super) fn recorded_name(id: &str) -> String {
    if let Some(file) = id.strip_prefix(NETWORK) {
        let name = file.strip_suffix(".gz").and_then(|name| name.rsplit_once('.')).map_or(file, |(name, _)| name);
        return format!("Honinbo {name}");
    }
    let (name, _) = id.split_once('+').unwrap_or((id, ""));
    match name.strip_prefix("rank_") {
        Some(rank) => format!("Honinbo {rank}"),
        None if LEVELS.contains(&name) || PUPILS.contains(&name) => format!("Honinbo {}", name.replace('_', " ")),
        None => id.to_owned(),
    }
}

fn refused(error: &EngineError) -> ApiError {
    ApiError::EngineUnavailable { message: error.to_string(), hint: error.hint() }
}

/// Plays the turns of opponents until a person is to move or the game stands. Keeping the last one is left to the caller.
pub(super) fn answer(room: &Weak<PlayRoom>, table: &Table) {
    let mut back = None;
    while let Some(awaited) = table.next_awaited(back.take()) {
        let done = match awaited {
            Awaited::Turn(color, mut player) => {
                let done = take_turn(room, table, color, player.as_mut());
                back = Some((color, player));
                done
            }
            Awaited::Count(game) => count(room, table, &game),
        };
        let Some(generation) = done else { return };
        table.rest(generation);
    }
}

/// One turn of an opponent. Answers the count of changes after it; `None` where the program is ending.
fn take_turn(room: &Weak<PlayRoom>, table: &Table, color: Color, player: &mut dyn Player) -> Option<u32> {
    if let Some(opponent) = table.state.lock().opponent(color) {
        player.abandon_when(opponent.abandoned.clone());
    }
    let started = start(room, table, player);
    let asked = {
        // Taken before the state and let go of after it: the last to let go of the room ends its games.
        let room = room.upgrade()?;
        let mut state = table.state.lock();
        if !state.is_opponents_turn() || state.game.to_play() != color {
            return Some(state.generation);
        }
        state.stop = StopFlag::new();
        let now = room.host.monotonic();
        // It stood while the game did, and between the moves of two opponents.
        let stood = state.clock.as_ref().is_some_and(|clock| clock.running().is_none());
        if stood {
            room.start_clock(&mut state);
        }
        let within = time_for_a_turn(&state, now);
        if let Some(clock) = &state.clock {
            player.see_clock(clock, now);
        }
        let asked = (state.game.clone(), state.generation, state.stop.clone(), within);
        drop(state);
        if stood {
            table.clock_changed.notify_all();
            room.emit(table, None, None);
        }
        asked
    };
    let (game, generation, stop, within) = asked;
    // The room is not held while the opponent thinks: it may end meanwhile.
    let chosen = started.and_then(|()| player.choose(&game, within, &stop));
    let mut notice = player.take_notice();
    let legal = |played: Move| game.legality(color, played);
    let played = match chosen {
        Ok(played) if legal(played).is_ok() => played,
        Ok(played) => {
            if let Err(why) = legal(played) {
                notice = Some(PlayerError::illegal(played, why, game.board().size()));
            }
            HeuristicPlayer::medium("medium", generation.into()).turn(&game)
        }
        Err(error) => {
            notice = Some(error);
            HeuristicPlayer::medium("medium", generation.into()).turn(&game)
        }
    };
    let room = room.upgrade()?;
    let (update, generation) = {
        let mut state = table.state.lock();
        if state.generation != generation || stop.is_set() {
            return Some(state.generation);
        }
        let is_watched = state.is_watched();
        let update = if is_watched && notice.is_some() {
            // A game of two opponents is about the two: nobody moves for one of them.
            room.stand(&mut state);
            Ok(None)
        } else {
            if notice.is_some() {
                state.was_answered_for();
            }
            if played == Move::Resign || state.is_given_up(player, played) {
                room.finish(&mut state, super::lost(color, WinBy::Resignation))
            } else {
                room.put(&mut state, played)
            }
        };
        if is_watched && state.flow == Flow::OneMove {
            state.flow = Flow::Stands;
        }
        if let Some(clock) = state.clock.as_mut().filter(|_| is_watched) {
            clock.stop(room.host.monotonic());
        }
        (update, state.generation)
    };
    let update = match update {
        Ok(update) => update,
        Err(error) => {
            // The open game was changed so that the move has no place in it any more.
            tracing::warn!(%error, game = table.id, "the opponent's move could not be placed");
            table.close();
            None
        }
    };
    room.report_turn(table, update, notice.map(|error| format!("{error}; {}", error.hint())));
    Some(generation)
}

/// Counts a game of two opponents, in which nobody agrees about dead stones. Answers as [`take_turn`].
fn count(room: &Weak<PlayRoom>, table: &Table, game: &Game) -> Option<u32> {
    let analysis = Arc::clone(&room.upgrade()?.analysis);
    // The room is not held while the network is asked.
    let outcome = game.score_without(&analysis.dead_at_the_end(game)).outcome();
    let room = room.upgrade()?;
    let (update, generation) = {
        let mut state = table.state.lock();
        if !state.is_opponents_turn() {
            return Some(state.generation);
        }
        let update = room.finish(&mut state, outcome);
        (update, state.generation)
    };
    let update = update.unwrap_or_else(|error| {
        tracing::warn!(%error, game = table.id, "the result is not in the record");
        None
    });
    room.report_turn(table, update, None);
    Some(generation)
}

impl PlayRoom {
    /// Tells of a turn that an opponent has taken.
    fn report_turn(&self, table: &Table, update: Option<GameUpdate>, notice: Option<String>) {
        table.clock_changed.notify_all();
        // The end is told with its record and its rating. Before it nobody waits for the library: the person's clock runs.
        if table.state.lock().over.is_some() {
            self.keep(table);
        }
        self.emit(table, update, notice);
        // No clock runs between the moves of two opponents.
        if table.state.lock().is_watched() {
            self.keep_rest(table);
        }
    }
}

/// Starts an opponent that is a program and does not run: at its first turn, and after it failed. The clock stands
/// meanwhile.
fn start(room: &Weak<PlayRoom>, table: &Table, player: &mut dyn Player) -> Result<(), PlayerError> {
    if player.is_ready() {
        return Ok(());
    }
    let held = room.upgrade().and_then(|room| room.hold_for_opponent(table));
    let Some(held) = held else { return Ok(()) };
    // The room is not held, as while the opponent thinks.
    let started = player.prepare();
    if let Some(room) = room.upgrade() {
        room.opponent_started(table, held);
    }
    started
}
