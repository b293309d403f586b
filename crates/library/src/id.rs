//! `GameId`: a game's name across every seam.

use crate::error::LibraryError;

/// Names a game of one library. A text, as it crosses to programs without 64-bit integers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct GameId(String);

impl GameId {
    /// Takes a text for an id. Whether such a game exists is known when it is used.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn from_row(row: i64) -> Self {
        Self(row.to_string())
    }

    pub(crate) fn row(&self) -> Result<i64, LibraryError> {
        self.0.parse().ok().filter(|row| *row > 0).ok_or_else(|| self.unknown())
    }

    pub(crate) fn unknown(&self) -> LibraryError {
        LibraryError::UnknownGame { id: self.0.chars().take(40).collect() }
    }
}

impl std::fmt::Display for GameId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
