//! Numbers as C++ streams write them, which is what controllers are used to.

/// Six significant digits, without trailing zeros, with an exponent where the number is very small or very large.
pub(crate) fn general(value: f64) -> String {
    const DIGITS: i32 = 6;
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".into() } else { value.to_string().to_lowercase() };
    }
    // The exponent after rounding to six digits.
    let scientific = format!("{:.*e}", (DIGITS - 1) as usize, value);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..DIGITS).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim_zeros(mantissa), exponent.abs());
    }
    trim_zeros(&format!("{:.*}", (DIGITS - 1 - exponent).max(0) as usize, value)).to_owned()
}

fn trim_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// With a decimal point always, as Sabaki's commands want it.
pub(crate) fn with_point(value: f64) -> String {
    let text = general(value);
    if text.contains(['.', 'e', 'n', 'i']) { text } else { format!("{text}.0") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_like_those_of_katago() {
        for (value, text) in [
            (0.0, "0"),
            (0.5, "0.5"),
            (-1.0, "-1"),
            (0.123_456_789, "0.123457"),
            (1_234.567_89, "1234.57"),
            (999_999.6, "1e+06"),
            (0.000_012_345_67, "1.23457e-05"),
            (0.000_123_456_7, "0.000123457"),
            (-12.0, "-12"),
        ] {
            assert_eq!(general(value), text);
        }
        assert_eq!((with_point(3.0).as_str(), with_point(0.25).as_str()), ("3.0", "0.25"));
    }
}
