//! Backups that are made by themselves, and restoring one.

use crate::host::Desk;
use honinbo_api::{ApiError, Event};
use honinbo_library::Library;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const GAME: &str = "(;SZ[9]PB[a];B[ee])";
const ANOTHER: &str = "(;SZ[9]PB[b];B[gg];W[cc])";
/// The day on which the tests' clock begins.
const TODAY: &str = "automatic-2023-11-14.sqlite";

/// A data folder with one game, on a disk with so many bytes left.
fn data_folder(free_bytes: u64) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("library.sqlite");
    Library::open(&library).unwrap().save_record(GAME, 1).unwrap();
    std::fs::write(folder.path().join("free-bytes-for-tests.txt"), free_bytes.to_string()).unwrap();
    (folder, library)
}

fn wait_for_file(path: &Path) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !path.exists() {
        assert!(Instant::now() < deadline, "{} was not made", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until nobody has the library open: its log goes then.
fn wait_until_closed(folder: &Path) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while folder.join("library.sqlite-wal").exists() {
        assert!(Instant::now() < deadline, "the library is still open");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn games(desk: &Desk) -> u64 {
    desk.must("library_stats", json!({}))["games"].as_u64().unwrap()
}

#[test]
fn the_library_is_backed_up_after_the_start_and_listed() {
    let (folder, _) = data_folder(u64::MAX);
    let desk = Desk::in_folder(folder.path());
    assert_eq!(desk.must("startup", json!({}))["canBackUp"], true);
    wait_for_file(&folder.path().join("backups").join(TODAY));
    desk.must("save_goban", json!({"goban": ANOTHER}));
    let listed = desk.must("list_backups", json!({}));
    assert_eq!(listed["games"], 2);
    let backup = &listed["backups"][0];
    assert_eq!((&backup["name"], &backup["kind"], &backup["games"]), (&json!(TODAY), &json!("automatic"), &json!(1)));
    assert!(backup["sizeKib"].as_u64() > Some(0) && backup["changedAt"].as_u64() > Some(0), "{backup}");
}

#[test]
fn a_disk_with_too_little_room_gets_no_backup_and_one_notice() {
    let (folder, _) = data_folder(1 << 20);
    let desk = Desk::in_folder(folder.path());
    let error = desk.wait_for(|event| match event {
        Event::LibraryNotBackedUp(error) => Some(error.clone()),
        _ => None,
    });
    assert!(matches!(&error, ApiError::Library { message, .. } if message.contains("1 MiB left")), "{error:?}");
    assert!(!folder.path().join("backups").exists());
}

#[test]
fn whoever_wants_no_automatic_backups_gets_none() {
    let (folder, _) = data_folder(u64::MAX);
    std::fs::write(folder.path().join("settings.toml"), "backUpByItself = false\n").unwrap();
    let desk = Desk::in_folder(folder.path());
    assert_eq!(desk.must("startup", json!({}))["settings"]["backUpByItself"], false);
    desk.app.shut_down();
    assert!(!folder.path().join("backups").exists());
}

#[test]
fn a_backup_takes_the_librarys_place_at_the_next_start_and_what_was_there_is_kept() {
    let (folder, _) = data_folder(u64::MAX);
    {
        let desk = Desk::in_folder(folder.path());
        wait_for_file(&folder.path().join("backups").join(TODAY));
        desk.must("save_goban", json!({"goban": ANOTHER}));
        desk.must("restore_library", json!({"name": TODAY}));
        assert_eq!(games(&desk), 2, "not before");
    }
    wait_until_closed(folder.path());
    let desk = Desk::in_folder(folder.path());
    let kept = folder.path().join("backups/before-restore-2023-11-14.sqlite");
    let startup = desk.must("startup", json!({}));
    let restored = json!({"games": 1, "keptAs": "before-restore-2023-11-14.sqlite"});
    assert_eq!((&startup["restored"], &startup["notices"]), (&restored, &json!([])));
    assert_eq!(games(&desk), 1);
    let looked = desk.must("look_at_backup", json!({"path": kept}));
    assert_eq!((&looked["games"], &looked["kind"]), (&json!(2), &json!("setAside")));
}

#[test]
fn a_backup_waits_until_no_other_program_has_the_library() {
    let (folder, path) = data_folder(0);
    let other = Library::open(&path).unwrap();
    let backup = folder.path().join("backup.sqlite");
    other.backup(&backup).unwrap();
    other.save_record(ANOTHER, 2).unwrap();
    {
        let desk = Desk::in_folder(folder.path());
        desk.must("restore_library", json!({"path": backup}));
    }
    {
        let desk = Desk::in_folder(folder.path());
        let notices = desk.must("startup", json!({}))["notices"].to_string();
        assert!(notices.contains("could not be restored: the library is in use by another program"), "{notices}");
        assert_eq!(games(&desk), 2);
    }
    drop(other);
    wait_until_closed(folder.path());
    assert_eq!(games(&Desk::in_folder(folder.path())), 1);
}

/// Another program starts `honinbo gtp` and shows nobody what became of the library.
#[test]
fn a_backup_waits_for_a_program_with_windows() {
    let (folder, path) = data_folder(0);
    let library = Library::open(&path).unwrap();
    let backup = folder.path().join("backup.sqlite");
    library.backup(&backup).unwrap();
    library.save_record(ANOTHER, 2).unwrap();
    drop(library);
    Library::prepare_restore(&backup, &path).unwrap();
    let terminal = folder.path().join("no-windows-for-tests.txt");
    std::fs::write(&terminal, "").unwrap();
    assert_eq!(games(&Desk::in_folder(folder.path())), 2);
    std::fs::remove_file(&terminal).unwrap();
    wait_until_closed(folder.path());
    assert_eq!(games(&Desk::in_folder(folder.path())), 1);
}

#[test]
fn what_is_no_backup_is_refused_and_nothing_changes() {
    let (folder, path) = data_folder(0);
    let desk = Desk::in_folder(folder.path());
    let wrong = folder.path().join("wrong.sqlite");
    std::fs::write(&wrong, "no library ".repeat(20)).unwrap();
    for command in ["look_at_backup", "restore_library"] {
        let error = desk.give(command, json!({"path": wrong})).unwrap_err();
        assert!(error.to_string().contains("wrong.sqlite is not a game library"), "{command}: {error}");
    }
    let backup = folder.path().join("backup.sqlite");
    Library::open(&path).unwrap().backup(&backup).unwrap();
    let mut bytes = std::fs::read(&backup).unwrap();
    bytes.truncate(bytes.len() / 2);
    std::fs::write(&backup, bytes).unwrap();
    let error = desk.give("restore_library", json!({"path": backup})).unwrap_err();
    assert!(matches!(&error, ApiError::Library { hint, .. } if hint == "choose another backup"), "{error:?}");
    for name in ["../library.sqlite", "..", "a/b", ""] {
        let error = desk.give("restore_library", json!({"name": name})).unwrap_err();
        assert!(matches!(error, ApiError::InvalidRequest { .. }), "{name}: {error:?}");
    }
    assert!(!folder.path().join("library.sqlite.restore").exists());
    let browser = Desk::without_paths();
    let error = browser.give("look_at_backup", json!({"path": wrong})).unwrap_err();
    assert!(matches!(error, ApiError::NotPossibleHere { .. }), "{error:?}");
}
