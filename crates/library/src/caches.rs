//! What a library keeps in memory beside its file.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::LibraryError;
use crate::open::Library;
use crate::query::count_live;
use crate::search::SearchIndex;

/// Things that are cheap to lose: each is made again when it is asked for.
#[derive(Default)]
pub(crate) struct Caches {
    index: Mutex<Option<Arc<SearchIndex>>>,
}

impl Caches {
    /// Games were edited, deleted or brought back: the index of positions no longer holds. Games that were only added
    /// need no telling.
    pub(crate) fn games_changed(&self) {
        *self.index.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Library {
    /// The index of positions, brought up to date: new games are added to it, and when any other number of games is
    /// there than expected it is made anew.
    pub(crate) fn search_index(&self) -> Result<Arc<SearchIndex>, LibraryError> {
        let mut kept = self.caches.index.lock().unwrap_or_else(PoisonError::into_inner);
        let index = self.read(|connection| {
            let live = count_live(connection)?;
            if let Some(index) = kept.as_ref() {
                if index.n_rows == live {
                    let newest: Option<i64> =
                        connection.query_row("SELECT max(id) FROM games", [], |row| row.get(0))?;
                    if newest.unwrap_or(0) <= index.last_row {
                        return Ok(Arc::clone(index));
                    }
                }
                let mut grown = SearchIndex::clone(index);
                grown.load_new(connection)?;
                if grown.n_rows == live {
                    return Ok(Arc::new(grown));
                }
            }
            let mut index = SearchIndex::default();
            index.load_new(connection)?;
            Ok(Arc::new(index))
        })?;
        *kept = Some(Arc::clone(&index));
        Ok(index)
    }
}
