//! A filter made ready to be asked of every game.

use honinbo_record::{GameDate, Rank};
use honinbo_rules::Preset;
use memchr::memmem::Finder;
use rusqlite::Connection;
use unicode_normalization::UnicodeNormalization;

use super::fold::fold;
use super::spelling::Spelling;
use super::texts::{Numbers, number};
use super::{Facts, FactsIndex, Labels, Names, SEGMENT, Segment, State, UNKNOWN};
use crate::error::LibraryError;
use crate::query::GameFilter;

/// Longest word or name that is looked for, in characters.
const MAX_WORD: usize = 100;

/// Which games of a segment, a bit for each.
pub(crate) type Chosen = [u64; SEGMENT / 64];

/// Conditions that a game must meet, all of them.
pub(crate) struct Filter {
    state: State,
    words: Vec<Word>,
    players: Option<Players>,
    black: Option<Numbers>,
    white: Option<Numbers>,
    sources: Option<Numbers>,
    event: Option<Numbers>,
    place: Option<Numbers>,
    rules: Option<Numbers>,
    min_rank: Option<u8>,
    /// First and last day, as keys of dates.
    dated: Option<(u32, u32)>,
    winner: Option<u8>,
    result: Option<u8>,
    margin: Option<(i64, i64)>,
    komi: Option<i64>,
    width: Option<u32>,
    height: Option<u32>,
    handicap: (u32, u32),
    moves: (u32, u32),
    /// Each a set of rows of which the game must be one: a folder's, a tag's, those asked for.
    among: Vec<RowSet>,
    /// Rows of which the game must not be one.
    except: RowSet,
}

/// Names that the two players must have, in any order; `None`: any name.
struct Players(Numbers, Option<Numbers>);

/// A word that must be part of one of the texts of a game, or the time of its date.
struct Word {
    names: Numbers,
    labels: Numbers,
    /// First and last day, as keys of dates, where the word is a year, a month or a day.
    dates: Option<(u32, u32)>,
    in_notes: Finder<'static>,
    /// Games that have it in their title or in a long note.
    rows: RowSet,
}

/// Rows of games.
#[derive(Default)]
pub(crate) struct RowSet(Vec<u64>);

impl RowSet {
    pub(crate) fn new(rows: impl IntoIterator<Item = i64>) -> Self {
        let mut bits = Vec::new();
        for row in rows {
            let Ok(word) = usize::try_from(row / 64) else { continue };
            if word >= bits.len() {
                bits.resize(word + 1, 0u64);
            }
            bits[word] |= 1 << (row % 64);
        }
        Self(bits)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    pub(crate) fn contains(&self, row: i64) -> bool {
        let word = usize::try_from(row / 64).ok().and_then(|word| self.0.get(word));
        word.is_some_and(|word| word & (1 << (row % 64)) != 0)
    }
}

impl Filter {
    /// Looks up what a filter names. A name, date or result that cannot be read asks for nothing.
    pub(crate) fn new(connection: &Connection, index: &FactsIndex, filter: &GameFilter) -> Result<Self, LibraryError> {
        let names = &index.names;
        let named = |text: &Option<String>| said(text).map(|name| names.with_words(name));
        let labelled = |text: &Option<String>| said(text).map(|part| index.labels.like(&folded_word(part)));
        let (player, opponent) = (named(&filter.player), named(&filter.opponent));
        let players = match (player, opponent) {
            (Some(player), opponent) => Some(Players(player, opponent)),
            (None, Some(opponent)) => Some(Players(opponent, None)),
            (None, None) => None,
        };
        const RESULTS: [&str; 8] = ["unknown", "score", "resignation", "time", "forfeit", "win", "draw", "void"];
        let result = filter.result.as_deref().and_then(|kind| RESULTS.iter().position(|name| *name == kind));
        let hundredths = |points: f64| (points * 100.0).round() as i64;
        let margin = (filter.min_margin.is_some() || filter.max_margin.is_some())
            .then(|| (filter.min_margin.map_or(i64::MIN, hundredths), filter.max_margin.map_or(i64::MAX, hundredths)));
        let date = |text: &Option<String>| text.as_deref().and_then(GameDate::parse);
        let (from, to) = (date(&filter.date_from), date(&filter.date_to));
        let dated = (from.is_some() || to.is_some())
            .then(|| (from.map_or(0, GameDate::sort_key), to.map_or(u32::MAX, |to| end_of(to).sort_key())));
        let mut among = Vec::new();
        if let Some(folder) = said(&filter.folder) {
            let sql = "SELECT id FROM games WHERE folder = (SELECT id FROM folders WHERE path = ?1)";
            let is_within = |path: &str, folder: &str| {
                path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let paths = alike(connection, "SELECT path FROM folders", folder.trim_matches('/'), is_within)?;
            among.push(rows(connection, sql, &paths)?);
        }
        if let Some(tag) = said(&filter.tag) {
            let sql = "SELECT game FROM game_tags WHERE tag = (SELECT id FROM tags WHERE name = ?1)";
            let names = alike(connection, "SELECT name FROM tags", tag, |name, tag| name == tag)?;
            among.push(rows(connection, sql, &names)?);
        }
        if !filter.ids.is_empty() {
            // An id that is none names no game.
            among.push(RowSet::new(filter.ids.iter().filter_map(|id| id.row().ok())));
        }
        Ok(Self {
            state: if filter.deleted { State::InBin } else { State::Kept },
            words: words(&filter.text)
                .iter()
                // Of signs alone, such as a dash between two names, nothing is left to look for.
                .filter(|word| !folded_word(word).is_empty())
                .map(|word| Word::new(connection, index, word))
                .collect::<Result<_, _>>()?,
            players,
            black: named(&filter.black),
            white: named(&filter.white),
            sources: said(&filter.source).map(|source| sources_like(connection, source)).transpose()?,
            event: labelled(&filter.event),
            place: labelled(&filter.place),
            rules: said(&filter.rules).map(|rules| rulesets_like(connection, rules)).transpose()?,
            min_rank: filter.min_rank.as_deref().and_then(Rank::parse).map(Rank::strength),
            dated,
            winner: match filter.winner.as_deref() {
                Some("black") => Some(1),
                Some("white") => Some(2),
                _ => None,
            },
            result: result.map(|code| code as u8),
            margin,
            komi: filter.komi.map(|points| (points * 2.0).round() as i64),
            width: filter.width,
            height: filter.height,
            handicap: (filter.min_handicap.unwrap_or(0), filter.max_handicap.unwrap_or(u32::MAX)),
            moves: (filter.min_moves.unwrap_or(0), filter.max_moves.unwrap_or(u32::MAX)),
            among,
            except: RowSet::new(filter.except.iter().filter_map(|id| id.row().ok())),
        })
    }

    /// The games of a segment that meet all conditions.
    pub(super) fn choose(&self, segment: &Segment) -> Chosen {
        let mut chosen = [0u64; SEGMENT / 64];
        for (at, game) in segment.games.iter().enumerate() {
            chosen[at / 64] |= u64::from(self.holds(game)) << (at % 64);
        }
        for word in &self.words {
            if chosen == [0; SEGMENT / 64] {
                break;
            }
            word.keep(segment, &mut chosen);
        }
        chosen
    }

    /// All conditions but the words.
    fn holds(&self, game: &Facts) -> bool {
        let within = |value: u16, (least, most): (u32, u32)| (least..=most).contains(&value.into());
        game.state == self.state
            && self.dated.is_none_or(|(first, last)| game.is_dated_within(first, last))
            && self.result.is_none_or(|result| game.result == result)
            && self.winner.is_none_or(|winner| game.winner == winner)
            && within(game.moves, self.moves)
            && within(game.handicap, self.handicap)
            && self
                .margin
                .is_none_or(|(least, most)| game.margin != UNKNOWN && (least..=most).contains(&i64::from(game.margin)))
            && self.komi.is_none_or(|komi| game.komi != UNKNOWN && i64::from(game.komi) == komi)
            && self.width.is_none_or(|width| u32::from(game.width) == width)
            && self.height.is_none_or(|height| u32::from(game.height) == height)
            && self.min_rank.is_none_or(|rank| game.black_rank >= rank && game.white_rank >= rank)
            && self.event.as_ref().is_none_or(|events| game.event != 0 && events.contains(game.event))
            && self.place.as_ref().is_none_or(|places| game.place != 0 && places.contains(game.place))
            && self.rules.as_ref().is_none_or(|rules| game.rules != 0 && rules.contains(game.rules))
            && self.black.as_ref().is_none_or(|names| names.contains(game.black))
            && self.white.as_ref().is_none_or(|names| names.contains(game.white))
            && self.players.as_ref().is_none_or(|players| players.are_in(game))
            && self.sources.as_ref().is_none_or(|sources| game.source != 0 && sources.contains(game.source))
            && self.among.iter().all(|rows| rows.contains(game.row))
            && !self.except.contains(game.row)
    }
}

impl Players {
    fn are_in(&self, game: &Facts) -> bool {
        let Self(player, opponent) = self;
        let may_be_other = |name: u32| opponent.as_ref().is_none_or(|names| names.contains(name));
        (player.contains(game.black) && may_be_other(game.white))
            || (player.contains(game.white) && may_be_other(game.black))
    }
}

impl Word {
    fn new(connection: &Connection, index: &FactsIndex, word: &str) -> Result<Self, LibraryError> {
        let part = folded_word(word);
        let mut found = rows_with(connection, "SELECT id, title FROM games WHERE title IS NOT NULL", &part)?;
        // Trigrams find three characters or more; for shorter words the long notes are read.
        if word.chars().count() >= 3 {
            let mut statement =
                connection.prepare_cached("SELECT rowid FROM notes_index WHERE text MATCH ?1 ORDER BY rowid")?;
            let quoted = format!("\"{}\"", word.replace('"', "\"\""));
            for row in statement.query_map([quoted], |row| row.get(0))? {
                found.push(row?);
            }
        } else {
            let sql = "SELECT game, text FROM notes INDEXED BY notes_long WHERE octet_length(text) > 64";
            found.extend(rows_with(connection, sql, &part)?);
        }
        Ok(Self {
            names: index.names.with_all(&[&part]),
            labels: index.labels.like(&part),
            dates: dates_named(word),
            in_notes: Finder::new(&part).into_owned(),
            rows: RowSet::new(found),
        })
    }

    /// Keeps those of the chosen games that have the word.
    fn keep(&self, segment: &Segment, chosen: &mut Chosen) {
        // Most words are part of no event, place or title: those are not asked game by game then.
        let (has_labels, has_rows) = (!self.labels.is_empty(), !self.rows.is_empty());
        let mut noted = [0u64; SEGMENT / 64];
        segment.notes.each_containing(&self.in_notes, |game| {
            if let Some(word) = noted.get_mut(game / 64) {
                *word |= 1 << (game % 64);
            }
        });
        for (at, left) in chosen.iter_mut().enumerate() {
            let mut open = *left & !noted[at];
            while open != 0 {
                let bit = open.trailing_zeros() as usize;
                open &= open - 1;
                let game = &segment.games[at * 64 + bit];
                let has_it = self.names.contains(game.black)
                    || self.names.contains(game.white)
                    || self.dates.is_some_and(|(first, last)| game.is_dated_within(first, last))
                    || has_labels && (self.labels.contains(game.event) || self.labels.contains(game.place))
                    || has_rows && self.rows.contains(game.row);
                if !has_it {
                    *left &= !(1 << bit);
                }
            }
        }
    }
}

impl Names {
    /// Names that have all words of a text, in any order, and the other names of the same people.
    pub(super) fn with_words(&self, text: &str) -> Numbers {
        self.with_all(&folded_word(text).split(' ').collect::<Vec<_>>())
    }

    /// Names that contain each of some folded texts or are spelled so, and the other names of the same people.
    fn with_all(&self, parts: &[&str]) -> Numbers {
        let mut found: Option<Numbers> = None;
        for part in parts {
            let mut with_part = Numbers::default();
            let mut add = |name: usize| {
                if found.as_ref().is_none_or(|found| found.contains(name as u32)) {
                    with_part.add(name as u32);
                }
            };
            self.folded.each_containing(&Finder::new(part), &mut add);
            self.each_spelled(part, &mut add);
            found = Some(with_part);
        }
        let found = found.unwrap_or_default();
        let mut persons = Numbers::default();
        for (name, &person) in self.persons.iter().enumerate() {
            if person != 0 && found.contains(name as u32) {
                persons.add(person);
            }
        }
        let mut names = Numbers::default();
        for (name, &person) in self.persons.iter().enumerate() {
            if persons.contains(person) {
                names.add(name as u32);
            }
        }
        names
    }

    /// Reports the numbers of the names in Chinese characters that a folded text spells.
    fn each_spelled(&self, part: &str, mut found: impl FnMut(usize)) {
        let Some(spelling) = Spelling::of(part) else { return };
        for name in 0..self.plain.len() {
            let [plain, folded] =
                [&self.plain, &self.folded].map(|texts| str::from_utf8(texts.get(name)).unwrap_or_default());
            if !plain.is_ascii() && spelling.finds(plain, folded) {
                found(name);
            }
        }
    }
}

impl Labels {
    /// Events and places that contain a folded text.
    fn like(&self, part: &str) -> Numbers {
        let mut labels = Numbers::default();
        self.folded.each_containing(&Finder::new(part), |label| labels.add(label as u32));
        labels
    }
}

/// What was said of a text condition, without blanks around it.
fn said(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

fn folded_word(word: &str) -> String {
    fold(&word.trim().chars().take(MAX_WORD).collect::<String>()).trim().to_owned()
}

/// The time of a date: a year alone as it is, a month or a day in any form that dates are written in; other numbers are
/// texts alone.
fn dates_named(word: &str) -> Option<(u32, u32)> {
    let word: String = word.nfkc().collect();
    let is_part = |sign: char| sign.is_ascii_digit() || "-/., 年月日년월일".contains(sign);
    let date = GameDate::parse(&word).filter(|_| word.chars().all(is_part))?;
    (date.month > 0 || word.trim_end_matches(['年', '년']) == date.to_string())
        .then(|| (date.sort_key(), end_of(date).sort_key()))
}

/// The last day of a year or month.
fn end_of(date: GameDate) -> GameDate {
    GameDate {
        year: date.year,
        month: if date.month == 0 { 12 } else { date.month },
        day: if date.day == 0 { 31 } else { date.day },
    }
}

/// Rows of the games that a question finds for any of some names.
fn rows(connection: &Connection, sql: &str, names: &[String]) -> Result<RowSet, LibraryError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut found: Vec<i64> = Vec::new();
    for name in names {
        for row in statement.query_map([name], |row| row.get(0))? {
            found.push(row?);
        }
    }
    Ok(RowSet::new(found))
}

/// Names that are what is asked for as it is written or, where none is, when both are folded.
fn alike(
    connection: &Connection,
    sql: &str,
    asked: &str,
    fits: fn(&str, &str) -> bool,
) -> Result<Vec<String>, LibraryError> {
    let mut statement = connection.prepare_cached(sql)?;
    let names: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let folded = folded_word(asked);
    let (exact, others): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| fits(name, asked));
    let is_alike = |name: &String| fits(&folded_word(name), &folded);
    Ok(if exact.is_empty() { others.into_iter().filter(is_alike).collect() } else { exact })
}

/// Numbers of the rows whose text, the second column, contains a folded text.
fn rows_with(connection: &Connection, sql: &str, part: &str) -> Result<Vec<i64>, LibraryError> {
    let finder = Finder::new(part);
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let text = row.get_ref(1)?.as_str().unwrap_or_default();
        if finder.find(fold(text).as_bytes()).is_some() {
            found.push(row.get(0)?);
        }
    }
    Ok(found)
}

fn sources_like(connection: &Connection, source: &str) -> Result<Numbers, LibraryError> {
    let mut sources = Numbers::default();
    for id in rows_with(connection, "SELECT id, text FROM labels", &folded_word(source))? {
        sources.add(number(id)?);
    }
    Ok(sources)
}

/// The names of a ruleset: its own, where it is a known one, or what records call theirs.
fn rulesets_like(connection: &Connection, asked: &str) -> Result<Numbers, LibraryError> {
    let wanted = folded_word(Preset::parse(asked).map_or(asked, |preset| preset.name()));
    let mut rulesets = Numbers::default();
    let mut statement = connection.prepare_cached("SELECT id, text FROM labels")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if folded_word(row.get_ref(1)?.as_str().unwrap_or_default()) == wanted {
            rulesets.add(number(row.get(0)?)?);
        }
    }
    Ok(rulesets)
}

/// Words of a search, at most eight; quotation marks keep words together.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (n, part) in text.split(['"', '“', '”']).enumerate() {
        if n % 2 == 1 {
            words.push(part.trim().to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words.retain(|word| !word.is_empty());
    words.truncate(8);
    words
}
