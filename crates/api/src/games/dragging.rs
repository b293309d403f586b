//! A game as a file that is dragged out of the window.

use crate::Host;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// Where the file of the last drag lies, in the data folder. Whoever it was dropped on may read it long after the drop.
const FOLDER: &str = "dragged";
/// Folders of earlier drags that could not be removed. More of them mean that none can be made.
const MAX_LEFT: u32 = 100;

/// Writes a record under the last part of `name`, as SGF whatever its ending was, into a folder of its own; the file of the
/// drag before goes.
///
/// # Errors
/// What the system says.
pub(super) fn set_out(host: &dyn Host, name: &str, sgf: &str) -> io::Result<PathBuf> {
    let folder = host.data_dir().join(FOLDER);
    std::fs::create_dir_all(&folder)?;
    for entry in std::fs::read_dir(&folder)?.flatten() {
        let earlier = entry.path();
        // Windows removes nothing that another program has open. A later drag tries again.
        let _ = std::fs::remove_dir_all(&earlier).or_else(|_| std::fs::remove_file(&earlier));
    }
    let path = fresh(&folder)?.join(Path::new(name).file_name().unwrap_or(OsStr::new("game"))).with_extension("sgf");
    host.write(&path, sgf.as_bytes())?;
    Ok(path)
}

/// A new folder in `folder`.
fn fresh(folder: &Path) -> io::Result<PathBuf> {
    let mut refused = io::ErrorKind::AlreadyExists.into();
    for number in 0..MAX_LEFT {
        let own = folder.join(number.to_string());
        match std::fs::create_dir(&own) {
            Ok(()) => return Ok(own),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}
