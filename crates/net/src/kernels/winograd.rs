//! Convolutions of 3x3 with a quarter of the products.
//!
//! A board is cut into tiles of 4x4. Each tile with the points around it, 6x6, is transformed; the 36 numbers of a channel
//! are then independent of each other, so that the convolution becomes 36 matrix products over channels, whose results
//! go through the inverse transform (S. Winograd 1980; A. Lavin and S. Gray, "Fast algorithms for convolutional neural networks",
//! 2016, F(4x4, 3x3)).

use super::gemm::{grow, in_pairs, in_words, panels, places};
use super::pointwise::activate;
#[cfg(target_arch = "x86_64")]
use super::simd::{Eight, Sixteen};
use super::simd::{
    Factors, Lanes, Lay, LayRow, MAX_LANES, Narrow, PANEL, Singles, Store, TOGETHER, Words, fetch_ahead, vectorised,
    with_feature,
};
use super::team::Member;
use super::trunk::Scratch;
use crate::file::model::{Activation, Conv};
use crate::onnx::Edges;
use crate::subnormal::flush;

/// Rows and columns of a result tile.
const TILE: usize = 4;
/// Rows and columns of a tile with its surroundings.
const FIELD: usize = 6;
const FIELDS: usize = FIELD * FIELD;
/// Tiles that are transformed, multiplied and inversely transformed before the next ones: with 192 channels the numbers
/// between take 1.3 MB before the products and as much after, and a panel of weights serves eight times while it is in
/// the first-level cache.
const ROUND: usize = 48;
/// The same for whole numbers: 200 tiles, eight boards of 19x19, are four rounds instead of five, and weights are read
/// four times.
const ROUND_OF_WORDS: usize = 56;

/// Tiles from one that is transformed back to that whose points are fetched meanwhile.
const AHEAD: usize = 2;

/// Shape of the boards of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Boards {
    pub(super) count: usize,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) edges: Edges,
}

impl Boards {
    pub(super) fn area(&self) -> usize {
        self.width * self.height
    }

    pub(super) fn rows(&self) -> usize {
        self.count * self.area()
    }
}

/// The row or column that lies there, if there is one.
#[inline(always)]
pub(super) fn on_board(at: isize, length: usize, wraps: bool) -> Option<usize> {
    if (0..length as isize).contains(&at) {
        Some(at as usize)
    } else if wraps {
        Some(at.rem_euclid(length as isize) as usize)
    } else {
        None
    }
}

/// A convolution of 3x3, transformed.
#[derive(Debug)]
pub(super) struct Winograd {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// `[36][panel][place][16]`, as in a packed matrix.
    weights: Vec<f32>,
    /// `[36][panel][16]`, as in a packed matrix.
    scales: Vec<f32>,
    narrow: Option<Narrow>,
    bias: Vec<f32>,
    activation: Activation,
}

/// Memory between calls.
#[derive(Debug, Default)]
pub(super) struct WinogradScratch {
    /// A tile that has no scales yet.
    wide: Vec<f32>,
    /// The transformed tiles of a round.
    fields: Vec<f32>,
    /// `[36][tile]`: the scales of rows of whole numbers.
    scales: Vec<f32>,
    results: Vec<f32>,
    /// What lies beyond an edge.
    nothing: Vec<f32>,
}

/// The polynomials behind the transformation are taken at 0, `±NEAR`, `±FAR` and infinity. 5/8 and 3/2 (the points that
/// oneDNN takes) round a quarter as much at their worst as the usual 1 and 2, at the same number of operations: the
/// numbers of a tile stay closer to each other in size (B. Barabasz et al., "Error analysis and improving the accuracy
/// of Winograd convolution for deep neural networks", 2020).
const NEAR: f32 = 0.625;
const FAR: f32 = 1.5;
const NEAR_SQUARE: f32 = NEAR * NEAR;
const FAR_SQUARE: f32 = FAR * FAR;

/// Transformation of weights, 3 taps to 6 numbers: the polynomial of the taps at each point, over the product of that
/// point's distances to the others.
fn weight_transform() -> [[f64; 3]; FIELD] {
    let (near, far) = (f64::from(NEAR), f64::from(FAR));
    let points = [0.0, near, -near, far, -far];
    let mut rows = [[0.0, 0.0, 1.0]; FIELD];
    for (row, &at) in rows.iter_mut().zip(&points) {
        let distances: f64 = points.iter().filter(|&&other| other != at).map(|other| at - other).product();
        *row = [1.0, at, at * at].map(|power| power / distances);
    }
    rows
}

impl Winograd {
    /// `None` for other kernels than undilated 3x3. Outputs are multiplied by `scale` and get `bias` and `activation`.
    pub(super) fn new(
        conv: &Conv,
        scale: Option<&[f32]>,
        bias: Option<&[f32]>,
        activation: Activation,
        narrow: Option<Narrow>,
    ) -> Option<Self> {
        if conv.kernel != (3, 3) || conv.dilation != (1, 1) {
            return None;
        }
        let (inputs, outputs) = (conv.inputs, conv.outputs);
        let padded = outputs.div_ceil(PANEL) * PANEL;
        let mut weights = vec![0.0; FIELDS * padded * inputs];
        let transform = weight_transform();
        for input in 0..inputs {
            for output in 0..outputs {
                let factor = scale.map_or(1.0, |scale| f64::from(scale[output]));
                let tap =
                    |y: usize, x: usize| f64::from(conv.weights[((y * 3 + x) * inputs + input) * outputs + output]);
                // Rows first, then columns, in double precision as it is done once.
                let mut half = [[0.0; 3]; FIELD];
                for (half, row) in half.iter_mut().zip(&transform) {
                    for (x, value) in half.iter_mut().enumerate() {
                        *value = (0..3).map(|y| row[y] * tap(y, x)).sum();
                    }
                }
                for (i, half) in half.iter().enumerate() {
                    for (j, row) in transform.iter().enumerate() {
                        let value: f64 = (0..3).map(|x| row[x] * half[x]).sum();
                        let panel = (i * FIELD + j) * padded * inputs + output / PANEL * inputs * PANEL;
                        weights[panel + input * PANEL + output % PANEL] = flush((value * factor) as f32);
                    }
                }
            }
        }
        let mut scales = Vec::new();
        match narrow {
            None => {}
            Some(Narrow::Bf16(_)) => weights = weights.chunks_exact(inputs * PANEL).flat_map(in_pairs).collect(),
            Some(Narrow::Words(words)) => {
                let floats = std::mem::take(&mut weights);
                in_words(words, &floats, inputs, &mut weights, &mut scales);
            }
        }
        let bias = bias.map_or_else(|| vec![0.0; outputs], <[f32]>::to_vec);
        Some(Self { inputs, outputs, weights, scales, narrow, bias, activation })
    }

    /// `out = act(conv(x) + bias)`, or `out += conv(x) + bias` where it is added to a stream. Rows of channels.
    pub(super) fn run(
        &self,
        x: &[f32],
        boards: Boards,
        out: &mut [f32],
        store: Store,
        member: &Member<'_>,
        scratch: &mut Scratch,
    ) {
        let (across, down) = (boards.width.div_ceil(TILE), boards.height.div_ceil(TILE));
        // Whole lines of tiles, as their results lie together.
        let lines = boards.count * down;
        let point_before = |line: usize| line / down * boards.area() + line % down * TILE * boards.width;
        let multiply_adds = lines * across * FIELDS * self.inputs * self.padded();
        let each = lines.div_ceil(member.cores(multiply_adds)).max(1);
        let mut rest = out;
        let mut parts = Vec::new();
        for first in (0..lines).step_by(each) {
            let end = (first + each).min(lines);
            let before = point_before(first);
            let (out, later) = rest.split_at_mut((point_before(end) - before) * self.outputs);
            rest = later;
            parts.push((Part { first: first * across, tiles: (end - first) * across, before }, out));
        }
        member.share(parts, scratch, |(part, out), scratch| {
            let scratch = &mut scratch.winograd;
            grow(&mut scratch.results, FIELDS * apart(round(part.tiles, self.narrow), self.padded()));
            grow(&mut scratch.nothing, self.inputs);
            match self.narrow {
                None => convolve_singles(self, x, boards, part, out, store, scratch),
                Some(Narrow::Bf16(bf16)) => convolve_halves(bf16, self, x, boards, part, out, store, scratch),
                Some(Narrow::Words(words)) => match words {
                    Words::Vnni(proof) => convolve_vnni(proof, self, x, boards, part, out, store, scratch),
                    Words::AvxVnni(proof) => convolve_avx_vnni(proof, self, x, boards, part, out, store, scratch),
                    Words::Avx2(proof) => convolve_avx2(proof, self, x, boards, part, out, store, scratch),
                },
            }
        });
    }

    #[cfg(test)]
    pub(super) fn subnormal_weights(&self) -> usize {
        self.weights.iter().chain(&self.bias).filter(|value| value.is_subnormal()).count()
    }

    /// Outputs with those that fill up the last panel.
    fn padded(&self) -> usize {
        self.outputs.div_ceil(PANEL) * PANEL
    }
}

/// Tiles of a round: rounds of about the same size.
fn round(tiles: usize, narrow: Option<Narrow>) -> usize {
    let most = if matches!(narrow, Some(Narrow::Words(_))) { ROUND_OF_WORDS } else { ROUND };
    tiles.div_ceil(tiles.div_ceil(most).max(1)).max(1)
}

/// From the first number of one of the 36 matrices to that of the next: whole pages and a cache line, since lines that
/// are whole pages apart would all fall into one set of the first-level cache.
fn apart(round: usize, channels: usize) -> usize {
    (round * channels).next_multiple_of(1024) + 16
}

/// Some whole lines of tiles.
#[derive(Clone, Copy)]
struct Part {
    first: usize,
    tiles: usize,
    /// Points of all boards that come before its own.
    before: usize,
}

/// The place of a tile.
#[derive(Clone, Copy)]
struct Tile {
    board: usize,
    top: usize,
    left: usize,
    /// Its first point among those of a part.
    start: usize,
}

impl Tile {
    #[inline(always)]
    fn new(boards: Boards, number: usize, before: usize) -> Self {
        let (across, down) = (boards.width.div_ceil(TILE), boards.height.div_ceil(TILE));
        let (board, number) = (number / (across * down), number % (across * down));
        let (top, left) = (number / across * TILE, number % across * TILE);
        Self { board, top, left, start: board * boards.area() + top * boards.width + left - before }
    }
}

vectorised! {
    fn convolve_singles<V>(
        proof: _, winograd: &Winograd, x: &[f32], boards: Boards, part: Part, out: &mut [f32], store: Store,
        scratch: &mut WinogradScratch,
    ) {
        convolve::<V, _>(proof, AsLaid(Singles), winograd, x, boards, part, out, store, scratch);
    }
}

with_feature! {
    "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512bf16",
    fn convolve_halves(
        bf16: Bf16, winograd: &Winograd, x: &[f32], boards: Boards, part: Part, out: &mut [f32], store: Store,
        scratch: &mut WinogradScratch,
    ) {
        let proof = bf16.avx512();
        convolve::<Sixteen, _>(proof, AsLaid(bf16), winograd, x, boards, part, out, store, scratch);
    }
}

with_feature! {
    "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni",
    fn convolve_vnni(
        vnni: Vnni, winograd: &Winograd, x: &[f32], boards: Boards, part: Part, out: &mut [f32], store: Store,
        scratch: &mut WinogradScratch,
    ) {
        let proof = vnni.avx512();
        convolve::<Sixteen, _>(proof, Rows(vnni), winograd, x, boards, part, out, store, scratch);
    }
}

with_feature! {
    "avx2,fma,avxvnni",
    fn convolve_avx_vnni(
        vnni: AvxVnni, winograd: &Winograd, x: &[f32], boards: Boards, part: Part, out: &mut [f32], store: Store,
        scratch: &mut WinogradScratch,
    ) {
        convolve::<Eight, _>(vnni.avx2(), Rows(vnni), winograd, x, boards, part, out, store, scratch);
    }
}

with_feature! {
    "avx2,fma",
    fn convolve_avx2(
        avx2: Avx2, winograd: &Winograd, x: &[f32], boards: Boards, part: Part, out: &mut [f32], store: Store,
        scratch: &mut WinogradScratch,
    ) {
        convolve::<Eight, _>(avx2, Rows(avx2), winograd, x, boards, part, out, store, scratch);
    }
}

/// How transformed tiles are kept until a round of them is multiplied: `[tile][36][place]`, so that a tile's rows are
/// written to few pages. Intel's processors remember where 16 pages lie that are written to.
trait Keep<V: Lanes>: Copy {
    /// How the numbers are multiplied.
    type Factors: Factors<V>;
    fn factors(self) -> Self::Factors;
    /// Places from a row to the next.
    fn row(self, winograd: &Winograd) -> usize;
    /// Transforms a tile into its 36 rows and says the scale of each, where rows have scales. `wide` has room for the
    /// rows as floats.
    #[allow(clippy::too_many_arguments, reason = "the parts of one computation")]
    fn keep(
        self,
        proof: V::Proof,
        winograd: &Winograd,
        x: &[f32],
        boards: Boards,
        tile: Tile,
        nothing: &[f32],
        wide: &mut [f32],
        rows: &mut [f32],
        scale: impl FnMut(usize, f32),
    );
}

/// As they are laid out.
#[derive(Clone, Copy)]
struct AsLaid<F>(F);

impl<V: Lanes, F: Factors<V> + Lay<V>> Keep<V> for AsLaid<F> {
    type Factors = F;

    #[inline(always)]
    fn factors(self) -> F {
        self.0
    }

    #[inline(always)]
    fn row(self, winograd: &Winograd) -> usize {
        places(winograd.inputs, winograd.narrow)
    }

    #[inline(always)]
    fn keep(
        self,
        proof: V::Proof,
        winograd: &Winograd,
        x: &[f32],
        boards: Boards,
        tile: Tile,
        nothing: &[f32],
        _: &mut [f32],
        rows: &mut [f32],
        _: impl FnMut(usize, f32),
    ) {
        let apart = places(winograd.inputs, winograd.narrow);
        gather::<V, F>(proof, self.0, x, boards, tile, winograd.inputs, nothing, rows, apart);
    }
}

/// As whole numbers, each row with a scale of its own, which is known when all of its numbers are: until then a tile stays
/// in the first-level cache.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other processor has the instructions"))]
#[derive(Clone, Copy)]
struct Rows<F>(F);

impl<V: Lanes, F: LayRow<V>> Keep<V> for Rows<F> {
    type Factors = F;

    #[inline(always)]
    fn factors(self) -> F {
        self.0
    }

    #[inline(always)]
    fn row(self, winograd: &Winograd) -> usize {
        places(winograd.inputs, winograd.narrow).next_multiple_of(TOGETHER)
    }

    #[inline(always)]
    fn keep(
        self,
        proof: V::Proof,
        winograd: &Winograd,
        x: &[f32],
        boards: Boards,
        tile: Tile,
        nothing: &[f32],
        wide: &mut [f32],
        rows: &mut [f32],
        mut scale: impl FnMut(usize, f32),
    ) {
        gather::<V, _>(proof, Singles, x, boards, tile, winograd.inputs, nothing, wide, winograd.inputs);
        let (inputs, row) = (winograd.inputs, Keep::<V>::row(self, winograd));
        if inputs.is_multiple_of(2 * TOGETHER) {
            let fours = wide.chunks_exact(4 * inputs).zip(rows.chunks_exact_mut(4 * row)).take(FIELDS / 4);
            for (four, (wide, rows)) in fours.enumerate() {
                let (a, b) = rows.split_at_mut(2 * row);
                let ((a, b), (c, d)) = (a.split_at_mut(row), b.split_at_mut(row));
                let (e, f) = wide.split_at(2 * inputs);
                let ((e, f), (g, h)) = (e.split_at(inputs), f.split_at(inputs));
                let found = self.0.lay_four([e, f, g, h], [a, b, c, d]);
                for (nth, found) in found.into_iter().enumerate() {
                    scale(4 * four + nth, found);
                }
            }
            return;
        }
        let rows = rows.chunks_exact_mut(row);
        for (matrix, (wide, row)) in wide.chunks_exact(inputs).zip(rows).take(FIELDS).enumerate() {
            scale(matrix, self.0.lay_row(wide, row));
        }
    }
}

#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the parts of one computation")]
fn convolve<V: Lanes, K: Keep<V>>(
    proof: V::Proof,
    keep: K,
    winograd: &Winograd,
    x: &[f32],
    boards: Boards,
    part: Part,
    out: &mut [f32],
    store: Store,
    scratch: &mut WinogradScratch,
) {
    let WinogradScratch { wide, fields, scales, results, nothing } = scratch;
    let (deep, padded) = (places(winograd.inputs, winograd.narrow), winograd.padded());
    let (round, row) = (round(part.tiles, winograd.narrow), keep.row(winograd));
    // A cache line more, since tiles that are whole pages apart would share a set of the first-level cache.
    let (tile_apart, results_apart) = (FIELDS * row + 16, apart(round, padded));
    grow(wide, FIELDS * winograd.inputs);
    grow(fields, round * tile_apart);
    grow(scales, FIELDS * round);
    for first in (0..part.tiles).step_by(round) {
        let count = round.min(part.tiles - first);
        let tile = |nth: usize| Tile::new(boards, part.first + first + nth, part.before);
        for nth in 0..count {
            fetch_field(x, winograd.inputs, boards, tile((nth + 1).min(count - 1)));
            let rows = &mut fields[nth * tile_apart..];
            let scale = |matrix: usize, scale: f32| scales[matrix * round + nth] = scale;
            keep.keep(proof, winograd, x, boards, tile(nth), nothing, wide, rows, scale);
        }
        for (matrix, results) in results.chunks_exact_mut(results_apart).take(FIELDS).enumerate() {
            panels::<V, K::Factors>(
                proof,
                keep.factors(),
                // Those of all matrices that are left, since the next ones are fetched ahead.
                &winograd.weights[matrix * padded * deep..],
                winograd.scales.get(matrix * padded..).unwrap_or_default(),
                deep,
                padded,
                &fields[matrix * row..],
                tile_apart,
                &scales[matrix * round..],
                count,
                results,
                padded,
                Store::Set,
            );
        }
        for nth in 0..count {
            fetch_points(out, winograd.outputs, boards, tile((nth + AHEAD).min(count - 1)));
            scatter::<V>(proof, winograd, &results[nth * padded..], results_apart, boards, tile(nth), out, store);
        }
    }
}

/// Cuts a tile with its surroundings out of a board and transforms it: 36 rows of channels, `apart` numbers apart.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the parts of one computation")]
fn gather<V: Lanes, L: Lay<V>>(
    proof: V::Proof,
    lay: L,
    x: &[f32],
    boards: Boards,
    tile: Tile,
    channels: usize,
    nothing: &[f32],
    fields: &mut [f32],
    apart: usize,
) {
    let row = |i: usize| on_board((tile.top + i) as isize - 1, boards.height, boards.edges.wrap_y);
    let column = |i: usize| on_board((tile.left + i) as isize - 1, boards.width, boards.edges.wrap_x);
    // Loops, since the standard library's closures would be called one by one.
    let mut points = [&nothing[..channels]; FIELDS];
    for (i, points) in points.chunks_exact_mut(FIELD).enumerate() {
        let Some(row) = row(i) else { continue };
        for (j, point) in points.iter_mut().enumerate() {
            if let Some(column) = column(j) {
                let at = tile.board * boards.area() + row * boards.width + column;
                *point = &x[at * channels..][..channels];
            }
        }
    }
    for first in (0..channels).step_by(V::COUNT) {
        let at = |i: usize| i * apart + first / L::PER_PLACE;
        if first + V::COUNT <= channels {
            forward(|i| V::load(proof, &points[i][first..]), |i, lanes| lay.lay(lanes, &mut fields[at(i)..]));
        } else {
            let count = channels - first;
            forward(
                |i| {
                    let mut values = [0.0; MAX_LANES];
                    values[..count].copy_from_slice(&points[i][first..]);
                    V::load(proof, &values)
                },
                |i, lanes| {
                    let mut values = [0.0; MAX_LANES];
                    lay.lay(lanes, &mut values);
                    let count = count.div_ceil(L::PER_PLACE);
                    fields[at(i)..at(i) + count].copy_from_slice(&values[..count]);
                },
            );
        }
    }
}

/// Tells the processor that a tile will be cut out soon: the points that the one to its left does not have.
#[inline(always)]
fn fetch_field(x: &[f32], channels: usize, boards: Boards, tile: Tile) {
    let left = if tile.left == 0 { 0 } else { tile.left + 1 };
    let right = (tile.left + TILE + 1).min(boards.width);
    for row in tile.top.saturating_sub(1)..(tile.top + TILE + 1).min(boards.height) {
        let first = tile.board * boards.area() + row * boards.width;
        fetch_ahead(x.get((first + left) * channels..(first + right) * channels).unwrap_or_default());
    }
}

/// Tells the processor that a tile's points will be wanted soon: it does not see the pattern.
#[inline(always)]
fn fetch_points(out: &[f32], outputs: usize, boards: Boards, tile: Tile) {
    let (rows, columns) = (TILE.min(boards.height - tile.top), TILE.min(boards.width - tile.left));
    for row in 0..rows {
        fetch_ahead(&out[(tile.start + row * boards.width) * outputs..][..columns * outputs]);
    }
}

/// Takes a tile of results through the inverse transform and writes what of it lies on the board.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the parts of one computation")]
fn scatter<V: Lanes>(
    proof: V::Proof,
    winograd: &Winograd,
    results: &[f32],
    apart: usize,
    boards: Boards,
    tile: Tile,
    out: &mut [f32],
    store: Store,
) {
    let outputs = winograd.outputs;
    let (rows, columns) = (TILE.min(boards.height - tile.top), TILE.min(boards.width - tile.left));
    for first in (0..outputs).step_by(V::COUNT) {
        let half = inverse_rows(|i| V::load(proof, &results[i * apart + first..]));
        // What costs an instruction or none is done while the numbers are in registers.
        let is_short = matches!(winograd.activation, Activation::Identity | Activation::Relu);
        if is_short && first + V::COUNT <= outputs {
            let bias = V::load(proof, &winograd.bias[first..]);
            let (zero, is_relu) = (V::splat(proof, 0.0), winograd.activation == Activation::Relu);
            // Written out, since a closure this long is compiled as a function without wide registers.
            macro_rules! put {
                ($column:literal: $($row:literal)*) => {
                    if $column < columns {
                        let line = inverse_line(down(&half, $column));
                        $(if $row < rows {
                            let point = tile.start + $row * boards.width + $column;
                            let out = &mut out[point * outputs + first..];
                            let lanes = line[$row].plus(bias);
                            let lanes = if is_relu { lanes.larger(zero) } else { lanes };
                            match store {
                                Store::Set => lanes.store(out),
                                Store::Add => V::load(proof, out).plus(lanes).store(out),
                            }
                        })*
                    }
                };
            }
            put!(0: 0 1 2 3);
            put!(1: 0 1 2 3);
            put!(2: 0 1 2 3);
            put!(3: 0 1 2 3);
            continue;
        }
        let count = V::COUNT.min(outputs - first);
        let mut bias = [0.0; MAX_LANES];
        bias[..count].copy_from_slice(&winograd.bias[first..first + count]);
        let bias = V::load(proof, &bias);
        let mut values = [0.0; TILE * TILE * MAX_LANES];
        let values = &mut values[..TILE * TILE * V::COUNT];
        for column in 0..TILE {
            for (row, lanes) in inverse_line(down(&half, column)).into_iter().enumerate() {
                lanes.plus(bias).store(&mut values[(row * TILE + column) * V::COUNT..]);
            }
        }
        // All at once, so that the steps of a long activation do not wait for each other.
        activate::<V>(proof, values, winograd.activation);
        for y in 0..rows {
            for x in 0..columns {
                let values = &values[(y * TILE + x) * V::COUNT..][..V::COUNT];
                let out = &mut out[(tile.start + y * boards.width + x) * outputs + first..][..count];
                match store {
                    _ if count < V::COUNT => match store {
                        Store::Set => out.copy_from_slice(&values[..count]),
                        Store::Add => out.iter_mut().zip(values).for_each(|(out, value)| *out += value),
                    },
                    Store::Set => V::load(proof, values).store(out),
                    Store::Add => V::load(proof, out).plus(V::load(proof, values)).store(out),
                }
            }
        }
    }
}

/// One dimension of the forward transform of a tile.
#[inline(always)]
fn forward_line<V: Lanes>(d: [V; FIELD]) -> [V; FIELD] {
    const SUM: f32 = NEAR_SQUARE + FAR_SQUARE;
    const PRODUCT: f32 = NEAR_SQUARE * FAR_SQUARE;
    let even_near = d[2].multiply_add_scalar(-FAR_SQUARE, d[4]);
    let odd_near = d[1].multiply_add_scalar(-FAR_SQUARE, d[3]);
    let even_far = d[2].multiply_add_scalar(-NEAR_SQUARE, d[4]);
    let odd_far = d[1].multiply_add_scalar(-NEAR_SQUARE, d[3]);
    [
        d[0].multiply_add_scalar(PRODUCT, d[2].multiply_add_scalar(-SUM, d[4])),
        odd_near.multiply_add_scalar(NEAR, even_near),
        odd_near.multiply_add_scalar(-NEAR, even_near),
        odd_far.multiply_add_scalar(FAR, even_far),
        odd_far.multiply_add_scalar(-FAR, even_far),
        d[1].multiply_add_scalar(PRODUCT, d[3].multiply_add_scalar(-SUM, d[5])),
    ]
}

/// One dimension of the inverse transform.
#[inline(always)]
fn inverse_line<V: Lanes>(m: [V; FIELD]) -> [V; TILE] {
    let (sum, difference) = (m[1].plus(m[2]), m[1].minus(m[2]));
    let (far_sum, far_difference) = (m[3].plus(m[4]), m[3].minus(m[4]));
    [
        m[0].plus(sum).plus(far_sum),
        difference.multiply_add_scalar(NEAR, far_difference.times(FAR)),
        sum.multiply_add_scalar(NEAR_SQUARE, far_sum.times(FAR_SQUARE)),
        difference.multiply_add_scalar(NEAR * NEAR_SQUARE, far_difference.multiply_add_scalar(FAR * FAR_SQUARE, m[5])),
    ]
}

// Written out: closures of the standard library are compiled without the wide registers, and may stay so.
#[inline(always)]
fn line<V: Lanes>(load: &impl Fn(usize) -> V, row: usize) -> [V; FIELD] {
    let at = row * FIELD;
    [load(at), load(at + 1), load(at + 2), load(at + 3), load(at + 4), load(at + 5)]
}

#[inline(always)]
fn down<V: Lanes, const N: usize>(half: &[[V; N]; FIELD], column: usize) -> [V; FIELD] {
    [half[0][column], half[1][column], half[2][column], half[3][column], half[4][column], half[5][column]]
}

#[inline(always)]
fn forward<V: Lanes>(load: impl Fn(usize) -> V, mut store: impl FnMut(usize, V)) {
    let row = |row: usize| forward_line(line(&load, row));
    // An array that begins with zeros would be filled with them each time.
    let half = [row(0), row(1), row(2), row(3), row(4), row(5)];
    for column in 0..FIELD {
        let line = forward_line(down(&half, column));
        for (row, lanes) in line.into_iter().enumerate() {
            store(row * FIELD + column, lanes);
        }
    }
}

/// The inverse transform along rows; [`inverse_line`] of each column is the rest.
#[inline(always)]
fn inverse_rows<V: Lanes>(load: impl Fn(usize) -> V) -> [[V; TILE]; FIELD] {
    let row = |row: usize| inverse_line(line(&load, row));
    [row(0), row(1), row(2), row(3), row(4), row(5)]
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::simd::{Path, on_every_path};
    use super::super::team::Team;
    use super::*;

    /// The definition, in double precision, for any odd kernel: rows of channels to rows of channels.
    pub(in crate::kernels) fn direct(conv: &Conv, x: &[f32], boards: Boards) -> Vec<f64> {
        let (width, height) = (boards.width as isize, boards.height as isize);
        let (rows, columns) = (conv.kernel.0 as isize, conv.kernel.1 as isize);
        let (down, across) = (conv.dilation.0 as isize, conv.dilation.1 as isize);
        let mut out = Vec::new();
        for place in 0..boards.rows() {
            let (board, at) = (place / boards.area(), (place % boards.area()) as isize);
            for o in 0..conv.outputs {
                let mut sum = 0.0;
                for tap in 0..rows * columns {
                    let mut py = at / width + (tap / columns - rows / 2) * down;
                    let mut px = at % width + (tap % columns - columns / 2) * across;
                    if boards.edges.wrap_y {
                        py = py.rem_euclid(height);
                    }
                    if boards.edges.wrap_x {
                        px = px.rem_euclid(width);
                    }
                    if !(0..height).contains(&py) || !(0..width).contains(&px) {
                        continue;
                    }
                    let row = board * boards.area() + (py * width + px) as usize;
                    for i in 0..conv.inputs {
                        let weight = conv.weights[(tap as usize * conv.inputs + i) * conv.outputs + o];
                        sum += f64::from(weight) * f64::from(x[row * conv.inputs + i]);
                    }
                }
                out.push(sum);
            }
        }
        out
    }

    /// A made-up weight or activation, -1 to 1.
    fn value(i: usize) -> f32 {
        ((i * 7919) % 1013) as f32 / 500.0 - 1.0
    }

    fn conv_of(inputs: usize, outputs: usize) -> Conv {
        let weights = (0..9 * inputs * outputs).map(value).collect();
        Conv { name: "test".into(), kernel: (3, 3), inputs, outputs, dilation: (1, 1), weights }
    }

    #[test]
    fn every_board_gives_what_the_definition_gives() {
        let sizes = [(19, 19, 2, 12, 20), (2, 2, 1, 3, 5), (5, 9, 3, 16, 16), (4, 8, 1, 8, 33), (9, 7, 1, 40, 48)];
        for (width, height, count, inputs, outputs) in sizes {
            for (wrap_x, wrap_y) in [(false, false), (true, true), (true, false)] {
                let boards = Boards { count, width, height, edges: Edges { wrap_x, wrap_y } };
                let conv = conv_of(inputs, outputs);
                let x: Vec<f32> = (0..boards.rows() * inputs).map(|i| value(i + 31)).collect();
                let scale: Vec<f32> = (0..outputs).map(|i| 0.5 + value(i).abs()).collect();
                let bias: Vec<f32> = (0..outputs).map(|i| value(i + 5)).collect();
                let expected = direct(&conv, &x, boards);
                let winograd = Winograd::new(&conv, Some(&scale), Some(&bias), Activation::Relu, None).unwrap();
                let convolve = |cores: usize| {
                    let mut out = vec![0.25; boards.rows() * outputs];
                    let team = Team::eager(cores);
                    winograd.run(&x, boards, &mut out, Store::Add, &team.join(), &mut Scratch::default());
                    out
                };
                let results = on_every_path(|| convolve(1));
                if let Some((path, out)) = results.last().filter(|(path, _)| *path == Path::best()) {
                    assert_eq!(*out, convolve(2), "{path:?}");
                    assert_eq!(*out, convolve(4), "{path:?}");
                }
                for (path, out) in results {
                    for (index, (value, expected)) in out.iter().zip(&expected).enumerate() {
                        let channel = index % outputs;
                        let expected =
                            (expected * f64::from(scale[channel]) + f64::from(bias[channel])).max(0.0) + 0.25;
                        let error = (f64::from(*value) - expected).abs();
                        assert!(error < 5e-5, "{path:?} {width}x{height}: {value} is not {expected}");
                    }
                }
            }
        }
    }

    #[test]
    fn whole_numbers_give_nearly_what_the_definition_gives() {
        let boards = Boards { count: 2, width: 9, height: 7, edges: Edges::default() };
        for words in on_every_path(Words::new).into_iter().filter_map(|(_, words)| words) {
            // Rows that are laid out four at a time, and rows that are not.
            for inputs in [64, 96, 40] {
                let outputs = 48;
                let conv = conv_of(inputs, outputs);
                // A board of zeros beside one of numbers.
                let area = boards.area() * inputs;
                let x: Vec<f32> = (0..2 * area).map(|i| if i < area { 0.0 } else { value(i + 31) }).collect();
                let expected = direct(&conv, &x, boards);
                let narrow = Some(Narrow::Words(words));
                let winograd = Winograd::new(&conv, None, None, Activation::Identity, narrow).unwrap();
                let mut out = vec![7.0; boards.rows() * outputs];
                winograd.run(&x, boards, &mut out, Store::Set, &Team::eager(1).join(), &mut Scratch::default());
                assert!(out[..boards.area() * outputs].iter().all(|value| *value == 0.0), "{words:?}");
                let error: f64 = out.iter().zip(&expected).map(|(value, sum)| (f64::from(*value) - sum).powi(2)).sum();
                let square: f64 = expected.iter().map(|sum| sum * sum).sum();
                let share = (error / square).sqrt();
                assert!(share > 0.0 && share < 4e-3, "{words:?} {inputs}: {share}");
            }
        }
    }
}
