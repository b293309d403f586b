//! The trunk and its blocks.

use super::builder::Value;
use super::graph::{Net, Pooling, Stream};
use super::{TRUNK_DOMAIN, TRUNK_OPERATOR};
use crate::file::model::{Block, Conv, GlobalPoolingBlock, MatMul, Model, NestedBlock, OrdinaryBlock};

impl Net<'_> {
    /// From the inputs to what the heads see.
    pub(super) fn trunk(&mut self, spatial: &Value, global: &Value, meta: Option<&Value>) -> Value {
        let model = self.model;
        let trunk = &model.trunk;
        let mut v = self.matmul(global, &trunk.global);
        if let (Some(encoder), Some(meta)) = (&trunk.meta, meta) {
            let h = self.matmul(meta, &encoder.first);
            let h = self.biased(&h, &encoder.first_bias);
            let h = self.activate(&h, encoder.first_activation);
            let h = self.matmul(&h, &encoder.second);
            let h = self.biased(&h, &encoder.second_bias);
            let h = self.activate(&h, encoder.second_activation);
            let h = self.matmul(&h, &encoder.output);
            v = self.b.op("Add", &[&v, &h], vec![]);
        }
        if self.around_trunk {
            let rows = self.b.op_in(TRUNK_DOMAIN, TRUNK_OPERATOR, &[spatial, &v], vec![]);
            return self.tip(Stream::Rows(rows));
        }
        let x = self.conv(spatial, &trunk.initial, None, None);
        let x = self.add_everywhere(&x, &v);
        self.in_blocks = true;
        let x = self.blocks(Stream::Planes(x), &trunk.blocks, trunk.channels);
        self.in_blocks = false;
        self.tip(x)
    }

    fn blocks(&mut self, mut x: Stream, blocks: &[Block], channels: usize) -> Stream {
        for block in blocks {
            x = match block {
                Block::Ordinary(block) => {
                    let x = self.planes(x, channels);
                    self.b.scope_in(&block.name);
                    Stream::Planes(self.ordinary(&x, block))
                }
                Block::GlobalPooling(block) => {
                    let x = self.planes(x, channels);
                    self.b.scope_in(&block.name);
                    Stream::Planes(self.global_pooling(&x, block))
                }
                Block::Nested(block) => {
                    self.b.scope_in(&block.name);
                    if point_wise(block) {
                        self.nested_rows(x, block, channels)
                    } else {
                        self.nested(x, block, channels)
                    }
                }
                Block::Attention(block) => {
                    let x = self.rows(x, channels);
                    self.b.scope_in(&block.name);
                    Stream::Rows(self.attention(&x, block))
                }
                Block::FeedForward(block) => {
                    let x = self.rows(x, channels);
                    self.b.scope_in(&block.name);
                    Stream::Rows(self.feed_forward(&x, block))
                }
            };
            self.b.scope_out();
        }
        x
    }

    fn ordinary(&mut self, x: &Value, block: &OrdinaryBlock) -> Value {
        let u = self.normalised(x, &block.pre, block.pre_activation);
        let u = self.conv_activated(&u, &block.first, &block.mid, block.mid_activation);
        let u = self.conv(&u, &block.second, None, None);
        self.b.op("Add", &[x, &u], vec![])
    }

    fn global_pooling(&mut self, x: &Value, block: &GlobalPoolingBlock) -> Value {
        let u = self.normalised(x, &block.pre, block.pre_activation);
        // The pooled vector is added before the norm, so the norm's factor goes into both, its shift into one.
        let regular = self.conv(&u, &block.regular, Some(&block.mid.scale), Some(&block.mid.shift));
        let pooled = self.conv_activated(&u, &block.pooled, &block.pooled_norm, block.pooled_activation);
        let bias = self.pooled_product(
            &pooled,
            &block.pool_to_bias,
            Pooling::Policy,
            block.pooled_activation,
            Some(&block.mid.scale),
        );
        let u = self.add_everywhere(&regular, &bias);
        let u = self.activate(&u, block.mid_activation);
        let u = self.masked(&u);
        let u = self.conv(&u, &block.second, None, None);
        self.b.op("Add", &[x, &u], vec![])
    }

    fn nested(&mut self, x: Stream, block: &NestedBlock, channels: usize) -> Stream {
        let x = self.planes(x, channels);
        let u = self.normalised(&x, &block.pre, block.pre_activation);
        let u = self.conv(&u, &block.enter, None, None);
        let u = self.blocks(Stream::Planes(u), &block.blocks, block.enter.outputs);
        let u = self.planes(u, block.enter.outputs);
        let u = self.normalised(&u, &block.post, block.post_activation);
        let u = self.conv(&u, &block.leave, None, None);
        Stream::Planes(self.b.op("Add", &[&x, &u], vec![]))
    }

    /// A nested block that never looks sideways but through attention stays in rows.
    fn nested_rows(&mut self, x: Stream, block: &NestedBlock, channels: usize) -> Stream {
        let x = self.rows(x, channels);
        let u = self.normalised_rows(&x, &block.pre, block.pre_activation);
        let u = self.matmul(&u, &as_matmul(&block.enter));
        let u = self.blocks(Stream::Rows(u), &block.blocks, block.enter.outputs);
        let u = self.rows(u, block.enter.outputs);
        let u = self.normalised_rows(&u, &block.post, block.post_activation);
        let u = self.matmul(&u, &as_matmul(&block.leave));
        Stream::Rows(self.b.op("Add", &[&x, &u], vec![]))
    }
}

fn point_wise(block: &NestedBlock) -> bool {
    let inner = |block: &Block| match block {
        Block::Attention(_) | Block::FeedForward(_) => true,
        Block::Nested(nested) => point_wise(nested),
        Block::Ordinary(_) | Block::GlobalPooling(_) => false,
    };
    block.enter.kernel == (1, 1) && block.leave.kernel == (1, 1) && block.blocks.iter().all(inner)
}

/// A convolution of single points is a product, and stored like one.
fn as_matmul(conv: &Conv) -> MatMul {
    MatMul { name: conv.name.clone(), inputs: conv.inputs, outputs: conv.outputs, weights: conv.weights.clone() }
}

impl Model {
    /// How many rows and columns the widest kernel looks to each side.
    pub(crate) fn reach(&self) -> (usize, usize) {
        fn of(conv: &Conv, reach: &mut (usize, usize)) {
            reach.0 = reach.0.max(conv.dilation.0 * (conv.kernel.0 - 1) / 2);
            reach.1 = reach.1.max(conv.dilation.1 * (conv.kernel.1 - 1) / 2);
        }
        fn walk(blocks: &[Block], reach: &mut (usize, usize)) {
            for block in blocks {
                match block {
                    Block::Ordinary(b) => [&b.first, &b.second].iter().for_each(|conv| of(conv, reach)),
                    Block::GlobalPooling(b) => {
                        [&b.regular, &b.pooled, &b.second].iter().for_each(|conv| of(conv, reach));
                    }
                    Block::Nested(b) => {
                        [&b.enter, &b.leave].iter().for_each(|conv| of(conv, reach));
                        walk(&b.blocks, reach);
                    }
                    Block::Attention(_) | Block::FeedForward(_) => {}
                }
            }
        }
        let mut reach = (0, 0);
        of(&self.trunk.initial, &mut reach);
        walk(&self.trunk.blocks, &mut reach);
        for conv in [&self.policy.points, &self.policy.pooled, &self.policy.logits] {
            of(conv, &mut reach);
        }
        for conv in [&self.value.points, &self.value.ownership] {
            of(conv, &mut reach);
        }
        reach
    }
}
