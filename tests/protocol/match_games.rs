//! `honinbo match`, `honinbo play` and `honinbo gtp --level`: levels and other programs.

use crate::support::Honinbo;
use serde_json::Value;

/// A GTP engine in `sh` that gives up, or passes.
fn engine(folder: &std::path::Path, name: &str, answer: &str) -> String {
    let path = folder.join(name);
    let body = format!(
        "while read -r id command rest; do case $command in\nprotocol_version) echo \"=$id 2\";;\nname) echo \"=$id {name}\";;\n\
         genmove) echo \"=$id {answer}\";;\n*) echo \"=$id\";;\nesac; echo; done"
    );
    std::fs::write(&path, body).unwrap();
    format!("sh '{}'", path.display())
}

#[cfg(unix)]
#[test]
fn two_engines_meet_and_the_table_says_how_it_went() {
    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    let (quitter, passer) = (engine(folder.path(), "quitter", "resign"), engine(folder.path(), "passer", "pass"));
    let games = folder.path().join("games");
    let ended = honinbo.run(&[
        "match",
        &quitter,
        &passer,
        "--games",
        "6",
        "--size",
        "9",
        "--json",
        "--sgf",
        games.to_str().unwrap(),
        "--concurrency",
        "2",
    ]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let lines: Vec<Value> = ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 7);
    let result = &lines[6];
    assert_eq!((&result["first"], &result["second"]), (&"quitter".into(), &"passer".into()));
    assert_eq!((result["wins"].as_u64(), result["losses"].as_u64()), (Some(0), Some(6)));
    assert!(result["elo"].is_null() && result["eloHigh"].as_f64().unwrap() < 0.0, "{result}");
    assert_eq!(std::fs::read_dir(&games).unwrap().count(), 6);
    let record = std::fs::read_to_string(games.join("000001.sgf")).unwrap();
    assert!(record.contains("PB[quitter]") && record.contains("RE[W+R]"), "{record}");
    // Another match into the same folder leaves them alone.
    let folder = games.to_str().unwrap();
    let ended = honinbo.run(&["match", &passer, &quitter, "--games", "1", "--size", "9", "--sgf", folder]);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert_eq!(std::fs::read_to_string(games.join("000001.sgf")).unwrap(), record);
    let other = std::fs::read_to_string(games.join("000001 (2).sgf")).unwrap();
    assert!(other.contains("PB[passer]"), "{other}");
}

#[cfg(unix)]
#[test]
fn a_pair_of_engines_that_does_not_start_is_said_at_once_and_the_others_play_the_match() {
    use crate::support::{finish, lines_of};

    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    let (quitter, passer) = (engine(folder.path(), "quitter", "resign"), engine(folder.path(), "passer", "pass"));
    // It can be started once, and is not ready before it is told so.
    let path = folder.path().join("quitter");
    let body = std::fs::read_to_string(&path).unwrap();
    let start = "mkdir \"$0.once\" || exit 1\nuntil [ -e \"$0.go\" ]; do sleep 0.1; done\n";
    std::fs::write(&path, format!("{start}{body}")).unwrap();
    let mut child =
        honinbo.spawn(&["match", &quitter, &passer, "--games", "4", "--size", "9", "--json", "--concurrency", "2"]);
    let said = lines_of(child.stderr.take().unwrap());
    let line = || said.recv_timeout(std::time::Duration::from_secs(60)).expect("it said nothing");
    let first = line();
    assert!(first.starts_with("error: one of 2 pairs of players could not be started: "), "{first}");
    std::fs::write(folder.path().join("quitter.go"), "").unwrap();
    let ended = finish(child);
    assert_eq!(ended.status, 1, "{ended:?}");
    let result: Value = serde_json::from_str(ended.stdout.lines().last().unwrap()).unwrap();
    assert_eq!((&result["games"], &result["losses"]), (&4.into(), &4.into()), "{result}");
    let last = line();
    assert!(last.starts_with("error: 1 of 2 pairs of players could not be started: "), "{last}");
}

#[test]
fn a_match_that_cannot_begin_says_why() {
    let honinbo = Honinbo::new();
    let ended = honinbo.run(&["match", "no-such-engine-here gtp", "sh", "--games", "1"]);
    let line = ended.failure();
    assert!(line.contains("no-such-engine-here cannot be started") && line.contains("check the path"), "{line}");
    for wrong in [
        &["match", "a 'b", "c"][..],
        &["match", "a", "b", "--size", "99"],
        &["match", "a", "b", "--rules", "mine"],
        &["match", "a", "b", "--games", "0"],
        &["match", "a", "b", "--openings", "random:0"],
        &["match", "", "b"],
    ] {
        let ended = honinbo.run(wrong);
        assert_eq!(ended.status, 2, "{wrong:?}: {ended:?}");
    }
    let ended = honinbo.run(&["match", "a", "b", "--openings", "no-such-file.sgf"]);
    assert!(ended.failure().contains("no-such-file.sgf"), "{ended:?}");
}

#[test]
fn levels_meet_each_other_and_programs() {
    let honinbo = Honinbo::new();
    let ended =
        honinbo.run(&["match", "level:easy", "level:medium", "--games", "4", "--size", "7", "--torus", "--json"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let result: Value = serde_json::from_str(ended.stdout.lines().last().unwrap()).unwrap();
    assert_eq!((&result["games"], &result["first"]), (&4.into(), &"easy".into()));
    assert_eq!(result["firstLostBy"], serde_json::json!({"illegal": 0, "failed": 0, "late": 0, "turnsOfStandIn": 0}));
    // This program plays itself by GTP, as a level.
    let ended =
        honinbo.run(&["match", "honinbo gtp --level easy", "level:easy", "--games", "2", "--size", "5", "--json"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let result: Value = serde_json::from_str(ended.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(result["firstLostBy"], serde_json::json!({"illegal": 0, "failed": 0, "late": 0, "turnsOfStandIn": 0}));
    // On a torus too, where both have to agree on how a stone is taken across its edges.
    let itself =
        ["match", "honinbo gtp --level medium", "level:easy", "--games", "4", "--size", "5", "--torus", "--json"];
    let ended = honinbo.run(&itself);
    assert_eq!(ended.status, 0, "{ended:?}");
    let result: Value = serde_json::from_str(ended.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(result["games"], 4);
    assert_eq!(result["firstLostBy"], serde_json::json!({"illegal": 0, "failed": 0, "late": 0, "turnsOfStandIn": 0}));
    let ended = honinbo.run(&["match", "level:nobody", "level:easy"]);
    assert!(ended.failure().contains("nobody"), "{ended:?}");
}

#[test]
fn a_level_that_another_one_plays_for_is_no_result_of_its_own() {
    let honinbo = Honinbo::new();
    // There is no such network, so medium moves in every turn of hard's.
    let net = ["--net", "no-such-network"];
    let games = ["match", "level:hard", "level:easy", "--games", "1", "--size", "5"];
    let ended = honinbo.run(&[&games[..], &net[..], &["--json"][..]].concat());
    assert_eq!(ended.status, 0, "{ended:?}");
    let result: Value = serde_json::from_str(ended.stdout.lines().last().unwrap()).unwrap();
    assert!(result["firstLostBy"]["turnsOfStandIn"].as_u64().unwrap() > 0, "{result}");
    assert_eq!(result["secondLostBy"]["turnsOfStandIn"], 0);
    let ended = honinbo.run(&[&games[..], &net[..]].concat());
    assert!(ended.stdout.contains("the result says nothing of it"), "{ended:?}");
}

#[test]
fn a_game_is_played_in_the_terminal() {
    let honinbo = Honinbo::new();
    let ended =
        honinbo.run_with_input(&["play", "--level", "medium", "--size", "9"], b"A1\nA1\nzebra\nundo\nB1\nresign\n");
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(ended.stdout.contains("result: W+R"), "{ended:?}");
    assert!(ended.stdout.contains("already occupied") && ended.stdout.contains("\"zebra\" is no move"), "{ended:?}");
    let stats = honinbo.run(&["library", "stats", "--json"]).json();
    assert_eq!(stats["games"], 1, "it is in the library");
    // On a torus the view is moved, and points are where they are seen.
    let ended = honinbo.run_with_input(&["play", "--level", "easy", "--size", "7", "--torus"], b"A1\nL 1\nU 2\nquit\n");
    assert_eq!(ended.status, 0, "{ended:?}");
    let rows: Vec<&str> = ended.stdout.lines().filter(|line| line.trim_start().starts_with('3')).collect();
    assert!(rows.last().unwrap().contains('X'), "the stone at A1 is seen at G3 then: {rows:?}");
    let ended = honinbo.run(&["play", "--level", "nobody"]);
    assert!(ended.failure().contains("there is no level"), "{ended:?}");
}
