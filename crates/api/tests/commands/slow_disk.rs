//! Nobody waits for a disk but who asked for the writing.
//!
//! Seen failing: with the game's lock held while a file is written (`OpenGame::save`), and while a closed game is kept
//! (`close_as_it_is`), the first two end with "somebody waited for the disk".

use crate::host::Desk;
use honinbo_api::{ApiError, COMMANDS, Pace};
use serde_json::{Value, json};

fn play(desk: &Desk, game: &str, vertex: u16) -> Value {
    desk.must("play", json!({"gameId": game, "vertex": vertex}))
}

fn modified(desk: &Desk, game: &str) -> Value {
    desk.must("get_game", json!({"gameId": game}))["modified"].clone()
}

#[test]
fn a_game_is_played_while_it_and_another_are_written() {
    let desk = Desk::new();
    let path = desk.path("slow.sgf");
    let (game, other) = (desk.open("(;SZ[9];B[ee])"), desk.open("(;SZ[9];B[ee])"));
    desk.must("set_comment", json!({"gameId": game, "nodeId": 0, "text": "before"}));
    let saved = desk.while_the_disk_waits(
        || desk.give("save_file", json!({"gameId": game, "path": path})),
        || {
            play(&desk, &other, 0);
            desk.must("navigate", json!({"gameId": game, "step": "last"}));
            play(&desk, &game, 1);
            desk.must("startup", json!({}));
        },
    );
    saved.unwrap();
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(written.contains("C[before]") && !written.contains("W["), "what it said when it was asked for: {written}");
    assert_eq!(modified(&desk, &game), true, "the move came after");
    desk.must("undo_edit", json!({"gameId": game}));
    assert_eq!(modified(&desk, &game), false, "without it the file says what the game says");
    desk.must("redo_edit", json!({"gameId": game}));
    let question = desk.must("close_game", json!({"gameId": game, "changes": "ask"}));
    assert_eq!(question["question"]["place"], json!({"kind": "file", "name": "slow.sgf"}));
}

#[test]
fn what_is_played_while_a_game_is_closed_is_in_what_is_kept_of_it() {
    let desk = Desk::new();
    let (game, other) = (desk.open("(;SZ[9];B[ee])"), desk.open("(;SZ[9];B[ee])"));
    let closing = desk.while_the_disk_waits(
        || desk.give("close_game", json!({"gameId": game, "changes": "leave"})),
        || {
            play(&desk, &other, 0);
            play(&desk, &game, 1);
        },
    );
    assert_eq!(closing.unwrap()["question"], Value::Null);
    let closed = desk.must("closed_games", json!({}));
    assert_eq!(closed.as_array().unwrap().len(), 1, "once");
    let again = desk.must("reopen_game", json!({"id": closed[0]["id"]}));
    let sgf = desk.must("export_sgf", json!({"gameId": again["gameId"]}))["sgf"].clone();
    assert!(sgf.as_str().unwrap().contains("B[ba]"), "{sgf}");
}

#[test]
fn settings_are_read_while_they_are_written() {
    let desk = Desk::new();
    let mut settings = desk.must("startup", json!({}))["settings"].clone();
    settings["language"] = json!("ja");
    let written = desk.while_the_disk_waits(
        || desk.give("set_settings", settings),
        || {
            let game = desk.open("(;SZ[9];B[ee])");
            play(&desk, &game, 0);
            assert_eq!(desk.must("startup", json!({}))["settings"]["language"], "ja");
        },
    );
    written.unwrap();
}

/// What each quick command is given, where a game with variations is open, and one with stones in a corner.
fn quick_commands(game: &str, corner: &str) -> Vec<(&'static str, Value)> {
    let of = |mut args: Value| {
        args["gameId"] = json!(game);
        args
    };
    let node = |node: u32| of(json!({"nodeId": node}));
    let annotations = json!({"onMove": "veryGood", "onPosition": null, "hotspot": null});
    let info = json!({"black": "Aya", "blackRank": "", "white": "Ben", "whiteRank": "", "title": "", "event": "",
        "place": "", "date": "", "result": "", "rules": "japanese", "komi": 6.5, "handicap": 0, "comment": ""});
    let terms =
        json!({"width": 9, "height": 9, "rules": "japanese", "komi": 0.5, "handicap": 2, "black": "", "white": ""});
    vec![
        ("engine_status", json!({})),
        ("pause_network", json!({"file": "b18c384nbt-humanv0.bin.gz"})),
        ("pause_update", json!({})),
        ("pause_runtime", json!({"name": "cuda"})),
        ("new_game", terms),
        ("get_game", of(json!({}))),
        ("position_at", node(1)),
        ("export_sgf", of(json!({}))),
        ("set_analysis", of(json!({"running": true, "visits": 0}))),
        ("set_analysis", of(json!({"running": false, "visits": 0}))),
        ("go_to", node(3)),
        ("navigate", of(json!({"step": "last"}))),
        ("try_out", of(json!({"step": "begin"}))),
        ("try_out", of(json!({"step": "drop"}))),
        ("add_line", of(json!({"nodeId": 1, "moves": [10, 20]}))),
        ("continue_game", of(json!({"nodeId": 8, "following": 2}))),
        ("play", of(json!({"vertex": 72}))),
        ("promote_variation", node(6)),
        ("move_variation", of(json!({"nodeId": 6, "up": true}))),
        ("copy_variation", node(2)),
        ("paste_variation", of(json!({"nodeId": 1, "sgf": "(;SZ[9];W[ha])"}))),
        ("delete_variation", node(6)),
        ("set_marks", of(json!({"nodeId": 0, "marks": [], "links": []}))),
        ("set_annotations", of(json!({"nodeId": 1, "annotations": annotations}))),
        ("set_node_name", of(json!({"nodeId": 1, "name": "the middle"}))),
        ("set_comment", of(json!({"nodeId": 1, "text": "played"}))),
        ("set_game_info", of(json!({"info": info}))),
        ("undo_edit", of(json!({}))),
        ("redo_edit", of(json!({}))),
        ("set_stones", of(json!({"points": [80], "stone": "white"}))),
        ("set_to_move", of(json!({"side": "white"}))),
        ("keep_variation", node(1)),
        ("frame_position", json!({"gameId": corner})),
        ("set_menu_bar", json!({"menus": []})),
    ]
}

/// The back end itself ends a quick command that comes to a disk or to the library: this gives every one of them.
#[test]
fn quick_commands_wait_for_no_disk() {
    let desk = Desk::new();
    let goban = "(;SZ[9]KM[7.5];B[ee];W[cc];B[gg](;W[gc];B[aa])(;W[cg]))";
    let record = desk.must("save_goban", json!({"goban": goban}));
    let game = desk.must("open_record", json!({"id": record["id"]}))["gameId"].as_str().unwrap().to_owned();
    let corner = desk.open("(;SZ[19]AB[ea][eb][dc][cd][bd][ad]AW[da][db][cc][bc][ac])");
    for (name, args) in quick_commands(&game, &corner) {
        match desk.give(name, args.clone()) {
            Ok(_) | Err(ApiError::NotPossibleHere { .. }) => {}
            Err(error) => panic!("{name} {args}: {error}"),
        }
    }
    let given: Vec<&str> = quick_commands("", "").into_iter().map(|(name, _)| name).collect();
    let quick = COMMANDS.iter().filter(|command| command.pace == Pace::Quick).map(|command| command.name);
    let left_out: Vec<&str> = quick.filter(|name| !given.contains(name)).collect();
    assert_eq!(left_out, [""; 0], "give these here, too");
}
