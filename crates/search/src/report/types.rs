//! What a report contains.

use std::sync::Arc;

use honinbo_evaluator::Evaluation;
use honinbo_rules::{Color, Move};

use crate::perspective::Perspective;

/// What a report contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportOptions {
    /// The side that values are from.
    pub perspective: Perspective,
    /// Most moves of a variation after its first.
    pub pv_len: usize,
    /// Whether a variation shows the pass that ends a phase of the game. GTP engines show it; in KataGo's analysis
    /// protocol a variation ends before it, and that of a pass may be empty.
    pub phase_end: bool,
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
            phase_end: true,
            ownership: false,
            candidate_ownership: false,
            max_candidates: usize::MAX,
            min_candidates: 0,
            symmetric_images: true,
        }
    }
}

/// A snapshot of a search. Everything with a side is from `perspective`.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchReport {
    /// The side that values are from.
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
