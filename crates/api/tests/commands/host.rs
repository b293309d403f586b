//! A host for tests: a temporary data folder and a list of the events that were told.

use honinbo_api::{
    ApiError, App, Capabilities, Client, EngineSource, EngineState, Event, Host, KnownRuntime, Pace, ServerAddresses,
    SweepProgress, SweepState, dispatch,
};
use honinbo_evaluator::Evaluator;
use honinbo_shelf::RuntimeKind;
use honinbo_testkit::{Gate, GatedEvaluator, UniformEvaluator};
use parking_lot::{Condvar, Mutex};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct TestHost {
    folder: tempfile::TempDir,
    /// A folder that the test keeps itself, instead of one inside `folder`.
    data_dir: Option<PathBuf>,
    began: Instant,
    /// Seconds that the test has moved the clock and the calendar on.
    later: AtomicU64,
    events: Mutex<Vec<Event>>,
    told: Condvar,
    paths: bool,
    /// Where ONNX Runtime is; nowhere where somebody else answers.
    resources: Vec<PathBuf>,
    disk: Mutex<Disk>,
    disk_changed: Condvar,
    /// The clock stands: what has a time for itself ends by counting.
    stands: AtomicBool,
    /// The next news of the engine takes a while to be told, or until something else was.
    dawdle: AtomicBool,
    on_battery: AtomicBool,
    full: AtomicBool,
    import: Mutex<ImportHold>,
    import_changed: Condvar,
    used: Mutex<Vec<PathBuf>>,
    dragged: Mutex<Vec<PathBuf>>,
}

/// A disk that waits for the test.
#[derive(Default)]
struct Disk {
    held: bool,
    waiting: usize,
    full: bool,
}

/// Whether an import waits for the test where it tells of its progress for the first time.
#[derive(Default, PartialEq, Eq)]
enum ImportHold {
    #[default]
    Free,
    Wanted,
    Held,
}

impl Host for TestHost {
    fn data_dir(&self) -> PathBuf {
        self.data_dir.clone().unwrap_or_else(|| self.folder.path().join("data"))
    }

    /// It stands in a file of the data folder; without it there is none.
    fn training_folder(&self) -> Option<PathBuf> {
        std::fs::read_to_string(self.data_dir().join("training-for-tests.txt")).ok().map(PathBuf::from)
    }

    /// Unless a file of the data folder says that there are none.
    fn has_windows(&self) -> bool {
        !self.data_dir().join("no-windows-for-tests.txt").exists()
    }

    /// At once, where a file of the data folder says how many bytes the disk has left.
    fn backs_up_after(&self) -> Option<Duration> {
        self.data_dir().join("free-bytes-for-tests.txt").exists().then_some(Duration::ZERO)
    }

    fn free_bytes(&self, _: &Path) -> Option<u64> {
        std::fs::read_to_string(self.data_dir().join("free-bytes-for-tests.txt")).ok()?.parse().ok()
    }

    fn resource_dirs(&self) -> Vec<PathBuf> {
        self.resources.clone()
    }

    fn monotonic(&self) -> Duration {
        let later = Duration::from_secs(self.later.load(Ordering::SeqCst));
        if self.stands.load(Ordering::SeqCst) { later } else { self.began.elapsed() + later }
    }

    fn unix_seconds(&self) -> u64 {
        1_700_000_000 + self.later.load(Ordering::SeqCst)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { paths: self.paths, native_dialogs: self.paths, menu_bar: self.paths }
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        let mut disk = self.disk.lock();
        disk.waiting += 1;
        self.disk_changed.notify_all();
        self.disk_changed.wait_while(&mut disk, |disk| disk.held);
        disk.waiting -= 1;
        if disk.full {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        std::fs::write(path, bytes)
    }

    fn network_list(&self) -> Option<PathBuf> {
        Some(self.data_dir().join("list-for-tests.json")).filter(|list| list.exists())
    }

    /// `cuda`, whose address, SHA-256 and bytes stand in a file of the data folder; without it there is none.
    fn known_runtimes(&self) -> Vec<KnownRuntime> {
        let text = std::fs::read_to_string(self.data_dir().join("runtime-for-tests.txt")).unwrap_or_default();
        let words: Vec<&str> = String::leak(text).split_whitespace().collect();
        let [address, sha256, bytes] = words[..] else { return Vec::new() };
        vec![KnownRuntime {
            name: "cuda",
            kind: RuntimeKind::Cuda,
            computes_on: "cuda",
            package: "onnxruntime-gpu",
            version: "1.98.0",
            system: (std::env::consts::OS, std::env::consts::ARCH),
            address,
            sha256,
            bytes: bytes.parse().unwrap(),
            licence: "MIT",
            needs: "",
        }]
    }

    /// A library is taken for one if that is what stands in it.
    fn try_runtime(&self, folder: &Path) -> Result<String, String> {
        let text = std::fs::read_to_string(folder.join("libonnxruntime.so")).unwrap_or_default();
        if text.starts_with("library") { Ok("1.99.0".into()) } else { Err("it is another library".into()) }
    }

    fn game_servers(&self) -> ServerAddresses {
        let file = self.data_dir().join("game-servers-for-tests.txt");
        let address = std::fs::read_to_string(file).unwrap_or_else(|_| "http://127.0.0.1:1".into());
        ServerAddresses { ogs: address.clone(), kgs: address }
    }

    fn used_file(&self, path: &Path) {
        self.used.lock().push(path.to_owned());
    }

    fn drag_out(&self, path: &Path) -> std::io::Result<()> {
        self.dragged.lock().push(path.to_owned());
        Ok(())
    }

    fn on_battery(&self) -> bool {
        self.on_battery.load(Ordering::SeqCst)
    }

    fn is_full(&self) -> bool {
        self.full.load(Ordering::SeqCst)
    }

    fn watches_folders(&self) -> Option<Duration> {
        Some(Duration::from_millis(20))
    }

    fn emit(&self, event: Event) {
        let is_progress = matches!(&event, Event::Import(progress) if !progress.finished);
        let mut events = self.events.lock();
        if matches!(event, Event::Engine(_)) && self.dawdle.swap(false, Ordering::SeqCst) {
            self.told.wait_for(&mut events, Duration::from_millis(300));
        }
        events.push(event);
        self.told.notify_all();
        drop(events);
        let mut import = self.import.lock();
        if is_progress && *import == ImportHold::Wanted {
            *import = ImportHold::Held;
            self.import_changed.wait_while_for(&mut import, |import| *import == ImportHold::Held, PATIENCE);
        }
    }
}

/// An app with a uniform network behind it.
pub(crate) struct Desk {
    pub(crate) app: Arc<App>,
    pub(crate) host: Arc<TestHost>,
    pub(crate) client: Client,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self::with(true, None, Arc::new(UniformEvaluator::default()))
    }

    /// A host that keeps its disk to itself, as a browser's does.
    pub(crate) fn without_paths() -> Self {
        Self::with(false, None, Arc::new(UniformEvaluator::default()))
    }

    /// With a data folder that is there already.
    pub(crate) fn in_folder(data_dir: &Path) -> Self {
        Self::asking(data_dir, Arc::new(UniformEvaluator::default()))
    }

    /// With a data folder and somebody who answers in the name of the uniform network.
    pub(crate) fn asking(data_dir: &Path, evaluator: Arc<dyn Evaluator>) -> Self {
        Self::with(true, Some(data_dir.to_owned()), evaluator)
    }

    /// As [`Desk::asking`], with another network's name.
    pub(crate) fn of_network(data_dir: &Path, evaluator: Arc<dyn Evaluator>, network: &str) -> Self {
        let source = EngineSource::Given { evaluator, network: network.into() };
        Self::from_source(true, Some(data_dir.to_owned()), source, Vec::new())
    }

    /// As [`Desk::asking`]; no answer comes before the gate lets it pass.
    pub(crate) fn held(data_dir: &Path, evaluator: impl Evaluator + 'static) -> (Self, Arc<Gate>) {
        let gate = Arc::new(Gate::default());
        gate.allow(Some(0));
        (Self::asking(data_dir, Arc::new(GatedEvaluator::new(evaluator, Arc::clone(&gate)))), gate)
    }

    /// With a data folder whose networks answer, and the resources of the development tree.
    pub(crate) fn with_networks(data_dir: &Path) -> Self {
        let resources = vec![honinbo_testkit::fixtures::resources()];
        Self::from_source(true, Some(data_dir.to_owned()), EngineSource::Network, resources)
    }

    /// With the engine of another one, as everybody's own board on a server with rooms.
    pub(crate) fn sharing(owner: &Self) -> Self {
        Self::from_source(false, None, owner.app.shared_engine(), Vec::new())
    }

    fn with(paths: bool, data_dir: Option<PathBuf>, evaluator: Arc<dyn Evaluator>) -> Self {
        let source = EngineSource::Given { evaluator, network: "uniform".into() };
        Self::from_source(paths, data_dir, source, Vec::new())
    }

    fn from_source(paths: bool, data_dir: Option<PathBuf>, source: EngineSource, resources: Vec<PathBuf>) -> Self {
        let host = Arc::new(TestHost {
            folder: tempfile::tempdir().unwrap(),
            data_dir,
            began: Instant::now(),
            later: AtomicU64::new(0),
            stands: AtomicBool::new(false),
            events: Mutex::default(),
            told: Condvar::new(),
            paths,
            resources,
            disk: Mutex::default(),
            disk_changed: Condvar::new(),
            dawdle: AtomicBool::new(false),
            on_battery: AtomicBool::new(false),
            full: AtomicBool::new(false),
            import: Mutex::default(),
            import_changed: Condvar::new(),
            used: Mutex::default(),
            dragged: Mutex::default(),
        });
        let app = App::with_engine(Arc::clone(&host) as _, source);
        Self { app, host, client: Client::new() }
    }

    /// Does something while the disk finishes nothing that `writes` wants of it; then the disk goes on.
    pub(crate) fn while_the_disk_waits<T: Send>(
        &self,
        writes: impl FnOnce() -> T + Send,
        meanwhile: impl FnOnce() + Send,
    ) -> T {
        self.host.disk.lock().held = true;
        std::thread::scope(|scope| {
            let writing = scope.spawn(writes);
            let mut disk = self.host.disk.lock();
            self.host.disk_changed.wait_while_for(&mut disk, |disk| disk.waiting == 0, PATIENCE);
            assert!(disk.waiting > 0, "nothing was written");
            drop(disk);
            let (done, answered) = std::sync::mpsc::channel();
            scope.spawn(move || {
                meanwhile();
                let _ = done.send(());
            });
            let answered = answered.recv_timeout(PATIENCE);
            self.host.disk.lock().held = false;
            self.host.disk_changed.notify_all();
            assert!(answered.is_ok(), "somebody waited for the disk");
            writing.join().unwrap()
        })
    }

    /// Nothing more can be written, or it can again.
    pub(crate) fn disk_is_full(&self, full: bool) {
        self.host.disk.lock().full = full;
    }

    /// Gives a command as a socket would.
    pub(crate) fn give(&self, name: &str, args: Value) -> Result<Value, ApiError> {
        dispatch(&self.app, &self.client.begin(Pace::of(name)), name, args)
    }

    /// Gives a command that must succeed.
    pub(crate) fn must(&self, name: &str, args: Value) -> Value {
        self.give(name, args.clone()).unwrap_or_else(|error| panic!("{name} {args}: {error}"))
    }

    /// Opens a record and gives the game's name.
    pub(crate) fn open(&self, sgf: &str) -> String {
        use base64::Engine as _;
        let base64 = base64::engine::general_purpose::STANDARD.encode(sgf);
        let view = self.must("open_content", json!({"name": "game.sgf", "base64": base64}));
        view["gameId"].as_str().unwrap().to_owned()
    }

    /// Waits for an event.
    pub(crate) fn wait_for<T>(&self, mut wanted: impl FnMut(&Event) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        let mut events = self.host.events.lock();
        loop {
            if let Some(found) = events.iter().find_map(&mut wanted) {
                return found;
            }
            let timed_out = self.host.told.wait_until(&mut events, deadline).timed_out();
            assert!(
                !timed_out,
                "the event did not come; these did: {:#?}",
                events.iter().rev().take(5).collect::<Vec<_>>()
            );
        }
    }

    /// Seconds since 1970.
    pub(crate) fn now(&self) -> u64 {
        self.host.unix_seconds()
    }

    /// Moves the clock and the calendar on.
    pub(crate) fn sleep_for(&self, seconds: u64) {
        self.host.later.fetch_add(seconds, Ordering::SeqCst);
    }

    /// Has the clock stand from the beginning on, so that a busy machine proves no less.
    pub(crate) fn stop_clock(&self) {
        self.host.stands.store(true, Ordering::SeqCst);
    }

    /// Looks at everything that was told so far.
    pub(crate) fn each_event(&self, look: impl FnMut(&Event)) {
        self.host.events.lock().iter().for_each(look);
    }

    /// Waits until a sweep has ended, in whichever way.
    pub(crate) fn end_of_sweep(&self) -> SweepProgress {
        self.wait_for(|event| match event {
            Event::Graph(graph) => graph.sweep.clone().filter(|sweep| sweep.state != SweepState::Running),
            _ => None,
        })
    }

    /// As [`Self::end_of_sweep`], of the one with that number.
    pub(crate) fn end_of_sweep_of(&self, serial: u64) -> SweepProgress {
        self.wait_for(|event| match event {
            Event::Graph(graph) => graph
                .sweep
                .clone()
                .filter(|sweep| u64::from(sweep.serial) == serial && sweep.state != SweepState::Running),
            _ => None,
        })
    }

    /// The machine is taken off the mains, or put to it.
    pub(crate) fn runs_on_battery(&self, runs: bool) {
        self.host.on_battery.store(runs, Ordering::SeqCst);
    }

    /// The next import stops where it tells of its progress for the first time, until [`Desk::let_import_go_on`].
    pub(crate) fn hold_import(&self) {
        *self.host.import.lock() = ImportHold::Wanted;
    }

    /// An import that is held goes on.
    pub(crate) fn let_import_go_on(&self) {
        *self.host.import.lock() = ImportHold::Free;
        self.host.import_changed.notify_all();
    }

    /// The data folder has all that it may have.
    pub(crate) fn fill_up(&self) {
        self.host.full.store(true, Ordering::SeqCst);
    }

    /// The files that the system was told of, for its list of recent ones.
    pub(crate) fn used_files(&self) -> Vec<PathBuf> {
        self.host.used.lock().clone()
    }

    /// The files that began to be dragged out of the window.
    pub(crate) fn dragged_files(&self) -> Vec<PathBuf> {
        self.host.dragged.lock().clone()
    }

    /// The next news of the engine is slow to be told.
    pub(crate) fn dawdle(&self) {
        self.host.dawdle.store(true, Ordering::SeqCst);
    }

    /// What was told of the engine, in the order in which it came.
    pub(crate) fn states_of_the_engine(&self) -> Vec<EngineState> {
        let events = self.host.events.lock();
        let states = events.iter().filter_map(|event| match event {
            Event::Engine(status) => Some(status.state.clone()),
            _ => None,
        });
        states.collect()
    }

    pub(crate) fn forget_events(&self) {
        self.host.events.lock().clear();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.host.folder.path().join(name)
    }
}

/// A game's stones as text, `X` black and `O` white.
pub(crate) fn diagram(position: &Value, width: usize) -> String {
    let stones = position["stones"].as_array().unwrap();
    let glyph = |stone: &Value| match stone.as_i64() {
        Some(1) => 'X',
        Some(-1) => 'O',
        _ => '.',
    };
    stones.chunks(width).map(|row| row.iter().map(glyph).collect::<String>()).collect::<Vec<_>>().join("\n")
}
