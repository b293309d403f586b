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
