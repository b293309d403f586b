//! Registers of NEON.
#![allow(clippy::undocumented_unsafe_blocks, reason = "the same holds for each of them")]

use std::arch::aarch64::{
    float32x4_t, vaddq_f32, vaddq_u32, vdivq_f32, vdupq_n_f32, vfmaq_f32, vfmaq_n_f32, vld1q_f32, vmaxq_f32, vminq_f32,
    vmulq_n_f32, vreinterpretq_f32_u32, vreinterpretq_u32_f32, vshlq_n_u32, vst1q_f32, vsubq_f32,
};

use super::{Lanes, Neon};

/// One register of NEON; 6 x 16 sums take 24 of its 32.
#[derive(Clone, Copy)]
pub(in crate::kernels) struct Four(float32x4_t);

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
    fn times_power_of_two(self, power: Self) -> Self {
        Self(unsafe {
            let (own, power) = (vreinterpretq_u32_f32(self.0), vreinterpretq_u32_f32(power.0));
            vreinterpretq_f32_u32(vaddq_u32(own, vshlq_n_u32::<23>(power)))
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
