//! Accounts at game servers and watched folders: what was taken from them already, and taking what is new.

use std::collections::HashMap;

use honinbo_record::{ReadGame, ReadLimits, read_record};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use crate::change::Change;
use crate::error::LibraryError;
use crate::history::remember;
use crate::joined::Joinings;
use crate::open::Library;
use crate::prepare::PreparedGame;
use crate::saver::Saver;
use crate::text::TextCodec;
use crate::time::Timestamp;
use crate::track::Track;

/// Longest name of an account, and longest path of a folder.
const MAX_NAME: usize = 4096;

/// In `source_games.taken` where the game is not as the record had it: no game changed before 1970.
const NOT_AS_TAKEN: Timestamp = -1;

/// In `sources.joined` once all names of an account were joined to the person's others.
const ALL_JOINED: i64 = 1;
/// The same of the name at the server alone, while the other one was in no game yet.
const NAME_JOINED: i64 = 2;
/// The same of the name that was given with the account.
const PERSON_JOINED: i64 = 4;

/// Names an account or a folder of one library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(i64);

impl SourceId {
    /// Takes a number for an id. Whether there is such a source is known when it is used.
    #[must_use]
    pub fn new(number: u32) -> Self {
        Self(i64::from(number))
    }

    /// The id as a number.
    #[must_use]
    pub fn number(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }

    fn unknown(self) -> LibraryError {
        LibraryError::UnknownSource { id: self.0.to_string() }
    }
}

/// Where games come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SourceKind {
    /// An account at the Online-Go Server.
    Ogs,
    /// An account at the KGS Go Server.
    Kgs,
    /// A folder that another program saves into.
    Folder,
}

impl SourceKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ogs, Self::Kgs, Self::Folder];

    /// Its name, in the file and in terminals.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ogs => "ogs",
            Self::Kgs => "kgs",
            Self::Folder => "folder",
        }
    }

    /// Whether its name is a person's.
    #[must_use]
    pub fn is_account(self) -> bool {
        self != Self::Folder
    }

    fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// An account or a folder that games are taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its id.
    pub id: SourceId,
    /// What it is.
    pub kind: SourceKind,
    /// The name there, or the folder's path.
    pub name: String,
    /// Another name of the same person in the library; empty where none was given.
    pub person: String,
    /// When it was looked through to its end.
    pub synced: Option<Timestamp>,
    /// Games that were taken from there.
    pub games: u32,
}

/// A record of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundRecord {
    /// Its number or path there.
    pub key: String,
    /// What tells a changed file from the one that was taken; empty where records never change.
    pub stamp: String,
    /// Its bytes; `None`: the server does not give it, and it is not to be asked for again.
    pub bytes: Option<Vec<u8>>,
}

/// What became of records that were taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Taken {
    /// New games.
    pub added: u32,
    /// Games that were there already.
    pub duplicates: u32,
    /// Records without a game of Go, and those that the server does not give.
    pub refused: u32,
}

/// One look through a source, whose games are taken back together.
#[derive(Debug, Default)]
pub struct Taking {
    new: Vec<(i64, Option<Timestamp>)>,
    joinings: Joinings,
}

const COLUMNS: &str = "s.id, s.kind, s.name, s.person, s.synced,
     (SELECT count(*) FROM source_games g WHERE g.source = s.id)";

impl Library {
    /// Adds an account or a folder; one that is there already stays as it is, but for the person.
    ///
    /// # Errors
    /// [`LibraryError::BadName`], and what the database says.
    pub fn add_source(
        &self,
        kind: SourceKind,
        name: &str,
        person: &str,
        now: Timestamp,
    ) -> Result<Source, LibraryError> {
        let name = if kind.is_account() { name.trim() } else { name };
        let bad = |reason| LibraryError::BadName { name: name.chars().take(40).collect(), reason };
        if name.is_empty() {
            return Err(bad("it is empty"));
        }
        if name.len() > MAX_NAME || kind.is_account() && name.chars().count() > 100 {
            return Err(bad("it is too long"));
        }
        if name.chars().any(char::is_control) {
            return Err(bad("it has signs that cannot be shown"));
        }
        let writer = self.writer()?;
        writer.execute(
            "INSERT INTO sources (kind, name, person, added) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (kind, name) DO UPDATE SET
                 joined = CASE WHEN ?3 = '' OR person = ?3 THEN joined ELSE 0 END,
                 person = CASE WHEN ?3 = '' THEN person ELSE ?3 END",
            params![kind.name(), name, person.trim(), now],
        )?;
        let sql = format!("SELECT {COLUMNS} FROM sources s WHERE kind = ?1 AND name = ?2");
        Ok(writer.query_row(&sql, params![kind.name(), name], read_source)?)
    }

    /// Forgets an account or a folder and what is known of it; its games stay.
    ///
    /// # Errors
    /// [`LibraryError::UnknownSource`], and what the database says.
    pub fn remove_source(&self, id: SourceId) -> Result<(), LibraryError> {
        let removed = self.writer()?.execute("DELETE FROM sources WHERE id = ?1", [id.0])?;
        if removed == 0 { Err(id.unknown()) } else { Ok(()) }
    }

    /// The accounts and folders, in the order in which they were added.
    ///
    /// # Errors
    /// What the database says.
    pub fn sources(&self) -> Result<Vec<Source>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM sources s ORDER BY s.id"))?;
            Ok(statement.query_map([], read_source)?.collect::<Result<_, _>>()?)
        })
    }

    /// The keys of the records that were taken, with their stamps.
    ///
    /// # Errors
    /// What the database says.
    pub fn taken_from(&self, id: SourceId) -> Result<HashMap<String, String>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT key, stamp FROM source_games WHERE source = ?1")?;
            Ok(statement.query_map([id.0], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
        })
    }

    /// The mark of a page that was looked at before.
    ///
    /// # Errors
    /// What the database says.
    pub fn source_page(&self, id: SourceId, page: &str) -> Result<Option<String>, LibraryError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT mark FROM source_pages WHERE source = ?1 AND page = ?2")?;
            Ok(statement.query_row(params![id.0, page], |row| row.get(0)).optional()?)
        })
    }

    /// The marks of all pages that were looked at before.
    ///
    /// # Errors
    /// What the database says.
    pub fn source_pages(&self, id: SourceId) -> Result<HashMap<String, String>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT page, mark FROM source_pages WHERE source = ?1")?;
            Ok(statement.query_map([id.0], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
        })
    }

    /// Keeps the mark of a page; an empty one forgets it.
    ///
    /// # Errors
    /// What the database says, also where the source was removed meanwhile.
    pub fn keep_source_page(&self, id: SourceId, page: &str, mark: &str) -> Result<(), LibraryError> {
        let writer = self.writer()?;
        if mark.is_empty() {
            writer.execute("DELETE FROM source_pages WHERE source = ?1 AND page = ?2", params![id.0, page])?;
        } else {
            writer.execute(
                "INSERT INTO source_pages (source, page, mark) VALUES (?1, ?2, ?3)
                 ON CONFLICT (source, page) DO UPDATE SET mark = ?3",
                params![id.0, page, mark],
            )?;
        }
        Ok(())
    }

    /// Takes records, all of them or none, and remembers that they were. `label` is what the library says of where the
    /// games came from.
    ///
    /// # Errors
    /// [`LibraryError::UnknownSource`] where it was removed meanwhile, and what the database says.
    pub fn take_from(
        &self,
        id: SourceId,
        label: &str,
        records: &[FoundRecord],
        taking: &mut Taking,
        now: Timestamp,
    ) -> Result<Taken, LibraryError> {
        // What can be done without the database is done before nobody else can write.
        let mut codec = TextCodec::new()?;
        let mut ready = Vec::with_capacity(records.len());
        for record in records {
            let games = record.bytes.as_deref().map(games_of).unwrap_or_default();
            let games = games.iter().map(|game| PreparedGame::new(&game.tree, &mut codec));
            ready.push((record, games.collect::<Result<Vec<_>, _>>()?));
        }
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        exists(&transaction, id)?;
        let mut taken = Taken::default();
        let mut new = Vec::new();
        let joinings = {
            let mut saver = Saver::new(&transaction, &mut codec);
            for (record, games) in &ready {
                if games.is_empty() {
                    taken.refused += 1;
                }
                let before = taken_before(&transaction, id, &record.key)?;
                let mut kept = None;
                let mut is_as_taken = false;
                for game in games {
                    // A file that its program goes on writing is one game: its earlier states are no versions of it,
                    // unless somebody changed it here, and it does not come back where somebody deleted it. Another game
                    // under the same name is a new one, whatever became of the one before.
                    if let (Some(before), 1) = (&before, games.len())
                        && before.is_same_game(&game.track)
                    {
                        kept = Some(before.game);
                        is_as_taken = match (before.is_deleted, before.is_untouched) {
                            (true, _) => false,
                            (false, true) => {
                                saver.replace(before.game, game, now)?;
                                true
                            }
                            (false, false) => saver.merge(before.game, game, now)?.is_the_text,
                        };
                        taken.duplicates += 1;
                        continue;
                    }
                    let saved = saver.save(game, Some(label), now)?;
                    let row = saved.id.row()?;
                    kept = Some(row);
                    is_as_taken = saved.duplicate_of.is_none();
                    if saved.duplicate_of.is_some() {
                        taken.duplicates += 1;
                    } else {
                        taken.added += 1;
                        new.push((row, Some(now)));
                    }
                }
                // A merge changes the game as well, though the text may be one that somebody wrote here: the next state
                // of the record must not take its place.
                transaction
                    .prepare_cached(
                        "INSERT INTO source_games (source, key, stamp, game, taken) 
                         VALUES (?1, ?2, ?3, ?4, coalesce((SELECT changed FROM games WHERE id = ?5), ?6))
                         ON CONFLICT (source, key) DO UPDATE SET stamp = ?3, game = ?4, taken = excluded.taken",
                    )?
                    .execute(params![
                        id.0,
                        record.key,
                        record.stamp,
                        kept.filter(|_| games.len() == 1),
                        kept.filter(|_| is_as_taken),
                        NOT_AS_TAKEN,
                    ])?;
            }
            saver.joinings
        };
        transaction.commit()?;
        taking.new.append(&mut new);
        taking.joinings.append(joinings);
        Ok(taken)
    }

    /// Ends a look through a source: what it brought can be taken back as one change. `whole`: nothing was left out.
    ///
    /// # Errors
    /// What the database says.
    pub fn end_taking(&self, id: SourceId, taking: Taking, whole: bool, now: Timestamp) -> Result<(), LibraryError> {
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if whole {
            transaction.execute("UPDATE sources SET synced = ?2 WHERE id = ?1", params![id.0, now])?;
        }
        let changes = vec![Change::Bin { states: taking.new }, Change::Texts(taking.joinings.into_reverse(now))];
        remember(&transaction, "import", &Change::Many { changes })?;
        transaction.commit()?;
        Ok(())
    }

    /// Spells an account's name as its server does.
    ///
    /// # Errors
    /// What the database says.
    pub fn spell_source(&self, id: SourceId, name: &str) -> Result<(), LibraryError> {
        self.writer()?.execute("UPDATE OR IGNORE sources SET name = ?2 WHERE id = ?1", params![id.0, name])?;
        Ok(())
    }

    /// Joins the names of the person's accounts, and those given with them, to one person, as far as games have them;
    /// each once, so that names which the person parts again stay parted. Returns the names that were joined.
    ///
    /// # Errors
    /// What the database says.
    pub fn join_own_names(&self) -> Result<Vec<String>, LibraryError> {
        let names = self.read(own_names)?;
        let (before, new): (Vec<&OwnName>, Vec<&OwnName>) = names.iter().partition(|own| own.is_joined);
        if new.is_empty() {
            return Ok(Vec::new());
        }
        // Names that were joined before may be several people's by now: the new ones go to the person of their own
        // account, or else to the first.
        let of_their_account = before.iter().find(|own| new.iter().any(|other| other.source == own.source));
        let person = of_their_account.or(before.first()).map(|own| own.person);
        let mut joined: Vec<String> = Vec::new();
        for own in names.iter().filter(|own| !own.is_joined || Some(own.person) == person) {
            if !joined.contains(&own.name) {
                joined.push(own.name.clone());
            }
        }
        // A single name has nobody to be joined to: the account that comes next is joined to it.
        if joined.len() < 2 {
            return Ok(Vec::new());
        }
        self.join_players(&joined.iter().map(String::as_str).collect::<Vec<_>>())?;
        let writer = self.writer()?;
        for own in new {
            writer.execute("UPDATE sources SET joined = joined | ?2 WHERE id = ?1", [own.source, own.bit])?;
        }
        Ok(joined)
    }
}

/// A name of the person.
struct OwnName {
    /// The account whose name it is, or that it was given with.
    source: i64,
    /// What says in `sources.joined` that it was joined.
    bit: i64,
    /// It was joined before, for whichever account.
    is_joined: bool,
    /// As games have it.
    name: String,
    /// Whose it is now.
    person: i64,
}

/// The names of the person that games have, those given with accounts before the accounts' own.
fn own_names(connection: &Connection) -> Result<Vec<OwnName>, LibraryError> {
    let mut statement =
        connection.prepare_cached("SELECT id, name, person, joined FROM sources WHERE kind <> 'folder' ORDER BY id")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    let accounts: Vec<(i64, String, String, i64)> = rows.collect::<Result<_, _>>()?;
    let mut names = Vec::new();
    for (source, account, given, joined) in accounts {
        for (text, bit) in [(given, PERSON_JOINED), (account, NAME_JOINED)] {
            if let Some((name, person)) = player_named(connection, &text)? {
                names.push(OwnName { source, bit, is_joined: joined & (ALL_JOINED | bit) != 0, name, person });
            }
        }
    }
    let joined: Vec<String> = names.iter().filter(|own| own.is_joined).map(|own| own.name.clone()).collect();
    for own in &mut names {
        own.is_joined = joined.contains(&own.name);
    }
    Ok(names)
}

/// The games of Go in a record.
fn games_of(bytes: &[u8]) -> Vec<ReadGame> {
    let mut games = read_record(bytes, ReadLimits::default()).games;
    games.retain(|game| game.tree.is_go_record());
    games
}

/// A player's name as the library has it, and whose it is; servers do not tell large letters from small ones.
fn player_named(connection: &Connection, name: &str) -> Result<Option<(String, i64)>, LibraryError> {
    let mut statement = connection.prepare_cached(
        "SELECT name, person FROM players WHERE name = ?1 COLLATE NOCASE AND name <> ''
         ORDER BY name <> ?1, id LIMIT 1",
    )?;
    Ok(statement.query_row([name], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}

/// A game that a record held when it was taken before.
struct TakenBefore {
    game: i64,
    /// Its moves as they are here now; `None` where it was deleted for good.
    track: Option<Track>,
    /// It is in the bin.
    is_deleted: bool,
    /// It is as the record had it then: nobody changed it since.
    is_untouched: bool,
}

impl TakenBefore {
    /// What the record holds now goes on from it, or is it with some moves taken back. With fewer than half of them left it
    /// is the beginning of the next game in the same file: first moves are much alike.
    fn is_same_game(&self, now: &Track) -> bool {
        // A deleted game without a move would claim every game that comes after it.
        let tells = |track: &Track| !self.is_deleted || track.len() > 0;
        self.track.as_ref().is_some_and(|track| tells(track) && 2 * now.len() >= track.len() && now.goes_on_from(track))
    }
}

fn taken_before(connection: &Connection, id: SourceId, key: &str) -> Result<Option<TakenBefore>, LibraryError> {
    let mut statement = connection.prepare_cached(
        "SELECT t.game, r.track, g.deleted IS NOT NULL, coalesce(g.changed = t.taken, 0) FROM source_games t
         LEFT JOIN games g ON g.id = t.game
         LEFT JOIN records r ON r.game = g.id
         WHERE t.source = ?1 AND t.key = ?2 AND t.game IS NOT NULL",
    )?;
    let read = |row: &Row<'_>| {
        let track: Option<Vec<u8>> = row.get(1)?;
        let track = track.and_then(|track| Track::unpack(&track));
        Ok(TakenBefore { game: row.get(0)?, track, is_deleted: row.get(2)?, is_untouched: row.get(3)? })
    };
    Ok(statement.query_row(params![id.0, key], read).optional()?)
}

fn exists(transaction: &Transaction<'_>, id: SourceId) -> Result<(), LibraryError> {
    let found: Option<i64> =
        transaction.query_row("SELECT id FROM sources WHERE id = ?1", [id.0], |row| row.get(0)).optional()?;
    found.map(drop).ok_or_else(|| id.unknown())
}

fn read_source(row: &Row<'_>) -> rusqlite::Result<Source> {
    let kind: String = row.get(1)?;
    Ok(Source {
        id: SourceId(row.get(0)?),
        kind: SourceKind::of(&kind).ok_or(rusqlite::Error::InvalidQuery)?,
        name: row.get(2)?,
        person: row.get(3)?,
        synced: row.get(4)?,
        games: row.get(5)?,
    })
}
