//! Where a person's games and settings are kept unless told otherwise.

use std::env::var_os;
use std::path::PathBuf;

/// The data folder: `HONINBO_DATA`, otherwise the platform's own place for it.
///
/// The folder need not exist. A desktop app and a terminal of the same person get the same one.
pub fn default_data_dir() -> PathBuf {
    if let Some(chosen) = var_os("HONINBO_DATA").filter(|value| !value.is_empty()) {
        return PathBuf::from(chosen);
    }
    platform_folder().unwrap_or_else(|| PathBuf::from(".")).join("honinbo")
}

/// A variable that holds an absolute path; relative ones are to be ignored (XDG Base Directory Specification 0.8).
fn absolute(name: &str) -> Option<PathBuf> {
    var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

fn platform_folder() -> Option<PathBuf> {
    if cfg!(windows) {
        absolute("APPDATA")
    } else if cfg!(target_os = "macos") {
        absolute("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        absolute("XDG_DATA_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/share")))
    }
}
