//! Many games at once, whose questions to the network meet in common batches.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::sync_channel;

use honinbo_evaluator::{CachingEvaluator, EvalService, Evaluator, Priority, ServiceOptions, StopFlag};
use honinbo_net::onnx::Precision;
use honinbo_net::{EvaluatorOptions, Limits, ModelCache, NetworkFile, NetworkHeader, OrtEvaluator, Runtime};
use honinbo_players::record_of;
use honinbo_remote::{FallbackToLocal, RemoteEvaluator, RemoteOptions};
use honinbo_rules::mix;
use honinbo_training::{files_in, part_file};
use serde::{Deserialize, Serialize};

use crate::config::RunConfig;
use crate::error::TrainError;
use crate::files::write_bytes;
use crate::game::{LearntGame, SelfPlayer, fair_komi};
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

/// Plays games until a generation has its number, and writes rows and records file by file: what was written is whole,
/// and what was under way when somebody stopped it is played anew. `first_file` files are there already. `on_file` is told
/// what a file holds once it is written.
pub(crate) fn play_games(
    config: &RunConfig,
    evaluator: &Arc<dyn Evaluator>,
    generation: u32,
    first_file: u32,
    folders: &SelfPlayFolders,
    stop: &StopFlag,
    on_file: OnFile<'_>,
) -> Result<(), TrainError> {
    let selfplay = &config.selfplay;
    let per_file = selfplay.games_per_file;
    // What a stopped program left under way is played anew.
    for part in files_in(&folders.games, ".part")? {
        let _ = std::fs::remove_file(part);
    }
    let wanted = selfplay.games.saturating_sub(first_file.saturating_mul(per_file));
    let mut writer = Writer {
        folders,
        file: first_file,
        rows: Rows::new(config.side()),
        records: Vec::new(),
        under_way: SelfPlayReport::default(),
        on_file,
        name: name_of(generation),
    };
    // Files that are there were played from other seeds.
    let seed = seed_of(config, generation, first_file);
    let shared = || Arc::clone(evaluator);
    play_many(config, &shared, seed, wanted, stop, &mut |_, game| writer.take(game, per_file))?;
    if writer.under_way.games > 0 { writer.close() } else { Ok(()) }
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
    let selfplay = &config.selfplay;
    let before = unit.saturating_mul(selfplay.games_per_file);
    let wanted = selfplay.games.saturating_sub(before).min(selfplay.games_per_file);
    let mut games = std::collections::BTreeMap::new();
    let own = || answering.for_one_game();
    let played = play_many(config, &own, seed_of(config, generation, unit), wanted, stop, &mut |number, game| {
        games.insert(number, game);
        Ok(())
    });
    match played {
        Err(_) if stop.is_set() => return Err(TrainError::Stopped),
        other => other?,
    }
    let (mut rows, mut records) = (Rows::new(config.side()), Vec::new());
    let mut report = SelfPlayReport::default();
    let name = name_of(generation);
    for game in games.values() {
        rows.append(&game.rows);
        add_record(&mut records, game, &name);
        report.add(&SelfPlayReport::of(game));
    }
    Ok((rows, records, report))
}

fn name_of(generation: u32) -> String {
    format!("generation {generation}")
}

fn seed_of(config: &RunConfig, generation: u32, file: u32) -> u64 {
    mix(config.seed ^ mix(u64::from(generation) << 32 | u64::from(file)))
}

/// Plays so many games, several at once, and gives each with its number as soon as it is over. `evaluator` gives the one
/// that a game asks.
fn play_many(
    config: &RunConfig,
    evaluator: &(dyn Fn() -> Arc<dyn Evaluator> + Sync),
    seed: u64,
    wanted: u32,
    stop: &StopFlag,
    take: &mut dyn FnMut(u32, LearntGame) -> Result<(), TrainError>,
) -> Result<(), TrainError> {
    let selfplay = &config.selfplay;
    let mut fair = Vec::new();
    for board in &config.boards {
        fair.push(fair_komi(&*evaluator(), config, board, stop)?);
    }
    let fair = fair.as_slice();
    let next = AtomicU32::new(0);
    let end = StopFlag::new();
    let (sender, games) = sync_channel::<Result<(u32, LearntGame), TrainError>>(selfplay.at_once);
    let threads = selfplay.at_once.min(wanted as usize).max(1);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, end) = (sender.clone(), &next, &end);
            scope.spawn(move || {
                while !stop.is_set() && !end.is_set() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= wanted {
                        return;
                    }
                    let player = SelfPlayer { config, evaluator: evaluator(), fair };
                    let game = player.play(mix(seed ^ u64::from(number)), stop).map(|game| (number, game));
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
            let (number, game) = game?;
            take(number, game)
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

fn add_record(records: &mut Vec<u8>, game: &LearntGame, name: &str) {
    records.extend_from_slice(&record_of(&game.played, [name, name], "self-play").to_bytes());
    records.push(b'\n');
}

struct Writer<'a> {
    folders: &'a SelfPlayFolders,
    file: u32,
    rows: Rows,
    records: Vec<u8>,
    under_way: SelfPlayReport,
    on_file: OnFile<'a>,
    name: String,
}

impl Writer<'_> {
    fn take(&mut self, game: LearntGame, per_file: u32) -> Result<(), TrainError> {
        self.rows.append(&game.rows);
        let before = self.records.len();
        add_record(&mut self.records, &game, &self.name);
        self.show(before);
        self.under_way.add(&SelfPlayReport::of(&game));
        if self.under_way.games >= per_file { self.close() } else { Ok(()) }
    }

    /// Adds the new records to the games of the file under way, for those who watch: nothing is learnt from there, so that
    /// a disk that refuses is no failure yet.
    fn show(&self, from: usize) {
        let part = part_file(&self.folders.games, self.file);
        let _ = std::fs::create_dir_all(&self.folders.games)
            .and_then(|()| File::options().create(true).append(true).open(part))
            .and_then(|mut file| file.write_all(self.records.get(from..).unwrap_or_default()));
    }

    /// The records first: a file of rows says that its games are done.
    fn close(&mut self) -> Result<(), TrainError> {
        let name = format!("{:06}", self.file);
        write_bytes(&self.folders.games.join(format!("{name}.sgf")), &self.records)?;
        write_rows(&self.folders.rows.join(format!("{name}.npz")), &self.rows)?;
        let _ = std::fs::remove_file(part_file(&self.folders.games, self.file));
        self.rows = Rows::new(self.rows.side);
        self.records.clear();
        self.file += 1;
        (self.on_file)(&std::mem::take(&mut self.under_way))
    }
}
