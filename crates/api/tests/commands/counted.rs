//! Reviews in the window: they count for the page of weaknesses as those of the list do.

use crate::host::Desk;
use honinbo_api::{Event, QueueState};
use honinbo_testkit::{CountingEvaluator, Gate, InfluenceEvaluator};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

const MOVES: &str = ";B[ee];W[cc];B[ed];W[de];B[ef];W[df];B[gg];W[dd];B[gc];W[ec];B[cg];W[eg];B[fh];W[fe];B[aa];W[fd]";

/// The game of the tests, with more moves at its end; whole, so that it is known again by its moves.
fn game(more: &str) -> String {
    format!(
        "(;SZ[9]KM[0.5]RU[Chinese]PB[Aya]PW[Ben]DT[2026-01-05]RE[B+R]{MOVES};B[ha];W[ff];B[gb];W[bg];B[];W[]{more})"
    )
}

fn desk(folder: &Path) -> (Desk, Arc<CountingEvaluator<InfluenceEvaluator>>) {
    let asked = Arc::new(CountingEvaluator::new(InfluenceEvaluator));
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
    let before = asked.asked();
    shown.must("queue_reviews", json!({"ids": [id], "first": true}));
    list_is_done(&shown, 1);
    assert_eq!(asked.asked(), before);
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

#[test]
fn own_finished_games_are_reviewed_to_the_end_without_being_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, _) = desk(folder.path());
    let save = |sgf: &str| desk.must("save_goban", json!({"goban": sgf}))["id"].clone();
    save(&game(""));
    nothing_waits(&desk);
    desk.must("set_settings", json!({"ownName": "Aya"}));
    save("(;SZ[9]PB[Cho]PW[Dan]RE[B+R];B[ee];W[cc];B[gg];W[gc])");
    save("(;SZ[9]PB[Aya]PW[Dan];B[ee];W[cc];B[gg];W[gc];B[dd])");
    save("(;SZ[9]PB[Aya]PW[Dan]RE[Void];B[ee];W[cc];B[gg];W[gc];B[cd])");
    desk.must("set_settings", json!({"reviewByItself": false}));
    save("(;SZ[9]PB[Eve]PW[Aya]RE[W+R];B[ee];W[cc];B[gg];W[gc];B[cg];W[dg])");
    nothing_waits(&desk);
    // What a room of a server or another program brings.
    desk.must("set_settings", json!({"reviewByItself": true}));
    save("(;SZ[9]PB[Aya]PW[Ben]RE[W+R];B[ee];W[cc];B[gg];W[gc];B[cg])");
    list_is_done(&desk, 1);
    assert_eq!(judged(&desk), 1);
    // A look at one of the own games in the window begins with the moves that may have lost most.
    let query = json!({"text": "Aya Eve", "sort": "added", "descending": true, "offset": 0, "limit": 9});
    let eves = desk.must("search_records", query)["records"][0]["id"].clone();
    let open = desk.must("open_record", json!({"id": eves}))["gameId"].clone();
    assert!(desk.must("review_by_itself", json!({"gameId": open}))["serial"].is_u64());
    list_is_done(&desk, 1);
    assert_eq!(judged(&desk), 2);
    let queue = desk.must("review_queue", json!({}));
    assert_eq!((&queue["waiting"], &queue["asked"]), (&json!(0), &json!(false)), "nobody is told of what nobody asked");
}

/// Opens an own game of the library that nobody looked at yet, and begins to look at it; nothing is answered before the
/// gate is opened.
fn own_game_that_is_looked_at(folder: &Path) -> (Desk, Arc<Gate>, Value) {
    let (desk, gate) = Desk::held(folder, InfluenceEvaluator);
    let id = desk.must("save_goban", json!({"goban": game("")}))["id"].clone();
    desk.must("set_settings", json!({"ownName": "Aya"}));
    let open = desk.must("open_record", json!({"id": id}))["gameId"].clone();
    assert!(desk.must("review_by_itself", json!({"gameId": open}))["serial"].is_u64());
    (desk, gate, open)
}

#[test]
fn an_own_game_that_is_closed_during_its_first_look_is_reviewed_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, gate, open) = own_game_that_is_looked_at(folder.path());
    desk.must("close_game", json!({"gameId": open, "changes": "ask"}));
    gate.allow(None);
    list_is_done(&desk, 1);
    assert_eq!(judged(&desk), 1);
    assert_eq!(desk.must("review_queue", json!({}))["asked"], false);
}

#[test]
fn an_own_game_whose_first_look_ended_with_the_program_is_reviewed_to_the_end_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let (before, ..) = own_game_that_is_looked_at(folder.path());
    before.app.shut_down();
    drop(before);
    let (desk, _) = desk(folder.path());
    assert_eq!(desk.must("review_queue", json!({}))["waiting"], 1);
    list_is_done(&desk, 1);
    assert_eq!(judged(&desk), 1);
}

#[test]
fn an_own_game_whose_review_is_broken_off_by_closing_it_waits_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, gate, open) = own_game_that_is_looked_at(folder.path());
    desk.must("sweep_game", json!({"gameId": open, "passes": [50]}));
    desk.must("clear_review_queue", json!({}));
    desk.must("close_game", json!({"gameId": open, "changes": "ask"}));
    gate.allow(None);
    list_is_done(&desk, 1);
    assert_eq!(judged(&desk), 1);
}

#[test]
fn a_game_with_another_komi_is_judged_by_it() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, asked) = desk(folder.path());
    desk.must("set_settings", json!({"ownName": "Aya"}));
    let id = desk.must("save_goban", json!({"goban": game("")}))["id"].clone();
    list_is_done(&desk, 1);
    let open = desk.must("open_record", json!({"id": id}))["gameId"].clone();
    let mut info = desk.must("get_game", json!({"gameId": open}))["info"].clone();
    info["komi"] = json!(20.5);
    desk.must("set_game_info", json!({"gameId": open, "info": info}));
    let before = asked.asked();
    desk.must("save_goban", json!({"gameId": open}));
    list_is_done(&desk, 1);
    assert!(asked.asked() > before, "with another komi, every position is another question");
    assert_eq!(judged(&desk), 1);
}

#[test]
fn a_game_that_is_played_here_to_its_end_counts_for_the_own_name() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, _) = desk(folder.path());
    desk.must("set_settings", json!({"ownName": "Aya"}));
    let game = json!({
        "width": 9, "height": 9, "topology": "plane", "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "Aya", "white": "",
    });
    let play = json!({"game": game, "seats": {"black": null, "white": "medium"}, "clock": null, "teaching": null});
    let played = desk.must("start_play", play)["game"]["gameId"].clone();
    for vertex in [0, 8, 72] {
        desk.forget_events();
        desk.must("play_turn", json!({"gameId": played, "vertex": vertex, "insist": false}));
        desk.wait_for(|event| match event {
            Event::Play(news) if !news.play.thinking => Some(()),
            _ => None,
        });
    }
    nothing_waits(&desk);
    desk.must("resign_play", json!({"gameId": played}));
    assert!(desk.must("review_by_itself", json!({"gameId": played}))["serial"].is_u64());
    list_is_done(&desk, 1);
    let page = desk.must("weaknesses", json!({"name": "Aya"}));
    assert_eq!((&page["games"], &page["judged"]), (&json!(1), &json!(1)));
    let all = page["classes"].as_array().unwrap().iter().find(|class| class["class"] == "all").unwrap();
    assert_eq!(all["rate"]["moves"], 3);
}
