//! Attention between all points of a board.

use super::gemm::{BLOCK, Left, Packed, Source, laid_apart, multiply_laid};
use super::pointwise::{exp, power_of_two, rms_normalise};
use super::simd::{Lanes, MAX_LANES, MAX_WORD, Narrow, Store, TOGETHER, vectorised, with_words};
use super::team::Member;
use super::trunk::Scratch;
use crate::file::model::{AttentionBlock, RmsNorm};
use crate::onnx::{frequencies, halves_apart, side_by_side};
use std::f32::consts::LOG2_E;

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
    /// For keys and values, which change with every position.
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
            narrow,
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
        member.share(parts, scratch, |(part, (x, projected)): (usize, (&[f32], &mut [f32])), _| {
            let normal = |first: usize, rows: &mut [f32]| rms_normalise(&x[first * channels..], &self.norm, rows);
            self.project.multiply(Left::Made(&normal), x.len() / channels, projected, all, Store::Set);
            if self.is_rotary {
                rotate(self, rotary, part * rows, projected);
            }
        });
        let mut heads = std::mem::take(&mut scratch.heads);
        heads.resize_with(self.kv_heads, || (Packed::empty(self.narrow), Packed::empty(self.narrow)));
        let (query, value) = (self.query_width, self.value_width);
        let mut floats = std::mem::take(&mut scratch.floats);
        for (group, (keys, values)) in heads.iter_mut().enumerate() {
            let key = self.heads * query + group * query;
            keys.refill(query, area, Source::Outputs(&projected[key..], all), &mut floats);
            let first = (self.heads + self.kv_heads) * query + group * value;
            values.refill(self.filled_up(area), value, Source::Inputs(&projected[first..], all), &mut floats);
        }
        scratch.floats = floats;
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
        let filled = self.filled_up(area);
        let mut joined = scratch.take(count * stride);
        let mut scores = scratch.take(BLOCK * filled + LINE);
        let mut laid = scratch.take(BLOCK * laid_apart(filled) + LINE);
        // What fills a row up is never written to.
        scores.fill(f32::NEG_INFINITY);
        let served = self.heads / self.kv_heads;
        for head in 0..self.heads {
            let (keys, values) = &heads[head / served];
            for block in (0..count).step_by(BLOCK) {
                let rows = BLOCK.min(count - block);
                let queries = &projected[block * all + head * query..];
                keys.multiply(Left::There(queries, all), rows, from_a_line(&mut scores), filled, Store::Set);
                let joined = &mut joined[block * stride + head * value..];
                let mut shares = [0.0; BLOCK];
                let (shares, scores) = (&mut shares[..rows], &mut from_a_line(&mut scores)[..rows * filled]);
                if let Some(Narrow::Words(words)) = self.narrow {
                    let laid = from_a_line(&mut laid);
                    weigh_words(words, scores, filled, laid, shares);
                    multiply_laid(words, values, laid, shares, joined, stride);
                    continue;
                }
                weigh(scores, area, shares);
                values.multiply(Left::There(scores, area), rows, joined, stride, Store::Set);
                for (row, share) in shares.iter().enumerate() {
                    joined[row * stride..][..value].iter_mut().for_each(|value| *value *= share);
                }
            }
        }
        self.output.multiply(Left::There(&joined, stride), count, x, channels, Store::Add);
        scratch.give(laid);
        scratch.give(scores);
        scratch.give(joined);
    }

    /// How many scores a row has room for: whole numbers are laid out by so many.
    fn filled_up(&self, area: usize) -> usize {
        if matches!(self.narrow, Some(Narrow::Words(_))) { area.next_multiple_of(2 * TOGETHER) } else { area }
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

/// Numbers of a cache line.
const LINE: usize = 16;

/// Numbers from the beginning of a cache line on: no register of them lies in two.
fn from_a_line(numbers: &mut [f32]) -> &mut [f32] {
    let skipped = numbers.as_ptr().align_offset(64);
    numbers.get_mut(skipped..).unwrap_or_default()
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

/// The highest of whole registers and of one more.
#[inline(always)]
fn highest<V: Lanes>(proof: V::Proof, scores: &[f32], last: V) -> f32 {
    // Two at a time: each of them waits for the one before.
    let (mut one, mut other) = (last, last);
    let pairs = scores.chunks_exact(2 * V::COUNT);
    if let Some(rest) = pairs.remainder().get(..V::COUNT) {
        one = one.larger(V::load(proof, rest));
    }
    for scores in pairs {
        let (first, second) = scores.split_at(V::COUNT);
        (one, other) = (one.larger(V::load(proof, first)), other.larger(V::load(proof, second)));
    }
    one.larger(other).highest()
}

vectorised! {
    /// Scores to weights, and what these still have to be multiplied with so that they are 1 together.
    fn weigh<V>(proof: _, scores: &mut [f32], area: usize, shares: &mut [f32]) {
        let whole = area / V::COUNT * V::COUNT;
        // The last register begins before the end of those before it, if the row is long enough, and is read before they
        // change: filling one up in memory takes longer than the whole row.
        let short = area < V::COUNT;
        let again = if short { 0 } else { V::COUNT - (area - whole) };
        let counts = V::load(proof, &ONES[MAX_LANES - again..]);
        for (row, share) in scores.chunks_exact_mut(area).zip(shares) {
            let mut filled = [f32::NEG_INFINITY; MAX_LANES];
            let last = if short {
                filled[..area].copy_from_slice(row);
                V::load(proof, &filled)
            } else {
                V::load(proof, &row[area - V::COUNT..])
            };
            let top = V::splat(proof, highest(proof, &row[..whole], last));
            let mut total = V::splat(proof, 0.0);
            for scores in row[..whole].chunks_exact_mut(V::COUNT) {
                let weight = exp(proof, V::load(proof, scores).minus(top));
                weight.store(scores);
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
            *share = 1.0 / total.sum();
        }
    }
}

with_words! {
    /// Rows of scores, `filled` long, to weights as rows of whole numbers, and what these are worth so that all weights of
    /// a row are 1 together. The highest weight is the largest whole number.
    fn weigh_words<V, F>(
        proof: _, factors: _, scores: &[f32], filled: usize, laid: &mut [f32], shares: &mut [f32],
    ) {
        let largest = V::splat(proof, MAX_WORD);
        let rows = scores.chunks_exact(filled).zip(laid.chunks_exact_mut(laid_apart(filled)));
        for ((row, laid), share) in rows.zip(shares) {
            let top = V::splat(proof, -LOG2_E * highest(proof, row, V::load(proof, row)));
            let (mut one, mut other) = (V::splat(proof, 0.0), V::splat(proof, 0.0));
            for (scores, laid) in row.chunks_exact(2 * TOGETHER).zip(laid.chunks_exact_mut(TOGETHER)) {
                let (firsts, seconds) = scores.split_at(TOGETHER);
                for at in (0..TOGETHER).step_by(V::COUNT) {
                    let first = V::load(proof, &firsts[at..]).multiply_add_scalar(LOG2_E, top);
                    let second = V::load(proof, &seconds[at..]).multiply_add_scalar(LOG2_E, top);
                    let (first, second) = (power_of_two(proof, first), power_of_two(proof, second));
                    // What fills the row up weighs 2^-126, beside a sum of one or more.
                    (one, other) = (one.plus(first), other.plus(second));
                    factors.lay_pair(first, second, largest).store(&mut laid[at..]);
                }
            }
            *share = 1.0 / (MAX_WORD * one.plus(other).sum());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::simd::{Words, on_every_path};
    use super::*;

    const AREAS: [usize; 12] = [1, 4, 7, 8, 9, 16, 17, 25, 32, 81, 361, 400];

    fn scores(area: usize) -> Vec<f32> {
        (0..3 * area).map(|i| ((i * 7919) % 211) as f32 / 10.0 - 12.0).collect()
    }

    /// The weights of a softmax.
    fn exact(scores: &[f32]) -> impl Iterator<Item = f64> {
        let sum: f64 = scores.iter().map(|score| f64::from(*score).exp()).sum();
        scores.iter().map(move |score| f64::from(*score).exp() / sum)
    }

    #[test]
    fn weights_are_those_of_a_softmax_on_boards_of_any_size() {
        for area in AREAS {
            let scores = scores(area);
            for (path, (weights, shares)) in on_every_path(|| {
                let (mut weights, mut shares) = (scores.clone(), [0.0; 3]);
                weigh(&mut weights, area, &mut shares);
                (weights, shares)
            }) {
                for ((weights, scores), share) in weights.chunks(area).zip(scores.chunks(area)).zip(shares) {
                    for (weight, exact) in weights.iter().zip(exact(scores)) {
                        let found = f64::from(weight * share);
                        assert!((found - exact).abs() < 1e-6, "{path:?} {area}: {found} {exact}");
                    }
                }
            }
        }
    }

    #[test]
    fn weights_of_whole_numbers_gather_what_those_of_a_softmax_do() {
        let mut floats = Vec::new();
        for (path, words) in on_every_path(Words::new) {
            let Some(words) = words else { continue };
            for area in AREAS {
                let (scores, filled) = (scores(area), area.next_multiple_of(2 * TOGETHER));
                let mut rows = vec![f32::NEG_INFINITY; 3 * filled];
                for (row, scores) in rows.chunks_mut(filled).zip(scores.chunks(area)) {
                    row[..area].copy_from_slice(scores);
                }
                let values: Vec<f32> = (0..area * 5).map(|i| ((i * 37) % 101) as f32 / 50.0 - 1.0).collect();
                let mut packed = Packed::empty(Some(Narrow::Words(words)));
                packed.refill(filled, 5, Source::Inputs(&values, 5), &mut floats);
                let (mut laid, mut shares) = (vec![0.0; 3 * laid_apart(filled)], [0.0; 3]);
                weigh_words(words, &rows, filled, &mut laid, &mut shares);
                let mut gathered = [0.0; 15];
                multiply_laid(words, &packed, &laid, &shares, &mut gathered, 5);
                for (scores, gathered) in scores.chunks(area).zip(gathered.chunks(5)) {
                    for (column, found) in gathered.iter().enumerate() {
                        let exact: f64 = exact(scores)
                            .zip(values.chunks(5))
                            .map(|(share, row)| share * f64::from(row[column]))
                            .sum();
                        assert!((f64::from(*found) - exact).abs() < 4e-4, "{path:?} {area}: {found} {exact}");
                    }
                }
            }
        }
    }
}
