//! Searching what waits.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};

use honinbo_rules::Game;
use honinbo_search::{ReportOptions, RunOutcome, Search, SearchError, SearchLimits, TimeLimit};

use super::answer::{self, Findings};
use super::engine::AnalysisEngine;
use super::fields::FieldError;
use super::outbox::Outbox;
use super::query::Query;
use super::queue::{Queue, Task};
use crate::gtp::{described, stopwatch};

/// Nodes that all trees together may hold, about; 4 KB each on 19x19. Each has the usual number, however many there are.
const ALL_NODES: usize = 2 * SearchLimits::MAX_NODES;

impl AnalysisEngine {
    /// Answers one task after the other, until there are no more.
    pub(crate) fn work(&self, queue: &Queue, outbox: &Outbox) {
        while let Some((task, at_once)) = queue.next() {
            self.answer(&task, at_once, outbox);
            queue.done(&task);
        }
    }

    fn answer(&self, task: &Task, at_once: usize, outbox: &Outbox) {
        let (query, turn) = (&task.query, task.turn);
        let game = match query.position(turn) {
            Ok(game) => game,
            Err(problem) => return outbox.send(&answer::error(Some(&query.id), &problem)),
        };
        match self.search(task, game, at_once, outbox) {
            Ok(true) => {}
            // Stopped before there was anything to report_now.
            Ok(false) => outbox.send(&answer::no_results(query, turn)),
            Err(error) => outbox.send(&answer::failure(query, turn, &described(&error))),
        }
    }

    /// Searches and reports. False where there is nothing to report.
    fn search(&self, task: &Task, game: Game, at_once: usize, outbox: &Outbox) -> Result<bool, SearchError> {
        let query = &task.query;
        let params = query.settings.params.clone();
        let human = self.options.human.as_ref().map(|(model, evaluator)| model.beside(evaluator));
        let search =
            Search::new(Arc::clone(&self.evaluator), game.clone(), params, self.options.seed)?.with_human(human);
        let search = Arc::new(search);
        task.focus.begin(&search);
        search.set_move_lists(query.lists.clone())?;
        let limits = self.limits(query, at_once);
        let options = report_options(query);
        let report_now = |is_during_search: bool| {
            let Some(report) = search.report(&options) else { return false };
            // News before the first move has a visit say nothing.
            if is_during_search && report.candidates.is_empty() {
                return false;
            }
            let answer = Findings { game: &game, report: &report }.answer(query, task.turn, is_during_search);
            if is_during_search {
                outbox.send_news(&answer);
            } else {
                outbox.send(&answer);
            }
            true
        };
        let outcome = run(&search, &limits, task, || {
            report_now(true);
        })?;
        if let Some(told) = outcome.told_full() {
            let remark = FieldError::new("maxVisits", format!("turn {} {told}", task.turn));
            outbox.send(&answer::warning(&query.id, &remark));
        }
        Ok(report_now(false))
    }

    /// Threads and memory are shared by what is searched at once, memory only beyond what most queries need.
    fn limits(&self, query: &Query, at_once: usize) -> SearchLimits {
        let share = |all: usize| (all / at_once.clamp(1, self.options.positions.max(1))).max(1);
        let settings = &query.settings;
        SearchLimits {
            max_visits: settings.max_visits,
            max_playouts: settings.max_playouts,
            max_nodes: share(ALL_NODES).max(SearchLimits::USUAL_NODES).min(self.options.max_nodes),
            time: settings.max_time.map(|max| TimeLimit { stopwatch: stopwatch(), max }),
            threads: settings.threads.unwrap_or_else(|| share(self.options.threads)),
            leaves_per_thread: self.options.leaves_per_thread,
            include_ownership: query.wants.any_ownership(),
            root_targets: query.targets.clone(),
            ..SearchLimits::default()
        }
    }
}

fn report_options(query: &Query) -> ReportOptions {
    let wants = &query.wants;
    ReportOptions {
        perspective: query.settings.perspective,
        pv_len: query.settings.pv_len,
        phase_end: false,
        ownership: wants.ownership || wants.ownership_stdev,
        candidate_ownership: wants.moves_ownership || wants.moves_ownership_stdev,
        max_candidates: usize::MAX,
        min_candidates: 0,
        symmetric_images: true,
    }
}

/// Runs a search; `news` is called as often as the query wants to hear of it.
fn run(search: &Search, limits: &SearchLimits, task: &Task, news: impl Fn()) -> Result<RunOutcome, SearchError> {
    let Some((first, every)) = task.query.wants.reports else { return search.run(limits, &task.stop) };
    std::thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        let run = scope.spawn(move || {
            let outcome = search.run(limits, &task.stop);
            drop(done);
            outcome
        });
        let mut wait = first;
        // The end of the run closes its channel.
        while let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(wait) {
            news();
            wait = every;
        }
        run.join().unwrap_or(Err(SearchError::WorkerLost))
    })
}

#[cfg(test)]
mod tests {
    use honinbo_search::bench::Scrambled;
    use serde_json::json;

    use super::*;
    use crate::analysis::AnalysisOptions;
    use crate::model::ModelInfo;

    fn engine() -> AnalysisEngine {
        let name = || "scrambled".to_owned();
        let model = ModelInfo { name: name(), internal_name: name(), version: None, uses_profile: false };
        AnalysisEngine::new(Arc::new(Scrambled), AnalysisOptions { threads: 8, ..AnalysisOptions::new(model) })
    }

    fn limits(engine: &AnalysisEngine, at_once: usize) -> SearchLimits {
        let query = json!({ "moves": [], "rules": "chinese", "boardXSize": 9, "boardYSize": 9 });
        let query = Query::read("q", query.as_object().unwrap(), &engine.defaults, &mut Vec::new()).unwrap();
        engine.limits(&query, at_once)
    }

    #[test]
    fn threads_are_shared_unless_settings_name_them_for_each_position() {
        let mut engine = engine();
        assert_eq!([1, 2].map(|at_once| limits(&engine, at_once).threads), [8, 4]);
        engine.configure("numSearchThreadsPerAnalysisThread = 16\n").unwrap();
        assert_eq!(limits(&engine, 2).threads, 16);
        engine.share_threads();
        assert_eq!(limits(&engine, 2).threads, 4);
    }
}
