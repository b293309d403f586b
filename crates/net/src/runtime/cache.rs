//! Optimised graphs, kept on disk so that the next start is quick.

use std::cmp::Reverse;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

/// A folder of optimised graphs. Everything in it may be deleted at any time; a folder that cannot be written to only
/// makes starts slower.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelCache {
    folder: PathBuf,
}

/// Length of the checksum that precedes the graph in a cached file.
const CHECKSUM: usize = 32;

/// Bytes of graphs that are kept. Four networks on three sizes of boards in two precisions are 24 graphs; one of the
/// default network has 59 MB, or 0.4 MB where the project's own kernels compute the blocks.
const MAX_BYTES: u64 = 2 << 30;
/// Graphs that are kept, however small.
const MAX_FILES: usize = 256;
/// What the names of files begin with that are being written.
const WRITING: &str = "writing-";
/// Writing one takes seconds: whoever began so long ago has ended meanwhile.
const STALE: Duration = Duration::from_secs(3600);

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
        let file = tempfile::Builder::new().prefix(WRITING).suffix(".onnx").tempfile_in(&self.folder).ok()?;
        Some(file.into_temp_path())
    }

    /// The graph of that name. A damaged file is removed and not returned.
    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.folder.join(name);
        let mut bytes = std::fs::read(&path).ok()?;
        if bytes.len() > CHECKSUM {
            let graph = bytes.split_off(CHECKSUM);
            if Sha256::digest(&graph).as_slice() == bytes {
                // Those that are used are the last to go.
                let _ = File::options().write(true).open(&path).and_then(|it| it.set_modified(SystemTime::now()));
                return Some(graph);
            }
        }
        tracing::warn!(file = %path.display(), "a cached network graph is damaged and will be made again");
        let _ = std::fs::remove_file(&path);
        None
    }

    /// Keeps a graph under a name, and lets go of those used longest ago where there are too many. Written beside and
    /// renamed, so that no half file is ever read.
    pub(crate) fn write(&self, name: &str, graph: &[u8]) {
        match self.try_write(name, graph) {
            Ok(()) => self.make_room(name, MAX_FILES, MAX_BYTES),
            Err(error) => {
                tracing::warn!(folder = %self.folder.display(), %error, "cannot keep an optimised network graph");
            }
        }
    }

    fn try_write(&self, name: &str, graph: &[u8]) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::Builder::new().prefix(WRITING).tempfile_in(&self.folder)?;
        file.write_all(&Sha256::digest(graph))?;
        file.write_all(graph)?;
        file.as_file().sync_all()?;
        file.persist(self.folder.join(name)).map_err(|error| error.error)?;
        Ok(())
    }

    /// Deletes graphs that do not fit beside the `fresh` one and those used later, and half files of processes that ended.
    /// Others use the folder, too: whatever one of them holds on to, or deleted first, is passed over.
    fn make_room(&self, fresh: &str, max_files: usize, max_bytes: u64) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        let now = SystemTime::now();
        let mut graphs = Vec::new();
        for entry in entries.flatten() {
            let (name, path) = (entry.file_name(), entry.path());
            let Some(metadata) = entry.metadata().ok().filter(std::fs::Metadata::is_file) else { continue };
            let Ok(used) = metadata.modified() else { continue };
            if name.to_string_lossy().starts_with(WRITING) {
                if now.duration_since(used).is_ok_and(|age| age > STALE) {
                    let _ = std::fs::remove_file(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "onnx") {
                graphs.push((name != fresh, Reverse(used), metadata.len(), path));
            }
        }
        graphs.sort();
        let (mut files, mut bytes) = (0, 0);
        for (is_older, _, length, path) in graphs {
            if is_older && (files >= max_files || length > max_bytes.saturating_sub(bytes)) {
                let _ = std::fs::remove_file(path);
            } else {
                files += 1;
                bytes = length.saturating_add(bytes);
            }
        }
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

    fn set_age(path: &Path, seconds: u64) {
        let used = SystemTime::now() - Duration::from_secs(seconds);
        File::options().write(true).open(path).unwrap().set_modified(used).unwrap();
    }

    fn names(cache: &ModelCache) -> Vec<String> {
        let entries = std::fs::read_dir(cache.folder()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_folder_does_not_grow_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ModelCache::new(folder.path().into());
        cache.write("in-use.onnx", b"graph");
        set_age(&folder.path().join("in-use.onnx"), 9000);
        let others = (0..MAX_FILES).map(|number| (format!("{number:03}.onnx"), 8000 - number as u64));
        let kinds = [("tuning.json", 9000), ("writing-left.onnx", 9000), ("writing-now.onnx", 60)];
        for (name, age) in others.chain(kinds.map(|(name, age)| (name.to_owned(), age))) {
            std::fs::write(folder.path().join(&name), "x").unwrap();
            set_age(&folder.path().join(&name), age);
        }
        assert!(cache.read("in-use.onnx").is_some());
        cache.write("fresh.onnx", b"graph");
        let names = names(&cache);
        for gone in ["000.onnx", "001.onnx", "writing-left.onnx"] {
            assert!(!names.iter().any(|name| name == gone), "{gone}");
        }
        for kept in ["002.onnx", "in-use.onnx", "fresh.onnx", "tuning.json", "writing-now.onnx"] {
            assert!(names.iter().any(|name| name == kept), "{kept}");
        }
        assert_eq!(names.len(), MAX_FILES + 2);
    }

    #[test]
    fn large_graphs_go_before_small_ones_that_fit() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ModelCache::new(folder.path().into());
        for (name, bytes, age) in
            [("old.onnx", 20, 40), ("large.onnx", 90, 30), ("new.onnx", 50, 20), ("fresh.onnx", 40, 90)]
        {
            std::fs::write(folder.path().join(name), vec![0; bytes]).unwrap();
            set_age(&folder.path().join(name), age);
        }
        cache.make_room("fresh.onnx", 9, 110);
        assert_eq!(names(&cache), ["fresh.onnx", "new.onnx", "old.onnx"]);
        cache.make_room("fresh.onnx", 9, 30);
        assert_eq!(names(&cache), ["fresh.onnx"], "the one that was just written stays, however large");
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
