//! A run in its folder: which step comes next follows from the files that are there.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use honinbo_evaluator::StopFlag;
use honinbo_net::model::Model;
use honinbo_net::{Family, NetworkFile, to_bin_gz};
use honinbo_players::Tally;
use honinbo_rules::mix;
use honinbo_training::{Event, FolderError, Gated, file_number, files_in, last_number, lock_file, note, numbered};

use crate::clock::StepClock;
use crate::config::RunConfig;
use crate::error::TrainError;
use crate::files::write_bytes;
use crate::fit::Trainer;
use crate::gate::{contest, probe};
use crate::npz::{count_rows, read_rows, write_rows};
use crate::selfplay::{Machine, SelfPlayFolders, SelfPlayReport, files_of, open, play_files};
use crate::shuffle::shuffle;
use crate::store::Store;

/// How often, and how long apart, a folder's lock is tried.
const LOCK_ATTEMPTS: u32 = 5;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// A folder in which networks are trained. While it is open nobody else can open it.
#[derive(Debug)]
pub struct Run {
    folder: PathBuf,
    config: RunConfig,
    /// Held open, and locked.
    _lock: File,
}

impl Run {
    /// Opens a run, and begins it where there is none: with `config`, or the usual one for 7x7, and the network `from`, or
    /// a random one.
    ///
    /// # Errors
    /// When the folder cannot be written, its configuration makes no sense or is another one, or somebody works in it.
    pub fn open(folder: &Path, config: Option<RunConfig>, from: Option<&Path>) -> Result<Self, TrainError> {
        let file = folder.join("run.toml");
        // What is refused leaves no folder.
        let beginning = if file.exists() { None } else { Some(beginning(config.as_ref(), from)?) };
        std::fs::create_dir_all(folder).map_err(TrainError::writing(folder))?;
        let lock = lock(folder)?;
        match beginning {
            Some((config, model)) if !file.exists() => {
                // The network first: a run.toml says that the run is begun.
                write_bytes(&folder.join("networks/000000.bin.gz"), &to_bin_gz(&model))?;
                write_bytes(&file, config.to_text().as_bytes())?;
            }
            _ if from.is_some() => return Err(TrainError::HasBegun),
            _ => {}
        }
        let run = Self { config: config_of(folder)?, folder: folder.to_path_buf(), _lock: lock };
        match config {
            Some(wanted) if wanted != run.config => {
                Err(TrainError::Begun { differences: run.config.differences(&wanted) })
            }
            _ => Ok(run),
        }
    }

    /// Opens a run that has begun.
    ///
    /// # Errors
    /// When there is none, or somebody works in it.
    pub fn open_begun(folder: &Path) -> Result<Self, TrainError> {
        config_of(folder)?;
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

    /// Plays what is missing of the games of the generation under way, telling of each file of them; `false` where nothing
    /// is.
    ///
    /// # Errors
    /// See [`TrainError`].
    pub fn selfplay(
        &self,
        machine: &Machine,
        stop: &StopFlag,
        on_event: &mut dyn FnMut(&Event),
    ) -> Result<bool, TrainError> {
        let generation = self.generation()?;
        let (rows, games) = (self.numbered("rows", generation), self.numbered("games", generation));
        let folders = SelfPlayFolders { rows, games };
        // A file that was taken away is played anew.
        let there: BTreeSet<u32> =
            files_in(&folders.rows, ".npz")?.iter().filter_map(|path| file_number(path)).collect();
        let missing: Vec<u32> = (0..files_of(&self.config.selfplay)).filter(|file| !there.contains(file)).collect();
        if missing.is_empty() {
            return Ok(false);
        }
        let mut clock = StepClock::start();
        let answering = machine.answering(&self.best(generation)?.1, &self.config, stop)?;
        play_files(&self.config, &answering, generation, &missing, &folders, stop, &mut |report| {
            on_event(&self.note_games(generation, report, &mut clock)?);
            Ok(())
        })?;
        Ok(true)
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
        let clock = StepClock::start();
        let (files, played) = self.rows_so_far(generation)?;
        let seed = mix(self.config.seed ^ u64::from(generation) ^ 0x7368_7566);
        let shuffled = shuffle(&self.config.shuffle, &files, self.config.side(), played as usize, seed)?;
        if shuffled.rows.is_empty() {
            return Err(TrainError::NoRows(self.folder.join("rows")));
        }
        write_rows(&path, &shuffled.rows)?;
        let (rows, left_out) = (shuffled.window, shuffled.left_out);
        let (seconds, processor_seconds) = clock.read();
        self.note(Event::Shuffle { generation, rows, played, left_out, seconds, processor_seconds }).map(Some)
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
        let clock = StepClock::start();
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
            let (seconds, processor_seconds) = clock.read();
            event =
                Some(Event::Fit { generation, steps: report.steps, losses: report.losses, seconds, processor_seconds });
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
        let clock = StepClock::start();
        let candidate = self.numbered("candidates", generation).with_extension("bin.gz");
        if !candidate.exists() {
            return Err(TrainError::NotFitted(generation));
        }
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
        let network = self.numbered("networks", generation).with_extension("bin.gz");
        if taken {
            let bytes = std::fs::read(&candidate).map_err(TrainError::reading(&candidate))?;
            write_bytes(&network, &bytes)?;
        } else {
            // A gate that took it may have been stopped before it noted that; it would play the next games.
            remove_if_there(&network)?;
        }
        let (elo_low, elo_high) = tally.elo_interval();
        let (seconds, processor_seconds) = clock.read();
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
            seconds,
            processor_seconds,
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
            self.selfplay(machine, stop, on_event)?;
            self.finish_generation(machine, stop, on_event)?;
            if stop.is_set() {
                return Err(TrainError::Stopped);
            }
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
        self.publish_last(store)?;
        for _ in 0..count {
            self.gather(store, stop, on_event)?;
            self.finish_generation(machine, stop, on_event)?;
            self.publish_last(store)?;
            if stop.is_set() {
                return Err(TrainError::Stopped);
            }
        }
        Ok(())
    }

    /// What follows the games of a generation.
    fn finish_generation(
        &self,
        machine: &Machine,
        stop: &StopFlag,
        on_event: &mut dyn FnMut(&Event),
    ) -> Result<(), TrainError> {
        self.shuffle_where_needed()?.iter().for_each(&mut *on_event);
        self.fit(stop)?.iter().for_each(&mut *on_event);
        on_event(&self.gate(machine, stop)?);
        Ok(())
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
            .filter_map(|path| Some((file_number(&path)?, path)))
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
        numbered(&self.folder, kind, generation)
    }

    /// Adds a file of games to the status as soon as it is whole: it is not played again, so nothing else would ever count
    /// its games.
    pub(crate) fn note_games(
        &self,
        generation: u32,
        report: &SelfPlayReport,
        clock: &mut StepClock,
    ) -> Result<Event, TrainError> {
        let SelfPlayReport { games, rows, visits, moves, black_wins } = *report;
        let (seconds, processor_seconds) = clock.lap();
        self.note(Event::Selfplay { generation, games, rows, visits, moves, black_wins, seconds, processor_seconds })
    }

    /// Adds an event to the status.
    pub(crate) fn note(&self, event: Event) -> Result<Event, TrainError> {
        note(&self.folder, &event)?;
        Ok(event)
    }
}

/// The network of a run, of the generation asked for or the newest that was taken.
///
/// # Errors
/// When there is none.
pub fn network_of(folder: &Path, generation: Option<u32>) -> Result<(PathBuf, NetworkFile), TrainError> {
    config_of(folder)?;
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

/// Configuration and first network of a new run.
fn beginning(config: Option<&RunConfig>, from: Option<&Path>) -> Result<(RunConfig, Model), TrainError> {
    let config = config.cloned().unwrap_or_else(|| RunConfig::on(7, false));
    config.check()?;
    let model = match from {
        Some(path) => open(path)?.model,
        None => config.network.random("honinbo-000000", mix(config.seed)),
    };
    if model.family() == Family::Transformer && config.boards.iter().any(|board| board.torus) {
        let reason = "its attention does not go round a torus";
        return Err(TrainError::Untrainable { name: model.name, reason });
    }
    Trainer::new(&model, config.seed)?;
    Ok((config, model))
}

fn remove_if_there(path: &Path) -> Result<(), TrainError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(TrainError::writing(path)(error)),
        _ => Ok(()),
    }
}

/// The configuration of a run, which may be under way.
///
/// # Errors
/// When there is none, or it makes no sense.
pub fn config_of(folder: &Path) -> Result<RunConfig, TrainError> {
    let path = folder.join("run.toml");
    if !path.exists() {
        return Err(FolderError::NoRun(folder.to_path_buf()).into());
    }
    let text = std::fs::read_to_string(&path).map_err(TrainError::reading(&path))?;
    RunConfig::parse(&path, &text)
}

fn lock(folder: &Path) -> Result<File, TrainError> {
    let path = lock_file(folder);
    let file =
        File::options().create(true).truncate(false).write(true).open(&path).map_err(TrainError::writing(&path))?;
    for attempt in 1.. {
        match file.try_lock() {
            Ok(()) => break,
            // Whoever asks for the status holds it for an instant.
            Err(TryLockError::WouldBlock) if attempt < LOCK_ATTEMPTS => std::thread::sleep(LOCK_PAUSE),
            Err(TryLockError::WouldBlock) => return Err(TrainError::Busy(folder.to_path_buf())),
            Err(TryLockError::Error(source)) => return Err(TrainError::Io { path, what: "locked", source }),
        }
    }
    Ok(file)
}
