//! What can go wrong between two networks.

use std::path::{Path, PathBuf};

use honinbo_evaluator::EvalError;
use honinbo_net::{FileError, NetworkError, RuntimeError, SessionError};
use honinbo_players::ContestError;
use honinbo_remote::ConnectError;
use honinbo_search::SearchError;
use honinbo_training::{FolderError, file_number};

use crate::store::StoreError;
use crate::tables::TableDefect;

/// Why a step did not come to its end. What was there before it is there still.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// Inference servers cannot be used as they were named.
    #[error(transparent)]
    Inference(#[from] ConnectError),
    /// A file or folder of the run.
    #[error("{} cannot be {what}: {source}", .path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// "read" or "written".
        what: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
    /// A number of the configuration.
    #[error("{what} is {value}; expected {expected}")]
    Setting {
        /// Its name.
        what: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// A run has begun with other settings than those that are asked for.
    #[error("this run has begun with other settings: {differences}")]
    Begun {
        /// Which: what they are, and what was asked for.
        differences: String,
    },
    /// A network to begin with was given for a run that has begun.
    #[error("this run has begun, with another network")]
    HasBegun,
    /// The folder of the run: no run is there, its configuration makes no sense, or the system refuses.
    #[error(transparent)]
    Folder(FolderError),
    /// Another program works in this folder.
    #[error("{} is being trained in already", .0.display())]
    Busy(PathBuf),
    /// A file of rows.
    #[error("{}: {defect}", .path.display())]
    Rows {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        defect: RowDefect,
    },
    /// A table of rows.
    #[error("{}: {defect}", .path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        defect: TableDefect,
    },
    /// There is nothing to learn from.
    #[error("there are no rows to learn from in {}", .0.display())]
    NoRows(PathBuf),
    /// There is no network that could be let play.
    #[error("generation {0} has no network yet")]
    NotFitted(u32),
    /// A network file of the run.
    #[error("{}: {source}", .path.display())]
    NetworkFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<FileError>,
    },
    /// A network that can be read but not trained.
    #[error("the network {name} cannot be trained: {reason}")]
    Untrainable {
        /// Its name.
        name: String,
        /// What it has that training does not know.
        reason: &'static str,
    },
    /// The state of training.
    #[error("{} is damaged: {reason}", .path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The numbers ran away.
    #[error("the network became not a number in step {step} of generation {generation}")]
    NotFinite {
        /// From 1.
        generation: u32,
        /// From 1.
        step: usize,
    },
    /// The training framework.
    #[error("the training failed: {0}")]
    Framework(Box<candle_core::Error>),
    /// The library that runs networks.
    #[error(transparent)]
    Runtime(Box<RuntimeError>),
    /// A network cannot be run.
    #[error(transparent)]
    Network(Box<NetworkError>),
    /// A network cannot be run on this board.
    #[error(transparent)]
    Session(Box<SessionError>),
    /// A search.
    #[error(transparent)]
    Search(Box<SearchError>),
    /// A match.
    #[error(transparent)]
    Contest(Box<ContestError>),
    /// The store that workers and trainer share.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Somebody asked for an end.
    #[error("stopped")]
    Stopped,
}

/// What is wrong with a file of rows.
#[derive(Debug, thiserror::Error)]
pub enum RowDefect {
    /// It is no archive, or breaks off.
    #[error("it is no archive of arrays: {0}")]
    Archive(String),
    /// An array is not there.
    #[error("the array {0} is missing")]
    Missing(&'static str),
    /// An array is of another kind.
    #[error("the array {array} is {found}; expected {expected}")]
    Array {
        /// Its name.
        array: &'static str,
        /// Its type and shape.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// The rows are of another version of the format.
    #[error("the rows are of version {0}; 2 and 3 are known")]
    Version(f32),
    /// The rows are of another board.
    #[error("the rows are of boards in a square of {found}, not of {expected}")]
    OtherBoard {
        /// Points of a side.
        found: usize,
        /// Points of a side.
        expected: usize,
    },
    /// A row makes no sense.
    #[error("row {row} is damaged: {what}")]
    Row {
        /// From 0.
        row: usize,
        /// What makes no sense.
        what: &'static str,
    },
    /// More than a file may hold.
    #[error("it holds {0} bytes unpacked, more than a file of rows may")]
    TooLarge(u64),
}

macro_rules! boxed {
    ($($variant:ident: $error:ty,)*) => {
        $(impl From<$error> for TrainError {
            fn from(error: $error) -> Self {
                Self::$variant(Box::new(error))
            }
        })*
    };
}

boxed! {
    Framework: candle_core::Error,
    Runtime: RuntimeError,
    Network: NetworkError,
    Session: SessionError,
    Contest: ContestError,
}

impl From<FolderError> for TrainError {
    fn from(error: FolderError) -> Self {
        match error {
            FolderError::Io { path, what, source } => Self::Io { path, what, source },
            other => Self::Folder(other),
        }
    }
}

/// A search that was told to end is no failure.
impl From<SearchError> for TrainError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Evaluation(EvalError::Cancelled) => Self::Stopped,
            other => Self::Search(Box::new(other)),
        }
    }
}

impl TrainError {
    /// What a person can do about it; may be empty.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Io { .. } => "look at the disk's space and rights; the run goes on from its last whole step".into(),
            Self::Setting { .. } => "mend run.toml; docs/training.md has every setting".into(),
            Self::Begun { .. } => {
                "leave them out to go on with the run, change them in its run.toml, or begin another run in another folder"
                    .into()
            }
            Self::HasBegun => "leave --from out, or begin another run in another folder".into(),
            Self::Folder(error) => error.hint().into(),
            Self::Busy(_) => "wait for the other program, or end it".into(),
            Self::Rows { .. } => "remove the file; its games are lost, the rest goes on".into(),
            Self::Table { defect, .. } => defect.hint().into(),
            Self::NoRows(_) => "play games first with `honinbo train selfplay`".into(),
            Self::NotFitted(_) => "make one first with `honinbo train fit`".into(),
            Self::NetworkFile { path, source } => {
                damaged_network(path, source).unwrap_or_else(|| source.hint().to_owned())
            }
            Self::Untrainable { .. } => {
                "take a network without profiles of players, and for a torus one without attention".into()
            }
            Self::Checkpoint { .. } => "remove it: training goes on from the last network, without its momentum".into(),
            Self::NotFinite { .. } => "lower fit.learning_rate in run.toml; nothing was written".into(),
            Self::Inference(error) => error.hint().into(),
            Self::Runtime(error) => error.hint().into(),
            Self::Network(error) => error.hint().into(),
            Self::Session(error) => error.hint().into(),
            Self::Store(error) => error.hint().into(),
            Self::Framework(_) | Self::Search(_) | Self::Contest(_) | Self::Stopped => String::new(),
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

/// What to do about a damaged network that no publisher has, since a run made it.
fn damaged_network(path: &Path, error: &FileError) -> Option<String> {
    if !matches!(
        error,
        FileError::Compression { .. }
            | FileError::Bomb { .. }
            | FileError::Malformed { .. }
            | FileError::Neither { .. }
    ) {
        return None;
    }
    let number = file_number(path)?;
    match path.parent()?.file_name()?.to_str()? {
        "networks" if number == 0 => Some("take it from a copy of the run, or begin another run".to_owned()),
        "networks" => Some(format!("copy it from candidates/{number:06}.bin.gz of the run")),
        "candidates" => Some(format!(
            "copy it from networks/{number:06}.bin.gz of the run; where it is not there yet, remove the damaged one, and \
             `honinbo train fit FOLDER` writes it again"
        )),
        _ => None,
    }
}
