//! What the engine found is kept, and nothing is analysed twice.

use crate::host::Desk;
use honinbo_api::{Event, SweepState};
use honinbo_testkit::{CountingEvaluator, UniformEvaluator};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

const GAME: &str = "(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gg];W[gc])";
/// The same game in a mirror.
const MIRRORED: &str = "(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[gc];B[cg];W[cc])";

fn counting(folder: &Path) -> (Desk, Arc<CountingEvaluator>) {
    let evaluator = Arc::new(CountingEvaluator::new(UniformEvaluator::default()));
    (Desk::asking(folder, Arc::clone(&evaluator) as _), evaluator)
}

fn sweep(desk: &Desk, game: &str, visits: u32) -> u32 {
    desk.forget_events();
    desk.must("sweep_game", json!({"gameId": game, "passes": [visits]}));
    let end = desk.end_of_sweep();
    assert_eq!((&end.state, end.visits), (&SweepState::Finished, visits));
    end.done
}

fn kept(desk: &Desk) -> Value {
    desk.must("library_report", json!({}))["evaluations"].clone()
}

#[test]
fn a_game_that_was_analysed_shows_it_as_soon_as_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    {
        let desk = Desk::in_folder(folder.path());
        let id = desk.open(GAME);
        desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 60}));
        desk.wait_for(|event| matches!(event, Event::Analysis(update) if !update.running).then_some(()));
        desk.app.shut_down();
    }
    let (desk, counter) = counting(folder.path());
    let id = desk.open(MIRRORED);
    let value = desk.wait_for(|event| match event {
        Event::Graph(graph) => graph.values.iter().find(|value| value.node_id == 0).cloned(),
        _ => None,
    });
    assert_eq!(value.visits, 60);
    let shown = desk.wait_for(|event| match event {
        Event::Analysis(update) if !update.candidates.is_empty() => Some(update.clone()),
        _ => None,
    });
    assert_eq!((shown.visits, shown.running, shown.black_ownership.len()), (60, false, 81));
    assert!(shown.candidates.iter().all(|candidate| candidate.pv.first() == Some(&candidate.vertex)));
    assert_eq!(counter.asked(), 0, "nobody was asked again");

    // Analysis with the same limit rests at once: only the network's first thought is not kept.
    desk.forget_events();
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 60}));
    let rested = desk.wait_for(|event| match event {
        Event::Analysis(update) if !update.running => Some(update.clone()),
        _ => None,
    });
    assert_eq!((rested.visits, rested.policy.len()), (60, 81));
    assert!(counter.asked() < 50, "the position was searched again");
    // With a higher one it goes on.
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 90}));
    let more = desk.wait_for(|event| match event {
        Event::Analysis(update) if !update.running && update.visits > 60 => Some(update.visits),
        _ => None,
    });
    assert!(more >= 90);
}

#[test]
fn analysis_of_some_moves_only_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::in_folder(folder.path());
    let id = desk.open("(;SZ[9])");
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 20, "allow": [0, 1]}));
    desk.wait_for(|event| matches!(event, Event::Analysis(update) if !update.running).then_some(()));
    desk.app.shut_down();
    assert_eq!(kept(&Desk::in_folder(folder.path())), 0);
}

#[test]
fn a_sweep_asks_for_no_position_that_is_known_well_enough() {
    let folder = tempfile::tempdir().unwrap();
    {
        let (desk, counter) = counting(folder.path());
        let id = desk.open(GAME);
        assert_eq!(sweep(&desk, &id, 8), 5);
        assert!(counter.asked() > 0);
        desk.app.shut_down();
    }
    let (desk, counter) = counting(folder.path());
    assert_eq!(kept(&desk), 5);
    let id = desk.open(MIRRORED);
    for visits in [1, 8] {
        assert_eq!(sweep(&desk, &id, visits), 5);
    }
    assert_eq!(counter.asked(), 0, "what is known was asked for again");
    assert_eq!(sweep(&desk, &id, 16), 5);
    assert!(counter.asked() > 0, "more visits were wanted");
    desk.app.shut_down();
    assert_eq!(kept(&Desk::in_folder(folder.path())), 5, "better ones replace worse ones");
}

#[test]
fn the_explorer_joins_what_a_sweep_found() {
    let folder = tempfile::tempdir().unwrap();
    Desk::in_folder(folder.path()).must("save_goban", json!({"goban": GAME}));
    for (visits, judged) in [(1, false), (60, true)] {
        {
            let desk = Desk::in_folder(folder.path());
            let id = desk.open(GAME);
            sweep(&desk, &id, visits);
            desk.app.shut_down();
        }
        let desk = Desk::in_folder(folder.path());
        let id = desk.open(GAME);
        let found = desk.must("explore_position", json!({"gameId": id}));
        assert_eq!((&found["found"], &found["value"]["visits"]), (&json!(1), &json!(visits)), "{found}");
        assert_eq!(found["lines"][0]["value"]["visits"], visits, "{found}");
        assert_eq!(found["lines"][0]["pointsLost"].is_number(), judged, "{found}");
    }
}

#[test]
fn a_run_is_kept_and_everything_can_be_forgotten_or_not_kept_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let board = vec![vec![0; 9]; 9];
    let run = |desk: &Desk, color: &str| {
        desk.must("run", json!({"board": board, "color": color, "visits": 4}));
    };
    let desk = Desk::in_folder(folder.path());
    run(&desk, "black");
    desk.app.shut_down();
    let desk = Desk::in_folder(folder.path());
    assert_eq!(kept(&desk), 1);
    desk.must("clear_evaluations", json!({}));
    assert_eq!(kept(&desk), 0);
    let mut settings = desk.must("startup", json!({}))["settings"].clone();
    settings["evaluationsMib"] = json!(0);
    desk.must("set_settings", settings);
    run(&desk, "white");
    desk.app.shut_down();
    assert_eq!(kept(&Desk::in_folder(folder.path())), 0);
}

#[test]
fn a_record_carries_what_was_found_to_other_programs_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let sgf = {
        let desk = Desk::in_folder(folder.path());
        let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese]XX[kept];B[ee]KT[foreign];W[cc](;B[gg])(;B[aa]))");
        sweep(&desk, &id, 8);
        let plain = desk.must("export_sgf", json!({"gameId": id}))["sgf"].clone();
        assert!(!plain.as_str().unwrap().contains("SBKV"), "{plain}");
        let path = desk.path("evaluated.sgf");
        desk.must("save_file", json!({"gameId": id, "path": path, "evaluations": true}));
        assert_eq!(std::fs::read_to_string(path).unwrap().matches("LZ[uniform ").count(), 3);
        desk.must("save_goban", json!({"gameId": id}));
        let records = |evaluations: bool| {
            let path = desk.path("records.sgf");
            let asked = json!({"format": "sgf", "path": path, "evaluations": evaluations});
            assert_eq!(desk.must("export_records", asked)["games"], 1);
            std::fs::read_to_string(path).unwrap()
        };
        assert_eq!(records(true).matches("LZ[uniform ").count(), 3);
        assert!(!records(false).contains("LZ["), "the library keeps the record as it came");
        desk.must("export_evaluated", json!({"gameId": id}))["sgf"].as_str().unwrap().to_owned()
    };
    for property in ["KTV[1.0]", "XX[kept]", "KT[foreign]", "SBKV[", "LZOP[uniform ", "LZ[uniform ", "KA[{"] {
        assert!(sgf.contains(property), "{property}: {sgf}");
    }
    assert_eq!(sgf.matches("LZ[").count(), 3, "the variation was not looked at: {sgf}");
    // Another person's program knows nothing but the record.
    let elsewhere = tempfile::tempdir().unwrap();
    let (desk, counter) = counting(elsewhere.path());
    let id = desk.open(&sgf);
    let told = desk.wait_for(|event| match event {
        Event::Graph(graph) => Some(graph.values.clone()),
        _ => None,
    });
    assert_eq!(told.iter().map(|value| value.node_id).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(told.iter().all(|value| value.visits >= 8), "{told:?}");
    assert_eq!(sweep(&desk, &id, 8), 4);
    assert_eq!(counter.asked(), 0, "the same network is not asked again");
}

#[test]
fn a_chance_to_win_without_a_score_is_shown_as_such_and_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, counter) = counting(folder.path());
    let id = desk.open("(;SZ[9]KM[7.5];B[ee]SBKV[61.5];W[cc])");
    let told = desk.wait_for(|event| match event {
        Event::Graph(graph) => Some(graph.values.clone()),
        _ => None,
    });
    let told: Vec<_> = told.iter().map(|value| json!(value)).collect();
    assert_eq!(
        told,
        [json!({"nodeId": 1, "blackWinProb": 0.615, "blackScoreLead": null, "visits": 1, "judged": null})]
    );
    assert_eq!(counter.asked(), 0);
    assert_eq!(sweep(&desk, &id, 8), 3, "our own evaluation is made all the same");
    let now = desk.wait_for(|event| match event {
        Event::Graph(graph) => graph.values.iter().find(|value| value.node_id == 1 && value.visits >= 8).cloned(),
        _ => None,
    });
    assert!(now.black_score_lead.is_some());
}
