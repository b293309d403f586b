//! Bringing files into the library in the background, with progress.

use super::LibraryRoom;
use crate::{ApiError, Event, Host, ImportProblem, ImportProgress};
use honinbo_library::Library;
use honinbo_net::StopFlag;
use parking_lot::Mutex;
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

/// What to bring in.
enum Source {
    Paths(Vec<PathBuf>),
    Content { name: String, bytes: Vec<u8> },
}

impl LibraryRoom {
    /// Imports files, and folders with all that is in them, in the background.
    pub(crate) fn import_paths(&self, paths: Vec<PathBuf>) -> Result<(), ApiError> {
        if let Some(missing) = paths.iter().find(|path| !path.exists()) {
            let file = missing.display().to_string();
            return Err(ApiError::UnreadableFile { message: format!("{file} is not there"), file });
        }
        self.import(Source::Paths(paths))
    }

    /// Imports a file given as its content, in the background.
    pub(crate) fn import_content(&self, name: String, bytes: Vec<u8>) -> Result<(), ApiError> {
        self.import(Source::Content { name, bytes })
    }

    /// Ends the import under way; what it brought stays.
    pub(crate) fn cancel_import(&self) {
        if let Some(stop) = self.importing.stop.lock().as_ref() {
            stop.set();
        }
    }

    fn import(&self, source: Source) -> Result<(), ApiError> {
        let library = Arc::clone(self.library()?);
        let stop = StopFlag::new();
        // One at a time: another one waits for nobody, it takes the place of the earlier.
        if let Some(earlier) = self.importing.stop.lock().replace(stop.clone()) {
            earlier.set();
        }
        let host = Arc::clone(&self.host);
        let now = self.now_ms();
        let import =
            move || Import { library, host, stop, now, progress: ImportProgress::default(), told: None }.run(source);
        std::thread::Builder::new().name("import".into()).spawn(import).map(drop).map_err(|error| ApiError::Library {
            message: format!("the import could not be started: {error}"),
            hint: "try again when the machine has less to do".into(),
        })
    }
}

/// One import, on its own thread.
struct Import {
    library: Arc<Library>,
    host: Arc<dyn Host>,
    stop: StopFlag,
    now: i64,
    progress: ImportProgress,
    told: Option<Duration>,
}

impl Import {
    fn run(mut self, source: Source) {
        match source {
            Source::Content { name, bytes } => {
                self.progress.total_files = 1;
                self.take(&name, &bytes);
            }
            Source::Paths(paths) => {
                let files = files_below(paths, &self.stop);
                self.progress.total_files = u32::try_from(files.len()).unwrap_or(u32::MAX);
                for file in files {
                    if self.stop.is_set() {
                        break;
                    }
                    let name = file.display().to_string();
                    match std::fs::read(&file) {
                        Ok(bytes) => self.take(&name, &bytes),
                        Err(error) => self.refuse(&name, 0, format!("it cannot be read: {error}")),
                    }
                }
            }
        }
        self.progress.cancelled = self.stop.is_set();
        self.progress.finished = true;
        self.host.emit(Event::Import(self.progress.clone()));
        self.host.emit(Event::LibraryChanged);
    }

    fn take(&mut self, name: &str, bytes: &[u8]) {
        self.progress.files += 1;
        let collection = honinbo_record::read_sgf(bytes);
        if collection.games.is_empty() {
            let line = collection.diagnostics.first().map_or(0, |first| first.line);
            let why = collection.diagnostics.first().map_or("no game is in it".to_owned(), |d| d.problem.to_string());
            self.refuse(name, line, why);
        }
        for game in &collection.games {
            if self.stop.is_set() {
                return;
            }
            self.progress.games += 1;
            match self.library.save_record(&game.tree.in_utf8().to_sgf(), self.now) {
                Ok(saved) if saved.duplicate_of.is_some() => self.progress.duplicates += 1,
                Ok(_) => self.progress.added += 1,
                Err(error) => self.refuse(name, 0, error.to_string()),
            }
            if let Some(first) = game.diagnostics.first() {
                self.report(name, first.line, false, format!("{}; {}", first.problem, first.problem.action()));
            }
            self.tell();
        }
    }

    fn refuse(&mut self, file: &str, line: u32, message: String) {
        self.report(file, line, true, message);
        self.tell();
    }

    fn report(&mut self, file: &str, line: u32, refused: bool, message: String) {
        if self.progress.problems.len() < MOST_PROBLEMS {
            self.progress.problems.push(ImportProblem { file: file.to_owned(), line, refused, message });
        }
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

/// Every record file at or below the paths, in order. Links to folders are not followed, so there are no circles.
fn files_below(paths: Vec<PathBuf>, stop: &StopFlag) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting: Vec<PathBuf> = paths.into_iter().rev().collect();
    while let Some(path) = waiting.pop() {
        if stop.is_set() {
            break;
        }
        if path.is_dir() {
            let mut entries: Vec<PathBuf> = std::fs::read_dir(&path)
                .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
                .unwrap_or_default();
            entries.retain(|entry| (entry.is_dir() && !entry.is_symlink()) || is_record(entry));
            entries.sort_by(|a, b| b.cmp(a));
            waiting.extend(entries);
        } else {
            found.push(path);
        }
    }
    found
}

fn is_record(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf"))
}
