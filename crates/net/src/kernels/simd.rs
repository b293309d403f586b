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

/// Proof that the processor has AVX2 and FMA: without it nothing here computes with their registers.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other processor has it"))]
pub(super) struct Avx2(());

impl Avx2 {
    /// Asks the processor, which is cheap after the first time.
    #[inline]
    pub(super) fn new() -> Option<Self> {
        #[cfg(test)]
        if tests::PLAIN_ONLY.get() {
            return None;
        }
        #[cfg(target_arch = "x86_64")]
        {
            let has_both = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
            has_both.then_some(Self(()))
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            None
        }
    }
}

/// Compiles a function twice, with and without AVX2, and takes the one that the processor can run.
///
/// In `fn name<V>(proof: _, …)` the type `V` stands for that processor's [`Lanes`], and `proof` is what they are made
/// with.
macro_rules! vectorised {
    (
        $(#[$doc:meta])* $vis:vis fn $name:ident<$lanes:ident>($proof:ident: _, $($arg:ident: $ty:ty),* $(,)?)
        $body:block
    ) => {
        $crate::kernels::simd::vectorised! {
            @twice [<$lanes: $crate::kernels::simd::Lanes>] [$proof: <$lanes as $crate::kernels::simd::Lanes>::Proof]
            [$crate::kernels::simd::Avx] $(#[$doc])* $vis fn $name($($arg: $ty),*) $body
        }
    };
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $body:block) => {
        $crate::kernels::simd::vectorised! {
            @twice [<V: $crate::kernels::simd::Lanes>] [_proof: V::Proof] [$crate::kernels::simd::Avx]
            $(#[$doc])* $vis fn $name($($arg: $ty),*) $body
        }
    };
    (
        @twice [$($generic:tt)*] [$($proof:tt)*] [$avx:ty]
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
                fn wide(avx2: $crate::kernels::simd::Avx2, $($arg: $ty),*) {
                    body::<$avx>(avx2, $($arg),*);
                }
                if let Some(avx2) = $crate::kernels::simd::Avx2::new() {
                    // SAFETY: `avx2` proves that the processor has both features; the code is otherwise safe.
                    #[allow(unsafe_code, reason = "instructions are chosen at run time")]
                    unsafe {
                        wide(avx2, $($arg),*);
                    }
                    return;
                }
            }
            body::<$crate::kernels::simd::Plain>((), $($arg),*);
        }
    };
}
pub(super) use vectorised;

/// Numbers of one [`Lanes`].
pub(super) const LANES: usize = 8;

/// Eight numbers that are computed with together.
///
/// Arrays leave it to the compiler to find the vector instructions, and in longer formulas it takes the eight apart.
/// They are only made with a proof that the processor has the instructions, so whoever has some may compute with them.
pub(super) trait Lanes: Copy {
    /// Proof that the processor has what these need.
    type Proof: Copy;
    /// The same proof for what names AVX2 itself.
    fn avx2(proof: Self::Proof) -> Option<Avx2>;
    /// All of them the same.
    fn splat(proof: Self::Proof, value: f32) -> Self;
    /// From memory.
    fn load(proof: Self::Proof, from: &[f32; LANES]) -> Self;
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
    type Proof = ();

    #[inline(always)]
    fn avx2((): ()) -> Option<Avx2> {
        None
    }

    #[inline(always)]
    fn splat((): (), value: f32) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    fn load((): (), from: &[f32; LANES]) -> Self {
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

#[cfg(target_arch = "x86_64")]
pub(super) use avx::Avx;

#[cfg(target_arch = "x86_64")]
#[allow(clippy::undocumented_unsafe_blocks, reason = "the same holds for each of them")]
mod avx {
    use std::arch::x86_64::{
        __m256, _mm256_add_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_mul_ps, _mm256_set1_ps, _mm256_storeu_ps,
        _mm256_sub_ps,
    };

    use super::{Avx2, LANES, Lanes};

    /// One register of AVX2. Nothing outside this module makes one but by [`Lanes`], which asks for the proof.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Avx(__m256);

    // SAFETY: an `Avx` is made only with an `Avx2`, so where there is one the processor has both features; memory is
    // touched through references to eight numbers.
    impl Lanes for Avx {
        type Proof = Avx2;

        #[inline(always)]
        fn avx2(proof: Avx2) -> Option<Avx2> {
            Some(proof)
        }

        #[inline(always)]
        fn splat(_: Avx2, value: f32) -> Self {
            Self(unsafe { _mm256_set1_ps(value) })
        }

        #[inline(always)]
        fn load(_: Avx2, from: &[f32; LANES]) -> Self {
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
#[allow(clippy::too_many_arguments, reason = "the parts of a matrix product")]
pub(super) fn product<const N: usize>(
    avx2: Option<Avx2>,
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
    if let (PANEL, Some(avx2)) = (columns, avx2) {
        // SAFETY: `avx2` proves that the features are there, and the lengths were compared with what is read and written.
        unsafe { product_avx2::<N>(avx2, a, a_stride, panel, depth, c, c_stride, store) };
        return;
    }
    let whole = match avx2 {
        #[cfg(target_arch = "x86_64")]
        Some(avx2) => {
            let mut whole = [[0.0; PANEL]; N];
            // SAFETY: as above; `whole` has `N` rows of a panel's width.
            unsafe { product_avx2::<N>(avx2, a, a_stride, panel, depth, whole.as_flattened_mut(), PANEL, Store::Set) };
            whole
        }
        _ => plain_sums::<N>(a, a_stride, panel),
    };
    for (i, sums) in whole.iter().enumerate() {
        let row = &mut c[i * c_stride..][..columns];
        match store {
            Store::Set => row.copy_from_slice(&sums[..columns]),
            Store::Add => row.iter_mut().zip(sums).for_each(|(c, sum)| *c += sum),
        }
    }
}

/// # Safety
/// `a` holds `N` rows of `depth` numbers, `a_stride` apart, `panel` holds `depth * 16`
/// numbers, and `c` holds `N` rows of 16 numbers, `c_stride` apart.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[inline]
#[allow(clippy::too_many_arguments, reason = "the parts of a matrix product")]
unsafe fn product_avx2<const N: usize>(
    _: Avx2,
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

/// Runs a test on the path for every processor, then on that for AVX2, and hands over the results of both. Where the
/// processor has no AVX2, the test counts as skipped and there is no second result.
#[cfg(test)]
pub(super) fn on_both_paths<T>(compute: impl Fn() -> T) -> (T, Option<T>) {
    tests::PLAIN_ONLY.set(true);
    let plain = compute();
    tests::PLAIN_ONLY.set(false);
    if Avx2::new().is_none() {
        honinbo_testkit::fixtures::skip("this processor has no AVX2 and FMA");
        return (plain, None);
    }
    (plain, Some(compute()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        /// Whether this thread makes do with what every processor has.
        pub(super) static PLAIN_ONLY: Cell<bool> = const { Cell::new(false) };
    }

    vectorised! {
        fn path<V>(proof: _, name: &mut &'static str) {
            let _ = V::splat(proof, 0.0);
            *name = std::any::type_name::<V>();
        }
    }

    vectorised! {
        /// Every operation, one after the other.
        fn all_operations<V>(proof: _, numbers: &[f32; LANES], out: &mut [f32; LANES]) {
            let lanes = V::load(proof, numbers);
            let other = V::splat(proof, 0.75).minus(lanes.times(3.0));
            lanes.times_plus(-2.5, other).plus(lanes).store(out);
        }
    }

    #[test]
    fn the_path_is_the_one_that_the_processor_can_run() {
        let (plain, wide) = on_both_paths(|| {
            let mut name = "";
            path(&mut name);
            name
        });
        assert!(plain.ends_with("::Plain"), "{plain}");
        if let Some(wide) = wide {
            assert!(wide.ends_with("::Avx"), "{wide}");
        }
    }

    #[test]
    fn a_proof_costs_nothing_and_is_had_only_where_the_processor_has_the_features() {
        assert_eq!(size_of::<Avx2>(), 0);
        #[cfg(target_arch = "x86_64")]
        let has_both = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
        #[cfg(not(target_arch = "x86_64"))]
        let has_both = false;
        assert_eq!(Avx2::new().is_some(), has_both);
    }

    #[test]
    fn both_paths_compute_the_same() {
        let numbers = std::array::from_fn(|i| i as f32 / 7.0 - 0.5);
        let (plain, wide) = on_both_paths(|| {
            let mut out = [0.0; LANES];
            all_operations(&numbers, &mut out);
            out
        });
        for (plain, number) in plain.iter().zip(numbers) {
            assert!((plain - (0.75 - 4.5 * number)).abs() < 1e-6, "{plain}");
        }
        for (plain, wide) in plain.iter().zip(wide.iter().flatten()) {
            assert!((plain - wide).abs() < 1e-6, "{plain} {wide}");
        }
    }

    #[test]
    fn both_ways_of_adding_up_agree() {
        let depth = 37;
        let a: Vec<f32> = (0..6 * 50).map(|i| ((i * 37) % 101) as f32 / 50.0 - 1.0).collect();
        let panel: Vec<f32> = (0..depth * PANEL).map(|i| ((i * 53) % 97) as f32 / 48.0 - 1.0).collect();
        let expected = plain_sums::<6>(&a, 50, &panel);
        let (plain, wide) = on_both_paths(|| {
            let mut c = vec![1.0; 6 * 20];
            product::<6>(Avx2::new(), &a, 50, &panel, &mut c, 20, 16, Store::Set);
            c
        });
        for c in [Some(plain), wide].into_iter().flatten() {
            for (row, expected) in c.chunks_exact(20).zip(&expected) {
                for (value, expected) in row.iter().zip(expected) {
                    assert!((value - expected).abs() < 1e-4);
                }
                assert!(row[16..].iter().all(|&value| value == 1.0), "nothing beyond the columns is touched");
            }
            let mut c = c;
            product::<6>(Avx2::new(), &a, 50, &panel, &mut c, 20, 3, Store::Add);
            assert!((c[0] - 2.0 * expected[0][0]).abs() < 1e-4 && (c[3] - expected[0][3]).abs() < 1e-4);
        }
    }
}
