//! Tables of `settings.toml` that a server with rooms reads by itself.

use crate::failure::Failure;
use serde::de::DeserializeOwned;
use std::io::ErrorKind;
use std::path::Path;

const SETTINGS_FILE: &str = "settings.toml";
/// What the program makes of a file that it cannot understand (`crates/api`, `settings/file.rs`).
const SET_ASIDE: &str = "settings.toml.unreadable";

/// A table of the settings in the data folder; `None` where they do not name it.
///
/// Without what stands there a server would serve another database, or let other people in: settings that are there and
/// cannot be read are a failure, those that were set aside before included.
pub(crate) fn settings_table<T: DeserializeOwned>(data: &Path, name: &str) -> Result<Option<T>, Failure> {
    let path = data.join(SETTINGS_FILE);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return unless_set_aside(data),
        Err(error) => {
            let message = format!("the settings in {} cannot be read: {error}", path.display());
            return Err(Failure::new(message, "let this program read them"));
        }
    };
    let mut table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        // The error's own text would show the line, which may hold a password.
        let line = error.span().map_or(1, |span| text.get(..span.start).unwrap_or(&text).matches('\n').count() + 1);
        let message = format!("the settings in {} cannot be read: line {line}: {}", path.display(), error.message());
        Failure::new(message, "mend that line")
    })?;
    let Some(said) = table.remove(name) else { return unless_set_aside(data) };
    said.try_into().map(Some).map_err(|error: toml::de::Error| {
        let message = format!("[{name}] in {} cannot be used: {}", path.display(), error.message());
        Failure::new(message, "docs/operating.md says what may stand there")
    })
}

/// Nothing is said, unless in settings that could not be read: a file that was begun anew since then says less.
fn unless_set_aside<T>(data: &Path) -> Result<Option<T>, Failure> {
    let aside = data.join(SET_ASIDE);
    if aside.exists() {
        let message = format!("the settings were set aside as {}, as they could not be read", aside.display());
        return Err(Failure::new(message, format!("mend them and call them {SETTINGS_FILE}, or delete them")));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(data: &Path) -> Result<Option<toml::Table>, String> {
        settings_table(data, "store").map_err(|failure| failure.line())
    }

    #[test]
    fn settings_that_cannot_be_read_are_a_failure_and_stay_where_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(SETTINGS_FILE);
        assert_eq!(read(folder.path()), Ok(None), "no settings are none");
        std::fs::write(&path, "language = \"ja\"\n").unwrap();
        assert_eq!(read(folder.path()), Ok(None), "nor are others");

        std::fs::write(&path, "language = \"ja\"\n[store]\naddress = \"postgres://go:hidden@db/go\n").unwrap();
        let broken = read(folder.path()).unwrap_err();
        assert!(broken.contains("settings.toml cannot be read: line 3") && !broken.contains("hidden"), "{broken}");
        std::fs::write(&path, b"[store]\naddress = \"\xff\"\n").unwrap();
        assert!(read(folder.path()).unwrap_err().contains("settings.toml cannot be read"));
        assert!(path.exists());

        let aside = folder.path().join(SET_ASIDE);
        std::fs::rename(&path, &aside).unwrap();
        let set_aside = read(folder.path()).unwrap_err();
        assert!(set_aside.contains(SET_ASIDE), "{set_aside}");
        std::fs::write(&path, "[store]\n").unwrap();
        assert_eq!(read(folder.path()), Ok(Some(toml::Table::new())), "mended settings count");
    }
}
