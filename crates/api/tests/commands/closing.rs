//! Closing games and getting them back.

use crate::host::{Desk, diagram};
use honinbo_api::{ApiError, Event};
use serde_json::{Value, json};

fn close(desk: &Desk, game: &str, changes: &str) -> Value {
    desk.must("close_game", json!({"gameId": game, "changes": changes}))["question"].clone()
}

fn closed(desk: &Desk) -> Vec<Value> {
    desk.must("closed_games", json!({})).as_array().unwrap().clone()
}

fn reopen(desk: &Desk, game: &Value) -> Value {
    desk.must("reopen_game", json!({"id": game["id"]}))
}

fn play(desk: &Desk, game: &str, vertex: u16) {
    desk.must("play", json!({"gameId": game, "vertex": vertex}));
}

fn open_games(desk: &Desk) -> usize {
    desk.must("startup", json!({}))["games"].as_array().unwrap().len()
}

#[test]
fn a_changed_game_that_is_closed_is_there_again_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    {
        let desk = Desk::in_folder(folder.path());
        desk.app.keep_open_games();
        let game = desk.must(
            "new_game",
            json!({"width": 5, "height": 5, "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "甲", "white": "乙"}),
        );
        let id = game["gameId"].as_str().unwrap();
        play(&desk, id, 12);
        play(&desk, id, 13);
        desk.must(
            "set_marks",
            json!({"gameId": id, "nodeId": 2, "marks": [{"point": 0, "shape": "triangle", "label": ""}], "links": []}),
        );
        desk.must("navigate", json!({"gameId": id, "step": "previous"}));
        assert_eq!(close(&desk, id, "ask"), Value::Null, "it belongs nowhere, so there is nothing to ask");
        desk.wait_for(|event| matches!(event, Event::ClosedGames(games) if games.len() == 1).then_some(()));
        desk.app.shut_down();
    }
    let desk = Desk::in_folder(folder.path());
    desk.app.keep_open_games();
    let startup = desk.must("startup", json!({}));
    let shown = &startup["closedGames"][0];
    assert_eq!((&shown["info"]["black"], &shown["moves"], &shown["unsaved"]), (&json!("甲"), &json!(2), &json!(true)));
    assert_eq!(diagram(shown, 5), ".....\n.....\n..XO.\n.....\n.....");
    assert_eq!((&shown["lastMove"], &shown["closedAt"]), (&json!(13), &json!(1_700_000_000)));
    let game = reopen(&desk, shown);
    assert_eq!((&game["position"]["moveNumber"], &game["modified"]), (&json!(1), &json!(true)), "where one stood");
    let end = desk.must("navigate", json!({"gameId": game["gameId"], "step": "last"}));
    assert_eq!(end["position"]["marks"][0]["shape"], "triangle");
    assert!(closed(&desk).is_empty(), "an open game is not among the closed ones");
    // A crash right now finds it among the open games.
    let kept = std::fs::read_dir(folder.path().join("open")).unwrap().flatten();
    assert!(kept.filter_map(|file| std::fs::read_to_string(file.path()).ok()).any(|text| text.contains("甲")));
}

#[test]
fn two_programs_that_close_games_at_once_keep_both() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (Desk::in_folder(folder.path()), Desk::in_folder(folder.path()));
    let (game, second) = (one.open("(;SZ[9];B[ee])"), other.open("(;SZ[13];B[gg])"));
    one.while_the_disk_waits(
        || close(&one, &game, "leave"),
        || {
            assert_eq!(close(&other, &second, "leave"), Value::Null);
            assert_eq!(closed(&other).len(), 1, "the first is still being written");
        },
    );
    let sizes: Vec<_> = closed(&one).iter().map(|game| game["width"].clone()).collect();
    assert_eq!(sizes, [13, 9]);
    assert_eq!(one.must("startup", json!({}))["setAside"], json!([]));
    // What could not be written leaves nothing behind.
    let third = one.open("(;SZ[19];B[aa])");
    one.disk_is_full(true);
    one.give("close_game", json!({"gameId": third})).unwrap_err();
    assert_eq!(std::fs::read_dir(folder.path().join("closed")).unwrap().count(), 2);
}

#[test]
fn a_crash_right_after_closing_does_not_open_the_game_again() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::in_folder(folder.path());
    desk.app.keep_open_games();
    let id = desk.open("(;SZ[9];B[ee];W[ge])");
    let kept = || {
        let files = std::fs::read_dir(folder.path().join("open")).unwrap().flatten();
        files.filter(|file| file.path().extension().is_some_and(|it| it == "json")).count()
    };
    let began = std::time::Instant::now();
    while kept() == 0 {
        assert!(began.elapsed() < std::time::Duration::from_secs(60), "an open game is kept");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(close(&desk, &id, "ask"), Value::Null);
    assert_eq!((kept(), closed(&desk).len()), (0, 1), "it is in one place, at once");
}

#[test]
fn a_game_of_the_library_asks_when_it_says_something_else_and_only_then() {
    let desk = Desk::new();
    let id = desk.must("save_goban", json!({"goban": "(;SZ[9]PB[a]KM[6.5];B[ee])"}))["id"].clone();
    let open = || desk.must("open_record", json!({"id": id}))["gameId"].as_str().unwrap().to_owned();
    let sgf = || {
        let game = open();
        let text = desk.must("export_sgf", json!({"gameId": game}))["sgf"].as_str().unwrap().to_owned();
        assert_eq!(close(&desk, &game, "ask"), Value::Null, "looking at a game changes nothing");
        text
    };
    assert!(!sgf().contains("W["));

    let game = open();
    desk.must("navigate", json!({"gameId": game, "step": "last"}));
    play(&desk, &game, 0);
    desk.must("undo_edit", json!({"gameId": game}));
    assert_eq!(close(&desk, &game, "ask"), Value::Null, "what was taken back is no change");
    let game = open();
    desk.must("navigate", json!({"gameId": game, "step": "last"}));
    play(&desk, &game, 0);
    desk.must("delete_variation", json!({"gameId": game, "nodeId": 2}));
    assert_eq!(close(&desk, &game, "ask"), Value::Null, "nor what was changed back by hand");

    let game = open();
    desk.must("navigate", json!({"gameId": game, "step": "last"}));
    play(&desk, &game, 0);
    assert_eq!(close(&desk, &game, "ask"), json!({"kind": "changes", "place": {"kind": "library"}}));
    assert_eq!(open_games(&desk), 1, "it stays open until that is decided");
    assert_eq!(close(&desk, &game, "leave"), Value::Null);
    assert!(!sgf().contains("W[aa]"), "the library has what it had");

    let unsaved = closed(&desk).into_iter().find(|game| game["unsaved"] == true).unwrap();
    let game = reopen(&desk, &unsaved)["gameId"].as_str().unwrap().to_owned();
    assert_eq!(close(&desk, &game, "ask")["kind"], "changes", "what was left out is still a change");
    assert_eq!(close(&desk, &game, "save"), Value::Null);
    assert!(sgf().contains("W[aa]"), "and now the library has it");
}

#[test]
fn a_game_of_a_file_is_saved_into_it_by_itself_where_the_person_chose_that() {
    let desk = Desk::new();
    let path = desk.path("club.sgf");
    std::fs::write(&path, "(;SZ[9];B[ee])").unwrap();
    let open = || {
        let game = desk.must("open_file", json!({"path": path}))["gameId"].as_str().unwrap().to_owned();
        play(&desk, &game, 0);
        game
    };
    let game = open();
    let question = json!({"kind": "changes", "place": {"kind": "file", "name": "club.sgf"}});
    assert_eq!(close(&desk, &game, "ask"), question);
    let mut settings = desk.must("startup", json!({}))["settings"].clone();
    settings["saveOnClose"] = json!(true);
    desk.must("set_settings", settings);
    assert_eq!(close(&desk, &game, "ask"), Value::Null);
    assert!(std::fs::read_to_string(&path).unwrap().contains("B[aa]"));

    // What cannot be written keeps the game open.
    let game = open();
    desk.must("set_comment", json!({"gameId": game, "nodeId": 0, "text": "new"}));
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir_all(path.join("in the way")).unwrap();
    let error = desk.give("close_game", json!({"gameId": game, "changes": "ask"})).unwrap_err();
    assert!(
        matches!(&error, ApiError::UnwritableFile { file, message } if file.ends_with("club.sgf") && !message.contains("club.sgf")),
        "{error}"
    );
    assert_eq!(open_games(&desk), 1);
}

#[test]
fn what_another_program_wrote_to_the_file_of_a_game_is_not_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("club.sgf");
    let path = path.to_str().unwrap();
    std::fs::write(path, "(;SZ[9];B[ee])").unwrap();
    {
        let desk = Desk::in_folder(folder.path());
        desk.app.keep_open_games();
        let game = desk.must("open_file", json!({"path": path}))["gameId"].as_str().unwrap().to_owned();
        play(&desk, &game, 0);
        assert_eq!(close(&desk, &game, "save"), Value::Null, "its own writing is no change");
        let game = reopen(&desk, &closed(&desk)[0])["gameId"].as_str().unwrap().to_owned();
        desk.must("set_comment", json!({"gameId": game, "nodeId": 0, "text": "mine"}));
        desk.app.shut_down();
    }
    // Of the same length.
    let theirs = std::fs::read_to_string(path).unwrap().replace("[ee]", "[cc]");
    std::fs::write(path, &theirs).unwrap();
    let desk = Desk::in_folder(folder.path());
    desk.app.keep_open_games();
    let mut settings = desk.must("startup", json!({}))["settings"].clone();
    settings["saveOnClose"] = json!(true);
    desk.must("set_settings", settings);
    let game = desk.must("startup", json!({}))["games"][0]["gameId"].as_str().unwrap().to_owned();
    let question = json!({"kind": "fileChanged", "name": "club.sgf", "path": path});
    for changes in ["ask", "save"] {
        assert_eq!(close(&desk, &game, changes), question, "{changes}");
        assert_eq!((std::fs::read_to_string(path).unwrap(), open_games(&desk)), (theirs.clone(), 1), "{changes}");
    }
    assert_eq!(close(&desk, &game, "replace"), Value::Null);
    assert!(std::fs::read_to_string(path).unwrap().contains("C[mine]"));

    // One that is gone has nothing to lose.
    let game = reopen(&desk, &closed(&desk)[0])["gameId"].as_str().unwrap().to_owned();
    desk.must("set_comment", json!({"gameId": game, "nodeId": 0, "text": "again"}));
    std::fs::remove_file(path).unwrap();
    assert_eq!(close(&desk, &game, "save"), Value::Null);
    assert!(std::fs::read_to_string(path).unwrap().contains("C[again]"));
}

#[test]
fn a_collection_is_never_replaced_by_one_of_its_games() {
    let desk = Desk::new();
    let path = desk.path("two.sgf");
    std::fs::write(&path, "(;SZ[9];B[ee])(;SZ[9];B[aa])").unwrap();
    let source = json!({"kind": "path", "path": path});
    let opened = desk.must("open_games", json!({"source": source, "games": [1]}));
    let game = opened[0]["gameId"].as_str().unwrap().to_owned();
    desk.must("set_comment", json!({"gameId": game, "nodeId": 0, "text": "mine"}));
    assert_eq!(close(&desk, &game, "ask")["place"]["kind"], "library");
    assert_eq!(close(&desk, &game, "save"), Value::Null);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "(;SZ[9];B[ee])(;SZ[9];B[aa])");
    assert_eq!(desk.must("library_stats", json!({}))["games"], 1);
}

#[test]
fn a_copy_of_a_record_that_says_more_never_takes_its_place() {
    let desk = Desk::new();
    let at = |n: u8| format!("{}{}", char::from(b'a' + n % 9), char::from(b'a' + n / 9 * 2));
    let moves: String = (0..20).map(|n| format!(";{}[{}]", if n % 2 == 0 { 'B' } else { 'W' }, at(n))).collect();
    let full = format!("(;SZ[9]C[two hours of remarks]{moves})");
    let id = desk.must("save_goban", json!({"goban": full}))["id"].clone();
    let copies = || desk.must("record_details", json!({"id": id}))["copies"].as_array().unwrap().len();
    let remark = |game: &str, text: &str| {
        desk.must("set_comment", json!({"gameId": game, "nodeId": 0, "text": text}));
        assert_eq!(desk.must("save_goban", json!({"gameId": game}))["duplicateOf"], id);
        desk.must("get_game", json!({"gameId": game}))
    };

    let game = desk.open(&format!("(;SZ[9]{moves})"));
    for (n, text) in ["mine", "also mine"].into_iter().enumerate() {
        let view = remark(&game, text);
        assert_eq!((&view["recordId"], &view["modified"]), (&Value::Null, &json!(false)), "{text}");
        assert_eq!(copies(), n + 1, "what it says is kept beside the record");
    }
    desk.must("set_comment", json!({"gameId": game, "nodeId": 0, "text": "later words"}));
    assert_eq!(close(&desk, &game, "ask")["place"]["kind"], "library", "it has not these");
    desk.must("set_comment", json!({"gameId": game, "nodeId": 0, "text": "also mine"}));
    assert_eq!(close(&desk, &game, "ask"), Value::Null, "the library has every word");

    // A file is not left behind: what was saved elsewhere is still a change of it.
    let path = desk.path("club.sgf");
    std::fs::write(&path, format!("(;SZ[9]{moves})")).unwrap();
    let game = desk.must("open_file", json!({"path": path}))["gameId"].as_str().unwrap().to_owned();
    assert_eq!(remark(&game, "third")["modified"], true);
    assert_eq!(close(&desk, &game, "ask")["place"]["kind"], "file");
    assert_eq!(close(&desk, &game, "save"), Value::Null);
    assert!(std::fs::read_to_string(&path).unwrap().contains("C[third]"));

    let record = desk.must("open_record", json!({"id": id}))["gameId"].as_str().unwrap().to_owned();
    let text = desk.must("export_sgf", json!({"gameId": record}))["sgf"].as_str().unwrap().to_owned();
    assert!(text.contains("two hours of remarks"), "{text}");
    // A game that says the same as its record is that record's.
    let same = desk.open(&full);
    assert_eq!(desk.must("save_goban", json!({"gameId": same}))["duplicateOf"], id);
    assert_eq!(desk.must("get_game", json!({"gameId": same}))["recordId"], id);
}

#[test]
fn a_bare_game_that_is_saved_takes_no_fact_from_the_record_and_is_not_tied_to_it() {
    let desk = Desk::new();
    let at = |n: u8| format!("{}{}", char::from(b'a' + n % 19), char::from(b'a' + n / 19 * 2));
    let moves: String = (0..60).map(|n| format!(";{}[{}]", if n % 2 == 0 { 'B' } else { 'W' }, at(n))).collect();
    let id = desk.must("save_goban", json!({"goban": format!("(;SZ[19]PB[Aya]KM[0.5]{moves})")}))["id"].clone();
    let game = desk.open(&format!("(;SZ[19]{moves})"));
    desk.must("set_comment", json!({"gameId": game, "nodeId": 0, "text": "mine"}));
    assert_eq!(desk.must("save_goban", json!({"gameId": game}))["duplicateOf"], id);
    let view = desk.must("get_game", json!({"gameId": game}));
    assert_eq!((&view["recordId"], &view["modified"]), (&Value::Null, &json!(false)));
    let record = desk.must("open_record", json!({"id": id}))["gameId"].as_str().unwrap().to_owned();
    desk.must("save_goban", json!({"gameId": record}));
    let text = desk.must("export_sgf", json!({"gameId": record}))["sgf"].as_str().unwrap().to_owned();
    assert!(text.contains("PB[Aya]") && text.contains("KM[0.5]") && text.contains("C[mine]"), "{text}");
}

#[test]
fn a_version_of_a_record_is_described_and_becomes_a_record_of_its_own() {
    let desk = Desk::new();
    let at = |n: u8| format!("{}{}", char::from(b'a' + n % 19), char::from(b'a' + n / 19 * 2));
    let moves: String = (0..60).map(|n| format!(";{}[{}]", if n % 2 == 0 { 'B' } else { 'W' }, at(n))).collect();
    let id =
        desk.must("save_goban", json!({"goban": format!("(;SZ[19]PB[Aya]C[many more words]{moves})")}))["id"].clone();
    let other = format!("(;SZ[19]PB[A.]PW[B.]C[few]({moves})(;B[ii]))");
    desk.must("save_goban", json!({"goban": other}));
    let copies = desk.must("record_details", json!({"id": id}))["copies"].clone();
    let expected = json!([{"sgf": other, "black": "A.", "white": "B.", "moves": 60, "variations": 1, "comments": 1}]);
    assert_eq!(copies, expected);
    let own = desk.must("part_version", json!({"id": id, "sgf": other}));
    assert_eq!((&own["black"], own["id"] == id), (&json!("A."), false));
    assert_eq!(desk.must("record_details", json!({"id": id}))["copies"], json!([]));
    desk.must("undo_library", json!({}));
    assert_eq!(desk.must("record_details", json!({"id": id}))["copies"], expected);
}

#[test]
fn the_last_twenty_are_kept_and_a_damaged_one_is_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::in_folder(folder.path());
    let blank = desk.open("(;SZ[9])");
    let again = blank.clone();
    desk.must("close_game", json!({"gameId": again}));
    for number in 0..25 {
        let game = desk.open(&format!("(;SZ[9]GN[{number}];B[ee])"));
        close(&desk, &game, "leave");
    }
    let names = |desk: &Desk| {
        closed(desk).iter().map(|game| game["info"]["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&desk), (5..25).rev().map(|number| number.to_string()).collect::<Vec<_>>());
    // Looking at the same game twice does not push others out.
    let game = desk.open("(;SZ[9]GN[24];B[ee])");
    close(&desk, &game, "leave");
    assert_eq!(names(&desk).len(), 20);
    assert_eq!(names(&desk)[0], "24");

    let newest = closed(&desk)[0]["id"].as_str().unwrap().to_owned();
    let file = folder.path().join("closed").join(&newest).with_extension("json");
    std::fs::write(&file, "{ torn").unwrap();
    assert_eq!(names(&desk)[0], "23");
    assert!(file.with_extension("unreadable").exists());
    let error = desk.give("reopen_game", json!({"id": newest})).unwrap_err();
    assert!(matches!(error, ApiError::NotFound { .. }), "{error}");
    let error = desk.give("reopen_game", json!({"id": "../../etc/passwd"})).unwrap_err();
    assert!(matches!(error, ApiError::NotFound { .. }), "{error}");
}

#[test]
fn an_empty_board_that_nobody_touched_is_not_kept() {
    let desk = Desk::new();
    let game = desk.must(
        "new_game",
        json!({"width": 9, "height": 9, "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": ""}),
    );
    assert_eq!(close(&desk, game["gameId"].as_str().unwrap(), "ask"), Value::Null);
    assert!(closed(&desk).is_empty());
}

#[test]
fn a_game_against_an_opponent_goes_on_when_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = |opponent: &str| {
        json!({
            "game": {"width": 9, "height": 9, "topology": "plane", "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": ""},
            "seats": {"black": null, "white": opponent}, "teaching": null,
            "clock": {"kind": "byoYomi", "mainSeconds": 600, "periodSeconds": 30, "stones": 0, "periods": 5},
        })
    };
    let turn = |desk: &Desk, game: &str, vertex: usize| {
        desk.forget_events();
        desk.must("play_turn", json!({"gameId": game, "vertex": vertex, "insist": false}));
        desk.wait_for(|event| matches!(event, Event::Play(news) if !news.play.thinking).then_some(()));
    };
    let free = |game: &Value| (0..81).find(|&point| game["position"]["stones"][point] == 0).unwrap();
    {
        let desk = Desk::in_folder(folder.path());
        desk.app.keep_open_games();
        let game = desk.must("start_play", wanted("easy"))["game"]["gameId"].as_str().unwrap().to_owned();
        turn(&desk, &game, 40);
        assert_eq!(close(&desk, &game, "ask"), Value::Null, "the library has every move of it");
        assert!(desk.give("get_play", json!({"gameId": game})).is_err());
        let view = reopen(&desk, &closed(&desk)[0]);
        assert_eq!(desk.must("get_play", json!({"gameId": view["gameId"]}))["clocks"]["running"], Value::Null);
        turn(&desk, view["gameId"].as_str().unwrap(), free(&view));
        close(&desk, view["gameId"].as_str().unwrap(), "ask");
        desk.app.shut_down();
    }
    let desk = Desk::in_folder(folder.path());
    desk.app.keep_open_games();
    let shown = &closed(&desk)[0];
    assert_eq!((&shown["playing"], &shown["moves"], &shown["unsaved"]), (&json!(true), &json!(4), &json!(false)));
    let view = reopen(&desk, shown);
    turn(&desk, view["gameId"].as_str().unwrap(), free(&view));

    // Whoever leaves a rated game loses it, and is told before.
    let game = desk.must("start_play", wanted("rated"))["game"]["gameId"].as_str().unwrap().to_owned();
    turn(&desk, &game, 40);
    assert_eq!(close(&desk, &game, "ask"), json!({"kind": "forfeit"}));
    desk.must("get_play", json!({"gameId": game}));
    assert_eq!(close(&desk, &game, "leave"), Value::Null);
    assert_eq!((&closed(&desk)[0]["playing"], &closed(&desk)[0]["info"]["result"]), (&json!(false), &json!("W+F")));
}

#[test]
fn a_look_at_the_record_of_a_game_leaves_the_one_that_can_be_played_on() {
    let desk = Desk::new();
    let game = desk.must(
        "start_play",
        json!({
            "game": {"width": 9, "height": 9, "topology": "plane", "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": ""},
            "seats": {"black": null, "white": null}, "teaching": null, "clock": null,
        }),
    )["game"]["gameId"]
        .as_str()
        .unwrap()
        .to_owned();
    desk.must("play_turn", json!({"gameId": game, "vertex": 40, "insist": false}));
    assert_eq!(close(&desk, &game, "ask"), Value::Null);
    let record =
        desk.must("search_records", json!({"text": "", "sort": "added", "descending": true, "offset": 0, "limit": 1}));
    let looked_at = desk.must("open_record", json!({"id": record["records"][0]["id"]}));
    assert_eq!(close(&desk, looked_at["gameId"].as_str().unwrap(), "ask"), Value::Null);
    let played: Vec<_> = closed(&desk).into_iter().filter(|game| game["playing"] == true).collect();
    assert_eq!(played.len(), 1, "it is still there to be played on");
    let again = reopen(&desk, &played[0])["gameId"].as_str().unwrap().to_owned();
    desk.must("play_turn", json!({"gameId": again, "vertex": 41, "insist": false}));
}
