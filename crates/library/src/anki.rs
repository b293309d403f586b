//! Decks for Anki: a zip archive with a collection in SQLite and the pictures of its cards.
//!
//! Written is the form of Anki 2.0 (`collection.anki2`, schema 11), which every version of Anki reads; read are that one
//! and 2.1's `collection.anki21`. A deck in Anki's newest form (`collection.anki21b`, which is compressed) is refused with
//! what to do.
//!
//! Source: the description of the format at `ankidroid/Anki-Android`, wiki page "Database Structure", and Anki's own
//! manual on packages ("Support Older Anki Versions" writes the form that is read here).

use std::io::{Read, Seek, Write};

use rusqlite::{Connection, OpenFlags, params};
use serde_json::json;

use crate::error::LibraryError;

/// A collection of a package that is read, unpacked.
const MAX_COLLECTION: u64 = 256 << 20;
/// Notes that are read.
const MAX_NOTES: i64 = 50_000;
/// The kind of notes that is written, known again by its number wherever it is imported.
const MODEL: i64 = 1_790_000_000_001;
/// The deck.
const DECK: i64 = 1_790_000_000_002;
/// Separates the fields of a note.
const FIELD: char = '\u{1f}';

/// A note of a deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnkiNote {
    /// The record: what Honinbo reads again.
    pub sgf: String,
    /// The question, as a drawing in SVG.
    pub front: String,
    /// The answer, likewise.
    pub back: String,
    /// What is said of it; may be empty.
    pub text: String,
}

const SCHEMA: &str = "
CREATE TABLE col (id integer primary key, crt integer not null, mod integer not null, scm integer not null, ver integer not null, dty integer not null, usn integer not null, ls integer not null, conf text not null, models text not null, decks text not null, dconf text not null, tags text not null);
CREATE TABLE notes (id integer primary key, guid text not null, mid integer not null, mod integer not null, usn integer not null, tags text not null, flds text not null, sfld integer not null, csum integer not null, flags integer not null, data text not null);
CREATE TABLE cards (id integer primary key, nid integer not null, did integer not null, ord integer not null, mod integer not null, usn integer not null, type integer not null, queue integer not null, due integer not null, ivl integer not null, factor integer not null, reps integer not null, lapses integer not null, left integer not null, odue integer not null, odid integer not null, flags integer not null, data text not null);
CREATE TABLE revlog (id integer primary key, cid integer not null, usn integer not null, ease integer not null, ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null, type integer not null);
CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
CREATE INDEX ix_notes_usn on notes (usn);
CREATE INDEX ix_cards_usn on cards (usn);
CREATE INDEX ix_revlog_usn on revlog (usn);
CREATE INDEX ix_cards_nid on cards (nid);
CREATE INDEX ix_cards_sched on cards (did, queue, due);
CREATE INDEX ix_revlog_cid on revlog (cid);
CREATE INDEX ix_notes_csum on notes (csum);";

/// Writes notes as a deck of Anki. `seconds` is the time since 1970.
///
/// # Errors
/// What the disk and SQLite say.
pub fn write_anki(name: &str, notes: &[AnkiNote], seconds: i64, out: impl Write + Seek) -> Result<(), LibraryError> {
    let failed = |source: std::io::Error| LibraryError::File { path: "the deck".into(), source };
    let folder = tempfile::tempdir().map_err(failed)?;
    let path = folder.path().join("collection.anki2");
    {
        let mut connection = Connection::open(&path)?;
        connection.execute_batch(SCHEMA)?;
        let transaction = connection.transaction()?;
        let milliseconds = seconds.saturating_mul(1000);
        transaction.execute(
            "INSERT INTO col VALUES (1, ?1, ?2, ?2, 11, 0, 0, 0, ?3, ?4, ?5, ?6, '{}')",
            params![seconds, milliseconds, configuration(), models(seconds), decks(name, seconds), options()],
        )?;
        for (index, note) in notes.iter().enumerate() {
            let id = milliseconds + i64::try_from(index).unwrap_or(i64::MAX);
            // The same record is the same note, also when the deck is exported again.
            let guid = guid_of(&note.sgf);
            let fields = [note.front.as_str(), &note.back, &escaped(&note.text), &escaped(&note.sgf)];
            let fields = fields.map(|field| field.replace(FIELD, " ")).join(&FIELD.to_string());
            transaction.execute(
                "INSERT INTO notes VALUES (?1, ?2, ?3, ?4, -1, '', ?5, ?6, ?7, 0, '')",
                params![id, guid, MODEL, seconds, fields, guid, checksum(&note.front)],
            )?;
            transaction.execute(
                "INSERT INTO cards VALUES (?1, ?1, ?2, 0, ?3, -1, 0, 0, ?4, 0, 0, 0, 0, 0, 0, 0, 0, '')",
                params![id, DECK, seconds, id - milliseconds],
            )?;
        }
        transaction.commit()?;
    }
    let collection = std::fs::read(&path).map_err(failed)?;
    let mut archive = crate::archive::ArchiveWriter::new(out);
    archive.add("collection.anki2", &collection).map_err(failed)?;
    archive.add("media", b"{}").map_err(failed)?;
    archive.finish().map_err(failed)?.flush().map_err(failed)
}

/// The records in the notes of a deck of Anki: each field that holds SGF, whichever it is.
///
/// # Errors
/// [`LibraryError::NotARecord`] for what is no deck that can be read.
pub fn read_anki(package: impl Read + Seek) -> Result<Vec<String>, LibraryError> {
    let not = |reason: String| LibraryError::NotARecord { reason };
    let mut archive = zip::ZipArchive::new(package).map_err(|error| not(format!("no package of Anki: {error}")))?;
    // A package in the newest form has an old collection beside it that only says so.
    if archive.by_name("collection.anki21b").is_ok() {
        let reason = "the deck is in Anki's newest form; export it once more with \"Support older Anki versions\"";
        return Err(not(reason.to_owned()));
    }
    let name = if archive.by_name("collection.anki21").is_ok() { "collection.anki21" } else { "collection.anki2" };
    let entry = archive.by_name(name).map_err(|error| not(format!("no package of Anki: {error}")))?;
    let mut bytes = Vec::new();
    entry.take(MAX_COLLECTION + 1).read_to_end(&mut bytes).map_err(|error| not(error.to_string()))?;
    if bytes.len() as u64 > MAX_COLLECTION {
        return Err(not("the deck is larger than 256 MiB".to_owned()));
    }
    let failed = |source: std::io::Error| LibraryError::File { path: "the deck".into(), source };
    let folder = tempfile::tempdir().map_err(failed)?;
    let path = folder.path().join("deck");
    std::fs::write(&path, &bytes).map_err(failed)?;
    drop(bytes);
    let damaged = |error: rusqlite::Error| not(format!("the deck is damaged: {error}"));
    // A stranger's file: nothing in it is run, and nothing is written into it.
    let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(damaged)?;
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;").map_err(damaged)?;
    let mut statement = connection.prepare("SELECT flds FROM notes ORDER BY id LIMIT ?1").map_err(damaged)?;
    let mut rows = statement.query([MAX_NOTES]).map_err(damaged)?;
    let mut records = Vec::new();
    while let Some(row) = rows.next().map_err(damaged)? {
        let Ok(fields) = row.get::<_, String>(0) else { continue };
        records.extend(fields.split(FIELD).filter_map(record_in));
    }
    Ok(records)
}

/// The record that a field holds, as text or as marked-up text.
fn record_in(field: &str) -> Option<String> {
    let start = field.find("(;")?;
    let end = field.rfind(')')?;
    let text = field.get(start..=end)?;
    // Editors of Anki write line breaks and some signs as markup.
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let tag = rest[at + 1..].trim_start_matches('/');
        let is_tag = ["br", "div", "p>", "p ", "span", "pre", "code"].iter().any(|name| tag.starts_with(name));
        match rest[at..].find('>').filter(|_| is_tag) {
            Some(close) => {
                plain.push_str(&rest[..at]);
                plain.push('\n');
                rest = &rest[at + close + 1..];
            }
            None => {
                plain.push_str(&rest[..=at]);
                rest = &rest[at + 1..];
            }
        }
    }
    plain.push_str(rest);
    let plain = plain.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    Some(plain.replace("&#39;", "'").replace("&amp;", "&"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\n', "<br>")
}

/// A name for a note that the same record has everywhere.
fn guid_of(sgf: &str) -> String {
    let (mut high, mut low) = (0xcbf2_9ce4_8422_2325_u64, 0x9e37_79b9_7f4a_7c15_u64);
    for byte in sgf.bytes() {
        high = (high ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        low = honinbo_rules::splitmix(low ^ high);
    }
    format!("{high:016x}{low:04x}").chars().take(20).collect()
}

/// What Anki finds notes with the same first field by; it counts its own anew when a deck is checked.
fn checksum(front: &str) -> i64 {
    i64::from(u32::from_str_radix(&guid_of(front)[..8], 16).unwrap_or_default())
}

fn configuration() -> String {
    json!({ "activeDecks": [DECK], "curDeck": DECK, "curModel": MODEL.to_string(), "nextPos": 1, "sortType": "noteFld", "sortBackwards": false, "addToCur": true, "dueCounts": true, "estTimes": true, "newSpread": 0, "timeLim": 0, "collapseTime": 1200 }).to_string()
}

fn models(seconds: i64) -> String {
    let field = |(index, name): (usize, &&str)| json!({ "name": name, "ord": index, "font": "Arial", "size": 20, "media": [], "rtl": false, "sticky": false });
    let fields: Vec<_> = ["Front", "Back", "Text", "SGF"].iter().enumerate().map(field).collect();
    json!({ MODEL.to_string(): {
        "id": MODEL, "name": "Honinbo", "type": 0, "mod": seconds, "usn": -1, "sortf": 3, "did": DECK, "vers": [], "tags": [],
        "flds": fields,
        "tmpls": [{ "name": "Card 1", "ord": 0, "qfmt": "{{Front}}", "afmt": "{{Back}}<p>{{Text}}</p>", "bqfmt": "", "bafmt": "", "did": null }],
        "req": [[0, "all", [0]]],
        "css": ".card { text-align: center; font-family: sans-serif; } svg { max-width: 30rem; width: 100%; height: auto; }",
        "latexPre": "", "latexPost": "",
    } })
    .to_string()
}

fn decks(name: &str, seconds: i64) -> String {
    let deck = |id: i64, name: &str| json!({ "id": id, "name": name, "mod": seconds, "usn": -1, "desc": "", "dyn": 0, "conf": 1, "collapsed": false, "browserCollapsed": false, "extendNew": 10, "extendRev": 50, "newToday": [0, 0], "revToday": [0, 0], "lrnToday": [0, 0], "timeToday": [0, 0] });
    json!({ "1": deck(1, "Default"), DECK.to_string(): deck(DECK, name) }).to_string()
}

fn options() -> String {
    json!({ "1": {
        "id": 1, "name": "Default", "mod": 0, "usn": 0, "maxTaken": 60, "autoplay": true, "timer": 0, "replayq": true, "dyn": false,
        "new": { "bury": false, "delays": [1, 10], "initialFactor": 2500, "ints": [1, 4, 7], "order": 1, "perDay": 20, "separate": true },
        "rev": { "bury": false, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "minSpace": 1, "perDay": 200 },
        "lapse": { "delays": [10], "leechAction": 0, "leechFails": 8, "minInt": 1, "mult": 0 },
    } })
    .to_string()
}
