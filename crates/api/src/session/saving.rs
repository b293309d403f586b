//! Whether a game is saved, and where.

use super::Session;
use crate::{ClosedGame, SavePlace};
use honinbo_record::replay;
use honinbo_rules::Move;
use std::path::Path;

impl Session {
    /// Remembers that the state now is the one that is kept elsewhere.
    pub(crate) fn mark_saved(&mut self) {
        self.saved_at = Some(self.undo.len());
        self.saved_content = Some(self.tree.content_hash());
        self.touched += 1;
    }

    /// The game is now what the library has under this name.
    pub(crate) fn saved_to_library(&mut self, record: &str) {
        self.record_id = Some(record.to_owned());
        self.file = None;
        self.mark_saved();
    }

    /// The game is now what this file says.
    pub(crate) fn saved_to_file(&mut self, path: &Path) {
        self.file_name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        self.file = Some(path.to_owned());
        self.mark_saved();
    }

    /// Something was changed since the game was opened or saved.
    pub(crate) fn is_modified(&self) -> bool {
        self.saved_at != Some(self.undo.len())
    }

    /// It says something else than when it was opened or saved. What was changed and changed back is no difference.
    fn differs(&self) -> bool {
        self.saved_content.map_or_else(|| self.is_modified(), |saved| saved != self.tree.content_hash())
    }

    /// Where changes are saved that the file or the record of the game does not have; `None` where there are no such
    /// changes, and for games that belong nowhere.
    pub(crate) fn unsaved_place(&self) -> Option<SavePlace> {
        let belongs = !self.first && (self.record_id.is_some() || self.file_name.is_some());
        let name = self.file.as_deref().and_then(Path::file_name);
        (belongs && self.differs()).then(|| match name {
            Some(name) => SavePlace::File { name: name.to_string_lossy().into_owned() },
            None => SavePlace::Library,
        })
    }

    /// There is nothing in it that anybody could miss.
    pub(crate) fn is_blank(&self) -> bool {
        let belongs = self.record_id.is_some() || self.file_name.is_some();
        !belongs && !self.is_modified() && self.tree.node_count() == 1
    }

    /// What a list of closed games shows of it.
    pub(crate) fn to_closed(&self, closed_at: u32, playing: bool) -> ClosedGame {
        let line: Vec<_> = self.tree.line_from(self.tree.root()).collect();
        let end = line.last().copied().unwrap_or(self.tree.root());
        let moves = line.iter().filter(|&&node| self.tree.move_at(node, self.size).is_some()).count();
        let last = self.tree.move_at(end, self.size).and_then(|made| made.played.ok()).and_then(Move::point);
        let small = |side: usize| u8::try_from(side).unwrap_or(u8::MAX);
        ClosedGame {
            id: String::new(),
            info: self.info(),
            file_name: self.file_name.clone(),
            record_id: self.record_id.clone(),
            closed_at,
            unsaved: self.differs(),
            playing,
            moves: u32::try_from(moves).unwrap_or(u32::MAX),
            width: small(self.size.width()),
            height: small(self.size.height()),
            stones: replay(&self.tree, end).game.board().points().map(|stone| stone.map_or(0, super::sign)).collect(),
            last_move: last.map(|point| super::vertex(point, self.size)),
        }
    }
}
