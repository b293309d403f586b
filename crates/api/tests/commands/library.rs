//! Keeping games and finding them again.

use crate::host::Desk;
use honinbo_api::{ApiError, Event};
use serde_json::{Value, json};

const GAME: &str = "(;GM[1]SZ[19]PB[柯洁]BR[9p]PW[AlphaGo]DT[2017-05-23]RE[W+0.5]KM[7.5]RU[Chinese];B[qd];W[pp];B[cc])";

fn list(desk: &Desk, text: &str) -> Vec<Value> {
    let query = json!({"text": text, "sort": "added", "descending": true, "offset": 0, "limit": 50});
    desk.must("search_records", query)["records"].as_array().unwrap().clone()
}

#[test]
fn a_game_is_saved_found_renamed_opened_deleted_and_brought_back() {
    let desk = Desk::new();
    let saved = desk.must("save_goban", json!({"goban": GAME}));
    assert_eq!(saved["duplicateOf"], json!(null));
    desk.wait_for(|event| matches!(event, Event::LibraryChanged).then_some(()));
    let again = desk.must("save_goban", json!({"goban": GAME}));
    assert_eq!(again["duplicateOf"], saved["id"]);

    let found = list(&desk, "柯");
    assert_eq!(found.len(), 1);
    let expected = json!({"black": "柯洁", "blackRank": "9p", "white": "AlphaGo", "date": "2017-05-23",
        "result": "W+0.5", "width": 19, "height": 19, "komi": 7.5, "moves": 3});
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&found[0][key], value, "{key}");
    }
    assert!(list(&desk, "Lee Sedol").is_empty());

    let id = &saved["id"];
    desk.must("rename_record", json!({"id": id, "title": "人机大战"}));
    assert_eq!(list(&desk, "人机")[0]["title"], "人机大战");

    let opened = desk.must("open_record", json!({"id": id}));
    assert_eq!(opened["recordId"], *id);
    desk.must("play", json!({"gameId": opened["gameId"], "vertex": 0}));
    let kept = desk.must("save_goban", json!({"gameId": opened["gameId"]}));
    assert_eq!(kept["id"], *id, "a game opened from the library goes back to its place");
    assert_eq!(list(&desk, "").len(), 1);

    desk.must("delete_records", json!({"ids": [id]}));
    assert!(list(&desk, "").is_empty());
    desk.must("restore_records", json!({"ids": [id]}));
    assert_eq!(list(&desk, "").len(), 1);
    assert_eq!(desk.must("library_stats", json!({}))["games"], 1);
}

#[test]
fn an_emptied_bin_holds_nothing_and_a_window_keeps_what_it_shows_as_a_new_record() {
    let desk = Desk::new();
    let id = desk.must("save_goban", json!({"goban": GAME}))["id"].clone();
    let opened = desk.must("open_record", json!({"id": id}));
    desk.must("delete_records", json!({"ids": [id]}));
    desk.must("empty_bin", json!({}));
    let binned =
        json!({"text": "", "filter": {"deleted": true}, "sort": "added", "descending": true, "offset": 0, "limit": 50});
    assert_eq!(desk.must("search_records", binned)["total"], 0);
    let error = desk.give("restore_records", json!({"ids": [id]})).unwrap_err();
    assert!(matches!(error, ApiError::NotFound { .. }), "{error:?}");
    assert_eq!(desk.must("library_history", json!({}))["undo"], json!(null));
    let kept = desk.must("save_goban", json!({"gameId": opened["gameId"]}));
    assert_ne!(kept["id"], id);
    assert_eq!(list(&desk, "").len(), 1);
}

#[test]
fn facts_that_are_filled_in_are_written_and_the_others_stay() {
    let desk = Desk::new();
    let id = desk.must("save_goban", json!({"goban": "(;SZ[9]PB[Aya]EV[Club]KM[6.5];B[ee])"}))["id"].clone();
    let facts = json!({"event": " Cup ", "date": "2026-11", "rules": "japanese", "komi": "0"});
    desk.must("edit_records", json!({"ids": [id], "facts": facts}));
    let record = list(&desk, "").remove(0);
    let seen = ["black", "event", "date", "rules"].map(|name| record[name].as_str().unwrap().to_owned());
    assert_eq!((seen, &record["komi"]), (["Aya", "Cup", "2026-11", "japanese"].map(str::to_owned), &json!(0.0)));
    let refused = desk.give("edit_records", json!({"ids": [id], "facts": {"date": "soon"}})).unwrap_err();
    assert!(format!("{refused:?}").contains("DT[soon]"), "{refused:?}");
    desk.must("undo_library", json!({}));
    assert_eq!(list(&desk, "")[0]["event"], "Club");
}

#[test]
fn a_record_that_says_nothing_of_the_komi_is_listed_without_one() {
    let desk = Desk::new();
    desk.must("save_goban", json!({"goban": "(;SZ[9]PB[Aya];B[ee])"}));
    assert_eq!(list(&desk, "")[0]["komi"], json!(null));
}

#[test]
fn a_library_that_cannot_be_opened_is_left_alone_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("library.sqlite");
    std::fs::write(&file, b"not a database at all, but precious").unwrap();
    let desk = Desk::in_folder(folder.path());
    let startup = desk.must("startup", json!({}));
    assert_eq!(startup["notices"].as_array().unwrap().len(), 1, "{startup}");
    let error = desk.give("save_goban", json!({"goban": GAME})).unwrap_err();
    assert!(matches!(&error, ApiError::Library { hint, .. } if !hint.is_empty()), "{error:?}");
    assert_eq!(std::fs::read(&file).unwrap(), b"not a database at all, but precious");
    // Everything else goes on.
    desk.open(GAME);
}

#[test]
fn what_is_no_record_is_not_kept() {
    let desk = Desk::new();
    let error = desk.give("save_goban", json!({"goban": "no brackets at all"})).unwrap_err();
    assert!(matches!(error, ApiError::UnreadableFile { .. }), "{error:?}");
    assert!(list(&desk, "").is_empty());
}

#[test]
fn files_and_contents_are_imported_with_a_report_and_once_only() {
    use base64::Engine as _;
    let desk = Desk::new();
    let folder = desk.path("games");
    std::fs::create_dir_all(folder.join("deep")).unwrap();
    std::fs::write(folder.join("a.sgf"), GAME).unwrap();
    std::fs::write(folder.join("deep/b.sgf"), "(;SZ[9];B[aa])(;SZ[9];B[ab];W[cc])").unwrap();
    std::fs::write(folder.join("broken.sgf"), "no brackets at all").unwrap();
    let finished = || {
        desk.wait_for(|event| match event {
            Event::Import(progress) if progress.finished => Some(progress.clone()),
            _ => None,
        })
    };
    desk.must("import_paths", json!({"paths": [folder]}));
    let first = finished();
    assert_eq!((first.added, first.duplicates, first.cancelled), (3, 0, false), "{first:?}");
    assert!(first.problems.iter().any(|p| p.refused && p.file.ends_with("broken.sgf")), "{first:?}");

    desk.forget_events();
    desk.must("import_paths", json!({"paths": [folder]}));
    assert_eq!((finished().added, list(&desk, "").len()), (0, 3));

    desk.forget_events();
    let base64 = base64::engine::general_purpose::STANDARD.encode("(;SZ[9];B[ee];W[cc];B[gg]");
    let climbing = json!({"name": "../../climbs out.sgf", "base64": base64, "batch": 1, "remaining": 0});
    desk.must("import_content", climbing);
    let content = finished();
    assert_eq!(content.added, 1);
    assert!(content.problems.iter().all(|problem| problem.file.starts_with("climbs out.sgf")), "{content:?}");
    let left: Vec<_> = std::fs::read_dir(desk.path("data/cache")).unwrap().flatten().collect();
    assert!(left.is_empty(), "the content put aside is removed: {left:?}");

    let error = desk.give("import_paths", json!({"paths": [desk.path("nowhere")]})).unwrap_err();
    assert!(matches!(error, ApiError::UnreadableFile { .. }), "{error:?}");
}

#[test]
fn an_import_ends_where_the_folder_is_full() {
    let desk = Desk::new();
    let folder = desk.path("games");
    std::fs::create_dir_all(&folder).unwrap();
    // More than are written at once.
    std::fs::write(folder.join("many.sgf"), "(;SZ[9];B[ee])".repeat(5000)).unwrap();
    desk.fill_up();
    desk.must("import_paths", json!({"paths": [folder]}));
    let report = desk.wait_for(|event| match event {
        Event::Import(progress) if progress.finished => Some(progress.clone()),
        _ => None,
    });
    assert!(report.cancelled && report.games < 5000, "{report:?}");
    let told: Vec<_> = report.problems.iter().filter(|problem| problem.message.contains("no more room")).collect();
    assert!(told.len() == 1 && told[0].refused, "{report:?}");
}

#[test]
fn an_import_that_is_cancelled_keeps_what_came_and_another_may_begin_at_once() {
    let desk = Desk::new();
    let folder = desk.path("games");
    std::fs::create_dir_all(&folder).unwrap();
    let point = |n: usize| format!("{}{}", char::from(b'a' + (n % 19) as u8), char::from(b'a' + (n / 19 % 19) as u8));
    let game = |n: usize| format!("(;SZ[19];B[{}];W[{}];B[{}])", point(n), point(n + 1), point(n + 2 + n / 361));
    // More than are written at once.
    for file in 0..50 {
        let games: String = (100 * file..100 * (file + 1)).map(game).collect();
        std::fs::write(folder.join(format!("{file}.sgf")), games).unwrap();
    }
    std::fs::write(desk.path("other.sgf"), "(;SZ[9];B[ee])").unwrap();
    desk.hold_import();
    desk.must("import_paths", json!({"paths": [folder]}));
    desk.wait_for(|event| matches!(event, Event::Import(_)).then_some(()));
    desk.must("cancel_import", json!({}));
    desk.must("import_paths", json!({"paths": [desk.path("other.sgf")]}));
    desk.let_import_go_on();
    let ended = |cancelled: bool| {
        desk.wait_for(|event| match event {
            Event::Import(progress) if progress.finished && progress.cancelled == cancelled => Some(progress.clone()),
            _ => None,
        })
    };
    let (first, second) = (ended(true), ended(false));
    assert!(first.added > 0 && first.games < 5000, "{first:?}");
    assert_eq!((second.games, second.added, second.files), (1, 1, 1), "{second:?}");
    assert_eq!(desk.must("library_stats", json!({}))["games"], json!(first.added + 1));
}

#[test]
fn forty_files_given_one_by_one_are_one_import_of_forty() {
    use base64::Engine as _;
    let desk = Desk::new();
    let base64 = |text: &str| base64::engine::general_purpose::STANDARD.encode(text);
    let finished = || {
        desk.wait_for(|event| match event {
            Event::Import(progress) if progress.finished => Some(progress.clone()),
            _ => None,
        })
    };
    // All have the same name, as files of different folders may.
    for n in 0..42_u32 {
        let text = match n {
            40 => "no brackets at all".to_owned(),
            41 => "(;SZ[19];B[aa];W[cc])".to_owned(),
            _ => format!("(;SZ[19];B[{}{}];W[cc])", (b'a' + (n % 19) as u8) as char, (b'a' + (n / 19) as u8) as char),
        };
        let file = json!({"name": "game.sgf", "base64": base64(&text), "batch": 7, "remaining": 41 - n});
        desk.must("import_content", file);
    }
    let report = finished();
    assert_eq!((report.games, report.added, report.duplicates), (41, 40, 1), "{report:?}");
    assert_eq!((report.files, report.total_files, report.refused_files), (42, 42, 1), "{report:?}");
    assert!(report.problems.iter().all(|problem| problem.file == "game.sgf"), "{report:?}");
    assert!(list(&desk, "").iter().all(|record| record["source"] == "game.sgf"));

    // What is asked for while an import runs becomes part of it: no games are lost, and what was told last says all.
    desk.forget_events();
    let folder = desk.path("more");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("one.sgf"), "(;SZ[13];B[ab])").unwrap();
    std::fs::write(folder.join("two.sgf"), "(;SZ[13];B[bc])").unwrap();
    for name in ["one.sgf", "two.sgf"] {
        desk.must("import_paths", json!({"paths": [folder.join(name)]}));
    }
    let mut added = finished().added;
    while added < 2 {
        desk.forget_events();
        added += finished().added;
    }
    assert_eq!((added, desk.must("library_stats", json!({}))["games"].clone()), (2, json!(42)));
}

#[test]
fn a_record_is_looked_at_without_being_opened() {
    let desk = Desk::new();
    let id = desk.must("save_goban", json!({"goban": "(;SZ[9];B[cc](;W[gg];B[cd])(;W[aa]))"}))["id"].clone();
    let last = desk.must("preview_record", json!({"id": id, "node": 999}));
    assert_eq!((&last["width"], &last["topology"]), (&json!(9), &json!("plane")));
    assert_eq!(last["position"]["lineIndex"], 3);
    assert_eq!(last["position"]["lastMove"], 3 * 9 + 2);
    let first = desk.must("preview_record", json!({"id": id, "node": 1}));
    assert_eq!((&first["position"]["moveNumber"], &first["position"]["lastMove"]), (&json!(1), &json!(2 * 9 + 2)));
    let stones = first["position"]["stones"].as_array().unwrap();
    assert_eq!((stones.len(), stones.iter().filter(|stone| **stone != json!(0)).count()), (81, 1));
    assert_eq!(desk.must("startup", json!({}))["games"], json!([]), "nothing was opened");
    let gone = desk.give("preview_record", json!({"id": "12345", "node": 0})).unwrap_err();
    assert!(matches!(gone, ApiError::NotFound { .. }), "{gone:?}");
}

#[test]
fn folders_tags_searches_and_their_history_are_kept() {
    let desk = Desk::new();
    let id = desk.must("save_goban", json!({"goban": GAME}))["id"].clone();
    desk.must("edit_records", json!({"ids": [id], "folder": "pros/柯洁", "addTags": ["AI"]}));
    assert_eq!(desk.must("list_folders", json!({})), json!([{"name": "pros/柯洁", "games": 1}]));
    assert_eq!(desk.must("list_tags", json!({})), json!([{"name": "AI", "games": 1}]));
    let details = desk.must("record_details", json!({"id": id}));
    assert_eq!(
        (&details["tags"], &details["folder"], &details["summary"]["id"]),
        (&json!(["AI"]), &json!("pros/柯洁"), &id)
    );
    let filter = json!({"tag": "AI", "winner": "white", "komi": 7.5, "dateFrom": "2017"});
    let query = json!({"text": "", "filter": filter, "sort": "changed", "descending": true, "offset": 0, "limit": 50});
    assert_eq!(desk.must("search_records", query)["total"], 1);
    let search = json!({"name": "AI wins", "filter": filter, "sort": "date", "descending": false});
    desk.must("save_search", search);
    let kept = &desk.must("list_searches", json!({}))[0];
    assert_eq!(
        (&kept["name"], &kept["filter"]["tag"], &kept["filter"]["komi"]),
        (&json!("AI wins"), &json!("AI"), &json!(7.5))
    );

    assert_eq!(desk.must("library_history", json!({}))["undo"]["what"], "search");
    desk.must("undo_library", json!({}));
    let left = desk.must("undo_library", json!({}));
    assert_eq!((&left["undo"]["what"], &left["redo"]["what"]), (&json!("save"), &json!("folder")));
    assert_eq!(desk.must("list_tags", json!({})), json!([]));
    desk.must("redo_library", json!({}));
    assert_eq!(desk.must("list_tags", json!({})), json!([{"name": "AI", "games": 1}]));
}

#[test]
fn a_pattern_is_found_and_the_explorer_knows_how_games_went_on() {
    let desk = Desk::new();
    let id = desk.must("save_goban", json!({"goban": GAME}))["id"].clone();
    desk.must("save_goban", json!({"goban": "(;SZ[19]PB[a]PW[b]RE[B+R]DT[1999];B[pd];W[dp];B[pp])"}));
    let search = |more: Value| {
        let mut args = json!({"searchId": 7, "boardWidth": 19, "boardHeight": 19, "topology": "plane", "width": 5, "height": 5,
            "cells": vec!["any"; 25], "anchor": {"kind": "corner"}, "anySymmetry": true, "anyColor": false, "limit": 10});
        args["cells"][3 * 5 + 2] = json!("black");
        args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        desk.must("search_pattern", args)
    };
    let found = search(json!({}));
    assert_eq!((&found["found"], &found["complete"], &found["hits"][0]["id"]), (&json!(1), &json!(true), &id));
    let none = search(json!({"sequence": [{"black": false, "x": 0, "y": 0}]}));
    assert_eq!(none["found"], 0);
    let filtered = search(json!({"filter": {"player": "Lee"}}));
    assert_eq!(filtered["found"], 0);
    let error = desk.give("search_pattern", json!({"searchId": 1, "boardWidth": 19, "boardHeight": 19, "topology": "plane",
        "width": 20, "height": 20, "cells": [], "anchor": {"kind": "anywhere"}, "anySymmetry": true, "anyColor": true, "limit": 1}));
    assert!(matches!(error.unwrap_err(), ApiError::Library { .. } | ApiError::InvalidRequest { .. }));

    let game = desk.must(
        "new_game",
        json!({"width": 19, "height": 19, "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": ""}),
    );
    let explored = desk.must("explore_position", json!({"gameId": game["gameId"]}));
    assert_eq!((&explored["found"], &explored["lines"][0]["value"]), (&json!(2), &json!(null)));
    let games: u64 =
        explored["lines"].as_array().unwrap().iter().map(|line| line["continuation"]["games"].as_u64().unwrap()).sum();
    assert_eq!(games, 2);
}

#[test]
fn opponents_of_this_program_are_told_from_people() {
    let desk = Desk::new();
    for name in ["Honinbo 20k", "Honinbo medium", "Honinbo pupil 1", "Honinbo Shusai", "Honinbo"] {
        desk.must("save_goban", json!({"goban": format!("(;SZ[9]PB[{name}]PW[Aya];B[ee])")}));
    }
    let players = desk.must("list_players", json!({"text": "", "limit": 10}));
    let mut computers: Vec<&str> = players
        .as_array()
        .unwrap()
        .iter()
        .filter(|player| player["computer"] == true)
        .map(|player| player["name"].as_str().unwrap())
        .collect();
    computers.sort_unstable();
    assert_eq!(computers, ["Honinbo 20k", "Honinbo medium", "Honinbo pupil 1"]);
}

#[test]
fn players_and_the_library_have_pages_of_figures() {
    let desk = Desk::new();
    desk.must("save_goban", json!({"goban": GAME}));
    desk.must("save_goban", json!({"goban": "(;SZ[19]PB[Ke Jie]PW[b]RE[B+R]DT[1999];B[pd];W[dp];B[pp])"}));
    desk.must("join_players", json!({"names": ["柯洁", "Ke Jie"]}));
    let players = desk.must("list_players", json!({"text": "ke", "limit": 10}));
    assert_eq!((&players[0]["name"], &players[0]["games"]), (&json!("柯洁"), &json!(2)));
    assert_eq!(players[0]["computer"], false);
    let page = desk.must("player_page", json!({"name": "Ke Jie"}));
    assert_eq!((&page["player"]["wins"], page["ratings"].as_array().unwrap().len()), (&json!(1), 2));
    assert_eq!(page["mistakes"][0]["moves"], 0);
    desk.must("part_player", json!({"name": "Ke Jie"}));
    assert_eq!(desk.must("player_page", json!({"name": "Ke Jie"}))["player"]["games"], 1);
    let report = desk.must("library_report", json!({}));
    assert_eq!(
        (&report["games"], &report["byYear"][1]["what"], &report["byRules"]),
        (
            &json!(2),
            &json!("2017"),
            &json!([
                {"what": "", "games": 1, "wins": 1, "losses": 0},
                {"what": "chinese", "games": 1, "wins": 0, "losses": 1}
            ])
        )
    );
    assert_eq!(desk.must("check_library", json!({"repair": false}))["problems"], json!([]));
}

#[test]
fn a_selection_is_exported_as_content_and_as_a_file() {
    use base64::Engine as _;
    let desk = Desk::new();
    desk.must("save_goban", json!({"goban": GAME}));
    let given = desk.must("export_records", json!({"format": "sgf"}));
    let bytes = base64::engine::general_purpose::STANDARD.decode(given["base64"].as_str().unwrap()).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap().trim(), GAME);
    let path = desk.path("games.zip");
    let written = desk.must("export_records", json!({"format": "zip", "filter": {"player": "柯"}, "path": path}));
    assert_eq!((&written["games"], &written["base64"]), (&json!(1), &json!("")));
    assert!(std::fs::read(&path).unwrap().starts_with(b"PK"));
    let backup = desk.path("backup.sqlite");
    assert_eq!(desk.must("backup_library", json!({"path": backup}))["path"], json!(backup));
    assert!(desk.give("backup_library", json!({"path": backup})).is_err());
    // Without a place of the person's own they are numbered in the data folder, and none takes another's place.
    for number in 1..=2 {
        let written = desk.must("backup_library", json!({"path": ""}));
        assert!(written["path"].as_str().unwrap().ends_with(&format!("library-{number}.sqlite")), "{written}");
        assert!(std::path::Path::new(written["path"].as_str().unwrap()).is_file());
    }
}

#[test]
fn a_library_is_rescued_at_the_next_start_and_the_damaged_file_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = folder.path().join("library.sqlite.rescue");
    let path = folder.path().join("library.sqlite");
    honinbo_library::Library::open(&path).unwrap().save_record(GAME, 1).unwrap();
    std::fs::write(&wanted, "").unwrap();
    let desk = Desk::in_folder(folder.path());
    let startup = desk.must("startup", json!({}));
    let rescued = json!({"kind": "done", "games": 1, "lost": 0, "keptAs": "library.sqlite.damaged"});
    assert_eq!((&startup["rescued"], &startup["notices"]), (&rescued, &json!([])));
    assert!(folder.path().join("library.sqlite.damaged").is_file() && !wanted.exists(), "once");
    assert_eq!(desk.must("library_stats", json!({}))["games"], 1);
    desk.must("rescue_library", json!({}));
    assert!(wanted.is_file());
}

#[test]
fn a_library_that_cannot_be_rescued_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let other = honinbo_library::Library::open(&path).unwrap();
    std::fs::write(folder.path().join("library.sqlite.rescue"), "").unwrap();
    let rescued = Desk::in_folder(folder.path()).must("startup", json!({}))["rescued"].clone();
    assert_eq!((&rescued["kind"], &rescued["error"]["kind"]), (&json!("failed"), &json!("library")));
    assert!(rescued["error"]["message"].as_str().unwrap().contains("in use by another program"), "{rescued}");
    drop(other);
}
