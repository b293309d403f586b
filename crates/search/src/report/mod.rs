//! What a search says, at any moment: candidates in order, values of the root, ownership.
//!
//! Source of the definitions: KataGo v1.17.2, `searchresults.cpp`.

mod candidates;
mod choice;
mod node;
mod root;
mod types;
mod variation;

pub(crate) use choice::play_weights;
pub use types::{Candidate, RawReport, ReportOptions, RootReport, SearchReport};

use crate::arena::NodeId;
use crate::ownership;
use crate::root_state::RootState;
use crate::tree::Tree;
use candidates::{add_unvisited, visited_candidates, with_images};
use node::NodeCopy;
use root::root_report;

/// Writes the report of a tree that may be growing at the same time.
pub(crate) fn write(tree: &Tree, root_state: &RootState, options: &ReportOptions) -> Option<SearchReport> {
    // The network's answer is there a moment before the visit that counts it.
    let root = NodeCopy::of(tree, root_state.root).filter(|root| root.stats.visits > 0)?;
    let choices = root.choices(tree, root_state);
    let sign = options.perspective.sign(root.mover);
    let mut candidates = visited_candidates(tree, root_state, options, &root, &choices, sign);
    candidates.sort_by(|a, b| {
        (b.edge_visits > 0)
            .cmp(&(a.edge_visits > 0))
            .then(b.play_selection_value.total_cmp(&a.play_selection_value))
            .then(b.edge_visits.cmp(&a.edge_visits))
            .then(b.prior.total_cmp(&a.prior))
    });
    add_unvisited(tree, root_state, options, &root, sign, &mut candidates);
    if options.symmetric_images && root_state.params.root_symmetry_pruning {
        candidates = with_images(root_state, candidates);
    }
    candidates.truncate(options.max_candidates);
    for (order, candidate) in candidates.iter_mut().enumerate() {
        candidate.order = order;
    }
    let (ownership, ownership_stdev) =
        if options.ownership { owned(tree, root_state, root_state.root, sign) } else { (None, None) };
    Some(SearchReport {
        perspective: options.perspective,
        to_play: root.mover,
        root: root_report(root_state, &root, &choices, sign),
        candidates,
        ownership,
        ownership_stdev,
        policy: root.evaluation.policy.to_vec(),
        human: root_state.root_human.clone(),
    })
}

fn owned(tree: &Tree, root_state: &RootState, id: NodeId, sign: f64) -> (Option<Vec<f32>>, Option<Vec<f32>>) {
    match ownership::average(tree, root_state, id) {
        Some(average) => (
            Some(average.white.iter().map(|point| (sign * point) as f32).collect()),
            Some(average.stdev.iter().map(|point| *point as f32).collect()),
        ),
        None => (None, None),
    }
}

/// Win rate from win minus loss of White.
fn win_rate(sign: f64, white_win_loss: f64) -> f64 {
    0.5 * (1.0 + sign * white_win_loss)
}

/// Values scaled so that the greatest is at least one.
fn scaled(mut values: Vec<f64>) -> Vec<f64> {
    let largest = values.iter().copied().fold(0.0, f64::max);
    if largest > 0.0 && largest < 1.0 {
        values.iter_mut().for_each(|value| *value /= largest);
    }
    values
}
