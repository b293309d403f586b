//! Writing files.

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
