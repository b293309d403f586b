//! A training run as its maker watches it.

use crate::host::Desk;
use honinbo_api::ApiError;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A run on 3x3 with one whole generation, and a game of the next.
fn put_run(folder: &Path) {
    let put = |name: &str, content: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    };
    put("run.toml", "[[boards]]\nwidth = 3\nheight = 3\n[selfplay]\ngames = 4\ngames_per_file = 2\n");
    put("gates/000001.json", "{}");
    put("networks/000001.bin.gz", "");
    put("games/000002/000000.part", "(;SZ[3]KM[2.5]RE[B+6.5];B[bb];W[ab];B[])");
    put(
        "status.jsonl",
        concat!(
            r#"{"event":"selfplay","generation":1,"games":4,"rows":9,"visits":100,"moves":20,"blackWins":2,"seconds":2.5,"processorSeconds":5.0}"#,
            "\n",
            r#"{"event":"fit","generation":1,"steps":7,"losses":{"total":4.0,"policy":2.0,"reply":0.5,"value":1.0,"score":0.25,"ownership":0.125,"soon":0.125},"seconds":1.5,"processorSeconds":3.0}"#,
            "\n",
            r#"{"event":"gate","generation":1,"against":0,"wins":3,"losses":1,"draws":0,"elo":190.0,"eloLow":-100.0,"eloHigh":500.0,"taken":true,"probe":{"fairKomi":9.0,"policyMove":"B2","policyShare":0.5,"policy":[0.05,0.05,0.05,0.05,0.5,0.05,0.05,0.05,0.05,0.1],"firstMove":"B2","blackWinRate":0.5,"komi":9.5,"blackMargin":9.0,"moves":["B2","pass","pass"]},"seconds":1.0,"processorSeconds":2.0}"#,
            "\n",
        ),
    );
}

fn run(desk: &Desk) -> (PathBuf, String) {
    let folder = desk.path("run");
    put_run(&folder);
    let named = folder.display().to_string();
    (folder, named)
}

fn news(desk: &Desk, folder: &str, known: &str) -> Value {
    desk.must("training_status", json!({"folder": folder, "known": known}))
}

#[test]
fn a_run_is_told_once_for_each_change() {
    let desk = Desk::new();
    let (path, folder) = run(&desk);
    let first = news(&desk, &folder, "");
    let status = &first["status"];
    assert_eq!((&status["generations"], &status["board"]), (&json!(1), &json!([3, 3, false])));
    assert_eq!(status["strengths"][0]["generation"], 1);
    assert_eq!(status["losses"][0]["losses"]["total"], 4.0);
    assert_eq!(status["cost"]["processorSeconds"], 10.0);
    assert_eq!(
        status["games"][0],
        json!({"generation": 2, "file": 0, "index": 0, "width": 3, "height": 3, "moves": 3, "komi": 2.5, "result": "B+6.5"})
    );
    let stamp = first["stamp"].as_str().unwrap();
    assert_eq!(news(&desk, &folder, stamp), json!({"stamp": stamp, "status": null}));
    std::fs::write(path.join("games/000002/000000.part"), "(;SZ[3];B[bb])(;SZ[3];B[aa])").unwrap();
    assert_eq!(news(&desk, &folder, stamp)["status"]["games"].as_array().unwrap().len(), 2);
}

#[test]
fn its_policies_are_told_and_its_games_are_looked_at_and_opened() {
    let desk = Desk::new();
    let (_, folder) = run(&desk);
    let policy = desk.must("training_policy", json!({"folder": folder, "generation": 1}));
    assert_eq!((policy.as_array().unwrap().len(), &policy[4]), (10, &json!(0.5)));
    let wanted = json!({"folder": folder, "generation": 2, "file": 0, "index": 0});
    let seen = desk.must("training_game", wanted.clone());
    assert_eq!((&seen["width"], &seen["position"]["stones"]), (&json!(3), &json!([0, 0, 0, -1, 1, 0, 0, 0, 0])));
    let game = desk.must("open_training_game", wanted);
    assert_eq!(desk.must("startup", json!({}))["games"][0]["gameId"], game["gameId"]);
    for (name, args) in [
        ("training_policy", json!({"folder": folder, "generation": 2})),
        ("training_game", json!({"folder": folder, "generation": 2, "file": 0, "index": 1})),
        ("training_status", json!({"folder": desk.path("elsewhere"), "known": ""})),
    ] {
        let refused = desk.give(name, args).unwrap_err();
        assert!(matches!(refused, ApiError::NotFound { .. }), "{name}: {refused:?}");
    }
    std::fs::write(desk.path("run/run.toml"), "tomorrow = true").unwrap();
    let refused = desk.give("training_status", json!({"folder": folder, "known": ""})).unwrap_err();
    assert!(matches!(refused, ApiError::UnreadableFile { .. }), "{refused:?}");
}

#[test]
fn a_browser_sees_the_run_that_the_host_was_told_of_and_no_other() {
    let browser = Desk::without_paths();
    let (path, folder) = run(&browser);
    assert_eq!(browser.must("startup", json!({}))["canWatchTraining"], false);
    let refused = |desk: &Desk, folder: &str| {
        for (name, args) in [
            ("training_status", json!({"folder": folder, "known": ""})),
            ("training_policy", json!({"folder": folder, "generation": 1})),
            ("training_game", json!({"folder": folder, "generation": 2, "file": 0, "index": 0})),
            ("open_training_game", json!({"folder": folder, "generation": 2, "file": 0, "index": 0})),
        ] {
            let refused = desk.give(name, args).unwrap_err();
            assert!(matches!(refused, ApiError::NotPossibleHere { .. }), "{name}: {refused:?}");
        }
    };
    refused(&browser, &folder);
    refused(&browser, "");
    std::fs::write(browser.path("data/training-for-tests.txt"), &folder).unwrap();
    assert_eq!(browser.must("startup", json!({}))["canWatchTraining"], true);
    assert_eq!(news(&browser, "", "")["status"]["generations"], 1);
    refused(&browser, path.parent().unwrap().to_str().unwrap());
}
