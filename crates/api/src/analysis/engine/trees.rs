//! Memory for the trees of searches: each has what most need, and what deep ones need beyond that they take from one store.

use super::EngineSource;
use honinbo_rules::BoardSize;
use honinbo_search::SearchLimits;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Nodes in the store: what two of the largest trees need at a time.
const STORE: usize = 2 * (SearchLimits::MOST_NODES - SearchLimits::USUAL_NODES);

/// The store of nodes that the searches of an engine share.
pub(super) struct Trees {
    /// Nodes that each tree may have in any case.
    usual: usize,
    /// Nodes that each may have at most.
    most: usize,
    /// Nodes that are left in the store.
    left: AtomicUsize,
}

impl Trees {
    /// Whoever has a share in somebody else's engine has no store: a server has many accounts, and each may have several
    /// positions searched at once.
    pub(super) fn of(source: &EngineSource) -> Arc<Self> {
        let store = if matches!(source, EngineSource::Shared(_)) { 0 } else { STORE };
        Self::new(SearchLimits::USUAL_NODES, SearchLimits::MOST_NODES, store)
    }

    fn new(usual: usize, most: usize, store: usize) -> Arc<Self> {
        Arc::new(Self { usual, most, left: AtomicUsize::new(store) })
    }

    /// So many nodes of the store, or those that are left.
    fn take(&self, wanted: usize) -> usize {
        let mut taken = 0;
        let _ = self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| {
            taken = left.min(wanted);
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
    use crate::analysis::question::Question;
    use crate::testing::answered_by;
    use honinbo_evaluator::StopFlag;
    use honinbo_rules::{Game, Preset, Setup, Topology};
    use honinbo_testkit::UniformEvaluator;

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
