//! One graph, ready to run on one device.

use std::path::Path;
use std::sync::Arc;

use ort::session::builder::{GraphOptimizationLevel, SessionBuilder};
use ort::session::{Session, SessionOutputs};
use ort::value::TensorRef;
use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};

use super::cache::ModelCache;
use super::device::Device;
use super::library::Runtime;
use super::trunk_op::TrunkOperator;
use crate::codec::{NetworkHeader, NetworkInputs, NetworkOutputs};
use crate::file::NetworkFile;
use crate::file::model::{GLOBAL_CHANNELS, META_CHANNELS, SPATIAL_CHANNELS};
use crate::kernels::Trunk;
use crate::onnx::{
    ALL_OUTPUTS, BoardShape, Calibration, GRAPH_VERSION, GraphError, GraphOptions, OBSERVED_OUTPUT, Precision, to_onnx,
    to_onnx_around_trunk, to_onnx_int8, to_onnx_observing,
};
use crate::subnormal::FlushToZero;

/// What graph to run, and how.
#[derive(Debug, Clone)]
pub(crate) struct SessionPlan {
    /// The graph.
    pub(crate) graph: GraphOptions,
    /// What computes.
    pub(crate) device: Device,
    /// Threads that share one run. With several sessions at once, one each is best.
    pub(crate) threads: usize,
    /// The project's own kernels for the trunk; `None` leaves it to the library.
    pub(crate) trunk: Option<Arc<Trunk>>,
    /// What 8-bit graphs are made with.
    pub(crate) calibration: Option<Arc<Calibration>>,
}

/// Why a session could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// The network cannot be written as the graph that is needed.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The device is not there or refuses.
    #[error("{device} is not available: {reason}")]
    Device {
        /// The device asked for.
        device: Device,
        /// What the library said.
        reason: String,
        /// Whether the library was made for it.
        offered: bool,
    },
    /// How far the network's values reach could not be measured.
    #[error("{network} cannot be made ready for 8 bits: {reason}")]
    Calibration {
        /// The network.
        network: String,
        /// What failed.
        reason: String,
    },
    /// The library refuses the graph.
    #[error("{network} cannot be run on {device}: {reason}")]
    Build {
        /// The network.
        network: String,
        /// The device.
        device: Device,
        /// What the library said.
        reason: String,
    },
}

impl SessionError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Graph(error) => error.hint(),
            Self::Device { offered: false, device: Device::Cuda | Device::TensorRt, .. }
                if cfg!(all(target_arch = "x86_64", any(target_os = "linux", windows))) =>
            {
                "`honinbo net runtime add cuda` fetches a library for it; cpu always works"
            }
            Self::Device { offered: false, device: Device::OpenVino, .. }
                if cfg!(all(target_arch = "x86_64", target_os = "linux")) =>
            {
                "`honinbo net runtime add openvino` fetches a library for it; cpu always works"
            }
            Self::Device { offered: false, device: Device::DirectMl, .. }
                if cfg!(all(target_arch = "x86_64", windows)) =>
            {
                "`honinbo net runtime add directml` fetches a library for it; cpu always works"
            }
            Self::Device { .. } => "choose another device; cpu always works",
            Self::Calibration { .. } => "choose fp32, or another network",
            Self::Build { .. } => "choose another device or another network",
        }
    }
}

/// Held while a session of the WebGPU provider is made, runs or is let go: all of them share one queue of commands, which
/// nothing guards. Two at once end the program.
static WEBGPU: Mutex<()> = Mutex::new(());

fn alone_on(device: Device) -> Option<MutexGuard<'static, ()>> {
    (device == Device::WebGpu).then(|| WEBGPU.lock())
}

/// A graph loaded into the library. Runs one batch at a time.
#[derive(Debug)]
pub(crate) struct NetSession {
    /// There until it is dropped.
    session: Option<Session>,
    device: Device,
    header: NetworkHeader,
    nodes: Option<NodeCounts>,
}

/// Which parts of a graph a device computes itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeCounts {
    /// Nodes on the device.
    pub device: u32,
    /// Nodes that it leaves to the processor.
    pub processor: u32,
}

impl NetSession {
    /// Builds the graph, or takes it from the cache, and loads it.
    pub(crate) fn build(
        runtime: &Runtime,
        file: &NetworkFile,
        plan: &SessionPlan,
        cache: Option<&ModelCache>,
    ) -> Result<Self, SessionError> {
        // What other devices make of a graph is theirs to keep; only the processor's own form is worth storing.
        let cache = cache.filter(|_| plan.device == Device::Cpu);
        let name = cache_name(runtime, file, plan);
        if let Some(bytes) = cache.and_then(|cache| cache.read(&name)) {
            match Self::load(runtime, file, plan, &bytes, None) {
                Ok(session) => return Ok(session),
                Err(error) => tracing::warn!(%error, "a cached network graph does not load and will be made again"),
            }
        }
        let bytes = match (&plan.calibration, &plan.trunk) {
            (Some(calibration), _) if plan.graph.precision == Precision::Int8 => {
                to_onnx_int8(&file.model, &plan.graph, calibration)?
            }
            (_, Some(_)) => to_onnx_around_trunk(&file.model, &plan.graph)?,
            (_, None) => to_onnx(&file.model, &plan.graph)?,
        };
        let scratch = cache.and_then(ModelCache::scratch);
        let session = match Self::load(runtime, file, plan, &bytes, scratch.as_deref()) {
            // The folder may have filled up between the test and the writing.
            Err(_) if scratch.is_some() => Self::load(runtime, file, plan, &bytes, None)?,
            other => other?,
        };
        if let (Some(cache), Some(scratch)) = (cache, scratch)
            && let Ok(optimised) = std::fs::read(&scratch)
            && !optimised.is_empty()
        {
            cache.write(&name, &optimised);
        }
        Ok(session)
    }

    /// Loads a graph for boards of any size that reports how far its values reach, on the processor.
    pub(crate) fn observing(runtime: &Runtime, file: &NetworkFile, threads: usize) -> Result<Self, SessionError> {
        let options = GraphOptions::of(BoardShape::Any, Precision::Fp32);
        let plan = SessionPlan { graph: options, device: Device::Cpu, threads, trunk: None, calibration: None };
        Self::load(runtime, file, &plan, &to_onnx_observing(&file.model), None)
    }

    fn load(
        runtime: &Runtime,
        file: &NetworkFile,
        plan: &SessionPlan,
        graph: &[u8],
        optimised: Option<&Path>,
    ) -> Result<Self, SessionError> {
        let fail = |error: &str| SessionError::Build {
            network: file.model.name.clone(),
            device: plan.device,
            reason: first_line(error),
        };
        // The library changes the mode of the thread that makes its first session, and folds constants on this one.
        let _mode = FlushToZero::enter();
        let builder = Self::builder(runtime, plan).map_err(|error| fail(error.message()))?;
        let mut builder = plan.device.register(builder, runtime, plan).map_err(|error| SessionError::Device {
            device: plan.device,
            reason: first_line(error.message()),
            offered: runtime.offers(plan.device),
        })?;
        if let Some(path) = optimised {
            builder = builder.with_optimized_model_path(path).map_err(|error| fail(error.message()))?;
        }
        let session = {
            let _alone = alone_on(plan.device);
            builder.commit_from_memory(graph).map_err(|error| refusal(plan.device, error.message(), fail))?
        };
        let nodes = if plan.device == Device::Cpu { None } else { count_nodes(&session) };
        Ok(Self { session: Some(session), device: plan.device, header: NetworkHeader::of(file), nodes })
    }

    fn builder(runtime: &Runtime, plan: &SessionPlan) -> ort::Result<SessionBuilder> {
        let builder = Session::builder(runtime.environment())?
            .with_optimization_level(GraphOptimizationLevel::All)?
            .with_intra_threads(plan.threads.max(1))?
            .with_inter_threads(1)?
            // Threads that spin while they wait would take the search's cores.
            .with_intra_op_spinning(false)?
            // For the library's own threads; the calling one is set in `compute`.
            .with_flush_to_zero()?;
        let builder = if plan.device == Device::Cpu {
            builder
        } else {
            builder.with_config_entry("session.record_ep_graph_assignment_info", "1")?
        };
        match (&plan.trunk, plan.graph.shape) {
            (Some(trunk), BoardShape::Exact { width, height }) => {
                let (trunk, size) = (Arc::clone(trunk), (width, height));
                let operator = TrunkOperator { trunk, size, edges: plan.graph.edges };
                Ok(builder.with_operators(operator.domain()?)?)
            }
            _ => Ok(builder),
        }
    }

    /// Which nodes the device computes; `None` for the processor, which computes all.
    pub(crate) fn nodes(&self) -> Option<NodeCounts> {
        self.nodes
    }

    /// Runs a batch. The message of a failure is the library's.
    pub(crate) fn run(&mut self, inputs: &NetworkInputs) -> Result<NetworkOutputs, String> {
        let _alone = alone_on(self.device);
        self.try_run(inputs).map_err(|error| format!("{}: {}", self.device, first_line(error.message())))
    }

    /// Runs a batch through a graph made by [`NetSession::observing`].
    pub(crate) fn observe(&mut self, inputs: &NetworkInputs) -> Result<Vec<f32>, String> {
        let outputs = compute(self.session.as_mut(), &self.header, inputs);
        let observed = outputs.and_then(|outputs| take(&outputs, OBSERVED_OUTPUT));
        observed.map_err(|error| format!("{}: {}", self.device, first_line(error.message())))
    }

    fn try_run(&mut self, inputs: &NetworkInputs) -> ort::Result<NetworkOutputs> {
        let Self { session, header, device, .. } = self;
        let (count, area) = (inputs.count, inputs.width * inputs.height);
        let padded = (*device != Device::Cpu).then(|| padded(inputs)).flatten();
        let outputs = compute(session.as_mut(), header, padded.as_ref().unwrap_or(inputs))?;
        if let Some(all) = outputs.get(ALL_OUTPUTS) {
            let all = all.try_extract_tensor::<f32>()?.1;
            return header
                .parted(all, count, area)
                .ok_or_else(|| ort::Error::new(format!("{} numbers are no answers to {count} positions", all.len())));
        }
        let lengths = header.outputs(area);
        let take = |index: usize| -> ort::Result<Vec<f32>> {
            let (name, length) = lengths[index];
            let mut numbers = take(&outputs, name)?;
            numbers.truncate(count * length);
            Ok(numbers)
        };
        Ok(NetworkOutputs { policy: take(0)?, pass: take(1)?, value: take(2)?, score: take(3)?, ownership: take(4)? })
    }
}

impl Drop for NetSession {
    fn drop(&mut self) {
        let _alone = alone_on(self.device);
        self.session = None;
    }
}

/// The next size of batch that a card gets to see: 1, 2, 3, 4, 6, 8, 12, 16, 24 and so on.
fn batch_size(count: usize) -> usize {
    let power = count.next_power_of_two();
    let between = power / 4 * 3;
    if between >= count && between > 0 { between } else { power }
}

/// A batch filled up with empty positions; `None` where it has one of the sizes that a card gets to see. Programs and
/// plans are made for each size: with CUDA that took 0.05 to 0.2 s the first time, and a search that met every size between
/// 1 and 64 made 740 visits a second where the card computes 5,000 positions (docs/experiments/devices.md).
fn padded(inputs: &NetworkInputs) -> Option<NetworkInputs> {
    let count = batch_size(inputs.count);
    if count == inputs.count || inputs.count == 0 {
        return None;
    }
    let area = inputs.width * inputs.height;
    let filled = |numbers: &[f32], length: usize| {
        let mut filled = Vec::with_capacity(count * length);
        filled.extend_from_slice(numbers);
        filled.resize(count * length, 0.0);
        filled
    };
    Some(NetworkInputs {
        count,
        spatial: filled(&inputs.spatial, SPATIAL_CHANNELS * area),
        global: filled(&inputs.global, GLOBAL_CHANNELS),
        meta: if inputs.meta.is_empty() { Vec::new() } else { filled(&inputs.meta, META_CHANNELS) },
        ..*inputs
    })
}

fn compute<'s>(
    session: Option<&'s mut Session>,
    header: &NetworkHeader,
    inputs: &NetworkInputs,
) -> ort::Result<SessionOutputs<'s>> {
    let _mode = FlushToZero::enter();
    let session = session.ok_or_else(|| ort::Error::new("the session was let go"))?;
    let (n, h, w) = (inputs.count, inputs.height, inputs.width);
    let spatial = TensorRef::from_array_view(([n, SPATIAL_CHANNELS, h, w], inputs.spatial.as_slice()))?;
    let global = TensorRef::from_array_view(([n, GLOBAL_CHANNELS], inputs.global.as_slice()))?;
    if header.human_style {
        let meta = TensorRef::from_array_view(([n, META_CHANNELS], inputs.meta.as_slice()))?;
        session.run(ort::inputs! { "spatial" => spatial, "global" => global, "meta" => meta })
    } else {
        session.run(ort::inputs! { "spatial" => spatial, "global" => global })
    }
}

/// Asks the library which provider took which node.
#[allow(unsafe_code, reason = "ort has no function for it")]
fn count_nodes(session: &Session) -> Option<NodeCounts> {
    use ort::AsPointer as _;
    let api = ort::api();
    let (mut parts, mut count) = (std::ptr::null(), 0);
    let mut counts = NodeCounts::default();
    // SAFETY: the session lives while its parts are read and owns them; each function fills what it is given or returns
    // a status, which `result_from_status` takes and lets go of.
    unsafe {
        let done = |status| ort::Error::result_from_status(status).ok();
        done((api.Session_GetEpGraphAssignmentInfo)(session.ptr(), &raw mut parts, &raw mut count))?;
        for index in 0..count {
            let part = *parts.add(index);
            let (mut name, mut nodes, mut node_count) = (std::ptr::null(), std::ptr::null(), 0);
            done((api.EpAssignedSubgraph_GetEpName)(part, &raw mut name))?;
            done((api.EpAssignedSubgraph_GetNodes)(part, &raw mut nodes, &raw mut node_count))?;
            let is_processor = std::ffi::CStr::from_ptr(name).to_bytes() == b"CPUExecutionProvider";
            let counter = if is_processor { &mut counts.processor } else { &mut counts.device };
            *counter = counter.saturating_add(u32::try_from(node_count).unwrap_or(u32::MAX));
        }
    }
    Some(counts)
}

fn take(outputs: &SessionOutputs<'_>, name: &str) -> ort::Result<Vec<f32>> {
    let value = outputs.get(name).ok_or_else(|| ort::Error::new(format!("there is no output {name}")))?;
    Ok(value.try_extract_tensor::<f32>()?.1.to_vec())
}

/// A device that is asked for and is not there says so only when the session is made, with the code `EP_FAIL` and its
/// own sentence behind those of the functions that passed it on.
fn refusal(device: Device, message: &str, otherwise: impl Fn(&str) -> SessionError) -> SessionError {
    if device == Device::Cpu || !message.contains("EP_FAIL") {
        return otherwise(message);
    }
    let line = first_line(message);
    let reason = line.rsplit(" was false. ").next().unwrap_or(&line).to_owned();
    SessionError::Device { device, reason, offered: true }
}

/// As a part of a sentence.
fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or("no reason given").trim_end_matches([' ', '.']).to_string()
}

/// Names everything that the optimised graph depends on.
fn cache_name(runtime: &Runtime, file: &NetworkFile, plan: &SessionPlan) -> String {
    let graph = &plan.graph;
    let variant = match graph.shape {
        BoardShape::Exact { width, height } => format!("exact-{width}x{height}"),
        BoardShape::Masked { width, height } => format!("masked-{width}x{height}"),
        BoardShape::Any => "any".into(),
    };
    let wrap = match (graph.edges.wrap_x, graph.edges.wrap_y) {
        (false, false) => "",
        (true, false) => "-wrapx",
        (false, true) => "-wrapy",
        (true, true) => "-torus",
    };
    let sha = &file.sha256[..16.min(file.sha256.len())];
    let (library, processor) = (runtime.fingerprint(), processor());
    let kernels = if plan.trunk.is_some() { "-own" } else { "" };
    format!("{sha}-{variant}{wrap}-{}{kernels}-g{GRAPH_VERSION}-ort{library}-{processor}.onnx", graph.precision)
}

/// Layouts of optimised graphs depend on the width of the processor's vectors.
fn processor() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            return "avx512";
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            return "avx2";
        }
        "x64"
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::env::consts::ARCH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LibrarySearch;
    use crate::bench::positions;
    use crate::codec::Codec;
    use crate::file::Limits;
    use crate::onnx::Operators;
    use crate::onnx::proto::ModelProto;
    use honinbo_evaluator::{EvalParams, EvalRequest};
    use honinbo_testkit::{TinyNetwork, fixtures};
    use prost::Message as _;
    use std::collections::BTreeSet;

    #[test]
    fn a_device_that_is_missing_is_told_by_its_own_sentence() {
        let other =
            |reason: &str| SessionError::Build { network: "n".into(), device: Device::WebGpu, reason: reason.into() };
        let message = "/a/b.cc:393 Create() [ONNXRuntimeError] : 11 : EP_FAIL : /c.cc:136 Initialize() status == Success \
                       was false. Failed to get a WebGPU adapter: No supported adapters";
        let error = refusal(Device::WebGpu, message, other);
        assert_eq!(error.to_string(), "webgpu is not available: Failed to get a WebGPU adapter: No supported adapters");
        assert_eq!(error.hint(), "choose another device; cpu always works");
        assert_eq!(first_line("it is not supported in this build. \nmore"), "it is not supported in this build");
        assert_eq!(refusal(Device::WebGpu, "no such node", other), other("no such node"));
        assert_eq!(refusal(Device::Cpu, "EP_FAIL", other), other("EP_FAIL"));
    }

    /// Whatever the test network is, through the processor's provider: it has ONNX Runtime's own operators too.
    fn answers(
        runtime: &Runtime,
        file: &NetworkFile,
        graph: GraphOptions,
        inputs: &NetworkInputs,
    ) -> (NetworkOutputs, usize) {
        let plan = SessionPlan { graph, device: Device::Cpu, threads: 1, trunk: None, calibration: None };
        let mut session = NetSession::build(runtime, file, &plan, None).unwrap();
        let outputs = session.session.as_ref().unwrap().outputs().len();
        (session.run(inputs).unwrap(), outputs)
    }

    fn largest_difference(a: &NetworkOutputs, b: &NetworkOutputs) -> f32 {
        let parts = |outputs: &NetworkOutputs| {
            let NetworkOutputs { policy, pass, value, score, ownership } = outputs.clone();
            [policy, pass, value, score, ownership]
        };
        let mut largest = 0.0f32;
        for (a, b) in parts(a).iter().zip(&parts(b)) {
            assert_eq!(a.len(), b.len());
            largest = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(largest, f32::max);
        }
        largest
    }

    #[test]
    fn fused_operators_compute_what_the_standard_ones_do() {
        let search = LibrarySearch::new(None, vec![fixtures::resources().join("onnxruntime")]);
        if search.find().is_err() {
            fixtures::skip("ONNX Runtime is not there; scripts/resources fetches it");
            return;
        }
        let runtime = Runtime::load(&search).unwrap();
        let tiny = [TinyNetwork::convolutional(8), TinyNetwork::convolutional(15), TinyNetwork::transformer()];
        let tiny = tiny
            .map(|tiny| NetworkFile::from_bytes("tiny.txt", tiny.to_text().as_bytes(), &Limits::default()).unwrap());
        let starts = ["g170-b6c96", "b7c96h3tfrs", "b7c96h6kv3", "b10c384"];
        let real = starts.iter().filter_map(|start| fixtures::network(start));
        let real = real.map(|path| NetworkFile::open(&path, &Limits::default()).unwrap());
        let mut files = 0;
        for file in tiny.into_iter().chain(real) {
            files += 1;
            for (width, height) in [(9, 9), (13, 7)] {
                let games = positions(width, height, 5).unwrap();
                let params = EvalParams { profile: "rank_1d".parse().ok(), ..EvalParams::default() };
                let requests: Vec<EvalRequest<'_>> = games.iter().map(|game| EvalRequest { game, params }).collect();
                let inputs = Codec::new(NetworkHeader::of(&file)).encode(&requests, (width, height));
                let standard = GraphOptions::exact(width, height);
                let fused = GraphOptions { operators: Operators::Fused, ..standard };
                let (expected, five) = answers(&runtime, &file, standard, &inputs);
                let (found, one) = answers(&runtime, &file, fused, &inputs);
                assert_eq!((five, one), (5, 1), "a card hands over one output");
                let what = format!("{} on {width}x{height}", file.model.name);
                // The sum over a whole board in another order moves the default network's logits by some 1e-4.
                let difference = largest_difference(&expected, &found);
                assert!(difference < 2e-3, "{what}: {difference}");
                let half = |graph| GraphOptions { precision: Precision::Fp16, ..graph };
                let (expected, _) = answers(&runtime, &file, half(standard), &inputs);
                let (found, _) = answers(&runtime, &file, half(fused), &inputs);
                let difference = largest_difference(&expected, &found);
                assert!(difference < 0.25, "{what} with 16 bits: {difference}");
            }
        }
        assert!(files >= 6, "the networks of the fixtures are there");
    }

    #[test]
    fn cards_see_few_sizes_of_batches() {
        let sizes: BTreeSet<usize> = (1..=64).map(batch_size).collect();
        assert_eq!(sizes.into_iter().collect::<Vec<_>>(), [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]);
        assert!((1..=300).all(|count| batch_size(count) >= count && batch_size(count) < 2 * count));
        let inputs = |count: usize| NetworkInputs {
            count,
            width: 3,
            height: 2,
            spatial: vec![1.0; count * SPATIAL_CHANNELS * 6],
            global: vec![2.0; count * GLOBAL_CHANNELS],
            meta: Vec::new(),
        };
        let filled = padded(&inputs(5)).unwrap();
        assert_eq!((filled.count, filled.width, filled.height), (6, 3, 2));
        assert_eq!(filled.spatial[..5 * SPATIAL_CHANNELS * 6], inputs(5).spatial);
        assert_eq!(filled.spatial[5 * SPATIAL_CHANNELS * 6..], [0.0; SPATIAL_CHANNELS * 6]);
        assert_eq!(filled.global[5 * GLOBAL_CHANNELS..], [0.0; GLOBAL_CHANNELS]);
        assert!(filled.meta.is_empty() && padded(&inputs(6)).is_none() && padded(&inputs(0)).is_none());
    }

    #[test]
    fn graphs_that_know_masks_have_no_fused_operators() {
        let text = TinyNetwork::transformer().to_text();
        let file = NetworkFile::from_bytes("tiny.txt", text.as_bytes(), &Limits::default()).unwrap();
        for shape in [BoardShape::Any, BoardShape::Masked { width: 9, height: 9 }] {
            let standard = GraphOptions::of(shape, Precision::Fp32);
            let fused = to_onnx(&file.model, &GraphOptions { operators: Operators::Fused, ..standard }).unwrap();
            let kinds = |graph: &[u8]| -> BTreeSet<String> {
                let graph = ModelProto::decode(graph).unwrap().graph.unwrap();
                graph.node.into_iter().map(|node| node.op_type).collect()
            };
            let (fused, standard) = (kinds(&fused), kinds(&to_onnx(&file.model, &standard).unwrap()));
            // Only the order of sums is another one.
            assert!(fused.difference(&standard).all(|kind| kind == "ReduceSum"), "{fused:?}");
            assert!(!fused.contains("CumSum"), "{fused:?}");
        }
    }
}
