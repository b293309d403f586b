//! The trunk's blocks: what they are made of, reading and writing them, what they cost.
//!
//! A new kind of block is a variant here, its graph in `onnx/blocks.rs`, its arithmetic in `kernels/trunk.rs`, and a small
//! one for the tests in `testkit`.

use super::error::{Defect, FileError};
use super::info::Cost;
use super::layers::LayerReader;
use super::model::{Activation, Affine, Conv, MatMul, RmsNorm};
use super::write::LayerWriter;

/// One step of the trunk; each adds its result to the stream.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Two convolutions.
    Ordinary(Box<OrdinaryBlock>),
    /// Two convolutions, the first with a look at the whole board.
    GlobalPooling(Box<GlobalPoolingBlock>),
    /// Blocks within a narrower stream.
    Nested(Box<NestedBlock>),
    /// Attention between all points.
    Attention(Box<AttentionBlock>),
    /// Gated products within each point.
    FeedForward(Box<FeedForwardBlock>),
}

/// `x + second(act(mid(first(act(pre(x))))))`
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the formula names them")]
pub struct OrdinaryBlock {
    pub name: String,
    pub pre: Affine,
    pub pre_activation: Activation,
    pub first: Conv,
    pub mid: Affine,
    pub mid_activation: Activation,
    pub second: Conv,
}

/// `u = act(pre(x)); x + second(act(mid(regular(u) + pool(act(pooled_norm(pooled(u)))) * pool_to_bias)))`
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the formula names them")]
pub struct GlobalPoolingBlock {
    pub name: String,
    pub pre: Affine,
    pub pre_activation: Activation,
    pub regular: Conv,
    pub pooled: Conv,
    pub pooled_norm: Affine,
    pub pooled_activation: Activation,
    pub pool_to_bias: MatMul,
    pub mid: Affine,
    pub mid_activation: Activation,
    pub second: Conv,
}

/// `x + leave(act(post(blocks(enter(act(pre(x)))))))`
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the formula names them")]
pub struct NestedBlock {
    pub name: String,
    pub pre: Affine,
    pub pre_activation: Activation,
    pub enter: Conv,
    pub blocks: Vec<Block>,
    pub post: Affine,
    pub post_activation: Activation,
    pub leave: Conv,
}

/// Attention of every point to every point.
#[derive(Debug, Clone, PartialEq)]
pub struct AttentionBlock {
    /// Name in the file.
    pub name: String,
    /// Heads of the queries.
    pub heads: usize,
    /// Heads of keys and values; each serves `heads / kv_heads` query heads.
    pub kv_heads: usize,
    /// Channels of a query and of a key.
    pub query_width: usize,
    /// Channels of a value.
    pub value_width: usize,
    /// Norm before the products.
    pub norm: RmsNorm,
    /// To `heads * query_width`.
    pub query: MatMul,
    /// To `kv_heads * query_width`.
    pub key: MatMul,
    /// To `kv_heads * value_width`.
    pub value: MatMul,
    /// From `heads * value_width`.
    pub output: MatMul,
    /// Turning of queries and keys by their place.
    pub rope: Option<Rope>,
}

/// Angles by which pairs of channels are turned.
#[derive(Debug, Clone, PartialEq)]
pub enum Rope {
    /// Frequencies follow from a base.
    Fixed {
        /// The base ("theta").
        base: f32,
    },
    /// Frequencies are weights.
    Learned {
        /// `[kv head][pair][x frequency, y frequency]`, radians a step.
        frequencies: Vec<f32>,
    },
}

impl Rope {
    /// `[x, y]` frequencies of each pair of channels that follow from a base: the first half turns with the row, the rest
    /// with the column.
    #[must_use]
    pub fn fixed(base: f32, pairs: usize) -> Vec<[f32; 2]> {
        let rows = pairs / 2;
        let frequency = |index: usize| 1.0 / base.powf(2.0 * index as f32 / pairs as f32);
        (0..pairs)
            .map(|pair| if pair < rows { [0.0, frequency(pair)] } else { [frequency(pair - rows), 0.0] })
            .collect()
    }
}

/// `x + (silu(z * up) . (z * gate)) * down` with `z = norm(x)`
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the formula names them")]
pub struct FeedForwardBlock {
    pub name: String,
    pub norm: RmsNorm,
    pub up: MatMul,
    pub gate: MatMul,
    pub down: MatMul,
}

impl LayerReader<'_, '_> {
    /// `count` blocks over a stream of `width` channels.
    pub(super) fn blocks(&mut self, count: usize, width: usize, depth: usize) -> Result<Vec<Block>, FileError> {
        let mut blocks = Vec::new();
        for _ in 0..count {
            blocks.push(self.block(width, depth)?);
        }
        Ok(blocks)
    }

    fn block(&mut self, width: usize, depth: usize) -> Result<Block, FileError> {
        let kind = self.tokens.token("a kind of block")?;
        self.blocks += 1;
        let most = self.tokens.limits.blocks;
        if self.blocks > most {
            return Err(self.out_of_range("number of blocks", self.blocks, format!("at most {most}")));
        }
        match kind.as_str() {
            "ordinary_block" => Ok(Block::Ordinary(Box::new(self.ordinary(width)?))),
            "gpool_block" => Ok(Block::GlobalPooling(Box::new(self.global_pooling(width)?))),
            "nested_bottleneck_block" => Ok(Block::Nested(Box::new(self.nested(width, depth)?))),
            "transformer_attention_block" => Ok(Block::Attention(Box::new(self.attention(width)?))),
            "transformer_ffn_block" => Ok(Block::FeedForward(Box::new(self.feed_forward(width)?))),
            _ => Err(self.tokens.malformed(Defect::Unknown { what: "kind of block", found: kind })),
        }
    }

    fn out_of_range(&self, what: &'static str, value: usize, expected: String) -> FileError {
        self.tokens.malformed(Defect::Range { what, value: value.to_string(), expected })
    }

    fn ordinary(&mut self, width: usize) -> Result<OrdinaryBlock, FileError> {
        let name = self.tokens.name()?;
        let pre = self.affine(width)?;
        let pre_activation = self.activation()?;
        let first = self.conv(width)?;
        let mid = self.affine(first.outputs)?;
        let mid_activation = self.activation()?;
        let second = self.conv_to(first.outputs, width)?;
        Ok(OrdinaryBlock { name, pre, pre_activation, first, mid, mid_activation, second })
    }

    fn global_pooling(&mut self, width: usize) -> Result<GlobalPoolingBlock, FileError> {
        let name = self.tokens.name()?;
        let pre = self.affine(width)?;
        let pre_activation = self.activation()?;
        let regular = self.conv(width)?;
        let pooled = self.conv(width)?;
        let pooled_norm = self.affine(pooled.outputs)?;
        let pooled_activation = self.activation()?;
        let pool_to_bias = self.matmul_to(3 * pooled.outputs, regular.outputs)?;
        let mid = self.affine(regular.outputs)?;
        let mid_activation = self.activation()?;
        let second = self.conv_to(regular.outputs, width)?;
        Ok(GlobalPoolingBlock {
            name,
            pre,
            pre_activation,
            regular,
            pooled,
            pooled_norm,
            pooled_activation,
            pool_to_bias,
            mid,
            mid_activation,
            second,
        })
    }

    fn nested(&mut self, width: usize, depth: usize) -> Result<NestedBlock, FileError> {
        let name = self.tokens.name()?;
        let deepest = self.tokens.limits.nesting;
        if depth >= deepest {
            return Err(self.out_of_range("depth of nested blocks", depth + 1, format!("at most {deepest}")));
        }
        let most = self.tokens.limits.blocks;
        let count = self.tokens.count("number of inner blocks", most)?;
        let pre = self.affine(width)?;
        let pre_activation = self.activation()?;
        let enter = self.conv(width)?;
        let blocks = self.blocks(count, enter.outputs, depth + 1)?;
        let post = self.affine(enter.outputs)?;
        let post_activation = self.activation()?;
        let leave = self.conv_to(enter.outputs, width)?;
        Ok(NestedBlock { name, pre, pre_activation, enter, blocks, post, post_activation, leave })
    }

    fn attention(&mut self, width: usize) -> Result<AttentionBlock, FileError> {
        let name = self.tokens.name()?;
        let limits = *self.tokens.limits;
        let heads = self.tokens.count("heads", limits.heads)?;
        let kv_heads = self.tokens.count("key and value heads", limits.heads)?;
        let query_width = self.tokens.count("query channels", limits.head_width)?;
        let value_width = self.tokens.count("value channels", limits.head_width)?;
        let has_rope = self.tokens.integer("rope flag")? != 0;
        let learned = self.tokens.integer("learned rope flag")? != 0;
        if heads % kv_heads != 0 {
            return Err(self.out_of_range("heads", heads, format!("a multiple of {kv_heads}")));
        }
        if has_rope && query_width % 2 != 0 {
            return Err(self.out_of_range("query channels", query_width, "an even number".into()));
        }
        let norm = self.rms_norm(width)?;
        let query = self.matmul_to(width, heads * query_width)?;
        let key = self.matmul_to(width, kv_heads * query_width)?;
        let value = self.matmul_to(width, kv_heads * value_width)?;
        let output = self.matmul_to(heads * value_width, width)?;
        let rope = match (has_rope, learned) {
            (false, _) => None,
            (true, true) => Some(self.learned_rope(kv_heads, query_width / 2)?),
            (true, false) => {
                self.tokens.name()?;
                Some(Rope::Fixed { base: self.tokens.positive_f32("rope base", f32::MAX)? })
            }
        };
        Ok(AttentionBlock { name, heads, kv_heads, query_width, value_width, norm, query, key, value, output, rope })
    }

    fn learned_rope(&mut self, kv_heads: usize, pairs: usize) -> Result<Rope, FileError> {
        self.tokens.name()?;
        let limits = *self.tokens.limits;
        let found = self.tokens.count("rope heads", limits.heads)?;
        self.equal("rope heads", found, kv_heads)?;
        let found = self.tokens.count("rope pairs", limits.head_width)?;
        self.equal("rope pairs", found, pairs)?;
        let found = self.tokens.count("rope axes", limits.head_width)?;
        self.equal("rope axes", found, 2)?;
        Ok(Rope::Learned { frequencies: self.tokens.weights(&[kv_heads, pairs, 2])? })
    }

    fn feed_forward(&mut self, width: usize) -> Result<FeedForwardBlock, FileError> {
        let name = self.tokens.name()?;
        let found = self.channels("channels")?;
        self.equal("channels", found, width)?;
        let most = self.tokens.limits.feed_forward;
        let hidden = self.tokens.count("hidden channels", most)?;
        if self.tokens.integer("gate flag")? == 0 {
            let found = "feed-forward block without a gate".into();
            return Err(self.tokens.malformed(Defect::Unknown { what: "kind of block", found }));
        }
        let norm = self.rms_norm(width)?;
        let up = self.matmul_to(width, hidden)?;
        let gate = self.matmul_to(width, hidden)?;
        let down = self.matmul_to(hidden, width)?;
        Ok(FeedForwardBlock { name, norm, up, gate, down })
    }
}

/// Changes the weights of every product.
pub(super) fn map_blocks(blocks: &mut [Block], each: &mut impl FnMut(&mut Vec<f32>)) {
    for block in blocks {
        match block {
            Block::Ordinary(b) => [&mut b.first, &mut b.second].into_iter().for_each(|conv| each(&mut conv.weights)),
            Block::GlobalPooling(b) => {
                [&mut b.regular, &mut b.pooled, &mut b.second].into_iter().for_each(|layer| each(&mut layer.weights));
                each(&mut b.pool_to_bias.weights);
            }
            Block::Nested(b) => {
                each(&mut b.enter.weights);
                map_blocks(&mut b.blocks, each);
                each(&mut b.leave.weights);
            }
            Block::Attention(b) => {
                [&mut b.query, &mut b.key, &mut b.value, &mut b.output]
                    .into_iter()
                    .for_each(|layer| each(&mut layer.weights));
            }
            Block::FeedForward(b) => {
                [&mut b.up, &mut b.gate, &mut b.down].into_iter().for_each(|layer| each(&mut layer.weights));
            }
        }
    }
}

/// "18 nested(2 ordinary)", "6 ordinary + 2 pooling" and the like.
pub(super) fn describe(blocks: &[Block]) -> String {
    let mut kinds: Vec<(String, usize)> = Vec::new();
    for block in blocks {
        let kind = match block {
            Block::Ordinary(_) => "ordinary".to_string(),
            Block::GlobalPooling(_) => "pooling".to_string(),
            Block::Nested(nested) => format!("nested({})", describe(&nested.blocks)),
            Block::Attention(attention) => format!("attention({} heads)", attention.heads),
            Block::FeedForward(_) => "feed-forward".to_string(),
        };
        match kinds.iter_mut().find(|(name, _)| *name == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>().join(" + ")
}

/// Whether attention is among them.
pub(super) fn attends(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| match block {
        Block::Attention(_) => true,
        Block::Nested(nested) => attends(&nested.blocks),
        _ => false,
    })
}

/// Adds what blocks cost on a board of `points` points.
pub(super) fn add_cost(cost: &mut Cost, blocks: &[Block], points: u64) {
    for block in blocks {
        match block {
            Block::Ordinary(b) => {
                cost.vector(2 * b.pre.scale.len() + 2 * b.mid.scale.len());
                cost.conv(&b.first, points);
                cost.conv(&b.second, points);
            }
            Block::GlobalPooling(b) => {
                cost.vector(2 * (b.pre.scale.len() + b.pooled_norm.scale.len() + b.mid.scale.len()));
                cost.conv(&b.regular, points);
                cost.conv(&b.pooled, points);
                cost.matmul(&b.pool_to_bias, 1);
                cost.conv(&b.second, points);
            }
            Block::Nested(b) => {
                cost.vector(2 * (b.pre.scale.len() + b.post.scale.len()));
                cost.conv(&b.enter, points);
                add_cost(cost, &b.blocks, points);
                cost.conv(&b.leave, points);
            }
            Block::Attention(b) => {
                cost.vector(b.norm.weights.len());
                for matmul in [&b.query, &b.key, &b.value, &b.output] {
                    cost.matmul(matmul, points);
                }
                if let Some(Rope::Learned { frequencies }) = &b.rope {
                    cost.vector(frequencies.len());
                }
                cost.multiply_adds += (b.heads * (b.query_width + b.value_width)) as u64 * points * points;
            }
            Block::FeedForward(b) => {
                cost.vector(b.norm.weights.len());
                for matmul in [&b.up, &b.gate, &b.down] {
                    cost.matmul(matmul, points);
                }
            }
        }
    }
}

/// Writing blocks, as they are read above.
impl LayerWriter {
    pub(super) fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            match block {
                Block::Ordinary(block) => self.ordinary(block),
                Block::GlobalPooling(block) => self.pooling(block),
                Block::Nested(block) => self.nested(block),
                Block::Attention(block) => self.attention(block),
                Block::FeedForward(block) => self.feed_forward(block),
            }
        }
    }

    fn ordinary(&mut self, block: &OrdinaryBlock) {
        self.line("ordinary_block");
        self.name(&block.name);
        self.affine(&block.pre);
        self.activation(block.pre_activation);
        self.conv(&block.first);
        self.affine(&block.mid);
        self.activation(block.mid_activation);
        self.conv(&block.second);
    }

    fn pooling(&mut self, block: &GlobalPoolingBlock) {
        self.line("gpool_block");
        self.name(&block.name);
        self.affine(&block.pre);
        self.activation(block.pre_activation);
        self.conv(&block.regular);
        self.conv(&block.pooled);
        self.affine(&block.pooled_norm);
        self.activation(block.pooled_activation);
        self.matmul(&block.pool_to_bias);
        self.affine(&block.mid);
        self.activation(block.mid_activation);
        self.conv(&block.second);
    }

    fn nested(&mut self, block: &NestedBlock) {
        self.line("nested_bottleneck_block");
        self.name(&block.name);
        self.counts(&[block.blocks.len()]);
        self.affine(&block.pre);
        self.activation(block.pre_activation);
        self.conv(&block.enter);
        self.blocks(&block.blocks);
        self.affine(&block.post);
        self.activation(block.post_activation);
        self.conv(&block.leave);
    }

    fn attention(&mut self, block: &AttentionBlock) {
        self.line("transformer_attention_block");
        self.name(&block.name);
        self.counts(&[block.heads, block.kv_heads, block.query_width, block.value_width]);
        let learned = matches!(block.rope, Some(Rope::Learned { .. }));
        self.counts(&[usize::from(block.rope.is_some()), usize::from(learned)]);
        self.rms(&block.norm);
        [&block.query, &block.key, &block.value, &block.output].into_iter().for_each(|layer| self.matmul(layer));
        match &block.rope {
            None => {}
            Some(Rope::Fixed { base }) => {
                self.line("rope");
                self.line(format!("{base:e}"));
            }
            Some(Rope::Learned { frequencies }) => {
                self.line("rope");
                self.counts(&[block.kv_heads, block.query_width / 2, 2]);
                self.weights(frequencies);
            }
        }
    }

    fn feed_forward(&mut self, block: &FeedForwardBlock) {
        self.line("transformer_ffn_block");
        self.name(&block.name);
        self.counts(&[block.up.inputs, block.up.outputs, 1]);
        self.rms(&block.norm);
        [&block.up, &block.gate, &block.down].into_iter().for_each(|layer| self.matmul(layer));
    }
}

/// What a header says of its blocks: their inner width, and that of the first pooling one.
pub(super) fn widths(blocks: &[Block]) -> Option<(usize, usize)> {
    let mid = blocks.iter().find_map(|block| match block {
        Block::Ordinary(block) => Some(block.first.outputs),
        Block::GlobalPooling(block) => Some(block.regular.outputs + block.pooled.outputs),
        Block::Nested(block) => Some(block.enter.outputs),
        Block::Attention(_) | Block::FeedForward(_) => None,
    })?;
    let pooled = blocks.iter().find_map(|block| match block {
        Block::GlobalPooling(block) => Some(block.pooled.outputs),
        Block::Nested(block) => widths(&block.blocks).map(|(_, pooled)| pooled),
        _ => None,
    });
    Some((mid, pooled.unwrap_or(mid)))
}
