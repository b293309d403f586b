//! What a library keeps in memory beside its file.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::LibraryError;
use crate::facts::FactsIndex;
use crate::open::Library;
use crate::ratings::Ratings;
use crate::search::SearchIndex;

/// Things that are cheap to lose: each is made again when it is asked for.
#[derive(Default)]
pub(crate) struct Caches {
    index: Mutex<Option<Arc<SearchIndex>>>,
    facts: Mutex<Option<Arc<FactsIndex>>>,
    ratings: Mutex<Option<Ratings>>,
}

impl Caches {
    pub(crate) fn ratings(&self) -> MutexGuard<'_, Option<Ratings>> {
        self.ratings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Library {
    /// The index of positions, brought up to date with whatever this program or another changed.
    pub(crate) fn search_index(&self) -> Result<Arc<SearchIndex>, LibraryError> {
        let mut kept = self.caches.index.lock().unwrap_or_else(PoisonError::into_inner);
        let index = self.read(|connection| {
            let Some(index) = kept.as_ref() else {
                return SearchIndex::load(connection).map(Arc::new);
            };
            if index.is_current(connection)? {
                return Ok(Arc::clone(index));
            }
            let mut grown = SearchIndex::clone(index);
            Ok(Arc::new(if grown.follow(connection)? { grown } else { SearchIndex::load(connection)? }))
        })?;
        *kept = Some(Arc::clone(&index));
        Ok(index)
    }

    /// The facts of all games, brought up to date in the same way.
    pub(crate) fn facts(&self) -> Result<Arc<FactsIndex>, LibraryError> {
        let mut kept = self.caches.facts.lock().unwrap_or_else(PoisonError::into_inner);
        // Within the lock, so that nobody sees an older state of the file than what is kept.
        let facts = self.read(|connection| {
            let Some(facts) = kept.as_ref() else {
                return FactsIndex::load(connection).map(Arc::new);
            };
            if facts.is_current(connection)? {
                return Ok(Arc::clone(facts));
            }
            let mut grown = FactsIndex::clone(facts);
            Ok(Arc::new(if grown.follow(connection)? { grown } else { FactsIndex::load(connection)? }))
        })?;
        *kept = Some(Arc::clone(&facts));
        Ok(facts)
    }
}
