//! What the commands of this subject do.

use crate::analysis::resources::{networks, resource_dirs};
use crate::handlers::Answer;
use crate::training::can_watch;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn startup(app: &App, _: &Caller, _: NoArgs) -> Answer<Startup> {
    let host = app.host();
    // A window is about to ask.
    app.analysis.engine.warm_up();
    app.games.recall_open_games();
    Ok(Startup {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        can_update: app.updates.can_look(),
        can_back_up: host.backs_up_after().is_some(),
        can_watch_training: can_watch(&**host),
        capabilities: host.capabilities(),
        settings: app.settings.get(),
        engine: app.analysis.engine_status(),
        networks: networks(&host.data_dir(), &resource_dirs(&host.resource_dirs())),
        games: app.games.open_games(),
        closed_games: app.games.closed_games(),
        first_game: app.games.first_game(),
        recovered: app.games.recovered(),
        // After the closed games were read.
        set_aside: app.games.set_aside(),
        not_kept: app.games.not_kept(),
        given: app.games.take_given(),
        restored: app.library.restored.clone(),
        rescued: app.library.rescued.clone(),
        proposed_network: app.networks.shelf_view().proposed,
        notices: app.settings.notices.clone(),
    })
}

pub(crate) fn set_settings(app: &App, _: &Caller, args: SettingsChange) -> Answer<Settings> {
    app.settings.change(args)
}

pub(crate) fn engine_status(app: &App, _: &Caller, _: NoArgs) -> Answer<EngineStatus> {
    Ok(app.analysis.engine_status())
}

pub(crate) fn list_devices(app: &App, _: &Caller, _: NoArgs) -> Answer<Devices> {
    app.analysis.engine.devices()
}

pub(crate) fn measure_devices(app: &App, caller: &Caller, _: NoArgs) -> Answer<Devices> {
    app.analysis.engine.measure_devices(caller.stop())
}

pub(crate) fn stop_measuring(_: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    Ok(())
}
