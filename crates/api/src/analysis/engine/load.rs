//! Reading the network when it is first needed.

use super::meter::{Clock, Metered};
use super::tuning::{Tunings, is_worth_measuring, key};
use super::{EngineSource, Shared, Wanted};
use crate::analysis::resources::{DEFAULT_NETWORK, find_network, resource_dirs};
use crate::{ApiError, EngineState};
use honinbo_evaluator::{AnswerMemory, CachingEvaluator, EvalService, Evaluator, Priority, ServiceOptions, StopFlag};
use honinbo_net::bench::tune;
use honinbo_net::{
    Device, EvaluatorOptions, LibrarySearch, Limits, ModelCache, NetworkError, NetworkFile, OrtEvaluator, Runtime,
};
use honinbo_rules::Topology;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Memory for answers that are remembered.
const CACHE_BYTES: usize = 128 << 20;

/// How long each setting is measured, the first time that a network meets a device.
const MEASURED: Duration = Duration::from_millis(400);

/// A network that answers.
pub(crate) struct Loaded {
    live: Arc<Metered>,
    background: Arc<Metered>,
    /// The network's own name.
    pub(crate) network: String,
    /// The device that computes.
    pub(crate) device: String,
    /// Search threads that keep it busy.
    pub(crate) threads: usize,
    /// KataGo's number for the network's architecture, where it is known.
    pub(crate) model_version: Option<u32>,
    /// Whether the network is of human style and wants to know who plays.
    pub(crate) human_style: bool,
    /// What remembers answers.
    memory: Option<Arc<AnswerMemory>>,
    /// Ends its threads when the last user is gone.
    _service: Option<EvalService>,
}

/// What reading a network gives.
struct Opened {
    live: Arc<dyn Evaluator>,
    background: Arc<dyn Evaluator>,
    network: String,
    device: String,
    model_version: Option<u32>,
    human_style: bool,
    memory: Option<Arc<AnswerMemory>>,
    service: Option<EvalService>,
}

impl Loaded {
    /// Forgets remembered answers.
    pub(crate) fn clear_cache(&self) {
        if let Some(memory) = &self.memory {
            memory.clear();
        }
    }

    /// The evaluator, for what a person waits for.
    pub(crate) fn evaluator(&self) -> Arc<dyn Evaluator> {
        Arc::clone(&self.live) as Arc<dyn Evaluator>
    }

    /// The evaluator, for what may take its time.
    pub(crate) fn background(&self) -> Arc<dyn Evaluator> {
        Arc::clone(&self.background) as Arc<dyn Evaluator>
    }

    /// Measured while working; 0 before.
    pub(crate) fn evaluations_per_second(&self) -> f64 {
        self.live.evaluations_per_second()
    }
}

impl Shared {
    /// The evaluator, read now if it has not been. Several callers at once wait for one reading.
    pub(super) fn load(&self) -> Result<Arc<Loaded>, ApiError> {
        let _one_at_a_time = self.loading.lock();
        let wanted = {
            let mut state = self.state.lock();
            if state.shut_down {
                return Err(ending());
            }
            if let Some(loaded) = &state.loaded {
                return Ok(Arc::clone(loaded));
            }
            state.engine = EngineState::Loading;
            state.wanted.clone()
        };
        self.tell_status();
        let result = self.read(&wanted).map(Arc::new);
        {
            let mut state = self.state.lock();
            if state.shut_down {
                // Let go here, where the end of the program waits for it.
                drop(state);
                drop(result);
                return Err(ending());
            }
            // Settings may have changed while the network was read; then it serves only who waited for it.
            if state.wanted == wanted {
                match &result {
                    Ok(loaded) => {
                        state.loaded = Some(Arc::clone(loaded));
                        state.engine = EngineState::Ready;
                    }
                    Err(error) => state.engine = failed(error),
                }
            }
        }
        self.tell_status();
        result
    }

    /// The name of the network that answers, or will once it is read; `None` when its file has none or is not there.
    pub(super) fn network_name(&self) -> Option<String> {
        let wanted = {
            let state = self.state.lock();
            if let Some(loaded) = &state.loaded {
                return Some(loaded.network.clone());
            }
            state.wanted.network.clone()
        };
        if let EngineSource::Given { network, .. } = &self.source {
            return Some(network.clone());
        }
        let mut named = self.named.lock();
        if let Some((_, name)) = named.as_ref().filter(|(of, _)| *of == wanted) {
            return Some(name.clone());
        }
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
        let clock: Clock = Arc::new(move || host.monotonic());
        let threads = match wanted.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            some => (some as usize).min(256),
        };
        let opened = match &self.source {
            EngineSource::Given { evaluator, network } => Opened {
                live: Arc::clone(evaluator),
                background: Arc::clone(evaluator),
                network: network.clone(),
                device: Device::Cpu.name().to_owned(),
                model_version: None,
                human_style: false,
                memory: None,
                service: None,
            },
            EngineSource::Network => self.read_network(wanted, threads)?,
        };
        let profile = if opened.human_style { super::STRONGEST_PROFILE.parse().ok() } else { None };
        let live = Metered::new(opened.live, profile, clock);
        let background = live.beside(opened.background);
        Ok(Loaded {
            live: Arc::new(live),
            background: Arc::new(background),
            network: opened.network,
            device: opened.device,
            threads,
            model_version: opened.model_version,
            human_style: opened.human_style,
            memory: opened.memory,
            _service: opened.service,
        })
    }

    fn read_network(&self, wanted: &Wanted, threads: usize) -> Result<Opened, ApiError> {
        let data_dir = self.host.data_dir();
        let resources = resource_dirs(&self.host.resource_dirs());
        let name = if wanted.network.is_empty() { DEFAULT_NETWORK } else { &wanted.network };
        let Some(path) = self.network_path(&wanted.network) else {
            return Err(ApiError::EngineUnavailable {
                message: format!("the network {name} is not there"),
                hint: format!("put it into {}, or choose another network", data_dir.join("networks").display()),
            });
        };
        let folders = resources.iter().map(|dir| dir.join("onnxruntime")).collect();
        let runtime =
            Runtime::load(&LibrarySearch::new(None, folders)).map_err(|error| unavailable(&error, error.hint()))?;
        let host = Arc::clone(&self.host);
        let clock = move || host.monotonic();
        let how = Opening {
            cache: ModelCache::new(data_dir.join("cache")),
            tunings: Tunings::in_folder(&data_dir),
            cores: threads,
            may_measure: wanted.threads == 0,
            clock: &clock,
            stop: &self.ending,
        };
        if !wanted.device.is_empty() {
            let device: Device = wanted
                .device
                .parse()
                .map_err(|error: honinbo_net::UnknownDevice| ApiError::InvalidRequest { message: error.to_string() })?;
            return how.open_on(device, &path, &runtime).map_err(|e| unavailable(&e, e.hint()));
        }
        // Nobody chose: the fastest device that really answers.
        let mut refused = None;
        for device in Device::ALL.into_iter().filter(|device| device.is_known_to_library()) {
            match how.open_on(device, &path, &runtime) {
                Ok(opened) => return Ok(opened),
                Err(error @ NetworkError::File(_)) => return Err(unavailable(&error, error.hint())),
                Err(error) => {
                    tracing::warn!(%device, %error, "a device refused");
                    refused = Some(unavailable(&error, error.hint()));
                }
            }
        }
        Err(refused.unwrap_or_else(|| ApiError::EngineUnavailable {
            message: "ONNX Runtime knows no device".into(),
            hint: "install Honinbo again".into(),
        }))
    }
}

/// How a network is made ready.
struct Opening<'a> {
    cache: ModelCache,
    tunings: Tunings,
    cores: usize,
    /// Nobody chose the threads, so the fastest may be looked for.
    may_measure: bool,
    clock: &'a dyn Fn() -> Duration,
    stop: &'a StopFlag,
}

impl Opening<'_> {
    fn open_on(&self, device: Device, path: &Path, runtime: &Runtime) -> Result<Opened, NetworkError> {
        let is_processor = device == Device::Cpu;
        let mut options = EvaluatorOptions { cache: Some(self.cache.clone()), ..EvaluatorOptions::cpu(self.cores) };
        options.device = device;
        if !is_processor {
            // One session keeps a graphics card busy with large batches.
            options.sessions = 1;
            options.batch = 64;
        }
        let file = Arc::new(NetworkFile::open(path, &Limits::default())?);
        let ready = |options: &EvaluatorOptions| {
            let evaluator = OrtEvaluator::new(runtime.clone(), Arc::clone(&file), options.clone());
            evaluator.prepare(19, 19, Topology::Plane)?;
            Ok::<_, NetworkError>(evaluator)
        };
        let mut evaluator = ready(&options)?;
        let info = file.info();
        if self.may_measure && is_worth_measuring(is_processor, self.cores) {
            let key = key(&info.name, device.name(), self.cores);
            let tuning = self.tunings.get(&key).or_else(|| {
                let measured = tune(&file, runtime, &options, MEASURED, self.clock, self.stop);
                measured
                    .inspect_err(|error| tracing::warn!(%device, %error, "its settings are not measured"))
                    .inspect(|&tuning| self.tunings.keep(&key, tuning))
                    .ok()
            });
            if let Some(tuning) = tuning.filter(|t| (t.sessions, t.batch) != (options.sessions, options.batch)) {
                (options.sessions, options.batch) = (tuning.sessions, tuning.batch);
                evaluator = ready(&options)?;
            }
        }
        let service_options = ServiceOptions::for_sessions(options.sessions, options.batch);
        let service = EvalService::new(Arc::new(evaluator), service_options);
        let memory = Arc::new(AnswerMemory::new(CACHE_BYTES));
        let end = |priority| Arc::new(CachingEvaluator::sharing(service.handle(priority), Arc::clone(&memory)));
        Ok(Opened {
            live: end(Priority::Live),
            background: end(Priority::Batch),
            network: info.name,
            device: device.name().to_owned(),
            model_version: Some(info.version),
            human_style: info.human_style,
            memory: Some(memory),
            service: Some(service),
        })
    }
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
