//! Numbers that are computed with together.

/// Numbers of the longest [`Lanes`].
pub(in crate::kernels) const MAX_LANES: usize = 16;

/// Some numbers that are computed with together.
///
/// Arrays leave it to the compiler to find the vector instructions, and in longer formulas it takes them apart.
/// They are only made with a proof that the processor has the instructions, so whoever has some may compute with them.
pub(in crate::kernels) trait Lanes: Copy {
    /// Proof that the processor has what these need.
    type Proof: Copy;
    /// How many numbers.
    const COUNT: usize;
    /// Rows of a product that are computed together.
    const ROWS: usize;
    /// Panels of a product that are computed together: `ROWS * PANELS * PANEL` sums fill most of the registers.
    const PANELS: usize;
    /// All of them the same.
    fn splat(proof: Self::Proof, value: f32) -> Self;
    /// From memory.
    ///
    /// # Safety
    /// `from` points to `COUNT` numbers.
    unsafe fn read(proof: Self::Proof, from: *const f32) -> Self;
    /// To memory.
    ///
    /// # Safety
    /// `to` points to `COUNT` numbers that nobody else uses.
    unsafe fn write(self, to: *mut f32);
    /// `self + other`
    fn plus(self, other: Self) -> Self;
    /// `self - other`
    fn minus(self, other: Self) -> Self;
    /// `self * factor`
    fn times(self, factor: f32) -> Self;
    /// `self / divisor`
    fn over(self, divisor: Self) -> Self;
    /// The larger of the two in each place.
    fn larger(self, other: Self) -> Self;
    /// The smaller of the two in each place.
    fn smaller(self, other: Self) -> Self;
    /// `self * 2^n` from `n + 1.5 * 2^23`, which holds the whole number `n` in its low bits; what comes out has to be a
    /// normal number.
    fn times_power_of_two(self, power: Self) -> Self;
    /// `self * factor + addend`, rounded once where the processor can.
    fn multiply_add(self, factor: Self, addend: Self) -> Self;
    /// The same with one factor for all.
    fn multiply_add_scalar(self, factor: f32, addend: Self) -> Self;

    /// The highest of all.
    #[inline(always)]
    fn highest(self) -> f32 {
        self.folded(f32::max)
    }
    /// The highest of all in each of four.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "the others' attention has no use for it"))]
    #[inline(always)]
    fn highest_of(four: [Self; 4]) -> [f32; 4] {
        [four[0].highest(), four[1].highest(), four[2].highest(), four[3].highest()]
    }
    /// The sum of all: of halves, then of their halves.
    #[inline(always)]
    fn sum(self) -> f32 {
        self.folded(|one, other| one + other)
    }
    /// Halves of them joined place by place, until one is left.
    #[inline(always)]
    fn folded(self, join: impl Fn(f32, f32) -> f32) -> f32 {
        let mut numbers = [0.0; MAX_LANES];
        self.store(&mut numbers);
        let mut half = Self::COUNT / 2;
        while half > 0 {
            for place in 0..half {
                numbers[place] = join(numbers[place], numbers[place + half]);
            }
            half /= 2;
        }
        numbers[0]
    }

    /// The first `COUNT` of these numbers.
    #[inline(always)]
    fn load(proof: Self::Proof, from: &[f32]) -> Self {
        assert!(from.len() >= Self::COUNT);
        // SAFETY: the length was compared.
        unsafe { Self::read(proof, from.as_ptr()) }
    }

    /// To the first `COUNT` of these places.
    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        assert!(to.len() >= Self::COUNT);
        // SAFETY: the length was compared.
        unsafe { self.write(to.as_mut_ptr()) }
    }
}

/// For every processor.
#[derive(Clone, Copy)]
pub(in crate::kernels) struct Plain([f32; 8]);

impl Lanes for Plain {
    type Proof = ();
    const COUNT: usize = 8;
    const ROWS: usize = 6;
    const PANELS: usize = 1;

    #[inline(always)]
    fn splat((): (), value: f32) -> Self {
        Self([value; 8])
    }

    #[inline(always)]
    unsafe fn read((): (), from: *const f32) -> Self {
        // SAFETY: the caller promises eight numbers.
        Self(unsafe { from.cast::<[f32; 8]>().read() })
    }

    #[inline(always)]
    unsafe fn write(self, to: *mut f32) {
        // SAFETY: the caller promises eight numbers.
        unsafe { to.cast::<[f32; 8]>().write(self.0) }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] + other.0[lane]))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] - other.0[lane]))
    }

    #[inline(always)]
    fn times(self, factor: f32) -> Self {
        Self(self.0.map(|value| value * factor))
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] / divisor.0[lane]))
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane].max(other.0[lane])))
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane].min(other.0[lane])))
    }

    #[inline(always)]
    fn times_power_of_two(self, power: Self) -> Self {
        let of = |lane: usize| self.0[lane].to_bits().wrapping_add(power.0[lane].to_bits() << 23);
        Self(std::array::from_fn(|lane| f32::from_bits(of(lane))))
    }

    #[inline(always)]
    fn multiply_add(self, factor: Self, addend: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] * factor.0[lane] + addend.0[lane]))
    }

    #[inline(always)]
    fn multiply_add_scalar(self, factor: f32, addend: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] * factor + addend.0[lane]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{on_every_path, vectorised};
    use super::*;

    vectorised! {
        /// Every operation, one after the other.
        fn all_operations<V>(proof: _, numbers: &[f32; MAX_LANES], out: &mut [f32; MAX_LANES]) {
            for (numbers, out) in numbers.chunks_exact(V::COUNT).zip(out.chunks_exact_mut(V::COUNT)) {
                let lanes = V::load(proof, numbers);
                let other = V::splat(proof, 0.75).minus(lanes.times(3.0));
                let sum = lanes.multiply_add_scalar(-2.5, other).plus(lanes).multiply_add(lanes, other);
                let three = V::splat(proof, 1.5 * 8_388_608.0 + 3.0);
                let eight = V::splat(proof, 1.0).times_power_of_two(three);
                sum.over(eight).larger(V::splat(proof, -0.1)).smaller(V::splat(proof, 0.05)).store(out);
            }
        }
    }

    vectorised! {
        fn folds<V>(proof: _, numbers: &[f32; MAX_LANES], out: &mut [f32; 2]) {
            *out = [f32::NEG_INFINITY, 0.0];
            for numbers in numbers.chunks_exact(V::COUNT) {
                let lanes = V::load(proof, numbers);
                *out = [out[0].max(lanes.highest()), out[1] + lanes.sum()];
            }
        }
    }

    #[test]
    fn every_path_finds_the_highest_and_the_sum() {
        for highest in 0..MAX_LANES {
            let numbers = std::array::from_fn(|i| if i == highest { -0.25 } else { -1.0 - i as f32 });
            let sum: f32 = numbers.iter().sum();
            for (path, out) in on_every_path(|| {
                let mut out = [0.0; 2];
                folds(&numbers, &mut out);
                out
            }) {
                assert_eq!(out, [-0.25, sum], "{path:?} {highest}");
            }
        }
    }

    vectorised! {
        fn folds_of_four<V>(proof: _, numbers: &[f32; MAX_LANES], out: &mut [[f32; 4]; 2]) {
            let lanes = V::load(proof, numbers);
            let four = [lanes, lanes.times(2.0), lanes.times(-0.5), lanes.minus(V::splat(proof, 3.0))];
            *out = [V::highest_of(four), four.map(|lanes| lanes.highest())];
        }
    }

    #[test]
    fn the_highest_of_four_is_that_of_each() {
        for highest in 0..MAX_LANES {
            let numbers = std::array::from_fn(|i| if i == highest { 1.25 } else { ((i * 5) % 16) as f32 / -16.0 });
            for (path, [four, each]) in on_every_path(|| {
                let mut out = [[0.0; 4]; 2];
                folds_of_four(&numbers, &mut out);
                out
            }) {
                assert_eq!(four, each, "{path:?} {highest}");
            }
        }
    }

    #[test]
    fn every_path_computes_the_same() {
        let numbers = std::array::from_fn(|i| i as f32 / 7.0 - 0.5);
        for (path, out) in on_every_path(|| {
            let mut out = [0.0; MAX_LANES];
            all_operations(&numbers, &mut out);
            out
        }) {
            for (value, x) in out.iter().zip(numbers) {
                let expected = (((0.75 - 4.5 * x) * x + 0.75 - 3.0 * x) / 8.0f32).clamp(-0.1, 0.05);
                assert!((value - expected).abs() < 2e-6, "{path:?} {value} {expected}");
            }
        }
    }
}
