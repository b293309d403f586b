//! What the commands of this subject do.

use crate::analysis::score::score_view;
use crate::disk::{decoded, path_of};
use crate::games::famous::{FAMOUS_MOVE, famous_game};
use crate::games::session::Session;
use crate::games::{GamesRoom, dragging, text_readings};
use crate::handlers::Answer;
use crate::path_text::path_from_text;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};
use honinbo_rules::Point;

pub(crate) fn new_game(app: &App, _: &Caller, args: NewGame) -> Answer<GameView> {
    app.games.open_session(|id| Session::new(id, &args, app.host().unix_seconds()))
}

pub(crate) fn offer_game(app: &App, _: &Caller, args: GameTerms) -> Answer<GameOffer> {
    app.play.game_offer(&args)
}

pub(crate) fn open_famous(app: &App, _: &Caller, _: NoArgs) -> Answer<GameView> {
    match app.games.first_game() {
        Some(id) => app.games.with_game(&id, |session| {
            session.go_to_move(FAMOUS_MOVE);
            Ok(session.view())
        }),
        None => app.games.open_read(famous_game),
    }
}

pub(crate) fn open_content(app: &App, _: &Caller, args: OpenContent) -> Answer<GameView> {
    app.games.open_source(&GameSource::Content { name: args.name, base64: args.base64 })
}

pub(crate) fn open_file(app: &App, _: &Caller, args: FilePath) -> Answer<GameView> {
    let source = allowed(app, GameSource::Path { path: args.path })?;
    app.games.open_source(&source).inspect(|_| used(app, &source))
}

pub(crate) fn list_games(app: &App, _: &Caller, args: GameSource) -> Answer<GameList> {
    GamesRoom::list_games(&allowed(app, args)?)
}

pub(crate) fn open_games(app: &App, _: &Caller, args: OpenGames) -> Answer<Vec<GameView>> {
    let chosen = OpenGames { source: allowed(app, args.source)?, games: args.games };
    app.games.open_chosen(&chosen).inspect(|_| used(app, &chosen.source))
}

pub(crate) fn open_record(app: &App, _: &Caller, args: RecordRef) -> Answer<GameView> {
    let sgf = app.library.sgf_of(&args.id)?;
    app.games.open_read(|id| {
        let mut session = Session::read_text(id, "", &sgf)?;
        session.record_id = Some(args.id.clone());
        Ok(session)
    })
}

pub(crate) fn close_game(app: &App, _: &Caller, args: CloseGame) -> Answer<Closing> {
    app.close_game(&args)
}

pub(crate) fn closed_games(app: &App, _: &Caller, _: NoArgs) -> Answer<Vec<ClosedGame>> {
    Ok(app.games.closed_games())
}

pub(crate) fn reopen_game(app: &App, _: &Caller, args: ClosedGameRef) -> Answer<GameView> {
    app.reopen_game(&args.id)
}

pub(crate) fn get_game(app: &App, _: &Caller, args: GameRef) -> Answer<GameView> {
    app.games.with_game(&args.game_id, |session| Ok(session.view()))
}

pub(crate) fn position_at(app: &App, _: &Caller, args: NodeRef) -> Answer<PositionView> {
    app.games.with_game(&args.game_id, |session| session.position_at(args.node_id))
}

pub(crate) fn play(app: &App, _: &Caller, args: PlayMove) -> Answer<GameUpdate> {
    edited(app, &args.game_id, |session| session.play(args.vertex))
}

pub(crate) fn go_to(app: &App, _: &Caller, args: NodeRef) -> Answer<GameUpdate> {
    updated(app, &args.game_id, |session| session.go_to(args.node_id))
}

pub(crate) fn navigate(app: &App, _: &Caller, args: Navigate) -> Answer<GameUpdate> {
    updated(app, &args.game_id, |session| {
        session.navigate(args.step);
        Ok(())
    })
}

pub(crate) fn try_out(app: &App, _: &Caller, args: TryOut) -> Answer<GameUpdate> {
    edited(app, &args.game_id, |session| {
        session.try_out(args.step);
        Ok(())
    })
}

pub(crate) fn delete_variation(app: &App, _: &Caller, args: NodeRef) -> Answer<GameUpdate> {
    edited(app, &args.game_id, |session| session.delete(args.node_id))
}

pub(crate) fn keep_variation(app: &App, _: &Caller, args: NodeRef) -> Answer<GameUpdate> {
    edited(app, &args.game_id, |session| session.keep_variation(args.node_id))
}

pub(crate) fn open_from(app: &App, _: &Caller, args: NodeRef) -> Answer<GameView> {
    // A copy of a game that is being played would be a board to think on.
    app.play.may_be_edited(&args.game_id)?;
    let game = app.games.find(&args.game_id)?;
    app.games.open_read(|id| game.with(|session| session.begun_at(id, args.node_id)))
}

pub(crate) fn find_places(app: &App, _: &Caller, args: FindPlaces) -> Answer<FoundPlaces> {
    app.games.with_game(&args.game_id, |session| Ok(session.find(&args.words)))
}

pub(crate) fn promote_variation(app: &App, _: &Caller, args: NodeRef) -> Answer<GameUpdate> {
    edited(app, &args.game_id, |session| session.promote(args.node_id))
}

pub(crate) fn move_variation(app: &App, _: &Caller, args: MoveVariation) -> Answer<GameUpdate> {
    edited(app, &args.game_id, |session| session.move_variation(args.node_id, args.up))
}

pub(crate) fn copy_variation(app: &App, _: &Caller, args: NodeRef) -> Answer<SgfText> {
    app.games.with_game(&args.game_id, |session| {
        Ok(SgfText { file_name: session.proposed_file_name(), sgf: session.copy_variation(args.node_id)? })
    })
}

pub(crate) fn paste_variation(app: &App, _: &Caller, args: PasteVariation) -> Answer<GameUpdate> {
    edited(app, &args.game_id, |session| session.paste_variation(args.node_id, &args.sgf))
}

pub(crate) fn add_line(app: &App, _: &Caller, args: AddLine) -> Answer<GameUpdate> {
    edited(app, &args.game_id, |session| session.add_line(args.node_id, &args.moves))
}

pub(crate) fn continue_game(app: &App, _: &Caller, args: ContinueGame) -> Answer<ContinuedGame> {
    app.play.edit_game(&args.game_id, |session| {
        let before = session.seen();
        let (moves, left_out) = session.continue_game(args.node_id, args.following)?;
        Ok(ContinuedGame { update: session.update(before), moves, left_out })
    })
}

pub(crate) fn set_stones(app: &App, _: &Caller, args: SetStones) -> Answer<GameUpdate> {
    edited(app, &args.game_id, |session| session.set_stones(&args.points, args.stone))
}

pub(crate) fn frame_position(app: &App, _: &Caller, args: GameRef) -> Answer<GameUpdate> {
    edited(app, &args.game_id, Session::frame)
}

pub(crate) fn set_to_move(app: &App, _: &Caller, args: SetToMove) -> Answer<GameUpdate> {
    edited(app, &args.game_id, |session| {
        session.set_to_move(args.side);
        Ok(())
    })
}

pub(crate) fn set_marks(app: &App, _: &Caller, args: SetMarks) -> Answer<GameUpdate> {
    updated(app, &args.game_id, |session| session.set_marks(args.node_id, &args.marks, &args.links))
}

pub(crate) fn set_annotations(app: &App, _: &Caller, args: SetAnnotations) -> Answer<GameUpdate> {
    updated(app, &args.game_id, |session| session.set_annotations(args.node_id, args.annotations))
}

pub(crate) fn set_node_name(app: &App, _: &Caller, args: SetNodeName) -> Answer<GameUpdate> {
    updated(app, &args.game_id, |session| session.set_node_name(args.node_id, &args.name))
}

pub(crate) fn undo_edit(app: &App, _: &Caller, args: GameRef) -> Answer<GameUpdate> {
    edited(app, &args.game_id, |session| {
        session.undo_edit();
        Ok(())
    })
}

pub(crate) fn redo_edit(app: &App, _: &Caller, args: GameRef) -> Answer<GameUpdate> {
    edited(app, &args.game_id, |session| {
        session.redo_edit();
        Ok(())
    })
}

pub(crate) fn set_comment(app: &App, _: &Caller, args: SetComment) -> Answer<GameUpdate> {
    updated(app, &args.game_id, |session| session.set_comment(args.node_id, &args.text))
}

pub(crate) fn set_game_info(app: &App, _: &Caller, args: SetGameInfo) -> Answer<GameView> {
    app.play.set_game_info(&args.game_id, &args.info)
}

pub(crate) fn text_readings(app: &App, _: &Caller, args: GameRef) -> Answer<Vec<TextReading>> {
    let tree = app.games.with_game(&args.game_id, |session| Ok(session.record().into_owned()))?;
    Ok(text_readings::offered(&tree))
}

pub(crate) fn read_texts(app: &App, _: &Caller, args: ReadTexts) -> Answer<GameView> {
    let reading = text_readings::named(&args.taken, &args.meant)?;
    app.play.edit_game(&args.game_id, |session| {
        session.read_texts(reading)?;
        Ok(session.view())
    })
}

pub(crate) fn export_sgf(app: &App, _: &Caller, args: GameRef) -> Answer<SgfText> {
    app.games.with_game(&args.game_id, |session| {
        Ok(SgfText { file_name: session.proposed_file_name(), sgf: session.to_sgf() })
    })
}

pub(crate) fn export_evaluated(app: &App, _: &Caller, args: GameRef) -> Answer<SgfText> {
    let (file_name, tree) = app
        .games
        .with_game(&args.game_id, |session| Ok((session.proposed_file_name(), session.record().into_owned())))?;
    Ok(SgfText { file_name, sgf: app.analysis.engine.evaluated(&tree).in_utf8().to_sgf() })
}

pub(crate) fn save_file(app: &App, _: &Caller, args: SaveFile) -> Answer<GameUpdate> {
    let path = path_of(app, &args.path)?;
    app.games.save_to_file(&args.game_id, &path, args.evaluations).inspect(|_| app.host().used_file(&path))
}

pub(crate) fn save_content(app: &App, _: &Caller, args: SaveContent) -> Answer<()> {
    let path = path_of(app, &args.path)?;
    let bytes = decoded(&args.base64)?;
    app.host().write(&path, &bytes).map_err(|error| ApiError::from_write(&path, &error))
}

pub(crate) fn drag_file(app: &App, caller: &Caller, args: GameRef) -> Answer<FilePath> {
    let impossible = |message| ApiError::NotPossibleHere { message };
    if !app.host().capabilities().native_dialogs {
        return Err(impossible("no file leaves this window by dragging; save it instead".into()));
    }
    let SgfText { file_name, sgf } = export_sgf(app, caller, args)?;
    let path = dragging::set_out(app.host().as_ref(), &file_name, &sgf)
        .map_err(|error| impossible(format!("{file_name} cannot be written to be dragged from there: {error}")))?;
    app.host().drag_out(&path).map_err(|error| impossible(format!("{file_name} is not dragged: {error}")))?;
    Ok(FilePath { path: path.display().to_string() })
}

pub(crate) fn score(app: &App, _: &Caller, args: ScoreRequest) -> Answer<ScoreView> {
    if args.dead.is_none() {
        app.play.may_be_counted(&args.game_id)?;
    }
    let game = app.games.with_game(&args.game_id, |session| Ok(session.game().clone()))?;
    let size = game.board().size();
    let dead: Vec<Point> = match args.dead {
        Some(points) => points
            .into_iter()
            .map(|index| Point::from_index(index.into(), size))
            .filter(|point| point.is_on(size))
            .collect(),
        None => app.analysis.propose_dead(&game)?,
    };
    Ok(score_view(&game, &dead))
}

/// What came as a text is no file of the person's.
fn used(app: &App, source: &GameSource) {
    if let GameSource::Path { path } = source {
        app.host().used_file(&path_from_text(path));
    }
}

/// A file that this host may read.
fn allowed(app: &App, source: GameSource) -> Answer<GameSource> {
    if let GameSource::Path { path } = &source {
        path_of(app, path)?;
    }
    Ok(source)
}

/// Changes the tree of a game that is not being played, and says what became of it.
fn edited(app: &App, id: &str, change: impl FnOnce(&mut Session) -> Answer<()>) -> Answer<GameUpdate> {
    app.play.may_be_edited(id)?;
    updated(app, id, change)
}

/// Does with a game what it allows also while it is played, and says what became of it.
fn updated(app: &App, id: &str, change: impl FnOnce(&mut Session) -> Answer<()>) -> Answer<GameUpdate> {
    app.games.with_game(id, |session| {
        let before = session.seen();
        change(session)?;
        Ok(session.update(before))
    })
}
