//! Nobody waits for a disk but who asked for the writing.
//!
//! Seen failing: with the game's lock held while a file is written (`OpenGame::save`), and while a closed game is kept
//! (`close_as_it_is`), the first two end with "somebody waited for the disk".

use crate::host::Desk;
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
