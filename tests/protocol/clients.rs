//! Programs that others wrote, speaking with ours: KaTrain's engine class and Sabaki's GTP package.
//!
//! `scripts/clients` installs them; where they are not there the tests count as skipped.

use crate::support::{Honinbo, engine, famous_game, repository};
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The folder of the programs, where they are installed.
pub(crate) fn clients() -> Option<PathBuf> {
    let folder = repository().join(".cache/clients");
    if folder.join("installed").is_file() {
        return Some(folder);
    }
    honinbo_testkit::fixtures::skip("the programs that others wrote are not there; scripts/clients gets them");
    None
}

/// What a client printed: one JSON object, in its last line.
pub(crate) fn answer_of(mut command: Command) -> Value {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    let last = stdout.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {stdout}\n{stderr}"))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap_or_else(|| panic!("{value}"))).collect()
}

#[test]
fn katrain_reviews_a_game_with_this_engine_in_katagos_place() {
    let (Some(clients), Some(network)) = (clients(), engine()) else { return };
    let honinbo = Honinbo::new();
    // The very options that KaTrain gives to KataGo; its engine class starts the command through a shell.
    let engine_command = format!("exec '{}' analysis -model '{network}'", env!("CARGO_BIN_EXE_honinbo"));
    let mut command = Command::new("python3");
    command
        .arg(repository().join("tests/protocol/clients/katrain_review.py"))
        .args([&engine_command, &famous_game(), "5", "12"])
        .env("PYTHONPATH", clients.join("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    honinbo.lend_environment(&mut command);
    let found = answer_of(command);
    assert_eq!((&found["positions"], &found["complete"]), (&Value::from(6), &Value::from(6)), "{found}");
    assert_eq!(found["errors"], Value::Array(Vec::new()), "{found}");
    assert_eq!((&found["alive"], &found["pondered"]), (&Value::Bool(true), &Value::Bool(true)), "{found}");
    assert!(numbers(&found["visits"]).iter().all(|visits| *visits >= 12.0), "{found}");
    assert!(numbers(&found["winrate"]).iter().all(|rate| (0.0..=1.0).contains(rate)), "{found}");
    assert!(numbers(&found["pv"]).iter().all(|length| *length >= 1.0), "{found}");
    assert_eq!(numbers(&found["lost"]).len(), 5, "{found}");
    assert_eq!(numbers(&found["ownership"]), [361.0; 6], "{found}");
    assert_eq!(numbers(&found["policy"]), [362.0; 6], "{found}");
}

#[test]
fn sabakis_package_plays_a_game_with_this_engine() {
    let (Some(clients), Some(network)) = (clients(), engine()) else { return };
    let honinbo = Honinbo::new();
    let mut command = Command::new("node");
    command
        .arg(repository().join("tests/protocol/clients/sabaki_game.cjs"))
        .args([env!("CARGO_BIN_EXE_honinbo"), "gtp", "--net", &network, "--visits", "4", "--threads", "1"])
        .env("NODE_PATH", clients.join("node/node_modules"));
    honinbo.lend_environment(&mut command);
    let found = answer_of(command);
    assert_eq!(found["name"], "Honinbo", "{found}");
    assert!(found["commands"].as_u64().unwrap() > 60, "{found}");
    assert!(found["moves"].as_array().unwrap().len() >= 8, "{found}");
    assert!(found["analyses"].as_u64().unwrap() >= 1, "{found}");
    assert_eq!(found["scores"][0], found["scores"][1], "{found}");
    assert_eq!(found["boards"][0], found["boards"][1], "{found}");
}
