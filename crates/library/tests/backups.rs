//! Backups that are made by themselves, and what is refused when one is to be restored.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_library::{BackupKind, LIBRARY_VERSION, Library, LibraryError, NewCard, Pace};
use honinbo_rules::{Board, BoardSize, Color, Topology};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// 2026-09-21.
const NOW: i64 = 1_790_000_000_000;
const DAY: i64 = 24 * 60 * 60 * 1000;

fn library() -> (tempfile::TempDir, Library) {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    (folder, library)
}

/// A game like no other, up to 3375 of them.
fn save(library: &Library, n: usize) {
    let at = |place: usize| char::from(b'c' + u8::try_from(place % 15).unwrap());
    let sgf = format!("(;SZ[19]PB[{n}];B[ba];W[{}e];B[{}g];W[{}i])", at(n), at(n / 15), at(n / 225));
    library.save_record(&sgf, NOW).unwrap();
}

fn at_once() -> Pace {
    Arc::new(|| ControlFlow::Continue(()))
}

fn names(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn backup_of(folder: &Path, library: &Library) -> PathBuf {
    let backup = folder.join("backup.sqlite");
    library.backup(&backup).unwrap();
    backup
}

#[test]
fn a_changed_library_is_backed_up_once_a_week_and_an_unchanged_or_empty_one_is_not() {
    let (folder, library) = library();
    let backups = folder.path().join("backups");
    assert!(!library.is_backup_due(NOW).unwrap(), "it is empty");
    save(&library, 1);
    assert!(library.is_backup_due(NOW).unwrap());
    let made = library.back_up_automatically(NOW, &at_once()).unwrap();
    assert_eq!(made, backups.join("automatic-2026-09-21.sqlite"));
    assert!(!library.is_backup_due(NOW + 8 * DAY).unwrap(), "nothing has changed");
    save(&library, 2);
    assert!(!library.is_backup_due(NOW + 6 * DAY).unwrap());
    assert!(library.is_backup_due(NOW + 7 * DAY).unwrap());
    // A clock that was wrong once does not end it.
    std::fs::rename(&made, backups.join("automatic-2099-01-01.sqlite")).unwrap();
    assert!(library.is_backup_due(NOW).unwrap());
}

#[test]
fn cards_alone_are_worth_a_backup() {
    let (_folder, library) = library();
    let card = NewCard { sgf: "(;SZ[9])".into(), played: None, lost: 0.0, recorded: Vec::new() };
    library.add_cards(&[(&Board::new(BoardSize::NINE, Topology::Plane), Color::Black, &card)], NOW).unwrap();
    assert!(library.is_backup_due(NOW).unwrap());
}

#[test]
fn three_automatic_backups_are_kept_and_what_else_is_there_stays() {
    let (folder, library) = library();
    let backups = folder.path().join("backups");
    save(&library, 1);
    for week in 0..5 {
        library.back_up_automatically(NOW + week * 7 * DAY, &at_once()).unwrap();
        if week == 0 {
            for name in ["library-1.sqlite", "automatic-mine.sqlite", "automatic-2026-09-14.sqlite.7.part"] {
                std::fs::write(backups.join(name), "").unwrap();
            }
        }
    }
    assert_eq!(
        names(&backups),
        [
            "automatic-2026-10-05.sqlite",
            "automatic-2026-10-12.sqlite",
            "automatic-2026-10-19.sqlite",
            "automatic-mine.sqlite",
            "library-1.sqlite"
        ]
    );
    let listed = Library::backups_of(library.path()).unwrap();
    let games: Vec<_> = listed.iter().filter(|backup| backup.kind == BackupKind::Automatic).collect();
    assert!(games.len() == 3 && games.iter().all(|backup| backup.games == Some(1) && backup.bytes > 0), "{listed:?}");
    assert_eq!(listed.iter().filter(|backup| backup.games.is_none()).count(), 2, "they are no libraries");
    assert_eq!(names(&backups).len(), 5, "looking leaves nothing behind");
}

#[test]
fn a_backup_that_is_ended_or_damaged_leaves_the_earlier_ones_and_nothing_half_done() {
    let (folder, library) = library();
    let backups = folder.path().join("backups");
    for number in 0..3000 {
        save(&library, number);
    }
    for week in 0..3 {
        library.back_up_automatically(NOW + week * 7 * DAY, &at_once()).unwrap();
    }
    let before = names(&backups);
    let later = NOW + 30 * DAY;
    let ended: Pace = Arc::new(|| ControlFlow::Break(()));
    assert!(library.back_up_automatically(later, &ended).is_err());
    assert_eq!(names(&backups), before);
    let path = library.path().to_owned();
    drop(library);
    rusqlite::Connection::open(&path).unwrap().execute_batch("UPDATE records SET text = x'00' WHERE game = 1").unwrap();
    let library = Library::open(&path).unwrap();
    assert!(matches!(library.back_up_automatically(later, &at_once()), Err(LibraryError::Damaged { .. })));
    assert_eq!(names(&backups), before);
    assert_eq!(names(folder.path()), ["backups", "library.sqlite", "library.sqlite-shm", "library.sqlite-wal"]);
}

#[test]
fn what_is_no_whole_library_is_not_restored() {
    let (folder, library) = library();
    save(&library, 1);
    let whole = std::fs::read(backup_of(folder.path(), &library)).unwrap();
    let path = library.path().to_owned();
    drop(library);
    let before = std::fs::read(&path).unwrap();
    let wrong = folder.path().join("wrong.sqlite");
    let refused = |bytes: &[u8]| {
        std::fs::write(&wrong, bytes).unwrap();
        let error = Library::restore_backup(&wrong, &path, NOW).unwrap_err();
        assert_eq!(std::fs::read(&wrong).unwrap(), bytes, "it is left as it is");
        assert_eq!(names(folder.path()), ["backup.sqlite", "library.sqlite", "wrong.sqlite"], "{error:?}");
        assert_eq!(std::fs::read(&path).unwrap(), before, "{error:?}");
        error
    };
    for bytes in [&b""[..], &whole[..100], b"(;SZ[9])"] {
        let error = refused(bytes);
        assert!(
            matches!(error, LibraryError::NotALibrary { .. } | LibraryError::Damaged { .. }),
            "{}: {error:?}",
            bytes.len()
        );
    }
    assert!(matches!(refused(&whole[..whole.len() / 2]), LibraryError::Damaged { .. }));
    let mut newer = whole.clone();
    newer[60..64].copy_from_slice(&(LIBRARY_VERSION + 1).to_be_bytes());
    assert!(matches!(refused(&newer), LibraryError::Newer { .. }));
    let mut damaged = whole;
    damaged[8192..].fill(0xAA);
    assert!(matches!(refused(&damaged), LibraryError::Damaged { .. } | LibraryError::NotALibrary { .. }));
    let error = Library::restore_backup(Path::new("/no/such/file"), &path, NOW).unwrap_err();
    assert!(matches!(error, LibraryError::File { .. }));
}

#[test]
fn a_backup_waits_beside_an_open_library_and_no_earlier_one_is_lost() {
    let (folder, library) = library();
    save(&library, 1);
    let backup = backup_of(folder.path(), &library);
    save(&library, 2);
    let path = library.path().to_owned();
    assert!(Library::finish_restore(&path, NOW).unwrap().is_none());
    assert_eq!(Library::prepare_restore(&backup, &path).unwrap(), 1);
    save(&library, 3);
    assert!(matches!(Library::finish_restore(&path, NOW), Err(LibraryError::Locked)));
    assert_eq!(library.stats().unwrap().games, 3, "it goes on");
    drop(library);
    let restored = Library::finish_restore(&path, NOW).unwrap().unwrap();
    assert_eq!(restored.games, 1);
    let aside = restored.aside.unwrap();
    assert_eq!(Library::look_at_backup(&aside).unwrap().games, Some(3), "what came after the question, too");
    assert!(Library::finish_restore(&path, NOW).unwrap().is_none(), "once");
    // An open game may go on naming a game of the library that gave way.
    let restored = Library::open(&path).unwrap();
    let new = restored.save_record("(;SZ[9]PB[new];B[ee])", NOW).unwrap().id;
    assert_eq!(new.as_str(), "4");
    drop(restored);
    // And back again, on the same day.
    let second = Library::restore_backup(&aside, &path, NOW).unwrap().unwrap();
    assert!(second.ends_with("before-restore-2026-09-21-2.sqlite") && aside.exists());
    assert_eq!(Library::open(&path).unwrap().stats().unwrap().games, 3);
    let listed = Library::backups_of(&path).unwrap();
    assert!(listed.len() == 2 && listed.iter().all(|backup| backup.kind == BackupKind::SetAside), "{listed:?}");
}

#[test]
fn of_two_windows_that_restore_at_once_the_later_one_has_its_backup_whole() {
    let (folder, library) = library();
    save(&library, 1);
    let small = backup_of(folder.path(), &library);
    for number in 2..200 {
        save(&library, number);
    }
    let large = folder.path().join("large.sqlite");
    library.backup(&large).unwrap();
    let path = library.path().to_owned();
    drop(library);
    std::thread::scope(|scope| {
        for (backup, games) in [(&small, 1), (&large, 199)] {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..20 {
                    assert_eq!(Library::prepare_restore(backup, path).unwrap(), games);
                }
            });
        }
    });
    let restored = Library::finish_restore(&path, NOW).unwrap().unwrap();
    assert!([1, 199].contains(&restored.games), "{restored:?}");
    assert_eq!(names(folder.path()), ["backup.sqlite", "backups", "large.sqlite", "library.sqlite"]);
}

/// A program that ended while it gave numbers to the backup that waits.
#[test]
fn a_log_that_was_left_beside_an_earlier_backup_is_not_taken_for_that_of_the_next_one() {
    let (folder, library) = library();
    save(&library, 1);
    let backup = backup_of(folder.path(), &library);
    save(&library, 2);
    let path = library.path().to_owned();
    std::fs::copy(folder.path().join("library.sqlite-wal"), folder.path().join("library.sqlite.restore-wal")).unwrap();
    Library::prepare_restore(&backup, &path).unwrap();
    drop(library);
    assert_eq!(Library::finish_restore(&path, NOW).unwrap().unwrap().games, 1);
    assert_eq!(Library::open(&path).unwrap().stats().unwrap().games, 1);
    assert_eq!(names(folder.path()), ["backup.sqlite", "backups", "library.sqlite"]);
}

#[test]
fn a_library_that_was_not_closed_is_restored_with_its_log() {
    let (folder, library) = library();
    save(&library, 1);
    let copy = folder.path().join("copy.sqlite");
    std::fs::copy(library.path(), &copy).unwrap();
    std::fs::copy(folder.path().join("library.sqlite-wal"), folder.path().join("copy.sqlite-wal")).unwrap();
    let other = folder.path().join("other/library.sqlite");
    std::fs::create_dir(other.parent().unwrap()).unwrap();
    Library::restore_backup(&copy, &other, NOW).unwrap();
    assert_eq!(Library::open(&other).unwrap().stats().unwrap().games, 1);
}
