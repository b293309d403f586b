//! Whose each point will be, averaged over the tree.
//!
//! Source: KataGo v1.17.2, `searchresults.cpp` (`getAverageTreeOwnership`).

use crate::arena::NodeId;
use crate::root_state::RootState;
use crate::tree::Tree;

/// Mean and spread of ownership over a subtree, row by row from the top, +1 White's and -1 Black's.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TreeOwnership {
    pub(crate) white: Vec<f64>,
    pub(crate) stdev: Vec<f64>,
}

struct Walk<'a> {
    tree: &'a Tree,
    root_state: &'a RootState,
    min_share: f64,
    prune_share: f64,
    sum: Vec<f64>,
    sum_sq: Vec<f64>,
    path: Vec<NodeId>,
}

/// The average below a node; `None` where no evaluation there has ownership.
pub(crate) fn average(tree: &Tree, root_state: &RootState, start: NodeId) -> Option<TreeOwnership> {
    let visits = {
        let node = tree.arena.lock(start);
        node.evaluation.present()?.white_ownership.as_ref()?;
        node.stats.visits
    };
    let min_share = 0.5 / (visits.max(1) as f64).powf(0.75);
    let mut walk = Walk {
        tree,
        root_state,
        min_share,
        prune_share: 0.01 * min_share,
        sum: vec![0.0; root_state.area],
        sum_sq: vec![0.0; root_state.area],
        path: Vec::new(),
    };
    walk.spread(start, 1.0);
    let stdev = walk.sum.iter().zip(&walk.sum_sq).map(|(mean, sq)| (sq - mean * mean).max(0.0).sqrt()).collect();
    Some(TreeOwnership { white: walk.sum, stdev })
}

impl Walk<'_> {
    /// Adds the share of a node and of what is below it. False where there is nothing to add.
    fn spread(&mut self, id: NodeId, share: f64) -> bool {
        let (evaluation, edges) = {
            let node = self.tree.arena.lock(id);
            let Some(evaluation) = node.evaluation.present() else { return false };
            (std::sync::Arc::clone(evaluation), node.edges.clone())
        };
        let Some(ownership) = &evaluation.white_ownership else { return false };
        let mut own_share = share;
        if share >= self.min_share && !edges.is_empty() && !self.path.contains(&id) {
            let weights: Vec<f64> = edges
                .iter()
                .map(|edge| self.tree.arena.lock(edge.child).stats.edge_weight(u64::from(edge.visits)))
                .collect();
            let total: f64 = weights.iter().sum();
            let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
            let own = self.root_state.utility.weight_of_evaluation(&self.root_state.params, &evaluation).max(1e-10);
            if squares > 0.0 {
                let children_share = share * total / (total + own);
                own_share = share - children_share;
                self.path.push(id);
                for (edge, weight) in edges.iter().zip(weights) {
                    let child_share = children_share * weight * weight / squares;
                    if child_share < self.prune_share || !self.spread(edge.child, child_share) {
                        own_share += child_share;
                    }
                }
                self.path.pop();
            }
        }
        for ((sum, sum_sq), point) in self.sum.iter_mut().zip(&mut self.sum_sq).zip(ownership) {
            let point = f64::from(*point);
            *sum += own_share * point;
            *sum_sq += own_share * point * point;
        }
        true
    }
}
