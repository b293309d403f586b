//! An open game as it is kept for the next start of the program.

use super::Session;
use crate::{ApiError, GameId};
use serde::{Deserialize, Serialize};

/// An open game as it is kept for the next start of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
}

impl KeptGame {
    /// Opens it again.
    pub(crate) fn open(&self, id: GameId) -> Result<Session, ApiError> {
        let mut session = Session::read(id, self.file_name.as_deref().unwrap_or_default(), self.sgf.as_bytes())?;
        session.record_id.clone_from(&self.record_id);
        // What was said about the file was said when it was opened.
        session.diagnostics.clear();
        let node = session.tree.subtree(session.tree.root()).nth(self.node);
        if let Some(node) = node {
            session.move_to(node);
        }
        if self.modified {
            session.saved_at = None;
        }
        Ok(session)
    }
}

impl Session {
    /// Grows whenever what is kept of it changes.
    pub(crate) fn touched(&self) -> u64 {
        self.touched
    }

    /// What is kept of it.
    pub(crate) fn to_kept(&self) -> KeptGame {
        KeptGame {
            sgf: self.to_sgf(),
            node: self.tree.subtree(self.tree.root()).take_while(|&node| node != self.current).count(),
            modified: self.is_modified(),
            file_name: self.file_name.clone(),
            record_id: self.record_id.clone(),
        }
    }
}
