//! Folders, tags, saved searches, history, export, backup and check.

use crate::{ApiError, RecordFilter, RecordSort, RecordSummary};
use serde::{Deserialize, Serialize};
use specta::Type;

/// A record with what the list does not show.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordDetails {
    /// What the list shows.
    pub summary: RecordSummary,
    /// Its tags.
    pub tags: Vec<String>,
    /// Path of its folder; empty for none.
    pub folder: String,
    /// Other versions of the game that came in later, or that a fuller one replaced, oldest first.
    pub copies: Vec<RecordVersion>,
}

/// Another version of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordVersion {
    /// Its text, as SGF.
    pub sgf: String,
    /// Who played Black there; empty where it is not said.
    pub black: String,
    /// Who played White there.
    pub white: String,
    /// Moves of its main line.
    pub moves: u32,
    /// Lines beside that one.
    pub variations: u32,
    /// Nodes with a comment.
    pub comments: u32,
}

/// Makes another version of a record a record of its own.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PartVersion {
    /// The record.
    pub id: String,
    /// The version's text, as the details have it.
    pub sgf: String,
}

/// A folder or a tag, and how many records are in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordGroup {
    /// Path of the folder or name of the tag.
    pub name: String,
    /// Records, without those in the bin.
    pub games: u32,
}

/// Changes folder, tags and facts of records, all at once or not at all.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EditRecords {
    /// The records.
    pub ids: Vec<String>,
    /// The folder they are put into, made when it is new; empty takes them out of theirs, absent leaves them.
    #[serde(default)]
    pub folder: Option<String>,
    /// Tags that they get.
    #[serde(default)]
    pub add_tags: Vec<String>,
    /// Tags that are taken from them.
    #[serde(default)]
    pub remove_tags: Vec<String>,
    /// Facts that are written into them.
    #[serde(default)]
    pub facts: RecordFacts,
}

/// Facts to write into records; what is empty stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct RecordFacts {
    /// Black's name.
    pub black: String,
    /// Black's rank.
    pub black_rank: String,
    /// White's name.
    pub white: String,
    /// White's rank.
    pub white_rank: String,
    /// The event.
    pub event: String,
    /// The place.
    pub place: String,
    /// The date.
    pub date: String,
    /// The rules by name.
    pub rules: String,
    /// The komi in points.
    pub komi: String,
}

/// Names a folder by its path, such as `openings/sanrensei`.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FolderPath {
    /// The path.
    pub path: String,
}

/// Gives a folder, and those in it, another path.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RenameFolder {
    /// The path it has.
    pub from: String,
    /// The path it gets.
    pub to: String,
}

/// A search with a name.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedRecordSearch {
    /// Its name.
    pub name: String,
    /// What it asks for.
    pub filter: RecordFilter,
    /// What to sort by.
    pub sort: RecordSort,
    /// Last ones first.
    pub descending: bool,
}

/// Names a saved search.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchName {
    /// The name.
    pub name: String,
}

/// Gives a saved search another name.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RenameSearch {
    /// The name it has.
    pub from: String,
    /// The name it gets.
    pub to: String,
}

/// A change of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LibraryChange {
    /// `rename`, `delete`, `restore`, `edit`, `import`, `save`, `folder`, `tag`, `search`, `players`, `card` or
    /// `version`.
    pub what: String,
    /// Records that it was about.
    pub games: u32,
}

/// What can be taken back and done again next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LibraryHistory {
    /// The last change, if there is one to take back.
    pub undo: Option<LibraryChange>,
    /// The change that was taken back last.
    pub redo: Option<LibraryChange>,
}

/// What an export writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum RecordFormat {
    /// One collection with the records as they came in.
    Sgf,
    /// An archive with a file for each record.
    Zip,
    /// A table with a line for each record.
    Csv,
}

/// Exports records.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportRecords {
    /// These records; empty for all that meet `filter`.
    #[serde(default)]
    pub ids: Vec<String>,
    /// Which records, when `ids` is empty.
    #[serde(default)]
    pub filter: RecordFilter,
    /// In which form.
    pub format: RecordFormat,
    /// The file to write, for hosts with paths; empty: the content is the answer, up to 64 MiB.
    #[serde(default)]
    pub path: String,
    /// With what is known of their positions, in the properties that other programs read; not in a table.
    #[serde(default)]
    pub evaluations: bool,
}

/// What was exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportedRecords {
    /// Records written.
    pub games: u32,
    /// A name for the file.
    pub file_name: String,
    /// The content when no path was given; empty otherwise.
    pub base64: String,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LibraryCheck {
    /// Records read.
    pub games: u32,
    /// What is wrong, a sentence each.
    pub problems: Vec<String>,
    /// What was repaired, a sentence each.
    pub repaired: Vec<String>,
}

/// How a backup came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum LibraryBackupKind {
    /// By itself.
    Automatic,
    /// It was the library until another backup was restored.
    SetAside,
    /// By hand, or elsewhere.
    ByHand,
}

/// A backup of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LibraryBackup {
    /// The name of its file.
    pub name: String,
    /// How it came about.
    pub kind: LibraryBackupKind,
    /// Of which moment it is, in seconds since 1970.
    pub changed_at: u32,
    /// Its games, without those in the bin; null where it cannot be read.
    pub games: Option<u32>,
    /// Its size in KiB.
    pub size_kib: u32,
}

/// The backups that are at hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LibraryBackups {
    /// Games of the library as it is now, without those in the bin; null where it cannot be read.
    pub games: Option<u32>,
    /// The backups, the newest first.
    pub backups: Vec<LibraryBackup>,
}

/// A backup took the library's place at this start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RestoredLibrary {
    /// Its games, without those in the bin.
    pub games: u32,
    /// The backup that what was there before has become, by its name; empty where nothing was there.
    pub kept_as: String,
}

/// What became of a damaged library that was to be rescued at this start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LibraryRescue {
    /// What can be read of it is a new library, which took its place.
    Done {
        /// Games that came over, with those in the bin.
        games: u32,
        /// Games that could not be read.
        lost: u32,
        /// What the damaged file is called now; it is where it was.
        kept_as: String,
    },
    /// It is as it was.
    Failed {
        /// Why.
        error: ApiError,
    },
}

/// Names a backup: one that is at hand, or a file on the disk of the machine where the back end runs.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChosenBackup {
    /// Its name, as the list has it; empty for a file.
    #[serde(default)]
    pub name: String,
    /// The file; empty for one that is at hand.
    #[serde(default)]
    pub path: String,
}

/// Checks the library.
#[derive(Debug, Clone, Copy, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CheckLibrary {
    /// Repair what can be repaired.
    pub repair: bool,
}
