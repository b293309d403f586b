//! Files that commands name, and contents that they carry.

use crate::{ApiError, App};
use base64::Engine as _;
use std::io;
use std::path::{Path, PathBuf};

/// Writes a file so that at every moment either the old or the new content is there.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    std::fs::write(&fresh, bytes).and_then(|()| std::fs::rename(&fresh, path)).inspect_err(|_| {
        let _ = std::fs::remove_file(&fresh);
    })
}

/// A path that this host may touch.
pub(crate) fn path_of(app: &App, path: &str) -> Result<PathBuf, ApiError> {
    if app.host().capabilities().paths {
        Ok(PathBuf::from(path))
    } else {
        Err(ApiError::NotPossibleHere { message: "files are chosen in the browser here, not by their path".into() })
    }
}

/// The bytes of a content given as text.
pub(crate) fn decoded(base64: &str) -> Result<Vec<u8>, ApiError> {
    base64::engine::general_purpose::STANDARD
        .decode(base64)
        .map_err(|error| ApiError::InvalidRequest { message: format!("the content is not base64: {error}") })
}
