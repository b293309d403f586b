//! `honinbo library`.

use crate::support::{Honinbo, famous_game, finish, repository};
use honinbo_testkit::game_servers::GameServers;

#[test]
fn settings_that_a_command_cannot_read_are_spoken_of_and_left_alone() {
    let honinbo = Honinbo::new();
    let settings = honinbo.data.path().join("settings.toml");
    std::fs::write(&settings, "language = [").unwrap();
    let file = honinbo.data.path().join("game.sgf");
    std::fs::write(&file, "(;GM[1]SZ[9];B[ee];W[cc])").unwrap();
    let ended = honinbo.run(&["library", "import", file.to_str().unwrap(), "--json"]);
    assert_eq!(ended.json()["added"], 1);
    assert!(ended.stderr.contains("note: the settings in"), "{ended:?}");
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), "language = [");
}

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
    assert_eq!(again.stdout, "1 game in 1 file: 0 new, 1 there already, 0 refused\n");
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
#[cfg(target_os = "linux")]
fn a_file_whose_name_is_no_text_is_imported() {
    use std::os::unix::ffi::OsStrExt as _;
    let honinbo = Honinbo::new();
    // The name in GBK.
    let path = honinbo.data.path().join(std::ffi::OsStr::from_bytes(b"\xbf\xc2\xbd\xe0.sgf"));
    std::fs::write(&path, "(;SZ[9]PB[Ke Jie];B[ee];W[cc])").unwrap();
    let imported = finish(honinbo.command(&["library", "import"]).arg(&path).spawn().unwrap());
    assert_eq!(imported.status, 0, "{imported:?}");
    assert_eq!(honinbo.run(&["library", "search", "Ke Jie", "--json"]).json()["total"], 1);
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

/// A library with three small games, and their numbers, oldest first.
fn three_games() -> (Honinbo, Vec<String>) {
    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    for (name, sgf) in [
        ("a.sgf", "(;SZ[19]PB[Go Seigen]PW[Kitani]DT[1933-10-16]RE[B+R]KM[0];B[pd];W[dp];B[pp])"),
        ("b.sgf", "(;SZ[19]PB[Shusaku]PW[Gennan]DT[1846-09-11]RE[B+2]KM[0];B[qd];W[dc];B[pq];W[oc])"),
        ("c.sgf", "(;SZ[9]PB[Kitani]PW[Go Seigen]DT[1934]RE[W+3.5]KM[6.5];B[ee];W[gc])"),
    ] {
        std::fs::write(folder.path().join(name), sgf).unwrap();
    }
    assert_eq!(honinbo.run(&["library", "import", folder.path().to_str().unwrap()]).status, 0);
    let found = honinbo.run(&["library", "search", "--sort", "date", "--ascending", "--json"]).json();
    let ids = found["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_owned());
    let ids = ids.collect();
    (honinbo, ids)
}

#[test]
fn games_are_filtered_as_in_the_window() {
    let (honinbo, _) = three_games();
    let found = |filter: &[&str]| {
        let ended = honinbo.run(&[&["library", "search", "--sort", "date", "--ascending", "--json"], filter].concat());
        assert_eq!(ended.status, 0, "{filter:?}: {ended:?}");
        let games = ended.json()["games"].as_array().unwrap().clone();
        games.iter().map(|game| game["black"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(found(&[]), "Shusaku, Go Seigen, Kitani");
    assert_eq!(found(&["--player", "seigen"]), "Go Seigen, Kitani");
    assert_eq!(found(&["--black", "seigen", "--opponent", "kitani"]), "Go Seigen");
    assert_eq!(found(&["--from", "1930", "--to", "1933"]), "Go Seigen");
    assert_eq!(found(&["--winner", "white"]), "Kitani");
    assert_eq!(found(&["--ended", "resignation"]), "Go Seigen");
    assert_eq!(found(&["--max-margin", "2"]), "Shusaku");
    assert_eq!(found(&["--board", "9"]), "Kitani");
    assert_eq!(found(&["--komi", "6.5", "--max-moves", "2"]), "Kitani");
    assert_eq!(found(&["--min-moves", "4"]), "Shusaku");
    let nothing = honinbo.run(&["library", "export", "out.sgf"]);
    assert_eq!((nothing.status, nothing.stdout.as_str()), (0, ""));
    assert_eq!(nothing.stderr, "note: no games found; `--out out.sgf` writes to a file of that name\n");
    assert_eq!(honinbo.run(&["library", "export", "nobody"]).stderr, "note: no games found\n");
    assert_eq!(honinbo.run(&["library", "export", "--winner", "white"]).stdout.matches("(;").count(), 1);
    for wrong in [
        &["--winner", "green"] as &[&str],
        &["--from", "soon"],
        &["--from", "2017-13-45"],
        &["--min-rank", "strong"],
        &["--board", "99"],
    ] {
        assert_eq!(honinbo.run(&[&["library", "search"], wrong].concat()).status, 2, "{wrong:?}");
    }
}

#[test]
fn folders_tags_and_the_bin_are_kept_in_order_and_every_change_is_taken_back() {
    let (honinbo, ids) = three_games();
    let library = |args: &[&str]| {
        let ended = honinbo.run(&[&["library"], args, &["--json"]].concat());
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{args:?}: {ended:?}");
        ended.json()
    };
    let total = |args: &[&str]| library(&[&["search"], args].concat())["total"].as_u64().unwrap();
    assert_eq!(library(&["edit", &ids[0], &ids[1], "--folder", "masters/old", "--tag", "famous"])["games"], 2);
    assert_eq!((total(&["--folder", "masters"]), total(&["--tag", "famous"]), total(&["--tag", "none"])), (2, 2, 0));
    assert_eq!(library(&["tags"])["tags"], serde_json::json!([{ "name": "famous", "games": 2 }]));
    let shown = library(&["show", &ids[0]]);
    assert_eq!((&shown["folder"], &shown["tags"][0]), (&"masters/old".into(), &"famous".into()));
    assert!(shown["sgf"].as_str().unwrap().contains("PB[Shusaku]"));

    library(&["folders", "rename", "masters", "classics"]);
    let folders = library(&["folders", "make", "mine"]);
    let names: Vec<&str> = folders["folders"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"classics/old") && names.contains(&"mine"), "{folders}");
    for refused in [&["remove", "Nope"] as &[&str], &["rename", "Nope", "X"]] {
        let ended = honinbo.run(&[&["library", "folders"], refused].concat());
        assert!(ended.failure().contains("no folder \"Nope\"") && ended.stdout.is_empty(), "{ended:?}");
    }
    library(&["folders", "remove", "classics"]);
    assert_eq!((total(&["--folder", "classics"]), total(&[])), (0, 3));
    let undone = library(&["undo"]);
    assert_eq!((&undone["done"]["what"], total(&["--folder", "classics"])), (&"folder".into(), 2));
    assert_eq!(library(&["redo"])["done"]["what"], "folder");

    library(&["delete", &ids[2]]);
    assert_eq!((total(&[]), total(&["--deleted"])), (2, 1));
    library(&["undelete", &ids[2]]);
    assert_eq!((total(&[]), library(&["history"])["undo"]["what"].clone()), (3, "restore".into()));
    library(&["rename", &ids[2], "The rematch"]);
    assert_eq!(total(&["rematch"]), 1);
    library(&["searches", "save", "whites", "--winner", "white"]);
    assert_eq!(library(&["searches"])["searches"][0]["name"], "whites");
    library(&["searches", "remove", "whites"]);
    assert!(honinbo.run(&["library", "searches", "remove", "whites"]).failure().contains("no search \"whites\""));
    assert!(honinbo.run(&["library", "delete", "999"]).failure().contains("999"));
    assert!(honinbo.run(&["library", "undo"]).stdout.starts_with("taken back: search"));
}

#[test]
fn facts_are_written_into_several_games_at_once() {
    let (honinbo, ids) = three_games();
    let edit = |args: &[&str]| honinbo.run(&[&["library", "edit", &ids[0], &ids[1]], args].concat());
    assert_eq!(edit(&["--set", "EV=Castle games", "--set", "PC=Edo", "--tag", "old"]).status, 0);
    let found = |words: &str| honinbo.run(&["library", "search", words, "--json"]).json()["total"].clone();
    assert_eq!((found("castle"), found("edo")), (2.into(), 2.into()));
    assert!(honinbo.run(&["library", "export", "castle"]).stdout.contains("EV[Castle games]PC[Edo]"));
    assert!(honinbo.run(&["library", "undo"]).stdout.starts_with("taken back: facts (2 games)"));
    assert_eq!(found("castle"), 0);
    assert!(edit(&["--set", "DT=soon"]).failure().contains("DT[soon]"));
    assert!(edit(&["--set", "AB=aa"]).failure().contains("AB[aa]"));
    assert_eq!(edit(&["--set", "nothing"]).status, 2);
}

#[test]
fn the_other_versions_of_a_game_are_counted_and_shown() {
    let honinbo = Honinbo::new();
    let at = |n: u8| format!("{}{}", char::from(b'a' + n % 9), char::from(b'a' + n / 9 * 2));
    let moves: String = (0..20).map(|n| format!(";{}[{}]", if n % 2 == 0 { 'B' } else { 'W' }, at(n))).collect();
    let path = honinbo.data.path().join("two.sgf");
    std::fs::write(&path, format!("(;SZ[9]PB[a]C[long words]{moves})(;SZ[9]PB[a]C[words]{moves})")).unwrap();
    let imported = honinbo.run(&["library", "import", path.to_str().unwrap()]);
    assert_eq!(imported.stdout, "2 games in 1 file: 1 new, 1 there already, 0 refused\n");
    assert!(imported.stderr.contains("joined to game 1, a – ?, as another version of it"), "{imported:?}");
    assert!(honinbo.run(&["library", "show", "1"]).stdout.ends_with("other versions: 1\n"));
    let shown = honinbo.run(&["library", "show", "1", "--versions"]).stdout;
    assert!(shown.contains("C[words]") && !shown.contains("long words"), "{shown}");
    let json = honinbo.run(&["library", "show", "1", "--versions", "--json"]).json();
    assert_eq!(json["versions"].as_array().unwrap().len(), 1);
    honinbo.run(&["library", "undo"]);
    assert_eq!(honinbo.run(&["library", "stats", "--json"]).json()["games"], 0);
}

#[test]
fn a_record_is_printed_as_the_text_that_is_shown_whatever_its_file_was_written_in() {
    // 柯洁; and a name that was cut in the middle of a character.
    let chinese: &[u8] = b"(;SZ[9]CA[GB2312]PB[\xBF\xC2\xBD\xE0];B[ee];W[cc])";
    let cut = ["(;SZ[9]CA[UTF-8]PB[柯洁九段".as_bytes(), b"\xE6", b"];B[dd];W[cc])"].concat();
    for (file, text) in [
        (chinese, "(;SZ[9]CA[UTF-8]PB[柯洁];B[ee];W[cc])"),
        (&cut[..], "(;SZ[9]CA[UTF-8]PB[柯洁九段\u{fffd}];B[dd];W[cc])"),
    ] {
        let honinbo = Honinbo::new();
        let path = honinbo.data.path().join("game.sgf");
        std::fs::write(&path, file).unwrap();
        assert_eq!(honinbo.run(&["library", "import", path.to_str().unwrap()]).status, 0);
        let found = honinbo.run(&["library", "search", "--json"]).json();
        let id = found["games"][0]["id"].as_str().unwrap();
        let shown = honinbo.run(&["library", "show", id, "--json"]).json();
        assert_eq!(shown["sgf"].as_str().unwrap().trim_end(), text);
        assert_eq!(honinbo.run(&["library", "export"]).stdout.trim_end(), text);
        // The record itself keeps every byte.
        let out = honinbo.data.path().join("out.sgf");
        assert_eq!(honinbo.run(&["library", "export", "--out", out.to_str().unwrap()]).status, 0);
        assert_eq!(std::fs::read(&out).unwrap().trim_ascii_end(), file);
    }
}

#[test]
fn a_backup_is_restored_and_what_was_there_is_kept() {
    let (honinbo, ids) = three_games();
    let backup = honinbo.run(&["library", "backup", "--json"]).json()["path"].as_str().unwrap().to_owned();
    assert!(backup.ends_with("library-1.sqlite"), "{backup}");
    assert_eq!(honinbo.run(&["library", "delete", &ids[0], &ids[1]]).status, 0);
    let service = honinbo.serve(&[]);
    assert!(honinbo.run(&["library", "restore", &backup]).failure().contains("in use by another program"));
    assert_eq!(service.end(), 0);
    assert_eq!(honinbo.run(&["library", "stats", "--json"]).json()["games"], 1);
    let restored = honinbo.run(&["library", "restore", &backup, "--json"]).json();
    assert_eq!(restored["games"], 3);
    let before = restored["before"].as_str().unwrap();
    assert!(before.contains("before-restore-") && std::path::Path::new(before).exists());
    let listed = honinbo.run(&["library", "backups", "--json"]).json()["backups"].clone();
    let facts = |index: usize| (&listed[index]["kind"], &listed[index]["games"], &listed[index]["path"]);
    let known = [facts(0), facts(1)];
    assert!(known.contains(&(&"setAside".into(), &1.into(), &before.into())), "{listed}");
    assert!(known.contains(&(&"byHand".into(), &3.into(), &backup.as_str().into())), "{listed}");
    assert!(honinbo.run(&["library", "backups"]).stdout.contains("  3 games  "));
    assert!(honinbo.run(&["library", "restore", "/no/such/file"]).failure().contains("/no/such/file"));
    let wrong = honinbo.data.path().join("bad.sgf");
    std::fs::write(&wrong, "(;SZ[9])".repeat(20)).unwrap();
    let refused = honinbo.run(&["library", "restore", wrong.to_str().unwrap()]);
    assert!(refused.failure().starts_with(&format!("error: {} is not a game library", wrong.display())), "{refused:?}");
    let taken = honinbo.run(&["library", "backup", &backup]);
    assert!(taken.failure().ends_with("library-1.sqlite is there already; choose another name"), "{taken:?}");
    let unknown = honinbo.run(&["library", "show", "99999"]);
    assert!(unknown.failure().ends_with("; `honinbo library search` lists the games"), "{unknown:?}");
    // On a machine where there is no library yet, too.
    let other = Honinbo::new();
    assert!(other.run(&["library", "backups"]).stdout.starts_with("no backups in "));
    assert_eq!(other.run(&["library", "restore", &backup]).stdout.lines().next().unwrap().split(' ').next(), Some("3"));
}

#[test]
fn the_check_of_a_damaged_library_does_not_ask_for_a_check() {
    let (honinbo, _) = three_games();
    let path = honinbo.data.path().join("library.sqlite");
    let mut bytes = std::fs::read(&path).unwrap();
    // All pages but the first, which says what the file is.
    bytes[8192..].fill(0xAA);
    std::fs::write(&path, &bytes).unwrap();
    let checked = honinbo.run(&["library", "check"]);
    assert!(
        checked.failure().contains("restore a backup") && !checked.failure().contains("library check"),
        "{checked:?}"
    );
}

#[test]
fn what_was_rescued_of_a_library_takes_its_place() {
    let (honinbo, ids) = three_games();
    assert_eq!(honinbo.run(&["library", "edit", &ids[0], "--tag", "study"]).status, 0);
    let rescued = honinbo.data.path().join("rescued.sqlite");
    let rescued = rescued.to_str().unwrap();
    let said = honinbo.run(&["library", "rescue", rescued, "--json"]).json();
    assert_eq!(
        (&said["games"], &said["lost"], said["incomplete"].as_array().unwrap().len()),
        (&3.into(), &0.into(), 0)
    );
    assert!(honinbo.run(&["library", "rescue", rescued]).failure().contains("is there already; choose another name"));
    assert_eq!(honinbo.run(&["library", "restore", rescued, "--json"]).json()["games"], 3);
    assert_eq!(honinbo.run(&["library", "check"]).status, 0);
    assert_eq!(honinbo.run(&["library", "tags", "--json"]).json()["tags"][0]["games"], 1);
}

#[test]
fn games_come_from_accounts_and_folders_that_were_added() {
    let servers = GameServers::start();
    let honinbo = Honinbo::new().with("HONINBO_OGS", servers.address()).with("HONINBO_KGS", servers.address());
    let none = honinbo.run(&["library", "sources", "list"]);
    assert!(none.stdout.starts_with("no accounts and no folders"), "{none:?}");
    assert!(honinbo.run(&["library", "stats"]).stdout.contains("there is no library"), "looking makes none");
    assert!(honinbo.run(&["library", "sources", "sync"]).failure().contains("there are no accounts"));
    honinbo.run(&["library", "sources", "add", "ogs", "stonegarden", "--as", "Anna Kurz"]);
    honinbo.run(&["library", "sources", "add", "kgs", "nobody"]);
    let saved = tempfile::tempdir().unwrap();
    std::fs::write(saved.path().join("game.sgf"), "(;GM[1]SZ[9]PB[Anna Kurz]PW[x];B[ee];W[cc];B[gg])").unwrap();
    let added = honinbo.run(&["library", "sources", "add", "folder", saved.path().to_str().unwrap(), "--json"]).json();
    assert_eq!(added["sources"].as_array().unwrap().len(), 3);
    assert_eq!(servers.paths(), [""; 0]);
    let synced = honinbo.run(&["library", "sources", "sync", "1", "3"]);
    assert_eq!(synced.status, 0, "{synced:?}");
    assert!(synced.stdout.starts_with("stonegarden: 4 new, 0 there already\n"), "{synced:?}");
    assert_eq!(honinbo.run(&["library", "stats", "--json"]).json()["games"], 5);
    let failed = honinbo.run(&["library", "sources", "sync"]);
    assert!(failed.failure().contains("gokgs.com knows nobody of the name \"nobody\""), "{failed:?}");
    honinbo.run(&["library", "sources", "remove", "2"]);
    let again = honinbo.run(&["library", "sources", "sync", "--json"]).json();
    assert!(again["sources"].as_array().unwrap().iter().all(|sync| sync["added"] == 0), "{again}");
    let listed = honinbo.run(&["library", "sources", "list"]).stdout;
    assert!(listed.contains("ogs     StoneGarden, Anna Kurz in the library: 4 games\n"), "{listed}");
    assert!(honinbo.run(&["library", "sources", "remove", "2"]).failure().contains("no account or watched folder 2"));
    assert_eq!(honinbo.run(&["library", "sources", "add", "fox", "x"]).status, 2);
}

#[test]
fn a_pattern_is_found_over_the_seam_of_a_cylinder() {
    let honinbo = Honinbo::new();
    let written = |name: &str, text: &str| {
        let path = honinbo.data.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let game = written("game.sgf", "(;SZ[9]TOPO[cylinder]RU[Chinese]KM[7.5];B[ie];W[ae])");
    assert_eq!(honinbo.run(&["library", "import", &game]).status, 0);
    let diagram = written("diagram.txt", "XO\n");
    let found = |topology: &str| {
        let args = ["library", "pattern", &diagram, "--size", "9", "--as-drawn", "--topology", topology, "--json"];
        honinbo.run(&args).json()["found"].clone()
    };
    assert_eq!(["cylinder", "plane", "torus"].map(found), [1, 0, 0]);
    let wrong = honinbo.run(&["library", "pattern", &diagram, "--topology", "sphere"]);
    assert!(wrong.status == 2 && wrong.stderr.contains("plane, cylinder or torus"), "{wrong:?}");
}
