//! One search of one position: what `run` answers, and what a warning before a move and a comparison of networks are
//! made of.
//!
//! Live analysis is something else: its search follows the game from position to position, and has no end.

use crate::analysis::engine::{Loaded, SEED, TreeRoom};
use crate::{ApiError, Host};
use honinbo_evaluator::StopFlag;
use honinbo_rules::{Game, Move};
use honinbo_search::{Convergence, RootTargets, RunOutcome, Search, SearchLimits, SearchParams, TimeLimit};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// Interval of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// Told about a search while it goes on, with the time so far.
type OnProgress<'a> = &'a (dyn Fn(&Search, Duration) + Sync);

/// What is asked about a position.
pub(crate) struct Question {
    pub(crate) params: SearchParams,
    pub(crate) visits: u64,
    pub(crate) time: Option<Duration>,
    /// When more visits change too little to go on.
    pub(crate) convergence: Option<Convergence>,
    pub(crate) ownership: bool,
    /// Random choices of the search.
    pub(crate) seed: u64,
    /// A move that gets this many visits before the others do.
    pub(crate) about: Option<(Move, u32)>,
}

/// A search that was asked.
pub(crate) struct Answered {
    search: Search,
    /// Why it has fewer visits than were asked for, where there was no more room for its tree.
    pub(crate) told_full: Option<String>,
    /// Given back after the tree is.
    _room: TreeRoom,
}

impl Deref for Answered {
    type Target = Search;

    fn deref(&self) -> &Search {
        &self.search
    }
}

impl Question {
    /// So many visits of an analysis.
    pub(crate) fn of_visits(visits: u64) -> Self {
        let params = SearchParams::analysis();
        Self { params, visits, time: None, convergence: None, ownership: false, seed: SEED, about: None }
    }

    /// Searches, and gives the search to be reported on. Ends early once `stop` is set. `on_progress` gets the search
    /// and the time, about twenty times a second and at the end.
    pub(crate) fn ask(
        self,
        loaded: &Loaded,
        host: &Arc<dyn Host>,
        game: Game,
        stop: &StopFlag,
        on_progress: Option<OnProgress<'_>>,
    ) -> Result<Answered, ApiError> {
        let failed = |error| ApiError::from_search(&error);
        let size = game.board().size();
        let search = Search::new(loaded.evaluator(), game, self.params, self.seed).map_err(failed)?;
        let mut room = loaded.tree_room();
        let max_nodes = room.for_visits(self.visits, size);
        let began = host.monotonic();
        let stopwatch: Arc<dyn Fn() -> Duration + Send + Sync> = {
            let host = Arc::clone(host);
            Arc::new(move || host.monotonic().saturating_sub(began))
        };
        let limits = |root_targets| SearchLimits {
            max_visits: self.visits,
            max_nodes,
            time: self.time.map(|max| TimeLimit { stopwatch: Arc::clone(&stopwatch), max }),
            convergence: self.convergence,
            threads: loaded.threads,
            leaves_per_thread: None,
            include_ownership: self.ownership,
            root_targets,
            ..SearchLimits::default()
        };
        if let Some((about, visits)) = self.about {
            let targets = RootTargets { moves: Some(vec![about]), visits };
            search.run(&limits(Some(targets)), stop).map_err(failed)?;
        }
        let limits = limits(None);
        let told = |outcome: RunOutcome| outcome.told_full().map(|told| format!("the search {told}"));
        let Some(on_progress) = on_progress else {
            let told_full = told(search.run(&limits, stop).map_err(failed)?);
            return Ok(Answered { search, told_full, _room: room });
        };
        let report = || on_progress(&search, stopwatch());
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        let outcome = std::thread::scope(|scope| {
            let report = &report;
            scope.spawn(move || {
                // Ends when the sender is dropped.
                while is_done.recv_timeout(PROGRESS_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    report();
                }
            });
            let outcome = search.run(&limits, stop);
            drop(done);
            outcome
        });
        let told_full = told(outcome.map_err(failed)?);
        report();
        Ok(Answered { search, told_full, _room: room })
    }
}
