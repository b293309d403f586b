//! What is known of a game's positions from earlier: reported when the game is opened, without any network.

use super::Shared;
use super::graph::{Era, Found};
use crate::OpenGameId;
use crate::analysis::evaluations::{of_record, to_record};
use crate::analysis::views::{graph_value, update_of};
use crate::games::session::{LastMove, seam_id};
use honinbo_record::{GameTree, NodeId, ReplayOptions, evaluation_at, replay_each, set_evaluation};
use honinbo_rules::Game;
use std::collections::HashSet;
use std::sync::atomic::Ordering;

/// Nodes of a game that are looked up at most.
const MAX_NODES: usize = 5000;
/// Variations that are followed at most.
const MAX_LINES: usize = 64;
/// Values told at once.
const BATCH: usize = 64;

/// What to look up.
pub(crate) struct Work {
    pub(crate) game_id: OpenGameId,
    /// When the game was as it is here.
    pub(crate) begun: Era,
    pub(crate) tree: GameTree,
    /// The node whose candidates are told too.
    pub(crate) current: NodeId,
}

/// Tells windows what is known of every position of a game, the main line first: from the store, or from the record
/// itself where other programs have left more in it.
pub(super) fn run(shared: &Shared, work: &Work) {
    let mut values = Vec::new();
    each_position(&work.tree, &mut |node, game| {
        let id = seam_id(node);
        // Its position is another one by now, or the game was closed.
        if !shared.graph.wants(&work.game_id, id, work.begun) {
            return;
        }
        let Some(network) = shared.network_name(game.board()) else { return };
        let stored = shared.evaluations.recall(game, &network);
        let written = evaluation_at(&work.tree, node, game.board().size(), game.to_play());
        let own = written.as_ref().is_some_and(|written| written.engine.as_deref() == Some(network.as_str()));
        let visits = stored.as_ref().map_or(0, |stored| stored.visits);
        let written = written.filter(|written| written.visits > visits);
        let Some(known) = (match &written {
            Some(written) => of_record(written),
            None => stored,
        }) else {
            // A chance to win without a score is all that some programs leave: shown, and kept nowhere.
            values.extend(written.map(|written| graph_value(id, &written)));
            return;
        };
        let analysed = || shared.state.lock().target.as_ref().is_some_and(|target| target.game_id == work.game_id);
        if node == work.current && !known.candidates.is_empty() && !analysed() {
            let mut update = update_of(work.game_id.clone(), id, game, &known);
            update.sequence = shared.updates.fetch_add(1, Ordering::Relaxed) + 1;
            shared.report_analysis(work.begun, update);
        }
        // What another network said is shown, and is asked for again where this one's opinion is wanted.
        if written.is_some() && !own {
            values.push(graph_value(id, &known));
        } else {
            let last_move = LastMove::to(&work.tree, node, game.board().size());
            let found = Found::of(id, last_move, known);
            let reported = shared.graph.keep(&work.game_id, work.begun, found);
            if reported.is_empty() {
                values.extend(shared.graph.get(&work.game_id, id));
            }
            values.extend(reported);
        }
        if values.len() >= BATCH {
            shared.report_values(work.begun, &work.game_id, std::mem::take(&mut values), None);
        }
    });
    shared.report_values(work.begun, &work.game_id, values, None);
}

/// Writes what is known of a game's positions into its record.
pub(super) fn write(shared: &Shared, tree: &GameTree) -> GameTree {
    let mut written = tree.clone();
    each_position(tree, &mut |node, game| {
        let Some(network) = shared.network_name(game.board()) else { return };
        if let Some(known) = shared.evaluations.recall(game, &network) {
            let size = game.board().size();
            set_evaluation(&mut written, node, size, game.to_play(), &to_record(&known, &network));
        }
    });
    written
}

/// Shows each node with its game once, the main line first.
fn each_position(tree: &GameTree, visit: &mut dyn FnMut(NodeId, &Game)) {
    let mut seen = HashSet::new();
    let ends = tree.subtree(tree.root()).filter(|&node| tree.first_child(node).is_none());
    for end in ends.take(MAX_LINES) {
        replay_each(tree, end, ReplayOptions::default(), &mut |node, game| {
            if seen.len() < MAX_NODES && seen.insert(node) {
                visit(node, game);
            }
        });
    }
}
