//! What the commands of this subject do.

use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn list_shelf(app: &App, _: &Caller, _: NoArgs) -> Answer<NetworkShelf> {
    Ok(app.networks.shelf_view())
}

pub(crate) fn fetch_network(app: &App, _: &Caller, args: NetworkName) -> Answer<()> {
    app.networks.fetch(&args.file)
}

pub(crate) fn pause_network(app: &App, _: &Caller, args: NetworkName) -> Answer<()> {
    app.networks.pause(&args.file);
    Ok(())
}

pub(crate) fn remove_network(app: &App, _: &Caller, args: NetworkName) -> Answer<NetworkShelf> {
    app.networks.remove(&args.file)?;
    Ok(app.networks.shelf_view())
}

pub(crate) fn renew_shelf(app: &App, caller: &Caller, _: NoArgs) -> Answer<NetworkShelf> {
    app.networks.renew(caller.stop())?;
    Ok(app.networks.shelf_view())
}
