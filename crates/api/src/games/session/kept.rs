//! An open game as it is kept for the next start of the program.

use super::{Session, seam_id};
use crate::games::game_file::GameFile;
use crate::games::played::{KeptPlay, PlayedNow};
use crate::path_text::{path_from_text, path_to_text};
use crate::{ApiError, OpenGameId};
use honinbo_record::{GameTree, NodeId};
use serde::{Deserialize, Serialize};

/// An open game as it is kept for the next start of the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeptGame {
    /// The record.
    pub(crate) sgf: String,
    /// The current node: its place in the order of the file, the root 0.
    node: usize,
    /// Changed since it was opened or saved.
    pub(crate) modified: bool,
    file_name: Option<String>,
    record_id: Option<String>,
    /// The file that changes are saved to.
    #[serde(default)]
    file: Option<String>,
    /// What was in the file when it was last read or written.
    #[serde(default)]
    file_hash: Option<u64>,
    /// What the record said when it was opened or saved.
    #[serde(default)]
    saved_content: Option<u64>,
    /// The library has it as a copy.
    #[serde(default)]
    copied: bool,
    /// Opened by the program at its first start.
    #[serde(default)]
    first: bool,
    /// The game is being played.
    #[serde(default)]
    played: Option<Played>,
}

/// A game that is being played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Played {
    /// The last node as it was played: its place in the order of the file.
    tip: usize,
    play: KeptPlay,
}

impl KeptGame {
    /// The last node and the state of a game that is to be played on, once it is open again.
    pub(crate) fn played(&self, session: &Session) -> Option<(crate::NodeId, KeptPlay)> {
        let played = self.played.as_ref()?;
        Some((seam_id(session.at_place(played.tip)?), played.play.clone()))
    }

    /// Nothing is lost where this one is kept instead of an older one: the same text of the same record or file, and
    /// it can be played on if the older one could.
    pub(crate) fn stands_for(&self, older: &Self) -> bool {
        let facts = |game: &Self| (game.record_id.clone(), game.file.clone(), game.file_name.clone());
        let is_played_on = older.played.is_none() || self.played.is_some();
        is_played_on && self.sgf == older.sgf && facts(self) == facts(older)
    }

    /// Opens it again.
    pub(crate) fn open(&self, id: OpenGameId) -> Result<Session, ApiError> {
        let mut session = Session::read_text(id, self.file_name.as_deref().unwrap_or_default(), &self.sgf)?;
        session.record_id.clone_from(&self.record_id);
        session.file = self.file.as_deref().map(|path| GameFile { path: path_from_text(path), hash: self.file_hash });
        session.is_copied = self.copied;
        session.first = self.first;
        // What was said about the file was said when it was opened.
        session.diagnostics.clear();
        if let Some(node) = session.at_place(self.node) {
            session.move_to(node);
        }
        if self.modified {
            session.saved_at = None;
            session.saved_content = self.saved_content;
        }
        Ok(session)
    }
}

impl Session {
    /// Grows whenever what is kept of it changes.
    pub(crate) fn touched(&self) -> u64 {
        self.touched
    }

    fn at_place(&self, place: usize) -> Option<NodeId> {
        self.tree.subtree(self.tree.root()).nth(place)
    }

    /// What is kept of it, and of how it is being played.
    pub(crate) fn to_kept(&self, played: Option<&PlayedNow>) -> KeptGame {
        let record = self.record();
        let played = played.and_then(|now| {
            let tip = record.node(now.tip as usize)?;
            Some(Played { tip: place_of(&record, tip), play: now.play.clone() })
        });
        KeptGame {
            sgf: record.in_utf8().to_sgf(),
            node: place_of(&record, self.current_in_record()),
            modified: self.is_modified(),
            file_name: self.file_name.clone(),
            record_id: self.record_id.clone(),
            file: self.file.as_ref().map(|file| path_to_text(&file.path)),
            file_hash: self.file.as_ref().and_then(|file| file.hash),
            saved_content: self.saved_content,
            copied: self.is_copied,
            first: self.first,
            played,
        }
    }
}

/// The place of a node in the order of the file, the root 0.
fn place_of(tree: &GameTree, node: NodeId) -> usize {
    tree.subtree(tree.root()).take_while(|&other| other != node).count()
}
