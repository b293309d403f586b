//! `honinbo review`.

use crate::support::{Ended, Honinbo, engine};
use honinbo_testkit::fixtures;
use std::io::{Read as _, Write as _};
use std::path::Path;

/// A short game in which Black throws a move away in the corner.
const GAME: &str = "(;SZ[9]RU[Chinese]KM[6.5]PB[A <b>]PW[B]DT[2024-05-01]RE[W+R];B[ee];W[gc];B[aa];W[cg])";

fn review(honinbo: &Honinbo, network: &str, args: &[&str]) -> Ended {
    honinbo.run(&[&["review", "--visits", "8", "--net", network], args].concat())
}

fn written(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn a_game_is_told_in_figures_and_in_words() {
    let Some(network) = engine() else { return };
    let (honinbo, folder) = (Honinbo::new(), tempfile::tempdir().unwrap());
    let game = written(folder.path(), "game.sgf", GAME);
    let ended = review(&honinbo, &network, &[&game]);
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{ended:?}");
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(lines[0], "A <b> (X) – B (O), 2024-05-01, W+R");
    assert_eq!(
        lines[1],
        "4 moves on 9x9, chinese rules, komi 6.5; 8 visits a position by g170-b6c96-s175395328-d26788732 on cpu"
    );
    assert_eq!(lines[3], "           moves  accuracy    lost  a move  opening  middle  endgame  mistakes");
    assert!(lines[4].starts_with("Black (X)      2") && lines[5].starts_with("White (O)      2"), "{ended:?}");
    assert_eq!(lines[7], "           first choice  top five  lost 2 to 6  6 to 12  12 or more");
    assert!(lines[8].starts_with("Black (X)  ") && lines[9].starts_with("White (O)  "), "{ended:?}");
    assert!(ended.stdout.contains("What lost most:"), "{ended:?}");
    assert!(ended.stdout.contains("Move 3 (Black A9) lost ") && ended.stdout.contains("Better was "), "{ended:?}");

    // The second time the library knows every position, whoever asks; the numbers are the same.
    let again = review(&honinbo, "no-such-network", &[&game]);
    assert!(again.failure().contains("no-such-network"), "{again:?}");
    let again = review(&honinbo, &network, &[&game, "--json"]).json();
    let found = &again["games"][0];
    assert_eq!((&found["positions"], &found["known"], &found["device"]), (&5.into(), &5.into(), &"".into()), "{again}");
}

#[test]
fn where_the_engine_changed_its_mind_is_told_and_follows_from_the_figures() {
    if engine().is_none() {
        return;
    }
    // It has learnt to play without an edge, so that much surprises it here.
    let network = fixtures::fixture("networks/honinbo-torus9-b6c96.bin.gz").display().to_string();
    let (honinbo, folder) = (Honinbo::new(), tempfile::tempdir().unwrap());
    let game = "(;SZ[9]RU[Chinese]KM[6.5];B[ee];W[ce];B[cd];W[dd];B[de];W[cf];B[dc];W[ed];B[cc];W[ec];B[fd];W[eb];B[bd];W[df]\
                ;B[ef];W[dg];B[fc];W[db];B[be];W[gf];B[bf];W[eg];B[bg];W[ff];B[cg];W[ch];B[fe];W[hd];B[gc];W[bh])";
    let game = written(folder.path(), "game.sgf", game);
    let found = honinbo.run(&["review", "--visits", "3", "--net", &network, &game, "--json"]).json();
    let moves = found["games"][0]["moves"].as_array().unwrap();
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    for found in moves.iter().filter(|found| found["better"].is_object()) {
        let sign = if found["color"] == "black" { 1.0 } else { -1.0 };
        let gained = sign * (number(&found["blackLead"]) - number(&found["better"]["blackLead"]));
        match found["changedMindBy"].as_f64() {
            // Figures are rounded.
            Some(by) => assert!((by - gained).abs() < 0.02 && by >= 2.0, "{found}"),
            None => assert!(gained < 2.02, "{found}"),
        }
    }
    let changed: Vec<String> = moves
        .iter()
        .filter(|found| !found["changedMindBy"].is_null())
        .map(|found| found["number"].to_string())
        .collect();
    assert!(!changed.is_empty(), "three visits see little, and yet nothing surprised them");
    let told = honinbo.run(&["review", "--visits", "3", "--net", &network, &game]).stdout;
    let (_, told) = told.split_once("Where the engine changed its mind:\n").unwrap();
    let told: Vec<&str> = told.lines().take_while(|line| line.starts_with("  ")).collect();
    assert_eq!(told.len(), changed.len(), "{told:?}");
    for (line, number) in told.iter().zip(&changed) {
        assert!(line.contains(&format!("ove {number} (")), "{line}");
    }
}

#[test]
fn many_games_are_reviewed_and_a_broken_one_is_named() {
    let Some(network) = engine() else { return };
    let (honinbo, folder, out) = (Honinbo::new(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let two = format!("{GAME}\n(;SZ[5];B[cc];W[bb])");
    let files = [
        written(folder.path(), "good.sgf", GAME),
        written(folder.path(), "broken.sgf", "this is no record"),
        written(folder.path(), "two.sgf", two),
    ];
    let out_dir = out.path().join("new").display().to_string();
    let ended = review(&honinbo, &network, &[&files[0], &files[1], &files[2], "--json", "--out", &out_dir]);
    assert_eq!(ended.status, 1, "{ended:?}");
    let said: Vec<&str> = ended.stderr.lines().collect();
    assert!(said[0].contains("broken.sgf: is no record of a game"), "{ended:?}");
    assert_eq!(
        said.last(),
        Some(&"error: 1 of 3 files could not be reviewed; the lines above say why; the others are done")
    );
    let report = ended.json();
    let sources: Vec<&str> = report["games"].as_array().unwrap().iter().map(|g| g["file"].as_str().unwrap()).collect();
    assert_eq!(sources, [files[0].clone(), format!("{}, game 1", files[2]), format!("{}, game 2", files[2])]);
    assert!(report["failures"][0]["message"].as_str().unwrap().contains("broken.sgf"));
    let game = &report["games"][0];
    assert_eq!((game["moves"].as_array().unwrap().len(), &game["mistakes"][0]), (4, &3.into()), "{report}");
    let worst = &game["moves"][2];
    assert!(worst["lost"].as_f64().unwrap() >= 2.0 && worst["better"]["move"].is_string(), "{worst}");
    assert_eq!((&worst["color"], &worst["move"]), (&"black".into(), &"A9".into()));
    for side in ["blackRank", "whiteRank"] {
        // On 19x19 alone, and not after a few moves.
        assert!(game[side].is_null() || game[side]["middle"].is_string(), "{game}");
    }
    let lost = game["blackReview"]["lost"].as_f64().unwrap();
    assert!(lost > game["whiteReview"]["lost"].as_f64().unwrap(), "{game}");
    assert!((0.0..100.0).contains(&game["blackReview"]["accuracy"].as_f64().unwrap()));
    for player in [&game["blackReview"], &game["whiteReview"]] {
        let count = |name: &str| player[name].as_u64().unwrap();
        assert!(count("best") <= count("amongTop") && count("amongTop") <= count("moves"), "{player}");
        let by_size: u64 = player["sizes"].as_array().unwrap().iter().map(|size| size.as_u64().unwrap()).sum();
        assert_eq!(by_size, count("mistakes"), "{player}");
    }

    let names = ["good.sgf", "two-1.sgf", "two-2.sgf"];
    for name in names {
        let record = std::fs::read_to_string(Path::new(&out_dir).join(name)).unwrap();
        assert!(record.contains("SBKV[") && record.contains("KT["), "{name}: {record}");
    }
    let own = folder.path().display().to_string();
    let over_itself = review(&honinbo, &network, &[&files[0], "--out", &own]);
    assert!(over_itself.failure().contains("would be written over itself"), "{over_itself:?}");
    assert_eq!(std::fs::read_to_string(&files[0]).unwrap(), GAME);
}

#[test]
fn a_review_writes_over_no_record_that_is_there() {
    let Some(network) = engine() else { return };
    let (honinbo, one, other) = (Honinbo::new(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = written(one.path(), "game.sgf", GAME);
    // The second has the name that the first would be written under, and is read after it.
    let second = written(other.path(), "game.sgf", "(;SZ[5]PB[C]PW[D];B[cc];W[bb])");
    let out = other.path().display().to_string();
    let ended = review(&honinbo, &network, &[&first, &second, "--out", &out]);
    assert!(ended.stderr.contains("would be written over itself"), "{ended:?}");
    let kept = |name: &str| std::fs::read_to_string(other.path().join(name)).unwrap();
    assert_eq!(kept("game.sgf"), "(;SZ[5]PB[C]PW[D];B[cc];W[bb])");
    assert!(kept("game (2).sgf").contains("PB[A <b>]") && kept("game (2).sgf").contains("SBKV["));
    assert_eq!(review(&honinbo, &network, &[&first, "--out", &out]).status, 0);
    assert!(kept("game (3).sgf").contains("PB[A <b>]"), "nor over an earlier review");
}

#[test]
fn a_page_stands_alone_with_a_board_for_each_mistake() {
    let Some(network) = engine() else { return };
    let (honinbo, folder) = (Honinbo::new(), tempfile::tempdir().unwrap());
    let game = written(folder.path(), "game.sgf", GAME);
    let page = review(&honinbo, &network, &[&game, "--html", "--mistakes", "1"]).stdout;
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"), "{page}");
    assert!(page.contains("<title>A &lt;b&gt; – B, 2024-05-01, W+R</title>"), "{page}");
    assert_eq!(page.matches("<li>").count(), 1);
    assert!(page.contains("<b>1. Move 3 (Black A9)</b> lost "), "{page}");
    assert!(page.contains("aria-label=\"The board before move 3 (Black A9); A: "), "{page}");
    for other in ["<script", "http://", "https://", "A <b>"] {
        assert!(!page.contains(other), "{other}");
    }
    let out = folder.path().join("out");
    let ended = review(&honinbo, &network, &[&game, "--html", "--out", out.to_str().unwrap()]);
    assert!(
        ended.stdout.contains("game.html") && out.join("game.html").exists() && out.join("game.sgf").exists(),
        "{ended:?}"
    );
}

/// A zip of two games and something else between them.
fn packed() -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in [("a.sgf", GAME), ("broken.sgf", "this is no record"), ("round 2/b.sgf", "(;SZ[5];B[cc])")] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    flate2::read::GzEncoder::new(bytes, flate2::Compression::default()).read_to_end(&mut packed).unwrap();
    packed
}

#[test]
fn archives_and_compressed_records_are_read_as_everywhere_else() {
    let Some(network) = engine() else { return };
    let (honinbo, folder) = (Honinbo::new(), tempfile::tempdir().unwrap());
    let club = written(folder.path(), "club.zip", packed());
    let ended = review(&honinbo, &network, &[&club, "--json"]);
    assert_eq!((ended.status, ended.stderr.lines().count()), (0, 1), "{ended:?}");
    assert!(ended.stderr.starts_with(&format!("note: {club}/broken.sgf: is no record of a game: ")), "{ended:?}");
    let report = ended.json();
    let games: Vec<_> =
        report["games"].as_array().unwrap().iter().map(|game| (&game["file"], &game["width"])).collect();
    let [first, second] = [format!("{club}, game 1"), format!("{club}, game 2")];
    assert_eq!(games, [(&first.into(), &9.into()), (&second.into(), &5.into())]);

    let game = written(folder.path(), "game.sgf.gz", compressed(GAME.as_bytes()));
    let ended = honinbo.run(&["run", &game, "--visits", "4", "--net", &network]);
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{ended:?}");
    assert!(
        ended.stdout.starts_with("A <b> (X) – B (O), 2024-05-01, W+R\nAfter move 4, Black (X) to play"),
        "{ended:?}"
    );
    let ended = honinbo.run_with_input(&["run", "-", "--visits", "4", "--net", &network], &packed());
    assert_eq!(ended.status, 0, "{ended:?}");
    let said: Vec<&str> = ended.stderr.lines().collect();
    assert!(said[0].starts_with("note: standard input/broken.sgf: is no record of a game: "), "{ended:?}");
    assert_eq!(said[1], "note: standard input holds 2 games; this is the first");
}

#[test]
fn a_file_without_a_game_says_what_is_wrong_with_it() {
    let (honinbo, folder) = (Honinbo::new(), tempfile::tempdir().unwrap());
    let zip = packed();
    let torn = written(folder.path(), "torn.zip", &zip[..zip.len() / 2]);
    let empty = written(folder.path(), "empty.sgf", "");
    let words = written(folder.path(), "words.sgf.gz", compressed(b"this is no record"));
    for command in [&["review"][..], &["run"], &["library", "pattern"]] {
        let failure = |file: &str| honinbo.run(&[command, &[file]].concat()).failure().to_owned();
        assert!(failure(&torn).contains("torn.zip: is damaged: "), "{}", failure(&torn));
        assert!(failure(&words).contains("words.sgf.gz: is no record of a game: "), "{}", failure(&words));
        if command != ["library", "pattern"] {
            assert!(failure(&empty).contains("empty.sgf: is empty"), "{}", failure(&empty));
        }
    }
}

#[test]
fn a_file_that_is_not_there_is_a_failure_in_one_line() {
    let honinbo = Honinbo::new();
    assert!(honinbo.run(&["review", "/no/such/game.sgf"]).failure().contains("/no/such/game.sgf: cannot be read"));
    let folder = tempfile::tempdir().unwrap();
    assert!(honinbo.run(&["review", folder.path().to_str().unwrap()]).failure().contains("there is no record in"));
    assert_eq!(honinbo.run(&["review", "a.sgf", "--visits", "1"]).status, 2);
    assert_eq!(honinbo.run(&["review", "a.sgf", "--html", "--json"]).status, 2);
}
