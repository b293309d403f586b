//! The values of the root.

use super::choice::chosen_by;
use super::node::NodeCopy;
use super::{RawReport, RootReport, scaled, win_rate};
use crate::choose::ChoiceChild;
use crate::node::{LeafValue, NodeStats};
use crate::root_state::RootState;
use crate::score_value::stdev_from_moments;

/// Averages of the root in which moves count as hindsight would have them.
pub(super) fn root_report(root_state: &RootState, root: &NodeCopy, choices: &[ChoiceChild], sign: f64) -> RootReport {
    let values = scaled(chosen_by(root_state, root, choices, false));
    let evaluation = &root.evaluation;
    let own = LeafValue::of(evaluation);
    let own_utility = root_state.utility.of_evaluation(evaluation);
    let mut stats = root.stats;
    // Moves that no visit counts for the root say nothing of it.
    if root.edges.iter().any(|edge| edge.visits > 0) {
        let mut sum = NodeStats::default();
        let own_weight = root_state.utility.weight_of_evaluation(&root_state.params, evaluation);
        for (value, child) in values.iter().zip(&root.child_stats) {
            let child =
                (child.win_loss, child.no_result, child.score_mean, child.score_mean_sq, child.lead, child.utility);
            accumulate(&mut sum, *value, child);
        }
        let own = (own.win_loss, own.no_result, own.score_mean, own.score_mean_sq, own.lead, own_utility);
        accumulate(&mut sum, own_weight, own);
        let inverse = 1.0 / sum.weight;
        stats.win_loss = sum.win_loss * inverse;
        stats.no_result = sum.no_result * inverse;
        stats.score_mean = sum.score_mean * inverse;
        stats.score_mean_sq = sum.score_mean_sq * inverse;
        stats.lead = sum.lead * inverse;
        stats.utility = sum.utility * inverse;
    }
    RootReport {
        visits: root.stats.visits,
        weight: root.stats.weight,
        win_rate: win_rate(sign, stats.win_loss),
        score_lead: sign * stats.lead,
        mean_win_rate: win_rate(sign, root.stats.win_loss),
        mean_score_lead: sign * root.stats.lead,
        score_selfplay: sign * stats.score_mean,
        score_stdev: stdev_from_moments(stats.score_mean, stats.score_mean_sq),
        utility: sign * stats.utility,
        no_result: stats.no_result,
        raw: RawReport {
            win_rate: win_rate(sign, own.win_loss),
            score_lead: sign * own.lead,
            score_selfplay: sign * own.score_mean,
            score_selfplay_stdev: stdev_from_moments(own.score_mean, own.score_mean_sq),
            no_result: own.no_result,
            shortterm_win_loss_error: f64::from(evaluation.shortterm_winloss_error),
            shortterm_score_error: f64::from(evaluation.shortterm_score_error),
            var_time_left: f64::from(evaluation.var_time_left),
        },
    }
}

/// Adds win minus loss, no result, score mean and second moment, lead and utility with a weight.
fn accumulate(sum: &mut NodeStats, weight: f64, value: (f64, f64, f64, f64, f64, f64)) {
    sum.weight += weight;
    sum.win_loss += weight * value.0;
    sum.no_result += weight * value.1;
    sum.score_mean += weight * value.2;
    sum.score_mean_sq += weight * value.3;
    sum.lead += weight * value.4;
    sum.utility += weight * value.5;
}
