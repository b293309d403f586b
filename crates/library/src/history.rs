//! Taking back what a person changed, and doing it again.

use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};

use crate::change::Change;
use crate::error::LibraryError;
use crate::open::Library;

/// Changes that can be taken back.
const MAX_CHANGES: u32 = 100;
/// Bytes that they take together; a single one may take more.
const MAX_BYTES: i64 = 64 << 20;

/// A change that was taken back or done again.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryStep {
    /// What kind of change: `rename`, `delete`, `restore`, `edit`, `import`, `save`, `folder`, `tag`, `search`,
    /// `players`, `card`, `version`, `facts`.
    pub what: String,
    /// Games that it was about.
    pub games: u32,
}

/// What can be taken back and done again next.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct History {
    /// The last change.
    pub undo: Option<HistoryStep>,
    /// The change that was taken back last.
    pub redo: Option<HistoryStep>,
}

impl Library {
    /// Makes a change and keeps how to take it back.
    pub(crate) fn change(&self, what: &str, change: &Change) -> Result<u32, LibraryError> {
        self.change_with(what, |_| Ok(change.clone()))
    }

    /// Makes a change that is worked out within its transaction.
    pub(crate) fn change_with(
        &self,
        what: &str,
        make: impl FnOnce(&Transaction<'_>) -> Result<Change, LibraryError>,
    ) -> Result<u32, LibraryError> {
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let reverse = make(&transaction)?.apply(&transaction)?;
        let games = reverse.n_games();
        remember(&transaction, what, &reverse)?;
        transaction.commit()?;
        Ok(games)
    }

    /// Makes a change that is worked out within its transaction and that no person made: it cannot be taken back, nor can
    /// what was done before to the text that it replaces.
    pub(crate) fn change_for_good(
        &self,
        make: impl FnOnce(&Transaction<'_>) -> Result<Change, LibraryError>,
    ) -> Result<(), LibraryError> {
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let change = make(&transaction)?;
        if let Change::Record { row, .. } = &change {
            forget_texts(&transaction, *row)?;
        }
        change.apply(&transaction)?;
        transaction.commit()?;
        Ok(())
    }

    /// What can be taken back and done again.
    ///
    /// # Errors
    /// What the database says.
    pub fn history(&self) -> Result<History, LibraryError> {
        self.read(|connection| {
            let step = |sql: &str| -> Result<Option<HistoryStep>, LibraryError> {
                let read = |row: &rusqlite::Row<'_>| Ok(HistoryStep { what: row.get(0)?, games: row.get(1)? });
                Ok(connection.query_row(sql, [], read).optional()?)
            };
            Ok(History {
                undo: step("SELECT what, games FROM history WHERE NOT undone ORDER BY id DESC LIMIT 1")?,
                redo: step("SELECT what, games FROM history WHERE undone ORDER BY id LIMIT 1")?,
            })
        })
    }

    /// Takes the last change back; `None` when there is none.
    ///
    /// # Errors
    /// What the database says; then nothing changed.
    pub fn undo(&self) -> Result<Option<HistoryStep>, LibraryError> {
        self.step("SELECT id, what, games, change FROM history WHERE NOT undone ORDER BY id DESC LIMIT 1", true)
    }

    /// Does the change that was taken back last again; `None` when there is none.
    ///
    /// # Errors
    /// What the database says; then nothing changed.
    pub fn redo(&self) -> Result<Option<HistoryStep>, LibraryError> {
        self.step("SELECT id, what, games, change FROM history WHERE undone ORDER BY id LIMIT 1", false)
    }

    fn step(&self, sql: &str, undone: bool) -> Result<Option<HistoryStep>, LibraryError> {
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found: Option<(i64, String, u32, String)> = transaction
            .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
            .optional()?;
        let Some((id, what, games, json)) = found else { return Ok(None) };
        let Ok(change) = serde_json::from_str::<Change>(&json) else {
            // A change of a kind that this version does not know cannot be taken back, nor can what came before it.
            transaction.execute("DELETE FROM history WHERE id <= ?1", [id])?;
            transaction.commit()?;
            return Ok(None);
        };
        let reverse = change.apply(&transaction)?;
        transaction.execute(
            "UPDATE history SET change = ?2, undone = ?3 WHERE id = ?1",
            params![id, written(&reverse)?, undone],
        )?;
        transaction.commit()?;
        Ok(Some(HistoryStep { what, games }))
    }
}

/// Keeps how to take a change back, in its own transaction.
pub(crate) fn remember(transaction: &Transaction<'_>, what: &str, reverse: &Change) -> Result<(), LibraryError> {
    if reverse.is_nothing() {
        return Ok(());
    }
    // What was taken back before cannot be done again after something else was changed.
    transaction.execute("DELETE FROM history WHERE undone", [])?;
    if let Change::Record { row, .. } = reverse {
        // A game that is saved again and again while it is edited goes back to where the editing began.
        let last: Option<String> = transaction
            .query_row("SELECT change FROM history ORDER BY id DESC LIMIT 1", [], |row| row.get(0))
            .optional()?;
        let last = last.and_then(|json| serde_json::from_str(&json).ok());
        if matches!(last, Some(Change::Record { row: earlier, .. }) if earlier == *row) {
            return Ok(());
        }
    }
    transaction.execute(
        "INSERT INTO history (what, games, change) VALUES (?1, ?2, ?3)",
        params![what, reverse.n_games(), written(reverse)?],
    )?;
    transaction.execute(
        "DELETE FROM history WHERE id < (SELECT max(id) FROM history) AND id IN (
             SELECT id FROM (SELECT id, row_number() OVER newest AS place, sum(length(change)) OVER newest AS bytes
                             FROM history WINDOW newest AS (ORDER BY id DESC))
             WHERE place > ?1 OR bytes > ?2)",
        params![MAX_CHANGES, MAX_BYTES],
    )?;
    Ok(())
}

/// Forgets the steps that would give a game one of its earlier texts, also those that were taken back.
fn forget_texts(transaction: &Transaction<'_>, row: i64) -> Result<(), LibraryError> {
    // Only the short ones are read as JSON: a change of many games may be megabytes, and this is done for every move.
    transaction.execute(
        "DELETE FROM history WHERE CASE WHEN what = 'edit' AND json_valid(change)
             THEN json_extract(change, '$.do') = 'record' AND json_extract(change, '$.row') = ?1 END",
        [row],
    )?;
    Ok(())
}

fn written(change: &Change) -> Result<String, LibraryError> {
    serde_json::to_string(change)
        .map_err(|error| LibraryError::Damaged { detail: format!("a change cannot be written: {error}") })
}
