//! The last closed games in the data folder, so that none is lost by closing it.

use crate::changes::Changes;
use crate::games::session::KeptGame;
use crate::{ApiError, ClosedGame, Host};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Closed games that are kept; an older one makes room for a new one.
const MAX_CLOSED: usize = 20;

/// The folder `closed` of a data folder: a file for each game, numbered in the order of their closing (`c7.json`).
///
/// Nothing of it is kept in memory: programs that share a data folder share the list.
pub(crate) struct ClosedGames {
    folder: PathBuf,
    /// One change of the folder at a time.
    changing: Mutex<()>,
    /// Where those are that could not be read.
    set_aside: Mutex<Vec<PathBuf>>,
    pub(crate) changes: Changes,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    shown: ClosedGame,
    game: KeptGame,
}

impl ClosedGames {
    pub(crate) fn new(data_dir: &Path) -> Self {
        Self {
            folder: data_dir.join("closed"),
            changing: Mutex::default(),
            set_aside: Mutex::default(),
            changes: Changes::default(),
        }
    }

    /// Those that can be opened again, the last closed first. One that cannot be read is set aside.
    pub(crate) fn list(&self) -> Vec<ClosedGame> {
        self.read().into_iter().map(|(_, kept)| kept.shown).collect()
    }

    /// Where those are that this run could not read.
    pub(crate) fn set_aside(&self) -> Vec<PathBuf> {
        self.set_aside.lock().clone()
    }

    /// Keeps a game that is being closed, and gives the name it is kept under. An older copy that it stands for is let
    /// go.
    pub(crate) fn add(&self, host: &dyn Host, shown: ClosedGame, game: KeptGame) -> std::io::Result<String> {
        let _changing = self.changing.lock();
        std::fs::create_dir_all(&self.folder)?;
        let known = self.read();
        let bytes = serde_json::to_vec(&Kept { shown, game: game.clone() }).map_err(std::io::Error::other)?;
        let serial = self.claim()?;
        host.write(&self.path(serial), &bytes).inspect_err(|_| {
            let _ = std::fs::remove_file(self.path(serial));
        })?;
        let needless = |kept: &Kept| game.stands_for(&kept.game);
        let different = known.iter().filter(|(_, kept)| !needless(kept)).map(|(serial, _)| *serial);
        let old = different
            .skip(MAX_CLOSED - 1)
            .chain(known.iter().filter(|(_, kept)| needless(kept)).map(|(serial, _)| *serial));
        for serial in old {
            let _ = std::fs::remove_file(self.path(serial));
        }
        self.changes.note();
        Ok(name(serial))
    }

    /// Takes the next free number by an empty file, so that no other program takes it.
    fn claim(&self) -> std::io::Result<u64> {
        let mut serial = self.files().first().map_or(0, |(serial, _)| *serial);
        loop {
            serial += 1;
            match File::create_new(self.path(serial)) {
                Ok(_) => return Ok(serial),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// A game as it was kept.
    pub(crate) fn get(&self, id: &str) -> Result<KeptGame, ApiError> {
        let gone = || ApiError::NotFound { message: "that closed game is not kept any more".into() };
        let (_, kept) = self.read().into_iter().find(|(serial, _)| name(*serial) == id).ok_or_else(gone)?;
        Ok(kept.game)
    }

    /// Takes a game from the list.
    pub(crate) fn remove(&self, id: &str) {
        let _changing = self.changing.lock();
        if let Some(serial) = serial_of(id) {
            let _ = std::fs::remove_file(self.path(serial));
            self.changes.note();
        }
    }

    fn path(&self, serial: u64) -> PathBuf {
        self.folder.join(name(serial)).with_extension("json")
    }

    /// Files of games by the number in their name, the last closed first.
    fn files(&self) -> Vec<(u64, PathBuf)> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        let named = |path: PathBuf| Some((serial_of(path.file_name()?.to_str()?.strip_suffix(".json")?)?, path));
        let mut files: Vec<(u64, PathBuf)> = entries.flatten().filter_map(|entry| named(entry.path())).collect();
        files.sort_unstable_by(|one, other| other.cmp(one));
        files
    }

    fn read(&self) -> Vec<(u64, Kept)> {
        let mut games = Vec::new();
        for (serial, path) in self.files() {
            let kept = match std::fs::read(&path) {
                // Claimed, and not written yet.
                Ok(bytes) if bytes.is_empty() => continue,
                read => read.and_then(|bytes| Ok(serde_json::from_slice::<Kept>(&bytes)?)),
            };
            match kept {
                Ok(mut kept) => {
                    kept.shown.id = name(serial);
                    games.push((serial, kept));
                }
                // Another program took it meanwhile.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => {
                    tracing::warn!(file = %path.display(), %error, "a closed game cannot be read");
                    let aside = crate::disk::set_aside(&path, &path.with_extension("unreadable"));
                    self.set_aside.lock().push(aside);
                }
            }
        }
        games
    }
}

fn name(serial: u64) -> String {
    format!("c{serial}")
}

fn serial_of(name: &str) -> Option<u64> {
    name.strip_prefix('c')?.parse().ok()
}
