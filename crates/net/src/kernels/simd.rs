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
macro_rules! vectorised {
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $body:block) => {
        $(#[$doc])*
        #[allow(clippy::too_many_arguments, reason = "the parts of one computation")]
        $vis fn $name($($arg: $ty),*) {
            #[inline(always)]
            #[allow(clippy::too_many_arguments, reason = "as outside")]
            fn body($($arg: $ty),*) $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                #[allow(clippy::too_many_arguments, reason = "as outside")]
                fn wide($($arg: $ty),*) {
                    body($($arg),*);
                }
                if crate::kernels::simd::has_fma() {
                    // SAFETY: the processor was asked just before whether it has both features; the code is otherwise
                    // safe.
                    #[allow(unsafe_code, reason = "instructions are chosen at run time")]
                    unsafe {
                        wide($($arg),*);
                    }
                    return;
                }
            }
            body($($arg),*);
        }
    };
}
pub(super) use vectorised;

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
    let (mut left, mut right) = (a.as_ptr(), panel.as_ptr());
    for _ in 0..depth {
        // SAFETY: `right` is at the k-th of `depth` rows of 16 numbers, `left` at the k-th column of `N` rows; both are
        // inside their slices by the caller's promise.
        unsafe {
            let low = _mm256_loadu_ps(right);
            let high = _mm256_loadu_ps(right.add(8));
            for (i, sums) in sums.iter_mut().enumerate() {
                let x = _mm256_broadcast_ss(&*left.add(i * a_stride));
                sums[0] = _mm256_fmadd_ps(x, low, sums[0]);
                sums[1] = _mm256_fmadd_ps(x, high, sums[1]);
            }
            left = left.add(1);
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
