//! Putting games into the library.

use honinbo_record::{GameTree, read_sgf_text};
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior};

use crate::change::Change;
use crate::error::LibraryError;
use crate::history::remember;
use crate::id::GameId;
use crate::joined::GameTexts;
use crate::open::Library;
use crate::prepare::PreparedGame;
use crate::saver::{Saved, Saver};
use crate::text::{TextCodec, tree_of};
use crate::time::Timestamp;

impl Library {
    /// Saves a record. A text with several games saves them all and answers for the first.
    ///
    /// A game whose main line is already there, also turned or mirrored, or with more or fewer moves at its end by the
    /// same players, is not stored a second time: missing facts are filled in, the fuller text becomes the game's, and
    /// the other is kept as a copy where it says something else.
    ///
    /// # Errors
    /// [`LibraryError::NotARecord`] when there is no game in the text, and what the database says.
    pub fn save_record(&self, sgf: &str, now: Timestamp) -> Result<Saved, LibraryError> {
        self.save_text(sgf, now, |saver, game| saver.save(game, None, now))
    }

    /// As [`Library::save_record`], for a game that is being played: it is a game of its own, whatever other games began
    /// with the same moves.
    ///
    /// # Errors
    /// As [`Library::save_record`].
    pub fn save_played(&self, sgf: &str, now: Timestamp) -> Result<Saved, LibraryError> {
        self.save_text(sgf, now, |saver, game| saver.save_new(game, None, now))
    }

    fn save_text(
        &self,
        sgf: &str,
        now: Timestamp,
        save: impl Fn(&mut Saver<'_>, &PreparedGame) -> Result<Saved, LibraryError>,
    ) -> Result<Saved, LibraryError> {
        let collection = read_sgf_text(sgf);
        if collection.games.is_empty() {
            let reason = collection.diagnostics.first().map(ToString::to_string).unwrap_or_default();
            return Err(LibraryError::NotARecord { reason });
        }
        if let Some(game) = collection.games.iter().find(|game| !game.tree.is_go_record()) {
            let reason = format!("what begins in line {} is no record of a game of Go", game.line);
            return Err(LibraryError::NotARecord { reason });
        }
        let mut codec = TextCodec::new()?;
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut first = None;
        let mut new = Vec::new();
        let joined = {
            let mut saver = Saver::new(&transaction, &mut codec);
            for game in &collection.games {
                let prepared = PreparedGame::new(&game.tree, saver.codec)?;
                let saved = save(&mut saver, &prepared)?;
                if saved.duplicate_of.is_none() {
                    new.push((saved.id.row()?, Some(now)));
                }
                first.get_or_insert(saved);
            }
            saver.joinings.into_reverse(now)
        };
        let changes = vec![Change::Bin { states: new }, Change::Texts(joined)];
        remember(&transaction, "save", &Change::Many { changes })?;
        transaction.commit()?;
        first.ok_or_else(|| LibraryError::NotARecord { reason: "no game record found".into() })
    }

    /// Replaces the text of a game that was edited; its title, tags and place in folders stay.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`], and what the database says.
    pub fn update_record(&self, id: &GameId, tree: &GameTree, now: Timestamp) -> Result<(), LibraryError> {
        self.change_with("edit", |transaction| new_text(transaction, id, tree, now))?;
        Ok(())
    }

    /// As [`Library::update_record`], for a game that goes on move after move by itself: nobody edited it, so that there
    /// is nothing to take back. Edits from before cannot be taken back any more either: that would take moves away.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`], and what the database says.
    pub fn continue_record(&self, id: &GameId, tree: &GameTree, now: Timestamp) -> Result<(), LibraryError> {
        self.change_for_good(|transaction| new_text(transaction, id, tree, now))
    }

    /// Makes another version of a game, one of [`Library::copies`], a game of its own.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`]; [`LibraryError::NotARecord`] where the game has no such version.
    pub fn part_version(&self, id: &GameId, sgf: &str, now: Timestamp) -> Result<GameId, LibraryError> {
        let row = id.row()?;
        let unknown = || LibraryError::NotARecord { reason: format!("game {id} has no such version") };
        let tree = tree_of(sgf).ok_or_else(unknown)?;
        let mut codec = TextCodec::new()?;
        let prepared = PreparedGame::new(&tree, &mut codec)?;
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut saver = Saver::new(&transaction, &mut codec);
        let copy = saver.copy_of(row, sgf)?.ok_or_else(unknown)?;
        let new = saver.save_new(&prepared, None, now)?.id;
        let kept = Change::Texts(GameTexts::without_copy(copy, now)).apply(&transaction)?;
        let changes = vec![Change::Bin { states: vec![(new.row()?, Some(now))] }, kept];
        remember(&transaction, "version", &Change::Many { changes })?;
        transaction.commit()?;
        Ok(new)
    }
}

/// The change that gives a game another text.
fn new_text(
    transaction: &Transaction<'_>,
    id: &GameId,
    tree: &GameTree,
    now: Timestamp,
) -> Result<Change, LibraryError> {
    let row = id.row()?;
    let exists: Option<i64> = transaction
        .query_row("SELECT id FROM games WHERE id = ?1 AND deleted IS NULL", [row], |row| row.get(0))
        .optional()?;
    exists.ok_or_else(|| id.unknown())?;
    Ok(Change::Record { row, sgf: tree.to_sgf(), now })
}
