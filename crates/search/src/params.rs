//! Every number that changes what a search computes, with KataGo 1.17.2's defaults.

use honinbo_evaluator::PlayerProfile;
use honinbo_rules::Color;

use crate::error::SearchError;
use crate::human::HumanParams;

/// Parameters of one search. A change of any of them between searches makes the kept tree worthless, so
/// [`Search::set_params`](crate::Search::set_params) drops it.
///
/// Names and defaults follow KataGo v1.17.2 (`searchparams.cpp`, `setup.cpp`); the three constructors are its three
/// uses. Utilities are "wins": 1 is a won game.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchParams {
    /// Weight of winning or losing in the utility, 0 ..= 1.
    pub win_loss_utility_factor: f64,
    /// Weight of the score around zero in the utility, 0 ..= 1.
    pub static_score_utility_factor: f64,
    /// Weight of the score around the moving centre, 0 ..= 1.
    pub dynamic_score_utility_factor: f64,
    /// How far the moving centre is pulled towards zero, 0 ..= 1.
    pub dynamic_score_center_zero_weight: f64,
    /// Width of the moving score utility, in board side lengths.
    pub dynamic_score_center_scale: f64,
    /// Utility for White of a game without result, -1 ..= 1.
    pub no_result_utility_for_white: f64,
    /// Worth of a drawn game for White, in wins, 0 ..= 1.
    pub draw_equivalent_wins_for_white: f64,

    /// Exploration constant.
    pub cpuct_exploration: f64,
    /// Growth of the exploration constant with the logarithm of the visits.
    pub cpuct_exploration_log: f64,
    /// Visits at which that growth sets in.
    pub cpuct_exploration_base: f64,
    /// Standard deviation of utility that is expected before anything is known.
    pub cpuct_utility_stdev_prior: f64,
    /// Weight of that expectation, in visits.
    pub cpuct_utility_stdev_prior_weight: f64,
    /// How far exploration follows the observed standard deviation, 0 ..= 1.
    pub cpuct_utility_stdev_scale: f64,

    /// Reduction of the value of unvisited moves below the root, in utility, when the whole policy has been visited.
    pub fpu_reduction_max: f64,
    /// The same at the root.
    pub root_fpu_reduction_max: f64,
    /// How far the value of unvisited moves is pulled to a loss, 0 ..= 1.
    pub fpu_loss_prop: f64,
    /// The same at the root.
    pub root_fpu_loss_prop: f64,
    /// Whether the parent's average weighs in by the visited share of the policy.
    pub fpu_parent_weight_by_visited_policy: bool,
    /// Exponent of that share.
    pub fpu_parent_weight_by_visited_policy_pow: f64,
    /// Weight of the parent's plain network utility where the share is not used, 0 ..= 1.
    pub fpu_parent_weight: f64,

    /// Policy optimism below the root, 0 ..= 1.
    pub policy_optimism: f64,
    /// Policy optimism at the root, 0 ..= 1.
    pub root_policy_optimism: f64,
    /// Temperature of the network's policy in the whole tree.
    pub nn_policy_temperature: f32,

    /// How strongly good children pull the average of a node, 0 ..= 1; 0 is off.
    pub value_weight_exponent: f64,
    /// Whether visits wasted on bad moves count less.
    pub use_noise_pruning: bool,
    /// Gap in utility over which a wasted visit loses its weight.
    pub noise_prune_utility_scale: f64,
    /// Most weight that one child may lose.
    pub noise_pruning_cap: f64,
    /// Whether evaluations weigh by the network's own estimate of its error.
    pub use_uncertainty: bool,
    /// Error at which an evaluation weighs about one.
    pub uncertainty_coeff: f64,
    /// Exponent of the error.
    pub uncertainty_exponent: f64,
    /// Largest weight of one evaluation.
    pub uncertainty_max_weight: f64,

    /// Whether positions reached by different orders of moves share a node.
    pub use_graph_search: bool,
    /// Chains and regions up to this size make positions depend on their path.
    pub graph_search_rep_bound: u32,
    /// Probability of not taking a visit from a shared node for free.
    pub graph_search_catch_up_leak_prob: f64,

    /// How far evaluations are corrected by the errors of like nodes, 0 ..= 1; 0 is off.
    pub subtree_value_bias_factor: f64,
    /// Share of a deleted node's contribution that is taken back.
    pub subtree_value_bias_free_prop: f64,
    /// Exponent of a node's weight in its bucket.
    pub subtree_value_bias_weight_exponent: f64,

    /// Whether Dirichlet noise is mixed into the root's policy.
    pub root_noise_enabled: bool,
    /// Total concentration of that noise.
    pub root_dirichlet_noise_total_concentration: f64,
    /// Share of that noise.
    pub root_dirichlet_noise_weight: f64,
    /// Temperature of the root's policy late in the game.
    pub root_policy_temperature: f64,
    /// Temperature of the root's policy at the start of the game.
    pub root_policy_temperature_early: f64,
    /// Number of symmetries whose evaluations are averaged at the root, 1 ..= 8.
    pub root_num_symmetries_to_sample: u32,
    /// Whether symmetric duplicates of a root move are left out.
    pub root_symmetry_pruning: bool,
    /// Root moves get at least about this coefficient times their policy in visits, squared-rooted; 0 is off.
    pub root_desired_per_child_visits_coeff: f64,
    /// Widens the search at the root for analysis; 0 is off.
    pub wide_root_noise: f64,
    /// Stop when no move can reach this share of the best move's visits any more; 0 is off.
    pub futile_visits_threshold: f64,

    /// Temperature of the choice of a move late in the game.
    pub chosen_move_temperature: f64,
    /// Temperature of the choice of a move at the start of the game.
    pub chosen_move_temperature_early: f64,
    /// Moves, on 19x19, after which half the difference is gone.
    pub chosen_move_temperature_halflife: f64,
    /// Only moves below this probability feel the temperature, 0 ..= 1.
    pub chosen_move_temperature_only_below_prob: f64,
    /// Visits taken from each move before the choice.
    pub chosen_move_subtract: f64,
    /// Moves with fewer visits than this are not chosen.
    pub chosen_move_prune: f64,
    /// Whether a move with the better lower confidence bound may beat the most visited.
    pub use_lcb_for_selection: bool,
    /// Half width of the confidence bound, in standard deviations.
    pub lcb_stdevs: f64,
    /// Share of the best move's visits that a move needs for that.
    pub min_visit_prop_for_lcb: f64,

    /// Points by which useless moves at the end of the game are held back at the root.
    pub root_ending_bonus_points: f64,
    /// Whether moves into settled area are left out at the root after the opponent has passed four times.
    pub root_prune_useless_moves: bool,
    /// Whether a pass at the root is searched as if it did not end the game.
    pub conservative_pass: bool,
    /// Under territory scoring, whether neutral points are filled before passing.
    pub fill_dame_before_pass: bool,
    /// Whether the network is protected from losing passes.
    pub enable_passing_hacks: bool,
    /// Whether both passing and not passing are tried where a pass would end the game.
    pub enable_more_passing_hacks: bool,
    /// Overrides how pass-alive areas are found; `None` leaves it to network and ruleset.
    pub pass_alive_under_suicide: Option<bool>,
    /// Whether the moves before the root are hidden from the network.
    pub ignore_pre_root_history: bool,
    /// Whether all moves are hidden from the network.
    pub ignore_all_history: bool,
    /// Doublings of playouts that the favoured side has over the other, -3 ..= 3.
    pub playout_doubling_advantage: f64,
    /// The favoured side; `None` is the side that the search is for.
    pub playout_doubling_advantage_player: Option<Color>,
    /// Who plays, for networks of human style, which cannot answer without; the others ignore it.
    pub profile: Option<PlayerProfile>,
    /// What a network of human style beside the main one does, where there is one.
    pub human: HumanParams,

    /// Virtual losses for each leaf that is being evaluated.
    pub virtual_losses_per_leaf: f64,
    /// A search keeps at most one leaf in flight for so many playouts of its limit.
    pub min_playouts_per_leaf: u32,
    /// Whether each evaluation sees the board under a random symmetry; otherwise under none.
    pub randomize_symmetry: bool,
}

impl SearchParams {
    /// What KataGo's analysis engine uses: wide at the root, blind to the moves before it.
    #[must_use]
    pub fn analysis() -> Self {
        Self {
            win_loss_utility_factor: 1.0,
            static_score_utility_factor: 0.1,
            dynamic_score_utility_factor: 0.3,
            dynamic_score_center_zero_weight: 0.20,
            dynamic_score_center_scale: 0.75,
            no_result_utility_for_white: 0.0,
            draw_equivalent_wins_for_white: 0.5,
            cpuct_exploration: 1.0,
            cpuct_exploration_log: 0.45,
            cpuct_exploration_base: 500.0,
            cpuct_utility_stdev_prior: 0.40,
            cpuct_utility_stdev_prior_weight: 2.0,
            cpuct_utility_stdev_scale: 0.85,
            fpu_reduction_max: 0.2,
            root_fpu_reduction_max: 0.1,
            fpu_loss_prop: 0.0,
            root_fpu_loss_prop: 0.0,
            fpu_parent_weight_by_visited_policy: true,
            fpu_parent_weight_by_visited_policy_pow: 2.0,
            fpu_parent_weight: 0.0,
            policy_optimism: 1.0,
            root_policy_optimism: 0.2,
            nn_policy_temperature: 1.0,
            value_weight_exponent: 0.25,
            use_noise_pruning: true,
            noise_prune_utility_scale: 0.15,
            noise_pruning_cap: 1e50,
            use_uncertainty: true,
            uncertainty_coeff: 0.25,
            uncertainty_exponent: 1.0,
            uncertainty_max_weight: 8.0,
            use_graph_search: true,
            graph_search_rep_bound: 11,
            graph_search_catch_up_leak_prob: 0.0,
            subtree_value_bias_factor: 0.45,
            subtree_value_bias_free_prop: 0.8,
            subtree_value_bias_weight_exponent: 0.85,
            root_noise_enabled: false,
            root_dirichlet_noise_total_concentration: 10.83,
            root_dirichlet_noise_weight: 0.25,
            root_policy_temperature: 1.0,
            root_policy_temperature_early: 1.0,
            root_num_symmetries_to_sample: 1,
            root_symmetry_pruning: true,
            root_desired_per_child_visits_coeff: 0.0,
            wide_root_noise: 0.04,
            futile_visits_threshold: 0.0,
            chosen_move_temperature: 0.10,
            chosen_move_temperature_early: 0.50,
            chosen_move_temperature_halflife: 19.0,
            chosen_move_temperature_only_below_prob: 1.0,
            chosen_move_subtract: 0.0,
            chosen_move_prune: 1.0,
            use_lcb_for_selection: true,
            lcb_stdevs: 5.0,
            min_visit_prop_for_lcb: 0.15,
            root_ending_bonus_points: 0.5,
            root_prune_useless_moves: true,
            conservative_pass: true,
            fill_dame_before_pass: false,
            enable_passing_hacks: true,
            enable_more_passing_hacks: true,
            pass_alive_under_suicide: None,
            ignore_pre_root_history: true,
            ignore_all_history: false,
            playout_doubling_advantage: 0.0,
            playout_doubling_advantage_player: None,
            profile: None,
            human: HumanParams::default(),
            virtual_losses_per_leaf: 1.0,
            min_playouts_per_leaf: 8,
            randomize_symmetry: true,
        }
    }

    /// What KataGo uses to play a game through GTP.
    #[must_use]
    pub fn play() -> Self {
        Self { wide_root_noise: 0.0, fill_dame_before_pass: true, ignore_pre_root_history: false, ..Self::analysis() }
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

    /// Whether every number is in its range.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), SearchError> {
        let ranges: [(&'static str, f64, f64, f64, &'static str); 52] = [
            ("win_loss_utility_factor", self.win_loss_utility_factor, 0.0, 1.0, "0 to 1"),
            ("static_score_utility_factor", self.static_score_utility_factor, 0.0, 1.0, "0 to 1"),
            ("dynamic_score_utility_factor", self.dynamic_score_utility_factor, 0.0, 1.0, "0 to 1"),
            ("dynamic_score_center_zero_weight", self.dynamic_score_center_zero_weight, 0.0, 1.0, "0 to 1"),
            ("dynamic_score_center_scale", self.dynamic_score_center_scale, 0.2, 5.0, "0.2 to 5"),
            ("no_result_utility_for_white", self.no_result_utility_for_white, -1.0, 1.0, "-1 to 1"),
            ("draw_equivalent_wins_for_white", self.draw_equivalent_wins_for_white, 0.0, 1.0, "0 to 1"),
            ("cpuct_exploration", self.cpuct_exploration, 0.0, 10.0, "0 to 10"),
            ("cpuct_exploration_log", self.cpuct_exploration_log, 0.0, 10.0, "0 to 10"),
            ("cpuct_exploration_base", self.cpuct_exploration_base, 10.0, 1e5, "10 to 100000"),
            ("cpuct_utility_stdev_prior", self.cpuct_utility_stdev_prior, 1e-8, 10.0, "0.00000001 to 10"),
            ("fpu_reduction_max", self.fpu_reduction_max, 0.0, 2.0, "0 to 2"),
            ("root_fpu_reduction_max", self.root_fpu_reduction_max, 0.0, 2.0, "0 to 2"),
            ("policy_optimism", self.policy_optimism, 0.0, 1.0, "0 to 1"),
            ("root_policy_optimism", self.root_policy_optimism, 0.0, 1.0, "0 to 1"),
            ("nn_policy_temperature", f64::from(self.nn_policy_temperature), 0.01, 5.0, "0.01 to 5"),
            ("value_weight_exponent", self.value_weight_exponent, 0.0, 1.0, "0 to 1"),
            ("uncertainty_coeff", self.uncertainty_coeff, 1e-4, 1.0, "0.0001 to 1"),
            ("uncertainty_max_weight", self.uncertainty_max_weight, 1.0, 100.0, "1 to 100"),
            ("wide_root_noise", self.wide_root_noise, 0.0, 5.0, "0 to 5"),
            ("lcb_stdevs", self.lcb_stdevs, 1.0, 12.0, "1 to 12"),
            ("min_visit_prop_for_lcb", self.min_visit_prop_for_lcb, 0.0, 1.0, "0 to 1"),
            ("cpuct_utility_stdev_prior_weight", self.cpuct_utility_stdev_prior_weight, 0.0, 100.0, "0 to 100"),
            ("cpuct_utility_stdev_scale", self.cpuct_utility_stdev_scale, 0.0, 1.0, "0 to 1"),
            ("fpu_loss_prop", self.fpu_loss_prop, 0.0, 1.0, "0 to 1"),
            ("root_fpu_loss_prop", self.root_fpu_loss_prop, 0.0, 1.0, "0 to 1"),
            ("noise_prune_utility_scale", self.noise_prune_utility_scale, 0.001, 10.0, "0.001 to 10"),
            ("uncertainty_exponent", self.uncertainty_exponent, 0.0, 2.0, "0 to 2"),
            ("subtree_value_bias_factor", self.subtree_value_bias_factor, 0.0, 1.0, "0 to 1"),
            ("subtree_value_bias_free_prop", self.subtree_value_bias_free_prop, 0.0, 1.0, "0 to 1"),
            ("subtree_value_bias_weight_exponent", self.subtree_value_bias_weight_exponent, 0.0, 1.0, "0 to 1"),
            ("root_policy_temperature", self.root_policy_temperature, 0.01, 100.0, "0.01 to 100"),
            ("root_policy_temperature_early", self.root_policy_temperature_early, 0.01, 100.0, "0.01 to 100"),
            ("root_dirichlet_noise_weight", self.root_dirichlet_noise_weight, 0.0, 1.0, "0 to 1"),
            ("root_num_symmetries_to_sample", self.root_num_symmetries_to_sample.into(), 1.0, 8.0, "1 to 8"),
            ("root_ending_bonus_points", self.root_ending_bonus_points, -1.0, 1.0, "-1 to 1"),
            ("futile_visits_threshold", self.futile_visits_threshold, 0.0, 1.0, "0 to 1"),
            ("chosen_move_temperature", self.chosen_move_temperature, 0.0, 5.0, "0 to 5"),
            ("chosen_move_temperature_early", self.chosen_move_temperature_early, 0.0, 5.0, "0 to 5"),
            ("chosen_move_temperature_halflife", self.chosen_move_temperature_halflife, 0.1, 1e5, "0.1 to 100000"),
            (
                "chosen_move_temperature_only_below_prob",
                self.chosen_move_temperature_only_below_prob,
                0.0,
                1.0,
                "0 to 1",
            ),
            ("playout_doubling_advantage", self.playout_doubling_advantage, -3.0, 3.0, "-3 to 3"),
            ("human.cpuct_exploration", self.human.cpuct_exploration, 0.0, 1000.0, "0 to 1000"),
            ("human.cpuct_permanent", self.human.cpuct_permanent, 0.0, 1000.0, "0 to 1000"),
            ("human.at_root.weightless", self.human.at_root.weightless, 0.0, 1.0, "0 to 1"),
            ("human.at_root.weightful", self.human.at_root.weightful, 0.0, 1.0, "0 to 1"),
            ("human.for_player.weightless", self.human.for_player.weightless, 0.0, 1.0, "0 to 1"),
            ("human.for_player.weightful", self.human.for_player.weightful, 0.0, 1.0, "0 to 1"),
            ("human.for_opponent.weightless", self.human.for_opponent.weightless, 0.0, 1.0, "0 to 1"),
            ("human.for_opponent.weightful", self.human.for_opponent.weightful, 0.0, 1.0, "0 to 1"),
            ("human.chosen_move_prop", self.human.chosen_move_prop, 0.0, 1.0, "0 to 1"),
            (
                "human.chosen_move_pikl_lambda",
                self.human.chosen_move_pikl_lambda,
                1e-9,
                1e9,
                "0.000000001 to 1000000000",
            ),
        ];
        for (name, value, low, high, expected) in ranges {
            if !(low..=high).contains(&value) {
                return Err(SearchError::Parameter { name, value: value.to_string(), expected });
            }
        }
        if self.utility_radius() <= 0.0 {
            let value = self.utility_radius().to_string();
            return Err(SearchError::Parameter { name: "sum of the utility factors", value, expected: "above 0" });
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
