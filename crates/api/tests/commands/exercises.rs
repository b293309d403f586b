//! Exercises from the library: choosing, judging, coming back, figures.

use crate::host::Desk;
use honinbo_testkit::{InfluenceEvaluator, UniformEvaluator};
use serde_json::{Value, json};
use std::sync::Arc;

/// Black has the left five lines of nine, White the other four; both sides passed.
const COUNTED: &str = "(;SZ[9]KM[6.5]RU[Chinese]PB[Aya]PW[Ben]RE[B+2.5]\
    AB[ea][eb][ec][ed][ee][ef][eg][eh][ei]AW[fa][fb][fc][fd][fe][ff][fg][fh][fi];B[];W[])";

/// Black leaves three stones in atari for a corner, and White leaves them too.
const BIGGEST: &str = "(;SZ[9]KM[0.5]RU[Chinese]PB[Aya]PW[Ben];B[ee];W[cc];B[ed];W[de];B[ef];W[df];B[gg];W[dd];B[gc];W[ec]\
    ;B[cg];W[eg];B[fh];W[fe];B[aa];W[ia];B[ff];W[hd];B[ai];W[ii];B[ha];W[ah];B[ih])";

/// White's stone at C3 is in a ladder that crosses the board; `breaker` is a stone in its way. The twenty moves stand in the
/// upper left, out of the way.
fn ladder(breaker: &str) -> String {
    let moves = ";B[bb];W[bf];B[db];W[df];B[fb];W[ff];B[hb];W[hf];B[jb];W[jf];B[bd];W[bh];B[dd];W[dh];B[fd];W[fh];B[hd]\
                 ;W[hh];B[jd];W[bj]";
    format!("(;SZ[19]RU[Chinese]KM[7.5]PB[Aya]PW[Ben]AB[bq][cr][dr]AW[cq]{breaker}{moves})")
}

fn save(desk: &Desk, sgf: &str) -> String {
    desk.must("save_goban", json!({"goban": sgf}))["id"].as_str().unwrap().to_owned()
}

fn next(desk: &Desk, kind: &str) -> Value {
    desk.must("next_exercise", json!({"kind": kind}))["exercise"].clone()
}

fn answer(desk: &Desk, asked: &Value, answer: Value) -> Value {
    desk.must("answer_exercise", json!({"exercise": asked["exercise"], "answer": answer}))
}

fn figures(desk: &Desk, kind: &str) -> Value {
    let all = desk.must("exercise_figures", json!({}));
    all["kinds"].as_array().unwrap().iter().find(|one| one["kind"] == kind).unwrap().clone()
}

#[test]
fn a_counted_game_is_asked_once_and_its_own_result_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    assert_eq!(next(&desk, "count"), json!(null), "an empty library has nothing to ask");
    save(&desk, &COUNTED.replace("B+2.5", "B+9.5"));
    assert_eq!(next(&desk, "count"), json!(null), "rules and record do not agree");
    save(&desk, COUNTED);
    let asked = next(&desk, "count");
    assert_eq!((&asked["komi"], &asked["territory"], &asked["again"]), (&json!(6.5), &json!(false), &json!(false)));
    let wrong = desk
        .give("answer_exercise", json!({"exercise": asked["exercise"], "answer": {"kind": "ladder", "works": true}}))
        .unwrap_err();
    assert!(wrong.to_string().contains("no answer"), "{wrong}");
    let judged = answer(&desk, &asked, json!({"kind": "lead", "blackLead": 1.5}));
    assert_eq!(
        (&judged["right"], &judged["error"], &judged["blackLead"], &judged["due"]),
        (&json!(false), &json!(1.0), &json!(2.5), &json!(null))
    );
    let stones = asked["board"]["stones"].as_array().unwrap();
    let owner = judged["score"]["owner"].as_array().unwrap();
    assert!(stones.iter().zip(owner).all(|(stone, owner)| *stone == 0 || stone == owner), "owners are turned, too");
    assert_eq!(judged["score"]["black"]["total"], 45.0);
    assert_eq!(next(&desk, "count"), json!(null), "its number is known now");
    let all = figures(&desk, "count")["all"].clone();
    assert_eq!(
        (&all["asked"], &all["right"], &all["error"], &all["errorLow"]),
        (&json!(1), &json!(0), &json!(1.0), &json!(null))
    );
}

#[test]
fn ladders_are_read_to_their_end_and_missed_ones_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    save(&desk, &ladder(""));
    let asked = next(&desk, "ladder");
    assert_eq!(asked["marks"].as_array().unwrap().len(), 1, "the stone in the ladder");
    let board = asked["board"]["stones"].as_array().unwrap();
    let marked = &board[asked["marks"][0].as_u64().unwrap() as usize];
    assert_eq!(*marked, json!(if asked["board"]["toMove"] == "black" { -1 } else { 1 }));
    let judged = answer(&desk, &asked, json!({"kind": "ladder", "works": false}));
    assert_eq!((&judged["right"], &judged["works"], &judged["error"]), (&json!(false), &json!(true), &json!(1.0)));
    let line = judged["line"]["moves"].as_array().unwrap();
    let boards = judged["line"]["boards"].as_array().unwrap();
    assert!(line.len() > 20 && boards.len() == line.len(), "{line:?}");
    assert_eq!(boards.last().unwrap()[asked["marks"][0].as_u64().unwrap() as usize], 0, "it is taken in the end");
    let due = judged["due"].as_f64().expect("what was missed comes back");
    desk.sleep_for((due - desk.now() as f64).ceil() as u64);
    assert_eq!(figures(&desk, "ladder")["due"], 1);
    let again = next(&desk, "ladder");
    assert_eq!((&again["again"], &again["exercise"]["number"]), (&json!(true), &asked["exercise"]["number"]));
    assert_ne!(again["exercise"]["turn"], asked["exercise"]["turn"], "turned another way");
    let judged = answer(&desk, &again, json!({"kind": "ladder", "works": true}));
    assert!(judged["right"] == true && judged["due"].as_f64() > Some(desk.now() as f64), "{judged}");
    assert_eq!(
        figures(&desk, "ladder")["all"]["asked"],
        1,
        "what was asked before says nothing of how strong somebody is"
    );
}

#[test]
fn a_stone_in_the_way_breaks_the_ladder() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    save(&desk, &ladder("[pd]"));
    let asked = next(&desk, "ladder");
    let judged = answer(&desk, &asked, json!({"kind": "ladder", "works": false}));
    assert_eq!((&judged["right"], &judged["works"], &judged["due"]), (&json!(true), &json!(false), &json!(null)));
    let last = judged["line"]["boards"].as_array().unwrap().last().unwrap();
    assert_ne!(last[asked["marks"][0].as_u64().unwrap() as usize], 0, "it got out");
}

#[test]
fn an_estimate_is_judged_by_a_deep_search_and_its_error_kept() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let letter = |at: usize| char::from(b'a' + at as u8);
    let moves: String =
        (0..30).map(|at| format!(";{}[{}{}]", ["B", "W"][at % 2], letter(at % 9), letter(1 + 2 * (at / 9)))).collect();
    save(&desk, &format!("(;SZ[9]KM[0.5]RU[Chinese]{moves})"));
    let mut errors = Vec::new();
    for said in [0.0, 80.0] {
        let asked = next(&desk, "score");
        desk.must("prepare_exercise", json!({"exercise": asked["exercise"]}));
        let judged = answer(&desk, &asked, json!({"kind": "lead", "blackLead": said}));
        let lead = judged["blackLead"].as_f64().unwrap();
        assert!((judged["error"].as_f64().unwrap() - (said - lead).abs()).abs() < 1e-9);
        assert_eq!(judged["ownership"].as_array().unwrap().len(), 81);
        errors.push(judged["error"].as_f64().unwrap());
    }
    let all = figures(&desk, "score")["all"].clone();
    assert_eq!(all["asked"], 2);
    assert!((all["error"].as_f64().unwrap() - (errors[0] + errors[1]) / 2.0).abs() < 1e-9);
    assert!(all["errorLow"].as_f64() < all["error"].as_f64());
}

#[test]
fn the_biggest_move_is_judged_by_what_each_marked_move_loses() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    // Two threads that meet otherwise find other moves that stand apart, or once in a long while none at all.
    desk.must("set_settings", json!({"threads": 1}));
    save(&desk, BIGGEST);
    // Not every position has moves enough that stand apart; each look is at others.
    let mut looks = (0..20).map(|_| next(&desk, "biggest"));
    let asked = looks.find(|asked| !asked.is_null()).expect("a position with moves that stand apart");
    let marks: Vec<Value> = asked["marks"].as_array().unwrap().clone();
    assert!((3..=4).contains(&marks.len()), "{asked}");
    desk.must("prepare_exercise", json!({"exercise": asked["exercise"]}));
    let judged = answer(&desk, &asked, json!({"kind": "move", "vertex": marks[0]}));
    let moves = judged["moves"].as_array().unwrap();
    assert_eq!(moves.len(), marks.len());
    assert!(moves.iter().all(|made| marks.contains(&made["vertex"])));
    let lost: Vec<f64> = moves.iter().map(|made| made["pointsLost"].as_f64().unwrap()).collect();
    assert!(lost.is_sorted(), "{lost:?}");
    let own = moves.iter().find(|made| made["vertex"] == marks[0]).unwrap();
    assert_eq!(own["pointsLost"], judged["error"]);
    assert_eq!(judged["right"], own["pointsLost"].as_f64() <= Some(1.0));
    assert!(!judged["line"]["moves"].as_array().unwrap().is_empty());
    let refused = desk
        .give("answer_exercise", json!({"exercise": asked["exercise"], "answer": {"kind": "move", "vertex": 81}}))
        .unwrap_err();
    assert!(refused.to_string().contains("no point"), "{refused}");
}

#[test]
fn a_biggest_move_that_was_missed_comes_back_whichever_network_is_in_use_then() {
    let folder = tempfile::tempdir().unwrap();
    let (asked, due) = {
        let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
        desk.must("set_settings", json!({"threads": 1}));
        save(&desk, BIGGEST);
        let mut looks = (0..20).map(|_| next(&desk, "biggest"));
        let asked = looks.find(|asked| !asked.is_null()).expect("a position with moves that stand apart");
        let judged = answer(&desk, &asked, json!({"kind": "move", "vertex": null}));
        assert_eq!(judged["right"], false, "a pass loses something: {judged}");
        desk.app.shut_down();
        (asked, judged["due"].as_f64().expect("what was missed comes back"))
    };
    let later = |desk: &Desk, days: u64| {
        desk.sleep_for((due - desk.now() as f64).ceil() as u64 + days * 86_400);
        figures(desk, "biggest")["due"].clone()
    };
    // A network for which every move is as good as any has nothing to ask, and ends nothing.
    {
        let desk = Desk::of_network(folder.path(), Arc::new(UniformEvaluator::default()), "all alike");
        assert_eq!(later(&desk, 0), 1);
        assert_eq!(next(&desk, "biggest"), json!(null));
        assert_eq!(figures(&desk, "biggest")["due"], 0, "it waits for a while");
        desk.app.shut_down();
    }
    let desk = Desk::of_network(folder.path(), Arc::new(InfluenceEvaluator), "another one");
    assert_eq!(later(&desk, 2), 1);
    let again = next(&desk, "biggest");
    assert_eq!((&again["again"], &again["exercise"]["number"]), (&json!(true), &asked["exercise"]["number"]));
    assert!((3..=4).contains(&again["marks"].as_array().unwrap().len()), "{again}");
    let judged = answer(&desk, &again, json!({"kind": "move", "vertex": again["marks"][0]}));
    assert_eq!(judged["moves"].as_array().unwrap().len(), again["marks"].as_array().unwrap().len());
}
