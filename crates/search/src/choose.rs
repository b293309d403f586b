//! Which move is played: visits corrected by hindsight and by lower confidence bounds, then a draw by temperature.
//!
//! Source: KataGo v1.17.2, `searchresults.cpp`.

use crate::params::SearchParams;
use honinbo_rules::Random;

/// One child of the node whose move is chosen, as the choice sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChoiceChild {
    /// Visits through this very edge.
    pub(crate) edge_visits: u64,
    /// Completed visits of the child node.
    pub(crate) visits: u64,
    /// Share of the child's weight that belongs to this edge.
    pub(crate) weight: f64,
    /// The same share of the squared weights.
    pub(crate) weight_sq: f64,
    /// Policy of the move; below zero where it is illegal.
    pub(crate) policy: f64,
    /// Mean utility, White's side.
    pub(crate) utility: f64,
    /// Mean squared utility.
    pub(crate) utility_sq: f64,
    /// Ending bonus in utility, White's side; zero but at the root.
    pub(crate) bonus: f64,
    /// Utility, White's side, that selection would use: bonus included, first-play urgency where unvisited.
    pub(crate) selection_utility: f64,
    /// The move is a pass that must not be chosen now.
    pub(crate) suppressed: bool,
}

/// Lower confidence bound of a child's utility for the player to move, and its distance from the mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ConfidenceBound {
    /// Mean minus radius, for the player to move, ending bonus included.
    pub(crate) lower: f64,
    /// Half the width of the interval.
    pub(crate) radius: f64,
}

/// What selection values are computed for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChoiceRules {
    /// +1 where White is to move.
    pub(crate) sign: f64,
    /// Exploration scale for the present weights, where moves that got too many visits are cut; root only.
    pub(crate) hindsight_explore: Option<f64>,
    /// Whether lower confidence bounds take part.
    pub(crate) use_lcb: bool,
}

/// Confidence bound of one child.
pub(crate) fn confidence_bound(params: &SearchParams, sign: f64, child: &ChoiceChild) -> ConfidenceBound {
    let range = params.utility_radius();
    let unknown = 2.0 * range * params.lcb_stdevs;
    if child.visits == 0 || child.weight <= 0.0 || child.weight_sq <= 0.0 {
        return ConfidenceBound { lower: -unknown, radius: unknown };
    }
    let samples = child.weight * child.weight / child.weight_sq;
    let prior_weight = child.weight / (samples * samples * samples);
    let square = child.utility * child.utility;
    let mean_sq = child.utility_sq.max(square + 1e-8);
    let mean_sq = (mean_sq * child.weight + (mean_sq + range * range) * prior_weight) / (child.weight + prior_weight);
    let weight = child.weight + prior_weight;
    let samples = weight * weight / (child.weight_sq + prior_weight * prior_weight);
    let radius = params.lcb_stdevs * ((mean_sq - square) / samples).sqrt();
    ConfidenceBound { lower: sign * (child.utility + child.bonus) - radius, radius }
}

/// The weight with which each child would be chosen, in the order given. All zero where there is nothing to choose by.
pub(crate) fn play_selection_values(params: &SearchParams, rules: ChoiceRules, children: &[ChoiceChild]) -> Vec<f64> {
    let mut values: Vec<f64> =
        children.iter().map(|child| if child.policy < 0.0 || child.suppressed { 0.0 } else { child.weight }).collect();
    let Some(reference) = reference_child(children, &values) else {
        return values;
    };
    if let Some(explore) = rules.hindsight_explore {
        let best = &children[reference];
        let best_value = rules.sign * best.selection_utility + explore * best.policy / (1.0 + best.weight);
        for (i, child) in children.iter().enumerate() {
            if i == reference {
                continue;
            }
            values[i] = if child.visits == 0 || values[i] <= 0.0 {
                0.0
            } else {
                let gap = best_value - rules.sign * child.selection_utility;
                let wanted = if gap <= 0.0 { 1e100 } else { (explore * child.policy / gap - 1.0).max(0.0) };
                values[i].min(wanted).ceil()
            };
        }
    }
    if rules.use_lcb && params.use_lcb_for_selection {
        raise_best_bound(params, rules.sign, children, &mut values, reference);
    }
    prune(params, &mut values);
    values
}

/// Takes away what is too little to be chosen.
pub(crate) fn prune(params: &SearchParams, values: &mut [f64]) {
    let largest = values.iter().copied().fold(0.0, f64::max);
    let prune = params.chosen_move_prune.min(largest / 64.0);
    let subtract = params.chosen_move_subtract.min(largest / 64.0);
    for value in values {
        *value = if *value < prune { 0.0 } else { (*value - subtract).max(0.0) };
    }
}

/// The child that the others are measured by: visited often, or likely by policy. The first of equals.
fn reference_child(children: &[ChoiceChild], values: &[f64]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (i, child) in children.iter().enumerate() {
        let visits = child.edge_visits as f64;
        let goodness = values[i] * (visits - 1.0).max(0.0) / visits.max(1.0) + 2.0 * child.policy;
        if best.is_none_or(|(_, most)| goodness > most) {
            best = Some((i, goodness));
        }
    }
    best.map(|(i, _)| i)
}

/// Raises the child with the best lower bound above those whose bound it beats clearly.
fn raise_best_bound(params: &SearchParams, sign: f64, children: &[ChoiceChild], values: &mut [f64], reference: usize) {
    let bounds: Vec<ConfidenceBound> = children.iter().map(|child| confidence_bound(params, sign, child)).collect();
    let needed = params.min_visit_prop_for_lcb * values[reference];
    let mut best: Option<usize> = None;
    for (i, value) in values.iter().enumerate() {
        if *value > 0.0 && *value >= needed && best.is_none_or(|best| bounds[i].lower > bounds[best].lower) {
            best = Some(i);
        }
    }
    let Some(best) = best else { return };
    let mut raised = values[best];
    for (i, bound) in bounds.iter().enumerate() {
        let excess = bounds[best].lower - bound.lower;
        if i == best || excess < 0.0 {
            continue;
        }
        let factor = (bound.radius + excess) / (bound.radius + 0.2 * excess);
        raised = raised.max(factor * factor * values[i]);
    }
    values[best] = raised;
}

/// Temperature of the choice after `turn` moves: from early to late with a half life that grows with the board.
pub(crate) fn temperature(early: f64, late: f64, halflife: f64, turn: usize, radius: f64) -> f64 {
    let halves = turn as f64 / halflife * 19.0 / radius;
    late + (early - late) * 0.5f64.powf(halves)
}

/// Draws an index by weight, flattened by the temperature. At a temperature of zero the first of the greatest.
/// `None` where no weight is above zero.
pub(crate) fn draw(values: &[f64], temperature: f64, only_below_prob: f64, random: &mut Random) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (i, value) in values.iter().enumerate() {
        if *value > 0.0 && best.is_none_or(|best| *value > values[best]) {
            best = Some(i);
        }
    }
    let best = best?;
    if temperature <= 1e-4 && only_below_prob >= 1.0 {
        return Some(best);
    }
    let temperature = temperature.max(1e-4);
    let sum: f64 = values.iter().filter(|value| **value > 0.0).sum();
    let threshold = (only_below_prob.max(1e-300).ln() + sum.ln() - values[best].ln()).min(0.0);
    let weights: Vec<f64> = values
        .iter()
        .map(|value| {
            if *value <= 0.0 {
                return 0.0;
            }
            let ratio = (value / values[best]).ln();
            if ratio > threshold { ratio.exp() } else { ((ratio - threshold) / temperature + threshold).exp() }
        })
        .collect();
    let mut left = random.unit() * weights.iter().sum::<f64>();
    for (i, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 && *weight > 0.0 {
            return Some(i);
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two root children of the worked example after 12 visits.
    fn example_children() -> [ChoiceChild; 2] {
        let child = |edge_visits, weight, weight_sq, policy, utility, utility_sq| ChoiceChild {
            edge_visits,
            visits: edge_visits,
            weight,
            weight_sq,
            policy,
            utility,
            utility_sq,
            bonus: 0.0,
            selection_utility: utility,
            suppressed: false,
        };
        [
            child(9, 6.340_805_902, 4.527_541_966, 0.446_182_132, 0.368_592_388, 0.142_195_939),
            child(2, 1.457_797_551, 1.070_396_660, 0.157_388_315, 0.127_073_265, 0.021_147_023),
        ]
    }

    #[test]
    fn confidence_bounds_of_the_worked_example() {
        let params = SearchParams::analysis();
        let bounds = example_children().map(|child| confidence_bound(&params, 1.0, &child));
        assert!((bounds[0].radius - 0.160_098_278).abs() < 1e-7, "{bounds:?}");
        assert!((bounds[0].lower - 0.208_494_110).abs() < 1e-7);
        assert!((bounds[1].radius - 1.523_441_510).abs() < 1e-7);
        assert!((bounds[1].lower + 1.396_368_245).abs() < 1e-7);
    }

    #[test]
    fn a_single_visit_is_uncertain_by_half_the_range() {
        let params = SearchParams::analysis();
        let child = ChoiceChild {
            edge_visits: 1,
            visits: 1,
            weight: 0.7,
            weight_sq: 0.49,
            utility: 0.3,
            utility_sq: 0.09,
            ..example_children()[0]
        };
        let bound = confidence_bound(&params, 1.0, &child);
        assert!((bound.radius - 3.5).abs() < 1e-6 && (bound.lower + 3.2).abs() < 1e-6, "{bound:?}");
    }

    #[test]
    fn visits_are_cut_in_hindsight() {
        let params = SearchParams::analysis();
        let rules = ChoiceRules { sign: 1.0, hindsight_explore: Some(1.841_139_363), use_lcb: true };
        let values = play_selection_values(&params, rules, &example_children());
        assert!((values[0] - 6.340_805_902).abs() < 1e-9 && values[1] == 0.0, "{values:?}");
    }

    #[test]
    fn temperatures_fade_with_the_moves() {
        for (turn, radius, expected) in
            [(0, 19.0, 0.5), (19, 19.0, 0.3), (40, 19.0, 0.192_964), (19, 9.0, 0.192_587), (100, 9.0, 0.100_181)]
        {
            assert!((temperature(0.5, 0.1, 19.0, turn, radius) - expected).abs() < 1e-6);
        }
    }

    #[test]
    fn draws_follow_the_temperature() {
        let mut random = Random::new(1);
        let mut counts = [0u32; 3];
        for _ in 0..20_000 {
            counts[draw(&[50.0, 40.0, 10.0], 0.5, 1.0, &mut random).unwrap()] += 1;
        }
        for (count, expected) in counts.iter().zip([0.595_238, 0.380_952, 0.023_810]) {
            assert!((f64::from(*count) / 20_000.0 - expected).abs() < 0.015, "{counts:?}");
        }
        assert_eq!(draw(&[1.0, 3.0, 3.0], 0.0, 1.0, &mut random), Some(1));
        assert_eq!(draw(&[0.0, 0.0], 0.0, 1.0, &mut random), None);
    }
}
