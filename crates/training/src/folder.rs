//! Where everything lies in a run's folder.
//!
//! ```text
//! run.toml                  the configuration
//! networks/000000.bin.gz    the beginning, then every network that was taken, by generation
//! candidates/000001.bin.gz  every network that was made
//! rows/000001/000000.npz    rows of the games that made generation 1
//! games/000001/000000.sgf   those games
//! games/000001/000001.part  games of the file under way
//! shuffled/000001.npz       what generation 1 learns from, while it does
//! checkpoint.safetensors    the state of training
//! gates/000001.json         how generation 1 came out: the generation is finished
//! status.jsonl              what happened, line by line
//! store.json                the run's name in a store, where others play its games
//! .lock                     locked by the program that works in the folder
//! ```

use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::FolderError;
use crate::event::Event;

/// Games of a generation where `run.toml` does not say.
pub const USUAL_GAMES: u32 = 200;
/// Games of a file where `run.toml` does not say.
pub const USUAL_GAMES_PER_FILE: u32 = 50;

/// A configuration is a page of text.
const MAX_CONFIG: u64 = 1 << 20;

/// The folder or file of a generation, without its ending: `rows/000001`.
#[must_use]
pub fn numbered(folder: &Path, kind: &str, generation: u32) -> PathBuf {
    folder.join(kind).join(format!("{generation:06}"))
}

/// The file that events are noted in.
#[must_use]
pub fn status_file(folder: &Path) -> PathBuf {
    folder.join("status.jsonl")
}

/// The file that is locked by the program that works in the folder.
#[must_use]
pub fn lock_file(folder: &Path) -> PathBuf {
    folder.join(".lock")
}

/// Whether a program works in the folder. `None` where the lock does not tell: others play the games of a run in a store,
/// and not every file system has locks.
#[must_use]
pub fn is_under_way(folder: &Path) -> Option<bool> {
    // A shared lock for an instant; whoever begins to train meanwhile tries again.
    match File::open(lock_file(folder)).ok()?.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(true),
        Ok(()) if !store_file(folder).exists() => Some(false),
        Ok(()) | Err(TryLockError::Error(_)) => None,
    }
}

/// The file with the run's name in a store.
#[must_use]
pub fn store_file(folder: &Path) -> PathBuf {
    folder.join("store.json")
}

/// The games of a file under way, in the folder of a generation's games.
#[must_use]
pub fn part_file(games: &Path, file: u32) -> PathBuf {
    games.join(format!("{file:06}.part"))
}

/// The number that a file's name begins with.
#[must_use]
pub fn file_number(path: &Path) -> Option<u32> {
    path.file_name()?.to_str()?.split('.').next()?.parse().ok()
}

/// The greatest number of a folder's files; 0 where there is none.
///
/// # Errors
/// When the folder cannot be read.
pub fn last_number(folder: &Path, ending: &str) -> Result<u32, FolderError> {
    Ok(files_in(folder, ending)?.iter().filter_map(|path| file_number(path)).max().unwrap_or(0))
}

/// The generations that have a folder of a kind, such as `rows`, in their order.
///
/// # Errors
/// When the folder cannot be read.
pub fn numbered_folders(folder: &Path, kind: &str) -> Result<Vec<u32>, FolderError> {
    let mut found: Vec<u32> = files_in(&folder.join(kind), "")?
        .iter()
        .filter(|path| path.is_dir())
        .filter_map(|path| file_number(path))
        .collect();
    found.sort_unstable();
    Ok(found)
}

/// The files of a folder with this ending, in the order of their names; none where there is no folder. What a stopped
/// program left unfinished is not among them.
///
/// # Errors
/// When the folder cannot be read.
pub fn files_in(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, FolderError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(FolderError::reading(folder)(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(FolderError::reading(folder))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.ends_with(ending) && !name.starts_with('.') {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Adds an event to the status. A line that a stopped program left half is ended first.
///
/// # Errors
/// When the file cannot be written.
pub fn note(folder: &Path, event: &Event) -> Result<(), FolderError> {
    let path = status_file(folder);
    let mut line = serde_json::to_string(event).unwrap_or_default();
    line.push('\n');
    let mut noted = || -> std::io::Result<()> {
        let mut file = File::options().create(true).read(true).append(true).open(&path)?;
        let mut last = [b'\n'];
        if file.metadata()?.len() > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        if last != *b"\n" {
            line.insert(0, '\n');
        }
        file.write_all(line.as_bytes())
    };
    noted().map_err(FolderError::writing(&path))
}

/// What a status needs of `run.toml`. Settings that this version does not know are no obstacle to looking.
#[derive(Debug, Deserialize)]
pub(crate) struct Outline {
    pub(crate) boards: Vec<OutlineBoard>,
    #[serde(default)]
    pub(crate) selfplay: OutlineGames,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
pub(crate) struct OutlineBoard {
    pub(crate) width: u8,
    pub(crate) height: u8,
    pub(crate) torus: bool,
}

impl Default for OutlineBoard {
    fn default() -> Self {
        Self { width: 7, height: 7, torus: false }
    }
}

#[derive(Debug, Deserialize)]
#[serde(default)]
pub(crate) struct OutlineGames {
    pub(crate) games: u32,
    pub(crate) games_per_file: u32,
}

impl Default for OutlineGames {
    fn default() -> Self {
        Self { games: USUAL_GAMES, games_per_file: USUAL_GAMES_PER_FILE }
    }
}

impl Outline {
    pub(crate) fn read(folder: &Path) -> Result<Self, FolderError> {
        let path = folder.join("run.toml");
        if !path.exists() {
            return Err(FolderError::NoRun(folder.to_path_buf()));
        }
        let text = String::from_utf8_lossy(&read_within(&path, MAX_CONFIG)?).into_owned();
        match toml::from_str::<Self>(&text) {
            Ok(outline) if outline.boards.is_empty() => {
                Err(FolderError::Config { path, reason: "it names no board".to_owned() })
            }
            Ok(outline) => Ok(outline),
            Err(error) => Err(FolderError::config(&path, &text, &error)),
        }
    }
}

/// A file's bytes, unless there are too many.
pub(crate) fn read_within(path: &Path, limit: u64) -> Result<Vec<u8>, FolderError> {
    let file = File::open(path).map_err(FolderError::reading(path))?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(FolderError::reading(path))?;
    if bytes.len() as u64 > limit {
        return Err(FolderError::TooLarge { path: path.to_path_buf(), limit });
    }
    Ok(bytes)
}
