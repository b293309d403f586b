//! The list of games that wait for a review, as the library keeps it.

use super::{LibraryRoom, failed};
use crate::ApiError;
use honinbo_library::{GameId, ReviewCounts, ReviewOrder};

impl LibraryRoom {
    pub(crate) fn add_reviews(&self, ids: &[String], order: ReviewOrder, now: i64) -> Result<u32, ApiError> {
        let ids: Vec<GameId> = ids.iter().map(GameId::new).collect();
        self.library()?.add_reviews(&ids, order, now).map_err(failed)
    }

    pub(crate) fn next_review(&self) -> Result<Option<GameId>, ApiError> {
        self.library()?.next_review().map_err(failed)
    }

    pub(crate) fn end_review(&self, id: &GameId, failure: Option<&str>, now: i64) -> Result<bool, ApiError> {
        self.library()?.end_review(id, failure, now).map_err(failed)
    }

    pub(crate) fn clear_reviews(&self) -> Result<u32, ApiError> {
        self.library()?.clear_reviews().map_err(failed)
    }

    pub(crate) fn review_counts(&self) -> Result<ReviewCounts, ApiError> {
        self.library()?.review_counts().map_err(failed)
    }
}
