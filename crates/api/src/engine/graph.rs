//! The engine's best opinion of each node of each open game.

use crate::{GameId, GraphValue, NodeId};
use parking_lot::Mutex;
use std::collections::HashMap;

/// The engine's best opinion of each node of each open game.
#[derive(Debug, Default)]
pub(crate) struct GraphStore {
    games: Mutex<HashMap<GameId, HashMap<NodeId, GraphValue>>>,
}

impl GraphStore {
    /// Keeps a value unless a better one, with more visits, is there; true if it was kept.
    pub(crate) fn keep(&self, game: &str, value: &GraphValue) -> bool {
        let mut games = self.games.lock();
        let values = games.entry(game.to_owned()).or_default();
        let better = values.get(&value.node_id).is_none_or(|known| known.visits < value.visits);
        if better {
            values.insert(value.node_id, value.clone());
        }
        better
    }

    /// The value of a node.
    pub(crate) fn get(&self, game: &str, node: NodeId) -> Option<GraphValue> {
        self.games.lock().get(game)?.get(&node).cloned()
    }

    /// Forgets a game.
    pub(crate) fn forget(&self, game: &str) {
        self.games.lock().remove(game);
    }
}
