//! One playout: down the tree to a leaf, and its value back up.
//!
//! Source: KataGo v1.17.2, `search.cpp` (`playoutDescend`). There a thread waits at its leaf for the network; here the
//! descent ends at the leaf, so that one worker can hold several leaves and have them evaluated together. Leaves in
//! flight carry the same virtual losses, so k leaves of one worker are what k threads are there.

use std::sync::Arc;

use honinbo_evaluator::EvalParams;
use honinbo_rules::{Game, Move, Random};

use crate::arena::NodeId;
use crate::bias::BiasShare;
use crate::human::Answer;
use crate::node::{Edge, LeafValue, NodeEvaluation, NodeState};
use crate::position;
use crate::repetition::shape_of;
use crate::root_state::RootState;
use crate::select::{Counting, NodeView, Selected, Selection, VisitsLeft, select};
use crate::tree::{Scratch, Tree};

/// One step of a path: the edge number `edge` of `node` leads to `child`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    node: NodeId,
    edge: usize,
    child: NodeId,
    /// Where what happens below counts.
    counting: Counting,
}

/// A leaf that waits for its evaluation.
#[derive(Debug)]
pub(crate) struct PendingLeaf {
    pub(crate) game: Game,
    pub(crate) params: EvalParams,
    path: Vec<Step>,
    node: NodeId,
    /// Key of the position among the answers.
    position: u128,
    /// The node has an answer, but the chosen move is illegal on this path: the answer is replaced.
    replaces: bool,
}

/// How a descent ended.
#[derive(Debug)]
pub(crate) enum Descent {
    /// At a position that must be evaluated.
    Leaf(Box<PendingLeaf>),
    /// Completed without the network.
    Done {
        /// Whether limits count it.
        counts: bool,
        /// At the end of a game.
        terminal: bool,
    },
    /// Ran into a leaf that is being evaluated; nothing was changed.
    Abandoned,
    /// No memory is left for another node.
    Full,
}

/// What a playout works with.
pub(crate) struct Player<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) root_state: &'a RootState,
    pub(crate) random: Random,
    pub(crate) scratch: Scratch,
    /// Whether the report wants ownership averaged over the tree.
    pub(crate) include_ownership: bool,
    /// Nodes that the tree may hold.
    pub(crate) max_nodes: usize,
}

impl Player<'_> {
    /// Goes down once. Edges on the way carry a virtual loss until the leaf is settled or released.
    pub(crate) fn descend(&mut self, visits_left: VisitsLeft) -> Descent {
        let root_state = self.root_state;
        let mut game = root_state.game.clone();
        let mut path: Vec<Step> = Vec::new();
        let mut node_id = root_state.root;
        let mut key = root_state.root_key;
        loop {
            let is_root = node_id == root_state.root;
            let mut node = self.tree.arena.lock(node_id);
            if game.is_finished() && !node.force_non_terminal {
                let value = position::final_value(&game, &root_state.params);
                let utility =
                    root_state.utility.of(value.win_loss, value.no_result, value.score_mean, value.score_mean_sq)
                        + root_state.cost_of_shape(&node);
                node.stats.add(value, utility, root_state.final_weight);
                drop(node);
                return Descent::Done { counts: self.back_up(&path, Counting::Full), terminal: true };
            }
            let evaluation = match &node.evaluation {
                NodeEvaluation::Present(evaluation) => Arc::clone(evaluation),
                NodeEvaluation::InFlight => {
                    drop(node);
                    self.release_path(&path);
                    return Descent::Abandoned;
                }
                NodeEvaluation::Absent => {
                    node.evaluation = NodeEvaluation::InFlight;
                    drop(node);
                    return self.reach_leaf(game, path, node_id, false);
                }
            };
            if node.stats.visits == 0 {
                // Only a fresh root has an answer but no visit: its own evaluation is the first.
                self.tree.settle_leaf(root_state, &mut node, &evaluation);
                drop(node);
                return Descent::Done { counts: self.back_up(&path, Counting::Full), terminal: false };
            }
            let mover = node.mover;
            let stats = node.stats;
            self.scratch.edges.clear();
            self.scratch.edges.extend_from_slice(&node.edges);
            drop(node);

            let view = NodeView {
                id: node_id,
                mover,
                stats,
                evaluation: &evaluation,
                edges: &self.scratch.edges,
                depth: path.len(),
            };
            let Selected { selection, counting } =
                select(self.tree, root_state, &view, &game, visits_left, &mut self.random);
            let mv = match selection {
                Selection::Nothing => {
                    let utility = root_state.utility.of_evaluation(&evaluation);
                    let weight = root_state.utility.weight_of_evaluation(&root_state.params, &evaluation);
                    self.tree.arena.lock(node_id).stats.add(LeafValue::of(&evaluation), utility, weight);
                    return Descent::Done { counts: self.back_up(&path, Counting::Full), terminal: false };
                }
                Selection::Child { edge } => self.scratch.edges[edge].mv,
                Selection::New { mv } => mv,
            };
            if !position::may_play(&game, mv) {
                // Reached by another path, where the ko rule forbids what the stored answer allows.
                return self.reach_leaf(game, path, node_id, true);
            }
            let (edge, child) = match selection {
                Selection::Child { edge } => (edge, self.scratch.edges[edge].child),
                Selection::New { .. } | Selection::Nothing => {
                    let Some(opened) = self.open(&mut game, node_id, key, mv, is_root) else {
                        self.release_path(&path);
                        return Descent::Full;
                    };
                    opened
                }
            };
            if counting == Counting::Full && self.catch_up(node_id, edge, child) {
                return Descent::Done { counts: self.back_up(&path, Counting::Full), terminal: false };
            }
            if let Selection::Child { .. } = selection {
                position::play(&mut game, mv);
            }
            if child == node_id || path.iter().any(|step| step.node == child) {
                if counting == Counting::Full {
                    self.add_edge_visit(node_id, edge);
                }
                return Descent::Done { counts: self.back_up(&path, counting), terminal: false };
            }
            let mut next = self.tree.arena.lock(child);
            next.leaves_in_flight += 1;
            key = next.table_key.map_or(0, |table_key| graph_key_of(table_key, next.force_non_terminal));
            drop(next);
            path.push(Step { node: node_id, edge, child, counting });
            node_id = child;
        }
    }

    /// Stores the answer for a leaf and takes its value up the path. Returns whether limits count the playout.
    pub(crate) fn settle(&mut self, leaf: PendingLeaf, answer: Answer) -> bool {
        let mirror = self.root_state.correction_of(&leaf.game);
        let mut answer = answer;
        if let Some(mirror) = mirror {
            mirror.correct(&leaf.game, &mut answer.evaluation);
        }
        let evaluation = Arc::new(answer);
        if leaf.replaces {
            self.tree.arena.lock(leaf.node).evaluation = NodeEvaluation::Present(evaluation);
        } else {
            // What was corrected for this path says nothing of others.
            if mirror.is_none() {
                self.tree.remember_answer(leaf.position, &evaluation);
            }
            self.tree.settle_leaf(self.root_state, &mut self.tree.arena.lock(leaf.node), &evaluation);
        }
        self.back_up(&leaf.path, Counting::Full)
    }

    /// Gives up a leaf that will not be evaluated.
    pub(crate) fn release(&self, leaf: &PendingLeaf) {
        if !leaf.replaces {
            self.tree.arena.lock(leaf.node).evaluation = NodeEvaluation::Absent;
        }
        self.release_path(&leaf.path);
    }

    /// Answers at once where a living node of the same position has an answer; otherwise the leaf must wait.
    fn reach_leaf(&mut self, game: Game, path: Vec<Step>, node: NodeId, replaces: bool) -> Descent {
        let root_state = self.root_state;
        let params = root_state.evaluation_params(&game, path.len(), self.include_ownership, &mut self.random);
        let position = position::state_hash(&game, &root_state.params);
        // What is corrected for its path is answered for each anew.
        if !replaces
            && root_state.correction_of(&game).is_none()
            && let Some(answer) = self.tree.known_answer(position)
            && (answer.white_ownership.is_some() || !self.include_ownership)
            && (answer.human_policy.is_some() || root_state.human_below_root.is_none())
        {
            self.tree.settle_leaf(root_state, &mut self.tree.arena.lock(node), &answer);
            return Descent::Done { counts: self.back_up(&path, Counting::Full), terminal: false };
        }
        Descent::Leaf(Box::new(PendingLeaf { game, params, path, node, position, replaces }))
    }

    /// Plays a new move, finds or makes its node and hangs it below `parent`. `None` once memory is used up.
    fn open(
        &self,
        game: &mut Game,
        parent: NodeId,
        key: u128,
        mv: u16,
        parent_is_root: bool,
    ) -> Option<(usize, NodeId)> {
        let root_state = self.root_state;
        let params = &root_state.params;
        let is_pass = usize::from(mv) == root_state.area;
        let friendly = position::friendly_pass_suppressed(game);
        let bias_key = if params.subtree_value_bias_factor != 0.0 { position::bias_key(game, mv) } else { None };
        let shape = match position::move_of(mv, root_state.size) {
            Move::Place(point) if root_state.repeated.is_some() => shape_of(game.board(), game.to_play(), point),
            _ => 0,
        };
        position::play(game, mv);
        // A ko fight makes the same shape again and again.
        let shape = if game.board().ko_point().is_some() { 0 } else { shape };
        let ended = is_pass && game.is_finished();
        let force_non_terminal = ended && ((params.conservative_pass && parent_is_root) || friendly);
        let mover = game.to_play();
        let make = |table_key: u128| {
            let bias = bias_key.map(|key| BiasShare::new(self.tree.bias.bucket(key)));
            NodeState { table_key: Some(table_key), force_non_terminal, shape, bias, ..NodeState::new(mover) }
        };
        let graph_key = if params.use_graph_search {
            position::graph_key(game, key, mv, params)
        } else {
            position::path_key(key, mv)
        };
        let table_key = table_key_of(graph_key, force_non_terminal);
        let room = self.tree.arena.len() < self.max_nodes;
        let mut child =
            if room { self.tree.find_or_insert(table_key, || make(table_key)) } else { self.tree.find(table_key) }?;
        if self.tree.arena.lock(child).mover != mover {
            let table_key = position::path_key(key, mv);
            child = self.tree.find_or_insert(table_key, || make(table_key))?;
        }
        let mut node = self.tree.arena.lock(parent);
        let edge = match node.edges.iter().position(|edge| edge.mv == mv) {
            // Another worker was quicker.
            Some(edge) => edge,
            None => {
                node.edges.push(Edge { mv, child, visits: 0 });
                node.edges.len() - 1
            }
        };
        Some((edge, node.edges[edge].child))
    }

    /// Credits one visit to an edge whose child was visited through other parents more often. True if it did.
    fn catch_up(&mut self, parent: NodeId, edge: usize, child: NodeId) -> bool {
        let (child_visits, in_flight) = {
            let node = self.tree.arena.lock(child);
            (node.stats.visits, u64::from(node.leaves_in_flight))
        };
        let edge_visits = u64::from(self.tree.arena.lock(parent).edges[edge].visits);
        // Leaves in flight may have reached the child already and be on their way up through this very edge.
        if child_visits <= edge_visits + in_flight {
            return false;
        }
        let leak = self.root_state.params.graph_search_catch_up_leak_prob;
        if leak > 0.0 && self.random.unit() < leak {
            return false;
        }
        self.add_edge_visit(parent, edge);
        true
    }

    fn add_edge_visit(&mut self, parent: NodeId, edge: usize) {
        self.tree.arena.lock(parent).edges[edge].visits += 1;
        self.tree.update(self.root_state, parent, 1, &mut self.scratch);
    }

    /// Takes a visit below the end of the path up to the root, as far as it counts. Returns whether limits count it.
    fn back_up(&mut self, path: &[Step], below: Counting) -> bool {
        let (mut rises, mut is_free) = (below == Counting::Full, below == Counting::Free);
        for step in path.iter().rev() {
            rises &= step.counting == Counting::Full;
            is_free |= step.counting == Counting::Free;
            if rises {
                self.add_edge_visit(step.node, step.edge);
            }
            // Last, so that nobody takes the child's new visit for one to catch up with.
            self.tree.arena.lock(step.child).leaves_in_flight -= 1;
        }
        !is_free
    }

    fn release_path(&self, path: &[Step]) {
        for step in path {
            self.tree.arena.lock(step.child).leaves_in_flight -= 1;
        }
    }
}

/// Separates a node that is searched on after the end of the game from the finished one.
const FORCED: u128 = 0x6a09_e667_f3bc_c908_b2fb_1366_ea95_7d3e;

fn table_key_of(graph_key: u128, force_non_terminal: bool) -> u128 {
    if force_non_terminal { graph_key ^ FORCED } else { graph_key }
}

fn graph_key_of(table_key: u128, force_non_terminal: bool) -> u128 {
    table_key_of(table_key, force_non_terminal)
}
