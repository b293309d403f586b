//! What reviews found of players' moves, as the library keeps it.

use super::{LibraryRoom, failed};
use crate::ApiError;
use honinbo_library::{
    ClassSum, GameId, JudgedDepth, Judgement, MistakeAt, MoveClass, OpeningSum, PlayerSums, Training,
};
use honinbo_record::GameTree;

impl LibraryRoom {
    pub(crate) fn keep_judgement(&self, id: &GameId, judgement: &Judgement<'_>) -> Result<bool, ApiError> {
        self.library()?.keep_judgement(id, judgement, self.host.unix_ms()).map_err(failed)
    }

    pub(crate) fn judged_depth(&self, id: &GameId) -> Result<Option<JudgedDepth>, ApiError> {
        self.library()?.judged_depth(id).map_err(failed)
    }

    pub(crate) fn is_finished_game_of(&self, id: &GameId, name: &str) -> Result<bool, ApiError> {
        self.library()?.is_finished_game_of(id, name).map_err(failed)
    }

    /// Finished games of the person's own that came or changed since then and are neither judged nor on the list, the last
    /// played first: of this name, and of the accounts at game servers.
    pub(crate) fn new_own_games(&self, own_name: &str, since: i64) -> Result<Vec<GameId>, ApiError> {
        self.library()?.new_own_games(own_name, since).map_err(failed)
    }

    pub(crate) fn version_of(&self, tree: &GameTree) -> Result<Option<GameId>, ApiError> {
        self.library()?.version_of(tree).map_err(failed)
    }

    pub(crate) fn unjudged_games(&self, name: &str, limit: u32) -> Result<Vec<GameId>, ApiError> {
        self.library()?.unjudged_games(name, limit).map_err(failed)
    }

    pub(crate) fn player_sums(&self, name: &str) -> Result<PlayerSums, ApiError> {
        self.library()?.player_sums(name).map_err(failed)
    }

    pub(crate) fn training_sums(
        &self,
        name: &str,
        training: Training,
        minutes_ahead: i16,
    ) -> Result<Vec<ClassSum>, ApiError> {
        self.library()?.training_sums(name, training, minutes_ahead).map_err(failed)
    }

    pub(crate) fn player_mistakes_of(
        &self,
        name: &str,
        class: MoveClass,
        limit: u32,
    ) -> Result<Vec<MistakeAt>, ApiError> {
        self.library()?.player_mistakes_of(name, class, limit).map_err(failed)
    }

    pub(crate) fn player_openings(&self, name: &str) -> Result<Vec<OpeningSum>, ApiError> {
        self.library()?.player_openings(name).map_err(failed)
    }

    pub(crate) fn player_opening_mistakes(
        &self,
        name: &str,
        corner: bool,
        line: &str,
        limit: u32,
    ) -> Result<Vec<MistakeAt>, ApiError> {
        self.library()?.player_opening_mistakes(name, corner, line, limit).map_err(failed)
    }

    pub(crate) fn begin_training(&self, class: MoveClass, now: i64) -> Result<(), ApiError> {
        self.library()?.begin_training(class, now).map_err(failed)
    }

    pub(crate) fn end_training(&self, class: MoveClass, now: i64) -> Result<(), ApiError> {
        self.library()?.end_training(class, now).map_err(failed)
    }

    pub(crate) fn trainings(&self) -> Result<Vec<Training>, ApiError> {
        self.library()?.trainings().map_err(failed)
    }
}
