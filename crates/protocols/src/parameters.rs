//! Parameters of the search by KataGo's names: for GTP's `kata-set-param`, the analysis protocol's `overrideSettings`
//! and configuration files.

use honinbo_search::{Perspective, SearchParams};
use serde_json::{Value, json};

/// Where a parameter is kept.
enum Slot {
    Number(fn(&mut SearchParams) -> &mut f64),
    Small(fn(&mut SearchParams) -> &mut f32),
    Count(fn(&mut SearchParams) -> &mut u32),
    Switch(fn(&mut SearchParams) -> &mut bool),
    /// Who plays, by the name of a profile; nobody is the empty word.
    Profile,
}

/// Why a parameter was not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The name means nothing.
    UnknownName,
    /// The value is not of the parameter's kind.
    WrongValue,
}

use Slot::{Count, Number, Profile, Small, Switch};

#[rustfmt::skip]
const PARAMETERS: [(&str, Slot); 74] = [
    ("winLossUtilityFactor", Number(|p| &mut p.win_loss_utility_factor)),
    ("staticScoreUtilityFactor", Number(|p| &mut p.static_score_utility_factor)),
    ("dynamicScoreUtilityFactor", Number(|p| &mut p.dynamic_score_utility_factor)),
    ("dynamicScoreCenterZeroWeight", Number(|p| &mut p.dynamic_score_center_zero_weight)),
    ("dynamicScoreCenterScale", Number(|p| &mut p.dynamic_score_center_scale)),
    ("noResultUtilityForWhite", Number(|p| &mut p.no_result_utility_for_white)),
    ("drawEquivalentWinsForWhite", Number(|p| &mut p.draw_equivalent_wins_for_white)),
    ("cpuctExploration", Number(|p| &mut p.cpuct_exploration)),
    ("cpuctExplorationLog", Number(|p| &mut p.cpuct_exploration_log)),
    ("cpuctExplorationBase", Number(|p| &mut p.cpuct_exploration_base)),
    ("cpuctUtilityStdevPrior", Number(|p| &mut p.cpuct_utility_stdev_prior)),
    ("cpuctUtilityStdevPriorWeight", Number(|p| &mut p.cpuct_utility_stdev_prior_weight)),
    ("cpuctUtilityStdevScale", Number(|p| &mut p.cpuct_utility_stdev_scale)),
    ("fpuReductionMax", Number(|p| &mut p.fpu_reduction_max)),
    ("rootFpuReductionMax", Number(|p| &mut p.root_fpu_reduction_max)),
    ("fpuLossProp", Number(|p| &mut p.fpu_loss_prop)),
    ("rootFpuLossProp", Number(|p| &mut p.root_fpu_loss_prop)),
    ("fpuParentWeightByVisitedPolicy", Switch(|p| &mut p.fpu_parent_weight_by_visited_policy)),
    ("fpuParentWeightByVisitedPolicyPow", Number(|p| &mut p.fpu_parent_weight_by_visited_policy_pow)),
    ("fpuParentWeight", Number(|p| &mut p.fpu_parent_weight)),
    ("policyOptimism", Number(|p| &mut p.policy_optimism)),
    ("rootPolicyOptimism", Number(|p| &mut p.root_policy_optimism)),
    ("nnPolicyTemperature", Small(|p| &mut p.nn_policy_temperature)),
    ("valueWeightExponent", Number(|p| &mut p.value_weight_exponent)),
    ("useNoisePruning", Switch(|p| &mut p.use_noise_pruning)),
    ("noisePruneUtilityScale", Number(|p| &mut p.noise_prune_utility_scale)),
    ("noisePruningCap", Number(|p| &mut p.noise_pruning_cap)),
    ("useUncertainty", Switch(|p| &mut p.use_uncertainty)),
    ("uncertaintyCoeff", Number(|p| &mut p.uncertainty_coeff)),
    ("uncertaintyExponent", Number(|p| &mut p.uncertainty_exponent)),
    ("uncertaintyMaxWeight", Number(|p| &mut p.uncertainty_max_weight)),
    ("useGraphSearch", Switch(|p| &mut p.use_graph_search)),
    ("graphSearchRepBound", Count(|p| &mut p.graph_search_rep_bound)),
    ("graphSearchCatchUpLeakProb", Number(|p| &mut p.graph_search_catch_up_leak_prob)),
    ("subtreeValueBiasFactor", Number(|p| &mut p.subtree_value_bias_factor)),
    ("subtreeValueBiasFreeProp", Number(|p| &mut p.subtree_value_bias_free_prop)),
    ("subtreeValueBiasWeightExponent", Number(|p| &mut p.subtree_value_bias_weight_exponent)),
    ("rootNoiseEnabled", Switch(|p| &mut p.root_noise_enabled)),
    ("rootDirichletNoiseTotalConcentration", Number(|p| &mut p.root_dirichlet_noise_total_concentration)),
    ("rootDirichletNoiseWeight", Number(|p| &mut p.root_dirichlet_noise_weight)),
    ("rootPolicyTemperature", Number(|p| &mut p.root_policy_temperature)),
    ("rootPolicyTemperatureEarly", Number(|p| &mut p.root_policy_temperature_early)),
    ("rootNumSymmetriesToSample", Count(|p| &mut p.root_num_symmetries_to_sample)),
    ("rootSymmetryPruning", Switch(|p| &mut p.root_symmetry_pruning)),
    ("rootDesiredPerChildVisitsCoeff", Number(|p| &mut p.root_desired_per_child_visits_coeff)),
    ("chosenMoveTemperature", Number(|p| &mut p.chosen_move_temperature)),
    ("chosenMoveTemperatureEarly", Number(|p| &mut p.chosen_move_temperature_early)),
    ("chosenMoveTemperatureHalflife", Number(|p| &mut p.chosen_move_temperature_halflife)),
    ("chosenMoveTemperatureOnlyBelowProb", Number(|p| &mut p.chosen_move_temperature_only_below_prob)),
    ("chosenMoveSubtract", Number(|p| &mut p.chosen_move_subtract)),
    ("chosenMovePrune", Number(|p| &mut p.chosen_move_prune)),
    ("useLcbForSelection", Switch(|p| &mut p.use_lcb_for_selection)),
    ("lcbStdevs", Number(|p| &mut p.lcb_stdevs)),
    ("minVisitPropForLCB", Number(|p| &mut p.min_visit_prop_for_lcb)),
    ("rootEndingBonusPoints", Number(|p| &mut p.root_ending_bonus_points)),
    ("rootPruneUselessMoves", Switch(|p| &mut p.root_prune_useless_moves)),
    ("conservativePass", Switch(|p| &mut p.conservative_pass)),
    ("fillDameBeforePass", Switch(|p| &mut p.fill_dame_before_pass)),
    ("enablePassingHacks", Switch(|p| &mut p.enable_passing_hacks)),
    ("enableMorePassingHacks", Switch(|p| &mut p.enable_more_passing_hacks)),
    ("playoutDoublingAdvantage", Number(|p| &mut p.playout_doubling_advantage)),
    ("nnRandomize", Switch(|p| &mut p.randomize_symmetry)),
    ("humanSLProfile", Profile),
    ("humanSLCpuctExploration", Number(|p| &mut p.human.cpuct_exploration)),
    ("humanSLCpuctPermanent", Number(|p| &mut p.human.cpuct_permanent)),
    ("humanSLRootExploreProbWeightless", Number(|p| &mut p.human.at_root.weightless)),
    ("humanSLRootExploreProbWeightful", Number(|p| &mut p.human.at_root.weightful)),
    ("humanSLPlaExploreProbWeightless", Number(|p| &mut p.human.for_player.weightless)),
    ("humanSLPlaExploreProbWeightful", Number(|p| &mut p.human.for_player.weightful)),
    ("humanSLOppExploreProbWeightless", Number(|p| &mut p.human.for_opponent.weightless)),
    ("humanSLOppExploreProbWeightful", Number(|p| &mut p.human.for_opponent.weightful)),
    ("humanSLChosenMoveProp", Number(|p| &mut p.human.chosen_move_prop)),
    ("humanSLChosenMoveIgnorePass", Switch(|p| &mut p.human.chosen_move_ignore_pass)),
    ("humanSLChosenMovePiklLambda", Number(|p| &mut p.human.chosen_move_pikl_lambda)),
];

/// All names.
pub fn names() -> impl Iterator<Item = &'static str> {
    PARAMETERS.iter().map(|(name, _)| *name)
}

/// The value of a parameter; `None` where there is none of that name.
#[must_use]
pub fn get(params: &SearchParams, name: &str) -> Option<Value> {
    let (_, slot) = PARAMETERS.iter().find(|(known, _)| *known == name)?;
    let mut params = params.clone();
    Some(match slot {
        Number(field) => json!(*field(&mut params)),
        Small(field) => json!(*field(&mut params)),
        Count(field) => json!(*field(&mut params)),
        Switch(field) => json!(*field(&mut params)),
        Profile => json!(params.profile.map(|profile| profile.to_string()).unwrap_or_default()),
    })
}

/// Sets a parameter; ranges are for [`SearchParams::check`] to judge.
///
/// # Errors
/// See [`Refusal`].
pub fn set(params: &mut SearchParams, name: &str, text: &str) -> Result<(), Refusal> {
    let (_, slot) = PARAMETERS.iter().find(|(known, _)| *known == name).ok_or(Refusal::UnknownName)?;
    let finite = |number: &f64| number.is_finite();
    let wrong = Refusal::WrongValue;
    let text = text.trim();
    match slot {
        Number(field) => *field(params) = text.parse().ok().filter(finite).ok_or(wrong)?,
        Small(field) => *field(params) = text.parse().ok().filter(finite).ok_or(wrong)? as f32,
        Count(field) => *field(params) = text.parse().map_err(|_| wrong)?,
        Switch(field) => *field(params) = switch_of(text).ok_or(wrong)?,
        Profile if text.is_empty() => params.profile = None,
        Profile => params.profile = Some(text.parse().map_err(|_| wrong)?),
    }
    Ok(())
}

/// `true` and `false`, and the other words that configuration files use for them.
pub(crate) fn switch_of(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "t" | "y" | "on" | "enabled" => Some(true),
        "false" | "0" | "no" | "f" | "n" | "off" | "disabled" => Some(false),
        _ => None,
    }
}

/// Whose figures `reportAnalysisWinratesAs` asks for.
pub(crate) fn perspective_of(text: &str) -> Option<Perspective> {
    match text.to_ascii_uppercase().as_str() {
        "BLACK" | "B" => Some(Perspective::Black),
        "WHITE" | "W" => Some(Perspective::White),
        "SIDETOMOVE" => Some(Perspective::Mover),
        _ => None,
    }
}

/// The settings in a configuration file of KataGo's: lines `name = value`, `#` begins a comment.
pub(crate) fn settings_in(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| {
        let (name, value) = line.split('#').next()?.split_once('=')?;
        Some((name.trim(), value.trim().trim_matches('"')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_takes_its_own_value() {
        let params = SearchParams::play();
        for name in names() {
            let value = get(&params, name).unwrap();
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let mut same = params.clone();
            assert_eq!(set(&mut same, name, &text), Ok(()), "{name}");
            assert_eq!(same, params, "{name}");
            if name != "humanSLProfile" {
                assert_eq!(set(&mut same, name, "many"), Err(Refusal::WrongValue), "{name}");
            }
        }
        assert_eq!(set(&mut SearchParams::play(), "speed", "1"), Err(Refusal::UnknownName));
    }
}
