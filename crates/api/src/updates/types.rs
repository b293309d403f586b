//! Newer versions of the program.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What is known of newer versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateView {
    /// The version of this program.
    pub version: String,
    /// Whether this program knows where newer versions are published, and who signs them.
    pub can_look: bool,
    /// The newest version, where it is newer than this one and was found.
    pub offered: Option<OfferedUpdate>,
}

/// A newer version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OfferedUpdate {
    /// Its version.
    pub version: String,
    /// The day it was published, `YYYY-MM-DD`.
    pub date: String,
    /// What is new, in Markdown, in the chosen language or in English.
    pub notes: String,
    /// Its page.
    pub page: String,
    /// The package for this machine; null where this copy was not installed by one: then there is the page.
    pub package: Option<UpdatePackage>,
}

/// A package that replaces this copy of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdatePackage {
    /// The file's name.
    pub file: String,
    /// Its size in KiB.
    pub size_kib: u32,
    /// How much of it is here, in KiB.
    pub fetched_kib: u32,
    /// Here, absent, or under way.
    pub state: crate::ShelfState,
}

/// Who looks for a newer version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateLook {
    /// The program by itself: only where the person allowed it, and once a day.
    pub by_itself: bool,
}

/// News of a package that is fetched. Sent about ten times a second, and at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateFetch {
    /// How it stands. `Absent` and `Paused` with a `message` say that it failed.
    pub state: crate::ShelfState,
    /// How much of it is here, in KiB.
    pub fetched_kib: u32,
    /// Why it failed; empty where it did not.
    pub message: String,
    /// What to do about that.
    pub hint: String,
}
