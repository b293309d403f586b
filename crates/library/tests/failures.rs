//! Files and disks as they should not be: a sentence each, and nothing is lost.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use honinbo_library::{GameId, GameQuery, ImportOptions, LIBRARY_VERSION, Library, LibraryError, LibraryOptions};
use rusqlite::Connection;

const NOW: i64 = 1_790_000_000_000;

fn game(n: usize) -> String {
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 19).expect("below 19"));
    let moves: String = (0..40)
        .map(|i| {
            let at = (i * 11 + n * 3) % 361;
            format!(";{}[{}{}]", if i % 2 == 0 { 'B' } else { 'W' }, letter(at), letter(at / 19))
        })
        .collect();
    format!("(;SZ[19]PB[Player {n}]PW[Other {}]C[comment number {n}]{moves})", n / 3)
}

fn snapshot(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.display().to_string(), std::fs::read(&path).expect("a file")))
        .collect();
    files.sort();
    files
}

#[test]
fn a_library_of_a_newer_version_is_refused_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    Library::open(&path).unwrap().save_record(&game(1), NOW).unwrap();
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", LIBRARY_VERSION + 7).unwrap();
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(connection);
    let before = snapshot(folder.path());
    let error = Library::open(&path).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the library has version {}, this program knows versions up to {LIBRARY_VERSION}", LIBRARY_VERSION + 7)
    );
    assert_eq!(error.hint(), "update Honinbo, or choose another data folder; the file was not changed");
    assert_eq!(snapshot(folder.path()), before);
}

#[test]
fn other_files_are_refused_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "these are my notes ".repeat(20)).unwrap();
    let short = folder.path().join("short");
    std::fs::write(&short, "x").unwrap();
    let foreign = folder.path().join("other.sqlite");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE mine (x); PRAGMA user_version = 1").unwrap();
    let unversioned = folder.path().join("unversioned.sqlite");
    Connection::open(&unversioned).unwrap().execute_batch("CREATE TABLE mine (x)").unwrap();
    for path in [&text, &short, &foreign, &unversioned] {
        let before = std::fs::read(path).unwrap();
        let error = Library::open(path).unwrap_err();
        assert!(matches!(error, LibraryError::NotALibrary { .. }), "{error}");
        let after = std::fs::read(path).unwrap();
        if path != &unversioned {
            assert_eq!(after, before);
        }
    }
    let tables: i64 = Connection::open(&unversioned)
        .unwrap()
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .unwrap();
    assert_eq!(tables, 1);
    // A folder where the file should be.
    assert!(Library::open(folder.path()).is_err());
}

#[test]
fn a_full_disk_loses_nothing_that_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let options = LibraryOptions { max_pages: Some(160), ..LibraryOptions::default() };
    let library = Library::open_with(&path, options).unwrap();
    let mut saved = 0;
    let error = loop {
        match library.save_record(&game(saved), NOW) {
            Ok(_) => saved += 1,
            Err(error) => break error,
        }
        assert!(saved < 5_000, "the disk never filled");
    };
    assert_eq!(error.to_string(), "the disk is full");
    assert_eq!(error.hint(), "free some space and try again; everything saved before is still there");
    assert!(saved > 0);
    assert_eq!(library.stats().unwrap().games as usize, saved);
    drop(library);
    // With room again, everything goes on.
    let library = Library::open(&path).unwrap();
    library.save_record(&game(saved), NOW).unwrap();
    assert_eq!(library.stats().unwrap().games as usize, saved + 1);
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

#[test]
fn a_library_that_another_program_is_writing_is_said_to_be_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let options = LibraryOptions { busy_timeout: Duration::from_millis(50), ..LibraryOptions::default() };
    let library = Library::open_with(&path, options).unwrap();
    let id = library.save_record(&game(1), NOW).unwrap().id;
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = library.save_record(&game(2), NOW).unwrap_err();
    assert_eq!(error.to_string(), "the library is in use by another program");
    // Reading goes on meanwhile.
    assert_eq!(library.list(&GameQuery { limit: 10, ..GameQuery::default() }).unwrap().total, 1);
    assert_eq!(library.game(&id).unwrap().summary.black, "Player 1");
    other.execute_batch("ROLLBACK").unwrap();
    library.save_record(&game(2), NOW).unwrap();
}

#[test]
fn two_libraries_on_one_file_see_each_others_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let threads: Vec<_> = (0..2)
        .map(|half| {
            let path = path.clone();
            std::thread::spawn(move || {
                let library = Library::open(&path).expect("opened while the other one opens it");
                for n in 0..50 {
                    library.save_record(&game(n * 2 + half), NOW).expect("saved beside the other one");
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let library = Library::open(&path).unwrap();
    assert_eq!(library.stats().unwrap().games, 100);
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

#[test]
fn many_open_a_new_library_at_once() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library.sqlite");
        let start = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    start.wait();
                    Library::open(&path).expect("opened while others open it");
                });
            }
        });
    }
}

#[test]
fn a_damaged_library_is_named_as_such_and_the_check_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let library = Library::open(&path).unwrap();
    let ids: Vec<_> = (0..30).map(|n| library.save_record(&game(n), NOW).unwrap().id).collect();
    let connection = Connection::open(&path).unwrap();
    connection.execute("UPDATE records SET track = x'01', text = x'0203' WHERE game = 7", []).unwrap();
    let error = library.game(&ids[6]).unwrap_err();
    assert_eq!(error.to_string(), "the library is damaged: the moves of game 7 cannot be read");
    assert_eq!(error.hint(), "rescue what can be read with `honinbo library rescue`, or restore a backup");
    let report = library.check().unwrap();
    assert_eq!(report.problems, ["game 7: the library is damaged: the moves of game 7 cannot be read"]);
    assert_eq!(library.game(&ids[7]).unwrap().summary.black, "Player 7");

    // A record that is gone: the repair takes the empty shell away and the others stay.
    connection.execute("DELETE FROM records WHERE game = 9", []).unwrap();
    let report = library.repair().unwrap();
    assert_eq!(report.repaired, ["the indexes were made anew", "1 games without a record were removed"]);
    assert_eq!(library.stats().unwrap().games, 29);
    drop((library, connection));

    // Pages overwritten in the middle of the file.
    let mut bytes = std::fs::read(&path).unwrap();
    let half = bytes.len() / 2;
    bytes[half..half + 8192].fill(0xAA);
    std::fs::write(&path, &bytes).unwrap();
    match Library::open(&path) {
        Ok(library) => {
            let sound = library.check().map(|report| report.problems.is_empty());
            assert!(!matches!(sound, Ok(true)), "the damage was not found");
        }
        Err(error) => assert!(matches!(error, LibraryError::Damaged { .. }), "{error}"),
    }
}

/// What a library of 120 games is when it is closed: everything in one file.
fn closed_library(path: &Path) -> usize {
    let library = Library::open(path).expect("it is sound");
    let ids: Vec<_> = (0..120).map(|n| library.save_record(&game(n), NOW).expect("it is sound").id).collect();
    library.set_folder(&ids[..60], "club/2026").expect("it is sound");
    library.add_tag(&ids[30..], "study").expect("it is sound");
    library.rename(&ids[3], "the third", NOW).expect("it is sound");
    library.delete(&ids[7..9], NOW).expect("it is sound");
    drop(library);
    assert!(!path.with_extension("sqlite-wal").exists());
    ids.len()
}

#[test]
fn a_page_that_cannot_be_read_ends_neither_the_check_nor_the_rescue() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let games = closed_library(&path);
    let sound = std::fs::read(&path).unwrap();
    let (damaged, rescued) = (folder.path().join("damaged.sqlite"), folder.path().join("rescued.sqlite"));
    let (mut without_tables, mut without_records, mut with_losses) = (0, 0, 0);
    for page in 1..sound.len() / 8192 {
        let mut bytes = sound.clone();
        bytes[page * 8192..][..4096].fill(0xAA);
        std::fs::write(&damaged, &bytes).unwrap();
        for end in ["sqlite-wal", "sqlite-shm"] {
            drop(std::fs::remove_file(damaged.with_extension(end)));
        }
        let report = match Library::rescue(&damaged, &rescued, NOW) {
            Ok(report) => report,
            Err(LibraryError::Damaged { .. }) => {
                assert!(!rescued.exists());
                without_tables += 1;
                continue;
            }
            Err(error) => panic!("page {page}: {error}"),
        };
        assert_eq!(std::fs::read(&damaged).unwrap(), bytes, "the damaged file stays as it is");
        assert_eq!((report.games + report.lost) as usize, games, "page {page}: {report:?}");
        assert!(report.lost == 0 || report.incomplete.contains(&"records"), "page {page}: {report:?}");
        without_records += u32::from(report.games < 30);
        with_losses += u32::from(report.lost > 0);
        let new = Library::open(&rescued).unwrap();
        assert_eq!(new.check().unwrap().problems, Vec::<String>::new(), "page {page}");
        drop(new);
        let checked = Library::open(&damaged).and_then(|library| library.check()).unwrap();
        assert!(!report.incomplete.contains(&"games") || !checked.problems.is_empty(), "page {page}");
        let repaired = Library::open(&damaged).and_then(|library| library.repair()).unwrap();
        assert!(report.lost == 0 || !repaired.problems.is_empty(), "page {page}");
        std::fs::remove_file(&rescued).unwrap();
    }
    assert!(without_tables < 12, "{without_tables} pages are the list of tables");
    assert!(without_records <= 1, "all records hang from one page only");
    assert!(with_losses > 1, "no page with records was hit");
}

#[test]
fn a_rescue_takes_everything_over_that_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let (path, rescued) = (folder.path().join("library.sqlite"), folder.path().join("rescued.sqlite"));
    let games = closed_library(&path);
    let report = Library::rescue(&path, &rescued, NOW).unwrap();
    assert_eq!((report.games as usize, report.from_record, report.lost), (games, 0, 0));
    assert_eq!(report.incomplete, Vec::<&str>::new());
    let said = |path: &Path| {
        let library = Library::open(path).unwrap();
        let page = library.list(&GameQuery { limit: 1000, ..GameQuery::default() }).unwrap();
        let texts: Vec<_> = page.games.iter().map(|game| library.game(&game.id).unwrap().sgf).collect();
        (page.games, texts, library.folders().unwrap(), library.tags().unwrap(), library.stats().unwrap().deleted)
    };
    assert_eq!(said(&rescued), said(&path));
    let error = Library::rescue(&path, &rescued, NOW).unwrap_err();
    assert!(matches!(error, LibraryError::File { .. }), "{error}");

    // Where all that is left of a game is its record, that says what it is called; what it was tagged with stays.
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "PRAGMA foreign_keys = OFF; DELETE FROM games WHERE id = 40; DELETE FROM records WHERE game = 41",
        )
        .unwrap();
    drop(connection);
    let again = folder.path().join("again.sqlite");
    let report = Library::rescue(&path, &again, NOW).unwrap();
    assert_eq!((report.games as usize, report.from_record, report.lost), (games - 1, 1, 1));
    let library = Library::open(&again).unwrap();
    let id = GameId::new("40");
    assert_eq!(library.summary(&id).unwrap().black, "Player 39");
    assert_eq!(library.tags_of(&id).unwrap(), ["study"]);
    assert_eq!(library.folder_of(&id).unwrap(), "");
}

#[test]
fn a_rescue_in_place_keeps_every_damaged_file_and_waits_for_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let games = closed_library(&path);
    let library = Library::open(&path).unwrap();
    let error = Library::rescue_in_place(&path, NOW).unwrap_err();
    assert!(matches!(error, LibraryError::Locked), "{error}");
    assert!(!folder.path().join("library.sqlite.rescued").exists());
    drop(library);
    for name in ["library.sqlite.damaged", "library.sqlite.damaged-2"] {
        let (report, aside) = Library::rescue_in_place(&path, NOW).unwrap();
        assert_eq!((report.games as usize, &aside), (games, &folder.path().join(name)));
        assert_eq!(Library::open(&aside).unwrap().stats().unwrap().games as usize, games - 2);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_was_replaced_or_removed_while_it_was_open_is_not_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    Library::open(&path).unwrap().save_record(&game(1), NOW).unwrap();
    let library = Library::open(&path).unwrap();
    library.save_record(&game(2), NOW).unwrap();
    let copy = folder.path().join("copy");
    std::fs::copy(&path, &copy).unwrap();
    std::fs::rename(&copy, &path).unwrap();
    let said = |error: LibraryError| error.to_string();
    let expected = format!("the library's file {} was replaced or removed while it was open", path.display());
    assert_eq!(library.save_record(&game(3), NOW).map_err(said).unwrap_err(), expected);
    assert_eq!(library.backup(&folder.path().join("backup")).map_err(said).unwrap_err(), expected);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(library.save_record(&game(3), NOW).map_err(said).unwrap_err(), expected);
    assert!(!path.exists(), "nor is one made");
}

#[test]
fn every_error_has_a_kind_and_a_hint() {
    let errors = [
        LibraryError::Locked,
        LibraryError::ReadOnly,
        LibraryError::DiskFull,
        LibraryError::UnknownGame { id: "7".into() },
    ];
    for error in errors {
        assert!(!error.kind().is_empty() && !error.hint().is_empty());
        assert!(error.to_string().starts_with(char::is_lowercase));
    }
}

#[test]
fn an_import_that_meets_a_full_disk_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let games: String = (0..3000)
        .map(|n| {
            let letter = |at: usize| char::from(b'a' + u8::try_from(at).expect("below 19"));
            let points = (0..40).map(|i| (i * (1 + n % 18) + n * 7) % 361);
            let moves: String = points
                .enumerate()
                .map(|(i, at)| format!(";{}[{}{}]", ["B", "W"][i % 2], letter(at % 19), letter(at / 19)))
                .collect();
            format!("(;SZ[19]PB[black {n}]C[game {n}]{moves})")
        })
        .collect();
    let file = folder.path().join("games.sgf");
    std::fs::write(&file, games).unwrap();
    let path = folder.path().join("library.sqlite");
    let import = |library: &Library| {
        library.import(std::slice::from_ref(&file), &ImportOptions::default(), NOW, &mut |_| ControlFlow::Continue(()))
    };
    let options = LibraryOptions { max_pages: Some(104), ..LibraryOptions::default() };
    let error = import(&Library::open_with(&path, options).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "the disk is full");
    let library = Library::open(&path).unwrap();
    let there = library.stats().unwrap().games;
    assert!(there < 3000);
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
    import(&library).unwrap();
    let whole = library.stats().unwrap().games;
    let other = Library::open(folder.path().join("other.sqlite")).unwrap();
    assert_eq!(import(&other).unwrap().added, whole, "as many as without the full disk");
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn a_library_that_may_not_be_written_is_said_to_be_so_and_stays() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    Library::open(&path).unwrap().save_record(&game(1), NOW).unwrap();
    let allow = |file: u32, directory: u32| {
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            std::fs::set_permissions(entry.unwrap().path(), PermissionsExt::from_mode(file)).unwrap();
        }
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(directory)).unwrap();
    };
    allow(0o444, 0o555);
    if std::fs::write(folder.path().join("probe"), "x").is_ok() {
        honinbo_testkit::fixtures::skip("this user may write everywhere");
        return;
    }
    let before = std::fs::read(&path).unwrap();
    let library = Library::open(&path).unwrap();
    let error = library.save_record(&game(2), NOW).unwrap_err();
    assert!(matches!(error, LibraryError::ReadOnly), "{error}");
    // What needs no writing goes on, and so does a backup to a place that can be written.
    assert!(library.is_read_only());
    assert_eq!((library.stats().unwrap().games, library.check().unwrap().problems), (1, Vec::<String>::new()));
    assert_eq!(library.list(&GameQuery { limit: 10, ..GameQuery::default() }).unwrap().games[0].black, "Player 1");
    let elsewhere = tempfile::tempdir().unwrap();
    let backup = elsewhere.path().join("backup.sqlite");
    library.backup(&backup).unwrap();
    assert_eq!(Library::open(&backup).unwrap().stats().unwrap().games, 1);
    drop(library);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    allow(0o644, 0o755);
    let library = Library::open(&path).unwrap();
    library.save_record(&game(2), NOW).unwrap();
    assert_eq!(library.stats().unwrap().games, 2);
}
