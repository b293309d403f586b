//! The open games in the data folder, so that they are there again after a restart, a crash or a power cut.

use crate::games::OpenGame;
use crate::games::played::{KeptPlay, PlayedNow};
use crate::games::session::{KeptGame, Session};
use crate::{Host, NodeId, NotKept, OpenGameId};
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder `open` of a data folder: a file for each open game, named by it (`g3.json`).
///
/// One program at a time has it; the lock goes with the program, however it ends.
pub(crate) struct OpenGamesFolder {
    folder: PathBuf,
    /// Holds the lock.
    _lock: File,
    /// What was last written of each game.
    written: HashMap<OpenGameId, Count>,
    /// Why the last write failed.
    failure: Option<io::Error>,
}

/// Counts the changes of a game, and those of how it is played where it is.
pub(crate) type Count = (u64, Option<u32>);

/// A game of the folder, opened, and how it is to be played on where it was being played.
pub(crate) type Opened = (Session, Option<(NodeId, KeptPlay)>);

/// What an earlier run has kept.
pub(crate) struct Kept {
    pub(crate) games: Vec<Opened>,
    /// How many of them had unsaved changes when the program ended without saying so.
    pub(crate) recovered: u32,
    /// Where those are that cannot be opened again.
    pub(crate) set_aside: Vec<PathBuf>,
}

impl OpenGamesFolder {
    /// Takes the folder, unless another program has it or nothing can be written there.
    ///
    /// A program that is just ending still has it: whoever closes the window and starts again at once waits for that, and
    /// has the games of before.
    pub(crate) fn claim(data_dir: &Path) -> Result<Self, NotKept> {
        let folder = data_dir.join("open");
        let lock = std::fs::create_dir_all(&folder).and_then(|()| crate::disk::lock(&folder.join("lock")));
        let lock = lock.map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => NotKept::AnotherProgram,
            _ => unwritable(&folder, &error),
        })?;
        Ok(Self { folder, _lock: lock, written: HashMap::new(), failure: None })
    }

    /// The kept games in the order in which they were opened, under new names from `g1` on.
    pub(crate) fn read(&self) -> Kept {
        let clean = self.folder.join("ended");
        let ended_well = clean.exists();
        let _ = std::fs::remove_file(clean);
        let (mut games, mut recovered, mut set_aside) = (Vec::new(), 0, Vec::new());
        for (_, path) in self.files() {
            let kept: Result<KeptGame, String> = std::fs::read(&path)
                .map_err(|error| error.to_string())
                .and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string()));
            let id = format!("g{}", games.len() + 1);
            match kept.and_then(|kept| Ok((kept.open(id).map_err(|error| error.to_string())?, kept))) {
                Ok((session, kept)) => {
                    recovered += u32::from(kept.modified && !ended_well);
                    let played = kept.played(&session);
                    games.push((session, played));
                }
                Err(error) => {
                    tracing::warn!(file = %path.display(), error, "a game that was open cannot be opened again");
                    set_aside.push(crate::disk::set_aside(&path, &path.with_extension("unreadable")));
                }
            }
        }
        Kept { games, recovered, set_aside }
    }

    /// The games that changed since they were last written, as they are now.
    pub(crate) fn changed(
        &self,
        open: &[Arc<OpenGame>],
        played: &HashMap<OpenGameId, PlayedNow>,
    ) -> Vec<(OpenGameId, Count, KeptGame)> {
        let mut changed = Vec::new();
        for game in open.iter().rev() {
            let now = played.get(&game.id);
            // One that is closed meanwhile is kept among the closed ones.
            let _ = game.with(|session| {
                let count = (session.touched(), now.map(|now| now.generation));
                if self.written.get(&game.id) != Some(&count) {
                    changed.push((game.id.clone(), count, session.to_kept(now)));
                }
                Ok(())
            });
        }
        changed
    }

    /// Writes games, each in one step, then removes those that are not open any more, and says why that failed.
    ///
    /// In the order of their opening: a game of an earlier run is then overwritten only after its own new file is there.
    pub(crate) fn write(
        &mut self,
        host: &dyn Host,
        present: &[OpenGameId],
        games: Vec<(OpenGameId, Count, KeptGame)>,
    ) -> Option<NotKept> {
        self.failure = None;
        for (id, count, game) in games {
            let path = self.folder.join(format!("{id}.json"));
            // It may hold the only copy of the game that just failed, under its name of the earlier run.
            if self.failure.is_some() && !self.written.contains_key(&id) && path.exists() {
                continue;
            }
            let written =
                serde_json::to_vec(&game).map_err(io::Error::from).and_then(|bytes| host.write(&path, &bytes));
            match written {
                Ok(()) => {
                    self.written.insert(id, count);
                }
                Err(error) => {
                    tracing::warn!(file = %path.display(), %error, "an open game could not be kept");
                    self.failure.get_or_insert(error);
                }
            }
        }
        self.written.retain(|id, _| present.contains(id));
        if let Some(error) = &self.failure {
            return Some(unwritable(&self.folder, error));
        }
        for (serial, path) in self.files() {
            if !present.iter().any(|id| *id == format!("g{serial}")) {
                let _ = std::fs::remove_file(path);
            }
        }
        None
    }

    /// Says that the program ended as it should, with every game as it was last.
    pub(crate) fn end(self) {
        if self.failure.is_none() {
            let _ = std::fs::write(self.folder.join("ended"), b"");
        }
    }

    /// Files of games by the number in their name.
    fn files(&self) -> Vec<(u64, PathBuf)> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        let mut files: Vec<(u64, PathBuf)> = entries
            .flatten()
            .filter_map(|entry| {
                let path = entry.path();
                let serial = path.file_name()?.to_str()?.strip_prefix('g')?.strip_suffix(".json")?.parse().ok()?;
                Some((serial, path))
            })
            .collect();
        files.sort_unstable();
        files
    }
}

fn unwritable(folder: &Path, error: &io::Error) -> NotKept {
    NotKept::Unwritable { reason: format!("{}: {error}", folder.display()) }
}
