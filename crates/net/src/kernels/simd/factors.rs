//! What products multiply: how numbers lie in memory.

use super::Lanes;

/// What a product multiplies: how its numbers lie in memory, and how they are multiplied.
///
/// A place in memory holds as many bits as a 32-bit float, whatever lies there, two numbers where they have 16 bits; sums
/// are always of 32 bits.
pub(in crate::kernels) trait Factors<V: Lanes>: Copy {
    /// Whether a sum is multiplied with the scales of its row and its column.
    const SCALED: bool = false;
    /// `sum + left * right`, over all numbers of each place.
    fn multiply_add(self, left: V, right: V, sum: V) -> V;
    /// What sums of a row are worth, by its scale and those of their columns.
    #[inline(always)]
    fn worth(self, sum: V, _row: V, _columns: V) -> V {
        sum
    }
}

/// [`Factors`] whose numbers can be laid out one by one, without regard to the others of a row.
pub(in crate::kernels) trait Lay<V: Lanes>: Copy {
    /// Numbers in one place.
    const PER_PLACE: usize;
    /// Lays `V::COUNT` numbers into the first `V::COUNT / PER_PLACE` of these places.
    fn lay(self, numbers: V, to: &mut [f32]);
}

/// [`Factors`] for which rows of numbers are laid out.
pub(in crate::kernels) trait LayRow<V: Lanes>: Factors<V> {
    /// Lays a row out, with zeros up to a whole register or [`TOGETHER`] places, and says its scale.
    fn lay_row(self, row: &[f32], to: &mut [f32]) -> f32;

    /// The same for four rows whose length is a multiple of 2 [`TOGETHER`]. None of them waits for the others.
    #[inline(always)]
    fn lay_four(self, rows: [&[f32]; 4], to: [&mut [f32]; 4]) -> [f32; 4] {
        let [a, b, c, d] = to;
        [self.lay_row(rows[0], a), self.lay_row(rows[1], b), self.lay_row(rows[2], c), self.lay_row(rows[3], d)]
    }
}

/// [`Factors`] of whole numbers, which are laid out with factors that are known.
pub(in crate::kernels) trait LayPair<V: Lanes>: Factors<V> {
    /// Some places, whose two numbers are multiplied with `factors` and rounded.
    fn lay_pair(self, first: V, second: V, factors: V) -> V;
}

/// One 32-bit float in each place.
#[derive(Debug, Clone, Copy)]
pub(in crate::kernels) struct Singles;

impl<V: Lanes> Factors<V> for Singles {
    #[inline(always)]
    fn multiply_add(self, left: V, right: V, sum: V) -> V {
        left.multiply_add(right, sum)
    }
}

impl<V: Lanes> Lay<V> for Singles {
    const PER_PLACE: usize = 1;

    #[inline(always)]
    fn lay(self, numbers: V, to: &mut [f32]) {
        numbers.store(to);
    }
}

/// Largest of the whole numbers that a row is rounded to. With columns whose sizes add up to [`MAX_COLUMN`] at most, no
/// sum of a piece leaves 32 bits, whatever the numbers are.
pub(in crate::kernels) const MAX_WORD: f32 = 4095.0;
/// What the sizes of a column's whole numbers add up to at most within a piece.
pub(in crate::kernels) const MAX_COLUMN: f32 = 2_147_000_000.0 / MAX_WORD;

/// Places that are laid from two stretches of a row at once.
pub(in crate::kernels) const TOGETHER: usize = 16;

/// The two of so many numbers that lie in one place as whole numbers, if there is a second one. They come from two
/// stretches of a row, `TOGETHER` long but for the end, so that a register of each makes a register of places.
pub(in crate::kernels) fn in_place(place: usize, numbers: usize) -> (usize, Option<usize>) {
    let first = place / TOGETHER * 2 * TOGETHER;
    let apart = (numbers - first).min(2 * TOGETHER).div_ceil(2);
    let at = first + place % TOGETHER;
    (at, Some(at + apart).filter(|&second| second < numbers))
}

/// The place of two numbers as bf16, each rounded to the nearest, the first in the low half.
pub(in crate::kernels) fn pair(first: f32, second: f32) -> f32 {
    let round = |value: f32| {
        let bits = value.to_bits();
        if value.is_nan() { (bits >> 16) | 0x40 } else { bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16 }
    };
    f32::from_bits(round(first) | round(second) << 16)
}
