//! What each command of [`crate::for_each_command!`] does.

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

pub(crate) fn engine_status(app: &App, _: &Caller, _: NoArgs) -> Answer<EngineStatus> {
    Ok(app.engine_status())
}

pub(crate) fn new_game(app: &App, _: &Caller, args: NewGame) -> Answer<GameView> {
    app.open_session(|id| Session::new(id, &args, app.host().unix_seconds()))
}

pub(crate) fn offer_game(app: &App, _: &Caller, args: GameTerms) -> Answer<GameOffer> {
    app.game_offer(&args)
}

pub(crate) fn open_famous(app: &App, _: &Caller, _: NoArgs) -> Answer<GameView> {
    match app.first_game() {
        Some(id) => app.with_game(&id, |session| {
            session.go_to_move(FAMOUS_MOVE);
            Ok(session.view())
        }),
        None => app.open_read(famous_game),
    }
}

pub(crate) fn open_content(app: &App, _: &Caller, args: OpenContent) -> Answer<GameView> {
    app.open_source(&GameSource::Content { name: args.name, base64: args.base64 })
}

pub(crate) fn open_file(app: &App, _: &Caller, args: FilePath) -> Answer<GameView> {
    app.open_source(&allowed(app, GameSource::Path { path: args.path })?)
}

pub(crate) fn list_games(app: &App, _: &Caller, args: GameSource) -> Answer<GameList> {
    App::list_games(&allowed(app, args)?)
}

pub(crate) fn open_games(app: &App, _: &Caller, args: OpenGames) -> Answer<Vec<GameView>> {
    app.open_chosen(&OpenGames { source: allowed(app, args.source)?, games: args.games })
}

pub(crate) fn open_record(app: &App, _: &Caller, args: RecordRef) -> Answer<GameView> {
    let sgf = app.library.sgf_of(&args.id)?;
    app.open_read(|id| {
        let mut session = Session::read(id, "", sgf.as_bytes())?;
        session.record_id = Some(args.id.clone());
        Ok(session)
    })
}

pub(crate) fn close_game(app: &App, _: &Caller, args: CloseGame) -> Answer<Closing> {
    app.close_game(&args)
}

pub(crate) fn closed_games(app: &App, _: &Caller, _: NoArgs) -> Answer<Vec<ClosedGame>> {
    Ok(app.closed_games())
}

pub(crate) fn reopen_game(app: &App, _: &Caller, args: ClosedGameRef) -> Answer<GameView> {
    app.reopen_game(&args.id)
}

pub(crate) fn get_game(app: &App, _: &Caller, args: GameRef) -> Answer<GameView> {
    app.with_game(&args.game_id, |session| Ok(session.view()))
}

pub(crate) fn position_at(app: &App, _: &Caller, args: NodeRef) -> Answer<PositionView> {
    app.with_game(&args.game_id, |session| session.position_at(args.node_id))
}

pub(crate) fn play(app: &App, _: &Caller, args: PlayMove) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        let new = session.play(args.vertex)?;
        Ok(session.update(new))
    })
}

pub(crate) fn go_to(app: &App, _: &Caller, args: NodeRef) -> Answer<GameUpdate> {
    app.with_game(&args.game_id, |session| {
        session.go_to(args.node_id)?;
        Ok(session.update(false))
    })
}

pub(crate) fn navigate(app: &App, _: &Caller, args: Navigate) -> Answer<GameUpdate> {
    app.with_game(&args.game_id, |session| {
        session.navigate(args.step);
        Ok(session.update(false))
    })
}

pub(crate) fn delete_variation(app: &App, _: &Caller, args: NodeRef) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        session.delete(args.node_id)?;
        Ok(session.update(true))
    })
}

pub(crate) fn promote_variation(app: &App, _: &Caller, args: NodeRef) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        session.promote(args.node_id)?;
        Ok(session.update(true))
    })
}

pub(crate) fn move_variation(app: &App, _: &Caller, args: MoveVariation) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        session.move_variation(args.node_id, args.up)?;
        Ok(session.update(true))
    })
}

pub(crate) fn copy_variation(app: &App, _: &Caller, args: NodeRef) -> Answer<SgfText> {
    app.with_game(&args.game_id, |session| {
        Ok(SgfText { file_name: session.proposed_file_name(), sgf: session.copy_variation(args.node_id)? })
    })
}

pub(crate) fn paste_variation(app: &App, _: &Caller, args: PasteVariation) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        session.paste_variation(args.node_id, &args.sgf)?;
        Ok(session.update(true))
    })
}

pub(crate) fn continue_game(app: &App, _: &Caller, args: ContinueGame) -> Answer<ContinuedGame> {
    app.edit_game(&args.game_id, |session| {
        let (moves, left_out) = session.continue_game(args.node_id, args.following)?;
        Ok(ContinuedGame { update: session.update(true), moves, left_out })
    })
}

pub(crate) fn set_stones(app: &App, _: &Caller, args: SetStones) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        session.set_stones(&args.points, args.stone)?;
        Ok(session.update(true))
    })
}

pub(crate) fn set_to_move(app: &App, _: &Caller, args: SetToMove) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        session.set_to_move(args.side);
        Ok(session.update(true))
    })
}

pub(crate) fn set_marks(app: &App, _: &Caller, args: SetMarks) -> Answer<GameUpdate> {
    app.with_game(&args.game_id, |session| {
        session.set_marks(args.node_id, &args.marks, &args.links)?;
        Ok(session.update(false))
    })
}

pub(crate) fn undo_edit(app: &App, _: &Caller, args: GameRef) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        let changed = session.undo_edit();
        Ok(session.update(changed))
    })
}

pub(crate) fn redo_edit(app: &App, _: &Caller, args: GameRef) -> Answer<GameUpdate> {
    app.edit_game(&args.game_id, |session| {
        let changed = session.redo_edit();
        Ok(session.update(changed))
    })
}

pub(crate) fn set_comment(app: &App, _: &Caller, args: SetComment) -> Answer<GameUpdate> {
    app.with_game(&args.game_id, |session| {
        session.set_comment(args.node_id, &args.text)?;
        Ok(session.update(true))
    })
}

pub(crate) fn set_game_info(app: &App, _: &Caller, args: SetGameInfo) -> Answer<GameView> {
    app.set_game_info(&args.game_id, &args.info)
}

pub(crate) fn export_sgf(app: &App, _: &Caller, args: GameRef) -> Answer<SgfText> {
    app.with_game(&args.game_id, |session| {
        Ok(SgfText { file_name: session.proposed_file_name(), sgf: session.to_sgf() })
    })
}

pub(crate) fn export_evaluated(app: &App, _: &Caller, args: GameRef) -> Answer<SgfText> {
    let (file_name, tree) = app
        .with_game(&args.game_id, |session| Ok((session.proposed_file_name(), session.tree_and_current().0.clone())))?;
    Ok(SgfText { file_name, sgf: app.engine().evaluated(&tree).in_utf8().to_sgf() })
}

pub(crate) fn save_file(app: &App, _: &Caller, args: SaveFile) -> Answer<GameUpdate> {
    app.save_to_file(&args.game_id, &path_of(app, &args.path)?, args.evaluations)
}

pub(crate) fn save_content(app: &App, _: &Caller, args: SaveContent) -> Answer<()> {
    let path = path_of(app, &args.path)?;
    let bytes = decoded(&args.base64)?;
    app.host().write(&path, &bytes).map_err(|error| ApiError::UnreadableFile {
        file: args.path.clone(),
        message: format!("{} cannot be written: {error}", path.display()),
    })
}

pub(crate) fn save_game(app: &App, _: &Caller, args: GameRef) -> Answer<SavedGoban> {
    app.save_to_library(&args.game_id)
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

pub(crate) fn run(app: &App, caller: &Caller, args: RunRequest) -> Answer<RunReply> {
    app.run(&args, caller.stop())
}

pub(crate) fn save_goban(app: &App, _: &Caller, args: SaveGoban) -> Answer<SavedGoban> {
    app.library.save(&args.goban)
}

pub(crate) fn cancel(_: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    Ok(())
}

pub(crate) fn search_records(app: &App, _: &Caller, args: RecordQuery) -> Answer<RecordPage> {
    app.library.search(&args)
}

pub(crate) fn rename_record(app: &App, _: &Caller, args: RenameRecord) -> Answer<()> {
    app.library.rename(&args.id, &args.title)
}

pub(crate) fn delete_records(app: &App, _: &Caller, args: RecordRefs) -> Answer<()> {
    app.library.delete(&args.ids)
}

pub(crate) fn restore_records(app: &App, _: &Caller, args: RecordRefs) -> Answer<()> {
    app.library.restore(&args.ids)
}

pub(crate) fn import_paths(app: &App, _: &Caller, args: ImportPaths) -> Answer<()> {
    let paths = args.paths.iter().map(|path| path_of(app, path)).collect::<Answer<Vec<_>>>()?;
    app.library.import_paths(paths)
}

pub(crate) fn import_content(app: &App, _: &Caller, args: ImportContent) -> Answer<()> {
    let bytes = decoded(&args.base64)?;
    app.library.import_content(&args, &bytes)
}

pub(crate) fn cancel_import(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.library.cancel_import();
    Ok(())
}

pub(crate) fn library_stats(app: &App, _: &Caller, _: NoArgs) -> Answer<LibraryStats> {
    app.library.stats()
}

pub(crate) fn get_records(app: &App, _: &Caller, args: RecordRefs) -> Answer<Vec<RecordSummary>> {
    app.library.records(&args.ids)
}

pub(crate) fn preview_record(app: &App, _: &Caller, args: PreviewRecord) -> Answer<RecordPreview> {
    let sgf = app.library.sgf_of(&args.id)?;
    Ok(Session::read(String::new(), "", sgf.as_bytes())?.preview(args.node))
}

pub(crate) fn record_details(app: &App, _: &Caller, args: RecordRef) -> Answer<RecordDetails> {
    app.library.details(&args.id)
}

pub(crate) fn edit_records(app: &App, _: &Caller, args: EditRecords) -> Answer<()> {
    app.library.edit(&args)
}

pub(crate) fn list_folders(app: &App, _: &Caller, _: NoArgs) -> Answer<Vec<RecordGroup>> {
    app.library.folders()
}

pub(crate) fn make_folder(app: &App, _: &Caller, args: FolderPath) -> Answer<()> {
    app.library.make_folder(&args.path)
}

pub(crate) fn rename_folder(app: &App, _: &Caller, args: RenameFolder) -> Answer<()> {
    app.library.rename_folder(&args.from, &args.to)
}

pub(crate) fn remove_folder(app: &App, _: &Caller, args: FolderPath) -> Answer<()> {
    app.library.remove_folder(&args.path)
}

pub(crate) fn list_tags(app: &App, _: &Caller, _: NoArgs) -> Answer<Vec<RecordGroup>> {
    app.library.tags()
}

pub(crate) fn list_searches(app: &App, _: &Caller, _: NoArgs) -> Answer<Vec<SavedRecordSearch>> {
    app.library.searches()
}

pub(crate) fn save_search(app: &App, _: &Caller, args: SavedRecordSearch) -> Answer<()> {
    app.library.save_search(&args)
}

pub(crate) fn remove_search(app: &App, _: &Caller, args: SearchName) -> Answer<()> {
    app.library.remove_search(&args.name)
}

pub(crate) fn library_history(app: &App, _: &Caller, _: NoArgs) -> Answer<LibraryHistory> {
    app.library.history()
}

pub(crate) fn undo_library(app: &App, _: &Caller, _: NoArgs) -> Answer<LibraryHistory> {
    app.library.undo()?;
    app.library.history()
}

pub(crate) fn redo_library(app: &App, _: &Caller, _: NoArgs) -> Answer<LibraryHistory> {
    app.library.redo()?;
    app.library.history()
}

pub(crate) fn search_pattern(app: &App, caller: &Caller, args: PatternSearch) -> Answer<PatternResult> {
    app.library.search_pattern(&args, caller.stop())
}

pub(crate) fn cancel_pattern(_: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    Ok(())
}

pub(crate) fn explore_position(app: &App, _: &Caller, args: ExploreRequest) -> Answer<ExplorerView> {
    app.may_be_helped(&args.game_id)?;
    let game = app.with_game(&args.game_id, |session| Ok(session.game().clone()))?;
    app.library.explore(&game, &app.engine().network_name().unwrap_or_default(), &args.filter)
}

pub(crate) fn list_players(app: &App, _: &Caller, args: PlayersQuery) -> Answer<Vec<PlayerSummary>> {
    app.library.players(&args)
}

pub(crate) fn player_page(app: &App, _: &Caller, args: PlayerName) -> Answer<PlayerPage> {
    app.library.player_page(&args.name)
}

pub(crate) fn join_players(app: &App, _: &Caller, args: PlayerNames) -> Answer<()> {
    app.library.join_players(&args.names)
}

pub(crate) fn part_player(app: &App, _: &Caller, args: PlayerName) -> Answer<()> {
    app.library.part_player(&args.name)
}

pub(crate) fn library_report(app: &App, _: &Caller, _: NoArgs) -> Answer<LibraryReport> {
    app.library.report()
}

pub(crate) fn export_records(app: &App, _: &Caller, args: ExportRecords) -> Answer<ExportedRecords> {
    let path = if args.path.is_empty() { None } else { Some(path_of(app, &args.path)?) };
    app.library.export(&args, path.as_deref(), &|tree| app.engine().evaluated(&tree))
}

pub(crate) fn backup_library(app: &App, _: &Caller, args: FilePath) -> Answer<FilePath> {
    let path = if args.path.is_empty() { None } else { Some(path_of(app, &args.path)?) };
    let written = app.library.backup(path)?;
    Ok(FilePath { path: written.to_string_lossy().into_owned() })
}

pub(crate) fn check_library(app: &App, _: &Caller, args: CheckLibrary) -> Answer<LibraryCheck> {
    app.library.check(args.repair)
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

pub(crate) fn clear_evaluations(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.evaluations.clear().map(drop).map_err(|error| ApiError::from_library(&error))
}
