//! A host whose clock a test moves.

use honinbo_api::{Capabilities, Event, Host, ListKey, ListSource, PackageKind, ServerAddresses};
use honinbo_server::EventHub;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The date on which every test begins, in seconds since 1970: 2026-01-01.
const BEGIN: u64 = 1_767_225_600;

/// A clock that stands still until it is moved.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    milliseconds: AtomicU64,
}

impl Clock {
    pub(crate) fn advance(&self, milliseconds: u64) {
        self.milliseconds.fetch_add(milliseconds, Ordering::Relaxed);
    }

    fn now(&self) -> Duration {
        Duration::from_millis(self.milliseconds.load(Ordering::Relaxed))
    }
}

/// A host for one app.
pub(crate) struct TestHost {
    pub(crate) data_dir: PathBuf,
    pub(crate) clock: Arc<Clock>,
    pub(crate) events: Arc<EventHub>,
    /// Whether paths of this disk may be opened and saved, as in the window of the desktop.
    pub(crate) paths: bool,
}

impl Host for TestHost {
    fn data_dir(&self) -> PathBuf {
        self.data_dir.clone()
    }

    fn resource_dirs(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn monotonic(&self) -> Duration {
        self.clock.now()
    }

    fn unix_seconds(&self) -> u64 {
        BEGIN + self.clock.now().as_secs()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { paths: self.paths, native_dialogs: false, menu_bar: false }
    }

    fn network_list(&self) -> Option<PathBuf> {
        Some(self.data_dir.join("list-for-tests.json")).filter(|list| list.exists())
    }

    /// Their address stands in a file of the data folder; without it nobody is there.
    fn game_servers(&self) -> ServerAddresses {
        let file = self.data_dir.join("game-servers-for-tests.txt");
        let address = std::fs::read_to_string(file).unwrap_or_else(|_| "http://127.0.0.1:1".into());
        ServerAddresses { ogs: address.trim().to_owned(), kgs: address.trim().to_owned() }
    }

    /// Address and key stand in a file of the data folder.
    fn releases(&self) -> Option<ListSource> {
        let text = std::fs::read_to_string(self.data_dir.join("releases-for-tests.txt")).ok()?;
        let (address, key) = text.split_once('\n')?;
        Some(ListSource { address: address.to_owned(), key: ListKey::from_base64(key).ok()? })
    }

    fn installed_by(&self) -> Option<PackageKind> {
        Some(PackageKind::Deb)
    }

    fn install(&self, package: &Path) -> std::io::Result<()> {
        std::fs::copy(package, self.data_dir.join("installed-for-tests")).map(drop)
    }

    fn emit(&self, event: Event) {
        self.events.emit(&event);
    }
}
