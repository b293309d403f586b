//! Live analysis, sweeps and what windows are told of them.

use crate::host::Desk;
use honinbo_api::{AnalysisUpdate, EngineState, Event};
use serde_json::json;

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

#[test]
fn a_sweep_gives_a_value_to_every_position_of_the_variation() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9];B[ee];W[cc];B[gg](;W[gc])(;W[cg];B[aa]))");
    for visits in [1, 8] {
        desk.forget_events();
        desk.must("sweep_game", json!({"gameId": id, "visits": visits}));
        let done = desk.wait_for(|event| match event {
            // What is recalled of an opened game comes in between, and counts as no sweep.
            Event::Graph(graph) if graph.total == 0 && graph.done > 0 => Some(graph.done),
            _ => None,
        });
        assert_eq!(done, 5);
        let mut nodes = Vec::new();
        desk.wait_for(|event| {
            if let Event::Graph(graph) = event
                && graph.done > 0
            {
                nodes.extend(graph.values.iter().map(|value| {
                    assert!(value.visits >= visits);
                    value.node_id
                }));
            }
            (nodes.len() >= 5).then_some(())
        });
        assert_eq!(nodes, [0, 1, 2, 3, 4]);
    }
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
    assert_eq!((first.black_win_prob.get(), first.black_score_lead.get()), (0.75, 2.5));
    assert_eq!(first.candidates.len(), 1);
    // D4 is the sixth row from the top.
    assert_eq!((first.candidates[0].vertex, first.candidates[0].pv.len()), (Some(5 * 9 + 3), 2));
    desk.must("navigate", json!({"gameId": id, "step": "next"}));
    let next = desk.wait_for(|event| analysis(event).filter(|update| update.node_id == 1 && !update.running).cloned());
    assert_eq!((next.black_win_prob.get(), next.black_score_lead.get()), (0.25, -2.5), "White is to move");
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
    assert!(message.contains("kata-analyze") && hint.contains("KataGo"), "{message}; {hint}");
}
