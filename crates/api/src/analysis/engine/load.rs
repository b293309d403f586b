//! Reading the network when it is first needed.

use super::computing::Computing;
use super::devices::{DeviceMemory, KnownDevice, bare_view, best_settings, candidates, check_key, fastest, views};
use super::idle;
use super::joined::{ByEdges, Joined, JoinedNetwork, NETWORKS_FOR_JOINED_EDGES};
use super::measured::basis;
use super::meter::{Entrance, Meter};
use super::services::Services;
use super::trees::{TreeRoom, Trees};
use super::tuning::{Tunings, is_worth_measuring, key, key_of_kernels};
use super::{EngineSource, Shared, SharedEngine, Wanted};
use crate::analysis::resources::{DEFAULT_NETWORK, find_network, library_dirs, resource_dirs};
use crate::quick::waits_for_disk;
use crate::{ApiError, DeviceKernels, DeviceView, Devices, EnginePrecision, EngineState, Host};
use honinbo_evaluator::{
    AnswerMemory, CachingEvaluator, EvalError, EvalService, Evaluator, Priority, ServiceOptions, StopFlag,
};
use honinbo_net::bench::{BenchError, KernelChoice, Kernels, choose_kernels, tune};
use honinbo_net::onnx::{Operators, Precision};
use honinbo_net::{
    Device, DeviceCheckOptions, DeviceInfo, DeviceLimits, EvaluatorOptions, FallbackEvaluator, Family, Instructions,
    LibrarySearch, Limits, ModelCache, NetworkError, NetworkFile, NetworkHeader, OrtEvaluator, Runtime, check_device,
};
use honinbo_remote::{ConnectError, FallbackToLocal, RemoteEvaluator, RemoteOptions};
use honinbo_rules::{Board, Topology};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The most memory for answers that are remembered, in MiB: more is a slip of the keyboard.
const MAX_MEMORY_MIB: u32 = 64 << 10;

/// How long each setting is measured, the first time that a network meets a device.
const MEASURED: Duration = Duration::from_millis(400);

/// A network that answers.
pub(crate) struct Loaded {
    live: Arc<Entrance>,
    background: Arc<Entrance>,
    /// Counts what is computed, for both and for the networks on joined edges.
    meter: Arc<Meter>,
    /// The network's own name.
    pub(crate) network: String,
    /// What computes.
    pub(crate) computing: Computing,
    /// Search threads that keep it busy.
    pub(crate) threads: usize,
    /// KataGo's number for the network's architecture, where it is known.
    pub(crate) model_version: Option<u32>,
    /// Whether the network is of human style and wants to know who plays.
    pub(crate) human_style: bool,
    /// What remembers answers.
    memory: Option<Arc<AnswerMemory>>,
    /// What answers where edges are joined, if this network cannot.
    joined: Option<Arc<Joined>>,
    /// Whether it, or another network, answers where edges are joined.
    pub(crate) wraps: bool,
    /// The device, where it is to be measured with this network while nobody asks for anything.
    pub(super) unmeasured: Option<DeviceInfo>,
    /// What this is a share of.
    shared: Option<Arc<Loaded>>,
    /// How many hold on to it for longer than a search.
    holders: AtomicUsize,
    /// Memory for large trees.
    pub(super) trees: Arc<Trees>,
}

impl Loaded {
    /// Whether somebody goes on with it whatever is read meanwhile.
    pub(super) fn is_held(&self) -> bool {
        self.holders.load(Ordering::Relaxed) > 0
    }
}

/// A network that somebody holds on to, as the protocols do from their beginning to their end.
pub(crate) struct Held(Arc<Loaded>);

impl Held {
    pub(crate) fn new(loaded: Arc<Loaded>) -> Self {
        loaded.holders.fetch_add(1, Ordering::Relaxed);
        Self(loaded)
    }
}

impl std::ops::Deref for Held {
    type Target = Loaded;

    fn deref(&self) -> &Loaded {
        &self.0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.holders.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What reading a network gives.
pub(super) struct Opened {
    pub(super) live: Arc<dyn Evaluator>,
    pub(super) background: Arc<dyn Evaluator>,
    meter: Arc<Meter>,
    network: String,
    computing: Computing,
    model_version: Option<u32>,
    human_style: bool,
    memory: Option<Arc<AnswerMemory>>,
    joined: Option<Arc<Joined>>,
    wraps: bool,
    unmeasured: Option<DeviceInfo>,
    /// The queue behind both ends, which keep it.
    service: Option<Arc<EvalService>>,
    shared: Option<Arc<Loaded>>,
}

impl Opened {
    /// Evaluators of somebody else's, for tests.
    fn given(live: &Arc<dyn Evaluator>, background: &Arc<dyn Evaluator>, network: &str, meter: &Arc<Meter>) -> Self {
        Self {
            live: Arc::new(meter.over(Arc::clone(live))),
            background: Arc::new(meter.over(Arc::clone(background))),
            meter: Arc::clone(meter),
            network: network.to_owned(),
            computing: Computing::default(),
            model_version: None,
            human_style: false,
            memory: None,
            joined: None,
            wraps: true,
            unmeasured: None,
            service: None,
            shared: None,
        }
    }

    /// What another back end has loaded. Its memory is everybody's and not for one of them to clear.
    fn share_of(engine: &SharedEngine) -> Result<Self, ApiError> {
        let loaded = engine.load()?;
        Ok(Self {
            live: engine.end(loaded.evaluator()),
            background: engine.end(loaded.background()),
            meter: Arc::clone(&loaded.meter),
            network: loaded.network.clone(),
            computing: loaded.computing.shared(),
            model_version: loaded.model_version,
            human_style: loaded.human_style,
            memory: None,
            joined: loaded.joined.clone(),
            wraps: loaded.wraps,
            unmeasured: None,
            service: None,
            shared: Some(loaded),
        })
    }

    /// Has its queue closed at the end of the program at the latest.
    fn known_to(self, services: &Services) -> Self {
        if let Some(service) = &self.service {
            services.add(service);
        }
        self
    }

    /// Forgets remembered answers.
    pub(super) fn clear_cache(&self) {
        if let Some(memory) = &self.memory {
            memory.clear();
        }
    }
}

impl Loaded {
    /// Forgets remembered answers.
    pub(crate) fn clear_cache(&self) {
        if let Some(memory) = &self.memory {
            memory.clear();
        }
        if let Some(joined) = &self.joined {
            joined.clear_cache();
        }
    }

    /// The name of the network that answers on a board; without one, where edges end.
    pub(crate) fn network_on<'a>(&self, board: impl Into<Option<&'a Board>>) -> &str {
        let other = self.joined.as_ref().zip(board.into()).and_then(|(joined, board)| joined.network_on(board));
        other.unwrap_or(&self.network)
    }

    /// Whether another network answers where edges are joined.
    pub(crate) fn has_second(&self) -> bool {
        self.joined.is_some()
    }

    /// The evaluator, for what a person waits for. It goes on answering whatever is read meanwhile.
    pub(crate) fn evaluator(&self) -> Arc<dyn Evaluator> {
        Arc::clone(&self.live) as Arc<dyn Evaluator>
    }

    /// As [`Loaded::evaluator`], for what may take its time.
    pub(crate) fn background(&self) -> Arc<dyn Evaluator> {
        Arc::clone(&self.background) as Arc<dyn Evaluator>
    }

    /// Room for the tree of a search.
    pub(crate) fn tree_room(&self) -> TreeRoom {
        TreeRoom::new(&self.trees)
    }

    /// Measured while working; 0 before.
    pub(crate) fn evaluations_per_second(&self) -> f64 {
        self.meter.evaluations_per_second()
    }

    /// As [`Loaded::evaluations_per_second`], once it worked long enough to be believed.
    pub(super) fn measured_speed(&self) -> Option<f64> {
        self.meter.measured_speed()
    }
}

impl Shared {
    /// The evaluator, read now if it has not been. Several callers at once wait for one reading.
    pub(super) fn load(self: &Arc<Self>) -> Result<Arc<Loaded>, ApiError> {
        self.demand.ask();
        if let Some(loaded) = &self.state.lock().loaded {
            return Ok(Arc::clone(loaded));
        }
        let _one_at_a_time = self.loading.lock();
        let (wanted, outdated) = {
            let mut state = self.state.lock();
            if state.shut_down {
                return Err(ending());
            }
            if let Some(loaded) = &state.loaded {
                return Ok(Arc::clone(loaded));
            }
            state.engine = EngineState::Loading;
            (state.wanted.clone(), state.outdated)
        };
        self.emit_status();
        let result = self.read(&wanted).map(Arc::new);
        {
            let mut state = self.state.lock();
            if state.shut_down {
                // Let go here, where the end of the program waits for it.
                drop(state);
                drop(result);
                return Err(ending());
            }
            // Something else may be wanted since it began to be read; then it serves only who waited for it.
            if state.outdated == outdated {
                match &result {
                    Ok(loaded) => {
                        state.loaded = Some(Arc::clone(loaded));
                        state.engine = EngineState::Ready;
                        idle::measure_later(self, loaded);
                    }
                    Err(error) => state.engine = failed(error),
                }
            }
        }
        self.emit_status();
        result
    }

    /// Whether this is what answers now.
    pub(super) fn is_loaded(&self, loaded: &Arc<Loaded>) -> bool {
        self.state.lock().loaded.as_ref().is_some_and(|now| Arc::ptr_eq(now, loaded))
    }

    /// Reads the network again when it is next needed, if this one, which fails, is still in use. Whoever it is a share of
    /// does the same.
    pub(super) fn let_go_of(&self, failed: &Arc<Loaded>) {
        let mut state = self.state.lock();
        let before = state.loaded.take_if(|now| Arc::ptr_eq(now, failed));
        state.outdated += u64::from(before.is_some());
        drop(state);
        drop(before);
        if let (EngineSource::Shared(engine), Some(owners)) = (&self.source, &failed.shared) {
            engine.let_go_of(owners);
        }
    }

    /// The name of the network that answers on a board, without one where edges end, or will once it is read; `None` when
    /// its file has none or is not there. Until it is read, nobody knows whether it can see across joined edges.
    pub(super) fn network_name<'a>(&self, board: impl Into<Option<&'a Board>>) -> Option<String> {
        let board = board.into();
        let wanted = {
            let state = self.state.lock();
            if let Some(loaded) = &state.loaded {
                return Some(loaded.network_on(board).to_owned());
            }
            state.wanted.network.clone()
        };
        match &self.source {
            EngineSource::Given { network, .. } => return Some(given_name(network, &wanted)),
            EngineSource::TwoEnds { network, .. } => return Some(network.clone()),
            EngineSource::Shared(engine) => return engine.network_name(board),
            EngineSource::Network => {}
        }
        let mut named = self.named.lock();
        if let Some((_, name)) = named.as_ref().filter(|(of, _)| *of == wanted) {
            return Some(name.clone());
        }
        waits_for_disk();
        let name = NetworkFile::name_of(&self.network_path(&wanted)?)?;
        *named = Some((wanted, name.clone()));
        Some(name)
    }

    fn network_path(&self, name: &str) -> Option<PathBuf> {
        let name = if name.is_empty() { DEFAULT_NETWORK } else { name };
        find_network(name, &self.host.data_dir(), &resource_dirs(&self.host.resource_dirs()))
    }

    pub(super) fn read(&self, wanted: &Wanted) -> Result<Loaded, ApiError> {
        let host = Arc::clone(&self.host);
        let meter = Arc::new(Meter::new(Arc::new(move || host.monotonic())));
        let threads = cores_for(wanted);
        let opened = match &self.source {
            EngineSource::Given { evaluator, network } => {
                Opened::given(evaluator, evaluator, &given_name(network, &wanted.network), &meter)
            }
            EngineSource::TwoEnds { live, background, network } => Opened::given(live, background, network, &meter),
            EngineSource::Shared(engine) => Opened::share_of(engine)?,
            EngineSource::Network => self.read_network(wanted, threads, &meter)?.known_to(&self.services),
        };
        let profile = if opened.human_style { super::STRONGEST_PROFILE.parse().ok() } else { None };
        let entrance = |inner, priority| Arc::new(Entrance::new(inner, profile, Arc::clone(&self.demand), priority));
        Ok(Loaded {
            live: entrance(opened.live, Priority::Live),
            background: entrance(opened.background, Priority::Batch),
            meter: opened.meter,
            network: opened.network,
            computing: opened.computing,
            threads,
            model_version: opened.model_version,
            human_style: opened.human_style,
            memory: opened.memory,
            joined: opened.joined,
            wraps: opened.wraps,
            unmeasured: opened.unmeasured,
            shared: opened.shared,
            holders: AtomicUsize::new(0),
            trees: Arc::clone(&self.trees),
        })
    }

    /// ONNX Runtime, loaded now if it has not been.
    fn runtime(&self) -> Result<Runtime, ApiError> {
        let resources = resource_dirs(&self.host.resource_dirs());
        let folders = library_dirs(&self.host.data_dir(), &resources);
        Runtime::load(&LibrarySearch::new(None, folders)).map_err(|error| unavailable(&error, error.hint()))
    }

    fn read_network(&self, wanted: &Wanted, threads: usize, meter: &Arc<Meter>) -> Result<Opened, ApiError> {
        let file = self.network_file(wanted)?;
        let runtime = self.runtime()?;
        let opened = match &wanted.inference {
            None => open(&self.host, wanted, threads, file, runtime.clone(), &self.ending, meter)?,
            Some(inference) => {
                let clock = stopwatch();
                let how = opening(&*self.host, wanted, threads, file, runtime.clone(), &clock, &self.ending);
                how.open_elsewhere(inference, &wanted.device, meter)?
            }
        };
        Ok(if opened.wraps { opened } else { self.with_joined(opened, wanted, threads, &runtime) })
    }

    /// Has the networks for joined edges answer where the one in use cannot, if they are there.
    fn with_joined(&self, opened: Opened, wanted: &Wanted, threads: usize, runtime: &Runtime) -> Opened {
        let there = NETWORKS_FOR_JOINED_EDGES.iter().filter_map(|bundled| {
            let path = self.network_path(bundled.file)?;
            let network = NetworkFile::name_of(&path)?;
            let (host, wanted, ending) = (Arc::clone(&self.host), wanted.clone(), self.ending.clone());
            let (runtime, services, meter) = (runtime.clone(), Arc::clone(&self.services), Arc::clone(&opened.meter));
            Some(JoinedNetwork::new(bundled, network, move || {
                let file = read_file(&path)?;
                Ok(open(&host, &wanted, threads, file, runtime.clone(), &ending, &meter)?.known_to(&services))
            }))
        });
        let joined = Arc::new(Joined(there.collect()));
        if !joined.fit_everywhere() {
            return opened;
        }
        let by_edges = |ending, priority| {
            Arc::new(ByEdges { ending, joined: Arc::clone(&joined), priority }) as Arc<dyn Evaluator>
        };
        Opened {
            live: by_edges(opened.live, Priority::Live),
            background: by_edges(opened.background, Priority::Batch),
            wraps: true,
            joined: Some(joined),
            ..opened
        }
    }

    fn network_file(&self, wanted: &Wanted) -> Result<Arc<NetworkFile>, ApiError> {
        let name = if wanted.network.is_empty() { DEFAULT_NETWORK } else { &wanted.network };
        let Some(path) = self.network_path(&wanted.network) else {
            return Err(ApiError::EngineUnavailable {
                message: format!("the network {name} is not there"),
                hint: format!(
                    "put it into {}, or choose another network",
                    self.host.data_dir().join("networks").display()
                ),
            });
        };
        read_file(&path)
    }

    /// Measures a device with the network that is wanted, as far as that was not done before. Returns whether something
    /// else is faster than what computes now.
    pub(super) fn measure_idle(&self, info: &DeviceInfo, stop: &StopFlag) -> Result<bool, BenchError> {
        let Some(_alone) = self.measuring.try_lock() else { return Err(EvalError::Cancelled.into()) };
        // The end of the program waits for whoever reads or measures.
        let _one_at_a_time = self.loading.lock();
        let wanted = {
            let state = self.state.lock();
            if state.shut_down {
                return Err(EvalError::Cancelled.into());
            }
            state.wanted.clone()
        };
        let (Ok(file), Ok(runtime)) = (self.network_file(&wanted), self.runtime()) else { return Ok(false) };
        let clock = stopwatch();
        opening(&*self.host, &wanted, cores_for(&wanted), file, runtime, &clock, stop).measure(info)
    }

    /// What can compute, and what is known of it with the network in use; checked again first where that is wanted.
    pub(super) fn devices(&self, check: Option<&StopFlag>) -> Result<Devices, ApiError> {
        let wanted = self.state.lock().wanted.clone();
        let cores = cores_for(&wanted);
        let given = match &self.source {
            EngineSource::Given { .. } | EngineSource::TwoEnds { .. } => Some(Computing::default()),
            EngineSource::Shared(engine) => Some(engine.computing()),
            EngineSource::Network => None,
        };
        if let Some(computing) = given {
            let device =
                DeviceView { device: computing.kind(), name: computing.name().into(), ..DeviceView::default() };
            return Ok(Devices { runtime: String::new(), cores: to_u32(cores), devices: vec![device] });
        }
        let runtime = self.runtime()?;
        let (version, devices) = (runtime.version(), runtime.devices());
        let file = match self.network_file(&wanted) {
            // What there is can be told without a network; how fast it is cannot.
            Err(_) if check.is_none() => {
                let devices = devices.iter().map(bare_view).collect();
                return Ok(Devices { runtime: version, cores: to_u32(cores), devices });
            }
            file => file?,
        };
        let clock = stopwatch();
        let unstopped = StopFlag::new();
        let how = opening(&*self.host, &wanted, cores, file, runtime, &clock, check.unwrap_or(&unstopped));
        if check.is_some() {
            how.devices.forget();
            how.tunings.forget();
            let unmeasured = |error| match error {
                BenchError::Evaluation(EvalError::Cancelled) => ApiError::Cancelled,
                other => unavailable(&other, "choose another network"),
            };
            how.measure_kernels().map_err(unmeasured)?;
            for info in &devices {
                how.known(info).map_err(unmeasured)?;
            }
        }
        let in_use = self.state.lock().loaded.as_ref().and_then(|loaded| loaded.computing.device());
        let known = devices.into_iter().map(|info| {
            let known = how.devices.get(&info, &how.key_of_check());
            (info, known)
        });
        let mut devices = views(&known.collect::<Vec<_>>(), in_use, &wanted.device);
        let processor = Device::Cpu.to_string();
        if let Some(processor) = devices.iter_mut().find(|view| view.device == processor) {
            processor.kernels = how.kernels().map(kernels_view);
        }
        Ok(Devices { runtime: version, cores: to_u32(cores), devices })
    }
}

fn kernels_view(choice: KernelChoice) -> DeviceKernels {
    DeviceKernels {
        own: choice.kernels == Kernels::Own,
        own_per_second: choice.own_per_second.into(),
        library_per_second: choice.library_per_second.into(),
    }
}

/// What an evaluator that was given is called while this network is chosen.
fn given_name(usual: &str, chosen: &str) -> String {
    if chosen.is_empty() { usual } else { chosen }.to_owned()
}

fn read_file(path: &Path) -> Result<Arc<NetworkFile>, ApiError> {
    let file = NetworkFile::open(path, &Limits::default()).map_err(|error| unavailable(&error, error.hint()))?;
    Ok(Arc::new(file))
}

/// Time for measuring speeds: the machine's own, as a host's clock may be scripted and stand still.
fn stopwatch() -> impl Fn() -> Duration {
    let began = Instant::now();
    move || began.elapsed()
}

/// Makes a network ready on the device that is wanted.
fn open(
    host: &Arc<dyn Host>,
    wanted: &Wanted,
    cores: usize,
    file: Arc<NetworkFile>,
    runtime: Runtime,
    stop: &StopFlag,
    meter: &Arc<Meter>,
) -> Result<Opened, ApiError> {
    let clock = stopwatch();
    opening(&**host, wanted, cores, file, runtime, &clock, stop).open(&wanted.device, meter)
}

fn opening<'a>(
    host: &dyn Host,
    wanted: &Wanted,
    cores: usize,
    file: Arc<NetworkFile>,
    runtime: Runtime,
    clock: &'a dyn Fn() -> Duration,
    stop: &'a StopFlag,
) -> Opening<'a> {
    let precision = match wanted.precision {
        EnginePrecision::Auto => Precision::auto(file.model.trunk.channels),
        EnginePrecision::Exact => Precision::Fp32,
        EnginePrecision::Fast => Precision::fast(),
    };
    let data_dir = host.data_dir();
    let processor = runtime.devices().into_iter().find(|info| info.device == Device::Cpu);
    let processor = processor.map(|info| info.name).unwrap_or_default();
    Opening {
        basis: basis(&processor, &Instructions::best().to_string(), cores),
        file,
        runtime,
        cache: ModelCache::new(data_dir.join("cache")),
        tunings: Tunings::in_folder(&data_dir),
        devices: DeviceMemory::in_folder(&data_dir, host.unix_seconds()),
        memory: (wanted.memory_mib.clamp(1, MAX_MEMORY_MIB) as usize) << 20,
        cores,
        precision,
        may_have_fewer_bits: wanted.precision == EnginePrecision::Fast,
        may_measure: wanted.threads == 0,
        clock,
        stop,
    }
}

fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Cores that the person lets it have.
fn cores_for(wanted: &Wanted) -> usize {
    match wanted.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        some => (some as usize).min(256),
    }
}

/// How a network is made ready.
struct Opening<'a> {
    file: Arc<NetworkFile>,
    runtime: Runtime,
    cache: ModelCache,
    tunings: Tunings,
    devices: DeviceMemory,
    /// What is measured holds for this.
    basis: String,
    /// Bytes for answers that are remembered.
    memory: usize,
    cores: usize,
    /// On a processor.
    precision: Precision,
    /// On other devices: 16 bits, where they answer rightly and are faster. They have played no match that decides.
    may_have_fewer_bits: bool,
    /// Nobody chose the threads, so the fastest may be looked for.
    may_measure: bool,
    clock: &'a dyn Fn() -> Duration,
    stop: &'a StopFlag,
}

impl Opening<'_> {
    /// Opens it on the device of that name; without a name on the fastest that answers rightly.
    fn open(&self, device: &str, meter: &Arc<Meter>) -> Result<Opened, ApiError> {
        let devices = self.runtime.devices();
        if !device.is_empty() {
            let info = self.named(device)?;
            let is_card = candidates(&devices).any(|known| known.device == info.device);
            // Whatever is found: it was asked for by name, and only how many bits it should have is in question.
            if is_card && matches!(self.known(&info), Err(BenchError::Evaluation(EvalError::Cancelled))) {
                return Err(ending());
            }
            return self.open_on(&info, meter).map_err(|error| unavailable(&error, error.hint()));
        }
        let mut known = Vec::new();
        for info in candidates(&devices) {
            match self.known(info) {
                Ok(found) => known.push(found),
                Err(BenchError::Evaluation(EvalError::Cancelled)) => return Err(ending()),
                // The processor cannot answer either, and says why when it is opened below.
                Err(error) => tracing::warn!(%error, device = %info.device, "a device cannot be checked"),
            }
        }
        let mut refusals: Vec<String> = known.iter().filter_map(KnownDevice::refusal).collect();
        let of = |device: Device| devices.iter().find(|info| info.device == device);
        if let Some(info) = fastest(&known).and_then(|best| of(best.device)) {
            match self.open_on(info, meter) {
                Ok(opened) => return Ok(Opened { computing: opened.computing.after(refusals), ..opened }),
                Err(error) => refusals.push(format!("{} is not used: {error}", info.name)),
            }
        }
        for sentence in &refusals {
            tracing::warn!("{sentence}");
        }
        let Some(processor) = of(Device::Cpu) else {
            return Err(unavailable(&"ONNX Runtime knows no device", "install Honinbo again"));
        };
        let opened = self.open_on(processor, meter).map_err(|error| unavailable(&error, error.hint()))?;
        Ok(Opened { computing: opened.computing.after(refusals), ..opened })
    }

    /// The device of that name. One that is not there is asked all the same: it says best why it cannot.
    fn named(&self, device: &str) -> Result<DeviceInfo, ApiError> {
        let device: Device = device
            .parse()
            .map_err(|error: honinbo_net::UnknownDevice| ApiError::InvalidRequest { message: error.to_string() })?;
        let known = self.runtime.devices().into_iter().find(|info| info.device == device);
        let (name, fingerprint) = (String::new(), String::new());
        Ok(known.unwrap_or(DeviceInfo { device, name, is_software: false, fingerprint }))
    }

    /// Has servers compute it, and the device of that name, the processor without one, while none of them answers.
    fn open_elsewhere(&self, inference: &RemoteOptions, device: &str, meter: &Arc<Meter>) -> Result<Opened, ApiError> {
        let info = self.named(if device.is_empty() { "cpu" } else { device })?;
        let here = self.computer(&info).map_err(|error| unavailable(&error, error.hint()))?;
        let header = NetworkHeader::of(&self.file);
        let remote = match RemoteEvaluator::connect(inference, header, &here.evaluator, self.stop) {
            Ok(remote) => remote,
            Err(ConnectError::Reference(EvalError::Cancelled)) => return Err(ending()),
            Err(error) => return Err(unavailable(&error, error.hint())),
        };
        let service = ServiceOptions::for_sessions(remote.concurrency(), remote.batch());
        let both = Arc::new(FallbackToLocal::new(remote, here.evaluator));
        let computing = here.computing.behind(Arc::clone(&both));
        // What is not used is not measured.
        Ok(self.serve(both, service, computing, None, meter))
    }

    fn options(&self, device: Device) -> EvaluatorOptions {
        let mut options = EvaluatorOptions { cache: Some(self.cache.clone()), ..EvaluatorOptions::cpu(self.cores) };
        options.device = device;
        if device == Device::Cpu {
            options.precision = self.precision;
            options.own_kernels &= self.kernels().is_none_or(|choice| choice.kernels == Kernels::Own);
        } else {
            // One session keeps a graphics card busy with large batches.
            options.sessions = 1;
            options.batch = 64;
        }
        options
    }

    fn key_of_check(&self) -> String {
        check_key(&self.file.sha256, self.may_have_fewer_bits, self.precision, &self.basis)
    }

    /// What is known of a device with this network, found out now if nothing is.
    fn known(&self, info: &DeviceInfo) -> Result<KnownDevice, BenchError> {
        self.devices.get_or_check(info, &self.key_of_check(), || self.check(info))
    }

    fn key_of_kernels(&self) -> String {
        key_of_kernels(&self.file.sha256, &self.precision.to_string(), &self.runtime.version(), &self.basis)
    }

    /// Which kernels were found to be faster for this network on this processor.
    fn kernels(&self) -> Option<KernelChoice> {
        self.tunings.kernels(&self.key_of_kernels())
    }

    /// Measures which kernels are faster, and remembers it.
    fn measure_kernels(&self) -> Result<(), BenchError> {
        let options = EvaluatorOptions {
            cache: Some(self.cache.clone()),
            precision: self.precision,
            ..EvaluatorOptions::cpu(self.cores)
        };
        let choice = choose_kernels(&self.file, &self.runtime, &options, MEASURED, self.clock, self.stop)?;
        if let Some(choice) = choice {
            self.tunings.keep_kernels(&self.key_of_kernels(), choice);
        }
        Ok(())
    }

    fn ready(&self, options: &EvaluatorOptions) -> Result<OrtEvaluator, NetworkError> {
        let evaluator = OrtEvaluator::new(self.runtime.clone(), Arc::clone(&self.file), options.clone());
        evaluator.prepare(19, 19, Topology::Plane)?;
        Ok(evaluator)
    }

    /// Compares a device with the processor and measures both.
    fn check(&self, info: &DeviceInfo) -> Result<KnownDevice, BenchError> {
        let on_processor = self.options(Device::Cpu);
        let processor = self.ready(&on_processor)?;
        let options = self.options(info.device);
        if info.device == Device::Cpu {
            // What it computes is what others are compared with.
            return self.check_with(info, &options, &processor, &processor);
        }
        let exact = match processor.precision() {
            Precision::Fp32 => None,
            _ => Some(self.ready(&EvaluatorOptions { precision: Precision::Fp32, sessions: 1, ..on_processor })?),
        };
        let reference = exact.as_ref().unwrap_or(&processor);
        let check = |options: &EvaluatorOptions| self.check_with(info, options, reference, &processor);
        best_settings(&options, self.may_have_fewer_bits, check)
    }

    fn check_with(
        &self,
        info: &DeviceInfo,
        options: &EvaluatorOptions,
        reference: &OrtEvaluator,
        processor: &OrtEvaluator,
    ) -> Result<KnownDevice, BenchError> {
        let device = match self.ready(options) {
            Ok(device) => device,
            Err(error) => return Ok(KnownDevice::refused(info, Some(error.to_string()))),
        };
        let how = DeviceCheckOptions { limits: DeviceLimits::of(options.precision), time: MEASURED };
        let check = check_device(&device, reference, processor, &how, self.clock, self.stop)?;
        Ok(KnownDevice::of(info, (device.precision(), options.operators), check, device.nodes()))
    }

    /// The name under which sessions and batch of a device are remembered; `None` where there is nothing to choose.
    fn key_of_settings(&self, info: &DeviceInfo) -> Option<String> {
        let is_processor = info.device == Device::Cpu;
        let is_chosen = self.may_measure && !info.is_software && is_worth_measuring(is_processor, self.cores);
        let on = if is_processor { info.device.to_string() } else { format!("{} {}", info.device, info.fingerprint) };
        is_chosen.then(|| key(&self.file.sha256, self.numbers(info), &on, &self.basis))
    }

    /// How a device stores numbers, and what its graphs are made of; as usual before it was checked.
    fn numbers(&self, info: &DeviceInfo) -> (Precision, Option<Operators>) {
        if info.device == Device::Cpu {
            return (self.precision, None);
        }
        let known = self.devices.get(info, &self.key_of_check());
        known.map_or((Precision::Fp32, None), |known| (known.precision, known.operators))
    }

    /// What was found to be fastest on a device; the usual settings before anything was measured.
    fn fastest_options(&self, info: &DeviceInfo) -> EvaluatorOptions {
        let mut options = self.options(info.device);
        (options.precision, options.operators) = self.numbers(info);
        if let Some(tuning) = self.key_of_settings(info).and_then(|key| self.tunings.get(&key)) {
            (options.sessions, options.batch) = (tuning.sessions, tuning.batch);
        }
        options
    }

    /// The name under which nothing is remembered yet of a device's settings.
    fn unknown_settings(&self, info: &DeviceInfo) -> Option<String> {
        self.key_of_settings(info).filter(|key| self.tunings.get(key).is_none())
    }

    /// Whose kernels compute is open.
    fn kernels_are_unknown(&self, info: &DeviceInfo) -> bool {
        let is_chosen = info.device == Device::Cpu && self.may_measure && EvaluatorOptions::cpu(self.cores).own_kernels;
        is_chosen && self.kernels().is_none()
    }

    /// Measures what is open about a device; returns whether something else is faster than what is used without that.
    fn measure(&self, info: &DeviceInfo) -> Result<bool, BenchError> {
        let settings = |options: &EvaluatorOptions| (options.own_kernels, options.sessions, options.batch);
        let before = self.fastest_options(info);
        if self.kernels_are_unknown(info) {
            self.measure_kernels()?;
        }
        if let Some(key) = self.unknown_settings(info) {
            let options = before.clone();
            let tuning = tune(&self.file, &self.runtime, &options, MEASURED, self.clock, self.stop)?;
            self.tunings.keep(&key, tuning);
        }
        Ok(settings(&self.fastest_options(info)) != settings(&before))
    }

    fn open_on(&self, info: &DeviceInfo, meter: &Arc<Meter>) -> Result<Opened, NetworkError> {
        let Computer { evaluator, options, computing } = self.computer(info)?;
        let service = ServiceOptions::for_sessions(options.sessions, options.batch);
        let is_unmeasured = self.kernels_are_unknown(info) || self.unknown_settings(info).is_some();
        Ok(self.serve(evaluator, service, computing, is_unmeasured.then(|| info.clone()), meter))
    }

    /// What computes on a device, and on the processor once that is lost.
    fn computer(&self, info: &DeviceInfo) -> Result<Computer, NetworkError> {
        let options = self.fastest_options(info);
        let evaluator = self.ready(&options)?;
        let nodes = evaluator.nodes();
        if info.device == Device::Cpu {
            let computing = Computing::new(info, nodes, None);
            return Ok(Computer { evaluator: Arc::new(evaluator), options, computing });
        }
        let (runtime, file, on_processor) = (self.runtime.clone(), Arc::clone(&self.file), self.options(Device::Cpu));
        let make = move || {
            let evaluator = OrtEvaluator::new(runtime.clone(), Arc::clone(&file), on_processor.clone());
            Ok(Arc::new(evaluator) as Arc<dyn Evaluator>)
        };
        let evaluator = FallbackEvaluator::new(Arc::new(evaluator), make);
        let computing = Computing::new(info, nodes, Some(evaluator.loss()));
        Ok(Computer { evaluator: Arc::new(evaluator), options, computing })
    }

    /// Puts queue, meter and memory in front of what computes.
    fn serve(
        &self,
        evaluator: Arc<dyn Evaluator>,
        options: ServiceOptions,
        computing: Computing,
        unmeasured: Option<DeviceInfo>,
        meter: &Arc<Meter>,
    ) -> Opened {
        let network = self.file.info();
        let service = Arc::new(EvalService::new(evaluator, options));
        let memory = Arc::new(AnswerMemory::new(self.memory));
        let end = |priority| {
            let queue = meter.over(service.lasting_handle(priority));
            Arc::new(CachingEvaluator::sharing(queue, Arc::clone(&memory)))
        };
        Opened {
            live: end(Priority::Live),
            background: end(Priority::Batch),
            meter: Arc::clone(meter),
            network: network.name,
            computing,
            model_version: Some(network.version),
            human_style: network.human_style,
            memory: Some(memory),
            joined: None,
            wraps: network.family == Family::Convolutional,
            unmeasured,
            service: Some(service),
            shared: None,
        }
    }
}

/// What computes a network, and how.
struct Computer {
    evaluator: Arc<dyn Evaluator>,
    options: EvaluatorOptions,
    computing: Computing,
}

pub(super) fn ending() -> ApiError {
    ApiError::EngineUnavailable { message: "the program is ending".into(), hint: "start it again".into() }
}

fn unavailable(error: &dyn std::fmt::Display, hint: &str) -> ApiError {
    ApiError::EngineUnavailable { message: error.to_string(), hint: hint.to_owned() }
}

/// A failure as windows see it.
pub(super) fn failed(error: &ApiError) -> EngineState {
    match error {
        ApiError::EngineUnavailable { message, hint } => {
            EngineState::Failed { message: message.clone(), hint: hint.clone() }
        }
        other => EngineState::Failed { message: other.to_string(), hint: String::new() },
    }
}
