//! Open games over a restart and over a crash.

use crate::host::Desk;
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

    // What a power cut would leave.
    let after = tempfile::tempdir().unwrap();
    std::fs::create_dir(after.path().join("open")).unwrap();
    for entry in std::fs::read_dir(folder.path().join("open")).unwrap().flatten() {
        std::fs::copy(entry.path(), after.path().join("open").join(entry.file_name())).unwrap();
    }
    std::fs::write(after.path().join("open/g7.json"), "{ torn").unwrap();
    let again = Desk::in_folder(after.path());
    again.app.keep_open_games();
    let (open, recovered) = games(&again);
    assert_eq!((open.len(), recovered), (1, json!(1)));
    assert_eq!(open[0]["position"]["comment"], "unsaved");
    assert!(after.path().join("open/g7.unreadable").exists(), "what cannot be read is set aside");
}
