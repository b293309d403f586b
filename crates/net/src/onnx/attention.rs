//! Transformer blocks, on rows `[N, S, C]` with one row for each point.

use super::builder::{Attribute, Builder, Value};
use super::graph::Net;
use super::{BoardShape, FUSED_DOMAIN, proto::data_type};
use crate::file::model::{AttentionBlock, FeedForwardBlock, MatMul, Rope};

impl Net<'_> {
    /// `x + out(softmax(q k^T / sqrt(width)) v)`, queries and keys turned by their places.
    ///
    /// Channels of queries and keys are put into another order, the same for both, so that the two halves of a head
    /// hold the two members of each pair: a turn is then two products and a swap of halves.
    pub(super) fn attention(&mut self, x: &Value, block: &AttentionBlock) -> Value {
        let z = self.rms_norm_rows(x, &block.norm);
        if self.is_fused() && can_be_fused(block) {
            return self.fused_attention(x, &z, block);
        }
        let root = 1.0 / (block.query_width as f32).sqrt();
        let query = halves_apart(&block.query, block.query_width, root);
        let key = halves_apart(&block.key, block.query_width, 1.0);
        let widths = [query.outputs, key.outputs, block.value.outputs];
        let all = side_by_side(&[&query, &key, &block.value]);
        let all = self.matmul(&z, &all);
        let lengths = self.b.integers(&widths.map(|width| width as i64));
        let parts = self.b.ops("", "Split", &[&all, &lengths], vec![Attribute::Int("axis", -1)], 3);
        let q = self.by_head(&parts[0], block.heads, block.query_width);
        let k = self.by_head(&parts[1], block.kv_heads, block.query_width);
        let v = self.by_head(&parts[2], block.kv_heads, block.value_width);
        let (q, k) = match &block.rope {
            Some(rope) => {
                let q_turn = self.rope(rope, block, block.heads);
                let k_turn =
                    if block.heads == block.kv_heads { q_turn.clone() } else { self.rope(rope, block, block.kv_heads) };
                (self.turned(&q, &q_turn, block.query_width), self.turned(&k, &k_turn, block.query_width))
            }
            None => (q, k),
        };
        let (k, v) = (self.spread(&k, block), self.spread(&v, block));
        let k = self.b.op("Transpose", &[&k], vec![Attribute::Ints("perm", vec![0, 1, 3, 2])]);
        let mut scores = self.b.op("MatMul", &[&q, &k], vec![]);
        if let Some(mask) = &self.mask {
            let keys = mask.keys.clone();
            scores = self.b.op("Add", &[&scores, &keys], vec![]);
        }
        let weights = self.b.op("Softmax", &[&scores], vec![Attribute::Int("axis", -1)]);
        let o = self.b.op("MatMul", &[&weights, &v], vec![]);
        let o = self.b.op("Transpose", &[&o], vec![Attribute::Ints("perm", vec![0, 2, 1, 3])]);
        let shape = self.b.integers(&[0, 0, (block.heads * block.value_width) as i64]);
        let o = self.b.op("Reshape", &[&o, &shape], vec![]);
        let y = self.matmul(&o, &block.output);
        let y = self.masked_rows(&y);
        self.b.op("Add", &[x, &y], vec![])
    }

    /// The same, on rows all the way. The operator for attention divides scores by the root of the width itself, and the
    /// one that turns pairs takes all heads for one.
    fn fused_attention(&mut self, x: &Value, z: &Value, block: &AttentionBlock) -> Value {
        let all = side_by_side(&[&block.query, &block.key, &block.value]);
        let all = self.matmul(z, &all);
        let width = block.query.outputs as i64;
        let lengths = self.b.integers(&[2 * width, block.value.outputs as i64]);
        let parts = self.b.ops("", "Split", &[&all, &lengths], vec![Attribute::Int("axis", -1)], 2);
        let (mut both, value) = (parts[0].clone(), parts[1].clone());
        if let Some(rope) = &block.rope {
            let (cosines, sines) = self.fused_rope(rope, block);
            let start = self.b.integers(&[0]);
            let attributes = vec![Attribute::Int("interleaved", 1)];
            both = self.b.op_in(FUSED_DOMAIN, "RotaryEmbedding", &[&both, &start, &cosines, &sines], attributes);
        }
        let lengths = self.b.integers(&[width, width]);
        let parts = self.b.ops("", "Split", &[&both, &lengths], vec![Attribute::Int("axis", -1)], 2);
        let heads = vec![Attribute::Int("num_heads", block.heads as i64)];
        let o = self.b.op_in(FUSED_DOMAIN, "MultiHeadAttention", &[&parts[0], &parts[1], &value], heads);
        let y = self.matmul(&o, &block.output);
        self.b.op("Add", &[x, &y], vec![])
    }

    /// Cosines and sines `[S, pairs]` of the angles of all places, for the pairs of all queries and of all keys.
    fn fused_rope(&mut self, rope: &Rope, block: &AttentionBlock) -> (Value, Value) {
        let (frequencies, heads) = frequencies(rope, block, block.heads);
        let of_all = frequencies.repeat(2 * block.heads / heads);
        let BoardShape::Exact { width, height } = self.options.shape else {
            unreachable!("fused graphs are for one size");
        };
        let angles: Vec<f32> = (0..width * height)
            .flat_map(|place| {
                let (x, y) = ((place % width) as f32, (place / width) as f32);
                of_all.iter().map(move |&[fx, fy]| x * fx + y * fy)
            })
            .collect();
        let dims = [width * height, of_all.len()];
        let cosines: Vec<f32> = angles.iter().map(|angle| angle.cos()).collect();
        let sines: Vec<f32> = angles.iter().map(|angle| angle.sin()).collect();
        (self.b.weights(&dims, &cosines), self.b.weights(&dims, &sines))
    }

    /// `x + (silu(z up) . (z gate)) down`
    pub(super) fn feed_forward(&mut self, x: &Value, block: &FeedForwardBlock) -> Value {
        let z = self.rms_norm_rows(x, &block.norm);
        let both = side_by_side(&[&block.up, &block.gate]);
        let both = self.matmul(&z, &both);
        let width = block.up.outputs as i64;
        let lengths = self.b.integers(&[width, width]);
        let parts = self.b.ops("", "Split", &[&both, &lengths], vec![Attribute::Int("axis", -1)], 2);
        let sigmoid = self.b.op("Sigmoid", &[&parts[0]], vec![]);
        let silu = self.b.op("Mul", &[&parts[0], &sigmoid], vec![]);
        let h = self.b.op("Mul", &[&silu, &parts[1]], vec![]);
        // A product of two factors has a few very large values: with 8 bits it alone makes three quarters of the error.
        let y = self.full_matmul(&h, &block.down);
        let y = self.masked_rows(&y);
        self.b.op("Add", &[x, &y], vec![])
    }

    /// `[N, S, heads * width]` to `[N, heads, S, width]`.
    fn by_head(&mut self, x: &Value, heads: usize, width: usize) -> Value {
        let shape = self.b.integers(&[0, 0, heads as i64, width as i64]);
        let x = self.b.op("Reshape", &[x, &shape], vec![]);
        self.b.op("Transpose", &[&x], vec![Attribute::Ints("perm", vec![0, 2, 1, 3])])
    }

    /// Each key or value head once for every query head it serves.
    fn spread(&mut self, x: &Value, block: &AttentionBlock) -> Value {
        let served = block.heads / block.kv_heads;
        if served == 1 {
            return x.clone();
        }
        let indices: Vec<i64> = (0..block.heads).map(|head| (head / served) as i64).collect();
        let indices = self.b.integers(&indices);
        self.b.op("Gather", &[x, &indices], vec![Attribute::Int("axis", 1)])
    }

    /// Turns `[N, heads, S, width]`.
    fn turned(&mut self, x: &Value, (cosine, sine): &(Value, Value), width: usize) -> Value {
        let half = (width / 2) as i64;
        let lengths = self.b.integers(&[half, half]);
        let halves = self.b.ops("", "Split", &[x, &lengths], vec![Attribute::Int("axis", -1)], 2);
        let swapped = self.b.op("Concat", &[&halves[1], &halves[0]], vec![Attribute::Int("axis", -1)]);
        let kept = self.b.op("Mul", &[x, cosine], vec![]);
        let moved = self.b.op("Mul", &[&swapped, sine], vec![]);
        self.b.op("Add", &[&kept, &moved], vec![])
    }

    /// Cosines and signed sines `[1, heads or 1, S, width]` of the angles of all places.
    fn rope(&mut self, rope: &Rope, block: &AttentionBlock, heads: usize) -> (Value, Value) {
        let (frequencies, heads) = frequencies(rope, block, heads);
        let pairs = block.query_width / 2;
        match self.options.shape {
            BoardShape::Exact { width, height } | BoardShape::Masked { width, height } => {
                let mut cosines = Vec::with_capacity(heads * width * height * pairs * 2);
                let mut sines = Vec::with_capacity(cosines.capacity());
                for head in frequencies.chunks_exact(pairs) {
                    for place in 0..width * height {
                        let (x, y) = ((place % width) as f32, (place / width) as f32);
                        let angles: Vec<f32> = head.iter().map(|&[fx, fy]| x * fx + y * fy).collect();
                        let both = angles.iter().chain(&angles);
                        cosines.extend(both.map(|angle| angle.cos()));
                        sines.extend(angles.iter().map(|angle| -angle.sin()));
                        sines.extend(angles.iter().map(|angle| angle.sin()));
                    }
                }
                let dims = [1, heads, width * height, pairs * 2];
                (self.b.weights(&dims, &cosines), self.b.weights(&dims, &sines))
            }
            BoardShape::Any => {
                let places = self.places();
                // [heads, 2, pairs]: each place's coordinates times the frequencies.
                let mut table = Vec::with_capacity(heads * 2 * pairs);
                for head in frequencies.chunks_exact(pairs) {
                    table.extend(head.iter().map(|f| f[0]));
                    table.extend(head.iter().map(|f| f[1]));
                }
                let table = self.b.full_weights(&[1, heads, 2, pairs], &table);
                let angles = self.b.op("MatMul", &[&places, &table], vec![]);
                let (cosine, sine) = (self.b.op("Cos", &[&angles], vec![]), self.b.op("Sin", &[&angles], vec![]));
                let minus = self.b.op("Neg", &[&sine], vec![]);
                let join = |b: &mut Builder, first: &Value, second: &Value| {
                    b.op("Concat", &[first, second], vec![Attribute::Int("axis", -1)])
                };
                let cosine = join(&mut self.b, &cosine, &cosine);
                let sine = join(&mut self.b, &minus, &sine);
                (self.narrow(&cosine), self.narrow(&sine))
            }
        }
    }

    /// `[S, 2]`: column and row of each place of the buffer, of a size known only when the graph runs.
    fn places(&mut self) -> Value {
        let b = &mut self.b;
        let (zero, one) = (b.integer(0), b.integer(1));
        let height = b.op("Gather", &[&self.size, &zero], vec![]);
        let width = b.op("Gather", &[&self.size, &one], vec![]);
        let area = b.op("Mul", &[&height, &width], vec![]);
        let place = b.op("Range", &[&zero, &area, &one], vec![]);
        let column = b.op("Mod", &[&place, &width], vec![]);
        let row = b.op("Div", &[&place, &width], vec![]);
        let axis = b.integers(&[1]);
        let column = b.op("Unsqueeze", &[&column, &axis], vec![]);
        let row = b.op("Unsqueeze", &[&row, &axis], vec![]);
        let places = b.op("Concat", &[&column, &row], vec![Attribute::Int("axis", 1)]);
        b.op("Cast", &[&places], vec![Attribute::Int("to", i64::from(data_type::FLOAT))])
    }
}

/// Values that ONNX Runtime's programs for turning pairs take for one head at most.
const MAX_TURNED: usize = 1024;

/// Whether ONNX Runtime's operators compute this attention: a key for every query's head, pairs that are whole, and not
/// too many of them.
fn can_be_fused(block: &AttentionBlock) -> bool {
    block.heads == block.kv_heads && block.query_width.is_multiple_of(2) && 2 * block.query.outputs <= MAX_TURNED
}

/// `[x, y]` frequencies, `pairs` for each head, and for how many heads: 1 where all share them.
pub(crate) fn frequencies(rope: &Rope, block: &AttentionBlock, heads: usize) -> (Vec<[f32; 2]>, usize) {
    let pairs = block.query_width / 2;
    match rope {
        Rope::Learned { frequencies } => {
            let served = heads / block.kv_heads;
            let head = |head: usize| &frequencies[head / served * pairs * 2..][..pairs * 2];
            let all = (0..heads).flat_map(|index| head(index).chunks_exact(2).map(|f| [f[0], f[1]])).collect();
            (all, heads)
        }
        Rope::Fixed { base } => (Rope::fixed(*base, pairs), 1),
    }
}

/// The matrix with each head's even channels first and its odd ones after them, all times `factor`.
pub(crate) fn halves_apart(matmul: &MatMul, width: usize, factor: f32) -> MatMul {
    if !width.is_multiple_of(2) {
        let weights = matmul.weights.iter().map(|weight| weight * factor).collect();
        return MatMul { weights, ..matmul.clone() };
    }
    let mut weights = Vec::with_capacity(matmul.weights.len());
    for row in matmul.weights.chunks_exact(matmul.outputs) {
        for head in row.chunks_exact(width) {
            weights.extend(head.iter().step_by(2).map(|weight| weight * factor));
            weights.extend(head.iter().skip(1).step_by(2).map(|weight| weight * factor));
        }
    }
    MatMul { weights, ..matmul.clone() }
}

/// One matrix that does the work of several with the same input.
pub(crate) fn side_by_side(parts: &[&MatMul]) -> MatMul {
    let inputs = parts[0].inputs;
    let outputs = parts.iter().map(|part| part.outputs).sum();
    let mut weights = Vec::with_capacity(inputs * outputs);
    for row in 0..inputs {
        for part in parts {
            weights.extend_from_slice(&part.weights[row * part.outputs..][..part.outputs]);
        }
    }
    let name = parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>().join("+");
    MatMul { name, inputs, outputs, weights }
}
