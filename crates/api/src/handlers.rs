//! What each command does. Named and listed in [`crate::for_each_command!`].

use crate::famous::{FAMOUS_MOVE, famous_game};
use crate::resources::{networks, resource_dirs};
use crate::session::{Session, vertex};
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};
use base64::Engine as _;
use honinbo_rules::{Color, Game, Point, Score};
use std::path::PathBuf;

type Answer<T> = Result<T, ApiError>;

/// See the list of commands.
pub fn startup(app: &App, _: &Caller, _: NoArgs) -> Answer<Startup> {
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

/// See the list of commands.
pub fn set_settings(app: &App, _: &Caller, args: Settings) -> Answer<Settings> {
    app.set_settings(args)?;
    Ok(app.settings())
}

/// See the list of commands.
pub fn engine_status(app: &App, _: &Caller, _: NoArgs) -> Answer<EngineStatus> {
    Ok(app.engine_status())
}

/// See the list of commands.
pub fn new_game(app: &App, _: &Caller, args: NewGame) -> Answer<GameView> {
    app.open_session(|id| Session::new(id, &args, app.host().unix_seconds()))
}

/// See the list of commands.
pub fn offer_game(app: &App, _: &Caller, args: GameTerms) -> Answer<GameOffer> {
    app.game_offer(&args)
}

/// See the list of commands.
pub fn open_famous(app: &App, _: &Caller, _: NoArgs) -> Answer<GameView> {
    match app.first_game() {
        Some(id) => app.with_game(&id, |session| {
            session.go_to_move(FAMOUS_MOVE);
            Ok(session.view())
        }),
        None => app.open_read(famous_game),
    }
}

/// See the list of commands.
pub fn open_content(app: &App, _: &Caller, args: OpenContent) -> Answer<GameView> {
    app.open_source(&GameSource::Content { name: args.name, base64: args.base64 })
}

/// See the list of commands.
pub fn open_file(app: &App, _: &Caller, args: FilePath) -> Answer<GameView> {
    app.open_source(&allowed(app, GameSource::Path { path: args.path })?)
}

/// See the list of commands.
pub fn list_games(app: &App, _: &Caller, args: GameSource) -> Answer<GameList> {
    App::list_games(&allowed(app, args)?)
}

/// See the list of commands.
pub fn open_games(app: &App, _: &Caller, args: OpenGames) -> Answer<Vec<GameView>> {
    app.open_chosen(&OpenGames { source: allowed(app, args.source)?, games: args.games })
}

/// See the list of commands.
pub fn open_record(app: &App, _: &Caller, args: RecordRef) -> Answer<GameView> {
    let sgf = app.library.sgf_of(&args.id)?;
    app.open_read(|id| {
        let mut session = Session::read(id, "", sgf.as_bytes())?;
        session.record_id = Some(args.id.clone());
        Ok(session)
    })
}

/// See the list of commands.
pub fn close_game(app: &App, _: &Caller, args: CloseGame) -> Answer<Closing> {
    app.close_game(&args)
}

/// See the list of commands.
pub fn closed_games(app: &App, _: &Caller, _: NoArgs) -> Answer<Vec<ClosedGame>> {
    Ok(app.closed_games())
}

/// See the list of commands.
pub fn reopen_game(app: &App, _: &Caller, args: ClosedGameRef) -> Answer<GameView> {
    app.reopen_game(&args.id)
}

/// See the list of commands.
pub fn get_game(app: &App, _: &Caller, args: GameRef) -> Answer<GameView> {
    app.with_game(&args.game_id, |session| Ok(session.view()))
}

/// See the list of commands.
pub fn position_at(app: &App, _: &Caller, args: NodeRef) -> Answer<PositionView> {
    app.with_game(&args.game_id, |session| session.position_at(args.node_id))
}

/// See the list of commands.
pub fn play(app: &App, _: &Caller, args: PlayMove) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        let new = session.play(args.vertex)?;
        Ok(session.update(new))
    })
}

/// See the list of commands.
pub fn go_to(app: &App, _: &Caller, args: NodeRef) -> Answer<GameUpdate> {
    app.with_game(&args.game_id, |session| {
        session.go_to(args.node_id)?;
        Ok(session.update(false))
    })
}

/// See the list of commands.
pub fn navigate(app: &App, _: &Caller, args: Navigate) -> Answer<GameUpdate> {
    app.with_game(&args.game_id, |session| {
        session.navigate(args.step);
        Ok(session.update(false))
    })
}

/// See the list of commands.
pub fn delete_variation(app: &App, _: &Caller, args: NodeRef) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        session.delete(args.node_id)?;
        Ok(session.update(true))
    })
}

/// See the list of commands.
pub fn promote_variation(app: &App, _: &Caller, args: NodeRef) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        session.promote(args.node_id)?;
        Ok(session.update(true))
    })
}

/// See the list of commands.
pub fn move_variation(app: &App, _: &Caller, args: MoveVariation) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        session.move_variation(args.node_id, args.up)?;
        Ok(session.update(true))
    })
}

/// See the list of commands.
pub fn copy_variation(app: &App, _: &Caller, args: NodeRef) -> Answer<SgfText> {
    app.with_game(&args.game_id, |session| {
        Ok(SgfText { file_name: session.proposed_file_name(), sgf: session.copy_variation(args.node_id)? })
    })
}

/// See the list of commands.
pub fn paste_variation(app: &App, _: &Caller, args: PasteVariation) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        session.paste_variation(args.node_id, &args.sgf)?;
        Ok(session.update(true))
    })
}

/// See the list of commands.
pub fn continue_game(app: &App, _: &Caller, args: ContinueGame) -> Answer<ContinuedGame> {
    app.edit_game(&args.game_id, |session| {
        let (moves, left_out) = session.continue_game(args.node_id, args.following)?;
        Ok(ContinuedGame { update: session.update(true), moves, left_out })
    })
}

/// See the list of commands.
pub fn set_stones(app: &App, _: &Caller, args: SetStones) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        session.set_stones(&args.points, args.stone)?;
        Ok(session.update(true))
    })
}

/// See the list of commands.
pub fn set_to_move(app: &App, _: &Caller, args: SetToMove) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        session.set_to_move(args.side);
        Ok(session.update(true))
    })
}

/// See the list of commands.
pub fn set_marks(app: &App, _: &Caller, args: SetMarks) -> Answer<GameUpdate> {
    app.with_game(&args.game_id, |session| {
        session.set_marks(args.node_id, &args.marks, &args.links)?;
        Ok(session.update(false))
    })
}

/// See the list of commands.
pub fn undo_edit(app: &App, _: &Caller, args: GameRef) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        let changed = session.undo_edit();
        Ok(session.update(changed))
    })
}

/// See the list of commands.
pub fn redo_edit(app: &App, _: &Caller, args: GameRef) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        let changed = session.redo_edit();
        Ok(session.update(changed))
    })
}

/// See the list of commands.
pub fn set_comment(app: &App, _: &Caller, args: SetComment) -> Answer<GameUpdate> {
    app.with_game(&args.game_id, |session| {
        session.set_comment(args.node_id, &args.text)?;
        Ok(session.update(true))
    })
}

/// See the list of commands.
pub fn set_game_info(app: &App, _: &Caller, args: SetGameInfo) -> Answer<GameView> {
    app.set_game_info(&args.game_id, &args.info)
}

/// See the list of commands.
pub fn export_sgf(app: &App, _: &Caller, args: GameRef) -> Answer<SgfText> {
    app.with_game(&args.game_id, |session| {
        Ok(SgfText { file_name: session.proposed_file_name(), sgf: session.to_sgf() })
    })
}

/// See the list of commands.
pub fn export_evaluated(app: &App, _: &Caller, args: GameRef) -> Answer<SgfText> {
    let (file_name, tree) = app
        .with_game(&args.game_id, |session| Ok((session.proposed_file_name(), session.tree_and_current().0.clone())))?;
    Ok(SgfText { file_name, sgf: app.engine().evaluated(&tree).in_utf8().to_sgf() })
}

/// See the list of commands.
pub fn save_file(app: &App, _: &Caller, args: SaveFile) -> Answer<GameUpdate> {
    app.save_to_file(&args.game_id, &path_of(app, &args.path)?, args.evaluations)
}

/// See the list of commands.
pub fn save_content(app: &App, _: &Caller, args: SaveContent) -> Answer<()> {
    let path = path_of(app, &args.path)?;
    let bytes = decoded(&args.base64)?;
    app.host().write(&path, &bytes).map_err(|error| ApiError::UnreadableFile {
        file: args.path.clone(),
        message: format!("{} cannot be written: {error}", path.display()),
    })
}

/// See the list of commands.
pub fn save_game(app: &App, _: &Caller, args: GameRef) -> Answer<SavedGoban> {
    app.save_to_library(&args.game_id)
}

/// See the list of commands.
pub fn score(app: &App, _: &Caller, args: ScoreRequest) -> Answer<ScoreView> {
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

/// See the list of commands.
pub fn set_analysis(app: &App, _: &Caller, args: SetAnalysis) -> Answer<EngineStatus> {
    if args.running {
        app.may_be_helped(&args.game_id)?;
    }
    app.set_analysis(&args)?;
    Ok(app.engine_status())
}

/// See the list of commands.
pub fn sweep_game(app: &App, _: &Caller, args: SweepGame) -> Answer<SweepStarted> {
    app.may_be_helped(&args.game_id)?;
    app.sweep(&args)
}

/// See the list of commands.
pub fn review_line(app: &App, _: &Caller, args: GameRef) -> Answer<LineReview> {
    app.may_be_helped(&args.game_id)?;
    app.line_review(&args)
}

/// See the list of commands.
pub fn stop_sweep(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.engine().stop_sweep();
    Ok(())
}

/// See the list of commands.
pub fn known_analysis(app: &App, _: &Caller, args: NodeRef) -> Answer<Option<AnalysisUpdate>> {
    app.may_be_helped(&args.game_id)?;
    app.known_analysis(&args)
}

/// See the list of commands.
pub fn stop_engine(app: &App, caller: &Caller, _: NoArgs) -> Answer<EngineStatus> {
    caller.cancel();
    app.engine().stop();
    Ok(app.engine_status())
}

/// See the list of commands.
pub fn play_out(app: &App, caller: &Caller, args: PlayOut) -> Answer<PlayedOut> {
    app.may_be_edited(&args.game_id)?;
    app.play_out(&args, &caller.begin_run())
}

/// See the list of commands.
pub fn compare_networks(app: &App, _: &Caller, args: CompareNetworks) -> Answer<NetworkComparison> {
    app.may_be_helped(&args.game_id)?;
    app.compare_networks(&args)
}

/// See the list of commands.
pub fn end_comparison(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.engine().end_comparison();
    Ok(())
}

/// See the list of commands.
pub fn list_opponents(app: &App, _: &Caller, _: NoArgs) -> Answer<Opponents> {
    Ok(app.opponents())
}

/// See the list of commands.
pub fn test_engine(app: &App, _: &Caller, args: EngineCommand) -> Answer<EngineFound> {
    app.test_engine(&args)
}

/// See the list of commands.
pub fn add_engine(app: &App, _: &Caller, args: AddEngine) -> Answer<EngineFound> {
    app.add_engine(&args)
}

/// See the list of commands.
pub fn start_play(app: &App, _: &Caller, args: StartPlay) -> Answer<PlayStarted> {
    app.start_play(args)
}

/// See the list of commands.
pub fn get_play(app: &App, _: &Caller, args: GameRef) -> Answer<PlayView> {
    app.play_state(&args.game_id)
}

/// See the list of commands.
pub fn play_turn(app: &App, _: &Caller, args: PlayTurn) -> Answer<PlayAnswer> {
    app.play_turn(&args)
}

/// See the list of commands.
pub fn take_back(app: &App, _: &Caller, args: GameRef) -> Answer<PlayAnswer> {
    app.take_back(&args.game_id)
}

/// See the list of commands.
pub fn resign_play(app: &App, _: &Caller, args: GameRef) -> Answer<PlayAnswer> {
    app.resign_play(&args.game_id)
}

/// See the list of commands.
pub fn settle_play(app: &App, _: &Caller, args: SettlePlay) -> Answer<PlayAnswer> {
    app.settle_play(&args)
}

/// See the list of commands.
pub fn continue_play(app: &App, _: &Caller, args: GameRef) -> Answer<PlayAnswer> {
    app.continue_play(&args.game_id)
}

/// See the list of commands.
pub fn rematch(app: &App, _: &Caller, args: Rematch) -> Answer<PlayStarted> {
    app.rematch(&args)
}

/// See the list of commands.
pub fn rated_progress(app: &App, _: &Caller, _: NoArgs) -> Answer<RatedProgress> {
    app.rated_progress()
}

/// See the list of commands.
pub fn stop_play(app: &App, _: &Caller, args: GameRef) -> Answer<()> {
    app.stop_play(&args.game_id)
}

/// See the list of commands.
pub fn hint(app: &App, _: &Caller, args: HintRequest) -> Answer<Hint> {
    app.hint(&args)
}

/// See the list of commands.
pub fn run(app: &App, caller: &Caller, args: RunRequest) -> Answer<RunReply> {
    app.run(&args, &caller.begin_run())
}

/// See the list of commands.
pub fn save_goban(app: &App, _: &Caller, args: SaveGoban) -> Answer<SavedGoban> {
    let saved = app.library.save(&args.goban)?;
    app.host().emit(Event::LibraryChanged);
    Ok(saved)
}

/// See the list of commands.
pub fn cancel(_: &App, caller: &Caller, _: NoArgs) -> Answer<()> {
    caller.cancel();
    Ok(())
}

/// See the list of commands.
pub fn search_records(app: &App, _: &Caller, args: RecordQuery) -> Answer<RecordPage> {
    app.library.search(&args)
}

/// See the list of commands.
pub fn rename_record(app: &App, _: &Caller, args: RenameRecord) -> Answer<()> {
    app.library.rename(&args.id, &args.title)?;
    app.host().emit(Event::LibraryChanged);
    Ok(())
}

/// See the list of commands.
pub fn delete_records(app: &App, _: &Caller, args: RecordRefs) -> Answer<()> {
    app.library.delete(&args.ids)?;
    app.host().emit(Event::LibraryChanged);
    Ok(())
}

/// See the list of commands.
pub fn restore_records(app: &App, _: &Caller, args: RecordRefs) -> Answer<()> {
    app.library.restore(&args.ids)?;
    app.host().emit(Event::LibraryChanged);
    Ok(())
}

/// See the list of commands.
pub fn import_paths(app: &App, _: &Caller, args: ImportPaths) -> Answer<()> {
    let paths = args.paths.iter().map(|path| path_of(app, path)).collect::<Answer<Vec<_>>>()?;
    app.library.import_paths(paths)
}

/// See the list of commands.
pub fn import_content(app: &App, _: &Caller, args: ImportContent) -> Answer<()> {
    let bytes = decoded(&args.base64)?;
    app.library.import_content(&args, &bytes)
}

/// See the list of commands.
pub fn cancel_import(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.library.cancel_import();
    Ok(())
}

/// See the list of commands.
pub fn library_stats(app: &App, _: &Caller, _: NoArgs) -> Answer<LibraryStats> {
    app.library.stats()
}

/// See the list of commands.
pub fn get_records(app: &App, _: &Caller, args: RecordRefs) -> Answer<Vec<RecordSummary>> {
    app.library.records(&args.ids)
}

/// See the list of commands.
pub fn preview_record(app: &App, _: &Caller, args: PreviewRecord) -> Answer<RecordPreview> {
    let sgf = app.library.sgf_of(&args.id)?;
    Ok(Session::read(String::new(), "", sgf.as_bytes())?.preview(args.node))
}

/// See the list of commands.
pub fn record_details(app: &App, _: &Caller, args: RecordRef) -> Answer<RecordDetails> {
    app.library.details(&args.id)
}

/// See the list of commands.
pub fn edit_records(app: &App, _: &Caller, args: EditRecords) -> Answer<()> {
    app.library.edit(&args)?;
    library_changed(app)
}

/// See the list of commands.
pub fn list_folders(app: &App, _: &Caller, _: NoArgs) -> Answer<Vec<RecordGroup>> {
    app.library.folders()
}

/// See the list of commands.
pub fn make_folder(app: &App, _: &Caller, args: FolderPath) -> Answer<()> {
    app.library.make_folder(&args.path)?;
    library_changed(app)
}

/// See the list of commands.
pub fn rename_folder(app: &App, _: &Caller, args: RenameFolder) -> Answer<()> {
    app.library.rename_folder(&args.from, &args.to)?;
    library_changed(app)
}

/// See the list of commands.
pub fn remove_folder(app: &App, _: &Caller, args: FolderPath) -> Answer<()> {
    app.library.remove_folder(&args.path)?;
    library_changed(app)
}

/// See the list of commands.
pub fn list_tags(app: &App, _: &Caller, _: NoArgs) -> Answer<Vec<RecordGroup>> {
    app.library.tags()
}

/// See the list of commands.
pub fn list_searches(app: &App, _: &Caller, _: NoArgs) -> Answer<Vec<SavedRecordSearch>> {
    app.library.searches()
}

/// See the list of commands.
pub fn save_search(app: &App, _: &Caller, args: SavedRecordSearch) -> Answer<()> {
    app.library.save_search(&args)?;
    library_changed(app)
}

/// See the list of commands.
pub fn remove_search(app: &App, _: &Caller, args: SearchName) -> Answer<()> {
    app.library.remove_search(&args.name)?;
    library_changed(app)
}

/// See the list of commands.
pub fn library_history(app: &App, _: &Caller, _: NoArgs) -> Answer<LibraryHistory> {
    app.library.history()
}

/// See the list of commands.
pub fn undo_library(app: &App, _: &Caller, _: NoArgs) -> Answer<LibraryHistory> {
    app.library.undo()?;
    library_changed(app)?;
    app.library.history()
}

/// See the list of commands.
pub fn redo_library(app: &App, _: &Caller, _: NoArgs) -> Answer<LibraryHistory> {
    app.library.redo()?;
    library_changed(app)?;
    app.library.history()
}

/// See the list of commands.
pub fn search_pattern(app: &App, caller: &Caller, args: PatternSearch) -> Answer<PatternResult> {
    app.library.search_pattern(&args, &caller.begin_search())
}

/// See the list of commands.
pub fn cancel_pattern(_: &App, caller: &Caller, _: NoArgs) -> Answer<()> {
    caller.cancel_search();
    Ok(())
}

/// See the list of commands.
pub fn explore_position(app: &App, _: &Caller, args: ExploreRequest) -> Answer<ExplorerView> {
    app.may_be_helped(&args.game_id)?;
    let game = app.with_game(&args.game_id, |session| Ok(session.game().clone()))?;
    app.library.explore(&game, &app.engine().network_name().unwrap_or_default(), &args.filter)
}

/// See the list of commands.
pub fn list_players(app: &App, _: &Caller, args: PlayersQuery) -> Answer<Vec<PlayerSummary>> {
    app.library.players(&args)
}

/// See the list of commands.
pub fn player_page(app: &App, _: &Caller, args: PlayerName) -> Answer<PlayerPage> {
    app.library.player_page(&args.name)
}

/// See the list of commands.
pub fn join_players(app: &App, _: &Caller, args: PlayerNames) -> Answer<()> {
    app.library.join_players(&args.names)?;
    library_changed(app)
}

/// See the list of commands.
pub fn part_player(app: &App, _: &Caller, args: PlayerName) -> Answer<()> {
    app.library.part_player(&args.name)?;
    library_changed(app)
}

/// See the list of commands.
pub fn library_report(app: &App, _: &Caller, _: NoArgs) -> Answer<LibraryReport> {
    app.library.report()
}

/// See the list of commands.
pub fn export_records(app: &App, _: &Caller, args: ExportRecords) -> Answer<ExportedRecords> {
    let path = if args.path.is_empty() { None } else { Some(path_of(app, &args.path)?) };
    app.library.export(&args, path.as_deref(), &|tree| app.engine().evaluated(&tree))
}

/// See the list of commands.
pub fn backup_library(app: &App, _: &Caller, args: FilePath) -> Answer<FilePath> {
    let path = if args.path.is_empty() { None } else { Some(path_of(app, &args.path)?) };
    let written = app.library.backup(path)?;
    Ok(FilePath { path: written.to_string_lossy().into_owned() })
}

/// See the list of commands.
pub fn check_library(app: &App, _: &Caller, args: CheckLibrary) -> Answer<LibraryCheck> {
    app.library.check(args.repair)
}

/// Tells every window that lists should be asked for again.
#[allow(clippy::unnecessary_wraps, reason = "the answer of the handlers that end with it")]
fn library_changed(app: &App) -> Answer<()> {
    app.host().emit(Event::LibraryChanged);
    Ok(())
}

/// A file that this host may read.
fn allowed(app: &App, source: GameSource) -> Answer<GameSource> {
    if let GameSource::Path { path } = &source {
        path_of(app, path)?;
    }
    Ok(source)
}

/// A path that this host may touch.
fn path_of(app: &App, path: &str) -> Answer<PathBuf> {
    if app.host().capabilities().paths {
        Ok(PathBuf::from(path))
    } else {
        Err(ApiError::NotPossibleHere { message: "files are chosen in the browser here, not by their path".into() })
    }
}

fn decoded(base64: &str) -> Answer<Vec<u8>> {
    base64::engine::general_purpose::STANDARD
        .decode(base64)
        .map_err(|error| ApiError::InvalidRequest { message: format!("the content is not base64: {error}") })
}

pub(crate) fn score_view(game: &Game, dead: &[Point]) -> ScoreView {
    let board = game.board();
    let size = board.size();
    let score = game.score_without(dead);
    let mut dead_points: Vec<u16> = dead
        .iter()
        .filter_map(|&point| board.chain_at(point))
        .flat_map(|chain| chain.stones().map(|point| vertex(point, size)).collect::<Vec<_>>())
        .collect();
    dead_points.sort_unstable();
    dead_points.dedup();
    ScoreView {
        dead: dead_points,
        owner: score.map.iter().map(|owner| owner.map_or(0, crate::session::sign)).collect(),
        black: score_parts(&score, Color::Black),
        white: score_parts(&score, Color::White),
        black_lead: score.black_lead().into(),
        result: score.outcome().to_sgf(),
    }
}

fn score_parts(score: &Score, color: Color) -> ScoreParts {
    let side = score.side(color);
    let whole = |points: i64| Finite::new(points as f64);
    let prisoners = i64::from(side.prisoners) + i64::from(side.dead_stones) + i64::from(side.clean_up);
    let bonus_half = side.komi_half + side.button_half;
    let bonus = f64::from(bonus_half) / 2.0 + f64::from(side.handicap_bonus) - f64::from(side.group_tax);
    ScoreParts {
        territory: whole(side.territory.into()),
        stones: whole(side.stones.into()),
        prisoners: whole(prisoners),
        bonus: bonus.into(),
        total: side.total().into(),
    }
}

/// See the list of commands.
pub fn clear_evaluations(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.evaluations.clear().map(drop).map_err(|error| ApiError::from_library(&error))
}
