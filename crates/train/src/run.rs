//! A run in its folder: which step comes next follows from the files that are there.
//!
//! ```text
//! run.toml                  the configuration
//! networks/000000.bin.gz    the beginning, then every network that was taken, by generation
//! candidates/000001.bin.gz  every network that was made
//! rows/000001/000000.npz    rows of the games that made generation 1
//! games/000001/000000.sgf   those games
//! shuffled/000001.npz       what generation 1 learns from, while it does
//! checkpoint.safetensors    the state of training
//! gates/000001.json         how generation 1 came out: the generation is finished
//! status.jsonl              what happened, line by line
//! store.json                the run's name in a store, where others play its games
//! ```

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use honinbo_evaluator::StopFlag;
use honinbo_net::{NetworkFile, to_bin_gz};
use honinbo_players::Tally;
use honinbo_rules::mix;
use serde::{Deserialize, Serialize};

use crate::config::RunConfig;
use crate::error::TrainError;
use crate::files::{files_in, write_bytes};
use crate::fit::Trainer;
use crate::gate::{Probe, contest, probe};
use crate::loss::Losses;
use crate::npz::{count_rows, read_rows, write_rows};
use crate::progress::{Cost, Strength, cost, seconds_left, strengths};
use crate::selfplay::{Machine, SelfPlayFolders, SelfPlayReport, open, play_games};
use crate::shuffle::shuffle;
use crate::store::Store;

/// A folder in which networks are trained. While it is open nobody else can open it.
#[derive(Debug)]
pub struct Run {
    folder: PathBuf,
    config: RunConfig,
    /// Held open, and locked.
    _lock: File,
}

/// Something that happened in a run: a line of `status.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// Games were played.
    Selfplay {
        /// The generation that learns from them.
        generation: u32,
        /// Games, of this call.
        games: u32,
        /// Rows, of this call.
        rows: u64,
        /// Visits of all searches.
        visits: u64,
        /// Moves.
        moves: u64,
        /// Games that Black won.
        black_wins: u32,
        /// Time.
        seconds: f64,
    },
    /// Rows were mixed.
    Shuffle {
        /// The generation that learns from them.
        generation: u32,
        /// Rows of the window.
        rows: usize,
        /// Rows that were played in the whole run.
        played: u64,
        /// Files that could not be used, each with a sentence.
        left_out: Vec<String>,
        /// Time.
        seconds: f64,
    },
    /// A network was made.
    Fit {
        /// Its generation.
        generation: u32,
        /// Steps.
        steps: usize,
        /// Mean losses over the last half of them.
        losses: Losses,
        /// Time.
        seconds: f64,
    },
    /// It played against the one before it.
    Gate(Gated),
    /// Something went wrong, and the run goes on.
    Trouble {
        /// The generation under way.
        generation: u32,
        /// What, in a sentence.
        reason: String,
    },
}

/// How a generation came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gated {
    /// The generation.
    pub generation: u32,
    /// The generation of the network that it met.
    pub against: u32,
    /// Games that it won; none are played where every network is taken.
    pub wins: u32,
    /// Games that it lost.
    pub losses: u32,
    /// Games that nobody won.
    pub draws: u32,
    /// Difference in Elo; `None` without games and where one won all.
    pub elo: Option<f64>,
    /// 95 % between this
    pub elo_low: Option<f64>,
    /// and this.
    pub elo_high: Option<f64>,
    /// Whether it plays the next games.
    pub taken: bool,
    /// What it thinks of the empty board.
    pub probe: Option<Probe>,
    /// Time.
    pub seconds: f64,
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunStatus {
    /// Generations that are finished.
    pub generations: u32,
    /// The generation of the network that plays.
    pub network: u32,
    /// Files of rows for the generation under way.
    pub files_under_way: usize,
    /// Files that it will have.
    pub files_wanted: u32,
    /// Seconds until it is finished, if it goes as the one before it did.
    pub seconds_left: Option<f64>,
    /// The board that networks are asked about while it is empty, whose policy is in the events of the gate: columns, rows,
    /// and whether its edges are joined.
    pub board: (usize, usize, bool),
    /// How strong each generation is.
    pub strengths: Vec<Strength>,
    /// What it has cost so far.
    pub cost: Cost,
    /// Everything that happened.
    pub events: Vec<Event>,
}

impl Run {
    /// Opens a run, and begins it where there is none: with `config`, or the usual one for 7x7, and the network `from`, or
    /// a random one.
    ///
    /// # Errors
    /// When the folder cannot be written, its configuration makes no sense or is another one, or somebody works in it.
    pub fn open(folder: &Path, config: Option<RunConfig>, from: Option<&Path>) -> Result<Self, TrainError> {
        std::fs::create_dir_all(folder).map_err(TrainError::writing(folder))?;
        let lock = lock(folder)?;
        let file = folder.join("run.toml");
        if !file.exists() {
            let config = config.clone().unwrap_or_else(|| RunConfig::on(7, false));
            config.check()?;
            // The network first: a run.toml says that the run is begun.
            let model = match from {
                Some(path) => open(path)?.model,
                None => config.network.random("honinbo-000000", mix(config.seed)),
            };
            Trainer::new(&model, config.seed)?;
            write_bytes(&folder.join("networks/000000.bin.gz"), &to_bin_gz(&model))?;
            write_bytes(&file, config.to_text().as_bytes())?;
        } else if from.is_some() {
            return Err(TrainError::Setting {
                what: "--from",
                value: "a network".to_owned(),
                expected: "nothing: this run has begun",
            });
        }
        let run = Self { config: read_config(folder)?, folder: folder.to_path_buf(), _lock: lock };
        match config {
            Some(wanted) if wanted != run.config => Err(TrainError::Setting {
                what: "the configuration",
                value: "another than the run's".to_owned(),
                expected: "the one in run.toml; edit that file instead",
            }),
            _ => Ok(run),
        }
    }

    /// Opens a run that has begun.
    ///
    /// # Errors
    /// When there is none, or somebody works in it.
    pub fn open_begun(folder: &Path) -> Result<Self, TrainError> {
        read_config(folder)?;
        Self::open(folder, None, None)
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// The generation under way, from 1.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn generation(&self) -> Result<u32, TrainError> {
        Ok(last_number(&self.folder.join("gates"), ".json")? + 1)
    }

    /// Plays what is missing of the games of the generation under way.
    ///
    /// # Errors
    /// See [`TrainError`].
    pub fn selfplay(&self, machine: &Machine, stop: &StopFlag) -> Result<Option<Event>, TrainError> {
        let generation = self.generation()?;
        let (rows, games) = (self.numbered("rows", generation), self.numbered("games", generation));
        let folders = SelfPlayFolders { rows, games };
        // A file that was taken away is played anew.
        let files = files_in(&folders.rows, ".npz")?;
        let done = files.len() as u32;
        if done.saturating_mul(self.config.selfplay.games_per_file) >= self.config.selfplay.games {
            return Ok(None);
        }
        let began = Instant::now();
        let first_file = last_number(&folders.rows, ".npz").map(|last| if files.is_empty() { 0 } else { last + 1 })?;
        let answering = machine.answering(&self.best(generation)?.1, &self.config, stop)?;
        let missing = RunConfig {
            selfplay: crate::config::SelfPlayConfig {
                games: self.config.selfplay.games
                    + (first_file - done.min(first_file)) * self.config.selfplay.games_per_file,
                ..self.config.selfplay.clone()
            },
            ..self.config.clone()
        };
        let SelfPlayReport { games, rows, visits, moves, black_wins } =
            play_games(&missing, &answering.evaluator, generation, first_file, &folders, stop)?;
        let seconds = began.elapsed().as_secs_f64();
        self.note(Event::Selfplay { generation, games, rows, visits, moves, black_wins, seconds }).map(Some)
    }

    /// Mixes the rows that the generation under way learns from.
    ///
    /// # Errors
    /// See [`TrainError`].
    pub fn shuffle(&self) -> Result<Option<Event>, TrainError> {
        let generation = self.generation()?;
        let path = self.numbered("shuffled", generation).with_extension("npz");
        if path.exists() {
            return Ok(None);
        }
        let began = Instant::now();
        let (files, played) = self.rows_so_far(generation)?;
        let seed = mix(self.config.seed ^ u64::from(generation) ^ 0x7368_7566);
        let shuffled = shuffle(&self.config.shuffle, &files, self.config.side(), played as usize, seed)?;
        if shuffled.rows.is_empty() {
            return Err(TrainError::NoRows(self.folder.join("rows")));
        }
        write_rows(&path, &shuffled.rows)?;
        let (rows, left_out) = (shuffled.window, shuffled.left_out);
        let seconds = began.elapsed().as_secs_f64();
        self.note(Event::Shuffle { generation, rows, played, left_out, seconds }).map(Some)
    }

    /// Makes the network of the generation under way.
    ///
    /// # Errors
    /// See [`TrainError`].
    pub fn fit(&self, stop: &StopFlag) -> Result<Option<Event>, TrainError> {
        let generation = self.generation()?;
        let checkpoint = self.folder.join("checkpoint.safetensors");
        let candidate = self.numbered("candidates", generation).with_extension("bin.gz");
        let mut trainer = self.trainer(generation)?;
        if trainer.state().generation >= generation && candidate.exists() {
            return Ok(None);
        }
        let began = Instant::now();
        let mut event = None;
        if trainer.state().generation < generation {
            let shuffled = self.numbered("shuffled", generation).with_extension("npz");
            if !shuffled.exists() {
                return Err(TrainError::NoRows(self.folder.join("shuffled")));
            }
            let rows = read_rows(&shuffled, Some(self.config.side()))?;
            let (_, played) = self.rows_so_far(generation)?;
            let fit = &self.config.fit;
            let new = played.saturating_sub(trainer.state().rows) as f64;
            let steps = (new * fit.rows_used / fit.batch as f64).ceil().clamp(1.0, fit.most_steps as f64) as usize;
            let seed = mix(self.config.seed ^ mix(u64::from(generation)));
            let report = trainer.fit(&rows, steps, fit, seed, stop)?;
            trainer.finish(generation, played);
            trainer.save(&checkpoint)?;
            let seconds = began.elapsed().as_secs_f64();
            event = Some(Event::Fit { generation, steps: report.steps, losses: report.losses, seconds });
        }
        write_bytes(&candidate, &to_bin_gz(&trainer.model(&format!("honinbo-{generation:06}"))))?;
        event.map(|event| self.note(event)).transpose()
    }

    /// Lets the network that was made play against the one before it, takes it or not, and ends the generation.
    ///
    /// # Errors
    /// See [`TrainError`].
    pub fn gate(&self, machine: &Machine, stop: &StopFlag) -> Result<Event, TrainError> {
        let generation = self.generation()?;
        let began = Instant::now();
        let candidate = self.numbered("candidates", generation).with_extension("bin.gz");
        let (against, best) = self.best(generation)?;
        let new = machine.answering(&candidate, &self.config, stop)?;
        let gate = &self.config.gate;
        let mut tally = Tally::default();
        if gate.games > 0 {
            let old = machine.answering(&best, &self.config, stop)?;
            let seed = mix(self.config.seed ^ mix(u64::from(generation) ^ 0x6761_7465));
            tally = contest(&self.config, [&new.evaluator, &old.evaluator], seed, stop)?;
        }
        let taken = tally.score().is_none_or(|score| score >= gate.needed);
        let probe = probe(&self.config, &new.evaluator, stop)?;
        if taken {
            let bytes = std::fs::read(&candidate).map_err(TrainError::reading(&candidate))?;
            write_bytes(&self.numbered("networks", generation).with_extension("bin.gz"), &bytes)?;
        }
        let (elo_low, elo_high) = tally.elo_interval();
        let gated = Gated {
            generation,
            against,
            wins: tally.wins,
            losses: tally.losses,
            draws: tally.draws,
            elo: tally.elo(),
            elo_low,
            elo_high,
            taken,
            probe,
            seconds: began.elapsed().as_secs_f64(),
        };
        let text = serde_json::to_vec(&gated).unwrap_or_default();
        write_bytes(&self.numbered("gates", generation).with_extension("json"), &text)?;
        // Nobody needs it any more; that it stays does no harm.
        let _ = std::fs::remove_file(self.numbered("shuffled", generation).with_extension("npz"));
        self.note(Event::Gate(gated))
    }

    /// The loop: from wherever the run stands through so many whole generations, telling of each step.
    ///
    /// # Errors
    /// See [`TrainError`]. Whatever the error, the run goes on from its last whole step when it is opened again.
    pub fn generations(
        &self,
        count: u32,
        machine: &Machine,
        stop: &StopFlag,
        on_event: &mut dyn FnMut(&Event),
    ) -> Result<(), TrainError> {
        for _ in 0..count {
            self.selfplay(machine, stop)?.iter().for_each(&mut *on_event);
            self.finish_generation(machine, stop, on_event)?;
        }
        Ok(())
    }

    /// As [`Run::generations`], with games that are played by whoever works at a store.
    ///
    /// # Errors
    /// See [`TrainError`].
    pub fn generations_from(
        &self,
        store: &Store,
        count: u32,
        machine: &Machine,
        stop: &StopFlag,
        on_event: &mut dyn FnMut(&Event),
    ) -> Result<(), TrainError> {
        self.join(store)?;
        for _ in 0..count {
            self.gather(store, stop, on_event)?.iter().for_each(&mut *on_event);
            let gated = self.finish_generation(machine, stop, on_event)?;
            self.publish(store, &gated);
        }
        Ok(())
    }

    /// What follows the games of a generation.
    fn finish_generation(
        &self,
        machine: &Machine,
        stop: &StopFlag,
        on_event: &mut dyn FnMut(&Event),
    ) -> Result<Gated, TrainError> {
        self.shuffle_where_needed()?.iter().for_each(&mut *on_event);
        self.fit(stop)?.iter().for_each(&mut *on_event);
        let event = self.gate(machine, stop)?;
        on_event(&event);
        match event {
            _ if stop.is_set() => Err(TrainError::Stopped),
            Event::Gate(gated) => Ok(gated),
            _ => Err(TrainError::Stopped),
        }
    }

    /// A shuffle is for a fit: where that is done, none is needed.
    fn shuffle_where_needed(&self) -> Result<Option<Event>, TrainError> {
        let generation = self.generation()?;
        if self.trainer(generation)?.state().generation >= generation { Ok(None) } else { self.shuffle() }
    }

    /// The network that plays now: generation and file.
    ///
    /// # Errors
    /// When there is none.
    pub fn network(&self) -> Result<(u32, PathBuf), TrainError> {
        self.best(self.generation()?)
    }

    /// The newest network below a generation.
    fn best(&self, generation: u32) -> Result<(u32, PathBuf), TrainError> {
        let folder = self.folder.join("networks");
        files_in(&folder, ".bin.gz")?
            .into_iter()
            .filter_map(|path| Some((number(&path)?, path)))
            .rfind(|(found, _)| *found < generation)
            .ok_or_else(|| {
                let source = std::io::Error::new(std::io::ErrorKind::NotFound, "there is no network");
                TrainError::Io { path: folder, what: "read", source }
            })
    }

    /// The state of training: the checkpoint, or the newest network where there is none.
    fn trainer(&self, generation: u32) -> Result<Trainer, TrainError> {
        let checkpoint = self.folder.join("checkpoint.safetensors");
        let first = open(&self.folder.join("networks/000000.bin.gz"))?.model;
        if checkpoint.exists() {
            return Trainer::load(&checkpoint, &first);
        }
        let (_, path) = self.best(generation)?;
        Trainer::new(&open(&path)?.model, mix(self.config.seed ^ 1))
    }

    /// All files of rows up to a generation, oldest first, and their rows; a damaged one counts for nothing here.
    fn rows_so_far(&self, generation: u32) -> Result<(Vec<PathBuf>, u64), TrainError> {
        let mut files = Vec::new();
        for of in 1..=generation {
            files.extend(files_in(&self.numbered("rows", of), ".npz")?);
        }
        let played = files.iter().map(|path| count_rows(path).unwrap_or(0) as u64).sum();
        Ok((files, played))
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn numbered(&self, kind: &str, generation: u32) -> PathBuf {
        self.folder.join(kind).join(format!("{generation:06}"))
    }

    /// Adds a line to the status. A line that a stopped program left half is ended first.
    pub(crate) fn note(&self, event: Event) -> Result<Event, TrainError> {
        let path = self.folder.join("status.jsonl");
        let mut line = serde_json::to_string(&event).unwrap_or_default();
        line.push('\n');
        let is_half = std::fs::read(&path).is_ok_and(|bytes| !bytes.is_empty() && !bytes.ends_with(b"\n"));
        if is_half {
            line.insert(0, '\n');
        }
        let mut file = File::options().create(true).append(true).open(&path).map_err(TrainError::writing(&path))?;
        file.write_all(line.as_bytes()).map_err(TrainError::writing(&path))?;
        Ok(event)
    }
}

/// Where a run stands; it may be under way.
///
/// # Errors
/// When there is none, or the disk fails.
pub fn status(folder: &Path) -> Result<RunStatus, TrainError> {
    let config = read_config(folder)?;
    let generations = last_number(&folder.join("gates"), ".json")?;
    let network = last_number(&folder.join("networks"), ".bin.gz")?;
    let under_way = folder.join("rows").join(format!("{:06}", generations + 1));
    let text = std::fs::read_to_string(folder.join("status.jsonl")).unwrap_or_default();
    // A line that a stopped program left half is none.
    let events: Vec<Event> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let results = events.iter().filter_map(|event| if let Event::Gate(gated) = event { Some(gated) } else { None });
    let files_under_way = files_in(&under_way, ".npz")?.len();
    let files_wanted = config.selfplay.games.div_ceil(config.selfplay.games_per_file);
    let played = files_under_way as f64 / f64::from(files_wanted.max(1));
    Ok(RunStatus {
        generations,
        network,
        files_under_way,
        files_wanted,
        seconds_left: seconds_left(&events, generations + 1, played),
        board: config.boards.first().map_or((0, 0, false), |board| (board.width, board.height, board.torus)),
        strengths: strengths(results),
        cost: cost(&events),
        events,
    })
}

/// The network of a run, of the generation asked for or the newest that was taken.
///
/// # Errors
/// When there is none.
pub fn network_of(folder: &Path, generation: Option<u32>) -> Result<(PathBuf, NetworkFile), TrainError> {
    read_config(folder)?;
    let number = match generation {
        Some(generation) => generation,
        None => last_number(&folder.join("networks"), ".bin.gz")?,
    };
    let taken = folder.join("networks").join(format!("{number:06}.bin.gz"));
    let made = folder.join("candidates").join(format!("{number:06}.bin.gz"));
    let path = if taken.exists() { taken } else { made };
    let file = open(&path)?;
    Ok((path, file))
}

fn read_config(folder: &Path) -> Result<RunConfig, TrainError> {
    let path = folder.join("run.toml");
    if !path.exists() {
        return Err(TrainError::NoRun(folder.to_path_buf()));
    }
    let text = std::fs::read_to_string(&path).map_err(TrainError::reading(&path))?;
    RunConfig::parse(&path, &text)
}

fn lock(folder: &Path) -> Result<File, TrainError> {
    let path = folder.join(".lock");
    let file =
        File::options().create(true).truncate(false).write(true).open(&path).map_err(TrainError::writing(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(TrainError::Busy(folder.to_path_buf())),
        Err(std::fs::TryLockError::Error(source)) => Err(TrainError::Io { path, what: "locked", source }),
    }
}

/// The number that a file's name begins with.
pub(crate) fn number(path: &Path) -> Option<u32> {
    path.file_name()?.to_str()?.split('.').next()?.parse().ok()
}

/// The greatest number of a folder's files; 0 where there is none.
fn last_number(folder: &Path, ending: &str) -> Result<u32, TrainError> {
    Ok(files_in(folder, ending)?.iter().filter_map(|path| number(path)).max().unwrap_or(0))
}
