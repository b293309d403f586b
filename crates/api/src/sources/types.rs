//! Where a person's games come from.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Where games come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SourceKind {
    /// An account at the Online-Go Server.
    Ogs,
    /// An account at the KGS Go Server.
    Kgs,
    /// A folder that another program saves into; it is watched while the program runs.
    Folder,
}

/// An account or a folder that games are to come from.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NewSource {
    /// What it is.
    pub kind: SourceKind,
    /// The name there, or the folder's path.
    pub name: String,
    /// Another name of the same person in the library; empty for none.
    pub person: String,
}

/// Names an account or a folder.
#[derive(Debug, Clone, Copy, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SourceRef {
    /// Which one.
    pub id: u32,
}

/// Accounts and folders that are to be looked through.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SyncSources {
    /// Which ones; none: all of them.
    pub ids: Vec<u32>,
}

/// An account or a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SourceView {
    /// Its number.
    pub id: u32,
    /// What it is.
    pub kind: SourceKind,
    /// The name there, or the folder's path.
    pub name: String,
    /// Another name of the same person in the library; may be empty.
    pub person: String,
    /// Seconds since 1970 when it was looked through to its end; absent: never.
    pub synced_at: Option<u32>,
    /// Games that were taken from there.
    pub games: u32,
    /// How the last look went, or goes on; absent where there was none since the program started.
    pub sync: Option<SourceSync>,
}

/// How a look through an account or a folder goes on. Sent at each step, and at its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SourceSync {
    /// Which one.
    pub id: u32,
    /// How it stands.
    pub state: SyncState,
    /// New games that were found so far, where the server says so.
    pub found: u32,
    /// Games, or archives of games, that were fetched.
    pub fetched: u32,
    /// New games in the library.
    pub added: u32,
    /// Games that were there already.
    pub duplicates: u32,
    /// Records of which nothing could be taken.
    pub refused: u32,
    /// Seconds that the server asks to wait; 0 where it does not.
    pub pause: u32,
    /// Why it failed; empty where it did not.
    pub message: String,
    /// What to do about that.
    pub hint: String,
}

/// How a look stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SyncState {
    /// Others come first.
    Waiting,
    /// It goes on.
    Looking,
    /// All that is new is here.
    Done,
    /// It was ended by the person; the next one goes on from there.
    Stopped,
    /// It failed; the next one goes on from there.
    Failed,
}
