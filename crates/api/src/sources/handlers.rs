//! What the commands of this subject do.

use crate::disk::path_of;
use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn list_sources(app: &App, _: &Caller, _: NoArgs) -> Answer<Vec<SourceView>> {
    app.sources.list()
}

pub(crate) fn add_source(app: &App, _: &Caller, args: NewSource) -> Answer<SourceView> {
    let folder = (args.kind == SourceKind::Folder).then(|| path_of(app, &args.name)).transpose()?;
    app.sources.add(&args, folder)
}

pub(crate) fn remove_source(app: &App, _: &Caller, args: SourceRef) -> Answer<()> {
    app.sources.remove(args.id)
}

pub(crate) fn sync_sources(app: &App, _: &Caller, args: SyncSources) -> Answer<()> {
    app.sources.sync(&args.ids)
}

pub(crate) fn stop_sync(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.sources.stop();
    Ok(())
}
