//! `honinbo analysis` and `honinbo gtp` as programs: their options and pipes. What they answer is tested with the
//! protocols themselves.

use crate::support::{Honinbo, engine};
use serde_json::Value;

const QUERY: &str = r#"{"id":"q","moves":[["b","C3"]],"rules":"chinese","boardXSize":9,"boardYSize":9,"maxVisits":8,"includePolicy":true}"#;

#[test]
fn queries_are_answered_until_the_end_of_the_input() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let config = honinbo.data.path().join("analysis.cfg");
    std::fs::write(&config, "# of KataGo\nlogDir = logs\nreportAnalysisWinratesAs = BLACK\nnumAnalysisThreads = 2\n")
        .unwrap();
    let config = config.display().to_string();
    // Half a line at the end is a line.
    let input = format!("{{\"id\":\"m\",\"action\":\"query_models\"}}\nnonsense\n{QUERY}\n{QUERY}");
    // KataGo's own way of writing options, too.
    for options in [
        vec!["analysis", "--net", &network, "--config", &config, "--threads", "1"],
        vec![
            "analysis",
            "-model",
            &network,
            "-config",
            &config,
            "-override-config",
            "maxVisits=3,rootSymmetryPruning=false",
        ],
    ] {
        let ended = honinbo.run_with_input(&options, input.as_bytes());
        assert_eq!(ended.status, 0, "{ended:?}");
        let answers: Vec<Value> = ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), 4, "{ended:?}");
        assert!(answers[0]["models"][0]["internalName"].as_str().unwrap().contains("b6c96"), "{}", answers[0]);
        assert!(answers[1]["error"].is_string());
        for answer in &answers[2..] {
            assert_eq!(answer["rootInfo"]["visits"], 8, "{answer}");
            assert_eq!(answer["policy"].as_array().unwrap().len(), 82);
        }
    }
}

#[test]
fn a_network_that_does_not_fit_is_told() {
    let honinbo = Honinbo::new();
    let ended = honinbo.run(&["analysis", "--net", "/nowhere/none.bin.gz"]);
    assert!(ended.failure().contains("none.bin.gz"), "{ended:?}");
}

#[test]
fn what_the_command_line_asks_for_wins_over_a_configuration_file() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let file = honinbo.data.path().join("engine.cfg");
    let text = "maxVisits = 8\nmaxTime = 3\nponderingEnabled = false\nnumSearchThreads = 1\nnumAnalysisThreads = 4\n";
    std::fs::write(&file, text).unwrap();
    let file = file.display().to_string();
    let asked = ["maxVisits", "maxTime", "ponderingEnabled", "numSearchThreads"];
    let settings = |options: &[&str]| {
        let common = ["gtp", "--net", &network, "--config", &file, "--override-config", "maxVisits=9"];
        let args = [&common[..], options].concat();
        let lines = asked.map(|name| format!("kata-get-param {name}\n")).concat();
        let ended = honinbo.run_with_input(&args, lines.as_bytes());
        assert_eq!(ended.status, 0, "{ended:?}");
        ended.stdout.split_whitespace().filter(|word| *word != "=").map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(settings(&[]), ["9", "3.0", "false", "1"]);
    let options = ["--visits", "50", "--seconds", "9.5", "--ponder", "--threads", "2"];
    assert_eq!(settings(&options), ["50", "9.5", "true", "2"]);
    let query = r#"{"id":"q","moves":[],"rules":"chinese","boardXSize":9,"boardYSize":9}"#;
    let args = ["analysis", "--net", &network, "--config", &file, "--visits", "5", "--positions", "1"];
    let ended = honinbo.run_with_input(&args, query.as_bytes());
    let answer: Value = serde_json::from_str(ended.stdout.trim_end()).unwrap();
    assert_eq!(answer["rootInfo"]["visits"], 5, "{answer}");
}
