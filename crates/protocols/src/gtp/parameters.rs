//! Parameters by KataGo's names, for `kata-get-param` and `kata-set-param`.

use std::time::Duration;

use honinbo_search::SearchParams;
use serde_json::{Map, Value, json};

use super::Reply;
use super::engine::GtpEngine;

/// A parameter of the search that is a number.
type Field = (&'static str, fn(&mut SearchParams) -> &mut f64);
/// A parameter of the search that is on or off.
type Switch = (&'static str, fn(&mut SearchParams) -> &mut bool);

#[rustfmt::skip]
const FIELDS: [Field; 36] = [
    ("winLossUtilityFactor", |p| &mut p.win_loss_utility_factor),
    ("staticScoreUtilityFactor", |p| &mut p.static_score_utility_factor),
    ("dynamicScoreUtilityFactor", |p| &mut p.dynamic_score_utility_factor),
    ("dynamicScoreCenterZeroWeight", |p| &mut p.dynamic_score_center_zero_weight),
    ("dynamicScoreCenterScale", |p| &mut p.dynamic_score_center_scale),
    ("noResultUtilityForWhite", |p| &mut p.no_result_utility_for_white),
    ("drawEquivalentWinsForWhite", |p| &mut p.draw_equivalent_wins_for_white),
    ("cpuctExploration", |p| &mut p.cpuct_exploration),
    ("cpuctExplorationLog", |p| &mut p.cpuct_exploration_log),
    ("cpuctExplorationBase", |p| &mut p.cpuct_exploration_base),
    ("cpuctUtilityStdevPrior", |p| &mut p.cpuct_utility_stdev_prior),
    ("cpuctUtilityStdevPriorWeight", |p| &mut p.cpuct_utility_stdev_prior_weight),
    ("cpuctUtilityStdevScale", |p| &mut p.cpuct_utility_stdev_scale),
    ("fpuReductionMax", |p| &mut p.fpu_reduction_max),
    ("rootFpuReductionMax", |p| &mut p.root_fpu_reduction_max),
    ("fpuLossProp", |p| &mut p.fpu_loss_prop),
    ("rootFpuLossProp", |p| &mut p.root_fpu_loss_prop),
    ("policyOptimism", |p| &mut p.policy_optimism),
    ("rootPolicyOptimism", |p| &mut p.root_policy_optimism),
    ("valueWeightExponent", |p| &mut p.value_weight_exponent),
    ("noisePruneUtilityScale", |p| &mut p.noise_prune_utility_scale),
    ("uncertaintyCoeff", |p| &mut p.uncertainty_coeff),
    ("uncertaintyExponent", |p| &mut p.uncertainty_exponent),
    ("uncertaintyMaxWeight", |p| &mut p.uncertainty_max_weight),
    ("subtreeValueBiasFactor", |p| &mut p.subtree_value_bias_factor),
    ("subtreeValueBiasFreeProp", |p| &mut p.subtree_value_bias_free_prop),
    ("subtreeValueBiasWeightExponent", |p| &mut p.subtree_value_bias_weight_exponent),
    ("rootPolicyTemperature", |p| &mut p.root_policy_temperature),
    ("rootPolicyTemperatureEarly", |p| &mut p.root_policy_temperature_early),
    ("chosenMoveTemperature", |p| &mut p.chosen_move_temperature),
    ("chosenMoveTemperatureEarly", |p| &mut p.chosen_move_temperature_early),
    ("chosenMoveTemperatureHalflife", |p| &mut p.chosen_move_temperature_halflife),
    ("lcbStdevs", |p| &mut p.lcb_stdevs),
    ("minVisitPropForLCB", |p| &mut p.min_visit_prop_for_lcb),
    ("rootEndingBonusPoints", |p| &mut p.root_ending_bonus_points),
    ("playoutDoublingAdvantage", |p| &mut p.playout_doubling_advantage),
];

#[rustfmt::skip]
const SWITCHES: [Switch; 12] = [
    ("useNoisePruning", |p| &mut p.use_noise_pruning),
    ("useUncertainty", |p| &mut p.use_uncertainty),
    ("useGraphSearch", |p| &mut p.use_graph_search),
    ("useLcbForSelection", |p| &mut p.use_lcb_for_selection),
    ("rootNoiseEnabled", |p| &mut p.root_noise_enabled),
    ("rootSymmetryPruning", |p| &mut p.root_symmetry_pruning),
    ("rootPruneUselessMoves", |p| &mut p.root_prune_useless_moves),
    ("conservativePass", |p| &mut p.conservative_pass),
    ("fillDameBeforePass", |p| &mut p.fill_dame_before_pass),
    ("enablePassingHacks", |p| &mut p.enable_passing_hacks),
    ("enableMorePassingHacks", |p| &mut p.enable_more_passing_hacks),
    ("nnRandomize", |p| &mut p.randomize_symmetry),
];

/// Parameters of analysis alone, and of the engine.
const OTHERS: [&str; 6] =
    ["analysisWideRootNoise", "analysisIgnorePreRootHistory", "maxVisits", "maxTime", "numSearchThreads", "lagBuffer"];

impl GtpEngine {
    /// All names, for `kata-list-params`.
    pub(crate) fn parameter_names(&self) -> String {
        let names: Vec<&str> =
            FIELDS.iter().map(|(name, _)| *name).chain(SWITCHES.iter().map(|(name, _)| *name)).chain(OTHERS).collect();
        names.join(" ")
    }

    /// All values, for `kata-get-params`.
    pub(crate) fn all_parameters(&self) -> Value {
        let names = self.parameter_names();
        let values: Map<String, Value> =
            names.split(' ').filter_map(|name| Some((name.to_owned(), self.parameter(name)?))).collect();
        Value::Object(values)
    }

    /// One value.
    pub(crate) fn get_parameter(&self, name: &str) -> Reply {
        self.parameter(name).map(|value| value.to_string()).ok_or_else(|| format!("unknown parameter '{name}'"))
    }

    fn parameter(&self, name: &str) -> Option<Value> {
        let mut params = self.play_params.clone();
        if let Some((_, field)) = FIELDS.iter().find(|(known, _)| *known == name) {
            return Some(json!(*field(&mut params)));
        }
        if let Some((_, switch)) = SWITCHES.iter().find(|(known, _)| *known == name) {
            return Some(json!(*switch(&mut params)));
        }
        Some(match name {
            "analysisWideRootNoise" => json!(self.analysis_params.wide_root_noise),
            "analysisIgnorePreRootHistory" => json!(self.analysis_params.ignore_pre_root_history),
            "maxVisits" => json!(if self.options.max_visits == 0 { NO_LIMIT } else { self.options.max_visits }),
            "maxTime" => json!(self.options.max_time.map_or(1e20, |time| time.as_secs_f64())),
            "numSearchThreads" => json!(self.options.threads),
            "lagBuffer" => json!(self.clocks.lag_buffer),
            _ => return None,
        })
    }

    /// Changes one value, for both playing and analysing where both have it.
    pub(crate) fn set_parameter(&mut self, name: &str, value: &str) -> Reply {
        let wrong = || format!("could not set '{name}' to '{value}'");
        let number = || value.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong);
        let switch_value = || value.to_lowercase().parse::<bool>().map_err(|_| wrong());
        let (mut play, mut analysis) = (self.play_params.clone(), self.analysis_params.clone());
        if let Some((_, field)) = FIELDS.iter().find(|(known, _)| *known == name) {
            let number = number()?;
            *field(&mut play) = number;
            *field(&mut analysis) = number;
        } else if let Some((_, switch)) = SWITCHES.iter().find(|(known, _)| *known == name) {
            let value = switch_value()?;
            *switch(&mut play) = value;
            *switch(&mut analysis) = value;
        } else {
            match name {
                "analysisWideRootNoise" => analysis.wide_root_noise = number()?,
                "analysisIgnorePreRootHistory" => analysis.ignore_pre_root_history = switch_value()?,
                "maxVisits" => {
                    let visits: u64 = value.parse().ok().filter(|visits| *visits > 0).ok_or_else(wrong)?;
                    self.options.max_visits = if visits >= NO_LIMIT { 0 } else { visits };
                }
                "maxTime" => {
                    let seconds = number()?;
                    if seconds < 0.0 {
                        return Err(wrong());
                    }
                    self.options.max_time = (seconds < 1e9).then(|| Duration::from_secs_f64(seconds));
                }
                "numSearchThreads" => {
                    self.options.threads =
                        value.parse().ok().filter(|threads| (1..=1024).contains(threads)).ok_or_else(wrong)?;
                }
                "lagBuffer" => {
                    self.clocks.lag_buffer = number()?.clamp(0.0, 3600.0);
                }
                _ => return Err(format!("unknown parameter '{name}'")),
            }
        }
        play.check().and_then(|()| analysis.check()).map_err(|error| error.to_string())?;
        (self.play_params, self.analysis_params) = (play, analysis);
        Ok(String::new())
    }
}

/// What KataGo says for "no limit".
const NO_LIMIT: u64 = 1 << 50;
