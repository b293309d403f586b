//! Many games at once, whose questions to the network meet in common batches.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use honinbo_evaluator::{CachingEvaluator, EvalService, Evaluator, Priority, ServiceOptions, StopFlag};
use honinbo_net::onnx::Precision;
use honinbo_net::{EvaluatorOptions, Limits, ModelCache, NetworkFile, NetworkHeader, OrtEvaluator, Runtime};
use honinbo_players::record_of;
use honinbo_remote::{FallbackToLocal, RemoteEvaluator, RemoteOptions};
use honinbo_rules::mix;
use honinbo_training::{files_in, part_file};
use serde::{Deserialize, Serialize};

use crate::config::{RunConfig, SelfPlayConfig};
use crate::error::TrainError;
use crate::files::write_bytes;
use crate::game::{LearntGame, SelfPlayer, fair_komi, game_hash};
use crate::npz::write_rows;
use crate::rows::Rows;

/// What a run computes with.
#[derive(Debug, Clone)]
pub struct Machine {
    /// What runs networks.
    pub runtime: Runtime,
    /// Where graphs are kept; none are where there is no place.
    pub cache: Option<ModelCache>,
    /// Cores that evaluate positions.
    pub cores: usize,
    /// Inference servers that evaluate positions where they serve the network of the generation; the cores do otherwise.
    pub inference: Option<RemoteOptions>,
}

/// A network that answers many searches at once.
pub(crate) struct Answering {
    /// Asks a memory first.
    pub(crate) evaluator: Arc<dyn Evaluator>,
    /// The inference servers, where some are named.
    pub(crate) servers: Option<Arc<FallbackToLocal>>,
    /// Ends with it.
    service: EvalService,
}

/// Answers that are remembered.
const MEMORY: usize = 64 << 20;
/// Answers that one game remembers.
const GAME_MEMORY: usize = 8 << 20;

impl Answering {
    /// The network with a memory of one game's own. An answer depends on the symmetry that was drawn when its position was
    /// asked first, so games that share a memory depend on each other.
    pub(crate) fn for_one_game(&self) -> Arc<dyn Evaluator> {
        Arc::new(CachingEvaluator::new(self.service.handle(Priority::Batch), GAME_MEMORY))
    }
}

impl Machine {
    /// Reads a network and makes it ready for the boards of a run.
    ///
    /// Inference servers are waited for as long as they may take at the start, and may serve another network still: that
    /// of the generation before, until somebody gives them this one.
    pub(crate) fn answering(&self, path: &Path, config: &RunConfig, stop: &StopFlag) -> Result<Answering, TrainError> {
        let file = open(path)?;
        let header = NetworkHeader::of(&file);
        let batch = config.selfplay.at_once.clamp(1, 16);
        let options = EvaluatorOptions {
            batch,
            cache: self.cache.clone(),
            precision: Precision::auto(file.model.trunk.channels),
            ..EvaluatorOptions::cpu(self.cores.max(1))
        };
        let network = OrtEvaluator::new(self.runtime.clone(), Arc::new(file), options);
        for board in &config.boards {
            network.prepare(board.width, board.height, board.topology())?;
        }
        let network: Arc<dyn Evaluator> = Arc::new(network);
        let (network, options, servers) = match &self.inference {
            None => (network, ServiceOptions::for_sessions(self.cores, batch), None),
            Some(named) => {
                let remote = RemoteEvaluator::begin(named, header, &*network, stop)?;
                remote.wait_for_one(stop);
                let options = ServiceOptions::for_sessions(remote.concurrency(), remote.batch());
                let both = Arc::new(FallbackToLocal::new(remote, network));
                (Arc::clone(&both) as Arc<dyn Evaluator>, options, Some(both))
            }
        };
        let service = EvalService::new(network, options);
        let evaluator = Arc::new(CachingEvaluator::new(service.handle(Priority::Batch), MEMORY));
        Ok(Answering { evaluator, servers, service })
    }
}

/// Reads a network file of a run.
pub(crate) fn open(path: &Path) -> Result<NetworkFile, TrainError> {
    NetworkFile::open(path, &Limits::default())
        .map_err(|source| TrainError::NetworkFile { path: path.to_path_buf(), source: Box::new(source) })
}

/// What was played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelfPlayReport {
    /// Games.
    pub games: u32,
    /// Rows.
    pub rows: u64,
    /// Visits of all searches.
    pub visits: u64,
    /// Moves.
    pub moves: u64,
    /// Games that Black won.
    pub black_wins: u32,
}

/// Where the games and rows of one generation go.
#[derive(Debug, Clone)]
pub(crate) struct SelfPlayFolders {
    pub(crate) rows: PathBuf,
    pub(crate) games: PathBuf,
}

/// Told what a file of games holds.
type OnFile<'a> = &'a mut dyn FnMut(&SelfPlayReport) -> Result<(), TrainError>;

/// The files that a generation's games fill; the last one may hold fewer.
pub(crate) fn files_of(selfplay: &SelfPlayConfig) -> u32 {
    selfplay.games.div_ceil(selfplay.games_per_file)
}

/// Plays the games of these files, and writes rows and records of each once its games are over. What was under way when
/// somebody stopped it is played anew, as the same games. `on_file` is told what a file holds once it is written.
pub(crate) fn play_files(
    config: &RunConfig,
    answering: &Answering,
    generation: u32,
    files: &[u32],
    folders: &SelfPlayFolders,
    stop: &StopFlag,
    on_file: OnFile<'_>,
) -> Result<(), TrainError> {
    for part in files_in(&folders.games, ".part")? {
        let _ = std::fs::remove_file(part);
    }
    let games: Vec<GameOf> = files.iter().flat_map(|file| games_of(config, generation, *file)).collect();
    let mut writer = Writer { config, folders, under_way: BTreeMap::new(), on_file, name: name_of(generation) };
    play_many(config, answering, &games, stop, &mut |of, game| writer.take(of, game))
}

/// Plays the games of one file, and gives rows and records in the order of their numbers, whichever ended first: the same
/// unit is the same rows wherever the network's answers are the same.
pub(crate) fn play_unit(
    config: &RunConfig,
    answering: &Answering,
    generation: u32,
    unit: u32,
    stop: &StopFlag,
) -> Result<(Rows, Vec<u8>, SelfPlayReport), TrainError> {
    let wanted: Vec<GameOf> = games_of(config, generation, unit).collect();
    let mut games = BTreeMap::new();
    let played = play_many(config, answering, &wanted, stop, &mut |of, game| {
        games.insert(of.number, game);
        Ok(())
    });
    match played {
        Err(_) if stop.is_set() => return Err(TrainError::Stopped),
        other => other?,
    }
    Ok(file_of(config, &games, &name_of(generation)))
}

/// A game of a generation: its file, its number there, and what its chance follows from.
#[derive(Debug, Clone, Copy)]
struct GameOf {
    file: u32,
    number: u32,
    seed: u64,
}

fn games_of(config: &RunConfig, generation: u32, file: u32) -> impl Iterator<Item = GameOf> + use<> {
    let seed = mix(config.seed ^ mix(u64::from(generation) << 32 | u64::from(file)));
    (0..size_of(config, file)).map(move |number| GameOf { file, number, seed: mix(seed ^ u64::from(number)) })
}

/// The hashes by which the rows of a file name their games, in the games' order; they follow from the run's `seed`.
pub(crate) fn game_hashes(config: &RunConfig, generation: u32, file: u32) -> impl Iterator<Item = u64> + use<> {
    games_of(config, generation, file).map(|game| game_hash(game.seed))
}

/// Games of a file.
fn size_of(config: &RunConfig, file: u32) -> u32 {
    let per_file = config.selfplay.games_per_file;
    config.selfplay.games.saturating_sub(file.saturating_mul(per_file)).min(per_file)
}

/// Rows, records and figures of the games of a file, by their numbers.
fn file_of(config: &RunConfig, games: &BTreeMap<u32, LearntGame>, name: &str) -> (Rows, Vec<u8>, SelfPlayReport) {
    let (mut rows, mut records) = (Rows::new(config.side()), Vec::new());
    let mut report = SelfPlayReport::default();
    for game in games.values() {
        rows.append(&game.rows);
        records.extend(record(game, name));
        report.add(&SelfPlayReport::of(game));
    }
    (rows, records, report)
}

fn name_of(generation: u32) -> String {
    format!("generation {generation}")
}

/// Plays games, several at once, and gives each as soon as it is over.
fn play_many(
    config: &RunConfig,
    answering: &Answering,
    wanted: &[GameOf],
    stop: &StopFlag,
    take: &mut dyn FnMut(GameOf, LearntGame) -> Result<(), TrainError>,
) -> Result<(), TrainError> {
    let selfplay = &config.selfplay;
    let mut fair = Vec::new();
    for board in &config.boards {
        fair.push(fair_komi(&*answering.for_one_game(), config, board, stop)?);
    }
    let fair = fair.as_slice();
    let next = AtomicUsize::new(0);
    let end = StopFlag::new();
    let (sender, games) = sync_channel::<Result<(GameOf, LearntGame), TrainError>>(selfplay.at_once);
    let threads = selfplay.at_once.min(wanted.len()).max(1);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, end) = (sender.clone(), &next, &end);
            scope.spawn(move || {
                while !stop.is_set() && !end.is_set() {
                    let Some(of) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    let player = SelfPlayer { config, evaluator: answering.for_one_game(), fair };
                    let game = player.play(of.seed, stop).map(|game| (*of, game));
                    let failed = game.is_err();
                    // Nobody listens once the disk has failed.
                    if sender.send(game).is_err() || failed {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // The threads end when they are told, or when nobody takes their games: the channel goes with `games`.
        let taken = games.iter().try_for_each(|game| {
            let (of, game) = game?;
            take(of, game)
        });
        end.set();
        drop(games);
        taken?;
        if stop.is_set() { Err(TrainError::Stopped) } else { Ok(()) }
    })
}

impl SelfPlayReport {
    fn of(game: &LearntGame) -> Self {
        let played = &game.played;
        Self {
            games: 1,
            rows: game.rows.len() as u64,
            visits: game.visits,
            moves: played.game.turns().len() as u64,
            black_wins: u32::from(played.outcome.winner() == Some(honinbo_rules::Color::Black)),
        }
    }

    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.rows += other.rows;
        self.visits += other.visits;
        self.moves += other.moves;
        self.black_wins += other.black_wins;
    }
}

fn record(game: &LearntGame, name: &str) -> Vec<u8> {
    let mut record = record_of(&game.played, [name, name], "self-play").to_bytes();
    record.push(b'\n');
    record
}

struct Writer<'a> {
    config: &'a RunConfig,
    folders: &'a SelfPlayFolders,
    /// Games that are over, by file and number.
    under_way: BTreeMap<u32, BTreeMap<u32, LearntGame>>,
    on_file: OnFile<'a>,
    name: String,
}

impl Writer<'_> {
    fn take(&mut self, of: GameOf, game: LearntGame) -> Result<(), TrainError> {
        self.show(of.file, &record(&game, &self.name));
        let games = self.under_way.entry(of.file).or_default();
        games.insert(of.number, game);
        if games.len() as u32 == size_of(self.config, of.file) { self.close(of.file) } else { Ok(()) }
    }

    /// Adds a record to the games of a file under way, for those who watch: nothing is learnt from there, so that a disk
    /// that refuses is no failure yet.
    fn show(&self, file: u32, record: &[u8]) {
        let part = part_file(&self.folders.games, file);
        let _ = std::fs::create_dir_all(&self.folders.games)
            .and_then(|()| File::options().create(true).append(true).open(part))
            .and_then(|mut file| file.write_all(record));
    }

    /// The records first: a file of rows says that its games are done.
    fn close(&mut self, file: u32) -> Result<(), TrainError> {
        let games = self.under_way.remove(&file).unwrap_or_default();
        let (rows, records, report) = file_of(self.config, &games, &self.name);
        let name = format!("{file:06}");
        write_bytes(&self.folders.games.join(format!("{name}.sgf")), &records)?;
        write_rows(&self.folders.rows.join(format!("{name}.npz")), &rows)?;
        let _ = std::fs::remove_file(part_file(&self.folders.games, file));
        (self.on_file)(&report)
    }
}
