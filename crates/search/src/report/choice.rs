//! The weights by which moves are chosen.

use honinbo_rules::Move;

use super::node::NodeCopy;
use crate::choose::{ChoiceChild, play_selection_values, prune};
use crate::human::{HumanChoice, with_human_share};
use crate::position;
use crate::session::Session;
use crate::tree::Tree;

/// The weight with which each move of the root would be played, first the searched ones in the order of their first
/// visit. Where nothing was searched the policy decides.
pub(crate) fn play_weights(tree: &Tree, session: &Session) -> Option<Vec<(Move, f64)>> {
    let root = NodeCopy::of(tree, session.root)?;
    let choices = root.choices(tree, session);
    let view = root.view();
    let policy = view.policy(session);
    let open = |mv: u16, everything: bool| {
        let index = usize::from(mv);
        policy[index] > 0.0 && (everything || !session.forbidden_at_root[index]) && !session.avoids(root.mover, 0, mv)
    };
    let all = || 0..policy.len() as u16;
    let mut weights: Vec<(u16, f64)> = if root.edges.is_empty() {
        let everything = !all().any(|mv| open(mv, false));
        all().filter(|&mv| open(mv, everything)).map(|mv| (mv, f64::from(policy[usize::from(mv)]))).collect()
    } else {
        let values = play_selection_values(&session.params, root.rules(session, &choices, true), &choices);
        root.edges.iter().zip(values).map(|(edge, value)| (edge.mv, value)).collect()
    };
    if weights.iter().all(|(_, value)| *value <= NOTHING) {
        let mut values: Vec<f64> = choices.iter().map(|child| child.policy.max(0.0)).collect();
        prune(&session.params, &mut values);
        weights = root.edges.iter().map(|edge| edge.mv).zip(values).collect();
    }
    if let Some(human) = session.root_human.as_ref().filter(|_| session.params.human.chosen_move_prop > 0.0) {
        let unlisted: Vec<u16> = all()
            .filter(|&mv| {
                let index = usize::from(mv);
                human.policy[index] >= 0.0
                    && !session.forbidden_at_root[index]
                    && !session.avoids(root.mover, 0, mv)
                    && weights.iter().all(|(listed, _)| *listed != mv)
            })
            .collect();
        weights.extend(unlisted.into_iter().map(|mv| (mv, 0.0)));
        weights = human_weights(session, &root, &human.policy, &weights);
    }
    let named = |(mv, value): (u16, f64)| (position::move_of(mv, session.size), value);
    Some(weights.into_iter().map(named).collect())
}

/// The weight with which each child of a node would be chosen. Children that nothing is known of but their policy are
/// chosen by that.
pub(super) fn chosen_by(session: &Session, node: &NodeCopy, choices: &[ChoiceChild], use_lcb: bool) -> Vec<f64> {
    let mut values = play_selection_values(&session.params, node.rules(session, choices, use_lcb), choices);
    if values.iter().all(|value| *value <= NOTHING) {
        values = choices.iter().map(|child| child.policy.max(0.0)).collect();
        prune(&session.params, &mut values);
    }
    let human = match &session.root_human {
        _ if session.params.human.chosen_move_prop <= 0.0 => None,
        Some(human) if node.id == session.root => Some(&*human.policy),
        _ => node.evaluation.human_policy.as_deref(),
    };
    let Some(policy) = human else { return values };
    let weights: Vec<(u16, f64)> = node.edges.iter().map(|edge| edge.mv).zip(values).collect();
    human_weights(session, node, policy, &weights).into_iter().map(|(_, value)| value).collect()
}

/// Weights of a choice that are no more than this all together say nothing.
const NOTHING: f64 = 1e-50;

/// Weights of the choice with the share of the network of human style in them.
///
/// Utilities are those of the player to move at the node; KataGo takes the root's player in all of a variation.
fn human_weights(session: &Session, node: &NodeCopy, policy: &[f32], weights: &[(u16, f64)]) -> Vec<(u16, f64)> {
    let sign = session.sign_of(node.mover);
    let suppress_pass = node.id == session.root && node.suppresses_pass(session);
    let choices: Vec<HumanChoice> = weights
        .iter()
        .map(|&(mv, value)| {
            let child = node.edges.iter().zip(&node.child_stats).find(|(edge, _)| edge.mv == mv);
            HumanChoice {
                mv,
                value,
                self_utility: child.map(|(_, stats)| sign * stats.utility),
                suppressed: suppress_pass && usize::from(mv) == session.area,
            }
        })
        .collect();
    let mixed = with_human_share(&session.params.human, policy, session.area as u16, &choices);
    weights.iter().map(|(mv, _)| *mv).zip(mixed).collect()
}
