//! Optimised graphs, kept on disk so that the next start is quick.

use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// A folder of optimised graphs. Everything in it may be deleted at any time; a folder that cannot be written to only
/// makes starts slower.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelCache {
    folder: PathBuf,
}

/// Length of the checksum that precedes the graph in a cached file.
const CHECKSUM: usize = 32;

impl ModelCache {
    /// Uses `folder`, which need not exist yet.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where ONNX Runtime may write a graph before it is taken in; `None` if nothing can be written.
    pub(crate) fn scratch(&self) -> Option<tempfile::TempPath> {
        std::fs::create_dir_all(&self.folder).ok()?;
        let file = tempfile::Builder::new().prefix("writing-").suffix(".onnx").tempfile_in(&self.folder).ok()?;
        Some(file.into_temp_path())
    }

    /// The graph of that name. A damaged file is removed and not returned.
    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.folder.join(name);
        let mut bytes = std::fs::read(&path).ok()?;
        if bytes.len() > CHECKSUM {
            let graph = bytes.split_off(CHECKSUM);
            if Sha256::digest(&graph).as_slice() == bytes {
                return Some(graph);
            }
        }
        tracing::warn!(file = %path.display(), "a cached network graph is damaged and will be made again");
        let _ = std::fs::remove_file(&path);
        None
    }

    /// Keeps a graph under a name. Written beside and renamed, so that no half file is ever read.
    pub(crate) fn write(&self, name: &str, graph: &[u8]) {
        if let Err(error) = self.try_write(name, graph) {
            tracing::warn!(folder = %self.folder.display(), %error, "cannot keep an optimised network graph");
        }
    }

    fn try_write(&self, name: &str, graph: &[u8]) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::Builder::new().prefix("writing-").tempfile_in(&self.folder)?;
        file.write_all(&Sha256::digest(graph))?;
        file.write_all(graph)?;
        file.as_file().sync_all()?;
        file.persist(self.folder.join(name)).map_err(|error| error.error)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_what_is_damaged_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ModelCache::new(folder.path().join("deep/cache"));
        assert_eq!(cache.read("a"), None);
        cache.write("a", b"graph");
        assert_eq!(cache.read("a").as_deref(), Some(&b"graph"[..]));
        let path = cache.folder().join("a");
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(cache.read("a"), None);
        assert!(!path.exists(), "the damaged file is gone");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_no_failure() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let cache = ModelCache::new(file.join("cache"));
        cache.write("a", b"graph");
        assert_eq!(cache.read("a"), None);
        assert!(cache.scratch().is_none());
    }
}
