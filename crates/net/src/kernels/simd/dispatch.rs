//! Functions that are compiled once for each kind of processor.

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
pub(in crate::kernels) use vectorised;

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
pub(in crate::kernels) use with_feature;

/// Compiles a function for each way to multiply whole numbers of 16 bits; its first argument is the [`Words`] to take.
///
/// In `fn name<V, F>(proof: _, factors: _, …)` the type `V` stands for the [`Lanes`] of these instructions, `F` for their
/// `LayRow` and `LayPair`.
macro_rules! with_words {
    (
        $(#[$doc:meta])* $vis:vis fn $name:ident<$lanes:ident, $laid:ident>(
            $proof:ident: _, $factors:ident: _, $($arg:ident: $ty:ty),* $(,)?
        ) $body:block
    ) => {
        $(#[$doc])*
        #[allow(clippy::too_many_arguments, reason = "the parts of one computation")]
        $vis fn $name(words: $crate::kernels::simd::Words, $($arg: $ty),*) {
            #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other processor has them"))]
            #[inline(always)]
            #[allow(clippy::too_many_arguments, reason = "as outside")]
            fn body<$lanes, $laid>($proof: $lanes::Proof, $factors: $laid, $($arg: $ty),*)
            where
                $lanes: $crate::kernels::simd::Lanes,
                $laid: $crate::kernels::simd::LayRow<$lanes> + $crate::kernels::simd::LayPair<$lanes>,
            $body

            $crate::kernels::simd::with_feature! {
                "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni",
                fn with_vnni(vnni: Vnni, $($arg: $ty),*) {
                    body::<$crate::kernels::simd::Sixteen, _>(vnni.avx512(), vnni, $($arg),*);
                }
            }
            $crate::kernels::simd::with_feature! {
                "avx2,fma,avxvnni",
                fn with_avx_vnni(vnni: AvxVnni, $($arg: $ty),*) {
                    body::<$crate::kernels::simd::Eight, _>(vnni.avx2(), vnni, $($arg),*);
                }
            }
            $crate::kernels::simd::with_feature! {
                "avx2,fma",
                fn with_avx2(avx2: Avx2, $($arg: $ty),*) {
                    body::<$crate::kernels::simd::Eight, _>(avx2, avx2, $($arg),*);
                }
            }
            match words {
                $crate::kernels::simd::Words::Vnni(proof) => with_vnni(proof, $($arg),*),
                $crate::kernels::simd::Words::AvxVnni(proof) => with_avx_vnni(proof, $($arg),*),
                $crate::kernels::simd::Words::Avx2(proof) => with_avx2(proof, $($arg),*),
            }
        }
    };
}
pub(in crate::kernels) use with_words;
