//! How strong players of a game were, and what somebody of a rank would have found.

use crate::host::Desk;
use honinbo_testkit::{InfluenceEvaluator, fixtures};
use serde_json::{Value, json};
use std::sync::Arc;

/// As in `lessons.rs`: nine moves of each player are too few for a rank.
const GAME: &str = "(;SZ[9]KM[0.5]RU[Chinese]PB[Aya]PW[Ben];B[ee];W[cc];B[ed];W[de];B[ef];W[df];B[gg];W[dd];B[gc];W[ec]\
                    ;B[cg];W[eg];B[fh];W[fe];B[aa];W[ia];B[ff];W[hd])";

fn reviewed(desk: &Desk) -> String {
    review_of(desk, GAME)
}

fn review_of(desk: &Desk, game: &str) -> String {
    let id = desk.open(game);
    let sweep = desk.must("sweep_game", json!({"gameId": id, "passes": [60]}));
    desk.end_of_sweep_of(sweep["serial"].as_u64().unwrap());
    id
}

/// Black takes every other point from the top, White the points opposite: nothing is ever taken, and nobody is far ahead.
fn even_game(side: usize) -> String {
    let letter = |at: usize| char::from(b'a' + u8::try_from(at).unwrap());
    let points = (0..side / 2).flat_map(|y| (0..side).map(move |x| (x, y))).filter(|(x, y)| (x + y) % 2 == 0);
    let moves = points.take(28).map(|(x, y)| {
        let (across, down) = (side - 1 - x, side - 1 - y);
        format!(";B[{}{}];W[{}{}]", letter(x), letter(y), letter(across), letter(down))
    });
    format!("(;SZ[{side}]KM[0.5]RU[Chinese]PB[Aya]PW[Ben]{})", moves.collect::<String>())
}

fn chances(review: &Value) -> Vec<f64> {
    review["found"].as_array().unwrap().iter().map(|found| found["chance"].as_f64().unwrap()).collect()
}

#[test]
fn few_moves_say_nothing_of_a_rank_and_each_mistake_says_who_avoids_it() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let id = reviewed(&desk);
    let of = |rank: Value| desk.must("rank_review", json!({"gameId": id, "rank": rank}));
    let nobody = of(json!(null));
    assert_eq!(nobody, json!({"black": null, "white": null, "human": false, "found": []}));
    let [weak, strong] = [of(json!("20k")), of(json!("5k"))].map(|review| chances(&review));
    assert!(!weak.is_empty() && weak.len() == strong.len());
    assert!(weak.iter().chain(&strong).all(|chance| (0.0..=1.0).contains(chance)), "{weak:?} {strong:?}");
    assert!(weak.iter().sum::<f64>() < strong.iter().sum::<f64>(), "{weak:?} {strong:?}");
    assert!(desk.give("rank_review", json!({"gameId": id, "rank": "3p"})).unwrap_err().to_string().contains("20k"));
}

#[test]
fn a_rank_is_said_of_games_on_19x19_alone() {
    for side in [19, 13] {
        let folder = tempfile::tempdir().unwrap();
        let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
        let id = review_of(&desk, &even_game(side));
        let review = desk.must("rank_review", json!({"gameId": id, "rank": null}));
        for player in ["black", "white"] {
            assert_eq!(review[player].is_object(), side == 19, "{side}: {review}");
        }
    }
}

#[test]
fn turning_points_are_those_that_help_at_a_rank() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let id = reviewed(&desk);
    let cards = |helps: Value| {
        let found = desk.must("turning_points", json!({"gameId": id, "side": null, "helps": helps}));
        found["cards"].as_array().unwrap().len()
    };
    let all = cards(json!(null));
    assert!(all > 0);
    assert_eq!(cards(json!({"rank": "5k", "least": 0.0})), all, "nothing is asked for");
    assert_eq!(cards(json!({"rank": "20k", "least": 0.99})), 0, "nobody of that rank is so sure of anything");
}

/// With a network that takes a profile, whose answers mean nothing: that it is asked, and what becomes of the answers.
#[test]
fn a_network_of_human_style_is_asked_where_one_is_installed() {
    if !fixtures::resources().join("onnxruntime").is_dir() {
        return fixtures::skip("there is no ONNX Runtime");
    }
    let folder = tempfile::tempdir().unwrap();
    let networks = folder.path().join("networks");
    std::fs::create_dir_all(&networks).unwrap();
    std::fs::write(networks.join("human.bin.gz"), fixtures::human_style()).unwrap();
    let usual = fixtures::fixture("networks/g170-b6c96-s175395328-d26788732.bin.gz");
    std::fs::copy(usual, networks.join("usual.bin.gz")).unwrap();
    let desk = Desk::with_networks(folder.path());
    desk.must("set_settings", json!({"network": "usual.bin.gz", "threads": 1}));
    let id = reviewed(&desk);
    let review = desk.must("rank_review", json!({"gameId": id, "rank": "5k"}));
    assert_eq!(review["human"], true, "{review}");
    let found = chances(&review);
    assert!(!found.is_empty() && found.iter().all(|chance| (0.0..=1.0).contains(chance)), "{found:?}");
    let other = desk.must("rank_review", json!({"gameId": id, "rank": "9d"}));
    assert_ne!(chances(&other), found, "each rank is asked about by itself");

    let said = |id: &str, rank: Value| -> Vec<Value> {
        let cards = desk.must("turning_points", json!({"gameId": id, "side": null}))["cards"].clone();
        let facts =
            |card: &Value| desk.must("card_facts", json!({"card": card["card"], "rank": rank}))["facts"].clone();
        let facts: Vec<Value> = cards.as_array().unwrap().iter().map(facts).collect();
        let facts = facts.iter().flat_map(|facts| facts.as_array().unwrap()).map(|view| view["fact"].clone());
        facts.filter(|fact| fact["kind"] == "byRank").collect()
    };
    assert_eq!(said(&id, json!(null)), Vec::<Value>::new(), "whose rank is not known is like nobody");
    let chosen = said(&id, json!("5k"));
    assert!(!chosen.is_empty());
    for fact in &chosen {
        let share = |name: &str| fact[name].as_f64().unwrap();
        assert!(fact["rank"] == "5k" && (0.0..=1.0).contains(&share("played")) && share("better") <= 1.0, "{fact}");
    }
    let ranked = review_of(&desk, &GAME.replace("PB[Aya]", "PB[Aya]BR[5 kyu]WR[5k]"));
    assert_eq!(said(&ranked, json!(null)), chosen, "the record says of what rank the players are");
}
