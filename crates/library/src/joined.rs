//! Other texts and copies of games: what joining versions changed, so that it can be taken back and done again.

use std::collections::BTreeMap;

use honinbo_record::GameTree;

use crate::time::Timestamp;

/// Other texts and other copies for games.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GameTexts {
    pub(crate) texts: Vec<OtherText>,
    /// Copies that go.
    pub(crate) drop: Vec<i64>,
    /// Copies that games get.
    pub(crate) keep: Vec<(i64, String)>,
    pub(crate) now: Timestamp,
}

/// Another text for a game that still says what it said; one that was changed since, by moves that went on, stays.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct OtherText {
    pub(crate) row: i64,
    /// The hash of what it says now.
    pub(crate) from: u64,
    pub(crate) to: String,
}

impl GameTexts {
    /// Another record for a game; `None` where it says what the game says.
    pub(crate) fn of_record(row: i64, before: &GameTree, after: &GameTree, now: Timestamp) -> Option<Self> {
        let from = before.content_hash();
        let text = OtherText { row, from, to: after.to_sgf() };
        (from != after.content_hash()).then(|| Self { texts: vec![text], now, ..Self::default() })
    }

    /// A copy that becomes no game's version any more.
    pub(crate) fn without_copy(id: i64, now: Timestamp) -> Self {
        Self { drop: vec![id], now, ..Self::default() }
    }

    pub(crate) fn is_nothing(&self) -> bool {
        self.n_games() == 0
    }

    pub(crate) fn n_games(&self) -> usize {
        self.texts.len().max(self.drop.len()).max(self.keep.len())
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
