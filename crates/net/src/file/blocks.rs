//! Reading of the trunk's blocks.

use super::error::{FileError, Problem};
use super::layers::LayerReader;
use super::model::{AttentionBlock, Block, FeedForwardBlock, GlobalPoolingBlock, NestedBlock, OrdinaryBlock, Rope};

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
            _ => Err(self.tokens.malformed(Problem::Unknown { what: "kind of block", found: kind })),
        }
    }

    fn out_of_range(&self, what: &'static str, value: usize, expected: String) -> FileError {
        self.tokens.malformed(Problem::Range { what, value: value.to_string(), expected })
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
            return Err(self.tokens.malformed(Problem::Unknown { what: "kind of block", found }));
        }
        let norm = self.rms_norm(width)?;
        let up = self.matmul_to(width, hidden)?;
        let gate = self.matmul_to(width, hidden)?;
        let down = self.matmul_to(hidden, width)?;
        Ok(FeedForwardBlock { name, norm, up, gate, down })
    }
}
