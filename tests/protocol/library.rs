//! `honinbo library`.

use crate::support::{Honinbo, famous_game, repository};

#[test]
fn games_are_imported_once_found_and_exported() {
    let honinbo = Honinbo::new();
    let fixtures = repository().join("tests/fixtures/games").display().to_string();
    let imported = honinbo.run(&["library", "import", &fixtures, "--json"]);
    assert_eq!(imported.status, 0, "{imported:?}");
    let imported = imported.json();
    assert!(imported["added"].as_u64().unwrap() >= 1 && imported["finished"] == true, "{imported}");
    let games = imported["added"].as_u64().unwrap();

    let again = honinbo.run(&["library", "import", &famous_game()]);
    assert_eq!(again.stdout, "1 games in 1 files: 0 new, 1 there already, 0 refused\n");
    assert_eq!(honinbo.run(&["library", "stats", "--json"]).json()["games"], games);

    let found = honinbo.run(&["library", "search", "shusaku", "--json"]).json();
    assert_eq!(found["total"], 1);
    let game = &found["games"][0];
    assert_eq!(
        (&game["black"], &game["moves"], &game["result"]),
        (&"Yasuda Shusaku".into(), &325.into(), &"B+2".into())
    );
    assert_eq!(honinbo.run(&["library", "search", "nobody", "of", "this", "name", "--json"]).json()["total"], 0);
    assert!(honinbo.run(&["library", "search"]).stdout.contains("Yasuda Shusaku 4d – Inoue Gennan Inseki 8d"));

    let exported = honinbo.run(&["library", "export", "shusaku"]);
    assert!(exported.stdout.starts_with("(;") && exported.stdout.contains("PB[Yasuda Shusaku]"));
    let other = Honinbo::new();
    let file = other.data.path().join("out.sgf");
    std::fs::write(&file, &exported.stdout).unwrap();
    assert_eq!(other.run(&["library", "import", file.to_str().unwrap(), "--json"]).json()["added"], 1);

    let target = honinbo.data.path().join("all.sgf").display().to_string();
    assert_eq!(honinbo.run(&["library", "export", "--out", &target, "--json"]).json()["games"], games);
    let evaluated = honinbo.data.path().join("evaluated.zip").display().to_string();
    let exported = honinbo.run(&["library", "export", "--evaluations", "--out", &evaluated, "--json"]);
    assert_eq!((exported.status, &exported.json()["games"]), (0, &games.into()));
    assert!(std::fs::read(&evaluated).unwrap().starts_with(b"PK"));
    let checked = honinbo.run(&["library", "check", "--json"]);
    assert_eq!((checked.status, &checked.json()["games"]), (0, &games.into()));
}

#[test]
fn looking_at_a_library_that_is_not_there_makes_none() {
    let honinbo = Honinbo::new();
    assert_eq!(honinbo.run(&["library", "stats", "--json"]).json()["games"], 0);
    assert_eq!(honinbo.run(&["library", "search", "--json"]).json()["total"], 0);
    assert!(honinbo.run(&["library", "stats"]).stdout.contains("there is no library"));
    assert!(honinbo.run(&["library", "check"]).failure().contains("there is no library"));
    assert!(honinbo.run(&["library", "export"]).failure().contains("there is no library"));
    assert_eq!(std::fs::read_dir(honinbo.data.path()).unwrap().count(), 0);
}

#[test]
fn a_library_of_a_newer_program_is_refused_and_left_alone() {
    let honinbo = Honinbo::new();
    assert_eq!(honinbo.run(&["library", "import", &famous_game()]).status, 0);
    let path = honinbo.data.path().join("library.sqlite");
    for beside in ["library.sqlite-wal", "library.sqlite-shm"] {
        assert!(!honinbo.data.path().join(beside).exists(), "{beside} was left behind");
    }
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[60..64].copy_from_slice(&9999_u32.to_be_bytes()); // `user_version` in SQLite's header.
    std::fs::write(&path, &bytes).unwrap();
    for args in [
        &["library", "stats"] as &[&str],
        &["library", "search"],
        &["library", "check"],
        &["library", "import", &famous_game()],
    ] {
        let ended = honinbo.run(args);
        assert!(ended.failure().contains("version 9999"), "{args:?}: {ended:?}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn files_that_are_no_records_are_named() {
    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("broken.sgf"), "this is no record").unwrap();
    let ended = honinbo.run(&["library", "import", folder.path().to_str().unwrap()]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("broken.sgf") && ended.stderr.contains("error: no game was imported"), "{ended:?}");
    assert!(honinbo.run(&["library", "import", "/no/such/folder"]).failure().contains("/no/such/folder"));
    std::fs::write(honinbo.data.path().join("library.sqlite"), "not a database at all, but long enough to be one")
        .unwrap();
    assert!(honinbo.run(&["library", "stats"]).failure().contains("library.sqlite"));
}
