//! Whether open games outlive the program.

use serde::Serialize;
use specta::Type;

/// Why open games are not kept in the data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum NotKept {
    /// Another program keeps its own open games there.
    AnotherProgram,
    /// They cannot be written: the disk is full, say.
    Unwritable {
        /// What the system says, and of which folder.
        reason: String,
    },
}
