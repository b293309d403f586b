//! The original protocol's `run`.

use crate::host::Desk;
use honinbo_api::ApiError;
use honinbo_testkit::{CountingEvaluator, InfluenceEvaluator, UniformEvaluator};
use serde_json::{Value, json};
use std::sync::Arc;

fn board(rows: &[&str]) -> Value {
    let cell = |c: char| match c {
        'X' => 1,
        'O' => -1,
        _ => 0,
    };
    json!(rows.iter().map(|row| row.chars().map(cell).collect::<Vec<i32>>()).collect::<Vec<_>>())
}

#[test]
fn a_run_ends_when_its_answer_has_settled() {
    let desk = Desk::new();
    // With this komi White has won whatever Black does.
    let request = json!({"board": board(&["...", ".X.", "..."]), "color": "white", "komi": 100, "untilSettled": true});
    let visits = desk.must("run", request)["visits"].as_u64().unwrap();
    assert!((100..100_000).contains(&visits), "{visits}");
}

#[test]
fn what_was_searched_before_is_not_searched_again() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Arc::new(CountingEvaluator::new(UniformEvaluator::default()));
    let desk = Desk::asking(folder.path(), Arc::clone(&engine) as _);
    let asked = || engine.asked();
    let rows = [".....", ".XO..", "..X..", ".....", "....."];
    let run = |more: Value| {
        let mut request = json!({"board": board(&rows), "color": "white"});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        desk.must("run", request)
    };
    let first = run(json!({"visits": 40}));
    let so_far = asked();
    let again = run(json!({"visits": 40}));
    assert_eq!(asked(), so_far, "it was known");
    assert_eq!((&again["move"], &again["visits"]), (&first["move"], &first["visits"]));
    assert_eq!((&again["candidates"][0]["move"], &again["network"]), (&first["move"], &first["network"]));
    for value in ["winrate", "scoreLead"] {
        let (known, found) = (again[value].as_f64().unwrap(), first[value].as_f64().unwrap());
        assert!((known - found).abs() < 0.01, "{value}: {known} and {found}");
    }
    // Fewer visits are known as well; more of them, an owner of each point or a time are searched for.
    run(json!({"visits": 10}));
    assert_eq!(asked(), so_far);
    for more in [json!({"visits": 80}), json!({"visits": 10, "ownership": true}), json!({"visits": 10, "seconds": 60})]
    {
        let before = asked();
        run(more.clone());
        assert!(asked() > before, "{more}");
    }
}

#[test]
fn the_answer_has_the_form_of_the_protocol() {
    let desk = Desk::new();
    let rows = [".....", ".XO..", ".....", ".....", "....."];
    let request = json!({"board": board(&rows), "color": "black", "visits": 30, "ownership": true});
    let reply = desk.must("run", request);
    assert_eq!(reply["visits"], 30);
    let (x, y) = (reply["move"]["x"].as_i64().unwrap(), reply["move"]["y"].as_i64().unwrap());
    assert!((1..=5).contains(&x) && (1..=5).contains(&y));
    assert_eq!(rows[y as usize - 1].as_bytes()[x as usize - 1], b'.', "the point is empty");
    assert_eq!(reply["ownership"].as_array().unwrap().len(), 25);
    assert_eq!((&reply["device"], &reply["network"]), (&json!("cpu"), &json!("uniform")));
    assert_eq!(reply["candidates"][0]["move"], reply["move"]);
    assert_eq!(reply["candidates"][0]["pv"][0], reply["move"]);

    let flat: Vec<Value> =
        board(&rows).as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap().clone()).collect();
    let one_visit = |board: &Value| desk.must("run", json!({"board": board, "color": "black", "visits": 1}));
    assert_eq!(one_visit(&json!(flat)), one_visit(&board(&rows)));
    assert_eq!(one_visit(&json!(flat))["ownership"], json!(null), "nobody asked for it");
}

#[test]
fn history_forbids_retaking_a_ko() {
    let desk = Desk::new();
    let rows = [".XO..", "X.XO.", ".XO..", ".....", "....."];
    let moves = json!([
        ["black", [2, 1]],
        ["white", [3, 1]],
        ["black", [1, 2]],
        ["white", [4, 2]],
        ["black", [2, 3]],
        ["white", [3, 3]],
        ["black", "pass"],
        ["white", [2, 2]],
        ["black", [3, 2]]
    ]);
    let reply = desk.must("run", json!({"board": board(&rows), "color": "white", "moves": moves, "visits": 60}));
    let retakes = |candidate: &Value| candidate["move"] == json!({"x": 2, "y": 2});
    assert!(!reply["candidates"].as_array().unwrap().iter().any(retakes), "{reply}");
}

#[test]
fn the_side_that_is_asked_for_is_answered_whoever_moved_last() {
    let folder = tempfile::tempdir().unwrap();
    // Counts points, so that komi decides; what is made up of hashes says now one thing and now the other.
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let rows = board(&[".....", ".X...", "...O.", ".....", "....."]);
    let moves = json!([["black", [2, 2]], ["white", [4, 3]]]);
    let ask = |color: &str| {
        desk.must("run", json!({"board": rows, "color": color, "moves": moves, "visits": 20, "komi": 30}))
    };
    let (black, white) = (ask("black"), ask("white"));
    let lead = |reply: &Value| reply["scoreLead"].as_f64().unwrap();
    assert!(lead(&black) < 0.0 && lead(&white) > 0.0, "{black} {white}");
}

#[test]
fn boards_that_cannot_be_say_why() {
    let desk = Desk::new();
    let refused = |board: Value| match desk.give("run", json!({"board": board, "color": "white"})) {
        Err(ApiError::InvalidBoard { message }) => message,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(board(&["XO...", "O....", ".....", ".....", "....."])), "the chain at A5 has no liberty");
    assert_eq!(refused(board(&[".....", "...."])), "row 2 of `board` has 4 points, the first has 5");
    assert_eq!(refused(json!([0, 0, 0])), "`board` has 3 points, which is no square; give its rows instead");
    assert_eq!(refused(json!([[0, 0], [0, 3]])), "x 2, y 2 of `board` is 3, expected 0, 1 or -1");
    for board in
        [json!("x"), json!([]), json!([[]]), json!([[0], 1]), json!(vec![vec![0; 53]; 53]), json!([[0.5, 0], [0, 0]])]
    {
        refused(board);
    }
}

#[test]
fn requests_that_make_no_sense_say_why() {
    let desk = Desk::new();
    let empty = board(&["...", "...", "..."]);
    for extra in [
        json!({"visits": 0}),
        json!({"seconds": 0}),
        json!({"seconds": -3}),
        json!({"rules": "xiangqi"}),
        json!({"komi": 0.3}),
        json!({"moves": [["black", [4, 1]]]}),
        json!({"moves": [["black", [0, 1]]]}),
        json!({"moves": [["green", [1, 1]]]}),
        json!({"moves": 7}),
        json!({"topology": "klein bottle"}),
        json!({"color": "red"}),
        json!({"level": "impossible"}),
    ] {
        let mut request = json!({"board": empty, "color": "black"});
        request.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let error = desk.give("run", request).unwrap_err();
        assert!(matches!(error, ApiError::InvalidRequest { .. }), "{extra}: {error:?}");
    }
    let moves = json!([["black", [1, 1]]]);
    let error = desk.give("run", json!({"board": empty, "color": "white", "moves": moves})).unwrap_err();
    assert!(matches!(error, ApiError::InvalidBoard { .. }), "the moves do not lead to the board: {error:?}");
}

#[test]
fn a_run_can_be_ended_and_answers_with_what_it_has() {
    let desk = Desk::new();
    let request = json!({"board": vec![vec![0; 19]; 19], "color": "black", "seconds": 50});
    std::thread::scope(|scope| {
        let running = scope.spawn(|| desk.give("run", request));
        while !running.is_finished() {
            std::thread::sleep(std::time::Duration::from_millis(20));
            desk.must("cancel", json!({}));
        }
        match running.join().unwrap() {
            Ok(reply) => assert!(reply["visits"].as_u64().unwrap() >= 1),
            Err(error) => assert_eq!(error, ApiError::Cancelled),
        }
    });
}
