//! Products of rows with a matrix of weights.

use super::simd::{Avx2, PANEL, ROWS, Store, fetch_ahead, product, vectorised};
use crate::subnormal::flush;

/// A matrix, stored as panels of 16 columns so that the inner loop reads it from front to end.
#[derive(Debug, Clone)]
pub(super) struct Packed {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// `[panel][input][16]`, the last panel filled up with zeros.
    panels: Vec<f32>,
}

/// Rows handled together, so that their part of the left matrix stays in the second-level cache.
pub(super) const BLOCK: usize = 96;
/// Inputs handled together, so that their part of a panel (12 kB) stays in the first-level cache beside the rows.
const DEPTH: usize = 192;

impl Packed {
    /// From `[input][output]`, as network files store it.
    pub(super) fn new(weights: &[f32], inputs: usize, outputs: usize) -> Self {
        let mut packed = Self { inputs, outputs, panels: Vec::new() };
        packed.fill(|input, output| flush(weights[input * outputs + output]));
        packed
    }

    /// Room for a matrix that changes with every position.
    pub(super) fn empty() -> Self {
        Self { inputs: 0, outputs: 0, panels: Vec::new() }
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
        self.panels.clear();
        self.panels.resize(outputs.div_ceil(PANEL) * inputs * PANEL, 0.0);
        for (number, panel) in self.panels.chunks_exact_mut((inputs * PANEL).max(1)).enumerate() {
            let columns = (outputs - number * PANEL).min(PANEL);
            for (input, row) in panel.chunks_exact_mut(PANEL).enumerate() {
                for (column, value) in row[..columns].iter_mut().enumerate() {
                    *value = at(input, number * PANEL + column);
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
        multiply_blocks(self, a, a_stride, rows, c, c_stride, store);
    }
}

vectorised! {
    fn multiply_blocks<V>(
        proof: _, packed: &Packed, a: &[f32], a_stride: usize, rows: usize, c: &mut [f32], c_stride: usize, store: Store,
    ) {
        for block in (0..rows).step_by(BLOCK) {
            let count = BLOCK.min(rows - block);
            let (a, c) = (&a[block * a_stride..], &mut c[block * c_stride..]);
            panels(V::avx2(proof), &packed.panels, packed.inputs, packed.outputs, a, a_stride, count, c, c_stride, store);
        }
    }
}

/// A few rows times every panel.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the parts of a matrix product")]
pub(super) fn panels(
    avx2: Option<Avx2>,
    panels: &[f32],
    inputs: usize,
    outputs: usize,
    a: &[f32],
    a_stride: usize,
    rows: usize,
    c: &mut [f32],
    c_stride: usize,
    store: Store,
) {
    let depth = inputs.div_ceil(inputs.div_ceil(DEPTH).max(1)).max(1) * PANEL;
    // What each step brings of the next piece: it comes from memory while this one is worked with.
    let share = (depth * ROWS).div_ceil(rows.max(1)).next_multiple_of(16);
    for (number, panel) in panels.chunks_exact(inputs * PANEL).enumerate() {
        let first = number * PANEL;
        let columns = (outputs - first).min(PANEL);
        for (piece, weights) in panel.chunks(depth).enumerate() {
            let start = number * panel.len() + piece * depth + weights.len();
            let mut next = &panels[start..(start + depth).min(panels.len())];
            let a = &a[piece * depth / PANEL..];
            let store = if piece == 0 { store } else { Store::Add };
            let mut row = 0;
            while row < rows {
                let (a, c) = (&a[row * a_stride..], &mut c[row * c_stride + first..]);
                let now = (rows - row).min(ROWS);
                let (soon, later) = next.split_at(share.min(next.len()));
                fetch_ahead(soon);
                next = later;
                match now {
                    6 => product::<6>(avx2, a, a_stride, weights, c, c_stride, columns, store),
                    5 => product::<5>(avx2, a, a_stride, weights, c, c_stride, columns, store),
                    4 => product::<4>(avx2, a, a_stride, weights, c, c_stride, columns, store),
                    3 => product::<3>(avx2, a, a_stride, weights, c, c_stride, columns, store),
                    2 => product::<2>(avx2, a, a_stride, weights, c, c_stride, columns, store),
                    _ => product::<1>(avx2, a, a_stride, weights, c, c_stride, columns, store),
                }
                row += now;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_any_size_are_those_of_the_definition() {
        for (rows, inputs, outputs) in [(1, 1, 1), (7, 5, 16), (100, 33, 40), (13, 64, 17), (14, 193, 33), (6, 400, 16)]
        {
            let value = |i: usize| ((i * 7919) % 211) as f32 / 100.0 - 1.0;
            let a: Vec<f32> = (0..rows * inputs).map(value).collect();
            let b: Vec<f32> = (0..inputs * outputs).map(|i| value(i + 17)).collect();
            let mut c = vec![0.5; rows * outputs];
            Packed::new(&b, inputs, outputs).multiply(&a, inputs, rows, &mut c, outputs, Store::Add);
            for row in 0..rows {
                for column in 0..outputs {
                    let sum: f32 = (0..inputs).map(|k| a[row * inputs + k] * b[k * outputs + column]).sum();
                    assert!((c[row * outputs + column] - sum - 0.5).abs() < 1e-3, "{rows}x{inputs}x{outputs}");
                }
            }
        }
    }
}
