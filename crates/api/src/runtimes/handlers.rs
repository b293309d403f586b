//! What the commands of this subject do.

use crate::disk::path_of;
use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn list_runtimes(app: &App, _: &Caller, _: NoArgs) -> Answer<Runtimes> {
    Ok(app.runtimes.view())
}

pub(crate) fn fetch_runtime(app: &App, _: &Caller, args: RuntimeName) -> Answer<()> {
    app.runtimes.fetch(&args.name)
}

pub(crate) fn pause_runtime(app: &App, _: &Caller, args: RuntimeName) -> Answer<()> {
    app.runtimes.pause(&args.name);
    Ok(())
}

pub(crate) fn add_runtime(app: &App, caller: &Caller, args: FilePath) -> Answer<Runtimes> {
    app.runtimes.add(path_of(app, &args.path)?, caller.stop())?;
    Ok(app.runtimes.view())
}

pub(crate) fn remove_runtime(app: &App, _: &Caller, args: RuntimeName) -> Answer<Runtimes> {
    app.runtimes.remove(&args.name)?;
    Ok(app.runtimes.view())
}
