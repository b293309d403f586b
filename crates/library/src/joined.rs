//! What joining versions to games changed, so that it can be taken back and done again.

use std::collections::BTreeMap;

use honinbo_record::GameTree;
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};

use crate::error::LibraryError;
use crate::history::{Change, is_there, remember, set_record};
use crate::id::GameId;
use crate::judged::tree_of;
use crate::open::Library;
use crate::prepare::PreparedGame;
use crate::saver::Saver;
use crate::text::{TextCodec, text_of};
use crate::time::Timestamp;

/// Other texts and other copies for games.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GameTexts {
    texts: Vec<OtherText>,
    /// Copies that go.
    drop: Vec<i64>,
    /// Copies that games get.
    keep: Vec<(i64, String)>,
    now: Timestamp,
}

/// Another text for a game that still says what it said; one that was changed since, by moves that went on, stays.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
struct OtherText {
    row: i64,
    /// The hash of what it says now.
    from: u64,
    to: String,
}

impl Library {
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
        let kept = GameTexts::without_copy(copy, now).apply(&transaction)?;
        let changes = vec![Change::Bin { states: vec![(new.row()?, Some(now))] }, Change::Texts(kept)];
        remember(&transaction, "version", &Change::Many { changes })?;
        transaction.commit()?;
        Ok(new)
    }
}

impl GameTexts {
    /// Another record for a game; `None` where it says what the game says.
    pub(crate) fn of_record(row: i64, before: &GameTree, after: &GameTree, now: Timestamp) -> Option<Self> {
        let from = before.content_hash();
        let text = OtherText { row, from, to: after.to_sgf() };
        (from != after.content_hash()).then(|| Self { texts: vec![text], now, ..Self::default() })
    }

    /// A copy that becomes no game's version any more.
    fn without_copy(id: i64, now: Timestamp) -> Self {
        Self { drop: vec![id], now, ..Self::default() }
    }

    pub(crate) fn is_nothing(&self) -> bool {
        self.n_games() == 0
    }

    pub(crate) fn n_games(&self) -> usize {
        self.texts.len().max(self.drop.len()).max(self.keep.len())
    }

    /// Does it, and answers with what takes it back. Games and copies that are no longer there are left out.
    pub(crate) fn apply(self, transaction: &Transaction<'_>) -> Result<Self, LibraryError> {
        let mut codec = TextCodec::new()?;
        let mut reverse = Self { now: self.now, ..Self::default() };
        for OtherText { row, from, to } in self.texts {
            if !is_there(transaction, row)? {
                continue;
            }
            let text = text_of(transaction, row, &mut codec)?;
            let Some((tree, new)) = tree_of(&text).zip(tree_of(&to)) else { continue };
            if tree.content_hash() == from {
                set_record(transaction, &mut codec, row, &new, self.now)?;
                reverse.texts.push(OtherText { row, from: new.content_hash(), to: text });
            }
        }
        for id in self.drop {
            let found: Option<(i64, Vec<u8>)> = transaction
                .prepare_cached("SELECT game, text FROM copies WHERE id = ?1")?
                .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            let Some((row, packed)) = found else { continue };
            transaction.prepare_cached("DELETE FROM copies WHERE id = ?1")?.execute([id])?;
            reverse.keep.push((row, codec.unpack(&packed, None)?));
        }
        for (row, text) in self.keep {
            if is_there(transaction, row)? {
                let packed = codec.pack(&text, None)?;
                let id = transaction
                    .prepare_cached("INSERT INTO copies (game, added, text) VALUES (?1, ?2, ?3)")?
                    .insert(params![row, self.now, packed])?;
                reverse.drop.push(id);
            }
        }
        Ok(reverse)
    }
}

/// Bytes of texts up to which joining can be taken back: what is kept of it is one value of the database.
const MAX_BYTES: usize = 64 << 20;

/// What takes back the joinings of one import, while it goes on. Past [`MAX_BYTES`] nothing does.
#[derive(Debug, Default)]
pub(crate) struct Joinings {
    texts: BTreeMap<i64, OtherText>,
    copies: Vec<i64>,
    bytes: usize,
}

impl Joinings {
    /// A game got another text.
    pub(crate) fn add_text(&mut self, row: i64, before: &str, now: u64) {
        if let Some(known) = self.texts.get_mut(&row) {
            known.from = now;
        } else if self.has_room_for(before) {
            self.texts.insert(row, OtherText { row, from: now, to: before.to_owned() });
        }
    }

    /// A text was kept as a copy.
    pub(crate) fn add_copy(&mut self, id: i64, text: &str) {
        if self.has_room_for(text) {
            self.copies.push(id);
        }
    }

    /// Takes over what came later.
    pub(crate) fn append(&mut self, later: Self) {
        self.take_room(later.bytes);
        if self.bytes > MAX_BYTES {
            return;
        }
        for (row, text) in later.texts {
            let from = text.from;
            self.texts.entry(row).or_insert(text).from = from;
        }
        self.copies.extend(later.copies);
    }

    fn take_room(&mut self, bytes: usize) {
        self.bytes += bytes;
        if self.bytes > MAX_BYTES {
            self.texts.clear();
            self.copies.clear();
        }
    }

    fn has_room_for(&mut self, text: &str) -> bool {
        self.take_room(text.len());
        self.bytes <= MAX_BYTES
    }

    /// As the change that takes all of it back.
    pub(crate) fn into_reverse(self, now: Timestamp) -> GameTexts {
        GameTexts { texts: self.texts.into_values().collect(), drop: self.copies, keep: Vec::new(), now }
    }
}
