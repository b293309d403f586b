//! Live analysis, sweeps and what windows are told of them.

use crate::host::Desk;
use honinbo_api::{AnalysisUpdate, EngineState, Event, Finite, SweepState};
use honinbo_testkit::{AlteredEvaluator, UniformEvaluator};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

fn analysis(event: &Event) -> Option<&AnalysisUpdate> {
    match event {
        Event::Analysis(update) => Some(update),
        _ => None,
    }
}

#[test]
fn analysis_follows_the_current_node_and_rests_at_its_visits() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc])");
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 60}));
    let first = desk.wait_for(|event| analysis(event).filter(|update| !update.running).cloned());
    assert_eq!((first.node_id, first.visits), (0, 60));
    assert_eq!(first.black_ownership.len(), 81);
    assert!(!first.candidates.is_empty());
    for (order, candidate) in first.candidates.iter().enumerate() {
        assert_eq!(candidate.order as usize, order);
        assert_eq!(candidate.pv.first(), Some(&candidate.vertex));
        let values = [candidate.black_win_prob, candidate.prior];
        assert!(values.iter().all(|value| (0.0..=1.0).contains(&value.get())), "{candidate:?}");
    }
    desk.must("navigate", json!({"gameId": id, "step": "next"}));
    let next = desk.wait_for(|event| analysis(event).filter(|update| update.node_id == 1 && !update.running).cloned());
    assert!(next.visits >= 60);
    assert!(next.candidates.iter().all(|candidate| candidate.vertex != Some(40)), "a stone is there");

    let status = desk.must("set_analysis", json!({"gameId": id, "running": false, "visits": 0}));
    assert_eq!(status["analysing"], json!(null));
    assert_eq!(status["network"], "uniform");
}

/// The thread that was asked and the one that reads the network both tell the engine's state. When the older news came
/// last, the window said that the network was being read while the candidates of that very network were on it.
#[test]
fn the_engine_s_news_come_in_their_order() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese])");
    desk.dawdle();
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 30}));
    desk.wait_for(|event| analysis(event).filter(|update| !update.running).cloned());
    let mut told = desk.states_of_the_engine();
    told.dedup();
    // The thread that reads may be heard before the one that asked it to.
    let told = told.strip_prefix(&[EngineState::Idle]).unwrap_or(&told);
    assert_eq!(told, [EngineState::Loading, EngineState::Ready]);
}

#[test]
fn analysis_without_a_limit_goes_on_until_it_is_turned_off() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9])");
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 0}));
    let early = desk.wait_for(|event| analysis(event).cloned());
    let later = desk.wait_for(|event| analysis(event).filter(|update| update.sequence > early.sequence + 2).cloned());
    assert!(later.visits > early.visits && later.running);
    desk.must("set_analysis", json!({"gameId": id, "running": false, "visits": 0}));
    let last = desk.wait_for(|event| analysis(event).filter(|update| !update.running).cloned());
    assert!(last.visits >= later.visits);
}

#[test]
fn closing_a_game_ends_its_analysis() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9])");
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 0}));
    desk.wait_for(|event| analysis(event).cloned());
    desk.must("close_game", json!({"gameId": id}));
    desk.wait_for(|event| analysis(event).filter(|update| !update.running).cloned());
    assert_eq!(desk.must("engine_status", json!({}))["analysing"], json!(null));
}

/// An engine of `engines.yaml` in `sh`, which finds the same at every position and says so twice.
#[cfg(unix)]
fn add_thinker(desk: &Desk, name: &str, commands: &str) {
    let script = desk.path(&format!("{name}.sh"));
    std::fs::write(
        &script,
        format!(
            "while read -r id command rest; do case $command in\n\
             protocol_version) echo \"=$id 2\";;\nname) echo \"=$id Thinker\";;\nversion) echo \"=$id 7\";;\n\
             list_commands) echo \"=$id undo\"; echo '{commands}';;\n\
             kata-analyze) echo \"=$id\"\n\
             echo 'info move D4 visits 30 winrate 0.75 scoreLead 2.5 prior 0.5 order 0 pv D4 E4'\n\
             echo 'info move D4 visits 60 winrate 0.75 scoreLead 2.5 prior 0.5 order 0 pv D4 E4'\n\
             read -r id command rest; echo; echo \"=$id 2\";;\n*) echo \"=$id\";;\nesac; echo; done"
        ),
    )
    .unwrap();
    let text = format!("engines:\n  {name}: {{ command: \"sh '{}'\" }}\n", script.display());
    std::fs::write(desk.path("data").join("engines.yaml"), text).unwrap();
}

#[cfg(unix)]
fn choose_analyst(desk: &Desk, name: &str) {
    let mut settings = desk.must("startup", json!({}))["settings"].clone();
    settings["analysisEngine"] = json!(name);
    desk.must("set_settings", settings);
}

#[cfg(unix)]
#[test]
fn another_program_s_analysis_is_shown_like_the_network_s() {
    let desk = Desk::new();
    add_thinker(&desk, "thinker", "kata-analyze");
    choose_analyst(&desk, "thinker");
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc])");
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 50}));
    let first = desk.wait_for(|event| analysis(event).filter(|update| !update.running).cloned());
    assert_eq!((first.node_id, first.visits), (0, 61));
    assert_eq!((first.black_win_prob.get(), first.black_score_lead.map(Finite::get)), (0.75, Some(2.5)));
    assert_eq!(first.candidates.len(), 1);
    // D4 is the sixth row from the top.
    assert_eq!((first.candidates[0].vertex, first.candidates[0].pv.len()), (Some(5 * 9 + 3), 2));
    desk.must("navigate", json!({"gameId": id, "step": "next"}));
    let next = desk.wait_for(|event| analysis(event).filter(|update| update.node_id == 1 && !update.running).cloned());
    assert_eq!(
        (next.black_win_prob.get(), next.black_score_lead.map(Finite::get)),
        (0.25, Some(-2.5)),
        "White is to move"
    );
    let status = desk.must("engine_status", json!({}));
    assert_eq!((&status["network"], &status["state"]["kind"]), (&json!("Thinker 7"), &json!("ready")));

    // The network takes over where it is left to it.
    desk.forget_events();
    choose_analyst(&desk, "");
    let own = desk.wait_for(|event| analysis(event).filter(|update| !update.running).cloned());
    assert!(own.candidates.len() > 1, "{own:?}");
    assert_eq!(desk.must("engine_status", json!({}))["network"], "uniform");
}

#[cfg(unix)]
#[test]
fn a_program_that_counts_no_points_is_given_none() {
    let desk = Desk::new();
    let script = desk.path("leela.sh");
    let text = "while read -r id command rest; do case $command in\n\
        protocol_version) echo \"=$id 2\";;\nname) echo \"=$id Leela Zero\";;\nversion) echo \"=$id 0.17\";;\n\
        list_commands) echo \"=$id undo\"; echo lz-analyze;;\n\
        lz-analyze) echo \"=$id\"\n\
        echo 'info move D4 visits 60 winrate 7500 prior 5000 order 0 pv D4 E4 info move C3 visits 20 winrate 5000 \
        prior 100 order 1 pv C3'\n\
        read -r id command rest; echo; echo \"=$id 2\";;\n*) echo \"=$id\";;\nesac; echo; done";
    std::fs::write(&script, text).unwrap();
    let engines = format!("engines:\n  leela: {{ command: \"sh '{}'\" }}\n", script.display());
    std::fs::write(desk.path("data").join("engines.yaml"), engines).unwrap();
    choose_analyst(&desk, "leela");
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc])");
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 50}));
    let update = desk.wait_for(|event| analysis(event).filter(|update| !update.running).cloned());
    assert_eq!((update.visits, update.black_win_prob.get(), update.black_score_lead), (81, 0.6875, None));
    let of = |candidate: &honinbo_api::CandidateView| {
        (candidate.visits, candidate.black_win_prob.get(), candidate.black_score_lead, candidate.points_lost)
    };
    assert_eq!(of(&update.candidates[0]), (60, 0.75, None, None));
    assert_eq!(of(&update.candidates[1]), (20, 0.5, None, None));
    let value = desk.wait_for(|event| match event {
        Event::Graph(graph) => graph.values.first().cloned(),
        _ => None,
    });
    assert_eq!((value.black_win_prob.get(), value.black_score_lead), (0.6875, None), "nor does the graph know any");
}

#[cfg(unix)]
#[test]
fn a_program_that_gives_no_analysis_is_said_in_a_sentence() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9])");
    let failed = |desk: &Desk| {
        desk.wait_for(|event| match event {
            Event::Engine(status) => match &status.state {
                EngineState::Failed { message, hint } => Some((message.clone(), hint.clone())),
                _ => None,
            },
            _ => None,
        })
    };
    choose_analyst(&desk, "nobody");
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 50}));
    let (message, hint) = failed(&desk);
    assert!(message.contains("nobody") && !hint.is_empty(), "{message}; {hint}");
    add_thinker(&desk, "mute", "play");
    desk.forget_events();
    choose_analyst(&desk, "mute");
    let (message, hint) = failed(&desk);
    assert!(message.contains("lz-analyze") && hint.contains("KataGo"), "{message}; {hint}");
}

/// The search at rest on a node, with a focus other than `not`.
fn at_rest(desk: &Desk, node: u32, focused: bool, not: u32) -> AnalysisUpdate {
    desk.wait_for(|event| {
        let update = analysis(event).filter(|update| update.node_id == node && !update.running)?;
        ((update.focus != 0) == focused && update.focus != not).then(|| update.clone())
    })
}

#[test]
fn moves_are_compared_with_equal_visits_until_another_position_is_shown() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cb])");
    desk.must("navigate", json!({"gameId": id, "step": "last"}));
    let on =
        |equal: Value| desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 60, "equal": equal}));
    on(Value::Null);
    assert_eq!(at_rest(&desk, 2, false, 1).visits, 60);

    on(json!({"nodeId": 2, "moves": [0, 30, null, 9999], "visits": 40}));
    let compared = at_rest(&desk, 2, true, 0);
    let visits_of = |vertex| compared.candidates.iter().find(|one| one.vertex == vertex).map_or(0, |one| one.visits);
    for vertex in [Some(0), Some(30), None] {
        assert!(visits_of(vertex) >= 40, "{vertex:?}: {}", visits_of(vertex));
    }
    assert!(compared.visits < 300, "other moves had {} visits", compared.visits);

    // Every move that may be played: 79 points and a pass; those that lead the list say how they would go on.
    on(json!({"nodeId": 2, "moves": [], "visits": 3}));
    let swept = at_rest(&desk, 2, true, compared.focus);
    assert_eq!(swept.candidates.len(), 80);
    assert!(swept.candidates.iter().all(|one| one.visits >= 3));
    assert!(swept.candidates[0].pv.len() > 1 && swept.candidates[79].pv.len() == 1);

    // What was meant for a position that is not shown any more compares nothing.
    on(json!({"nodeId": 1, "moves": [], "visits": 3}));
    at_rest(&desk, 2, false, 1);

    // The next position is looked at as usual, and visits that were given out evenly are nobody's opinion.
    desk.must("navigate", json!({"gameId": id, "step": "previous"}));
    at_rest(&desk, 1, false, 1);
    desk.wait_for(|event| match event {
        Event::Graph(graph) => {
            let mut of_swept = graph.values.iter().filter(|value| value.node_id == 2);
            assert!(of_swept.all(|value| value.visits <= 60), "the graph heard of a sweep");
            graph.values.iter().any(|value| value.node_id == 1).then_some(())
        }
        _ => None,
    });
}

/// "Look closer" at a move that nobody lists: it is listed wherever it stands, with its own visits, in the same search,
/// even where the search rests already.
#[test]
fn a_move_beyond_the_candidates_is_looked_at_more_closely() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[19]KM[7.5]RU[Chinese];B[pd];W[dc];B[qq])");
    desk.must("navigate", json!({"gameId": id, "step": "last"}));
    let ask = |closer: Value| {
        desk.forget_events();
        desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 300, "closer": closer}));
        at_rest(&desk, 3, false, 1)
    };
    let before = ask(Value::Null);
    assert!(before.visits >= 300 && before.candidates.len() <= 40, "{}", before.candidates.len());
    // The last point of the board, which the search would not try among all moves with even chances.
    let point = Some(360);
    assert!(before.candidates.iter().all(|one| one.vertex != point));

    let after = ask(json!({"nodeId": 3, "points": [360]}));
    let looked_at = after.candidates.iter().find(|one| one.vertex == point).expect("it is listed");
    assert!(looked_at.visits >= 300, "{}", looked_at.visits);
    let beyond = after.candidates.iter().filter(|one| one.order >= 40).count();
    assert!(beyond == usize::from(looked_at.order >= 40), "no other move beyond the forty is listed");
    assert!(looked_at.pv.len() > 1, "how it would go on is told");
    assert!(after.visits >= before.visits, "the tree was kept");
    let of = |update: &AnalysisUpdate, vertex| {
        update.candidates.iter().find(|one| one.vertex == vertex).map(|one| one.visits)
    };
    let best = before.candidates[0].vertex;
    assert!(of(&after, best) >= of(&before, best), "and its visits count for nothing but itself");

    // Where the library knows more than this search, the look is shown beside what is known.
    let again = Desk::new();
    let known = again.open("(;SZ[19]KM[7.5]RU[Chinese];B[pd];W[dc];B[qq])");
    again.must("navigate", json!({"gameId": known, "step": "last"}));
    again.must("set_analysis", json!({"gameId": known, "running": true, "visits": 300}));
    at_rest(&again, 3, false, 1);
    again.must("close_game", json!({"gameId": known}));
    let reopened = again.open("(;SZ[19]KM[7.5]RU[Chinese];B[pd];W[dc];B[qq])");
    again.must("navigate", json!({"gameId": reopened, "step": "last"}));
    again.forget_events();
    let closer = json!({"nodeId": 3, "points": [360]});
    again.must("set_analysis", json!({"gameId": reopened, "running": true, "visits": 60, "closer": closer}));
    let told = at_rest(&again, 3, false, 1);
    assert!(told.candidates.iter().any(|one| one.vertex == point && one.visits >= 60), "{:?}", told.candidates.len());

    // A point that may not be played ends nothing and keeps nothing busy.
    let stone = ask(json!({"nodeId": 3, "points": [3 * 19 + 15]}));
    assert!(stone.candidates.iter().all(|one| one.vertex != Some(3 * 19 + 15)));
}

/// GNU Go, Leela Zero, KataGo, Pachi: what is installed is named, and is started before it is kept.
#[cfg(unix)]
#[test]
fn an_engine_that_is_installed_is_found_added_and_found_no_more() {
    let desk = Desk::new();
    let found = desk.must("find_engines", json!({}));
    let names = |found: &Value| -> Vec<String> {
        found.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    if !names(&found).contains(&"GNU Go".to_owned()) {
        return honinbo_testkit::fixtures::skip("GNU Go is not there; its package is gnugo");
    }
    let gnugo = found.as_array().unwrap().iter().find(|one| one["name"] == "GNU Go").unwrap();
    assert!(gnugo["command"].as_str().unwrap().ends_with("gnugo --mode gtp"), "{gnugo}");
    let told = desk.must("add_engine", json!({"name": gnugo["name"], "command": gnugo["command"]}));
    assert_eq!(
        (&told["name"], told["firstMove"].as_str().map(str::is_empty)),
        (&json!("GNU Go"), Some(false)),
        "{told}"
    );
    assert!(!names(&desk.must("find_engines", json!({}))).contains(&"GNU Go".to_owned()), "it is in the list now");
    let opponents = desk.must("list_opponents", json!({}));
    let kept = opponents["opponents"].as_array().unwrap().iter().find(|one| one["id"] == "GNU Go");
    assert_eq!(kept.unwrap()["kind"], "engine", "{opponents}");
}

#[test]
fn a_sweep_of_an_empty_board_reaches_the_mirror_images_too() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[5]KM[7.5]RU[Chinese])");
    let equal = json!({"nodeId": 0, "moves": [0], "visits": 30});
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 0, "equal": equal}));
    let compared = at_rest(&desk, 0, true, 0);
    let corners = compared.candidates.iter().filter(|one| [0, 4, 20, 24].map(Some).contains(&one.vertex));
    assert!(corners.clone().count() == 4 && corners.clone().all(|one| one.visits >= 30), "{:#?}", compared.candidates);
}

#[test]
fn analysis_rests_while_somebody_waits_for_a_sweep_and_goes_on_after_it() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cb])");
    let rested = || {
        desk.wait_for(|event| {
            analysis(event).filter(|update| !update.running && update.visits >= 100).map(|it| it.visits)
        })
    };
    let sweep = || desk.must("sweep_game", json!({"gameId": id, "passes": [200_000]}));
    sweep();
    let analyse = |visits: u32| desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": visits}));
    analyse(5000);
    let visits = rested();
    assert!((100..1000).contains(&visits), "{visits}");
    desk.must("stop_sweep", json!({}));
    desk.wait_for(|event| analysis(event).filter(|update| !update.running && update.visits >= 5000).map(drop));

    // One that goes on already rests as well, and a sweep that nobody asked for holds up nothing.
    analyse(0);
    desk.forget_events();
    sweep();
    rested();
    desk.must("stop_sweep", json!({}));
    desk.forget_events();
    desk.wait_for(|event| analysis(event).filter(|update| update.running).map(drop));
    desk.must("sweep_game", json!({"gameId": id, "passes": [200_000], "unasked": true}));
    desk.must("navigate", json!({"gameId": id, "step": "next"}));
    analyse(3000);
    desk.wait_for(|event| {
        analysis(event).filter(|update| update.node_id == 1 && !update.running && update.visits >= 3000).map(drop)
    });
    desk.must("stop_engine", json!({}));
}

/// Whatever the board and however long it goes on: the tree is all that grows beside the answers, whose memory has a setting.
#[test]
fn analysis_without_a_limit_rests_once_its_tree_is_full() {
    if !honinbo_testkit::fixtures::slow_tests() {
        return;
    }
    let desk = Desk::new();
    let id = desk.open("(;SZ[9]KM[7.5])");
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 0}));
    let rested = desk.wait_for(|event| analysis(event).filter(|update| !update.running).map(|update| update.visits));
    // 200,000 positions; some are visited again.
    assert!((200_000..1_000_000).contains(&rested), "{rested} visits");
}

#[test]
fn a_position_is_played_out_and_taken_back_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    // Wants to pass once there are enough stones on the board.
    let settling = AlteredEvaluator::new(UniformEvaluator::default(), |request, answer| {
        let mut policy = answer.policy.to_vec();
        let pass = policy.len() - 1;
        let is_settled = request.game.board().points().flatten().count() >= 8;
        policy[pass] = if is_settled { 0.9 } else { 0.0 };
        answer.policy = policy.into();
    });
    let desk = Desk::asking(folder.path(), Arc::new(settling));
    let id = desk.open("(;SZ[7]KM[7.5]RU[Chinese];B[dd];W[cc])");
    desk.must("go_to", json!({"gameId": id, "nodeId": 1}));
    let ask = json!({"gameId": id, "nodeId": 1, "visits": 1});
    let played = desk.must("play_out", ask.clone());
    let game = desk.must("get_game", json!({"gameId": id}));
    let position = &game["position"];
    assert_eq!((&position["gameOver"], &position["lastWasPass"]), (&json!(true), &json!(true)));
    assert_eq!(played["moves"], 9, "seven stones and two passes");
    assert_eq!(position["moveNumber"], 10);
    assert!(played["score"]["result"].as_str().unwrap().len() > 1, "{played}");
    assert_eq!(game["tree"]["ids"].as_array().unwrap().len(), 12);

    let undone = desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!(undone["position"]["nodeId"], 1);
    assert_eq!(undone["position"]["line"].as_array().unwrap().len(), 3);
    desk.must("redo_edit", json!({"gameId": id}));
    // The same moves again are the same variation.
    desk.must("go_to", json!({"gameId": id, "nodeId": 1}));
    desk.must("play_out", ask);
    let again = desk.must("get_game", json!({"gameId": id}));
    assert_eq!((&again["tree"]["ids"], &again["position"]["nodeId"]), (&game["tree"]["ids"], &position["nodeId"]));

    let over = json!({"gameId": id, "nodeId": position["nodeId"], "visits": 1});
    assert_eq!(desk.give("play_out", over).unwrap_err().to_string(), "the game is over here already");
}

#[test]
fn playing_out_can_be_ended_and_forgives_what_changes_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(UniformEvaluator::slow(Duration::from_millis(20))));
    let id = desk.open("(;SZ[19]KM[7.5]RU[Chinese];B[dd])");
    let under_way = |event: &Event| matches!(event, Event::PlayOut(progress) if progress.moves > 0).then_some(());
    let play_out = |node: u32| desk.give("play_out", json!({"gameId": id, "nodeId": node, "visits": 2}));
    std::thread::scope(|scope| {
        let playing = scope.spawn(|| play_out(0));
        desk.wait_for(under_way);
        desk.must("cancel", json!({}));
        let played = playing.join().unwrap().unwrap();
        assert_eq!(played["score"], Value::Null);
        assert_eq!(desk.must("get_game", json!({"gameId": id}))["position"]["moveNumber"], played["moves"]);
    });
    desk.forget_events();
    desk.must("go_to", json!({"gameId": id, "nodeId": 0}));
    std::thread::scope(|scope| {
        let playing = scope.spawn(|| play_out(1));
        desk.wait_for(under_way);
        desk.must("delete_variation", json!({"gameId": id, "nodeId": 1}));
        desk.must("cancel", json!({}));
        let error = playing.join().unwrap().unwrap_err();
        assert_eq!(serde_json::to_value(&error).unwrap()["kind"], "notFound", "{error}");
    });
}

#[test]
fn two_networks_are_asked_about_the_same_position() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cb])");
    desk.must("go_to", json!({"gameId": id, "nodeId": 2}));
    let compare = |visits: u32| {
        desk.must("compare_networks", json!({"gameId": id, "network": "another.bin.gz", "visits": visits}))
    };
    let searched = compare(50);
    assert_eq!((&searched["nodeId"], &searched["first"]["visits"]), (&json!(2), &json!(50)));
    assert!(searched["first"]["candidates"][0]["visits"].as_u64().unwrap() > 0, "{searched}");

    let first_thought = compare(1);
    let candidates = first_thought["second"]["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 12);
    assert!(candidates.iter().all(|one| one["visits"] == 0 && one["prior"].as_f64().unwrap() > 0.0));
    let [first, second] = ["first", "second"].map(|which| &first_thought[which]);
    assert_eq!((&first["network"], &second["network"]), (&json!("uniform"), &json!("another.bin.gz")));
    assert_eq!(first["candidates"], second["candidates"], "here one answers for both");

    let ask = |network: &str, profile: &str| json!({"gameId": id, "network": network, "visits": 1, "profile": profile});
    let error = desk.give("compare_networks", ask("another.bin.gz", "rank_40k")).unwrap_err();
    assert!(error.to_string().contains("rank_40k"), "{error}");
    desk.must("end_comparison", json!({}));
    desk.must("end_comparison", json!({}));
}

#[test]
fn a_question_about_two_networks_ends_the_one_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(UniformEvaluator::slow(Duration::from_millis(20))));
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese])");
    let compare = |visits: u32| {
        desk.give("compare_networks", json!({"gameId": id, "network": "another.bin.gz", "visits": visits}))
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| compare(100_000));
        // Until the long question is under way there is nothing to end: then the short ones are simply answered.
        while !first.is_finished() {
            let _ = compare(1);
        }
        let error = first.join().unwrap().unwrap_err();
        assert_eq!(serde_json::to_value(&error).unwrap()["kind"], "cancelled", "{error}");
    });
}

#[test]
fn the_network_of_a_command_line_stays_until_another_one_is_chosen() {
    let desk = Desk::new();
    desk.app.override_engine(Some("other.bin.gz".into()), None, None);
    desk.app.ready_engine().unwrap();
    // Not by `startup`, which reads the network in the background once more.
    let mut settings = serde_json::to_value(desk.app.settings()).unwrap();
    settings["theme"] = json!("dark");
    desk.must("set_settings", settings.clone());
    assert_eq!(desk.app.engine_status().state, EngineState::Ready, "a change of colours reads no other network");
    settings["network"] = json!("chosen.bin.gz");
    desk.must("set_settings", settings);
    assert_eq!(desk.app.engine_status().state, EngineState::Idle, "the chosen network is read when it is needed");
}

/// What windows keep is told apart by the number: the name is empty while a network is read, and on a board with joined edges
/// it may be another one's.
#[test]
fn another_network_has_another_number_and_another_board_has_not() {
    let desk = Desk::new();
    let serial = || desk.must("engine_status", json!({}))["serial"].as_u64().unwrap();
    let before = serial();
    let plane = desk.open("(;SZ[9])");
    let torus = desk.open("(;SZ[9]TOPO[torus])");
    for (id, running) in [(&plane, true), (&torus, true), (&plane, false)] {
        let status = desk.must("set_analysis", json!({"gameId": id, "running": running, "visits": 1}));
        assert_eq!(status["serial"], before);
    }
    let choose = |change: Value| {
        desk.must("set_settings", change);
        serial()
    };
    assert_eq!(choose(json!({"threads": 1})), before, "the same network computes");
    let after = choose(json!({"network": "another.bin.gz"}));
    assert!(after > before);
    assert!(choose(json!({"analysisEngine": "thinker"})) > after);
}

/// A search that is under way is told to end, and still says what it found: that is not the next network's opinion, which
/// would be refused until it has thought longer.
#[test]
fn another_network_begins_with_an_empty_graph_whatever_the_one_before_still_finds() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, gate) = Desk::held(folder.path(), UniformEvaluator::default());
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gg])");
    gate.allow(Some(100));
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 0}));
    gate.wait_until_empty();
    desk.wait_for(|event| analysis(event).filter(|update| update.visits > 80).map(drop));
    desk.must("set_settings", json!({"network": "another.bin.gz"}));
    desk.forget_events();
    gate.allow(Some(20));
    let found = desk.wait_for(|event| match event {
        Event::Graph(graph) => graph.values.iter().find(|value| value.node_id == 0).map(|value| value.visits),
        _ => None,
    });
    assert!(found < 80, "{found} visits are the old network's");
    desk.each_event(|event| assert!(analysis(event).is_none_or(|update| update.visits < 80), "{event:?}"));

    // What a sweep of the old network goes through is not the new one's graph either.
    desk.must("set_analysis", json!({"gameId": id, "running": false, "visits": 0}));
    gate.allow(Some(0));
    let sweep = desk.must("sweep_game", json!({"gameId": id, "passes": [30]}))["serial"].as_u64().unwrap();
    gate.allow(Some(2));
    gate.wait_until_empty();
    desk.must("set_settings", json!({"network": "third.bin.gz"}));
    gate.allow(None);
    assert_eq!(desk.end_of_sweep_of(sweep).state, SweepState::Stopped);
    let reviewed = desk.must("review_line", json!({"gameId": id}));
    assert_eq!(reviewed["black"]["moves"], 0, "{reviewed}");
}

/// The nodes that windows were told to forget, one list for each time.
fn changed_positions(desk: &Desk) -> Vec<Vec<u32>> {
    let mut told = Vec::new();
    desk.each_event(|event| {
        if let Event::PositionsChanged(changed) = event {
            told.push(changed.nodes.clone());
        }
    });
    desk.forget_events();
    told
}

#[test]
fn what_was_found_of_a_position_goes_where_the_position_becomes_another_one() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese]AB[aa];B[ee];W[cc](;B[gg])(;B[cg]))");
    let game = json!({"gameId": id});
    let info = || desk.must("get_game", game.clone())["info"].clone();
    let look = || {
        desk.must("sweep_game", json!({"gameId": id, "passes": [60]}));
        desk.end_of_sweep();
        desk.forget_events();
    };
    let judged = || desk.must("review_line", game.clone())["black"]["moves"].as_u64().unwrap();
    look();
    assert_eq!(judged(), 2);

    // Nothing of that changes a position that was there before.
    desk.must("set_comment", json!({"gameId": id, "nodeId": 0, "text": "so far"}));
    desk.must("set_marks", json!({"gameId": id, "nodeId": 0, "marks": [], "links": []}));
    let mut named = info();
    named["black"] = json!("Anna");
    desk.must("set_game_info", json!({"gameId": id, "info": named}));
    desk.must("go_to", json!({"gameId": id, "nodeId": 3}));
    desk.must("set_stones", json!({"gameId": id, "points": [80], "stone": "white"}));
    for undo in ["undo_edit", "redo_edit", "undo_edit"] {
        desk.must(undo, game.clone());
    }
    assert_eq!((changed_positions(&desk), judged()), (vec![], 2));

    // Komi and rules are those of all positions, stones and turns those of a node and all below it.
    let mut other = info();
    other["komi"] = json!(0.5);
    desk.must("set_game_info", json!({"gameId": id, "info": other}));
    assert_eq!((changed_positions(&desk), judged()), (vec![vec![0, 1, 2, 3, 4]], 0));
    look();
    desk.must("undo_edit", game.clone());
    assert_eq!((changed_positions(&desk).len(), judged()), (1, 0));
    look();
    desk.must("go_to", json!({"gameId": id, "nodeId": 0}));
    for (command, args) in [
        ("set_stones", json!({"gameId": id, "points": [80], "stone": "white"})),
        ("set_to_move", json!({"gameId": id, "side": "white"})),
    ] {
        desk.must(command, args);
        assert_eq!(changed_positions(&desk), [[0, 1, 2, 3, 4]], "{command}");
    }
    let known = desk.must("known_analysis", json!({"gameId": id, "nodeId": 0}));
    assert_eq!(known, Value::Null, "nobody looked at this position");
}

#[test]
fn analysis_of_a_position_that_became_another_one_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, gate) = Desk::held(folder.path(), UniformEvaluator::default());
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese])");
    gate.allow(Some(100));
    desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": 0}));
    gate.wait_until_empty();
    desk.wait_for(|event| analysis(event).filter(|update| update.visits > 80).map(drop));
    desk.forget_events();
    desk.must("set_stones", json!({"gameId": id, "points": [40], "stone": "black"}));
    gate.allow(Some(20));
    let mut heard = false;
    desk.wait_for(|event| {
        heard |= matches!(event, Event::PositionsChanged(_));
        analysis(event).filter(|update| heard && update.visits < 80).map(drop)
    });
    // Whatever came after the news is of the new position, where a stone is in the middle.
    let mut heard = false;
    desk.each_event(|event| {
        heard |= matches!(event, Event::PositionsChanged(_));
        let old = analysis(event).is_some_and(|update| update.visits > 80);
        assert!(!heard || !old, "{event:?}");
    });
}

#[test]
fn a_sweep_through_positions_that_become_others_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, gate) = Desk::held(folder.path(), UniformEvaluator::default());
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gg])");
    let sweep = |passes: Value| {
        gate.allow(Some(2));
        let serial = desk.must("sweep_game", json!({"gameId": id, "passes": passes}))["serial"].as_u64().unwrap();
        gate.wait_until_empty();
        serial
    };
    let serial = sweep(json!([30]));
    // Another variation is none of its own.
    desk.must("go_to", json!({"gameId": id, "nodeId": 3}));
    desk.must("set_stones", json!({"gameId": id, "points": [0], "stone": "white"}));
    desk.must("set_stones", json!({"gameId": id, "points": [1], "stone": "white"}));
    gate.allow(None);
    assert_eq!(desk.end_of_sweep_of(serial).state, SweepState::Finished);
    let serial = sweep(json!([60]));
    desk.must("go_to", json!({"gameId": id, "nodeId": 0}));
    desk.must("set_to_move", json!({"gameId": id, "side": "white"}));
    gate.allow(None);
    assert_eq!(desk.end_of_sweep_of(serial).state, SweepState::Stopped);
}

#[test]
fn on_battery_analysis_without_a_limit_rests_early() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cb])");
    desk.runs_on_battery(true);
    let analyse = |visits: u32| desk.must("set_analysis", json!({"gameId": id, "running": true, "visits": visits}));
    let rested = |node: u32, at_least: u32| {
        desk.wait_for(|event| {
            let rests =
                |update: &&AnalysisUpdate| !update.running && update.node_id == node && update.visits >= at_least;
            analysis(event).filter(rests).map(|update| update.visits)
        })
    };
    analyse(0);
    let visits = rested(0, 1);
    assert!((1000..2000).contains(&visits), "{visits}");
    // Whoever names a limit has it.
    analyse(3000);
    rested(0, 3000);
    // With mains power the next position is looked at as usual.
    desk.runs_on_battery(false);
    analyse(0);
    desk.must("navigate", json!({"gameId": id, "step": "next"}));
    desk.wait_for(|event| analysis(event).filter(|update| update.node_id == 1 && update.visits > 4000).map(drop));
}
