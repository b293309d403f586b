//! Two windows on one back end.

use crate::host::Desk;
use honinbo_api::{ApiError, Event};
use honinbo_testkit::UniformEvaluator;
use serde_json::{Value, json};

/// What windows were told of open games since they were last asked here.
fn heard(desk: &Desk) -> Vec<(String, Option<u32>)> {
    let mut heard = Vec::new();
    desk.each_event(|event| {
        if let Event::GameChanged(changed) = event {
            heard.push((changed.game_id.clone(), changed.version));
        }
    });
    desk.forget_events();
    heard
}

fn version(answer: &Value) -> Option<u32> {
    answer["version"].as_u64().map(|version| u32::try_from(version).unwrap())
}

#[test]
fn every_window_hears_which_game_was_opened_changed_and_closed() {
    let desk = Desk::new();
    let other = desk.open("(;SZ[9];B[aa])");
    let id = desk.open("(;SZ[9];B[ee])");
    let told: Vec<String> = heard(&desk).into_iter().map(|(id, _)| id).collect();
    assert_eq!(told, [other.clone(), id.clone()]);

    let mut before = None;
    for (command, args) in [
        ("navigate", json!({"gameId": id, "step": "last"})),
        ("play", json!({"gameId": id, "vertex": 0})),
        ("set_comment", json!({"gameId": id, "nodeId": 1, "text": "here"})),
        (
            "set_marks",
            json!({"gameId": id, "nodeId": 2, "marks": [{"point": 0, "shape": "circle", "label": ""}], "links": []}),
        ),
        ("undo_edit", json!({"gameId": id})),
    ] {
        let answer = desk.must(command, args);
        assert_eq!(heard(&desk), [(id.clone(), version(&answer))], "{command}");
        assert!(version(&answer) > before, "{command}");
        before = version(&answer);
    }
    // Looking at it changes nothing.
    let whole = desk.must("get_game", json!({"gameId": id}));
    desk.must("position_at", json!({"gameId": id, "nodeId": 0}));
    assert_eq!((heard(&desk), version(&whole)), (Vec::new(), before));

    desk.must("close_game", json!({"gameId": id, "changes": "leave"}));
    assert_eq!(heard(&desk), [(id, None)]);
    desk.must("navigate", json!({"gameId": other, "step": "last"}));
    assert_eq!(heard(&desk).len(), 1);
}

#[test]
fn every_window_hears_of_a_game_that_is_played() {
    let desk = Desk::new();
    let game =
        json!({"width": 5, "height": 5, "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": ""});
    let started = desk.must(
        "start_play",
        json!({"game": game, "seats": {"black": null, "white": null}, "clock": null, "teaching": null}),
    );
    let id = started["play"]["gameId"].as_str().unwrap().to_owned();
    assert_eq!(heard(&desk), [(id.clone(), version(&started["game"]))]);
    for vertex in [json!(12), Value::Null, Value::Null] {
        let answer = desk.must("play_turn", json!({"gameId": id, "vertex": vertex, "insist": false}));
        assert_eq!(heard(&desk), [(id.clone(), version(&answer["update"]))]);
    }
    let went_on = desk.must("continue_play", json!({"gameId": id}));
    assert_eq!(heard(&desk), [(id.clone(), version(&went_on["update"]))]);
    let over = desk.must("resign_play", json!({"gameId": id}));
    assert_eq!(heard(&desk), [(id, version(&over["update"]))]);
}

#[test]
fn every_window_hears_what_the_person_chose_once() {
    let desk = Desk::new();
    let chosen = |desk: &Desk| {
        let mut chosen = Vec::new();
        desk.each_event(|event| {
            if let Event::SettingsChanged(settings) = event {
                chosen.push(serde_json::to_value(settings).unwrap());
            }
        });
        desk.forget_events();
        chosen
    };
    let mut settings = desk.must("startup", json!({}))["settings"].clone();
    desk.must("set_settings", settings.clone());
    assert_eq!(chosen(&desk), [] as [Value; 0], "nothing is changed by choosing what is chosen");
    settings["theme"] = json!("dark");
    desk.must("set_settings", settings.clone());
    assert_eq!(chosen(&desk), [settings.clone()]);
    // What could not be kept on the disk holds all the same, and is told.
    settings["visits"] = json!(100);
    let file = desk.path("data/settings.toml");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let refused = desk.give("set_settings", settings.clone()).unwrap_err();
    assert!(matches!(&refused, ApiError::UnwritableFile { file: named, .. } if *named == file.display().to_string()));
    assert!(refused.to_string().contains("cannot be read"), "{refused}");
    assert_eq!(chosen(&desk), [settings]);
}

#[test]
fn a_window_hears_of_games_that_another_program_brings_into_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, terminal) = (Desk::in_folder(folder.path()), Desk::in_folder(folder.path()));
    desk.app.keep_open_games();
    desk.forget_events();
    terminal.must("save_goban", json!({"goban": "(;SZ[9]PB[a]KM[6.5];B[ee])"}));
    desk.wait_for(|event| matches!(event, Event::LibraryChanged).then_some(()));
    assert_eq!(desk.must("library_stats", json!({}))["games"], 1);
}

#[test]
fn windows_that_choose_different_things_at_once_do_not_undo_one_another() {
    let desk = Desk::new();
    let settings = || desk.must("startup", json!({}))["settings"].clone();
    desk.must("set_settings", json!({"window": r#"{"sound":true,"figures":["score"]}"#}));
    // Each begins with what it was told before the other chose.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for visits in 1..=50 {
                desk.must("set_settings", json!({"visits": visits, "window": r#"{"sound":false}"#}));
            }
        });
        scope.spawn(|| {
            for threads in 1..=50 {
                desk.must("set_settings", json!({"threads": threads, "window": r#"{"figures":["loss"]}"#}));
            }
        });
    });
    let now = settings();
    assert_eq!((&now["visits"], &now["threads"]), (&json!(50), &json!(50)));
    let window: Value = serde_json::from_str(now["window"].as_str().unwrap()).unwrap();
    assert_eq!(window, json!({"sound": false, "figures": ["loss"]}));
    // What is no object is refused, and so is what would fill the file.
    let endless = json!({"x": "x".repeat(1 << 20)}).to_string();
    for wrong in ["[]", "7", "{", &endless] {
        desk.give("set_settings", json!({"theme": "dark", "window": wrong})).unwrap_err();
    }
    assert_eq!(settings(), now, "all of a change or nothing of it");
}

#[test]
fn a_sweep_that_nobody_asked_for_leaves_the_one_of_another_window_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, gate) = Desk::held(folder.path(), UniformEvaluator::default());
    let id = desk.open("(;SZ[9];B[ee];W[ec];B[ge])");
    let review = desk.must("sweep_game", json!({"gameId": id, "passes": [1, 8]}));
    let graph = json!({"gameId": id, "passes": [1], "unasked": true});
    assert_eq!(desk.must("sweep_game", graph.clone()), review, "it goes on");
    gate.allow(None);
    let end = desk.end_of_sweep();
    assert_eq!(
        (json!(end.serial), end.visits, json!(end.state)),
        (review["serial"].clone(), 8, json!({"kind": "finished"}))
    );
    // With nothing under way it begins, and who asks is heard in any case.
    desk.forget_events();
    assert_ne!(desk.must("sweep_game", graph), review);
    desk.end_of_sweep();
    gate.allow(Some(0));
    let again = desk.must("sweep_game", json!({"gameId": id, "passes": [1]}));
    assert_ne!(desk.must("sweep_game", json!({"gameId": id, "passes": [2]})), again);
    gate.allow(None);
}

#[test]
fn a_sweep_that_nobody_asked_for_never_ends_one_that_is_asked_for_at_the_same_moment() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, gate) = Desk::held(folder.path(), UniformEvaluator::default());
    // So many positions that the question takes its time.
    let points = (0..10u8).flat_map(|y| (0..10u8).map(move |x| [b'a' + 2 * x, b'a' + 2 * y].map(char::from)));
    let moves: String = points.zip("BW".chars().cycle()).map(|([x, y], color)| format!(";{color}[{x}{y}]")).collect();
    let id = desk.open(&format!("(;SZ[19]{moves})"));
    let graph = json!({"gameId": id, "passes": [1], "unasked": true});
    for _ in 0..30 {
        let review = std::thread::scope(|scope| {
            scope.spawn(|| desk.must("sweep_game", graph.clone()));
            desk.must("sweep_game", json!({"gameId": id, "passes": [1, 8]}))
        });
        assert_eq!(desk.must("sweep_game", graph.clone()), review, "it goes on");
        desk.must("stop_engine", json!({}));
    }
    gate.allow(None);
}
