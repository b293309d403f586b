//! Moves that are tried out and are no part of the record.

use crate::host::{Desk, diagram};
use honinbo_api::{ApiError, IllegalReason};
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};

fn try_out(desk: &Desk, game: &str, step: &str) -> Value {
    desk.must("try_out", json!({"gameId": game, "step": step}))
}

fn play(desk: &Desk, game: &str, vertex: u16) -> Value {
    desk.must("play", json!({"gameId": game, "vertex": vertex}))
}

fn step(desk: &Desk, game: &str, step: &str) -> Value {
    desk.must("navigate", json!({"gameId": game, "step": step}))
}

fn sgf(desk: &Desk, game: &str) -> Value {
    desk.must("export_sgf", json!({"gameId": game}))["sgf"].clone()
}

/// A record of the library, after a white stone was put into atari; the second variation was looked at last.
fn on_a_record(desk: &Desk) -> String {
    let record = desk.must("save_goban", json!({"goban": "(;SZ[5];B[ba];W[aa](;B[ee];W[dd])(;B[dd]))"}));
    let game = desk.must("open_record", json!({"id": record["id"]}))["gameId"].as_str().unwrap().to_owned();
    desk.must("go_to", json!({"gameId": game, "nodeId": 5}));
    step(desk, &game, "previous");
    game
}

#[test]
fn tried_moves_are_on_the_board_and_leave_the_record_as_it_was() {
    let desk = Desk::new();
    let id = on_a_record(&desk);
    let (before, start) = (sgf(&desk, &id), desk.must("get_game", json!({"gameId": id})));
    assert_eq!(start["trial"], Value::Null);
    let begun = try_out(&desk, &id, "begin");
    assert_eq!((&begun["trial"], &begun["tree"]), (&json!(2), &Value::Null));
    play(&desk, &id, 5);
    let captured = play(&desk, &id, 12);
    assert_eq!(captured["position"]["moveNumber"], 4);
    assert_snapshot!(diagram(&captured["position"], 5), @r"
    .X...
    X....
    ..O..
    .....
    .....
    ");
    let now = desk.must("get_game", json!({"gameId": id}));
    assert_eq!((&now["modified"], &now["canUndo"], sgf(&desk, &id)), (&json!(false), &json!(true), before.clone()));
    let dropped = try_out(&desk, &id, "drop");
    assert_eq!((&dropped["trial"], &dropped["modified"]), (&Value::Null, &json!(false)));
    let end = desk.must("get_game", json!({"gameId": id}));
    assert_eq!(end["tree"]["ids"], start["tree"]["ids"]);
    assert_eq!(end["position"], start["position"], "with the variation that was looked at last");
    assert_eq!((&end["canUndo"], &end["canRedo"], sgf(&desk, &id)), (&json!(false), &json!(false), before));
    assert_eq!(desk.must("close_game", json!({"gameId": id, "changes": "ask"}))["question"], Value::Null);
}

#[test]
fn going_to_another_move_drops_what_was_tried() {
    let desk = Desk::new();
    let id = on_a_record(&desk);
    for node in [1, 4] {
        desk.must("go_to", json!({"gameId": id, "nodeId": 2}));
        try_out(&desk, &id, "begin");
        // The record's own move is followed, and another answer to it is tried.
        assert_eq!(play(&desk, &id, 24)["position"]["nodeId"], 3);
        let tried = play(&desk, &id, 10);
        assert_eq!(step(&desk, &id, "previous")["trial"], 2);
        let again = step(&desk, &id, "next");
        assert_eq!((&again["position"]["nodeId"], &again["trial"]), (&tried["position"]["nodeId"], &json!(2)));
        let start = step(&desk, &id, "tenPrevious");
        assert_eq!((&start["position"]["nodeId"], &start["trial"]), (&json!(0), &Value::Null));
        desk.must("go_to", json!({"gameId": id, "nodeId": 2}));
        try_out(&desk, &id, "begin");
        play(&desk, &id, 10);
        let left = desk.must("go_to", json!({"gameId": id, "nodeId": node}));
        assert_eq!((&left["position"]["nodeId"], &left["trial"]), (&json!(node), &Value::Null));
        let ids = desk.must("get_game", json!({"gameId": id}))["tree"]["ids"].clone();
        assert_eq!(ids, json!([0, 1, 2, 3, 4, 5]));
    }
}

#[test]
fn tried_moves_that_are_kept_are_a_variation_that_can_be_undone() {
    let desk = Desk::new();
    let id = on_a_record(&desk);
    let before = sgf(&desk, &id);
    // An earlier change and one that was taken back are those of the record.
    play(&desk, &id, 20);
    play(&desk, &id, 21);
    desk.must("undo_edit", json!({"gameId": id}));
    let earlier = sgf(&desk, &id);
    assert_eq!(try_out(&desk, &id, "begin")["canUndo"], json!(false), "nothing was tried yet");
    desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!(sgf(&desk, &id), earlier);
    play(&desk, &id, 22);
    let dropped = try_out(&desk, &id, "drop");
    assert_eq!((&dropped["canUndo"], &dropped["canRedo"]), (&json!(true), &json!(true)));
    desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!(sgf(&desk, &id), before);

    try_out(&desk, &id, "begin");
    play(&desk, &id, 22);
    let last = play(&desk, &id, 23);
    let kept = try_out(&desk, &id, "keep");
    assert_eq!((&kept["trial"], &kept["modified"]), (&Value::Null, &json!(true)));
    assert_eq!(kept["position"], last["position"]);
    let with_variation = sgf(&desk, &id);
    assert_ne!(with_variation, before);
    let clean = desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!((&clean["modified"], sgf(&desk, &id)), (&json!(false), before));
    desk.must("redo_edit", json!({"gameId": id}));
    assert_eq!(sgf(&desk, &id), with_variation);
}

#[test]
fn what_is_saved_while_moves_are_tried_is_the_record() {
    let desk = Desk::new();
    let id = on_a_record(&desk);
    play(&desk, &id, 20);
    let record = sgf(&desk, &id);
    try_out(&desk, &id, "begin");
    let tried = play(&desk, &id, 21);
    assert_eq!(tried["modified"], json!(true), "of the move before");
    desk.must("save_goban", json!({"gameId": id}));
    let saved = desk.must("get_game", json!({"gameId": id}));
    assert_eq!((&saved["modified"], &saved["position"]["nodeId"]), (&json!(false), &tried["position"]["nodeId"]));
    try_out(&desk, &id, "drop");
    assert_eq!(
        (sgf(&desk, &id), desk.must("get_game", json!({"gameId": id}))["modified"].clone()),
        (record, json!(false))
    );
}

#[test]
fn a_program_that_ends_while_moves_are_tried_keeps_the_record_alone() {
    let folder = tempfile::tempdir().unwrap();
    let record = {
        let desk = Desk::in_folder(folder.path());
        desk.app.keep_open_games();
        let id = desk.open("(;SZ[5];B[bb];W[cb])");
        step(&desk, &id, "next");
        let record = sgf(&desk, &id);
        try_out(&desk, &id, "begin");
        play(&desk, &id, 20);
        play(&desk, &id, 21);
        desk.app.shut_down();
        record
    };
    let desk = Desk::in_folder(folder.path());
    desk.app.keep_open_games();
    let startup = desk.must("startup", json!({}));
    let game = &startup["games"][0];
    let id = game["gameId"].as_str().unwrap();
    assert_eq!((sgf(&desk, id), &game["modified"], &game["trial"]), (record, &json!(false), &Value::Null));
    assert_eq!(game["position"]["nodeId"], 1);
}

#[test]
fn a_ko_and_a_joined_board_are_as_in_any_game() {
    let desk = Desk::new();
    let ko = desk.open("(;SZ[5]AB[ba][ab][bc]AW[ca][bb][db][cc]PL[B])");
    try_out(&desk, &ko, "begin");
    play(&desk, &ko, 7);
    let refused = desk.give("play", json!({"gameId": ko, "vertex": 6})).unwrap_err();
    assert!(matches!(refused, ApiError::IllegalMove { reason: IllegalReason::Ko, .. }), "{refused:?}");
    let torus = desk.open("(;SZ[5]TOPO[torus];B[ba];W[aa];B[ab];W[cc];B[ae];W[cd])");
    step(&desk, &torus, "last");
    try_out(&desk, &torus, "begin");
    let taken = play(&desk, &torus, 4);
    assert_eq!((&taken["position"]["stones"][0], &taken["position"]["capturedByBlack"]), (&json!(0), &json!(1)));
    let back = try_out(&desk, &torus, "drop");
    assert_eq!((&back["position"]["stones"][0], &back["position"]["capturedByBlack"]), (&json!(-1), &json!(0)));
}

#[test]
fn nothing_is_tried_in_a_game_that_is_being_played() {
    let desk = Desk::new();
    let begun = desk.must("start_play", json!({
        "game": {"width": 9, "height": 9, "topology": "plane", "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": ""},
        "seats": {"black": null, "white": null}, "clock": null, "teaching": null,
    }));
    let refused = desk.give("try_out", json!({"gameId": begun["game"]["gameId"], "step": "begin"})).unwrap_err();
    assert!(matches!(refused, ApiError::InvalidRequest { .. }), "{refused:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_is_done_while_moves_are_tried_the_record_says_the_same(steps in prop::collection::vec((0..11_u8, 0..25_u16), 1..30)) {
        let desk = Desk::new();
        let id = desk.open("(;SZ[5];B[bb](;W[cb]C[a];B[cc])(;W[dd]))");
        step(&desk, &id, "next");
        let (record, start) = (sgf(&desk, &id), desk.must("get_game", json!({"gameId": id})));
        try_out(&desk, &id, "begin");
        for (what, number) in steps {
            let ids = desk.must("get_game", json!({"gameId": id}))["tree"]["ids"].as_array().unwrap().clone();
            let node = &ids[usize::from(number) % ids.len()];
            let of_node = json!({"gameId": id, "nodeId": node});
            // Some are refused, as moves on stones are, and change nothing.
            let _ = match what {
                0..=3 => desk.give("play", json!({"gameId": id, "vertex": number})),
                4 => desk.give("undo_edit", json!({"gameId": id})),
                5 => desk.give("redo_edit", json!({"gameId": id})),
                6 => desk.give("delete_variation", of_node),
                7 => desk.give("promote_variation", of_node),
                8 => desk.give("set_comment", json!({"gameId": id, "nodeId": node, "text": "b"})),
                9 => desk.give("add_line", json!({"gameId": id, "nodeId": node, "moves": [number, (number + 7) % 25, null]})),
                _ => desk.give("keep_variation", of_node),
            };
            prop_assert_eq!(&sgf(&desk, &id), &record, "after {} {}", what, number);
        }
        try_out(&desk, &id, "drop");
        let end = desk.must("get_game", json!({"gameId": id}));
        prop_assert_eq!(&end["tree"]["ids"], &start["tree"]["ids"]);
        prop_assert_eq!(&end["position"], &start["position"]);
        prop_assert_eq!(&end["modified"], &json!(false));
    }
}
