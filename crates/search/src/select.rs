//! The choice of the child that a playout goes down into.
//!
//! Source: KataGo v1.17.2, `searchexplorehelpers.cpp`.

use std::sync::atomic::Ordering;

use honinbo_rules::{BoardSize, Color, Game, Random};

use crate::arena::NodeId;
use crate::human::{Answer, Lead};
use crate::mirror::{MirrorChild, ParentValue};
use crate::node::{Edge, NodeStats};
use crate::position;
use crate::puct::{ILLEGAL, explore_scaling, first_play_urgency, selection_value, stdev_factor};
use crate::root_state::{RootState, Targets};
use crate::tree::Tree;

/// What a playout does at a node, and how much of it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Selected {
    pub(crate) selection: Selection,
    pub(crate) counting: Counting,
}

/// Where a visit below a node counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counting {
    /// Everywhere.
    Full,
    /// Below the node: it and what is above learn nothing of it. Limits count it.
    Below,
    /// Below the node, and no limit counts it.
    Free,
}

/// Where a playout goes at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    /// Goes down an existing edge.
    Child {
        /// Number of the edge.
        edge: usize,
    },
    /// Opens a new edge.
    New {
        /// Point index of the move, the area for a pass.
        mv: u16,
    },
    /// No move may be tried.
    Nothing,
}

/// A node as selection sees it: a copy, so that no lock is held.
#[derive(Debug)]
pub(crate) struct NodeView<'a> {
    pub(crate) id: NodeId,
    pub(crate) mover: Color,
    pub(crate) stats: NodeStats,
    pub(crate) evaluation: &'a Answer,
    pub(crate) edges: &'a [Edge],
    /// Moves played since the root.
    pub(crate) depth: usize,
}

impl NodeView<'_> {
    /// The policy that counts at this node.
    pub(crate) fn policy<'p>(&'p self, root_state: &'p RootState) -> &'p [f32] {
        if self.id == root_state.root { &root_state.root_policy } else { &self.evaluation.policy }
    }

    /// The policy by which the network of human style leads this playout, where it does.
    fn lead<'p>(&'p self, root_state: &'p RootState, random: &mut Random) -> Option<(Lead, &'p [f32])> {
        let human = &root_state.params.human;
        let (share, policy) = if self.id == root_state.root {
            (human.at_root, root_state.root_human.as_ref().map(|human| &*human.policy))
        } else {
            let share = if self.mover == root_state.searched_for { human.for_player } else { human.for_opponent };
            (share, self.evaluation.human_policy.as_deref())
        };
        let policy = policy?;
        Some((share.draw(random)?, policy))
    }
}

/// Selection value of a root move that has fewer visits than it must have: above everything else.
const WANTED: f64 = 1e20;

/// Limits that change while a search runs, as far as selection cares.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VisitsLeft(pub(crate) f64);

/// Exploration scale and first-play urgency of a node, from its present children.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exploration {
    /// Exploration scale.
    pub(crate) scale: f64,
    /// Utility of unvisited moves, White's side.
    pub(crate) urgency: f64,
    /// Greatest weight of an edge.
    pub(crate) max_edge_weight: f64,
    /// Weight of all edges together.
    pub(crate) total_edge_weight: f64,
}

/// What selection computes first: sums over the children.
pub(crate) fn exploration(tree: &Tree, root_state: &RootState, node: &NodeView<'_>) -> Exploration {
    explore_by(tree, root_state, node, node.policy(root_state), None)
}

/// The same by any policy, where the network of human style may lead.
fn explore_by(
    tree: &Tree,
    root_state: &RootState,
    node: &NodeView<'_>,
    policy: &[f32],
    lead: Option<Lead>,
) -> Exploration {
    let (mut total, mut visited_policy, mut max_edge_weight) = (0.0, 0.0, 0.0f64);
    for edge in node.edges {
        let p = f64::from(policy[usize::from(edge.mv)]);
        if p < 0.0 {
            continue;
        }
        let stats = tree.arena.lock(edge.child).stats;
        let weight = weight_for(lead, &stats, edge);
        visited_policy += p;
        total += weight;
        max_edge_weight = max_edge_weight.max(weight);
    }
    let params = &root_state.params;
    Exploration {
        scale: match lead {
            Some(_) => params.human.explore_scaling(total),
            None => explore_scaling(params, total, stdev_factor(params, node.stats.averages())),
        },
        urgency: first_play_urgency(
            params,
            node.id == root_state.root,
            root_state.sign_of(node.mover),
            visited_policy,
            node.stats.utility,
            root_state.utility.of_evaluation(node.evaluation),
        ),
        max_edge_weight,
        total_edge_weight: total,
    }
}

/// The weight of a child in selection: that of its edge, but all of it where the playout is to teach the child alone.
fn weight_for(lead: Option<Lead>, stats: &NodeStats, edge: &Edge) -> f64 {
    match lead {
        Some(Lead::Weightless) => stats.weight,
        Some(Lead::Weightful) | None => stats.edge_weight(u64::from(edge.visits)),
    }
}

/// The move with the greatest value: utility, exploration, and at the root everything that is special there.
pub(crate) fn select(
    tree: &Tree,
    root_state: &RootState,
    node: &NodeView<'_>,
    game: &Game,
    visits_left: VisitsLeft,
    random: &mut Random,
) -> Selected {
    let params = &root_state.params;
    let is_root = node.id == root_state.root;
    if let (true, Some(targets)) = (is_root, &root_state.targets)
        && let Some(selection) = next_target(tree, node, targets)
    {
        return Selected { selection, counting: Counting::Full };
    }
    if is_root && let Some(mv) = root_state.focus.read().as_ref().and_then(|focus| focus.draw(random)) {
        let known = node.edges.iter().position(|edge| edge.mv == mv);
        let selection = known.map_or(Selection::New { mv }, |edge| Selection::Child { edge });
        return Selected { selection, counting: Counting::Free };
    }
    let sign = root_state.sign_of(node.mover);
    let (lead, policy) = match node.lead(root_state, random) {
        Some((lead, policy)) => (Some(lead), policy),
        None => (None, node.policy(root_state)),
    };
    let state = explore_by(tree, root_state, node, policy, lead);
    // What is special at the root is for playouts that count there.
    let counts = lead != Some(Lead::Weightless);
    let wide = is_root && counts && params.wide_root_noise > 0.0;
    let futile = futile_weight(root_state, node, &state, visits_left).filter(|_| counts);
    let mirror = root_state.mirror.as_ref().filter(|mirror| counts && mirror.goes_on(game, 0));
    let parent = ParentValue {
        utility: node.stats.utility,
        self_utility: sign * node.stats.utility,
        weight: state.total_edge_weight,
        is_root,
    };
    // What a closer look found counts before the search comes there by itself.
    let trusts_looks = is_root && lead.is_none() && params.human.at_root.weightless <= 0.0;

    let mut best_value = ILLEGAL;
    let mut best = Selection::Nothing;
    let mut taken = MoveSet::new(root_state.area);
    let (mut pass_edge, mut edge_visits) = (None, 0u64);
    for (i, edge) in node.edges.iter().enumerate() {
        taken.insert(edge.mv);
        edge_visits += u64::from(edge.visits);
        if usize::from(edge.mv) == root_state.area {
            pass_edge = Some(i);
        }
        let mut p = f64::from(policy[usize::from(edge.mv)]);
        if p < 0.0 {
            continue;
        }
        let (stats, in_flight) = {
            let child = tree.arena.lock(edge.child);
            (child.stats, child.leaves_in_flight)
        };
        let weight = weight_for(lead, &stats, edge);
        let mut self_utility = sign * state.urgency;
        if stats.visits > 0 && (weight > 0.0 || trusts_looks) {
            let bonus = if is_root { root_state.ending_bonus(edge.mv, &stats) } else { 0.0 };
            self_utility = sign * (stats.utility + bonus);
        }
        if is_root && counts {
            if params.root_desired_per_child_visits_coeff > 0.0
                && p > 0.0
                && weight < (p * state.total_edge_weight * params.root_desired_per_child_visits_coeff).sqrt()
            {
                if best_value < WANTED {
                    best_value = WANTED;
                    best = Selection::Child { edge: i };
                }
                continue;
            }
            if let Some(futile) = futile {
                let visits_per_weight =
                    (f64::from(edge.visits) + 1.0) / (weight + node.stats.weight / node.stats.visits.max(1) as f64);
                if f64::from(edge.visits) + visits_left.0 < futile * visits_per_weight {
                    continue;
                }
            }
            if wide {
                (p, self_utility) = widen(params.wide_root_noise, p, self_utility, random);
            }
        }
        if let Some(mirror) = mirror {
            let mv = position::move_of(edge.mv, root_state.size);
            p = mirror.raised(game, policy, mv, p);
            let weight = weight + f64::from(in_flight) * params.virtual_losses_per_leaf;
            self_utility += mirror.push(game, policy, MirrorChild { mv, self_utility, weight }, parent);
        }
        let value = selection_value(params, state.scale, p, weight, self_utility, in_flight);
        if value > best_value {
            best_value = value;
            best = Selection::Child { edge: i };
        }
    }

    let raised: Option<Vec<f32>> = mirror.map(|mirror| {
        let raise = |(mv, &p): (usize, &f32)| {
            let mv = position::move_of(mv as u16, root_state.size);
            if p < 0.0 { p } else { mirror.raised(game, policy, mv, p.into()) as f32 }
        };
        policy.iter().enumerate().map(raise).collect()
    });
    let policy = raised.as_deref().unwrap_or(policy);
    let new_move = best_new_move(root_state, node, policy, &taken);
    if let Some(mv) = new_move {
        let mut p = f64::from(policy[usize::from(mv)]);
        let mut self_utility = sign * state.urgency;
        let hopeless = futile
            .is_some_and(|futile| visits_left.0 < futile * node.stats.visits as f64 / node.stats.weight.max(1e-10));
        if wide {
            (p, self_utility) = widen(params.wide_root_noise, p, self_utility, random);
        }
        let value = selection_value(params, state.scale, p, 0.0, self_utility, 0);
        if !hopeless && value > best_value {
            best = Selection::New { mv };
        }
    }
    let mut counting = if counts { Counting::Full } else { Counting::Below };
    if params.enable_more_passing_hacks
        && edge_visits >= 2
        && root_state.move_lists.is_none()
        && position::pass_would_end_phase(game)
    {
        let pass = root_state.area as u16;
        if let Some(other) = unexplored_passing(pass, pass_edge, node.edges.len(), new_move, best) {
            (best, counting) = (other, Counting::Free);
        }
    }
    Selected { selection: best, counting }
}

/// The move among those that go first with the fewest visits, leaves in flight counted; `None` once all are served.
fn next_target(tree: &Tree, node: &NodeView<'_>, targets: &Targets) -> Option<Selection> {
    let mut least: Option<(u64, Selection)> = None;
    let mut all_met = true;
    for &mv in &targets.moves {
        let (done, begun, selection) = match node.edges.iter().position(|edge| edge.mv == mv) {
            Some(edge) => {
                let visits = u64::from(node.edges[edge].visits);
                let in_flight = u64::from(tree.arena.lock(node.edges[edge].child).leaves_in_flight);
                (visits, visits + in_flight, Selection::Child { edge })
            }
            None => (0, 0, Selection::New { mv }),
        };
        all_met &= done >= targets.visits;
        if begun < targets.visits && least.is_none_or(|(fewest, _)| begun < fewest) {
            least = Some((begun, selection));
        }
    }
    if all_met {
        targets.met.store(true, Ordering::Release);
    }
    least.map(|(_, selection)| selection)
}

/// Where a pass would end the phase both passing and something else are looked at once: the one that was not.
fn unexplored_passing(
    pass: u16,
    pass_edge: Option<usize>,
    n_edges: usize,
    new_move: Option<u16>,
    best: Selection,
) -> Option<Selection> {
    match (pass_edge, best) {
        (None, Selection::New { mv }) if mv == pass => None,
        (None, Selection::Nothing) => None,
        (None, _) => Some(Selection::New { mv: pass }),
        (Some(pass_edge), Selection::Child { edge }) if edge == pass_edge && n_edges == 1 => {
            new_move.map(|mv| Selection::New { mv })
        }
        _ => None,
    }
}

/// The likeliest move that is not tried yet and may be. The first of equals, a pass last.
fn best_new_move(root_state: &RootState, node: &NodeView<'_>, policy: &[f32], taken: &MoveSet) -> Option<u16> {
    let is_root = node.id == root_state.root;
    let mut best: Option<(u16, f32)> = None;
    for (index, &p) in policy.iter().enumerate() {
        if p < 0.0 || best.is_some_and(|(_, most)| p <= most) {
            continue;
        }
        let mv = index as u16;
        if taken.contains(mv)
            || (is_root && root_state.forbidden_at_root[index])
            || root_state.avoids(node.mover, node.depth, mv)
        {
            continue;
        }
        best = Some((mv, p));
    }
    best.map(|(mv, _)| mv)
}

/// Weight below which a root move can no longer matter; `None` where that is not asked for.
fn futile_weight(
    root_state: &RootState,
    node: &NodeView<'_>,
    state: &Exploration,
    visits_left: VisitsLeft,
) -> Option<f64> {
    let threshold = root_state.params.futile_visits_threshold;
    (node.id == root_state.root && threshold > 0.0 && visits_left.0 < 1e29).then_some(threshold * state.max_edge_weight)
}

/// Analysis looks at more moves: the policy is flattened and half of the moves look better than they are.
fn widen(noise: f64, policy: f64, self_utility: f64, random: &mut Random) -> (f64, f64) {
    let policy = policy.powf(1.0 / (4.0 * noise + 1.0));
    let raised = if random.next_u64() & 1 == 0 { noise * random.gaussian().abs() } else { 0.0 };
    (policy, self_utility + raised)
}

/// A small set of moves by point index.
struct MoveSet {
    bits: [u64; Self::WORDS],
}

impl MoveSet {
    /// Enough for the largest board and a pass.
    const WORDS: usize = (BoardSize::MAX * BoardSize::MAX + 1).div_ceil(64);

    fn new(area: usize) -> Self {
        debug_assert!(area < Self::WORDS * 64, "a board of {area} points is too large");
        Self { bits: [0; Self::WORDS] }
    }

    fn insert(&mut self, mv: u16) {
        self.bits[usize::from(mv >> 6)] |= 1 << (mv & 63);
    }

    fn contains(&self, mv: u16) -> bool {
        self.bits[usize::from(mv >> 6)] >> (mv & 63) & 1 != 0
    }
}
