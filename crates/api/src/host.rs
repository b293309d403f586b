//! What the back end needs of the program around it.

use crate::{Capabilities, Event, MenuBar, Pace, RunProgress, Work};
use honinbo_evaluator::StopFlag;
use honinbo_shelf::{KnownRuntime, ListSource, PackageKind, ServerAddresses};
use parking_lot::Mutex;
use semver::Version;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The program around an [`crate::App`]: a desktop shell, a server, a terminal or a test.
pub trait Host: Send + Sync + 'static {
    /// Where everything that is kept is kept; `docs/operating.md` says what is in it.
    fn data_dir(&self) -> PathBuf;
    /// Folders that hold what came with the program (`onnxruntime/`, `networks/`), best first.
    fn resource_dirs(&self) -> Vec<PathBuf>;
    /// Time since some fixed moment; never goes back.
    fn monotonic(&self) -> Duration;
    /// Seconds since 1970.
    fn unix_seconds(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }
    /// The same in milliseconds, as the library keeps times.
    fn unix_ms(&self) -> i64 {
        i64::try_from(self.unix_seconds().saturating_mul(1000)).unwrap_or(i64::MAX)
    }
    /// What this host can do.
    fn capabilities(&self) -> Capabilities;
    /// Whether windows are shown what is wrong at a start. Without them settings that cannot be read stay where they are, and
    /// a library that is to be restored or rescued waits, for the next program that has some.
    fn has_windows(&self) -> bool {
        true
    }
    /// Writes a file so that at every moment either the old or the new content is there. Takes as long as the disk does.
    ///
    /// # Errors
    /// What the system says; the old content is still there then.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        crate::disk::replace(path, bytes)
    }
    /// A file with another list of networks than the program's own: the person's own responsibility, so nobody has to
    /// have signed it. `HONINBO_NETWORK_LIST` names one.
    fn network_list(&self) -> Option<PathBuf> {
        std::env::var_os("HONINBO_NETWORK_LIST").map(PathBuf::from)
    }
    /// ONNX Runtime libraries that can be fetched for this machine.
    fn known_runtimes(&self) -> Vec<KnownRuntime> {
        KnownRuntime::for_this_machine()
    }
    /// Loads the ONNX Runtime of a folder where a wrong one does no harm, and gives its version or why it cannot be used.
    ///
    /// # Errors
    /// The reason, as a part of a sentence.
    fn try_runtime(&self, folder: &Path) -> Result<String, String> {
        honinbo_net::try_library(folder)
    }
    /// Where game servers are: the person's own responsibility where `HONINBO_OGS` or `HONINBO_KGS` names another
    /// address, so only https and this machine are taken.
    fn game_servers(&self) -> ServerAddresses {
        let usual = ServerAddresses::default();
        let named = |name, usual| std::env::var(name).ok().filter(|address| !address.is_empty()).unwrap_or(usual);
        ServerAddresses { ogs: named("HONINBO_OGS", usual.ogs), kgs: named("HONINBO_KGS", usual.kgs) }
    }
    /// How often folders that other programs save into are looked at; `None`: only when somebody asks for it.
    fn watches_folders(&self) -> Option<Duration> {
        None
    }
    /// How long after the start the library is first backed up by itself, and on every later day again where that is due;
    /// `None`: never.
    fn backs_up_after(&self) -> Option<Duration> {
        None
    }
    /// Bytes that a folder's disk has left for this person; `None` where the system does not say.
    fn free_bytes(&self, folder: &Path) -> Option<u64> {
        crate::disk::free_bytes(folder)
    }
    /// The folder of a training run that windows may watch without naming it: whoever started the program chose it.
    fn training_folder(&self) -> Option<PathBuf> {
        None
    }
    /// The version of this program.
    fn version(&self) -> Version {
        // Cargo takes nothing else for a version.
        Version::parse(env!("CARGO_PKG_VERSION")).unwrap_or(Version::new(0, 0, 0))
    }
    /// Where newer versions are published and who signs them; `None` where no window may look for them.
    fn releases(&self) -> Option<ListSource> {
        None
    }
    /// The kind of package that this copy was installed by; `None` where no package replaces it.
    fn installed_by(&self) -> Option<PackageKind> {
        None
    }
    /// Hands a package to the system, which asks the person before it installs anything.
    ///
    /// # Errors
    /// What the system says.
    fn install(&self, _package: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
    /// Begins to drag a file out of the window with what the person holds down; returns once that has begun.
    ///
    /// # Errors
    /// What the system says.
    fn drag_out(&self, _path: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
    /// Tells that the person opened or saved this file, for the system's own list of recent ones.
    fn used_file(&self, _path: &Path) {}
    /// Shows these menus in the system's menu bar.
    ///
    /// # Errors
    /// What the system says.
    fn set_menu_bar(&self, _menus: MenuBar) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
    /// Whether the machine runs on its battery: then nothing is computed that nobody waits for, and analysis without a
    /// limit rests early.
    fn on_battery(&self) -> bool {
        crate::power::on_battery()
    }
    /// Whether the data folder has all that it may have: an import ends then. The disk of one's own has no such limit.
    fn is_full(&self) -> bool {
        false
    }
    /// Emits an event to every window. Must not block for long and must not call the app.
    fn emit(&self, event: Event);
}

/// Who gives commands: a window, a connection, a terminal. Knows what it has under way.
#[derive(Debug, Default)]
pub struct Client {
    under_way: Mutex<Vec<(Work, StopFlag)>>,
}

impl Client {
    /// A client with nothing under way.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a command, when it is asked for rather than when its turn comes: what it ends is signalled.
    pub fn begin(&self, pace: Pace) -> Caller {
        let caller = Caller::new();
        let mut under_way = self.under_way.lock();
        let (Pace::Long(works) | Pace::Cancels(works)) = pace else { return caller };
        under_way.retain(|(work, stop)| {
            let ends = works.contains(work);
            if ends {
                stop.set();
            }
            !ends
        });
        if matches!(pace, Pace::Long(_)) {
            under_way.extend(works.iter().map(|&work| (work, caller.stop.clone())));
        }
        caller
    }
}

/// Told how far a `run` has come.
type Hears = Box<dyn Fn(RunProgress<'_>) + Send + Sync>;

/// Who waits for the answer of one command, and may stop waiting.
#[derive(Default)]
pub struct Caller {
    stop: StopFlag,
    hears: Option<Hears>,
}

impl std::fmt::Debug for Caller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Caller").field("stop", &self.stop).field("hears", &self.hears.is_some()).finish()
    }
}

impl Caller {
    /// Somebody who waits for as long as it takes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Somebody who also wants to know how far a `run` has come. `hears` is called about twenty times a second, on a
    /// thread that the search waits for: it must not block.
    pub fn hearing(hears: impl Fn(RunProgress<'_>) + Send + Sync + 'static) -> Self {
        Self { hears: Some(Box::new(hears)), ..Self::default() }
    }

    /// Tells how far a `run` has come, where that is wanted.
    pub fn report(&self, progress: RunProgress<'_>) {
        if let Some(hears) = &self.hears {
            hears(progress);
        }
    }

    /// Set once nobody waits any more. What takes long then answers with what it has.
    pub fn stop(&self) -> &StopFlag {
        &self.stop
    }
}
