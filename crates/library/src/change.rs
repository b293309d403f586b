//! What a person can change in a library, as values.
//!
//! Doing a change answers with the one that takes it back. Taking back does that one, whose answer does the first again;
//! so there is one implementation of all three.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::error::LibraryError;
use crate::joined::{GameTexts, OtherText};
use crate::query::GameQuery;
use crate::recorded::CardMove;
use crate::saver::set_record;
use crate::text::{TextCodec, text_of, tree_of};
use crate::time::Timestamp;

/// A change of the library, with rows as they are numbered in its file.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "do", rename_all = "camelCase")]
pub(crate) enum Change {
    /// Titles of games.
    Titles { titles: Vec<(i64, Option<String>)>, now: Timestamp },
    /// When games were put into the bin, or that they are not there.
    Bin { states: Vec<(i64, Option<Timestamp>)> },
    /// All games of a range of rows that the import of that time brought into the bin or, as far as they were put there at
    /// that time, out of it. Others may have imported meanwhile.
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
    /// When cards were put away, or that they are there, and which moves of records are answers of theirs.
    Cards {
        states: Vec<(i64, Option<Timestamp>)>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        moves: Vec<CardMove>,
    },
    /// Several, in order.
    Many { changes: Vec<Change> },
}

impl Change {
    /// Games that it is about.
    pub(crate) fn n_games(&self) -> u32 {
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

    pub(crate) fn is_nothing(&self) -> bool {
        match self {
            Self::Titles { titles, .. } => titles.is_empty(),
            Self::Bin { states } => states.is_empty(),
            Self::Cards { states, moves } => states.is_empty() && moves.is_empty(),
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
    pub(crate) fn apply(self, transaction: &Transaction<'_>) -> Result<Self, LibraryError> {
        match self {
            Self::Titles { titles, now } => set_titles(transaction, titles, now),
            Self::Bin { states } => set_bin(transaction, states),
            Self::BinRange { after, until, deleted, at } => {
                let sql = match deleted {
                    true => {
                        "UPDATE games SET deleted = ?3 WHERE id > ?1 AND id <= ?2
                             AND source IS NOT NULL AND added = ?3 AND deleted IS NULL"
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
            Self::Texts(texts) => set_texts(transaction, texts),
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
            Self::Cards { states, moves } => set_cards(transaction, states, moves),
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
fn is_there(connection: &Connection, row: i64) -> Result<bool, LibraryError> {
    let mut statement = connection.prepare_cached("SELECT EXISTS(SELECT 1 FROM games WHERE id = ?1)")?;
    Ok(statement.query_row([row], |found| found.get(0))?)
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

/// Gives games other texts and copies. Games and copies that are no longer there are left out.
fn set_texts(transaction: &Transaction<'_>, texts: GameTexts) -> Result<Change, LibraryError> {
    let mut codec = TextCodec::new()?;
    let mut reverse = GameTexts { now: texts.now, ..GameTexts::default() };
    for OtherText { row, from, to } in texts.texts {
        if !is_there(transaction, row)? {
            continue;
        }
        let text = text_of(transaction, row, &mut codec)?;
        let Some((tree, new)) = tree_of(&text).zip(tree_of(&to)) else { continue };
        if tree.content_hash() == from {
            set_record(transaction, &mut codec, row, &new, texts.now)?;
            reverse.texts.push(OtherText { row, from: new.content_hash(), to: text });
        }
    }
    for id in texts.drop {
        let found: Option<(i64, Vec<u8>)> = transaction
            .prepare_cached("SELECT game, text FROM copies WHERE id = ?1")?
            .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((row, packed)) = found else { continue };
        transaction.prepare_cached("DELETE FROM copies WHERE id = ?1")?.execute([id])?;
        reverse.keep.push((row, codec.unpack(&packed, None)?));
    }
    for (row, text) in texts.keep {
        if is_there(transaction, row)? {
            let packed = codec.pack(&text, None)?;
            let id = transaction
                .prepare_cached("INSERT INTO copies (game, added, text) VALUES (?1, ?2, ?3)")?
                .insert(params![row, texts.now, packed])?;
            reverse.drop.push(id);
        }
    }
    Ok(Change::Texts(reverse))
}

/// When cards were put away, or that they are there, and their moves; answers with how it was.
fn set_cards(
    transaction: &Transaction<'_>,
    states: Vec<(i64, Option<Timestamp>)>,
    moves: Vec<CardMove>,
) -> Result<Change, LibraryError> {
    let mut old = Vec::with_capacity(states.len());
    for (row, removed) in states {
        let before: Option<Option<Timestamp>> =
            transaction.query_row("SELECT removed FROM cards WHERE id = ?1", [row], |row| row.get(0)).optional()?;
        if let Some(before) = before.filter(|before| before.is_none() != removed.is_none()) {
            transaction.execute("UPDATE cards SET removed = ?2 WHERE id = ?1", params![row, removed])?;
            old.push((row, before));
        }
    }
    let mut reverse = Vec::with_capacity(moves.len());
    for one in moves {
        reverse.extend(one.apply(transaction)?);
    }
    Ok(Change::Cards { states: old, moves: reverse })
}
