//! Finding games by what is known about them.

use honinbo_record::{GameDate, Rank};
use honinbo_rules::Topology;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};

use crate::error::LibraryError;
use crate::id::GameId;
use crate::open::Library;
use crate::prepare::result_of;
use crate::save::Timestamp;

/// A game in a list.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GameSummary {
    /// Its id.
    pub id: GameId,
    /// The title a person gave it.
    pub title: Option<String>,
    /// Black's name; empty when unknown.
    pub black: String,
    /// White's name.
    pub white: String,
    /// Such as `9d`; empty when unknown.
    pub black_rank: String,
    /// White's rank.
    pub white_rank: String,
    /// Tournament; empty when unknown.
    pub event: String,
    /// Where; empty when unknown.
    pub place: String,
    /// `2003-09-25`, `2003-09`, `2003` or empty.
    pub date: String,
    /// As SGF writes it: `B+R`, `W+3.5`, `0`, `Void`, `?`.
    pub result: String,
    /// Columns of the board.
    pub width: u32,
    /// Rows of the board.
    pub height: u32,
    /// `plane`, `cylinder` or `torus`.
    pub topology: &'static str,
    /// Name of the ruleset; empty when unknown.
    pub rules: String,
    /// In points, if said.
    pub komi: Option<f64>,
    /// Handicap stones; 0 for an even game.
    pub handicap: u32,
    /// Moves of the main line, passes included.
    pub moves: u32,
    /// File it was imported from; empty when saved by hand.
    pub source: String,
    /// When it was added, milliseconds since 1970.
    pub added: Timestamp,
    /// When it was last changed.
    pub changed: Timestamp,
    /// When it was deleted, if it is in the bin.
    pub deleted: Option<Timestamp>,
}

/// Order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SortBy {
    /// When the game was added.
    #[default]
    Added,
    /// When the game was last changed.
    Changed,
    /// When the game was played.
    Date,
    /// Black's name.
    Black,
    /// White's name.
    White,
    /// Number of moves.
    Moves,
    /// Kind and winner.
    Result,
}

/// Conditions that a game must meet, all of them; those that are `None` or empty ask for nothing.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct GameFilter {
    /// Words that must each be part of a player's name, title, event, place, comment or annotation.
    pub text: String,
    /// Part of a player's name, of either colour.
    pub player: Option<String>,
    /// Part of Black's name.
    pub black: Option<String>,
    /// Part of White's name.
    pub white: Option<String>,
    /// Part of the other player's name, beside `player`.
    pub opponent: Option<String>,
    /// Both players at least this strong: `5k`, `3d`, `1p`.
    pub min_rank: Option<String>,
    /// First day: `2003`, `2003-09` or `2003-09-25`.
    pub date_from: Option<String>,
    /// Last day, in the same forms; a year or month counts to its end.
    pub date_to: Option<String>,
    /// `black` or `white` won.
    pub winner: Option<String>,
    /// `score`, `resignation`, `time`, `forfeit`, `win`, `draw`, `void` or `unknown`.
    pub result: Option<String>,
    /// Smallest margin in points.
    pub min_margin: Option<f64>,
    /// Largest margin in points.
    pub max_margin: Option<f64>,
    /// Columns of the board.
    pub width: Option<u32>,
    /// Rows of the board.
    pub height: Option<u32>,
    /// Name of a ruleset, as summaries have it.
    pub rules: Option<String>,
    /// Komi in points.
    pub komi: Option<f64>,
    /// Fewest handicap stones.
    pub min_handicap: Option<u32>,
    /// Most handicap stones.
    pub max_handicap: Option<u32>,
    /// Fewest moves.
    pub min_moves: Option<u32>,
    /// Most moves.
    pub max_moves: Option<u32>,
    /// Part of the path of the file it was imported from.
    pub source: Option<String>,
    /// In this folder or one inside it.
    pub folder: Option<String>,
    /// With this tag.
    pub tag: Option<String>,
    /// The bin instead of the library.
    pub deleted: bool,
}

/// A question to the list of games.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct GameQuery {
    /// Which games.
    pub filter: GameFilter,
    /// In which order.
    pub sort: SortBy,
    /// Last ones first.
    pub descending: bool,
    /// Games to skip.
    pub offset: u32,
    /// Games to return, at most 1000.
    pub limit: u32,
}

/// A piece of a list.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GamePage {
    /// The games, in order.
    pub games: Vec<GameSummary>,
    /// How many there are in all; when a filter leaves more than 10,000 they are not counted to the end.
    pub total: u32,
    /// False when there are more than `total`.
    pub total_is_exact: bool,
}

/// Games of a filtered list that are counted.
const MAX_COUNTED: u32 = 10_000;

/// Games above which a text is looked for game by game, in the order of the list, instead of by index: there are so
/// many hits that the first page is soon full.
const MANY_HITS: i64 = 20_000;

impl Library {
    /// A page of the games that meet a filter.
    ///
    /// # Errors
    /// What the database says.
    pub fn list(&self, query: &GameQuery) -> Result<GamePage, LibraryError> {
        self.read(|connection| list(connection, query))
    }

    /// One game of the list, also when it is in the bin.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`], and what the database says.
    pub fn summary(&self, id: &GameId) -> Result<GameSummary, LibraryError> {
        let row = id.row()?;
        self.read(|connection| summary(connection, row)?.ok_or_else(|| id.unknown()))
    }

    /// The ids of all games that meet a filter, in the order they were added: for export and search.
    ///
    /// # Errors
    /// What the database says.
    pub fn ids(&self, filter: &GameFilter) -> Result<Vec<GameId>, LibraryError> {
        self.read(|connection| Ok(rows_matching(connection, filter)?.into_iter().map(GameId::from_row).collect()))
    }
}

pub(crate) fn rows_matching(connection: &Connection, filter: &GameFilter) -> Result<Vec<i64>, LibraryError> {
    let conditions = Conditions::of(connection, filter)?;
    let sql = format!("SELECT g.id FROM games g WHERE {} ORDER BY g.id", conditions.sql());
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map(params_from_iter(&conditions.values), |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn list(connection: &Connection, query: &GameQuery) -> Result<GamePage, LibraryError> {
    let conditions = Conditions::of(connection, &query.filter)?;
    let direction = if query.descending { "DESC" } else { "ASC" };
    let by_name = |column: &str| match conditions.is_narrow {
        // Through the names in their order: the first page stops early. Through the few hits otherwise.
        false => format!("players p CROSS JOIN games g ON g.{column} = p.id"),
        true => format!("games g JOIN players p ON g.{column} = p.id"),
    };
    let games = "games g".to_owned();
    let (from, order) = match query.sort {
        SortBy::Added => (games, format!("g.id {direction}")),
        SortBy::Changed => (games, format!("g.changed {direction}, g.id {direction}")),
        SortBy::Date => (games, format!("g.date {direction}, g.id {direction}")),
        SortBy::Black => (by_name("black"), format!("p.name {direction}, g.id {direction}")),
        SortBy::White => (by_name("white"), format!("p.name {direction}, g.id {direction}")),
        SortBy::Moves => (games, format!("g.moves {direction}, g.id {direction}")),
        SortBy::Result => (games, format!("g.result {direction}, g.winner {direction}, g.margin {direction}, g.id")),
    };
    let limit = query.limit.min(1000);
    let sql = format!(
        "SELECT g.id FROM {from} WHERE {} ORDER BY {order} LIMIT {limit} OFFSET {}",
        conditions.sql(),
        query.offset
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows: Vec<i64> = statement
        .query_map(params_from_iter(&conditions.values), |row| row.get(0))?
        .collect::<Result<_, rusqlite::Error>>()?;
    let games = rows.into_iter().filter_map(|row| summary(connection, row).transpose()).collect::<Result<_, _>>()?;
    let (total, total_is_exact) = count(connection, &conditions)?;
    Ok(GamePage { games, total, total_is_exact })
}

fn count(connection: &Connection, conditions: &Conditions) -> Result<(u32, bool), LibraryError> {
    if conditions.is_all {
        return Ok((count_live(connection)?, true));
    }
    // One word with very many hits, and nothing else: that there are more than are counted is known already.
    if conditions.clauses.len() == 2 && conditions.at_least > i64::from(MAX_COUNTED) {
        let deleted: i64 = connection
            .prepare_cached("SELECT count(*) FROM games WHERE deleted IS NOT NULL")?
            .query_row([], |row| row.get(0))?;
        if conditions.at_least - deleted > i64::from(MAX_COUNTED) {
            return Ok((MAX_COUNTED, false));
        }
    }
    let sql =
        format!("SELECT count(*) FROM (SELECT 1 FROM games g WHERE {} LIMIT {})", conditions.sql(), MAX_COUNTED + 1);
    let mut statement = connection.prepare_cached(&sql)?;
    let found: u32 = statement.query_row(params_from_iter(&conditions.values), |row| row.get(0))?;
    Ok((found.min(MAX_COUNTED), found <= MAX_COUNTED))
}

/// All games less the deleted ones: both are counted in small indexes.
pub(crate) fn count_live(connection: &Connection) -> Result<u32, LibraryError> {
    let sql = "SELECT (SELECT count(*) FROM games) - (SELECT count(*) FROM games WHERE deleted IS NOT NULL)";
    Ok(connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// A filter as SQL.
struct Conditions {
    clauses: Vec<String>,
    values: Vec<Value>,
    /// A clause finds its few games by index.
    is_narrow: bool,
    /// Nothing but "not deleted".
    is_all: bool,
    /// Games that meet the last clause on a text at least, deleted ones included; counted no further than
    /// [`MANY_HITS`], and 0 where that is not known.
    at_least: i64,
}

impl Conditions {
    fn of(connection: &Connection, filter: &GameFilter) -> Result<Self, LibraryError> {
        let mut conditions =
            Self { clauses: Vec::new(), values: Vec::new(), is_narrow: false, is_all: false, at_least: 0 };
        conditions.clauses.push(if filter.deleted { "g.deleted IS NOT NULL" } else { "g.deleted IS NULL" }.into());
        for word in words(&filter.text) {
            conditions.text(connection, &word)?;
        }
        conditions.players(connection, filter)?;
        conditions.facts(filter);
        conditions.is_all = conditions.clauses.len() == 1 && !filter.deleted;
        conditions.is_narrow |= filter.deleted;
        if filter.deleted {
            // Most of the games that were counted are not in the bin.
            conditions.at_least = 0;
        }
        Ok(conditions)
    }

    fn sql(&self) -> String {
        self.clauses.join(" AND ")
    }

    fn value(&mut self, value: impl Into<Value>) -> usize {
        self.values.push(value.into());
        self.values.len()
    }

    /// A list of ids as one parameter.
    fn id_list(&mut self, ids: &[i64]) -> String {
        let json = format!("[{}]", ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
        let n = self.value(json);
        format!("(SELECT value FROM json_each(?{n}))")
    }

    fn text(&mut self, connection: &Connection, word: &str) -> Result<(), LibraryError> {
        let pattern = like_pattern(word);
        let players = players_like(connection, &pattern)?;
        let labels = ids(connection, "SELECT id FROM labels WHERE text LIKE ?1 ESCAPE '\\'", &pattern)?;
        let of_columns = [
            count_games(connection, "black", &players)?,
            count_games(connection, "white", &players)?,
            count_games(connection, "event", &labels)?,
            count_games(connection, "place", &labels)?,
        ];
        let mut hits: i64 = of_columns.iter().sum();
        let mut most = of_columns.into_iter().max().unwrap_or(0);
        let mut notes = Vec::new();
        // Where names alone give more than enough, notes are looked at game by game too, and not all of them here.
        if hits <= MANY_HITS {
            // Trigrams find three characters or more; shorter words are looked for in the texts themselves.
            let (sql, wanted) = match word.chars().count() >= 3 {
                true => ("SELECT rowid FROM notes_index WHERE text MATCH ?1", quoted(word)),
                false => ("SELECT game FROM notes WHERE text LIKE ?1 ESCAPE '\\'", pattern.clone()),
            };
            notes = ids(connection, &format!("{sql} LIMIT {}", MANY_HITS + 1), &wanted)?;
            hits += notes.len() as i64;
            most = most.max(notes.len() as i64);
        }
        let (players, labels) = (self.id_list(&players), self.id_list(&labels));
        let title = self.value(pattern);
        if hits > MANY_HITS {
            self.at_least = most;
            // LIKE knows the two cases of ASCII letters alone, trigrams those of all scripts.
            let has_other_cases = word.chars().any(|c| !c.is_ascii() && (c.is_lowercase() || c.is_uppercase()));
            let in_notes = if has_other_cases && word.chars().count() >= 3 {
                let quoted = self.value(quoted(word));
                format!("g.id IN (SELECT rowid FROM notes_index WHERE text MATCH ?{quoted})")
            } else {
                format!("EXISTS (SELECT 1 FROM notes n WHERE n.game = g.id AND n.text LIKE ?{title} ESCAPE '\\')")
            };
            self.clauses.push(format!(
                "(g.black IN {players} OR g.white IN {players} OR g.event IN {labels} OR g.place IN {labels}
                  OR g.title LIKE ?{title} ESCAPE '\\' OR {in_notes})"
            ));
        } else {
            let notes = self.id_list(&notes);
            self.is_narrow = true;
            self.clauses.push(format!(
                "g.id IN (SELECT id FROM games WHERE black IN {players}
                    UNION ALL SELECT id FROM games WHERE white IN {players}
                    UNION ALL SELECT id FROM games WHERE event IN {labels}
                    UNION ALL SELECT id FROM games WHERE place IN {labels}
                    UNION ALL SELECT value FROM {notes}
                    UNION ALL SELECT id FROM games WHERE title IS NOT NULL AND title LIKE ?{title} ESCAPE '\\')"
            ));
        }
        Ok(())
    }

    fn players(&mut self, connection: &Connection, filter: &GameFilter) -> Result<(), LibraryError> {
        let find = |name: &Option<String>| -> Result<Option<Vec<i64>>, LibraryError> {
            match name.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
                Some(name) => Ok(Some(players_like(connection, &like_pattern(name))?)),
                None => Ok(None),
            }
        };
        if let Some(black) = find(&filter.black)? {
            self.is_narrow |= count_games(connection, "black", &black)? <= MANY_HITS;
            let list = self.id_list(&black);
            self.clauses.push(format!("g.black IN {list}"));
        }
        if let Some(white) = find(&filter.white)? {
            self.is_narrow |= count_games(connection, "white", &white)? <= MANY_HITS;
            let list = self.id_list(&white);
            self.clauses.push(format!("g.white IN {list}"));
        }
        match (find(&filter.player)?, find(&filter.opponent)?) {
            (Some(player), Some(opponent)) => {
                let (a, b) = (self.id_list(&player), self.id_list(&opponent));
                self.clauses
                    .push(format!("((g.black IN {a} AND g.white IN {b}) OR (g.white IN {a} AND g.black IN {b}))"));
            }
            (Some(name), None) | (None, Some(name)) => {
                let hits = count_games(connection, "black", &name)? + count_games(connection, "white", &name)?;
                self.is_narrow |= hits <= MANY_HITS;
                let list = self.id_list(&name);
                self.clauses.push(format!("(g.black IN {list} OR g.white IN {list})"));
            }
            (None, None) => {}
        }
        Ok(())
    }

    fn facts(&mut self, filter: &GameFilter) {
        if let Some(rank) = filter.min_rank.as_deref().and_then(Rank::parse) {
            let n = self.value(i64::from(rank.strength()));
            self.clauses.push(format!("g.black_rank >= ?{n} AND g.white_rank >= ?{n}"));
        }
        if let Some(date) = filter.date_from.as_deref().and_then(GameDate::parse) {
            let n = self.value(i64::from(date.sort_key()));
            self.clauses.push(format!("g.date >= ?{n}"));
        }
        if let Some(date) = filter.date_to.as_deref().and_then(GameDate::parse) {
            let last = GameDate {
                year: date.year,
                month: if date.month == 0 { 12 } else { date.month },
                day: if date.day == 0 { 31 } else { date.day },
            };
            let n = self.value(i64::from(last.sort_key()));
            self.clauses.push(format!("g.date > 0 AND g.date <= ?{n}"));
        }
        match filter.winner.as_deref() {
            Some("black") => self.clauses.push("g.winner = 1".into()),
            Some("white") => self.clauses.push("g.winner = 2".into()),
            _ => {}
        }
        const RESULTS: [&str; 8] = ["unknown", "score", "resignation", "time", "forfeit", "win", "draw", "void"];
        if let Some(code) = filter.result.as_deref().and_then(|kind| RESULTS.iter().position(|name| *name == kind)) {
            self.clauses.push(format!("g.result = {code}"));
        }
        let hundredths = |points: f64| (points * 100.0).round() as i64;
        let margins = [(">=", filter.min_margin.map(hundredths)), ("<=", filter.max_margin.map(hundredths))];
        let numbers = [
            ("g.width =", filter.width.map(i64::from)),
            ("g.height =", filter.height.map(i64::from)),
            ("g.komi =", filter.komi.map(|points| (points * 2.0).round() as i64)),
            ("g.handicap >=", filter.min_handicap.map(i64::from)),
            ("g.handicap <=", filter.max_handicap.map(i64::from)),
            ("g.moves >=", filter.min_moves.map(i64::from)),
            ("g.moves <=", filter.max_moves.map(i64::from)),
        ];
        for (operator, value) in margins {
            if let Some(value) = value {
                let n = self.value(value);
                self.clauses.push(format!("g.margin {operator} ?{n}"));
            }
        }
        for (comparison, value) in numbers {
            if let Some(value) = value {
                let n = self.value(value);
                self.clauses.push(format!("{comparison} ?{n}"));
            }
        }
        if let Some(rules) = filter.rules.as_deref().filter(|rules| !rules.is_empty()) {
            let n = self.value(rules.to_owned());
            self.clauses.push(format!("g.rules IN (SELECT id FROM labels WHERE text = ?{n})"));
        }
        if let Some(source) = filter.source.as_deref().filter(|source| !source.is_empty()) {
            let n = self.value(like_pattern(source));
            self.clauses.push(format!("g.source IN (SELECT id FROM labels WHERE text LIKE ?{n} ESCAPE '\\')"));
        }
        if let Some(folder) = filter.folder.as_deref().filter(|folder| !folder.is_empty()) {
            self.is_narrow = true;
            let n = self.value(folder.trim_matches('/').to_owned());
            self.clauses.push(format!(
                "g.folder IN (SELECT id FROM folders WHERE path = ?{n} OR substr(path, 1, length(?{n}) + 1) = ?{n} || '/')"
            ));
        }
        if let Some(tag) = filter.tag.as_deref().filter(|tag| !tag.is_empty()) {
            self.is_narrow = true;
            let n = self.value(tag.trim().to_owned());
            self.clauses.push(format!(
                "g.id IN (SELECT game FROM game_tags WHERE tag = (SELECT id FROM tags WHERE name = ?{n}))"
            ));
        }
    }
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

/// A word as the index of notes takes it.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\""))
}

pub(crate) fn like_pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.trim().chars().take(100) {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// Ids of names that match, and of the other names of the same people.
fn players_like(connection: &Connection, pattern: &str) -> Result<Vec<i64>, LibraryError> {
    let sql = "SELECT id FROM players WHERE person IN (SELECT person FROM players WHERE name LIKE ?1 ESCAPE '\\')";
    ids(connection, sql, pattern)
}

fn ids(connection: &Connection, sql: &str, text: &str) -> Result<Vec<i64>, LibraryError> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([text], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Games with one of these ids in a column, counted a little further than [`MANY_HITS`].
fn count_games(connection: &Connection, column: &str, ids: &[i64]) -> Result<i64, LibraryError> {
    if ids.is_empty() {
        return Ok(0);
    }
    if ids.len() as i64 > MANY_HITS {
        return Ok(MANY_HITS + 1);
    }
    let sql = format!("SELECT count(*) FROM (SELECT 1 FROM games WHERE {column} = ?1 LIMIT {})", MANY_HITS + 1);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut found = 0;
    for id in ids {
        found += statement.query_row([id], |row| row.get::<_, i64>(0))?;
        if found > MANY_HITS {
            break;
        }
    }
    Ok(found)
}

/// One row as a summary.
pub(crate) fn summary(connection: &Connection, row: i64) -> Result<Option<GameSummary>, LibraryError> {
    let mut statement = connection.prepare_cached(
        "SELECT g.id, g.title, b.name, w.name, g.black_rank, g.white_rank, e.text, p.text, g.date, g.result, g.winner,
                g.margin, g.width, g.height, g.topology, r.text, g.komi, g.handicap, g.moves, s.text, g.added,
                g.changed, g.deleted
         FROM games g JOIN players b ON b.id = g.black JOIN players w ON w.id = g.white
              LEFT JOIN labels e ON e.id = g.event LEFT JOIN labels p ON p.id = g.place
              LEFT JOIN labels r ON r.id = g.rules LEFT JOIN labels s ON s.id = g.source
         WHERE g.id = ?1",
    )?;
    Ok(statement.query_row([row], read_summary).optional()?)
}

fn read_summary(row: &Row<'_>) -> rusqlite::Result<GameSummary> {
    let text = |at: usize| row.get::<_, Option<String>>(at).map(Option::unwrap_or_default);
    let rank = |at: usize| -> rusqlite::Result<String> {
        Ok(Rank::from_strength(row.get(at)?).map(|rank| rank.to_string()).unwrap_or_default())
    };
    let topology: usize = row.get(14)?;
    Ok(GameSummary {
        id: GameId::from_row(row.get(0)?),
        title: row.get(1)?,
        black: row.get(2)?,
        white: row.get(3)?,
        black_rank: rank(4)?,
        white_rank: rank(5)?,
        event: text(6)?,
        place: text(7)?,
        date: date_text(row.get(8)?),
        result: result_of(row.get(9)?, row.get(10)?, row.get(11)?).to_string(),
        width: row.get(12)?,
        height: row.get(13)?,
        topology: Topology::ALL.get(topology).copied().unwrap_or_default().name(),
        rules: text(15)?,
        komi: row.get::<_, Option<i64>>(16)?.map(|half_points| half_points as f64 / 2.0),
        handicap: row.get(17)?,
        moves: row.get(18)?,
        source: text(19)?,
        added: row.get(20)?,
        changed: row.get(21)?,
        deleted: row.get(22)?,
    })
}

pub(crate) fn date_text(key: u32) -> String {
    let part = |number: u32| u8::try_from(number).unwrap_or(0);
    match u16::try_from(key / 10_000) {
        Ok(year) if year > 0 => GameDate { year, month: part(key / 100 % 100), day: part(key % 100) }.to_string(),
        _ => String::new(),
    }
}
