//! Folders, tags, saved searches, history, export, backup and check.

use super::backups::name_of;
use super::{LibraryRoom, failed, filter_of, filter_view, game_ids, sort_of, summary_view};
use crate::{
    ApiError, EditRecords, ExportRecords, ExportedRecords, Host, LibraryChange, LibraryCheck, LibraryHistory,
    LibraryRescue, PartVersion, RecordDetails, RecordFormat, RecordGroup, RecordSort, RecordSummary, RecordVersion,
    SavedRecordSearch,
};
use base64::Engine as _;
use honinbo_library::{
    ExportFormat, ExportOptions, GameEdit, GameId, GameQuery, Group, HistoryStep, Library, LibraryError, RescueReport,
    SortBy,
};
use honinbo_record::{GameInfo, GameTree, read_sgf_text};
use honinbo_rules::{Preset, Topology};
use std::path::{Path, PathBuf};

/// Largest content that is given as an answer.
const MAX_ANSWER_BYTES: usize = 64 << 20;
/// Records asked for at once.
const MAX_RECORDS: usize = 1000;

impl LibraryRoom {
    /// Records by id.
    pub(crate) fn records(&self, ids: &[String]) -> Result<Vec<RecordSummary>, ApiError> {
        let library = self.library()?;
        let mut found = Vec::new();
        for id in ids.iter().take(MAX_RECORDS) {
            match library.summary(&GameId::new(id)) {
                Ok(game) => found.push(summary_view(game)),
                Err(LibraryError::UnknownGame { .. }) => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(found)
    }

    /// One record with all that is known about it.
    pub(crate) fn details(&self, id: &str) -> Result<RecordDetails, ApiError> {
        let (library, id) = (self.library()?, GameId::new(id));
        Ok(RecordDetails {
            summary: summary_view(library.summary(&id).map_err(failed)?),
            tags: library.tags_of(&id).map_err(failed)?,
            folder: library.folder_of(&id).map_err(failed)?,
            copies: library.copies(&id).map_err(failed)?.into_iter().map(version_view).collect(),
        })
    }

    /// Makes another version of a record a record of its own.
    pub(crate) fn part_version(&self, asked: &PartVersion) -> Result<RecordSummary, ApiError> {
        let new =
            self.change(|library| library.part_version(&GameId::new(&asked.id), &asked.sgf, self.host.unix_ms()))?;
        Ok(summary_view(self.library()?.summary(&new).map_err(failed)?))
    }

    /// Folder, tags and facts of records.
    pub(crate) fn edit(&self, asked: &EditRecords) -> Result<(), ApiError> {
        let facts = &asked.facts;
        let rules = match facts.rules.as_str() {
            "" => String::new(),
            name => Preset::parse(name)
                .map(rules_to_write)
                .ok_or_else(|| ApiError::InvalidRequest { message: format!("there is no ruleset {name:?}") })?,
        };
        let facts = [
            ("PB", &facts.black),
            ("BR", &facts.black_rank),
            ("PW", &facts.white),
            ("WR", &facts.white_rank),
            ("EV", &facts.event),
            ("PC", &facts.place),
            ("DT", &facts.date),
            ("RU", &rules),
            ("KM", &facts.komi),
        ];
        let filled = facts.into_iter().map(|(ident, text)| (ident.to_owned(), text.trim().to_owned()));
        let edit = GameEdit {
            folder: asked.folder.clone(),
            add_tags: asked.add_tags.clone(),
            remove_tags: asked.remove_tags.clone(),
            facts: filled.filter(|(_, text)| !text.is_empty()).collect(),
            now: self.host.unix_ms(),
        };
        self.change(|library| library.edit_games(&game_ids(&asked.ids), &edit))
    }

    /// Gives the person a name in games against these opponents that have none.
    pub(crate) fn name_person(&self, name: &str, is_opponent: impl Fn(&str) -> bool) -> Result<Vec<GameId>, ApiError> {
        self.change(|library| library.name_person(name, is_opponent, self.host.unix_ms()))
    }

    /// The folders.
    pub(crate) fn folders(&self) -> Result<Vec<RecordGroup>, ApiError> {
        Ok(groups(self.library()?.folders().map_err(failed)?))
    }

    /// Makes a folder.
    pub(crate) fn make_folder(&self, path: &str) -> Result<(), ApiError> {
        self.change(|library| library.make_folder(path))
    }

    /// Moves a folder.
    pub(crate) fn rename_folder(&self, from: &str, to: &str) -> Result<(), ApiError> {
        self.change(|library| library.rename_folder(from, to).map(drop))
    }

    /// Removes a folder.
    pub(crate) fn remove_folder(&self, path: &str) -> Result<(), ApiError> {
        self.change(|library| library.remove_folder(path).map(drop))
    }

    /// The tags.
    pub(crate) fn tags(&self) -> Result<Vec<RecordGroup>, ApiError> {
        Ok(groups(self.library()?.tags().map_err(failed)?))
    }

    /// The saved searches.
    pub(crate) fn searches(&self) -> Result<Vec<SavedRecordSearch>, ApiError> {
        let saved = self.library()?.saved_searches().map_err(failed)?;
        let view = |saved: honinbo_library::SavedSearch| SavedRecordSearch {
            name: saved.name,
            filter: filter_view(saved.query.filter),
            sort: sort_view(saved.query.sort),
            descending: saved.query.descending,
        };
        Ok(saved.into_iter().map(view).collect())
    }

    /// Keeps a search.
    pub(crate) fn save_search(&self, search: &SavedRecordSearch) -> Result<(), ApiError> {
        let query = GameQuery {
            filter: filter_of(&search.filter),
            sort: sort_of(search.sort),
            descending: search.descending,
            ..GameQuery::default()
        };
        self.change(|library| library.save_search(&search.name, &query))
    }

    /// Gives a search another name.
    pub(crate) fn rename_search(&self, from: &str, to: &str) -> Result<(), ApiError> {
        self.change(|library| library.rename_search(from, to))
    }

    /// Forgets a search.
    pub(crate) fn remove_search(&self, name: &str) -> Result<(), ApiError> {
        self.change(|library| library.remove_search(name).map(drop))
    }

    /// What can be taken back.
    pub(crate) fn history(&self) -> Result<LibraryHistory, ApiError> {
        let history = self.library()?.history().map_err(failed)?;
        let view = |step: HistoryStep| LibraryChange { what: step.what, games: step.games };
        Ok(LibraryHistory { undo: history.undo.map(view), redo: history.redo.map(view) })
    }

    /// Takes the last change back.
    pub(crate) fn undo(&self) -> Result<(), ApiError> {
        self.change(|library| library.undo().map(drop))
    }

    /// Does it again.
    pub(crate) fn redo(&self) -> Result<(), ApiError> {
        self.change(|library| library.redo().map(drop))
    }

    /// Writes records to a file, or into the answer; `evaluated` adds to each what is known of its positions, where that
    /// is asked for.
    pub(crate) fn export(
        &self,
        asked: &ExportRecords,
        path: Option<&Path>,
        evaluated: &dyn Fn(GameTree) -> GameTree,
    ) -> Result<ExportedRecords, ApiError> {
        let library = self.library()?;
        let ids = match asked.ids.is_empty() {
            true => library.ids(&filter_of(&asked.filter)).map_err(failed)?,
            false => game_ids(&asked.ids),
        };
        let (format, end) = match asked.format {
            RecordFormat::Sgf => (ExportFormat::Sgf, "sgf"),
            RecordFormat::Zip => (ExportFormat::Zip, "zip"),
            RecordFormat::Csv => (ExportFormat::Csv, "csv"),
        };
        let options = ExportOptions { format, edit: asked.evaluations.then_some(evaluated) };
        if let Some(path) = path {
            let games = library.export_file(&ids, options, path).map_err(failed)?;
            let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            return Ok(ExportedRecords { games, file_name, base64: String::new() });
        }
        let mut content = Bounded(Vec::new());
        let games = library.export(&ids, options, &mut content).map_err(|error| match error {
            LibraryError::File { .. } => ApiError::Library {
                message: "the selection is larger than 64 MiB".into(),
                hint: "export fewer records at once".into(),
            },
            other => failed(other),
        })?;
        let base64 = base64::engine::general_purpose::STANDARD.encode(content.0);
        Ok(ExportedRecords { games, file_name: format!("games.{end}"), base64 })
    }

    /// The library as one file: where the person wants it, or under the next free number in the data folder.
    pub(crate) fn backup(&self, path: Option<PathBuf>) -> Result<PathBuf, ApiError> {
        let library = self.library()?;
        let path = match path {
            Some(path) => path,
            None => next_backup(&Library::backup_folder(library.path()))?,
        };
        library.backup(&path).map_err(failed)?;
        Ok(path)
    }

    /// Has what can be read of a damaged library take its place at the next start: now it is open.
    pub(crate) fn rescue_at_next_start(&self) -> Result<(), ApiError> {
        let path = self.host.data_dir().join(RESCUE_WANTED);
        self.host.write(&path, b"").map_err(|error| ApiError::Library {
            message: format!("{} cannot be written: {error}", path.display()),
            hint: "look whether the data folder may be written to".into(),
        })
    }

    /// Checks, and repairs.
    pub(crate) fn check(&self, repair: bool) -> Result<LibraryCheck, ApiError> {
        let library = self.library()?;
        let report = if repair { library.repair() } else { library.check() }.map_err(failed)?;
        Ok(LibraryCheck { games: report.games, problems: report.problems, repaired: report.repaired })
    }
}

fn version_view(sgf: String) -> RecordVersion {
    let tree = read_sgf_text(&sgf).games.into_iter().next().map(|game| game.tree).unwrap_or_default();
    let info = GameInfo::of(&tree);
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let nodes = || tree.subtree(tree.root());
    RecordVersion {
        moves: count(tree.line_from(tree.root()).filter(|&node| tree.move_at(node, info.size).is_some()).count()),
        variations: count(nodes().filter(|&node| tree.first_child(node).is_none()).count().saturating_sub(1)),
        comments: count(nodes().filter(|&node| tree.comment(node).is_some_and(|text| !text.trim().is_empty())).count()),
        black: info.black.name,
        white: info.white.name,
        sgf,
    }
}

/// Memory up to a limit.
struct Bounded(Vec<u8>);

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_ANSWER_BYTES {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn groups(groups: Vec<Group>) -> Vec<RecordGroup> {
    groups.into_iter().map(|group| RecordGroup { name: group.name, games: group.games }).collect()
}

fn sort_view(sort: SortBy) -> RecordSort {
    match sort {
        SortBy::Added => RecordSort::Added,
        SortBy::Changed => RecordSort::Changed,
        SortBy::Date => RecordSort::Date,
        SortBy::Black => RecordSort::Black,
        SortBy::White => RecordSort::White,
        SortBy::Moves => RecordSort::Moves,
        SortBy::Result => RecordSort::Result,
        SortBy::Event => RecordSort::Event,
        SortBy::Komi => RecordSort::Komi,
        SortBy::Size => RecordSort::Size,
        SortBy::Rank => RecordSort::Rank,
    }
}

/// A file that is there where the library is to be rescued at the next start.
const RESCUE_WANTED: &str = "library.sqlite.rescue";

/// Rescues the library at `path` where somebody asked for it, once, and says what came of it.
pub(super) fn rescue_if_wanted(host: &dyn Host, path: &Path) -> Option<LibraryRescue> {
    std::fs::remove_file(host.data_dir().join(RESCUE_WANTED)).ok()?;
    Some(match Library::rescue_in_place(path, host.unix_ms()) {
        Ok((RescueReport { games, lost, .. }, aside)) => LibraryRescue::Done { games, lost, kept_as: name_of(&aside) },
        Err(error) => LibraryRescue::Failed { error: ApiError::from_library(&error) },
    })
}

/// What `RU` says of these rules: the standard's name, which other programs know, where it means no other rules of ours.
pub(crate) fn rules_to_write(preset: Preset) -> String {
    let standard = preset.ruleset().to_sgf(preset.komi(), Topology::Plane);
    if Preset::from_sgf(&standard) == Some(preset) { standard } else { preset.name().to_owned() }
}

/// Backups that the data folder takes before somebody has to clear away.
const MAX_BACKUPS: u32 = 99;

/// The next file of a folder for backups, which is made.
fn next_backup(folder: &Path) -> Result<PathBuf, ApiError> {
    let refused = |message: String, hint: &str| ApiError::Library { message, hint: hint.into() };
    std::fs::create_dir_all(folder).map_err(|error| {
        refused(format!("the folder {} cannot be made: {error}", folder.display()), "look whether it may be written to")
    })?;
    let file = |number: u32| folder.join(format!("library-{number}.sqlite"));
    let last = (1..=MAX_BACKUPS).rev().find(|&number| file(number).exists()).unwrap_or(0);
    if last == MAX_BACKUPS {
        return Err(refused(
            format!("the folder {} holds {MAX_BACKUPS} backups", folder.display()),
            "move the old ones elsewhere",
        ));
    }
    Ok(file(last + 1))
}
