//! Decks for Anki: what is written is a collection that SQLite finds whole, and comes back; what others write is read.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_library::{AnkiNote, LibraryError, read_anki, write_anki};
use std::io::{Cursor, Read, Write};

const SGF: &str = "(;GM[1]SZ[9]C[a < b & \\] c]PB[柯洁];B[ee](;W[ce]BM[1]HBL[2])(;W[cc]TE[1]))";

fn package(notes: &[AnkiNote]) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    write_anki("Deck", notes, 1_700_000_000, &mut bytes).unwrap();
    bytes.into_inner()
}

fn note(sgf: &str) -> AnkiNote {
    AnkiNote { sgf: sgf.into(), front: "<svg/>".into(), back: "<svg></svg>".into(), text: "A – B".into() }
}

fn zipped(name: &str, bytes: &[u8]) -> Cursor<Vec<u8>> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(bytes).unwrap();
    zip.finish().unwrap()
}

#[test]
fn what_is_written_is_a_collection_of_anki_and_comes_back() {
    let bytes = package(&[note(SGF), note("(;SZ[9];B[aa])")]);
    assert_eq!(read_anki(Cursor::new(&bytes)).unwrap(), [SGF, "(;SZ[9];B[aa])"]);
    let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
    let mut media = String::new();
    archive.by_name("media").unwrap().read_to_string(&mut media).unwrap();
    assert_eq!(media, "{}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("collection.anki2");
    let mut collection = Vec::new();
    archive.by_name("collection.anki2").unwrap().read_to_end(&mut collection).unwrap();
    std::fs::write(&path, collection).unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    let one = |sql: &str| -> String { connection.query_row(sql, [], |row| row.get(0)).unwrap() };
    assert_eq!(one("PRAGMA integrity_check"), "ok");
    let counts = "SELECT ver || ' ' || (SELECT count(*) FROM notes) || ' ' || (SELECT count(*) FROM cards) FROM col";
    assert_eq!(one(counts), "11 2 2");
    let model = one("SELECT models FROM col");
    let mid = one("SELECT CAST(mid AS TEXT) FROM notes LIMIT 1");
    assert!(model.contains(&mid) && model.contains("{{Front}}"), "{model}");
    let did = one("SELECT CAST(did AS TEXT) FROM cards LIMIT 1");
    assert!(one("SELECT decks FROM col").contains(&did));
    // The same record is the same note, whenever it is exported.
    let guid = one("SELECT guid FROM notes ORDER BY id LIMIT 1");
    let again = package(&[note("(;SZ[9];B[bb])"), note(SGF)]);
    let mut archive = zip::ZipArchive::new(Cursor::new(&again)).unwrap();
    let mut collection = Vec::new();
    archive.by_name("collection.anki2").unwrap().read_to_end(&mut collection).unwrap();
    let path = folder.path().join("again");
    std::fs::write(&path, collection).unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    let sql = "SELECT guid FROM notes ORDER BY id DESC LIMIT 1";
    assert_eq!(connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap(), guid);
}

#[test]
fn records_in_the_fields_of_others_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deck");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("CREATE TABLE notes (id integer primary key, flds text)").unwrap();
    let fields = [
        "Question\u{1f}<div>(;SZ[9]AB[aa]</div><div>;W[bb])</div>",
        "no record\u{1f}at all",
        "(;SZ[9]C[a &lt;b&gt;];B[cc])\u{1f}",
    ];
    for fields in fields {
        connection.execute("INSERT INTO notes (flds) VALUES (?1)", [fields]).unwrap();
    }
    drop(connection);
    let file = zipped("collection.anki21", &std::fs::read(&path).unwrap());
    assert_eq!(read_anki(file).unwrap(), ["(;SZ[9]AB[aa]\n\n;W[bb])", "(;SZ[9]C[a <b>];B[cc])"]);
}

#[test]
fn what_is_no_deck_is_said() {
    let refused = |file: Cursor<Vec<u8>>| match read_anki(file) {
        Err(LibraryError::NotARecord { reason }) => reason,
        other => panic!("{other:?}"),
    };
    assert!(refused(Cursor::new(b"(;SZ[9])".to_vec())).contains("no package"));
    assert!(refused(zipped("media", b"{}")).contains("no package"));
    assert!(
        refused(zipped("collection.anki2", b"not a database, but long enough to be looked at")).contains("damaged")
    );
    assert!(refused(zipped("collection.anki21b", b"")).contains("newest form"));
}
