//! Bringing files into the library in the background, with progress.

use super::LibraryRoom;
use crate::{ApiError, Event, Host, ImportProblem, ImportProgress};
use honinbo_library::{ImportOptions, ImportReport, Library, LibraryError};
use honinbo_net::StopFlag;
use parking_lot::Mutex;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How often windows are told.
const INTERVAL: Duration = Duration::from_millis(100);
/// Problems that are told in full.
const MOST_PROBLEMS: usize = 1000;

/// The import under way, if any.
#[derive(Default)]
pub(super) struct Importing {
    stop: Mutex<Option<StopFlag>>,
}

impl LibraryRoom {
    /// Imports files, and folders with all that is in them, in the background.
    pub(crate) fn import_paths(&self, paths: Vec<PathBuf>) -> Result<(), ApiError> {
        if let Some(missing) = paths.iter().find(|path| !path.exists()) {
            let file = missing.display().to_string();
            return Err(ApiError::UnreadableFile { message: format!("{file} is not there"), file });
        }
        self.import(paths, None)
    }

    /// Imports a file given as its content, in the background.
    pub(crate) fn import_content(&self, name: &str, bytes: &[u8]) -> Result<(), ApiError> {
        // The library reads files, so that one of any size needs little memory; this one gets a place for as long.
        let failed = |error: std::io::Error| ApiError::Library {
            message: format!("the content could not be put aside for the import: {error}"),
            hint: "make room on the disk and try again".into(),
        };
        let cache = self.host.data_dir().join("cache");
        std::fs::create_dir_all(&cache).map_err(failed)?;
        let folder = tempfile::Builder::new().prefix("import-").tempdir_in(cache).map_err(failed)?;
        let safe = Path::new(name).file_name().filter(|name| !name.is_empty()).unwrap_or("games.sgf".as_ref());
        let path = folder.path().join(safe);
        std::fs::write(&path, bytes).map_err(failed)?;
        self.import(vec![path], Some(folder))
    }

    /// Ends the import under way; what it brought stays.
    pub(crate) fn cancel_import(&self) {
        if let Some(stop) = self.importing.stop.lock().as_ref() {
            stop.set();
        }
    }

    /// `folder` is removed when the import has ended.
    fn import(&self, paths: Vec<PathBuf>, folder: Option<tempfile::TempDir>) -> Result<(), ApiError> {
        let library = Arc::clone(self.library()?);
        let stop = StopFlag::new();
        // A new import takes the place of an earlier one.
        if let Some(earlier) = self.importing.stop.lock().replace(stop.clone()) {
            earlier.set();
        }
        let began = self.host.monotonic();
        let host = Arc::clone(&self.host);
        let teller = Teller { host, stop, began, told: None, progress: ImportProgress::default() };
        let now = self.now_ms();
        let work = move || {
            let host = Arc::clone(&teller.host);
            let progress = teller.import(&library, &paths, folder.as_ref().map(tempfile::TempDir::path), now);
            // Nothing is left of it when windows hear that the import has ended: a terminal then ends the program, and
            // the library's file is closed as it should be.
            drop((folder, library));
            host.emit(Event::Import(progress));
            host.emit(Event::LibraryChanged);
        };
        std::thread::Builder::new().name("import".into()).spawn(work).map(drop).map_err(|error| ApiError::Library {
            message: format!("the import could not be started: {error}"),
            hint: "try again when the machine has less to do".into(),
        })
    }
}

/// Tells windows about one import, on its thread.
struct Teller {
    host: Arc<dyn Host>,
    stop: StopFlag,
    began: Duration,
    told: Option<Duration>,
    progress: ImportProgress,
}

impl Teller {
    /// Does the import and gives what is to be told at its end. `hidden` is a folder that means nothing to a person and
    /// is left out of names.
    fn import(mut self, library: &Library, paths: &[PathBuf], hidden: Option<&Path>, now: i64) -> ImportProgress {
        let result = library.import(paths, &ImportOptions::default(), now, &mut |progress| {
            self.progress = ImportProgress {
                games: progress.added + progress.duplicates,
                added: progress.added,
                duplicates: progress.duplicates,
                files: progress.files,
                total_files: progress.total_files,
                skipped: progress.skipped,
                ..self.speed(progress)
            };
            self.tell();
            if self.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match result {
            Ok(report) => self.progress = ended(&self.progress, &report, hidden),
            Err(error) => self.fail(&error),
        }
        self.progress.finished = true;
        self.progress
    }

    /// How fast it goes and how long it will take.
    fn speed(&self, progress: &honinbo_library::ImportProgress) -> ImportProgress {
        let elapsed = self.host.monotonic().saturating_sub(self.began).as_secs_f64().max(1e-3);
        let part = (f64::from(progress.kib) / f64::from(progress.total_kib.max(1))).min(1.0);
        let games = f64::from(progress.added + progress.duplicates);
        // What was skipped took no time, so that the time that is left is known only when something was not.
        let left = (part > 0.0 && games > 0.0).then(|| (elapsed * (1.0 - part) / part).min(1e9) as u32);
        ImportProgress {
            part: part.into(),
            games_per_second: (games / elapsed).into(),
            seconds_left: left,
            ..ImportProgress::default()
        }
    }

    fn fail(&mut self, error: &LibraryError) {
        tracing::warn!(%error, "an import failed");
        let message = format!("{error}: {}", error.hint());
        self.progress.problems.push(ImportProblem { file: String::new(), line: 0, refused: true, message });
    }

    /// Tells windows, if it is time.
    fn tell(&mut self) {
        let now = self.host.monotonic();
        if self.told.is_none_or(|told| now.saturating_sub(told) >= INTERVAL) {
            self.told = Some(now);
            self.host.emit(Event::Import(self.progress.clone()));
        }
    }
}

fn ended(last: &ImportProgress, report: &ImportReport, hidden: Option<&Path>) -> ImportProgress {
    let name = |path: &str| match hidden.and_then(|hidden| Path::new(path).strip_prefix(hidden).ok()) {
        Some(short) => short.display().to_string(),
        None => path.to_owned(),
    };
    ImportProgress {
        games: report.added + report.duplicates,
        added: report.added,
        duplicates: report.duplicates,
        files: report.files + report.refused_files,
        total_files: last.total_files.max(report.files + report.refused_files),
        skipped: report.skipped,
        part: if report.cancelled { last.part } else { 1.0.into() },
        games_per_second: last.games_per_second,
        seconds_left: if report.cancelled { last.seconds_left } else { Some(0) },
        problems: report
            .notes
            .iter()
            .take(MOST_PROBLEMS)
            .map(|note| ImportProblem {
                file: name(&note.path),
                line: note.line,
                refused: note.severity == "error",
                message: note.message.clone(),
            })
            .collect(),
        cancelled: report.cancelled,
        finished: true,
    }
}
