//! The project's own kernels for processors: the trunk of a network as one operator of ONNX Runtime.
//!
//! ONNX Runtime computes 3x3 convolutions by their definition, and its softplus alone takes a third of the time of a Mish
//! network. Winograd's algorithm needs about a quarter of the products, and a trunk in one piece needs no pass over
//! memory for a norm, an activation or a sum. All numbers are 32-bit floats; what was measured is in
//! `docs/experiments/cpu-speed.md`.

mod attention;
mod gemm;
mod pointwise;
mod simd;
mod team;
mod trunk;
mod winograd;

pub(crate) use trunk::{Scratch, Trunk};

/// Whether this processor multiplies numbers of 16 bits.
pub(crate) fn has_bf16() -> bool {
    simd::Bf16::new().is_some()
}

/// Whether these kernels were measured to be faster than ONNX Runtime's on a processor like this one: with AVX2 and FMA,
/// or with AVX-512. Those for Arm were tested but not measured.
pub(crate) fn are_faster() -> bool {
    simd::Path::best() >= simd::Path::Avx2
}
