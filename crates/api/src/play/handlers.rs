//! What the commands of this subject do.

use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn list_opponents(app: &App, _: &Caller, _: NoArgs) -> Answer<Opponents> {
    Ok(app.play.opponents())
}

pub(crate) fn find_engines(app: &App, _: &Caller, _: NoArgs) -> Answer<Vec<InstalledEngineView>> {
    Ok(app.play.find_engines())
}

pub(crate) fn test_engine(app: &App, caller: &Caller, args: EngineCommand) -> Answer<EngineFound> {
    app.play.test_engine(&args, caller.stop())
}

pub(crate) fn add_engine(app: &App, caller: &Caller, args: AddEngine) -> Answer<EngineFound> {
    app.play.add_engine(&args, caller.stop())
}

pub(crate) fn change_engine(app: &App, caller: &Caller, args: ChangeEngine) -> Answer<EngineFound> {
    app.play.change_engine(&args, caller.stop())
}

pub(crate) fn cancel_trial(_: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    Ok(())
}

pub(crate) fn remove_engine(app: &App, _: &Caller, args: EngineName) -> Answer<()> {
    app.play.remove_engine(&args)
}

pub(crate) fn start_play(app: &App, _: &Caller, args: StartPlay) -> Answer<PlayStarted> {
    app.play.start_play(args)
}

pub(crate) fn get_play(app: &App, _: &Caller, args: GameRef) -> Answer<PlayView> {
    app.play.play_state(&args.game_id)
}

pub(crate) fn play_turn(app: &App, _: &Caller, args: PlayTurn) -> Answer<PlayAnswer> {
    app.play.play_turn(&args)
}

pub(crate) fn take_back(app: &App, _: &Caller, args: GameRef) -> Answer<PlayAnswer> {
    app.play.take_back(&args.game_id)
}

pub(crate) fn pause_play(app: &App, _: &Caller, args: PausePlay) -> Answer<PlayView> {
    app.play.pause_play(&args)
}

pub(crate) fn step_play(app: &App, _: &Caller, args: GameRef) -> Answer<PlayView> {
    app.play.step_play(&args.game_id)
}

pub(crate) fn take_seat(app: &App, _: &Caller, args: TakeSeat) -> Answer<PlayView> {
    app.play.take_seat(&args)
}

pub(crate) fn resign_play(app: &App, _: &Caller, args: GameRef) -> Answer<PlayAnswer> {
    app.play.resign_play(&args.game_id)
}

pub(crate) fn settle_play(app: &App, _: &Caller, args: SettlePlay) -> Answer<PlayAnswer> {
    app.play.settle_play(&args)
}

pub(crate) fn continue_play(app: &App, _: &Caller, args: GameRef) -> Answer<PlayAnswer> {
    app.play.continue_play(&args.game_id)
}

pub(crate) fn rematch(app: &App, _: &Caller, args: Rematch) -> Answer<PlayStarted> {
    app.play.rematch(&args)
}

pub(crate) fn name_person(app: &App, _: &Caller, args: PlayerName) -> Answer<()> {
    app.play.name_person(&args.name)
}

pub(crate) fn rated_progress(app: &App, _: &Caller, _: NoArgs) -> Answer<RatedProgress> {
    app.play.rated_progress()
}

pub(crate) fn stop_play(app: &App, _: &Caller, args: GameRef) -> Answer<()> {
    app.play.stop_play(&args.game_id)
}
