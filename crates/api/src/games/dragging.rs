//! A game as a file that is dragged out of the window.

use crate::Host;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// Where the file of the last drag lies, in the data folder. Whoever it was dropped on may read it long after the drop.
const FOLDER: &str = "dragged";

/// Writes a record under the last part of `name`, as SGF whatever its ending was; the file of the drag before goes.
///
/// # Errors
/// What the system says.
pub(super) fn set_out(host: &dyn Host, name: &str, sgf: &str) -> io::Result<PathBuf> {
    let folder = host.data_dir().join(FOLDER);
    match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => std::fs::create_dir_all(&folder)?,
    }
    let path = folder.join(Path::new(name).file_name().unwrap_or(OsStr::new("game"))).with_extension("sgf");
    host.write(&path, sgf.as_bytes())?;
    Ok(path)
}
