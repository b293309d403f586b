//! `honinbo run`.

use crate::support::{Honinbo, engine, famous_game};
use serde_json::{Value, json};

#[test]
fn one_reply_and_nothing_else() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let args = ["run", &famous_game(), "--move", "127", "--visits", "20", "--net", &network, "--json"];
    let ended = honinbo.run(&args);
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{ended:?}");
    assert!(ended.stdout.starts_with(r#"{"operator":"run","ok":true,"#), "{ended:?}");
    let reply = ended.json();
    let names: Vec<&String> = reply.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        ["candidates", "device", "move", "network", "ok", "operator", "ownership", "scoreLead", "visits", "winrate"]
    );
    assert!(reply["visits"].as_u64().unwrap() >= 20);
    assert_eq!(reply["device"], "cpu");
    assert_eq!(reply["network"], "g170-b6c96-s175395328-d26788732");
    assert!((0.0..=1.0).contains(&reply["winrate"].as_f64().unwrap()));
    assert_eq!(reply["ownership"].as_array().unwrap().len(), 361);
    let best = &reply["candidates"][0];
    assert_eq!(best["move"], reply["move"]);
    assert_eq!(best["pv"][0], reply["move"]);
    for coordinate in ["x", "y"] {
        assert!((1..=19).contains(&reply["move"][coordinate].as_u64().unwrap()));
    }
    assert!(!honinbo.data.path().join("library.sqlite-wal").exists());
}

#[test]
fn a_board_candidates_and_the_value_for_a_person() {
    let Some(network) = engine() else { return };
    let record = b"(;SZ[5]RU[Chinese]KM[3.5]PB[A\x1b[2J]BR[1d]PW[B]RE[B+5];B[cc];W[bc];B[bb])";
    let ended = Honinbo::new().run_with_input(&["run", "-", "--visits", "10", "--net", &network], record);
    assert_eq!(ended.status, 0, "{ended:?}");
    let lines: Vec<&str> = ended.stdout.lines().collect();
    // Which points are numbered is the engine's affair.
    let without_marks = |line: &str| match line.split_once("  ") {
        Some((row, points)) if row.parse::<u8>().is_ok() => {
            let (points, end) = points.split_at(points.len() - 2);
            format!("{row}  {}{end}", points.replace(|mark: char| mark.is_ascii_digit(), "."))
        }
        _ => line.to_string(),
    };
    let board: Vec<String> = lines[..10].iter().map(|line| without_marks(line)).collect();
    insta::assert_snapshot!(board.join("\n"), @r#"
    A [2J 1d (X) – B (O), B+5
    After move 3, White (O) to play; chinese rules, komi 3.5

       A B C D E
    5  . . . . .  5
    4  .(X). . .  4
    3  . O X . .  3
    2  . . . . .  2
    1  . . . . .  1
       A B C D E
    "#);
    assert_eq!(lines[11], "     move   visits     win    score   prior  line");
    assert!(lines[12].starts_with("  1  "), "{ended:?}");
    let words = lines[lines.len() - 3..lines.len() - 1].join(" ");
    assert!(words.contains(" leads by ") || words.contains("The game is even"), "{words}");
    assert!(words.contains("The best move is "), "{words}");
    let last = lines.last().unwrap();
    assert!(
        last.starts_with("Graph: Black wins ") && last.contains("g170-b6c96-s175395328-d26788732 on cpu"),
        "{last}"
    );
    assert!(!ended.stdout.contains('\u{1b}'), "an escape sequence came through");
}

#[test]
fn the_record_s_own_move_is_judged_in_words() {
    let Some(network) = engine() else { return };
    let record = b"(;SZ[9]RU[Chinese]KM[6.5];B[ee];W[ec];B[aa])";
    let ended =
        Honinbo::new().run_with_input(&["run", "-", "--move", "2", "--visits", "30", "--net", &network], record);
    let words = ended.stdout.lines().rev().nth(1).unwrap_or_default().to_owned();
    assert!(words.starts_with("The record plays A9, which "), "{ended:?}");
}

#[test]
fn standard_input_is_a_record_too_and_rules_and_komi_can_be_chosen() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let record = b"(;SZ[9]KM[0]RU[Japanese];B[ee])";
    let lead = |komi: &str| -> f64 {
        let args = ["run", "-", "--visits", "5", "--net", &network, "--rules", "chinese", "--komi", komi, "--json"];
        let ended = honinbo.run_with_input(&args, record);
        assert_eq!(ended.status, 0, "{ended:?}");
        ended.json()["scoreLead"].as_f64().unwrap()
    };
    // White is to move: komi is hers.
    assert!(lead("30.5") > lead("-20") + 20.0);
}

#[test]
fn time_limits_a_search_as_well() {
    let Some(network) = engine() else { return };
    let begun = std::time::Instant::now();
    let ended = Honinbo::new().run(&["run", &famous_game(), "--seconds", "1", "--net", &network, "--json"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(ended.json()["visits"].as_u64().unwrap() > 0);
    assert!(begun.elapsed() < std::time::Duration::from_secs(120), "{:?}", begun.elapsed());
}

#[test]
fn a_position_that_is_not_there_is_a_failure_reply() {
    let honinbo = Honinbo::new();
    let ended = honinbo.run(&["run", &famous_game(), "--move", "999", "--json"]);
    assert!(ended.failure().contains("has 325 moves, there is no move 999"), "{ended:?}");
    let reply: Value = ended.json();
    assert_eq!((&reply["operator"], &reply["ok"]), (&json!("run"), &json!(false)));
    assert_eq!(reply["error"]["kind"], "invalidRequest");
}

#[test]
fn a_game_that_is_over_can_still_be_asked_about() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let args = ["run", "-", "--visits", "5", "--net", &network, "--json"];
    let ended = honinbo.run_with_input(&args, b"(;SZ[5]KM[0];B[cc];W[tt];B[tt])");
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(ended.json()["winrate"].as_f64().unwrap() < 0.5, "{ended:?}");
}
