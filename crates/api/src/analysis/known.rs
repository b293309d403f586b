//! What is known of a position, asked of the store first and of the engine only where that does not know enough.

use crate::ApiError;
use crate::analysis::AnalysisRoom;
use crate::analysis::evaluations::of_report;
use crate::analysis::question::Question;
use honinbo_evaluator::StopFlag;
use honinbo_record::PositionEvaluation;
use honinbo_rules::Game;
use honinbo_search::{Perspective, ReportOptions};

impl AnalysisRoom {
    /// What is known of a position with at least so many visits; what is searched for it is kept.
    ///
    /// # Errors
    /// [`ApiError::EngineUnavailable`] when nobody can answer, [`ApiError::Cancelled`] when it was ended early.
    pub(crate) fn evaluation(&self, game: &Game, visits: u32, stop: &StopFlag) -> Result<PositionEvaluation, ApiError> {
        let known = self.engine.network_name(game.board()).and_then(|network| self.evaluations.recall(game, &network));
        if let Some(known) = known.filter(|known| known.visits >= visits && !known.candidates.is_empty()) {
            return Ok(known);
        }
        let found = self.search(game, Question::of_visits(visits.into()), stop)?;
        if let Some(network) = self.engine.network_name(game.board()) {
            self.evaluations.keep(game, &network, found.clone());
        }
        Ok(found)
    }

    /// One search of one position, told from Black's side.
    ///
    /// # Errors
    /// As [`AnalysisRoom::evaluation`].
    pub(crate) fn search(
        &self,
        game: &Game,
        question: Question,
        stop: &StopFlag,
    ) -> Result<PositionEvaluation, ApiError> {
        let loaded = self.engine.load()?;
        self.engine.begin_advice(stop);
        let ownership = question.ownership;
        let search = question.ask(&loaded, &self.host, game.clone(), stop, None)?;
        let options = ReportOptions { perspective: Perspective::Black, ownership, ..ReportOptions::default() };
        let report = search.report(&options).filter(|_| !stop.is_set()).ok_or(ApiError::Cancelled)?;
        Ok(of_report(&report))
    }
}
