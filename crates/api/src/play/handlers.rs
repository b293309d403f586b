//! What the commands of this subject do.

use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn offer_game(app: &App, _: &Caller, args: GameTerms) -> Answer<GameOffer> {
    app.game_offer(&args)
}

pub(crate) fn list_opponents(app: &App, _: &Caller, _: NoArgs) -> Answer<Opponents> {
    Ok(app.opponents())
}

pub(crate) fn test_engine(app: &App, _: &Caller, args: EngineCommand) -> Answer<EngineFound> {
    app.test_engine(&args)
}

pub(crate) fn add_engine(app: &App, _: &Caller, args: AddEngine) -> Answer<EngineFound> {
    app.add_engine(&args)
}

pub(crate) fn start_play(app: &App, _: &Caller, args: StartPlay) -> Answer<PlayStarted> {
    app.start_play(args)
}

pub(crate) fn get_play(app: &App, _: &Caller, args: GameRef) -> Answer<PlayView> {
    app.play_state(&args.game_id)
}

pub(crate) fn play_turn(app: &App, _: &Caller, args: PlayTurn) -> Answer<PlayAnswer> {
    app.play_turn(&args)
}

pub(crate) fn take_back(app: &App, _: &Caller, args: GameRef) -> Answer<PlayAnswer> {
    app.take_back(&args.game_id)
}

pub(crate) fn resign_play(app: &App, _: &Caller, args: GameRef) -> Answer<PlayAnswer> {
    app.resign_play(&args.game_id)
}

pub(crate) fn settle_play(app: &App, _: &Caller, args: SettlePlay) -> Answer<PlayAnswer> {
    app.settle_play(&args)
}

pub(crate) fn continue_play(app: &App, _: &Caller, args: GameRef) -> Answer<PlayAnswer> {
    app.continue_play(&args.game_id)
}

pub(crate) fn rematch(app: &App, _: &Caller, args: Rematch) -> Answer<PlayStarted> {
    app.rematch(&args)
}

pub(crate) fn rated_progress(app: &App, _: &Caller, _: NoArgs) -> Answer<RatedProgress> {
    app.rated_progress()
}

pub(crate) fn stop_play(app: &App, _: &Caller, args: GameRef) -> Answer<()> {
    app.stop_play(&args.game_id)
}

pub(crate) fn hint(app: &App, caller: &Caller, args: HintRequest) -> Answer<Hint> {
    app.hint(&args, caller.stop())
}
