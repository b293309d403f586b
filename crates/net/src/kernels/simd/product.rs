//! The innermost loop of every product.

use super::{Factors, Lanes, PANEL, Store};

/// Part of a packed matrix: some rows of one or more panels that lie side by side.
#[derive(Clone, Copy)]
pub(in crate::kernels) struct Weights<'w> {
    /// From the first of those rows in the first panel.
    pub(in crate::kernels) panels: &'w [f32],
    /// From a number of one panel to the same of the next.
    pub(in crate::kernels) apart: usize,
    /// How many rows.
    pub(in crate::kernels) depth: usize,
    /// How many of the columns are wanted.
    pub(in crate::kernels) columns: usize,
    /// The scale of each column of these panels, where sums are scaled.
    pub(in crate::kernels) scales: &'w [f32],
}

/// `c[i][j] (+)= sum over k of a[i][k] * weights[k][j]` for `rows` rows, at most `V::ROWS`, and at most `V::PANELS`
/// panels.
///
/// `a` and `c` start at the first row; rows are `a_stride` and `c_stride` numbers apart. `scales` are those of the rows,
/// where sums are scaled.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the parts of a matrix product")]
pub(in crate::kernels) fn product<V: Lanes, F: Factors<V>>(
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

/// Rows that are found from one pointer.
const NEAR: usize = 7;

/// The same number or pointer, of which the compiler knows nothing any more.
macro_rules! opaque {
    ($value:expr) => {{
        #[allow(unused_mut, reason = "only one kind of processor has too few registers")]
        let mut value = $value;
        #[cfg(target_arch = "x86_64")]
        #[allow(clippy::pointers_in_nomem_asm_block, reason = "a pointer comes out as it went in")]
        // SAFETY: it does nothing.
        unsafe {
            std::arch::asm!("/* {0} */", inout(reg) value, options(pure, nomem, nostack, preserves_flags));
        }
        value
    }};
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
    // All rows lie a few distances from two pointers, so that every address fits into the processor's registers. From what
    // it knows the compiler makes a pointer for each row and loads half of them from memory every time.
    let apart_by: [usize; NEAR] = [
        0,
        opaque!(a_stride),
        opaque!(2 * a_stride),
        opaque!(3 * a_stride),
        opaque!(4 * a_stride),
        opaque!(5 * a_stride),
        opaque!(6 * a_stride),
    ];
    let (mut near, mut far) = (a.as_ptr(), a.as_ptr().wrapping_add(NEAR * a_stride));
    let (mut place, end, apart) = (panels.as_ptr(), opaque!(panels[depth * PANEL..].as_ptr()), opaque!(apart));
    while place != end {
        // Never through closures of the standard library: they are compiled without the wide registers.
        let mut right = [V::splat(proof, 0.0); M];
        macro_rules! fetch {
            ($($j:literal)*) => {
                $(if const { $j < M } {
                    let column = $j * V::COUNT / PANEL * apart + $j * V::COUNT % PANEL;
                    // SAFETY: `depth` rows of each panel are inside the slice.
                    let register = unsafe { V::read(proof, place.add(column)) };
                    right[$j] = register;
                })*
            };
        }
        fetch!(0 1 2 3);
        (near, far) = (opaque!(near), opaque!(far));
        macro_rules! multiply {
            ($i:literal) => {
                if const { $i < N } {
                    let from = if const { $i < NEAR } { near } else { far };
                    // SAFETY: each row begins inside the slice and has `depth` numbers.
                    let left = V::splat(proof, unsafe { *from.add(apart_by[$i % NEAR]) });
                    sums[$i] = added(factors, left, right, sums[$i]);
                }
            };
        }
        each_row!(multiply);
        (near, far, place) = (near.wrapping_add(1), far.wrapping_add(1), place.wrapping_add(PANEL));
    }
    if const { F::SCALED } {
        assert!(row_scales.len() >= N && scales.len() >= width, "every row and every column has its scale");
        let mut columns = [V::splat(proof, 0.0); M];
        macro_rules! fetch {
            ($($j:literal)*) => {
                $(if const { $j < M } {
                    columns[$j] = V::load(proof, &scales[$j * V::COUNT..]);
                })*
            };
        }
        fetch!(0 1 2 3);
        macro_rules! scale {
            ($i:literal) => {
                if const { $i < N } {
                    sums[$i] = worths(factors, sums[$i], V::splat(proof, row_scales[$i]), columns);
                }
            };
        }
        each_row!(scale);
    }
    if columns == width {
        let to = c.as_mut_ptr();
        macro_rules! put {
            ($i:literal) => {
                if const { $i < N } {
                    // SAFETY: every row of the result is there, as long as its sums.
                    unsafe { put_row(sums[$i], to.add($i * c_stride)) };
                }
            };
        }
        macro_rules! add {
            ($i:literal) => {
                if const { $i < N } {
                    // SAFETY: as above.
                    unsafe { add_row(proof, sums[$i], to.add($i * c_stride)) };
                }
            };
        }
        match store {
            Store::Set => {
                each_row!(put);
            }
            Store::Add => {
                each_row!(add);
            }
        }
        return;
    }
    let mut whole = [[0.0; 2 * PANEL]; N];
    macro_rules! put {
        ($i:literal) => {
            if const { $i < N } {
                // SAFETY: a row of this has room for the widest sums.
                unsafe { put_row(sums[$i], whole[$i].as_mut_ptr()) };
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
fn worths<V: Lanes, F: Factors<V>, const M: usize>(factors: F, sums: [V; M], row: V, columns: [V; M]) -> [V; M] {
    let mut sums = sums;
    macro_rules! each {
        ($($j:literal)*) => {
            $(if const { $j < M } {
                sums[$j] = factors.worth(sums[$j], row, columns[$j]);
            })*
        };
    }
    each!(0 1 2 3);
    sums
}

/// Stores one row of sums.
///
/// # Safety
/// `to` has room for them.
#[inline(always)]
unsafe fn put_row<V: Lanes, const M: usize>(sums: [V; M], to: *mut f32) {
    macro_rules! each {
        ($($j:literal)*) => {
            $(if const { $j < M } {
                // SAFETY: the caller promises the room.
                unsafe { sums[$j].write(to.add($j * V::COUNT)) };
            })*
        };
    }
    each!(0 1 2 3);
}

/// Adds one row of sums to what is there.
///
/// # Safety
/// `to` has as many numbers.
#[inline(always)]
unsafe fn add_row<V: Lanes, const M: usize>(proof: V::Proof, sums: [V; M], to: *mut f32) {
    macro_rules! each {
        ($($j:literal)*) => {
            $(if const { $j < M } {
                // SAFETY: the caller promises the numbers.
                unsafe {
                    let to = to.add($j * V::COUNT);
                    V::read(proof, to).plus(sums[$j]).write(to);
                }
            })*
        };
    }
    each!(0 1 2 3);
}

/// Reports to the processor that these numbers will be wanted soon, line by line.
#[inline(always)]
pub(in crate::kernels) fn fetch_ahead(values: &[f32]) {
    #[cfg(target_arch = "x86_64")]
    for line in values.chunks(16) {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: every processor of this kind knows the hint, which reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = values;
}

#[cfg(test)]
mod tests {
    use super::super::{Path, Singles, on_every_path, vectorised};
    use super::*;

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
