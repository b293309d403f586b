//! What the commands of this subject do.

use crate::disk::{decoded, path_of};
use crate::games::session::Session;
use crate::handlers::Answer;
use crate::library::backups::look_at;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

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

pub(crate) fn empty_bin(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.library.empty_bin()
}

pub(crate) fn import_paths(app: &App, _: &Caller, args: ImportPaths) -> Answer<()> {
    let paths = args.paths.iter().map(|path| path_of(app, path)).collect::<Answer<Vec<_>>>()?;
    app.import_files(paths, None)
}

pub(crate) fn import_content(app: &App, _: &Caller, args: ImportContent) -> Answer<()> {
    let bytes = decoded(&args.base64)?;
    app.library.import_content(&args, &bytes, app.reviews.after_import())
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
    Ok(Session::read_text(String::new(), "", &sgf)?.preview(args.node))
}

pub(crate) fn record_details(app: &App, _: &Caller, args: RecordRef) -> Answer<RecordDetails> {
    app.library.details(&args.id)
}

pub(crate) fn part_version(app: &App, _: &Caller, args: PartVersion) -> Answer<RecordSummary> {
    app.library.part_version(&args)
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

pub(crate) fn rename_search(app: &App, _: &Caller, args: RenameSearch) -> Answer<()> {
    app.library.rename_search(&args.from, &args.to)
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

pub(crate) fn clear_evaluations(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.analysis.evaluations.clear().map(drop).map_err(|error| ApiError::from_library(&error))
}

pub(crate) fn explore_position(app: &App, _: &Caller, args: ExploreRequest) -> Answer<ExplorerView> {
    app.play.may_be_helped(&args.game_id)?;
    let game = app.games.with_game(&args.game_id, |session| Ok(session.game().clone()))?;
    let network = app.analysis.engine.network_name(game.board()).unwrap_or_default();
    app.library.explore(&game, &network, &args.filter)
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
    app.library.export(&args, path.as_deref(), &|tree| app.analysis.engine.evaluated(&tree))
}

pub(crate) fn backup_library(app: &App, _: &Caller, args: FilePath) -> Answer<FilePath> {
    let path = if args.path.is_empty() { None } else { Some(path_of(app, &args.path)?) };
    let written = app.library.backup(path)?;
    Ok(FilePath { path: written.to_string_lossy().into_owned() })
}

pub(crate) fn rescue_library(app: &App, _: &Caller, _: NoArgs) -> Answer<()> {
    app.library.rescue_at_next_start()
}

pub(crate) fn list_backups(app: &App, _: &Caller, _: NoArgs) -> Answer<LibraryBackups> {
    app.library.backups()
}

pub(crate) fn look_at_backup(app: &App, _: &Caller, args: FilePath) -> Answer<LibraryBackup> {
    look_at(&path_of(app, &args.path)?)
}

pub(crate) fn restore_library(app: &App, _: &Caller, args: ChosenBackup) -> Answer<()> {
    let path = if args.path.is_empty() { app.library.backup_named(&args.name)? } else { path_of(app, &args.path)? };
    app.library.restore_at_next_start(&path)
}

pub(crate) fn check_library(app: &App, _: &Caller, args: CheckLibrary) -> Answer<LibraryCheck> {
    app.library.check(args.repair)
}
