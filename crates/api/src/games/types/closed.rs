//! Games that were closed and can be opened again.

use crate::{GameInfo, OpenGameId, Vertex};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Closes a game. It can be opened again with `reopen_game`.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CloseGame {
    /// The game.
    pub game_id: OpenGameId,
    /// What becomes of changes that its file or its record in the library does not have.
    #[serde(default)]
    pub changes: UnsavedChanges,
}

/// What becomes of changes that are saved nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum UnsavedChanges {
    /// They are saved where the person chose that in the settings; otherwise the game stays open, and the answer says
    /// what is to be decided.
    Ask,
    /// They are saved where the game belongs, unless another program changed its file meanwhile.
    Save,
    /// They are saved where the game belongs, whatever another program wrote there.
    Replace,
    /// Only the closed game has them.
    #[default]
    Leave,
}

/// What came of closing a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Closing {
    /// The game is still open, and this is to be decided; null: it is closed.
    pub question: Option<ClosingQuestion>,
}

/// What is to be decided before a game is closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ClosingQuestion {
    /// Its file or record does not have its changes.
    Changes {
        /// Where they would be saved.
        place: SavePlace,
    },
    /// Another program changed its file since it was opened or saved; nothing was written.
    FileChanged {
        /// The file's name.
        name: String,
        /// Its path.
        path: String,
    },
    /// A rated game has begun, and who leaves it loses it.
    Forfeit,
}

/// Where a game is saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum SavePlace {
    /// In the library.
    Library,
    /// In its file.
    File {
        /// The file's name.
        name: String,
    },
}

/// A game that was closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClosedGame {
    /// Its name for `reopen_game`.
    pub id: String,
    /// What it says about itself.
    pub info: GameInfo,
    /// The file that it came from, if any: its name, not its path.
    pub file_name: Option<String>,
    /// The library's record of it, if there is one.
    pub record_id: Option<String>,
    /// Seconds since 1970 when it was closed.
    pub closed_at: u32,
    /// It has changes that are saved nowhere else.
    pub unsaved: bool,
    /// It is being played, and goes on when it is opened.
    pub playing: bool,
    /// Moves of the main line.
    pub moves: u32,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Stones after the last move of the main line, row by row from the top left: 1 black, -1 white, 0 empty.
    pub stones: Vec<i8>,
    /// The last move of the main line; null for a pass or none.
    pub last_move: Vertex,
}

/// Names a closed game.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClosedGameRef {
    /// Its name.
    pub id: String,
}
