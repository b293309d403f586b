//! Every number that changes what a search computes, with KataGo 1.17.2's defaults, limits and names.

use honinbo_evaluator::PlayerProfile;
use honinbo_rules::Color;

use crate::error::SearchError;
use crate::human::HumanParams;
use crate::parameter::Names::{Analysis, Apart, Shared, Split};
use crate::parameter::{Kind, Parameter, Range};

/// The limits of what has none.
const ANY: Range = f64::NEG_INFINITY..=f64::INFINITY;

/// Makes the parameters' struct, their usual values and the table of them from one list.
///
/// A line: field, type, usual value in analysis, limits, names in the protocols.
macro_rules! parameters {
    (
        $(#[$outer:meta])*
        pub struct $params:ident {
            $($(#[$doc:meta])* $field:ident: $kind:ty = $usual:expr, $limits:expr, $names:expr;)*
        }
        human {
            $($($part:ident).+, $human_limits:expr, $human_names:expr;)*
        }
    ) => {
        $(#[$outer])*
        pub struct $params {
            $($(#[$doc])* pub $field: $kind,)*
            /// What a network of human style beside the main one does, where there is one.
            pub human: HumanParams,
        }

        impl $params {
            /// What KataGo's analysis engine uses: wide at the root, blind to the moves before it.
            #[must_use]
            pub fn analysis() -> Self {
                Self { $($field: $usual,)* human: HumanParams::default() }
            }
        }

        static TABLE: &[Parameter] = &[
            $(parameters!(@row [$field], $limits, $names),)*
            $(parameters!(@row [$($part).+], $human_limits, $human_names),)*
        ];
    };
    (@row [$($part:ident).+], $limits:expr, $names:expr) => {
        Parameter {
            field: parameters!(@path $($part).+),
            names: $names,
            limits: $limits,
            get: |params| Kind::setting(&params.$($part).+),
            set: |params, text| Kind::parse(text).map(|value| params.$($part).+ = value),
        }
    };
    (@path $one:ident) => { stringify!($one) };
    (@path $one:ident . $($rest:ident).+) => { concat!(stringify!($one), ".", parameters!(@path $($rest).+)) };
}

parameters! {
    /// Parameters of one search. A change of any of them between searches makes the kept tree worthless, so
    /// [`Search::set_params`](crate::Search::set_params) drops it.
    ///
    /// Names, defaults and limits follow KataGo v1.17.2 (`searchparams.cpp`, `setup.cpp`); the three constructors are
    /// its three uses. Utilities are "wins": 1 is a won game. [`SearchParams::table`] has them all as data.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SearchParams {
        /// Weight of winning or losing in the utility, 0 ..= 1.
        win_loss_utility_factor: f64 = 1.0, 0.0..=1.0, Shared("winLossUtilityFactor");
        /// Weight of the score around zero in the utility, 0 ..= 1.
        static_score_utility_factor: f64 = 0.1, 0.0..=1.0, Shared("staticScoreUtilityFactor");
        /// Weight of the score around the moving centre, 0 ..= 1.
        dynamic_score_utility_factor: f64 = 0.3, 0.0..=1.0, Shared("dynamicScoreUtilityFactor");
        /// How far the moving centre is pulled towards zero, 0 ..= 1.
        dynamic_score_center_zero_weight: f64 = 0.20, 0.0..=1.0, Shared("dynamicScoreCenterZeroWeight");
        /// Width of the moving score utility, in board side lengths.
        dynamic_score_center_scale: f64 = 0.75, 0.2..=5.0, Shared("dynamicScoreCenterScale");
        /// Utility for White of a game without result, -1 ..= 1.
        no_result_utility_for_white: f64 = 0.0, -1.0..=1.0, Shared("noResultUtilityForWhite");
        /// Worth of a drawn game for White, in wins, 0 ..= 1.
        draw_equivalent_wins_for_white: f64 = 0.5, 0.0..=1.0, Shared("drawEquivalentWinsForWhite");

        /// Exploration constant.
        cpuct_exploration: f64 = 1.0, 0.0..=10.0, Shared("cpuctExploration");
        /// Growth of the exploration constant with the logarithm of the visits.
        cpuct_exploration_log: f64 = 0.45, 0.0..=10.0, Shared("cpuctExplorationLog");
        /// Visits at which that growth sets in.
        cpuct_exploration_base: f64 = 500.0, 10.0..=1e5, Shared("cpuctExplorationBase");
        /// Standard deviation of utility that is expected before anything is known.
        cpuct_utility_stdev_prior: f64 = 0.40, 1e-8..=10.0, Shared("cpuctUtilityStdevPrior");
        /// Weight of that expectation, in visits.
        cpuct_utility_stdev_prior_weight: f64 = 2.0, 0.0..=100.0, Shared("cpuctUtilityStdevPriorWeight");
        /// How far exploration follows the observed standard deviation, 0 ..= 1.
        cpuct_utility_stdev_scale: f64 = 0.85, 0.0..=1.0, Shared("cpuctUtilityStdevScale");

        /// Reduction of the value of unvisited moves below the root, in utility, when the whole policy has been visited.
        fpu_reduction_max: f64 = 0.2, 0.0..=2.0, Shared("fpuReductionMax");
        /// The same at the root.
        root_fpu_reduction_max: f64 = 0.1, 0.0..=2.0, Shared("rootFpuReductionMax");
        /// How far the value of unvisited moves is pulled to a loss, 0 ..= 1.
        fpu_loss_prop: f64 = 0.0, 0.0..=1.0, Shared("fpuLossProp");
        /// The same at the root.
        root_fpu_loss_prop: f64 = 0.0, 0.0..=1.0, Shared("rootFpuLossProp");
        /// Whether the parent's average weighs in by the visited share of the policy.
        fpu_parent_weight_by_visited_policy: bool = true, ANY, Shared("fpuParentWeightByVisitedPolicy");
        /// Exponent of that share.
        fpu_parent_weight_by_visited_policy_pow: f64 = 2.0, 0.0..=5.0, Shared("fpuParentWeightByVisitedPolicyPow");
        /// Weight of the parent's plain network utility where the share is not used, 0 ..= 1.
        fpu_parent_weight: f64 = 0.0, 0.0..=1.0, Shared("fpuParentWeight");

        /// Policy optimism below the root, 0 ..= 1.
        policy_optimism: f64 = 1.0, 0.0..=1.0, Shared("policyOptimism");
        /// Policy optimism at the root, 0 ..= 1.
        root_policy_optimism: f64 = 0.2, 0.0..=1.0, Shared("rootPolicyOptimism");
        /// Temperature of the network's policy in the whole tree.
        nn_policy_temperature: f32 = 1.0, 0.01..=5.0, Shared("nnPolicyTemperature");

        /// How strongly good children pull the average of a node, 0 ..= 1; 0 is off.
        value_weight_exponent: f64 = 0.25, 0.0..=1.0, Shared("valueWeightExponent");
        /// Whether visits wasted on bad moves count less.
        use_noise_pruning: bool = true, ANY, Shared("useNoisePruning");
        /// Gap in utility over which a wasted visit loses its weight.
        noise_prune_utility_scale: f64 = 0.15, 0.001..=10.0, Shared("noisePruneUtilityScale");
        /// Most weight that one child may lose.
        noise_pruning_cap: f64 = 1e50, 0.0..=1e50, Shared("noisePruningCap");
        /// Whether evaluations weigh by the network's own estimate of its error.
        use_uncertainty: bool = true, ANY, Shared("useUncertainty");
        /// Error at which an evaluation weighs about one.
        uncertainty_coeff: f64 = 0.25, 1e-4..=1.0, Shared("uncertaintyCoeff");
        /// Exponent of the error.
        uncertainty_exponent: f64 = 1.0, 0.0..=2.0, Shared("uncertaintyExponent");
        /// Largest weight of one evaluation.
        uncertainty_max_weight: f64 = 8.0, 1.0..=100.0, Shared("uncertaintyMaxWeight");

        /// Whether positions reached by different orders of moves share a node.
        use_graph_search: bool = true, ANY, Shared("useGraphSearch");
        /// Chains and regions up to this size make positions depend on their path.
        graph_search_rep_bound: u32 = 11, 3.0..=50.0, Shared("graphSearchRepBound");
        /// Probability of not taking a visit from a shared node for free.
        graph_search_catch_up_leak_prob: f64 = 0.0, 0.0..=1.0, Shared("graphSearchCatchUpLeakProb");

        /// How far evaluations are corrected by the errors of like nodes, 0 ..= 1; 0 is off.
        subtree_value_bias_factor: f64 = 0.45, 0.0..=1.0, Shared("subtreeValueBiasFactor");
        /// Share of a deleted node's contribution that is taken back.
        subtree_value_bias_free_prop: f64 = 0.8, 0.0..=1.0, Shared("subtreeValueBiasFreeProp");
        /// Exponent of a node's weight in its bucket.
        subtree_value_bias_weight_exponent: f64 = 0.85, 0.0..=1.0, Shared("subtreeValueBiasWeightExponent");

        /// Whether Dirichlet noise is mixed into the root's policy.
        root_noise_enabled: bool = false, ANY, Shared("rootNoiseEnabled");
        /// Total concentration of that noise.
        root_dirichlet_noise_total_concentration: f64 = 10.83, 0.001..=10000.0, Shared("rootDirichletNoiseTotalConcentration");
        /// Share of that noise.
        root_dirichlet_noise_weight: f64 = 0.25, 0.0..=1.0, Shared("rootDirichletNoiseWeight");
        /// Temperature of the root's policy late in the game.
        root_policy_temperature: f64 = 1.0, 0.01..=100.0, Shared("rootPolicyTemperature");
        /// Temperature of the root's policy at the start of the game.
        root_policy_temperature_early: f64 = 1.0, 0.01..=100.0, Shared("rootPolicyTemperatureEarly");
        /// Number of symmetries whose evaluations are averaged at the root, 1 ..= 8.
        root_num_symmetries_to_sample: u32 = 1, 1.0..=8.0, Shared("rootNumSymmetriesToSample");
        /// Whether symmetric duplicates of a root move are left out.
        root_symmetry_pruning: bool = true, ANY, Shared("rootSymmetryPruning");
        /// Root moves get at least about this coefficient times their policy in visits, squared-rooted; 0 is off.
        root_desired_per_child_visits_coeff: f64 = 0.0, 0.0..=100.0, Shared("rootDesiredPerChildVisitsCoeff");
        /// Widens the search at the root for analysis; 0 is off.
        wide_root_noise: f64 = 0.04, 0.0..=5.0, Apart { usual: "wideRootNoise", gtp_analysis: "analysisWideRootNoise" };
        /// Stop when no move can reach this share of the best move's visits any more; 0 is off.
        futile_visits_threshold: f64 = 0.0, 0.0..=1.0, Analysis("futileVisitsThreshold");

        /// Temperature of the choice of a move late in the game.
        chosen_move_temperature: f64 = 0.10, 0.0..=5.0, Shared("chosenMoveTemperature");
        /// Temperature of the choice of a move at the start of the game.
        chosen_move_temperature_early: f64 = 0.50, 0.0..=5.0, Shared("chosenMoveTemperatureEarly");
        /// Moves, on 19x19, after which half the difference is gone.
        chosen_move_temperature_halflife: f64 = 19.0, 0.1..=1e5, Shared("chosenMoveTemperatureHalflife");
        /// Only moves below this probability feel the temperature, 0 ..= 1.
        chosen_move_temperature_only_below_prob: f64 = 1.0, 0.0..=1.0, Shared("chosenMoveTemperatureOnlyBelowProb");
        /// Visits taken from each move before the choice.
        chosen_move_subtract: f64 = 0.0, 0.0..=1e10, Shared("chosenMoveSubtract");
        /// Moves with fewer visits than this are not chosen.
        chosen_move_prune: f64 = 1.0, 0.0..=1e10, Shared("chosenMovePrune");
        /// Whether a move with the better lower confidence bound may beat the most visited.
        use_lcb_for_selection: bool = true, ANY, Shared("useLcbForSelection");
        /// Half width of the confidence bound, in standard deviations.
        lcb_stdevs: f64 = 5.0, 1.0..=12.0, Shared("lcbStdevs");
        /// Share of the best move's visits that a move needs for that.
        min_visit_prop_for_lcb: f64 = 0.15, 0.0..=1.0, Shared("minVisitPropForLCB");

        /// Points by which useless moves at the end of the game are held back at the root.
        root_ending_bonus_points: f64 = 0.5, -1.0..=1.0, Shared("rootEndingBonusPoints");
        /// Whether moves into settled area are left out at the root after the opponent has passed four times.
        root_prune_useless_moves: bool = true, ANY, Shared("rootPruneUselessMoves");
        /// Whether a pass at the root is searched as if it did not end the game.
        conservative_pass: bool = true, ANY, Shared("conservativePass");
        /// Under territory scoring, whether neutral points are filled before passing.
        fill_dame_before_pass: bool = false, ANY, Shared("fillDameBeforePass");
        /// Whether the network is protected from losing passes.
        enable_passing_hacks: bool = true, ANY, Shared("enablePassingHacks");
        /// Whether both passing and not passing are tried where a pass would end the game.
        enable_more_passing_hacks: bool = true, ANY, Shared("enableMorePassingHacks");
        /// Whether the network is shown pass-alive areas as if suicide were legal; `None` leaves it to network and ruleset.
        pass_alive_under_suicide: Option<bool> = None, ANY, Shared("alwaysComputePassAliveUnderSuicideRules");
        /// Whether the network is shown no territory beside a chain of its owner in atari; `None` leaves it to the network.
        exclude_beside_atari: Option<bool> = None, ANY, Shared("excludeTerritoryAdjacentToAtari");
        /// Whether the moves before the root are hidden from the network.
        ignore_pre_root_history: bool = true, ANY, Apart { usual: "ignorePreRootHistory", gtp_analysis: "analysisIgnorePreRootHistory" };
        /// Whether all moves are hidden from the network.
        ignore_all_history: bool = false, ANY, Analysis("ignoreAllHistory");
        /// Doublings of playouts that the favoured side has over the other, -3 ..= 3.
        playout_doubling_advantage: f64 = 0.0, -3.0..=3.0, Shared("playoutDoublingAdvantage");
        /// Whether an opponent who mirrors every move is recognised, and led to where it ends.
        anti_mirror: bool = false, ANY, Split { usual: "antiMirror", gtp_playing: "genmoveAntiMirror" };
        /// Utility that making a shape again costs the player who is searched for, which keeps games varied; -3 ..= 3.
        avoid_repeated_pattern_utility: f64 = 0.0, -3.0..=3.0, Shared("avoidRepeatedPatternUtility");
        /// The favoured side; `None` is the side that the search is for.
        playout_doubling_advantage_player: Option<Color> = None, ANY, Shared("playoutDoublingAdvantagePla");
        /// Who plays, for networks of human style, which cannot answer without; the others ignore it.
        profile: Option<PlayerProfile> = None, ANY, Shared("humanSLProfile");

        /// Virtual losses for each leaf that is being evaluated.
        virtual_losses_per_leaf: f64 = 1.0, 0.01..=1000.0, Shared("numVirtualLossesPerThread");
        /// A search keeps at most one leaf in flight for so many playouts of its limit.
        min_playouts_per_leaf: u32 = 8, 0.0..=1e9, Shared("minPlayoutsPerThread");
        /// Whether each evaluation sees the board under a random symmetry; otherwise under none.
        randomize_symmetry: bool = true, ANY, Shared("nnRandomize");
    }
    human {
        human.cpuct_exploration, 0.0..=1000.0, Shared("humanSLCpuctExploration");
        human.cpuct_permanent, 0.0..=1000.0, Shared("humanSLCpuctPermanent");
        human.at_root.weightless, 0.0..=1.0, Shared("humanSLRootExploreProbWeightless");
        human.at_root.weightful, 0.0..=1.0, Shared("humanSLRootExploreProbWeightful");
        human.for_player.weightless, 0.0..=1.0, Shared("humanSLPlaExploreProbWeightless");
        human.for_player.weightful, 0.0..=1.0, Shared("humanSLPlaExploreProbWeightful");
        human.for_opponent.weightless, 0.0..=1.0, Shared("humanSLOppExploreProbWeightless");
        human.for_opponent.weightful, 0.0..=1.0, Shared("humanSLOppExploreProbWeightful");
        human.chosen_move_prop, 0.0..=1.0, Shared("humanSLChosenMoveProp");
        human.chosen_move_ignore_pass, ANY, Shared("humanSLChosenMoveIgnorePass");
        // KataGo allows 0, and divides by it.
        human.chosen_move_pikl_lambda, 1e-9..=1e9, Shared("humanSLChosenMovePiklLambda");
    }
}

impl SearchParams {
    /// Every parameter, in the order of their fields.
    #[must_use]
    pub fn table() -> &'static [Parameter] {
        TABLE
    }

    /// What KataGo uses to play a game through GTP.
    #[must_use]
    pub fn play() -> Self {
        Self {
            wide_root_noise: 0.0,
            fill_dame_before_pass: true,
            ignore_pre_root_history: false,
            anti_mirror: true,
            ..Self::analysis()
        }
    }

    /// What the recorded searches of KataGo's analysis engine were made with: nothing random, all history shown, and
    /// mirror images of root moves searched like any others.
    #[must_use]
    pub fn deterministic_analysis() -> Self {
        Self {
            wide_root_noise: 0.0,
            ignore_pre_root_history: false,
            randomize_symmetry: false,
            root_symmetry_pruning: false,
            ..Self::analysis()
        }
    }

    /// Gives parameters whose usual value hangs on another one that value, but for those whose field `chosen` says
    /// somebody set himself. As in KataGo's configuration files, where `rootPolicyTemperature` alone holds early in the
    /// game too (`setup.cpp`).
    pub fn follow(&mut self, chosen: impl Fn(&str) -> bool) {
        if !chosen("root_policy_temperature_early") {
            self.root_policy_temperature_early = self.root_policy_temperature;
        }
        if !chosen("root_fpu_loss_prop") {
            self.root_fpu_loss_prop = self.fpu_loss_prop;
        }
        if !chosen("root_fpu_reduction_max") {
            self.root_fpu_reduction_max = if self.root_noise_enabled { 0.0 } else { 0.1 };
        }
        if !chosen("root_policy_optimism") {
            self.root_policy_optimism = self.policy_optimism.min(0.2);
        }
    }

    /// Whether every number is within its limits.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), SearchError> {
        for parameter in TABLE {
            parameter.check(self)?;
        }
        if self.utility_radius() <= 0.0 {
            let value = self.utility_radius().to_string();
            let expected = "above 0".into();
            return Err(SearchError::Parameter { name: "sum of the utility factors", value, expected });
        }
        Ok(())
    }

    /// The greatest possible utility: a win by a great margin.
    #[must_use]
    pub fn utility_radius(&self) -> f64 {
        self.win_loss_utility_factor + self.static_score_utility_factor + self.dynamic_score_utility_factor
    }
}

impl Default for SearchParams {
    fn default() -> Self {
        Self::analysis()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The paths of all fields, as the struct itself prints them.
    fn fields() -> Vec<String> {
        let (mut path, mut fields) = (Vec::new(), Vec::new());
        for line in format!("{:#?}", SearchParams::analysis()).lines().skip(1) {
            if let Some((name, value)) = line.trim().split_once(": ") {
                path.push(name.to_owned());
                if !value.ends_with('{') {
                    fields.push(path.join("."));
                    path.pop();
                }
            } else {
                path.pop();
            }
        }
        fields
    }

    #[test]
    fn every_field_is_in_the_table_once() {
        let fields = fields();
        let listed: Vec<&str> = SearchParams::table().iter().map(|parameter| parameter.field).collect();
        assert!(fields.len() > 70, "{}", fields.len());
        assert_eq!(fields.iter().collect::<BTreeSet<_>>().len(), fields.len());
        assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len());
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        assert_eq!(sorted(fields), sorted(listed.iter().map(|field| (*field).to_owned()).collect()));
    }

    #[test]
    fn no_name_stands_for_two_parameters() {
        let names = || SearchParams::table().iter().flat_map(|parameter| parameter.names.all());
        assert_eq!(names().collect::<BTreeSet<_>>().len(), names().count());
    }

    #[test]
    fn every_number_has_limits_and_its_usual_value_is_within_them() {
        for params in [SearchParams::analysis(), SearchParams::play(), SearchParams::deterministic_analysis()] {
            assert_eq!(params.check(), Ok(()));
        }
        for parameter in SearchParams::table() {
            let usual = (parameter.get)(&SearchParams::analysis());
            assert_eq!(usual.number().is_some(), parameter.limits != ANY, "{}", parameter.field);
            if usual.number().is_some() {
                let mut params = SearchParams::analysis();
                for beyond in [parameter.limits.start() - 1.0, parameter.limits.end() * 2.0 + 1.0] {
                    // A count cannot be negative, and says so by itself.
                    if (parameter.set)(&mut params, &beyond.to_string()).is_some() {
                        assert!(parameter.check(&params).is_err(), "{} = {beyond}", parameter.field);
                    }
                }
            }
        }
    }

    #[test]
    fn a_value_out_of_range_is_named_with_its_limits() {
        let error = SearchParams { cpuct_exploration_base: 1.0, ..SearchParams::analysis() }.check().unwrap_err();
        assert_eq!(error.to_string(), "cpuct_exploration_base is 1, expected 10 to 100000");
        let mut params = SearchParams::analysis();
        params.human.at_root.weightful = f64::NAN;
        let error = params.check().unwrap_err();
        assert_eq!(error.to_string(), "human.at_root.weightful is NaN, expected 0 to 1");
    }
}
