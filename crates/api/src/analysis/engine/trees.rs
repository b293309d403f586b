//! Memory for the trees of searches: each has what most need, and what deep ones need beyond that they take from one store.

use super::EngineSource;
use honinbo_rules::BoardSize;
use honinbo_search::SearchLimits;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Nodes in the store: what two of the largest trees need at a time.
const STORE: usize = 2 * (SearchLimits::MAX_NODES - SearchLimits::USUAL_NODES);

/// Nodes that the tree of live analysis may have in any case for each of those who share an engine: about 0.08 GB on 19x19.
const SHARERS_OWN: usize = SearchLimits::USUAL_NODES / 10;
/// What they have together beyond that: as much as four trees of the usual size need.
const SHARERS_STORE: usize = 4 * (SearchLimits::USUAL_NODES - SHARERS_OWN);

/// The store of nodes that the searches of an engine share.
pub(super) struct Trees {
    /// Nodes that each tree may have in any case.
    usual: usize,
    /// Nodes that each may have at most.
    most: usize,
    /// Nodes that are left in the store.
    left: AtomicUsize,
    /// Which part of what is left is given at once, so that something stays for whoever comes later: 1 all, 2 half of it.
    divisor: usize,
}

impl Trees {
    /// Whoever has a share in somebody else's engine has no store: a server has many accounts, and each may have several
    /// positions searched at once.
    pub(super) fn of(source: &EngineSource) -> Arc<Self> {
        let store = if matches!(source, EngineSource::Shared(_)) { 0 } else { STORE };
        Self::new(SearchLimits::USUAL_NODES, SearchLimits::MAX_NODES, store)
    }

    /// For the live analysis of one's own engine, whose one tree may have what every search has.
    pub(super) fn of_live() -> Arc<Self> {
        Self::new(SearchLimits::USUAL_NODES, SearchLimits::USUAL_NODES, 0)
    }

    /// For the live analysis of all who share an engine: a tree for each of them would fill the memory of a server.
    pub(super) fn of_sharers() -> Arc<Self> {
        Self::divided(SHARERS_OWN, SearchLimits::USUAL_NODES, SHARERS_STORE)
    }

    fn new(usual: usize, most: usize, store: usize) -> Arc<Self> {
        Arc::new(Self { usual, most, left: AtomicUsize::new(store), divisor: 1 })
    }

    fn divided(usual: usize, most: usize, store: usize) -> Arc<Self> {
        Arc::new(Self { usual, most, left: AtomicUsize::new(store), divisor: 2 })
    }

    /// So many nodes of the store, or those that are left.
    fn take(&self, wanted: usize) -> usize {
        let mut taken = 0;
        let _ = self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| {
            taken = (left / self.divisor).min(wanted);
            Some(left - taken)
        });
        taken
    }
}

/// Room for the tree of a search, to be kept as long as the tree is.
pub(crate) struct TreeRoom {
    trees: Arc<Trees>,
    /// Nodes from the store.
    taken: usize,
}

impl TreeRoom {
    pub(super) fn new(trees: &Arc<Trees>) -> Self {
        Self { trees: Arc::clone(trees), taken: 0 }
    }

    /// Makes room for so many visits on a board of this size, as far as there is any; gives
    /// [`SearchLimits::max_nodes`].
    pub(crate) fn for_visits(&mut self, visits: u64, size: BoardSize) -> usize {
        let Trees { usual, most, .. } = *self.trees;
        // A visit adds a node at most, and at the end of a game some are added that no limit of visits counts.
        let wanted = visits.saturating_add(visits / 2);
        let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
        let wanted = SearchLimits::max_nodes_for(wanted, size).clamp(usual, most);
        self.taken += self.trees.take((wanted - usual).saturating_sub(self.taken));
        usual + self.taken
    }
}

impl Drop for TreeRoom {
    fn drop(&mut self) {
        self.trees.left.fetch_add(self.taken, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::engine::{AnalysisFocus, AnalysisTarget};
    use crate::analysis::question::Question;
    use crate::testing::{answered_by, sharing};
    use honinbo_evaluator::StopFlag;
    use honinbo_rules::{Game, Preset, Setup, Topology};
    use honinbo_testkit::UniformEvaluator;
    use std::time::{Duration, Instant};

    #[test]
    fn deep_searches_get_their_nodes_from_the_store_and_give_them_back() {
        let trees = Trees::new(20, 100, 100);
        let room = |visits| {
            let mut room = TreeRoom::new(&trees);
            let nodes = room.for_visits(visits, BoardSize::NINETEEN);
            (room, nodes)
        };
        let (mut first, nodes) = room(10);
        assert_eq!(nodes, 20, "what every search has");
        assert_eq!(
            (first.for_visits(40, BoardSize::NINETEEN), first.for_visits(30, BoardSize::NINETEEN)),
            (60, 60),
            "40 of the store, and no more for less"
        );
        let (second, nodes) = room(u64::MAX);
        assert_eq!(nodes, 80, "what is left");
        assert_eq!(room(1000).1, 20);
        // 677 numbers a node, where 19x19 has 362.
        let large = TreeRoom::new(&Trees::new(20, 100, 100)).for_visits(30, BoardSize::new(26, 26).unwrap());
        assert_eq!(large, 85);
        drop(first);
        assert_eq!(room(1000).1, 60);
        drop(second);
        assert_eq!(room(1000).1, 100, "and never more than that");
    }

    #[test]
    fn those_who_share_an_engine_divide_a_store_and_each_has_a_little_in_any_case() {
        let trees = Trees::divided(10, 100, 120);
        let room = || {
            let mut room = TreeRoom::new(&trees);
            let nodes = room.for_visits(u64::MAX, BoardSize::NINETEEN);
            (room, nodes)
        };
        let rooms = [room(), room(), room()];
        assert_eq!(rooms.each_ref().map(|(_, nodes)| *nodes), [70, 40, 25]);
        drop(rooms);
        assert_eq!(room().1, 70, "all was given back");
    }

    fn wait_for(what: &str, is_so: &dyn Fn() -> bool) {
        let until = Instant::now() + Duration::from_secs(60);
        while !is_so() {
            assert!(Instant::now() < until, "{what}");
            std::thread::yield_now();
        }
    }

    fn a_target() -> AnalysisTarget {
        let rules = Preset::TrompTaylor;
        let game = Game::new(Setup::new(BoardSize::NINE, Topology::Plane, rules.ruleset(), rules.komi())).unwrap();
        let focus = AnalysisFocus { visits: 500_000, ..AnalysisFocus::default() };
        AnalysisTarget { game_id: "game".to_owned(), node_id: 0, game, last_move: None, focus }
    }

    #[test]
    fn the_tree_of_live_analysis_goes_some_time_after_it_was_turned_off() {
        let app = answered_by(Arc::new(UniformEvaluator::default()));
        let engine = &app.analysis.engine;
        let shared = &engine.shared;
        let is_kept = || Arc::strong_count(&shared.live_trees) > 1;
        engine.analyse(Some(a_target()));
        wait_for("no tree was made", &is_kept);
        engine.analyse(None);
        std::thread::sleep(Duration::from_millis(200));
        assert!(is_kept(), "somebody may turn it on again");
        shared.state.lock().tree_stays = Duration::from_millis(10);
        engine.analyse(Some(a_target()));
        engine.analyse(None);
        wait_for("the tree is kept", &|| !is_kept());
        engine.analyse(Some(a_target()));
        wait_for("no tree was made anew", &is_kept);
    }

    #[test]
    fn who_shares_an_engine_keeps_no_tree_after_live_analysis() {
        let owner = answered_by(Arc::new(UniformEvaluator::default()));
        let guest = sharing(&owner);
        let left = || owner.analysis.engine.shared.sharers_trees.left.load(Ordering::Acquire);
        let all = left();
        guest.analysis.engine.analyse(Some(a_target()));
        wait_for("no tree was made", &|| left() < all);
        guest.analysis.engine.analyse(None);
        wait_for("the tree is kept", &|| left() == all);
    }

    #[test]
    fn a_search_ends_at_its_visits_while_there_is_room_for_them_and_says_so_where_there_is_none() {
        let app = answered_by(Arc::new(UniformEvaluator::default()));
        let mut loaded = app.analysis.engine.load_beside("uniform").unwrap();
        loaded.trees = Trees::new(20, 100, 60);
        let rules = Preset::TrompTaylor;
        let game = Game::new(Setup::new(BoardSize::NINE, Topology::Plane, rules.ruleset(), rules.komi())).unwrap();
        let ask = || {
            let question = Question::of_visits(50);
            question.ask(&loaded, &app.analysis.host, game.clone(), &StopFlag::new(), None).unwrap()
        };
        let deep = ask();
        assert_eq!((deep.root_visits(), deep.told_full.as_deref()), (50, None));
        // Five are left of the store.
        let other = ask();
        let visits = other.root_visits();
        let told = format!("the search ended after {visits} visits: its tree holds 25 positions, the most it may");
        assert!((1..50).contains(&visits), "{visits}");
        assert_eq!(other.told_full, Some(told));
        drop((deep, other));
        assert_eq!(ask().told_full, None, "both have given back what they had");
    }
}
