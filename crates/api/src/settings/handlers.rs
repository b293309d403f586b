//! What the commands of this subject do.

use crate::analysis::resources::{networks, resource_dirs};
use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn startup(app: &App, _: &Caller, _: NoArgs) -> Answer<Startup> {
    let host = app.host();
    // A window is about to ask.
    app.engine().warm_up();
    app.recall_open_games();
    Ok(Startup {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        capabilities: host.capabilities(),
        settings: app.settings(),
        engine: app.engine_status(),
        networks: networks(&host.data_dir(), &resource_dirs(&host.resource_dirs())),
        games: app.open_games(),
        closed_games: app.closed_games(),
        first_game: app.first_game(),
        recovered: app.recovered(),
        given: app.take_given(),
        notices: app.notices().to_vec(),
    })
}

pub(crate) fn set_settings(app: &App, _: &Caller, args: Settings) -> Answer<Settings> {
    app.set_settings(args)?;
    Ok(app.settings())
}
