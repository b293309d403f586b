//! Folders, tags, saved searches, the bin, taking changes back, and backups.

use super::{FILE, existing, failed, no_library};
use crate::app;
use crate::args::{FolderCommand, LibraryCommand, SearchesCommand};
use crate::failure::Failure;
use crate::new_file::OutFile;
use crate::output::Output;
use crate::records::as_text;
use crate::words::counted;
use honinbo_library::{Backup, GameEdit, GameId, GameQuery, Group, HistoryStep, Library, LibraryError};
use honinbo_record::{GameDate, read_sgf_text};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A library, where it lies, and how its command answers.
struct Desk<'o> {
    library: Library,
    path: PathBuf,
    json: bool,
    output: &'o mut Output,
}

/// Does one of the commands that put games in order.
pub(super) fn organise(command: LibraryCommand, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    match command {
        LibraryCommand::Show { id, versions, json } => open(data, json, output)?.show(&id, versions),
        LibraryCommand::Rename { id, title, json } => {
            let desk = open(data, json, output)?;
            desk.change(std::slice::from_ref(&id), |library, ids| library.rename(&ids[0], &title, now_ms()), "renamed")
        }
        LibraryCommand::Edit { ids, folder, no_folder, tag, untag, set, json } => {
            let folder = if no_folder { Some(String::new()) } else { folder };
            if folder.is_none() && tag.is_empty() && untag.is_empty() && set.is_empty() {
                return Err(Failure::Usage("name a --folder, a --tag, an --untag or a fact to --set".into()));
            }
            let edit = GameEdit { folder, add_tags: tag, remove_tags: untag, facts: set, now: now_ms() };
            open(data, json, output)?.change(&ids, |library, ids| library.edit_games(ids, &edit), "changed")
        }
        LibraryCommand::Delete { ids, json } => {
            let delete = |library: &Library, ids: &[GameId]| library.delete(ids, now_ms()).map(drop);
            open(data, json, output)?.change(&ids, delete, "deleted; `honinbo library undo` brings them back:")
        }
        LibraryCommand::Undelete { ids, json } => {
            open(data, json, output)?.change(&ids, |library, ids| library.restore(ids).map(drop), "brought back")
        }
        LibraryCommand::Folders { command, json } => open(data, json, output)?.folders(command),
        LibraryCommand::Tags { json } => {
            let desk = open(data, json, output)?;
            let tags = desk.done(desk.library.tags())?;
            desk.groups("tags", &tags)
        }
        LibraryCommand::Searches { command, json } => open(data, json, output)?.searches(command),
        LibraryCommand::Undo { json } => open(data, json, output)?.step(true),
        LibraryCommand::Redo { json } => open(data, json, output)?.step(false),
        LibraryCommand::History { json } => open(data, json, output)?.history(None),
        LibraryCommand::Backup { file, json } => open(data, json, output)?.backup(file),
        LibraryCommand::Backups { json } => backups(json, data, output),
        LibraryCommand::Restore { file, json } => restore(&file, json, data, output),
        _ => Ok(()),
    }
}

fn open(data: Option<PathBuf>, json: bool, output: &mut Output) -> Result<Desk<'_>, Failure> {
    let (path, library) = existing(data)?;
    let library = library.ok_or_else(|| no_library(&path))?;
    Ok(Desk { library, path, json, output })
}

impl Desk<'_> {
    fn done<T>(&self, result: Result<T, LibraryError>) -> Result<T, Failure> {
        result.map_err(failed(&self.path))
    }

    /// Prints a value for a program, or lines for a person.
    fn say(self, value: Value, lines: impl IntoIterator<Item = String>) -> Result<(), Failure> {
        if self.json {
            self.output.json(&value)?;
            return Ok(());
        }
        lines.into_iter().try_for_each(|line| self.output.line(crate::records::harmless(&line)))?;
        Ok(())
    }

    /// A change of games, all of them or none.
    fn change(
        self,
        ids: &[String],
        act: impl FnOnce(&Library, &[GameId]) -> Result<(), LibraryError>,
        done: &str,
    ) -> Result<(), Failure> {
        let known: Vec<GameId> = ids.iter().map(GameId::new).collect();
        self.done(act(&self.library, &known))?;
        let line = format!("{done} {} {}", ids.len(), if ids.len() == 1 { "game" } else { "games" });
        self.say(json!({ "games": ids.len() }), [line])
    }

    fn show(self, id: &str, versions: bool) -> Result<(), Failure> {
        let id = GameId::new(id);
        let game = self.done(self.library.game(&id))?;
        let tags = self.done(self.library.tags_of(&id))?;
        let folder = self.done(self.library.folder_of(&id))?;
        let mut value = super::as_json(&game.summary);
        value["folder"] = json!(folder);
        value["tags"] = json!(tags);
        value["copies"] = json!(game.n_copies);
        value["sgf"] = json!(as_text(read_sgf_text(&game.sgf)));
        let mut lines = vec![super::as_line(&game.summary)];
        lines.extend((!folder.is_empty()).then(|| format!("folder: {folder}")));
        lines.extend((!tags.is_empty()).then(|| format!("tags: {}", tags.join(", "))));
        lines.extend((game.n_copies > 0).then(|| format!("other versions: {}", game.n_copies)));
        if versions {
            let texts = self.done(self.library.copies(&id))?;
            let texts: Vec<String> = texts.iter().map(|text| as_text(read_sgf_text(text))).collect();
            lines.extend(texts.iter().flat_map(|text| text.trim().lines()).map(str::to_owned));
            value["versions"] = json!(texts);
        }
        self.say(value, lines)
    }

    fn groups(self, name: &str, groups: &[Group]) -> Result<(), Failure> {
        let lines: Vec<String> = groups.iter().map(|group| format!("{:>7}  {}", group.games, group.name)).collect();
        let lines = if lines.is_empty() { vec![format!("no {name}")] } else { lines };
        self.say(json!({ name: groups }), lines)
    }

    fn folders(self, command: Option<FolderCommand>) -> Result<(), Failure> {
        let known = |known: bool, path: &str| {
            let hint = "`honinbo library folders` lists them";
            if known { Ok(()) } else { Err(Failure::new(format!("there is no folder {path:?}"), hint)) }
        };
        match command {
            None => {}
            Some(FolderCommand::Make { path }) => self.done(self.library.make_folder(&path))?,
            Some(FolderCommand::Rename { from, to }) => {
                known(self.done(self.library.rename_folder(&from, &to))?, &from)?
            }
            Some(FolderCommand::Remove { path }) => known(self.done(self.library.remove_folder(&path))?, &path)?,
        }
        let folders = self.done(self.library.folders())?;
        self.groups("folders", &folders)
    }

    fn searches(self, command: Option<SearchesCommand>) -> Result<(), Failure> {
        match command {
            None => {}
            Some(SearchesCommand::Save { name, words, filter, sort, ascending }) => {
                let query = GameQuery {
                    filter: filter.with_words(&words),
                    sort: sort.into(),
                    descending: !ascending,
                    ..GameQuery::default()
                };
                self.done(self.library.save_search(&name, &query))?;
            }
            Some(SearchesCommand::Remove { name }) => {
                let removed = self.done(self.library.remove_search(&name))?;
                if !removed {
                    let hint = "`honinbo library searches` lists them";
                    return Err(Failure::new(format!("there is no search {name:?}"), hint));
                }
            }
        }
        let searches = self.done(self.library.saved_searches())?;
        let mut lines: Vec<String> = searches.iter().map(|search| search.name.clone()).collect();
        if lines.is_empty() {
            lines.push("no searches".into());
        }
        self.say(json!({ "searches": searches }), lines)
    }

    /// Takes the last change back, or does it again.
    fn step(self, back: bool) -> Result<(), Failure> {
        let step = if back { self.library.undo() } else { self.library.redo() };
        match self.done(step)? {
            Some(step) => self.history(Some((back, step))),
            None if back => Err(Failure::new("there is no change to take back", "")),
            None => Err(Failure::new("there is no change to do again", "")),
        }
    }

    fn history(self, done: Option<(bool, HistoryStep)>) -> Result<(), Failure> {
        let history = self.done(self.library.history())?;
        let view = |step: &HistoryStep| json!({ "what": step.what, "games": step.games });
        let words = |step: &HistoryStep| format!("{} ({})", step.what, counted(step.games, "game"));
        let mut value = json!({ "undo": history.undo.as_ref().map(view), "redo": history.redo.as_ref().map(view) });
        let mut lines = Vec::new();
        if let Some((back, step)) = &done {
            value["done"] = view(step);
            lines.push(format!("{}: {}", if *back { "taken back" } else { "done again" }, words(step)));
        }
        lines.extend(history.undo.as_ref().map(|step| format!("undo takes back: {}", words(step))));
        lines.extend(history.redo.as_ref().map(|step| format!("redo does again: {}", words(step))));
        if lines.is_empty() {
            lines.push("nothing was changed".into());
        }
        self.say(value, lines)
    }

    fn backup(self, file: Option<OutFile>) -> Result<(), Failure> {
        let path = match file {
            Some(file) => {
                let path = file.new_only()?;
                self.done(self.library.backup(path))?;
                path.to_owned()
            }
            // The next free number beside the library is the back end's to find.
            None => {
                let (app, _events) = app::open(self.path.parent().map(Path::to_owned));
                let wanted = honinbo_api::FilePath { path: String::new() };
                let path = honinbo_api::commands::backup_library(&app, &honinbo_api::Caller::new(), wanted)?.path;
                app.shut_down();
                path.into()
            }
        };
        let path = path.display().to_string();
        self.say(json!({ "path": path }), [format!("backup: {path}")])
    }
}

/// Lists what lies in the folder of backups.
fn backups(json: bool, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let path = app::data_dir(data).join(FILE);
    let backups = Library::backups_of(&path).map_err(failed(&path))?;
    if json {
        let view = |backup: &Backup| {
            json!({
                "path": backup.path.display().to_string(),
                "kind": backup.kind,
                "changed": day(backup),
                "games": backup.games,
                "bytes": backup.bytes,
            })
        };
        output.json(&json!({ "backups": backups.iter().map(view).collect::<Vec<_>>() }))?;
        return Ok(());
    }
    if backups.is_empty() {
        output.line(format!("no backups in {}", Library::backup_folder(&path).display()))?;
    }
    for backup in &backups {
        let games = backup.games.map_or_else(|| "cannot be read".to_owned(), |games| counted(games, "game"));
        let size = backup.bytes.div_ceil(1 << 20);
        let path = crate::records::harmless(&backup.path.display().to_string());
        output.line(format!("{}  {games:>14}  {size:>6} MiB  {path}", day(backup)))?;
    }
    Ok(())
}

/// The day of the state that a backup holds, by UTC.
fn day(backup: &Backup) -> String {
    let seconds = u64::try_from(backup.changed / 1000).unwrap_or_default();
    GameDate::at(seconds, 0).map(|date| date.to_string()).unwrap_or_default()
}

/// Puts a backup in the place of the library, which must not be open anywhere.
fn restore(file: &Path, json: bool, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let path = app::data_dir(data).join(FILE);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::new(format!("the data folder {} cannot be made: {error}", folder.display()), "name another one")
        })?;
    }
    let before = Library::restore_backup(file, &path, now_ms()).map_err(|error| match error {
        LibraryError::Damaged { .. } => Failure::new(format!("{}: {error}", file.display()), "choose another backup"),
        other => failed(&path)(other),
    })?;
    let library = Library::open(&path).map_err(failed(&path))?;
    let games = library.stats().map_err(failed(&path))?.games;
    let before = before.map(|before| before.display().to_string());
    if json {
        output.json(&json!({ "games": games, "path": path.display().to_string(), "before": before }))?;
    } else {
        output.line(format!("{} in {}", counted(games, "game"), path.display()))?;
        if let Some(before) = before {
            output.line(format!("what was there before is in {before}"))?;
        }
    }
    Ok(())
}

pub(super) fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
