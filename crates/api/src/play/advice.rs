//! What a teacher says: hints by degrees, what a move would lose.

use crate::analysis::question::Question;
use crate::games::session::vertex;
use crate::play::PlayRoom;
use crate::{ApiError, Hint, HintDegree};
use honinbo_evaluator::StopFlag;
use honinbo_rules::{Game, Move, Point};
use honinbo_search::{Perspective, ReportOptions, SearchReport};
use std::time::Duration;

/// Visits of a search for advice.
const VISITS: u64 = 100;
/// Visits that the move in question gets at least.
const VISITS_OF_MOVE: u32 = 12;
/// What a search for advice may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// How far a region reaches around the best move, along the lines.
const REGION: usize = 3;
/// Moves of a line.
const LINE: usize = 6;

impl PlayRoom {
    fn search_for_advice(&self, game: &Game, about: Option<Move>, stop: &StopFlag) -> Result<SearchReport, ApiError> {
        let loaded = self.analysis.engine.load()?;
        self.analysis.engine.begin_advice(stop);
        let about = about.map(|about| (about, VISITS_OF_MOVE));
        let question = Question { time: Some(PATIENCE), about, ..Question::of_visits(VISITS) };
        let search = question.ask(&loaded, &self.host, game.clone(), stop, None)?;
        let options = ReportOptions { perspective: Perspective::Mover, pv_len: LINE, ..ReportOptions::default() };
        search.report(&options).ok_or(ApiError::Cancelled)
    }

    /// About how many points a move loses against the best one; `None` where nobody can say.
    pub(super) fn loss_of(&self, game: &Game, played: Move) -> Option<f64> {
        let report = match self.search_for_advice(game, Some(played), &StopFlag::new()) {
            Ok(report) => report,
            Err(error) => {
                // A game goes on without advice.
                tracing::warn!(%error, "no advice");
                return None;
            }
        };
        let best = report.candidates.first()?;
        if best.mv == played {
            return Some(0.0);
        }
        let this = report.candidates.iter().find(|candidate| candidate.mv == played && candidate.edge_visits > 0)?;
        Some((best.score_lead - this.score_lead).max(0.0))
    }

    pub(super) fn hint_for(&self, game: &Game, degree: HintDegree, stop: &StopFlag) -> Result<Hint, ApiError> {
        let report = self.search_for_advice(game, None, stop)?;
        let board = game.board();
        let size = board.size();
        let seen = |played: Move| played.point().map(|point| vertex(point, size));
        let best = report.candidates.first().ok_or(ApiError::Cancelled)?;
        let points = match degree {
            HintDegree::Move => vec![seen(best.mv)],
            HintDegree::Line => {
                let line: Vec<_> = best.pv.iter().copied().take(LINE).map(seen).collect();
                if line.is_empty() { vec![seen(best.mv)] } else { line }
            }
            HintDegree::Choice => {
                let mut points: Vec<_> = report.candidates.iter().take(3).map(|candidate| seen(candidate.mv)).collect();
                points.sort_unstable();
                points
            }
            HintDegree::Region => match best.mv.point() {
                None => vec![None],
                Some(center) => {
                    let mut region = vec![center];
                    let mut from = 0;
                    for _ in 0..REGION {
                        let edge: Vec<Point> = region[from..].to_vec();
                        from = region.len();
                        for near in edge.into_iter().flat_map(|point| board.neighbors(point)) {
                            if !region.contains(&near) {
                                region.push(near);
                            }
                        }
                    }
                    region.sort_unstable();
                    region.into_iter().map(|point| Some(vertex(point, size))).collect()
                }
            },
        };
        Ok(Hint { degree, points })
    }
}
