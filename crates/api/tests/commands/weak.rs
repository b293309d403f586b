//! Weaknesses over own games: from the review in the background to rates, positions, cards and what practice changed.

use crate::host::Desk;
use honinbo_api::{Event, QueueState};
use honinbo_testkit::InfluenceEvaluator;
use serde_json::{Value, json};
use std::sync::Arc;

/// White gives atari to three stones with move 16, and Black plays elsewhere.
fn game(number: u32, date: &str) -> String {
    format!(
        "(;SZ[9]KM[0.5]RU[Chinese]PB[Aya]PW[Ben {number}]DT[{date}]RE[B+R];B[ee];W[cc];B[ed];W[de];B[ef];W[df];B[gg]\
         ;W[dd];B[gc];W[ec];B[cg];W[eg];B[fh];W[fe]BL[99];B[a{}]BL[20];W[fd];B[ha];W[ff])",
        char::from(b'a' + u8::try_from(number % 9).unwrap())
    )
}

fn reviewed(desk: &Desk, dates: &[&str]) {
    let games: Vec<String> = (0..).zip(dates).map(|(number, date)| game(number, date)).collect();
    reviewed_games(desk, &games);
}

fn reviewed_games(desk: &Desk, games: &[String]) {
    for goban in games {
        desk.must("save_goban", json!({"goban": goban}));
    }
    let queue = desk.must("review_player", json!({"name": "Aya"}));
    assert_eq!(queue["waiting"], games.len());
    let wanted = u32::try_from(games.len()).unwrap();
    desk.wait_for(|event| match event {
        Event::Reviews(queue) if queue.state == QueueState::Idle && queue.done == wanted => Some(()),
        _ => None,
    });
}

fn class<'a>(page: &'a Value, name: &str) -> &'a Value {
    let classes = page["classes"].as_array().unwrap();
    classes.iter().find(|class| class["class"] == name).unwrap_or_else(|| panic!("no {name}: {page}"))
}

#[test]
fn own_games_are_reviewed_and_their_mistakes_told_by_class() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    reviewed(&desk, &["2026-01-05", "2026-02-05"]);
    let page = desk.must("weaknesses", json!({"name": "Aya"}));
    assert_eq!((&page["games"], &page["judged"]), (&json!(2), &json!(2)));
    let all = class(&page, "all");
    assert_eq!(all["rate"]["moves"], 18);
    let (rate, low, high) = (&all["rate"]["rate"], &all["rate"]["low"], &all["rate"]["high"]);
    assert!(low.as_f64() < rate.as_f64() && rate.as_f64() < high.as_f64(), "{all}");
    let months: Vec<&Value> = all["months"].as_array().unwrap().iter().map(|month| &month["month"]).collect();
    assert_eq!(months, [&json!(202_601), &json!(202_602)]);
    let kinds: u64 = page["classes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|class| class["kind"] == true)
        .map(|class| class["rate"]["mistakes"].as_u64().unwrap())
        .sum();
    assert_eq!(kinds, all["rate"]["mistakes"].as_u64().unwrap(), "every mistake has one kind");
    let found = page["classes"].as_array().unwrap().iter();
    let mut found = found.filter(|class| class["kind"] == true && class["rate"]["mistakes"].as_u64() > Some(0));
    let kind = found.next().unwrap()["class"].clone();
    assert_eq!(class(&page, "hurried")["rate"]["moves"], 2, "twenty seconds were left for move 17");

    let wanted = json!({"name": "Aya", "class": kind, "limit": 10});
    let positions = desk.must("weak_positions", wanted.clone());
    let worst = &positions[0];
    let stones = worst["board"]["stones"].as_array().unwrap().iter().filter(|stone| **stone != 0).count() as u64;
    assert_eq!(stones, worst["number"].as_u64().unwrap() - 1, "the position before it");
    assert_eq!((&worst["kept"], &worst["board"]["toMove"]), (&json!(false), &json!("black")));
    // The page opens them, makes cards of them and begins to count anew.
    let practised = desk.must("practise_weakness", wanted.clone());
    assert!(practised["new"].as_u64() > Some(0), "{practised}");
    assert_eq!(desk.must("drill_state", json!({}))["total"], practised["new"]);
    assert_eq!(desk.must("weak_positions", wanted)[0]["kept"], true);
    let drill = desk.must("next_drill", json!({}))["card"].clone();
    assert_eq!(drill["black"], "Aya");
    let page = desk.must("weaknesses", json!({"name": "Aya"}));
    let training = &page["trainings"][0];
    assert_eq!(
        (&training["class"], &training["verdict"], &training["ended"]),
        (&kind, &json!("notYetKnown"), &json!(null))
    );
    desk.must("end_training", json!({"class": kind}));
    assert_ne!(desk.must("weaknesses", json!({"name": "Aya"}))["trainings"][0]["ended"], json!(null));
    assert!(desk.give("weak_positions", json!({"name": "Aya", "class": "luck", "limit": 1})).is_err());
    assert!(desk.give("weaknesses", json!({"name": "Nobody"})).is_err());
}

#[test]
fn points_lost_in_a_game_by_the_parts_of_a_division_sum_to_all_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    // The short game has neither a clock nor a middle game.
    let short = "(;SZ[9]KM[0.5]RU[Chinese]PB[Aya]PW[Cid]DT[2026-03-05]RE[B+R];B[aa];W[cc];B[ha])".to_owned();
    reviewed_games(&desk, &[game(0, "2026-01-05"), short]);
    let page = desk.must("weaknesses", json!({"name": "Aya"}));
    let lost = |name: &str| -> f64 {
        let found = page["classes"].as_array().unwrap().iter().find(|class| class["class"] == name);
        found.map_or(0.0, |class| class["lostPerGame"].as_f64().unwrap())
    };
    let all = lost("all");
    assert!(all > 0.0, "{page}");
    for parts in [["opening", "middleGame", "late"], ["corner", "side", "centre"], ["ahead", "even", "behind"]] {
        let sum: f64 = parts.map(lost).iter().sum();
        assert!((sum - all).abs() < 1e-6, "{parts:?}: {sum} of {all} in {page}");
    }
    assert_eq!((class(&page, "all")["rate"]["games"].clone(), page["judged"].clone()), (json!(2), json!(2)));
    // Only one game has a clock, and counts alone.
    let positions = desk.must("weak_positions", json!({"name": "Aya", "class": "hurried", "limit": 10}));
    let of_mistakes: f64 = positions.as_array().unwrap().iter().map(|one| one["lost"].as_f64().unwrap()).sum();
    assert!(lost("hurried") > of_mistakes - 1e-6, "{page}: {positions}");
}

#[test]
fn own_openings_are_told_with_results_and_losses() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let line = ";B[pd];W[dp];B[cd];W[pp];B[ed];W[cn];B[qn];W[qq];B[nc];W[fq]";
    for number in 0..2 {
        let goban = format!("(;SZ[19]KM[6.5]RU[Chinese]PB[Aya]PW[Ben {number}]RE[{}+R]{line})", ["B", "W"][number]);
        desk.must("save_goban", json!({"goban": goban}));
    }
    desk.must("review_player", json!({"name": "Aya"}));
    desk.wait_for(|event| match event {
        Event::Reviews(queue) if queue.state == QueueState::Idle && queue.done == 2 => Some(()),
        _ => None,
    });
    let openings = desk.must("repertoire", json!({"name": "Aya"}))["openings"].as_array().unwrap().clone();
    let board = openings.iter().find(|opening| opening["corner"] == false).unwrap();
    assert_eq!(
        (&board["games"], &board["wins"], &board["losses"], &board["number"]),
        (&json!(2), &json!(1), &json!(1), &json!(8))
    );
    assert!(board["lost"].as_f64() >= Some(0.0));
    let stones = board["board"]["stones"].as_array().unwrap().iter().filter(|stone| **stone != 0).count();
    assert_eq!(stones, 8);

    // Each line is practised by itself: its mistakes, or its last move.
    for opening in &openings {
        let wanted = json!({"name": "Aya", "corner": opening["corner"], "line": opening["line"]});
        let practised = desk.must("practise_opening", wanted);
        assert!(practised["cards"].as_u64() > Some(0), "{opening}: {practised}");
    }
    let drill = desk.must("next_drill", json!({}))["card"].clone();
    let number = drill["number"].as_u64().unwrap();
    assert!(number <= 10, "{drill}");
    let gone = json!({"name": "Aya", "corner": false, "line": "of nobody"});
    assert!(desk.give("practise_opening", gone).unwrap_err().to_string().contains("not among"));
}
