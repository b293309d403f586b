//! What is known of a position, as windows see it.

use crate::analysis::evaluations::of_candidate;
use crate::games::session::{sign, vertex};
use crate::{AnalysisUpdate, CandidateView, GraphValue, NodeId, OpenGameId};
use honinbo_record::{CandidateEvaluation, PositionEvaluation};
use honinbo_rules::{BoardSize, Color, Game, Move};
use honinbo_search::Candidate;

/// Candidates that a window is sent, and that tell how it would go on where every move of the board is sent.
pub(crate) const MAX_CANDIDATES: usize = 40;
/// Candidates whose ownership is reported where it was asked for.
const OWNERSHIPS: usize = 6;

/// An evaluation as a value of the graph.
pub(crate) fn graph_value(node_id: NodeId, known: &PositionEvaluation) -> GraphValue {
    GraphValue {
        node_id,
        black_win_prob: known.black_win_prob.into(),
        black_score_lead: known.black_lead.map(Into::into),
        visits: known.visits,
        judged: None,
    }
}

/// An evaluation as live analysis reports it. What is not kept (spreads, the network's first thought of every point) is 0
/// or empty.
pub(crate) fn update_of(
    game_id: OpenGameId,
    node_id: NodeId,
    game: &Game,
    known: &PositionEvaluation,
) -> AnalysisUpdate {
    let (size, mover) = (game.board().size(), game.to_play());
    let best = known.candidates.first().and_then(|best| best.black_lead);
    let candidates = known.candidates.iter().enumerate();
    AnalysisUpdate {
        game_id,
        node_id,
        sequence: 0,
        focus: 0,
        visits: known.visits,
        visits_per_second: 0.0.into(),
        black_win_prob: known.black_win_prob.into(),
        black_score_lead: known.black_lead.map(Into::into),
        score_stdev: 0.0.into(),
        candidates: candidates.map(|(order, candidate)| view(order, candidate, best, mover, size)).collect(),
        black_ownership: known.black_ownership.iter().copied().map(percent).collect(),
        policy: Vec::new(),
        running: false,
    }
}

/// A candidate of a search that goes on, beside the best one. Both are from Black's side. One that was looked at more
/// closely has visits of its own, which the search as a whole does not count.
pub(crate) fn candidate_view(
    candidate: &Candidate,
    best: Option<&Candidate>,
    closer: bool,
    mover: Color,
    size: BoardSize,
) -> CandidateView {
    let line = if closer || candidate.order < MAX_CANDIDATES { usize::MAX } else { 1 };
    let mut known = of_candidate(candidate, line);
    if closer {
        known.visits = u32::try_from(candidate.visits).unwrap_or(u32::MAX);
    }
    let ownership = candidate.ownership.as_deref().filter(|_| candidate.order < OWNERSHIPS).unwrap_or_default();
    CandidateView {
        score_stdev: candidate.score_stdev.into(),
        lcb_for_mover: for_mover(candidate.lcb, mover).into(),
        black_ownership: ownership.iter().copied().map(percent).collect(),
        ..view(candidate.order, &known, best.map(|best| best.score_lead), mover, size)
    }
}

fn view(
    order: usize,
    candidate: &CandidateEvaluation,
    best_lead: Option<f64>,
    mover: Color,
    size: BoardSize,
) -> CandidateView {
    let vertex = |played: Move| played.point().map(|point| vertex(point, size));
    let lost = |lead| best_lead.map_or(0.0, |best| f64::from(sign(mover)) * (best - lead));
    CandidateView {
        vertex: vertex(candidate.played),
        visits: candidate.visits,
        black_win_prob: candidate.black_win_prob.into(),
        black_score_lead: candidate.black_lead.map(Into::into),
        score_stdev: 0.0.into(),
        prior: candidate.prior.into(),
        lcb_for_mover: for_mover(candidate.black_win_prob, mover).into(),
        points_lost: candidate.black_lead.map(|lead| lost(lead).max(0.0).into()),
        order: u32::try_from(order).unwrap_or(u32::MAX),
        pv: candidate.line.iter().map(|&played| vertex(played)).collect(),
        black_ownership: Vec::new(),
    }
}

fn for_mover(black_win_prob: f64, mover: Color) -> f64 {
    if mover == Color::Black { black_win_prob } else { 1.0 - black_win_prob }
}

/// -1 to 1 as -100 to 100.
pub(crate) fn percent(value: f32) -> i8 {
    (value.clamp(-1.0, 1.0) * 100.0).round() as i8
}

/// 0 to 1 as 0 to 1000; what is negative as -1.
pub(crate) fn thousandths(value: f32) -> i16 {
    if value < 0.0 { -1 } else { (value.min(1.0) * 1000.0).round() as i16 }
}
