//! Why a run's folder cannot be read or written.

use std::path::{Path, PathBuf};

/// Why a run's folder cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The system.
    #[error("{} cannot be {what}: {source}", .path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// "read" or "written".
        what: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
    /// There is no run in this folder.
    #[error("{} has no run: there is no run.toml", .0.display())]
    NoRun(PathBuf),
    /// The configuration makes no sense to this version.
    #[error("{} is no configuration of a run: {reason}", .path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// Where it stops making sense.
        reason: String,
    },
    /// A file is larger than such a file can be.
    #[error("{} holds more than {} MiB, which is too much for such a file", .path.display(), .limit >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Bytes that are read at most.
        limit: u64,
    },
    /// A generation or a game is not there.
    #[error("{0} is not in this run")]
    Missing(String),
}

impl FolderError {
    /// What is wrong with the text of a configuration, with its line.
    #[must_use]
    pub fn config(path: &Path, text: &str, error: &toml::de::Error) -> Self {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(String::new(), |before| format!("line {}: ", before.matches('\n').count() + 1));
        Self::Config { path: path.to_path_buf(), reason: format!("{line}{}", error.message()) }
    }

    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "look at the disk's space and rights; the run goes on from its last whole step",
            Self::NoRun(_) => "begin one with `honinbo train FOLDER`",
            Self::Config { .. } => "mend it; docs/training.md has every setting",
            Self::TooLarge { .. } => "move the file away; the run does not need it",
            Self::Missing(_) => "look at the run's folder: the file may have been removed",
        }
    }

    pub(crate) fn reading(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        |source| Self::Io { path, what: "read", source }
    }

    pub(crate) fn writing(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        |source| Self::Io { path, what: "written", source }
    }
}
