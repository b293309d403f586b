//! What the commands of this subject do.

use crate::analysis::score::score_view;
use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};
use honinbo_rules::Point;

pub(crate) fn engine_status(app: &App, _: &Caller, _: NoArgs) -> Answer<EngineStatus> {
    Ok(app.engine_status())
}

pub(crate) fn score(app: &App, _: &Caller, args: ScoreRequest) -> Answer<ScoreView> {
    if args.dead.is_none() {
        app.may_be_counted(&args.game_id)?;
    }
    let game = app.with_game(&args.game_id, |session| Ok(session.game().clone()))?;
    let size = game.board().size();
    let dead: Vec<Point> = match args.dead {
        Some(points) => points
            .into_iter()
            .map(|index| Point::from_index(index.into(), size))
            .filter(|point| point.is_on(size))
            .collect(),
        None => app.propose_dead(&game)?,
    };
    Ok(score_view(&game, &dead))
}

pub(crate) fn set_analysis(app: &App, _: &Caller, args: SetAnalysis) -> Answer<EngineStatus> {
    if args.running {
        app.may_be_helped(&args.game_id)?;
    }
    app.set_analysis(&args)?;
    Ok(app.engine_status())
}

pub(crate) fn sweep_game(app: &App, _: &Caller, args: SweepGame) -> Answer<SweepStarted> {
    app.may_be_helped(&args.game_id)?;
    app.sweep(&args)
}

pub(crate) fn review_line(app: &App, _: &Caller, args: GameRef) -> Answer<LineReview> {
    app.may_be_helped(&args.game_id)?;
    app.line_review(&args)
}

pub(crate) fn stop_sweep(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.engine().stop_sweep();
    Ok(())
}

pub(crate) fn known_analysis(app: &App, _: &Caller, args: NodeRef) -> Answer<Option<AnalysisUpdate>> {
    app.may_be_helped(&args.game_id)?;
    app.known_analysis(&args)
}

pub(crate) fn stop_engine(app: &App, _: &Caller, _: NoArgs) -> Answer<EngineStatus> {
    app.engine().stop();
    Ok(app.engine_status())
}

pub(crate) fn play_out(app: &App, caller: &Caller, args: PlayOut) -> Answer<PlayedOut> {
    app.may_be_edited(&args.game_id)?;
    app.play_out(&args, caller.stop())
}

pub(crate) fn compare_networks(app: &App, caller: &Caller, args: CompareNetworks) -> Answer<NetworkComparison> {
    app.may_be_helped(&args.game_id)?;
    app.compare_networks(&args, caller.stop())
}

pub(crate) fn end_comparison(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.engine().end_comparison();
    Ok(())
}

pub(crate) fn run(app: &App, caller: &Caller, args: RunRequest) -> Answer<RunReply> {
    app.run(&args, caller.stop())
}

pub(crate) fn cancel(_: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    Ok(())
}

pub(crate) fn clear_evaluations(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.evaluations.clear().map(drop).map_err(|error| ApiError::from_library(&error))
}
