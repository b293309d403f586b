//! A network as it stands in its file: layers with their weights, nothing folded yet.
//!
//! Source of the grammar: KataGo v1.17.2, `cpp/neuralnet/desc.cpp`.

use serde::{Deserialize, Serialize};

use super::blocks::map_blocks;
pub use super::blocks::{
    AttentionBlock, Block, FeedForwardBlock, GlobalPoolingBlock, NestedBlock, OrdinaryBlock, Rope,
};

/// Channels of the V7 input planes.
pub const SPATIAL_CHANNELS: usize = 22;
/// Global values of the V7 input.
pub const GLOBAL_CHANNELS: usize = 19;
/// Values of the human-style metadata row.
pub const META_CHANNELS: usize = honinbo_evaluator::PROFILE_CHANNELS;

/// A whole network.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The name inside the file; it may differ from the file's.
    pub name: String,
    /// 8 ..= 17.
    pub version: u32,
    /// What raw outputs are multiplied by.
    pub scales: OutputScales,
    /// Whether pass-alive areas are to be found as if suicide were legal.
    pub pass_alive_under_suicide: bool,
    /// Whether points beside a chain of their owner in atari are to be shown as nobody's territory; since KataGo 1.18.
    pub exclude_beside_atari: bool,
    /// Blocks and what surrounds them.
    pub trunk: Trunk,
    /// Where to play.
    pub policy: PolicyHead,
    /// Who wins, by how much, and who owns what.
    pub value: ValueHead,
}

/// Multipliers of raw outputs (points, or squares of errors).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OutputScales {
    /// Of an output that only training uses.
    pub td_score: f64,
    /// Of the expected score.
    pub score_mean: f64,
    /// Of the score's standard deviation.
    pub score_stdev: f64,
    /// Of the lead.
    pub lead: f64,
    /// Of the time left.
    pub variance_time: f64,
    /// Of the squared short-term error of the value.
    pub shortterm_value_error: f64,
    /// Of the squared short-term error of the score.
    pub shortterm_score_error: f64,
}

impl Default for OutputScales {
    /// Those of versions 8 to 12, whose files do not say.
    fn default() -> Self {
        Self {
            td_score: 20.0,
            score_mean: 20.0,
            score_stdev: 20.0,
            lead: 20.0,
            variance_time: 40.0,
            shortterm_value_error: 0.25,
            shortterm_score_error: 30.0,
        }
    }
}

/// Convolution without bias, stride 1, same size out as in.
#[derive(Debug, Clone, PartialEq)]
pub struct Conv {
    /// Name in the file.
    pub name: String,
    /// Rows and columns of the kernel, both odd.
    pub kernel: (usize, usize),
    /// Input channels.
    pub inputs: usize,
    /// Output channels.
    pub outputs: usize,
    /// Rows and columns between taps.
    pub dilation: (usize, usize),
    /// `[row][column][input][output]`.
    pub weights: Vec<f32>,
}

/// Normalisation by stored moments, already merged: `scale * x + shift`.
#[derive(Debug, Clone, PartialEq)]
pub struct Affine {
    /// Name in the file.
    pub name: String,
    /// One factor a channel.
    pub scale: Vec<f32>,
    /// One addend a channel.
    pub shift: Vec<f32>,
}

/// Activation function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Activation {
    /// `x`
    Identity,
    /// `max(x, 0)`
    Relu,
    /// `x * tanh(ln(1 + e^x))`
    Mish,
    /// `x / (1 + e^-x)`
    Silu,
}

/// Product of a vector and a matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct MatMul {
    /// Name in the file.
    pub name: String,
    /// Length of the vector that comes in.
    pub inputs: usize,
    /// Length of the vector that goes out.
    pub outputs: usize,
    /// `[input][output]`.
    pub weights: Vec<f32>,
}

/// Division by the root mean square over channels, then a factor each.
#[derive(Debug, Clone, PartialEq)]
pub struct RmsNorm {
    /// Name in the file.
    pub name: String,
    /// Added to the mean square.
    pub epsilon: f32,
    /// One factor a channel.
    pub weights: Vec<f32>,
}

/// Stages between the input and the heads.
#[derive(Debug, Clone, PartialEq)]
pub struct Trunk {
    /// Channels of the stream.
    pub channels: usize,
    /// Planes to stream.
    pub initial: Conv,
    /// Global values to stream.
    pub global: MatMul,
    /// Player profile to stream, in human-style networks.
    pub meta: Option<MetaEncoder>,
    /// In order.
    pub blocks: Vec<Block>,
    /// What the heads see.
    pub tip: Tip,
}

/// Last norm of the trunk, with its activation.
#[derive(Debug, Clone, PartialEq)]
pub struct Tip {
    /// The norm.
    pub norm: TipNorm,
    /// What follows it.
    pub activation: Activation,
}

/// Kinds of last norms.
#[derive(Debug, Clone, PartialEq)]
pub enum TipNorm {
    /// Stored moments.
    Affine(Affine),
    /// Root mean square, of each point or (spatial) of the whole board.
    Rms {
        /// Name in the file.
        name: String,
        /// Added to the mean square.
        epsilon: f32,
        /// One mean square for all points of a board together.
        spatial: bool,
        /// One factor a channel.
        gamma: Vec<f32>,
        /// One addend a channel.
        beta: Vec<f32>,
    },
}

/// Three layers that turn a player profile into a vector for the stream.
#[derive(Debug, Clone, PartialEq)]
pub struct MetaEncoder {
    /// Profile to first hidden layer.
    pub first: MatMul,
    /// Added to the first hidden layer.
    pub first_bias: Vec<f32>,
    /// Of the first hidden layer.
    pub first_activation: Activation,
    /// First to second hidden layer.
    pub second: MatMul,
    /// Added to the second hidden layer.
    pub second_bias: Vec<f32>,
    /// Of the second hidden layer.
    pub second_activation: Activation,
    /// Second hidden layer to stream.
    pub output: MatMul,
}

/// From the stream to the policy logits.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyHead {
    /// Logits a point: 1, 2 or 4. The first is the policy, the second the optimistic policy.
    pub outputs: usize,
    /// To the points' own channels.
    pub points: Conv,
    /// To the pooled channels.
    pub pooled: Conv,
    /// Of the pooled channels.
    pub pooled_norm: Affine,
    /// Of the pooled channels.
    pub pooled_activation: Activation,
    /// From the pool to the points' channels.
    pub pool_to_bias: MatMul,
    /// Of the points' channels.
    pub norm: Affine,
    /// Of the points' channels.
    pub activation: Activation,
    /// To the logits.
    pub logits: Conv,
    /// From the pool to the logits of a pass.
    pub pass: PassHead,
}

/// From the pool to the logits of a pass.
#[derive(Debug, Clone, PartialEq)]
pub enum PassHead {
    /// One product.
    Direct(MatMul),
    /// Two products with a layer between them.
    Hidden {
        /// Pool to hidden layer.
        first: MatMul,
        /// Added to the hidden layer.
        bias: Vec<f32>,
        /// Of the hidden layer.
        activation: Activation,
        /// Hidden layer to logits.
        second: MatMul,
    },
}

/// From the stream to value, score and ownership.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueHead {
    /// To the head's channels.
    pub points: Conv,
    /// Of the head's channels.
    pub norm: Affine,
    /// Of the head's channels.
    pub activation: Activation,
    /// Pool to hidden layer.
    pub hidden: MatMul,
    /// Added to the hidden layer.
    pub hidden_bias: Vec<f32>,
    /// Of the hidden layer.
    pub hidden_activation: Activation,
    /// Hidden layer to the logits of win, loss, no result.
    pub value: MatMul,
    /// Added to the value logits.
    pub value_bias: Vec<f32>,
    /// Hidden layer to the score outputs.
    pub score: MatMul,
    /// Added to the score outputs.
    pub score_bias: Vec<f32>,
    /// Head's channels to ownership before the tanh.
    pub ownership: Conv,
}

impl ValueHead {
    /// Score outputs: 4 in version 8, 6 later.
    #[must_use]
    pub fn score_outputs(&self) -> usize {
        self.score.outputs
    }
}

impl Model {
    /// Replaces every weight of every convolution and matrix, in the order of the file.
    pub(crate) fn map_weights(&mut self, mut f: impl FnMut(f32) -> f32) {
        let mut each = |weights: &mut Vec<f32>| weights.iter_mut().for_each(|weight| *weight = f(*weight));
        let trunk = &mut self.trunk;
        each(&mut trunk.initial.weights);
        each(&mut trunk.global.weights);
        if let Some(meta) = &mut trunk.meta {
            [&mut meta.first, &mut meta.second, &mut meta.output]
                .into_iter()
                .for_each(|layer| each(&mut layer.weights));
        }
        map_blocks(&mut trunk.blocks, &mut each);
        let policy = &mut self.policy;
        [&mut policy.points, &mut policy.pooled, &mut policy.logits]
            .into_iter()
            .for_each(|layer| each(&mut layer.weights));
        each(&mut policy.pool_to_bias.weights);
        match &mut policy.pass {
            PassHead::Direct(matmul) => each(&mut matmul.weights),
            PassHead::Hidden { first, second, .. } => [first, second].into_iter().for_each(|m| each(&mut m.weights)),
        }
        let value = &mut self.value;
        [&mut value.points, &mut value.ownership].into_iter().for_each(|layer| each(&mut layer.weights));
        [&mut value.hidden, &mut value.value, &mut value.score].into_iter().for_each(|layer| each(&mut layer.weights));
    }
}
