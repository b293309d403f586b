//! The moves of the root: those with visits, others by policy, mirror images.

use honinbo_rules::{Move, Symmetry};

use super::choice::chosen_by;
use super::node::NodeCopy;
use super::variation::variation;
use super::{Candidate, ReportOptions, owned, scaled, win_rate};
use crate::choose::{ChoiceChild, ConfidenceBound, confidence_bound};
use crate::node::NodeStats;
use crate::position;
use crate::root_state::RootState;
use crate::score_value::stdev_from_moments;
use crate::select::exploration;
use crate::tree::Tree;

pub(super) fn visited_candidates(
    tree: &Tree,
    root_state: &RootState,
    options: &ReportOptions,
    root: &NodeCopy,
    choices: &[ChoiceChild],
    sign: f64,
) -> Vec<Candidate> {
    let values = scaled(chosen_by(root_state, root, choices, true));
    let mover_sign = root_state.sign_of(root.mover);
    let fpu = exploration(tree, root_state, &root.view()).urgency;
    root.edges
        .iter()
        .zip(&root.child_stats)
        .zip(choices.iter().zip(values))
        .map(|((edge, stats), (choice, value))| {
            let bound = confidence_bound(&root_state.params, mover_sign, choice);
            let known = stats.visits > 0 && stats.weight > 0.0;
            let shown = if known { *stats } else { unvisited_stats(root_state, &root.stats, fpu) };
            let (pv, pv_visits, pv_edge_visits) = variation(tree, root_state, edge, options);
            let (ownership, ownership_stdev) =
                if options.candidate_ownership { owned(tree, root_state, edge.child, sign) } else { (None, None) };
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
                ..candidate_of(root_state, edge.mv, &shown, bound, choice.policy, mover_sign, sign)
            }
        })
        .collect()
}

/// The part of a candidate that follows from averages.
fn candidate_of(
    root_state: &RootState,
    mv: u16,
    stats: &NodeStats,
    bound: ConfidenceBound,
    prior: f64,
    mover_sign: f64,
    sign: f64,
) -> Candidate {
    let params = &root_state.params;
    let to_win_rate = 0.5 * params.win_loss_utility_factor / params.utility_radius();
    let cautious = 0.5 * (1.0 + stats.win_loss) - mover_sign * to_win_rate * bound.radius;
    let mv = position::move_of(mv, root_state.size);
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

/// What is supposed of a move that has no visit: the root's averages moved by first-play urgency.
fn unvisited_stats(root_state: &RootState, root: &NodeStats, urgency: f64) -> NodeStats {
    #[expect(clippy::float_cmp, reason = "the conversion holds for a factor of exactly one")]
    let win_loss = if root_state.params.win_loss_utility_factor == 1.0 {
        (root.win_loss + urgency - root.utility).clamp(-1.0, 1.0)
    } else {
        0.0
    };
    NodeStats { visits: 0, weight: 0.0, win_loss, utility: urgency, ..*root }
}

/// Appends unvisited moves by policy until there are as many candidates as wanted.
pub(super) fn add_unvisited(
    tree: &Tree,
    root_state: &RootState,
    options: &ReportOptions,
    root: &NodeCopy,
    sign: f64,
    candidates: &mut Vec<Candidate>,
) {
    if candidates.len() >= options.min_candidates {
        return;
    }
    let view = root.view();
    let policy = view.policy(root_state);
    let mut open: Vec<u16> = (0..policy.len() as u16)
        .filter(|&mv| {
            let index = usize::from(mv);
            policy[index] >= 0.0
                && !root_state.forbidden_at_root[index]
                && !root_state.avoids(root.mover, 0, mv)
                && root.edges.iter().all(|edge| edge.mv != mv)
        })
        .collect();
    open.sort_by(|&a, &b| policy[usize::from(b)].total_cmp(&policy[usize::from(a)]));
    let urgency = exploration(tree, root_state, &view).urgency;
    let stats = unvisited_stats(root_state, &root.stats, urgency);
    let mover_sign = root_state.sign_of(root.mover);
    for mv in open.into_iter().take(options.min_candidates - candidates.len()) {
        let bound = ConfidenceBound { lower: 0.0, radius: 0.0 };
        let prior = f64::from(policy[usize::from(mv)]);
        candidates.push(candidate_of(root_state, mv, &stats, bound, prior, mover_sign, sign));
    }
}

/// Puts the mirror images of each candidate behind it.
pub(super) fn with_images(root_state: &RootState, candidates: Vec<Candidate>) -> Vec<Candidate> {
    if root_state.symmetries.len() <= 1 {
        return candidates;
    }
    let size = root_state.size;
    let map = |symmetry: Symmetry, mv: Move| match mv {
        Move::Place(point) => Move::Place(symmetry.apply(point, size)),
        other => other,
    };
    let searched: Vec<Move> = candidates.iter().map(|candidate| candidate.mv).collect();
    let mut all = Vec::with_capacity(candidates.len() * 2);
    for candidate in candidates {
        let mut seen = vec![candidate.mv];
        let mut images = Vec::new();
        for &symmetry in &root_state.symmetries {
            let image = map(symmetry, candidate.mv);
            let avoided = root_state.avoids(root_state.root_mover, 0, position::index_of(image, size));
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
