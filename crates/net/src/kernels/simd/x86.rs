//! Registers of AVX2 and AVX-512.
#![allow(clippy::undocumented_unsafe_blocks, reason = "the same holds for each of them")]

use std::arch::x86_64::{
    __m256, __m256bh, __m256i, __m512, __m512bh, _mm_packs_epi32, _mm_storeu_si128, _mm256_add_epi32, _mm256_add_ps,
    _mm256_castps_si256, _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_cvtepi32_ps, _mm256_cvtps_epi32,
    _mm256_div_ps, _mm256_dpwssd_avx_epi32, _mm256_extracti128_si256, _mm256_fmadd_ps, _mm256_loadu_ps,
    _mm256_madd_epi16, _mm256_max_ps, _mm256_min_ps, _mm256_mul_ps, _mm256_set1_epi32, _mm256_set1_ps,
    _mm256_slli_epi32, _mm256_storeu_ps, _mm256_storeu_si256, _mm256_sub_ps, _mm512_add_epi32, _mm512_add_ps,
    _mm512_castps_si512, _mm512_castsi512_ps, _mm512_cvtepi32_ps, _mm512_cvtneps_pbh, _mm512_cvtps_epi32,
    _mm512_cvtsepi32_epi16, _mm512_div_ps, _mm512_dpbf16_ps, _mm512_dpwssd_epi32, _mm512_fmadd_ps, _mm512_loadu_ps,
    _mm512_max_ps, _mm512_min_ps, _mm512_mul_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_slli_epi32,
    _mm512_storeu_ps, _mm512_sub_ps,
};

use super::lanes::ONE_BITS;
use super::{Avx2, Avx512, AvxVnni, Bf16, Factors, Lanes, Lay, LayRow, MAX_WORD, Vnni};

macro_rules! register {
    (
        $(#[$doc:meta])* $name:ident($register:ty), $proof:ty, $count:literal, $rows:literal x $panels:literal,
        $set:ident, $load:ident, $store:ident, $add:ident, $sub:ident, $mul:ident, $fma:ident, $div:ident, $max:ident,
        $min:ident, $to_whole:ident, $to_float:ident, $set_whole:ident, $add_whole:ident, $shift:ident
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
            fn power_of_two(self) -> Self {
                Self(unsafe { $to_float($add_whole($shift::<23>($to_whole(self.0)), $set_whole(ONE_BITS as i32))) })
            }

            #[inline(always)]
            fn multiply_add(self, factor: Self, addend: Self) -> Self {
                Self(unsafe { $fma(self.0, factor.0, addend.0) })
            }

            #[inline(always)]
            fn multiply_add_scalar(self, factor: f32, addend: Self) -> Self {
                Self(unsafe { $fma(self.0, $set(factor), addend.0) })
            }
        }
    };
}

register! {
    /// One register of AVX2; 6 x 16 sums take twelve of its sixteen.
    Eight(__m256), Avx2, 8, 6 x 1, _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_add_ps,
    _mm256_sub_ps, _mm256_mul_ps, _mm256_fmadd_ps, _mm256_div_ps, _mm256_max_ps, _mm256_min_ps,
    _mm256_castps_si256, _mm256_castsi256_ps, _mm256_set1_epi32, _mm256_add_epi32, _mm256_slli_epi32
}

register! {
    /// One register of AVX-512; 14 x 32 sums take 28 of its 32.
    Sixteen(__m512), Avx512, 16, 14 x 2, _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_add_ps,
    _mm512_sub_ps, _mm512_mul_ps, _mm512_fmadd_ps, _mm512_div_ps, _mm512_max_ps, _mm512_min_ps,
    _mm512_castps_si512, _mm512_castsi512_ps, _mm512_set1_epi32, _mm512_add_epi32, _mm512_slli_epi32
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
        $proof:ty as $lanes:ident by $own:ident, $to_floats:ident, $to_whole:ident,
        lay($numbers:ident, $to:ident) $lay:expr, multiply_add($left:ident, $right:ident, $sum:ident) $sums:expr
    ) => {
        impl LayRow<$lanes> for $proof {
            #[inline(always)]
            fn lay_row(self, row: &[f32], to: &mut [f32]) -> f32 {
                let proof = self.$own();
                let mut most = $lanes::splat(proof, 0.0);
                each_register!($lanes, proof, row, |numbers, _at| {
                    most = most.larger(numbers.larger(numbers.times(-1.0)))
                });
                let mut each = [0.0f32; $lanes::COUNT];
                most.store(&mut each);
                let mut most = 0.0;
                for one in each {
                    most = if one > most { one } else { most };
                }
                let factor = if most > 0.0 { MAX_WORD / most } else { 0.0 };
                each_register!($lanes, proof, row, |numbers, at| {
                    let $to = to[at / 2..][..$lanes::COUNT / 2].as_mut_ptr();
                    // SAFETY: the proof is there, and these places are as long as that many numbers of 16 bits.
                    unsafe {
                        let $numbers = $to_whole(numbers.times(factor).0);
                        $lay
                    }
                });
                most / MAX_WORD
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
            fn worth(self, sum: $lanes, row: f32, columns: $lanes) -> $lanes {
                // SAFETY: the proof is there.
                let sum = $lanes(unsafe { $to_floats(sum.0) });
                sum.times(row).multiply_add(columns, $lanes::splat(self.$own(), 0.0))
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
/// Eight whole numbers of 32 bits as such of 16 bits, to four places.
#[inline(always)]
unsafe fn lay_256(whole: __m256i, to: *mut f32) {
    unsafe {
        let words = _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256::<1>(whole));
        _mm_storeu_si128(to.cast(), words);
    }
}

words! {
    Vnni as Sixteen by avx512, floats_512, _mm512_cvtps_epi32,
    lay(whole, to) _mm256_storeu_si256(to.cast(), _mm512_cvtsepi32_epi16(whole)),
    multiply_add(left, right, sum) _mm512_castsi512_ps(_mm512_dpwssd_epi32(
        _mm512_castps_si512(sum), _mm512_castps_si512(left), _mm512_castps_si512(right),
    ))
}
words! {
    AvxVnni as Eight by avx2, floats_256, _mm256_cvtps_epi32,
    lay(whole, to) lay_256(whole, to),
    multiply_add(left, right, sum) _mm256_castsi256_ps(_mm256_dpwssd_avx_epi32(
        _mm256_castps_si256(sum), _mm256_castps_si256(left), _mm256_castps_si256(right),
    ))
}
words! {
    Avx2 as Eight by avx2, floats_256, _mm256_cvtps_epi32,
    lay(whole, to) lay_256(whole, to),
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
