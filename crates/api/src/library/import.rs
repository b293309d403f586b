//! Bringing files into the library in the background, with progress.

use super::LibraryRoom;
use crate::{ApiError, Event, Host, ImportContent, ImportProblem, ImportProgress};
use honinbo_evaluator::StopFlag;
use honinbo_library::{ImportOptions, ImportReport, Library, LibraryError};
use honinbo_record::{Charset, ReadLimits};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// Interval of events.
const INTERVAL: Duration = Duration::from_millis(100);
/// Problems that are reported in full.
const MAX_PROBLEMS: usize = 1000;

/// What folders with files that were put aside for an import begin with, in `cache` of the data folder.
pub const IMPORT_PREFIX: &str = "import-";

/// Batches of which files are still to come, at most: a window that goes away in the middle of one never sends the rest.
const MAX_BATCHES: usize = 8;

/// The import under way, and what comes for the next one.
#[derive(Default)]
pub(super) struct Importing {
    running: Mutex<Option<Arc<Running>>>,
    /// Files that were put aside until the last one of their batch is there.
    coming: Mutex<Vec<Batch>>,
}

/// An import under way. What is asked for meanwhile becomes part of it, so that one report is about all of it.
struct Running {
    stop: StopFlag,
    waiting: Mutex<VecDeque<Job>>,
}

/// What follows an import, told when it began, in milliseconds since 1970.
pub(crate) type AfterImport = Box<dyn FnOnce(i64) + Send>;

/// Files and folders to import.
struct Job {
    paths: Vec<PathBuf>,
    /// Where they were put aside; removed when the job is done.
    folder: Option<TempDir>,
    /// What they are read in, whatever they say.
    charset: Option<Charset>,
}

/// Files given as their content.
struct Batch {
    number: u32,
    folder: TempDir,
    paths: Vec<PathBuf>,
}

impl LibraryRoom {
    /// Imports files, and folders with all that is in them, in the background; in this character set, whatever they say.
    pub(crate) fn import_paths(
        &self,
        paths: Vec<PathBuf>,
        charset: Option<Charset>,
        then: AfterImport,
    ) -> Result<(), ApiError> {
        if let Some(missing) = paths.iter().find(|path| !path.exists()) {
            let file = missing.display().to_string();
            return Err(ApiError::UnreadableFile { file, message: "it is not there".into(), problem: None });
        }
        self.import(Job { paths, folder: None, charset }, then)
    }

    /// Takes a file given as its content; with the last one of its batch they are imported in the background.
    pub(crate) fn import_content(&self, file: &ImportContent, bytes: &[u8], then: AfterImport) -> Result<(), ApiError> {
        self.library()?;
        let mut coming = self.importing.coming.lock();
        let at = coming.iter().position(|batch| batch.number == file.batch);
        let mut batch = match at {
            Some(at) => coming.remove(at),
            None => self.new_batch(file.batch).map_err(not_put_aside)?,
        };
        batch.add(&file.name, bytes).map_err(not_put_aside)?;
        if file.remaining == 0 {
            drop(coming);
            return self.import(Job { paths: batch.paths, folder: Some(batch.folder), charset: None }, then);
        }
        if coming.len() >= MAX_BATCHES {
            coming.remove(0);
        }
        coming.push(batch);
        Ok(())
    }

    fn new_batch(&self, number: u32) -> std::io::Result<Batch> {
        let cache = self.host.data_dir().join("cache");
        std::fs::create_dir_all(&cache)?;
        let folder = tempfile::Builder::new().prefix(IMPORT_PREFIX).tempdir_in(cache)?;
        Ok(Batch { number, folder, paths: Vec::new() })
    }

    /// Ends the import under way; what it brought stays.
    pub(crate) fn cancel_import(&self) {
        if let Some(running) = self.importing.running.lock().as_ref() {
            running.stop.set();
        }
    }

    /// What follows an import that goes on already follows this part of it, too.
    fn import(&self, job: Job, then: AfterImport) -> Result<(), ApiError> {
        let library = Arc::clone(self.library()?);
        let mut current = self.importing.running.lock();
        if let Some(running) = current.as_ref().filter(|running| !running.stop.is_set()) {
            running.waiting.lock().push_back(job);
            return Ok(());
        }
        let running = Arc::new(Running { stop: StopFlag::new(), waiting: Mutex::new(VecDeque::from([job])) });
        let began = self.host.monotonic();
        let host = Arc::clone(&self.host);
        let stop = running.stop.clone();
        let mut reporter = Reporter { host, stop, began, reported: None, before: ImportProgress::default() };
        let (now, importing, mine) = (self.host.unix_ms(), Arc::clone(&self.importing), Arc::clone(&running));
        let changes = Arc::clone(&self.changes);
        let work = move || {
            while let Some(job) = importing.next_job(&mine) {
                reporter.import(&library, &job, now);
            }
            let Reporter { host, before, .. } = reporter;
            then(now);
            // Nothing is left of it when windows hear that the import has ended: a terminal then ends the program, and
            // the library's file is closed as it should be.
            drop(library);
            host.emit(Event::Import(ImportProgress { finished: true, ..before }));
            // What somebody else changed meanwhile is reported with it.
            changes.take();
            host.emit(Event::LibraryChanged);
        };
        *current = Some(running);
        std::thread::Builder::new().name("import".into()).spawn(work).map(drop).map_err(|error| {
            *current = None;
            ApiError::Library {
                message: format!("the import could not be started: {error}"),
                hint: "try again when the machine has less to do".into(),
            }
        })
    }
}

impl Importing {
    /// What an import does next; with nothing left, or stopped, it is not the one under way any more.
    fn next_job(&self, mine: &Arc<Running>) -> Option<Job> {
        let mut current = self.running.lock();
        let job = if mine.stop.is_set() { None } else { mine.waiting.lock().pop_front() };
        if job.is_none() && current.as_ref().is_some_and(|running| Arc::ptr_eq(running, mine)) {
            *current = None;
        }
        job
    }
}

impl Batch {
    /// Puts a file aside. The library reads files, so that one of any size needs little memory; each has a folder of
    /// its own, as several may have the same name.
    fn add(&mut self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        let folder = self.folder.path().join(self.paths.len().to_string());
        std::fs::create_dir(&folder)?;
        let safe = Path::new(name).file_name().filter(|name| !name.is_empty()).unwrap_or("games.sgf".as_ref());
        let path = folder.join(safe);
        std::fs::write(&path, bytes)?;
        self.paths.push(path);
        Ok(())
    }
}

#[allow(clippy::needless_pass_by_value, reason = "used as a function of `map_err`")]
fn not_put_aside(error: std::io::Error) -> ApiError {
    ApiError::Library {
        message: format!("the content could not be put aside for the import: {error}"),
        hint: "make room on the disk and try again".into(),
    }
}

/// Emits the events of one import, on its thread.
struct Reporter {
    host: Arc<dyn Host>,
    stop: StopFlag,
    began: Duration,
    reported: Option<Duration>,
    /// What the jobs before this one brought.
    before: ImportProgress,
}

impl Reporter {
    /// Does a part of the import.
    fn import(&mut self, library: &Library, job: &Job, now: i64) {
        let limits = ReadLimits { charset: job.charset, ..ReadLimits::default() };
        let options = ImportOptions { limits, aside: job.folder.as_ref().map(|folder| folder.path().to_owned()) };
        let mut last = ImportProgress::default();
        let mut is_full = false;
        let result = library.import(&job.paths, &options, now, &mut |progress| {
            last = ImportProgress {
                games: progress.added + progress.duplicates,
                added: progress.added,
                duplicates: progress.duplicates,
                files: progress.files,
                total_files: progress.total_files,
                skipped: progress.skipped,
                ..self.speed(progress)
            };
            self.emit(&last);
            if self.host.is_full() {
                is_full = true;
                // What waits to be imported ends with it.
                self.stop.set();
            }
            if self.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let mut done = match result {
            Ok(report) => ended(&last, &report),
            Err(error) => failed(last, &error),
        };
        if is_full {
            let message = "the library has no more room here: the import ends with what it has brought";
            done.problems.push(of_all(message.to_owned()));
        }
        self.before = together(&self.before, done);
    }

    /// How fast it goes and how long it will take.
    fn speed(&self, progress: &honinbo_library::ImportProgress) -> ImportProgress {
        let elapsed = self.host.monotonic().saturating_sub(self.began).as_secs_f64().max(1e-3);
        let part = (f64::from(progress.kib) / f64::from(progress.total_kib.max(1))).min(1.0);
        let games = f64::from(self.before.games + progress.added + progress.duplicates);
        // What was skipped took no time, so that the time that is left is known only when something was not.
        let left = (part > 0.0 && games > 0.0).then(|| (elapsed * (1.0 - part) / part).min(1e9) as u32);
        ImportProgress {
            part: part.into(),
            games_per_second: (games / elapsed).into(),
            seconds_left: left,
            ..ImportProgress::default()
        }
    }

    /// Emits an event, if it is time.
    fn emit(&mut self, progress: &ImportProgress) {
        let now = self.host.monotonic();
        if self.reported.is_none_or(|reported| now.saturating_sub(reported) >= INTERVAL) {
            self.reported = Some(now);
            self.host.emit(Event::Import(together(&self.before, progress.clone())));
        }
    }
}

fn failed(mut last: ImportProgress, error: &LibraryError) -> ImportProgress {
    tracing::warn!(%error, "an import failed");
    last.problems.push(of_all(format!("{error}: {}", error.hint())));
    last
}

/// What is wrong with an import as a whole.
fn of_all(message: String) -> ImportProblem {
    ImportProblem { file: String::new(), line: 0, refused: true, joined: false, problem: None, message }
}

/// What a job brought beside those before it.
fn together(before: &ImportProgress, job: ImportProgress) -> ImportProgress {
    ImportProgress {
        games: before.games + job.games,
        added: before.added + job.added,
        duplicates: before.duplicates + job.duplicates,
        files: before.files + job.files,
        total_files: before.total_files + job.total_files,
        refused_files: before.refused_files + job.refused_files,
        skipped: before.skipped + job.skipped,
        problems: before.problems.iter().cloned().chain(job.problems).take(MAX_PROBLEMS).collect(),
        cancelled: before.cancelled || job.cancelled,
        ..job
    }
}

fn ended(last: &ImportProgress, report: &ImportReport) -> ImportProgress {
    ImportProgress {
        games: report.added + report.duplicates,
        added: report.added,
        duplicates: report.duplicates,
        files: report.files + report.refused_files,
        total_files: last.total_files.max(report.files + report.refused_files),
        refused_files: report.refused_files,
        skipped: report.skipped,
        part: if report.cancelled { last.part } else { 1.0.into() },
        games_per_second: last.games_per_second,
        seconds_left: if report.cancelled { last.seconds_left } else { Some(0) },
        problems: report
            .notes
            .iter()
            .map(|note| (note, false))
            .chain(report.joined.iter().map(|note| (note, true)))
            .take(MAX_PROBLEMS)
            .map(|(note, joined)| ImportProblem {
                file: note.path.clone(),
                line: note.line,
                refused: note.severity == "error",
                joined,
                problem: note.problem.as_ref().map(Into::into),
                message: note.message.clone(),
            })
            .collect(),
        cancelled: report.cancelled,
        finished: false,
    }
}
