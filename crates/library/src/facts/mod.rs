//! What lists are filtered and sorted by, in memory: a game takes 64 bytes, its short note and four bytes.
//!
//! SQLite answers questions for which it has an index; a list by margin and length, of a year's games with a letter in
//! their event, would read every row of its file. Here each question looks at every game in a few nanoseconds, so that
//! the answer takes about the same time whatever is asked, and the number of all games found is always exact.

mod filter;
mod fold;
mod name_parts;
mod page;
mod spelling;
mod texts;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};

use crate::error::LibraryError;
use crate::follow::FollowsGames;
pub use fold::fold;
pub(crate) use name_parts::{bare_parts, is_rank};
use texts::{Numbers, Texts, number};

pub(crate) use filter::{Filter, RowSet};
pub(crate) use page::Order;

/// Games of one segment: the unit that threads take, and that an index shares with its successor.
pub(crate) const SEGMENT: usize = 2_048;

/// Length in bytes of the longest note that is kept in memory; the index of longer ones stands in the file, see
/// migration 5.
const MAX_NOTE_BYTES: u32 = 64;

/// In place of a margin or komi that is not known.
pub(crate) const UNKNOWN: i32 = i32::MIN;

/// What lists ask of a game, in the numbers of its row in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) row: i64,
    pub(crate) changed: i64,
    pub(crate) black: u32,
    pub(crate) white: u32,
    /// 0: none, as for the other labels.
    pub(crate) event: u32,
    pub(crate) place: u32,
    pub(crate) source: u32,
    pub(crate) rules: u32,
    pub(crate) date: u32,
    /// The last of several dates; 0 where there is one.
    pub(crate) last_date: u32,
    /// Hundredths of a point, or [`UNKNOWN`].
    pub(crate) margin: i32,
    /// Half points, or [`UNKNOWN`].
    pub(crate) komi: i32,
    pub(crate) moves: u16,
    pub(crate) handicap: u16,
    pub(crate) width: u8,
    pub(crate) height: u8,
    pub(crate) result: u8,
    pub(crate) winner: u8,
    pub(crate) black_rank: u8,
    pub(crate) white_rank: u8,
    pub(crate) state: State,
}

impl Facts {
    /// Whether a date of the game is between two, as keys. Of years and months that it names, each counts as its beginning.
    pub(crate) fn is_dated_within(&self, first: u32, last: u32) -> bool {
        let is_within = |date: u32| date > 0 && (first..=last).contains(&date);
        let has_days = !self.last_date.is_multiple_of(100);
        let is_around = has_days && self.date < first && self.last_date > last;
        is_within(self.date) || is_within(self.last_date) || is_around
    }
}

/// Where a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Kept,
    InBin,
    /// Deleted for good since the index was made.
    Gone,
}

/// Some games, by row.
#[derive(Clone, Default)]
pub(crate) struct Segment {
    pub(crate) games: Vec<Facts>,
    /// Their notes, folded; empty for those that have none or a long one.
    notes: Texts,
}

/// Facts of all games of a library.
#[derive(Clone, Default)]
pub(crate) struct FactsIndex {
    segments: Vec<Arc<Segment>>,
    names: Arc<Names>,
    labels: Arc<Labels>,
    last_row: i64,
    /// Number of the last change that it knows.
    last_change: i64,
}

/// Names of players, by their numbers.
#[derive(Clone, Default)]
struct Names {
    plain: Texts,
    folded: Texts,
    persons: Vec<u32>,
    /// Place of each name in the order of all; made when it is first asked for.
    places: OnceLock<Vec<u32>>,
}

/// Names of events and places, folded; the other labels are left out.
#[derive(Clone, Default)]
struct Labels {
    folded: Texts,
    used: Numbers,
    /// Place of each in the order of all; made when it is first asked for.
    places: OnceLock<Vec<u32>>,
}

const FACTS: &str = "SELECT id, black, white, event, place, source, rules, date, margin, komi, moves, handicap, width,
    height, result, winner, black_rank, white_rank, changed, deleted, last_date FROM games";

fn read_facts(row: &Row<'_>) -> Result<Facts, LibraryError> {
    let known = |at: usize| match row.get_ref(at) {
        Ok(ValueRef::Integer(value)) => Some(value),
        _ => None,
    };
    let value = |at: usize| known(at).unwrap_or(0);
    let small = |at: usize| u8::try_from(value(at)).unwrap_or(u8::MAX);
    let count = |at: usize| u16::try_from(value(at).max(0)).unwrap_or(u16::MAX);
    let points =
        |at: usize| known(at).map_or(UNKNOWN, |points| points.clamp(i64::from(UNKNOWN) + 1, i32::MAX.into()) as i32);
    Ok(Facts {
        row: value(0),
        black: number(value(1))?,
        white: number(value(2))?,
        event: number(value(3))?,
        place: number(value(4))?,
        source: number(value(5))?,
        rules: number(value(6))?,
        date: u32::try_from(value(7)).unwrap_or(0),
        last_date: u32::try_from(value(20)).unwrap_or(0),
        margin: points(8),
        komi: points(9),
        moves: count(10),
        handicap: count(11),
        width: small(12),
        height: small(13),
        result: small(14),
        winner: small(15),
        black_rank: small(16),
        white_rank: small(17),
        changed: value(18),
        state: if known(19).is_some() { State::InBin } else { State::Kept },
    })
}

impl FollowsGames for FactsIndex {
    fn load(connection: &Connection) -> Result<Self, LibraryError> {
        let mut index = Self { last_change: changes(connection)?.1, ..Self::default() };
        index.load_new(connection)?;
        Ok(index)
    }

    fn is_current(&self, connection: &Connection) -> Result<bool, LibraryError> {
        Ok(newest_row(connection)? <= self.last_row && changes(connection)?.1 == self.last_change)
    }

    fn follow(&mut self, connection: &Connection) -> Result<bool, LibraryError> {
        let (first, last) = changes(connection)?;
        if last != self.last_change {
            if last < self.last_change || first > self.last_change + 1 {
                return Ok(false);
            }
            let mut statement = connection.prepare_cached("SELECT game FROM relisted WHERE id > ?1")?;
            let rows: BTreeSet<i64> =
                statement.query_map([self.last_change], |row| row.get(0))?.collect::<Result<_, _>>()?;
            if rows.contains(&0) {
                self.names = Arc::default();
            }
            if !self.renew(connection, &rows)? {
                return Ok(false);
            }
            self.last_change = last;
        }
        self.load_new(connection)?;
        Ok(true)
    }
}

impl FactsIndex {
    /// Reads games again that were changed. False when one of them should be here and is not.
    fn renew(&mut self, connection: &Connection, rows: &BTreeSet<i64>) -> Result<bool, LibraryError> {
        let mut one = connection.prepare_cached(&format!("{FACTS} WHERE id = ?1"))?;
        let sql = format!("SELECT text FROM notes WHERE game = ?1 AND octet_length(text) <= {MAX_NOTE_BYTES}");
        let mut note = connection.prepare_cached(&sql)?;
        let mut changed: BTreeMap<usize, BTreeMap<usize, String>> = BTreeMap::new();
        for &row in rows.iter().filter(|row| (1..=self.last_row).contains(*row)) {
            let at = self.segments.partition_point(|segment| segment.games.last().is_some_and(|last| last.row < row));
            let place = self.segments.get(at).and_then(|s| s.games.binary_search_by_key(&row, |game| game.row).ok());
            let mut found = one.query([row])?;
            match (found.next()?, place) {
                (Some(found), Some(place)) => {
                    let facts = read_facts(found)?;
                    Arc::make_mut(&mut self.segments[at]).games[place] = facts;
                    let text: Option<String> = note.query_row([row], |row| row.get(0)).optional()?;
                    changed.entry(at).or_default().insert(place, fold(&text.unwrap_or_default()));
                }
                (None, Some(place)) => {
                    Arc::make_mut(&mut self.segments[at]).games[place].state = State::Gone;
                }
                (Some(_), None) => return Ok(false),
                (None, None) => {}
            }
        }
        for (at, notes) in changed {
            Arc::make_mut(&mut self.segments[at]).rebuild_notes(&notes);
        }
        Ok(true)
    }

    /// Adds the games that came after the last one, and their names.
    fn load_new(&mut self, connection: &Connection) -> Result<(), LibraryError> {
        let sql = format!(
            "SELECT game, text FROM notes WHERE game > ?1 AND octet_length(text) <= {MAX_NOTE_BYTES} ORDER BY game"
        );
        let mut notes = connection.prepare_cached(&sql)?;
        let mut notes = notes.query([self.last_row])?;
        let mut note = notes.next()?;
        let mut games = connection.prepare_cached(&format!("{FACTS} WHERE id > ?1 ORDER BY id"))?;
        let mut games = games.query([self.last_row])?;
        while let Some(row) = games.next()? {
            let facts = read_facts(row)?;
            while note.is_some_and(|note| note.get(0).is_ok_and(|game: i64| game < facts.row)) {
                note = notes.next()?;
            }
            let of_game = note.filter(|note| note.get(0).is_ok_and(|game: i64| game == facts.row));
            let text = of_game.and_then(|note| note.get_ref(1).ok()).and_then(|text| text.as_str().ok());
            self.push(facts, &fold(text.unwrap_or_default()));
        }
        if let Some(last) = self.segments.last_mut().and_then(Arc::get_mut) {
            last.games.shrink_to_fit();
            last.notes.shrink_to_fit();
        }
        self.load_names(connection)?;
        self.load_labels(connection)
    }

    fn push(&mut self, facts: Facts, note: &str) {
        if self.segments.last().is_none_or(|segment| segment.games.len() >= SEGMENT) {
            if let Some(full) = self.segments.last_mut().and_then(Arc::get_mut) {
                full.notes.shrink_to_fit();
            }
            let games = Vec::with_capacity(SEGMENT);
            self.segments.push(Arc::new(Segment { games, notes: Texts::default() }));
        }
        self.last_row = self.last_row.max(facts.row);
        let last = self.segments.len() - 1;
        let segment = Arc::make_mut(&mut self.segments[last]);
        segment.games.push(facts);
        segment.notes.push(note.as_bytes());
    }

    fn load_names(&mut self, connection: &Connection) -> Result<(), LibraryError> {
        let known = self.names.plain.len() as i64;
        let mut statement =
            connection.prepare_cached("SELECT id, name, person FROM players WHERE id >= ?1 ORDER BY id")?;
        let mut rows = statement.query([known])?;
        let mut row = rows.next()?;
        if row.is_none() {
            return Ok(());
        }
        let names = Arc::make_mut(&mut self.names);
        names.places = OnceLock::new();
        while let Some(found) = row {
            let (id, person) = (number(found.get(0)?)?, number(found.get(2)?)?);
            let name = found.get_ref(1)?.as_str().unwrap_or_default();
            names.plain.put(id, name.as_bytes());
            names.folded.put(id, fold(name).as_bytes());
            while names.persons.len() < id as usize {
                names.persons.push(0);
            }
            names.persons.push(person);
            row = rows.next()?;
        }
        Ok(())
    }

    /// Reads the names of events and places again when there are new ones among them.
    fn load_labels(&mut self, connection: &Connection) -> Result<(), LibraryError> {
        let mut used = Numbers::default();
        for game in self.segments.iter().flat_map(|segment| &segment.games) {
            used.add(game.event);
            used.add(game.place);
        }
        if used == self.labels.used {
            return Ok(());
        }
        let mut folded = Texts::default();
        let mut statement = connection.prepare_cached("SELECT id, text FROM labels ORDER BY id")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let id = number(row.get(0)?)?;
            if id > 0 && used.contains(id) {
                folded.put(id, fold(row.get_ref(1)?.as_str().unwrap_or_default()).as_bytes());
            }
        }
        self.labels = Arc::new(Labels { folded, used, places: OnceLock::new() });
        Ok(())
    }
}

impl FactsIndex {
    /// People one of whose names has all words of a text, those with most games first.
    pub(crate) fn people(&self, text: &str, limit: usize) -> Vec<u32> {
        let names = &self.names;
        let named = names.with_words(text);
        let mut games: BTreeMap<u32, usize> = BTreeMap::new();
        for (name, &person) in names.persons.iter().enumerate() {
            if named.contains(name as u32) && !names.plain.get(name).is_empty() {
                games.insert(person, 0);
            }
        }
        let kept = self.segments.iter().flat_map(|segment| &segment.games).filter(|game| game.state == State::Kept);
        for name in kept.flat_map(|game| [game.black, game.white]) {
            let person = names.persons.get(name as usize);
            if let Some(count) = person.and_then(|person| games.get_mut(person)) {
                *count += 1;
            }
        }
        let mut people: Vec<(usize, u32)> = games.into_iter().map(|(person, count)| (count, person)).collect();
        people.sort_by_key(|&(count, person)| (Reverse(count), person));
        people.into_iter().map(|(_, person)| person).take(limit).collect()
    }
}

impl Segment {
    /// Makes the notes anew, with these in place of those that they had.
    fn rebuild_notes(&mut self, changed: &BTreeMap<usize, String>) {
        let mut notes = Texts::default();
        for game in 0..self.games.len() {
            match changed.get(&game) {
                Some(note) => notes.push(note.as_bytes()),
                None => notes.push(self.notes.get(game)),
            }
        }
        notes.shrink_to_fit();
        self.notes = notes;
    }
}

impl Names {
    /// Place of each name in the order of all names, by bytes, as the file's index has them.
    fn places(&self) -> &[u32] {
        self.places.get_or_init(|| places_of(&self.plain))
    }
}

impl Labels {
    /// Place of each name in the order of all, whatever case they are written in.
    fn places(&self) -> &[u32] {
        self.places.get_or_init(|| places_of(&self.folded))
    }
}

/// Place of each text in the order of all, by bytes; equal ones share theirs.
fn places_of(texts: &Texts) -> Vec<u32> {
    let text = |number: u32| texts.get(number as usize);
    let mut order: Vec<u32> = (0..texts.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| text(a).cmp(text(b)));
    let mut places = vec![0; order.len()];
    let mut place = 0;
    for (at, &number) in order.iter().enumerate() {
        if at > 0 && text(number) != text(order[at - 1]) {
            place = at as u32;
        }
        places[number as usize] = place;
    }
    places
}

/// Numbers of the first and the last change that the library remembers.
fn changes(connection: &Connection) -> Result<(i64, i64), LibraryError> {
    let mut statement = connection.prepare_cached("SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM relisted")?;
    Ok(statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// The number of the last change of a game's place in lists.
pub(crate) fn last_change(connection: &Connection) -> Result<i64, LibraryError> {
    Ok(changes(connection)?.1)
}

/// The number of the newest game.
pub(crate) fn newest_row(connection: &Connection) -> Result<i64, LibraryError> {
    let newest: Option<i64> =
        connection.prepare_cached("SELECT max(id) FROM games")?.query_row([], |row| row.get(0))?;
    Ok(newest.unwrap_or(0))
}
