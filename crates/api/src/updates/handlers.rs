//! What the commands of this subject do.

use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn update_state(app: &App, _: &Caller, _: NoArgs) -> Answer<UpdateView> {
    app.updates.view()
}

pub(crate) fn look_for_update(app: &App, caller: &Caller, args: UpdateLook) -> Answer<UpdateView> {
    app.updates.look(args.by_itself, caller.stop())
}

pub(crate) fn fetch_update(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.updates.fetch()
}

pub(crate) fn pause_update(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.updates.pause();
    Ok(())
}

pub(crate) fn install_update(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.updates.install()
}
