//! Positions that a person practises, and the answers that were given to them.
//!
//! When a card comes back is the caller's to say: the library keeps what the schedule needs and finds what is due.

use honinbo_rules::{Board, Color, PositionHash, canonical_hash};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use crate::change::Change;
use crate::error::LibraryError;
use crate::history::remember;
use crate::id::GameId;
use crate::open::Library;
use crate::recorded::{NO_GAME, set_moves};
use crate::time::Timestamp;

/// Names a card of one library. A text, as it crosses to programs without 64-bit integers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CardId(String);

impl CardId {
    /// Takes a text for an id. Whether there is such a card is known when it is used.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn row(&self) -> Result<i64, LibraryError> {
        self.0.parse().ok().filter(|row| *row > 0).ok_or_else(|| self.unknown())
    }

    fn unknown(&self) -> LibraryError {
        LibraryError::UnknownCard { id: self.0.chars().take(40).collect() }
    }
}

/// A position to practise.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCard {
    /// The game up to the position, as a record whose last node is the position.
    pub sgf: String,
    /// The move of the game: a point row by row from the top, -1 for a pass; `None` where there is none.
    pub played: Option<i32>,
    /// Points that it lost, 0 or more.
    pub lost: f64,
    /// The moves that records have at the position, as the positions after them: they are right, and no others. Empty where
    /// the engine judges.
    pub recorded: Vec<PositionHash>,
}

/// How well a position is remembered, in FSRS's terms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CardMemory {
    /// Days until it is remembered with a chance of 90 %.
    pub stability: f64,
    /// 1 to 10.
    pub difficulty: f64,
}

/// A card of the library.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// Its id.
    pub id: CardId,
    /// What it asks.
    pub asks: NewCard,
    /// When it is asked next.
    pub due: Timestamp,
    /// How well it is remembered; `None` before the first answer.
    pub memory: Option<CardMemory>,
    /// When it was answered last.
    pub answered: Option<Timestamp>,
    /// Answers that counted.
    pub answers: u32,
    /// Wrong ones among them.
    pub lapses: u32,
}

/// An answer, and what follows from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CardAnswered {
    /// 1 to 4 as FSRS counts: 1 is wrong.
    pub grade: u8,
    /// Days since the answer before it, 0 for the first.
    pub days: u32,
    /// How well the card is remembered now.
    pub memory: CardMemory,
    /// When it is asked next.
    pub due: Timestamp,
}

/// Positions that were added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedCards {
    /// The card of each, in their order.
    pub ids: Vec<CardId>,
    /// Those that were not there before.
    pub new: u32,
}

/// How many cards there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CardCounts {
    /// All.
    pub total: u32,
    /// Due by the time that was asked about.
    pub due: u32,
    /// When the next one is due after that.
    pub next: Option<Timestamp>,
}

impl Library {
    /// Keeps a position to practise, due now. One that is there already, however it is turned, stays as it is; one that
    /// was put away comes back with what was known of it.
    ///
    /// # Errors
    /// What the database says.
    pub fn add_card(
        &self,
        board: &Board,
        to_play: Color,
        card: &NewCard,
        now: Timestamp,
    ) -> Result<CardId, LibraryError> {
        let added = self.add_cards(&[(board, to_play, card)], now)?;
        added.ids.into_iter().next().ok_or_else(|| CardId::new("").unknown())
    }

    /// Keeps positions to practise, all at once or none, as [`Library::add_card`] does each.
    ///
    /// # Errors
    /// What the database says.
    pub fn add_cards(&self, cards: &[(&Board, Color, &NewCard)], now: Timestamp) -> Result<AddedCards, LibraryError> {
        self.add_cards_of(None, cards, now)
    }

    /// As [`Library::add_cards`], with the moves of a record of the library: they follow the record when it is changed, and
    /// stay as they were last when it is gone. A card that is there already is answered by them from now on, and by those
    /// of other records that it has.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`] for what cannot be the name of a game, and what the database says.
    pub fn add_cards_of(
        &self,
        record: Option<&GameId>,
        cards: &[(&Board, Color, &NewCard)],
        now: Timestamp,
    ) -> Result<AddedCards, LibraryError> {
        let game = record.map_or(Ok(NO_GAME), GameId::row)?;
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (mut ids, mut states, mut moves) = (Vec::with_capacity(cards.len()), Vec::new(), Vec::new());
        for &(board, to_play, card) in cards {
            let (row, before) = put(&transaction, board, to_play, card, now)?;
            ids.push(CardId(row.to_string()));
            states.extend(before.map(|away| (row, Some(away))));
            if !card.recorded.is_empty() {
                moves.extend(set_moves(&transaction, row, game, card.recorded.iter().copied())?);
            }
        }
        let new = u32::try_from(states.len()).unwrap_or(u32::MAX);
        remember(&transaction, "card", &Change::Cards { states, moves })?;
        transaction.commit()?;
        Ok(AddedCards { ids, new })
    }

    /// The card of a position, however it is turned.
    ///
    /// # Errors
    /// What the database says.
    pub fn card_of(&self, board: &Board, to_play: Color) -> Result<Option<CardId>, LibraryError> {
        let hash = canonical_hash(board, to_play).0.to_le_bytes();
        self.read(|connection| {
            let sql = "SELECT id FROM cards WHERE position = ?1 AND removed IS NULL";
            let row: Option<i64> =
                connection.prepare_cached(sql)?.query_row([&hash[..]], |row| row.get(0)).optional()?;
            Ok(row.map(|row| CardId(row.to_string())))
        })
    }

    /// A card.
    ///
    /// # Errors
    /// [`LibraryError::UnknownCard`], also for one that was put away.
    pub fn card(&self, id: &CardId) -> Result<Card, LibraryError> {
        let row = id.row()?;
        self.read(|connection| find(connection, row)?.ok_or_else(|| id.unknown()))
    }

    /// The card that has been due for longest; `None` when none is due by this time.
    ///
    /// # Errors
    /// What the database says.
    pub fn due_card(&self, by: Timestamp) -> Result<Option<Card>, LibraryError> {
        self.read(|connection| {
            let sql = format!("{COLUMNS} WHERE removed IS NULL AND due <= ?1 ORDER BY due, id LIMIT 1");
            Ok(connection.prepare_cached(&sql)?.query_row([by], card_of).optional()?)
        })
    }

    /// All cards but those that were put away, the oldest first.
    ///
    /// # Errors
    /// What the database says.
    pub fn cards(&self) -> Result<Vec<Card>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!("{COLUMNS} WHERE removed IS NULL ORDER BY id"))?;
            Ok(statement.query_map([], card_of)?.collect::<Result<_, _>>()?)
        })
    }

    /// How many cards there are, and how many are due by this time.
    ///
    /// # Errors
    /// What the database says.
    pub fn card_counts(&self, by: Timestamp) -> Result<CardCounts, LibraryError> {
        self.read(|connection| {
            // Each goes by the index alone: the cards' rows carry their records and are ten times as large.
            let sql = "SELECT (SELECT count(*) FROM cards WHERE removed IS NULL),
                           (SELECT count(*) FROM cards WHERE removed IS NULL AND due <= ?1),
                           (SELECT min(due) FROM cards WHERE removed IS NULL AND due > ?1)";
            let counts = |row: &Row<'_>| Ok(CardCounts { total: row.get(0)?, due: row.get(1)?, next: row.get(2)? });
            Ok(connection.prepare_cached(sql)?.query_row([by], counts)?)
        })
    }

    /// How many answers counted so far, those to cards that were put away among them.
    ///
    /// # Errors
    /// What the database says.
    pub fn card_answer_count(&self) -> Result<u32, LibraryError> {
        // Answers are never removed.
        let sql = "SELECT coalesce(max(id), 0) FROM card_answers";
        self.read(|connection| Ok(connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?))
    }

    /// Writes an answer down. `answer` is given the card as it is and says what follows, or `None` where the answer does
    /// not count; nobody else can answer in between. Returns whether it counted.
    ///
    /// # Errors
    /// [`LibraryError::UnknownCard`], and what the database says.
    pub fn answer_card(
        &self,
        id: &CardId,
        now: Timestamp,
        answer: impl FnOnce(&Card) -> Option<CardAnswered>,
    ) -> Result<bool, LibraryError> {
        let row = id.row()?;
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let card = find(&transaction, row)?.ok_or_else(|| id.unknown())?;
        let Some(CardAnswered { grade, days, memory, due }) = answer(&card) else { return Ok(false) };
        transaction.execute(
            "UPDATE cards SET stability = ?2, difficulty = ?3, due = ?4, answered = ?5, answers = answers + 1,
                 lapses = lapses + (?6 = 1) WHERE id = ?1",
            params![row, memory.stability, memory.difficulty, due, now, grade],
        )?;
        transaction.execute(
            "INSERT INTO card_answers (card, answered, days, grade) VALUES (?1, ?2, ?3, ?4)",
            params![row, now, days, grade],
        )?;
        transaction.commit()?;
        Ok(true)
    }

    /// The answers to the newest cards, `most` of them and of each card all or none, as days since the one before and
    /// grade: card by card from the oldest, in their order.
    ///
    /// # Errors
    /// What the database says.
    pub fn card_answers(&self, most: u32) -> Result<Vec<Vec<(u32, u8)>>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection
                .prepare_cached("SELECT card, days, grade FROM card_answers ORDER BY card DESC, id DESC LIMIT ?1")?;
            let mut rows = statement.query([most.saturating_add(1)])?;
            let (mut histories, mut last, mut read) = (Vec::<Vec<(u32, u8)>>::new(), None, 0);
            while let Some(row) = rows.next()? {
                let card: i64 = row.get(0)?;
                if last != Some(card) {
                    histories.push(Vec::new());
                    last = Some(card);
                }
                if let Some(history) = histories.last_mut() {
                    history.push((row.get(1)?, row.get(2)?));
                }
                read += 1;
            }
            if read > most {
                histories.pop();
            }
            histories.reverse();
            histories.iter_mut().for_each(|history| history.reverse());
            Ok(histories)
        })
    }

    /// Puts a card away; its answers are kept, and taking that back brings it back as it was.
    ///
    /// # Errors
    /// [`LibraryError::UnknownCard`], and what the database says.
    pub fn remove_card(&self, id: &CardId, now: Timestamp) -> Result<(), LibraryError> {
        let row = id.row()?;
        self.change_with("card", |transaction| {
            find(transaction, row)?.ok_or_else(|| id.unknown())?;
            Ok(Change::Cards { states: vec![(row, Some(now))], moves: Vec::new() })
        })?;
        Ok(())
    }
}

/// Puts a position among the cards: its row and, unless it was there, when it is put away by taking that back.
fn put(
    transaction: &Transaction<'_>,
    board: &Board,
    to_play: Color,
    card: &NewCard,
    now: Timestamp,
) -> Result<(i64, Option<Timestamp>), LibraryError> {
    let hash = canonical_hash(board, to_play).0.to_le_bytes();
    let known: Option<(i64, Option<Timestamp>)> = transaction
        .prepare_cached("SELECT id, removed FROM cards WHERE position = ?1")?
        .query_row([&hash[..]], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    if let Some((row, removed)) = known {
        if removed.is_some() {
            transaction.execute("UPDATE cards SET removed = NULL WHERE id = ?1", [row])?;
        }
        return Ok((row, removed));
    }
    transaction
        .prepare_cached("INSERT INTO cards (position, sgf, played, lost, added, due) VALUES (?1, ?2, ?3, ?4, ?5, ?5)")?
        .execute(params![&hash[..], card.sgf, card.played, card.lost, now])?;
    Ok((transaction.last_insert_rowid(), Some(now)))
}

const COLUMNS: &str = "SELECT id, sgf, played, lost, due, stability, difficulty, answered, answers, lapses,
    (SELECT group_concat(DISTINCT hex(position)) FROM card_moves WHERE card = cards.id) FROM cards";

fn find(connection: &Connection, row: i64) -> Result<Option<Card>, LibraryError> {
    let mut statement = connection.prepare_cached(&format!("{COLUMNS} WHERE id = ?1 AND removed IS NULL"))?;
    Ok(statement.query_row([row], card_of).optional()?)
}

fn card_of(row: &Row<'_>) -> rusqlite::Result<Card> {
    let (stability, difficulty): (Option<f64>, Option<f64>) = (row.get(5)?, row.get(6)?);
    Ok(Card {
        id: CardId(row.get::<_, i64>(0)?.to_string()),
        asks: NewCard { sgf: row.get(1)?, played: row.get(2)?, lost: row.get(3)?, recorded: positions(row.get(10)?) },
        due: row.get(4)?,
        memory: stability.zip(difficulty).map(|(stability, difficulty)| CardMemory { stability, difficulty }),
        answered: row.get(7)?,
        answers: row.get(8)?,
        lapses: row.get(9)?,
    })
}

/// Positions as the statement lists them, in the order of their numbers.
fn positions(listed: Option<String>) -> Vec<PositionHash> {
    let listed = listed.unwrap_or_default();
    // Stored with the lowest byte first.
    let read = |digits: &str| u128::from_str_radix(digits, 16).ok().map(|number| PositionHash(number.swap_bytes()));
    let mut positions: Vec<PositionHash> = listed.split(',').filter_map(read).collect();
    positions.sort_unstable();
    positions
}
