//! The evaluator that runs a network with ONNX Runtime.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use honinbo_rules::{Game, Topology};

use super::calibrate::Calibrator;
use super::pool::{Runner, RunnerPool};
use crate::codec::{Codec, NetworkHeader, NetworkInputs};
use crate::file::{FileError, Limits, NetworkFile};
use crate::kernels::Trunk;
use crate::onnx::{BoardShape, Edges, GraphOptions, Operators, Precision};
use crate::recent::Recent;
use crate::runtime::{Device, ModelCache, NetSession, NodeCounts, Runtime, RuntimeError, SessionError, SessionPlan};
use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};

/// How a network is run.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluatorOptions {
    /// What computes.
    pub device: Device,
    /// How numbers are stored; 32 bits unless somebody chose otherwise.
    pub precision: Precision,
    /// Sessions that compute at the same time. On a processor one for each core is fastest.
    pub sessions: usize,
    /// Threads within each session.
    pub threads: usize,
    /// Positions computed at once by each session.
    pub batch: usize,
    /// Where optimised graphs are kept.
    pub cache: Option<ModelCache>,
    /// Whether the project's own kernels compute the trunk where they can: on the processor, in 32 bits or bf16, on buffers of
    /// exactly the board's size. They are chosen where they are faster than the library's, on processors with AVX2 and
    /// FMA; `docs/experiments/cpu-speed.md` has the figures and `devices.md` how close the answers are.
    pub own_kernels: bool,
    /// What graphs are made of; `None` leaves it to what is known of the device.
    pub operators: Option<Operators>,
    /// Boards are put into buffers of this many columns and rows, instead of buffers of exactly their size.
    pub buffer: Option<(usize, usize)>,
}

impl EvaluatorOptions {
    /// The processor, 32 bits, one session for each of `cores`.
    #[must_use]
    pub fn cpu(cores: usize) -> Self {
        Self {
            device: Device::Cpu,
            precision: Precision::Fp32,
            sessions: cores.max(1),
            threads: 1,
            batch: 8,
            cache: None,
            own_kernels: crate::kernels::are_faster(),
            operators: None,
            buffer: None,
        }
    }
}

/// Why a network could not be made ready.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file.
    #[error(transparent)]
    File(#[from] FileError),
    /// The library.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The device or the graph.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl NetworkError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::File(error) => error.hint(),
            Self::Runtime(error) => error.hint(),
            Self::Session(error) => error.hint(),
        }
    }
}

/// Reads a network file and makes it ready to evaluate boards of `width` by `height` on the plane.
///
/// # Errors
/// See [`NetworkError`].
pub fn open_network(
    path: &Path,
    runtime: &Runtime,
    options: EvaluatorOptions,
    size: (usize, usize),
) -> Result<OrtEvaluator, NetworkError> {
    let file = NetworkFile::open(path, &Limits::default())?;
    let evaluator = OrtEvaluator::new(runtime.clone(), Arc::new(file), options);
    evaluator.prepare(size.0, size.1, Topology::Plane)?;
    Ok(evaluator)
}

/// Which graph a position needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GraphKey {
    width: usize,
    height: usize,
    edges: Edges,
}

/// Evaluates positions of any size with one network.
///
/// A graph for exactly the board's size is built when a size is met for the first time, and the graphs of the few sizes
/// used last are kept. Shared by any number of threads; each call takes the sessions that are free, and waits when none
/// is.
pub struct OrtEvaluator {
    runtime: Runtime,
    file: Arc<NetworkFile>,
    codec: Codec,
    options: EvaluatorOptions,
    /// What graphs are made of.
    operators: Operators,
    /// The network's blocks for the project's own kernels, prepared once for all sessions and sizes.
    trunk: OnceLock<Option<Arc<Trunk>>>,
    /// What 8-bit graphs of all sizes are made with.
    calibrator: Arc<Calibrator>,
    pools: Recent<GraphKey, Arc<RunnerPool>>,
}

impl OrtEvaluator {
    /// An evaluator for a network. Nothing is built yet; see [`OrtEvaluator::prepare`].
    #[must_use]
    pub fn new(runtime: Runtime, file: Arc<NetworkFile>, options: EvaluatorOptions) -> Self {
        let codec = Codec::new(NetworkHeader::of(&file));
        let cores = options.sessions.max(options.threads);
        let calibrator = Calibrator::new(runtime.clone(), Arc::clone(&file), options.cache.clone(), cores);
        let (trunk, pools) = (OnceLock::new(), Recent::new());
        // Software that stands in for a card is there to test the way to one, and computes attention wrongly: SwiftShader's
        // vectors are shorter than the provider's program for it takes for granted.
        let is_software = runtime.is_software(options.device);
        let usual = if is_software { Operators::Standard } else { options.device.operators() };
        let operators = options.operators.unwrap_or(usual);
        Self { runtime, file, codec, options, operators, trunk, calibrator: Arc::new(calibrator), pools }
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &NetworkFile {
        &self.file
    }

    /// How it is run.
    #[must_use]
    pub fn options(&self) -> &EvaluatorOptions {
        &self.options
    }

    /// Builds the graph for a board size now, so that problems show before the first evaluation.
    ///
    /// # Errors
    /// See [`SessionError`].
    pub fn prepare(&self, width: usize, height: usize, topology: Topology) -> Result<(), SessionError> {
        let key = self.key(width, height, topology);
        // The graph's own complaints are worth more than the library's about its consequences.
        crate::onnx::check_graph(&self.file.model, &self.graph(key))?;
        self.pool(key).warm()
    }

    /// Which nodes the device computes itself, of the graph that was prepared last; `None` on the processor.
    #[must_use]
    pub fn nodes(&self) -> Option<NodeCounts> {
        self.pools.last()?.nodes()
    }

    /// What its graphs are made of.
    #[must_use]
    pub fn operators(&self) -> Operators {
        self.operators
    }

    /// Whether sums are added in KataGo's order, as recordings are held to.
    pub(crate) fn adds_in_order(&self) -> bool {
        self.operators == Operators::Standard
    }

    fn key(&self, width: usize, height: usize, topology: Topology) -> GraphKey {
        let edges = Edges { wrap_x: topology.wraps_x(), wrap_y: topology.wraps_y() };
        match self.options.buffer {
            Some((columns, rows)) if edges == Edges::default() => GraphKey { width: columns, height: rows, edges },
            _ => GraphKey { width, height, edges },
        }
    }

    fn graph(&self, key: GraphKey) -> GraphOptions {
        let (width, height) = (key.width, key.height);
        let masked = self.options.buffer.is_some() && key.edges == Edges::default();
        let shape = if masked { BoardShape::Masked { width, height } } else { BoardShape::Exact { width, height } };
        let precision = match self.options.precision {
            // The blocks' own matter: what is around them has 32 bits.
            own if own.is_of_own_kernels() => Precision::Fp32,
            other => other,
        };
        let operators = self.operators;
        GraphOptions { shape, edges: key.edges, precision, operators }
    }

    fn pool(&self, key: GraphKey) -> Arc<RunnerPool> {
        self.pools.get(key, || self.new_pool(key))
    }

    fn new_pool(&self, key: GraphKey) -> Arc<RunnerPool> {
        let (runtime, file, cache) = (self.runtime.clone(), Arc::clone(&self.file), self.options.cache.clone());
        let graph = self.graph(key);
        let trunk = matches!(graph.shape, BoardShape::Exact { .. }).then(|| self.trunk()).flatten();
        let (device, threads) = (self.options.device, self.options.threads);
        let calibrator = (graph.precision == Precision::Int8).then(|| Arc::clone(&self.calibrator));
        let build = move || {
            let calibration = calibrator.as_ref().map(|calibrator| calibrator.get()).transpose()?;
            let plan = SessionPlan { graph, device, threads, trunk: trunk.clone(), calibration };
            let session = NetSession::build(&runtime, &file, &plan, cache.as_ref())?;
            Ok(Box::new(session) as Box<dyn Runner>)
        };
        RunnerPool::new(Box::new(build), self.options.sessions, self.options.device.to_string())
    }

    /// Whether the project's own kernels compute this network's blocks on boards of exactly the buffer's size.
    #[must_use]
    pub fn uses_own_kernels(&self) -> bool {
        self.options.buffer.is_none() && self.trunk().is_some()
    }

    /// How numbers are really stored: 16 bits that only some processors multiply are 32 on the others.
    #[must_use]
    pub fn precision(&self) -> Precision {
        match self.options.precision {
            own if own.is_of_own_kernels() && !(crate::kernels::multiplies(own) && self.uses_own_kernels()) => {
                Precision::Fp32
            }
            precision => precision,
        }
    }

    fn trunk(&self) -> Option<Arc<Trunk>> {
        let options = &self.options;
        if !options.own_kernels
            || options.device != Device::Cpu
            || !(options.precision == Precision::Fp32 || options.precision.is_of_own_kernels())
        {
            return None;
        }
        let cores = options.sessions.max(1) * options.threads.max(1);
        self.trunk.get_or_init(|| Trunk::new(&self.file.model, cores, options.precision).map(Arc::new)).clone()
    }

    /// Refuses what the network or the parameters make impossible, before anything is computed.
    fn check(&self, request: &EvalRequest<'_>) -> Result<(), EvalError> {
        let unsupported = |reason: String| EvalError::Unsupported { network: self.file.model.name.clone(), reason };
        self.codec.check(request)?;
        let board = request.game.board();
        let size = board.size();
        let key = self.key(size.width(), size.height(), board.topology());
        if size.width() > key.width || size.height() > key.height {
            return Err(unsupported(format!(
                "a board of {}x{} does not fit its buffer of {}x{}",
                size.width(),
                size.height(),
                key.width,
                key.height
            )));
        }
        crate::onnx::check_graph(&self.file.model, &self.graph(key)).map_err(|error| unsupported(error.to_string()))
    }

    fn inputs(&self, key: GraphKey, requests: &[EvalRequest<'_>]) -> NetworkInputs {
        self.codec.encode(requests, (key.width, key.height))
    }

    /// What the network is shown, a batch for each run of positions of one size.
    pub(super) fn inputs_by_size(&self, requests: &[EvalRequest<'_>]) -> Vec<NetworkInputs> {
        let same = |a: &EvalRequest<'_>, b: &EvalRequest<'_>| self.key_of(a.game) == self.key_of(b.game);
        requests.chunk_by(same).map(|batch| self.inputs(self.key_of(batch[0].game), batch)).collect()
    }

    /// Encodes, runs and decodes positions that share a graph.
    fn run(&self, key: GraphKey, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let pool = self.pool(key);
        let mut evaluations = Vec::with_capacity(requests.len());
        for batch in requests.chunks(self.options.batch.max(1)) {
            if stop.is_set() {
                return Err(EvalError::Cancelled);
            }
            let outputs = pool.run(&self.inputs(key, batch), stop)?;
            evaluations.extend(self.codec.decode_all(batch, &outputs, (key.width, key.height))?);
        }
        Ok(evaluations)
    }

    /// Positions of one graph, spread over the sessions.
    fn run_spread(
        &self,
        key: GraphKey,
        requests: &[EvalRequest<'_>],
        stop: &StopFlag,
    ) -> Result<Vec<Evaluation>, EvalError> {
        // A card takes a whole batch at once; and CUDA prepares itself anew for every thread that calls it, which takes
        // longer than the batch.
        let least = if self.options.device == Device::Cpu { 1 } else { self.options.batch.max(1) };
        let parts = self.options.sessions.min(requests.len().div_ceil(least)).max(1);
        if parts == 1 {
            return self.run(key, requests, stop);
        }
        let share = requests.len().div_ceil(parts);
        let mut chunks = requests.chunks(share);
        let own = chunks.next().unwrap_or_default();
        let results: Vec<Result<Vec<Evaluation>, EvalError>> = std::thread::scope(|scope| {
            let others: Vec<_> = chunks.map(|chunk| scope.spawn(move || self.run(key, chunk, stop))).collect();
            let first = self.run(key, own, stop);
            let panicked =
                |_| Err(EvalError::Device { device: self.options.device.to_string(), reason: "a thread died".into() });
            std::iter::once(first)
                .chain(others.into_iter().map(|other| other.join().unwrap_or_else(panicked)))
                .collect()
        });
        let mut all = Vec::with_capacity(requests.len());
        for result in results {
            all.extend(result?);
        }
        Ok(all)
    }

    fn key_of(&self, game: &Game) -> GraphKey {
        let board = game.board();
        self.key(board.size().width(), board.size().height(), board.topology())
    }
}

impl Evaluator for OrtEvaluator {
    fn limits(&self) -> BatchLimits {
        let (sessions, batch) = (self.options.sessions.max(1), self.options.batch.max(1));
        // On a processor larger batches hardly compute faster, they only make every answer late.
        let preferred = if self.options.device == Device::Cpu { sessions } else { sessions * batch };
        BatchLimits { preferred, max: sessions * batch }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        for request in requests {
            self.check(request)?;
        }
        let Some(first) = requests.first() else { return Ok(Vec::new()) };
        let key = self.key_of(first.game);
        if requests.iter().all(|request| self.key_of(request.game) == key) {
            return self.run_spread(key, requests, stop);
        }
        // Mixed sizes: each size is a batch of its own.
        let mut answers: Vec<Option<Evaluation>> = vec![None; requests.len()];
        let mut left: Vec<usize> = (0..requests.len()).collect();
        while let Some(&next) = left.first() {
            let key = self.key_of(requests[next].game);
            let (same, others): (Vec<usize>, Vec<usize>) =
                left.iter().partition(|&&index| self.key_of(requests[index].game) == key);
            let batch: Vec<EvalRequest<'_>> = same.iter().map(|&index| requests[index]).collect();
            for (index, evaluation) in same.iter().zip(self.run_spread(key, &batch, stop)?) {
                answers[*index] = Some(evaluation);
            }
            left = others;
        }
        Ok(answers.into_iter().flatten().collect())
    }
}

impl std::fmt::Debug for OrtEvaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OrtEvaluator")
            .field("network", &self.file.model.name)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
