//! Files of records, and which of their games are opened.

use crate::ImportProblem;
use serde::{Deserialize, Serialize};
use specta::Type;

/// A file that a person chose, dropped or was given.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum GameSource {
    /// On the disk of the machine where the back end runs.
    Path {
        /// The path, or its `file://` address where it is no Unicode.
        path: String,
    },
    /// By its content.
    Content {
        /// The file's name; may be empty.
        name: String,
        /// The file's bytes in base64.
        base64: String,
    },
}

/// Opens some games of a file.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OpenGames {
    /// The file.
    pub source: GameSource,
    /// Their numbers in its list, at most 20.
    pub games: Vec<u32>,
}

/// The games of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GameList {
    /// The file's name.
    pub name: String,
    /// The games in their order, the first 5000.
    pub games: Vec<ListedGame>,
    /// There are no more.
    pub complete: bool,
    /// How many of them are problems with answers.
    pub asks: u32,
    /// What of it cannot be read.
    pub problems: Vec<ImportProblem>,
}

/// A game of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ListedGame {
    /// Counts the games of the file from 0.
    pub number: u32,
    /// Where in an archive it is; empty where the file is none.
    pub file: String,
    /// The game's own name.
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
    /// The date, as written in the record.
    pub date: String,
    /// The result, as written in the record.
    pub result: String,
    /// Moves of the main line.
    pub moves: u32,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
}
