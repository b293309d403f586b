//! Checksums of networks that were fetched before.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// SHA-256 by file name, in `networks/checksums.json` of the data folder. A file that cannot be read is as good as none.
#[derive(Debug, Clone)]
pub(crate) struct Checksums(PathBuf);

impl Checksums {
    pub(crate) fn in_folder(data_dir: &Path) -> Self {
        Self(data_dir.join("networks").join("checksums.json"))
    }

    /// What the network of this name was when it was fetched for the first time.
    pub(crate) fn get(&self, file: &str) -> Option<String> {
        self.read().remove(file)
    }

    /// Remembers a network that has no checksum yet.
    pub(crate) fn keep(&self, file: &str, sha256: &str) -> io::Result<()> {
        let mut known = self.read();
        known.entry(file.to_owned()).or_insert_with(|| sha256.to_owned());
        if let Some(folder) = self.0.parent() {
            fs::create_dir_all(folder)?;
        }
        let fresh = self.0.with_extension("json.new");
        fs::write(&fresh, serde_json::to_vec_pretty(&known)?)?;
        fs::rename(&fresh, &self.0)
    }

    fn read(&self) -> BTreeMap<String, String> {
        fs::read(&self.0).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }
}
