//! The original JSON protocol: the best move on a board, and keeping a record.

pub(crate) mod handlers;
mod list;
pub(crate) mod run;
pub(crate) mod types;

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
