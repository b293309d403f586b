//! What the commands of this subject do.

use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn run(app: &App, caller: &Caller, args: RunRequest) -> Answer<RunReply> {
    app.original.run(&args, caller.stop())
}

pub(crate) fn save_goban(app: &App, _: &Caller, args: SaveGoban) -> Answer<SavedGoban> {
    app.library.keep_record(None, &args.goban)
}

pub(crate) fn cancel(_: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    Ok(())
}
