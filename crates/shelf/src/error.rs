//! Why a network, a list, a runtime or a new version was not fetched.

use honinbo_net::FileError;
use std::io;
use std::path::PathBuf;

/// Why a file could not be downloaded. What arrived stays beside the target where it can be gone on from.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// Not an address.
    #[error("{address:?} is no address: {reason}")]
    NoAddress {
        /// What was named.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An address over which anybody could put something else in.
    #[error("{0} is not an https address")]
    NotSecure(String),
    /// The server cannot be reached, or answers something else than the file.
    #[error("{address} cannot be fetched: {reason}")]
    Unreachable {
        /// Where.
        address: String,
        /// What it said.
        reason: String,
    },
    /// Another program fetches the same file into the same folder.
    #[error("{file} is being fetched by another program")]
    Busy {
        /// Which file.
        file: String,
    },
    /// It ended before the file did.
    #[error("{address} was broken off after {}: {reason}", mib_of(*.bytes, *.total))]
    BrokenOff {
        /// Where.
        address: String,
        /// Bytes so far.
        bytes: u64,
        /// Bytes in all, where the server said it.
        total: Option<u64>,
        /// Why.
        reason: String,
    },
    /// Somebody asked for the end.
    #[error("{address} was broken off after {}: stopped", mib_of(*.bytes, *.total))]
    Stopped {
        /// Where.
        address: String,
        /// Bytes so far.
        bytes: u64,
        /// Bytes in all, where the server said it.
        total: Option<u64>,
    },
    /// More than any such file has; nothing is left of it.
    #[error("{address} is larger than {:.1} GiB", *.limit as f64 / f64::from(1 << 30))]
    TooLarge {
        /// Where.
        address: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// The disk refuses.
    #[error("{} cannot be written: {source}", .path.display())]
    Unwritable {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl DownloadError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoAddress { .. } => "name an https address",
            Self::NotSecure(_) => "use https, or fetch the file yourself and name it here",
            Self::Unreachable { .. } => {
                "check the address and the connection, or fetch the file with a browser and name it here"
            }
            Self::Busy { .. } => "wait until the other one has it, or stop it there",
            Self::BrokenOff { .. } | Self::Stopped { .. } => "run the same command again to go on",
            Self::TooLarge { .. } => "what is published is not that large; check the address",
            Self::Unwritable { .. } => "make room on the disk, then run it again",
        }
    }
}

fn mib_of(bytes: u64, total: Option<u64>) -> String {
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    let of = total.map_or(String::new(), |total| format!(" of {:.1}", mib(total)));
    format!("{:.1}{of} MiB", mib(bytes))
}

/// Why a network of the shelf is not there.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// Nothing of that name is listed.
    #[error("{0:?} is not on the list of networks")]
    NotListed(String),
    /// A name that would not be one file in the folder.
    #[error("{0:?} cannot be the name of a network")]
    BadName(String),
    /// The download failed at every address; this is what the last one said.
    #[error(transparent)]
    Download(#[from] DownloadError),
    /// Another file than the one that is pinned, or that was there under this name before.
    #[error("{file} has SHA-256 {found}, not {expected}")]
    Checksum {
        /// Which network.
        file: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// Not a network at all.
    #[error("{address} is no network that can be read: {source}")]
    Unreadable {
        /// Where it came from.
        address: String,
        /// What is wrong with it.
        source: FileError,
    },
    /// The folder refuses.
    #[error("{} cannot be read or written: {source}", .path.display())]
    Folder {
        /// Which file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl FetchError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotListed(_) => "`honinbo net list` names those that are listed",
            Self::BadName(_) => "use letters, digits, `.`, `_` and `-`, ending in .bin.gz or .txt.gz",
            Self::Download(error) => error.hint(),
            Self::Checksum { .. } => "it is another file than expected, or was changed on the way; it was not kept",
            Self::Unreadable { .. } => {
                "what a server sent instead of a file often is a page that says why; it was not kept"
            }
            Self::Folder { .. } => "check the folder of networks and the room on the disk",
        }
    }

    /// Whether somebody asked for the end.
    pub fn is_stopped(&self) -> bool {
        matches!(self, Self::Download(DownloadError::Stopped { .. }))
    }
}

/// Why a list of networks is not used.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// Not a list.
    #[error("the list of networks cannot be read: {0}")]
    Syntax(#[from] serde_json::Error),
    /// A list with an entry that cannot be.
    #[error("the list of networks is wrong at {file:?}: {reason}")]
    Entry {
        /// The entry.
        file: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Signed by nobody, or by somebody else.
    #[error("the list of networks is not signed by its maintainers: {0}")]
    Signature(#[from] minisign_verify::Error),
    /// Older than the one in use.
    #[error("the list of networks is older than the one in use ({found} after {current})")]
    Older {
        /// Its number.
        found: u32,
        /// The number of the one in use.
        current: u32,
    },
    /// It could not be fetched.
    #[error(transparent)]
    Download(#[from] DownloadError),
    /// The folder refuses.
    #[error("{} cannot be read or written: {source}", .path.display())]
    Folder {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl ListError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Syntax(_) | Self::Entry { .. } | Self::Signature(_) | Self::Older { .. } => {
                "the list in use stays; try again later"
            }
            Self::Download(error) => error.hint(),
            Self::Folder { .. } => "check the data folder and the room on the disk",
        }
    }
}

/// Why a runtime was not added or not removed.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeShelfError {
    /// A name that would not be one folder.
    #[error("{0:?} cannot be the name of a runtime")]
    BadName(String),
    /// There is one of that name.
    #[error("a runtime {0} is there already")]
    Taken(String),
    /// It was removed, and a program that still computes with it holds its files.
    #[error("the runtime {0} was removed, but is still loaded")]
    StillLoaded(String),
    /// There is none of that name.
    #[error("there is no runtime {0}")]
    Missing(String),
    /// It could not be fetched.
    #[error(transparent)]
    Download(#[from] DownloadError),
    /// Another file than the one that is pinned.
    #[error("{source_name} has SHA-256 {found}, not {expected}")]
    Checksum {
        /// Where it came from.
        source_name: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// An archive that cannot be unpacked.
    #[error("{} is damaged: {reason}", .path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A wheel of something else.
    #[error("{} holds no ONNX Runtime library", .0.display())]
    NoLibrary(PathBuf),
    /// Another kind of file.
    #[error("{} is neither a wheel nor a library", .0.display())]
    NeitherWheelNorLibrary(PathBuf),
    /// A library that does not work here.
    #[error("{source_name} cannot be used: {reason}")]
    Unusable {
        /// Where it came from.
        source_name: String,
        /// Why.
        reason: String,
    },
    /// The folder refuses.
    #[error("{} cannot be read or written: {source}", .path.display())]
    Folder {
        /// Which file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl RuntimeShelfError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::BadName(_) => "use letters, digits, `.`, `_` and `-`",
            Self::Taken(_) => "remove it first, or choose another name",
            Self::StillLoaded(_) => "end every Honinbo that is running, then try again",
            Self::Missing(_) => "`honinbo net runtime list` names those there are",
            Self::Download(error) => error.hint(),
            Self::Checksum { .. } => "it is another file than expected, or was changed on the way; it was not kept",
            Self::Damaged { .. } => "fetch it again",
            Self::NoLibrary(_) => "take a wheel such as onnxruntime_gpu-….whl, or the library itself",
            Self::NeitherWheelNorLibrary(_) => {
                "it was not kept; what a server sent instead of a file often is a page that says why"
            }
            Self::Unusable { .. } => {
                "it may be for another system, or need libraries that are not installed; it was not kept"
            }
            Self::Folder { .. } => "check the data folder and the room on the disk",
        }
    }

    /// Whether somebody asked for the end.
    pub fn is_stopped(&self) -> bool {
        matches!(self, Self::Download(DownloadError::Stopped { .. }))
    }
}

/// Why a newer version is not offered, or its package not here.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// Not a release.
    #[error("the newest version cannot be read: {0}")]
    Syntax(#[from] serde_json::Error),
    /// A release that cannot be.
    #[error("the newest version is not described as it should be: {reason}")]
    Entry {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Signed by nobody, or by somebody else.
    #[error("the newest version is not signed by its maintainers: {0}")]
    Signature(#[from] minisign_verify::Error),
    /// Older than what was known already.
    #[error("the server's answer is older than the one before it ({found} after {current})")]
    Older {
        /// Its number.
        found: u32,
        /// The number of the one before.
        current: u32,
    },
    /// It could not be fetched.
    #[error(transparent)]
    Download(#[from] DownloadError),
    /// Another file than the one that was signed.
    #[error("{file} has SHA-256 {found}, not {expected}")]
    Checksum {
        /// Which package.
        file: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The folder refuses.
    #[error("{} cannot be read or written: {source}", .path.display())]
    Folder {
        /// Which file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl UpdateError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Syntax(_) | Self::Entry { .. } | Self::Signature(_) | Self::Older { .. } => {
                "nothing was changed; try again later"
            }
            Self::Download(error) => error.hint(),
            Self::Checksum { .. } => "it is another file than the one that was signed; it was not kept",
            Self::Folder { .. } => "check the data folder and the room on the disk",
        }
    }

    /// Whether somebody asked for the end.
    pub fn is_stopped(&self) -> bool {
        matches!(self, Self::Download(DownloadError::Stopped { .. }))
    }
}
