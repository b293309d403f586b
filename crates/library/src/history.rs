//! Changes that a person makes, and taking them back.
//!
//! A change is a value: doing it answers with the change that takes it back, which is kept. Taking back does that one,
//! whose answer does the first again; so there is one implementation of all three.

use honinbo_record::GameTree;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use crate::cards::set_cards;
use crate::error::LibraryError;
use crate::joined::GameTexts;
use crate::judged::tree_of;
use crate::open::Library;
use crate::prepare::PreparedGame;
use crate::query::GameQuery;
use crate::saver::Saver;
use crate::text::{TextCodec, text_of};
use crate::time::Timestamp;

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

/// A change of the library, with rows as they are numbered in its file.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "do", rename_all = "camelCase")]
pub(crate) enum Change {
    /// Titles of games.
    Titles { titles: Vec<(i64, Option<String>)>, now: Timestamp },
    /// When games were put into the bin, or that they are not there.
    Bin { states: Vec<(i64, Option<Timestamp>)> },
    /// All imported games of a range of rows into the bin or, as far as they were put there at that time, out of it.
    BinRange { after: i64, until: i64, deleted: bool, at: Timestamp },
    /// The text of a game.
    Record { row: i64, sgf: String, now: Timestamp },
    /// Folders that are made, where games lie, and folders that are removed, in this order.
    Folders { make: Vec<String>, places: Vec<(i64, Option<String>)>, remove: Vec<String> },
    /// Other paths for folders: from, to.
    FolderPaths { paths: Vec<(String, String)> },
    /// Tags of games, given and taken.
    Tags { add: Vec<(i64, String)>, remove: Vec<(i64, String)> },
    /// A saved search, or none of that name.
    Search { name: String, query: Option<Box<GameQuery>> },
    /// Which person names belong to.
    Persons { persons: Vec<(i64, i64)> },
    /// Other texts and versions of games.
    Texts(GameTexts),
    /// When cards were put away, or that they are there.
    Cards { states: Vec<(i64, Option<Timestamp>)> },
    /// Several, in order.
    Many { changes: Vec<Change> },
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

impl Change {
    fn n_games(&self) -> u32 {
        let count = match self {
            Self::Titles { titles, .. } => titles.len(),
            Self::Bin { states } => states.len(),
            Self::BinRange { after, until, .. } => usize::try_from(until - after).unwrap_or(0),
            Self::Record { .. } => 1,
            Self::Texts(texts) => texts.n_games(),
            Self::Folders { places, .. } => places.len(),
            Self::Tags { add, remove } => add.len().max(remove.len()),
            Self::FolderPaths { .. } | Self::Search { .. } | Self::Persons { .. } | Self::Cards { .. } => 0,
            Self::Many { changes } => {
                // Texts are of one game each; other kinds are about the same games.
                let of_text = |change: &&Self| matches!(change, Self::Record { .. } | Self::Texts(_));
                let texts = changes.iter().filter(of_text).map(Self::n_games).sum();
                return changes.iter().map(Self::n_games).fold(texts, u32::max);
            }
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn is_nothing(&self) -> bool {
        match self {
            Self::Titles { titles, .. } => titles.is_empty(),
            Self::Bin { states } | Self::Cards { states } => states.is_empty(),
            Self::BinRange { after, until, .. } => after >= until,
            Self::Folders { make, places, remove } => make.is_empty() && places.is_empty() && remove.is_empty(),
            Self::FolderPaths { paths } => paths.is_empty(),
            Self::Tags { add, remove } => add.is_empty() && remove.is_empty(),
            Self::Persons { persons } => persons.is_empty(),
            Self::Texts(texts) => texts.is_nothing(),
            Self::Many { changes } => changes.iter().all(Self::is_nothing),
            Self::Record { .. } | Self::Search { .. } => false,
        }
    }

    /// Does it, and answers with what takes it back. Games that are no longer there are left out.
    fn apply(self, transaction: &Transaction<'_>) -> Result<Self, LibraryError> {
        match self {
            Self::Titles { titles, now } => set_titles(transaction, titles, now),
            Self::Bin { states } => set_bin(transaction, states),
            Self::BinRange { after, until, deleted, at } => {
                let sql = match deleted {
                    true => {
                        "UPDATE games SET deleted = ?3 WHERE id > ?1 AND id <= ?2
                             AND source IS NOT NULL AND deleted IS NULL"
                    }
                    false => "UPDATE games SET deleted = NULL WHERE id > ?1 AND id <= ?2 AND deleted = ?3",
                };
                let changed = transaction.execute(sql, [after, until, at])?;
                if deleted && changed > 0 {
                    forget_imports(transaction)?;
                }
                Ok(Self::BinRange { after, until, deleted: !deleted, at })
            }
            Self::Record { row, sgf, now } => {
                if !is_there(transaction, row)? {
                    return Ok(Self::Many { changes: Vec::new() });
                }
                let mut codec = TextCodec::new()?;
                let old = text_of(transaction, row, &mut codec)?;
                let tree = tree_of(&sgf);
                let tree = tree.ok_or_else(|| LibraryError::NotARecord { reason: "no game record found".into() })?;
                set_record(transaction, &mut codec, row, &tree, now)?;
                Ok(Self::Record { row, sgf: old, now })
            }
            Self::Texts(texts) => Ok(Self::Texts(texts.apply(transaction)?)),
            Self::Folders { make, places, remove } => set_folders(transaction, make, places, remove),
            Self::FolderPaths { paths } => {
                // In two steps, so that paths may be exchanged.
                for (from, to) in &paths {
                    transaction
                        .execute("UPDATE folders SET path = char(1) || ?2 WHERE path = ?1", params![from, to])?;
                }
                for (_, to) in &paths {
                    let moved = transaction
                        .execute("UPDATE OR IGNORE folders SET path = ?1 WHERE path = char(1) || ?1", [to])?;
                    if moved == 0 {
                        let name = to.chars().take(40).collect();
                        return Err(LibraryError::BadName { name, reason: "there is such a folder already" });
                    }
                }
                Ok(Self::FolderPaths { paths: paths.into_iter().map(|(from, to)| (to, from)).collect() })
            }
            Self::Tags { add, remove } => set_tags(transaction, add, remove),
            Self::Search { name, query } => {
                let old: Option<String> = transaction
                    .query_row("SELECT query FROM saved_searches WHERE name = ?1", [&name], |row| row.get(0))
                    .optional()?;
                match &query {
                    Some(query) => {
                        let json = serde_json::to_string(query).map_err(|error| LibraryError::Damaged {
                            detail: format!("a search cannot be written: {error}"),
                        })?;
                        transaction.execute(
                            "INSERT INTO saved_searches (name, query) VALUES (?1, ?2)
                             ON CONFLICT (name) DO UPDATE SET query = ?2",
                            [&name, &json],
                        )?;
                    }
                    None => {
                        transaction.execute("DELETE FROM saved_searches WHERE name = ?1", [&name])?;
                    }
                }
                let query = old.map(|json| Box::new(serde_json::from_str(&json).unwrap_or_default()));
                Ok(Self::Search { name, query })
            }
            Self::Persons { persons } => {
                let mut old = Vec::with_capacity(persons.len());
                for (id, person) in persons {
                    let before: Option<i64> = transaction
                        .query_row("SELECT person FROM players WHERE id = ?1", [id], |row| row.get(0))
                        .optional()?;
                    if let Some(before) = before.filter(|before| *before != person) {
                        transaction.execute("UPDATE players SET person = ?2 WHERE id = ?1", [id, person])?;
                        old.push((id, before));
                    }
                }
                Ok(Self::Persons { persons: old })
            }
            Self::Cards { states } => set_cards(transaction, states),
            Self::Many { changes } => {
                let mut reverse = changes
                    .into_iter()
                    .map(|change| change.apply(transaction))
                    .collect::<Result<Vec<_>, LibraryError>>()?;
                reverse.reverse();
                Ok(Self::Many { changes: reverse })
            }
        }
    }
}

/// Whether a game is there, in the bin or not.
pub(crate) fn is_there(connection: &Connection, row: i64) -> Result<bool, LibraryError> {
    let mut statement = connection.prepare_cached("SELECT EXISTS(SELECT 1 FROM games WHERE id = ?1)")?;
    Ok(statement.query_row([row], |found| found.get(0))?)
}

/// Gives a game another text, later than the change before, also within one tick of the clock: by this a watched folder
/// knows that somebody changed the game since it was taken.
pub(crate) fn set_record(
    transaction: &Transaction<'_>,
    codec: &mut TextCodec,
    row: i64,
    tree: &GameTree,
    now: Timestamp,
) -> Result<(), LibraryError> {
    let prepared = PreparedGame::new(tree, codec)?;
    let before: Timestamp =
        transaction.query_row("SELECT changed FROM games WHERE id = ?1", [row], |found| found.get(0))?;
    Saver::new(transaction, codec).replace(row, &prepared, now.max(before.saturating_add(1)))
}

fn set_titles(
    connection: &Connection,
    titles: Vec<(i64, Option<String>)>,
    now: Timestamp,
) -> Result<Change, LibraryError> {
    let mut old = Vec::with_capacity(titles.len());
    for (row, title) in titles {
        let before: Option<Option<String>> = connection
            .prepare_cached("SELECT title FROM games WHERE id = ?1")?
            .query_row([row], |row| row.get(0))
            .optional()?;
        let Some(before) = before else { continue };
        connection
            .prepare_cached("UPDATE games SET title = ?2, changed = ?3 WHERE id = ?1")?
            .execute(params![row, title, now])?;
        old.push((row, before));
    }
    Ok(Change::Titles { titles: old, now })
}

fn set_bin(connection: &Connection, states: Vec<(i64, Option<Timestamp>)>) -> Result<Change, LibraryError> {
    let mut old = Vec::with_capacity(states.len());
    let mut look = connection.prepare_cached("SELECT deleted FROM games WHERE id = ?1")?;
    let mut change = connection.prepare_cached("UPDATE games SET deleted = ?2 WHERE id = ?1")?;
    for (row, deleted) in states {
        let before: Option<Option<Timestamp>> = look.query_row([row], |row| row.get(0)).optional()?;
        if let Some(before) = before.filter(|before| before.is_none() != deleted.is_none()) {
            change.execute(params![row, deleted])?;
            old.push((row, before));
        }
    }
    Ok(Change::Bin { states: old })
}

/// Has the next import read its files from their beginning: an import that was broken off and taken back dealt with games
/// that are not there any more, and that would be passed over. What is still there is known again.
fn forget_imports(connection: &Connection) -> Result<(), LibraryError> {
    connection.execute("DELETE FROM import_progress", [])?;
    Ok(())
}

fn set_folders(
    connection: &Connection,
    make: Vec<String>,
    places: Vec<(i64, Option<String>)>,
    remove: Vec<String>,
) -> Result<Change, LibraryError> {
    let mut made = Vec::new();
    for path in make {
        let new = connection.execute("INSERT INTO folders (path) VALUES (?1) ON CONFLICT DO NOTHING", [&path])?;
        if new > 0 {
            made.push(path);
        }
    }
    let mut old = Vec::with_capacity(places.len());
    {
        let mut look = connection
            .prepare_cached("SELECT f.path FROM games g LEFT JOIN folders f ON f.id = g.folder WHERE g.id = ?1")?;
        let mut change = connection
            .prepare_cached("UPDATE games SET folder = (SELECT id FROM folders WHERE path = ?2) WHERE id = ?1")?;
        for (row, path) in places {
            let before: Option<Option<String>> = look.query_row([row], |row| row.get(0)).optional()?;
            if let Some(before) = before.filter(|before| *before != path) {
                change.execute(params![row, path])?;
                old.push((row, before));
            }
        }
    }
    let mut removed = Vec::new();
    for path in remove {
        if connection.execute("DELETE FROM folders WHERE path = ?1", [&path])? > 0 {
            removed.push(path);
        }
    }
    Ok(Change::Folders { make: removed, places: old, remove: made })
}

fn set_tags(
    connection: &Connection,
    add: Vec<(i64, String)>,
    remove: Vec<(i64, String)>,
) -> Result<Change, LibraryError> {
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    for (row, tag) in add {
        connection.prepare_cached("INSERT INTO tags (name) VALUES (?1) ON CONFLICT DO NOTHING")?.execute([&tag])?;
        let new = connection
            .prepare_cached(
                "INSERT INTO game_tags (game, tag) SELECT g.id, t.id FROM games g, tags t
                 WHERE g.id = ?1 AND t.name = ?2 ON CONFLICT DO NOTHING",
            )?
            .execute(params![row, tag])?;
        if new > 0 {
            added.push((row, tag));
        }
    }
    for (row, tag) in remove {
        let gone = connection
            .prepare_cached("DELETE FROM game_tags WHERE game = ?1 AND tag = (SELECT id FROM tags WHERE name = ?2)")?
            .execute(params![row, tag])?;
        if gone > 0 {
            removed.push((row, tag));
        }
    }
    connection.execute("DELETE FROM tags WHERE id NOT IN (SELECT tag FROM game_tags)", [])?;
    Ok(Change::Tags { add: removed, remove: added })
}
