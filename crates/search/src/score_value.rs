//! What points are worth: a smooth value of the score, and its expectation under a spread.
//!
//! Source: KataGo v1.17.2, `nninputs.cpp` (`ScoreValue`).

use std::f64::consts::{FRAC_2_PI, PI};
use std::sync::OnceLock;

/// Rows of the table: means in points on a 19-line board, from -421.5 on.
const MEANS: usize = 842;
/// Columns of the table: standard deviations in points on a 19-line board.
const STDEVS: usize = 421;
/// The normal distribution is sampled at -5, -4.9 ... 5 standard deviations.
const SAMPLES: i32 = 50;
/// Side of the board that the table is made for.
const TABLE_SIDE: i32 = 19;

/// Square root of the area; exact on square boards.
#[must_use]
pub(crate) fn board_radius(width: u32, height: u32) -> f64 {
    if width == height { f64::from(width) } else { f64::from(width * height).sqrt() }
}

/// Slope of the smooth value at `score`, per point: `(2/pi) b / (b^2 + (score - center)^2)` with `b = scale * radius`.
#[must_use]
pub(crate) fn smooth_value_slope(score: f64, center: f64, scale: f64, radius: f64) -> f64 {
    let b = scale * radius;
    let x = score - center;
    FRAC_2_PI * b / (b * b + x * x)
}

/// Expected `(2/pi) atan((x - center) / (scale * radius))` for a normally distributed score `x`.
///
/// Looked up bilinearly in a table with a cell a point, as KataGo does, so that searches agree to the last visit.
#[must_use]
pub(crate) fn expected_smooth_value(mean: f64, stdev: f64, center: f64, scale: f64, radius: f64) -> f64 {
    let factor = f64::from(TABLE_SIDE) / (scale * radius);
    let a = (mean - center) * factor;
    let b = stdev * factor;
    if !(a.is_finite() && b.is_finite()) {
        return if a > 0.0 { 1.0 } else { -1.0 };
    }
    let rounded = a.round();
    let (mean_share, stdev_share) = (a - rounded + 0.5, b - b.floor());
    let last = MEANS - 1;
    let low = rounded + 421.0;
    let (i0, i1) = if low < 0.0 {
        (0, 0)
    } else if low + 1.0 > last as f64 {
        (last, last)
    } else {
        (low as usize, low as usize + 1)
    };
    let right = b.floor() + 1.0;
    let (j0, j1) = if right > (STDEVS - 1) as f64 {
        (STDEVS - 1, STDEVS - 1)
    } else {
        (b.floor().max(0.0) as usize, right.max(0.0) as usize)
    };
    let table = table();
    let at = |i: usize, j: usize| table[i * STDEVS + j];
    let upper = at(i0, j0) + (at(i0, j1) - at(i0, j0)) * stdev_share;
    let lower = at(i1, j0) + (at(i1, j1) - at(i1, j0)) * stdev_share;
    upper + (lower - upper) * mean_share
}

/// Standard deviation from the first two raw moments, never below zero.
#[must_use]
pub(crate) fn stdev_from_moments(mean: f64, mean_sq: f64) -> f64 {
    (mean_sq - mean * mean).max(0.0).sqrt()
}

/// Second moment that a final score counts with: half points as they are, whole points spread over the two half
/// points beside them by the worth of a draw.
#[must_use]
pub(crate) fn final_score_mean_sq(white_score: f64, draw_equivalent_wins_for_white: f64) -> f64 {
    let doubled = (white_score * 2.0).round();
    if doubled.rem_euclid(2.0) != 0.0 {
        return white_score * white_score;
    }
    let (low, high) = (white_score - 0.5, white_score + 0.5);
    low * low + (high * high - low * low) * draw_equivalent_wins_for_white
}

/// The table, computed once: `MEANS` rows of `STDEVS` values.
fn table() -> &'static [f64] {
    static TABLE: OnceLock<Vec<f64>> = OnceLock::new();
    TABLE.get_or_init(|| {
        // Every argument of the arc tangent is a multiple of a tenth of a point, so each is computed only once.
        let half = (MEANS as i32 * 5 + 10) + SAMPLES * STDEVS as i32;
        let curve: Vec<f64> =
            (-half..=half).map(|tenths| (f64::from(tenths) / f64::from(10 * TABLE_SIDE)).atan() * 2.0 / PI).collect();
        let bell: Vec<f64> = (-SAMPLES..=SAMPLES).map(|t| (-0.5 * (f64::from(t) * 0.1).powi(2)).exp()).collect();
        let bell_sum: f64 = bell.iter().sum();
        let mut table = Vec::with_capacity(MEANS * STDEVS);
        for i in 0..MEANS as i32 {
            let mean_tenths = (i - 421) * 10 - 5;
            for j in 0..STDEVS as i32 {
                let mut sum = 0.0;
                for (t, weight) in (-SAMPLES..=SAMPLES).zip(&bell) {
                    sum += weight * curve[(half + mean_tenths + j * t) as usize];
                }
                table.push(sum / bell_sum);
            }
        }
        table
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_agrees_with_katago() {
        assert!((expected_smooth_value(5.0, 10.0, 0.0, 2.0, 19.0) - 0.078_535_7).abs() < 1e-7);
    }

    #[test]
    fn values_outside_the_table_are_clamped() {
        for (mean, stdev) in [(-1e9, 0.0), (1e9, 1e9), (0.0, 1e12), (f64::INFINITY, 1.0)] {
            let value = expected_smooth_value(mean, stdev, 0.0, 0.75, 9.0);
            assert!((-1.0..=1.0).contains(&value), "{mean} {stdev} gives {value}");
        }
    }

    #[test]
    fn whole_points_are_spread_by_the_worth_of_a_draw() {
        assert!((final_score_mean_sq(3.0, 0.5) - 9.25).abs() < 1e-12);
        assert!((final_score_mean_sq(3.5, 0.5) - 12.25).abs() < 1e-12);
        assert!((final_score_mean_sq(-3.0, 1.0) - 6.25).abs() < 1e-12);
    }
}
