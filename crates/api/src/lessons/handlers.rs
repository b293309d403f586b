//! What the commands of this subject do.

use crate::disk::path_of;
use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

/// Games that are put on the list of reviews at once.
const MAX_QUEUED: u32 = 100_000;

/// A rated game that goes on has no help.
fn may_be_asked(app: &App, card: &CardRef) -> Answer<()> {
    match card {
        CardRef::Turn { game_id, .. } => app.play.may_be_helped(game_id),
        CardRef::Drill { .. } => Ok(()),
    }
}

pub(crate) fn turning_points(app: &App, caller: &Caller, args: TurningPointsOf) -> Answer<TurningPoints> {
    app.play.may_be_helped(&args.game_id)?;
    let human = if args.helps.is_some() { app.play.human_network() } else { None };
    app.lessons.turning_points(&args, &human, caller.stop())
}

pub(crate) fn weaknesses(app: &App, _: &Caller, args: WeaknessesOf) -> Answer<Weaknesses> {
    app.lessons.weaknesses(&args)
}

pub(crate) fn weak_positions(app: &App, _: &Caller, args: WeakPositionsOf) -> Answer<Vec<WeakPosition>> {
    app.lessons.weak_positions(&args)
}

pub(crate) fn practise_weakness(app: &App, _: &Caller, args: WeakPositionsOf) -> Answer<Practised> {
    app.lessons.practise_weakness(&args)
}

pub(crate) fn practise_opening(app: &App, _: &Caller, args: PractiseOpening) -> Answer<Practised> {
    app.lessons.practise_opening(&args)
}

pub(crate) fn end_training(app: &App, _: &Caller, args: ClassName) -> Answer<()> {
    app.lessons.end_training(&args.class)
}

pub(crate) fn repertoire(app: &App, _: &Caller, args: PlayerName) -> Answer<Repertoire> {
    app.lessons.repertoire(&args.name)
}

pub(crate) fn review_player(app: &App, _: &Caller, args: PlayerName) -> Answer<ReviewQueue> {
    let ids = app.library.unjudged_games(&args.name, MAX_QUEUED)?;
    app.reviews.add(&QueueReviews { ids: ids.iter().map(ToString::to_string).collect(), first: true })
}

pub(crate) fn rank_review(app: &App, caller: &Caller, args: RankReviewOf) -> Answer<RankReview> {
    app.play.may_be_helped(&args.game_id)?;
    app.lessons.rank_review(&args, &app.play.human_network(), caller.stop())
}

pub(crate) fn prepare_card(app: &App, caller: &Caller, args: OneCard) -> Answer<()> {
    may_be_asked(app, &args.card)?;
    app.lessons.prepare(&args.card, caller.stop())
}

pub(crate) fn answer_card(app: &App, caller: &Caller, args: AnswerCard) -> Answer<CardAnswer> {
    may_be_asked(app, &args.card)?;
    let replier = args.replier.as_ref().map(|rank| app.play.opponent(&format!("rank_{rank}"))).transpose()?;
    app.lessons.answer(&args, replier, caller.stop())
}

pub(crate) fn card_solution(app: &App, caller: &Caller, args: ShowSolution) -> Answer<CardSolution> {
    may_be_asked(app, &args.card)?;
    app.lessons.solution(&args, caller.stop())
}

pub(crate) fn card_facts(app: &App, caller: &Caller, args: FactsOf) -> Answer<CardFacts> {
    may_be_asked(app, &args.card)?;
    app.lessons.facts(&args, &|| app.play.human_network(), caller.stop())
}

pub(crate) fn keep_card(app: &App, _: &Caller, args: OneCard) -> Answer<KeptCard> {
    app.lessons.keep(&args.card)
}

pub(crate) fn keep_position(app: &App, _: &Caller, args: NodeRef) -> Answer<KeptCard> {
    app.lessons.keep_position(&args)
}

pub(crate) fn keep_lines(app: &App, _: &Caller, args: KeepLines) -> Answer<Practised> {
    app.lessons.keep_lines(&args)
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

pub(crate) fn next_exercise(app: &App, caller: &Caller, args: NextExercise) -> Answer<ExerciseFound> {
    app.lessons.next_exercise(args.kind, caller.stop())
}

pub(crate) fn prepare_exercise(app: &App, caller: &Caller, args: OneExercise) -> Answer<()> {
    app.lessons.prepare_exercise(&args.exercise, caller.stop())
}

pub(crate) fn answer_exercise(app: &App, caller: &Caller, args: AnswerExercise) -> Answer<ExerciseJudged> {
    app.lessons.answer_exercise(&args, caller.stop())
}

pub(crate) fn exercise_figures(app: &App, _: &Caller, args: ExerciseFiguresOf) -> Answer<ExerciseFigures> {
    app.lessons.exercise_figures(args)
}

pub(crate) fn export_deck(app: &App, _: &Caller, _: NoArgs) -> Answer<SgfText> {
    app.lessons.export_deck()
}

pub(crate) fn export_anki_deck(app: &App, _: &Caller, args: AnkiDeck) -> Answer<DeckPackage> {
    app.lessons.export_anki(&args.name)
}

pub(crate) fn import_deck(app: &App, caller: &Caller, args: ImportDeck) -> Answer<DeckImported> {
    if let GameSource::Path { path } = &args.source {
        path_of(app, path)?;
    }
    app.lessons.import_deck(&args.source, caller.stop())
}
