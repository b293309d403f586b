//! What the back end needs of the desktop.

use crate::commands::BackEndEvent;
use honinbo_api::{Capabilities, Event, Host};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tauri::{AppHandle, Manager};
use tauri_specta::Event as _;

/// The desktop as the back end sees it.
pub(crate) struct DesktopHost {
    handle: AppHandle,
    data_dir: PathBuf,
    started: Instant,
}

impl DesktopHost {
    /// A host that keeps everything in `data_dir` and emits events to every window of `handle`.
    pub(crate) fn new(handle: AppHandle, data_dir: PathBuf) -> Self {
        Self { handle, data_dir, started: Instant::now() }
    }
}

impl Host for DesktopHost {
    fn data_dir(&self) -> PathBuf {
        self.data_dir.clone()
    }

    fn resource_dirs(&self) -> Vec<PathBuf> {
        let reported = self.handle.path().resource_dir().map(|dir| dir.join("resources"));
        honinbo_api::resource_dirs(&reported.into_iter().collect::<Vec<_>>())
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }

    fn unix_seconds(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { paths: true, native_dialogs: true }
    }

    fn emit(&self, event: Event) {
        // Before the window exists nobody listens, and it asks for everything when it starts.
        if let Err(error) = BackEndEvent(event).emit(&self.handle) {
            tracing::warn!("an event did not reach the window: {error}");
        }
    }
}
