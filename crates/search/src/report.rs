//! What a search says, at any moment: candidates in order, values of the root, ownership.
//!
//! Source of the definitions: KataGo v1.17.2, `searchresults.cpp`.

use std::sync::Arc;

use honinbo_evaluator::Evaluation;
use honinbo_rules::{Color, Move, Scoring, Symmetry};

use crate::arena::NodeId;
use crate::choose::{ChoiceChild, ChoiceRules, ConfidenceBound, confidence_bound, play_selection_values, prune};
use crate::human::{Answer, HumanChoice, with_human_share};
use crate::node::{Edge, LeafValue, NodeStats};
use crate::ownership;
use crate::perspective::Perspective;
use crate::position;
use crate::puct::{explore_scaling, stdev_factor};
use crate::score_value::stdev_from_moments;
use crate::select::{NodeView, exploration};
use crate::session::Session;
use crate::tree::Tree;

/// What a report contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportOptions {
    /// The side that values are told from.
    pub perspective: Perspective,
    /// Most moves of a variation after its first.
    pub pv_len: usize,
    /// Whether the root's ownership is averaged over the tree.
    pub ownership: bool,
    /// Whether each candidate's ownership is, too.
    pub candidate_ownership: bool,
    /// Most candidates; the best ones are kept.
    pub max_candidates: usize,
    /// At least so many candidates: unvisited moves are added by policy.
    pub min_candidates: usize,
    /// Whether moves that were left out as symmetric duplicates are listed beside the searched one.
    pub symmetric_images: bool,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self {
            perspective: Perspective::Black,
            pv_len: 15,
            ownership: false,
            candidate_ownership: false,
            max_candidates: usize::MAX,
            min_candidates: 0,
            symmetric_images: true,
        }
    }
}

/// A snapshot of a search. Everything with a side is told from `perspective`.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchReport {
    /// The side that values are told from.
    pub perspective: Perspective,
    /// Who is to move at the root.
    pub to_play: Color,
    /// Values of the root.
    pub root: RootReport,
    /// Candidates, best first.
    pub candidates: Vec<Candidate>,
    /// Ownership averaged over the tree, row by row from the top: +1 for the side of the perspective.
    pub ownership: Option<Vec<f32>>,
    /// Its standard deviation over the tree.
    pub ownership_stdev: Option<Vec<f32>>,
    /// The network's policy at the root: area + 1, row by row from the top, pass last, -1 where illegal.
    pub policy: Vec<f32>,
    /// What a network of human style beside the main one says of the root. Its numbers are White's.
    pub human: Option<Arc<Evaluation>>,
}

/// Values of the root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootReport {
    /// Completed visits.
    pub visits: u64,
    /// Weight of all evaluations together.
    pub weight: f64,
    /// Probability of winning, draws and no results counting half.
    pub win_rate: f64,
    /// Lead in points.
    pub score_lead: f64,
    /// Probability of winning averaged over all visits as they were spent; `win_rate` weighs moves as hindsight would
    /// have them.
    pub mean_win_rate: f64,
    /// Lead in points, averaged in the same way.
    pub mean_score_lead: f64,
    /// Expected score of the network's own games, in points.
    pub score_selfplay: f64,
    /// Standard deviation of the score in points; the tree's own spread is part of it.
    pub score_stdev: f64,
    /// Utility.
    pub utility: f64,
    /// Probability of no result.
    pub no_result: f64,
    /// The network's own view of the root, without search.
    pub raw: RawReport,
}

/// A network's view of one position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RawReport {
    /// Probability of winning, no result counting half.
    pub win_rate: f64,
    /// Lead in points.
    pub score_lead: f64,
    /// Expected score of the network's own games, in points.
    pub score_selfplay: f64,
    /// Standard deviation of that score.
    pub score_selfplay_stdev: f64,
    /// Probability of no result.
    pub no_result: f64,
    /// Expected error of win minus loss after a short search; -1 where the network does not say.
    pub shortterm_win_loss_error: f64,
    /// Expected error of the score after a short search, in points; -1 where the network does not say.
    pub shortterm_score_error: f64,
    /// Expected time until the outcome is decided, in turns; -1 where the network does not say.
    pub var_time_left: f64,
}

/// One move of the root.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Visits of the position after it, however reached.
    pub visits: u64,
    /// Visits through this move.
    pub edge_visits: u64,
    /// Weight of the position after it.
    pub weight: f64,
    /// Weight through this move.
    pub edge_weight: f64,
    /// Probability of winning, draws and no results counting half.
    pub win_rate: f64,
    /// Lead in points.
    pub score_lead: f64,
    /// Expected score of the network's own games, in points.
    pub score_selfplay: f64,
    /// Standard deviation of the score in points.
    pub score_stdev: f64,
    /// Utility.
    pub utility: f64,
    /// Probability of no result.
    pub no_result: f64,
    /// The policy that the search used, 0 ..= 1.
    pub prior: f64,
    /// Win rate at the cautious end of its confidence interval, for the player to move; may leave 0 ..= 1.
    pub lcb: f64,
    /// Utility at that end.
    pub utility_lcb: f64,
    /// What the choice of a move goes by.
    pub play_selection_value: f64,
    /// Place among the candidates, the best 0.
    pub order: usize,
    /// The searched move of which this is a mirror image.
    pub symmetry_of: Option<Move>,
    /// The expected continuation, this move first.
    pub pv: Vec<Move>,
    /// Visits of the position after each move of it.
    pub pv_visits: Vec<u64>,
    /// Visits through each move of it.
    pub pv_edge_visits: Vec<u64>,
    /// Ownership after this move, averaged over its subtree.
    pub ownership: Option<Vec<f32>>,
    /// Its standard deviation.
    pub ownership_stdev: Option<Vec<f32>>,
}

/// A node copied out of the tree, with its children.
pub(crate) struct NodeCopy {
    id: NodeId,
    mover: Color,
    stats: NodeStats,
    evaluation: Arc<Answer>,
    edges: Vec<Edge>,
    child_stats: Vec<NodeStats>,
}

impl NodeCopy {
    /// Copies a node that has an evaluation.
    pub(crate) fn of(tree: &Tree, id: NodeId) -> Option<Self> {
        let node = tree.arena.lock(id);
        let evaluation = Arc::clone(node.evaluation.present()?);
        let (mover, stats, edges) = (node.mover, node.stats, node.edges.clone());
        drop(node);
        let child_stats = edges.iter().map(|edge| tree.arena.lock(edge.child).stats).collect();
        Some(Self { id, mover, stats, evaluation, edges, child_stats })
    }

    fn view(&self) -> NodeView<'_> {
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
    pub(crate) fn choices(&self, tree: &Tree, session: &Session) -> Vec<ChoiceChild> {
        let is_root = self.id == session.root;
        let view = self.view();
        let policy = view.policy(session);
        let urgency = exploration(tree, session, &view).urgency;
        let suppress_pass = is_root && self.suppresses_pass(session);
        self.edges
            .iter()
            .zip(&self.child_stats)
            .map(|(edge, stats)| {
                let edge_visits = u64::from(edge.visits);
                let weight = stats.edge_weight(edge_visits);
                let bonus = if is_root { session.ending_bonus(edge.mv, stats) } else { 0.0 };
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
                    suppressed: suppress_pass && usize::from(edge.mv) == session.area,
                }
            })
            .collect()
    }

    /// How moves of this node are chosen.
    pub(crate) fn rules(&self, session: &Session, choices: &[ChoiceChild], use_lcb: bool) -> ChoiceRules {
        let total: f64 = choices.iter().map(|child| child.weight).sum();
        let params = &session.params;
        let explore = explore_scaling(params, total, stdev_factor(params, self.stats.averages()));
        ChoiceRules {
            sign: session.sign_of(self.mover),
            hindsight_explore: (self.id == session.root).then_some(explore),
            use_lcb,
        }
    }

    /// Whether neutral points should be filled before passing: another move is as good as the pass.
    fn suppresses_pass(&self, session: &Session) -> bool {
        let game = &session.game;
        if !session.params.fill_dame_before_pass
            || game.ruleset().scoring != Scoring::Territory
            || game.phase().is_clean_up()
        {
            return false;
        }
        let Some(ownership) = &self.evaluation.white_ownership else { return false };
        let sign = session.sign_of(self.mover);
        let mut pass = None;
        for (edge, stats) in self.edges.iter().zip(&self.child_stats) {
            if usize::from(edge.mv) == session.area && stats.visits > 0 {
                pass = Some((*stats, stats.edge_weight(u64::from(edge.visits))));
            }
        }
        let Some((pass, pass_weight)) = pass else { return false };
        let mine = |index: usize| sign * f64::from(ownership[index]);
        self.edges.iter().zip(&self.child_stats).any(|(edge, stats)| {
            let index = usize::from(edge.mv);
            if index == session.area || stats.visits == 0 {
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

/// Writes the report of a tree that may be growing at the same time.
pub(crate) fn write(tree: &Tree, session: &Session, options: &ReportOptions) -> Option<SearchReport> {
    let root = NodeCopy::of(tree, session.root)?;
    let choices = root.choices(tree, session);
    let sign = options.perspective.sign(root.mover);
    let mut candidates = visited_candidates(tree, session, options, &root, &choices, sign);
    candidates.sort_by(|a, b| {
        (b.edge_visits > 0)
            .cmp(&(a.edge_visits > 0))
            .then(b.play_selection_value.total_cmp(&a.play_selection_value))
            .then(b.edge_visits.cmp(&a.edge_visits))
            .then(b.prior.total_cmp(&a.prior))
    });
    add_unvisited(tree, session, options, &root, sign, &mut candidates);
    if options.symmetric_images && session.params.root_symmetry_pruning {
        candidates = with_images(session, candidates);
    }
    candidates.truncate(options.max_candidates);
    for (order, candidate) in candidates.iter_mut().enumerate() {
        candidate.order = order;
    }
    let (ownership, ownership_stdev) =
        if options.ownership { owned(tree, session, session.root, sign) } else { (None, None) };
    Some(SearchReport {
        perspective: options.perspective,
        to_play: root.mover,
        root: root_report(session, &root, &choices, sign),
        candidates,
        ownership,
        ownership_stdev,
        policy: root.evaluation.policy.to_vec(),
        human: session.root_human.clone(),
    })
}

fn owned(tree: &Tree, session: &Session, id: NodeId, sign: f64) -> (Option<Vec<f32>>, Option<Vec<f32>>) {
    match ownership::average(tree, session, id) {
        Some(average) => (
            Some(average.white.iter().map(|point| (sign * point) as f32).collect()),
            Some(average.stdev.iter().map(|point| *point as f32).collect()),
        ),
        None => (None, None),
    }
}

fn visited_candidates(
    tree: &Tree,
    session: &Session,
    options: &ReportOptions,
    root: &NodeCopy,
    choices: &[ChoiceChild],
    sign: f64,
) -> Vec<Candidate> {
    let values = scaled(chosen_by(session, root, choices, true));
    let mover_sign = session.sign_of(root.mover);
    let fpu = exploration(tree, session, &root.view()).urgency;
    root.edges
        .iter()
        .zip(&root.child_stats)
        .zip(choices.iter().zip(values))
        .map(|((edge, stats), (choice, value))| {
            let bound = confidence_bound(&session.params, mover_sign, choice);
            let known = stats.visits > 0 && stats.weight > 0.0;
            let shown = if known { *stats } else { unvisited_stats(session, &root.stats, fpu) };
            let (pv, pv_visits, pv_edge_visits) = variation(tree, session, edge, options.pv_len);
            let (ownership, ownership_stdev) =
                if options.candidate_ownership { owned(tree, session, edge.child, sign) } else { (None, None) };
            Candidate {
                visits: stats.visits,
                edge_visits: choice.edge_visits,
                weight: if known { stats.weight } else { 0.0 },
                edge_weight: choice.weight,
                play_selection_value: value,
                pv,
                pv_visits,
                pv_edge_visits,
                ownership,
                ownership_stdev,
                ..candidate_of(session, edge.mv, &shown, bound, choice.policy, mover_sign, sign)
            }
        })
        .collect()
}

/// The part of a candidate that follows from averages.
fn candidate_of(
    session: &Session,
    mv: u16,
    stats: &NodeStats,
    bound: ConfidenceBound,
    prior: f64,
    mover_sign: f64,
    sign: f64,
) -> Candidate {
    let params = &session.params;
    let to_win_rate = 0.5 * params.win_loss_utility_factor / params.utility_radius();
    let cautious = 0.5 * (1.0 + stats.win_loss) - mover_sign * to_win_rate * bound.radius;
    let mv = position::move_of(mv, session.size);
    Candidate {
        mv,
        visits: 0,
        edge_visits: 0,
        weight: 0.0,
        edge_weight: 0.0,
        win_rate: win_rate(sign, stats.win_loss),
        score_lead: sign * stats.lead,
        score_selfplay: sign * stats.score_mean,
        score_stdev: stdev_from_moments(stats.score_mean, stats.score_mean_sq),
        utility: sign * stats.utility,
        no_result: stats.no_result,
        prior,
        lcb: 0.5 + sign * (cautious - 0.5),
        utility_lcb: sign * mover_sign * bound.lower,
        play_selection_value: 0.0,
        order: 0,
        symmetry_of: None,
        pv: vec![mv],
        pv_visits: vec![0],
        pv_edge_visits: vec![0],
        ownership: None,
        ownership_stdev: None,
    }
}

/// Win rate from win minus loss of White.
fn win_rate(sign: f64, white_win_loss: f64) -> f64 {
    0.5 * (1.0 + sign * white_win_loss)
}

/// What is supposed of a move that has no visit: the root's averages moved by first-play urgency.
fn unvisited_stats(session: &Session, root: &NodeStats, urgency: f64) -> NodeStats {
    #[expect(clippy::float_cmp, reason = "the conversion holds for a factor of exactly one")]
    let win_loss = if session.params.win_loss_utility_factor == 1.0 {
        (root.win_loss + urgency - root.utility).clamp(-1.0, 1.0)
    } else {
        0.0
    };
    NodeStats { visits: 0, weight: 0.0, win_loss, utility: urgency, ..*root }
}

/// Appends unvisited moves by policy until there are as many candidates as wanted.
fn add_unvisited(
    tree: &Tree,
    session: &Session,
    options: &ReportOptions,
    root: &NodeCopy,
    sign: f64,
    candidates: &mut Vec<Candidate>,
) {
    if candidates.len() >= options.min_candidates {
        return;
    }
    let view = root.view();
    let policy = view.policy(session);
    let mut open: Vec<u16> = (0..policy.len() as u16)
        .filter(|&mv| {
            let index = usize::from(mv);
            policy[index] >= 0.0
                && !session.forbidden_at_root[index]
                && !session.avoids(root.mover, 0, mv)
                && root.edges.iter().all(|edge| edge.mv != mv)
        })
        .collect();
    open.sort_by(|&a, &b| policy[usize::from(b)].total_cmp(&policy[usize::from(a)]));
    let urgency = exploration(tree, session, &view).urgency;
    let stats = unvisited_stats(session, &root.stats, urgency);
    let mover_sign = session.sign_of(root.mover);
    for mv in open.into_iter().take(options.min_candidates - candidates.len()) {
        let bound = ConfidenceBound { lower: 0.0, radius: 0.0 };
        let prior = f64::from(policy[usize::from(mv)]);
        candidates.push(candidate_of(session, mv, &stats, bound, prior, mover_sign, sign));
    }
}

/// Puts the mirror images of each candidate behind it.
fn with_images(session: &Session, candidates: Vec<Candidate>) -> Vec<Candidate> {
    if session.symmetries.len() <= 1 {
        return candidates;
    }
    let size = session.size;
    let map = |symmetry: Symmetry, mv: Move| match mv {
        Move::Place(point) => Move::Place(symmetry.apply(point, size)),
        other => other,
    };
    let searched: Vec<Move> = candidates.iter().map(|candidate| candidate.mv).collect();
    let mut all = Vec::with_capacity(candidates.len() * 2);
    for candidate in candidates {
        let mut seen = vec![candidate.mv];
        let mut images = Vec::new();
        for &symmetry in &session.symmetries {
            let image = map(symmetry, candidate.mv);
            let avoided = session.avoids(session.root_mover, 0, position::index_of(image, size));
            if seen.contains(&image) || searched.contains(&image) || avoided {
                continue;
            }
            seen.push(image);
            let turn = |field: &Vec<f32>| {
                let mut turned = vec![0.0; field.len()];
                for (index, value) in field.iter().enumerate() {
                    let point = honinbo_rules::Point::from_index(index, size);
                    turned[symmetry.apply(point, size).index(size)] = *value;
                }
                turned
            };
            images.push(Candidate {
                mv: image,
                symmetry_of: Some(candidate.mv),
                pv: candidate.pv.iter().map(|mv| map(symmetry, *mv)).collect(),
                ownership: candidate.ownership.as_ref().map(turn),
                ownership_stdev: candidate.ownership_stdev.as_ref().map(turn),
                ..candidate.clone()
            });
        }
        all.push(candidate);
        all.append(&mut images);
    }
    all
}

/// Values scaled so that the greatest is at least one.
fn scaled(mut values: Vec<f64>) -> Vec<f64> {
    let largest = values.iter().copied().fold(0.0, f64::max);
    if largest > 0.0 && largest < 1.0 {
        values.iter_mut().for_each(|value| *value /= largest);
    }
    values
}

/// Averages of the root in which moves count as hindsight would have them.
fn root_report(session: &Session, root: &NodeCopy, choices: &[ChoiceChild], sign: f64) -> RootReport {
    let values = scaled(chosen_by(session, root, choices, false));
    let evaluation = &root.evaluation;
    let own = LeafValue::of(evaluation);
    let own_utility = session.utility.of_evaluation(evaluation);
    let mut stats = root.stats;
    // Moves that no visit counts for the root say nothing of it.
    if root.edges.iter().any(|edge| edge.visits > 0) {
        let mut sum = NodeStats::default();
        let own_weight = session.utility.weight_of_evaluation(&session.params, evaluation);
        for (value, child) in values.iter().zip(&root.child_stats) {
            let child =
                (child.win_loss, child.no_result, child.score_mean, child.score_mean_sq, child.lead, child.utility);
            accumulate(&mut sum, *value, child);
        }
        let own = (own.win_loss, own.no_result, own.score_mean, own.score_mean_sq, own.lead, own_utility);
        accumulate(&mut sum, own_weight, own);
        let inverse = 1.0 / sum.weight;
        stats.win_loss = sum.win_loss * inverse;
        stats.no_result = sum.no_result * inverse;
        stats.score_mean = sum.score_mean * inverse;
        stats.score_mean_sq = sum.score_mean_sq * inverse;
        stats.lead = sum.lead * inverse;
        stats.utility = sum.utility * inverse;
    }
    RootReport {
        visits: root.stats.visits,
        weight: root.stats.weight,
        win_rate: win_rate(sign, stats.win_loss),
        score_lead: sign * stats.lead,
        mean_win_rate: win_rate(sign, root.stats.win_loss),
        mean_score_lead: sign * root.stats.lead,
        score_selfplay: sign * stats.score_mean,
        score_stdev: stdev_from_moments(stats.score_mean, stats.score_mean_sq),
        utility: sign * stats.utility,
        no_result: stats.no_result,
        raw: RawReport {
            win_rate: win_rate(sign, own.win_loss),
            score_lead: sign * own.lead,
            score_selfplay: sign * own.score_mean,
            score_selfplay_stdev: stdev_from_moments(own.score_mean, own.score_mean_sq),
            no_result: own.no_result,
            shortterm_win_loss_error: f64::from(evaluation.shortterm_winloss_error),
            shortterm_score_error: f64::from(evaluation.shortterm_score_error),
            var_time_left: f64::from(evaluation.var_time_left),
        },
    }
}

/// Adds win minus loss, no result, score mean and second moment, lead and utility with a weight.
fn accumulate(sum: &mut NodeStats, weight: f64, value: (f64, f64, f64, f64, f64, f64)) {
    sum.weight += weight;
    sum.win_loss += weight * value.0;
    sum.no_result += weight * value.1;
    sum.score_mean += weight * value.2;
    sum.score_mean_sq += weight * value.3;
    sum.lead += weight * value.4;
    sum.utility += weight * value.5;
}

/// The expected continuation through an edge: moves, visits after each, visits through each.
fn variation(tree: &Tree, session: &Session, first: &Edge, max_more: usize) -> (Vec<Move>, Vec<u64>, Vec<u64>) {
    let mut edges = vec![*first];
    let mut visits = vec![tree.arena.lock(first.child).stats.visits];
    while edges.len() <= max_more {
        let Some(node) = edges.last().and_then(|edge| NodeCopy::of(tree, edge.child)) else { break };
        let choices = node.choices(tree, session);
        let values = chosen_by(session, &node, &choices, true);
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
    let moves: Vec<Move> = edges.iter().map(|edge| position::move_of(edge.mv, session.size)).collect();
    let length = position::playable_length(&session.game, &moves);
    let mut edge_visits: Vec<u64> = edges.iter().map(|edge| u64::from(edge.visits)).collect();
    visits.truncate(length);
    edge_visits.truncate(length);
    (moves[..length].to_vec(), visits, edge_visits)
}

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
fn chosen_by(session: &Session, node: &NodeCopy, choices: &[ChoiceChild], use_lcb: bool) -> Vec<f64> {
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
