//! Why a server did not start.

use std::io;
use std::path::PathBuf;

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// An address that cannot be understood or resolved.
    #[error("{address:?} is not an address to listen on")]
    Address {
        /// What was given.
        address: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The system refused the address.
    #[error("cannot listen on {address}: {source}")]
    Bind {
        /// What was given.
        address: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The files of the window cannot be read.
    #[error("cannot read the web files in {}: {source}", dir.display())]
    Assets {
        /// Where they should be.
        dir: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The folder of the window holds more than a window ever would.
    #[error("the web files in {} are larger than {limit_mib} MiB", dir.display())]
    AssetsTooLarge {
        /// The folder.
        dir: PathBuf,
        /// The limit in MiB.
        limit_mib: u64,
    },
    /// The access token cannot be read or kept.
    #[error("cannot keep the access token in {}: {source}", file.display())]
    TokenFile {
        /// Where it should be.
        file: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The certificate or its key cannot be used.
    #[error("cannot use {} for TLS: {why}", file.display())]
    Tls {
        /// Which file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The operating system gave no random numbers for the token.
    #[error("the system gives no random numbers for the access token: {0}")]
    Random(String),
}

impl ServeError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Address { .. } => "give a port (8090), or an address and a port (127.0.0.1:8090, [::1]:8090)",
            Self::Bind { source, .. } if source.kind() == io::ErrorKind::AddrInUse => {
                "another program uses that port: choose another one, or 0 for any free port"
            }
            Self::Bind { .. } => "choose another address; ports below 1024 are for the administrator",
            Self::Assets { .. } | Self::AssetsTooLarge { .. } => {
                "build the interface (npm run build), or name the right folder with --web"
            }
            Self::TokenFile { .. } => "make the data folder one that you may write to, or name another one with --data",
            Self::Tls { .. } => "give a certificate with its chain and the key that belongs to it, both as PEM",
            Self::Random(_) => "start again; if it goes on, look at the system's entropy source",
        }
    }
}
