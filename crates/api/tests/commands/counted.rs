//! Reviews in the window: they count for the page of weaknesses as those of the list do.

use crate::host::Desk;
use honinbo_api::{Event, QueueState};
use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_testkit::InfluenceEvaluator;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const MOVES: &str = ";B[ee];W[cc];B[ed];W[de];B[ef];W[df];B[gg];W[dd];B[gc];W[ec];B[cg];W[eg];B[fh];W[fe];B[aa];W[fd]";

/// The game of the tests, with more moves at its end; whole, so that it is known again by its moves.
fn game(more: &str) -> String {
    format!(
        "(;SZ[9]KM[0.5]RU[Chinese]PB[Aya]PW[Ben]DT[2026-01-05]RE[B+R]{MOVES};B[ha];W[ff];B[gb];W[bg];B[];W[]{more})"
    )
}

/// Counts the positions that were asked about.
#[derive(Default)]
struct Counting(AtomicUsize);

impl Evaluator for Counting {
    fn limits(&self) -> BatchLimits {
        InfluenceEvaluator.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        self.0.fetch_add(requests.len(), Ordering::SeqCst);
        InfluenceEvaluator.evaluate(requests, stop)
    }
}

fn desk(folder: &Path) -> (Desk, Arc<Counting>) {
    let asked = Arc::<Counting>::default();
    (Desk::asking(folder, Arc::clone(&asked) as _), asked)
}

/// Waits until the list has nothing left to do, and forgets what was told.
fn list_is_done(desk: &Desk, games: u32) {
    desk.wait_for(|event| match event {
        Event::Reviews(queue) if queue.state == QueueState::Idle && queue.done == games => Some(()),
        _ => None,
    });
    desk.forget_events();
}

fn judged(desk: &Desk) -> Value {
    desk.must("weaknesses", json!({"name": "Aya"}))["judged"].clone()
}

/// Moves by class. Which of them are mistakes two searches need not agree about.
fn counts(desk: &Desk) -> Vec<(Value, Value)> {
    let page = desk.must("weaknesses", json!({"name": "Aya"}));
    let classes = page["classes"].as_array().unwrap().iter();
    let classes =
        classes.filter(|class| ["ahead", "even", "behind"].iter().all(|standing| class["class"] != *standing));
    classes.map(|class| (class["class"].clone(), class["rate"]["moves"].clone())).collect()
}

fn sweep(desk: &Desk, game: &Value, passes: &[u32]) {
    let started = desk.must("sweep_game", json!({"gameId": game, "passes": passes}));
    desk.end_of_sweep_of(started["serial"].as_u64().unwrap());
}

/// Nothing that was begun so far puts anything on the list: what is asked for now comes behind it.
fn nothing_waits(desk: &Desk) {
    assert_eq!(desk.must("review_queue", json!({}))["waiting"], 0);
}

#[test]
fn a_review_in_the_window_counts_as_one_of_the_list_does() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (listed, _) = desk(folders[0].path());
    let id = listed.must("save_goban", json!({"goban": game("")}))["id"].clone();
    listed.must("queue_reviews", json!({"ids": [id], "first": true}));
    list_is_done(&listed, 1);

    let (shown, asked) = desk(folders[1].path());
    let id = shown.must("save_goban", json!({"goban": game("")}))["id"].clone();
    let open = shown.must("open_record", json!({"id": id}))["gameId"].clone();
    sweep(&shown, &open, &[1, 50]);
    list_is_done(&shown, 1);
    assert_eq!(counts(&shown), counts(&listed), "every move counts where the list would count it");
    // Whoever has the list go through it again asks nothing again.
    let before = asked.0.load(Ordering::SeqCst);
    shown.must("queue_reviews", json!({"ids": [id], "first": true}));
    list_is_done(&shown, 1);
    assert_eq!(asked.0.load(Ordering::SeqCst), before);
    assert_eq!(shown.must("review_player", json!({"name": "Aya"}))["waiting"], 0);
    assert_eq!(judged(&shown), 1);
    assert_eq!(counts(&shown), counts(&listed), "nothing is counted twice");
}

#[test]
fn part_of_a_review_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, _) = desk(folder.path());
    let id = desk.must("save_goban", json!({"goban": game("")}))["id"].clone();
    let open = desk.must("open_record", json!({"id": id}))["gameId"].clone();
    sweep(&desk, &open, &[1]);
    sweep(&desk, &open, &[1, 20]);
    // The first half of the game alone.
    let other = desk.open("(;SZ[9]KM[0.5]RU[Chinese];B[ee];W[cc];B[ed];W[de];B[ef];W[df];B[gg];W[dd])");
    sweep(&desk, &json!(other), &[50]);
    nothing_waits(&desk);
    assert_eq!(judged(&desk), 0);
    // The rest, too: then it counts.
    sweep(&desk, &open, &[50]);
    list_is_done(&desk, 1);
    assert_eq!(judged(&desk), 1);
}

#[test]
fn a_file_that_is_reviewed_counts_for_the_library_s_game_then_or_when_it_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, _) = desk(folder.path());
    let file = json!(desk.open(&game("")));
    sweep(&desk, &file, &[1, 50]);
    nothing_waits(&desk);
    desk.must("save_goban", json!({"gameId": file}));
    list_is_done(&desk, 1);
    assert_eq!(judged(&desk), 1);

    // The same game as a file of its own, deeper: it is known again by its moves, and the deeper review counts.
    let again = json!(desk.open(&game("").replace("DT[", "C[from a file]DT[")));
    sweep(&desk, &again, &[80]);
    list_is_done(&desk, 1);
    assert_eq!(judged(&desk), 1);
    sweep(&desk, &again, &[80]);
    nothing_waits(&desk);
}

#[test]
fn a_game_that_goes_on_after_its_review_is_reviewed_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, _) = desk(folder.path());
    let id = desk.must("save_goban", json!({"goban": game("")}))["id"].clone();
    let open = desk.must("open_record", json!({"id": id}))["gameId"].clone();
    sweep(&desk, &open, &[50]);
    list_is_done(&desk, 1);
    // Another name and a remark change no move.
    let info = desk.must("get_game", json!({"gameId": open}))["info"].clone();
    let mut renamed = info.clone();
    renamed["white"] = json!("Benjamin");
    desk.must("set_game_info", json!({"gameId": open, "info": renamed}));
    desk.must("save_goban", json!({"gameId": open}));
    assert_eq!(judged(&desk), 1);
    // The end is taken back, and another move is the game now.
    let line = desk.must("get_game", json!({"gameId": open}))["position"]["line"].clone();
    let nodes = line.as_array().unwrap();
    desk.must("delete_variation", json!({"gameId": open, "nodeId": nodes[nodes.len() - 4]}));
    desk.must("go_to", json!({"gameId": open, "nodeId": nodes[nodes.len() - 5]}));
    desk.must("play", json!({"gameId": open, "vertex": 80}));
    desk.must("save_goban", json!({"gameId": open}));
    nothing_waits(&desk);
    assert_eq!(judged(&desk), 0);
    sweep(&desk, &open, &[50]);
    list_is_done(&desk, 1);
    assert_eq!(judged(&desk), 1);
    // A review of more than the library has counts once that is there, such as when the game is closed.
    desk.must("play", json!({"gameId": open, "vertex": 72}));
    sweep(&desk, &open, &[50]);
    nothing_waits(&desk);
    desk.must("close_game", json!({"gameId": open, "changes": "save"}));
    list_is_done(&desk, 1);
    assert_eq!(judged(&desk), 1);
}
