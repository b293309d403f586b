//! The file that a game is saved to.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::path::{Path, PathBuf};

/// A game's file, and what was in it when it was last read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GameFile {
    pub(crate) path: PathBuf,
    /// Hash of its bytes; `None` where an older version of the program kept the game.
    pub(crate) hash: Option<u64>,
}

impl GameFile {
    /// A file with these bytes.
    pub(crate) fn holding(path: &Path, bytes: &[u8]) -> Self {
        Self { path: path.to_owned(), hash: Some(hash_of(bytes)) }
    }

    /// A file as it is now.
    pub(crate) fn as_it_is(path: PathBuf) -> Self {
        let hash = std::fs::read(&path).ok().map(|bytes| hash_of(&bytes));
        Self { path, hash }
    }

    /// Something else is in it by now. A file that is gone or cannot be read has nothing that could be lost.
    pub(crate) fn is_changed(&self) -> bool {
        let now = Self::as_it_is(self.path.clone()).hash;
        self.hash.is_some() && now.is_some() && now != self.hash
    }
}

// Times of change are too coarse on some file systems, and tools that synchronise folders set them back.
fn hash_of(bytes: &[u8]) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(bytes)
}
