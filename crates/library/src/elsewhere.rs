//! What other programs change in the library.

use rusqlite::Connection;

use crate::error::LibraryError;
use crate::facts::{last_change, newest_row};

/// The state of the file when it was looked at last.
#[derive(Debug)]
pub(crate) struct Seen {
    /// Of the writing connection: another number once another connection has written.
    version: i64,
    newest: i64,
    change: i64,
}

impl Seen {
    pub(crate) fn now(writer: &Connection) -> Result<Self, LibraryError> {
        // A damaged file opens all the same; whoever asks for what is lost is told.
        let readable = |found: Result<i64, LibraryError>| found.unwrap_or_default();
        Ok(Self {
            version: version(writer)?,
            newest: readable(newest_row(writer)),
            change: readable(last_change(writer)),
        })
    }

    /// Whether games were added, changed or deleted by another connection since this was asked last.
    pub(crate) fn is_news(&mut self, writer: &Connection) -> Result<bool, LibraryError> {
        if version(writer)? == self.version {
            return Ok(false);
        }
        // Others write more than games: evaluations, above all.
        let now = Self::now(writer)?;
        let changed = (now.newest, now.change) != (self.newest, self.change);
        *self = now;
        Ok(changed)
    }
}

fn version(writer: &Connection) -> Result<i64, LibraryError> {
    Ok(writer.pragma_query_value(None, "data_version", |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use crate::open::Library;

    #[test]
    fn games_of_another_program_are_noticed_once_and_nothing_else_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library.sqlite");
        let (here, there) = (Library::open(&path).unwrap(), Library::open(&path).unwrap());
        let changed = || here.changed_elsewhere().unwrap();
        assert!(!changed());
        let game = there.save_record("(;SZ[9]PB[a];B[ee])", 1).unwrap().id;
        assert!(changed());
        assert!(!changed());
        there.rename(&game, "another name", 2).unwrap();
        assert!(changed());
        there.delete(&[game], 3).unwrap();
        assert!(changed());
        here.save_record("(;SZ[9]PB[b];B[gg])", 4).unwrap();
        assert!(!changed(), "it knows what it did itself");
    }
}
