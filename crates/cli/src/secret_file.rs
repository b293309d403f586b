//! Small files that settings name: secrets, passwords, certificates.

use crate::failure::Failure;
use std::io::Read as _;
use std::path::Path;

/// What is read of one, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// Its beginning, [`MAX_FILE`] bytes at most.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut content = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_FILE).read_to_end(&mut content))
        .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display()), "name another file"))?;
    Ok(content)
}
