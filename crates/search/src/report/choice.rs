//! The weights by which moves are chosen.

use honinbo_rules::Move;

use super::node::NodeCopy;
use crate::choose::{ChoiceChild, play_selection_values, prune};
use crate::human::{HumanChoice, with_human_share};
use crate::position;
use crate::root_state::RootState;
use crate::tree::Tree;

/// The weight with which each move of the root would be played, first the searched ones in the order of their first
/// visit. Where nothing was searched the policy decides.
pub(crate) fn play_weights(tree: &Tree, root_state: &RootState) -> Option<Vec<(Move, f64)>> {
    let root = NodeCopy::of(tree, root_state.root)?;
    let choices = root.choices(tree, root_state);
    let view = root.view();
    let policy = view.policy(root_state);
    let open = |mv: u16, everything: bool| {
        let index = usize::from(mv);
        policy[index] > 0.0
            && (everything || !root_state.forbidden_at_root[index])
            && !root_state.avoids(root.mover, 0, mv)
    };
    let all = || 0..policy.len() as u16;
    let mut weights: Vec<(u16, f64)> = if root.edges.is_empty() {
        let everything = !all().any(|mv| open(mv, false));
        all().filter(|&mv| open(mv, everything)).map(|mv| (mv, f64::from(policy[usize::from(mv)]))).collect()
    } else {
        let values = play_selection_values(&root_state.params, root.rules(root_state, &choices, true), &choices);
        root.edges.iter().zip(values).map(|(edge, value)| (edge.mv, value)).collect()
    };
    if weights.iter().all(|(_, value)| *value <= NOTHING) {
        let mut values: Vec<f64> = choices.iter().map(|child| child.policy.max(0.0)).collect();
        prune(&root_state.params, &mut values);
        weights = root.edges.iter().map(|edge| edge.mv).zip(values).collect();
    }
    if let Some(human) = root_state.root_human.as_ref().filter(|_| root_state.params.human.chosen_move_prop > 0.0) {
        let unlisted: Vec<u16> = all()
            .filter(|&mv| {
                let index = usize::from(mv);
                human.policy[index] >= 0.0
                    && !root_state.forbidden_at_root[index]
                    && !root_state.avoids(root.mover, 0, mv)
                    && weights.iter().all(|(listed, _)| *listed != mv)
            })
            .collect();
        weights.extend(unlisted.into_iter().map(|mv| (mv, 0.0)));
        weights = human_weights(root_state, &root, &human.policy, &weights);
    }
    let named = |(mv, value): (u16, f64)| (position::move_of(mv, root_state.size), value);
    Some(weights.into_iter().map(named).collect())
}

/// The weight with which each child of a node would be chosen. Children that nothing is known of but their policy are
/// chosen by that.
pub(super) fn chosen_by(root_state: &RootState, node: &NodeCopy, choices: &[ChoiceChild], use_lcb: bool) -> Vec<f64> {
    let mut values = play_selection_values(&root_state.params, node.rules(root_state, choices, use_lcb), choices);
    if values.iter().all(|value| *value <= NOTHING) {
        values = choices.iter().map(|child| child.policy.max(0.0)).collect();
        prune(&root_state.params, &mut values);
    }
    let human = match &root_state.root_human {
        _ if root_state.params.human.chosen_move_prop <= 0.0 => None,
        Some(human) if node.id == root_state.root => Some(&*human.policy),
        _ => node.evaluation.human_policy.as_deref(),
    };
    let Some(policy) = human else { return values };
    let weights: Vec<(u16, f64)> = node.edges.iter().map(|edge| edge.mv).zip(values).collect();
    human_weights(root_state, node, policy, &weights).into_iter().map(|(_, value)| value).collect()
}

/// Weights of a choice that are no more than this all together say nothing.
const NOTHING: f64 = 1e-50;

/// Weights of the choice with the share of the network of human style in them.
///
/// Utilities are those of the player to move at the node; KataGo takes the root's player in all of a variation.
fn human_weights(root_state: &RootState, node: &NodeCopy, policy: &[f32], weights: &[(u16, f64)]) -> Vec<(u16, f64)> {
    let sign = root_state.sign_of(node.mover);
    let suppress_pass = node.id == root_state.root && node.suppresses_pass(root_state);
    let choices: Vec<HumanChoice> = weights
        .iter()
        .map(|&(mv, value)| {
            let child = node.edges.iter().zip(&node.child_stats).find(|(edge, _)| edge.mv == mv);
            HumanChoice {
                mv,
                value,
                self_utility: child.map(|(_, stats)| sign * stats.utility),
                suppressed: suppress_pass && usize::from(mv) == root_state.area,
            }
        })
        .collect();
    let mixed = with_human_share(&root_state.params.human, policy, root_state.area as u16, &choices);
    weights.iter().map(|(mv, _)| *mv).zip(mixed).collect()
}
