//! What a teacher says of a move: about how much it would lose.

use crate::ApiError;
use crate::analysis::question::Question;
use crate::play::PlayRoom;
use honinbo_evaluator::StopFlag;
use honinbo_rules::{Game, Move};
use honinbo_search::{Perspective, ReportOptions, SearchReport};
use std::time::Duration;

/// Visits of a search for advice.
const VISITS: u64 = 100;
/// Visits that the move in question gets at least.
const VISITS_OF_MOVE: u32 = 12;
/// What a search for advice may take.
const PATIENCE: Duration = Duration::from_secs(3);

impl PlayRoom {
    /// About how many points a move loses against the best one; `None` where nobody can say.
    pub(super) fn loss_of(&self, game: &Game, played: Move) -> Option<f64> {
        let report = match self.search_about(game, played) {
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

    fn search_about(&self, game: &Game, played: Move) -> Result<SearchReport, ApiError> {
        let loaded = self.analysis.engine.load()?;
        let stop = StopFlag::new();
        self.analysis.engine.begin_advice(&stop);
        let about = Some((played, VISITS_OF_MOVE));
        let question = Question { time: Some(PATIENCE), about, ..Question::of_visits(VISITS) };
        let search = question.ask(&loaded, &self.host, game.clone(), &stop, None)?;
        let options = ReportOptions { perspective: Perspective::Mover, ..ReportOptions::default() };
        search.report(&options).ok_or(ApiError::Cancelled)
    }
}
