//! Open games over a restart and over a crash.

use crate::host::Desk;
use honinbo_api::Event;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

fn games(desk: &Desk) -> (Vec<Value>, Value) {
    let startup = desk.must("startup", json!({}));
    (startup["games"].as_array().unwrap().clone(), startup["recovered"].clone())
}

/// Waits until the data folder holds what `there` looks for.
fn wait_for_file(folder: &Path, there: impl Fn(&str) -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let texts = std::fs::read_dir(folder.join("open")).into_iter().flatten().flatten();
        if texts.filter_map(|entry| std::fs::read_to_string(entry.path()).ok()).any(|text| there(&text)) {
            return;
        }
        assert!(Instant::now() < deadline, "the open game was not kept");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn what_was_open_is_open_again_where_one_stood() {
    let folder = tempfile::tempdir().unwrap();
    {
        let desk = Desk::in_folder(folder.path());
        desk.app.keep_open_games();
        assert_eq!(games(&desk), (vec![], json!(0)));
        let first = desk.open("(;SZ[9];B[ee](;W[cc])(;W[gg];B[gc]))");
        desk.must("go_to", json!({"gameId": first, "nodeId": 3}));
        let second = desk.open("(;SZ[5])");
        desk.must("play", json!({"gameId": second, "vertex": 12}));
        let third = desk.open("(;SZ[13])");
        desk.must("close_game", json!({"gameId": third}));
        desk.app.shut_down();
    }
    let desk = Desk::in_folder(folder.path());
    desk.app.keep_open_games();
    let (open, recovered) = games(&desk);
    assert_eq!(recovered, 0, "nothing was lost, so nothing is recovered");
    let facts: Vec<_> = open.iter().map(|game| (game["width"].clone(), game["modified"].clone())).collect();
    assert_eq!(facts, [(json!(5), json!(true)), (json!(9), json!(false))]);
    assert_eq!(open[1]["position"]["stones"][60], -1, "the variation that was on the board");
    assert_eq!(open[0]["position"]["moveNumber"], 1);
}

#[test]
fn a_start_is_the_first_until_a_window_has_kept_something() {
    let folder = tempfile::tempdir().unwrap();
    {
        let desk = Desk::in_folder(folder.path());
        assert!(desk.app.is_first_start());
        let mut settings = desk.must("startup", json!({}))["settings"].clone();
        settings["window"] = json!("{\"welcomed\":true}");
        desk.must("set_settings", settings);
        desk.app.shut_down();
    }
    assert!(!Desk::in_folder(folder.path()).app.is_first_start(), "whoever closed every game finds none");
}

#[test]
fn the_game_of_the_first_start_is_known_until_it_is_the_persons_own() {
    let folder = tempfile::tempdir().unwrap();
    let first = |desk: &Desk| desk.must("startup", json!({}))["firstGame"].clone();
    {
        let desk = Desk::in_folder(folder.path());
        desk.app.keep_open_games();
        assert_eq!(first(&desk), json!(null));
        let id = desk.app.open_first_game().unwrap().game_id;
        desk.open("(;SZ[9];B[ee])");
        assert_eq!(first(&desk), json!(id));
        desk.app.shut_down();
    }
    let desk = Desk::in_folder(folder.path());
    desk.app.keep_open_games();
    let id = first(&desk);
    let (open, _) = games(&desk);
    assert_eq!(open.len(), 2);
    assert!(open.iter().any(|game| game["gameId"] == id && game["fileName"] == "ear-reddening-1846.sgf"), "{id}");
    let again = desk.must("open_famous", json!({}));
    assert_eq!((&again["gameId"], &again["position"]["moveNumber"]), (&id, &json!(127)), "it is the one that is open");
    desk.must("play", json!({"gameId": id, "vertex": 0}));
    assert_eq!(first(&desk), json!(null), "whoever plays on in it has made it theirs");
}

#[test]
fn a_start_while_the_program_before_still_ends_waits_for_its_games() {
    let folder = tempfile::tempdir().unwrap();
    {
        let desk = Desk::in_folder(folder.path());
        desk.app.keep_open_games();
        desk.open("(;SZ[9];C[kept])");
        wait_for_file(folder.path(), |text| text.contains("kept"));
    }
    let ending = std::fs::File::open(folder.path().join("open/lock")).unwrap();
    ending.lock().unwrap();
    let desk = Desk::in_folder(folder.path());
    std::thread::scope(|scope| {
        let start = scope.spawn(|| desk.app.keep_open_games());
        std::thread::sleep(Duration::from_millis(200));
        drop(ending);
        start.join().unwrap();
    });
    assert_eq!(games(&desk).0.len(), 1);
}

#[test]
fn a_folder_in_which_nothing_can_be_kept_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("open"), "in the way").unwrap();
    let desk = Desk::in_folder(folder.path());
    desk.app.keep_open_games();
    assert_eq!(desk.must("startup", json!({}))["notKept"]["kind"], "unwritable");
}

#[test]
fn a_crash_takes_nothing_that_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::in_folder(folder.path());
    desk.app.keep_open_games();
    let id = desk.open("(;SZ[9])");
    desk.must("play", json!({"gameId": id, "vertex": 40}));
    desk.must("set_comment", json!({"gameId": id, "nodeId": 1, "text": "unsaved"}));
    wait_for_file(folder.path(), |text| text.contains("unsaved"));

    // The program that runs has the folder; another one beside it keeps nothing and shows nothing.
    let beside = Desk::in_folder(folder.path());
    beside.app.keep_open_games();
    assert_eq!(games(&beside), (vec![], json!(0)));
    assert_eq!(beside.must("startup", json!({}))["notKept"], json!({"kind": "anotherProgram"}));
    assert_eq!(desk.must("startup", json!({}))["notKept"], Value::Null);

    // What a power cut would leave.
    let after = tempfile::tempdir().unwrap();
    std::fs::create_dir(after.path().join("open")).unwrap();
    for entry in std::fs::read_dir(folder.path().join("open")).unwrap().flatten() {
        std::fs::copy(entry.path(), after.path().join("open").join(entry.file_name())).unwrap();
    }
    std::fs::write(after.path().join("open/g7.json"), "{ torn").unwrap();
    let again = Desk::in_folder(after.path());
    again.app.keep_open_games();
    std::fs::create_dir(after.path().join("closed")).unwrap();
    std::fs::write(after.path().join("closed/c3.json"), "{ torn").unwrap();
    let (open, recovered) = games(&again);
    assert_eq!((open.len(), recovered), (1, json!(1)));
    let aside = |name: &str| after.path().join(name).display().to_string();
    let told = again.must("startup", json!({}))["setAside"].clone();
    assert_eq!(told, json!([aside("open/g7.unreadable"), aside("closed/c3.unreadable")]));
    assert_eq!(open[0]["position"]["comment"], "unsaved");
    assert!(after.path().join("open/g7.unreadable").exists(), "what cannot be read is set aside");
}

#[test]
fn a_full_disk_is_told_once_and_costs_no_game_that_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    {
        let desk = Desk::in_folder(folder.path());
        desk.app.keep_open_games();
        let first = desk.open("(;SZ[5])");
        desk.open("(;SZ[9])");
        desk.open("(;SZ[13])");
        desk.must("close_game", json!({"gameId": first}));
        desk.app.shut_down();
    }
    let kept = |name: &str| folder.path().join("open").join(name).exists();
    assert!(kept("g2.json") && kept("g3.json") && kept("ended"));

    let told = |desk: &Desk| {
        let mut told = Vec::new();
        desk.each_event(|event| {
            if let Event::GamesNotKept(why) = event {
                told.push(why.is_some());
            }
        });
        told
    };
    let desk = Desk::in_folder(folder.path());
    desk.disk_is_full(true);
    desk.app.keep_open_games();
    desk.wait_for(|event| matches!(event, Event::GamesNotKept(Some(_))).then_some(()));
    assert_eq!(desk.must("startup", json!({}))["notKept"]["kind"], "unwritable");
    std::thread::sleep(Duration::from_secs(2));
    assert!(kept("g2.json") && kept("g3.json"), "they are nowhere else");
    assert_eq!(told(&desk), [true]);
    desk.disk_is_full(false);
    desk.wait_for(|event| matches!(event, Event::GamesNotKept(None)).then_some(()));
    assert_eq!(desk.must("startup", json!({}))["notKept"], Value::Null);
    assert!(kept("g1.json") && kept("g2.json") && !kept("g3.json"));

    let id = games(&desk).0[0]["gameId"].clone();
    desk.must("play", json!({"gameId": id, "vertex": 0}));
    desk.disk_is_full(true);
    desk.app.shut_down();
    assert_eq!(told(&desk).len(), 3);
    assert!(!kept("ended"), "its last move is not kept");
}

/// Begins a game against `opponent` on 9x9 and gives its name.
fn play(desk: &Desk, opponent: Option<&str>, clock: &Value) -> String {
    let answer = desk.must(
        "start_play",
        json!({
            "game": {"width": 9, "height": 9, "topology": "plane", "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": ""},
            "seats": {"black": null, "white": opponent}, "clock": clock, "teaching": null,
        }),
    );
    answer["game"]["gameId"].as_str().unwrap().to_owned()
}

fn turn(desk: &Desk, game: &str, vertex: u16) -> Value {
    desk.must("play_turn", json!({"gameId": game, "vertex": vertex, "insist": false}))["play"].clone()
}

/// Waits until the opponent has answered the person's only move so far in this run of the program.
fn opponent_moved(desk: &Desk, game: &str) {
    desk.wait_for(|event| {
        matches!(event, Event::Play(news) if news.play.game_id == game && !news.play.thinking).then_some(())
    });
}

#[test]
fn a_game_that_is_played_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let clock = json!({"kind": "byoYomi", "mainSeconds": 600, "periodSeconds": 30, "stones": 0, "periods": 5});
    let over = {
        let desk = Desk::in_folder(folder.path());
        desk.app.keep_open_games();
        let over = play(&desk, Some("easy"), &Value::Null);
        turn(&desk, &over, 40);
        opponent_moved(&desk, &over);
        desk.must("resign_play", json!({"gameId": over}));
        let rated = play(&desk, Some("rated"), &clock);
        turn(&desk, &rated, 40);
        opponent_moved(&desk, &rated);
        desk.app.shut_down();
        over
    };
    let desk = Desk::in_folder(folder.path());
    desk.app.keep_open_games();
    let (open, _) = games(&desk);
    let id = open[0]["gameId"].as_str().unwrap();
    let before = desk.must("get_play", json!({"gameId": id}));
    assert_eq!(
        (&before["seats"]["white"], &before["rated"], &before["toMove"]),
        (&json!("rank_10k"), &json!(true), &json!("black"))
    );
    assert_eq!(before["clocks"]["running"], Value::Null, "nobody's time passes before the person is back");
    let left = before["clocks"]["black"]["mainSeconds"].as_f64().unwrap();
    assert!(left < 600.0 && left > 500.0, "{left}");
    assert!(desk.give("get_play", json!({"gameId": over})).is_err(), "a game that is over is a record");

    let free = (0..81).find(|&point| open[0]["position"]["stones"][point] == 0).unwrap();
    let after = turn(&desk, id, u16::try_from(free).unwrap());
    assert_eq!(after["clocks"]["running"], "white");
    assert!(after["clocks"]["black"]["mainSeconds"].as_f64().unwrap() > left - 1.0);
    opponent_moved(&desk, id);
    desk.must("resign_play", json!({"gameId": id}));
    let rated = desk.must("rated_progress", json!({}));
    assert_eq!(rated["boards"][0]["games"].as_array().unwrap().len(), 1, "it counts, once");
}

#[test]
fn what_cannot_be_played_on_stays_open_as_a_record() {
    let folder = tempfile::tempdir().unwrap();
    {
        let desk = Desk::in_folder(folder.path());
        desk.app.keep_open_games();
        let id = play(&desk, None, &Value::Null);
        turn(&desk, &id, 40);
        desk.app.shut_down();
    }
    let file = folder.path().join("open/g1.json");
    let whole = std::fs::read_to_string(&file).unwrap();
    assert!(whole.contains("\"played\":{\"tip\":1"), "{whole}");
    for (from, to) in [
        ("\"white\":null", "\"white\":\"somebody who left\""),
        ("\"tip\":1", "\"tip\":99"),
        ("\"rated\":null", "\"rated\":\"40k\""),
        (
            "\"clock\":null",
            r#""clock":{"control":{"main":-1,"system":{"fischer":{"increment":1e300,"storedAtMost":null}}},"black":{"main":1,"period":null,"periods":0,"stones":0},"white":{"main":1,"period":null,"periods":0,"stones":0}}"#,
        ),
    ] {
        let changed = whole.replace(from, to);
        assert_ne!(changed, whole);
        std::fs::write(&file, changed).unwrap();
        let desk = Desk::in_folder(folder.path());
        desk.app.keep_open_games();
        let (open, _) = games(&desk);
        assert_eq!(open.len(), 1, "{to}");
        assert!(desk.give("get_play", json!({"gameId": "g1"})).is_err(), "{to}");
    }
}

/// Servers cut names in the middle of a character.
#[test]
fn a_record_with_an_invalid_byte_stays_what_it_is_however_often_it_is_opened_saved_and_kept() {
    let cut = |name: &str| format!("(;GM[1]SZ[9]{name}PW[b]C[执黑中盘胜，李世石执白];B[ee];W[cc];B[gg])");
    // A file in UTF-8, and what the library has of one in another character set: text, with the byte FF as U+10FFFF.
    let file =
        cut("CA[UTF-8]PB[柯洁*]").bytes().map(|byte| if byte == b'*' { 0xE6 } else { byte }).collect::<Vec<u8>>();
    for text in [None, Some(cut("CA[GB2312]PB[柯洁\u{10ffff}]"))] {
        let folder = tempfile::tempdir().unwrap();
        let said = |game: &Value| {
            assert_eq!(game["info"]["black"], "柯洁\u{fffd}");
            assert_eq!(game["info"]["white"], "b");
            assert_eq!(game["position"]["comment"], "执黑中盘胜，李世石执白");
            game["gameId"].clone()
        };
        let kept = {
            let desk = Desk::in_folder(folder.path());
            desk.app.keep_open_games();
            if let Some(text) = &text {
                desk.must("save_goban", json!({"goban": text}));
            } else {
                std::fs::write(desk.path("cut.sgf"), &file).unwrap();
                desk.must("import_paths", json!({"paths": [desk.path("cut.sgf")]}));
                desk.wait_for(|event| matches!(event, Event::Import(import) if import.finished).then_some(()));
            }
            let all = json!({"text": "", "sort": "added", "descending": true, "offset": 0, "limit": 9});
            let id = desk.must("search_records", all)["records"][0]["id"].clone();
            let preview = desk.must("preview_record", json!({"id": id, "node": 0}));
            assert_eq!(preview["position"]["comment"], "执黑中盘胜，李世石执白");
            let mut texts = Vec::new();
            for _ in 0..3 {
                let open = desk.must("open_record", json!({"id": id}));
                assert_eq!(open["diagnostics"], json!([]));
                let game = said(&open);
                texts.push(desk.must("export_sgf", json!({"gameId": game}))["sgf"].clone());
                assert_eq!(desk.must("save_goban", json!({"gameId": game}))["id"], id);
                desk.must("close_game", json!({"gameId": game}));
            }
            assert_eq!(texts[0], texts[1]);
            assert_eq!(texts[1], texts[2]);
            // What is given away is read as it is shown, by others and here.
            said(&desk.must("get_game", json!({"gameId": desk.open(texts[0].as_str().unwrap())})));
            desk.must("open_record", json!({"id": id}));
            desk.app.shut_down();
            texts.swap_remove(0)
        };
        for _ in 0..2 {
            let desk = Desk::in_folder(folder.path());
            desk.app.keep_open_games();
            let (open, _) = games(&desk);
            assert_eq!(open.len(), 2);
            for game in &open {
                assert_eq!(desk.must("export_sgf", json!({"gameId": said(game)}))["sgf"], kept);
            }
            desk.app.shut_down();
        }
    }
}
