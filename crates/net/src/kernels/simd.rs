//! The innermost loop of every product, and the choice of instructions.
#![allow(unsafe_code, reason = "vector instructions are chosen at run time and read through pointers")]

/// Columns of one panel of a packed matrix.
pub(super) const PANEL: usize = 16;
/// Rows computed together: 6 x 16 sums fill twelve of the sixteen vector registers of AVX2.
pub(super) const ROWS: usize = 6;

/// What happens with a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Store {
    /// It replaces what was there.
    Set,
    /// It is added to what was there.
    Add,
}

/// Whether the processor multiplies and adds eight numbers at once.
pub(super) fn has_fma() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        cfg!(target_arch = "aarch64")
    }
}

/// Compiles a function twice, with and without AVX2, and takes the one that the processor can run.
///
/// In `fn name<V>(…)` the type `V` stands for that processor's [`Lanes`].
macro_rules! vectorised {
    ($(#[$doc:meta])* $vis:vis fn $name:ident<$lanes:ident>($($arg:ident: $ty:ty),* $(,)?) $body:block) => {
        $crate::kernels::simd::vectorised! {
            @twice [<$lanes: $crate::kernels::simd::Lanes>] [::<$crate::kernels::simd::Avx>]
            [::<$crate::kernels::simd::Plain>] $(#[$doc])* $vis fn $name($($arg: $ty),*) $body
        }
    };
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $body:block) => {
        $crate::kernels::simd::vectorised! { @twice [] [] [] $(#[$doc])* $vis fn $name($($arg: $ty),*) $body }
    };
    (
        @twice [$($generic:tt)*] [$($avx:tt)*] [$($plain:tt)*]
        $(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),*) $body:block
    ) => {
        $(#[$doc])*
        #[allow(clippy::too_many_arguments, reason = "the parts of one computation")]
        $vis fn $name($($arg: $ty),*) {
            #[inline(always)]
            #[allow(clippy::too_many_arguments, reason = "as outside")]
            fn body $($generic)* ($($arg: $ty),*) $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                #[allow(clippy::too_many_arguments, reason = "as outside")]
                fn wide($($arg: $ty),*) {
                    body $($avx)* ($($arg),*);
                }
                if $crate::kernels::simd::has_fma() {
                    // SAFETY: the processor was asked just before whether it has both features; the code is otherwise
                    // safe.
                    #[allow(unsafe_code, reason = "instructions are chosen at run time")]
                    unsafe {
                        wide($($arg),*);
                    }
                    return;
                }
            }
            body $($plain)* ($($arg),*);
        }
    };
}
pub(super) use vectorised;

/// Numbers of one [`Lanes`].
pub(super) const LANES: usize = 8;

/// Eight numbers that are computed with together.
///
/// Arrays leave it to the compiler to find the vector instructions, and in longer formulas it takes the eight apart.
pub(super) trait Lanes: Copy {
    /// All of them the same.
    fn splat(value: f32) -> Self;
    /// From memory.
    fn load(from: &[f32; LANES]) -> Self;
    /// To memory.
    fn store(self, to: &mut [f32; LANES]);
    /// `self + other`
    fn plus(self, other: Self) -> Self;
    /// `self - other`
    fn minus(self, other: Self) -> Self;
    /// `self * factor`
    fn times(self, factor: f32) -> Self;
    /// `self * factor + addend`, rounded once where the processor can.
    fn times_plus(self, factor: f32, addend: Self) -> Self;
}

/// For every processor.
#[derive(Clone, Copy)]
pub(super) struct Plain([f32; LANES]);

impl Lanes for Plain {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    fn load(from: &[f32; LANES]) -> Self {
        Self(*from)
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        *to = self.0;
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
    fn times_plus(self, factor: f32, addend: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] * factor + addend.0[lane]))
    }
}

/// One register of AVX2. Only [`vectorised`] names it, where the processor was asked for AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Avx(std::arch::x86_64::__m256);

#[cfg(target_arch = "x86_64")]
#[allow(clippy::undocumented_unsafe_blocks, reason = "the same holds for each of them")]
mod avx {
    use std::arch::x86_64::{
        _mm256_add_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_mul_ps, _mm256_set1_ps, _mm256_storeu_ps, _mm256_sub_ps,
    };

    use super::{Avx, LANES, Lanes};

    // SAFETY: the type is named only where the processor has both features, and memory is touched
    // through references to eight numbers.
    impl Lanes for Avx {
        #[inline(always)]
        fn splat(value: f32) -> Self {
            Self(unsafe { _mm256_set1_ps(value) })
        }

        #[inline(always)]
        fn load(from: &[f32; LANES]) -> Self {
            Self(unsafe { _mm256_loadu_ps(from.as_ptr()) })
        }

        #[inline(always)]
        fn store(self, to: &mut [f32; LANES]) {
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            Self(unsafe { _mm256_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            Self(unsafe { _mm256_sub_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn times(self, factor: f32) -> Self {
            Self(unsafe { _mm256_mul_ps(self.0, _mm256_set1_ps(factor)) })
        }

        #[inline(always)]
        fn times_plus(self, factor: f32, addend: Self) -> Self {
            Self(unsafe { _mm256_fmadd_ps(self.0, _mm256_set1_ps(factor), addend.0) })
        }
    }
}

/// `c[i][j] (+)= sum over k of a[i][k] * panel[k][j]` for `N` rows and up to 16 columns.
///
/// `a` and `c` start at the first row; rows are `a_stride` and `c_stride` numbers apart.
#[inline(always)]
pub(super) fn product<const N: usize>(
    a: &[f32],
    a_stride: usize,
    panel: &[f32],
    c: &mut [f32],
    c_stride: usize,
    columns: usize,
    store: Store,
) {
    let depth = panel.len() / PANEL;
    assert!(N > 0 && a.len() >= (N - 1) * a_stride + depth, "every row of the left matrix is there");
    assert!(columns <= PANEL && c.len() >= (N - 1) * c_stride + columns, "every row of the result is there");
    #[cfg(target_arch = "x86_64")]
    if columns == PANEL && has_fma() {
        // SAFETY: the features were asked for just now, and the lengths were compared with what is read and written.
        unsafe { product_avx2::<N>(a, a_stride, panel, depth, c, c_stride, store) };
        return;
    }
    let mut whole = [[0.0; PANEL]; N];
    #[cfg(target_arch = "x86_64")]
    if has_fma() {
        // SAFETY: as above; `whole` has `N` rows of a panel's width.
        unsafe { product_avx2::<N>(a, a_stride, panel, depth, whole.as_flattened_mut(), PANEL, Store::Set) };
    } else {
        whole = plain_sums::<N>(a, a_stride, panel);
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        whole = plain_sums::<N>(a, a_stride, panel);
    }
    for (i, sums) in whole.iter().enumerate() {
        let row = &mut c[i * c_stride..][..columns];
        match store {
            Store::Set => row.copy_from_slice(&sums[..columns]),
            Store::Add => row.iter_mut().zip(sums).for_each(|(c, sum)| *c += sum),
        }
    }
}

/// # Safety
/// The processor has AVX2 and FMA; `a` holds `N` rows of `depth` numbers, `a_stride` apart, `panel` holds `depth * 16`
/// numbers, and `c` holds `N` rows of 16 numbers, `c_stride` apart.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn product_avx2<const N: usize>(
    a: &[f32],
    a_stride: usize,
    panel: &[f32],
    depth: usize,
    c: &mut [f32],
    c_stride: usize,
    store: Store,
) {
    use std::arch::x86_64::{
        _mm256_add_ps, _mm256_broadcast_ss, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_setzero_ps, _mm256_storeu_ps,
    };
    let mut sums = [[_mm256_setzero_ps(); 2]; N];
    // SAFETY: each of the `N` rows begins inside the slice, by the caller's promise.
    let rows: [*const f32; N] = std::array::from_fn(|i| unsafe { a.as_ptr().add(i * a_stride) });
    let mut right = panel.as_ptr();
    for k in 0..depth {
        // SAFETY: `right` is at the k-th of `depth` rows of 16 numbers, and each row of the left matrix has `depth`
        // numbers; both are inside their slices by the caller's promise.
        unsafe {
            let low = _mm256_loadu_ps(right);
            let high = _mm256_loadu_ps(right.add(8));
            for (i, sums) in sums.iter_mut().enumerate() {
                let x = _mm256_broadcast_ss(&*rows[i].add(k));
                sums[0] = _mm256_fmadd_ps(x, low, sums[0]);
                sums[1] = _mm256_fmadd_ps(x, high, sums[1]);
            }
            right = right.add(PANEL);
        }
    }
    for (i, sums) in sums.iter().enumerate() {
        // SAFETY: the caller promised 16 numbers at every row's start.
        unsafe {
            let out = c.as_mut_ptr().add(i * c_stride);
            let (mut low, mut high) = (sums[0], sums[1]);
            if store == Store::Add {
                low = _mm256_add_ps(low, _mm256_loadu_ps(out));
                high = _mm256_add_ps(high, _mm256_loadu_ps(out.add(8)));
            }
            _mm256_storeu_ps(out, low);
            _mm256_storeu_ps(out.add(8), high);
        }
    }
}

/// Tells the processor that these numbers will be wanted soon, line by line.
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

#[inline(always)]
fn plain_sums<const N: usize>(a: &[f32], a_stride: usize, panel: &[f32]) -> [[f32; PANEL]; N] {
    let mut sums = [[0.0f32; PANEL]; N];
    for (k, b) in panel.chunks_exact(PANEL).enumerate() {
        for (i, sums) in sums.iter_mut().enumerate() {
            let x = a[i * a_stride + k];
            sums.iter_mut().zip(b).for_each(|(sum, b)| *sum += x * b);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_adding_up_agree() {
        let depth = 37;
        let a: Vec<f32> = (0..6 * 50).map(|i| ((i * 37) % 101) as f32 / 50.0 - 1.0).collect();
        let panel: Vec<f32> = (0..depth * PANEL).map(|i| ((i * 53) % 97) as f32 / 48.0 - 1.0).collect();
        let expected = plain_sums::<6>(&a, 50, &panel);
        let mut c = vec![1.0; 6 * 20];
        product::<6>(&a, 50, &panel, &mut c, 20, 16, Store::Set);
        for (row, expected) in c.chunks_exact(20).zip(&expected) {
            for (value, expected) in row.iter().zip(expected) {
                assert!((value - expected).abs() < 1e-4);
            }
            assert!(row[16..].iter().all(|&value| value == 1.0), "nothing beyond the columns is touched");
        }
        product::<6>(&a, 50, &panel, &mut c, 20, 3, Store::Add);
        assert!((c[0] - 2.0 * expected[0][0]).abs() < 1e-4 && (c[3] - expected[0][3]).abs() < 1e-4);
    }
}
