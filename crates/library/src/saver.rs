//! Writing games within one transaction, and knowing again what is already there.

use std::collections::HashMap;

use honinbo_record::{GameDate, GameTree, Rank};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params, params_from_iter};

use crate::error::LibraryError;
use crate::id::GameId;
use crate::joined::Joinings;
use crate::judged::{is_judged, is_judged_alike};
use crate::names::are_two_people;
use crate::open::Library;
use crate::prepare::{PreparedGame, result_code, winner_code};
use crate::recorded::follow_record;
use crate::text::{TextCodec, damaged, text_of, tree_of};
use crate::time::Timestamp;
use crate::track::{KEY_MOVES, Track};
use crate::versions::{are_two_times, join_facts, remarks};

/// What became of a record that was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The game in the library: a new one, or the one that was there already.
    pub id: GameId,
    /// The game that this one is a copy of; what the copy knew more has been added to it.
    pub duplicate_of: Option<GameId>,
    /// The copy said something that the game did not.
    pub joined: bool,
}

/// What became of a version that was joined to a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Merged {
    /// Its text is the game's now, as it is.
    pub(crate) is_the_text: bool,
    /// It said something that the game did not.
    pub(crate) is_news: bool,
}

/// Moves from which two records with the same main line are versions of one game.
const MIN_TELLING_MOVES: usize = 20;

impl Library {
    /// The game of the library of which a record is a version: the same main line, also turned or mirrored, as
    /// [`Library::save_record`] would know it again.
    ///
    /// # Errors
    /// What the database says.
    pub fn version_of(&self, tree: &GameTree) -> Result<Option<GameId>, LibraryError> {
        let mut codec = TextCodec::new()?;
        let prepared = PreparedGame::new(tree, &mut codec)?;
        self.read(|connection| Ok(find_duplicate(connection, &mut codec, &prepared)?.map(GameId::from_row)))
    }
}

/// Writes games within one transaction, remembering the ids of names.
pub(crate) struct Saver<'c> {
    connection: &'c Transaction<'c>,
    pub(crate) codec: &'c mut TextCodec,
    /// What takes back the joining of versions.
    pub(crate) joinings: Joinings,
    players: HashMap<String, i64>,
    labels: HashMap<String, i64>,
    /// The number of the last game, once one was added: within the transaction nobody else adds any.
    last_number: Option<i64>,
}

/// Names remembered by one saver; more than that are asked for again.
const MAX_REMEMBERED: usize = 400_000;

impl<'c> Saver<'c> {
    pub(crate) fn new(connection: &'c Transaction<'c>, codec: &'c mut TextCodec) -> Self {
        Self {
            connection,
            codec,
            joinings: Joinings::default(),
            players: HashMap::new(),
            labels: HashMap::new(),
            last_number: None,
        }
    }

    /// Carries remembered names over to the next transaction.
    pub(crate) fn with_names(mut self, names: Names) -> Self {
        (self.players, self.labels) = names;
        self
    }

    pub(crate) fn into_names(self) -> Names {
        (self.players, self.labels)
    }

    /// Stores a game or joins it to the one that is there.
    pub(crate) fn save(
        &mut self,
        game: &PreparedGame,
        source: Option<&str>,
        now: Timestamp,
    ) -> Result<Saved, LibraryError> {
        if let Some(existing) = find_duplicate(self.connection, self.codec, game)? {
            let joined = self.merge(existing, game, now)?.is_news;
            let id = GameId::from_row(existing);
            return Ok(Saved { id: id.clone(), duplicate_of: Some(id), joined });
        }
        self.save_new(game, source, now)
    }

    /// Stores a game, whatever is there already.
    pub(crate) fn save_new(
        &mut self,
        game: &PreparedGame,
        source: Option<&str>,
        now: Timestamp,
    ) -> Result<Saved, LibraryError> {
        let id = self.insert(game, source, now)?;
        Ok(Saved { id: GameId::from_row(id), duplicate_of: None, joined: false })
    }

    fn insert(&mut self, game: &PreparedGame, source: Option<&str>, now: Timestamp) -> Result<i64, LibraryError> {
        let last = match self.last_number {
            Some(last) => last,
            None => last_number(self.connection)?,
        };
        let id = last.saturating_add(1);
        self.insert_as(id, game, source, now)?;
        self.last_number = Some(id);
        Ok(id)
    }

    /// Stores a game under a number that no other has.
    pub(crate) fn insert_as(
        &mut self,
        id: i64,
        game: &PreparedGame,
        source: Option<&str>,
        now: Timestamp,
    ) -> Result<(), LibraryError> {
        let mut values = self.columns(game, now)?;
        let source = source.map(|path| self.label(path)).transpose()?.flatten();
        values.push(source.into());
        values.push(id.into());
        self.connection
            .prepare_cached(
                "INSERT INTO games (black, white, black_rank, white_rank, event, place, date, result, winner, margin,
                     width, height, topology, rules, komi, handicap, moves, line_key, last_date, added, changed, source,
                     id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
                     ?20, ?21, ?22)",
            )?
            .execute(params_from_iter(values))?;
        self.connection
            .prepare_cached("INSERT INTO records (game, track, text) VALUES (?1, ?2, ?3)")?
            .execute(params![id, game.packed_track, game.packed_text])?;
        self.add_notes(id, game)
    }

    /// Gives a stored game another text and the facts that go with it.
    pub(crate) fn replace(&mut self, id: i64, game: &PreparedGame, now: Timestamp) -> Result<(), LibraryError> {
        let mut values = self.columns(game, now)?;
        values.push(id.into());
        self.connection
            .prepare_cached(
                "UPDATE games SET black = ?1, white = ?2, black_rank = ?3, white_rank = ?4, event = ?5, place = ?6,
                     date = ?7, result = ?8, winner = ?9, margin = ?10, width = ?11, height = ?12, topology = ?13,
                     rules = ?14, komi = ?15, handicap = ?16, moves = ?17, line_key = ?18, last_date = ?19, changed = ?20
                 WHERE id = ?21",
            )?
            .execute(params_from_iter(values))?;
        self.set_text(id, game)?;
        self.connection.prepare_cached("DELETE FROM notes WHERE game = ?1")?.execute([id])?;
        self.add_notes(id, game)
    }

    /// Gives a stored game another text. What a review found of other moves, or of the same ones under other rules or
    /// another komi, is no longer about this game.
    fn set_text(&mut self, id: i64, game: &PreparedGame) -> Result<(), LibraryError> {
        if is_judged(self.connection, id)? {
            let before = tree_of(&text_of(self.connection, id, self.codec)?);
            let after = tree_of(&self.codec.unpack(&game.packed_text, Some(&game.track))?);
            if !before.zip(after).is_some_and(|(before, after)| is_judged_alike(&before, &after)) {
                self.connection.prepare_cached("DELETE FROM judged_games WHERE game = ?1")?.execute([id])?;
            }
        }
        self.connection
            .prepare_cached("UPDATE records SET track = ?2, text = ?3 WHERE game = ?1")?
            .execute(params![id, game.packed_track, game.packed_text])?;
        Ok(())
    }

    fn add_notes(&self, id: i64, game: &PreparedGame) -> Result<(), LibraryError> {
        if !game.notes.is_empty() {
            self.connection
                .prepare_cached("INSERT INTO notes (game, text) VALUES (?1, ?2)")?
                .execute(params![id, game.notes])?;
        }
        Ok(())
    }

    /// What a row of `games` says of a game, in the order of the statements above.
    fn columns(&mut self, game: &PreparedGame, now: Timestamp) -> Result<Vec<Value>, LibraryError> {
        let facts = self.facts(game)?;
        let count = |number: usize| Value::from(i64::try_from(number).unwrap_or(i64::MAX));
        Ok(vec![
            facts.black.into(),
            facts.white.into(),
            facts.black_rank.into(),
            facts.white_rank.into(),
            facts.event.into(),
            facts.place.into(),
            facts.date.into(),
            facts.result.into(),
            facts.winner.into(),
            facts.margin.into(),
            count(game.info.size.width()),
            count(game.info.size.height()),
            (game.info.topology as i64).into(),
            facts.rules.into(),
            game.info.komi.map(|komi| i64::from(komi.half_points())).into(),
            game.info.handicap.into(),
            count(game.track.len()),
            game.key.into(),
            facts.last_date.into(),
            now.into(),
        ])
    }

    /// Adds to a stored game what another version of it knows: the facts that it lacks, and the whole text where that
    /// says more. A text that the game does not contain afterwards is kept as a copy.
    pub(crate) fn merge(&mut self, id: i64, game: &PreparedGame, now: Timestamp) -> Result<Merged, LibraryError> {
        let known = Merged { is_the_text: false, is_news: false };
        let (track, text): (Vec<u8>, Vec<u8>) = self
            .connection
            .prepare_cached("SELECT track, text FROM records WHERE game = ?1")?
            .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if track == game.packed_track && text == game.packed_text {
            return Ok(known);
        }
        let stored_track = Track::unpack(&track).ok_or_else(|| damaged(id))?;
        let stored_text = self.codec.unpack(&text, Some(&stored_track))?;
        let new_text = self.codec.unpack(&game.packed_text, Some(&game.track))?;
        let trees = tree_of(&stored_text).zip(tree_of(&new_text));
        let (stored, new) = trees.ok_or_else(|| damaged(id))?;
        let is_fuller = (game.track.len(), remarks(&new)) > (stored_track.len(), remarks(&stored));
        // What was a version before brings back nothing that somebody took away since.
        if !is_fuller && self.copy_of(id, &new_text)?.is_some() {
            return Ok(known);
        }
        let mut kept = if is_fuller { new.clone() } else { stored.clone() };
        join_facts(&mut kept, &stored, &new);
        let mut is_news = false;
        for (tree, text) in [(&stored, &stored_text), (&new, &new_text)] {
            if !kept.contains(tree) && self.copy_of(id, text)?.is_none() {
                let packed = self.codec.pack(text, None)?;
                let copy = self
                    .connection
                    .prepare_cached("INSERT INTO copies (game, added, text) VALUES (?1, ?2, ?3)")?
                    .insert(params![id, now, packed])?;
                self.joinings.add_copy(copy, text);
                is_news = true;
            }
        }
        let text = kept.to_sgf();
        if text != stored_text {
            set_record(self.connection, self.codec, id, &kept, now)?;
            self.joinings.add_text(id, &stored_text, kept.content_hash());
            is_news = true;
        }
        Ok(Merged { is_the_text: is_fuller && text == new_text, is_news })
    }

    /// The copy with this text that a game has.
    pub(crate) fn copy_of(&mut self, id: i64, text: &str) -> Result<Option<i64>, LibraryError> {
        let packed = self.codec.pack(text, None)?;
        let mut statement = self.connection.prepare_cached("SELECT id FROM copies WHERE game = ?1 AND text = ?2")?;
        Ok(statement.query_row(params![id, packed], |row| row.get(0)).optional()?)
    }

    /// The names of a game's players, `?` where one has none.
    pub(crate) fn players_of(&self, id: &GameId) -> Result<(String, String), LibraryError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT iif(b.name = '', '?', b.name), iif(w.name = '', '?', w.name) FROM games g JOIN players b ON b.id = g.black JOIN players w ON w.id = g.white
             WHERE g.id = ?1",
        )?;
        Ok(statement.query_row([id.row()?], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    fn facts(&mut self, game: &PreparedGame) -> Result<Facts, LibraryError> {
        let info = &game.info;
        let rank = |text: &str| Rank::parse(text).map_or(0, Rank::strength);
        let rules = match info.rules {
            Some(preset) => self.label(preset.name())?,
            None => self.label(&info.rules_text)?,
        };
        Ok(Facts {
            black: self.player(&info.black.name)?,
            white: self.player(&info.white.name)?,
            black_rank: rank(&info.black.rank),
            white_rank: rank(&info.white.rank),
            event: self.label(&info.event)?,
            place: self.label(&info.place)?,
            date: info.date.map_or(0, GameDate::sort_key),
            last_date: info.last_date.map_or(0, GameDate::sort_key),
            result: result_code(info.result),
            winner: winner_code(info.result.winner()),
            margin: info.result.margin().map(|points| (f64::from(points) * 100.0).round() as i64),
            rules,
        })
    }

    fn player(&mut self, name: &str) -> Result<i64, LibraryError> {
        if let Some(&id) = self.players.get(name) {
            return Ok(id);
        }
        let found: Option<i64> = self
            .connection
            .prepare_cached("SELECT id FROM players WHERE name = ?1")?
            .query_row([name], |row| row.get(0))
            .optional()?;
        let id = match found {
            Some(id) => id,
            None => self
                .connection
                .prepare_cached(
                    "INSERT INTO players (id, name, person)
                     SELECT n.id, ?1, n.id FROM (SELECT coalesce(max(id), 0) + 1 AS id FROM players) n",
                )?
                .insert([name])?,
        };
        if self.players.len() < MAX_REMEMBERED {
            self.players.insert(name.to_owned(), id);
        }
        Ok(id)
    }

    fn label(&mut self, text: &str) -> Result<Option<i64>, LibraryError> {
        if text.is_empty() {
            return Ok(None);
        }
        if let Some(&id) = self.labels.get(text) {
            return Ok(Some(id));
        }
        let found: Option<i64> = self
            .connection
            .prepare_cached("SELECT id FROM labels WHERE text = ?1")?
            .query_row([text], |row| row.get(0))
            .optional()?;
        let id = match found {
            Some(id) => id,
            None => self.connection.prepare_cached("INSERT INTO labels (text) VALUES (?1)")?.insert([text])?,
        };
        if self.labels.len() < MAX_REMEMBERED {
            self.labels.insert(text.to_owned(), id);
        }
        Ok(Some(id))
    }
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
    Saver::new(transaction, codec).replace(row, &prepared, now.max(before.saturating_add(1)))?;
    follow_record(transaction, row, tree)
}

/// The highest number that a game has or had. The next one gets the number after it: what names a game by its number, as
/// an open one does, may outlive the game.
pub(crate) fn last_number(connection: &Connection) -> Result<i64, LibraryError> {
    let mut statement = connection.prepare_cached(
        "SELECT max(coalesce((SELECT max(id) FROM games), 0), coalesce((SELECT highest FROM deleted_numbers), 0))",
    )?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// The game of which this one is a version.
fn find_duplicate(
    connection: &Connection,
    codec: &mut TextCodec,
    game: &PreparedGame,
) -> Result<Option<i64>, LibraryError> {
    let mut statement = connection.prepare_cached(
        "SELECT g.id, r.track, r.text FROM games g JOIN records r ON r.game = g.id
         WHERE g.line_key = ?1 AND g.deleted IS NULL ORDER BY g.id",
    )?;
    let mut rows = statement.query([game.key])?;
    while let Some(row) = rows.next()? {
        let (id, packed_track) = (row.get(0)?, row.get_ref(1)?.as_blob().unwrap_or_default());
        let Some(track) = Track::unpack(packed_track) else { continue };
        let common = game.track.common_moves(&track);
        let (shorter, longer) = (game.track.len().min(track.len()), game.track.len().max(track.len()));
        // Short lines and those that set-up stones cut off say too little: problems and studies begin alike.
        let is_telling = longer >= MIN_TELLING_MOVES && game.whole_line;
        let is_same = if is_telling {
            common == longer
        } else {
            let packed_text = row.get_ref(2)?.as_blob().unwrap_or_default();
            packed_track == game.packed_track && says_the_same(codec, game, packed_text)?
        };
        // The same game broken off earlier, or with other moves added after its end by somebody.
        let is_same_but_the_end = game.whole_line && common >= KEY_MOVES && common * 10 >= shorter * 9;
        if is_same || is_same_but_the_end && !is_of_others(connection, id, game)? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Whether a text of the same moves is this game's, however the two are written down.
fn says_the_same(codec: &mut TextCodec, game: &PreparedGame, packed: &[u8]) -> Result<bool, LibraryError> {
    if packed == game.packed_text {
        return Ok(true);
    }
    let mut said = |packed: &[u8]| -> Result<Option<u64>, LibraryError> {
        Ok(tree_of(&codec.unpack(packed, Some(&game.track))?).map(|tree| tree.content_hash()))
    };
    Ok(said(packed)? == said(&game.packed_text)?)
}

/// Whether a stored game names other players than this one, or another day.
fn is_of_others(connection: &Connection, id: i64, game: &PreparedGame) -> Result<bool, LibraryError> {
    let mut statement = connection.prepare_cached(
        "SELECT p.name, EXISTS(SELECT 1 FROM players o WHERE o.name = ?2 AND o.person = p.person), g.date, g.last_date
         FROM games g JOIN players p ON p.id = iif(?3, g.black, g.white) WHERE g.id = ?1",
    )?;
    for (is_black, player) in [(true, &game.info.black), (false, &game.info.white)] {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        let (name, is_one, first, last): (String, bool, u32, u32) =
            statement.query_row(params![id, player.name, is_black], read)?;
        let stored = GameDate::of_sort_key(first).map(|first| (first, GameDate::of_sort_key(last).unwrap_or(first)));
        let new = game.info.date.map(|first| (first, game.info.last_date.unwrap_or(first)));
        let are_two = stored.zip(new).is_some_and(|(one, two)| are_two_times(one, two));
        if !is_one && are_two_people(&name, &player.name) || are_two {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(crate) type Names = (HashMap<String, i64>, HashMap<String, i64>);

struct Facts {
    black: i64,
    white: i64,
    black_rank: u8,
    white_rank: u8,
    event: Option<i64>,
    place: Option<i64>,
    date: u32,
    last_date: u32,
    result: i64,
    winner: i64,
    margin: Option<i64>,
    rules: Option<i64>,
}
