//! Importing files, folders and collections, stopping in the middle, and dying in the middle.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_testkit::fixtures;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use honinbo_library::{GameFilter, ImportOptions, ImportReport, Library};
use honinbo_record::{Charset, ReadLimits, read_sgf};

const NOW: i64 = 1_790_000_000_000;

fn library(folder: &Path) -> Library {
    Library::open(folder.join("library.sqlite")).unwrap()
}

fn game(n: usize) -> String {
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 19).unwrap());
    // Steps that have no factor in common with 361 visit every point: each n gives another game.
    let step = 1 + n % 18;
    let moves: String = (0..50)
        .map(|i| {
            let at = (i * step + n * 7) % 361;
            format!(";{}[{}{}]", if i % 2 == 0 { 'B' } else { 'W' }, letter(at), letter(at / 19))
        })
        .collect();
    format!("(;GM[1]SZ[19]PB[black {n}]PW[white]DT[20{:02}]{moves})", n % 100)
}

fn import(library: &Library, paths: &[PathBuf]) -> ImportReport {
    library.import(paths, &ImportOptions::default(), NOW, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn blacks(library: &Library) -> Vec<String> {
    let ids = library.ids(&GameFilter::default()).unwrap();
    ids.iter().map(|id| library.summary(id).unwrap().black).collect()
}

#[test]
fn a_folder_is_imported_in_order_with_a_report_of_what_was_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    std::fs::create_dir_all(games.join("deeper/down")).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(games.join(name), bytes).unwrap();
    write("a.sgf", format!("{}\n{}\n", game(1), game(2)).as_bytes());
    write("b.SGF", format!("{}(;SZ[19]PB[cut];B[aa", game(3)).as_bytes());
    write("c.sgf", b"this is no game");
    write("d.txt", game(4).as_bytes());
    write("e.sgf", b"(;GM[2]PB[othello];B[aa])");
    write("f.sgf", b"(;SZ[19]KM[375]PB[fox];B[aa];W[aa];B[bb])");
    write("deeper/down/g.sgf", game(5).as_bytes());
    write("deeper/h.gib", b"\\HS\n\\[GAMEBLACKNAME=tygem (3D)\\]\n\\HE\n\\GS\nINI 0 1 0 &4\nSTO 0 2 1 3 3\n\\GE\n");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(game(6).as_bytes()).unwrap();
    write("i.sgf.gz", &packed.finish().unwrap());
    #[cfg(unix)]
    std::os::unix::fs::symlink(&games, games.join("deeper/circle")).unwrap();

    let library = library(folder.path());
    let report = import(&library, &[games.clone(), folder.path().join("missing")]);
    assert_eq!(blacks(&library), ["black 1", "black 2", "black 3", "cut", "fox", "black 6", "tygem", "black 5"]);
    assert_eq!((report.added, report.duplicates, report.files, report.refused_files), (8, 0, 7, 2));
    assert_eq!((report.repaired, report.cancelled), (2, false));
    let notes: Vec<String> = report
        .notes
        .iter()
        .map(|note| {
            let name = Path::new(&note.path).file_name().unwrap().to_string_lossy().into_owned();
            format!("{name}:{} {} {}", note.line, note.severity, note.message)
        })
        .collect();
    assert_eq!(
        notes,
        [
            "missing:0 error cannot be read: No such file or directory (os error 2)",
            "b.SGF:1 warning the value of B has no closing bracket; it was closed where the next part begins",
            "b.SGF:1 warning the file ends inside a game, 1 bracket is open; it was closed at the end",
            "e.sgf:1 error game type 2 is not Go; it was left out",
            "f.sgf:1 warning komi `375` is in the unit of the server; 7.5 points were taken",
            "f.sgf:1 warning 1 moves of the main line are not legal; they are kept in the record and left out of searches",
            "c.sgf:0 error no game record found; nothing was read",
        ]
    );
    let again = import(&library, &[games]);
    assert_eq!((again.added, again.duplicates), (0, 8));
    assert_eq!(library.stats().unwrap().games, 8);
}

#[test]
fn an_import_that_only_joins_versions_says_so_and_is_taken_back_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path());
    let path = |name: &str, sgf: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, sgf).unwrap();
        path
    };
    import(&library, &[path("first.sgf", format!("{}{}", game(1), game(2)))]);
    let noted = game(1).replace("DT[2001]", "C[two words]");
    let report = import(&library, &[path("second.sgf", format!("{noted}\n{}", game(2)))]);
    assert_eq!((report.added, report.duplicates, report.notes), (0, 2, Vec::new()));
    let joined: Vec<_> = report.joined.iter().map(|note| (note.line, note.message.as_str())).collect();
    assert_eq!(joined, [(1, "joined to game 1, black 1 – white, as another version of it")]);
    let text = || library.game(&honinbo_library::GameId::new("1")).unwrap().sgf;
    assert!(text().contains("two words") && text().contains("DT[2001]"), "{}", text());
    assert_eq!(library.undo().unwrap().map(|step| (step.what, step.games)), Some(("import".into(), 1)));
    assert_eq!((text().trim(), library.stats().unwrap().games), (game(1).as_str(), 2));
    assert_eq!(library.undo().unwrap().map(|step| step.games), Some(2), "then the import before");
    assert_eq!(library.stats().unwrap().games, 0);
}

#[test]
fn what_is_written_in_other_lines_is_the_same_short_game_and_an_empty_one_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path());
    let file = folder.path().join("three.sgf");
    let short = "(;SZ[9]PB[a]PW[b];B[ee];W[cc])";
    std::fs::write(&file, format!("{short}\n{short}\r\n\r\n(;SZ[9]PB[a]\nPW[b];B[ee]\n;W[cc])\n(;)(;FOO[bar])"))
        .unwrap();
    let report = import(&library, &[file]);
    assert_eq!((report.added, report.duplicates, report.joined.len()), (1, 2, 0));
    let notes: Vec<&str> = report.notes.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(notes, ["it has nothing of a game of Go; it was left out"; 2]);
}

#[test]
fn an_import_can_be_stopped_and_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    let collection = folder.path().join("all.sgf");
    std::fs::write(&collection, (0..5_000).map(game).collect::<String>()).unwrap();
    let library = library(folder.path());
    let mut told = Vec::new();
    let files = [collection.clone()];
    let report = library
        .import(&files, &ImportOptions::default(), NOW, &mut |progress| {
            told.push(progress.clone());
            ControlFlow::Break(())
        })
        .unwrap();
    assert!(report.cancelled);
    assert_eq!((told.len(), told[0].total_files), (1, 1));
    // A slow machine, on which a transaction would wait for games, ends it earlier.
    assert!((1..2_100).contains(&(told[0].added + told[0].duplicates)));
    assert!(told[0].kib > 0 && told[0].kib <= told[0].total_kib);
    let before = library.stats().unwrap().games;
    assert_eq!(before, told[0].added);
    let report = import(&library, &files);
    assert_eq!(library.stats().unwrap().games, before + report.added);
    // What was stored is not even looked at again.
    assert_eq!(report.skipped, told[0].added + told[0].duplicates);
    assert_eq!(report.added + report.duplicates + report.skipped, 5_000);
    assert!(!report.cancelled);
    let rest = import(&library, &files);
    assert_eq!((rest.added, rest.duplicates), (0, 5_000));
}

#[test]
fn bombs_and_limits_are_refused_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let bomb = folder.path().join("bomb.sgf.gz");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for _ in 0..64 {
        packed.write_all(&[b'('; 65_536]).unwrap();
    }
    std::fs::write(&bomb, packed.finish().unwrap()).unwrap();
    let torn = folder.path().join("torn.sgf.gz");
    std::fs::write(&torn, b"\x1f\x8b\x08\x00torn").unwrap();
    let fine = folder.path().join("fine.sgf");
    std::fs::write(&fine, game(1)).unwrap();
    let library = library(folder.path());
    let options = ImportOptions {
        limits: ReadLimits { max_bytes: 1 << 20, ..ReadLimits::default() },
        ..ImportOptions::default()
    };
    let files = [bomb, torn, fine];
    let report = library.import(&files, &options, NOW, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((report.added, report.refused_files), (1, 2));
    assert!(report.notes[0].message.contains("more than the 1048576 that are read"), "{}", report.notes[0].message);
    assert!(report.notes[1].message.starts_with("cannot be read: "), "{}", report.notes[1].message);
}

/// Bytes of a zip archive with these entries.
fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn archives_are_read_and_what_they_hide_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inner = archive(&[("deep/c.sgf", game(3).as_bytes()), ("readme.txt", b"no game")]);
    let mut nested = archive(&[("d.sgf", game(4).as_bytes())]);
    for level in 0..6 {
        nested = archive(&[(&format!("level {level}.zip"), &nested)]);
    }
    let path = folder.path().join("games.zip");
    let bytes = archive(&[
        ("a.sgf", format!("{}{}", game(1), game(2)).as_bytes()),
        ("../../climbs.sgf", game(5).as_bytes()),
        ("/etc/absolute.sgf", game(6).as_bytes()),
        ("inner.zip", &inner),
        ("nested.zip", &nested),
        ("empty.sgf", b""),
        ("torn.zip", &inner[..inner.len() / 2]),
    ]);
    std::fs::write(&path, &bytes).unwrap();
    let library = library(folder.path());
    let report = import(&library, &[folder.path().to_owned()]);
    let found = blacks(&library);
    assert_eq!(found[..3], ["black 1", "black 2", "black 3"].map(String::from), "{found:?} {report:?}");
    assert!(!found.contains(&"black 4".to_owned()) && !found.contains(&"black 5".to_owned()), "{found:?}");
    let said = |name: &str, words: &str| {
        let fits = |note: &&honinbo_library::ImportNote| note.path.ends_with(name) && note.message.contains(words);
        assert!(report.notes.iter().any(|note| fits(&note)), "{name}: {words}: {:?}", report.notes);
    };
    said("climbs.sgf", "leads out of the archive");
    said("absolute.sgf", "leads out of the archive");
    said("empty.sgf", "no game");
    said("level 4.zip", "too deep");
    said("games.zip/torn.zip", "damaged");
    assert!(!folder.path().join("../climbs.sgf").exists());
    let again = import(&library, &[path]);
    assert_eq!(again.added, 0);
}

#[test]
fn an_archive_that_unpacks_to_far_too_much_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let bomb = vec![b'('; 40 << 20];
    let path = folder.path().join("bomb.zip");
    let names: Vec<String> = (0..4).map(|n| format!("{n}.sgf")).collect();
    let mut entries: Vec<(&str, &[u8])> = vec![("first.sgf", b"(;SZ[9];B[aa];W[bb])")];
    entries.extend(names.iter().map(|name| (name.as_str(), &bomb[..])));
    std::fs::write(&path, archive(&entries)).unwrap();
    let library = library(folder.path());
    let options = ImportOptions {
        limits: ReadLimits { max_bytes: 1 << 30, max_depth: 1000, ..ReadLimits::default() },
        ..ImportOptions::default()
    };
    let report = library.import(&[path], &options, NOW, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(library.stats().unwrap().games, report.added);
    assert!(report.notes.iter().any(|note| note.message.contains("far more than an archive")), "{:?}", report.notes);
}

#[test]
fn an_import_is_taken_back_and_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.sgf");
    std::fs::write(&file, (0..30).map(game).collect::<String>()).unwrap();
    let library = library(folder.path());
    let own = library.save_record("(;SZ[9]PB[own];B[aa])", NOW).unwrap().id;
    let added = import(&library, &[file]).added;
    let step = library.undo().unwrap().unwrap();
    assert_eq!((step.what.as_str(), step.games), ("import", added));
    assert_eq!(blacks(&library), ["own"]);
    assert_eq!(library.redo().unwrap().unwrap().games, added);
    assert_eq!(library.stats().unwrap().games, added + 1);
    library.undo().unwrap();
    // Then the game that was saved by hand.
    assert_eq!(library.undo().unwrap().unwrap().what, "save");
    assert_eq!((library.stats().unwrap().games, library.undo().unwrap()), (0, None));
    assert!(library.game(&own).unwrap().summary.deleted.is_some());
}

#[test]
fn an_import_is_taken_back_without_what_another_program_imports_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let (mine, theirs) = ([folder.path().join("mine.sgf")], [folder.path().join("theirs.sgf")]);
    std::fs::write(&mine[0], (0..5_000).map(game).collect::<String>()).unwrap();
    std::fs::write(&theirs[0], "(;SZ[9]PB[theirs];B[ee])(;SZ[9]PB[theirs];B[cc];W[gg])").unwrap();
    let (library, other) = (library(folder.path()), library(folder.path()));
    let options = ImportOptions::default();
    let (mut transactions, mut between) = (0, 0);
    let report = library.import(&mine, &options, NOW, &mut |_| {
        transactions += 1;
        if between == 0 {
            between = other.import(&theirs, &options, NOW + 1, &mut |_| ControlFlow::Continue(())).unwrap().added;
        }
        ControlFlow::Continue(())
    });
    assert!(transactions > 1 && between == 2, "it came between two of them");
    assert_eq!(library.stats().unwrap().games, report.unwrap().added + 2);
    assert_eq!(library.undo().unwrap().unwrap().what, "import");
    assert_eq!(blacks(&library), ["theirs", "theirs"]);
    library.redo().unwrap();
    library.undo().unwrap();
    library.undo().unwrap();
    assert_eq!(library.stats().unwrap().games, 0);
}

#[test]
fn an_import_that_was_stopped_and_taken_back_brings_all_games_when_it_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = [folder.path().join("all.sgf")];
    std::fs::write(&file[0], (0..5_000).map(game).collect::<String>()).unwrap();
    let whole = import(&library(&folder.path().join("whole")), &file).added;
    let stop = |library: &Library| {
        library.import(&file, &ImportOptions::default(), NOW, &mut |_| ControlFlow::Break(())).unwrap().added
    };
    let undone = library(&folder.path().join("undone"));
    assert_eq!(undone.undo().unwrap(), None);
    let added = stop(&undone);
    assert!(added > 0 && added < whole);
    assert_eq!(undone.undo().unwrap().unwrap().games, added);
    let again = import(&undone, &file);
    assert_eq!((again.skipped, undone.stats().unwrap().games), (0, whole));
    // What is deleted by hand is not wanted, and the import goes on from where it was.
    let deleted = library(&folder.path().join("deleted"));
    let added = stop(&deleted);
    let ids = deleted.ids(&GameFilter::default()).unwrap();
    deleted.delete(&ids[..10], NOW).unwrap();
    assert!(import(&deleted, &file).skipped >= added);
    assert_eq!(deleted.stats().unwrap().games, whole - 10);
}

#[test]
fn an_import_in_another_character_set_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let file = [folder.path().join("all.sgf")];
    let text: String = (0..5_000).map(game).collect();
    std::fs::write(&file[0], &text).unwrap();
    let library = library(&folder.path().join("library"));
    library.import(&file, &ImportOptions::default(), NOW, &mut |_| ControlFlow::Break(())).unwrap();
    let limits = ReadLimits { charset: Charset::for_label("gbk"), ..ReadLimits::default() };
    let options = ImportOptions { limits, ..ImportOptions::default() };
    let report = library.import(&file, &options, NOW, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(report.skipped, 0);
}

/// Not a test by itself: the process that `a_killed_import_loses_nothing_that_was_committed` starts and kills.
#[test]
fn child_that_imports_until_it_is_killed() {
    let Some(folder) = std::env::var_os("HONINBO_TEST_KILLED_IMPORT").map(PathBuf::from) else { return };
    let library = library(&folder);
    let files = [folder.join("all.sgf")];
    let committed = folder.join("committed");
    let report = library.import(&files, &ImportOptions::default(), NOW, &mut |progress| {
        std::fs::write(&committed, progress.added.to_string()).unwrap();
        ControlFlow::Continue(())
    });
    report.unwrap();
}

#[test]
fn a_killed_import_loses_nothing_that_was_committed() {
    let rounds: u64 = if fixtures::are_slow_tests_on() { 100 } else { 4 };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("all.sgf"), (0..9_000).map(game).collect::<String>()).unwrap();
    let mut killed = 0;
    for round in 0..rounds {
        for name in ["library.sqlite", "library.sqlite-wal", "library.sqlite-shm", "committed"] {
            drop(std::fs::remove_file(folder.path().join(name)));
        }
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child_that_imports_until_it_is_killed", "--test-threads=1"])
            .env("HONINBO_TEST_KILLED_IMPORT", folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(40 + round * 37 % 900));
        killed += u32::from(child.try_wait().unwrap().is_none());
        drop(child.kill());
        child.wait().unwrap();
        let committed = std::fs::read_to_string(folder.path().join("committed")).unwrap_or_default();
        let committed: u32 = committed.parse().unwrap_or(0);
        let library = library(folder.path());
        let games = library.stats().unwrap().games;
        assert!(games >= committed, "round {round}: {committed} games were committed, {games} are there");
        assert_eq!(library.check().unwrap().problems, Vec::<String>::new(), "round {round}");
    }
    assert!(killed > 0, "every import ended before it was killed");
}

/// The games of the repository; with the slow tests those of the larger collection too, where it is.
#[test]
fn every_real_game_comes_back_from_the_library_as_it_came_in() {
    let mut paths = vec![fixtures::repository().join("docs/experiments/ladder-games.sgf")];
    paths.extend(fixtures::shared("games/tom-9d-20k.sgf.gz").filter(|_| fixtures::are_slow_tests_on()));
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path());
    let report = import(&library, &paths);
    assert_eq!(report.added + report.duplicates, [28, 20_028][paths.len() - 1]);
    let mut stored: std::collections::HashSet<String> = std::collections::HashSet::new();
    for id in library.ids(&GameFilter::default()).unwrap() {
        stored.insert(library.game(&id).unwrap().sgf.trim().to_owned());
        stored.extend(library.copies(&id).unwrap().into_iter().map(|copy| copy.trim().to_owned()));
    }
    for path in paths {
        let mut bytes = std::fs::read(&path).unwrap();
        if path.extension().is_some_and(|ending| ending == "gz") {
            let packed = std::mem::take(&mut bytes);
            flate2::read::MultiGzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
        }
        for game in read_sgf(&bytes).games {
            let sgf = game.tree.to_sgf();
            // Of a game that came in more than once the joined text says all.
            let is_joined = || {
                let joined = library.version_of(&game.tree).unwrap().unwrap();
                read_sgf(library.game(&joined).unwrap().sgf.as_bytes()).games[0].tree.contains(&game.tree)
            };
            assert!(stored.contains(sgf.trim()) || is_joined(), "line {}: {}", game.line, &sgf[..120]);
        }
    }
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}
