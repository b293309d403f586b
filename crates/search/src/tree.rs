//! The graph of positions, and how a node's averages follow from its children.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use crate::arena::{Arena, NodeId};
use crate::bias::BiasTable;
use crate::human::Answer;
use crate::node::{Edge, LeafValue, NodeEvaluation, NodeState, NodeStats};
use crate::root_state::RootState;
use crate::values::{WeighedChild, prune_noise, weigh_by_value};

const TABLE_SHARDS: usize = 64;

/// Nodes with the tables that find them again. Shared by all workers of a search.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) arena: Arena,
    pub(crate) bias: BiasTable,
    table: Vec<Mutex<HashMap<u128, NodeId>>>,
    /// Network answers of nodes that are alive, by position: nodes whose paths keep them apart share them.
    answers: Mutex<HashMap<u128, Weak<Answer>>>,
}

/// Buffers of one worker, kept between playouts.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) edges: Vec<Edge>,
    weighed: Vec<WeighedChild>,
    stats: Vec<NodeStats>,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self {
            arena: Arena::new(),
            bias: BiasTable::default(),
            table: (0..TABLE_SHARDS).map(|_| Mutex::default()).collect(),
            answers: Mutex::default(),
        }
    }

    /// The node of a table key, made by `create` where there is none. `None` once memory is used up.
    pub(crate) fn find_or_insert(&self, key: u128, create: impl FnOnce() -> NodeState) -> Option<NodeId> {
        let mut shard = self.shard(key).lock();
        if let Some(&id) = shard.get(&key) {
            return Some(id);
        }
        let id = self.arena.insert(create())?;
        shard.insert(key, id);
        Some(id)
    }

    /// The node of a table key.
    pub(crate) fn find(&self, key: u128) -> Option<NodeId> {
        self.shard(key).lock().get(&key).copied()
    }

    /// Puts a node under a table key, in place of what the node there was. `None` once memory is used up.
    pub(crate) fn put(&mut self, key: u128, state: NodeState) -> Option<NodeId> {
        let known = self.find(key);
        if let Some(id) = known {
            *self.arena.lock(id) = state;
            return known;
        }
        self.find_or_insert(key, || state)
    }

    fn shard(&self, key: u128) -> &Mutex<HashMap<u128, NodeId>> {
        &self.table[(key >> 64) as usize % TABLE_SHARDS]
    }

    /// The answer that a living node of the same position already has.
    pub(crate) fn known_answer(&self, position: u128) -> Option<Arc<Answer>> {
        self.answers.lock().get(&position).and_then(Weak::upgrade)
    }

    /// Remembers an answer for other nodes of the same position.
    pub(crate) fn remember_answer(&self, position: u128, evaluation: &Arc<Answer>) {
        self.answers.lock().insert(position, Arc::downgrade(evaluation));
    }

    /// Stores the first value of a new leaf: its own evaluation, corrected by what like nodes taught.
    pub(crate) fn settle_leaf(&self, root_state: &RootState, node: &mut NodeState, evaluation: &Arc<Answer>) {
        let params = &root_state.params;
        let mut utility = root_state.utility.of_evaluation(evaluation);
        if let Some(bias) = &node.bias {
            utility += bias.correction(params);
        }
        utility += root_state.cost_of_shape(node);
        let weight = root_state.utility.weight_of_evaluation(params, evaluation);
        node.evaluation = NodeEvaluation::Present(Arc::clone(evaluation));
        node.stats.add(LeafValue::of(evaluation), utility, weight);
    }

    /// Recomputes a node from its children and counts `arrived` more visits.
    ///
    /// One worker recomputes a node at a time; arrivals in the meantime are taken along by it.
    pub(crate) fn update(&self, root_state: &RootState, id: NodeId, arrived: u32, scratch: &mut Scratch) {
        {
            let mut node = self.arena.lock(id);
            node.arrived += arrived;
            if node.updating {
                return;
            }
            node.updating = true;
        }
        loop {
            let (taken, evaluation, sign) = {
                let mut node = self.arena.lock(id);
                let taken = std::mem::take(&mut node.arrived);
                scratch.edges.clear();
                scratch.edges.extend_from_slice(&node.edges);
                (taken, node.evaluation.present().cloned(), root_state.sign_of(node.mover))
            };
            let Some(evaluation) = evaluation else {
                self.arena.lock(id).updating = false;
                return;
            };
            let policy: &[f32] = if id == root_state.root { &root_state.root_policy } else { &evaluation.policy };
            self.collect_children(sign, policy, scratch);
            let edge_total: f64 = scratch.weighed.iter().map(|child| child.weight).sum();
            let total = prune_noise(&root_state.params, &mut scratch.weighed);
            weigh_by_value(&root_state.params, &mut scratch.weighed, total);

            let mut node = self.arena.lock(id);
            node.stats = combine(root_state, &mut node, &evaluation, scratch, edge_total, total);
            node.stats.visits += u64::from(taken);
            if node.arrived == 0 {
                node.updating = false;
                return;
            }
        }
    }

    /// Fills the buffers with the children that have something to say.
    fn collect_children(&self, sign: f64, policy: &[f32], scratch: &mut Scratch) {
        scratch.weighed.clear();
        scratch.stats.clear();
        for edge in &scratch.edges {
            let stats = self.arena.lock(edge.child).stats;
            if stats.visits == 0 || stats.weight <= 0.0 || edge.visits == 0 {
                continue;
            }
            scratch.weighed.push(WeighedChild {
                self_utility: sign * stats.utility,
                weight: stats.edge_weight(u64::from(edge.visits)),
                policy: f64::from(policy[usize::from(edge.mv)]).max(1e-30),
            });
            scratch.stats.push(stats);
        }
    }

    /// Prepares the tree of a new root, all else being idle: nodes that cannot be reached from it are deleted, with
    /// most of what they taught, and unused tables are cut back.
    pub(crate) fn keep_only(&mut self, session_params: &crate::SearchParams, root: Option<NodeId>) {
        let slots = self.arena.slots();
        let mut keep = vec![false; slots];
        let mut stack: Vec<NodeId> = root.into_iter().collect();
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut keep[id.slot()], true) {
                continue;
            }
            stack.extend(self.arena.lock(id).edges.iter().map(|edge| edge.child));
        }
        for &id in self.arena.free_slots() {
            keep[id.slot()] = true;
        }
        let withdraw = root.is_some();
        for slot in (0..slots).filter(|&slot| !keep[slot]) {
            let node = self.arena.remove(Arena::id_of_slot(slot));
            if let Some(key) = node.table_key {
                self.shard(key).lock().remove(&key);
            }
            if let (Some(bias), true) = (&node.bias, withdraw) {
                bias.withdraw(session_params);
            }
        }
        self.bias.drop_unused();
        self.answers.get_mut().retain(|_, answer| answer.strong_count() > 0);
    }

    /// Recomputes a node and every one below it, children first, without counting visits: the utility has changed.
    pub(crate) fn refresh(&mut self, root_state: &RootState, from: NodeId) {
        let mut scratch = Scratch::default();
        let mut entered = vec![false; self.arena.slots()];
        // Each entry: node, and whether its children have been put on the stack.
        let mut stack = vec![(from, false)];
        while let Some((id, children_done)) = stack.pop() {
            if children_done {
                let is_leaf = {
                    let mut node = self.arena.lock(id);
                    let is_leaf = node.edges.is_empty();
                    if is_leaf && node.stats.visits > 0 {
                        let cost = root_state.cost_of_shape(&node);
                        let stats = &mut node.stats;
                        stats.utility = root_state.utility.of(
                            stats.win_loss,
                            stats.no_result,
                            stats.score_mean,
                            stats.score_mean_sq,
                        ) + cost;
                        stats.utility_sq = stats.utility * stats.utility;
                    }
                    is_leaf
                };
                if !is_leaf {
                    self.update(root_state, id, 0, &mut scratch);
                }
                continue;
            }
            if std::mem::replace(&mut entered[id.slot()], true) {
                continue;
            }
            stack.push((id, true));
            let node = self.arena.lock(id);
            stack.extend(node.edges.iter().rev().map(|edge| (edge.child, false)));
        }
    }
}

/// New averages of a node: its weighed children and its own evaluation. Teaches the node's bias bucket on the way.
fn combine(
    root_state: &RootState,
    node: &mut NodeState,
    evaluation: &Answer,
    scratch: &Scratch,
    edge_total: f64,
    total: f64,
) -> NodeStats {
    let params = &root_state.params;
    let mut sum = NodeStats { visits: node.stats.visits, ..NodeStats::default() };
    for (child, stats) in scratch.weighed.iter().zip(&scratch.stats) {
        let weight = child.weight;
        let scaling = weight / stats.weight;
        sum.win_loss += weight * stats.win_loss;
        sum.no_result += weight * stats.no_result;
        sum.score_mean += weight * stats.score_mean;
        sum.score_mean_sq += weight * stats.score_mean_sq;
        sum.lead += weight * stats.lead;
        sum.utility += weight * stats.utility;
        sum.utility_sq += weight * stats.utility_sq;
        sum.weight_sq += scaling * scaling * stats.weight_sq;
    }
    let mut utility = root_state.utility.of_evaluation(evaluation);
    if let Some(bias) = &mut node.bias {
        if total > 1e-10 {
            let error = sum.utility / total - utility;
            bias.contribute(error, edge_total.powf(params.subtree_value_bias_weight_exponent));
        }
        utility += bias.correction(params);
    }
    let weight = root_state.utility.weight_of_evaluation(params, evaluation);
    let own = LeafValue::of(evaluation);
    sum.win_loss += own.win_loss * weight;
    sum.no_result += own.no_result * weight;
    sum.score_mean += own.score_mean * weight;
    sum.score_mean_sq += own.score_mean_sq * weight;
    sum.lead += own.lead * weight;
    sum.utility += utility * weight;
    sum.utility_sq += utility * utility * weight;
    sum.weight_sq += weight * weight;
    sum.weight = total + weight;
    let inverse = 1.0 / sum.weight;
    let mean = sum.utility * inverse;
    let utility = mean + root_state.cost_of_shape(node);
    NodeStats {
        win_loss: sum.win_loss * inverse,
        no_result: sum.no_result * inverse,
        score_mean: sum.score_mean * inverse,
        score_mean_sq: sum.score_mean_sq * inverse,
        lead: sum.lead * inverse,
        utility,
        // The cost moves what was found, and spreads it no further.
        utility_sq: sum.utility_sq * inverse + (utility * utility - mean * mean),
        ..sum
    }
}
