//! Runs in which networks learn, as the person who made them watches them.

pub(crate) mod handlers;
mod list;
pub(crate) mod types;

use crate::disk::path_of;
use crate::games::session::Session;
use crate::{ApiError, App, Host, OpenGameId, TrainingGame};
use honinbo_training::{FolderError, game_text};
use std::path::PathBuf;

/// Whether there can be a run to watch: the window may name folders, or the host was told of one.
pub(crate) fn can_watch(host: &dyn Host) -> bool {
    host.capabilities().paths || host.training_folder().is_some()
}

/// The folder of a run that may be looked into.
fn folder_of(app: &App, named: &str) -> Result<PathBuf, ApiError> {
    match app.host().training_folder() {
        Some(folder) if named.is_empty() => Ok(folder),
        _ => path_of(app, named),
    }
}

/// A game of a run, not open yet.
fn read_game(app: &App, wanted: &TrainingGame, id: OpenGameId) -> Result<Session, ApiError> {
    let folder = folder_of(app, &wanted.folder)?;
    let text = game_text(&folder, wanted.generation, wanted.file, wanted.index).map_err(failed)?;
    Session::read(id, "", &text)
}

#[allow(clippy::needless_pass_by_value, reason = "used as a function of `map_err`")]
fn failed(error: FolderError) -> ApiError {
    match &error {
        FolderError::NoRun(_) | FolderError::Missing(_) => ApiError::NotFound { message: error.to_string() },
        FolderError::Io { path, .. } | FolderError::Config { path, .. } | FolderError::TooLarge { path, .. } => {
            ApiError::UnreadableFile { file: path.display().to_string(), message: error.to_string(), problem: None }
        }
    }
}
