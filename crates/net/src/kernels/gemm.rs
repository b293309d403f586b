//! Products of rows with a matrix of weights.

use std::cell::RefCell;

#[cfg(target_arch = "x86_64")]
use super::simd::{Eight, Sixteen};
use super::simd::{
    Factors, Lanes, LayRow, MAX_COLUMN, Narrow, PANEL, Singles, Store, Weights, Words, fetch_ahead, in_place, pair,
    pair_of_words, product, vectorised, with_feature,
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

/// Rows handled together, so that their part of the left matrix stays in the second-level cache.
pub(super) const BLOCK: usize = 96;
/// Places handled together, so that their part of a panel (12 kB) stays in the first-level cache beside the rows.
const DEPTH: usize = 192;

impl Packed {
    /// From `[input][output]`, as network files store it; as numbers of 16 bits where there is a proof for them.
    pub(super) fn new(weights: &[f32], inputs: usize, outputs: usize, narrow: Option<Narrow>) -> Self {
        let mut packed = Self { inputs, outputs, ..Self::empty(narrow) };
        packed.fill(|input, output| flush(weights[input * outputs + output]));
        packed
    }

    /// Room for a matrix that changes with every position.
    pub(super) fn empty(narrow: Option<Narrow>) -> Self {
        Self { inputs: 0, outputs: 0, narrow, panels: Vec::new(), scales: Vec::new() }
    }

    /// Replaces the matrix, keeping the memory.
    pub(super) fn refill(&mut self, inputs: usize, outputs: usize, at: impl Fn(usize, usize) -> f32) {
        (self.inputs, self.outputs) = (inputs, outputs);
        self.fill(at);
    }

    #[cfg(test)]
    pub(super) fn subnormal_weights(&self) -> usize {
        self.panels.iter().filter(|value| value.is_subnormal()).count()
    }

    fn fill(&mut self, at: impl Fn(usize, usize) -> f32) {
        let (inputs, outputs) = (self.inputs, self.outputs);
        // Floats of 16 bits are laid out at once, whole numbers when their columns are known.
        let halves = matches!(self.narrow, Some(Narrow::Bf16(_)));
        let places = if halves { inputs.div_ceil(2) } else { inputs };
        self.panels.clear();
        self.panels.resize(outputs.div_ceil(PANEL) * places * PANEL, 0.0);
        for (number, panel) in self.panels.chunks_exact_mut((places * PANEL).max(1)).enumerate() {
            let columns = (outputs - number * PANEL).min(PANEL);
            for (place, row) in panel.chunks_exact_mut(PANEL).enumerate() {
                for (column, value) in row[..columns].iter_mut().enumerate() {
                    let output = number * PANEL + column;
                    *value = match halves {
                        false => at(place, output),
                        true if 2 * place + 1 == inputs => pair(at(2 * place, output), 0.0),
                        true => pair(at(2 * place, output), at(2 * place + 1, output)),
                    };
                }
            }
        }
        if matches!(self.narrow, Some(Narrow::Words(_))) {
            (self.panels, self.scales) = in_words(&self.panels, inputs);
        }
    }

    /// `c (+)= a * self` for `rows` rows.
    pub(super) fn multiply(
        &self,
        a: &[f32],
        a_stride: usize,
        rows: usize,
        c: &mut [f32],
        c_stride: usize,
        store: Store,
    ) {
        match self.narrow {
            None => multiply_singles(self, a, a_stride, rows, c, c_stride, store),
            Some(Narrow::Bf16(bf16)) => NARROWED.with_borrow_mut(|narrowed| {
                multiply_halves(bf16, self, narrowed, a, a_stride, rows, c, c_stride, store);
            }),
            Some(Narrow::Words(words)) => NARROWED.with_borrow_mut(|narrowed| match words {
                Words::Vnni(proof) => multiply_vnni(proof, self, narrowed, a, a_stride, rows, c, c_stride, store),
                Words::AvxVnni(proof) => {
                    multiply_avx_vnni(proof, self, narrowed, a, a_stride, rows, c, c_stride, store)
                }
                Words::Avx2(proof) => multiply_avx2(proof, self, narrowed, a, a_stride, rows, c, c_stride, store),
            }),
        }
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

/// Panels of floats as whole numbers of 16 bits, two inputs in each place, and the scale of each column. Each column is
/// rounded as finely as 16 bits and the sums of its pieces allow.
pub(super) fn in_words(panels: &[f32], inputs: usize) -> (Vec<f32>, Vec<f32>) {
    let places = inputs.div_ceil(2);
    let deep = piece(places);
    let (mut words, mut scales) = (Vec::with_capacity(panels.len().div_ceil(2)), Vec::new());
    for panel in panels.chunks_exact((inputs * PANEL).max(1)) {
        let at = |input: usize, column: usize| panel[input * PANEL + column];
        let (mut largest, mut sums) = ([0.0f32; PANEL], [0.0f32; PANEL]);
        for first in (0..places).step_by(deep) {
            let mut sum = [0.0f32; PANEL];
            for place in first..places.min(first + deep) {
                let (first, second) = in_place(place, inputs);
                for input in std::iter::once(first).chain(second) {
                    for ((column, sum), largest) in sum.iter_mut().enumerate().zip(&mut largest) {
                        let size = at(input, column).abs();
                        *sum += size;
                        *largest = largest.max(size);
                    }
                }
            }
            for (most, sum) in sums.iter_mut().zip(sum) {
                *most = most.max(sum);
            }
        }
        let mut factors = [0.0f32; PANEL];
        for ((factor, largest), sum) in factors.iter_mut().zip(largest).zip(sums) {
            // Each number may be rounded up by a half.
            if largest > 0.0 {
                *factor = (f32::from(i16::MAX) / largest).min((MAX_COLUMN - 2.0 * deep as f32) / sum);
            }
            scales.push(if largest > 0.0 { 1.0 / *factor } else { 0.0 });
        }
        let word = |input: usize, column: usize| (at(input, column) * factors[column]).round_ties_even() as i16;
        for place in 0..places {
            let (first, second) = in_place(place, inputs);
            words.extend(
                (0..PANEL)
                    .map(|column| pair_of_words(word(first, column), second.map_or(0, |second| word(second, column)))),
            );
        }
    }
    (words, scales)
}

thread_local! {
    /// Rows with 16 bits for each number; for one product after the other.
    static NARROWED: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

vectorised! {
    fn multiply_singles<V>(
        proof: _, packed: &Packed, a: &[f32], a_stride: usize, rows: usize, c: &mut [f32], c_stride: usize, store: Store,
    ) {
        for block in (0..rows).step_by(BLOCK) {
            let count = BLOCK.min(rows - block);
            let (a, c) = (&a[block * a_stride..], &mut c[block * c_stride..]);
            panels::<V, _>(
                proof, Singles, &packed.panels, &[], packed.inputs, packed.outputs, a, a_stride, &[], count, c, c_stride,
                store,
            );
        }
    }
}

with_feature! {
    "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512bf16",
    fn multiply_halves(
        bf16: Bf16, packed: &Packed, narrowed: &mut Vec<f32>, a: &[f32], a_stride: usize, rows: usize, c: &mut [f32],
        c_stride: usize, store: Store,
    ) {
        multiply_narrow::<Sixteen, _>(bf16.avx512(), bf16, packed, narrowed, a, a_stride, rows, c, c_stride, store);
    }
}

with_feature! {
    "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni",
    fn multiply_vnni(
        vnni: Vnni, packed: &Packed, narrowed: &mut Vec<f32>, a: &[f32], a_stride: usize, rows: usize, c: &mut [f32],
        c_stride: usize, store: Store,
    ) {
        multiply_narrow::<Sixteen, _>(vnni.avx512(), vnni, packed, narrowed, a, a_stride, rows, c, c_stride, store);
    }
}

with_feature! {
    "avx2,fma,avxvnni",
    fn multiply_avx_vnni(
        vnni: AvxVnni, packed: &Packed, narrowed: &mut Vec<f32>, a: &[f32], a_stride: usize, rows: usize, c: &mut [f32],
        c_stride: usize, store: Store,
    ) {
        multiply_narrow::<Eight, _>(vnni.avx2(), vnni, packed, narrowed, a, a_stride, rows, c, c_stride, store);
    }
}

with_feature! {
    "avx2,fma",
    fn multiply_avx2(
        avx2: Avx2, packed: &Packed, narrowed: &mut Vec<f32>, a: &[f32], a_stride: usize, rows: usize, c: &mut [f32],
        c_stride: usize, store: Store,
    ) {
        multiply_narrow::<Eight, _>(avx2, avx2, packed, narrowed, a, a_stride, rows, c, c_stride, store);
    }
}

#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other processor has the instructions"))]
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the parts of a matrix product")]
fn multiply_narrow<V: Lanes, F: LayRow<V>>(
    proof: V::Proof,
    factors: F,
    packed: &Packed,
    narrowed: &mut Vec<f32>,
    a: &[f32],
    a_stride: usize,
    rows: usize,
    c: &mut [f32],
    c_stride: usize,
    store: Store,
) {
    // An odd cache line more, so that rows do not share a set of the first-level cache.
    let places = packed.inputs.div_ceil(2);
    let stride = places.next_multiple_of(16) + 16;
    if narrowed.len() < BLOCK * stride {
        narrowed.resize(BLOCK * stride, 0.0);
    }
    let mut scales = [0.0; BLOCK];
    for block in (0..rows).step_by(BLOCK) {
        let count = BLOCK.min(rows - block);
        let rows = narrowed.chunks_exact_mut(stride).zip(&mut scales).take(count);
        for (row, (narrow, scale)) in rows.enumerate() {
            *scale = factors.lay_row(&a[(block + row) * a_stride..][..packed.inputs], narrow);
        }
        panels::<V, _>(
            proof,
            factors,
            &packed.panels,
            &packed.scales,
            places,
            packed.outputs,
            narrowed,
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
    use super::super::simd::{Bf16, Path, on_every_path};
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
                packed.multiply(&a, inputs, rows, &mut c, outputs, Store::Add);
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

    const SIZES: [(usize, usize, usize); 6] =
        [(1, 1, 1), (7, 5, 16), (100, 33, 40), (13, 64, 17), (14, 801, 33), (30, 16, 48)];

    /// A product with rows of `Some(narrow)`, added to a half, and the sums of the definition.
    fn narrow_product(narrow: Narrow, (rows, inputs, outputs): (usize, usize, usize)) -> Vec<(f32, f32)> {
        let value = |i: usize| ((i * 7919) % 211) as f32 / 100.0 - 1.0;
        let a: Vec<f32> = (0..rows * inputs).map(value).collect();
        let b: Vec<f32> = (0..inputs * outputs).map(|i| value(i + 17)).collect();
        let packed = Packed::new(&b, inputs, outputs, Some(narrow));
        let mut c = vec![0.5; rows * outputs];
        packed.multiply(&a, inputs, rows, &mut c, outputs, Store::Add);
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
            packed.multiply(&vec![-3.0; inputs], inputs, 1, &mut c, 2, Store::Set);
            for value in c {
                assert!((f64::from(value) / (-2.1 * inputs as f64) - 1.0).abs() < 2e-3, "{inputs}: {value}");
            }
        }
        let mut lonely = vec![0.0; 384];
        lonely[100] = 1e-20;
        let packed = Packed::new(&lonely, 384, 1, Some(words));
        let mut c = [1.0; 2];
        let row: Vec<f32> = (0..768).map(|i| if i < 384 { 1e20 } else { 0.0 }).collect();
        packed.multiply(&row, 384, 2, &mut c, 1, Store::Set);
        assert!((c[0] - 1.0).abs() < 1e-3 && c[1] == 0.0, "{c:?}");
    }
}
