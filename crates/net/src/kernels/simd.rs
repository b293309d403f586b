//! Vector registers, the innermost loop of every product, and the choice of instructions.
#![allow(unsafe_code, reason = "vector instructions are chosen at run time and read through pointers")]

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

use serde::{Deserialize, Serialize};

/// Columns of one panel of a packed matrix, the same for every processor.
pub(super) const PANEL: usize = 16;

/// What happens with a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Store {
    /// It replaces what was there.
    Set,
    /// It is added to what was there.
    Add,
}

/// Defines the proof that the processor has some features: without it nothing here computes with their registers.
macro_rules! proof {
    ($(#[$doc:meta])* $name:ident, $path:ident, $arch:literal, $detected:ident, $($feature:tt),+) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        #[cfg_attr(not(target_arch = $arch), allow(dead_code, reason = "no other processor has it"))]
        pub(super) struct $name(());

        impl $name {
            /// Asks the processor, which is cheap after the first time.
            #[inline]
            pub(super) fn new() -> Option<Self> {
                if widest() < Path::$path {
                    return None;
                }
                #[cfg(target_arch = $arch)]
                {
                    (true $(&& std::arch::$detected!($feature))+).then_some(Self(()))
                }
                #[cfg(not(target_arch = $arch))]
                {
                    None
                }
            }
        }
    };
}

proof! {
    /// Proof that the processor has Arm's NEON.
    Neon, Neon, "aarch64", is_aarch64_feature_detected, "neon"
}
proof! {
    /// Proof that the processor has AVX2 and FMA.
    Avx2, Avx2, "x86_64", is_x86_feature_detected, "avx2", "fma"
}
proof! {
    /// Proof that the processor has AVX-512 as every server and desktop processor with it does (F, BW, DQ, VL).
    Avx512, Avx512, "x86_64", is_x86_feature_detected, "avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl"
}
proof! {
    /// Proof that the processor has AVX-512 and multiplies pairs of 16-bit floats (bf16) into sums of 32 bits.
    Bf16, Avx512, "x86_64", is_x86_feature_detected,
    "avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512bf16"
}
proof! {
    /// Proof that the processor has AVX-512 and multiplies pairs of 16-bit whole numbers into sums of 32 bits (VNNI).
    Vnni, Avx512, "x86_64", is_x86_feature_detected,
    "avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vnni"
}

proof! {
    /// Proof that the processor has AVX2 and multiplies pairs of 16-bit whole numbers into sums of 32 bits at once.
    AvxVnni, AvxVnni, "x86_64", is_x86_feature_detected, "avx2", "fma", "avxvnni"
}

/// Numbers of 16 bits, and the proof that the processor multiplies them.
#[derive(Debug, Clone, Copy)]
pub(super) enum Narrow {
    /// Floats with the range of 32-bit ones.
    Bf16(Bf16),
    /// Whole numbers, each row and each column with a scale of its own.
    Words(Words),
}

/// How a processor multiplies pairs of 16-bit whole numbers and adds them to sums of 32 bits.
#[derive(Debug, Clone, Copy)]
pub(super) enum Words {
    /// In one instruction, 32 numbers at once.
    Vnni(Vnni),
    /// In one instruction, sixteen numbers at once.
    AvxVnni(AvxVnni),
    /// In two instructions, sixteen numbers at once.
    Avx2(Avx2),
}

impl Words {
    /// The fastest way of this processor.
    pub(super) fn new() -> Option<Self> {
        Vnni::new()
            .map(Self::Vnni)
            .or_else(|| AvxVnni::new().map(Self::AvxVnni))
            .or_else(|| Avx2::new().map(Self::Avx2))
    }
}

/// The widest instructions that may be used, as a number; see [`use_at_most`].
static WIDEST: AtomicU8 = AtomicU8::new(u8::MAX);

/// Leaves wider instructions unused from now on, to measure what a processor without them would do. What is computed
/// already goes on as it began.
pub fn use_at_most(path: Path) {
    WIDEST.store(path as u8, Ordering::Relaxed);
}

#[inline]
fn widest() -> Path {
    #[cfg(test)]
    let path = tests::BEST.get();
    #[cfg(not(test))]
    let path = Path::Avx512;
    let most = WIDEST.load(Ordering::Relaxed);
    if path as u8 > most { Path::ALL[usize::from(most)] } else { path }
}

/// The instructions that a computation uses, from those that every processor has to the widest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Path {
    /// What every processor has.
    Plain,
    /// Four numbers at once, on Arm.
    Neon,
    /// Eight numbers at once.
    Avx2,
    /// The same, and pairs of 16-bit whole numbers.
    AvxVnni,
    /// Sixteen numbers at once.
    Avx512,
}

impl Path {
    /// All of them, in their order.
    const ALL: [Self; 5] = [Self::Plain, Self::Neon, Self::Avx2, Self::AvxVnni, Self::Avx512];

    /// The widest that this processor has, of those that may be used.
    #[must_use]
    pub fn best() -> Self {
        if Avx512::new().is_some() {
            Self::Avx512
        } else if AvxVnni::new().is_some() {
            Self::AvxVnni
        } else if Avx2::new().is_some() {
            Self::Avx2
        } else if Neon::new().is_some() {
            Self::Neon
        } else {
            Self::Plain
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "no vector instructions by name",
            Self::Neon => "NEON",
            Self::Avx2 => "AVX2",
            Self::AvxVnni => "AVX2 and AVX-VNNI",
            Self::Avx512 => "AVX-512",
        })
    }
}

/// Compiles a function for each [`Path`] and takes the widest that the processor can run.
///
/// In `fn name<V>(proof: _, …)` the type `V` stands for that processor's [`Lanes`], and `proof` is what they are made
/// with.
macro_rules! vectorised {
    (
        $(#[$doc:meta])* $vis:vis fn $name:ident<$lanes:ident>($proof:ident: _, $($arg:ident: $ty:ty),* $(,)?)
        $body:block
    ) => {
        $crate::kernels::simd::vectorised! {
            @each [<$lanes: $crate::kernels::simd::Lanes>] [$proof: <$lanes as $crate::kernels::simd::Lanes>::Proof]
            [$crate::kernels::simd] $(#[$doc])* $vis fn $name($($arg: $ty),*) $body
        }
    };
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $body:block) => {
        $crate::kernels::simd::vectorised! {
            @each [<V: $crate::kernels::simd::Lanes>] [_proof: V::Proof] [$crate::kernels::simd]
            $(#[$doc])* $vis fn $name($($arg: $ty),*) $body
        }
    };
    (
        @each [$($generic:tt)*] [$($proof:tt)*] [$($simd:tt)*]
        $(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),*) $body:block
    ) => {
        $(#[$doc])*
        #[allow(clippy::too_many_arguments, reason = "the parts of one computation")]
        $vis fn $name($($arg: $ty),*) {
            #[inline(always)]
            #[allow(clippy::too_many_arguments, reason = "as outside")]
            fn body $($generic)* ($($proof)*, $($arg: $ty),*) $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                #[allow(clippy::too_many_arguments, reason = "as outside")]
                fn with_avx2(proof: $($simd)*::Avx2, $($arg: $ty),*) {
                    body::<$($simd)*::Eight>(proof, $($arg),*);
                }
                #[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")]
                #[allow(clippy::too_many_arguments, reason = "as outside")]
                fn with_avx512(proof: $($simd)*::Avx512, $($arg: $ty),*) {
                    body::<$($simd)*::Sixteen>(proof, $($arg),*);
                }
                if let Some(proof) = $($simd)*::Avx512::new() {
                    // SAFETY: `proof` says that the processor has the features; the code is otherwise safe.
                    #[allow(unsafe_code, reason = "instructions are chosen at run time")]
                    unsafe {
                        with_avx512(proof, $($arg),*);
                    }
                    return;
                }
                if let Some(proof) = $($simd)*::Avx2::new() {
                    // SAFETY: as above.
                    #[allow(unsafe_code, reason = "instructions are chosen at run time")]
                    unsafe {
                        with_avx2(proof, $($arg),*);
                    }
                    return;
                }
            }
            #[cfg(target_arch = "aarch64")]
            {
                #[target_feature(enable = "neon")]
                #[allow(clippy::too_many_arguments, reason = "as outside")]
                fn with_neon(proof: $($simd)*::Neon, $($arg: $ty),*) {
                    body::<$($simd)*::Four>(proof, $($arg),*);
                }
                if let Some(proof) = $($simd)*::Neon::new() {
                    // SAFETY: `proof` says that the processor has the feature; the code is otherwise safe.
                    #[allow(unsafe_code, reason = "instructions are chosen at run time")]
                    unsafe {
                        with_neon(proof, $($arg),*);
                    }
                    return;
                }
            }
            body::<$($simd)*::Plain>((), $($arg),*);
        }
    };
}
pub(super) use vectorised;

/// The bits of 1.0: the exponent of `2^0` and no fraction.
const ONE_BITS: u32 = 0x3f80_0000;

/// Numbers of the longest [`Lanes`].
pub(super) const MAX_LANES: usize = 16;

/// Some numbers that are computed with together.
///
/// Arrays leave it to the compiler to find the vector instructions, and in longer formulas it takes them apart.
/// They are only made with a proof that the processor has the instructions, so whoever has some may compute with them.
pub(super) trait Lanes: Copy {
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
    /// `2^n` from `n + 1.5 * 2^23`, which holds the whole number `n` from -126 to 127 in its low bits.
    fn power_of_two(self) -> Self;
    /// `self * factor + addend`, rounded once where the processor can.
    fn multiply_add(self, factor: Self, addend: Self) -> Self;
    /// The same with one factor for all.
    fn multiply_add_scalar(self, factor: f32, addend: Self) -> Self;

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
pub(super) struct Plain([f32; 8]);

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
    fn power_of_two(self) -> Self {
        Self(self.0.map(|value| f32::from_bits((value.to_bits() << 23).wrapping_add(ONE_BITS))))
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

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Eight, Sixteen};

#[cfg(target_arch = "x86_64")]
#[allow(clippy::undocumented_unsafe_blocks, reason = "the same holds for each of them")]
mod x86 {
    use std::arch::x86_64::{
        __m256, __m256bh, __m256i, __m512, __m512bh, _mm_packs_epi32, _mm_storeu_si128, _mm256_add_epi32,
        _mm256_add_ps, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_cvtepi32_ps,
        _mm256_cvtps_epi32, _mm256_div_ps, _mm256_dpwssd_avx_epi32, _mm256_extracti128_si256, _mm256_fmadd_ps,
        _mm256_loadu_ps, _mm256_madd_epi16, _mm256_max_ps, _mm256_min_ps, _mm256_mul_ps, _mm256_set1_epi32,
        _mm256_set1_ps, _mm256_slli_epi32, _mm256_storeu_ps, _mm256_storeu_si256, _mm256_sub_ps, _mm512_add_epi32,
        _mm512_add_ps, _mm512_castps_si512, _mm512_castsi512_ps, _mm512_cvtepi32_ps, _mm512_cvtneps_pbh,
        _mm512_cvtps_epi32, _mm512_cvtsepi32_epi16, _mm512_div_ps, _mm512_dpbf16_ps, _mm512_dpwssd_epi32,
        _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_max_ps, _mm512_min_ps, _mm512_mul_ps, _mm512_set1_epi32,
        _mm512_set1_ps, _mm512_slli_epi32, _mm512_storeu_ps, _mm512_sub_ps,
    };

    use super::{Avx2, Avx512, AvxVnni, Bf16, Factors, Lanes, Lay, LayRow, MAX_WORD, ONE_BITS, Vnni};

    macro_rules! register {
        (
            $(#[$doc:meta])* $name:ident($register:ty), $proof:ty, $count:literal, $rows:literal x $panels:literal,
            $set:ident, $load:ident, $store:ident, $add:ident, $sub:ident, $mul:ident, $fma:ident, $div:ident, $max:ident,
            $min:ident, $to_whole:ident, $to_float:ident, $set_whole:ident, $add_whole:ident, $shift:ident
        ) => {
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub(in super::super) struct $name($register);

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

    impl Bf16 {
        /// The same proof for what needs less.
        #[inline(always)]
        pub(in super::super) fn avx512(self) -> Avx512 {
            Avx512(())
        }
    }

    impl Vnni {
        /// The same proof for what needs less.
        #[inline(always)]
        pub(in super::super) fn avx512(self) -> Avx512 {
            Avx512(())
        }
    }

    impl Avx2 {
        /// Itself, as the others have it.
        #[inline(always)]
        pub(in super::super) fn avx2(self) -> Self {
            self
        }
    }

    impl AvxVnni {
        /// The same proof for what needs less.
        #[inline(always)]
        pub(in super::super) fn avx2(self) -> Avx2 {
            Avx2(())
        }
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
}

#[cfg(target_arch = "aarch64")]
pub(super) use arm::Four;

#[cfg(target_arch = "aarch64")]
#[allow(clippy::undocumented_unsafe_blocks, reason = "the same holds for each of them")]
mod arm {
    use std::arch::aarch64::{
        float32x4_t, vaddq_f32, vaddq_u32, vdivq_f32, vdupq_n_f32, vdupq_n_u32, vfmaq_f32, vfmaq_n_f32, vld1q_f32,
        vmaxq_f32, vminq_f32, vmulq_n_f32, vreinterpretq_f32_u32, vreinterpretq_u32_f32, vshlq_n_u32, vst1q_f32,
        vsubq_f32,
    };

    use super::{Lanes, Neon, ONE_BITS};

    /// One register of NEON; 6 x 16 sums take 24 of its 32.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Four(float32x4_t);

    // SAFETY: one is made only with the proof, so where there is one the processor has the feature; memory is touched
    // where the caller promises the numbers.
    impl Lanes for Four {
        type Proof = Neon;
        const COUNT: usize = 4;
        const ROWS: usize = 6;
        const PANELS: usize = 1;

        #[inline(always)]
        fn splat(_: Neon, value: f32) -> Self {
            Self(unsafe { vdupq_n_f32(value) })
        }

        #[inline(always)]
        unsafe fn read(_: Neon, from: *const f32) -> Self {
            Self(unsafe { vld1q_f32(from) })
        }

        #[inline(always)]
        unsafe fn write(self, to: *mut f32) {
            unsafe { vst1q_f32(to, self.0) }
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            Self(unsafe { vaddq_f32(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            Self(unsafe { vsubq_f32(self.0, other.0) })
        }

        #[inline(always)]
        fn times(self, factor: f32) -> Self {
            Self(unsafe { vmulq_n_f32(self.0, factor) })
        }

        #[inline(always)]
        fn over(self, divisor: Self) -> Self {
            Self(unsafe { vdivq_f32(self.0, divisor.0) })
        }

        #[inline(always)]
        fn larger(self, other: Self) -> Self {
            Self(unsafe { vmaxq_f32(self.0, other.0) })
        }

        #[inline(always)]
        fn smaller(self, other: Self) -> Self {
            Self(unsafe { vminq_f32(self.0, other.0) })
        }

        #[inline(always)]
        fn power_of_two(self) -> Self {
            Self(unsafe {
                let shifted = vshlq_n_u32::<23>(vreinterpretq_u32_f32(self.0));
                vreinterpretq_f32_u32(vaddq_u32(shifted, vdupq_n_u32(ONE_BITS)))
            })
        }

        #[inline(always)]
        fn multiply_add(self, factor: Self, addend: Self) -> Self {
            Self(unsafe { vfmaq_f32(addend.0, self.0, factor.0) })
        }

        #[inline(always)]
        fn multiply_add_scalar(self, factor: f32, addend: Self) -> Self {
            Self(unsafe { vfmaq_n_f32(addend.0, self.0, factor) })
        }
    }
}

/// What a product multiplies: how its numbers lie in memory, and how they are multiplied.
///
/// A place in memory holds as many bits as a 32-bit float, whatever lies there, two numbers where they have 16 bits; sums
/// are always of 32 bits.
pub(super) trait Factors<V: Lanes>: Copy {
    /// Whether a sum is multiplied with the scales of its row and its column.
    const SCALED: bool = false;
    /// `sum + left * right`, over all numbers of each place.
    fn multiply_add(self, left: V, right: V, sum: V) -> V;
    /// What a sum is worth, by the scale of its row and those of its columns.
    #[inline(always)]
    fn worth(self, sum: V, _row: f32, _columns: V) -> V {
        sum
    }
}

/// [`Factors`] whose numbers can be laid out one by one, without regard to the others of a row.
pub(super) trait Lay<V: Lanes>: Copy {
    /// Numbers in one place.
    const PER_PLACE: usize;
    /// Lays `V::COUNT` numbers into the first `V::COUNT / PER_PLACE` of these places.
    fn lay(self, numbers: V, to: &mut [f32]);
}

/// [`Factors`] for which rows of numbers are laid out.
pub(super) trait LayRow<V: Lanes>: Factors<V> {
    /// Lays a row out, with zeros up to a whole register, and says its scale.
    fn lay_row(self, row: &[f32], to: &mut [f32]) -> f32;
}

/// One 32-bit float in each place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Singles;

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
pub(super) const MAX_WORD: f32 = 4095.0;
/// What the sizes of a column's whole numbers add up to at most within a piece.
pub(super) const MAX_COLUMN: f32 = 2_147_000_000.0 / MAX_WORD;

/// The place of two whole numbers of 16 bits, the first in the low half.
pub(super) fn pair_of_words(first: i16, second: i16) -> f32 {
    f32::from_bits(u32::from(first as u16) | u32::from(second as u16) << 16)
}

/// The place of two numbers as bf16, each rounded to the nearest, the first in the low half.
pub(super) fn pair(first: f32, second: f32) -> f32 {
    let round = |value: f32| {
        let bits = value.to_bits();
        if value.is_nan() { (bits >> 16) | 0x40 } else { bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16 }
    };
    f32::from_bits(round(first) | round(second) << 16)
}

/// Compiles a function for processors with some features, of which its first argument is the proof.
macro_rules! with_feature {
    ($feature:literal, fn $name:ident($proof:ident: $needed:ident, $($arg:ident: $ty:ty),* $(,)?) $body:block) => {
        #[allow(clippy::too_many_arguments, reason = "the parts of one computation")]
        #[cfg(target_arch = "x86_64")]
        fn $name($proof: $crate::kernels::simd::$needed, $($arg: $ty),*) {
            #[target_feature(enable = $feature)]
            #[allow(clippy::too_many_arguments, reason = "as outside")]
            fn inner($proof: $crate::kernels::simd::$needed, $($arg: $ty),*) $body
            // SAFETY: the proof says that the processor has the features; the code is otherwise safe.
            #[allow(unsafe_code, reason = "instructions are chosen at run time")]
            unsafe {
                inner($proof, $($arg),*);
            }
        }
        #[allow(clippy::too_many_arguments, unused_variables, reason = "nobody has the proof here")]
        #[cfg(not(target_arch = "x86_64"))]
        fn $name($proof: $crate::kernels::simd::$needed, $($arg: $ty),*) {
            unreachable!("there is no proof of the features on this processor");
        }
    };
}
pub(super) use with_feature;

/// Part of a packed matrix: some rows of one or more panels that lie side by side.
#[derive(Clone, Copy)]
pub(super) struct Weights<'w> {
    /// From the first of those rows in the first panel.
    pub(super) panels: &'w [f32],
    /// From a number of one panel to the same of the next.
    pub(super) apart: usize,
    /// How many rows.
    pub(super) depth: usize,
    /// How many of the columns are wanted.
    pub(super) columns: usize,
    /// The scale of each column of these panels, where sums are scaled.
    pub(super) scales: &'w [f32],
}

/// `c[i][j] (+)= sum over k of a[i][k] * weights[k][j]` for `rows` rows, at most `V::ROWS`, and at most `V::PANELS`
/// panels.
///
/// `a` and `c` start at the first row; rows are `a_stride` and `c_stride` numbers apart. `scales` are those of the rows,
/// where sums are scaled.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the parts of a matrix product")]
pub(super) fn product<V: Lanes, F: Factors<V>>(
    proof: V::Proof,
    factors: F,
    rows: usize,
    a: &[f32],
    a_stride: usize,
    scales: &[f32],
    weights: Weights<'_>,
    c: &mut [f32],
    c_stride: usize,
    store: Store,
) {
    // Which sizes there are is known when this is compiled, so that a processor gets no code for others.
    macro_rules! sized {
        ($($rows:literal)*) => {
            match rows {
                $($rows if const { $rows <= V::ROWS } => match weights.columns.div_ceil(V::COUNT) {
                    ..=1 if const { V::PANELS == 2 } => product_of::<V, F, $rows, 1>(proof, factors, a, a_stride, scales, weights, c, c_stride, store),
                    _ if const { V::COUNT == 4 } => product_of::<V, F, $rows, 4>(proof, factors, a, a_stride, scales, weights, c, c_stride, store),
                    _ => product_of::<V, F, $rows, 2>(proof, factors, a, a_stride, scales, weights, c, c_stride, store),
                },)*
                _ => unreachable!("no product has {rows} rows"),
            }
        };
    }
    sized!(1 2 3 4 5 6 7 8 9 10 11 12 13 14);
}

/// The same for `N` rows and `M` registers in a row of sums.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the parts of a matrix product")]
fn product_of<V: Lanes, F: Factors<V>, const N: usize, const M: usize>(
    proof: V::Proof,
    factors: F,
    a: &[f32],
    a_stride: usize,
    row_scales: &[f32],
    weights: Weights<'_>,
    c: &mut [f32],
    c_stride: usize,
    store: Store,
) {
    let Weights { panels, apart, depth, columns, scales } = weights;
    let (width, last) = (M * V::COUNT, (M * V::COUNT).div_ceil(PANEL) - 1);
    assert!(a.len() >= (N - 1) * a_stride + depth, "every row of the left matrix is there");
    assert!(panels.len() >= last * apart + depth * PANEL, "every panel is there");
    assert!(columns <= width && c.len() >= (N - 1) * c_stride + columns, "every row of the result is there");
    let mut sums = [[V::splat(proof, 0.0); M]; N];
    // Rows and registers are written out, each with its number, so that every sum stays in a register also where the
    // compiler does not unroll loops as long as these.
    macro_rules! each_row {
        ($do:ident) => {
            $do!(0);
            $do!(1);
            $do!(2);
            $do!(3);
            $do!(4);
            $do!(5);
            $do!(6);
            $do!(7);
            $do!(8);
            $do!(9);
            $do!(10);
            $do!(11);
            $do!(12);
            $do!(13);
        };
    }
    for k in 0..depth {
        // Never through closures of the standard library: they are compiled without the wide registers.
        let mut right = [V::splat(proof, 0.0); M];
        macro_rules! fetch {
            ($($j:literal)*) => {
                $(if const { $j < M } {
                    let place = $j * V::COUNT / PANEL * apart + k * PANEL + $j * V::COUNT % PANEL;
                    // SAFETY: `depth` rows of each panel are inside the slice.
                    let register = unsafe { V::read(proof, panels.as_ptr().add(place)) };
                    right[$j] = register;
                })*
            };
        }
        fetch!(0 1 2 3);
        macro_rules! multiply {
            ($i:literal) => {
                if const { $i < N } {
                    // SAFETY: each row begins inside the slice and has `depth` numbers.
                    let left = V::splat(proof, unsafe { *a.as_ptr().add($i * a_stride + k) });
                    sums[$i] = added(factors, left, right, sums[$i]);
                }
            };
        }
        each_row!(multiply);
    }
    if const { F::SCALED } {
        assert!(row_scales.len() >= N && scales.len() >= width, "every row and every column has its scale");
        macro_rules! scale {
            ($i:literal) => {
                if const { $i < N } {
                    sums[$i] = worths(proof, factors, sums[$i], row_scales[$i], scales);
                }
            };
        }
        each_row!(scale);
    }
    if columns == width {
        macro_rules! put {
            ($i:literal) => {
                if const { $i < N } {
                    put_row(proof, sums[$i], &mut c[$i * c_stride..][..columns], store);
                }
            };
        }
        each_row!(put);
        return;
    }
    let mut whole = [[0.0; 2 * PANEL]; N];
    macro_rules! put {
        ($i:literal) => {
            if const { $i < N } {
                put_row(proof, sums[$i], &mut whole[$i], Store::Set);
            }
        };
    }
    each_row!(put);
    for (whole, row) in whole.iter().zip(c.chunks_mut(c_stride.max(1))) {
        match store {
            Store::Set => row[..columns].copy_from_slice(&whole[..columns]),
            Store::Add => row[..columns].iter_mut().zip(whole).for_each(|(c, sum)| *c += sum),
        }
    }
}

/// The sums of one row with one more product in each.
#[inline(always)]
fn added<V: Lanes, F: Factors<V>, const M: usize>(factors: F, left: V, right: [V; M], sums: [V; M]) -> [V; M] {
    let mut sums = sums;
    macro_rules! each {
        ($($j:literal)*) => {
            $(if const { $j < M } {
                sums[$j] = factors.multiply_add(left, right[$j], sums[$j]);
            })*
        };
    }
    each!(0 1 2 3);
    sums
}

/// What the sums of one row are worth.
#[inline(always)]
fn worths<V: Lanes, F: Factors<V>, const M: usize>(
    proof: V::Proof,
    factors: F,
    sums: [V; M],
    row: f32,
    columns: &[f32],
) -> [V; M] {
    let mut sums = sums;
    macro_rules! each {
        ($($j:literal)*) => {
            $(if const { $j < M } {
                sums[$j] = factors.worth(sums[$j], row, V::load(proof, &columns[$j * V::COUNT..]));
            })*
        };
    }
    each!(0 1 2 3);
    sums
}

/// Stores one row of sums.
#[inline(always)]
fn put_row<V: Lanes, const M: usize>(proof: V::Proof, sums: [V; M], row: &mut [f32], store: Store) {
    assert!(row.len() >= M * V::COUNT);
    macro_rules! each {
        ($($j:literal)*) => {
            $(if const { $j < M } {
                // SAFETY: the row is as long as its sums.
                unsafe {
                    let to = row.as_mut_ptr().add($j * V::COUNT);
                    let sum = if store == Store::Add { V::read(proof, to).plus(sums[$j]) } else { sums[$j] };
                    sum.write(to);
                }
            })*
        };
    }
    each!(0 1 2 3);
}

/// Reports to the processor that these numbers will be wanted soon, line by line.
#[inline(always)]
pub(super) fn fetch_ahead(values: &[f32]) {
    #[cfg(target_arch = "x86_64")]
    for line in values.chunks(16) {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: every processor of this kind knows the hint, which reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = values;
}

/// Runs a test on every path, the plain one first, and hands over the results. Those that the processor cannot run
/// count as skipped, by name, and have no result.
#[cfg(test)]
pub(super) fn on_every_path<T>(compute: impl Fn() -> T) -> Vec<(Path, T)> {
    let mut results = Vec::new();
    let paths: &[Path] = if cfg!(target_arch = "aarch64") {
        &[Path::Plain, Path::Neon]
    } else {
        &[Path::Plain, Path::Avx2, Path::AvxVnni, Path::Avx512]
    };
    for &path in paths {
        tests::BEST.set(path);
        if Path::best() == path {
            results.push((path, compute()));
        } else {
            honinbo_testkit::fixtures::skip(&format!("this processor has no {path:?}"));
        }
    }
    tests::BEST.set(Path::Avx512);
    results
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        /// The widest path that this thread may take.
        pub(super) static BEST: Cell<Path> = const { Cell::new(Path::Avx512) };
    }

    vectorised! {
        fn path<V>(proof: _, name: &mut &'static str) {
            let _ = V::splat(proof, 0.0);
            *name = std::any::type_name::<V>();
        }
    }

    vectorised! {
        /// Every operation, one after the other.
        fn all_operations<V>(proof: _, numbers: &[f32; MAX_LANES], out: &mut [f32; MAX_LANES]) {
            for (numbers, out) in numbers.chunks_exact(V::COUNT).zip(out.chunks_exact_mut(V::COUNT)) {
                let lanes = V::load(proof, numbers);
                let other = V::splat(proof, 0.75).minus(lanes.times(3.0));
                let sum = lanes.multiply_add_scalar(-2.5, other).plus(lanes).multiply_add(lanes, other);
                let two_to_the_third = V::splat(proof, 1.5 * 8_388_608.0 + 3.0).power_of_two();
                sum.over(two_to_the_third).larger(V::splat(proof, -0.1)).smaller(V::splat(proof, 0.05)).store(out);
            }
        }
    }

    #[test]
    fn the_path_is_the_one_that_was_asked_for() {
        for (path_taken, name) in on_every_path(|| {
            let mut name = "";
            path(&mut name);
            name
        }) {
            let expected = match path_taken {
                Path::Plain => "::Plain",
                Path::Neon => "::Four",
                Path::Avx2 | Path::AvxVnni => "::Eight",
                Path::Avx512 => "::Sixteen",
            };
            assert!(name.ends_with(expected), "{path_taken:?} {name}");
        }
    }

    #[test]
    fn a_proof_costs_nothing_and_is_had_only_where_the_processor_has_the_features() {
        assert_eq!((size_of::<Avx2>(), size_of::<Avx512>(), size_of::<Neon>()), (0, 0, 0));
        assert_eq!(Neon::new().is_some(), cfg!(target_arch = "aarch64"));
        #[cfg(target_arch = "x86_64")]
        let (avx2, avx512) = (
            ["avx2", "fma"].into_iter().all(has),
            ["avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl"].into_iter().all(has),
        );
        #[cfg(not(target_arch = "x86_64"))]
        let (avx2, avx512) = (false, false);
        assert_eq!((Avx2::new().is_some(), Avx512::new().is_some()), (avx2, avx512));
        let best = if avx512 {
            Path::Avx512
        } else if avx2 {
            Path::Avx2
        } else if cfg!(target_arch = "aarch64") {
            Path::Neon
        } else {
            Path::Plain
        };
        assert_eq!(Path::best(), best);
    }

    #[cfg(target_arch = "x86_64")]
    fn has(feature: &str) -> bool {
        match feature {
            "avx2" => std::arch::is_x86_feature_detected!("avx2"),
            "fma" => std::arch::is_x86_feature_detected!("fma"),
            "avx512f" => std::arch::is_x86_feature_detected!("avx512f"),
            "avx512bw" => std::arch::is_x86_feature_detected!("avx512bw"),
            "avx512dq" => std::arch::is_x86_feature_detected!("avx512dq"),
            "avx512vl" => std::arch::is_x86_feature_detected!("avx512vl"),
            _ => panic!("{feature}"),
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

    vectorised! {
        fn multiply<V>(
            proof: _, rows: usize, a: &[f32], a_stride: usize, weights: Weights<'_>, c: &mut [f32], c_stride: usize,
            store: Store,
        ) {
            product::<V, _>(proof, Singles, rows, a, a_stride, &[], weights, c, c_stride, store);
        }
    }

    #[test]
    fn every_size_of_the_innermost_product_is_that_of_the_definition() {
        let (depth, a_stride, c_stride) = (37, 50, 40);
        let a: Vec<f32> = (0..14 * a_stride).map(|i| ((i * 37) % 101) as f32 / 50.0 - 1.0).collect();
        let panels: Vec<f32> = (0..2 * depth * PANEL).map(|i| ((i * 53) % 97) as f32 / 48.0 - 1.0).collect();
        let exact = |i: usize, j: usize| -> f32 {
            let at = |k: usize| panels[j / PANEL * depth * PANEL + k * PANEL + j % PANEL];
            (0..depth).map(|k| a[i * a_stride + k] * at(k)).sum()
        };
        let results = on_every_path(|| {
            let (most, widest) = if Path::best() == Path::Avx512 { (14, 32) } else { (6, 16) };
            let sizes = (1..=most).flat_map(|rows| [widest, 16, widest - 3, 3].map(|columns| (rows, columns)));
            let compute = |(rows, columns)| {
                let mut c = vec![1.0; 14 * c_stride];
                let weights = Weights { panels: &panels, apart: depth * PANEL, depth, columns, scales: &[] };
                multiply(rows, &a, a_stride, weights, &mut c, c_stride, Store::Set);
                multiply(rows, &a, a_stride, weights, &mut c, c_stride, Store::Add);
                (rows, columns, c)
            };
            sizes.map(compute).collect::<Vec<_>>()
        });
        for (path, (rows, columns, c)) in
            results.into_iter().flat_map(|(path, all)| all.into_iter().map(move |one| (path, one)))
        {
            for (at, value) in c.iter().enumerate() {
                let (i, j) = (at / c_stride, at % c_stride);
                // Nothing beyond the rows and columns is touched.
                let expected = if i < rows && j < columns { 2.0 * exact(i, j) } else { 1.0 };
                assert!((value - expected).abs() < 1e-4, "{path:?} {rows}x{columns}: {value} {expected}");
            }
        }
    }
}
