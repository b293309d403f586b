//! What is known of a game's positions from earlier: told when the game is opened, without any network.

use super::Shared;
use crate::evaluations::{graph_value, update_of};
use crate::session::seam_id;
use crate::{Event, GameId, GraphUpdate, GraphValue};
use honinbo_record::{GameTree, NodeId, ReplayOptions, replay_each};
use std::collections::HashSet;
use std::sync::atomic::Ordering;

/// Nodes of a game that are looked up at most.
const MOST_NODES: usize = 5000;
/// Variations that are followed at most.
const MOST_LINES: usize = 64;
/// Values told at once.
const BATCH: usize = 64;

/// What to look up.
pub(crate) struct Work {
    pub(crate) game_id: GameId,
    pub(crate) tree: GameTree,
    /// The node whose candidates are told too.
    pub(crate) current: NodeId,
}

/// Tells windows what is known of every position of a game, the main line first.
pub(super) fn run(shared: &Shared, work: &Work) {
    let Some(network) = shared.network_name() else { return };
    let tree = &work.tree;
    let mut seen = HashSet::new();
    let mut values = Vec::new();
    let ends = tree.subtree(tree.root()).filter(|&node| tree.first_child(node).is_none());
    for end in ends.take(MOST_LINES).collect::<Vec<_>>() {
        replay_each(tree, end, ReplayOptions::default(), &mut |node, game| {
            if seen.len() >= MOST_NODES || !seen.insert(node) {
                return;
            }
            let Some(known) = shared.evaluations.recall(game, &network) else { return };
            let id = seam_id(node);
            if node == work.current && !known.candidates.is_empty() {
                let mut update = update_of(work.game_id.clone(), id, game, &known);
                update.sequence = shared.updates.fetch_add(1, Ordering::Relaxed) + 1;
                shared.host.emit(Event::Analysis(update));
            }
            shared.graph.keep(&work.game_id, &graph_value(id, &known));
            values.extend(shared.graph.get(&work.game_id, id));
            if values.len() >= BATCH {
                tell(shared, work, std::mem::take(&mut values));
            }
        });
    }
    if !values.is_empty() {
        tell(shared, work, values);
    }
}

fn tell(shared: &Shared, work: &Work, values: Vec<GraphValue>) {
    shared.host.emit(Event::Graph(GraphUpdate { game_id: work.game_id.clone(), values, done: 0, total: 0 }));
}
