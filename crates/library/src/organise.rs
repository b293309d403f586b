//! Folders, tags and saved searches.

use rusqlite::{OptionalExtension, TransactionBehavior, params};

use crate::error::LibraryError;
use crate::id::GameId;
use crate::open::Library;
use crate::query::GameQuery;

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

impl Library {
    /// Puts games into a folder such as `openings/sanrensei`, made when it is new; an empty path takes them out.
    ///
    /// # Errors
    /// [`LibraryError::BadName`], [`LibraryError::UnknownGame`].
    pub fn set_folder(&self, ids: &[GameId], path: &str) -> Result<(), LibraryError> {
        let path = path.split('/').map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
        let mut writer = self.writer();
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let folder: Option<i64> = if path.is_empty() {
            None
        } else {
            check_name(&path)?;
            transaction.execute("INSERT INTO folders (path) VALUES (?1) ON CONFLICT DO NOTHING", [&path])?;
            transaction.query_row("SELECT id FROM folders WHERE path = ?1", [&path], |row| row.get(0)).optional()?
        };
        for id in ids {
            let changed = transaction
                .prepare_cached("UPDATE games SET folder = ?2 WHERE id = ?1")?
                .execute(params![id.row()?, folder])?;
            if changed == 0 {
                return Err(id.unknown());
            }
        }
        transaction.commit()?;
        Ok(())
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

    /// Removes a folder and those in it; their games stay in the library.
    ///
    /// # Errors
    /// What the database says.
    pub fn remove_folder(&self, path: &str) -> Result<(), LibraryError> {
        // Games let go of the folder by their foreign key.
        self.writer()
            .execute("DELETE FROM folders WHERE path = ?1 OR substr(path, 1, length(?1) + 1) = ?1 || '/'", [path])?;
        Ok(())
    }

    /// Gives games a tag, made when it is new.
    ///
    /// # Errors
    /// [`LibraryError::BadName`], [`LibraryError::UnknownGame`].
    pub fn add_tag(&self, ids: &[GameId], tag: &str) -> Result<(), LibraryError> {
        let tag = check_name(tag.trim())?;
        let mut writer = self.writer();
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute("INSERT INTO tags (name) VALUES (?1) ON CONFLICT DO NOTHING", [tag])?;
        for id in ids {
            let row = id.row()?;
            let known: Option<i64> = transaction
                .prepare_cached("SELECT 1 FROM games WHERE id = ?1")?
                .query_row([row], |row| row.get(0))
                .optional()?;
            known.ok_or_else(|| id.unknown())?;
            transaction
                .prepare_cached(
                    "INSERT INTO game_tags (game, tag) SELECT ?1, id FROM tags WHERE name = ?2 ON CONFLICT DO NOTHING",
                )?
                .execute(params![row, tag])?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Takes a tag from games; a tag that no game has any more is gone.
    ///
    /// # Errors
    /// What the database says.
    pub fn remove_tag(&self, ids: &[GameId], tag: &str) -> Result<(), LibraryError> {
        let mut writer = self.writer();
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for id in ids {
            transaction
                .prepare_cached(
                    "DELETE FROM game_tags WHERE game = ?1 AND tag = (SELECT id FROM tags WHERE name = ?2)",
                )?
                .execute(params![id.row()?, tag.trim()])?;
        }
        transaction.execute("DELETE FROM tags WHERE id NOT IN (SELECT tag FROM game_tags)", [])?;
        transaction.commit()?;
        Ok(())
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
        let json = serde_json::to_string(query)
            .map_err(|error| LibraryError::Damaged { detail: format!("a search cannot be written: {error}") })?;
        self.writer().execute(
            "INSERT INTO saved_searches (name, query) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET query = ?2",
            [name, &json],
        )?;
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

    /// Forgets a saved search; true when it was there.
    ///
    /// # Errors
    /// What the database says.
    pub fn remove_search(&self, name: &str) -> Result<bool, LibraryError> {
        Ok(self.writer().execute("DELETE FROM saved_searches WHERE name = ?1", [name])? > 0)
    }

    fn groups(&self, sql: &str) -> Result<Vec<Group>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| Ok(Group { name: row.get(0)?, games: row.get(1)? }))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }
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
