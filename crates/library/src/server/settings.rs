//! What the operator of a server has set while it runs.

use rusqlite::params;

use super::{ServerStore, StoreError};

impl ServerStore {
    /// What was set under a name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.read(|sql| sql.first("SELECT value FROM settings WHERE name = ?1", params![name], |row| row.get(0)))
    }

    /// Sets something under a name, in place of what was there.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn set_setting(&self, name: &str, value: &str) -> Result<(), StoreError> {
        self.change(|sql| {
            sql.execute(
                "INSERT INTO settings (name, value) VALUES (?1, ?2)
                     ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                params![name, value],
            )?;
            Ok(())
        })
    }
}
