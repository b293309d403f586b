//! Whether a game is saved, and where.

use super::Session;
use crate::games::game_file::GameFile;
use crate::{ClosedGame, SavePlace};
use honinbo_record::{GameTree, replay};
use honinbo_rules::Move;

/// What a game says at one moment, to be written while it goes on.
pub(crate) struct Snapshot {
    pub(crate) tree: GameTree,
    pub(crate) record_id: Option<String>,
    /// Nothing was played yet at the position that is shown.
    pub(crate) is_unplayed: bool,
    state: u64,
}

impl Snapshot {
    /// As SGF, in UTF-8.
    pub(crate) fn to_sgf(&self) -> String {
        self.tree.in_utf8().to_sgf()
    }
}

impl Session {
    /// The last change of what the game says now; 0 where there is none.
    fn state(&self) -> u64 {
        self.record_changes().last().map_or(0, |done| done.number)
    }

    /// What the game says now.
    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot {
            tree: self.record().into_owned(),
            record_id: self.record_id.clone(),
            is_unplayed: self.game().turns().is_empty(),
            state: self.state(),
        }
    }

    /// Remembers that what the game said then is kept elsewhere. Windows that show it are told so by whoever kept it.
    pub(crate) fn mark_saved(&mut self, then: &Snapshot) {
        self.commented = None;
        self.saved_at = Some(then.state);
        self.saved_content = Some(then.tree.content_hash());
        self.touched += 1;
    }

    /// What the game said then is what the library has under this name.
    pub(crate) fn saved_to_library(&mut self, then: &Snapshot, record: &str) {
        self.record_id = Some(record.to_owned());
        self.file = None;
        self.mark_saved(then);
        self.looks_different();
    }

    /// The library has what the game said then as a copy beside a record that says more. The game does not belong to that
    /// record: the next save would replace what it says. A file that it belongs to is still to be saved.
    pub(crate) fn saved_as_copy(&mut self, then: &Snapshot) {
        if self.file.is_none() {
            self.is_copied = true;
            self.mark_saved(then);
            self.looks_different();
        }
    }

    /// What the game said then is what the library has under this name, as of every game that is played. A file that it
    /// belongs to does not say so: that is still to be saved.
    pub(crate) fn kept_while_played(&mut self, then: &Snapshot, record: &str) {
        self.record_id = Some(record.to_owned());
        match self.file {
            None => self.mark_saved(then),
            Some(_) => self.touched += 1,
        }
    }

    /// What the game said then is what this file says.
    pub(crate) fn saved_to_file(&mut self, then: &Snapshot, file: GameFile) {
        self.file_name = file.path.file_name().map(|name| name.to_string_lossy().into_owned());
        self.file = Some(file);
        self.mark_saved(then);
        self.looks_different();
    }

    /// Something was changed since the game was opened or saved.
    pub(crate) fn is_modified(&self) -> bool {
        self.saved_at != Some(self.state())
    }

    /// It says something else than when it was opened or saved. What was changed and changed back is no difference.
    fn differs(&self) -> bool {
        self.saved_content.map_or_else(|| self.is_modified(), |saved| saved != self.record().content_hash())
    }

    /// A file or the library has it, as it is or as it was.
    fn belongs(&self) -> bool {
        self.record_id.is_some() || self.file_name.is_some() || self.is_copied
    }

    /// Where changes are saved that the file or the record of the game does not have; `None` where there are no such
    /// changes, and for games that belong nowhere.
    pub(crate) fn unsaved_place(&self) -> Option<SavePlace> {
        let name = self.file.as_ref().and_then(|file| file.path.file_name());
        (!self.first && self.belongs() && self.differs()).then(|| match name {
            Some(name) => SavePlace::File { name: name.to_string_lossy().into_owned() },
            None => SavePlace::Library,
        })
    }

    /// There is nothing in it that anybody could miss.
    pub(crate) fn is_blank(&self) -> bool {
        !self.belongs() && !self.is_modified() && self.record().node_count() == 1
    }

    /// What a list of closed games shows of it.
    pub(crate) fn to_closed(&self, closed_at: u32, playing: bool) -> ClosedGame {
        let tree = self.record();
        let line: Vec<_> = tree.line_from(tree.root()).collect();
        let end = line.last().copied().unwrap_or(tree.root());
        let moves = line.iter().filter(|&&node| tree.move_at(node, self.size).is_some()).count();
        let last = tree.move_at(end, self.size).and_then(|made| made.played.ok()).and_then(Move::point);
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
            stones: replay(&tree, end).game.board().points().map(|stone| stone.map_or(0, super::sign)).collect(),
            last_move: last.map(|point| super::vertex(point, self.size)),
        }
    }
}
