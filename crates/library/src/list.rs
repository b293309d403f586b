//! Lists of games: a page of those that meet a filter, and what it shows of each.

use honinbo_record::{GameDate, Rank};
use honinbo_rules::Topology;
use rusqlite::{Connection, OptionalExtension, Row};

use crate::error::LibraryError;
use crate::facts::{Filter, Order};
use crate::id::GameId;
use crate::open::Library;
use crate::prepare::result_of;
use crate::query::{GameFilter, GameQuery, SortBy};
use crate::time::Timestamp;

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
    /// `2003-09-25`, `2003-09`, `2003` or empty; the first of several.
    pub date: String,
    /// The last of several dates; empty where there is one.
    pub last_date: String,
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

/// Games of a page at most.
const MAX_PAGE: u32 = 1000;

/// A piece of a list.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GamePage {
    /// The games, in order.
    pub games: Vec<GameSummary>,
    /// How many there are in all.
    pub total: u32,
}

/// Games to skip up to which a list of all games goes through an index of the file; further down the facts in memory
/// are quicker.
const MAX_INDEXED_OFFSET: u32 = 5_000;

impl Library {
    /// A page of the games that meet a filter.
    ///
    /// The first list with a filter after opening reads the facts of all games into memory, about 80 bytes each.
    ///
    /// # Errors
    /// What the database says.
    pub fn list(&self, query: &GameQuery) -> Result<GamePage, LibraryError> {
        if query.filter.is_everything()
            && query.offset <= MAX_INDEXED_OFFSET
            && let Some(page) = self.read(|connection| all_games(connection, query))?
        {
            return Ok(page);
        }
        let facts = self.facts()?;
        self.read(|connection| {
            let filter = Filter::new(connection, &facts, &query.filter)?;
            let page = facts.page(&filter, order(query));
            let games = summaries(connection, page.rows)?;
            Ok(GamePage { games, total: u32::try_from(page.total).unwrap_or(u32::MAX) })
        })
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
        Ok(self.rows_matching(filter)?.into_iter().map(GameId::from_row).collect())
    }

    /// Reads what lists are filtered and sorted by into memory, when it is not there yet: in a library of a million
    /// games the first list with a filter would take a second or two longer.
    ///
    /// # Errors
    /// What the database says.
    pub fn prepare_lists(&self) -> Result<(), LibraryError> {
        self.facts().map(drop)
    }

    pub(crate) fn rows_matching(&self, filter: &GameFilter) -> Result<Vec<i64>, LibraryError> {
        let facts = self.facts()?;
        let filter = self.read(|connection| Filter::new(connection, &facts, filter))?;
        Ok(facts.rows(&filter))
    }
}

/// The page that a query asks for.
fn order(query: &GameQuery) -> Order {
    let (offset, limit) = (query.offset as usize, query.limit.min(MAX_PAGE) as usize);
    Order { sort: query.sort, descending: query.descending, offset, limit }
}

/// A page of all games through an index of the file, without having read them; `None` for an order that has no index.
fn all_games(connection: &Connection, query: &GameQuery) -> Result<Option<GamePage>, LibraryError> {
    let direction = if query.descending { "DESC" } else { "ASC" };
    let (from, order) = match query.sort {
        SortBy::Added => ("games g", format!("g.id {direction}")),
        SortBy::Changed => ("games g", format!("g.changed {direction}, g.id {direction}")),
        SortBy::Date => ("games g", format!("g.date {direction}, g.id {direction}")),
        SortBy::Black => {
            ("players p CROSS JOIN games g ON g.black = p.id", format!("p.name {direction}, g.id {direction}"))
        }
        SortBy::White => {
            ("players p CROSS JOIN games g ON g.white = p.id", format!("p.name {direction}, g.id {direction}"))
        }
        _ => return Ok(None),
    };
    let (limit, offset) = (query.limit.min(MAX_PAGE), query.offset);
    let sql = format!("SELECT g.id FROM {from} WHERE g.deleted IS NULL ORDER BY {order} LIMIT {limit} OFFSET {offset}");
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
    Ok(Some(GamePage { games: summaries(connection, rows)?, total: count_live(connection)? }))
}

fn summaries(connection: &Connection, rows: Vec<i64>) -> Result<Vec<GameSummary>, LibraryError> {
    rows.into_iter().filter_map(|row| summary(connection, row).transpose()).collect()
}

/// All games less the deleted ones: both are counted in small indexes.
pub(crate) fn count_live(connection: &Connection) -> Result<u32, LibraryError> {
    let sql = "SELECT (SELECT count(*) FROM games) - (SELECT count(*) FROM games WHERE deleted IS NOT NULL)";
    Ok(connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// One row as a summary.
pub(crate) fn summary(connection: &Connection, row: i64) -> Result<Option<GameSummary>, LibraryError> {
    let mut statement = connection.prepare_cached(
        "SELECT g.id, g.title, b.name, w.name, g.black_rank, g.white_rank, e.text, p.text, g.date, g.result, g.winner,
                g.margin, g.width, g.height, g.topology, r.text, g.komi, g.handicap, g.moves, s.text, g.added,
                g.changed, g.deleted, g.last_date
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
    let topology = usize::from(row.get::<_, u8>(14)?);
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
        last_date: date_text(row.get(23)?),
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
