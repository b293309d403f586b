//! The library of records.

use crate::{BoardTopology, Finite, PositionView, RecordFilter, RecordProblem};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Asks for a page of the library.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordQuery {
    /// Words that must occur in players, title, event, place or date; empty for all.
    pub text: String,
    /// Further conditions; its own `text` counts beside the one above.
    #[serde(default)]
    pub filter: RecordFilter,
    /// What to sort by.
    pub sort: RecordSort,
    /// Largest, or last, first.
    pub descending: bool,
    /// How many to skip.
    pub offset: u32,
    /// How many to give, 1 to 1000.
    pub limit: u32,
}

/// What to sort the library by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum RecordSort {
    /// When it was added.
    Added,
    /// When it was played.
    Date,
    /// Black's name.
    Black,
    /// White's name.
    White,
    /// Number of moves.
    Moves,
    /// When it was last changed.
    Changed,
    /// Kind of result, winner and margin.
    Result,
    /// The event.
    Event,
    /// Points for White.
    Komi,
    /// Size of the board.
    Size,
    /// The weaker player's rank, then the stronger one's.
    Rank,
}

/// A page of the library.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordPage {
    /// How many match.
    pub total: u32,
    /// Those asked for.
    pub records: Vec<RecordSummary>,
}

/// A record as the list shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordSummary {
    /// The record.
    pub id: String,
    /// The name given by the person or the record; may be empty.
    pub title: String,
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
    /// Where it was played.
    pub place: String,
    /// The file it was imported from; empty when it was saved by hand.
    pub source: String,
    /// `plane`, `cylinder` or `torus`.
    pub topology: String,
    /// The date: `2003-09-25`, or less where the record says less; the first of several.
    pub date: String,
    /// The last of several dates; empty where there is one.
    pub last_date: String,
    /// The result, as written in the record.
    pub result: String,
    /// The ruleset, as written in the record.
    pub rules: String,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Points for White, as written in the record; absent where it says nothing of them.
    pub komi: Option<Finite>,
    /// Handicap stones.
    pub handicap: u8,
    /// Moves of the main line.
    pub moves: u32,
    /// Seconds since 1970 when it was added.
    pub added_at: u32,
}

/// Names a record.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordRef {
    /// The record.
    pub id: String,
}

/// Names several records.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordRefs {
    /// The records.
    pub ids: Vec<String>,
}

/// Gives a record a name.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RenameRecord {
    /// The record.
    pub id: String,
    /// Its new name; empty takes it away.
    pub title: String,
}

/// Files and folders on the disk of the machine where the back end runs.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportPaths {
    /// The paths.
    pub paths: Vec<String>,
}

/// Asks for a position of a record's main line, without opening it.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PreviewRecord {
    /// The record.
    pub id: String,
    /// How many nodes to go on from the root, at most to the last one.
    pub node: u32,
}

/// A position of a record that is not open.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordPreview {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// How the edges meet.
    pub topology: BoardTopology,
    /// The position; its `line` is the main line.
    pub position: PositionView,
}

/// A file given as its content, one of those that are imported together.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportContent {
    /// The file's name.
    pub name: String,
    /// The file's bytes in base64.
    pub base64: String,
    /// Chosen by the window: the same for all files that are imported together.
    pub batch: u32,
    /// How many files of the batch are still to come; the import begins with the last one.
    pub remaining: u32,
}

/// How an import goes on. Sent about ten times a second, and once when it ends.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportProgress {
    /// Games read.
    pub games: u32,
    /// Of those, new in the library.
    pub added: u32,
    /// Of those, already there.
    pub duplicates: u32,
    /// Files looked at.
    pub files: u32,
    /// Files in all, as far as known.
    pub total_files: u32,
    /// Files of which nothing was taken, as they hold no game or cannot be read; known at the end.
    pub refused_files: u32,
    /// Games that an earlier import of these files, which was broken off, had dealt with.
    pub skipped: u32,
    /// Part of the files' bytes that was read, 0 to 1.
    pub part: Finite,
    /// Games a second so far.
    pub games_per_second: Finite,
    /// Seconds that are left at this speed; absent while nobody knows.
    pub seconds_left: Option<u32>,
    /// What was refused, mended or joined to a game that was there, the first thousand.
    pub problems: Vec<ImportProblem>,
    /// It has ended.
    pub finished: bool,
    /// It ended because somebody asked for that.
    pub cancelled: bool,
}

/// A file or a game that was refused, mended or joined to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportProblem {
    /// The file, and the game in it.
    pub file: String,
    /// Counted from 1; 0 where it belongs to no line.
    pub line: u32,
    /// Nothing of it was taken.
    pub refused: bool,
    /// It is another version of a game that was there, and was joined to that.
    pub joined: bool,
    /// What was wrong with the record; null where it was something else.
    pub problem: Option<RecordProblem>,
    /// The sentence.
    pub message: String,
}

/// What the library holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LibraryStats {
    /// Records.
    pub games: u32,
    /// Different names of players.
    pub players: u32,
    /// Size of the file in KiB.
    pub size_kib: u32,
}
