//! Who sits at the board.

use serde::{Deserialize, Serialize};

/// A player's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seat {
    /// A person.
    Person {
        /// Who, in the words of the host; never shown.
        id: String,
        /// The name that is shown.
        name: String,
    },
    /// An engine.
    Engine {
        /// Its level, rank or name.
        level: String,
    },
}

impl Seat {
    /// A person's place.
    pub fn person(id: impl Into<String>, name: impl Into<String>) -> Self {
        Self::Person { id: id.into(), name: name.into() }
    }

    /// An engine's place.
    pub fn engine(level: impl Into<String>) -> Self {
        Self::Engine { level: level.into() }
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Person { name, .. } => name,
            Self::Engine { level } => level,
        }
    }

    /// Whose it is; `None` for an engine's.
    #[must_use]
    pub fn person_id(&self) -> Option<&str> {
        match self {
            Self::Person { id, .. } => Some(id),
            Self::Engine { .. } => None,
        }
    }

    /// The engine's level.
    #[must_use]
    pub fn level(&self) -> Option<&str> {
        match self {
            Self::Person { .. } => None,
            Self::Engine { level } => Some(level),
        }
    }
}
