//! What the commands of this subject do.

use super::{failed, folder_of, read_game};
use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};
use honinbo_training::{empty_board_policy, stamp, status};

pub(crate) fn training_status(app: &App, _: &Caller, args: WatchTraining) -> Answer<TrainingNews> {
    let folder = folder_of(app, &args.folder)?;
    // Before it is read: what changes meanwhile is asked about again.
    let stamp = stamp(&folder).map_err(failed)?;
    let is_new = stamp != args.known;
    let status = is_new.then(|| status(&folder).map(Box::new).map_err(failed)).transpose()?;
    Ok(TrainingNews { stamp, status })
}

pub(crate) fn training_policy(app: &App, _: &Caller, args: TrainingGeneration) -> Answer<Vec<Finite>> {
    let folder = folder_of(app, &args.folder)?;
    let policy = empty_board_policy(&folder, args.generation).map_err(failed)?;
    Ok(policy.into_iter().map(Finite::from).collect())
}

pub(crate) fn training_game(app: &App, _: &Caller, args: TrainingGame) -> Answer<RecordPreview> {
    Ok(read_game(app, &args, String::new())?.preview(u32::MAX))
}

pub(crate) fn open_training_game(app: &App, _: &Caller, args: TrainingGame) -> Answer<GameView> {
    app.games.open_read(|id| read_game(app, &args, id))
}
