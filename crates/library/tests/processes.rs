//! Other processes on the same file: two that import at once, some that die while they edit or migrate.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use honinbo_library::{GameFilter, GameId, ImportOptions, Library, LibraryOptions};

const NOW: i64 = 1_790_000_000_000;
/// What the child does, and where.
const WORK: &str = "HONINBO_TEST_CHILD_WORK";
const FOLDER: &str = "HONINBO_TEST_CHILD_FOLDER";

fn open(folder: &Path) -> Library {
    // As patient as a machine needs that has much else to do.
    let options = LibraryOptions { busy_timeout: Duration::from_secs(60), ..LibraryOptions::default() };
    Library::open_with(folder.join("library.sqlite"), options).unwrap()
}

fn game(n: usize) -> String {
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 19).unwrap());
    let step = 1 + n % 18;
    let moves: String = (0..40)
        .map(|i| {
            let at = (i * step + n * 7) % 361;
            format!(";{}[{}{}]", if i % 2 == 0 { 'B' } else { 'W' }, letter(at), letter(at / 19))
        })
        .collect();
    format!("(;GM[1]SZ[19]PB[black {n}]PW[white]C[game {n}]{moves})")
}

fn child(work: &str, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_of_the_tests_below", "--test-threads=1"])
        .env(WORK, work)
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// Not a test by itself: the processes that the tests below start.
#[test]
fn child_of_the_tests_below() {
    let (Ok(work), Some(folder)) = (std::env::var(WORK), std::env::var_os(FOLDER).map(PathBuf::from)) else { return };
    match work.as_str() {
        "migrate" => drop(open(&folder)),
        "edit" => edit_for_ever(&folder),
        name => {
            let library = open(&folder);
            let files = [folder.join(name)];
            library.import(&files, &ImportOptions::default(), NOW, &mut |_| ControlFlow::Continue(())).unwrap();
        }
    }
}

/// Every kind of change, one after the other, each told in a file once it is done.
fn edit_for_ever(folder: &Path) {
    let library = open(folder);
    for round in 0.. {
        let id = library.save_record(&game(1000 + round), NOW).unwrap().id;
        let one = std::slice::from_ref(&id);
        library.rename(&id, &format!("title {round}"), NOW).unwrap();
        library.set_folder(one, &format!("folder/{}", round % 5)).unwrap();
        library.add_tag(one, "tag").unwrap();
        let tree = honinbo_record::read_sgf(game(5000 + round).as_bytes()).games.remove(0).tree;
        library.update_record(&id, &tree, NOW).unwrap();
        library.delete(one, NOW).unwrap();
        library.undo().unwrap();
        std::fs::write(folder.join("told.new"), id.as_str()).unwrap();
        std::fs::rename(folder.join("told.new"), folder.join("told")).unwrap();
    }
}

fn rounds(few: u64, many: u64) -> u64 {
    if honinbo_testkit::fixtures::are_slow_tests_on() { many } else { few }
}

#[test]
fn a_program_killed_while_it_edits_loses_nothing_that_was_told() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let mut told_of = 0;
    for round in 0..rounds(3, 40) {
        let mut editing = child("edit", folder.path());
        std::thread::sleep(Duration::from_millis(60 + round * 83 % 400));
        editing.kill().unwrap();
        editing.wait().unwrap();
        let library = open(folder.path());
        if let Ok(told) = std::fs::read_to_string(folder.path().join("told")) {
            told_of += 1;
            let id = GameId::new(told);
            let game = library.game(&id).unwrap();
            assert!(game.summary.title.unwrap().starts_with("title "), "round {round}");
            assert_eq!(game.summary.deleted, None, "round {round}");
            assert_eq!(library.tags_of(&id).unwrap(), ["tag"], "round {round}");
            assert!(library.folder_of(&id).unwrap().starts_with("folder/"), "round {round}");
        }
        assert_eq!(library.check().unwrap().problems, Vec::<String>::new(), "round {round}");
    }
    assert!(told_of > 0, "no program came to the end of a change before it was killed");
    let library = open(folder.path());
    while library.undo().unwrap().is_some() {}
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

/// Games in the old file; a long note of each makes the last migration, which indexes them, take its time.
const OLD_GAMES: u32 = 2_000;
/// The version whose successor's migration takes long.
const BEFORE_THE_LONG_ONE: u32 = 4;

/// A library of version 1 with `OLD_GAMES` games and one in the bin.
fn old_library(path: &Path) {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.execute_batch(include_str!("fixtures/version-1.sql")).unwrap();
    // The index of this version is left without the notes: the migrations drop it unread.
    let more = format!(
        "PRAGMA journal_mode = WAL;
         BEGIN;
         CREATE TEMP TABLE numbers AS
             WITH RECURSIVE n (i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i <= {OLD_GAMES}) SELECT i FROM n;
         CREATE TEMP TABLE first AS SELECT * FROM games WHERE id = 1;
         DROP TRIGGER notes_added;
         INSERT INTO games (id, black, white, width, height, komi, moves, line_key, added, changed)
             SELECT i, black, white, width, height, komi, moves, line_key, added, changed FROM numbers, first;
         INSERT INTO records SELECT i, track, text FROM numbers, records WHERE game = 1;
         INSERT INTO notes SELECT i, hex(randomblob(400)) FROM numbers;
         CREATE TRIGGER notes_added AFTER INSERT ON notes BEGIN
             INSERT INTO notes_index (rowid, text) VALUES (new.game, new.text);
         END;
         COMMIT;"
    );
    connection.execute_batch(&more).unwrap();
}

/// The version of the file; waits while the program that opened it makes its shared memory, for which SQLite says busy
/// to a reader too.
fn version(connection: &rusqlite::Connection) -> u32 {
    connection.busy_timeout(Duration::from_secs(5)).unwrap();
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

/// Whether another program is in the middle of a change of the file.
fn is_being_written(connection: &rusqlite::Connection) -> bool {
    connection.busy_timeout(Duration::ZERO).unwrap();
    let begun = connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK;");
    begun.is_err_and(|error| error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy))
}

#[test]
fn a_program_killed_while_it_migrates_leaves_the_old_or_the_new_file() {
    let template = tempfile::tempdir().unwrap();
    old_library(&template.path().join("library.sqlite"));
    let mut inside = 0;
    for round in 0..rounds(6, 60) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library.sqlite");
        std::fs::copy(template.path().join("library.sqlite"), &path).unwrap();
        let watching = rusqlite::Connection::open(&path).unwrap();
        let mut migrating = child("migrate", folder.path());
        // Every third round ends at any point of the way, the others while the long migration is under way.
        if round % 3 == 0 {
            std::thread::sleep(Duration::from_millis(round * 7 % 100));
        } else {
            while version(&watching) < BEFORE_THE_LONG_ONE || !is_being_written(&watching) {
                let ended = migrating.try_wait().unwrap();
                assert!(ended.is_none(), "round {round}: it ended before it could be killed: {ended:?}");
            }
            std::thread::sleep(Duration::from_millis(round * 3 % 40));
        }
        let writes = is_being_written(&watching);
        migrating.kill().unwrap();
        migrating.wait().unwrap();
        let left = version(&watching);
        inside += u32::from(writes && left == BEFORE_THE_LONG_ONE);
        drop(watching);
        let library = open(folder.path());
        let stats = library.stats().unwrap();
        assert_eq!((stats.games, stats.deleted), (OLD_GAMES, 1), "round {round}, left at version {left}");
        assert_eq!(library.check().unwrap().problems, Vec::<String>::new(), "round {round}, left at version {left}");
    }
    println!("{inside} programs were killed in the middle of a migration");
    assert!(inside > 0, "no program was killed in the middle of a migration");
}

#[test]
fn two_programs_import_into_one_library_at_once() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    // A thousand of the games are in both files.
    let write = |name: &str, games: std::ops::Range<usize>| {
        std::fs::write(folder.path().join(name), games.map(game).collect::<String>()).unwrap();
    };
    write("a.sgf", 0..3000);
    write("b.sgf", 2000..5000);
    let mut children = ["a.sgf", "b.sgf"].map(|name| child(name, folder.path()));
    // Reading goes on beside them.
    let library = open(folder.path());
    while children.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
        library.ids(&GameFilter::default()).unwrap();
        std::thread::sleep(Duration::from_millis(20));
    }
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let alone = tempfile::tempdir().unwrap();
    let other = open(alone.path());
    let both = ["a.sgf", "b.sgf"].map(|name| folder.path().join(name));
    let report = other.import(&both, &ImportOptions::default(), NOW, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(library.stats().unwrap().games, report.added);
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}
