//! A host of fuzz targets.

use std::path::PathBuf;
use std::time::Duration;

use honinbo_api::{Capabilities, Event, Host};

/// A host without a clock and without windows.
pub(crate) struct Quiet {
    folder: tempfile::TempDir,
}

impl Quiet {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }
}

impl Host for Quiet {
    fn data_dir(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    fn resource_dirs(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }

    fn unix_seconds(&self) -> u64 {
        1_700_000_000
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { paths: false, native_dialogs: false, menu_bar: false }
    }

    fn emit(&self, _: Event) {}
}
