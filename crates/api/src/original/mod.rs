//! The original JSON protocol: the best move on a board, and keeping a record. The window asks the same of its open games.

pub(crate) mod handlers;
mod list;
pub(crate) mod run;
pub(crate) mod types;

use crate::ApiError;
use crate::analysis::AnalysisRoom;
use crate::play::PlayRoom;
use crate::settings::SettingsRoom;
use std::sync::Arc;

/// What the original protocol asks for is had from the other rooms.
pub(crate) struct OriginalRoom {
    pub(crate) analysis: Arc<AnalysisRoom>,
    pub(crate) play: Arc<PlayRoom>,
    pub(crate) settings: Arc<SettingsRoom>,
}

/// A field that a request needs, in the words that serde has for it.
pub(crate) fn missing(field: &str) -> ApiError {
    ApiError::InvalidRequest { message: format!("missing field `{field}`") }
}
