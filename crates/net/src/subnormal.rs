//! Subnormal numbers, kept away from whatever multiplies.
//!
//! Intel cores handle each product with a subnormal operand or result in microcode, at more than a hundred cycles; of
//! the default network's weights 4.2 % are subnormal. They mean nothing at the size of a network's sums, so weights
//! become zero when they are read and after every fold, and [`FlushToZero`] covers what arises while computing.
//! Figures: `docs/experiments/cpu-speed.md`, "Subnormal numbers".

/// Zero in place of a subnormal number, with its sign.
pub(crate) fn flush(value: f32) -> f32 {
    if value.is_subnormal() { 0.0f32.copysign(value) } else { value }
}

/// Sets the calling thread to take subnormal operands as zero and to store zero for subnormal results; dropping it
/// restores the thread's former mode. A no-op on other processors than x86-64 and AArch64.
#[derive(Debug)]
pub(crate) struct FlushToZero {
    former: mode::Word,
    /// The mode is the thread's.
    _not_send: std::marker::PhantomData<*const ()>,
}

impl FlushToZero {
    /// Starts the mode on this thread.
    pub(crate) fn enter() -> Self {
        let former = mode::read();
        mode::write(former | mode::FLUSH);
        Self { former, _not_send: std::marker::PhantomData }
    }
}

impl Drop for FlushToZero {
    fn drop(&mut self) {
        mode::write(self.former);
    }
}

/// MXCSR: bit 15 flushes results, bit 6 operands (Intel SDM volume 1, 10.2.3).
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "the control register has no safe interface")]
mod mode {
    pub(super) type Word = u32;
    pub(super) const FLUSH: Word = 1 << 15 | 1 << 6;

    pub(super) fn read() -> Word {
        let mut word: Word = 0;
        // SAFETY: stores four bytes to a local variable; SSE is part of x86-64.
        unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) };
        word
    }

    pub(super) fn write(word: Word) {
        // SAFETY: `word` comes from `read`, with at most the two flush bits added, so no exception is unmasked. The
        // compiler assumes the default mode; what differs is only whether a subnormal number counts as zero.
        unsafe {
            std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack, preserves_flags, readonly))
        };
    }
}

/// FPCR: bit 24 flushes operands and results (Arm ARM, C5.2.8).
#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code, reason = "the control register has no safe interface")]
mod mode {
    pub(super) type Word = u64;
    pub(super) const FLUSH: Word = 1 << 24;

    pub(super) fn read() -> Word {
        let word: Word;
        // SAFETY: reads a register that user code may read.
        unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack, preserves_flags)) };
        word
    }

    pub(super) fn write(word: Word) {
        // SAFETY: `word` comes from `read`, with at most the flush bit added; see x86-64.
        unsafe { std::arch::asm!("msr fpcr, {}", in(reg) word, options(nostack, preserves_flags)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod mode {
    pub(super) type Word = u32;
    pub(super) const FLUSH: Word = 0;

    pub(super) fn read() -> Word {
        0
    }

    pub(super) fn write(_: Word) {}
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn only_subnormal_numbers_become_zero() {
        for kept in [0.0, -0.0, f32::MIN_POSITIVE, -f32::MIN_POSITIVE, 1.5, f32::MAX, f32::INFINITY] {
            assert_eq!(flush(kept).to_bits(), kept.to_bits());
        }
        let below = f32::from_bits(f32::MIN_POSITIVE.to_bits() - 1);
        assert_eq!(flush(below).to_bits(), 0.0f32.to_bits());
        assert_eq!(flush(-f32::from_bits(1)).to_bits(), (-0.0f32).to_bits());
        assert!(flush(f32::NAN).is_nan());
    }

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn the_mode_holds_for_its_scope_and_the_former_one_comes_back() {
        // Bits, not comparisons: a comparison takes a subnormal number as zero too.
        let tiny = || black_box(f32::MIN_POSITIVE) * black_box(0.5);
        let scaled = || black_box(f32::from_bits(4)) * black_box(1e30);
        let plain = (tiny().to_bits(), scaled().to_bits());
        assert!(plain.0 != 0 && plain.1 != 0, "the test's own thread begins without the mode");
        {
            let _outer = FlushToZero::enter();
            assert_eq!((tiny().to_bits(), scaled().to_bits()), (0, 0));
            drop(FlushToZero::enter());
            assert_eq!(tiny().to_bits(), 0, "an inner scope does not end the outer one");
        }
        assert_eq!((tiny().to_bits(), scaled().to_bits()), plain);
        let failed = std::panic::catch_unwind(|| {
            let _mode = FlushToZero::enter();
            panic!("a computation fails");
        });
        assert!(failed.is_err());
        assert_eq!(tiny().to_bits(), plain.0, "restored while unwinding");
    }
}
