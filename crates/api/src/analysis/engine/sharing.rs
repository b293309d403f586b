//! The engine of a back end, as others share it: each asks it anew for every piece of work, and follows it to another
//! network, device or number of threads.

use super::trees::Trees;
use super::{Computing, Engine, Loaded, Shared};
use crate::ApiError;
use honinbo_evaluator::{Allowance, Evaluator};
use parking_lot::Mutex;
use std::sync::{Arc, Weak};

/// An engine that another back end has, for one of many who share it. Nothing is read before somebody asks.
#[derive(Clone)]
pub struct SharedEngine {
    owner: Engine,
    /// What this one may have computed.
    allowance: Option<Allowance>,
}

impl SharedEngine {
    pub(crate) fn of(owner: Engine) -> Self {
        Self { owner, allowance: None }
    }

    pub(super) fn within(self, allowance: Allowance) -> Self {
        Self { allowance: Some(allowance), ..self }
    }

    /// What the owner has loaded now, read first if need be.
    ///
    /// # Errors
    /// [`ApiError::EngineUnavailable`] without the reasons, which are about the owner's machine.
    pub(super) fn load(&self) -> Result<Arc<Loaded>, ApiError> {
        self.owner.load().map_err(|error| {
            tracing::warn!(%error, "those who share the engine have none");
            ApiError::EngineUnavailable {
                message: "the engine of this server does not answer".into(),
                hint: "ask whoever runs the server, and try again later".into(),
            }
        })
    }

    /// An end of it that takes from this one's share.
    pub(super) fn end(&self, evaluator: Arc<dyn Evaluator>) -> Arc<dyn Evaluator> {
        match &self.allowance {
            Some(allowance) => Arc::new(allowance.of(evaluator)),
            None => evaluator,
        }
    }

    /// As [`Engine::network_name`] of the owner.
    pub(super) fn network_name(&self, board: Option<&honinbo_rules::Board>) -> Option<String> {
        self.owner.network_name(board)
    }

    /// As [`Shared::let_go_of`] of the owner.
    pub(super) fn let_go_of(&self, failed: &Arc<Loaded>) {
        self.owner.shared.let_go_of(failed);
    }

    /// What computes, if anything does.
    pub(super) fn computing(&self) -> Computing {
        self.load().map(|loaded| loaded.computing.shared()).unwrap_or_default()
    }

    /// Memory for the trees of live analysis of all who share it.
    pub(super) fn live_trees(&self) -> Arc<Trees> {
        Arc::clone(&self.owner.shared.sharers_trees)
    }

    /// Has `follower` read the engine anew whenever the owner does.
    pub(super) fn follow(&self, follower: &Arc<Shared>) {
        self.owner.shared.followers.add(follower);
    }
}

/// Those who share an engine. They are told without any lock of the owner's being held, as they ask it in turn.
#[derive(Default)]
pub(super) struct Followers(Mutex<Vec<Weak<Shared>>>);

impl Followers {
    fn add(&self, follower: &Arc<Shared>) {
        let mut all = self.0.lock();
        all.retain(|known| known.strong_count() > 0);
        all.push(Arc::downgrade(follower));
    }

    pub(super) fn all(&self) -> Vec<Arc<Shared>> {
        self.0.lock().iter().filter_map(Weak::upgrade).collect()
    }
}
