//! `honinbo train`: a small run of its own, told, gone on with, and exported.

use crate::support::{Honinbo, engine};
use serde_json::Value;
use std::io::{BufRead as _, BufReader};

/// A run that is made in a moment.
pub(crate) const CONFIG: &str = "
seed = 2
[[boards]]
width = 3
height = 3
komi_spread = 1.0
[network]
blocks = 1
channels = 8
[selfplay]
games = 4
games_per_file = 2
at_once = 2
visits = 8
cheap_visits = 4
[fit]
batch = 8
most_steps = 4
[gate]
games = 2
visits = 4
needed = 0.0
probe_visits = 4
";

/// A step of the second generation is made and told of, the games with a line for each file.
fn step_is_made(honinbo: &Honinbo, step: &str, run: &str) {
    let made = honinbo.run(&["train", step, run, "--json"]);
    assert_eq!(made.status, 0, "{made:?}");
    let events: Vec<Value> = made.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.len(), if step == "selfplay" { 2 } else { 1 }, "{events:?}");
    assert!(events.iter().all(|event| event["event"] == step && event["generation"] == 2), "{events:?}");
}

#[test]
fn a_run_is_made_told_and_exported() {
    if engine().is_none() {
        return;
    }
    let honinbo = Honinbo::new();
    let path = |name: &str| honinbo.data.path().join(name).to_str().unwrap().to_owned();
    let (config, run, exported) = (path("my.toml"), path("run"), path("mine.bin.gz"));
    std::fs::write(&config, CONFIG).unwrap();
    let made = honinbo.run(&["train", &run, "--config", &config, "--generations", "1", "--json"]);
    assert_eq!(made.status, 0, "{made:?}");
    let events: Vec<Value> = made.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["selfplay", "selfplay", "shuffle", "fit", "gate"], "a line for each file of games");
    assert_eq!((&events[4]["taken"], &events[4]["generation"]), (&true.into(), &1.into()));

    let early = honinbo.run(&["train", "gate", &run]);
    assert!(
        early.failure().contains("generation 2 has no network yet") && early.stderr.contains("train fit"),
        "{early:?}"
    );
    for step in ["selfplay", "shuffle", "fit", "gate"] {
        step_is_made(&honinbo, step, &run);
    }
    let status = honinbo.run(&["train", "status", &run, "--json"]).json();
    assert_eq!((&status["generations"], status["events"].as_array().unwrap().len()), (&2.into(), 10));
    let strengths = status["strengths"].as_array().unwrap();
    assert_eq!((strengths.len(), &strengths[1]["generation"]), (2, &2.into()));
    assert!(strengths[1]["eloLow"].as_f64() < strengths[1]["elo"].as_f64(), "{status}");
    assert_eq!((&status["cost"]["games"], &status["filesWanted"]), (&8.into(), &2.into()));
    assert_eq!(status["board"], serde_json::json!([3, 3, false]));
    assert!(status["secondsLeft"].as_f64().unwrap() > 0.0, "{status}");
    let told = honinbo.run(&["train", "status", &run]);
    assert!(told.stdout.contains("2 generations are finished, network 2 plays, "), "{told:?}");
    assert!(told.stdout.contains("so far 8 games, "), "{told:?}");
    assert_eq!(status["underWay"], false);
    assert!(told.stdout.contains(&format!("; stopped: `honinbo train {run}` goes on\n")), "{told:?}");
    let other = honinbo.run(&["train", &run, "--size", "5"]);
    assert!(other.failure().contains("boards.0.width is 3, not 5"), "{other:?}");

    assert_eq!(honinbo.run(&["train", "export", &run, &exported, "--name", "mine"]).status, 0);
    let info = honinbo.run(&["net", "info", &exported, "--json"]).json();
    assert_eq!((&info["name"], &info["version"]), (&"mine".into(), &11.into()));
    assert_eq!(honinbo.run(&["train", "export", &run, &path("mine.onnx")]).status, 2);
    let before = std::fs::read(&exported).unwrap();
    let refused = honinbo.run(&["train", "export", &run, &exported]);
    assert!(refused.failure().contains("mine.bin.gz is there already; choose another name"), "{refused:?}");
    assert_eq!(std::fs::read(&exported).unwrap(), before);
    assert_eq!(honinbo.run(&["train", "export", &run, &exported, "--force"]).status, 0);
    assert_ne!(std::fs::read(&exported).unwrap(), before, "its own name is in it now");
}

#[test]
fn a_run_is_followed_line_by_line() {
    if engine().is_none() {
        return;
    }
    let honinbo = Honinbo::new();
    let path = |name: &str| honinbo.data.path().join(name).to_str().unwrap().to_owned();
    let (config, run) = (path("my.toml"), path("run"));
    std::fs::write(&config, CONFIG).unwrap();
    let made = honinbo.run(&["train", &run, "--config", &config, "--generations", "1"]);
    assert_eq!(made.status, 0, "{made:?}");
    let mut follower = honinbo.spawn(&["train", "status", &run, "--follow", "--json"]);
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    assert_eq!(next()["generations"], 1);
    assert_eq!(honinbo.run(&["train", &run, "--generations", "1"]).status, 0);
    while next()["generations"] != 2 {}
    follower.kill().unwrap();
    follower.wait().unwrap();
}

#[test]
fn what_cannot_be_trained_says_why() {
    let honinbo = Honinbo::new();
    let path = |name: &str| honinbo.data.path().join(name).to_str().unwrap().to_owned();
    let run = path("run");
    assert!(honinbo.run(&["train", "status", &run]).failure().contains("has no run"));
    assert!(honinbo.run(&["train", "fit", &run]).failure().contains("begin one with `honinbo train FOLDER`"));
    assert_eq!(honinbo.run(&["train"]).status, 2);
    assert_eq!(honinbo.run(&["train", &run, "--size", "99"]).status, 2);
    let config = path("my.toml");
    std::fs::write(&config, CONFIG.replace("channels = 8", "channels = 7")).unwrap();
    let line = honinbo.run(&["train", &run, "--config", &config]);
    assert!(line.failure().contains("network.channels is 7"), "{line:?}");
    std::fs::write(&config, CONFIG.replace("channels", "chanels")).unwrap();
    let line = honinbo.run(&["train", &run, "--config", &config]);
    assert!(line.failure().contains("chanels"), "{line:?}");
    let line = honinbo.run(&["train", &run, "--from", &config]);
    assert!(line.failure().contains("my.toml"), "{line:?}");
    assert!(!std::path::Path::new(&run).exists(), "what is refused leaves no folder");
}

/// Every step on a disk that is full, or becomes so while it writes: a sentence with what to do, nothing that was there
/// is touched, nothing is left half, and with room again the run goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_a_step_with_a_sentence_and_costs_nothing() {
    use crate::support::SmallDisk;
    use honinbo_testkit::fixtures;
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    fn contents(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            // For those who watch; the next try begins it anew.
            if path.extension().is_some_and(|extension| extension == "part") {
                continue;
            }
            if path.is_dir() {
                contents(&path, found);
            } else {
                found.insert(path.clone(), std::fs::read(&path).unwrap());
            }
        }
    }

    if engine().is_none() {
        return;
    }
    let honinbo = Honinbo::new();
    let Some(disk) = SmallDisk::new(&honinbo.data.path().join("disk")) else {
        return fixtures::skip("the system lets nobody mount a disk of their own");
    };
    let config = honinbo.data.path().join("my.toml");
    // Networks and checkpoints of several pages.
    std::fs::write(&config, CONFIG.replace("= 3\n", "= 5\n")).unwrap();
    let folder = disk.folder.join("run");
    let (config, run) = (config.to_str().unwrap(), folder.to_str().unwrap());
    let made = honinbo.run(&["train", run, "--config", config, "--generations", "1"]);
    assert_eq!(made.status, 0, "{made:?}");

    let snapshot = || {
        let mut found = BTreeMap::new();
        contents(&folder, &mut found);
        found
    };
    for (step, rooms) in
        [("selfplay", vec![0]), ("shuffle", vec![0, 4096]), ("fit", vec![0, 4096, 32768]), ("gate", vec![0, 4096])]
    {
        for room in rooms {
            let before = snapshot();
            disk.fill(room);
            let refused = honinbo.run(&["train", step, run]);
            let line = refused.failure();
            assert!(line.contains("cannot be written: ") && line.contains("No space left on device"), "{step}: {line}");
            assert!(line.contains("look at the disk's space and rights"), "{step}: {line}");
            disk.clear();
            assert!(snapshot() == before, "{step} with room for {room} bytes changed files");
        }
        step_is_made(&honinbo, step, run);
    }
    let network = disk.folder.join("mine.bin.gz");
    let export = ["train", "export", run, network.to_str().unwrap(), "--force"];
    assert_eq!(honinbo.run(&export).status, 0);
    let whole = std::fs::read(&network).unwrap();
    disk.fill(0);
    assert!(honinbo.run(&export).failure().contains("mine.bin.gz cannot be written: "));
    assert!(std::fs::read(&network).unwrap() == whole, "what was there stays");
    assert!(honinbo.run(&["train", run, "--generations", "1"]).failure().contains("No space left on device"));
    disk.clear();
    assert_eq!(honinbo.run(&["train", run, "--generations", "1"]).status, 0);
    let status = honinbo.run(&["train", "status", run, "--json"]).json();
    assert_eq!((&status["generations"], &status["unread"], &status["network"]), (&3.into(), &0.into(), &3.into()));
}
