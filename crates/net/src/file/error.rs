//! What can be wrong with a network file.

use std::path::PathBuf;

/// Why a network file was refused. Nothing of the file is used afterwards.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file could not be read from disk.
    #[error("cannot read the network file {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The name does not end in one of the known suffixes.
    #[error("{name} is not named like a network file")]
    UnknownContainer {
        /// The file's name.
        name: String,
    },
    /// The file on disk is larger than allowed.
    #[error("the network file has {bytes} bytes, more than the limit of {limit}")]
    FileTooLarge {
        /// Size on disk.
        bytes: u64,
        /// Largest size accepted.
        limit: u64,
    },
    /// The compressed stream is damaged, cut short or followed by something else.
    #[error("the compressed data is damaged: {reason}")]
    Compression {
        /// What is wrong with it.
        reason: String,
    },
    /// The compressed stream grows beyond what weights can (they hardly compress at all).
    #[error("the compressed data unpacks to more than {limit} bytes; that is no network but a decompression bomb")]
    Bomb {
        /// The limit that was passed.
        limit: u64,
    },
    /// The file's model version is older than the oldest supported one.
    #[error(
        "model version {version} is too old: this network uses an input format older than V7 (versions 8 to 17 are read)"
    )]
    TooOld {
        /// The version in the file.
        version: i32,
    },
    /// The file's model version is newer than the newest supported one.
    #[error("model version {version} is too new: versions 8 to 17 are read")]
    TooNew {
        /// The version in the file.
        version: i32,
    },
    /// Something inside the file is not as the format wants it.
    #[error("in layer {layer}: {problem}")]
    Malformed {
        /// Name of the layer read last.
        layer: String,
        /// What is wrong there.
        problem: Defect,
    },
    /// A file whose suffix does not tell binary from text is neither.
    #[error("the file is neither a binary network ({binary}) nor a text one ({text})")]
    Neither {
        /// Why it is not binary.
        binary: Box<FileError>,
        /// Why it is not text.
        text: Box<FileError>,
    },
}

/// What is wrong at one place of a file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Defect {
    /// The data ends in the middle.
    #[error("the file ends while reading {what}")]
    Truncated {
        /// What was being read.
        what: &'static str,
    },
    /// A token is too long to be one.
    #[error("{what} is longer than {limit} bytes")]
    LongToken {
        /// What was being read.
        what: &'static str,
        /// Longest token accepted.
        limit: usize,
    },
    /// A token is not of the expected kind.
    #[error("{what} is {found:?}, expected {expected}")]
    Token {
        /// What was being read.
        what: &'static str,
        /// The token, cut to a readable length.
        found: String,
        /// What it should have been.
        expected: &'static str,
    },
    /// A number is outside its range.
    #[error("{what} is {value}, expected {expected}")]
    Range {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: String,
        /// The range.
        expected: String,
    },
    /// Two sizes that must be equal are not.
    #[error("{what} is {found}, expected {expected}")]
    Mismatch {
        /// Which size.
        what: &'static str,
        /// Its value.
        found: usize,
        /// What the neighbouring layers demand.
        expected: usize,
    },
    /// A weight is infinite, not a number or absurdly large.
    #[error("weight {index} of {count} is {value}, not a usable number")]
    Weight {
        /// Position within the array.
        index: usize,
        /// Length of the array.
        count: usize,
        /// Its value as text.
        value: String,
    },
    /// More weights are announced than the file can hold.
    #[error("{count} weights are announced but the file has room for {room} at most")]
    TooManyWeights {
        /// The announced number.
        count: u64,
        /// How many could follow.
        room: u64,
    },
    /// A kind of thing this reader does not know.
    #[error("unknown {what} {found:?}")]
    Unknown {
        /// What kind of thing.
        what: &'static str,
        /// Its name in the file.
        found: String,
    },
}

impl FileError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "check that the file exists and may be read",
            Self::UnknownContainer { .. } => "a KataGo network ends in .bin.gz, .txt.gz, .bin or .txt",
            Self::FileTooLarge { .. } => "no published network is that large; choose another file",
            Self::TooOld { .. } => "choose a network of the year 2020 or later",
            Self::TooNew { .. } => "a newer Honinbo may read it; until then choose another network",
            Self::Compression { .. } => "the download may be incomplete; fetch the network again",
            Self::Bomb { .. } | Self::Malformed { .. } | Self::Neither { .. } => {
                "the file is damaged or no KataGo network; fetch it again from its publisher"
            }
        }
    }
}
