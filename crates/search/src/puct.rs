//! Which child to descend into: value, exploration, first-play urgency and virtual losses.
//!
//! Source: KataGo v1.17.2, `searchexplorehelpers.cpp`.

use crate::params::SearchParams;

/// Averages of a node that its selection needs. White's side.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NodeAverages {
    /// Completed visits.
    pub(crate) visits: u64,
    /// Sum of the weights.
    pub(crate) weight: f64,
    /// Mean utility.
    pub(crate) utility: f64,
    /// Mean squared utility.
    pub(crate) utility_sq: f64,
}

/// How much the spread of the utilities seen below a node scales its exploration; 1 at the prior.
pub(crate) fn stdev_factor(params: &SearchParams, node: NodeAverages) -> f64 {
    let prior = params.cpuct_utility_stdev_prior;
    let stdev = if node.visits == 0 || node.weight <= 1.0 {
        prior
    } else {
        let square = node.utility * node.utility;
        let utility_sq = node.utility_sq.max(square);
        let strength = params.cpuct_utility_stdev_prior_weight;
        let mixed =
            ((square + prior * prior) * strength + utility_sq * node.weight) / (strength + node.weight - 1.0) - square;
        mixed.max(0.0).sqrt()
    };
    1.0 + params.cpuct_utility_stdev_scale * (stdev / prior - 1.0)
}

/// Exploration scale of a node whose children weigh `children_weight` together.
pub(crate) fn explore_scaling(params: &SearchParams, children_weight: f64, stdev_factor: f64) -> f64 {
    let base = params.cpuct_exploration_base;
    let growth = params.cpuct_exploration_log * ((children_weight + base) / base).ln();
    (params.cpuct_exploration + growth) * (children_weight + 0.01).sqrt() * stdev_factor
}

/// Utility, from White's side, that an unvisited move of a node is credited with.
///
/// `sign` is +1 where White is to move. `visited_policy` is the policy of the existing children together.
pub(crate) fn first_play_urgency(
    params: &SearchParams,
    is_root: bool,
    sign: f64,
    visited_policy: f64,
    average_utility: f64,
    network_utility: f64,
) -> f64 {
    let base = if params.fpu_parent_weight_by_visited_policy {
        let share = visited_policy.powf(params.fpu_parent_weight_by_visited_policy_pow).min(1.0);
        share * average_utility + (1.0 - share) * network_utility
    } else {
        params.fpu_parent_weight * network_utility + (1.0 - params.fpu_parent_weight) * average_utility
    };
    let (reduction_max, loss_prop) = if is_root {
        (params.root_fpu_reduction_max, params.root_fpu_loss_prop)
    } else {
        (params.fpu_reduction_max, params.fpu_loss_prop)
    };
    let reduced = base - sign * reduction_max * visited_policy.sqrt();
    let loss = -sign * params.utility_radius();
    reduced + (loss - reduced) * loss_prop
}

/// Selection value of a move for the player to move: utility `self_utility`, exploration by `policy` and `weight`.
pub(crate) fn selection_value(
    params: &SearchParams,
    explore: f64,
    policy: f64,
    weight: f64,
    self_utility: f64,
    leaves_in_flight: u32,
) -> f64 {
    if policy < 0.0 {
        return ILLEGAL;
    }
    let (mut value, mut weight) = (self_utility, weight);
    if leaves_in_flight > 0 {
        let losses = f64::from(leaves_in_flight) * params.virtual_losses_per_leaf;
        let share = losses / (losses + weight.max(0.25));
        value += (-params.utility_radius() - value) * share;
        weight += losses;
    }
    value + explore * policy / (1.0 + weight)
}

/// Selection value of what may not be played: below everything else.
pub(crate) const ILLEGAL: f64 = -1e50;

#[cfg(test)]
mod tests {
    use super::*;

    fn averages(weight: f64, utility: f64, utility_sq: f64) -> NodeAverages {
        NodeAverages { visits: 2, weight, utility, utility_sq }
    }

    #[test]
    fn the_spread_scales_exploration() {
        let params = SearchParams::analysis();
        for (weight, utility, utility_sq, expected) in
            [(10.0, 0.1, 0.05, 0.697_424), (100.0, 0.1, 0.05, 0.589_989), (50.0, 0.0, 0.0, 0.318_325)]
        {
            let factor = stdev_factor(&params, averages(weight, utility, utility_sq));
            assert!((factor - expected).abs() < 1e-6, "{weight}: {factor}");
        }
    }

    #[test]
    fn exploration_grows_with_the_weight() {
        let params = SearchParams::analysis();
        for (weight, expected) in [(1.0, 1.005_891), (10.0, 3.192_052), (100.0, 10.820_988), (1000.0, 47.256_540)] {
            assert!((explore_scaling(&params, weight, 1.0) - expected).abs() < 1e-6);
        }
    }

    #[test]
    fn virtual_losses_pull_to_a_loss() {
        let params = SearchParams::analysis();
        // Utility 0.2 at weight 3 with two leaves below: -0.44, and the denominator is 1 + 5.
        let value = selection_value(&params, 6.0, 1.0, 3.0, 0.2, 2);
        assert!((value - (-0.44 + 1.0)).abs() < 1e-12, "{value}");
    }

    #[test]
    fn urgency_of_the_worked_example() {
        let params = SearchParams::analysis();
        let urgency = first_play_urgency(&params, true, 1.0, 0.446_182_132, 0.320_873_613, 0.265_402_162);
        assert!((urgency - 0.209_648_469).abs() < 1e-8, "{urgency}");
    }
}
