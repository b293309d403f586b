//! A node of a tree that may be growing, copied out of it.

use std::sync::Arc;

use honinbo_rules::{Color, Scoring};

use crate::arena::NodeId;
use crate::choose::{ChoiceChild, ChoiceRules};
use crate::human::Answer;
use crate::node::{Edge, NodeStats};
use crate::position;
use crate::puct::{explore_scaling, stdev_factor};
use crate::root_state::RootState;
use crate::select::{NodeView, exploration};
use crate::tree::Tree;

/// A node copied out of the tree, with its children.
pub(super) struct NodeCopy {
    pub(super) id: NodeId,
    pub(super) mover: Color,
    pub(super) stats: NodeStats,
    pub(super) evaluation: Arc<Answer>,
    pub(super) edges: Vec<Edge>,
    pub(super) child_stats: Vec<NodeStats>,
}

impl NodeCopy {
    /// Copies a node that has an evaluation.
    pub(super) fn of(tree: &Tree, id: NodeId) -> Option<Self> {
        let node = tree.arena.lock(id);
        let evaluation = Arc::clone(node.evaluation.present()?);
        let (mover, stats, edges) = (node.mover, node.stats, node.edges.clone());
        drop(node);
        let child_stats = edges.iter().map(|edge| tree.arena.lock(edge.child).stats).collect();
        Some(Self { id, mover, stats, evaluation, edges, child_stats })
    }

    pub(super) fn view(&self) -> NodeView<'_> {
        NodeView {
            id: self.id,
            mover: self.mover,
            stats: self.stats,
            evaluation: &self.evaluation,
            edges: &self.edges,
            depth: 0,
        }
    }

    /// The children as the choice of a move sees them.
    pub(super) fn choices(&self, tree: &Tree, root_state: &RootState) -> Vec<ChoiceChild> {
        let is_root = self.id == root_state.root;
        let view = self.view();
        let policy = view.policy(root_state);
        let urgency = exploration(tree, root_state, &view).urgency;
        let suppress_pass = is_root && self.suppresses_pass(root_state);
        self.edges
            .iter()
            .zip(&self.child_stats)
            .map(|(edge, stats)| {
                let edge_visits = u64::from(edge.visits);
                let weight = stats.edge_weight(edge_visits);
                let bonus = if is_root { root_state.ending_bonus(edge.mv, stats) } else { 0.0 };
                let known = stats.visits > 0 && weight > 0.0;
                ChoiceChild {
                    edge_visits,
                    visits: stats.visits,
                    weight,
                    weight_sq: stats.edge_weight_sq(edge_visits),
                    policy: f64::from(policy[usize::from(edge.mv)]),
                    utility: stats.utility,
                    utility_sq: stats.utility_sq,
                    bonus,
                    selection_utility: if known { stats.utility + bonus } else { urgency },
                    suppressed: suppress_pass && usize::from(edge.mv) == root_state.area,
                }
            })
            .collect()
    }

    /// How moves of this node are chosen.
    pub(super) fn rules(&self, root_state: &RootState, choices: &[ChoiceChild], use_lcb: bool) -> ChoiceRules {
        let total: f64 = choices.iter().map(|child| child.weight).sum();
        let params = &root_state.params;
        let explore = explore_scaling(params, total, stdev_factor(params, self.stats.averages()));
        ChoiceRules {
            sign: root_state.sign_of(self.mover),
            hindsight_explore: (self.id == root_state.root).then_some(explore),
            use_lcb,
        }
    }

    /// Whether neutral points should be filled before passing: another move is as good as the pass.
    pub(super) fn suppresses_pass(&self, root_state: &RootState) -> bool {
        let game = &root_state.game;
        if !root_state.params.fill_dame_before_pass
            || game.ruleset().scoring != Scoring::Territory
            || game.phase().is_clean_up()
        {
            return false;
        }
        let Some(ownership) = &self.evaluation.white_ownership else { return false };
        let sign = root_state.sign_of(self.mover);
        let mut pass = None;
        for (edge, stats) in self.edges.iter().zip(&self.child_stats) {
            if usize::from(edge.mv) == root_state.area && stats.visits > 0 {
                pass = Some((*stats, stats.edge_weight(u64::from(edge.visits))));
            }
        }
        let Some((pass, pass_weight)) = pass else { return false };
        let mine = |index: usize| sign * f64::from(ownership[index]);
        self.edges.iter().zip(&self.child_stats).any(|(edge, stats)| {
            let index = usize::from(edge.mv);
            if index == root_state.area || stats.visits == 0 {
                return false;
            }
            let weight = stats.edge_weight(u64::from(edge.visits));
            if edge.visits <= 500 && weight <= 2.0 * pass_weight.sqrt() {
                return false;
            }
            let is_their_inside = mine(index) < -0.95
                && !position::neighbors(game, index).into_iter().any(|neighbor| mine(neighbor) > 0.95);
            !is_their_inside
                && sign * stats.utility > sign * pass.utility - 0.1
                && sign * stats.score_mean > sign * pass.score_mean - 0.5
                && sign * stats.lead > sign * pass.lead - 0.5
        })
    }
}
