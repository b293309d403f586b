//! A network's trunk, from the planes of positions to what the heads see, computed by the project's own kernels.

use std::sync::Arc;

use super::attention::{Attention, RotaryTable};
use super::entry::{Entry, Items};
use super::gemm::{BLOCK, Left, Packed};
use super::pointwise::{gate, normalise, rms_normalise, shift_and_activate};
use super::simd::{Bf16, Narrow, Store, Words};
use super::team::{Member, Team};
use super::winograd::{Boards, Winograd, WinogradScratch};
use crate::file::model::{
    Activation, Affine, Block, Conv, FeedForwardBlock, GlobalPoolingBlock, Model, NestedBlock, OrdinaryBlock, RmsNorm,
};
use crate::onnx::{Edges, Precision, side_by_side};
use crate::recent::Recent;
use crate::subnormal::{FlushToZero, flush};

/// A trunk ready to run on boards of any size. Weights are shared by all sessions that use it.
#[derive(Debug)]
pub(crate) struct Trunk {
    entry: Entry,
    blocks: Vec<Ready>,
    /// Rotary tables of each attention block, by the columns and rows of boards.
    rotary: Recent<(usize, usize), Arc<Vec<RotaryTable>>>,
    team: Team,
}

#[derive(Debug)]
enum Ready {
    Ordinary {
        pre: Norm,
        first: Winograd,
        second: Winograd,
    },
    Pooling(Box<Pooling>),
    Nested {
        enter: Layer,
        blocks: Vec<Ready>,
        leave: Layer,
        width: usize,
    },
    /// With its number among the attention blocks.
    Attention(Box<Attention>, usize),
    FeedForward {
        norm: RmsNorm,
        both: Packed,
        down: Packed,
        width: usize,
    },
}

#[derive(Debug)]
struct Pooling {
    pre: Norm,
    /// The regular and the pooled convolution, side by side.
    both: Winograd,
    regular: usize,
    pooled: Affine,
    pooled_activation: Activation,
    /// `[3 * pooled][regular]`, columns already scaled.
    matrix: Vec<f32>,
    shift: Vec<f32>,
    activation: Activation,
    second: Winograd,
}

#[derive(Debug)]
struct Norm {
    affine: Affine,
    activation: Activation,
}

/// A norm and a convolution, into or out of a narrower stream.
#[derive(Debug)]
struct Layer {
    norm: Norm,
    convolution: Convolution,
}

#[derive(Debug)]
enum Convolution {
    Point(Packed),
    Around(Winograd),
}

/// Memory between calls; one for each thread that computes.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(super) items: Items,
    pub(super) winograd: WinogradScratch,
    /// Keys and values of each head of a board.
    pub(super) heads: Vec<(Packed, Packed)>,
    /// What one of them is made of.
    pub(super) floats: Vec<f32>,
    /// Buffers that are not in use.
    spare: Vec<Vec<f32>>,
}

impl Scratch {
    pub(super) fn take(&mut self, length: usize) -> Vec<f32> {
        // One of that length has nothing to fill up.
        let fitting = self.spare.iter().rposition(|spare| spare.len() == length);
        let mut buffer = match fitting {
            Some(found) => self.spare.swap_remove(found),
            None => self.spare.pop().unwrap_or_default(),
        };
        buffer.resize(length, 0.0);
        buffer
    }

    pub(super) fn give(&mut self, buffer: Vec<f32>) {
        self.spare.push(buffer);
    }
}

impl Trunk {
    /// A trunk that `cores` share, in 32 bits, or in 16 where that is the precision and the processor multiplies them.
    /// `None` where a block has a convolution that these kernels do not know.
    pub(crate) fn new(model: &Model, cores: usize, precision: Precision) -> Option<Self> {
        let narrow = match precision {
            Precision::Bf16 => Bf16::new().map(Narrow::Bf16),
            Precision::Int16 => Words::new().map(Narrow::Words),
            Precision::Fp32 | Precision::Fp16 | Precision::Int8 => None,
        };
        let mut attentions = 0;
        let blocks = ready(&model.trunk.blocks, &mut attentions, narrow)?;
        let entry = Entry::new(&model.trunk.initial);
        Some(Self { entry, blocks, rotary: Recent::new(), team: Team::new(cores) })
    }

    /// Channels of the stream.
    pub(crate) fn channels(&self) -> usize {
        self.entry.outputs
    }

    /// Planes of a position.
    pub(crate) fn planes(&self) -> usize {
        self.entry.planes
    }

    /// From planes `[count][planes][area]` and a vector of channels for each board, which is added at every point, to rows
    /// `[count * area][channels]`.
    pub(crate) fn run(
        &self,
        spatial: &[f32],
        vectors: &[f32],
        out: &mut [f32],
        size: (usize, usize),
        edges: Edges,
        scratch: &mut Scratch,
    ) {
        let _mode = FlushToZero::enter();
        let member = self.team.join();
        let (width, height) = size;
        let boards = Boards { count: vectors.len() / self.channels(), width, height, edges };
        self.entry.run(spatial, vectors, boards, out, &member, scratch);
        self.run_blocks(out, boards, &member, scratch);
    }

    fn run_blocks(&self, x: &mut [f32], boards: Boards, member: &Member<'_>, scratch: &mut Scratch) {
        let rotary = self.rotary(boards.width, boards.height);
        for block in &self.blocks {
            run(block, x, self.channels(), boards, &rotary, member, scratch);
        }
    }

    fn rotary(&self, width: usize, height: usize) -> Arc<Vec<RotaryTable>> {
        self.rotary.get((width, height), || {
            let mut found = Vec::new();
            collect_rotary(&self.blocks, width, height, &mut found);
            Arc::new(found)
        })
    }
}

fn collect_rotary(blocks: &[Ready], width: usize, height: usize, found: &mut Vec<RotaryTable>) {
    for block in blocks {
        match block {
            Ready::Attention(attention, _) => found.push(attention.rotary(width, height)),
            Ready::Nested { blocks, .. } => collect_rotary(blocks, width, height, found),
            _ => {}
        }
    }
}

fn ready(blocks: &[Block], attentions: &mut usize, narrow: Option<Narrow>) -> Option<Vec<Ready>> {
    blocks
        .iter()
        .map(|block| match block {
            Block::Ordinary(block) => ordinary(block, narrow),
            Block::GlobalPooling(block) => pooling(block, narrow),
            Block::Nested(block) => nested(block, attentions, narrow),
            Block::Attention(block) => {
                *attentions += 1;
                Some(Ready::Attention(Box::new(Attention::new(block, narrow)), *attentions - 1))
            }
            Block::FeedForward(block) => Some(feed_forward(block, narrow)),
        })
        .collect()
}

fn norm(affine: &Affine, activation: Activation) -> Norm {
    Norm { affine: affine.clone(), activation }
}

fn ordinary(block: &OrdinaryBlock, narrow: Option<Narrow>) -> Option<Ready> {
    let mid = &block.mid;
    Some(Ready::Ordinary {
        pre: norm(&block.pre, block.pre_activation),
        first: Winograd::new(&block.first, Some(&mid.scale), Some(&mid.shift), block.mid_activation, narrow)?,
        second: Winograd::new(&block.second, None, None, Activation::Identity, narrow)?,
    })
}

fn pooling(block: &GlobalPoolingBlock, narrow: Option<Narrow>) -> Option<Ready> {
    if block.regular.kernel != block.pooled.kernel {
        return None;
    }
    let regular = block.regular.outputs;
    let mut weights = Vec::with_capacity(block.regular.weights.len() + block.pooled.weights.len());
    let rows = block.regular.weights.chunks_exact(regular).zip(block.pooled.weights.chunks_exact(block.pooled.outputs));
    for (regular, pooled) in rows {
        weights.extend_from_slice(regular);
        weights.extend_from_slice(pooled);
    }
    let both = Conv { outputs: regular + block.pooled.outputs, weights, ..block.regular.clone() };
    let scale: Vec<f32> = block.mid.scale.iter().chain(&block.pooled_norm.scale).copied().collect();
    let mut matrix = block.pool_to_bias.weights.clone();
    for row in matrix.chunks_exact_mut(regular) {
        row.iter_mut().zip(&block.mid.scale).for_each(|(weight, scale)| *weight = flush(*weight * scale));
    }
    Some(Ready::Pooling(Box::new(Pooling {
        pre: norm(&block.pre, block.pre_activation),
        both: Winograd::new(&both, Some(&scale), None, Activation::Identity, narrow)?,
        regular,
        pooled: block.pooled_norm.clone(),
        pooled_activation: block.pooled_activation,
        matrix,
        shift: block.mid.shift.clone(),
        activation: block.mid_activation,
        second: Winograd::new(&block.second, None, None, Activation::Identity, narrow)?,
    })))
}

fn layer(norm: Norm, conv: &Conv, narrow: Option<Narrow>) -> Option<Layer> {
    let convolution = if conv.kernel == (1, 1) {
        Convolution::Point(Packed::new(&conv.weights, conv.inputs, conv.outputs, narrow))
    } else {
        Convolution::Around(Winograd::new(conv, None, None, Activation::Identity, narrow)?)
    };
    Some(Layer { norm, convolution })
}

fn nested(block: &NestedBlock, attentions: &mut usize, narrow: Option<Narrow>) -> Option<Ready> {
    Some(Ready::Nested {
        enter: layer(norm(&block.pre, block.pre_activation), &block.enter, narrow)?,
        blocks: ready(&block.blocks, attentions, narrow)?,
        leave: layer(norm(&block.post, block.post_activation), &block.leave, narrow)?,
        width: block.enter.outputs,
    })
}

fn feed_forward(block: &FeedForwardBlock, narrow: Option<Narrow>) -> Ready {
    let both = side_by_side(&[&block.up, &block.gate]);
    Ready::FeedForward {
        norm: block.norm.clone(),
        both: Packed::new(&both.weights, both.inputs, both.outputs, narrow),
        down: Packed::new(&block.down.weights, block.down.inputs, block.down.outputs, narrow),
        width: block.up.outputs,
    }
}

impl Norm {
    /// In a buffer of its own.
    fn apply(&self, x: &[f32], scratch: &mut Scratch) -> Vec<f32> {
        let mut out = scratch.take(x.len());
        normalise(x, &self.affine, self.activation, &mut out);
        out
    }
}

impl Layer {
    /// `out (+)=` what it makes of the rows.
    fn apply(
        &self,
        x: &[f32],
        boards: Boards,
        out: &mut [f32],
        store: Store,
        member: &Member<'_>,
        scratch: &mut Scratch,
    ) {
        match &self.convolution {
            Convolution::Point(packed) => {
                let rows = member.share_of(boards.rows(), packed.inputs * packed.outputs);
                let parts = x.chunks(rows * packed.inputs).zip(out.chunks_mut(rows * packed.outputs)).collect();
                member.share(parts, scratch, |(x, out): (&[f32], &mut [f32]), _| {
                    let normal = |first: usize, rows: &mut [f32]| {
                        normalise(&x[first * packed.inputs..], &self.norm.affine, self.norm.activation, rows);
                    };
                    packed.multiply(Left::Made(&normal), x.len() / packed.inputs, out, packed.outputs, store);
                });
            }
            Convolution::Around(winograd) => {
                let u = self.norm.apply(x, scratch);
                winograd.run(&u, boards, out, store, member, scratch);
                scratch.give(u);
            }
        }
    }
}

/// Adds a block's result to the stream.
fn run(
    block: &Ready,
    x: &mut [f32],
    channels: usize,
    boards: Boards,
    rotary: &[RotaryTable],
    member: &Member<'_>,
    scratch: &mut Scratch,
) {
    match block {
        Ready::Ordinary { pre, first, second } => {
            let u = pre.apply(x, scratch);
            let mut mid = scratch.take(boards.rows() * first.outputs);
            first.run(&u, boards, &mut mid, Store::Set, member, scratch);
            second.run(&mid, boards, x, Store::Add, member, scratch);
            scratch.give(mid);
            scratch.give(u);
        }
        Ready::Pooling(block) => run_pooling(block, x, boards, member, scratch),
        Ready::Nested { enter, blocks, leave, width } => {
            let mut inner = scratch.take(boards.rows() * width);
            enter.apply(x, boards, &mut inner, Store::Set, member, scratch);
            for block in blocks {
                run(block, &mut inner, *width, boards, rotary, member, scratch);
            }
            leave.apply(&inner, boards, x, Store::Add, member, scratch);
            scratch.give(inner);
        }
        Ready::Attention(attention, number) => {
            for board in x.chunks_exact_mut(boards.area() * channels) {
                attention.run(board, boards.area(), &rotary[*number], member, scratch);
            }
        }
        Ready::FeedForward { norm, both, down, width } => {
            // Block by block, so that the wide rows between the products never leave the cache.
            let rows = member.share_of(boards.rows(), 3 * channels * width);
            let parts = x.chunks_mut(rows * channels).collect();
            member.share(parts, scratch, |x: &mut [f32], scratch| {
                let mut wide = scratch.take(BLOCK * 2 * width);
                for x in x.chunks_mut(BLOCK * channels) {
                    let count = x.len() / channels;
                    let normal = |first: usize, rows: &mut [f32]| rms_normalise(&x[first * channels..], norm, rows);
                    both.multiply(Left::Made(&normal), count, &mut wide, 2 * width, Store::Set);
                    let gated = |first: usize, rows: &mut [f32]| gate(&wide[first * 2 * width..], *width, rows);
                    down.multiply(Left::Made(&gated), count, x, channels, Store::Add);
                }
                scratch.give(wide);
            });
        }
    }
}

fn run_pooling(block: &Pooling, x: &mut [f32], boards: Boards, member: &Member<'_>, scratch: &mut Scratch) {
    let (regular, area) = (block.regular, boards.area());
    let pooled = block.pooled.shift.len();
    let u = block.pre.apply(x, scratch);
    let mut both = scratch.take(boards.rows() * (regular + pooled));
    block.both.run(&u, boards, &mut both, Store::Set, member, scratch);
    let mut mid = scratch.take(boards.rows() * regular);
    let mut apart = scratch.take(area * pooled);
    let size = (area as f32).sqrt() - 14.0;
    for (both, mid) in both.chunks_exact(area * (regular + pooled)).zip(mid.chunks_exact_mut(area * regular)) {
        for (row, (mid, apart)) in
            both.chunks_exact(regular + pooled).zip(mid.chunks_exact_mut(regular).zip(apart.chunks_exact_mut(pooled)))
        {
            mid.copy_from_slice(&row[..regular]);
            apart.copy_from_slice(&row[regular..]);
        }
        shift_and_activate(&mut apart, &block.pooled.shift, block.pooled_activation);
        let mut means = vec![0.0f32; pooled];
        // KataGo looks for the maximum from -1 upwards.
        let mut highest = vec![-1.0f32; pooled];
        for row in apart.chunks_exact(pooled) {
            means.iter_mut().zip(row).for_each(|(mean, value)| *mean += value);
            highest.iter_mut().zip(row).for_each(|(highest, value)| *highest = highest.max(*value));
        }
        means.iter_mut().for_each(|mean| *mean /= area as f32);
        let scaled: Vec<f32> = means.iter().map(|mean| mean * size * 0.1).collect();
        let mut shift = block.shift.clone();
        for (value, row) in means.iter().chain(&scaled).chain(&highest).zip(block.matrix.chunks_exact(regular)) {
            shift.iter_mut().zip(row).for_each(|(shift, weight)| *shift += value * weight);
        }
        shift_and_activate(mid, &shift, block.activation);
    }
    block.second.run(&mid, boards, x, Store::Add, member, scratch);
    for buffer in [u, both, mid, apart] {
        scratch.give(buffer);
    }
}

#[cfg(test)]
impl Trunk {
    /// Subnormal numbers among everything that the blocks multiply with.
    fn subnormal_weights(&self) -> usize {
        fn norm(norm: &Norm) -> usize {
            count(&norm.affine.scale) + count(&norm.affine.shift)
        }
        fn layer(layer: &Layer) -> usize {
            let weights = match &layer.convolution {
                Convolution::Point(packed) => packed.subnormal_weights(),
                Convolution::Around(winograd) => winograd.subnormal_weights(),
            };
            norm(&layer.norm) + weights
        }
        fn count(values: &[f32]) -> usize {
            values.iter().filter(|value| value.is_subnormal()).count()
        }
        fn of(block: &Ready) -> usize {
            match block {
                Ready::Ordinary { pre, first, second } => {
                    norm(pre) + first.subnormal_weights() + second.subnormal_weights()
                }
                Ready::Pooling(pooling) => {
                    norm(&pooling.pre)
                        + pooling.both.subnormal_weights()
                        + count(&pooling.pooled.shift)
                        + count(&pooling.matrix)
                        + count(&pooling.shift)
                        + pooling.second.subnormal_weights()
                }
                Ready::Nested { enter, blocks, leave, .. } => {
                    layer(enter) + blocks.iter().map(of).sum::<usize>() + layer(leave)
                }
                Ready::Attention(attention, _) => attention.subnormal_weights(),
                Ready::FeedForward { both, down, .. } => both.subnormal_weights() + down.subnormal_weights(),
            }
        }
        self.entry.subnormal_weights() + self.blocks.iter().map(of).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use honinbo_testkit::{TinyBlock, TinyNetwork};

    use super::super::simd::on_every_path;
    use super::*;
    use crate::file::{Limits, NetworkFile};

    #[test]
    fn no_subnormal_weight_reaches_the_kernels() {
        let mixed = vec![TinyBlock::Pooling, TinyBlock::Nested, TinyBlock::Attention, TinyBlock::FeedForward];
        let mixed = TinyNetwork { channels: 24, blocks: mixed, ..TinyNetwork::convolutional(17) };
        for tiny in [TinyNetwork::convolutional(15), mixed] {
            let text = tiny.to_text();
            let mut model = NetworkFile::from_bytes("tiny.txt", text.as_bytes(), &Limits::default()).unwrap().model;
            let mut number = 0u32;
            model.map_weights(|weight| {
                number += 1;
                if number.is_multiple_of(3) { 1e-40 } else { weight * 1e-36 }
            });
            assert!(number > 1000);
            assert_eq!(Trunk::new(&model, 1, Precision::Fp32).unwrap().subnormal_weights(), 0);
        }
    }

    #[test]
    fn subnormal_numbers_between_layers_become_zero_on_every_core() {
        let tiny = TinyNetwork::convolutional(15).to_text();
        let file = NetworkFile::from_bytes("tiny.txt", tiny.as_bytes(), &Limits::default()).unwrap();
        for cores in [1, 3] {
            let mut trunk = Trunk::new(&file.model, cores, Precision::Fp32).unwrap();
            trunk.team = Team::eager(cores);
            let seen = std::sync::atomic::AtomicUsize::new(0);
            let member = trunk.team.join();
            let _mode = FlushToZero::enter();
            member.share((0..64).collect(), &mut Scratch::default(), |part: u32, _| {
                let product = std::hint::black_box(f32::MIN_POSITIVE) * std::hint::black_box(0.5 / (part + 1) as f32);
                seen.fetch_add(usize::from(product.to_bits() != 0), std::sync::atomic::Ordering::Relaxed);
            });
            assert_eq!(seen.into_inner(), 0, "{cores} cores");
        }
    }

    /// What a trunk makes of positions whose first plane says that every point is on the board.
    fn answered(trunk: &Trunk, boards: usize, (width, height): (usize, usize)) -> Vec<f32> {
        let value = |i: usize| ((i * 7919) % 1013) as f32 / 500.0 - 1.0;
        let (area, planes, channels) = (width * height, trunk.planes(), trunk.channels());
        let spatial: Vec<f32> = (0..boards * planes * area)
            .map(|i| {
                if i / area % planes == 0 {
                    1.0
                } else if i % 7 == 0 {
                    value(i)
                } else {
                    0.0
                }
            })
            .collect();
        let vectors: Vec<f32> = (0..boards * channels).map(value).collect();
        let mut out = vec![0.0; boards * area * channels];
        trunk.run(&spatial, &vectors, &mut out, (width, height), Edges::default(), &mut Scratch::default());
        out
    }

    #[test]
    fn the_numbers_are_the_same_however_many_cores_share_them() {
        let convolutions = TinyNetwork::convolutional(15);
        let mixed = vec![TinyBlock::Nested, TinyBlock::Attention, TinyBlock::FeedForward];
        let mixed = TinyNetwork { channels: 24, blocks: mixed, ..TinyNetwork::convolutional(17) };
        for tiny in [convolutions, TinyNetwork { channels: 40, ..TinyNetwork::transformer() }, mixed] {
            let file = NetworkFile::from_bytes("tiny.txt", tiny.to_text().as_bytes(), &Limits::default()).unwrap();
            let answers = |cores: usize, (width, height): (usize, usize), boards: usize| {
                let mut trunk = Trunk::new(&file.model, cores, Precision::Fp32).unwrap();
                trunk.team = Team::eager(cores);
                answered(&trunk, boards, (width, height))
            };
            for (size, boards) in [((19, 19), 1), ((9, 13), 3), ((2, 2), 1)] {
                let alone = answers(1, size, boards);
                assert!(alone.iter().all(|value| value.is_finite()));
                assert_eq!(alone, answers(2, size, boards), "{size:?}");
                assert_eq!(alone, answers(5, size, boards), "{size:?}");
            }
        }
    }

    #[test]
    fn tables_of_sizes_that_were_met_long_ago_are_let_go_of() {
        let tiny = TinyNetwork::transformer().to_text();
        let file = NetworkFile::from_bytes("tiny.txt", tiny.as_bytes(), &Limits::default()).unwrap();
        let trunk = Trunk::new(&file.model, 1, Precision::Fp32).unwrap();
        let tables: Vec<_> = (2..9).map(|side| Arc::downgrade(&trunk.rotary(side, 9))).collect();
        let kept: Vec<bool> = tables.iter().map(|table| table.upgrade().is_some()).collect();
        assert_eq!(kept, [false, false, false, false, true, true, true]);
    }

    #[test]
    fn a_network_answers_the_same_on_every_path() {
        let mixed = vec![TinyBlock::Pooling, TinyBlock::Nested, TinyBlock::Attention, TinyBlock::FeedForward];
        let mixed = TinyNetwork { channels: 24, blocks: mixed, ..TinyNetwork::convolutional(17) };
        for tiny in [TinyNetwork::convolutional(15), mixed] {
            let file = NetworkFile::from_bytes("tiny.txt", tiny.to_text().as_bytes(), &Limits::default()).unwrap();
            let trunk = Trunk::new(&file.model, 1, Precision::Fp32).unwrap();
            let results = on_every_path(|| answered(&trunk, 1, (9, 13)));
            let plain = &results[0].1;
            assert!(plain.iter().all(|value| value.is_finite()));
            for (path, wide) in &results[1..] {
                for (plain, wide) in plain.iter().zip(wide) {
                    assert!((plain - wide).abs() <= 1e-4 * plain.abs().max(1.0), "{path:?} {plain} {wide}");
                }
            }
        }
    }

    #[test]
    fn a_network_with_16_bits_answers_nearly_the_same() {
        let mixed = vec![TinyBlock::Pooling, TinyBlock::Nested, TinyBlock::Attention, TinyBlock::FeedForward];
        let mixed = TinyNetwork { channels: 24, blocks: mixed, ..TinyNetwork::convolutional(17) };
        for (precision, most) in [(Precision::Bf16, 0.02), (Precision::Int16, 0.003)] {
            if !crate::kernels::multiplies(precision) {
                honinbo_testkit::fixtures::skip(&format!("this processor does not multiply {precision}"));
                continue;
            }
            for tiny in [TinyNetwork::convolutional(15), TinyNetwork { channels: 41, ..mixed.clone() }, mixed.clone()] {
                let file = NetworkFile::from_bytes("tiny.txt", tiny.to_text().as_bytes(), &Limits::default()).unwrap();
                let [exact, fast] = [Precision::Fp32, precision].map(|precision| {
                    let trunk = Trunk::new(&file.model, 1, precision).unwrap();
                    answered(&trunk, 1, (9, 13))
                });
                let square = |values: &mut dyn Iterator<Item = f32>| values.map(|value| value * value).sum::<f32>();
                let error = square(&mut exact.iter().zip(&fast).map(|(exact, fast)| exact - fast));
                let share = (error / square(&mut exact.iter().copied())).sqrt();
                assert!(share > 0.0 && share < most, "{precision} {share}");
            }
        }
    }
}
