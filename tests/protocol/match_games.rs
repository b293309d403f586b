//! `honinbo match` between programs.

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
