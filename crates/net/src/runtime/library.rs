//! Where ONNX Runtime comes from.
//!
//! Nothing is linked: the library is found and loaded when the first network is opened, and stays for the process.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ort::environment::Environment;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::trunk_op::introduce_domain;

/// Environment variable with the path of the library.
pub const LIBRARY_VARIABLE: &str = "HONINBO_ONNXRUNTIME";

/// Where to look for the library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LibrarySearch {
    /// This file and no other.
    pub explicit: Option<PathBuf>,
    /// Folders to look into, in this order, when no file is named.
    pub folders: Vec<PathBuf>,
}

impl LibrarySearch {
    /// The file named by `explicit`, else by the environment variable [`LIBRARY_VARIABLE`], else what the folders hold.
    #[must_use]
    pub fn new(explicit: Option<PathBuf>, folders: Vec<PathBuf>) -> Self {
        let from_environment = || std::env::var_os(LIBRARY_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
        Self { explicit: explicit.or_else(from_environment), folders }
    }

    /// The first library there is.
    ///
    /// # Errors
    /// [`RuntimeError::Missing`] with every place looked at.
    pub fn find(&self) -> Result<PathBuf, RuntimeError> {
        if let Some(path) = &self.explicit {
            return if path.is_file() {
                Ok(path.clone())
            } else {
                Err(RuntimeError::Missing { looked: vec![path.clone()] })
            };
        }
        self.folders
            .iter()
            .find_map(|folder| in_folder(folder))
            .ok_or_else(|| RuntimeError::Missing { looked: self.folders.clone() })
    }
}

/// The library in a folder, by the names it has on the platforms; of several versions the highest.
fn in_folder(folder: &Path) -> Option<PathBuf> {
    let plain = format!("{}onnxruntime{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let exact = folder.join(&plain);
    if exact.is_file() {
        return Some(exact);
    }
    let mut versions: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let versioned = name.starts_with(&format!("{plain}."));
            let mac = name.starts_with("libonnxruntime.") && name.ends_with(".dylib");
            (versioned || mac) && path.is_file()
        })
        .collect();
    versions.sort();
    versions.pop()
}

/// Why ONNX Runtime cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuntimeError {
    /// There is no library.
    #[error("ONNX Runtime was not found, looked at {}", list(looked))]
    Missing {
        /// Files and folders looked at.
        looked: Vec<PathBuf>,
    },
    /// The file is no library, or one for another kind of machine.
    #[error("{} is not a usable ONNX Runtime library: {reason}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The library is older than needed.
    #[error("{} is ONNX Runtime {found}, at least 1.{needed} is needed", path.display())]
    TooOld {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: String,
        /// The lowest minor version that works.
        needed: u32,
    },
    /// Another library was loaded earlier.
    #[error("ONNX Runtime was already loaded from {}, {} cannot be loaded beside it", loaded.display(), path.display())]
    AlreadyLoaded {
        /// The one in use.
        loaded: PathBuf,
        /// The one asked for.
        path: PathBuf,
    },
}

impl RuntimeError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing { .. } => {
                "install Honinbo again, or set HONINBO_ONNXRUNTIME to the path of the ONNX Runtime library"
            }
            Self::Unusable { .. } | Self::TooOld { .. } => {
                "install Honinbo again, or point HONINBO_ONNXRUNTIME to a newer ONNX Runtime for this machine"
            }
            Self::AlreadyLoaded { .. } => "start Honinbo again to use the other library",
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        return "no place at all".into();
    }
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// ONNX Runtime, loaded. One for the process; clones share it.
#[derive(Debug, Clone)]
pub struct Runtime(Arc<Loaded>);

#[derive(Debug)]
struct Loaded {
    environment: Environment,
    path: PathBuf,
    build: String,
}

static RUNTIME: OnceLock<Runtime> = OnceLock::new();
static LOADING: Mutex<()> = Mutex::new(());

impl Runtime {
    /// Loads the library, or returns the one already loaded.
    ///
    /// # Errors
    /// See [`RuntimeError`]. After a failure another library may be tried.
    pub fn load(search: &LibrarySearch) -> Result<Runtime, RuntimeError> {
        let _one_at_a_time = LOADING.lock();
        if let Some(runtime) = RUNTIME.get() {
            return match &search.explicit {
                Some(path) if !same_file(path, &runtime.0.path) => {
                    search.find()?;
                    Err(RuntimeError::AlreadyLoaded { loaded: runtime.0.path.clone(), path: path.clone() })
                }
                _ => Ok(runtime.clone()),
            };
        }
        let path = search.find()?;
        let path = path.canonicalize().unwrap_or(path);
        let unusable = |reason: String| RuntimeError::Unusable { path: path.clone(), reason };
        let builder = ort::init_from(&path).map_err(|error| match error {
            ort::LoadDynamicError::BadVersion { version_str, .. } => {
                RuntimeError::TooOld { path: path.clone(), found: version_str, needed: ort::MINOR_VERSION }
            }
            ort::LoadDynamicError::Dlopen { error, .. } => unusable(error.to_string()),
            ort::LoadDynamicError::MissingApi { .. } => unusable("it is another library".into()),
            ort::LoadDynamicError::InvalidVersionString => unusable("its version is unreadable".into()),
        })?;
        let environment = builder
            .with_name("honinbo")
            .with_telemetry(false)
            .build()
            .map_err(|error| unusable(error.message().to_string()))?;
        environment.set_log_level(ort::logging::LogLevel::Error);
        introduce_domain(&environment).map_err(|error| unusable(error.message().to_string()))?;
        let runtime = Runtime(Arc::new(Loaded { environment, path, build: ort::info().to_string() }));
        Ok(RUNTIME.get_or_init(|| runtime).clone())
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.0.environment
    }

    /// The library's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The library's version: its release, like `1.31.1`, or the commit that it was built from, like `commit 6af1a93`.
    #[must_use]
    pub fn version(&self) -> String {
        version_of(&self.0.build)
    }

    /// Eight digits that differ between builds of the library; part of the names of cached files.
    pub(crate) fn fingerprint(&self) -> String {
        Sha256::digest(self.0.build.as_bytes()).iter().take(4).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The version in what the library says of its build: `git-branch=rel-1.31.1, git-commit-id=6af1a93, …`. Builds that were
/// not made from a release branch say `git-branch=HEAD`.
fn version_of(build: &str) -> String {
    let value = |name: &str| {
        let rest = build.split(name).nth(1)?.strip_prefix('=')?;
        rest.split([',', ' ']).next().filter(|value| !value.is_empty())
    };
    match (value("git-branch").and_then(|branch| branch.strip_prefix("rel-")), value("git-commit-id")) {
        (Some(release), _) => release.to_owned(),
        (None, Some(commit)) => format!("commit {commit}"),
        (None, None) => "unknown".to_owned(),
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    full(a) == full(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_told_with_the_places_looked_at() {
        let search = LibrarySearch { explicit: Some("/nowhere/libonnxruntime.so".into()), folders: Vec::new() };
        let error = Runtime::load(&search).unwrap_err();
        assert_eq!(error.to_string(), "ONNX Runtime was not found, looked at /nowhere/libonnxruntime.so");
        let search = LibrarySearch { explicit: None, folders: vec!["/nowhere".into(), "/neither".into()] };
        assert_eq!(search.find().unwrap_err().to_string(), "ONNX Runtime was not found, looked at /nowhere, /neither");
    }

    #[test]
    fn a_build_is_named_by_its_release_or_its_commit() {
        let build = |text: &str| version_of(&format!("ORT Build Info: {text}, build type=Release"));
        assert_eq!(build("git-branch=rel-1.31.1, git-commit-id=6af1a93"), "1.31.1");
        assert_eq!(build("git-branch=HEAD, git-commit-id=6af1a93"), "commit 6af1a93");
        assert_eq!(build("nothing"), "unknown");
    }

    #[test]
    fn a_text_file_is_no_library() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("libonnxruntime.so");
        std::fs::write(&path, "hello").unwrap();
        let error = Runtime::load(&LibrarySearch { explicit: Some(path), folders: Vec::new() }).unwrap_err();
        // When another test has loaded the real library already, that is the reason given.
        assert!(matches!(error, RuntimeError::Unusable { .. } | RuntimeError::AlreadyLoaded { .. }), "{error}");
    }

    #[test]
    fn the_highest_version_in_a_folder_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let plain = format!("{}onnxruntime{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        std::fs::write(folder.path().join(format!("{plain}.1.30.0")), "").unwrap();
        std::fs::write(folder.path().join(format!("{plain}.1.31.1")), "").unwrap();
        let search = LibrarySearch { explicit: None, folders: vec![folder.path().to_path_buf()] };
        if cfg!(target_os = "linux") {
            assert!(search.find().unwrap().ends_with(format!("{plain}.1.31.1")));
        }
    }
}
