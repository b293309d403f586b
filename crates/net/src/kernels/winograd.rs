//! Convolutions of 3x3 with a quarter of the products.
//!
//! A board is cut into tiles of 4x4. Each tile with the points around it, 6x6, is transformed; the 36 numbers of a channel
//! are then independent of each other, so that the convolution becomes 36 matrix products over channels, whose results
//! are transformed back (S. Winograd 1980; A. Lavin and S. Gray, "Fast algorithms for convolutional neural networks",
//! 2016, F(4x4, 3x3)).

use super::gemm::panels;
use super::pointwise::activate;
use super::simd::{PANEL, Store, vectorised};
use crate::file::model::{Activation, Conv};
use crate::onnx::Edges;

/// Rows and columns of a result tile.
const TILE: usize = 4;
/// Rows and columns of a tile with its surroundings.
const FIELD: usize = 6;
const FIELDS: usize = FIELD * FIELD;
/// Channels transformed together.
const LANES: usize = 8;
type Lane = [f32; LANES];

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

/// A convolution of 3x3, transformed.
#[derive(Debug)]
pub(super) struct Winograd {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// `[36][panel][input][16]`.
    weights: Vec<f32>,
    bias: Vec<f32>,
    activation: Activation,
}

/// Memory between calls.
#[derive(Debug, Default)]
pub(super) struct WinogradScratch {
    fields: Vec<f32>,
    results: Vec<f32>,
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
                        weights[panel + input * PANEL + output % PANEL] = (value * factor) as f32;
                    }
                }
            }
        }
        let bias = bias.map_or_else(|| vec![0.0; outputs], <[f32]>::to_vec);
        Some(Self { inputs, outputs, weights, bias, activation })
    }

    /// `out = act(conv(x) + bias)`, or `out += conv(x) + bias` where it is added to a stream. Rows of channels.
    pub(super) fn run(&self, x: &[f32], boards: Boards, out: &mut [f32], store: Store, scratch: &mut WinogradScratch) {
        let tiles_x = boards.width.div_ceil(TILE);
        let tiles_y = boards.height.div_ceil(TILE);
        let tiles = boards.count * tiles_x * tiles_y;
        let padded = self.outputs.div_ceil(PANEL) * PANEL;
        scratch.fields.resize(FIELDS * tiles * self.inputs, 0.0);
        scratch.results.resize(FIELDS * tiles * padded, 0.0);
        convolve(self, x, boards, tiles, out, store, &mut scratch.fields, &mut scratch.results);
    }

    #[inline(always)]
    fn scatter(&self, results: &[f32], padded: usize, boards: Boards, tiles: usize, out: &mut [f32], store: Store) {
        let outputs = self.outputs;
        let mut tile = 0;
        for board in 0..boards.count {
            for top in (0..boards.height).step_by(TILE) {
                for left in (0..boards.width).step_by(TILE) {
                    for first in (0..outputs).step_by(LANES) {
                        let count = LANES.min(outputs - first);
                        let mut bias = [0.0; LANES];
                        bias[..count].copy_from_slice(&self.bias[first..first + count]);
                        let field = |i: usize| -> Lane {
                            let at = (i * tiles + tile) * padded + first;
                            results[at..at + LANES].try_into().expect("eight numbers")
                        };
                        let block = back(field);
                        for (y, row) in block.iter().enumerate().take(boards.height - top) {
                            for (x, value) in row.iter().enumerate().take(boards.width - left) {
                                let mut value = *value;
                                value.iter_mut().zip(&bias).for_each(|(value, bias)| *value += bias);
                                activate(&mut value, self.activation);
                                let place = board * boards.area() + (top + y) * boards.width + left + x;
                                let out = &mut out[place * outputs + first..][..count];
                                match store {
                                    Store::Set => out.copy_from_slice(&value[..count]),
                                    Store::Add => out.iter_mut().zip(&value).for_each(|(out, value)| *out += value),
                                }
                            }
                        }
                    }
                    tile += 1;
                }
            }
        }
    }
}

vectorised! {
    fn convolve(
        winograd: &Winograd, x: &[f32], boards: Boards, tiles: usize, out: &mut [f32], store: Store,
        fields: &mut [f32], results: &mut [f32],
    ) {
        let (inputs, padded) = (winograd.inputs, winograd.outputs.div_ceil(PANEL) * PANEL);
        gather(x, boards, inputs, tiles, fields);
        let matrices = winograd.weights.chunks_exact(padded * inputs).zip(fields.chunks_exact(tiles * inputs));
        for ((weights, fields), results) in matrices.zip(results.chunks_exact_mut(tiles * padded)) {
            panels(weights, inputs, padded, fields, inputs, tiles, results, padded, Store::Set);
        }
        winograd.scatter(results, padded, boards, tiles, out, store);
    }
}

/// Cuts boards into tiles and transforms them: `[36][tile][channel]`.
#[inline(always)]
fn gather(x: &[f32], boards: Boards, channels: usize, tiles: usize, fields: &mut [f32]) {
    let wrapped = |at: isize, length: usize, wraps: bool| -> Option<usize> {
        if (0..length as isize).contains(&at) {
            Some(at as usize)
        } else if wraps {
            Some(at.rem_euclid(length as isize) as usize)
        } else {
            None
        }
    };
    let mut tile = 0;
    for board in 0..boards.count {
        for top in (0..boards.height).step_by(TILE) {
            for left in (0..boards.width).step_by(TILE) {
                let mut places = [None; FIELDS];
                for (index, place) in places.iter_mut().enumerate() {
                    let y = wrapped((top + index / FIELD) as isize - 1, boards.height, boards.edges.wrap_y);
                    let x = wrapped((left + index % FIELD) as isize - 1, boards.width, boards.edges.wrap_x);
                    *place = y.zip(x).map(|(y, x)| (board * boards.area() + y * boards.width + x) * channels);
                }
                for first in (0..channels).step_by(LANES) {
                    let count = LANES.min(channels - first);
                    let load = |index: usize| -> Lane {
                        let mut lane = [0.0; LANES];
                        if let Some(place) = places[index] {
                            if count == LANES {
                                lane.copy_from_slice(&x[place + first..place + first + LANES]);
                            } else {
                                lane[..count].copy_from_slice(&x[place + first..place + first + count]);
                            }
                        }
                        lane
                    };
                    let field = forth(load);
                    for (index, lane) in field.iter().enumerate() {
                        let at = (index * tiles + tile) * channels + first;
                        if count == LANES {
                            fields[at..at + LANES].copy_from_slice(lane);
                        } else {
                            fields[at..at + count].copy_from_slice(&lane[..count]);
                        }
                    }
                }
                tile += 1;
            }
        }
    }
}

#[inline(always)]
fn each(f: impl Fn(usize) -> f32) -> Lane {
    std::array::from_fn(f)
}

/// One dimension of the transformation of a tile.
#[inline(always)]
fn forth_line(d: [Lane; FIELD]) -> [Lane; FIELD] {
    const SUM: f32 = NEAR_SQUARE + FAR_SQUARE;
    const PRODUCT: f32 = NEAR_SQUARE * FAR_SQUARE;
    let even_near = each(|l| d[4][l] - FAR_SQUARE * d[2][l]);
    let odd_near = each(|l| NEAR * (d[3][l] - FAR_SQUARE * d[1][l]));
    let even_far = each(|l| d[4][l] - NEAR_SQUARE * d[2][l]);
    let odd_far = each(|l| FAR * (d[3][l] - NEAR_SQUARE * d[1][l]));
    [
        each(|l| PRODUCT * d[0][l] - SUM * d[2][l] + d[4][l]),
        each(|l| even_near[l] + odd_near[l]),
        each(|l| even_near[l] - odd_near[l]),
        each(|l| even_far[l] + odd_far[l]),
        each(|l| even_far[l] - odd_far[l]),
        each(|l| PRODUCT * d[1][l] - SUM * d[3][l] + d[5][l]),
    ]
}

/// One dimension of the way back.
#[inline(always)]
fn back_line(m: [Lane; FIELD]) -> [Lane; TILE] {
    let sum = each(|l| m[1][l] + m[2][l]);
    let difference = each(|l| NEAR * (m[1][l] - m[2][l]));
    let far_sum = each(|l| m[3][l] + m[4][l]);
    let far_difference = each(|l| FAR * (m[3][l] - m[4][l]));
    [
        each(|l| m[0][l] + sum[l] + far_sum[l]),
        each(|l| difference[l] + far_difference[l]),
        each(|l| NEAR_SQUARE * sum[l] + FAR_SQUARE * far_sum[l]),
        each(|l| NEAR_SQUARE * difference[l] + FAR_SQUARE * far_difference[l] + m[5][l]),
    ]
}

#[inline(always)]
fn forth(load: impl Fn(usize) -> Lane) -> [Lane; FIELDS] {
    let mut half = [[[0.0; LANES]; FIELD]; FIELD];
    for (row, half) in half.iter_mut().enumerate() {
        *half = forth_line(std::array::from_fn(|column| load(row * FIELD + column)));
    }
    let mut out = [[0.0; LANES]; FIELDS];
    for column in 0..FIELD {
        let line = forth_line(std::array::from_fn(|row| half[row][column]));
        for (row, lane) in line.into_iter().enumerate() {
            out[row * FIELD + column] = lane;
        }
    }
    out
}

#[inline(always)]
fn back(field: impl Fn(usize) -> Lane) -> [[Lane; TILE]; TILE] {
    let mut half = [[[0.0; LANES]; TILE]; FIELD];
    for (row, half) in half.iter_mut().enumerate() {
        *half = back_line(std::array::from_fn(|column| field(row * FIELD + column)));
    }
    let mut out = [[[0.0; LANES]; TILE]; TILE];
    for column in 0..TILE {
        let line = back_line(std::array::from_fn(|row| half[row][column]));
        for (row, lane) in line.into_iter().enumerate() {
            out[row][column] = lane;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, in double precision.
    fn direct(conv: &Conv, x: &[f32], boards: Boards) -> Vec<f64> {
        let (width, height) = (boards.width as isize, boards.height as isize);
        let mut out = Vec::new();
        for place in 0..boards.rows() {
            let (board, at) = (place / boards.area(), (place % boards.area()) as isize);
            for o in 0..conv.outputs {
                let mut sum = 0.0;
                for tap in 0..9isize {
                    let (mut py, mut px) = (at / width + tap / 3 - 1, at % width + tap % 3 - 1);
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

    #[test]
    fn every_board_gives_what_the_definition_gives() {
        let value = |i: usize| ((i * 7919) % 1013) as f32 / 500.0 - 1.0;
        let sizes = [(19, 19, 2, 12, 20), (2, 2, 1, 3, 5), (5, 9, 3, 16, 16), (4, 8, 1, 8, 33)];
        for (width, height, count, inputs, outputs) in sizes {
            for (wrap_x, wrap_y) in [(false, false), (true, true), (true, false)] {
                let boards = Boards { count, width, height, edges: Edges { wrap_x, wrap_y } };
                let conv = Conv {
                    name: "test".into(),
                    kernel: (3, 3),
                    inputs,
                    outputs,
                    dilation: (1, 1),
                    weights: (0..9 * inputs * outputs).map(value).collect(),
                };
                let x: Vec<f32> = (0..boards.rows() * inputs).map(|i| value(i + 31)).collect();
                let scale: Vec<f32> = (0..outputs).map(|i| 0.5 + value(i).abs()).collect();
                let bias: Vec<f32> = (0..outputs).map(|i| value(i + 5)).collect();
                let expected = direct(&conv, &x, boards);
                let winograd = Winograd::new(&conv, Some(&scale), Some(&bias), Activation::Relu).unwrap();
                let mut out = vec![0.25; boards.rows() * outputs];
                winograd.run(&x, boards, &mut out, Store::Add, &mut WinogradScratch::default());
                for (index, (value, expected)) in out.iter().zip(&expected).enumerate() {
                    let channel = index % outputs;
                    let expected = (expected * f64::from(scale[channel]) + f64::from(bias[channel])).max(0.0) + 0.25;
                    assert!((f64::from(*value) - expected).abs() < 5e-5, "{width}x{height}: {value} is not {expected}");
                }
            }
        }
    }
}
