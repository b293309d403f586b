//! What the commands of this subject do.

use crate::handlers::Answer;
use crate::original::missing;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn run(app: &App, caller: &Caller, args: RunRequest) -> Answer<RunReply> {
    app.original.run(&args, caller.stop(), &|progress| caller.report(progress))
}

pub(crate) fn save_goban(app: &App, _: &Caller, args: SaveGoban) -> Answer<SavedGoban> {
    let saved = match (args.game_id, args.goban) {
        (Some(game), _) => app.games.save_to_library(&game),
        (None, Some(sgf)) => app.library.keep_record(None, &sgf),
        (None, None) => Err(missing("goban")),
    }?;
    app.reviews.look_at(&saved.id);
    Ok(saved)
}

pub(crate) fn cancel(_: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    Ok(())
}
