//! What is kept in memory of the games, and catches up with the file.

use rusqlite::Connection;

use crate::error::LibraryError;

/// Something made from the games of the file that can catch up with them.
pub(crate) trait FollowsGames: Clone {
    /// Reads all games.
    fn load(connection: &Connection) -> Result<Self, LibraryError>;

    /// Nothing was added or changed since it was made.
    fn is_current(&self, connection: &Connection) -> Result<bool, LibraryError>;

    /// Takes over what was changed and added. False when too much was changed to know what: then it must be made anew.
    fn follow(&mut self, connection: &Connection) -> Result<bool, LibraryError>;
}
