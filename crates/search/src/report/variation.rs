//! What is expected after a move.

use honinbo_rules::Move;

use super::ReportOptions;
use super::choice::chosen_by;
use super::node::NodeCopy;
use crate::node::Edge;
use crate::position;
use crate::root_state::RootState;
use crate::tree::Tree;

/// The expected continuation through an edge: moves, visits after each, visits through each.
pub(super) fn variation(
    tree: &Tree,
    root_state: &RootState,
    first: &Edge,
    options: &ReportOptions,
) -> (Vec<Move>, Vec<u64>, Vec<u64>) {
    let mut edges = vec![*first];
    let mut visits = vec![tree.arena.lock(first.child).stats.visits];
    while edges.len() <= options.pv_len {
        let Some(node) = edges.last().and_then(|edge| NodeCopy::of(tree, edge.child)) else { break };
        let choices = node.choices(tree, root_state);
        let values = chosen_by(root_state, &node, &choices, true);
        let mut best: Option<usize> = None;
        for (i, value) in values.iter().enumerate() {
            if *value > 0.0 && best.is_none_or(|best| *value > values[best]) {
                best = Some(i);
            }
        }
        let Some(best) = best else { break };
        edges.push(node.edges[best]);
        visits.push(node.child_stats[best].visits);
    }
    let moves: Vec<Move> = edges.iter().map(|edge| position::move_of(edge.mv, root_state.size)).collect();
    let length = position::playable_length(&root_state.game, &moves, options.phase_end);
    let mut edge_visits: Vec<u64> = edges.iter().map(|edge| u64::from(edge.visits)).collect();
    visits.truncate(length);
    edge_visits.truncate(length);
    (moves[..length].to_vec(), visits, edge_visits)
}
