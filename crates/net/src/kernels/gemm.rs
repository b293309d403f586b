//! Products of rows with a matrix of weights.

use std::cell::RefCell;

#[cfg(target_arch = "x86_64")]
use super::simd::Sixteen;
use super::simd::{
    Factors, Lanes, LayRow, MAX_COLUMN, Narrow, PANEL, Singles, Store, Weights, fetch_ahead, in_place, pair, product,
    vectorised, with_feature, with_words,
};
use crate::subnormal::flush;

/// A matrix, stored as panels of 16 columns so that the inner loop reads it from front to end.
#[derive(Debug, Clone)]
pub(super) struct Packed {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// Set where two inputs lie in one place, as numbers of 16 bits.
    narrow: Option<Narrow>,
    /// `[panel][place][16]`, the last panel and the last place filled up with zeros.
    panels: Vec<f32>,
    /// `[panel][16]`: what a column's whole numbers are multiplied with; empty where they are floats.
    scales: Vec<f32>,
}

/// Where the numbers of a matrix lie.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source<'n> {
    /// Rows of all outputs, one for each input, so far apart; zeros where there are fewer rows than inputs.
    Inputs(&'n [f32], usize),
    /// Rows of all inputs, one for each output, so far apart.
    Outputs(&'n [f32], usize),
}

/// The rows that a matrix is multiplied with.
#[derive(Clone, Copy)]
pub(super) enum Left<'r> {
    /// There already, so far apart.
    There(&'r [f32], usize),
    /// Made a few at a time, from the one of this number on, when they are multiplied: so they need not leave the
    /// first-level cache before.
    Made(&'r dyn Fn(usize, &mut [f32])),
}

/// Memory of a thread for one product after the other.
#[derive(Default)]
struct Scratch {
    /// Rows with 16 bits for each number.
    narrow: Vec<f32>,
    /// Rows that were made for a product.
    made: Vec<f32>,
}

/// Rows that are made at once, where they are laid out anew.
const MADE: usize = 8;

/// Rows handled together, so that their part of the left matrix stays in the second-level cache.
pub(super) const BLOCK: usize = 96;
/// Places handled together, so that their part of a panel (12 kB) stays in the first-level cache beside the rows.
const DEPTH: usize = 192;

impl Packed {
    /// From `[input][output]`, as network files store it; as numbers of 16 bits where there is a proof for them.
    pub(super) fn new(weights: &[f32], inputs: usize, outputs: usize, narrow: Option<Narrow>) -> Self {
        let weights: Vec<f32> = weights.iter().copied().map(flush).collect();
        let mut packed = Self::empty(narrow);
        packed.refill(inputs, outputs, Source::Inputs(&weights, outputs), &mut Vec::new());
        packed
    }

    /// Room for a matrix that changes with every position.
    pub(super) fn empty(narrow: Option<Narrow>) -> Self {
        Self { inputs: 0, outputs: 0, narrow, panels: Vec::new(), scales: Vec::new() }
    }

    /// Replaces the matrix, keeping the memory. `floats` is for what numbers of 16 bits are made of.
    pub(super) fn refill(&mut self, inputs: usize, outputs: usize, source: Source<'_>, floats: &mut Vec<f32>) {
        (self.inputs, self.outputs) = (inputs, outputs);
        match self.narrow {
            None => lay_panels(inputs, outputs, source, &mut self.panels),
            Some(Narrow::Bf16(_)) => {
                lay_panels(inputs, outputs, source, floats);
                self.panels.clear();
                self.panels.extend(floats.chunks_exact((inputs * PANEL).max(1)).flat_map(in_pairs));
            }
            Some(Narrow::Words(words)) => {
                lay_panels(inputs, outputs, source, floats);
                in_words(words, floats, inputs, &mut self.panels, &mut self.scales);
            }
        }
    }

    #[cfg(test)]
    pub(super) fn subnormal_weights(&self) -> usize {
        self.panels.iter().filter(|value| value.is_subnormal()).count()
    }

    /// `c (+)= left * self` for `rows` rows.
    pub(super) fn multiply(&self, left: Left<'_>, rows: usize, c: &mut [f32], c_stride: usize, store: Store) {
        SCRATCH.with_borrow_mut(|scratch| match self.narrow {
            None => multiply_singles(self, scratch, left, rows, c, c_stride, store),
            Some(Narrow::Bf16(bf16)) => multiply_halves(bf16, self, scratch, left, rows, c, c_stride, store),
            Some(Narrow::Words(words)) => multiply_words(words, self, scratch, left, rows, c, c_stride, store),
        });
    }
}

/// A matrix as panels of floats.
fn lay_panels(inputs: usize, outputs: usize, source: Source<'_>, panels: &mut Vec<f32>) {
    // Every number is written below.
    panels.resize(outputs.div_ceil(PANEL) * inputs * PANEL, 0.0);
    for (number, panel) in panels.chunks_exact_mut((inputs * PANEL).max(1)).enumerate() {
        let first = number * PANEL;
        let columns = (outputs - first).min(PANEL);
        if columns < PANEL {
            panel.fill(0.0);
        }
        let (panel, _) = panel.as_chunks_mut::<PANEL>();
        match source {
            Source::Inputs(rows, apart) => {
                let rows = rows.chunks(apart.max(1)).map(|row| &row[first..]);
                let (there, missing) = panel.split_at_mut(rows.len().min(panel.len()));
                for (row, to) in rows.zip(there) {
                    match row.first_chunk() {
                        Some(row) if columns == PANEL => *to = *row,
                        _ => to[..columns].copy_from_slice(&row[..columns]),
                    }
                }
                missing.fill([0.0; PANEL]);
            }
            Source::Outputs(rows, apart) => {
                for (column, row) in rows.chunks(apart.max(1)).skip(first).take(columns).enumerate() {
                    for (to, value) in panel.iter_mut().zip(&row[..inputs]) {
                        to[column] = *value;
                    }
                }
            }
        }
    }
}

/// A panel with two inputs in each place.
pub(super) fn in_pairs(panel: &[f32]) -> impl Iterator<Item = f32> {
    panel.chunks(2 * PANEL).flat_map(|rows| {
        (0..PANEL).map(|column| pair(rows[column], rows.get(PANEL + column).copied().unwrap_or_default()))
    })
}

/// From a row that is laid out as whole numbers to the next: an odd cache line more, so that rows do not share a set of
/// the first-level cache.
pub(super) fn laid_apart(numbers: usize) -> usize {
    numbers.div_ceil(2).next_multiple_of(16) + 16
}

with_words! {
    /// `c = a * packed` for rows of whole numbers that lie in `laid` already, [`laid_apart`] each other; `scales` is what
    /// they are worth.
    pub(super) fn multiply_laid<V, F>(
        proof: _, factors: _, packed: &Packed, laid: &[f32], scales: &[f32], c: &mut [f32], c_stride: usize,
    ) {
        panels::<V, F>(
            proof, factors, &packed.panels, &packed.scales, packed.inputs.div_ceil(2), packed.outputs, laid,
            laid_apart(packed.inputs), scales, scales.len(), c, c_stride, Store::Set,
        );
    }
}

/// Makes a buffer at least so long; it is never cut, since making it longer again would fill it with zeros each time.
pub(super) fn grow(buffer: &mut Vec<f32>, length: usize) {
    if buffer.len() < length {
        buffer.resize(length, 0.0);
    }
}

/// Places of so many numbers.
pub(super) fn places(numbers: usize, narrow: Option<Narrow>) -> usize {
    if narrow.is_some() { numbers.div_ceil(2) } else { numbers }
}

/// Places of a piece: what is summed up before it is added to the result.
fn piece(places: usize) -> usize {
    places.div_ceil(places.div_ceil(DEPTH).max(1)).max(1)
}

with_words! {
    /// Panels of floats as whole numbers of 16 bits, two inputs in each place, and the scale of each column. Each column
    /// is rounded as finely as 16 bits and the sums of its pieces allow.
    pub(super) fn in_words<V, F>(
        proof: _, factors: _, floats: &[f32], inputs: usize, panels: &mut Vec<f32>, scales: &mut Vec<f32>,
    ) {
        /// Below it a column counts as zeros; its inverse times a word is still a number.
        const LEAST: f32 = 1e-30;
        let places = inputs.div_ceil(2);
        let deep = piece(places);
        let count = floats.len() / (inputs * PANEL).max(1);
        // Every number is written below.
        panels.resize(count * places * PANEL, 0.0);
        scales.resize(count * PANEL, 0.0);
        let zero = V::splat(proof, 0.0);
        let laid = panels.chunks_exact_mut((places * PANEL).max(1)).zip(scales.chunks_exact_mut(PANEL));
        for (floats, (panel, scales)) in floats.chunks_exact((inputs * PANEL).max(1)).zip(laid) {
            for column in (0..PANEL).step_by(V::COUNT) {
                let (mut largest, mut most) = (V::splat(proof, LEAST), zero);
                for start in (0..places).step_by(deep) {
                    let mut sum = zero;
                    for place in start..places.min(start + deep) {
                        let (first, second) = in_place(place, inputs);
                        let first = V::load(proof, &floats[first * PANEL + column..]);
                        let first = first.larger(zero.minus(first));
                        (largest, sum) = (largest.larger(first), sum.plus(first));
                        if let Some(second) = second {
                            let second = V::load(proof, &floats[second * PANEL + column..]);
                            let second = second.larger(zero.minus(second));
                            (largest, sum) = (largest.larger(second), sum.plus(second));
                        }
                    }
                    most = most.larger(sum);
                }
                // Each number may be rounded up by a half.
                let finest = V::splat(proof, f32::from(i16::MAX)).over(largest);
                let factor = finest.smaller(V::splat(proof, MAX_COLUMN - 2.0 * deep as f32).over(most));
                V::splat(proof, 1.0).over(factor).store(&mut scales[column..]);
                for place in 0..places {
                    let (first, second) = in_place(place, inputs);
                    let first = V::load(proof, &floats[first * PANEL + column..]);
                    let second = match second {
                        Some(second) => V::load(proof, &floats[second * PANEL + column..]),
                        None => zero,
                    };
                    factors.lay_pair(first, second, factor).store(&mut panel[place * PANEL + column..]);
                }
            }
        }
    }
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

vectorised! {
    fn multiply_singles<V>(
        proof: _, packed: &Packed, scratch: &mut Scratch, left: Left<'_>, rows: usize, c: &mut [f32], c_stride: usize,
        store: Store,
    ) {
        for block in (0..rows).step_by(BLOCK) {
            let count = BLOCK.min(rows - block);
            let (a, a_stride) = match left {
                Left::There(a, a_stride) => (&a[block * a_stride..], a_stride),
                Left::Made(make) => {
                    grow(&mut scratch.made, BLOCK * packed.inputs);
                    make(block, &mut scratch.made[..count * packed.inputs]);
                    (&scratch.made[..], packed.inputs)
                }
            };
            panels::<V, _>(
                proof, Singles, &packed.panels, &[], packed.inputs, packed.outputs, a, a_stride, &[], count,
                &mut c[block * c_stride..], c_stride, store,
            );
        }
    }
}

with_feature! {
    "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512bf16",
    fn multiply_halves(
        bf16: Bf16, packed: &Packed, scratch: &mut Scratch, left: Left<'_>, rows: usize, c: &mut [f32], c_stride: usize,
        store: Store,
    ) {
        multiply_narrow::<Sixteen, _>(bf16.avx512(), bf16, packed, scratch, left, rows, c, c_stride, store);
    }
}

with_words! {
    fn multiply_words<V, F>(
        proof: _, factors: _, packed: &Packed, scratch: &mut Scratch, left: Left<'_>, rows: usize, c: &mut [f32],
        c_stride: usize, store: Store,
    ) {
        multiply_narrow::<V, F>(proof, factors, packed, scratch, left, rows, c, c_stride, store);
    }
}

#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other processor has the instructions"))]
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the parts of a matrix product")]
fn multiply_narrow<V: Lanes, F: LayRow<V>>(
    proof: V::Proof,
    factors: F,
    packed: &Packed,
    scratch: &mut Scratch,
    left: Left<'_>,
    rows: usize,
    c: &mut [f32],
    c_stride: usize,
    store: Store,
) {
    let (inputs, places) = (packed.inputs, packed.inputs.div_ceil(2));
    let stride = laid_apart(inputs);
    let Scratch { narrow, made } = scratch;
    grow(narrow, BLOCK * stride);
    let mut scales = [0.0; BLOCK];
    for block in (0..rows).step_by(BLOCK) {
        let count = BLOCK.min(rows - block);
        for first in (0..count).step_by(MADE) {
            let together = MADE.min(count - first);
            let (rows, apart) = match left {
                Left::There(a, a_stride) => (&a[(block + first) * a_stride..], a_stride),
                Left::Made(make) => {
                    grow(made, MADE * inputs);
                    make(block + first, &mut made[..together * inputs]);
                    (&made[..], inputs)
                }
            };
            let laid = narrow[first * stride..].chunks_exact_mut(stride).zip(&mut scales[first..]).take(together);
            for (row, (narrow, scale)) in laid.enumerate() {
                *scale = factors.lay_row(&rows[row * apart..][..inputs], narrow);
            }
        }
        panels::<V, _>(
            proof,
            factors,
            &packed.panels,
            &packed.scales,
            places,
            packed.outputs,
            narrow,
            stride,
            &scales,
            count,
            &mut c[block * c_stride..],
            c_stride,
            store,
        );
    }
}

/// A few rows times every panel.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the parts of a matrix product")]
pub(super) fn panels<V: Lanes, F: Factors<V>>(
    proof: V::Proof,
    factors: F,
    panels: &[f32],
    scales: &[f32],
    places: usize,
    outputs: usize,
    a: &[f32],
    a_stride: usize,
    row_scales: &[f32],
    rows: usize,
    c: &mut [f32],
    c_stride: usize,
    store: Store,
) {
    let depth = piece(places);
    let (panel, count) = (places * PANEL, outputs.div_ceil(PANEL));
    let steps = rows.div_ceil(V::ROWS);
    // What each step brings of the next piece: it comes from memory while this one is worked with.
    let share = (depth * PANEL).div_ceil(steps.max(1)).next_multiple_of(16);
    for first in (0..count).step_by(V::PANELS) {
        let beside = V::PANELS.min(count - first);
        let columns = (outputs - first * PANEL).min(beside * PANEL);
        for start in (0..places).step_by(depth) {
            let piece = first * panel + start * PANEL;
            let scales = scales.get(first * PANEL..).unwrap_or_default();
            let depth = depth.min(places - start);
            let weights = Weights { panels: &panels[piece..], apart: panel, depth, columns, scales };
            let (next, beside) = match start + depth {
                next if next < places => (first * panel + next * PANEL, beside),
                // After the last ones come those of another matrix, if there is one.
                _ if first + beside == count => (count * panel, V::PANELS.min(count)),
                _ => ((first + beside) * panel, V::PANELS.min(count - first - beside)),
            };
            let store = if start == 0 { store } else { Store::Add };
            let mut row = 0;
            for step in 0..steps {
                for beside in 0..beside {
                    let soon = next + beside * panel + step * share;
                    fetch_ahead(panels.get(soon..soon + share).unwrap_or_default());
                }
                // Steps of about the same size: a last one of a single row would wait for each of its sums.
                let now = (rows - row).div_ceil(steps - step);
                let (a, c) = (&a[row * a_stride + start..], &mut c[row * c_stride + first * PANEL..]);
                let scales = row_scales.get(row..).unwrap_or_default();
                product::<V, F>(proof, factors, now, a, a_stride, scales, weights, c, c_stride, store);
                row += now;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::simd::{Bf16, Path, Words, on_every_path};
    use super::*;

    /// Each way to multiply numbers of 16 bits, with how far a number may be off in parts of the largest; those that this
    /// processor does not have count as skipped, by name.
    fn every_narrow() -> Vec<(Narrow, f32)> {
        let words = on_every_path(Words::new).into_iter().filter_map(|(_, words)| words).map(Narrow::Words);
        let floats = Bf16::new().map(Narrow::Bf16);
        if floats.is_none() {
            honinbo_testkit::fixtures::skip("this processor does not multiply bf16");
        }
        words.map(|words| (words, 3e-4)).chain(floats.map(|floats| (floats, 4e-3))).collect()
    }

    #[test]
    fn whole_numbers_are_multiplied_by_the_widest_instructions() {
        for (path, words) in on_every_path(Words::new) {
            let right = match words {
                None => !matches!(path, Path::Avx2 | Path::AvxVnni),
                Some(Words::Avx2(_)) => path == Path::Avx2 || path == Path::Avx512,
                Some(Words::AvxVnni(_)) => path == Path::AvxVnni || path == Path::Avx512,
                Some(Words::Vnni(_)) => path == Path::Avx512,
            };
            assert!(right, "{path:?} {words:?}");
        }
    }

    #[test]
    fn products_of_any_size_are_those_of_the_definition() {
        for (rows, inputs, outputs) in [(1, 1, 1), (7, 5, 16), (100, 33, 40), (13, 64, 17), (14, 193, 33), (6, 400, 16)]
        {
            let value = |i: usize| ((i * 7919) % 211) as f32 / 100.0 - 1.0;
            let a: Vec<f32> = (0..rows * inputs).map(value).collect();
            let b: Vec<f32> = (0..inputs * outputs).map(|i| value(i + 17)).collect();
            let packed = Packed::new(&b, inputs, outputs, None);
            let results = on_every_path(|| {
                let mut c = vec![0.5; rows * outputs];
                packed.multiply(Left::There(&a, inputs), rows, &mut c, outputs, Store::Add);
                c
            });
            for (path, c) in results {
                for (at, value) in c.iter().enumerate() {
                    let (row, column) = (at / outputs, at % outputs);
                    let sum: f32 = (0..inputs).map(|k| a[row * inputs + k] * b[k * outputs + column]).sum();
                    assert!((value - sum - 0.5).abs() < 1e-3, "{path:?} {rows}x{inputs}x{outputs}");
                }
            }
        }
    }

    #[test]
    fn a_matrix_is_the_same_by_its_inputs_and_by_its_outputs() {
        let narrows = every_narrow().into_iter().map(|(narrow, _)| Some(narrow));
        for narrow in narrows.chain([None]) {
            for (inputs, outputs) in [(1, 1), (64, 361), (33, 40), (5, 16)] {
                let value = |input: usize, output: usize| ((input * 31 + output * 7919) % 211) as f32 / 100.0 - 1.0;
                // More numbers lie between the rows than are in them.
                let mut rows = vec![7.0; inputs * (outputs + 3)];
                let mut turned = vec![7.0; outputs * (inputs + 2)];
                for (input, output) in (0..inputs).flat_map(|input| (0..outputs).map(move |output| (input, output))) {
                    rows[input * (outputs + 3) + output] = value(input, output);
                    turned[output * (inputs + 2) + input] = value(input, output);
                }
                let filled = |source| {
                    let mut packed = Packed::empty(narrow);
                    // Something else was there before.
                    packed.refill(70, 70, Source::Inputs(&[3.0; 70 * 70], 70), &mut Vec::new());
                    packed.refill(inputs, outputs, source, &mut vec![9.0; 10]);
                    let mut c = vec![0.0; outputs];
                    packed.multiply(Left::There(&vec![1.0; inputs], inputs), 1, &mut c, outputs, Store::Set);
                    c
                };
                let c = filled(Source::Inputs(&rows, outputs + 3));
                assert_eq!(c, filled(Source::Outputs(&turned, inputs + 2)), "{narrow:?} {inputs}x{outputs}");
                for (output, sum) in c.iter().enumerate() {
                    let exact: f32 = (0..inputs).map(|input| value(input, output)).sum();
                    assert!((sum - exact).abs() < 0.05, "{narrow:?} {inputs}x{outputs}: {sum} {exact}");
                }
            }
        }
    }

    const SIZES: [(usize, usize, usize); 6] =
        [(1, 1, 1), (7, 5, 16), (100, 33, 40), (13, 64, 17), (14, 801, 33), (30, 16, 48)];

    /// A product with rows of `Some(narrow)`, added to a half, and the sums of the definition.
    fn narrow_product(narrow: Narrow, (rows, inputs, outputs): (usize, usize, usize)) -> Vec<(f32, f32)> {
        let value = |i: usize| ((i * 7919) % 211) as f32 / 100.0 - 1.0;
        let a: Vec<f32> = (0..rows * inputs).map(value).collect();
        let b: Vec<f32> = (0..inputs * outputs).map(|i| value(i + 17)).collect();
        let packed = Packed::new(&b, inputs, outputs, Some(narrow));
        let mut c = vec![0.5; rows * outputs];
        packed.multiply(Left::There(&a, inputs), rows, &mut c, outputs, Store::Add);
        let exact = |at: usize| -> f32 {
            let (row, column) = (at / outputs, at % outputs);
            (0..inputs).map(|k| a[row * inputs + k] * b[k * outputs + column]).sum()
        };
        c.iter().enumerate().map(|(at, value)| (value - 0.5, exact(at))).collect()
    }

    #[test]
    fn products_with_16_bits_are_nearly_those_of_the_definition() {
        let rounded = |value: f32| f32::from_bits(pair(0.0, value).to_bits() & 0xffff_0000);
        assert_eq!([1.0, -2.5, 1.001_953_1].map(rounded), [1.0, -2.5, 1.0]);
        assert!(rounded(f32::NAN).is_nan());
        // What is expected of numbers that are off by up to so many parts of the largest.
        for (narrow, off) in every_narrow() {
            for size in SIZES {
                let found = narrow_product(narrow, size);
                let error: f32 = found.iter().map(|(value, exact)| (value - exact).powi(2)).sum();
                let most = off * (size.1 as f32).sqrt();
                assert!((error / found.len() as f32).sqrt() < most, "{narrow:?} {size:?} {error}");
                assert!(size.1 < 5 || error > 0.0, "{narrow:?} {size:?}: nothing was rounded");
            }
        }
    }

    #[test]
    fn no_sum_of_whole_numbers_leaves_32_bits() {
        for words in every_narrow().into_iter().filter(|(narrow, _)| matches!(narrow, Narrow::Words(_))) {
            no_sum_leaves_32_bits(words.0);
        }
    }

    fn no_sum_leaves_32_bits(words: Narrow) {
        // All of the same sign and size, as many as a piece holds and more, and one column of a single number.
        for inputs in [2, 383, 384, 385, 1152] {
            let packed = Packed::new(&vec![0.7; inputs * 2], inputs, 2, Some(words));
            let mut c = [0.0; 2];
            packed.multiply(Left::There(&vec![-3.0; inputs], inputs), 1, &mut c, 2, Store::Set);
            for value in c {
                assert!((f64::from(value) / (-2.1 * inputs as f64) - 1.0).abs() < 2e-3, "{inputs}: {value}");
            }
        }
        let mut lonely = vec![0.0; 384];
        lonely[100] = 1e-20;
        let packed = Packed::new(&lonely, 384, 1, Some(words));
        let mut c = [1.0; 2];
        let row: Vec<f32> = (0..768).map(|i| if i < 384 { 1e20 } else { 0.0 }).collect();
        packed.multiply(Left::There(&row, 384), 2, &mut c, 1, Store::Set);
        assert!((c[0] - 1.0).abs() < 1e-3 && c[1] == 0.0, "{c:?}");
    }
}
