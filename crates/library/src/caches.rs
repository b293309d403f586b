//! What a library keeps in memory beside its file.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::facts::FactsIndex;
use crate::index::SearchIndex;
use crate::ratings::Ratings;

/// Things that are cheap to lose: each is made again when it is asked for.
#[derive(Default)]
pub(crate) struct Caches {
    pub(crate) index: Mutex<Option<Arc<SearchIndex>>>,
    pub(crate) facts: Mutex<Option<Arc<FactsIndex>>>,
    ratings: Mutex<Option<Ratings>>,
}

impl Caches {
    pub(crate) fn ratings(&self) -> MutexGuard<'_, Option<Ratings>> {
        self.ratings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
