//! Registers of AVX2 and AVX-512.
#![allow(clippy::undocumented_unsafe_blocks, reason = "the same holds for each of them")]

use std::arch::x86_64::{
    __m256, __m256bh, __m256i, __m512, __m512bh, _mm_add_ps, _mm_add_ss, _mm_cvtss_f32, _mm_max_ps, _mm_max_ss,
    _mm_movehdup_ps, _mm_movehl_ps, _mm256_add_epi32, _mm256_add_ps, _mm256_andnot_ps, _mm256_blend_epi16,
    _mm256_castps_si256, _mm256_castps256_ps128, _mm256_castsi256_ps, _mm256_cvtepi32_ps, _mm256_div_ps,
    _mm256_dpwssd_avx_epi32, _mm256_extractf128_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_madd_epi16, _mm256_max_ps,
    _mm256_min_ps, _mm256_mul_ps, _mm256_set1_ps, _mm256_slli_epi32, _mm256_storeu_ps, _mm256_storeu_si256,
    _mm256_sub_ps, _mm512_add_epi32, _mm512_add_ps, _mm512_castps_si512, _mm512_castps512_ps128,
    _mm512_castps512_ps256, _mm512_castsi512_ps, _mm512_cvtepi32_ps, _mm512_cvtneps_pbh, _mm512_div_ps,
    _mm512_dpbf16_ps, _mm512_dpwssd_epi32, _mm512_extractf32x4_ps, _mm512_extractf32x8_ps, _mm512_fmadd_ps,
    _mm512_loadu_ps, _mm512_max_ps, _mm512_min_ps, _mm512_mul_ps, _mm512_permute_ps, _mm512_range_ps,
    _mm512_set1_epi32, _mm512_set1_ps, _mm512_shuffle_f32x4, _mm512_slli_epi32, _mm512_storeu_ps, _mm512_sub_ps,
    _mm512_ternarylogic_epi32,
};

use super::{Avx2, Avx512, AvxVnni, Bf16, Factors, Lanes, Lay, LayPair, LayRow, MAX_WORD, TOGETHER, Vnni};

macro_rules! register {
    (
        $(#[$doc:meta])* $name:ident($register:ty), $proof:ty, $count:literal, $rows:literal x $panels:literal,
        $set:ident, $load:ident, $store:ident, $add:ident, $sub:ident, $mul:ident, $fma:ident, $div:ident, $max:ident,
        $min:ident, $to_whole:ident, $to_float:ident, $add_whole:ident, $shift:ident,
        $highest:ident, $highest_of:ident, $sum:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(in crate::kernels) struct $name($register);

        // SAFETY: one is made only with the proof, so where there is one the processor has the features; memory is
        // touched where the caller promises the numbers.
        impl Lanes for $name {
            type Proof = $proof;
            const COUNT: usize = $count;
            const ROWS: usize = $rows;
            const PANELS: usize = $panels;

            #[inline(always)]
            fn splat(_: $proof, value: f32) -> Self {
                Self(unsafe { $set(value) })
            }

            #[inline(always)]
            unsafe fn read(_: $proof, from: *const f32) -> Self {
                Self(unsafe { $load(from) })
            }

            #[inline(always)]
            unsafe fn write(self, to: *mut f32) {
                unsafe { $store(to, self.0) }
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                Self(unsafe { $add(self.0, other.0) })
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                Self(unsafe { $sub(self.0, other.0) })
            }

            #[inline(always)]
            fn times(self, factor: f32) -> Self {
                Self(unsafe { $mul(self.0, $set(factor)) })
            }

            #[inline(always)]
            fn over(self, divisor: Self) -> Self {
                Self(unsafe { $div(self.0, divisor.0) })
            }

            #[inline(always)]
            fn larger(self, other: Self) -> Self {
                Self(unsafe { $max(self.0, other.0) })
            }

            #[inline(always)]
            fn smaller(self, other: Self) -> Self {
                Self(unsafe { $min(self.0, other.0) })
            }

            #[inline(always)]
            fn times_power_of_two(self, power: Self) -> Self {
                Self(unsafe { $to_float($add_whole($to_whole(self.0), $shift::<23>($to_whole(power.0)))) })
            }

            #[inline(always)]
            fn multiply_add(self, factor: Self, addend: Self) -> Self {
                Self(unsafe { $fma(self.0, factor.0, addend.0) })
            }

            #[inline(always)]
            fn multiply_add_scalar(self, factor: f32, addend: Self) -> Self {
                Self(unsafe { $fma(self.0, $set(factor), addend.0) })
            }

            #[inline(always)]
            fn highest(self) -> f32 {
                unsafe { $highest(self.0) }
            }

            #[inline(always)]
            fn highest_of(four: [Self; 4]) -> [f32; 4] {
                unsafe { $highest_of(four[0].0, four[1].0, four[2].0, four[3].0) }
            }

            #[inline(always)]
            fn sum(self) -> f32 {
                unsafe { $sum(self.0) }
            }
        }
    };
}

register! {
    /// One register of AVX2; 6 x 16 sums take twelve of its sixteen.
    Eight(__m256), Avx2, 8, 6 x 1, _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_add_ps,
    _mm256_sub_ps, _mm256_mul_ps, _mm256_fmadd_ps, _mm256_div_ps, _mm256_max_ps, _mm256_min_ps,
    _mm256_castps_si256, _mm256_castsi256_ps, _mm256_add_epi32, _mm256_slli_epi32, highest_256, highest_of_256, sum_256
}

register! {
    /// One register of AVX-512; 14 x 32 sums take 28 of its 32.
    Sixteen(__m512), Avx512, 16, 14 x 2, _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_add_ps,
    _mm512_sub_ps, _mm512_mul_ps, _mm512_fmadd_ps, _mm512_div_ps, _mm512_max_ps, _mm512_min_ps,
    _mm512_castps_si512, _mm512_castsi512_ps, _mm512_add_epi32, _mm512_slli_epi32, highest_512, highest_of_512, sum_512
}

/// The registers of a row, the last one filled up with zeros, to those places that are theirs.
macro_rules! each_register {
    ($lanes:ty, $proof:expr, $row:expr, |$numbers:ident, $at:ident| $do:expr) => {
        let whole = $row.len() / <$lanes>::COUNT * <$lanes>::COUNT;
        for $at in (0..whole).step_by(<$lanes>::COUNT) {
            let $numbers = <$lanes>::load($proof, &$row[$at..]);
            $do;
        }
        if whole < $row.len() {
            let mut last = [0.0; <$lanes>::COUNT];
            last[..$row.len() - whole].copy_from_slice(&$row[whole..]);
            let ($numbers, $at) = (<$lanes>::load($proof, &last), whole);
            $do;
        }
    };
}

/// Two numbers of 16 bits in each place.
impl Lay<Sixteen> for Bf16 {
    const PER_PLACE: usize = 2;

    #[inline(always)]
    fn lay(self, numbers: Sixteen, to: &mut [f32]) {
        assert!(to.len() >= 8);
        // SAFETY: the proof is there, and eight places are as long as sixteen numbers of 16 bits.
        unsafe {
            let narrow = std::mem::transmute::<__m256bh, __m256i>(_mm512_cvtneps_pbh(numbers.0));
            _mm256_storeu_si256(to.as_mut_ptr().cast(), narrow);
        }
    }
}

impl LayRow<Sixteen> for Bf16 {
    #[inline(always)]
    fn lay_row(self, row: &[f32], to: &mut [f32]) -> f32 {
        each_register!(Sixteen, self.avx512(), row, |numbers, at| self.lay(numbers, &mut to[at / 2..]));
        1.0
    }
}

/// Two whole numbers of 16 bits in each place; sums are whole numbers as well, in registers of floats.
macro_rules! words {
    (
        $proof:ty as $lanes:ident by $own:ident, $to_floats:ident, $larger:ident, $join:ident,
        multiply_add($left:ident, $right:ident, $sum:ident) $sums:expr
    ) => {
        impl LayRow<$lanes> for $proof {
            #[inline(always)]
            fn lay_row(self, row: &[f32], to: &mut [f32]) -> f32 {
                let proof = self.$own();
                // Two at a time: each of them waits for the one before.
                let (mut one, mut other) = ($lanes::splat(proof, 0.0), $lanes::splat(proof, 0.0));
                let pairs = row.chunks_exact(2 * $lanes::COUNT);
                let rest = pairs.remainder();
                for numbers in pairs {
                    let (first, second) = numbers.split_at($lanes::COUNT);
                    // SAFETY: the proof is there, here and below.
                    one.0 = unsafe { $larger(one.0, $lanes::load(proof, first).0) };
                    other.0 = unsafe { $larger(other.0, $lanes::load(proof, second).0) };
                }
                each_register!($lanes, proof, rest, |numbers, _at| one.0 = unsafe { $larger(one.0, numbers.0) });
                let most = $lanes(unsafe { $larger(one.0, other.0) }).highest();
                let factor = if most > 0.0 { MAX_WORD / most } else { 0.0 };
                let round = $lanes::splat(proof, ROUND);
                for (numbers, to) in row.chunks(2 * TOGETHER).zip(to.chunks_exact_mut(TOGETHER)) {
                    let mut ends = [[0.0; TOGETHER]; 2];
                    let (first, second) = if numbers.len() == 2 * TOGETHER {
                        numbers.split_at(TOGETHER)
                    } else {
                        let (first, second) = numbers.split_at(numbers.len().div_ceil(2));
                        ends[0][..first.len()].copy_from_slice(first);
                        ends[1][..second.len()].copy_from_slice(second);
                        (&ends[0][..], &ends[1][..])
                    };
                    for at in (0..TOGETHER).step_by($lanes::COUNT) {
                        let first = $lanes::load(proof, &first[at..]).multiply_add_scalar(factor, round);
                        let second = $lanes::load(proof, &second[at..]).multiply_add_scalar(factor, round);
                        $lanes(unsafe { $join(first.0, second.0) }).store(&mut to[at..]);
                    }
                }
                most / MAX_WORD
            }

            #[inline(always)]
            fn lay_four(self, rows: [&[f32]; 4], to: [&mut [f32]; 4]) -> [f32; 4] {
                /// Below it a row counts as zeros.
                const LEAST: f32 = 1e-30;
                let length = rows[0].len();
                assert!(length.is_multiple_of(2 * TOGETHER) && rows.iter().all(|row| row.len() == length));
                let proof = self.$own();
                let zero = $lanes::splat(proof, 0.0);
                let mut most = [zero; 4];
                for at in (0..length).step_by($lanes::COUNT) {
                    // SAFETY: the proof is there, here and below.
                    most[0].0 = unsafe { $larger(most[0].0, $lanes::load(proof, &rows[0][at..]).0) };
                    most[1].0 = unsafe { $larger(most[1].0, $lanes::load(proof, &rows[1][at..]).0) };
                    most[2].0 = unsafe { $larger(most[2].0, $lanes::load(proof, &rows[2][at..]).0) };
                    most[3].0 = unsafe { $larger(most[3].0, $lanes::load(proof, &rows[3][at..]).0) };
                }
                let most = $lanes::highest_of(most);
                let factors = [
                    MAX_WORD / most[0].max(LEAST),
                    MAX_WORD / most[1].max(LEAST),
                    MAX_WORD / most[2].max(LEAST),
                    MAX_WORD / most[3].max(LEAST),
                ];
                let round = $lanes::splat(proof, ROUND);
                for ((row, to), factor) in rows.into_iter().zip(to).zip(factors) {
                    for (numbers, to) in row.chunks_exact(2 * TOGETHER).zip(to.chunks_exact_mut(TOGETHER)) {
                        for at in (0..TOGETHER).step_by($lanes::COUNT) {
                            let first = $lanes::load(proof, &numbers[at..]).multiply_add_scalar(factor, round);
                            let second = $lanes::load(proof, &numbers[TOGETHER + at..]);
                            let second = second.multiply_add_scalar(factor, round);
                            $lanes(unsafe { $join(first.0, second.0) }).store(&mut to[at..]);
                        }
                    }
                }
                [most[0] / MAX_WORD, most[1] / MAX_WORD, most[2] / MAX_WORD, most[3] / MAX_WORD]
            }
        }

        impl LayPair<$lanes> for $proof {
            #[inline(always)]
            fn lay_pair(self, first: $lanes, second: $lanes, factors: $lanes) -> $lanes {
                let round = $lanes::splat(self.$own(), ROUND);
                let (first, second) = (first.multiply_add(factors, round), second.multiply_add(factors, round));
                // SAFETY: the proof is there.
                $lanes(unsafe { $join(first.0, second.0) })
            }
        }

        impl Factors<$lanes> for $proof {
            const SCALED: bool = true;

            #[inline(always)]
            fn multiply_add(self, left: $lanes, right: $lanes, sum: $lanes) -> $lanes {
                let ($left, $right, $sum) = (left.0, right.0, sum.0);
                // SAFETY: the proof is there; every bit pattern is one of whole numbers.
                $lanes(unsafe { $sums })
            }

            #[inline(always)]
            fn worth(self, sum: $lanes, row: $lanes, columns: $lanes) -> $lanes {
                // SAFETY: the proof is there.
                let sum = $lanes(unsafe { $to_floats(sum.0) });
                let zero = $lanes::splat(self.$own(), 0.0);
                sum.multiply_add(row, zero).multiply_add(columns, zero)
            }
        }
    };
}

/// Registers of floats that hold whole numbers, as floats.
#[inline(always)]
unsafe fn floats_512(whole: __m512) -> __m512 {
    unsafe { _mm512_cvtepi32_ps(_mm512_castps_si512(whole)) }
}
#[inline(always)]
unsafe fn floats_256(whole: __m256) -> __m256 {
    unsafe { _mm256_cvtepi32_ps(_mm256_castps_si256(whole)) }
}
/// 1.5 * 2^23: a small number that is added leaves the whole number that is nearest to it in the low bits, in two's
/// complement.
const ROUND: f32 = 12_582_912.0;

/// The larger size in each place; what is no number has none.
#[inline(always)]
unsafe fn larger_512(most: __m512, numbers: __m512) -> __m512 {
    unsafe { _mm512_range_ps::<0b1011>(most, numbers) }
}
#[inline(always)]
unsafe fn larger_256(most: __m256, numbers: __m256) -> __m256 {
    // The second one is taken where the first is no number.
    unsafe { _mm256_max_ps(_mm256_andnot_ps(_mm256_set1_ps(-0.0), numbers), most) }
}

/// The highest of all.
#[inline(always)]
unsafe fn highest_512(numbers: __m512) -> f32 {
    unsafe { highest_256(_mm256_max_ps(_mm512_castps512_ps256(numbers), _mm512_extractf32x8_ps::<1>(numbers))) }
}
#[inline(always)]
unsafe fn highest_256(numbers: __m256) -> f32 {
    unsafe {
        let four = _mm_max_ps(_mm256_castps256_ps128(numbers), _mm256_extractf128_ps::<1>(numbers));
        let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)))
    }
}

/// The highest of all in each of four, whose halves and quarters are joined on the way.
#[inline(always)]
unsafe fn highest_of_512(a: __m512, b: __m512, c: __m512, d: __m512) -> [f32; 4] {
    unsafe {
        let halves = |a, b| _mm512_max_ps(_mm512_shuffle_f32x4::<0x44>(a, b), _mm512_shuffle_f32x4::<0xee>(a, b));
        let (first, second) = (halves(a, b), halves(c, d));
        let low = _mm512_shuffle_f32x4::<0x88>(first, second);
        let quarters = _mm512_max_ps(low, _mm512_shuffle_f32x4::<0xdd>(first, second));
        // A quarter for each of the four.
        let two = _mm512_max_ps(quarters, _mm512_permute_ps::<0x4e>(quarters));
        let one = _mm512_max_ps(two, _mm512_permute_ps::<0xb1>(two));
        [
            _mm_cvtss_f32(_mm512_castps512_ps128(one)),
            _mm_cvtss_f32(_mm512_extractf32x4_ps::<1>(one)),
            _mm_cvtss_f32(_mm512_extractf32x4_ps::<2>(one)),
            _mm_cvtss_f32(_mm512_extractf32x4_ps::<3>(one)),
        ]
    }
}
#[inline(always)]
unsafe fn highest_of_256(a: __m256, b: __m256, c: __m256, d: __m256) -> [f32; 4] {
    unsafe { [highest_256(a), highest_256(b), highest_256(c), highest_256(d)] }
}

/// The sum of all: of halves, then of their halves.
#[inline(always)]
unsafe fn sum_512(numbers: __m512) -> f32 {
    unsafe { sum_256(_mm256_add_ps(_mm512_castps512_ps256(numbers), _mm512_extractf32x8_ps::<1>(numbers))) }
}
#[inline(always)]
unsafe fn sum_256(numbers: __m256) -> f32 {
    unsafe {
        let four = _mm_add_ps(_mm256_castps256_ps128(numbers), _mm256_extractf128_ps::<1>(numbers));
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
    }
}

/// The low halves of both in each place, those of the first one in the low half.
#[inline(always)]
unsafe fn join_512(first: __m512, second: __m512) -> __m512 {
    unsafe {
        let (first, second) = (_mm512_castps_si512(first), _mm512_slli_epi32::<16>(_mm512_castps_si512(second)));
        // Bits of the first one where those of the mask are set.
        _mm512_castsi512_ps(_mm512_ternarylogic_epi32::<0xca>(_mm512_set1_epi32(0xffff), first, second))
    }
}
#[inline(always)]
unsafe fn join_256(first: __m256, second: __m256) -> __m256 {
    unsafe {
        let second = _mm256_slli_epi32::<16>(_mm256_castps_si256(second));
        _mm256_castsi256_ps(_mm256_blend_epi16::<0xaa>(_mm256_castps_si256(first), second))
    }
}

words! {
    Vnni as Sixteen by avx512, floats_512, larger_512, join_512,
    multiply_add(left, right, sum) _mm512_castsi512_ps(_mm512_dpwssd_epi32(
        _mm512_castps_si512(sum), _mm512_castps_si512(left), _mm512_castps_si512(right),
    ))
}
words! {
    AvxVnni as Eight by avx2, floats_256, larger_256, join_256,
    multiply_add(left, right, sum) _mm256_castsi256_ps(_mm256_dpwssd_avx_epi32(
        _mm256_castps_si256(sum), _mm256_castps_si256(left), _mm256_castps_si256(right),
    ))
}
words! {
    Avx2 as Eight by avx2, floats_256, larger_256, join_256,
    multiply_add(left, right, sum) _mm256_castsi256_ps(_mm256_add_epi32(
        _mm256_castps_si256(sum), _mm256_madd_epi16(_mm256_castps_si256(left), _mm256_castps_si256(right)),
    ))
}

/// Two numbers of 16 bits in each place.
impl Factors<Sixteen> for Bf16 {
    #[inline(always)]
    fn multiply_add(self, left: Sixteen, right: Sixteen, sum: Sixteen) -> Sixteen {
        // SAFETY: the proof is there; every bit pattern is one of numbers of 16 bits.
        unsafe {
            let left = std::mem::transmute::<__m512, __m512bh>(left.0);
            let right = std::mem::transmute::<__m512, __m512bh>(right.0);
            Sixteen(_mm512_dpbf16_ps(sum.0, left, right))
        }
    }
}
