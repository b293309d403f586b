//! The library of game records in SQLite.
