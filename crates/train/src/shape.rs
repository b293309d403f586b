//! What a new network looks like before it has learnt anything.

use honinbo_net::model::{
    Activation, Affine, AttentionBlock, Block, Conv, FeedForwardBlock, GLOBAL_CHANNELS, GlobalPoolingBlock, MatMul,
    Model, NestedBlock, OrdinaryBlock, OutputScales, PassHead, PolicyHead, RmsNorm, Rope, SPATIAL_CHANNELS, Tip,
    TipNorm, Trunk, ValueHead,
};
use honinbo_rules::Random;
use serde::{Deserialize, Serialize};

use crate::error::TrainError;
use crate::network::one_policy;

/// The size of a new network: residual blocks with a look at the whole board in every third, as KataGo's first ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkShape {
    /// Blocks, 1 to 40.
    pub blocks: usize,
    /// Channels of the trunk, 4 to 512.
    pub channels: usize,
    /// Blocks within a stream of half the channels (nested bottlenecks) instead of two convolutions each.
    pub nested: bool,
    /// Mish instead of the rectifier: about as strong, slower on a processor.
    pub mish: bool,
    /// Attention and gated products instead of the convolutions of each block; not for a torus, as a place's turn knows
    /// edges.
    pub attention: bool,
}

impl Default for NetworkShape {
    fn default() -> Self {
        Self { blocks: 3, channels: 32, nested: false, mish: false, attention: false }
    }
}

/// Model version of new networks: activations are named, one policy, errors of the near future.
const VERSION: u32 = 11;
/// Of new networks with attention: the last norm may be by the root mean square.
const ATTENTION_VERSION: u32 = 15;
/// Policies of that version: the plain one and KataGo's optimistic one, which are the same here.
const ATTENTION_POLICIES: usize = 2;
/// The smallest width of a head.
const HEAD_WIDTH: usize = 32;
const EPSILON: f32 = 1e-6;

impl NetworkShape {
    /// # Errors
    /// Names what is out of range.
    pub fn check(&self) -> Result<(), TrainError> {
        let wrong =
            |what, value: usize, expected| Err(TrainError::Setting { what, value: value.to_string(), expected });
        if !(1..=40).contains(&self.blocks) {
            return wrong("network.blocks", self.blocks, "1 to 40");
        }
        if !(4..=512).contains(&self.channels) || !self.channels.is_multiple_of(2) {
            return wrong("network.channels", self.channels, "an even number from 4 to 512");
        }
        Ok(())
    }

    /// A network of this size whose weights follow from `seed`.
    ///
    /// Weights are normal with the spread that keeps the size of what goes through them (He et al. 2015); the last layer
    /// of each block begins small, so that deep networks need no statistics of a batch (after Fixup, Zhang et al. 2019).
    #[must_use]
    pub fn random(&self, name: &str, seed: u64) -> Model {
        let activation = if self.mish { Activation::Mish } else { Activation::Relu };
        let mut maker = Maker { random: Random::new(seed), activation, small: 0.5 / (self.blocks as f32).sqrt() };
        let channels = self.channels;
        let head = (channels / 2).clamp(4, 48);
        let pooled = (channels / 4).max(2);
        let blocks = if self.attention {
            maker.attention_blocks(self.blocks, channels, self.nested)
        } else {
            (0..self.blocks).map(|index| maker.block(index, channels, pooled, self.nested)).collect()
        };
        let (norm, policies) = if self.attention {
            let (gamma, beta) = (vec![1.0; channels], vec![0.0; channels]);
            let name = "trunk/norm".to_owned();
            (TipNorm::Rms { name, epsilon: EPSILON, spatial: false, gamma, beta }, ATTENTION_POLICIES)
        } else {
            (TipNorm::Affine(maker.affine("trunk/norm", channels)), 1)
        };
        let trunk = Trunk {
            channels,
            initial: maker.conv("conv1", 3, SPATIAL_CHANNELS, channels, 1.0),
            global: maker.matmul("ginputw", GLOBAL_CHANNELS, channels, 0.5),
            meta: None,
            blocks,
            tip: Tip { norm, activation },
        };
        let policy = PolicyHead {
            outputs: policies,
            points: maker.conv("p1", 1, channels, head, 1.0),
            pooled: maker.conv("g1", 1, channels, head, 1.0),
            pooled_norm: maker.affine("g1/norm", head),
            pooled_activation: activation,
            pool_to_bias: maker.matmul("matmulg2w", 3 * head, head, 0.5),
            norm: maker.affine("p1/norm", head),
            activation,
            logits: maker.conv("p2", 1, head, policies, 0.3),
            pass: if self.attention {
                PassHead::Hidden {
                    first: maker.matmul("matmulpass", 3 * head, head, 1.0),
                    bias: vec![0.0; head],
                    activation,
                    second: maker.matmul("matmulpass2", head, policies, 0.3),
                }
            } else {
                PassHead::Direct(maker.matmul("matmulpass", 3 * head, policies, 0.3))
            },
        };
        let hidden = (2 * head).max(16);
        let value = ValueHead {
            points: maker.conv("v1", 1, channels, head, 1.0),
            norm: maker.affine("v1/norm", head),
            activation,
            hidden: maker.matmul("v2", 3 * head, hidden, 1.0),
            hidden_bias: vec![0.0; hidden],
            hidden_activation: activation,
            value: maker.matmul("v3", hidden, 3, 0.2),
            value_bias: vec![0.0; 3],
            score: maker.matmul("sv3", hidden, 6, 0.1),
            score_bias: vec![0.0, -1.0, 0.0, -1.0, -1.0, -1.0],
            ownership: maker.conv("vownership", 1, head, 1, 0.3),
        };
        let mut model = Model {
            name: name.to_owned(),
            version: if self.attention { ATTENTION_VERSION } else { VERSION },
            // From version 13 on the file has them; KataGo's have this one.
            scales: if self.attention {
                OutputScales { shortterm_score_error: 150.0, ..OutputScales::default() }
            } else {
                OutputScales::default()
            },
            pass_alive_under_suicide: false,
            exclude_beside_atari: false,
            trunk,
            policy,
            value,
        };
        one_policy(&mut model);
        model
    }
}

struct Maker {
    random: Random,
    activation: Activation,
    /// Factor of the last layer of each block.
    small: f32,
}

impl Maker {
    fn normal(&mut self, count: usize, spread: f32) -> Vec<f32> {
        let mut one = || {
            // Box and Muller, cut off at two and a half.
            loop {
                let radius = (-2.0 * (1.0 - self.random.unit()).ln()).sqrt();
                let value = radius * (std::f64::consts::TAU * self.random.unit()).cos();
                if value.abs() < 2.5 {
                    return value as f32;
                }
            }
        };
        (0..count).map(|_| spread * one()).collect()
    }

    fn conv(&mut self, name: &str, side: usize, inputs: usize, outputs: usize, gain: f32) -> Conv {
        let fan = (side * side * inputs) as f32;
        let weights = self.normal(side * side * inputs * outputs, gain * (2.0 / fan).sqrt());
        Conv { name: name.to_owned(), kernel: (side, side), inputs, outputs, dilation: (1, 1), weights }
    }

    fn matmul(&mut self, name: &str, inputs: usize, outputs: usize, gain: f32) -> MatMul {
        let weights = self.normal(inputs * outputs, gain * (1.0 / inputs as f32).sqrt());
        MatMul { name: name.to_owned(), inputs, outputs, weights }
    }

    fn affine(&mut self, name: &str, channels: usize) -> Affine {
        Affine { name: name.to_owned(), scale: vec![1.0; channels], shift: vec![0.0; channels] }
    }

    fn rms(&self, name: &str, channels: usize) -> RmsNorm {
        RmsNorm { name: name.to_owned(), epsilon: EPSILON, weights: vec![1.0; channels] }
    }

    /// Pairs of attention and gated products; `nested`: two of them within a stream of half the channels.
    fn attention_blocks(&mut self, count: usize, width: usize, nested: bool) -> Vec<Block> {
        if !nested {
            return (0..count).flat_map(|index| self.attention_pair(&format!("rattn{}", index + 1), width)).collect();
        }
        let activation = self.activation;
        (0..count)
            .map(|index| {
                let name = format!("rattn{}", index + 1);
                let inner = width / 2;
                Block::Nested(Box::new(NestedBlock {
                    pre: self.affine(&format!("{name}/pre"), width),
                    pre_activation: activation,
                    enter: self.conv(&format!("{name}/enter"), 1, width, inner, 1.0),
                    blocks: (1..=2).flat_map(|part| self.attention_pair(&format!("{name}/{part}"), inner)).collect(),
                    post: self.affine(&format!("{name}/post"), inner),
                    post_activation: activation,
                    leave: self.conv(&format!("{name}/leave"), 1, inner, width, self.small),
                    name,
                }))
            })
            .collect()
    }

    fn attention_pair(&mut self, name: &str, width: usize) -> [Block; 2] {
        let fits = |heads: &usize| width.is_multiple_of(2 * heads);
        let heads = (1..=(width / HEAD_WIDTH).max(1)).rev().find(fits).unwrap_or(1);
        let head = width / heads;
        let feed = (width * 8 / 3).next_multiple_of(8);
        let attention = AttentionBlock {
            heads,
            kv_heads: heads,
            query_width: head,
            value_width: head,
            norm: self.rms(&format!("{name}/norm1"), width),
            query: self.matmul(&format!("{name}/q"), width, width, 1.0),
            key: self.matmul(&format!("{name}/k"), width, width, 1.0),
            value: self.matmul(&format!("{name}/v"), width, width, 1.0),
            output: self.matmul(&format!("{name}/out"), width, width, self.small),
            rope: Some(Rope::Learned { frequencies: self.frequencies(heads * head / 2) }),
            name: format!("{name}/attention"),
        };
        let products = FeedForwardBlock {
            norm: self.rms(&format!("{name}/norm2"), width),
            up: self.matmul(&format!("{name}/up"), width, feed, 1.0),
            gate: self.matmul(&format!("{name}/gate"), width, feed, 1.0),
            down: self.matmul(&format!("{name}/down"), feed, width, self.small),
            name: format!("{name}/products"),
        };
        [Block::Attention(Box::new(attention)), Block::FeedForward(Box::new(products))]
    }

    /// Of turns that tell neighbours apart and turns that are the same all over the board, in all directions.
    fn frequencies(&mut self, pairs: usize) -> Vec<f32> {
        let mut one = || {
            let radians = 2.0 * 0.02f64.powf(self.random.unit());
            let direction = std::f64::consts::TAU * self.random.unit();
            [(radians * direction.cos()) as f32, (radians * direction.sin()) as f32]
        };
        (0..pairs).flat_map(|_| one()).collect()
    }

    fn block(&mut self, index: usize, width: usize, pooled: usize, nested: bool) -> Block {
        let name = format!("rconv{}", index + 1);
        let activation = self.activation;
        if nested {
            let inner = width / 2;
            return Block::Nested(Box::new(NestedBlock {
                pre: self.affine(&format!("{name}/pre"), width),
                pre_activation: activation,
                enter: self.conv(&format!("{name}/enter"), 1, width, inner, 1.0),
                blocks: (0..2).map(|part| self.block(index + 2 - part, inner, pooled, false)).collect(),
                post: self.affine(&format!("{name}/post"), inner),
                post_activation: activation,
                leave: self.conv(&format!("{name}/leave"), 1, inner, width, self.small),
                name,
            }));
        }
        let pre = self.affine(&format!("{name}/norm1"), width);
        let mid = self.affine(&format!("{name}/norm2"), width);
        let first = self.conv(&format!("{name}/w1"), 3, width, width, 1.0);
        let second = self.conv(&format!("{name}/w2"), 3, width, width, self.small);
        // The second of each three looks at the whole board.
        if index % 3 != 1 {
            return Block::Ordinary(Box::new(OrdinaryBlock {
                name,
                pre,
                pre_activation: activation,
                first,
                mid,
                mid_activation: activation,
                second,
            }));
        }
        Block::GlobalPooling(Box::new(GlobalPoolingBlock {
            pooled: self.conv(&format!("{name}/w1b"), 3, width, pooled, 1.0),
            pooled_norm: self.affine(&format!("{name}/norm1b"), pooled),
            pooled_activation: activation,
            pool_to_bias: self.matmul(&format!("{name}/w1r"), 3 * pooled, width, 0.5),
            name,
            pre,
            pre_activation: activation,
            regular: first,
            mid,
            mid_activation: activation,
            second,
        }))
    }
}
