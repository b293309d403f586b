//! What the commands of this subject do.

use crate::disk::path_of;
use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

/// A rated game that goes on has no help.
fn may_be_asked(app: &App, card: &CardRef) -> Answer<()> {
    match card {
        CardRef::Turn { game_id, .. } => app.play.may_be_helped(game_id),
        CardRef::Drill { .. } => Ok(()),
    }
}

pub(crate) fn turning_points(app: &App, _: &Caller, args: TurningPointsOf) -> Answer<TurningPoints> {
    app.play.may_be_helped(&args.game_id)?;
    app.lessons.turning_points(&args)
}

pub(crate) fn prepare_card(app: &App, caller: &Caller, args: OneCard) -> Answer<()> {
    may_be_asked(app, &args.card)?;
    app.lessons.prepare(&args.card, caller.stop())
}

pub(crate) fn answer_card(app: &App, caller: &Caller, args: AnswerCard) -> Answer<CardAnswer> {
    may_be_asked(app, &args.card)?;
    app.lessons.answer(&args, caller.stop())
}

pub(crate) fn card_solution(app: &App, caller: &Caller, args: ShowSolution) -> Answer<CardSolution> {
    may_be_asked(app, &args.card)?;
    app.lessons.solution(&args, caller.stop())
}

pub(crate) fn card_facts(app: &App, caller: &Caller, args: OneCard) -> Answer<CardFacts> {
    may_be_asked(app, &args.card)?;
    app.lessons.facts(&args.card, caller.stop())
}

pub(crate) fn keep_card(app: &App, _: &Caller, args: OneCard) -> Answer<KeptCard> {
    app.lessons.keep(&args.card)
}

pub(crate) fn keep_position(app: &App, _: &Caller, args: NodeRef) -> Answer<KeptCard> {
    app.lessons.keep_position(&args)
}

pub(crate) fn remove_card(app: &App, _: &Caller, args: OneCard) -> Answer<KeptCard> {
    app.lessons.remove(&args.card)
}

pub(crate) fn drill_state(app: &App, _: &Caller, _: NoArgs) -> Answer<DrillState> {
    app.lessons.drill_state()
}

pub(crate) fn next_drill(app: &App, _: &Caller, _: NoArgs) -> Answer<Drill> {
    app.lessons.next_drill()
}

pub(crate) fn export_deck(app: &App, _: &Caller, _: NoArgs) -> Answer<SgfText> {
    app.lessons.export_deck()
}

pub(crate) fn import_deck(app: &App, caller: &Caller, args: ImportDeck) -> Answer<DeckImported> {
    if let GameSource::Path { path } = &args.source {
        path_of(app, path)?;
    }
    app.lessons.import_deck(&args.source, caller.stop())
}
