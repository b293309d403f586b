//! From win rate and score to one number that the search maximises.
//!
//! Source: KataGo v1.17.2, `searchhelpers.cpp`.

use honinbo_evaluator::Evaluation;

use crate::params::SearchParams;
use crate::score_value::{expected_smooth_value, smooth_value_slope, stdev_from_moments};

/// The utility function of one search; the centre of the dynamic score utility stays fixed while it runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Utility {
    win_loss_factor: f64,
    no_result: f64,
    static_factor: f64,
    dynamic_factor: f64,
    center: f64,
    scale: f64,
    radius: f64,
}

/// Scale of the static score utility, in board radii.
const STATIC_SCALE: f64 = 2.0;

impl Utility {
    /// The utility around a centre derived from the score that the root is expected to end with.
    ///
    /// The centre is pulled towards zero and kept within one scale of the expectation.
    #[must_use]
    pub(crate) fn around(params: &SearchParams, white_score_mean: f64, radius: f64) -> Self {
        let reach = radius * params.dynamic_score_center_scale;
        let pulled = white_score_mean * (1.0 - params.dynamic_score_center_zero_weight);
        Self {
            win_loss_factor: params.win_loss_utility_factor,
            no_result: params.no_result_utility_for_white,
            static_factor: params.static_score_utility_factor,
            dynamic_factor: params.dynamic_score_utility_factor,
            center: pulled.clamp(white_score_mean - reach, white_score_mean + reach),
            scale: params.dynamic_score_center_scale,
            radius,
        }
    }

    /// Utility for White of averages: win minus loss, no-result probability, score mean and second moment.
    #[must_use]
    pub(crate) fn of(&self, win_loss: f64, no_result: f64, score_mean: f64, score_mean_sq: f64) -> f64 {
        self.win_loss_factor * win_loss + self.no_result * no_result + self.of_score(score_mean, score_mean_sq)
    }

    /// Utility for White of one evaluation, uncorrected.
    #[must_use]
    pub(crate) fn of_evaluation(&self, evaluation: &Evaluation) -> f64 {
        self.of(
            f64::from(evaluation.white_win) - f64::from(evaluation.white_loss),
            f64::from(evaluation.no_result),
            f64::from(evaluation.white_score_mean),
            f64::from(evaluation.white_score_mean_sq),
        )
    }

    /// The score's part of the utility.
    #[must_use]
    pub(crate) fn of_score(&self, score_mean: f64, score_mean_sq: f64) -> f64 {
        self.of_spread(score_mean, stdev_from_moments(score_mean, score_mean_sq))
    }

    /// What `points` more for White would add, the spread staying the same.
    #[must_use]
    pub(crate) fn of_more_points(&self, score_mean: f64, score_mean_sq: f64, points: f64) -> f64 {
        let stdev = stdev_from_moments(score_mean, score_mean_sq);
        self.of_spread(score_mean + points, stdev) - self.of_spread(score_mean, stdev)
    }

    /// Utility per point at this score, without its spread.
    #[must_use]
    pub(crate) fn score_slope(&self, score: f64) -> f64 {
        self.static_factor * smooth_value_slope(score, 0.0, STATIC_SCALE, self.radius)
            + self.dynamic_factor * smooth_value_slope(score, self.center, self.scale, self.radius)
    }

    /// Weight of one evaluation: the surer the network says it is, the more it counts. One where it does not say.
    #[must_use]
    pub(crate) fn weight_of_evaluation(&self, params: &SearchParams, evaluation: &Evaluation) -> f64 {
        if !params.use_uncertainty || evaluation.shortterm_winloss_error < 0.0 {
            return 1.0;
        }
        let error = self.win_loss_factor * f64::from(evaluation.shortterm_winloss_error)
            + self.score_slope(f64::from(evaluation.white_score_mean)) * f64::from(evaluation.shortterm_score_error);
        let floor = params.uncertainty_coeff / params.uncertainty_max_weight;
        #[expect(clippy::float_cmp, reason = "the default exponent is exactly one")]
        let powered = if params.uncertainty_exponent == 1.0 { error } else { error.powf(params.uncertainty_exponent) };
        params.uncertainty_coeff / (powered + floor)
    }

    fn of_spread(&self, mean: f64, stdev: f64) -> f64 {
        self.static_factor * expected_smooth_value(mean, stdev, 0.0, STATIC_SCALE, self.radius)
            + self.dynamic_factor * expected_smooth_value(mean, stdev, self.center, self.scale, self.radius)
    }
}
