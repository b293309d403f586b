//! Attention between all points of a board.

use super::gemm::{BLOCK, Packed};
use super::pointwise::{exp, rms_normalise};
use super::simd::{Store, vectorised};
use crate::file::model::{AttentionBlock, RmsNorm};
use crate::onnx::{frequencies, halves_apart, side_by_side};

/// An attention block, ready to run on boards of one size.
#[derive(Debug)]
pub(super) struct Attention {
    heads: usize,
    kv_heads: usize,
    query_width: usize,
    value_width: usize,
    norm: RmsNorm,
    /// Queries, keys and values side by side. The members of each turned pair are half a head apart.
    project: Packed,
    output: Packed,
    /// For each head of keys and each pair: radians a column and a row.
    frequencies: Vec<[f32; 2]>,
    turns: bool,
}

/// Sines and cosines of one board size: `[place][key head][pair]`.
#[derive(Debug, Default)]
pub(super) struct Angles {
    cosines: Vec<f32>,
    sines: Vec<f32>,
}

/// Memory between calls.
#[derive(Debug)]
pub(super) struct AttentionScratch {
    rows: Vec<f32>,
    projected: Vec<f32>,
    joined: Vec<f32>,
    scores: Vec<f32>,
    keys: Packed,
    values: Packed,
}

impl Default for AttentionScratch {
    fn default() -> Self {
        let (keys, values) = (Packed::empty(), Packed::empty());
        Self { rows: Vec::new(), projected: Vec::new(), joined: Vec::new(), scores: Vec::new(), keys, values }
    }
}

impl Attention {
    pub(super) fn new(block: &AttentionBlock) -> Self {
        let root = 1.0 / (block.query_width as f32).sqrt();
        let query = halves_apart(&block.query, block.query_width, root);
        let key = halves_apart(&block.key, block.query_width, 1.0);
        let all = side_by_side(&[&query, &key, &block.value]);
        let mut table = Vec::new();
        if let Some(rope) = &block.rope {
            let (found, heads) = frequencies(rope, block, block.kv_heads);
            // Fixed frequencies are the same for all heads.
            for _ in 0..block.kv_heads / heads {
                table.extend_from_slice(&found);
            }
        }
        Self {
            heads: block.heads,
            kv_heads: block.kv_heads,
            query_width: block.query_width,
            value_width: block.value_width,
            norm: block.norm.clone(),
            project: Packed::new(&all.weights, all.inputs, all.outputs),
            output: Packed::new(&block.output.weights, block.output.inputs, block.output.outputs),
            frequencies: table,
            turns: block.rope.is_some(),
        }
    }

    /// Angles of all places of a board.
    pub(super) fn angles(&self, width: usize, height: usize) -> Angles {
        let mut angles = Angles::default();
        for place in 0..width * height {
            let (x, y) = ((place % width) as f32, (place / width) as f32);
            for &[fx, fy] in &self.frequencies {
                let angle = x * fx + y * fy;
                angles.cosines.push(angle.cos());
                angles.sines.push(angle.sin());
            }
        }
        angles
    }

    /// Adds the result to the stream `x` of one board: `area` rows of channels.
    pub(super) fn run(&self, x: &mut [f32], area: usize, angles: &Angles, scratch: &mut AttentionScratch) {
        let channels = self.norm.weights.len();
        let (all, query, value) = (self.project.outputs, self.query_width, self.value_width);
        let (key_start, value_start) = (self.heads * query, (self.heads + self.kv_heads) * query);
        scratch.rows.resize(area * channels, 0.0);
        scratch.projected.resize(area * all, 0.0);
        scratch.joined.resize(area * self.heads * value, 0.0);
        scratch.scores.resize(BLOCK * area, 0.0);
        rms_normalise(x, &self.norm, &mut scratch.rows);
        self.project.multiply(&scratch.rows, channels, area, &mut scratch.projected, all, Store::Set);
        if self.turns {
            turn(self, angles, &mut scratch.projected);
        }
        let served = self.heads / self.kv_heads;
        for head in 0..self.heads {
            let projected = &scratch.projected;
            if head % served == 0 {
                let group = head / served;
                let key = key_start + group * query;
                scratch.keys.refill(query, area, |input, place| projected[place * all + key + input]);
                let first = value_start + group * value;
                scratch.values.refill(area, value, |place, output| projected[place * all + first + output]);
            }
            for block in (0..area).step_by(BLOCK) {
                let rows = BLOCK.min(area - block);
                let queries = &projected[block * all + head * query..];
                scratch.keys.multiply(queries, all, rows, &mut scratch.scores, area, Store::Set);
                let mut sums = [0.0; BLOCK];
                weigh(&mut scratch.scores[..rows * area], area, &mut sums);
                let stride = self.heads * value;
                let joined = &mut scratch.joined[block * stride + head * value..];
                scratch.values.multiply(&scratch.scores, area, rows, joined, stride, Store::Set);
                for (row, sum) in sums[..rows].iter().enumerate() {
                    let share = 1.0 / sum;
                    joined[row * stride..][..value].iter_mut().for_each(|value| *value *= share);
                }
            }
        }
        self.output.multiply(&scratch.joined, self.heads * value, area, x, channels, Store::Add);
    }
}

vectorised! {
    /// Turns queries and keys by their places.
    fn turn(attention: &Attention, angles: &Angles, projected: &mut [f32]) {
        let (width, half) = (attention.query_width, attention.query_width / 2);
        let served = attention.heads / attention.kv_heads;
        let table = attention.kv_heads * half;
        for (place, row) in projected.chunks_exact_mut(attention.project.outputs).enumerate() {
            for (head, values) in row[..(attention.heads + attention.kv_heads) * width].chunks_exact_mut(width).enumerate() {
                let group = if head < attention.heads { head / served } else { head - attention.heads };
                let at = place * table + group * half;
                let (cosines, sines) = (&angles.cosines[at..at + half], &angles.sines[at..at + half]);
                let (low, high) = values.split_at_mut(half);
                for (((low, high), cosine), sine) in low.iter_mut().zip(high).zip(cosines).zip(sines) {
                    (*low, *high) = (*low * cosine - *high * sine, *low * sine + *high * cosine);
                }
            }
        }
    }
}

vectorised! {
    /// Scores to weights that still have to be divided by their sums.
    fn weigh(scores: &mut [f32], area: usize, sums: &mut [f32]) {
        for (row, sum) in scores.chunks_exact_mut(area).zip(sums) {
            let mut highest = [f32::NEG_INFINITY; 8];
            let whole = row.chunks_exact(8);
            let mut top = whole.remainder().iter().copied().fold(f32::NEG_INFINITY, f32::max);
            for values in whole {
                highest.iter_mut().zip(values).for_each(|(highest, value)| *highest = if *value > *highest { *value } else { *highest });
            }
            top = highest.iter().copied().fold(top, f32::max);
            let mut totals = [0.0f32; 8];
            let mut whole = row.chunks_exact_mut(8);
            for values in &mut whole {
                for (value, total) in values.iter_mut().zip(&mut totals) {
                    *value = exp(*value - top);
                    *total += *value;
                }
            }
            let mut total = 0.0;
            for value in whole.into_remainder() {
                *value = exp(*value - top);
                total += *value;
            }
            *sum = total + totals.iter().sum::<f32>();
        }
    }
}
