//! Products of rows with a matrix of weights.

use std::cell::RefCell;

#[cfg(target_arch = "x86_64")]
use super::simd::Sixteen;
use super::simd::{
    Bf16, Factors, Lanes, PANEL, Singles, Store, Weights, fetch_ahead, pair, product, vectorised, with_bf16,
};
use crate::subnormal::flush;

/// A matrix, stored as panels of 16 columns so that the inner loop reads it from front to end.
#[derive(Debug, Clone)]
pub(super) struct Packed {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// Set where two inputs lie in one place, as numbers of 16 bits.
    halves: Option<Bf16>,
    /// `[panel][place][16]`, the last panel and the last place filled up with zeros.
    panels: Vec<f32>,
}

/// Rows handled together, so that their part of the left matrix stays in the second-level cache.
pub(super) const BLOCK: usize = 96;
/// Places handled together, so that their part of a panel (12 kB) stays in the first-level cache beside the rows.
const DEPTH: usize = 192;

impl Packed {
    /// From `[input][output]`, as network files store it; as numbers of 16 bits where there is a proof for them.
    pub(super) fn new(weights: &[f32], inputs: usize, outputs: usize, halves: Option<Bf16>) -> Self {
        let mut packed = Self { inputs, outputs, ..Self::empty(halves) };
        packed.fill(|input, output| flush(weights[input * outputs + output]));
        packed
    }

    /// Room for a matrix that changes with every position.
    pub(super) fn empty(halves: Option<Bf16>) -> Self {
        Self { inputs: 0, outputs: 0, halves, panels: Vec::new() }
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
        let places = places(inputs, self.halves);
        self.panels.clear();
        self.panels.resize(outputs.div_ceil(PANEL) * places * PANEL, 0.0);
        for (number, panel) in self.panels.chunks_exact_mut((places * PANEL).max(1)).enumerate() {
            let columns = (outputs - number * PANEL).min(PANEL);
            for (place, row) in panel.chunks_exact_mut(PANEL).enumerate() {
                for (column, value) in row[..columns].iter_mut().enumerate() {
                    let output = number * PANEL + column;
                    *value = match self.halves {
                        None => at(place, output),
                        Some(_) if 2 * place + 1 == inputs => pair(at(2 * place, output), 0.0),
                        Some(_) => pair(at(2 * place, output), at(2 * place + 1, output)),
                    };
                }
            }
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
        match self.halves {
            None => multiply_singles(self, a, a_stride, rows, c, c_stride, store),
            Some(bf16) => NARROWED.with_borrow_mut(|narrowed| {
                multiply_halves(bf16, self, narrowed, a, a_stride, rows, c, c_stride, store);
            }),
        }
    }
}

/// Places of so many numbers.
pub(super) fn places(numbers: usize, halves: Option<Bf16>) -> usize {
    if halves.is_some() { numbers.div_ceil(2) } else { numbers }
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
                proof, Singles, &packed.panels, packed.inputs, packed.outputs, a, a_stride, count, c, c_stride, store,
            );
        }
    }
}

with_bf16! {
    fn multiply_halves(
        bf16: Bf16, packed: &Packed, narrowed: &mut Vec<f32>, a: &[f32], a_stride: usize, rows: usize, c: &mut [f32],
        c_stride: usize, store: Store,
    ) {
        // An odd cache line more, so that rows do not share a set of the first-level cache.
        let places = packed.inputs.div_ceil(2);
        let stride = places.next_multiple_of(16) + 16;
        if narrowed.len() < BLOCK * stride {
            narrowed.resize(BLOCK * stride, 0.0);
        }
        for block in (0..rows).step_by(BLOCK) {
            let count = BLOCK.min(rows - block);
            for (row, narrow) in narrowed.chunks_exact_mut(stride).take(count).enumerate() {
                narrow_row(bf16, &a[(block + row) * a_stride..][..packed.inputs], narrow);
            }
            panels::<Sixteen, _>(
                bf16.avx512(), bf16, &packed.panels, places, packed.outputs, narrowed, stride, count,
                &mut c[block * c_stride..], c_stride, store,
            );
        }
    }
}

/// Lays a row of numbers out with 16 bits each, and zeros up to a whole register.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn narrow_row(bf16: Bf16, row: &[f32], narrow: &mut [f32]) {
    let whole = row.chunks_exact(Sixteen::COUNT);
    let rest = whole.remainder();
    let mut last = [0.0; Sixteen::COUNT];
    last[..rest.len()].copy_from_slice(rest);
    for (numbers, narrow) in whole.chain(std::iter::once(&last[..])).zip(narrow.chunks_exact_mut(Sixteen::COUNT / 2)) {
        bf16.lay(Sixteen::load(bf16.avx512(), numbers), narrow);
    }
}

/// A few rows times every panel.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the parts of a matrix product")]
pub(super) fn panels<V: Lanes, F: Factors<V>>(
    proof: V::Proof,
    factors: F,
    panels: &[f32],
    places: usize,
    outputs: usize,
    a: &[f32],
    a_stride: usize,
    rows: usize,
    c: &mut [f32],
    c_stride: usize,
    store: Store,
) {
    let depth = places.div_ceil(places.div_ceil(DEPTH).max(1)).max(1);
    let (panel, count) = (places * PANEL, outputs.div_ceil(PANEL));
    let steps = rows.div_ceil(V::ROWS);
    // What each step brings of the next piece: it comes from memory while this one is worked with.
    let share = (depth * PANEL).div_ceil(steps.max(1)).next_multiple_of(16);
    for first in (0..count).step_by(V::PANELS) {
        let beside = V::PANELS.min(count - first);
        let columns = (outputs - first * PANEL).min(beside * PANEL);
        for start in (0..places).step_by(depth) {
            let piece = first * panel + start * PANEL;
            let weights = Weights { panels: &panels[piece..], apart: panel, depth: depth.min(places - start), columns };
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
                product::<V, F>(proof, factors, now, a, a_stride, weights, c, c_stride, store);
                row += now;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::simd::on_every_path;
    use super::*;

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

    #[test]
    fn products_with_16_bits_are_those_of_the_rounded_numbers() {
        let Some(bf16) = Bf16::new() else {
            honinbo_testkit::fixtures::skip("this processor has no bf16");
            return;
        };
        let rounded = |value: f32| f32::from_bits(pair(0.0, value).to_bits() & 0xffff_0000);
        assert_eq!([1.0, -2.5, 1.001_953_1].map(rounded), [1.0, -2.5, 1.0]);
        assert!(rounded(f32::NAN).is_nan());
        for (rows, inputs, outputs) in [(1, 1, 1), (7, 5, 16), (100, 33, 40), (13, 64, 17), (14, 401, 33), (30, 16, 48)]
        {
            let value = |i: usize| ((i * 7919) % 211) as f32 / 100.0 - 1.0;
            let a: Vec<f32> = (0..rows * inputs).map(value).collect();
            let b: Vec<f32> = (0..inputs * outputs).map(|i| value(i + 17)).collect();
            let packed = Packed::new(&b, inputs, outputs, Some(bf16));
            let mut c = vec![0.5; rows * outputs];
            packed.multiply(&a, inputs, rows, &mut c, outputs, Store::Add);
            let mut differ = false;
            for (at, value) in c.iter().enumerate() {
                let (row, column) = (at / outputs, at % outputs);
                let sum = |round: &dyn Fn(f32) -> f32| -> f32 {
                    (0..inputs).map(|k| round(a[row * inputs + k]) * round(b[k * outputs + column])).sum()
                };
                assert!((value - sum(&rounded) - 0.5).abs() < 1e-3, "{rows}x{inputs}x{outputs}");
                differ |= (value - sum(&|x| x) - 0.5).abs() > 1e-3;
            }
            assert!(differ || inputs < 5, "nothing was rounded");
        }
    }
}
