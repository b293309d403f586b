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
        self.search_and_keep(game, Question::of_visits(visits.into()), stop)
    }

    /// As [`AnalysisRoom::search`]; what is found is kept.
    ///
    /// # Errors
    /// As [`AnalysisRoom::evaluation`].
    pub(crate) fn search_and_keep(
        &self,
        game: &Game,
        question: Question,
        stop: &StopFlag,
    ) -> Result<PositionEvaluation, ApiError> {
        let (found, network) = self.ask(game, question, stop)?;
        self.evaluations.keep(game, &network, found.clone());
        Ok(found)
    }

    /// What one network holds of something that takes several searches: all of them are made once more where another one
    /// was chosen meanwhile.
    ///
    /// # Errors
    /// What `ask` says.
    pub(crate) fn by_one_network<T>(&self, ask: impl Fn() -> Result<T, ApiError>) -> Result<T, ApiError> {
        loop {
            let serial = self.engine.serial();
            let answer = ask()?;
            if self.engine.serial() == serial {
                return Ok(answer);
            }
        }
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
        Ok(self.ask(game, question, stop)?.0)
    }

    /// What a search found, and the network that answered: another one may be chosen before it has ended.
    fn ask(&self, game: &Game, question: Question, stop: &StopFlag) -> Result<(PositionEvaluation, String), ApiError> {
        let loaded = self.engine.load()?;
        self.engine.begin_advice(stop);
        let ownership = question.ownership;
        let search = question.ask(&loaded, &self.host, game.clone(), stop, None)?;
        let options = ReportOptions { perspective: Perspective::Black, ownership, ..ReportOptions::default() };
        let report = search.report(&options).filter(|_| !stop.is_set()).ok_or(ApiError::Cancelled)?;
        Ok((of_report(&report), loaded.network_on(game.board()).to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TWO_NETWORKS, choose_network, gated};
    use honinbo_record::{ReplayOptions, read_sgf, replay_each};

    #[test]
    fn what_is_found_while_another_network_is_chosen_is_kept_as_the_one_s_that_found_it() {
        let (app, gate) = gated();
        let tree = read_sgf(b"(;SZ[9]KM[7.5]RU[Chinese];B[ee])").games.remove(0).tree;
        let mut positions = Vec::new();
        let end = tree.line_from(tree.root()).last().unwrap();
        replay_each(&tree, end, ReplayOptions::default(), &mut |_, game| positions.push(game.clone()));
        let [old, new] = TWO_NETWORKS;
        let questions: [&(dyn Fn(&Game) -> u32 + Sync); 2] =
            [&|game| app.analysis.evaluation(game, 20, &StopFlag::new()).unwrap().visits, &|game| {
                let question = Question { ownership: true, ..Question::of_visits(20) };
                app.analysis.search_and_keep(game, question, &StopFlag::new()).unwrap().visits
            }];
        for (game, ask) in positions.iter().zip(questions) {
            choose_network(&app, old);
            gate.allow(Some(3));
            std::thread::scope(|scope| {
                let asked = scope.spawn(|| ask(game));
                gate.wait_until_empty();
                choose_network(&app, new);
                gate.allow(None);
                assert_eq!(asked.join().unwrap(), 20);
            });
            let kept =
                TWO_NETWORKS.map(|network| app.analysis.evaluations.recall(game, network).map(|known| known.visits));
            assert_eq!(kept, [Some(20), None]);
        }
    }
}
