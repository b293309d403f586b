//! Problems that the person solves.

use super::{LibraryRoom, failed};
use crate::ApiError;
use honinbo_library::{KeptRating, NewProblem, NextProblem, ProblemCollection, StoredProblem};

impl LibraryRoom {
    pub(crate) fn add_problems(
        &self,
        name: &str,
        content: &[u8],
        problems: &[NewProblem<'_>],
        now: i64,
    ) -> Result<(i64, bool), ApiError> {
        self.change(|library| library.add_problems(name, content, problems, now))
    }

    pub(crate) fn problem_collections(&self) -> Result<Vec<ProblemCollection>, ApiError> {
        self.library()?.problem_collections().map_err(failed)
    }

    pub(crate) fn remove_problems(&self, collection: i64, now: i64) -> Result<(), ApiError> {
        self.change(|library| library.remove_problems(collection, now))
    }

    pub(crate) fn problem(&self, id: i64) -> Result<Option<StoredProblem>, ApiError> {
        self.library()?.problem(id).map_err(failed)
    }

    pub(crate) fn next_problems(
        &self,
        collection: i64,
        next: NextProblem,
        limit: u32,
    ) -> Result<Vec<StoredProblem>, ApiError> {
        self.library()?.next_problems(collection, next, limit).map_err(failed)
    }

    pub(crate) fn solver_rating(&self) -> Result<Option<KeptRating>, ApiError> {
        self.library()?.solver_rating().map_err(failed)
    }

    pub(crate) fn answer_problem(
        &self,
        id: i64,
        solved: bool,
        now: i64,
        rate: impl FnOnce(&StoredProblem, Option<KeptRating>) -> Option<(KeptRating, KeptRating)>,
    ) -> Result<bool, ApiError> {
        self.change(|library| library.answer_problem(id, solved, now, rate))
    }
}
