//! Many games at once, whose questions to the network meet in common batches.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::sync_channel;

use honinbo_evaluator::{CachingEvaluator, EvalService, Evaluator, Priority, ServiceOptions, StopFlag};
use honinbo_net::{EvaluatorOptions, Limits, ModelCache, NetworkFile, OrtEvaluator, Runtime};
use honinbo_players::record_of;
use honinbo_rules::mix;

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
}

/// A network that answers many searches at once.
pub(crate) struct Answering {
    /// Asks a memory first.
    pub(crate) evaluator: Arc<dyn Evaluator>,
    /// Ends with it.
    _service: EvalService,
}

/// Answers that are remembered.
const MEMORY: usize = 64 << 20;

impl Machine {
    /// Reads a network and makes it ready for the boards of a run.
    pub(crate) fn answering(&self, path: &Path, config: &RunConfig) -> Result<Answering, TrainError> {
        let file = open(path)?;
        let batch = config.selfplay.at_once.clamp(1, 16);
        let options = EvaluatorOptions { batch, cache: self.cache.clone(), ..EvaluatorOptions::cpu(self.cores.max(1)) };
        let network = OrtEvaluator::new(self.runtime.clone(), Arc::new(file), options);
        for board in &config.boards {
            network.prepare(board.width, board.height, board.topology())?;
        }
        let service = EvalService::new(Arc::new(network), ServiceOptions::for_sessions(self.cores, batch));
        let evaluator = Arc::new(CachingEvaluator::new(service.handle(Priority::Batch), MEMORY));
        Ok(Answering { evaluator, _service: service })
    }
}

/// Reads a network file of a run.
pub(crate) fn open(path: &Path) -> Result<NetworkFile, TrainError> {
    NetworkFile::open(path, &Limits::default())
        .map_err(|source| TrainError::NetworkFile { path: path.to_path_buf(), source: Box::new(source) })
}

/// What was played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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

/// Plays games until a generation has its number, and writes rows and records file by file: what was written is whole,
/// and what was under way when somebody stopped it is played anew. `first_file` files are there already.
pub(crate) fn play_games(
    config: &RunConfig,
    evaluator: &Arc<dyn Evaluator>,
    generation: u32,
    first_file: u32,
    folders: &SelfPlayFolders,
    stop: &StopFlag,
) -> Result<SelfPlayReport, TrainError> {
    let selfplay = &config.selfplay;
    let per_file = selfplay.games_per_file;
    let wanted = selfplay.games.saturating_sub(first_file.saturating_mul(per_file));
    let mut fair = Vec::new();
    for board in &config.boards {
        fair.push(fair_komi(&**evaluator, config, board, stop)?);
    }
    let player = SelfPlayer { config, evaluator: Arc::clone(evaluator), fair: &fair };
    let next = AtomicU32::new(0);
    // Files that are there were played from other seeds.
    let seed = mix(config.seed ^ mix(u64::from(generation) << 32 | u64::from(first_file)));
    let end = StopFlag::new();
    let (sender, games) = sync_channel::<Result<LearntGame, TrainError>>(selfplay.at_once);
    let threads = selfplay.at_once.min(wanted as usize).max(1);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, player, next, end) = (sender.clone(), &player, &next, &end);
            scope.spawn(move || {
                while !stop.is_set() && !end.is_set() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= wanted {
                        return;
                    }
                    let game = player.play(mix(seed ^ u64::from(number)), stop);
                    let failed = game.is_err();
                    // Nobody listens once the disk has failed.
                    if sender.send(game).is_err() || failed {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut writer = Writer {
            folders,
            file: first_file,
            rows: Rows::new(config.side()),
            records: Vec::new(),
            in_file: 0,
            report: SelfPlayReport::default(),
            name: format!("generation {generation}"),
        };
        // The threads end when they are told, or when nobody takes their games: the channel goes with `games`.
        let written = games.iter().try_for_each(|game| writer.take(game?, per_file));
        end.set();
        drop(games);
        written?;
        if stop.is_set() {
            return Err(TrainError::Stopped);
        }
        if writer.in_file > 0 {
            writer.close()?;
        }
        Ok(writer.report)
    })
}

struct Writer<'a> {
    folders: &'a SelfPlayFolders,
    file: u32,
    rows: Rows,
    records: Vec<u8>,
    in_file: u32,
    report: SelfPlayReport,
    name: String,
}

impl Writer<'_> {
    fn take(&mut self, game: LearntGame, per_file: u32) -> Result<(), TrainError> {
        let played = &game.played;
        self.rows.append(&game.rows);
        self.records.extend_from_slice(&record_of(played, [&self.name, &self.name], "self-play").to_bytes());
        self.records.push(b'\n');
        self.in_file += 1;
        self.report.games += 1;
        self.report.rows += game.rows.len() as u64;
        self.report.visits += game.visits;
        self.report.moves += played.game.turns().len() as u64;
        self.report.black_wins += u32::from(played.outcome.winner() == Some(honinbo_rules::Color::Black));
        if self.in_file >= per_file { self.close() } else { Ok(()) }
    }

    /// The records first: a file of rows says that its games are done.
    fn close(&mut self) -> Result<(), TrainError> {
        let name = format!("{:06}", self.file);
        write_bytes(&self.folders.games.join(format!("{name}.sgf")), &self.records)?;
        write_rows(&self.folders.rows.join(format!("{name}.npz")), &self.rows)?;
        self.rows = Rows::new(self.rows.side);
        self.records.clear();
        self.in_file = 0;
        self.file += 1;
        Ok(())
    }
}
