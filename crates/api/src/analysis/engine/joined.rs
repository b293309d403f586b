//! Other networks for boards whose edges are joined, where the one in use cannot see across them.

use super::load::Opened;
use crate::ApiError;
use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, Priority, StopFlag};
use honinbo_rules::{Board, Topology};
use std::sync::{Arc, OnceLock};

/// A network that comes with the program for boards with joined edges: convolutions alone, so it sees across them.
pub(super) struct Bundled {
    pub(super) file: &'static str,
    /// It answers on tori whose sides are at most so long; `None` wherever edges are joined.
    torus_side: Option<usize>,
}

/// The first one that fits a board answers there. Which is the stronger was measured: docs/experiments/self-play.md.
pub(super) const NETWORKS_FOR_JOINED_EDGES: [Bundled; 2] = [
    Bundled { file: "honinbo-torus9-b6c96.bin.gz", torus_side: Some(9) },
    Bundled { file: "g170-b6c96-s175395328-d26788732.bin.gz", torus_side: None },
];

impl Bundled {
    fn fits(&self, board: &Board) -> bool {
        let [width, height] = [board.size().width(), board.size().height()];
        let is_small = |side| board.topology() == Topology::Torus && width.max(height) <= side;
        board.topology() != Topology::Plane && self.torus_side.is_none_or(is_small)
    }
}

/// Reads a network when it is first needed.
type Open = Box<dyn Fn() -> Result<Opened, ApiError> + Send + Sync>;

/// A network that is read when the first board that it fits is asked about.
pub(super) struct JoinedNetwork {
    bundled: &'static Bundled,
    /// The name that it gives itself.
    network: String,
    open: Open,
    opened: OnceLock<Result<Opened, String>>,
}

impl JoinedNetwork {
    pub(super) fn new(
        bundled: &'static Bundled,
        network: String,
        open: impl Fn() -> Result<Opened, ApiError> + Send + Sync + 'static,
    ) -> Self {
        Self { bundled, network, open: Box::new(open), opened: OnceLock::new() }
    }

    fn get(&self, priority: Priority) -> Result<&Arc<dyn Evaluator>, EvalError> {
        let opened = self.opened.get_or_init(|| (self.open)().map_err(|error| error.to_string()));
        let unsupported =
            |reason: &String| EvalError::Unsupported { network: self.network.clone(), reason: reason.clone() };
        let opened = opened.as_ref().map_err(unsupported)?;
        Ok(if priority == Priority::Live { &opened.live } else { &opened.background })
    }
}

/// The networks for boards with joined edges that are there.
pub(super) struct Joined(pub(super) Vec<JoinedNetwork>);

impl Joined {
    /// Which of them answers on a board, if edges of it are joined.
    fn at(&self, board: &Board) -> Option<usize> {
        self.0.iter().position(|one| one.bundled.fits(board))
    }

    /// Whether one answers wherever edges are joined: without it, what can be played would hang on the size.
    pub(super) fn fit_everywhere(&self) -> bool {
        self.0.iter().any(|one| one.bundled.torus_side.is_none())
    }

    /// The name of the one that answers on a board, if edges of it are joined.
    pub(super) fn network_on(&self, board: &Board) -> Option<&str> {
        self.at(board).map(|at| self.0[at].network.as_str())
    }

    /// Forgets remembered answers.
    pub(super) fn clear_cache(&self) {
        for one in &self.0 {
            if let Some(Ok(opened)) = one.opened.get() {
                opened.clear_cache();
            }
        }
    }
}

/// Asks the network in use where edges end, and one of the others where they are joined.
pub(super) struct ByEdges {
    pub(super) ending: Arc<dyn Evaluator>,
    pub(super) joined: Arc<Joined>,
    pub(super) priority: Priority,
}

impl Evaluator for ByEdges {
    fn limits(&self) -> BatchLimits {
        self.ending.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        // Searches ask about one game, so batches are rarely mixed; each run of one kind goes together.
        let at = |request: &EvalRequest<'_>| self.joined.at(request.game.board());
        let mut answers = Vec::with_capacity(requests.len());
        for part in requests.chunk_by(|one, next| at(one) == at(next)) {
            answers.extend(match at(&part[0]) {
                Some(at) => self.joined.0[at].get(self.priority)?.evaluate(part, stop)?,
                None => self.ending.evaluate(part, stop)?,
            });
        }
        Ok(answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::BoardSize;

    #[test]
    fn the_first_network_that_fits_a_board_answers_there() {
        let fitting = |width, height, topology| {
            let board = Board::new(BoardSize::new(width, height).unwrap(), topology);
            NETWORKS_FOR_JOINED_EDGES.iter().position(|bundled| bundled.fits(&board))
        };
        assert_eq!(fitting(9, 9, Topology::Torus), Some(0));
        assert_eq!(fitting(7, 5, Topology::Torus), Some(0));
        assert_eq!(fitting(10, 9, Topology::Torus), Some(1));
        assert_eq!(fitting(19, 19, Topology::Torus), Some(1));
        assert_eq!(fitting(9, 9, Topology::Cylinder), Some(1));
        assert_eq!(fitting(9, 9, Topology::Plane), None);
    }

    #[test]
    fn a_network_for_small_boards_alone_does_not_fit_everywhere() {
        let unread = |bundled| JoinedNetwork::new(bundled, String::new(), || unreachable!());
        let [small, everywhere] = &NETWORKS_FOR_JOINED_EDGES;
        assert!(!Joined(vec![unread(small)]).fit_everywhere());
        assert!(Joined(vec![unread(small), unread(everywhere)]).fit_everywhere());
    }
}
