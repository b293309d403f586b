//! Networks as ONNX models: one graph of standard operators, raw outputs, everything it needs inside.
//!
//! Inputs are `spatial` `[N, 22, H, W]`, `global` `[N, 19]` and, for human-style networks, `meta` `[N, 192]`.
//! Outputs are `policy` `[N, Q, H, W]`, `pass` `[N, Q]`, `value` `[N, 3]` (win, loss, no result), `score` `[N, S]` and
//! `ownership` `[N, 1, H, W]`, all raw: logits before any softmax, scores before their multipliers, in the orientation of
//! the input and from the side of the player to move. Graphs of fused operators have them in one output, `outputs`.

mod attention;
mod blocks;
mod builder;
mod graph;
mod half;
mod heads;
pub mod proto;
mod quantise;

pub(crate) use attention::{frequencies, halves_apart, side_by_side};
pub use quantise::Calibration;
pub(crate) use quantise::OBSERVED_OUTPUT;

use honinbo_rules::BoardSize;
use prost::Message;
use serde::{Deserialize, Serialize};

use crate::file::Family;
use crate::file::model::Model;
use graph::Net;
use proto::{
    GraphProto, ModelProto, NodeProto, OperatorSetIdProto, StringStringEntryProto, TensorShapeProto, TensorTypeProto,
    TypeProto, ValueInfoProto, data_type,
};

/// Which boards a graph takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum BoardShape {
    /// Boards of exactly this size: no masks, fastest.
    Exact {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// Boards up to this size, in the top left corner of the buffer and told apart by plane 0.
    Masked {
        /// Columns of the buffer.
        width: usize,
        /// Rows of the buffer.
        height: usize,
    },
    /// Buffers of any size with boards of any size in them.
    Any,
}

/// What lies beyond the first and last row and column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Edges {
    /// Columns wrap around: right of the last column is the first.
    pub wrap_x: bool,
    /// Rows wrap around: below the last row is the first.
    pub wrap_y: bool,
}

/// How numbers are stored and computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Precision {
    /// 32-bit floats throughout; the reference.
    #[default]
    Fp32,
    /// 16-bit floats, norms in 32 bits; for devices that compute with them.
    Fp16,
    /// 16-bit floats with the range of 32-bit ones (bf16) where the blocks multiply, 32 bits everywhere else and for
    /// every sum; computed by the project's own kernels, on processors with instructions for it. No graph is stored so.
    Bf16,
    /// 16-bit whole numbers with a scale for each row and each column where the blocks multiply, 32-bit floats everywhere
    /// else; computed as `Bf16` is.
    Int16,
    /// 8-bit whole numbers in the blocks' convolutions and products, 32-bit floats everywhere else; for processors with
    /// instructions for them. Needs a [`Calibration`].
    Int8,
}

/// Below so many channels 16-bit whole numbers cost more than they save: on a Zen 5 they were 0.80 times as fast as 32 bits
/// with 32 channels, 0.88 with 48, 1.03 with 64, 1.20 with 96 (docs/experiments/cpu-speed.md).
const MIN_INT16_CHANNELS: usize = 64;

impl Precision {
    /// The fastest on this processor of those that answer nearly as 32 bits do.
    ///
    /// Intel's processors multiply bf16 at half the speed of 32-bit floats and 16-bit whole numbers at twice that speed;
    /// AMD's were measured with bf16, at twice the speed too (docs/experiments/cpu-speed.md).
    #[must_use]
    pub fn fast() -> Self {
        Self::fast_of(crate::kernels::multiplies(Self::Bf16), crate::kernels::multiplies(Self::Int16), is_intel())
    }

    /// The fastest that was shown to cost no strength, for a network whose trunk has so many channels: 16-bit whole numbers
    /// wherever the processor multiplies them (`g170-b6c96`, 1,200 games at equal visits: +5 Elo, 95 % between -15 and +24;
    /// the default network, 912: +14, -4 to +32), 32 bits elsewhere and in narrow networks. bf16, though faster on AMD's
    /// processors, lost on 19x19 (400 games: -44, -75 to -12), where it had lost nothing on 9x9 (2,025: 0, -15 to +15).
    #[must_use]
    pub fn auto(channels: usize) -> Self {
        Self::auto_of(channels, crate::kernels::multiplies(Self::Int16))
    }

    fn auto_of(channels: usize, int16: bool) -> Self {
        if int16 && channels >= MIN_INT16_CHANNELS { Self::Int16 } else { Self::Fp32 }
    }

    fn fast_of(bf16: bool, int16: bool, intel: bool) -> Self {
        match (bf16, int16) {
            (true, false) if intel => Self::Fp32,
            (true, true) if intel => Self::Int16,
            (true, _) => Self::Bf16,
            (false, true) => Self::Int16,
            (false, false) => Self::Fp32,
        }
    }

    /// Bits of each number.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Self::Fp32 => 32,
            Self::Fp16 | Self::Bf16 | Self::Int16 => 16,
            Self::Int8 => 8,
        }
    }

    /// Whether only the project's own kernels compute so, inside a graph of 32-bit floats.
    #[must_use]
    pub fn is_of_own_kernels(self) -> bool {
        matches!(self, Self::Bf16 | Self::Int16)
    }
}

/// Whether Intel made this processor.
fn is_intel() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        let name = std::arch::x86_64::__cpuid(0);
        (name.ebx, name.edx, name.ecx)
            == (u32::from_le_bytes(*b"Genu"), u32::from_le_bytes(*b"ineI"), u32::from_le_bytes(*b"ntel"))
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

impl std::fmt::Display for Precision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Fp32 => "fp32",
            Self::Fp16 => "fp16",
            Self::Bf16 => "bf16",
            Self::Int16 => "int16",
            Self::Int8 => "int8",
        })
    }
}

/// Which operators a graph is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Operators {
    /// Those of the ONNX standard, and sums in KataGo's order: every runtime computes them.
    #[default]
    Standard,
    /// Also those that ONNX Runtime adds to the standard, and sums in whatever order is fast. A graphics card starts a
    /// program for each operator, and one that does the work of ten has a tenth of the starts and of the traffic with
    /// memory. A graph has those operators only for boards of exactly one size.
    Fused,
}

/// What graph to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GraphOptions {
    /// Which boards it takes.
    pub shape: BoardShape,
    /// What lies beyond the edge.
    pub edges: Edges,
    /// How numbers are stored.
    pub precision: Precision,
    /// What it is made of.
    pub operators: Operators,
}

impl GraphOptions {
    /// A graph for boards of one size with ordinary edges.
    #[must_use]
    pub fn exact(width: usize, height: usize) -> Self {
        Self::of(BoardShape::Exact { width, height }, Precision::Fp32)
    }

    /// A graph of standard operators with ordinary edges.
    #[must_use]
    pub fn of(shape: BoardShape, precision: Precision) -> Self {
        Self { shape, edges: Edges::default(), precision, operators: Operators::Standard }
    }
}

/// Why a network cannot be written as that graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// Attention knows places by coordinates, and those end somewhere.
    #[error(
        "{network} is a transformer network: its positions have coordinates, which do not wrap around, so it cannot play on a torus or cylinder"
    )]
    TransformerDoesNotWrap {
        /// The network.
        network: String,
    },
    /// Wrapping needs to know where the edge is.
    #[error("wrapping edges need a graph of one exact board size")]
    WrapNeedsExactSize,
    /// A kernel reaches further than the board is wide.
    #[error("{network} looks {reach} points far, too far for a wrapped board of {width}x{height}")]
    BoardTooSmall {
        /// The network.
        network: String,
        /// Points from the kernel's middle to its edge.
        reach: usize,
        /// Columns of the board.
        width: usize,
        /// Rows of the board.
        height: usize,
    },
    /// Boards have 2 to 52 rows and columns.
    #[error("a board of {width}x{height} cannot be, 2x2 to {max}x{max} can", max = BoardSize::MAX)]
    Size {
        /// Columns asked for.
        width: usize,
        /// Rows asked for.
        height: usize,
    },
    /// 8 bits need to know how far the values reach.
    #[error("{network} cannot be written with 8 bits: how far its values reach was not measured")]
    NotCalibrated {
        /// The network.
        network: String,
    },
}

impl GraphError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::TransformerDoesNotWrap { .. } => {
                "choose a convolutional network for the torus, such as g170e-b15c192"
            }
            Self::WrapNeedsExactSize => "give the board's size instead of \"any\"",
            Self::BoardTooSmall { .. } | Self::Size { .. } => "choose another board size",
            Self::NotCalibrated { .. } => "measure this network first, or choose fp32",
        }
    }
}

/// Version of what this module writes; part of the names of cached files.
pub const GRAPH_VERSION: u32 = 5;

const IR_VERSION: i64 = 9;
const OPSET: i64 = 19;

/// Writes a network as an ONNX model with floats of 32 or 16 bits.
///
/// # Errors
/// See [`GraphError`]; 8 bits need [`to_onnx_int8`].
pub fn to_onnx(model: &Model, options: &GraphOptions) -> Result<Vec<u8>, GraphError> {
    if options.precision == Precision::Int8 {
        return Err(not_calibrated(model));
    }
    write(model, options, false)
}

/// Writes a network as an ONNX model with 8-bit layers, whatever `options` say of the precision. `calibration` was
/// measured with the same network, on boards of any size.
///
/// # Errors
/// See [`GraphError`].
pub fn to_onnx_int8(model: &Model, options: &GraphOptions, calibration: &Calibration) -> Result<Vec<u8>, GraphError> {
    let options = GraphOptions { precision: Precision::Int8, ..*options };
    check_graph(model, &options)?;
    let (graph, layers) = Net::new(model, &options, false).build();
    let graph = quantise::quantise(graph, &layers, calibration).ok_or_else(|| not_calibrated(model))?;
    Ok(finished(model, &options, graph, false))
}

fn not_calibrated(model: &Model) -> GraphError {
    GraphError::NotCalibrated { network: model.name.clone() }
}

/// A graph for boards of any size in 32 bits that has one output more, from which a [`Calibration`] is made.
pub(crate) fn to_onnx_observing(model: &Model) -> Vec<u8> {
    let options = GraphOptions::of(BoardShape::Any, Precision::Fp32);
    let graph = Net::new(model, &options, false).build_observing();
    finished(model, &options, graph, false)
}

/// Operator set of the project's own operators.
pub(crate) const TRUNK_DOMAIN: &str = "honinbo";
/// The operator that stands for all blocks of a trunk: rows of points in, rows of points out.
pub(crate) const TRUNK_OPERATOR: &str = "Trunk";
/// The one output of a graph of fused operators: policy, pass, value, score and ownership of a position after each other.
pub(crate) const ALL_OUTPUTS: &str = "outputs";
/// Operator set of what ONNX Runtime adds to the standard.
const FUSED_DOMAIN: &str = "com.microsoft";

/// Writes a network with one operator of the project's own in the place of all its blocks.
pub(crate) fn to_onnx_around_trunk(model: &Model, options: &GraphOptions) -> Result<Vec<u8>, GraphError> {
    write(model, options, true)
}

/// A graph that hands its one number on, for a session that matters only by being made.
pub(crate) fn smallest_graph() -> Vec<u8> {
    let number = |name: &str| ValueInfoProto {
        name: name.into(),
        r#type: Some(TypeProto {
            tensor_type: Some(TensorTypeProto {
                elem_type: data_type::FLOAT,
                shape: Some(TensorShapeProto { dim: Vec::new() }),
            }),
        }),
    };
    let step = NodeProto {
        input: vec!["in".into()],
        output: vec!["out".into()],
        op_type: "Identity".into(),
        ..NodeProto::default()
    };
    let graph = GraphProto {
        node: vec![step],
        name: "smallest".into(),
        input: vec![number("in")],
        output: vec![number("out")],
        ..GraphProto::default()
    };
    let opset_import = vec![OperatorSetIdProto { domain: String::new(), version: OPSET }];
    ModelProto { ir_version: IR_VERSION, graph: Some(graph), opset_import, ..ModelProto::default() }.encode_to_vec()
}

fn write(model: &Model, options: &GraphOptions, around_trunk: bool) -> Result<Vec<u8>, GraphError> {
    check_graph(model, options)?;
    let (graph, _) = Net::new(model, options, around_trunk).build();
    Ok(finished(model, options, graph, around_trunk))
}

fn finished(model: &Model, options: &GraphOptions, graph: GraphProto, around_trunk: bool) -> Vec<u8> {
    let mut opset_import = vec![OperatorSetIdProto { domain: String::new(), version: OPSET }];
    if around_trunk {
        opset_import.push(OperatorSetIdProto { domain: TRUNK_DOMAIN.into(), version: 1 });
    }
    if options.operators == Operators::Fused {
        opset_import.push(OperatorSetIdProto { domain: FUSED_DOMAIN.into(), version: 1 });
    }
    let proto = ModelProto {
        ir_version: IR_VERSION,
        producer_name: "honinbo".into(),
        producer_version: env!("CARGO_PKG_VERSION").into(),
        doc_string: format!("{} (KataGo model version {}), raw outputs", model.name, model.version),
        graph: Some(graph),
        opset_import,
        metadata_props: metadata(model, options),
    };
    proto.encode_to_vec()
}

/// Whether a network can be written as that graph.
///
/// # Errors
/// See [`GraphError`].
pub fn check_graph(model: &Model, options: &GraphOptions) -> Result<(), GraphError> {
    if let BoardShape::Exact { width, height } | BoardShape::Masked { width, height } = options.shape
        && BoardSize::new(width, height).is_err()
    {
        return Err(GraphError::Size { width, height });
    }
    if options.edges == Edges::default() {
        return Ok(());
    }
    if model.family() == Family::Transformer {
        return Err(GraphError::TransformerDoesNotWrap { network: model.name.clone() });
    }
    let BoardShape::Exact { width, height } = options.shape else {
        return Err(GraphError::WrapNeedsExactSize);
    };
    let (reach_y, reach_x) = model.reach();
    let too_far_y = options.edges.wrap_y && reach_y > height;
    let too_far_x = options.edges.wrap_x && reach_x > width;
    if too_far_x || too_far_y {
        let reach = if too_far_x { reach_x } else { reach_y };
        return Err(GraphError::BoardTooSmall { network: model.name.clone(), reach, width, height });
    }
    Ok(())
}

/// What a reader of the outputs has to know, as named texts.
fn metadata(model: &Model, options: &GraphOptions) -> Vec<StringStringEntryProto> {
    let scales = &model.scales;
    let mut entries = vec![
        ("name", model.name.clone()),
        ("modelVersion", model.version.to_string()),
        ("policyOutputs", model.policy.outputs.to_string()),
        ("scoreOutputs", model.value.score_outputs().to_string()),
        ("tdScoreMultiplier", scales.td_score.to_string()),
        ("scoreMeanMultiplier", scales.score_mean.to_string()),
        ("scoreStdevMultiplier", scales.score_stdev.to_string()),
        ("leadMultiplier", scales.lead.to_string()),
        ("varianceTimeMultiplier", scales.variance_time.to_string()),
        ("shorttermValueErrorMultiplier", scales.shortterm_value_error.to_string()),
        ("shorttermScoreErrorMultiplier", scales.shortterm_score_error.to_string()),
        ("metaEncoderVersion", u8::from(model.trunk.meta.is_some()).to_string()),
        ("passAliveUnderSuicide", u8::from(model.pass_alive_under_suicide).to_string()),
        ("excludeBesideAtari", u8::from(model.exclude_beside_atari).to_string()),
        ("graphVersion", GRAPH_VERSION.to_string()),
        ("precision", options.precision.to_string()),
    ];
    let (variant, size) = match options.shape {
        BoardShape::Exact { width, height } => ("exact", Some((width, height))),
        BoardShape::Masked { width, height } => ("masked", Some((width, height))),
        BoardShape::Any => ("any", None),
    };
    entries.push(("variant", variant.into()));
    if let Some((width, height)) = size {
        entries.push(("width", width.to_string()));
        entries.push(("height", height.to_string()));
    }
    if options.edges != Edges::default() {
        entries.push(("wrapX", u8::from(options.edges.wrap_x).to_string()));
        entries.push(("wrapY", u8::from(options.edges.wrap_y).to_string()));
    }
    entries.into_iter().map(|(key, value)| StringStringEntryProto { key: key.into(), value }).collect()
}

#[cfg(test)]
mod tests {
    use super::Precision;

    #[test]
    fn what_is_fast_depends_on_what_the_processor_multiplies_and_on_who_made_it() {
        let fast = [(true, true), (true, false), (false, true), (false, false)]
            .map(|(bf16, int16)| [true, false].map(|intel| Precision::fast_of(bf16, int16, intel).to_string()));
        assert_eq!(fast, [["int16", "bf16"], ["fp32", "bf16"], ["int16", "int16"], ["fp32", "fp32"]]);
    }

    #[test]
    fn by_itself_only_a_precision_that_lost_no_match_is_used() {
        assert_eq!([true, false].map(|int16| Precision::auto_of(96, int16)), [Precision::Int16, Precision::Fp32]);
        assert_eq!(Precision::auto_of(32, true), Precision::Fp32);
    }
}
