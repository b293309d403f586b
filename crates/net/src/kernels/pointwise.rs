//! Activations and norms, point by point.

use super::simd::vectorised;
use crate::file::model::{Activation, Affine, RmsNorm};

/// `e^x` to about one part in ten million, without a branch, so that many are computed at once.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    // 1.5 * 2^23: adding it leaves the nearest whole number in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    // ln 2 in two parts, so that the difference keeps all its digits.
    let rest = (x - whole * 0.693_359_4) + whole * 2.121_944_4e-4;
    let mut sum = 1.987_569_1e-4;
    for term in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5] {
        sum = sum * rest + term;
    }
    let fraction = sum * rest * rest + rest + 1.0;
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000));
    fraction * power
}

#[inline(always)]
fn mish(x: f32) -> f32 {
    // tanh(ln(1 + e)) = (e^2 + 2e) / (e^2 + 2e + 2)
    let e = exp(x.min(20.0));
    let n = e * (e + 2.0);
    x * (n / (n + 2.0))
}

#[inline(always)]
pub(super) fn silu(x: f32) -> f32 {
    x / (1.0 + exp(-x))
}

/// Applies an activation to every number.
#[inline(always)]
pub(super) fn activate(values: &mut [f32], activation: Activation) {
    // Loops and not `for_each`, whose body the compiler may leave in a function of its own without wide registers.
    match activation {
        Activation::Identity => {}
        Activation::Relu => {
            for value in values {
                *value = value.max(0.0);
            }
        }
        Activation::Mish => {
            for value in values {
                *value = mish(*value);
            }
        }
        Activation::Silu => {
            for value in values {
                *value = silu(*value);
            }
        }
    }
}

vectorised! {
/// `out = act(x * scale + shift)` for rows of channels.
pub(super) fn normalise(x: &[f32], norm: &Affine, activation: Activation, out: &mut [f32]) {
    let channels = norm.scale.len();
    for (x, out) in x.chunks_exact(channels).zip(out.chunks_exact_mut(channels)) {
        for (((out, x), scale), shift) in out.iter_mut().zip(x).zip(&norm.scale).zip(&norm.shift) {
            *out = x * scale + shift;
        }
        activate(out, activation);
    }
}
}

vectorised! {
/// Applies an activation to every number, with a vector added to every row before.
pub(super) fn shift_and_activate(values: &mut [f32], shift: &[f32], activation: Activation) {
    for row in values.chunks_exact_mut(shift.len()) {
        row.iter_mut().zip(shift).for_each(|(value, shift)| *value += shift);
        activate(row, activation);
    }
}
}

vectorised! {
/// `out = x / rms(x) * weight` for rows of channels.
pub(super) fn rms_normalise(x: &[f32], norm: &RmsNorm, out: &mut [f32]) {
    let channels = norm.weights.len();
    for (x, out) in x.chunks_exact(channels).zip(out.chunks_exact_mut(channels)) {
        let mut sums = [0.0f32; 16];
        let whole = x.chunks_exact(16);
        let tail: f32 = whole.remainder().iter().map(|x| x * x).sum();
        for x in whole {
            sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += x * x);
        }
        let square: f32 = sums.iter().sum::<f32>() + tail;
        let factor = 1.0 / (square / channels as f32 + norm.epsilon).sqrt();
        for ((out, x), weight) in out.iter_mut().zip(x).zip(&norm.weights) {
            *out = x * factor * weight;
        }
    }
}
}

vectorised! {
/// `first half = silu(first half) * second half` for rows of twice `width`; the result has rows of `width`.
pub(super) fn gate(both: &[f32], width: usize, out: &mut [f32]) {
    for (both, out) in both.chunks_exact(2 * width).zip(out.chunks_exact_mut(width)) {
        let (up, gate) = both.split_at(width);
        for ((out, up), gate) in out.iter_mut().zip(up).zip(gate) {
            *out = silu(*up) * gate;
        }
    }
}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_good_to_seven_digits_everywhere() {
        let mut worst = 0.0f64;
        for step in -87_000..=88_000 {
            let x = step as f32 / 1000.0;
            let exact = f64::from(x).exp();
            worst = worst.max((f64::from(exp(x)) / exact - 1.0).abs());
        }
        assert!(worst < 3e-7, "{worst}");
        assert!(exp(-1000.0) > 0.0 && exp(1000.0).is_finite());
        assert_eq!(exp(0.0), 1.0);
    }

    #[test]
    fn activations_are_those_of_the_definition() {
        for step in -4000..=4000 {
            let x = step as f32 / 100.0;
            let wide = f64::from(x);
            let silu_exact = wide / (1.0 + (-wide).exp());
            let mish_exact = wide * wide.exp().ln_1p().tanh();
            assert!((f64::from(silu(x)) - silu_exact).abs() <= 1e-6 * wide.abs().max(1e-3), "silu {x}");
            assert!((f64::from(mish(x)) - mish_exact).abs() <= 1e-6 * wide.abs().max(1e-3), "mish {x}");
        }
    }
}
