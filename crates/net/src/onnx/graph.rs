//! The frame of a graph: inputs, masks, and the layers that blocks and heads are made of.

use super::builder::{Attribute, Builder, Value};
use super::proto::{Dimension, GraphProto, data_type};
use super::{BoardShape, GraphOptions, Operators, Precision};
use crate::file::model::{
    Activation, Affine, Conv, GLOBAL_CHANNELS, META_CHANNELS, MatMul, Model, RmsNorm, SPATIAL_CHANNELS, TipNorm,
};

/// A network on its way to become a graph.
pub(super) struct Net<'m> {
    pub(super) b: Builder,
    pub(super) model: &'m Model,
    pub(super) options: &'m GraphOptions,
    pub(super) mask: Option<Mask>,
    /// Whether one operator stands for all blocks.
    pub(super) around_trunk: bool,
    /// Names of the nodes of the blocks' convolutions and products, which 8-bit graphs narrow, in the network's order.
    pub(super) layers: Vec<String>,
    /// Whether what is being written belongs to a block.
    pub(super) in_blocks: bool,
    /// Rows and columns of the buffer as a constant or computed pair, for reshaping.
    pub(super) size: Value,
}

/// Values derived from plane 0, in graphs that take boards smaller than the buffer.
pub(super) struct Mask {
    /// `[N, 1, H, W]`: 1 on the board.
    plane: Value,
    /// `[N, 1, H, W]`: 0 on the board, -1 beyond.
    minus_one: Value,
    /// `[N, 1]`: points on the board.
    points: Value,
    /// `[N, 1]`: `(sqrt(points) - 14) / 10`.
    linear: Value,
    /// `[N, 1]`: `(sqrt(points) - 14)^2 / 100 - 0.1`.
    quadratic: Value,
    /// `[N, H * W, 1]`: the mask for rows of points.
    pub(super) rows: Value,
    /// `[N, 1, 1, H * W]`: added to attention scores, 0 on the board and -30000 beyond.
    pub(super) keys: Value,
}

/// The stream between blocks, in one of two layouts.
#[derive(Clone)]
pub(super) enum Stream {
    /// `[N, C, H, W]`, what convolutions want.
    Planes(Value),
    /// `[N, H * W, C]`, what products of single points want.
    Rows(Value),
}

/// Which pooled values a matrix expects after the means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooling {
    /// Mean, mean times size, maximum.
    Policy,
    /// Mean, mean times size, mean times squared size.
    Value,
}

/// What a 16-bit score of -30000 is: beyond every real score, and exact.
const BEYOND: f32 = 30000.0;

impl<'m> Net<'m> {
    pub(super) fn new(model: &'m Model, options: &'m GraphOptions, around_trunk: bool) -> Self {
        let mut b = Builder::new(&model.name, options.precision == Precision::Fp16);
        let size = b.integers(&[]);
        Self { b, model, options, mask: None, around_trunk, layers: Vec::new(), in_blocks: false, size }
    }

    /// The graph, and the names of its layers.
    pub(super) fn build(self) -> (GraphProto, Vec<String>) {
        let Self { b, layers, .. } = self.built();
        let mut graph = b.finish();
        super::builder::drop_unused(&mut graph);
        (graph, layers)
    }

    /// A graph that also reports how far the values around its layers reach.
    pub(super) fn build_observing(self) -> GraphProto {
        let Self { b, layers, .. } = self.built();
        let mut graph = super::quantise::observe(b, &layers);
        super::builder::drop_unused(&mut graph);
        graph
    }

    fn built(mut self) -> Self {
        let [n, h, w] = self.dims();
        let fixed = |value: usize| Dimension::Fixed(value as i64);
        let spatial = self.b.input("spatial", vec![n.clone(), fixed(SPATIAL_CHANNELS), h.clone(), w.clone()]);
        let global = self.b.input("global", vec![n.clone(), fixed(GLOBAL_CHANNELS)]);
        let meta = self.model.trunk.meta.as_ref().map(|_| self.b.input("meta", vec![n.clone(), fixed(META_CHANNELS)]));
        self.size = match self.options.shape {
            BoardShape::Exact { width, height } | BoardShape::Masked { width, height } => {
                self.b.integers(&[height as i64, width as i64])
            }
            BoardShape::Any => self.b.op("Shape", &[&spatial], vec![Attribute::Int("start", 2)]),
        };
        if !matches!(self.options.shape, BoardShape::Exact { .. }) {
            self.mask = Some(self.b_mask(&spatial));
        }
        let spatial = self.narrow(&spatial);
        let global = self.narrow(&global);
        let meta = meta.map(|meta| self.narrow(&meta));
        let tip = self.trunk(&spatial, &global, meta.as_ref());
        self.heads(&tip);
        self
    }

    /// Notes a convolution or product of a block.
    fn layer(&mut self, made: &Value) {
        if self.in_blocks {
            // A node of one output is named like it.
            self.layers.push(made.0.clone());
        }
    }

    /// Names or sizes of batch, rows and columns.
    pub(super) fn dims(&self) -> [Dimension; 3] {
        let n = Dimension::Named("N".into());
        match self.options.shape {
            BoardShape::Exact { width, height } | BoardShape::Masked { width, height } => {
                [n, Dimension::Fixed(height as i64), Dimension::Fixed(width as i64)]
            }
            BoardShape::Any => [n, Dimension::Named("H".into()), Dimension::Named("W".into())],
        }
    }

    /// A 32-bit value in the graph's precision.
    pub(super) fn narrow(&mut self, value: &Value) -> Value {
        if self.b.half() { self.cast(value, data_type::FLOAT16) } else { value.clone() }
    }

    fn widen(&mut self, value: &Value) -> Value {
        if self.b.half() { self.cast(value, data_type::FLOAT) } else { value.clone() }
    }

    fn cast(&mut self, value: &Value, to: i32) -> Value {
        self.b.op("Cast", &[value], vec![Attribute::Int("to", i64::from(to))])
    }

    fn b_mask(&mut self, spatial: &Value) -> Mask {
        self.b.scope_in("mask");
        let (start, end, axis) = (self.b.integers(&[0]), self.b.integers(&[1]), self.b.integers(&[1]));
        let full = self.b.op("Slice", &[spatial, &start, &end, &axis], vec![]);
        let axes = self.b.integers(&[2, 3]);
        let points = self.b.op("ReduceSum", &[&full, &axes], vec![Attribute::Int("keepdims", 0)]);
        let root = self.b.op("Sqrt", &[&points], vec![]);
        let fourteen = self.b.full_weights(&[], &[14.0]);
        let offset = self.b.op("Sub", &[&root, &fourteen], vec![]);
        let tenth = self.b.full_weights(&[], &[0.1]);
        let linear = self.b.op("Mul", &[&offset, &tenth], vec![]);
        let square = self.b.op("Mul", &[&offset, &offset], vec![]);
        let hundredth = self.b.full_weights(&[], &[0.01]);
        let square = self.b.op("Mul", &[&square, &hundredth], vec![]);
        let quadratic = self.b.op("Sub", &[&square, &tenth], vec![]);
        let (points, linear, quadratic) = (self.narrow(&points), self.narrow(&linear), self.narrow(&quadratic));
        let plane = self.narrow(&full);
        let one = self.b.weights(&[], &[1.0]);
        let minus_one = self.b.op("Sub", &[&plane, &one], vec![]);
        let shape = self.b.integers(&[0, -1, 1]);
        let rows = self.b.op("Reshape", &[&plane, &shape], vec![]);
        let shape = self.b.integers(&[0, 1, 1, -1]);
        let flat = self.b.op("Reshape", &[&minus_one, &shape], vec![]);
        let beyond = self.b.weights(&[], &[BEYOND]);
        let keys = self.b.op("Mul", &[&flat, &beyond], vec![]);
        self.b.scope_out();
        Mask { plane, minus_one, points, linear, quadratic, rows, keys }
    }

    /// A convolution, with whatever follows it folded in: `scale` for each output channel, and a bias.
    pub(super) fn conv(&mut self, x: &Value, conv: &Conv, scale: Option<&[f32]>, bias: Option<&[f32]>) -> Value {
        let (rows, columns) = conv.kernel;
        let mut weights = vec![0.0; conv.weights.len()];
        for y in 0..rows {
            for x in 0..columns {
                for i in 0..conv.inputs {
                    for o in 0..conv.outputs {
                        let from = ((y * columns + x) * conv.inputs + i) * conv.outputs + o;
                        let to = ((o * conv.inputs + i) * rows + y) * columns + x;
                        weights[to] = conv.weights[from] * scale.map_or(1.0, |scale| scale[o]);
                    }
                }
            }
        }
        self.b.scope_in(&conv.name);
        let reach_y = (conv.dilation.0 * (rows - 1) / 2) as i64;
        let reach_x = (conv.dilation.1 * (columns - 1) / 2) as i64;
        let wrap_y = if self.options.edges.wrap_y { reach_y } else { 0 };
        let wrap_x = if self.options.edges.wrap_x { reach_x } else { 0 };
        let mut x = x.clone();
        if wrap_x > 0 || wrap_y > 0 {
            let pads = self.b.integers(&[0, 0, wrap_y, wrap_x, 0, 0, wrap_y, wrap_x]);
            x = self.b.op("Pad", &[&x, &pads], vec![Attribute::Text("mode", "wrap")]);
        }
        let (pad_y, pad_x) = (reach_y - wrap_y, reach_x - wrap_x);
        let attributes = vec![
            Attribute::Ints("kernel_shape", vec![rows as i64, columns as i64]),
            Attribute::Ints("pads", vec![pad_y, pad_x, pad_y, pad_x]),
            Attribute::Ints("dilations", vec![conv.dilation.0 as i64, conv.dilation.1 as i64]),
            Attribute::Ints("strides", vec![1, 1]),
        ];
        let weights = self.b.weights(&[conv.outputs, conv.inputs, rows, columns], &weights);
        let result = match bias {
            Some(bias) => {
                let bias = self.b.weights(&[conv.outputs], bias);
                self.b.op("Conv", &[&x, &weights, &bias], attributes)
            }
            None => self.b.op("Conv", &[&x, &weights], attributes),
        };
        self.layer(&result);
        self.b.scope_out();
        result
    }

    /// A convolution whose result is normalised, activated and masked.
    pub(super) fn conv_activated(&mut self, x: &Value, conv: &Conv, norm: &Affine, activation: Activation) -> Value {
        let y = self.conv(x, conv, Some(&norm.scale), Some(&norm.shift));
        let y = self.activate(&y, activation);
        self.masked(&y)
    }

    /// `scale * x + shift`, activated and masked, on planes.
    pub(super) fn normalised(&mut self, x: &Value, norm: &Affine, activation: Activation) -> Value {
        self.b.scope_in(&norm.name);
        let channels = norm.scale.len();
        let scale = self.b.weights(&[1, channels, 1, 1], &norm.scale);
        let shift = self.b.weights(&[1, channels, 1, 1], &norm.shift);
        let y = self.b.op("Mul", &[x, &scale], vec![]);
        let y = self.b.op("Add", &[&y, &shift], vec![]);
        let y = self.activate(&y, activation);
        let y = self.masked(&y);
        self.b.scope_out();
        y
    }

    /// `scale * x + shift`, activated and masked, on rows.
    pub(super) fn normalised_rows(&mut self, x: &Value, norm: &Affine, activation: Activation) -> Value {
        self.b.scope_in(&norm.name);
        let scale = self.b.weights(&[norm.scale.len()], &norm.scale);
        let shift = self.b.weights(&[norm.shift.len()], &norm.shift);
        let y = self.b.op("Mul", &[x, &scale], vec![]);
        let y = self.b.op("Add", &[&y, &shift], vec![]);
        let y = self.activate(&y, activation);
        let y = self.masked_rows(&y);
        self.b.scope_out();
        y
    }

    pub(super) fn activate(&mut self, x: &Value, activation: Activation) -> Value {
        match activation {
            Activation::Identity => x.clone(),
            Activation::Relu => self.b.op("Relu", &[x], vec![]),
            Activation::Mish => {
                // The operator `Mish` would say the same, and the processor's provider takes it apart like this; but
                // OpenVINO's does not know it and would leave half of a network to the processor's.
                let soft = self.b.op("Softplus", &[x], vec![]);
                let gate = self.b.op("Tanh", &[&soft], vec![]);
                self.b.op("Mul", &[x, &gate], vec![])
            }
            Activation::Silu => {
                let gate = self.b.op("Sigmoid", &[x], vec![]);
                self.b.op("Mul", &[x, &gate], vec![])
            }
        }
    }

    pub(super) fn masked(&mut self, x: &Value) -> Value {
        match &self.mask {
            Some(mask) => {
                let plane = mask.plane.clone();
                self.b.op("Mul", &[x, &plane], vec![])
            }
            None => x.clone(),
        }
    }

    pub(super) fn masked_rows(&mut self, x: &Value) -> Value {
        match &self.mask {
            Some(mask) => {
                let rows = mask.rows.clone();
                self.b.op("Mul", &[x, &rows], vec![])
            }
            None => x.clone(),
        }
    }

    /// A product of vectors `[N, C]` or rows `[N, S, C]`.
    pub(super) fn matmul(&mut self, x: &Value, matmul: &MatMul) -> Value {
        let y = self.full_matmul(x, matmul);
        self.layer(&y);
        y
    }

    /// The same, never with 8 bits.
    pub(super) fn full_matmul(&mut self, x: &Value, matmul: &MatMul) -> Value {
        self.b.scope_in(&matmul.name);
        let weights = self.b.weights(&[matmul.inputs, matmul.outputs], &matmul.weights);
        let y = self.b.op("MatMul", &[x, &weights], vec![]);
        self.b.scope_out();
        y
    }

    pub(super) fn biased(&mut self, x: &Value, bias: &[f32]) -> Value {
        let bias = self.b.weights(&[bias.len()], bias);
        self.b.op("Add", &[x, &bias], vec![])
    }

    /// `x + v` with one number of `v` `[N, C]` for each channel of `x` `[N, C, H, W]`.
    pub(super) fn add_everywhere(&mut self, x: &Value, v: &Value) -> Value {
        let axes = self.b.integers(&[2, 3]);
        let v = self.b.op("Unsqueeze", &[v, &axes], vec![]);
        self.b.op("Add", &[x, &v], vec![])
    }

    /// Pools masked planes and multiplies the pooled vector by a matrix of `3 * C` rows whose columns are scaled.
    pub(super) fn pooled_product(
        &mut self,
        x: &Value,
        matmul: &MatMul,
        pool: Pooling,
        activation: Activation,
        scale: Option<&[f32]>,
    ) -> Value {
        self.b.scope_in(&matmul.name);
        let pooled = self.pooled(x, matmul.inputs / 3, pool, activation);
        let mut weights: Vec<f32> = matmul.weights.clone();
        if let Some(scale) = scale {
            for row in weights.chunks_exact_mut(matmul.outputs) {
                row.iter_mut().zip(scale).for_each(|(weight, scale)| *weight *= scale);
            }
        }
        let (weights, rows) = self.merged_pool_rows(weights, matmul, pool);
        let weights = self.b.weights(&[rows, matmul.outputs], &weights);
        let y = self.b.op("MatMul", &[&pooled, &weights], vec![]);
        self.b.scope_out();
        y
    }

    /// On boards of one size the scaled means are multiples of the means: their rows of the matrix are merged.
    fn merged_pool_rows(&self, weights: Vec<f32>, matmul: &MatMul, pool: Pooling) -> (Vec<f32>, usize) {
        let BoardShape::Exact { width, height } = self.options.shape else {
            return (weights, matmul.inputs);
        };
        let offset = ((width * height) as f32).sqrt() - 14.0;
        let linear = offset * 0.1;
        let quadratic = offset * offset * 0.01 - 0.1;
        let part = matmul.inputs / 3 * matmul.outputs;
        let (mean, rest) = weights.split_at(part);
        let (second, third) = rest.split_at(part);
        let mut merged: Vec<f32> = mean.iter().zip(second).map(|(m, s)| m + linear * s).collect();
        match pool {
            Pooling::Policy => {
                merged.extend_from_slice(third);
                (merged, matmul.inputs / 3 * 2)
            }
            Pooling::Value => {
                merged.iter_mut().zip(third).for_each(|(m, t)| *m += quadratic * t);
                (merged, matmul.inputs / 3)
            }
        }
    }

    /// `[N, 3 * C]` on masked graphs; without the parts that are multiples of others on exact ones.
    fn pooled(&mut self, x: &Value, channels: usize, pool: Pooling, activation: Activation) -> Value {
        let axes = self.b.integers(&[2, 3]);
        let flat = || vec![Attribute::Int("keepdims", 0)];
        let masked = self
            .mask
            .as_ref()
            .map(|mask| (mask.points.clone(), mask.minus_one.clone(), mask.linear.clone(), mask.quadratic.clone()));
        let Some((points, minus_one, linear, quadratic)) = masked else {
            let fused = self.is_fused();
            let mut over_board = |pooling, reduction| {
                if !fused {
                    return self.b.op(reduction, &[x, &axes], flat());
                }
                // Cards keep planes channel by channel for each point; a pooling knows that layout, a reduction has the
                // planes put into another one first.
                let y = self.b.op(pooling, &[x], vec![]);
                let shape = self.b.integers(&[0, -1]);
                self.b.op("Reshape", &[&y, &shape], vec![])
            };
            let mean = over_board("GlobalAveragePool", "ReduceMean");
            return match pool {
                Pooling::Value => mean,
                Pooling::Policy => {
                    let maximum = over_board("GlobalMaxPool", "ReduceMax");
                    let maximum = self.floored(&maximum, activation);
                    self.b.op("Concat", &[&mean, &maximum], vec![Attribute::Int("axis", 1)])
                }
            };
        };
        debug_assert!(channels > 0);
        let sum = self.b.op("ReduceSum", &[x, &axes], flat());
        let mean = self.b.op("Div", &[&sum, &points], vec![]);
        let second = self.b.op("Mul", &[&mean, &linear], vec![]);
        let third = match pool {
            Pooling::Value => self.b.op("Mul", &[&mean, &quadratic], vec![]),
            Pooling::Policy => {
                let shifted = self.b.op("Add", &[x, &minus_one], vec![]);
                let maximum = self.b.op("ReduceMax", &[&shifted, &axes], flat());
                self.floored(&maximum, activation)
            }
        };
        self.b.op("Concat", &[&mean, &second, &third], vec![Attribute::Int("axis", 1)])
    }

    /// KataGo looks for the maximum from -1 upwards; only an identity activation can go below.
    fn floored(&mut self, maximum: &Value, activation: Activation) -> Value {
        if activation != Activation::Identity {
            return maximum.clone();
        }
        let floor = self.b.weights(&[], &[-1.0]);
        self.b.op("Max", &[maximum, &floor], vec![])
    }

    /// Whether operators that are not of the standard may be used: they know nothing of masks.
    pub(super) fn is_fused(&self) -> bool {
        self.options.operators == Operators::Fused && matches!(self.options.shape, BoardShape::Exact { .. })
    }

    /// Division by the root mean square over the channels of each row.
    pub(super) fn rms_norm_rows(&mut self, x: &Value, norm: &RmsNorm) -> Value {
        self.b.scope_in(&norm.name);
        if self.is_fused() {
            // Sums have 32 bits inside, whatever the precision.
            let weights = self.b.weights(&[norm.weights.len()], &norm.weights);
            let attributes = vec![Attribute::Int("axis", -1), Attribute::Float("epsilon", norm.epsilon)];
            let y = self.b.op("SimplifiedLayerNormalization", &[x, &weights], attributes);
            self.b.scope_out();
            return y;
        }
        let wide = self.widen(x);
        let axis = self.b.integers(&[-1]);
        let y = self.over_rms(&wide, norm.epsilon, |b, square| {
            b.op("ReduceMean", &[square, &axis], vec![Attribute::Int("keepdims", 1)])
        });
        let weights = self.b.full_weights(&[norm.weights.len()], &norm.weights);
        let y = self.b.op("Mul", &[&y, &weights], vec![]);
        let y = self.narrow(&y);
        self.b.scope_out();
        y
    }

    fn over_rms(&mut self, x: &Value, epsilon: f32, mean: impl FnOnce(&mut Builder, &Value) -> Value) -> Value {
        let square = self.b.op("Mul", &[x, x], vec![]);
        let mean = mean(&mut self.b, &square);
        let epsilon = self.b.full_weights(&[], &[epsilon]);
        let sum = self.b.op("Add", &[&mean, &epsilon], vec![]);
        let root = self.b.op("Sqrt", &[&sum], vec![]);
        self.b.op("Div", &[x, &root], vec![])
    }

    /// The last norm of the trunk; the heads get planes.
    pub(super) fn tip(&mut self, x: Stream) -> Value {
        let model = self.model;
        let tip = &model.trunk.tip;
        let (name, epsilon, spatial, gamma, beta) = match &tip.norm {
            TipNorm::Affine(affine) => {
                let x = self.planes(x, model.trunk.channels);
                return self.normalised(&x, affine, tip.activation);
            }
            TipNorm::Rms { name, epsilon, spatial, gamma, beta } => (name, *epsilon, *spatial, gamma, beta),
        };
        if spatial {
            let y = self.tip_over_board(x, name, epsilon, gamma, beta);
            let planes = self.planes(Stream::Rows(y), gamma.len());
            // What lies beyond the board is masked here, where the heads read it.
            return self.masked(&planes);
        }
        let norm = RmsNorm { name: name.clone(), epsilon, weights: gamma.clone() };
        let x = self.rows(x, gamma.len());
        let y = self.rms_norm_rows(&x, &norm);
        let y = self.biased(&y, beta);
        let y = self.activate(&y, tip.activation);
        let planes = self.planes(Stream::Rows(y), gamma.len());
        self.masked(&planes)
    }

    /// The norm by one root mean square of a whole board, on rows.
    ///
    /// A board has some 140,000 values here, of very different sizes. KataGo adds their squares one after the other in
    /// single precision and loses about 1e-5 of the sum, always to the same side, which moves its scores by as much.
    /// A running sum in the same order (point by point, channel by channel) repeats that; a better sum would not agree.
    /// Providers for graphics cards sum anew for every place of a running sum (docs/experiments/devices.md), and cards add in
    /// another order anyway: they get the better sum.
    fn tip_over_board(&mut self, x: Stream, name: &str, epsilon: f32, gamma: &[f32], beta: &[f32]) -> Value {
        let channels = gamma.len();
        let x = self.rows(x, channels);
        self.b.scope_in(name);
        // Points beyond the board hold leftovers and must not count.
        let x = self.masked_rows(&x);
        let x = self.widen(&x);
        let square = self.b.op("Mul", &[&x, &x], vec![]);
        let sum = match self.options.operators {
            Operators::Standard => self.running_sum(&square),
            Operators::Fused => self.sum_of_rows(&square),
        };
        let width = self.b.full_weights(&[], &[channels as f32]);
        let points = match self.options.shape {
            BoardShape::Exact { width, height } => self.b.full_weights(&[], &[(width * height) as f32]),
            BoardShape::Masked { .. } | BoardShape::Any => {
                let rows = self.masked_ones();
                let axes = self.b.integers(&[1, 2]);
                self.b.op("ReduceSum", &[&rows, &axes], vec![Attribute::Int("keepdims", 1)])
            }
        };
        let count = self.b.op("Mul", &[&points, &width], vec![]);
        let mean = self.b.op("Div", &[&sum, &count], vec![]);
        let epsilon = self.b.full_weights(&[], &[epsilon]);
        let mean = self.b.op("Add", &[&mean, &epsilon], vec![]);
        let root = self.b.op("Sqrt", &[&mean], vec![]);
        let y = self.b.op("Div", &[&x, &root], vec![]);
        let gamma = self.b.full_weights(&[channels], gamma);
        let beta = self.b.full_weights(&[channels], beta);
        let y = self.b.op("Mul", &[&y, &gamma], vec![]);
        let y = self.b.op("Add", &[&y, &beta], vec![]);
        let y = self.narrow(&y);
        let y = self.activate(&y, self.model.trunk.tip.activation);
        self.b.scope_out();
        y
    }

    /// `[N, 1, 1]`: all of `[N, S, C]`, one after the other.
    fn running_sum(&mut self, square: &Value) -> Value {
        let shape = self.b.integers(&[0, -1]);
        let line = self.b.op("Reshape", &[square, &shape], vec![]);
        let axis = self.b.integer(1);
        let running = self.b.op("CumSum", &[&line, &axis], vec![]);
        let last = self.b.integers(&[-1]);
        let sum = self.b.op("Gather", &[&running, &last], vec![Attribute::Int("axis", 1)]);
        let axis = self.b.integers(&[2]);
        self.b.op("Unsqueeze", &[&sum, &axis], vec![])
    }

    /// The same, row by row.
    fn sum_of_rows(&mut self, square: &Value) -> Value {
        let mut sum = square.clone();
        for axis in [2, 1] {
            let axis = self.b.integers(&[axis]);
            sum = self.b.op("ReduceSum", &[&sum, &axis], vec![Attribute::Int("keepdims", 1)]);
        }
        sum
    }

    /// The mask for rows, in 32 bits.
    fn masked_ones(&mut self) -> Value {
        let rows = self.mask.as_ref().map(|mask| mask.rows.clone()).expect("graphs for smaller boards have a mask");
        self.widen(&rows)
    }

    /// The stream as planes of `channels` channels.
    pub(super) fn planes(&mut self, x: Stream, channels: usize) -> Value {
        match x {
            Stream::Planes(value) => value,
            Stream::Rows(value) => {
                let turned = self.b.op("Transpose", &[&value], vec![Attribute::Ints("perm", vec![0, 2, 1])]);
                let front = self.b.integers(&[0, channels as i64]);
                let size = self.size.clone();
                let shape = self.b.op("Concat", &[&front, &size], vec![Attribute::Int("axis", 0)]);
                self.b.op("Reshape", &[&turned, &shape], vec![])
            }
        }
    }

    /// The stream as one row of `channels` values for each point.
    pub(super) fn rows(&mut self, x: Stream, channels: usize) -> Value {
        match x {
            Stream::Rows(value) => value,
            Stream::Planes(value) => {
                let shape = self.b.integers(&[0, channels as i64, -1]);
                let flat = self.b.op("Reshape", &[&value, &shape], vec![]);
                self.b.op("Transpose", &[&flat], vec![Attribute::Ints("perm", vec![0, 2, 1])])
            }
        }
    }
}
