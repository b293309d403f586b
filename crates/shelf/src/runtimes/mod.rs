//! ONNX Runtime libraries beside the program's own.

mod table;
mod wheel;

pub use table::{KnownRuntime, RuntimeKind};

use crate::download::Download;
use crate::error::RuntimeShelfError;
use crate::part::Part;
use crate::shelf::FetchStage;
use honinbo_evaluator::StopFlag;
use honinbo_net::sha256_of;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The largest file that is fetched: the largest published one has 0.3 GB.
const MAX_BYTES: u64 = 2 << 30;
/// The file in the folder of runtimes that names the one in use.
const IN_USE: &str = "in-use";
/// The file that says what a runtime is.
const ABOUT: &str = "runtime.json";
/// The file that says that a runtime was removed: not every system deletes a library that is loaded.
const REMOVED: &str = "removed";
/// What the folder is called in which a runtime is unpacked and tried, before its name.
const ADDING: &str = ".adding-";
/// What a file of one's own is called.
const OWN: &str = "own";

/// A runtime of the data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AddedRuntime {
    /// Its name, which is that of its folder.
    pub name: String,
    /// The version of ONNX Runtime.
    pub version: String,
    /// Where it came from.
    pub source: String,
    /// Of the file that it came in.
    pub sha256: String,
}

/// Where a runtime comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuntimeSource {
    /// A wheel or a library on this machine, with the SHA-256 that it must have where one is given.
    File(PathBuf, Option<String>),
    /// A wheel that is fetched.
    Address {
        /// Where it is.
        address: String,
        /// What computes is taken by its checksum only.
        sha256: String,
        /// How large it is, where that is known.
        bytes: Option<u64>,
    },
}

impl From<&KnownRuntime> for RuntimeSource {
    fn from(known: &KnownRuntime) -> Self {
        let (address, sha256) = (known.address.to_owned(), known.sha256.to_owned());
        Self::Address { address, sha256, bytes: Some(known.bytes) }
    }
}

impl RuntimeSource {
    fn sha256(&self) -> Option<&str> {
        match self {
            Self::File(_, sha256) => sha256.as_deref(),
            Self::Address { sha256, .. } => Some(sha256),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::File(path, _) => path.display().to_string(),
            Self::Address { address, .. } => address.clone(),
        }
    }
}

/// Loads the library of a folder where a wrong one does no harm, and gives its version or why it cannot be used.
pub type TryLibrary<'a> = &'a dyn Fn(&Path) -> Result<String, String>;

/// The runtimes of one data folder. Knows no state but what lies there, so that several programs may have one.
#[derive(Debug, Clone)]
pub struct RuntimeShelf {
    folder: PathBuf,
}

impl RuntimeShelf {
    /// Those in `runtimes/` of the data folder.
    pub fn new(data_dir: &Path) -> Self {
        Self { folder: data_dir.join("runtimes") }
    }

    /// The folder of a runtime.
    pub fn folder_of(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The one that is used from the next start on in place of the program's own.
    pub fn in_use(&self) -> Option<String> {
        let text = fs::read_to_string(self.folder.join(IN_USE)).ok()?;
        let name = text.trim();
        let is_here = check_name(name).is_ok() && self.folder_of(name).is_dir() && !self.is_removed(name);
        is_here.then(|| name.to_owned())
    }

    /// Those that are here, by name.
    pub fn added(&self) -> Vec<AddedRuntime> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut added: Vec<AddedRuntime> = entries
            .filter_map(|entry| {
                let about: AddedRuntime = serde_json::from_slice(&fs::read(entry.path().join(ABOUT)).ok()?).ok()?;
                // One that a program was adding when it ended has another folder still.
                (entry.file_name() == about.name.as_str()).then_some(about)
            })
            .collect();
        added.sort_by(|a, b| a.name.cmp(&b.name));
        added
    }

    /// A name for a file of one's own that nothing has yet.
    pub fn free_name(&self) -> String {
        let mut names = std::iter::once(OWN.to_owned()).chain((2..).map(|number| format!("{OWN}-{number}")));
        names.find(|name| !self.folder_of(name).exists()).unwrap_or_default()
    }

    /// Bytes that an earlier, broken-off fetch left.
    pub fn begun(&self, name: &str) -> u64 {
        fs::metadata(Part::path_in(&self.folder, name)).map_or(0, |metadata| metadata.len())
    }

    /// Adds a runtime under this name, and has it used from the next start on. What was broken off goes on where it was;
    /// nothing is kept that `try_library` refuses.
    ///
    /// # Errors
    /// [`RuntimeShelfError`].
    pub fn add(
        &self,
        name: &str,
        source: &RuntimeSource,
        try_library: TryLibrary<'_>,
        progress: &dyn Fn(FetchStage),
        stop: &StopFlag,
    ) -> Result<AddedRuntime, RuntimeShelfError> {
        check_name(name)?;
        let target = self.folder_of(name);
        fs::create_dir_all(&self.folder).map_err(|error| unusable(&self.folder, error))?;
        self.sweep();
        if self.is_removed(name) {
            return Err(RuntimeShelfError::StillLoaded(name.to_owned()));
        }
        if target.exists() {
            return Err(RuntimeShelfError::Taken(name.to_owned()));
        }
        // Held for a file as well: it is whose the folder is in which the runtime is tried.
        let part = Part::hold(&self.folder, name)?;
        match source {
            RuntimeSource::File(path, _) => {
                progress(FetchStage::Checking);
                self.keep(name, source, path, try_library)
            }
            RuntimeSource::Address { address, bytes, .. } => {
                let download = Download::new(address, &part, bytes.unwrap_or(MAX_BYTES));
                download.run(&|bytes, total| progress(FetchStage::Downloading(bytes, total)), stop)?;
                progress(FetchStage::Checking);
                let kept = self.keep(name, source, part.path(), try_library);
                part.remove(); // What is not the right file is nothing to go on from.
                kept
            }
        }
    }

    fn keep(
        &self,
        name: &str,
        source: &RuntimeSource,
        file: &Path,
        try_library: TryLibrary<'_>,
    ) -> Result<AddedRuntime, RuntimeShelfError> {
        let sha256 = sha256_of(file).map_err(|error| unusable(file, error))?;
        if let Some(expected) = source.sha256().filter(|expected| *expected != sha256) {
            let (source, expected) = (source.text(), expected.to_owned());
            return Err(RuntimeShelfError::Checksum { source_name: source, expected, found: sha256 });
        }
        // Unpacked beside its place and renamed, so that a stopped program leaves no half of it.
        let fresh = tempfile::Builder::new()
            .prefix(ADDING)
            .suffix(name)
            .rand_bytes(0)
            .tempdir_in(&self.folder)
            .map_err(|error| unusable(&self.folder, error))?;
        wheel::unpack(file, fresh.path())?;
        let version = try_library(fresh.path())
            .map_err(|reason| RuntimeShelfError::Unusable { source_name: source.text(), reason })?;
        let added = AddedRuntime { name: name.into(), version, source: source.text(), sha256 };
        let about = fresh.path().join(ABOUT);
        let text = serde_json::to_vec_pretty(&added).map_err(|error| unusable(&about, error.into()))?;
        fs::write(&about, text).map_err(|error| unusable(&about, error))?;
        let target = self.folder_of(name);
        // What is left of `fresh` after that is its name, of nothing.
        fs::rename(fresh.path(), &target).map_err(|error| unusable(&target, error))?;
        fs::write(self.folder.join(IN_USE), name).map_err(|error| unusable(&self.folder, error))?;
        Ok(added)
    }

    /// Takes a runtime, or what was begun of one, away; answers whether it was the one in use, in whose place the program's
    /// own is from the next start on.
    ///
    /// # Errors
    /// [`RuntimeShelfError::BadName`], [`RuntimeShelfError::Missing`], [`RuntimeShelfError::Folder`], and
    /// [`RuntimeShelfError::Download`] while another program fetches it.
    pub fn remove(&self, name: &str) -> Result<bool, RuntimeShelfError> {
        check_name(name)?;
        let was_in_use = self.in_use().as_deref() == Some(name);
        if was_in_use {
            remove_file(&self.folder.join(IN_USE))?;
        }
        let folder = self.folder_of(name);
        let was_begun = self.folder.is_dir() && self.remove_begun(name)?;
        let was_added = folder.is_dir() && !self.is_removed(name);
        if !was_begun && !was_added {
            return Err(RuntimeShelfError::Missing(name.to_owned()));
        }
        if was_added {
            fs::write(folder.join(REMOVED), "").map_err(|error| unusable(&folder, error))?;
            remove_file(&folder.join(ABOUT))?;
        }
        self.sweep();
        Ok(was_in_use)
    }

    /// Deletes what was begun of a fetch; answers whether there was anything.
    fn remove_begun(&self, name: &str) -> Result<bool, RuntimeShelfError> {
        let part = Part::hold(&self.folder, name)?;
        part.forget();
        remove_file(part.path())
    }

    /// Deletes what was removed, as far as no program has it loaded, and what programs left that ended while they added a
    /// runtime; the rest goes another time.
    pub fn sweep(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let deleted = match name.to_str().and_then(|name| name.strip_prefix(ADDING)) {
                Some(name) => self.remove_left(name, &path),
                None if path.join(REMOVED).exists() => fs::remove_dir_all(&path),
                None => continue,
            };
            if let Err(error) = deleted {
                tracing::warn!(%error, path = %path.display(), "what is left of a runtime is not deleted yet");
            }
        }
    }

    /// Deletes the folder in which a runtime was tried, unless a program that runs is adding that one.
    fn remove_left(&self, name: &str, path: &Path) -> io::Result<()> {
        if check_name(name).is_err() {
            return Ok(());
        }
        match Part::hold(&self.folder, name) {
            Ok(part) if part.is_locked() && path.is_dir() => fs::remove_dir_all(path),
            // Somebody may be adding it.
            _ => Ok(()),
        }
    }

    fn is_removed(&self, name: &str) -> bool {
        self.folder_of(name).join(REMOVED).exists()
    }
}

/// Deletes a file; answers whether there was one.
fn remove_file(path: &Path) -> Result<bool, RuntimeShelfError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(unusable(path, error)),
    }
}

fn unusable(path: &Path, source: io::Error) -> RuntimeShelfError {
    RuntimeShelfError::Folder { path: path.to_owned(), source }
}

/// A name that is one folder on every system.
fn check_name(name: &str) -> Result<(), RuntimeShelfError> {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    if plain && !name.is_empty() && name.len() <= 60 && !name.starts_with(['.', '-']) && name != IN_USE {
        return Ok(());
    }
    Err(RuntimeShelfError::BadName(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for bad in ["", ".", "..", "a/b", "a\\b", "in-use", "-a", "a b", ".hidden"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
        assert!(check_name("cuda-1.31").is_ok());
    }
}
