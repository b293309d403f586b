//! What the commands of this subject do.

use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn set_analysis(app: &App, _: &Caller, args: SetAnalysis) -> Answer<EngineStatus> {
    if args.running {
        app.play.may_be_helped(&args.game_id)?;
    }
    app.analysis.set_analysis(&args)?;
    Ok(app.analysis.engine_status())
}

pub(crate) fn sweep_game(app: &App, _: &Caller, args: SweepGame) -> Answer<SweepStarted> {
    app.play.may_be_helped(&args.game_id)?;
    let then = app.reviews.after_sweep(&args.game_id);
    let started = app.analysis.sweep(&args, then)?;
    app.reviews.look_at_open(&args.game_id);
    Ok(started)
}

pub(crate) fn review_by_itself(app: &App, _: &Caller, args: GameRef) -> Answer<Option<SweepStarted>> {
    let id = &args.game_id;
    let wished = app.settings.get().review_by_itself && app.games.first_game().as_ref() != Some(id);
    // What is being played is nobody's business, and a rated game has the machine to itself.
    if !wished || app.play.is_live(id) || app.play.is_rated_game_on() {
        return Ok(None);
    }
    let started = app.analysis.review_by_itself(id, app.play.has_ended(id), app.reviews.after_sweep(id))?;
    // Now rather than at its end alone: the game may be closed before, or the program.
    app.reviews.look_at_open(id);
    Ok(started)
}

pub(crate) fn review_line(app: &App, _: &Caller, args: GameRef) -> Answer<LineReview> {
    app.play.may_be_helped(&args.game_id)?;
    app.analysis.line_review(&args)
}

pub(crate) fn stop_sweep(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.analysis.engine.stop_sweep();
    Ok(())
}

pub(crate) fn known_analysis(app: &App, _: &Caller, args: NodeRef) -> Answer<Option<AnalysisUpdate>> {
    app.play.may_be_helped(&args.game_id)?;
    app.analysis.known_analysis(&args)
}

pub(crate) fn stop_engine(app: &App, _: &Caller, _: NoArgs) -> Answer<EngineStatus> {
    app.analysis.engine.stop();
    Ok(app.analysis.engine_status())
}

pub(crate) fn play_out(app: &App, caller: &Caller, args: PlayOut) -> Answer<PlayedOut> {
    app.play.may_be_edited(&args.game_id)?;
    app.analysis.play_out(&args, caller.stop())
}

pub(crate) fn compare_networks(app: &App, caller: &Caller, args: CompareNetworks) -> Answer<NetworkComparison> {
    app.play.may_be_helped(&args.game_id)?;
    app.analysis.compare_networks(&args, caller.stop())
}

pub(crate) fn end_comparison(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.analysis.engine.end_comparison();
    Ok(())
}
