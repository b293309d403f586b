//! Games of the library that are reviewed in the background.

use crate::host::Desk;
use honinbo_api::{Event, QueueState, RestReason, ReviewQueue};
use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_testkit::{InfluenceEvaluator, UniformEvaluator};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

fn keep(desk: &Desk, number: u32) -> String {
    let column = char::from(b'a' + u8::try_from(number % 9).unwrap());
    let goban = format!("(;SZ[9]PB[Aya {number}]PW[Ben];B[{column}h];W[cc];B[gg];W[{column}b];B[ed];W[de])");
    desk.must("save_goban", json!({"goban": goban}))["id"].as_str().unwrap().to_owned()
}

fn idle_with(desk: &Desk, done: u32) -> ReviewQueue {
    desk.wait_for(|event| match event {
        Event::Reviews(queue) if queue.state == QueueState::Idle && queue.done == done => Some(queue.clone()),
        _ => None,
    })
}

fn queue(desk: &Desk) -> Value {
    desk.must("review_queue", json!({}))
}

#[test]
fn games_of_the_library_are_reviewed_in_the_background() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let ids: Vec<String> = (0..3).map(|number| keep(&desk, number)).collect();
    assert_eq!(queue(&desk)["state"]["kind"], "idle");
    let begun = desk.must("queue_reviews", json!({"ids": ids, "first": false}));
    assert_eq!((&begun["waiting"], &begun["done"]), (&json!(3), &json!(0)));
    let end = idle_with(&desk, 3);
    assert_eq!((end.waiting, end.failed), (0, 0));
    // What was found is there when the game is opened: nobody has to ask again.
    let opened = desk.must("open_record", json!({"id": ids[0]}));
    let line = opened["position"]["line"].as_array().unwrap().clone();
    for node in line {
        let known = desk.must("known_analysis", json!({"gameId": opened["gameId"], "nodeId": node}));
        assert!(known["visits"].as_u64() >= Some(50), "{known}");
    }
}

/// Answers on every board that is not seven points wide.
struct NotOnSeven;

impl Evaluator for NotOnSeven {
    fn limits(&self) -> BatchLimits {
        InfluenceEvaluator.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        if requests.iter().any(|request| request.game.board().size().width() == 7) {
            let (network, reason) = ("uniform".into(), "the board is seven points wide".into());
            return Err(EvalError::Unsupported { network, reason });
        }
        InfluenceEvaluator.evaluate(requests, stop)
    }
}

#[test]
fn a_game_that_the_network_cannot_answer_holds_up_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(NotOnSeven));
    let small = desk.must("save_goban", json!({"goban": "(;SZ[7]PB[Aya]PW[Ben];B[dd];W[cc];B[ee];W[ce])"}));
    let ids = [small["id"].as_str().unwrap().to_owned(), keep(&desk, 0)];
    desk.must("queue_reviews", json!({"ids": ids, "first": true}));
    let end = idle_with(&desk, 2);
    assert_eq!((end.waiting, end.failed), (0, 1));
}

#[test]
fn the_list_waits_for_a_rated_game_and_outlives_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(UniformEvaluator::default()));
    let ids: Vec<String> = (0..2).map(|number| keep(&desk, number)).collect();
    let game = json!({
        "width": 9, "height": 9, "topology": "plane", "rules": "japanese", "komi": 6.5, "handicap": 0, "black": "", "white": "",
    });
    let play = json!({"game": game, "seats": {"black": null, "white": "rated"}, "clock": null, "teaching": null});
    desk.must("start_play", play);
    desk.must("queue_reviews", json!({"ids": ids, "first": true}));
    desk.wait_for(|event| match event {
        Event::Reviews(ReviewQueue { state: QueueState::Resting { .. }, waiting: 2, .. }) => Some(()),
        _ => None,
    });
    desk.app.shut_down();
    drop(desk);
    // The rated game does not go on by itself when the program starts again without a window.
    let desk = Desk::asking(folder.path(), Arc::new(UniformEvaluator::default()));
    let view = queue(&desk);
    assert_eq!((view["waiting"].as_u64().unwrap() + view["done"].as_u64().unwrap(), &view["failed"]), (2, &json!(0)));
    desk.must("clear_review_queue", json!({}));
    assert_eq!(queue(&desk)["waiting"], 0);
}

/// Python's, as no crate but the library's knows SQLite.
fn sqlite(file: &Path, sql: &str) {
    let program = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=30).execute(sys.argv[2])";
    assert!(Command::new("python3").args(["-c", program]).arg(file).arg(sql).status().unwrap().success());
}

#[test]
fn a_game_whose_figures_the_library_refuses_waits_until_they_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let id = keep(&desk, 0);
    let file = folder.path().join("library.sqlite");
    sqlite(&file, "CREATE TRIGGER full BEFORE INSERT ON evaluations BEGIN SELECT RAISE(ABORT, 'full'); END");
    desk.must("queue_reviews", json!({"ids": [id], "first": true}));
    desk.wait_for(|event| match event {
        Event::Reviews(ReviewQueue {
            state: QueueState::Resting { reason }, waiting: 1, done: 0, failed: 0, ..
        }) => {
            assert_eq!(*reason, RestReason::Library);
            Some(())
        }
        _ => None,
    });
    sqlite(&file, "DROP TRIGGER full");
    assert_eq!(idle_with(&desk, 1).failed, 0);
}
