//! Files that are there whole or not at all.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::error::TrainError;

/// Writes a file beside its place and moves it there once the disk has it: who reads meanwhile, and who is stopped
/// meanwhile, sees the old one.
pub(crate) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> std::io::Result<()>,
) -> Result<(), TrainError> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let whole = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let temporary = tempfile::Builder::new().prefix(".unfinished-").tempfile_in(folder)?;
        let mut writer = BufWriter::new(temporary.as_file());
        write(&mut writer)?;
        writer.flush()?;
        drop(writer);
        temporary.as_file().sync_all()?;
        temporary.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    whole().map_err(TrainError::writing(path))
}

/// Writes bytes whole.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    write_whole(path, |file| file.write_all(bytes))
}

/// The files of a folder with this ending, in the order of their names; none where there is no folder. What a stopped
/// program left unfinished is not among them.
pub(crate) fn files_in(folder: &Path, ending: &str) -> Result<Vec<std::path::PathBuf>, TrainError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(TrainError::reading(folder)(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(TrainError::reading(folder))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.ends_with(ending) && !name.starts_with('.') {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
