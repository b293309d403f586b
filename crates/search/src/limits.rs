//! When a search ends, and how much of the machine it uses.

use std::sync::Arc;
use std::time::Duration;

use honinbo_rules::{BoardSize, Color, Move};

/// Time since the search began, as its host measures it: the search itself reads no clock.
pub type Stopwatch = Arc<dyn Fn() -> Duration + Send + Sync>;

/// A limit of time.
#[derive(Clone)]
pub struct TimeLimit {
    /// How long the search has been running.
    pub stopwatch: Stopwatch,
    /// The search begins no playout after this, but does at least two.
    pub max: Duration,
}

impl std::fmt::Debug for TimeLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TimeLimit").field("max", &self.max).finish_non_exhaustive()
    }
}

/// Limits of one run. The first one reached ends it.
#[derive(Debug, Clone)]
pub struct SearchLimits {
    /// Visits of the root, those of a kept tree included. A fresh root's own evaluation is the first visit.
    pub max_visits: u64,
    /// Playouts of this run.
    pub max_playouts: u64,
    /// Nodes that the tree may hold on boards up to 19x19; a node takes about 4 KB there, most of it the network's answer.
    /// Larger boards have larger answers, and fewer nodes in the same memory.
    pub max_nodes: usize,
    /// Time.
    pub time: Option<TimeLimit>,
    /// Ends the run once more visits change nothing any more.
    pub convergence: Option<Convergence>,
    /// Ends the run where its move is decided, and lets it go on beyond the limits above where it is open.
    pub decision: Option<Decision>,
    /// Worker threads, at least one.
    pub threads: usize,
    /// Leaves that one worker has evaluated together; `None` shares what the evaluator prefers among the threads.
    ///
    /// Leaves in flight cost quality, so young trees and short searches use fewer: see
    /// [`SearchParams::min_playouts_per_leaf`](crate::SearchParams::min_playouts_per_leaf).
    pub leaves_per_thread: Option<usize>,
    /// Whether every evaluation includes ownership, so that it can be averaged over the tree.
    pub include_ownership: bool,
    /// Root moves that are searched before anything else, each until it has its visits; the run ends with the last.
    pub root_targets: Option<RootTargets>,
    /// For whom it searches; `None` for whoever is to move. On the opponent's time it is the other one: what is searched for
    /// one player, and not for both alike, then stays in the tree for that player's next move.
    pub searched_for: Option<Color>,
}

/// When a search has settled: over so many visits the most visited move stays the same, and the root's values move by
/// no more than this.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Convergence {
    /// Visits between two looks.
    pub visits: u64,
    /// Largest change of the win rate, 0 ..= 1.
    pub win_rate: f64,
    /// Largest change of the lead, in points.
    pub score: f64,
}

/// When the choice of a move is decided, for a player whose visits or time are worth something later.
///
/// A run ends once no other move could reach `rival_share` of the most visited move's visits with all that is left of the
/// limits, and the most visited move is the one that would be chosen; KataGo's rule for its `futileVisitsThreshold`
/// (v1.17.2, `searchtimehelpers.cpp`). A run whose move is open when the limits are reached, because another move would be
/// chosen than the most visited one or has half of its visits, goes on up to `stretch` times them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decision {
    /// 0 to 1: with 1 a run ends when the most visited move cannot change any more, with 0 never early.
    pub rival_share: f64,
    /// 1 or more: the multiple of visits, playouts and time that an open decision may take.
    pub stretch: f64,
}

/// Root moves that must have so many visits: to compare candidates on equal terms, or to look at every move once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootTargets {
    /// These moves, as far as they may be played; `None` for every move that may.
    pub moves: Option<Vec<Move>>,
    /// Visits of each.
    pub visits: u32,
}

/// Root moves that a share of the playouts goes to, whatever the search thinks of them. No limit but time and memory
/// counts those playouts: they come on top of what is searched anyway. What they find is kept in the tree; the root
/// learns of it when its search comes to those moves by itself, so its values stay the engine's opinion.
///
/// Source: KataGo v1.18.2 (commit 47aadc0), `search.h`, `docs/GTP_Extensions.md`.
#[derive(Debug, Clone, PartialEq)]
pub struct RootFocus {
    /// These moves, as far as they may be played, with weights above zero: a move is drawn in proportion to its own.
    pub moves: Vec<(Move, f64)>,
    /// Share of the playouts that goes to them together, 0 ..= 1; from [`RootFocus::MAX_SHARE`] on that share, so that
    /// limits are reached.
    pub share: f64,
}

impl RootFocus {
    /// The most playouts that a focus gets.
    pub const MAX_SHARE: f64 = 0.99;
    /// The greatest weight of a move; what is greater counts as this much.
    pub const MAX_WEIGHT: f64 = 1e30;

    /// Moves that get as much as each other.
    #[must_use]
    pub fn even(moves: &[Move], share: f64) -> Self {
        Self { moves: moves.iter().map(|mv| (*mv, 1.0)).collect(), share }
    }
}

impl SearchLimits {
    /// Nodes that a tree may hold where nobody asks for more: about 0.8 GB on 19x19.
    pub const USUAL_NODES: usize = 200_000;
    /// Nodes that a tree may hold at most, whatever visits are asked for: about 4 GB on 19x19.
    pub const MAX_NODES: usize = 1_000_000;

    /// Nodes that the tree may hold on a board of this size: as many as have the memory of so many on 19x19.
    #[must_use]
    pub fn nodes_on(&self, size: BoardSize) -> usize {
        let (usual, here) = entries(size);
        (self.max_nodes as u128 * usual / here) as usize
    }

    /// What [`SearchLimits::max_nodes`] has to be for a tree of so many nodes on a board of this size.
    #[must_use]
    pub fn max_nodes_for(nodes: usize, size: BoardSize) -> usize {
        let (usual, here) = entries(size);
        usize::try_from((nodes as u128 * here).div_ceil(usual)).unwrap_or(usize::MAX)
    }
}

impl Default for SearchLimits {
    /// No limit but memory: [`SearchLimits::USUAL_NODES`], fewer on boards above 19x19. One thread, one leaf at a time,
    /// with ownership.
    fn default() -> Self {
        Self {
            max_visits: NO_LIMIT,
            max_playouts: NO_LIMIT,
            max_nodes: Self::USUAL_NODES,
            time: None,
            convergence: None,
            decision: None,
            threads: 1,
            leaves_per_thread: Some(1),
            include_ownership: true,
            root_targets: None,
            searched_for: None,
        }
    }
}

/// Entries of a policy, one for each point and one for the pass: on 19x19 and on a board of this size, at least as many.
fn entries(size: BoardSize) -> (u128, u128) {
    let of = |size: BoardSize| size.area() as u128 + 1;
    (of(BoardSize::NINETEEN), of(size).max(of(BoardSize::NINETEEN)))
}

/// A number of visits that is never reached.
pub(crate) const NO_LIMIT: u64 = 1 << 50;

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The root has its visits.
    Visits,
    /// The run made its playouts.
    Playouts,
    /// The tree holds as many nodes as it may.
    Nodes,
    /// The time is over.
    Time,
    /// All root moves that were asked for have their visits.
    Targets,
    /// More visits change nothing any more.
    Converged,
    /// No other move could be chosen any more, or hardly.
    Decided,
    /// It was asked to stop.
    Stopped,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunOutcome {
    /// Why it ended.
    pub reason: StopReason,
    /// Playouts that were completed in this run.
    pub playouts: u64,
    /// Visits of the root, those of a kept tree included.
    pub root_visits: u64,
    /// Positions that the evaluator was asked for, the root included.
    pub evaluations: u64,
    /// Nodes that the tree may have held, on a board of this size.
    pub max_nodes: usize,
}

impl RunOutcome {
    /// Why there are fewer visits than were asked for, where the tree had no more room: what stands behind the name of the
    /// search in a sentence.
    #[must_use]
    pub fn told_full(&self) -> Option<String> {
        let Self { root_visits: visits, max_nodes, .. } = self;
        (self.reason == StopReason::Nodes)
            .then(|| format!("ended after {visits} visits: its tree holds {max_nodes} positions, the most it may"))
    }
}
