//! Which instructions there are: proofs that a processor has them, and the widest that may be used.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

use serde::{Deserialize, Serialize};

/// Defines the proof that the processor has some features: without it nothing here computes with their registers.
macro_rules! proof {
    ($(#[$doc:meta])* $name:ident, $path:ident, $arch:literal, $detected:ident, $($feature:tt),+) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        #[cfg_attr(not(target_arch = $arch), allow(dead_code, reason = "no other processor has it"))]
        pub(in crate::kernels) struct $name(());

        impl $name {
            /// Asks the processor, which is cheap after the first time.
            #[inline]
            pub(in crate::kernels) fn new() -> Option<Self> {
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

#[cfg(target_arch = "x86_64")]
impl Bf16 {
    /// The same proof for what needs less.
    #[inline(always)]
    pub(in crate::kernels) fn avx512(self) -> Avx512 {
        Avx512(())
    }
}

#[cfg(target_arch = "x86_64")]
impl Vnni {
    /// The same proof for what needs less.
    #[inline(always)]
    pub(in crate::kernels) fn avx512(self) -> Avx512 {
        Avx512(())
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Itself, as the others have it.
    #[inline(always)]
    pub(in crate::kernels) fn avx2(self) -> Self {
        self
    }
}

#[cfg(target_arch = "x86_64")]
impl AvxVnni {
    /// The same proof for what needs less.
    #[inline(always)]
    pub(in crate::kernels) fn avx2(self) -> Avx2 {
        Avx2(())
    }
}

/// Numbers of 16 bits, and the proof that the processor multiplies them.
#[derive(Debug, Clone, Copy)]
pub(in crate::kernels) enum Narrow {
    /// Floats with the range of 32-bit ones.
    Bf16(Bf16),
    /// Whole numbers, each row and each column with a scale of its own.
    Words(Words),
}

/// How a processor multiplies pairs of 16-bit whole numbers and adds them to sums of 32 bits.
#[derive(Debug, Clone, Copy)]
pub(in crate::kernels) enum Words {
    /// In one instruction, 32 numbers at once.
    Vnni(Vnni),
    /// In one instruction, sixteen numbers at once.
    AvxVnni(AvxVnni),
    /// In two instructions, sixteen numbers at once.
    Avx2(Avx2),
}

impl Words {
    /// The fastest way of this processor.
    pub(in crate::kernels) fn new() -> Option<Self> {
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
    let path = BEST.get();
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

#[cfg(test)]
thread_local! {
    /// The widest path that this thread may take.
    static BEST: std::cell::Cell<Path> = const { std::cell::Cell::new(Path::Avx512) };
}

/// Runs a test on every path, the plain one first, and hands over the results. Those that the processor cannot run
/// count as skipped, by name, and have no result.
#[cfg(test)]
pub(in crate::kernels) fn on_every_path<T>(compute: impl Fn() -> T) -> Vec<(Path, T)> {
    let mut results = Vec::new();
    let paths: &[Path] = if cfg!(target_arch = "aarch64") {
        &[Path::Plain, Path::Neon]
    } else {
        &[Path::Plain, Path::Avx2, Path::AvxVnni, Path::Avx512]
    };
    for &path in paths {
        BEST.set(path);
        if Path::best() == path {
            results.push((path, compute()));
        } else {
            honinbo_testkit::fixtures::skip(&format!("this processor has no {path:?}"));
        }
    }
    BEST.set(Path::Avx512);
    results
}

#[cfg(test)]
mod tests {
    use super::super::vectorised;
    use super::*;

    vectorised! {
        fn path<V>(proof: _, name: &mut &'static str) {
            let _ = V::splat(proof, 0.0);
            *name = std::any::type_name::<V>();
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
        let (avx2, avx_vnni, avx512) = (
            ["avx2", "fma"].into_iter().all(has),
            ["avx2", "fma", "avxvnni"].into_iter().all(has),
            ["avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl"].into_iter().all(has),
        );
        #[cfg(not(target_arch = "x86_64"))]
        let (avx2, avx_vnni, avx512) = (false, false, false);
        let found = (Avx2::new().is_some(), AvxVnni::new().is_some(), Avx512::new().is_some());
        assert_eq!(found, (avx2, avx_vnni, avx512));
        let best = if avx512 {
            Path::Avx512
        } else if avx_vnni {
            Path::AvxVnni
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
            "avxvnni" => std::arch::is_x86_feature_detected!("avxvnni"),
            "avx512f" => std::arch::is_x86_feature_detected!("avx512f"),
            "avx512bw" => std::arch::is_x86_feature_detected!("avx512bw"),
            "avx512dq" => std::arch::is_x86_feature_detected!("avx512dq"),
            "avx512vl" => std::arch::is_x86_feature_detected!("avx512vl"),
            _ => panic!("{feature}"),
        }
    }
}
