//! Folders, tags and saved searches.

use honinbo_record::GameInfo;
use rusqlite::{Connection, OptionalExtension};

use crate::change::Change;
use crate::edit::check_games;
use crate::error::LibraryError;
use crate::id::GameId;
use crate::joined::GameTexts;
use crate::open::Library;
use crate::query::GameQuery;
use crate::text::{TextCodec, damaged, text_of, tree_of};
use crate::time::Timestamp;
use crate::versions::fact_to_write;

/// Longest name of a folder, tag or search, in characters.
const MAX_NAME: usize = 200;

/// A folder or a tag, and how many games are in it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// Path of the folder or name of the tag.
    pub name: String,
    /// Games, without those in the bin.
    pub games: u32,
}

/// A search that was given a name.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedSearch {
    /// Its name.
    pub name: String,
    /// What it asks for.
    pub query: GameQuery,
}

/// What to change about games; what is `None` or empty stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameEdit {
    /// The folder they are put into; an empty path takes them out of theirs.
    pub folder: Option<String>,
    /// Tags that they get.
    pub add_tags: Vec<String>,
    /// Tags that are taken from them.
    pub remove_tags: Vec<String>,
    /// Facts that are written into their records: properties of the root, such as `EV`, and their texts; an empty text
    /// takes the property away.
    pub facts: Vec<(String, String)>,
    /// When that is.
    pub now: Timestamp,
}

impl Library {
    /// Puts games into a folder such as `openings/sanrensei`, made when it is new; an empty path takes them out.
    ///
    /// # Errors
    /// [`LibraryError::BadName`], [`LibraryError::UnknownGame`].
    pub fn set_folder(&self, ids: &[GameId], path: &str) -> Result<(), LibraryError> {
        self.edit_games(ids, &GameEdit { folder: Some(path.to_owned()), ..GameEdit::default() })
    }

    /// Changes folder, tags and facts of games, all at once or not at all.
    ///
    /// # Errors
    /// [`LibraryError::BadName`]; [`LibraryError::BadFact`] for one that cannot be given to several games or that nobody could read again;
    /// [`LibraryError::UnknownGame`].
    pub fn edit_games(&self, ids: &[GameId], edit: &GameEdit) -> Result<(), LibraryError> {
        let names = |tags: &[String]| -> Result<Vec<String>, LibraryError> {
            tags.iter().map(|tag| check_name(tag.trim()).map(str::to_owned)).collect()
        };
        let (add, remove) = (names(&edit.add_tags)?, names(&edit.remove_tags)?);
        let folder = edit.folder.as_deref().map(tidy_path).transpose()?;
        let facts = edit.facts.iter().map(|(ident, text)| Ok((ident.as_str(), fact_to_write(ident, text)?)));
        let facts = facts.collect::<Result<Vec<_>, LibraryError>>()?;
        let what = match (&folder, facts.is_empty()) {
            (_, false) => "facts",
            (Some(_), true) => "folder",
            (None, true) => "tag",
        };
        self.change_with(what, |transaction| {
            let rows = check_games(transaction, ids)?;
            let each = |tags: &[String]| -> Vec<(i64, String)> {
                tags.iter().flat_map(|tag| rows.iter().map(move |&row| (row, tag.clone()))).collect()
            };
            let mut changes = vec![Change::Tags { add: each(&add), remove: each(&remove) }];
            if let Some(path) = folder {
                let path = (!path.is_empty()).then_some(path);
                let places = rows.iter().map(|&row| (row, path.clone())).collect();
                changes.push(Change::Folders { make: path.into_iter().collect(), places, remove: Vec::new() });
            }
            if !facts.is_empty() {
                let mut codec = TextCodec::new()?;
                for &row in &rows {
                    changes.extend(with_facts(transaction, &mut codec, row, &facts, edit.now)?.map(Change::Texts));
                }
            }
            Ok(Change::Many { changes })
        })?;
        Ok(())
    }

    /// Gives a name to the person in games of this program, not imported ones, whose other player is an opponent and in
    /// which the person has none. Returns these games.
    ///
    /// # Errors
    /// [`LibraryError::BadName`].
    pub fn name_person(
        &self,
        name: &str,
        is_opponent: impl Fn(&str) -> bool,
        now: Timestamp,
    ) -> Result<Vec<GameId>, LibraryError> {
        let name = fact_to_write("PB", check_name(name.trim())?)?;
        let mut named = Vec::new();
        self.change_with("facts", |transaction| {
            let mut statement = transaction.prepare_cached(
                "SELECT g.id, b.name, w.name FROM games g JOIN players b ON b.id = g.black JOIN players w ON w.id = g.white
                 WHERE (b.name = '') <> (w.name = '') AND g.source IS NULL AND g.deleted IS NULL
                 ORDER BY g.id",
            )?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            let rows = rows.collect::<Result<Vec<(i64, String, String)>, _>>()?;
            let mut codec = TextCodec::new()?;
            let mut changes = Vec::new();
            for (row, black, white) in rows {
                let (side, other) = if black.is_empty() { ("PB", white) } else { ("PW", black) };
                if !is_opponent(&other) || !is_written_here(transaction, &mut codec, row)? {
                    continue;
                }
                let texts = with_facts(transaction, &mut codec, row, &[(side, name.clone())], now)?;
                changes.extend(texts.map(Change::Texts));
                named.push(GameId::from_row(row));
            }
            Ok(Change::Many { changes })
        })?;
        Ok(named)
    }

    /// Makes an empty folder; nothing happens when it is there.
    ///
    /// # Errors
    /// [`LibraryError::BadName`].
    pub fn make_folder(&self, path: &str) -> Result<(), LibraryError> {
        let path = tidy_path(path)?;
        check_name(&path)?;
        self.change("folder", &Change::Folders { make: vec![path], places: Vec::new(), remove: Vec::new() })?;
        Ok(())
    }

    /// Gives a folder, and those in it, another path; true when there was such a folder.
    ///
    /// # Errors
    /// [`LibraryError::BadName`], also when a folder of that path is there already.
    pub fn rename_folder(&self, from: &str, to: &str) -> Result<bool, LibraryError> {
        let to = tidy_path(to)?;
        check_name(&to)?;
        if to.strip_prefix(from).is_some_and(|rest| rest.starts_with('/')) {
            let name = to.chars().take(40).collect();
            return Err(LibraryError::BadName { name, reason: "a folder cannot be put into itself" });
        }
        let mut known = false;
        self.change_with("folder", |transaction| {
            let paths = folders_within(transaction, from)?;
            known = !paths.is_empty();
            let renamed = paths.into_iter().map(|path| {
                let new = format!("{to}{}", &path[from.len()..]);
                (path, new)
            });
            Ok(Change::FolderPaths { paths: renamed.filter(|(from, to)| from != to).collect() })
        })?;
        Ok(known)
    }

    /// The folders, by path.
    ///
    /// # Errors
    /// What the database says.
    pub fn folders(&self) -> Result<Vec<Group>, LibraryError> {
        self.groups(
            "SELECT f.path, (SELECT count(*) FROM games g WHERE g.folder = f.id AND g.deleted IS NULL)
             FROM folders f ORDER BY f.path",
        )
    }

    /// Removes a folder and those in it; their games stay in the library. True when there was such a folder.
    ///
    /// # Errors
    /// What the database says.
    pub fn remove_folder(&self, path: &str) -> Result<bool, LibraryError> {
        let mut known = false;
        self.change_with("folder", |transaction| {
            let remove = folders_within(transaction, path)?;
            known = !remove.is_empty();
            let mut places = Vec::new();
            for path in &remove {
                let mut statement = transaction
                    .prepare_cached("SELECT id FROM games WHERE folder = (SELECT id FROM folders WHERE path = ?1)")?;
                for row in statement.query_map([path], |row| row.get(0))? {
                    places.push((row?, None));
                }
            }
            Ok(Change::Folders { make: Vec::new(), places, remove })
        })?;
        Ok(known)
    }

    /// Gives games a tag, made when it is new.
    ///
    /// # Errors
    /// [`LibraryError::BadName`], [`LibraryError::UnknownGame`].
    pub fn add_tag(&self, ids: &[GameId], tag: &str) -> Result<(), LibraryError> {
        self.edit_games(ids, &GameEdit { add_tags: vec![tag.to_owned()], ..GameEdit::default() })
    }

    /// Takes a tag from games; a tag that no game has any more is gone.
    ///
    /// # Errors
    /// What the database says.
    pub fn remove_tag(&self, ids: &[GameId], tag: &str) -> Result<(), LibraryError> {
        self.edit_games(ids, &GameEdit { remove_tags: vec![tag.to_owned()], ..GameEdit::default() })
    }

    /// All tags, by name.
    ///
    /// # Errors
    /// What the database says.
    pub fn tags(&self) -> Result<Vec<Group>, LibraryError> {
        self.groups(
            "SELECT t.name, (SELECT count(*) FROM game_tags gt JOIN games g ON g.id = gt.game
                             WHERE gt.tag = t.id AND g.deleted IS NULL)
             FROM tags t ORDER BY t.name",
        )
    }

    /// Path of the folder that a game is in; empty for none.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`], and what the database says.
    pub fn folder_of(&self, id: &GameId) -> Result<String, LibraryError> {
        let row = id.row()?;
        self.read(|connection| {
            let sql = "SELECT coalesce(f.path, '') FROM games g LEFT JOIN folders f ON f.id = g.folder WHERE g.id = ?1";
            let found: Option<String> =
                connection.prepare_cached(sql)?.query_row([row], |row| row.get(0)).optional()?;
            found.ok_or_else(|| id.unknown())
        })
    }

    /// The tags of a game, by name.
    ///
    /// # Errors
    /// What the database says.
    pub fn tags_of(&self, id: &GameId) -> Result<Vec<String>, LibraryError> {
        let row = id.row()?;
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT t.name FROM game_tags gt JOIN tags t ON t.id = gt.tag WHERE gt.game = ?1 ORDER BY t.name",
            )?;
            Ok(statement.query_map([row], |row| row.get(0))?.collect::<Result<_, _>>()?)
        })
    }

    /// Keeps a search under a name, in place of one of the same name.
    ///
    /// # Errors
    /// [`LibraryError::BadName`].
    pub fn save_search(&self, name: &str, query: &GameQuery) -> Result<(), LibraryError> {
        let name = check_name(name.trim())?;
        let query = Some(Box::new(query.clone()));
        self.change("search", &Change::Search { name: name.to_owned(), query })?;
        Ok(())
    }

    /// The saved searches, by name. One that a newer version saved with conditions unknown here asks for the others.
    ///
    /// # Errors
    /// What the database says.
    pub fn saved_searches(&self) -> Result<Vec<SavedSearch>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT name, query FROM saved_searches ORDER BY name")?;
            let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
            rows.map(|row| {
                let (name, json) = row?;
                Ok(SavedSearch { name, query: serde_json::from_str(&json).unwrap_or_default() })
            })
            .collect()
        })
    }

    /// Gives a saved search another name, in place of one of that name; nothing happens when it is not there.
    ///
    /// # Errors
    /// [`LibraryError::BadName`].
    pub fn rename_search(&self, name: &str, to: &str) -> Result<(), LibraryError> {
        let to = check_name(to.trim())?;
        self.change_with("search", |transaction| {
            let sql = "SELECT query FROM saved_searches WHERE name = ?1 AND name <> ?2";
            let found: Option<String> =
                transaction.prepare_cached(sql)?.query_row([name, to], |row| row.get(0)).optional()?;
            let Some(json) = found else { return Ok(Change::Many { changes: Vec::new() }) };
            let search = |name: &str, query| Change::Search { name: name.to_owned(), query };
            let query = Some(Box::new(serde_json::from_str(&json).unwrap_or_default()));
            Ok(Change::Many { changes: vec![search(name, None), search(to, query)] })
        })?;
        Ok(())
    }

    /// Forgets a saved search; true when it was there.
    ///
    /// # Errors
    /// What the database says.
    pub fn remove_search(&self, name: &str) -> Result<bool, LibraryError> {
        let known = self.saved_searches()?.iter().any(|search| search.name == name);
        if known {
            self.change("search", &Change::Search { name: name.to_owned(), query: None })?;
        }
        Ok(known)
    }

    fn groups(&self, sql: &str) -> Result<Vec<Group>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| Ok(Group { name: row.get(0)?, games: row.get(1)? }))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }
}

/// Whether this program wrote the record of a game first.
fn is_written_here(connection: &Connection, codec: &mut TextCodec, row: i64) -> Result<bool, LibraryError> {
    let tree = tree_of(&text_of(connection, row, codec)?).ok_or_else(|| damaged(row))?;
    Ok(GameInfo::of(&tree).application.starts_with("Honinbo"))
}

/// The record of a game with other facts; `None` where it has them.
fn with_facts(
    connection: &Connection,
    codec: &mut TextCodec,
    row: i64,
    facts: &[(&str, String)],
    now: Timestamp,
) -> Result<Option<GameTexts>, LibraryError> {
    let before = tree_of(&text_of(connection, row, codec)?).ok_or_else(|| damaged(row))?;
    let mut after = before.clone();
    for (ident, text) in facts {
        if text.is_empty() {
            after.remove_property(after.root(), ident);
        } else {
            after.set_text(after.root(), ident, text);
        }
    }
    // Rules may be called after a board: this one stays what it is.
    let (was, is) = (GameInfo::of(&before), GameInfo::of(&after));
    if was.topology != is.topology {
        after.set_text(after.root(), "TOPO", was.topology.name());
    }
    Ok(GameTexts::of_record(row, &before, &after, now))
}

/// A folder's path with single slashes and no blanks around its names; empty for none.
fn tidy_path(path: &str) -> Result<String, LibraryError> {
    let path = path.split('/').map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
    if !path.is_empty() {
        check_name(&path)?;
    }
    Ok(path)
}

/// A folder and those in it.
fn folders_within(connection: &Connection, path: &str) -> Result<Vec<String>, LibraryError> {
    let mut statement = connection.prepare_cached(
        "SELECT path FROM folders WHERE path = ?1 OR substr(path, 1, length(?1) + 1) = ?1 || '/' ORDER BY path",
    )?;
    Ok(statement.query_map([path], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// A name that can be shown in one line.
fn check_name(name: &str) -> Result<&str, LibraryError> {
    let bad = |reason| LibraryError::BadName { name: name.chars().take(40).collect(), reason };
    if name.is_empty() {
        return Err(bad("it is empty"));
    }
    if name.chars().count() > MAX_NAME {
        return Err(bad("it is longer than 200 characters"));
    }
    if name.contains(char::is_control) {
        return Err(bad("it contains control characters"));
    }
    Ok(name)
}
