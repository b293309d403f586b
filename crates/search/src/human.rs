//! A network of human style beside the main one: it may lead playouts to the moves that people play, and share in the
//! choice of the move.
//!
//! Source: KataGo v1.17.2, `searchparams.h`, `searchexplorehelpers.cpp` and `searchresults.cpp`.

use std::ops::Deref;
use std::sync::Arc;

use honinbo_evaluator::{Evaluation, Evaluator};

use crate::params::SearchParams;
use honinbo_rules::Random;

/// What a network of human style does in a search that has one beside the main network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HumanParams {
    /// Exploration scale of playouts that it leads.
    pub cpuct_exploration: f64,
    /// Growth of that scale with the square root of the weight of a node's moves.
    pub cpuct_permanent: f64,
    /// How often it leads at the root.
    pub at_root: HumanShare,
    /// How often it leads below the root, where the player is to move who is searched for.
    pub for_player: HumanShare,
    /// How often it leads below the root, where the other player is to move.
    pub for_opponent: HumanShare,
    /// Its share in the choice of the move, 0 ..= 1.
    pub chosen_move_prop: f64,
    /// Whether a pass is chosen as often as without it.
    pub chosen_move_ignore_pass: bool,
    /// Its moves become e times as rare for so much utility less than the best.
    pub chosen_move_pikl_lambda: f64,
}

impl Default for HumanParams {
    /// It is asked about the root, and has no influence.
    fn default() -> Self {
        Self {
            cpuct_exploration: 1.0,
            cpuct_permanent: 0.0,
            at_root: HumanShare::default(),
            for_player: HumanShare::default(),
            for_opponent: HumanShare::default(),
            chosen_move_prop: 0.0,
            chosen_move_ignore_pass: false,
            chosen_move_pikl_lambda: 1e9,
        }
    }
}

impl HumanParams {
    /// Whether the network leads playouts below the root.
    pub(crate) fn leads_below_root(&self) -> bool {
        self.for_player.total() > 0.0 || self.for_opponent.total() > 0.0
    }

    /// Whether the two players are not searched alike, so that what was searched for one is not for the other.
    pub(crate) fn is_partial(&self) -> bool {
        self.for_player != self.for_opponent || self.for_player != self.at_root
    }

    /// Exploration scale of a playout that the network leads at a node whose moves weigh so much together.
    pub(crate) fn explore_scaling(&self, children_weight: f64) -> f64 {
        (self.cpuct_exploration + self.cpuct_permanent * children_weight.sqrt()) * (children_weight + 0.01).sqrt()
    }
}

/// How often playouts go by the policy of the network of human style, 0 ..= 1 each.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HumanShare {
    /// Playouts that only add to what is known below: the node and those above it learn nothing of them.
    pub weightless: f64,
    /// Playouts that count like any others.
    pub weightful: f64,
}

impl HumanShare {
    fn total(self) -> f64 {
        self.weightless + self.weightful
    }

    /// Whether the network leads this playout, and whether it counts then.
    pub(crate) fn draw(self, random: &mut Random) -> Option<Lead> {
        if self.total() <= 0.0 {
            return None;
        }
        let drawn = random.unit();
        if drawn < self.weightless { Some(Lead::Weightless) } else { (drawn < self.total()).then_some(Lead::Weightful) }
    }
}

/// How a playout that the network of human style leads counts at the node where it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lead {
    Weightless,
    Weightful,
}

/// A network of human style that a search asks beside its own.
#[derive(Clone)]
pub struct HumanEvaluator {
    /// The network.
    pub evaluator: Arc<dyn Evaluator>,
    /// Whether it cannot answer without a profile of who plays. It is not asked then while there is none.
    pub needs_profile: bool,
}

impl HumanEvaluator {
    /// Whether it can answer under these parameters.
    pub(crate) fn can_answer(&self, params: &SearchParams) -> bool {
        !self.needs_profile || params.profile.is_some()
    }
}

impl std::fmt::Debug for HumanEvaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HumanEvaluator").field("needs_profile", &self.needs_profile).finish_non_exhaustive()
    }
}

/// What the networks say of a position: the main one, and the policy of the one of human style where it was asked.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) evaluation: Evaluation,
    pub(crate) human_policy: Option<Box<[f32]>>,
}

impl Deref for Answer {
    type Target = Evaluation;

    fn deref(&self) -> &Evaluation {
        &self.evaluation
    }
}

/// A root move as the choice of the move sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HumanChoice {
    /// Point index of the move, the area for a pass.
    pub(crate) mv: u16,
    /// The weight with which it would be chosen without the network of human style.
    pub(crate) value: f64,
    /// Mean utility for the player to move; `None` where the move has no child.
    pub(crate) self_utility: Option<f64>,
    /// A pass that must not be chosen now.
    pub(crate) suppressed: bool,
}

/// Gives the network of human style its share in the weights of the choice, in the order of `choices`.
pub(crate) fn with_human_share(params: &HumanParams, policy: &[f32], pass: u16, choices: &[HumanChoice]) -> Vec<f64> {
    let known: Vec<f64> = choices.iter().filter_map(|choice| choice.self_utility).collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    let best = known.iter().copied().fold(mean, f64::max);
    let human = |choice: &HumanChoice| {
        let p = if choice.suppressed { 0.0 } else { f64::from(policy[usize::from(choice.mv)]).max(0.0) };
        p * ((choice.self_utility.unwrap_or(mean) - best) / params.chosen_move_pikl_lambda).exp()
    };
    let mut shares: Vec<f64> = choices.iter().map(human).collect();
    let values: Vec<f64> = choices.iter().map(|choice| choice.value).collect();
    let (sum, all) = (shares.iter().sum::<f64>(), values.iter().sum::<f64>());
    if sum <= 0.0 || all <= 0.0 {
        return values;
    }
    shares.iter_mut().for_each(|share| *share /= sum);
    if params.chosen_move_ignore_pass {
        let without_pass = |numbers: &[f64]| -> f64 {
            numbers.iter().zip(choices).filter(|(_, choice)| choice.mv != pass).map(|(number, _)| number).sum()
        };
        let (moves, searched) = (without_pass(&shares), without_pass(&values));
        if moves > 0.0 {
            for (share, choice) in shares.iter_mut().zip(choices) {
                *share = if choice.mv == pass { (all - searched) / all } else { *share / moves * searched / all };
            }
        }
    }
    let mix = |(value, share): (&f64, f64)| value + params.chosen_move_prop * (all * share - value);
    values.iter().zip(shares).map(mix).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pass is the last of three points.
    const PASS: u16 = 2;

    fn choice(mv: u16, value: f64, self_utility: Option<f64>) -> HumanChoice {
        HumanChoice { mv, value, self_utility, suppressed: false }
    }

    fn mixed(params: HumanParams, policy: [f32; 3], choices: &[HumanChoice]) -> Vec<f64> {
        with_human_share(&params, &policy, PASS, choices).into_iter().map(|value| (value * 1e6).round() / 1e6).collect()
    }

    #[test]
    fn the_choice_is_shared() {
        let choices = [choice(0, 6.0, Some(0.5)), choice(1, 2.0, Some(-0.5)), choice(PASS, 2.0, None)];
        let policy = [0.1, 0.6, 0.3];
        let half = HumanParams { chosen_move_prop: 0.5, ..HumanParams::default() };
        assert_eq!(mixed(half, policy, &choices), [3.5, 4.0, 2.5]);
        // A fifth of the choice is passes, whatever people do; the rest is theirs.
        let own_pass = HumanParams { chosen_move_prop: 1.0, chosen_move_ignore_pass: true, ..HumanParams::default() };
        assert_eq!(mixed(own_pass, policy, &choices), [1.142_857, 6.857_143, 2.0]);
        // The second move is one utility worse, the pass, which nothing is known of, half of one.
        let careful = HumanParams { chosen_move_prop: 1.0, chosen_move_pikl_lambda: 0.5, ..HumanParams::default() };
        let shares = [0.1, 0.6 * (-2.0f64).exp(), 0.3 * (-1.0f64).exp()];
        let sum: f64 = shares.iter().sum();
        for (found, share) in mixed(careful, policy, &choices).into_iter().zip(shares) {
            assert!((found - 10.0 * share / sum).abs() < 1e-5, "{found}, not {}", 10.0 * share / sum);
        }
        let no_pass = choices.map(|choice| HumanChoice { suppressed: choice.mv == PASS, ..choice });
        let all = HumanParams { chosen_move_prop: 1.0, ..HumanParams::default() };
        assert_eq!(mixed(all, policy, &no_pass), [1.428_571, 8.571_429, 0.0]);
        assert_eq!(mixed(all, [0.0, -1.0, 0.0], &choices), [6.0, 2.0, 2.0], "nobody plays any of these");
        assert_eq!(mixed(all, policy, &[]), [0.0; 0]);
    }

    #[test]
    fn playouts_are_led_as_often_as_asked_for() {
        let mut random = Random::new(5);
        let share = HumanShare { weightless: 0.5, weightful: 0.25 };
        let drawn: Vec<_> = (0..4000).map(|_| share.draw(&mut random)).collect();
        let count = |wanted: Option<Lead>| drawn.iter().filter(|lead| **lead == wanted).count();
        assert!((1900..2100).contains(&count(Some(Lead::Weightless))));
        assert!((900..1100).contains(&count(Some(Lead::Weightful))));
        let before = random.clone().next_u64();
        assert_eq!(HumanShare::default().draw(&mut random), None);
        assert_eq!(random.next_u64(), before, "nothing is drawn where nothing can come of it");
    }
}
