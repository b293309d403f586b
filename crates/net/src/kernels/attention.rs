//! Attention between all points of a board.

use super::gemm::{BLOCK, Packed};
use super::pointwise::{exp, rms_normalise};
use super::simd::{MAX_LANES, Narrow, Store, vectorised};
use super::team::Member;
use super::trunk::Scratch;
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
    /// Queries, keys and values side by side. The members of each rotated pair are half a head apart.
    project: Packed,
    output: Packed,
    /// For each head of keys and each pair: radians a column and a row.
    frequencies: Vec<[f32; 2]>,
    is_rotary: bool,
    /// For keys and values, which change with every position: finding the scales of their columns takes longer than whole
    /// numbers save.
    narrow: Option<Narrow>,
}

/// Sines and cosines of one board size: `[place][key head][pair]`.
#[derive(Debug, Default)]
pub(super) struct RotaryTable {
    cosines: Vec<f32>,
    sines: Vec<f32>,
}

impl Attention {
    pub(super) fn new(block: &AttentionBlock, narrow: Option<Narrow>) -> Self {
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
            project: Packed::new(&all.weights, all.inputs, all.outputs, narrow),
            output: Packed::new(&block.output.weights, block.output.inputs, block.output.outputs, narrow),
            frequencies: table,
            is_rotary: block.rope.is_some(),
            narrow: narrow.filter(|narrow| matches!(narrow, Narrow::Bf16(_))),
        }
    }

    #[cfg(test)]
    pub(super) fn subnormal_weights(&self) -> usize {
        self.project.subnormal_weights() + self.output.subnormal_weights()
    }

    /// The rotary table of a board.
    pub(super) fn rotary(&self, width: usize, height: usize) -> RotaryTable {
        let mut rotary = RotaryTable::default();
        for place in 0..width * height {
            let (x, y) = ((place % width) as f32, (place / width) as f32);
            for &[fx, fy] in &self.frequencies {
                let angle = x * fx + y * fy;
                rotary.cosines.push(angle.cos());
                rotary.sines.push(angle.sin());
            }
        }
        rotary
    }

    /// Adds the result to the stream `x` of one board: `area` rows of channels.
    pub(super) fn run(
        &self,
        x: &mut [f32],
        area: usize,
        rotary: &RotaryTable,
        member: &Member<'_>,
        scratch: &mut Scratch,
    ) {
        let channels = self.norm.weights.len();
        let all = self.project.outputs;
        let mut projected = scratch.take(area * all);
        let rows = member.share_of(area, channels * all);
        let parts = x.chunks(rows * channels).zip(projected.chunks_mut(rows * all)).enumerate().collect();
        member.share(parts, scratch, |(part, (x, projected)), scratch| {
            let mut normal = scratch.take(x.len());
            rms_normalise(x, &self.norm, &mut normal);
            self.project.multiply(&normal, channels, x.len() / channels, projected, all, Store::Set);
            scratch.give(normal);
            if self.is_rotary {
                rotate(self, rotary, part * rows, projected);
            }
        });
        let mut heads = std::mem::take(&mut scratch.heads);
        heads.resize_with(self.kv_heads, || (Packed::empty(self.narrow), Packed::empty(self.narrow)));
        let (query, value) = (self.query_width, self.value_width);
        for (group, (keys, values)) in heads.iter_mut().enumerate() {
            let key = self.heads * query + group * query;
            keys.refill(query, area, |input, place| projected[place * all + key + input]);
            let first = (self.heads + self.kv_heads) * query + group * value;
            values.refill(area, value, |place, output| projected[place * all + first + output]);
        }
        let rows = member.share_of(area, self.heads * ((query + value) * area + value * channels));
        let parts = x.chunks_mut(rows * channels).zip(projected.chunks(rows * all)).collect();
        member.share(parts, scratch, |(x, projected), scratch| self.attend(x, projected, &heads, scratch));
        scratch.heads = heads;
        scratch.give(projected);
    }

    /// What some places of a board, whose rows are `x`, gather from all others.
    fn attend(&self, x: &mut [f32], projected: &[f32], heads: &[(Packed, Packed)], scratch: &mut Scratch) {
        let (all, query, value) = (self.project.outputs, self.query_width, self.value_width);
        let channels = self.norm.weights.len();
        let count = x.len() / channels;
        let area = heads.first().map_or(0, |(keys, _)| keys.outputs);
        let stride = self.heads * value;
        let mut joined = scratch.take(count * stride);
        let mut scores = scratch.take(BLOCK * area);
        let served = self.heads / self.kv_heads;
        for head in 0..self.heads {
            let (keys, values) = &heads[head / served];
            for block in (0..count).step_by(BLOCK) {
                let rows = BLOCK.min(count - block);
                let queries = &projected[block * all + head * query..];
                keys.multiply(queries, all, rows, &mut scores, area, Store::Set);
                let mut sums = [0.0; BLOCK];
                weigh(&mut scores[..rows * area], area, &mut sums);
                let joined = &mut joined[block * stride + head * value..];
                values.multiply(&scores, area, rows, joined, stride, Store::Set);
                for (row, sum) in sums[..rows].iter().enumerate() {
                    let share = 1.0 / sum;
                    joined[row * stride..][..value].iter_mut().for_each(|value| *value *= share);
                }
            }
        }
        self.output.multiply(&joined, stride, count, x, channels, Store::Add);
        scratch.give(scores);
        scratch.give(joined);
    }
}

vectorised! {
    /// Rotates queries and keys by their places, which begin with `first`.
    fn rotate(attention: &Attention, rotary: &RotaryTable, first: usize, projected: &mut [f32]) {
        let (width, half) = (attention.query_width, attention.query_width / 2);
        let served = attention.heads / attention.kv_heads;
        let table = attention.kv_heads * half;
        for (place, row) in projected.chunks_exact_mut(attention.project.outputs).enumerate() {
            for (head, values) in row[..(attention.heads + attention.kv_heads) * width].chunks_exact_mut(width).enumerate() {
                let group = if head < attention.heads { head / served } else { head - attention.heads };
                let at = (first + place) * table + group * half;
                let (cosines, sines) = (&rotary.cosines[at..at + half], &rotary.sines[at..at + half]);
                let (low, high) = values.split_at_mut(half);
                for (((low, high), cosine), sine) in low.iter_mut().zip(high).zip(cosines).zip(sines) {
                    (*low, *high) = (*low * cosine - *high * sine, *low * sine + *high * cosine);
                }
            }
        }
    }
}

/// Ones from the sixteenth place on: what begins so many places before is as many zeros, then ones.
const ONES: [f32; 2 * MAX_LANES] = {
    let mut ones = [0.0; 2 * MAX_LANES];
    let mut place = MAX_LANES;
    while place < ones.len() {
        ones[place] = 1.0;
        place += 1;
    }
    ones
};

vectorised! {
    /// Scores to weights that still have to be divided by their sums.
    fn weigh<V>(proof: _, scores: &mut [f32], area: usize, sums: &mut [f32]) {
        let whole = area / V::COUNT * V::COUNT;
        // The last register begins before the end of those before it, if the row is long enough, and is read before they
        // change: filling one up in memory takes longer than the whole row.
        let short = area < V::COUNT;
        let again = if short { 0 } else { V::COUNT - (area - whole) };
        let counts = V::load(proof, &ONES[MAX_LANES - again..]);
        for (row, sum) in scores.chunks_exact_mut(area).zip(sums) {
            let mut filled = [f32::NEG_INFINITY; MAX_LANES];
            let last = if short {
                filled[..area].copy_from_slice(row);
                V::load(proof, &filled)
            } else {
                V::load(proof, &row[area - V::COUNT..])
            };
            let mut highest = last;
            for values in row[..whole].chunks_exact(V::COUNT) {
                highest = highest.larger(V::load(proof, values));
            }
            let mut places = [f32::NEG_INFINITY; MAX_LANES];
            highest.store(&mut places);
            for half in [8, 4, 2, 1] {
                for place in 0..half {
                    let other = places[place + half];
                    places[place] = if other > places[place] { other } else { places[place] };
                }
            }
            let top = V::splat(proof, places[0]);
            let mut total = V::splat(proof, 0.0);
            for values in row[..whole].chunks_exact_mut(V::COUNT) {
                let weight = exp(proof, V::load(proof, values).minus(top));
                weight.store(values);
                total = total.plus(weight);
            }
            // What fills a short row up weighs e^-87, beside a sum of one or more.
            let weight = exp(proof, last.minus(top));
            total = weight.multiply_add(counts, total);
            if short {
                weight.store(&mut filled);
                row.copy_from_slice(&filled[..area]);
            } else {
                weight.store(&mut row[area - V::COUNT..]);
            }
            let mut totals = [0.0; MAX_LANES];
            total.store(&mut totals);
            for half in [8, 4, 2, 1] {
                for place in 0..half {
                    totals[place] += totals[place + half];
                }
            }
            *sum = totals[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::simd::on_every_path;
    use super::*;

    #[test]
    fn weights_are_those_of_a_softmax_on_boards_of_any_size() {
        for area in [1, 4, 7, 8, 9, 16, 17, 25, 81, 361] {
            let scores: Vec<f32> = (0..3 * area).map(|i| ((i * 7919) % 211) as f32 / 10.0 - 12.0).collect();
            for (path, (weights, sums)) in on_every_path(|| {
                let (mut weights, mut sums) = (scores.clone(), [0.0; 3]);
                weigh(&mut weights, area, &mut sums);
                (weights, sums)
            }) {
                for ((weights, scores), sum) in weights.chunks(area).zip(scores.chunks(area)).zip(sums) {
                    let exact: f64 = scores.iter().map(|score| f64::from(*score).exp()).sum();
                    for (weight, score) in weights.iter().zip(scores) {
                        let (found, exact) = (f64::from(weight / sum), f64::from(*score).exp() / exact);
                        assert!((found - exact).abs() < 1e-6, "{path:?} {area}: {found} {exact}");
                    }
                }
            }
        }
    }
}
