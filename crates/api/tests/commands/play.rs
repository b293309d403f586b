//! Games that are played: opponents, take-backs, clocks, advice, results, the library.

use crate::host::{Desk, diagram};
use honinbo_api::{ApiError, Event, PlayNews};
use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_testkit::{FailingEvaluator, UniformEvaluator};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
#[cfg(unix)]
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) fn started(desk: &Desk, extra: Value) -> (String, Value) {
    let mut wanted = json!({
        "game": {"width": 9, "height": 9, "topology": "plane", "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "Anna", "white": "Ben"},
        "seats": {"black": null, "white": "medium"}, "clock": null, "teaching": null,
    });
    for (key, value) in extra.as_object().unwrap() {
        match (&mut wanted[key], value) {
            (Value::Object(old), Value::Object(new)) => old.extend(new.clone()),
            (old, new) => *old = new.clone(),
        }
    }
    let answer = desk.must("start_play", wanted);
    (answer["game"]["gameId"].as_str().unwrap().to_owned(), answer["play"].clone())
}

pub(crate) fn turn(desk: &Desk, game: &str, vertex: Option<u16>) -> Value {
    desk.must("play_turn", json!({"gameId": game, "vertex": vertex, "insist": false}))
}

/// Waits until it is a person's turn, or the game is over.
pub(crate) fn opponent_moved(desk: &Desk) -> PlayNews {
    desk.wait_for(|event| match event {
        Event::Play(news) if !news.play.thinking => Some(PlayNews::clone(news)),
        _ => None,
    })
}

#[test]
fn the_levels_are_there_and_a_broken_file_is_said_with_its_place() {
    let desk = Desk::new();
    let ids = |answer: &Value| -> Vec<String> {
        answer["opponents"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    };
    let usual = ids(&desk.must("list_opponents", json!({})));
    assert_eq!(usual[..5], ["easy", "medium", "hard", "expert", "custom"]);
    assert_eq!((usual.len(), usual[5].as_str(), usual[33].as_str()), (39, "rank_20k", "rank_9d"));
    assert_eq!(usual[34..], ["pupil_1", "pupil_2", "pupil_3", "pupil_4", "pupil_5"]);
    let file = desk.path("data").join("engines.yaml");
    std::fs::write(&file, "engines:\n  gnugo: { command: gnugo --mode gtp }\n").unwrap();
    let answer = desk.must("list_opponents", json!({}));
    assert_eq!(ids(&answer)[39..], ["gnugo"]);
    assert_eq!(answer["opponents"][39]["command"], "gnugo --mode gtp");
    std::fs::write(&file, "difficulty:\n  hard: { type: builtin, seconds: often }\n").unwrap();
    let answer = desk.must("list_opponents", json!({}));
    assert_eq!(ids(&answer), usual, "the levels are as usual");
    assert!(answer["problem"].as_str().unwrap().contains("line 2, column"), "{answer}");
}

#[test]
fn pupils_are_offered_on_small_boards_and_play_there() {
    let desk = Desk::new();
    let offered = |width: u8, height: u8, topology: &str| {
        let terms = json!({"width": width, "height": height, "topology": topology, "rules": "", "handicap": 0});
        desk.must("offer_game", terms)["pupils"].clone()
    };
    assert_eq!(
        [offered(9, 9, "plane"), offered(5, 7, "plane"), offered(4, 5, "plane"), offered(9, 10, "plane")],
        [true, true, false, false]
    );
    assert_eq!([offered(9, 9, "torus"), offered(9, 9, "cylinder")], [false, false]);
    let (game, play) = started(&desk, json!({"seats": {"white": "pupil_1"}}));
    assert_eq!(play["seats"]["white"], "pupil_1");
    turn(&desk, &game, Some(40));
    let news = opponent_moved(&desk);
    assert!(news.notice.is_none(), "{news:?}");
}

#[test]
fn a_rank_with_a_style_plays_like_any_level() {
    let desk = Desk::new();
    let (game, play) = started(&desk, json!({"seats": {"white": "rank_15k+tenuki+adaptive"}}));
    assert_eq!(play["seats"]["white"], "rank_15k+tenuki+adaptive");
    turn(&desk, &game, Some(40));
    let news = opponent_moved(&desk);
    assert_eq!(news.notice, None, "it answered itself");
    assert_eq!(news.play.generation, 2);
    let wrong = desk.give("start_play", json!({
        "game": {"width": 9, "height": 9, "topology": "plane", "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": ""},
        "seats": {"black": null, "white": "rank_40k"}, "clock": null, "teaching": null,
    })).unwrap_err();
    assert!(matches!(wrong, ApiError::InvalidRequest { .. }), "{wrong:?}");
}

#[test]
fn the_opponent_answers_and_the_game_is_in_the_library_from_its_first_move() {
    let desk = Desk::new();
    let (game, play) = started(&desk, json!({}));
    assert_eq!((&play["toMove"], &play["thinking"]), (&json!("black"), &json!(false)));
    let library = |desk: &Desk| {
        let query = json!({"text": "", "sort": "added", "descending": true, "offset": 0, "limit": 10});
        desk.must("search_records", query)
    };
    assert_eq!(library(&desk)["total"], 0);
    let answer = turn(&desk, &game, Some(0));
    assert_eq!(answer["update"]["position"]["stones"][0], 1);
    let news = opponent_moved(&desk);
    let update = news.update.unwrap();
    assert_eq!(update.position.move_number, 2);
    // The middle, or one of the next best.
    let taken = [40, 31, 39, 41, 49].into_iter().find(|&point: &usize| update.position.stones[point] == -1);
    let taken = taken.expect("medium begins in the middle");
    kept(&desk, 1);
    let listed = library(&desk);
    assert_eq!((listed["total"].clone(), listed["records"][0]["black"].clone()), (json!(1), json!("Anna")));
    // It is not the person's turn while the opponent thinks, nor may an occupied point be taken.
    let error = desk.give("play_turn", json!({"gameId": game, "vertex": taken, "insist": false})).unwrap_err();
    assert!(matches!(error, ApiError::IllegalMove { .. }), "{error}");
    let error = desk.give("play_turn", json!({"gameId": game, "vertex": 999, "insist": false})).unwrap_err();
    assert!(matches!(error, ApiError::InvalidRequest { .. }), "{error}");
}

/// Waits until the library has the game up to this count of its changes.
fn kept(desk: &Desk, generation: u32) {
    desk.wait_for(|event| matches!(event, Event::GameKept(kept) if kept.generation >= generation).then_some(()));
}

/// Both clocks ran while somebody else wrote into the library.
#[test]
fn the_opponent_moves_while_the_library_is_busy() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::in_folder(folder.path());
    let (game, _) = started(&desk, json!({"seats": {"white": "easy"}}));
    turn(&desk, &game, Some(40));
    let stones = opponent_moved(&desk).update.unwrap().position.stones;
    let free = (0_u16..81).find(|&point| stones[usize::from(point)] == 0).unwrap();
    kept(&desk, 2);
    // Python's, as no crate but the library's knows SQLite.
    let program = "import sqlite3, sys; other = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None); \
                   other.execute('BEGIN IMMEDIATE'); print('writing', flush=True); sys.stdin.read(); other.rollback()";
    let mut other = Command::new("python3")
        .args(["-c", program])
        .arg(folder.path().join("library.sqlite"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    BufReader::new(other.stdout.take().unwrap()).read_line(&mut said).unwrap();
    assert_eq!(said.trim(), "writing");
    desk.forget_events();
    turn(&desk, &game, Some(free));
    opponent_moved(&desk);
    drop(other.stdin.take());
    assert!(other.wait().unwrap().success());
    kept(&desk, 4);
    assert_eq!(in_library(&desk)["records"][0]["moves"], 4, "the library has it afterwards");
}

#[test]
fn whoever_has_white_waits_for_the_first_move() {
    let desk = Desk::new();
    let (_, play) = started(&desk, json!({"seats": {"black": "easy", "white": null}}));
    assert_eq!(play["toMove"], "black");
    let news = opponent_moved(&desk);
    assert_eq!(news.update.unwrap().position.move_number, 1);
    assert_eq!(news.play.to_move, Some(honinbo_api::Side::White));
}

#[test]
fn taking_back_returns_to_the_persons_turn() {
    let desk = Desk::new();
    let (game, _) = started(&desk, json!({}));
    let error = desk.give("take_back", json!({"gameId": game})).unwrap_err();
    assert!(matches!(error, ApiError::InvalidRequest { .. }), "{error}");
    for point in [0, 8] {
        desk.forget_events();
        turn(&desk, &game, Some(point));
        opponent_moved(&desk);
    }
    let answer = desk.must("take_back", json!({"gameId": game}));
    assert_eq!(answer["update"]["position"]["moveNumber"], 2);
    assert_eq!(answer["play"]["toMove"], "black");
    // The game goes on from there, as a variation.
    desk.forget_events();
    turn(&desk, &game, Some(72));
    assert_eq!(opponent_moved(&desk).update.unwrap().position.move_number, 4);
    // The board may show another position; the game goes on at its end.
    desk.must("navigate", json!({"gameId": game, "step": "first"}));
    desk.forget_events();
    assert_eq!(turn(&desk, &game, Some(80))["update"]["position"]["moveNumber"], 5);
    opponent_moved(&desk);
}

#[test]
fn giving_up_ends_the_game_with_a_result() {
    let desk = Desk::new();
    let (game, _) = started(&desk, json!({"seats": {"white": "easy"}}));
    turn(&desk, &game, Some(0));
    opponent_moved(&desk);
    let answer = desk.must("resign_play", json!({"gameId": game}));
    assert_eq!((&answer["play"]["result"], &answer["play"]["toMove"]), (&json!("W+R"), &Value::Null));
    assert_eq!(answer["update"]["info"]["result"], "W+R", "the window is told");
    assert!(record(&desk, &game).contains("RE[W+R]"));
    assert!(desk.give("play_turn", json!({"gameId": game, "vertex": 5, "insist": true})).is_err());
    // Taking back opens it again.
    let answer = desk.must("take_back", json!({"gameId": game}));
    assert_eq!(answer["play"]["result"], Value::Null);
    assert!(!desk.must("export_sgf", json!({"gameId": game}))["sgf"].as_str().unwrap().contains("RE[W"));
}

#[test]
fn two_persons_play_and_settle_what_is_dead() {
    let desk = Desk::new();
    let (game, play) = started(
        &desk,
        json!({"seats": {"black": null, "white": null}, "game": {"width": 5, "height": 5, "komi": 0.5}}),
    );
    assert_eq!(play["seats"], json!({"black": null, "white": null}));
    // A black wall in the middle, white stones on both sides that cannot live.
    for point in [2, 0, 7, 4, 12, 20, 17, 24, 22] {
        turn(&desk, &game, Some(point));
    }
    turn(&desk, &game, None);
    let answer = turn(&desk, &game, None);
    assert_eq!((&answer["play"]["counting"], &answer["play"]["result"]), (&json!(true), &Value::Null));
    assert_eq!(answer["play"]["toMove"], Value::Null);
    assert!(!record(&desk, &game).contains("RE["), "nothing is agreed on yet");
    assert!(desk.give("play_turn", json!({"gameId": game, "vertex": 5, "insist": true})).is_err());
    let answer = desk.must("settle_play", json!({"game": {"gameId": game}, "dead": [0, 4, 20, 24]}));
    assert_eq!((&answer["play"]["result"], &answer["play"]["counting"]), (&json!("B+24.5"), &json!(false)));
    assert_eq!(answer["update"]["info"]["result"], "B+24.5", "the window is told");
    assert_eq!(diagram(&answer["update"]["position"], 5).lines().next().unwrap(), "O.X.O");
    assert!(record(&desk, &game).contains("RE[B+24.5]"));
    assert_eq!(in_library(&desk)["records"][0]["result"], "B+24.5");
    let again = desk.give("settle_play", json!({"game": {"gameId": game}, "dead": []})).unwrap_err();
    assert!(matches!(again, ApiError::InvalidRequest { .. }), "{again}");
    assert!(desk.give("play_turn", json!({"gameId": game, "vertex": 5, "insist": true})).is_err());
}

pub(crate) fn record(desk: &Desk, game: &str) -> String {
    desk.must("export_sgf", json!({"gameId": game}))["sgf"].as_str().unwrap().to_owned()
}

pub(crate) fn in_library(desk: &Desk) -> Value {
    desk.must("search_records", json!({"text": "", "sort": "added", "descending": true, "offset": 0, "limit": 10}))
}

/// An engine of `engines.yaml` that always passes.
#[cfg(unix)]
pub(crate) fn with_one_that_passes(desk: &Desk) {
    let script = desk.path("passes.sh");
    std::fs::write(
        &script,
        "while read -r id command rest; do case $command in\nprotocol_version) echo \"=$id 2\";;\ngenmove) echo \"=$id pass\";;\n*) echo \"=$id\";;\nesac; echo; done",
    )
    .unwrap();
    let text = format!("engines:\n  passes: {{ command: \"sh '{}'\" }}\n", script.display());
    std::fs::write(desk.path("data").join("engines.yaml"), text).unwrap();
}

#[cfg(unix)]
#[test]
fn who_does_not_agree_with_the_count_plays_on() {
    let desk = Desk::new();
    with_one_that_passes(&desk);
    let (game, _) = started(&desk, json!({"seats": {"white": "passes"}}));
    let this = json!({"gameId": game});
    assert!(desk.give("continue_play", this.clone()).is_err(), "nobody has passed");
    turn(&desk, &game, Some(40));
    opponent_moved(&desk);
    desk.forget_events();
    // The opponent has passed: one's own pass ends it.
    assert_eq!(turn(&desk, &game, None)["play"]["counting"], true);
    let answer = desk.must("continue_play", this.clone());
    assert_eq!((&answer["play"]["counting"], &answer["play"]["toMove"]), (&json!(false), &json!("black")));
    assert_eq!(answer["update"]["position"]["moveNumber"], 2);
    turn(&desk, &game, Some(0));
    opponent_moved(&desk);
    assert_eq!(turn(&desk, &game, None)["play"]["counting"], true);
    desk.must("settle_play", json!({"game": {"gameId": game}, "dead": []}));
    let sgf = record(&desk, &game);
    assert!(sgf.contains("RE[B+") && sgf.ends_with(";B[ee];W[];B[aa];W[];B[])"), "the first count left nothing: {sgf}");

    // Between two persons whoever passed first is to move.
    let (game, _) = started(&desk, json!({"seats": {"black": null, "white": null}}));
    turn(&desk, &game, Some(40));
    turn(&desk, &game, None);
    turn(&desk, &game, None);
    let answer = desk.must("continue_play", json!({"gameId": game}));
    assert_eq!((&answer["play"]["toMove"], &answer["update"]["position"]["moveNumber"]), (&json!("white"), &json!(1)));
}

#[test]
fn nobody_plays_both_sides_nor_rewrites_a_game_that_is_played() {
    let desk = Desk::new();
    let (game, _) = started(&desk, json!({}));
    turn(&desk, &game, Some(0));
    opponent_moved(&desk);
    let before = record(&desk, &game);
    desk.must("navigate", json!({"gameId": game, "step": "first"}));
    for (name, more) in [
        ("play", json!({"vertex": 20})),
        ("set_stones", json!({"points": [20], "stone": "white"})),
        ("set_to_move", json!({"side": "white"})),
        ("delete_variation", json!({"nodeId": 1})),
        ("paste_variation", json!({"nodeId": 1, "sgf": "(;SZ[9];W[aa])"})),
        ("add_line", json!({"nodeId": 1, "moves": [0]})),
        ("keep_variation", json!({"nodeId": 1})),
        ("open_from", json!({"nodeId": 1})),
        ("undo_edit", json!({})),
        ("play_out", json!({"nodeId": 1, "visits": 1})),
    ] {
        let mut args = json!({"gameId": game});
        args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let refused = desk.give(name, args).unwrap_err();
        assert!(matches!(refused, ApiError::InvalidRequest { .. }), "{name}: {refused}");
    }
    let mut info = desk.must("get_game", json!({"gameId": game}))["info"].clone();
    info["komi"] = json!(0.5);
    assert!(desk.give("set_game_info", json!({"gameId": game, "info": info})).is_err());
    assert_eq!(record(&desk, &game), before);
    // A comment is no move, and once it is over it is a record.
    desk.must("set_comment", json!({"gameId": game, "nodeId": 1, "text": "hm"}));
    desk.must("resign_play", json!({"gameId": game}));
    desk.must("navigate", json!({"gameId": game, "step": "first"}));
    desk.must("play", json!({"gameId": game, "vertex": 20}));
}

#[test]
fn the_main_line_is_the_game_as_it_was_played() {
    let desk = Desk::new();
    let (game, _) = started(&desk, json!({"seats": {"black": null, "white": null}}));
    turn(&desk, &game, Some(0));
    desk.must("take_back", json!({"gameId": game}));
    turn(&desk, &game, Some(40));
    desk.must("resign_play", json!({"gameId": game}));
    let view = desk.must("get_game", json!({"gameId": game}));
    assert_eq!(view["tree"]["moves"], json!([-2, 40, 0]), "what was taken back is a variation");
}

#[test]
fn what_is_played_after_a_take_back_is_the_main_line_at_once() {
    let desk = Desk::new();
    let (game, _) = started(&desk, json!({"seats": {"black": null, "white": null}}));
    turn(&desk, &game, Some(0));
    turn(&desk, &game, Some(8));
    desk.must("take_back", json!({"gameId": game}));
    desk.must("take_back", json!({"gameId": game}));
    let answer = turn(&desk, &game, Some(40));
    assert_eq!(answer["update"]["tree"]["moves"], json!([-2, 40, 0, 8]), "windows hear of it");
    assert_eq!(in_library(&desk)["records"][0]["moves"], 1, "the library has the game as it goes on");
    // Who plays a move again that was taken back goes on there.
    desk.must("take_back", json!({"gameId": game}));
    let answer = turn(&desk, &game, Some(0));
    assert_eq!(answer["update"]["tree"]["moves"], json!([-2, 0, 8, 40]));
    let unchanged = turn(&desk, &game, Some(8));
    assert_eq!(unchanged["update"]["tree"], Value::Null, "nothing is new");
}

#[test]
fn undo_in_the_library_takes_no_moves_of_a_game_away() {
    let desk = Desk::new();
    let (game, _) = started(&desk, json!({"seats": {"black": null, "white": null}}));
    for point in [0, 40, 80] {
        turn(&desk, &game, Some(point));
    }
    let undone = desk.must("undo_library", json!({}));
    assert_eq!(in_library(&desk)["total"], 0, "the saving was taken back: {undone}");
    desk.must("redo_library", json!({}));
    assert_eq!(in_library(&desk)["records"][0]["moves"], 3);
}

#[test]
fn a_second_game_that_begins_alike_leaves_the_first_one_alone() {
    let desk = Desk::new();
    let play = || {
        let (game, _) = started(&desk, json!({"seats": {"black": null, "white": null}}));
        turn(&desk, &game, Some(40));
        desk.must("get_game", json!({"gameId": game}))["recordId"].clone()
    };
    assert_ne!(play(), play());
    assert_eq!(in_library(&desk)["total"], 2);
}

#[test]
fn a_game_that_was_saved_to_a_file_asks_whether_the_file_shall_have_its_other_moves() {
    let desk = Desk::new();
    let (game, _) = started(&desk, json!({"seats": {"black": null, "white": null}}));
    turn(&desk, &game, Some(40));
    let path = desk.path("club.sgf");
    desk.must("save_file", json!({"gameId": game, "path": path, "evaluations": false}));
    desk.forget_events();
    turn(&desk, &game, Some(0));
    assert_eq!(desk.must("get_game", json!({"gameId": game}))["modified"], true);
    let kept = desk.wait_for(|event| match event {
        Event::GameKept(kept) => Some(kept.clone()),
        _ => None,
    });
    assert!(!kept.saved, "windows hear where the record is, and that the file lacks moves");
    assert_eq!(in_library(&desk)["records"][0]["moves"], 2, "the library has every move");
    let close =
        |changes: &str| desk.must("close_game", json!({"gameId": game, "changes": changes}))["question"].clone();
    assert_eq!(close("ask"), json!({"kind": "changes", "place": {"kind": "file", "name": "club.sgf"}}));
    assert_eq!(close("save"), Value::Null);
    assert!(std::fs::read_to_string(&path).unwrap().contains(";B[ee];W[aa]"));
}

#[test]
fn a_game_is_named_after_its_opponent_and_dated() {
    let desk = Desk::new();
    let nobody = json!({"black": "", "white": "", "minutesAhead": 0});
    for (opponent, person, side, name) in [
        ("easy", "black", "white", "Honinbo easy"),
        ("pupil_2", "black", "white", "Honinbo pupil 2"),
        ("rank_20k+territorial+adaptive", "white", "black", "Honinbo 20k"),
        ("rated", "black", "white", "Honinbo 10k"),
    ] {
        let (game, _) = started(&desk, json!({"seats": {person: null, side: opponent}, "game": nobody}));
        let info = &desk.must("get_game", json!({"gameId": game}))["info"];
        assert_eq!((&info[side], &info[person], &info["date"]), (&json!(name), &json!(""), &json!("2023-11-14")));
    }
    let (game, _) = started(&desk, json!({"seats": {"white": "easy"}, "game": {"white": "Someone"}}));
    assert_eq!(desk.must("get_game", json!({"gameId": game}))["info"]["white"], "Someone");
}

#[test]
fn a_game_is_played_once_more_with_either_colour() {
    let desk = Desk::new();
    let clock = json!({"kind": "byoYomi", "mainSeconds": 300.0, "periodSeconds": 20.0, "stones": 0, "periods": 3});
    let (game, _) = started(&desk, json!({"seats": {"white": "easy"}, "clock": clock, "teaching": 5.0}));
    assert!(desk.give("rematch", json!({"gameId": game, "otherColor": false})).is_err(), "it is not over");
    desk.must("resign_play", json!({"gameId": game}));
    let again = desk.must("rematch", json!({"gameId": game, "otherColor": false}));
    assert_ne!(again["game"]["gameId"], json!(game));
    let (info, play) = (&again["game"]["info"], &again["play"]);
    assert_eq!((&info["black"], &info["komi"], &info["rules"]), (&json!("Anna"), &json!(7.5), &json!("chinese")));
    assert_eq!((&play["seats"], &play["teaching"]), (&json!({"black": null, "white": "easy"}), &json!(5.0)));
    let clock = |play: &serde_json::Value| {
        let left = &play["clocks"]["white"];
        (left["mainSeconds"].clone(), left["periods"].clone(), left["stones"].clone())
    };
    assert_eq!(clock(play), (json!(300.0), json!(3), json!(0)));
    let canadian = json!({"kind": "canadian", "mainSeconds": 60.0, "periodSeconds": 300.0, "stones": 25, "periods": 0});
    let (_, play) = started(&desk, json!({"seats": {"white": "easy"}, "clock": canadian}));
    assert_eq!(clock(&play), (json!(60.0), json!(0), json!(25)));
    desk.must("resign_play", json!({"gameId": again["game"]["gameId"]}));
    let other = desk.must("rematch", json!({"gameId": again["game"]["gameId"], "otherColor": true}));
    let seats = json!({"black": "easy", "white": null});
    assert_eq!((&other["play"]["seats"], &other["game"]["info"]["white"]), (&seats, &json!("Anna")));
}

#[test]
fn a_name_that_is_said_late_is_given_to_the_games_played_so_far_open_or_not() {
    let desk = Desk::new();
    let nameless = json!({"game": {"black": "", "white": ""}});
    let (over, _) = started(&desk, nameless.clone());
    turn(&desk, &over, Some(40));
    opponent_moved(&desk);
    desk.must("resign_play", json!({"gameId": over}));
    let (closed, _) = started(&desk, nameless.clone());
    turn(&desk, &closed, Some(40));
    opponent_moved(&desk);
    desk.must("resign_play", json!({"gameId": closed}));
    desk.must("close_game", json!({"gameId": closed}));
    let (unplayed, _) = started(&desk, nameless);
    let (two, _) = started(&desk, json!({"game": {"black": "", "white": "Ben"}, "seats": {"white": null}}));

    desk.must("name_person", json!({"name": "Aya"}));
    for game in [&over, &unplayed] {
        let view = desk.must("get_game", json!({"gameId": game}));
        assert_eq!((&view["info"]["black"], &view["info"]["white"]), (&json!("Aya"), &json!("Honinbo medium")));
    }
    assert_eq!(desk.must("get_game", json!({"gameId": over}))["modified"], false, "the library has the name");
    assert_eq!(desk.must("get_game", json!({"gameId": two}))["info"]["black"], "");
    let records = in_library(&desk)["records"].as_array().unwrap().clone();
    assert_eq!(records.iter().map(|record| record["black"].as_str().unwrap()).collect::<Vec<_>>(), ["Aya", "Aya"]);
}

#[test]
fn a_rated_game_is_played_once_more_with_the_usual_komi_whatever_its_record_says() {
    let desk = Desk::new();
    let (game, _) = started(&desk, json!({"seats": {"white": "rated"}, "game": {"white": ""}}));
    desk.must("resign_play", json!({"gameId": game}));
    let mut info = desk.must("get_game", json!({"gameId": game}))["info"].clone();
    info["komi"] = json!(0.5);
    desk.must("set_game_info", json!({"gameId": game, "info": info}));
    let again = desk.must("rematch", json!({"gameId": game, "otherColor": false}));
    assert_eq!((&again["game"]["info"]["komi"], &again["play"]["rated"]), (&json!(7.5), &json!(true)));
}

#[test]
fn a_game_that_is_played_is_of_the_day_where_the_person_is() {
    let desk = Desk::new();
    // It is 22:13 in Greenwich.
    let date = |minutes: serde_json::Value| {
        let game = json!({"width": 9, "height": 9, "rules": "chinese", "komi": 7, "handicap": 0, "black": "", "white": "",
            "minutesAhead": minutes});
        desk.must("new_game", game.clone())["info"]["date"].clone()
    };
    assert_eq!([json!(0), json!(120), json!(null)].map(date), ["2023-11-14", "2023-11-15", ""]);
    let (game, _) = started(&desk, json!({}));
    desk.must("resign_play", json!({"gameId": game}));
    let again = desk.must("rematch", json!({"gameId": game, "otherColor": false, "minutesAhead": 540}));
    assert_eq!(again["game"]["info"]["date"], "2023-11-15");
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let desk = Desk::new();
    let clock = json!({"kind": "absolute", "mainSeconds": 0.2, "periodSeconds": 0, "stones": 0, "periods": 0});
    let (game, play) = started(&desk, json!({"clock": clock}));
    assert_eq!(play["clocks"]["running"], "black");
    let news = desk.wait_for(|event| match event {
        Event::Play(news) if news.play.result.is_some() => Some(PlayNews::clone(news)),
        _ => None,
    });
    assert_eq!(news.play.result.as_deref(), Some("W+T"));
    assert!(desk.give("play_turn", json!({"gameId": game, "vertex": 5, "insist": true})).is_err());
    let clock = json!({"kind": "byoYomi", "mainSeconds": 0, "periodSeconds": 0, "stones": 0, "periods": 3});
    let wanted = json!({
        "game": {"width": 9, "height": 9, "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": ""},
        "seats": {"black": null, "white": null}, "clock": clock, "teaching": null,
    });
    assert!(matches!(desk.give("start_play", wanted), Err(ApiError::InvalidRequest { .. })));
}

/// Two persons with a clock that stands unless the test moves it on.
fn under_a_clock(desk: &Desk, seconds: u32) -> String {
    desk.stop_clock();
    let clock = json!({"kind": "absolute", "mainSeconds": seconds, "periodSeconds": 0, "stones": 0, "periods": 0});
    started(desk, json!({"seats": {"black": null, "white": null}, "clock": clock})).0
}

/// Whose clock runs, and the seconds of Black and White.
fn times(play: &Value) -> (Value, Value, Value) {
    let clocks = &play["clocks"];
    let of = |color: &str| clocks[color]["mainSeconds"].clone();
    (clocks["running"].clone(), of("black"), of("white"))
}

#[test]
fn a_loss_on_time_that_is_taken_back_leaves_time_to_play_on() {
    let desk = Desk::new();
    let game = under_a_clock(&desk, 4);
    let this = json!({"gameId": game});
    for point in [40, 41] {
        desk.sleep_for(1);
        turn(&desk, &game, Some(point));
    }
    desk.sleep_for(4);
    assert_eq!(desk.must("get_play", this.clone())["result"], "W+T");
    let answer = desk.must("take_back", this.clone());
    assert_eq!(answer["play"]["result"], Value::Null);
    assert_eq!(times(&answer["play"]), (json!("white"), json!(3.0), json!(3.0)));
    desk.sleep_for(1);
    assert_eq!(times(&turn(&desk, &game, Some(42))["play"]), (json!("black"), json!(3.0), json!(2.0)));
    desk.sleep_for(2);
    assert_eq!(desk.must("get_play", this)["result"], Value::Null);
}

#[test]
fn whoever_is_to_move_after_a_take_back_or_a_count_has_the_clock() {
    let desk = Desk::new();
    let game = under_a_clock(&desk, 20);
    let this = json!({"gameId": game});
    desk.sleep_for(1);
    turn(&desk, &game, Some(40));
    desk.sleep_for(2);
    turn(&desk, &game, Some(41));
    desk.sleep_for(1);
    // What was thought about a move that is taken back stays spent.
    let answer = desk.must("take_back", this.clone());
    assert_eq!(times(&answer["play"]), (json!("white"), json!(18.0), json!(18.0)));
    desk.sleep_for(2);
    turn(&desk, &game, None);
    let counting = turn(&desk, &game, None);
    assert_eq!(times(&counting["play"]), (Value::Null, json!(18.0), json!(16.0)));
    desk.sleep_for(3);
    let answer = desk.must("continue_play", this.clone());
    assert_eq!(times(&answer["play"]), (json!("white"), json!(18.0), json!(16.0)), "counting is nobody's time");
    desk.sleep_for(1);
    assert_eq!(times(&desk.must("get_play", this)), (json!("white"), json!(18.0), json!(15.0)));
}

#[test]
fn a_move_that_is_taken_back_takes_its_increment_along() {
    let desk = Desk::new();
    desk.stop_clock();
    let clock = json!({"kind": "fischer", "mainSeconds": 10, "periodSeconds": 10, "stones": 0, "periods": 0});
    let (game, _) = started(&desk, json!({"seats": {"black": null, "white": null}, "clock": clock}));
    for left in [9.0, 8.0] {
        desk.sleep_for(1);
        turn(&desk, &game, Some(40));
        let answer = desk.must("take_back", json!({"gameId": game}));
        assert_eq!(times(&answer["play"]), (json!("black"), json!(left), json!(10.0)));
    }
}

#[test]
fn a_pause_is_nobodys_time_and_ends_with_the_next_move() {
    // All of it is less than what a watch that comes late on a busy machine takes for sleep.
    let desk = Desk::new();
    let game = under_a_clock(&desk, 60);
    let pause = |paused: bool| desk.must("pause_play", json!({"gameId": game, "paused": paused}));
    desk.sleep_for(1);
    assert_eq!(times(&pause(true)), (Value::Null, json!(59.0), json!(60.0)));
    desk.sleep_for(1);
    assert_eq!(times(&pause(true)), (Value::Null, json!(59.0), json!(60.0)), "once more changes nothing");
    assert_eq!(times(&pause(false)), (json!("black"), json!(59.0), json!(60.0)));
    desk.sleep_for(1);
    assert_eq!(times(&pause(true)), (Value::Null, json!(58.0), json!(60.0)));
    desk.sleep_for(1);
    assert_eq!(times(&turn(&desk, &game, Some(40))["play"]), (json!("white"), json!(58.0), json!(60.0)));
    desk.sleep_for(1);
    assert_eq!(times(&pause(true)), (Value::Null, json!(58.0), json!(59.0)));
}

#[test]
fn no_clock_of_a_rated_game_stands_nor_one_of_a_game_that_is_over() {
    let desk = Desk::new();
    let clock = json!({"kind": "absolute", "mainSeconds": 600, "periodSeconds": 0, "stones": 0, "periods": 0});
    let pause = |game: &str| desk.give("pause_play", json!({"gameId": game, "paused": true})).unwrap_err();
    let (rated, _) = started(&desk, json!({"seats": {"white": "rated"}, "game": {"white": ""}, "clock": clock}));
    assert!(matches!(pause(&rated), ApiError::InvalidRequest { message } if message.contains("rated")));
    let (without, _) = started(&desk, json!({}));
    assert!(matches!(pause(&without), ApiError::InvalidRequest { message } if message.contains("without clocks")));
    let (over, _) = started(&desk, json!({"clock": clock}));
    desk.must("resign_play", json!({"gameId": over}));
    assert!(matches!(pause(&over), ApiError::InvalidRequest { message } if message.contains("over")));
}

/// Three kos: whoever retakes one leaves the others open, and nobody can win all of them.
#[test]
fn a_triple_ko_under_japanese_rules_ends_without_a_result() {
    let desk = Desk::new();
    let board = json!({"width": 4, "height": 11, "rules": "japanese", "komi": 6.5});
    let (game, _) = started(&desk, json!({"seats": {"black": null, "white": null}, "game": board}));
    let rows = [".XO.", "XO.O", ".XO.", "....", ".XO.", "X.XO", ".XO.", "....", ".XO.", "XO.O", ".XO."].concat();
    let stones =
        |wanted: char| (0_u16..).zip(rows.chars()).filter(move |(_, stone)| *stone == wanted).map(|(at, _)| at);
    let (black, white): (Vec<u16>, Vec<u16>) = (stones('X').collect(), stones('O').collect());
    assert_eq!((black.len(), white.len()), (10, 11));
    let black = black.into_iter().map(Some).chain([None]);
    for (own, other) in black.zip(white) {
        turn(&desk, &game, own);
        turn(&desk, &game, Some(other));
    }
    let round = [6, 21, 38, 5, 22, 37];
    for point in round {
        assert_eq!(turn(&desk, &game, Some(point))["play"]["result"], Value::Null);
    }
    let answers: Vec<Value> = round.map(|point| turn(&desk, &game, Some(point))).to_vec();
    let play = &answers[5]["play"];
    assert_eq!((&play["result"], &play["counting"], &play["toMove"]), (&json!("Void"), &json!(false), &Value::Null));
    assert!(record(&desk, &game).contains("RE[Void]"));
    assert!(desk.give("settle_play", json!({"game": {"gameId": game}, "dead": []})).is_err(), "nothing is counted");
}

#[test]
fn the_record_of_a_game_with_clocks_tells_them() {
    let desk = Desk::new();
    desk.stop_clock();
    let two = |clock: Value| started(&desk, json!({"seats": {"black": null, "white": null}, "clock": clock})).0;
    let sgf = |game: &str| desk.must("export_sgf", json!({"gameId": game}))["sgf"].as_str().unwrap().to_owned();
    let game = two(json!({"kind": "byoYomi", "mainSeconds": 4, "periodSeconds": 5, "stones": 0, "periods": 3}));
    turn(&desk, &game, Some(40));
    desk.sleep_for(6);
    turn(&desk, &game, Some(20));
    let written = sgf(&game);
    for part in ["TM[4]", "OT[3x5 byo-yomi]", ";B[ee]BL[4];W[cc]WL[5]OW[3]"] {
        assert!(written.contains(part), "{part}: {written}");
    }
    let game = two(json!({"kind": "canadian", "mainSeconds": 0, "periodSeconds": 10, "stones": 5, "periods": 0}));
    turn(&desk, &game, Some(40));
    let written = sgf(&game);
    for part in ["TM[0]", "OT[5/10 Canadian]", ";B[ee]BL[10]OB[4]"] {
        assert!(written.contains(part), "{part}: {written}");
    }
    let game = two(json!({"kind": "absolute", "mainSeconds": 60, "periodSeconds": 0, "stones": 0, "periods": 0}));
    turn(&desk, &game, Some(40));
    let written = sgf(&game);
    assert!(written.contains("TM[60]") && written.contains(";B[ee]BL[60])") && !written.contains("OT["), "{written}");
}

/// The window showed 0.0 from the end of the main time on, until the game was lost.
#[test]
fn a_period_that_begins_is_told_although_nobody_moves() {
    let desk = Desk::new();
    desk.stop_clock();
    let clock = json!({"kind": "byoYomi", "mainSeconds": 4, "periodSeconds": 5, "stones": 0, "periods": 3});
    let (_, play) = started(&desk, json!({"seats": {"black": null, "white": null}, "clock": clock}));
    assert_eq!(play["clocks"]["running"], "black");
    // The end of the main time, and a second after that of the first period.
    for (seconds, left) in [(4, (Some(5.0), 3)), (6, (Some(4.0), 2))] {
        desk.forget_events();
        desk.sleep_for(seconds);
        let told = desk.wait_for(|event| match event {
            Event::Play(news) => news.play.clocks,
            _ => None,
        });
        let period = told.black.period_seconds.map(honinbo_api::Finite::get);
        assert_eq!((period, told.black.periods), left);
    }
}

/// Where the system's clock runs on in sleep, a lid that was closed overnight lost the game on time.
#[test]
fn a_machine_that_slept_costs_nobody_time() {
    let desk = Desk::new();
    let clock = json!({"kind": "absolute", "mainSeconds": 60, "periodSeconds": 0, "stones": 0, "periods": 0});
    let (game, play) = started(&desk, json!({"clock": clock}));
    assert_eq!(play["clocks"]["running"], "black");
    desk.forget_events();
    desk.sleep_for(8 * 3600);
    let news = desk.wait_for(|event| match event {
        Event::Play(news) => Some(PlayNews::clone(news)),
        _ => None,
    });
    assert_eq!(news.play.result, None);
    let left = news.play.clocks.unwrap().black.main_seconds.get();
    assert!(left > 0.0 && left <= 60.0, "{left}");
    turn(&desk, &game, Some(40));
}

#[test]
fn who_is_to_move_may_ask_what_the_engine_would_play() {
    let desk = Desk::new();
    let (game, _) = started(&desk, json!({"game": {"handicap": 2}, "seats": {"black": "medium", "white": null}}));
    let asked = json!({"gameId": game, "visits": 20, "seconds": 3});
    let reply = desk.must("run", asked.clone());
    assert_eq!(reply["visits"], 20);
    // Two stones that a board without moves would not call a handicap: White is to move, and gets no points for them.
    let board = desk.must("get_game", json!({"gameId": game}))["position"]["stones"].clone();
    let free = (1..=9).flat_map(|y| (1..=9).map(move |x| (x, y))).filter(|(x, y)| board[(y - 1) * 9 + x - 1] == 0);
    let at = |place: &Value| (place["x"].as_u64().unwrap() as usize, place["y"].as_u64().unwrap() as usize);
    let free: Vec<(usize, usize)> = free.collect();
    assert_eq!(free.len(), 79);
    for candidate in reply["candidates"].as_array().unwrap() {
        assert!(candidate["move"]["pass"] == true || free.contains(&at(&candidate["move"])), "{candidate}");
    }
    // A game without opponents stands open to the question, but not while its result is agreed on.
    let (game, _) = started(&desk, json!({"seats": {"black": null, "white": null}}));
    let asked = json!({"gameId": game, "visits": 5});
    turn(&desk, &game, None);
    desk.must("run", asked.clone());
    turn(&desk, &game, None);
    assert!(matches!(desk.give("run", asked), Err(ApiError::InvalidRequest { .. })));
    let opened = desk.must("open_content", json!({"name": "a.sgf", "base64": "KDtHTVsxXVNaWzldO0JbZWVdKQ=="}));
    let reply = desk.must("run", json!({"gameId": opened["gameId"], "visits": 5}));
    assert_eq!(reply["visits"], 5, "a game that nobody plays");
}

#[test]
fn a_teacher_asks_before_a_move_that_loses_stands() {
    let desk = Desk::new();
    // The uniform network thinks every position a little different: some point loses half a point or more.
    let (game, _) = started(&desk, json!({"teaching": 0.5, "seats": {"black": null, "white": null}}));
    let asked = (0..81).find_map(|point| {
        let answer = turn(&desk, &game, Some(point));
        if answer["warning"].is_null() {
            desk.must("take_back", json!({"gameId": game}));
            return None;
        }
        Some((point, answer))
    });
    let (point, answer) = asked.expect("no move of all was asked about");
    assert!(answer["warning"]["points"].as_f64().unwrap() >= 0.5);
    assert_eq!(
        (&answer["warning"]["vertex"], &answer["update"]),
        (&json!(point), &Value::Null),
        "it does not stand yet"
    );
    let answer = desk.must("play_turn", json!({"gameId": game, "vertex": point, "insist": true}));
    assert_eq!(answer["update"]["position"]["moveNumber"], 1);
}

#[test]
fn the_time_that_a_teacher_takes_is_nobodys() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, gate) = Desk::held(folder.path(), UniformEvaluator::default());
    desk.stop_clock();
    let game_of = |teaching: f64, seconds: u32| {
        let clock = json!({"kind": "absolute", "mainSeconds": seconds, "periodSeconds": 0, "stones": 0, "periods": 0});
        started(&desk, json!({"teaching": teaching, "seats": {"black": null, "white": null}, "clock": clock})).0
    };
    let clocks = |game: &str| desk.must("get_play", json!({"gameId": game}))["clocks"].clone();
    // No move loses as much: it stands, as of when it was made.
    let game = game_of(100.0, 2);
    desk.sleep_for(1);
    let answer = std::thread::scope(|scope| {
        let judged = scope.spawn(|| turn(&desk, &game, Some(40)));
        let begun = Instant::now();
        while !clocks(&game)["running"].is_null() {
            assert!(begun.elapsed() < Duration::from_secs(60), "the clock runs on");
            std::thread::sleep(Duration::from_millis(5));
        }
        desk.sleep_for(5);
        assert_eq!(clocks(&game)["black"]["mainSeconds"], 1.0);
        gate.allow(None);
        judged.join().unwrap()
    });
    let after = &answer["play"]["clocks"];
    assert_eq!((&after["black"]["mainSeconds"], &after["running"]), (&json!(1.0), &json!("white")), "{answer}");
    // Who is asked whether the move shall stand has the move, and the time goes on.
    let game = game_of(0.5, 100);
    let asked = (0..81).find_map(|point| {
        let answer = turn(&desk, &game, Some(point));
        if answer["warning"].is_null() {
            desk.must("take_back", json!({"gameId": game}));
            return None;
        }
        Some(answer)
    });
    let asked = asked.expect("no move of all was asked about");
    assert_eq!(asked["play"]["clocks"]["running"], "black");
    desk.sleep_for(1);
    assert_eq!(clocks(&game)["black"]["mainSeconds"], 99.0);
}

#[cfg(unix)]
#[test]
fn an_engine_that_crashes_is_answered_for_in_the_same_turn() {
    let desk = Desk::new();
    let script = desk.path("crashes.sh");
    std::fs::write(
        &script,
        "while read -r id command rest; do case $command in\nprotocol_version) echo \"=$id 2\";;\ngenmove) exit 7;;\n*) echo \"=$id\";;\nesac; echo; done",
    )
    .unwrap();
    let text = format!("engines:\n  crashes: {{ command: \"sh '{}'\" }}\n", script.display());
    std::fs::write(desk.path("data").join("engines.yaml"), text).unwrap();
    let (game, _) = started(&desk, json!({"seats": {"white": "crashes"}}));
    turn(&desk, &game, Some(0));
    let news = opponent_moved(&desk);
    assert_eq!(news.update.unwrap().position.move_number, 2, "the game goes on");
    assert!(news.notice.unwrap().contains("status 7"));
}

/// An engine of `engines.yaml` in `sh`: what it does when it is started, and when it is asked for a move.
#[cfg(unix)]
pub(crate) fn with_engine(desk: &Desk, at_start: &str, genmove: &str) {
    let script = desk.path("engine.sh");
    let body = format!(
        "{at_start}\nwhile read -r id command color rest; do case $command in\nprotocol_version) echo \"=$id 2\";;\n\
         list_commands) echo \"=$id time_left\";;\ngenmove) {genmove};;\n*) echo \"=$id\";;\nesac; echo; done"
    );
    std::fs::write(&script, body).unwrap();
    let text = format!("engines:\n  engine: {{ command: \"sh '{}'\", timeout: 3600 }}\n", script.display());
    std::fs::write(desk.path("data").join("engines.yaml"), text).unwrap();
}

/// Waits until a test's engine has made a file.
#[cfg(unix)]
pub(crate) fn wait_for_file(path: &Path) {
    let begun = Instant::now();
    while !path.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "there is no {}", path.display());
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until the programs whose numbers are in the file, one a line, are gone.
#[cfg(unix)]
pub(crate) fn wait_until_gone(pid_file: &Path) {
    let pid = std::fs::read_to_string(pid_file).unwrap().trim().replace('\n', ",");
    let is_there = || {
        let listed = std::process::Command::new("ps").args(["-o", "stat=", "-p", &pid]).output().unwrap().stdout;
        listed.iter().any(|letter| !letter.is_ascii_whitespace() && *letter != b'Z')
    };
    let begun = Instant::now();
    while is_there() {
        assert!(begun.elapsed() < Duration::from_secs(60), "program {pid} is still there");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A program that ponders would go on beside every game that is played after it.
#[cfg(unix)]
#[test]
fn the_engine_of_a_game_that_is_over_ends_and_is_started_again_where_the_game_goes_on() {
    let desk = Desk::new();
    let pid = desk.path("pid");
    with_engine(&desk, &format!("echo $$ > '{}'", pid.display()), "echo \"=$id pass\"");
    let (game, _) = started(&desk, json!({"seats": {"white": "engine"}}));
    turn(&desk, &game, Some(40));
    opponent_moved(&desk);
    desk.must("resign_play", json!({"gameId": game}));
    wait_until_gone(&pid);
    desk.must("take_back", json!({"gameId": game}));
    desk.forget_events();
    turn(&desk, &game, Some(0));
    assert_eq!(opponent_moved(&desk).notice, None, "it answers itself");
    // Both pass, and the count is agreed on.
    assert_eq!(turn(&desk, &game, None)["play"]["counting"], true);
    desk.must("settle_play", json!({"game": {"gameId": game}, "dead": []}));
    wait_until_gone(&pid);
}

/// Reading a large network took an engine's main time, and the clock that it was told was that of before.
#[cfg(unix)]
#[test]
fn an_engine_is_started_on_nobodys_time_and_told_what_is_left_then() {
    let desk = Desk::new();
    desk.stop_clock();
    let (ready, told) = (desk.path("ready"), desk.path("told"));
    let genmove =
        format!("echo \"=$id pass\";;\ntime_left) echo \"$color $rest\" >> '{}'; echo \"=$id\"", told.display());
    with_engine(&desk, &format!("while [ ! -e '{}' ]; do sleep 0.05; done", ready.display()), &genmove);
    let clock = json!({"kind": "absolute", "mainSeconds": 60, "periodSeconds": 0, "stones": 0, "periods": 0});
    let (game, _) = started(&desk, json!({"seats": {"white": "engine"}, "clock": clock}));
    turn(&desk, &game, Some(40));
    desk.wait_for(|event| match event {
        Event::Play(news) if news.play.starting => news.play.clocks.filter(|clocks| clocks.running.is_none()),
        _ => None,
    });
    desk.sleep_for(10);
    std::fs::write(&ready, "").unwrap();
    let clocks = opponent_moved(&desk).play.clocks.unwrap();
    assert_eq!((clocks.white.main_seconds.get(), clocks.running), (60.0, Some(honinbo_api::Side::Black)));
    let told = std::fs::read_to_string(told).unwrap();
    assert!(told.lines().any(|line| line == "white 60 0"), "{told}");
}

/// With and without a clock, and no longer than its entry allows.
#[cfg(unix)]
#[test]
fn an_engine_that_never_answers_its_start_is_said_to_start_and_given_up() {
    let desk = Desk::new();
    with_engine(&desk, "sleep 10000", "echo \"=$id pass\"");
    let file = desk.path("data").join("engines.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("timeout: 3600", "timeout: 3600, start_timeout: 0.5")).unwrap();
    let (game, _) = started(&desk, json!({"seats": {"white": "engine"}}));
    turn(&desk, &game, Some(40));
    desk.wait_for(|event| matches!(event, Event::Play(news) if news.play.starting).then_some(()));
    let news = opponent_moved(&desk);
    assert!(!news.play.starting && news.notice.is_some_and(|notice| notice.contains("0.5")), "{:?}", news.play);
}

#[cfg(unix)]
#[test]
fn an_engine_at_its_turn_ends_with_its_game_and_with_the_program() {
    for ends in ["close_game", "stop_play", "resign_play", "shut down"] {
        let desk = Desk::new();
        let (pid, asked) = (desk.path("pid"), desk.path("asked"));
        with_engine(
            &desk,
            &format!("echo $$ > '{}'", pid.display()),
            &format!(": > '{}'; sleep 10000", asked.display()),
        );
        let (game, _) = started(&desk, json!({"seats": {"white": "engine"}}));
        turn(&desk, &game, Some(40));
        wait_for_file(&asked);
        match ends {
            "shut down" => desk.app.shut_down(),
            command => drop(desk.must(command, json!({"gameId": game}))),
        }
        wait_until_gone(&pid);
    }
}

/// The opponent was at its turn when the move that it thought about was taken back, or the game was given up.
#[cfg(unix)]
#[test]
fn an_answer_that_comes_too_late_is_nobodys() {
    for ends in ["take_back", "resign_play"] {
        let desk = Desk::new();
        let (asked, answers) = (desk.path("asked"), desk.path("answers"));
        // The first answer waits for the test; later ones come at once.
        let genmove = format!(
            "if [ -e '{asked}' ]; then echo \"=$id J9\"; else : > '{asked}'; \
             while [ ! -e '{answers}' ]; do sleep 0.05; done; echo \"=$id A1\"; fi",
            asked = asked.display(),
            answers = answers.display()
        );
        with_engine(&desk, ":", &genmove);
        let (game, _) = started(&desk, json!({"seats": {"white": "engine"}}));
        turn(&desk, &game, Some(40));
        wait_for_file(&asked);
        desk.must(ends, json!({"gameId": game}));
        if ends == "resign_play" {
            desk.must("take_back", json!({"gameId": game}));
        }
        desk.forget_events();
        std::fs::write(&answers, "").unwrap();
        turn(&desk, &game, Some(0));
        let news = opponent_moved(&desk);
        let position = news.update.unwrap().position;
        let stones = [0, 8, 40, 72].map(|point: usize| position.stones[point]);
        assert_eq!((position.move_number, stones), (2, [1, -1, 0, 0]), "{ends}");
    }
}

#[cfg(unix)]
#[test]
fn engines_are_tried_out_before_they_are_kept() {
    let desk = Desk::new();
    let script = desk.path("good.sh");
    std::fs::write(
        &script,
        "while read -r id command rest; do case $command in\nprotocol_version) echo \"=$id 2\";;\nname) echo \"=$id Good\";;\ngenmove) echo \"=$id E5\";;\n*) echo \"=$id\";;\nesac; echo; done",
    )
    .unwrap();
    let command = format!("sh '{}'", script.display());
    let found = desk.must("test_engine", json!({"command": command}));
    assert_eq!((&found["name"], &found["firstMove"]), (&json!("Good"), &json!("E5")));
    desk.must("add_engine", json!({"name": "good one", "command": command}));
    let answer = desk.must("list_opponents", json!({}));
    assert_eq!(answer["opponents"][39]["id"], "good one");
    let again = desk.give("add_engine", json!({"name": "good one", "command": command})).unwrap_err();
    assert!(matches!(again, ApiError::InvalidRequest { .. }), "{again}");
    assert!(again.to_string().contains("an opponent named `good one`"), "{again}");
    // It is changed where it is, and then taken away.
    let spaced = format!("sh \"{}\" \"two words\"", script.display());
    desk.must("change_engine", json!({"engine": "good one", "name": "better one", "command": spaced}));
    let answer = desk.must("list_opponents", json!({}));
    let listed = |answer: &Value| answer["opponents"].as_array().unwrap().len();
    assert_eq!((&answer["opponents"][39]["id"], listed(&answer)), (&json!("better one"), 40));
    assert_eq!(
        answer["opponents"][39]["command"],
        format!("sh {} \"two words\"", script.display()),
        "as it is typed, so that it can be changed again"
    );
    assert_eq!(answer["mayChange"], true);
    assert!(answer["file"].as_str().unwrap().ends_with("engines.yaml"), "{answer}");
    let gone = desk.give("remove_engine", json!({"name": "good one"})).unwrap_err();
    assert!(gone.to_string().contains("no engine named"), "{gone}");
    desk.must("remove_engine", json!({"name": "better one"}));
    assert_eq!(listed(&desk.must("list_opponents", json!({}))), 39);
    let missing = desk.give("test_engine", json!({"command": "no-such-program-here"})).unwrap_err();
    assert!(matches!(missing, ApiError::EngineUnavailable { .. }), "{missing}");
    // A browser may not start programs on the server.
    let browser = Desk::without_paths();
    for (asked, args) in [
        ("test_engine", json!({"command": command})),
        ("add_engine", json!({"name": "good one", "command": command})),
        ("remove_engine", json!({"name": "good one"})),
    ] {
        let refused = browser.give(asked, args).unwrap_err();
        assert!(matches!(refused, ApiError::NotPossibleHere { .. }), "{asked}: {refused}");
    }
    assert_eq!(browser.must("list_opponents", json!({}))["mayChange"], false);
}

#[cfg(unix)]
#[test]
fn the_trial_of_a_program_that_says_nothing_is_called_off_and_ends_it() {
    let desk = Desk::new();
    let (script, runs) = (desk.path("silent"), desk.path("runs"));
    let lines = format!("#!/bin/sh\necho $$ > '{0}.new'\nmv '{0}.new' '{0}'\nexec sleep 600\n", runs.display());
    std::fs::write(&script, lines).unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    // GTP, and the JSON of KataGo's analysis engine.
    for (asked, protocol) in [("test_engine", ""), ("add_engine", ""), ("add_engine", "analysis")] {
        let line = format!("'{}' {protocol}", script.display());
        let answer = std::thread::scope(|scope| {
            let trial = scope.spawn(|| desk.give(asked, json!({"name": "silent", "command": line})));
            wait_for_file(&runs);
            desk.must("cancel_trial", json!({}));
            trial.join().unwrap()
        });
        assert!(matches!(answer, Err(ApiError::Cancelled)), "{asked} {protocol}: {answer:?}");
        wait_until_gone(&runs);
        std::fs::remove_file(&runs).unwrap();
    }
    assert_eq!(desk.must("list_opponents", json!({}))["opponents"].as_array().unwrap().len(), 39);
}

#[test]
fn a_game_that_is_closed_is_played_no_more() {
    let desk = Desk::new();
    let (game, _) = started(&desk, json!({"seats": {"white": "hard"}}));
    turn(&desk, &game, Some(0));
    desk.must("close_game", json!({"gameId": game}));
    assert!(matches!(desk.give("get_play", json!({"gameId": game})), Err(ApiError::NotFound { .. })));
    for wrong in [
        json!({"seats": {"white": "nobody"}}),
        json!({"seats": {"black": "easy", "white": "rated"}}),
        json!({"pace": 61}),
        json!({"teaching": 0}),
        json!({"game": {"width": 99}}),
    ] {
        let mut wanted = json!({
            "game": {"width": 9, "height": 9, "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": ""},
            "seats": {"black": null, "white": "easy"}, "clock": null, "teaching": null,
        });
        for (key, value) in wrong.as_object().unwrap() {
            match (&mut wanted[key], value) {
                (Value::Object(old), Value::Object(new)) => old.extend(new.clone()),
                (old, new) => *old = new.clone(),
            }
        }
        assert!(matches!(desk.give("start_play", wanted), Err(ApiError::InvalidRequest { .. })), "{wrong}");
    }
}

#[test]
fn the_torus_is_played_on_too() {
    let desk = Desk::new();
    for opponent in ["easy", "medium", "hard", "custom"] {
        desk.forget_events();
        let board = json!({"width": 7, "height": 7, "topology": "torus", "rules": "daoqi", "komi": 4});
        let (game, _) = started(&desk, json!({"seats": {"white": opponent}, "game": board}));
        turn(&desk, &game, Some(0));
        let news = opponent_moved(&desk);
        assert_eq!((news.update.unwrap().position.move_number, news.notice), (2, None), "{opponent}");
    }
}

#[test]
fn run_answers_as_a_level_plays() {
    let desk = Desk::new();
    let board = vec![vec![0; 9]; 9];
    let run = |level: &str| desk.must("run", json!({"board": board, "color": "black", "level": level}));
    let reply = run("medium");
    assert_eq!((&reply["visits"], reply.get("note")), (&json!(0), None));
    assert!(reply["move"]["x"].as_u64().is_some());
    let reply = run("hard");
    assert!(reply["visits"].as_u64().unwrap() > 0 && reply["network"] == "uniform", "{reply}");
    assert!(!reply["candidates"].as_array().unwrap().is_empty());
    for level in ["pupil_1", "pupil_2", "pupil_3", "pupil_4", "pupil_5"] {
        let reply = run(level);
        let candidates = reply["candidates"].as_array().unwrap();
        let has_it = candidates.iter().any(|candidate| candidate["move"] == reply["move"]);
        assert!(has_it && candidates.len() <= 2, "{level}: {reply}");
    }
}

#[test]
fn a_rated_game_meets_somebody_near_and_counts_once() {
    let desk = Desk::new();
    let board = |desk: &Desk| desk.must("rated_progress", json!({}))["boards"][0].clone();
    let before = board(&desk);
    assert_eq!((&before["size"], &before["rating"], &before["deviation"]), (&json!(9), &json!(1500.0), &json!(350.0)));
    assert_eq!((&before["opponent"], &before["games"]), (&json!("rank_10k"), &json!([])));

    let (game, play) = started(&desk, json!({"seats": {"white": "rated"}, "game": {"white": ""}}));
    assert_eq!((&play["seats"]["white"], &play["rated"]), (&json!("rank_10k"), &json!(true)));
    let this = json!({"gameId": game});
    turn(&desk, &game, Some(40));
    opponent_moved(&desk);
    let analysis = json!({"gameId": game, "running": true, "visits": 10, "allow": [], "avoid": [], "candidateOwnership": false, "equal": null});
    for (name, args) in [
        ("take_back", this.clone()),
        ("run", json!({"gameId": game, "visits": 5})),
        ("set_analysis", analysis.clone()),
        ("sweep_game", json!({"gameId": game, "visits": 1})),
        ("score", json!({"gameId": game, "dead": null})),
        ("compare_networks", json!({"gameId": game, "network": "uniform", "visits": 1})),
        ("explore_position", json!({"gameId": game, "filter": {}})),
    ] {
        let answer = desk.give(name, args);
        assert!(matches!(answer, Err(ApiError::InvalidRequest { .. })), "{name}: {answer:?}");
    }
    desk.must("resign_play", this.clone());
    desk.must("set_analysis", analysis);
    let after = board(&desk);
    let games = after["games"].as_array().unwrap();
    assert_eq!((games.len(), &games[0]["score"], &games[0]["opponent"]), (1, &json!(0.0), &json!("rank_10k")));
    assert!(games[0]["record"].is_string(), "{after}");
    assert!(after["rating"].as_f64().unwrap() < 1400.0 && after["deviation"].as_f64().unwrap() < 300.0, "{after}");
    desk.must("stop_play", this);
    assert_eq!(board(&desk), after, "it counts once");

    // Who leaves a game that has begun has lost it.
    let (game, _) = started(&desk, json!({"seats": {"white": "rated"}}));
    turn(&desk, &game, Some(40));
    desk.must("close_game", json!({"gameId": game}));
    assert_eq!(board(&desk)["games"].as_array().unwrap().len(), 2);
    assert_eq!(in_library(&desk)["records"][0]["result"], "W+F", "it is forfeited");
    let (game, _) = started(&desk, json!({"seats": {"white": "rated"}}));
    desk.must("stop_play", json!({"gameId": game}));
    assert_eq!(board(&desk)["games"].as_array().unwrap().len(), 2, "one that has not begun counts for nothing");
}

/// A rank's rating says nothing about the heuristic that moves while no network answers.
#[test]
fn a_rated_game_in_which_somebody_else_moved_for_the_opponent_counts_for_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let error = EvalError::Device { device: "cpu".into(), reason: "it burns".into() };
    let desk = Desk::asking(folder.path(), Arc::new(FailingEvaluator::after(0, error)));
    let (game, play) = started(&desk, json!({"seats": {"white": "rated"}}));
    assert_eq!((&play["rated"], &play["uncounted"]), (&json!(true), &json!(false)));
    turn(&desk, &game, Some(40));
    let news = opponent_moved(&desk);
    assert!(news.notice.is_some());
    assert_eq!((news.play.rated, news.play.uncounted), (true, true));
    assert!(desk.give("take_back", json!({"gameId": game})).is_err(), "there is no help all the same");
    desk.must("resign_play", json!({"gameId": game}));
    assert_eq!(desk.must("get_play", json!({"gameId": game}))["uncounted"], true);
    let progress = desk.must("rated_progress", json!({}));
    assert_eq!(progress["boards"][0]["games"], json!([]));
}

fn rated_scores(desk: &Desk) -> Vec<f64> {
    let games = desk.must("rated_progress", json!({}))["boards"][0]["games"].clone();
    games.as_array().unwrap().iter().map(|game| game["score"].as_f64().unwrap()).collect()
}

#[test]
fn a_rated_game_counts_for_whoever_has_white_too() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, _gate) = Desk::held(folder.path(), UniformEvaluator::default());
    desk.stop_clock();
    // The opponent gets no answer before its time is over.
    let clock = json!({"kind": "byoYomi", "mainSeconds": 0, "periodSeconds": 14, "stones": 0, "periods": 1});
    started(&desk, json!({"seats": {"black": "rated", "white": null}, "clock": clock}));
    desk.sleep_for(14);
    let result = desk.wait_for(|event| match event {
        Event::Play(news) => news.play.result.clone(),
        _ => None,
    });
    assert_eq!((result.as_str(), rated_scores(&desk)), ("W+T", vec![1.0]));
    let (game, _) = started(&desk, json!({"seats": {"black": "rated", "white": null}}));
    assert_eq!(desk.must("resign_play", json!({"gameId": game}))["play"]["result"], "B+R");
    assert_eq!(rated_scores(&desk), [1.0, 0.0]);
}

/// Takes Black to have won long ago, and never wants to pass.
struct BlackHasWon;

impl Evaluator for BlackHasWon {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 4, max: 64 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], _: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let evaluation = |request: &EvalRequest<'_>| {
            let size = request.game.board().size();
            let mut policy = vec![-1.0; size.area() + 1];
            for point in request.game.legal_points() {
                policy[point.index(size)] = 1.0 / size.area() as f32;
            }
            policy[size.area()] = 1e-6;
            Evaluation {
                white_win: 0.01,
                white_loss: 0.99,
                white_score_mean: -60.0,
                white_score_mean_sq: 3700.0,
                white_lead: -60.0,
                policy: policy.into(),
                ..Evaluation::even(size.area() + 1)
            }
        };
        Ok(requests.iter().map(evaluation).collect())
    }
}

/// Plays Black's moves wherever it is possible until the game is over, twelve at most; gives the number of moves and the
/// result.
fn played_by_black(desk: &Desk, extra: Value) -> (u32, Option<String>) {
    let (game, _) = started(desk, extra);
    for _ in 0..12 {
        let legal = desk.must("get_game", json!({"gameId": game}))["position"]["legal"].clone();
        let free = legal.as_array().unwrap().iter().position(|legal| *legal == json!(1)).unwrap();
        desk.forget_events();
        turn(desk, &game, Some(u16::try_from(free).unwrap()));
        let news = opponent_moved(desk);
        assert_eq!(news.notice, None);
        if news.play.result.is_some() {
            break;
        }
    }
    let moves = desk.must("get_game", json!({"gameId": game}))["position"]["moveNumber"].as_u64().unwrap();
    let result = desk.must("get_play", json!({"gameId": game}))["result"].as_str().map(str::to_owned);
    (u32::try_from(moves).unwrap(), result)
}

#[test]
fn an_opponent_without_hope_gives_up_but_not_early_nor_in_a_rated_game() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(BlackHasWon));
    // A fifth of the board's points have been played on, and it is White's turn.
    for opponent in ["rank_9d", "rank_20k"] {
        assert_eq!(
            played_by_black(&desk, json!({"seats": {"white": opponent}})),
            (17, Some("B+R".into())),
            "{opponent}"
        );
    }
    assert_eq!(in_library(&desk)["records"][0]["result"], "B+R");
    let rated = played_by_black(&desk, json!({"seats": {"white": "rated"}, "game": {"white": ""}}));
    assert_eq!(rated, (24, None));
    assert_eq!(played_by_black(&desk, json!({"seats": {"white": "medium"}})), (24, None), "it knows of no chances");
}

#[test]
fn a_position_that_somebody_wants_to_play_on_is_played_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(BlackHasWon));
    let original = desk.open("(;SZ[9]RU[Chinese]KM[7.5];B[ee];W[gg])");
    let from = json!({"gameId": original, "nodeId": 2});
    assert_eq!(played_by_black(&desk, json!({"seats": {"white": "rank_9d"}, "from": from})), (26, None));
}

/// Passes whenever it is asked.
struct Passing;

impl Evaluator for Passing {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 4, max: 64 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], _: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let evaluation = |request: &EvalRequest<'_>| {
            let size = request.game.board().size();
            let mut policy = vec![-1.0; size.area() + 1];
            request.game.legal_points().for_each(|point| policy[point.index(size)] = 0.0);
            policy[size.area()] = 1.0;
            let white_ownership = Some(vec![0.0; size.area()].into());
            Evaluation { policy: policy.into(), white_ownership, ..Evaluation::even(size.area() + 1) }
        };
        Ok(requests.iter().map(evaluation).collect())
    }
}

#[test]
fn a_rated_game_that_is_left_while_it_is_counted_ends_as_it_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(Passing));
    let (game, _) = started(&desk, json!({"seats": {"white": "rated"}}));
    turn(&desk, &game, Some(40));
    let news = opponent_moved(&desk);
    assert_eq!((news.notice, news.play.counting), (None, false));
    assert_eq!(turn(&desk, &game, None)["play"]["counting"], true);
    desk.must("close_game", json!({"gameId": game, "changes": "leave"}));
    assert_eq!(in_library(&desk)["records"][0]["result"], "B+73.5", "nothing is forfeited");
    assert_eq!(rated_scores(&desk), [1.0]);
}

#[test]
fn a_new_game_is_offered_what_its_board_and_rules_allow() {
    let desk = Desk::new();
    let offer = |side: u8, topology: &str, rules: &str, handicap: u8| {
        let terms = json!({"width": side, "height": side, "topology": topology, "rules": rules, "handicap": handicap});
        desk.must("offer_game", terms)
    };
    let usual = offer(19, "plane", "chinese", 0);
    assert_eq!(offer(19, "plane", "", 0), usual, "nothing was chosen yet");
    assert_eq!((&usual["sizes"], &usual["komi"]), (&json!([9, 13, 19]), &json!(7.5)));
    assert_eq!((&usual["engine"], &usual["rated"]), (&json!("plays"), &json!(true)));
    assert_eq!(
        (&usual["handicaps"], &usual["rulesets"][1]),
        (&json!([2, 3, 4, 5, 6, 7, 8, 9]), &json!({"name": "japanese", "komi": 6.5}))
    );
    assert_eq!(offer(19, "plane", "japanese", 0)["komi"], 6.5);
    assert_eq!(offer(9, "plane", "japanese", 2)["komi"], 0.5, "who gives stones gets half a point");
    let even = offer(8, "plane", "chinese", 9);
    assert_eq!((&even["handicaps"], &even["komi"], &even["rated"]), (&json!([2, 3, 4]), &json!(7.5), &json!(false)));
    let torus = offer(16, "torus", "daoqi", 0);
    assert_eq!((&torus["handicaps"], &torus["engine"], &torus["komi"]), (&json!([]), &json!("plays"), &json!(4.0)));
    assert_eq!(torus["rulesets"][0], json!({"name": "daoqi", "komi": 4.0}));
    assert_eq!(offer(16, "torus", "", 0), torus, "nothing was chosen yet");
    let cylinder = offer(9, "cylinder", "chinese", 2);
    assert_eq!(
        (&cylinder["handicaps"], &cylinder["komi"], &cylinder["rated"]),
        (&json!([]), &json!(7.5), &json!(false))
    );
    assert_eq!(offer(21, "plane", "chinese", 0)["engine"], "tooLarge");
    for wrong in [json!({"width": 1}), json!({"rules": "nonsense"})] {
        let mut terms = json!({"width": 9, "height": 9, "topology": "plane", "rules": "chinese", "handicap": 0});
        terms.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
        assert!(matches!(desk.give("offer_game", terms), Err(ApiError::InvalidRequest { .. })), "{wrong}");
    }
}

#[test]
fn somebody_about_as_strong_is_the_weakest_until_a_rated_game_says_more() {
    let desk = Desk::new();
    let near = |side: u8| {
        let terms = json!({"width": side, "height": side, "topology": "plane", "rules": "chinese", "handicap": 0});
        desk.must("offer_game", terms)["near"].clone()
    };
    assert_eq!(near(19), json!({"opponent": "rank_20k+adaptive", "ratedOn": null}));
    let (game, _) = started(&desk, json!({"seats": {"white": "rated"}}));
    turn(&desk, &game, Some(40));
    opponent_moved(&desk);
    desk.must("resign_play", json!({"gameId": game}));
    let next = desk.must("rated_progress", json!({}))["boards"][0]["opponent"].clone();
    assert_eq!(near(9), json!({"opponent": next, "ratedOn": 9}));
    assert_eq!(
        near(19),
        json!({"opponent": next, "ratedOn": 9}),
        "what is known of another board is better than nothing"
    );
}

#[test]
fn the_famous_game_opens_where_it_is_famous() {
    let desk = Desk::new();
    let game = desk.must("open_famous", json!({}));
    assert_eq!((&game["position"]["moveNumber"], &game["modified"]), (&json!(127), &json!(false)));
    assert!(game["position"]["comment"].as_str().unwrap().contains("named after"), "{}", game["position"]["comment"]);
    assert_eq!(game["position"]["toMove"], "white");
}

#[test]
fn rated_games_are_even_and_without_help() {
    let desk = Desk::new();
    let refused = |game: Value, teaching: Value| {
        let mut wanted = json!({"width": 9, "height": 9, "topology": "plane", "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": ""});
        wanted.as_object_mut().unwrap().extend(game.as_object().unwrap().clone());
        let answer = desk.give(
            "start_play",
            json!({
                "game": wanted, "seats": {"black": null, "white": "rated"}, "clock": null, "teaching": teaching,
            }),
        );
        assert!(matches!(answer, Err(ApiError::InvalidRequest { .. })), "{answer:?}");
    };
    refused(json!({"width": 11, "height": 11}), Value::Null);
    refused(json!({"width": 13}), Value::Null);
    refused(json!({"topology": "torus"}), Value::Null);
    refused(json!({"handicap": 2}), Value::Null);
    refused(json!({"komi": 0.5}), Value::Null);
    refused(json!({"rules": "japanese"}), Value::Null);
    refused(json!({}), json!(5.0));
}
