//! Exercises that were asked.

use super::{LibraryRoom, failed};
use crate::ApiError;
use honinbo_library::{CardAnswered, ExerciseKind, ExercisePlace, ExerciseSum, GameId, StoredExercise};

impl LibraryRoom {
    pub(crate) fn exercise_games(
        &self,
        kind: ExerciseKind,
        reviewed_first: bool,
        seed: u64,
        limit: u32,
    ) -> Result<Vec<GameId>, ApiError> {
        self.library()?.exercise_games(kind, reviewed_first, seed, limit).map_err(failed)
    }

    pub(crate) fn exercise(&self, place: &ExercisePlace) -> Result<Option<StoredExercise>, ApiError> {
        self.library()?.exercise(place).map_err(failed)
    }

    pub(crate) fn due_exercise(&self, kind: ExerciseKind, by: i64) -> Result<Option<StoredExercise>, ApiError> {
        self.library()?.due_exercise(kind, by).map_err(failed)
    }

    pub(crate) fn due_exercises(&self, by: i64) -> Result<[u32; 4], ApiError> {
        self.library()?.due_exercises(by).map_err(failed)
    }

    pub(crate) fn answer_exercise(
        &self,
        place: &ExercisePlace,
        now: i64,
        right: bool,
        error: f64,
        next: impl FnOnce(Option<&StoredExercise>) -> Option<CardAnswered>,
    ) -> Result<bool, ApiError> {
        self.library()?.answer_exercise(place, now, right, error, next).map_err(failed)
    }

    pub(crate) fn postpone_exercise(&self, place: &ExercisePlace, until: i64) -> Result<(), ApiError> {
        self.library()?.postpone_exercise(place, until).map_err(failed)
    }

    pub(crate) fn exercise_sums(&self, minutes_ahead: i16) -> Result<Vec<ExerciseSum>, ApiError> {
        self.library()?.exercise_sums(minutes_ahead).map_err(failed)
    }
}
