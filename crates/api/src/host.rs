//! What the back end needs of the program around it.

use crate::{Capabilities, Event};
use honinbo_evaluator::StopFlag;
use parking_lot::Mutex;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The program around an [`crate::App`]: a desktop shell, a server, a terminal or a test.
pub trait Host: Send + Sync + 'static {
    /// Where everything that is kept is kept; see `design.md` 4.5 for what is in it.
    fn data_dir(&self) -> PathBuf;
    /// Folders that hold what came with the program (`onnxruntime/`, `networks/`), best first.
    fn resource_dirs(&self) -> Vec<PathBuf>;
    /// Time since some fixed moment; never goes back.
    fn monotonic(&self) -> Duration;
    /// Seconds since 1970.
    fn unix_seconds(&self) -> u64;
    /// What this host can do.
    fn capabilities(&self) -> Capabilities;
    /// Writes a file so that at every moment either the old or the new content is there. Takes as long as the disk does.
    ///
    /// # Errors
    /// What the system says; the old content is still there then.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        crate::disk::replace(path, bytes)
    }
    /// Tells every window. Must not block for long and must not call the app.
    fn emit(&self, event: Event);
}

/// Who gives a command: a window, a connection, a terminal. Holds what belongs to one of them.
#[derive(Debug, Default)]
pub struct Caller {
    running: Mutex<Option<StopFlag>>,
    searching: Mutex<Option<StopFlag>>,
}

impl Caller {
    /// A caller with nothing under way.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends this caller's `run` or `play_out`, if one is under way; it then answers with what it has.
    pub fn cancel(&self) {
        if let Some(stop) = self.running.lock().as_ref() {
            stop.set();
        }
    }

    /// A fresh flag for a `run` or a `play_out` that begins; an earlier one of this caller ends.
    pub fn begin_run(&self) -> StopFlag {
        let stop = StopFlag::default();
        if let Some(earlier) = self.running.lock().replace(stop.clone()) {
            earlier.set();
        }
        stop
    }

    /// Ends this caller's search for a pattern, if one is under way; it then answers with what it has.
    pub fn cancel_search(&self) {
        if let Some(stop) = self.searching.lock().as_ref() {
            stop.set();
        }
    }

    /// A fresh flag for a search that begins; an earlier one of this caller ends.
    pub fn begin_search(&self) -> StopFlag {
        let stop = StopFlag::default();
        if let Some(earlier) = self.searching.lock().replace(stop.clone()) {
            earlier.set();
        }
        stop
    }
}
