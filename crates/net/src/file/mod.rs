//! Network files: `.bin.gz`, `.txt.gz`, `.bin` and `.txt`, model versions 8 to 17.
//!
//! A file is trusted with nothing: it is unpacked into a bounded space, counts are compared with what the file can hold
//! before anything is allocated, every number is finite, and every two layers that meet fit.

mod blocks;
mod error;
mod info;
mod layers;
mod limits;
pub mod model;
mod parse;
mod source;
mod tokens;
mod write;

use std::io::Read as _;
use std::path::Path;

use sha2::{Digest, Sha256};

pub use error::{Defect, FileError};
pub use info::{Family, NetworkInfo};
pub use limits::Limits;
use model::Model;
use parse::parse_model;
use source::Source;
use tokens::{Encoding, Tokens};
pub use write::to_bin_gz;

/// A network read from a file, and what the file was.
#[derive(Debug, Clone)]
pub struct NetworkFile {
    /// Layers and weights.
    pub model: Model,
    /// SHA-256 of the file as stored, 64 lower-case hexadecimal digits.
    pub sha256: String,
    /// Size of the file as stored.
    pub stored_bytes: u64,
    /// Weights of the file that were subnormal and became zero.
    pub subnormal_weights: u64,
    /// Oddities that do not keep the network from working.
    pub warnings: Vec<FileWarning>,
}

/// Something odd about a network file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FileWarning {
    /// Something follows the last layer; KataGo ignores it too.
    #[error("{0} bytes follow the last layer")]
    TrailingBytes(u64),
    /// Weights of published networks stay below 13.
    #[error("the largest weight is {0:e}; the answers may be nonsense")]
    LargeWeight(f32),
}

/// Bytes of a file, as stored, among which its name must be.
const MAX_START: u64 = 256 << 10;

/// Weights above this are worth a warning.
const LARGE_WEIGHT: f32 = 1e4;

impl NetworkFile {
    /// Reads a network file.
    ///
    /// # Errors
    /// See [`FileError`].
    pub fn open(path: &Path, limits: &Limits) -> Result<Self, FileError> {
        let io = |source| FileError::Io { path: path.to_path_buf(), source };
        let bytes = std::fs::metadata(path).map_err(io)?.len();
        if bytes > limits.file_bytes {
            return Err(FileError::FileTooLarge { bytes, limit: limits.file_bytes });
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Self::from_bytes(&name, &std::fs::read(path).map_err(io)?, limits)
    }

    /// The name that a network file gives itself, without reading its layers; `None` where there is none to be read.
    #[must_use]
    pub fn name_of(path: &Path) -> Option<String> {
        let mut start = Vec::new();
        std::fs::File::open(path).ok()?.take(MAX_START).read_to_end(&mut start).ok()?;
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let limits = Limits::default();
        let source = if name.ends_with(".gz") {
            Source::packed(&start, limits.unpacked(MAX_START, false)).ok()?
        } else {
            Source::plain(&start)
        };
        // It stands before the first array, so how those are written does not matter.
        Tokens::new(source, Encoding::Binary, &limits).token("name").ok().filter(|name| !name.is_empty())
    }

    /// Reads a network from the bytes of a file called `file_name`; the name's suffix says what it contains.
    ///
    /// # Errors
    /// See [`FileError`].
    pub fn from_bytes(file_name: &str, bytes: &[u8], limits: &Limits) -> Result<Self, FileError> {
        let name = file_name.to_lowercase();
        let packed = name.ends_with(".gz");
        let read = |encoding| read_model(bytes, packed, encoding, limits);
        let (model, subnormal_weights, warnings) = if name.ends_with(".bin.gz") || name.ends_with(".bin") {
            read(Encoding::Binary)?
        } else if name.ends_with(".txt.gz") || name.ends_with(".txt") {
            read(Encoding::Text)?
        } else if packed {
            read(Encoding::Binary).or_else(|binary| {
                read(Encoding::Text)
                    .map_err(|text| FileError::Neither { binary: Box::new(binary), text: Box::new(text) })
            })?
        } else {
            return Err(FileError::UnknownContainer { name: file_name.to_string() });
        };
        let sha256 = hex(&Sha256::digest(bytes));
        Ok(Self { model, sha256, stored_bytes: bytes.len() as u64, subnormal_weights, warnings })
    }

    /// What the network is, in figures.
    #[must_use]
    pub fn info(&self) -> NetworkInfo {
        NetworkInfo::new(self)
    }
}

fn read_model(
    bytes: &[u8],
    packed: bool,
    encoding: Encoding,
    limits: &Limits,
) -> Result<(Model, u64, Vec<FileWarning>), FileError> {
    let source = if packed {
        Source::packed(bytes, limits.unpacked(bytes.len() as u64, encoding == Encoding::Text))?
    } else {
        Source::plain(bytes)
    };
    let (model, leftover) = parse_model(Tokens::new(source, encoding, limits))?;
    let mut warnings = Vec::new();
    if leftover.trailing_bytes > 0 {
        warnings.push(FileWarning::TrailingBytes(leftover.trailing_bytes));
    }
    if leftover.largest_weight > LARGE_WEIGHT {
        warnings.push(FileWarning::LargeWeight(leftover.largest_weight));
    }
    Ok((model, leftover.subnormal_weights, warnings))
}

/// SHA-256 of a file, read piece by piece.
///
/// # Errors
/// What the system says when the file cannot be read.
pub fn sha256_of(path: &Path) -> std::io::Result<String> {
    let (mut hasher, mut file) = (Sha256::new(), std::fs::File::open(path)?);
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(hex(&hasher.finalize())),
            Ok(length) => hasher.update(&piece[..length]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
