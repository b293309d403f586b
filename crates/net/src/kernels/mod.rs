//! The project's own kernels for processors: the trunk of a network as one operator of ONNX Runtime.
//!
//! ONNX Runtime computes 3x3 convolutions by their definition, and its softplus alone takes a third of the time of a Mish
//! network. Winograd's algorithm needs about a quarter of the products, the first convolution reads planes that are nearly
//! empty, and a trunk in one piece needs no pass over memory for a norm, an activation or a sum. Numbers are 32-bit floats
//! unless another precision is asked for; what was measured is in `docs/experiments/cpu-speed.md`.

mod attention;
mod entry;
mod gemm;
mod pointwise;
mod simd;
mod team;
mod trunk;
mod winograd;

use crate::onnx::Precision;

pub use simd::{Path as Instructions, use_at_most};
pub(crate) use trunk::{Scratch, Trunk};

/// Whether this processor has the instructions that these kernels multiply numbers of a precision with.
pub(crate) fn multiplies(precision: Precision) -> bool {
    match precision {
        Precision::Fp32 => true,
        Precision::Bf16 => simd::Bf16::new().is_some(),
        Precision::Int16 => simd::Words::new().is_some(),
        Precision::Fp16 | Precision::Int8 => false,
    }
}

/// Whether these kernels were measured to be faster than ONNX Runtime's on a processor like this one: with AVX2 and FMA,
/// or with AVX-512. Those for Arm were tested but not measured.
pub(crate) fn are_faster() -> bool {
    simd::Path::best() >= simd::Path::Avx2
}
