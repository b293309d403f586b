//! 16-bit floats.

/// Nearest IEEE half-precision number, ties to even; too large becomes infinity.
pub(super) fn to_half(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let exponent = (bits >> 23 & 0xff) as i32 - 127 + 15;
    let mantissa = bits & 0x007f_ffff;
    if bits & 0x7fff_ffff > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    if exponent >= 31 {
        return sign | 0x7c00;
    }
    if exponent <= 0 {
        if exponent < -10 {
            return sign;
        }
        // Subnormal: the hidden bit becomes visible and everything moves right.
        let full = mantissa | 0x0080_0000;
        let shift = (14 - exponent) as u32;
        return sign | round(full, shift);
    }
    // A carry out of the mantissa moves into the exponent, which is what it should do.
    sign | ((exponent as u16) << 10).wrapping_add(round(mantissa, 13))
}

fn round(value: u32, shift: u32) -> u16 {
    let kept = value >> shift;
    let rest = value & ((1 << shift) - 1);
    let middle = 1 << (shift - 1);
    let up = rest > middle || (rest == middle && kept & 1 == 1);
    (kept + u32::from(up)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_half(bits: u16) -> f32 {
        let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
        let exponent = i32::from(bits >> 10 & 0x1f);
        let mantissa = f32::from(bits & 0x3ff);
        match exponent {
            0 => sign * mantissa * 2f32.powi(-24),
            31 => sign * f32::INFINITY,
            _ => sign * (1.0 + mantissa / 1024.0) * 2f32.powi(exponent - 15),
        }
    }

    #[test]
    fn every_half_survives_and_values_between_go_to_the_nearest() {
        for bits in (0..=0x7bffu16).chain(0x8000..=0xfbff) {
            assert_eq!(to_half(from_half(bits)), bits, "{bits:#06x}");
        }
        for bits in 0..0x7bffu16 {
            let (low, high) = (from_half(bits), from_half(bits + 1));
            let middle = (low + high) / 2.0;
            assert_eq!(to_half(middle) & 1, 0, "a tie goes to the even neighbour of {bits:#06x}");
            assert_eq!(to_half(low + (high - low) * 0.25), bits);
            assert_eq!(to_half(low + (high - low) * 0.75), bits + 1);
        }
        assert_eq!(to_half(1e6), 0x7c00);
        assert_eq!(to_half(-1e-9), 0x8000);
    }
}
