//! Activations and norms, point by point.

use super::simd::{Lanes, MAX_LANES, vectorised};
use crate::file::model::{Activation, Affine, RmsNorm};

/// 1.5 * 2^23: adding it leaves the nearest whole number in the low bits.
const ROUND: f32 = 12_582_912.0;

/// `e^x` to about one part in ten million, without a branch; beyond -87 and 88 it is that of the limit.
#[inline(always)]
pub(super) fn exp<V: Lanes>(proof: V::Proof, x: V) -> V {
    // No closures and no loops: either may be compiled without wide registers.
    let x = x.larger(V::splat(proof, -87.0)).smaller(V::splat(proof, 88.0));
    let round = V::splat(proof, ROUND);
    let shifted = x.multiply_add_scalar(std::f32::consts::LOG2_E, round);
    let whole = shifted.minus(round);
    // ln 2 in two parts, so that the difference keeps all its digits.
    let rest = whole.multiply_add_scalar(2.121_944_4e-4, whole.multiply_add_scalar(-0.693_359_4, x));
    let sum = rest.multiply_add_scalar(1.987_569_1e-4, V::splat(proof, 1.398_199_9e-3));
    let sum = sum.multiply_add(rest, V::splat(proof, 8.333_452e-3));
    let sum = sum.multiply_add(rest, V::splat(proof, 4.166_579_6e-2));
    let sum = sum.multiply_add(rest, V::splat(proof, 1.666_666_5e-1));
    let sum = sum.multiply_add(rest, V::splat(proof, 0.5));
    let zero = V::splat(proof, 0.0);
    let fraction = sum.multiply_add(rest.multiply_add(rest, zero), rest.plus(V::splat(proof, 1.0)));
    fraction.times_power_of_two(shifted)
}

/// `2^x` to about four parts in a million, and exactly where `x` is a whole number; below -126 it is that of -126, and
/// beyond 127 it means nothing.
#[inline(always)]
pub(super) fn power_of_two<V: Lanes>(proof: V::Proof, x: V) -> V {
    let x = x.larger(V::splat(proof, -126.0));
    let round = V::splat(proof, ROUND);
    let shifted = x.plus(round);
    let rest = x.minus(shifted.minus(round));
    // 2^x at the five points from -1/2 to 1/2 that Chebyshev chose.
    let sum = rest.multiply_add_scalar(9.666_369e-3, V::splat(proof, 5.592_198e-2));
    let sum = sum.multiply_add(rest, V::splat(proof, 2.402_235e-1));
    let sum = sum.multiply_add(rest, V::splat(proof, 6.931_211e-1));
    let fraction = sum.multiply_add(rest, V::splat(proof, 1.0));
    fraction.times_power_of_two(shifted)
}

#[inline(always)]
fn mish<V: Lanes>(proof: V::Proof, x: V) -> V {
    // tanh(ln(1 + e)) = (e^2 + 2e) / (e^2 + 2e + 2)
    let e = exp(proof, x.smaller(V::splat(proof, 20.0)));
    let n = e.multiply_add(e, e.plus(e));
    let zero = V::splat(proof, 0.0);
    x.multiply_add(n.over(n.plus(V::splat(proof, 2.0))), zero)
}

#[inline(always)]
fn silu<V: Lanes>(proof: V::Proof, x: V) -> V {
    x.over(V::splat(proof, 1.0).plus(exp(proof, x.times(-1.0))))
}

#[inline(always)]
fn activated<V: Lanes>(proof: V::Proof, x: V, activation: Activation) -> V {
    match activation {
        Activation::Identity => x,
        Activation::Relu => x.larger(V::splat(proof, 0.0)),
        Activation::Mish => mish(proof, x),
        Activation::Silu => silu(proof, x),
    }
}

/// Applies an activation to every number.
#[inline(always)]
pub(super) fn activate<V: Lanes>(proof: V::Proof, values: &mut [f32], activation: Activation) {
    if activation == Activation::Identity {
        return;
    }
    let mut whole = values.chunks_exact_mut(V::COUNT);
    for values in &mut whole {
        activated(proof, V::load(proof, values), activation).store(values);
    }
    let rest = whole.into_remainder();
    if !rest.is_empty() {
        let mut last = [0.0; MAX_LANES];
        last[..rest.len()].copy_from_slice(rest);
        activated(proof, V::load(proof, &last), activation).store(&mut last);
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

vectorised! {
/// `out = act(x * scale + shift)` for rows of channels.
pub(super) fn normalise<V>(proof: _, x: &[f32], norm: &Affine, activation: Activation, out: &mut [f32]) {
    let channels = norm.scale.len();
    // What costs an instruction or none is done while the numbers are in registers.
    let is_short = matches!(activation, Activation::Identity | Activation::Relu);
    for (x, out) in x.chunks_exact(channels).zip(out.chunks_exact_mut(channels)) {
        let mut done = 0;
        while is_short && done + V::COUNT <= channels {
            let (scale, shift) = (V::load(proof, &norm.scale[done..]), V::load(proof, &norm.shift[done..]));
            let scaled = V::load(proof, &x[done..]).multiply_add(scale, V::splat(proof, 0.0));
            activated(proof, scaled.plus(shift), activation).store(&mut out[done..]);
            done += V::COUNT;
        }
        let (x, out) = (&x[done..], &mut out[done..]);
        for (((out, x), scale), shift) in out.iter_mut().zip(x).zip(&norm.scale[done..]).zip(&norm.shift[done..]) {
            *out = x * scale + shift;
        }
        activate::<V>(proof, out, activation);
    }
}
}

vectorised! {
/// Applies an activation to every number, with a vector added to every row before.
pub(super) fn shift_and_activate<V>(proof: _, values: &mut [f32], shift: &[f32], activation: Activation) {
    for row in values.chunks_exact_mut(shift.len()) {
        row.iter_mut().zip(shift).for_each(|(value, shift)| *value += shift);
        activate::<V>(proof, row, activation);
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
pub(super) fn gate<V>(proof: _, both: &[f32], width: usize, out: &mut [f32]) {
    let zero = V::splat(proof, 0.0);
    for (both, out) in both.chunks_exact(2 * width).zip(out.chunks_exact_mut(width)) {
        let (up, gate) = both.split_at(width);
        let mut whole = out.chunks_exact_mut(V::COUNT);
        let (ups, gates) = (up.chunks_exact(V::COUNT), gate.chunks_exact(V::COUNT));
        let (up, gate) = (ups.remainder(), gates.remainder());
        for ((out, up), gate) in (&mut whole).zip(ups).zip(gates) {
            silu(proof, V::load(proof, up)).multiply_add(V::load(proof, gate), zero).store(out);
        }
        let rest = whole.into_remainder();
        if !rest.is_empty() {
            let (mut ups, mut gates) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
            ups[..up.len()].copy_from_slice(up);
            gates[..gate.len()].copy_from_slice(gate);
            silu(proof, V::load(proof, &ups)).multiply_add(V::load(proof, &gates), zero).store(&mut ups);
            rest.copy_from_slice(&ups[..rest.len()]);
        }
    }
}
}

#[cfg(test)]
mod tests {
    use super::super::simd::{Path, on_every_path};
    use super::*;

    vectorised! {
        fn exp_of_all<V>(proof: _, values: &mut [f32]) {
            for values in values.chunks_exact_mut(V::COUNT) {
                exp(proof, V::load(proof, values)).store(values);
            }
        }
    }

    vectorised! {
        fn power_of_all<V>(proof: _, values: &mut [f32]) {
            for values in values.chunks_exact_mut(V::COUNT) {
                power_of_two(proof, V::load(proof, values)).store(values);
            }
        }
    }

    vectorised! {
        fn activation_of_all<V>(proof: _, values: &mut [f32], activation: Activation) {
            activate::<V>(proof, values, activation);
        }
    }

    /// What a function makes of many numbers, on each path that this processor has.
    fn on_paths(numbers: &[f32], compute: impl Fn(&mut [f32])) -> Vec<(Path, Vec<f32>)> {
        on_every_path(|| {
            let mut values = numbers.to_vec();
            compute(&mut values);
            values
        })
    }

    #[test]
    fn exp_is_good_to_seven_digits_everywhere() {
        let mut numbers: Vec<f32> = (-87_000..=88_000).map(|step| step as f32 / 1000.0).collect();
        numbers.extend([-1000.0, 1000.0, 0.0, f32::NEG_INFINITY, f32::INFINITY]);
        let usual = numbers.len() - 5;
        numbers.resize(numbers.len().next_multiple_of(MAX_LANES), 0.0);
        for (path, found) in on_paths(&numbers, exp_of_all) {
            let mut worst = 0.0f64;
            for (x, found) in numbers.iter().zip(&found).take(usual) {
                worst = worst.max((f64::from(*found) / f64::from(*x).exp() - 1.0).abs());
            }
            assert!(worst < 3e-7, "{path:?} {worst}");
            let [small, large, one, least, most] = found[usual..usual + 5] else { panic!("{path:?}") };
            assert!(small > 0.0 && least == small && large.is_finite() && most == large, "{path:?}");
            assert_eq!(one, 1.0, "{path:?}");
        }
    }

    #[test]
    fn powers_of_two_are_good_to_five_digits_and_exact_at_whole_numbers() {
        let numbers: Vec<f32> = (-126 * 64..=127 * 64).map(|step| step as f32 / 64.0).collect();
        let padded: Vec<f32> = numbers.iter().copied().chain([-1000.0, f32::NEG_INFINITY]).chain([0.0; 16]).collect();
        let padded = &padded[..(numbers.len() + 2).next_multiple_of(MAX_LANES)];
        for (path, found) in on_paths(padded, power_of_all) {
            for (x, found) in numbers.iter().zip(&found) {
                let exact = f64::from(*x).exp2();
                assert!((f64::from(*found) / exact - 1.0).abs() < 5e-6, "{path:?} {x} {found}");
                assert!(x.fract() != 0.0 || f64::from(*found) == exact, "{path:?} {x} {found}");
            }
            let least = found[0];
            assert_eq!(found[numbers.len()..][..2], [least, least], "{path:?}");
        }
    }

    #[test]
    fn activations_are_those_of_the_definition() {
        // A number that no path divides into whole registers.
        let numbers: Vec<f32> = (-4000..=4002).map(|step| step as f32 / 100.0).collect();
        let exact = |activation: Activation, x: f64| match activation {
            Activation::Identity => x,
            Activation::Relu => x.max(0.0),
            Activation::Mish => x * x.exp().ln_1p().tanh(),
            Activation::Silu => x / (1.0 + (-x).exp()),
        };
        for activation in [Activation::Identity, Activation::Relu, Activation::Mish, Activation::Silu] {
            for (path, found) in on_paths(&numbers, |values| activation_of_all(values, activation)) {
                for (x, found) in numbers.iter().zip(found) {
                    let wide = f64::from(*x);
                    let off = (f64::from(found) - exact(activation, wide)).abs();
                    assert!(off <= 1e-6 * wide.abs().max(1e-3), "{path:?} {activation:?} {x}");
                }
            }
        }
    }

    #[test]
    fn a_gate_is_one_half_activated_times_the_other_whatever_its_width() {
        for width in [3, 16, 37] {
            let both: Vec<f32> = (0..2 * 2 * width).map(|i| ((i * 29) % 83) as f32 / 20.0 - 2.0).collect();
            for (path, out) in on_every_path(|| {
                let mut out = vec![0.0; 2 * width];
                gate(&both, width, &mut out);
                out
            }) {
                for (at, found) in out.iter().enumerate() {
                    let (up, gate) = (both[at / width * width + at], both[at / width * width + at + width]);
                    let exact = up / (1.0 + (-up).exp()) * gate;
                    assert!((found - exact).abs() < 1e-5, "{path:?} {width} {at}: {found} {exact}");
                }
            }
        }
    }
}
