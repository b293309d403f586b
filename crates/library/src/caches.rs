//! What a library keeps in memory beside its file.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

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

/// Something made from the games of the file that can catch up with them.
pub(crate) trait FollowsGames: Clone {
    /// Reads all games.
    fn load(connection: &Connection) -> Result<Self, LibraryError>;

    /// Nothing was added or changed since it was made.
    fn is_current(&self, connection: &Connection) -> Result<bool, LibraryError>;

    /// Takes over what was changed and added. False when too much was changed to know what: then it must be made anew.
    fn follow(&mut self, connection: &Connection) -> Result<bool, LibraryError>;
}

impl Library {
    /// The index of positions, brought up to date with whatever this program or another changed.
    pub(crate) fn search_index(&self) -> Result<Arc<SearchIndex>, LibraryError> {
        self.current(&self.caches.index)
    }

    /// The facts of all games, brought up to date in the same way.
    pub(crate) fn facts(&self) -> Result<Arc<FactsIndex>, LibraryError> {
        self.current(&self.caches.facts)
    }

    fn current<T: FollowsGames>(&self, cache: &Mutex<Option<Arc<T>>>) -> Result<Arc<T>, LibraryError> {
        let mut kept = cache.lock().unwrap_or_else(PoisonError::into_inner);
        // Within the lock, so that nobody sees an older state of the file than what is kept.
        let current = self.read(|connection| {
            let Some(known) = kept.as_ref() else {
                return T::load(connection).map(Arc::new);
            };
            if known.is_current(connection)? {
                return Ok(Arc::clone(known));
            }
            let mut grown = T::clone(known);
            Ok(Arc::new(if grown.follow(connection)? { grown } else { T::load(connection)? }))
        })?;
        *kept = Some(Arc::clone(&current));
        Ok(current)
    }
}
