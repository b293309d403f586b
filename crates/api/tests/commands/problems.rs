//! Collections of problems: opening them, solving them, ratings, sets against the clock.

use crate::host::Desk;
use base64::Engine as _;
use flate2::{Compression, write::GzEncoder};
use honinbo_api::ApiError;
use honinbo_testkit::InfluenceEvaluator;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::Arc;

const SIDE: u64 = 13;
const HOUR: u64 = 3_600;

/// Seven white stones at the edge have one liberty. H13 takes them. H11 lets them out, which the file shows; H12 holds
/// them too, of which the file says nothing.
const TAKE: &str = "(;SZ[13]GN[Seven stones]DI[15k]AB[ab][bb][cb][db][eb][fb][gb]AW[aa][ba][ca][da][ea][fa][ga][ib][jb]C[Take them.]\
                    (;B[ha]C[RIGHT Taken.])(;B[hc]C[Too far.];W[ha];B[hb];W[ia]C[Out.]))";
/// White lives with two moves; the file has a reply between them, and does not want A13 to be tried.
const LIVE: &str = "(;SZ[13]PL[W]AB[da][db][dc][cd][bd][ad]AW[ca][cb][bc][ac]C[White to live]\
                    (;W[bb]C[Good.];B[ba];W[ab]C[RIGHT])(;W[ba]C[NOTTHIS])(;W[ab];B[bb]C[WRONG]))";
/// No problem at all.
const GAME: &str = "(;SZ[13];B[gg];W[gd])";

fn source(name: &str, bytes: impl AsRef<[u8]>) -> Value {
    let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
    json!({"source": {"kind": "content", "name": name, "base64": base64}})
}

fn at(name: &str) -> u64 {
    let column = "ABCDEFGHJKLMN".find(&name[..1]).unwrap() as u64;
    column + (SIDE - name[1..].parse::<u64>().unwrap()) * SIDE
}

/// Three problems and a game, in an app that thinks by influence.
struct Book {
    desk: Desk,
    id: Value,
    _folder: tempfile::TempDir,
}

fn book() -> Book {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let opened = desk.must("open_problems", source("book.sgf", format!("{TAKE}{GAME}{LIVE}")));
    assert_eq!((&opened["isNew"], &opened["skipped"]), (&json!(true), &json!(1)));
    let id = opened["collection"]["id"].clone();
    Book { desk, id, _folder: folder }
}

impl Book {
    fn next(&self, order: &str, after: Value) -> Value {
        let asked = self.desk.must("next_problem", json!({"collectionId": self.id, "order": order, "after": after}));
        asked["problem"].clone()
    }

    fn problem(&self, number: u64) -> Value {
        self.next("file", json!(number - 1))["problem"].clone()
    }

    fn attempt(&self, problem: &Value, moves: &Value, name: &str) -> Value {
        self.desk.must("try_problem", json!({"problem": problem, "moves": moves, "vertex": at(name)}))
    }

    fn rating(&self) -> Value {
        self.desk.must("problem_state", json!({}))["rating"].clone()
    }
}

#[test]
fn a_collection_is_opened_from_any_file_that_records_come_in() {
    let book = book();
    let state = book.desk.must("problem_state", json!({}));
    let collection = json!({"id": book.id, "name": "book", "theme": null, "problems": 2, "tried": 0, "solved": 0});
    let told = |name: &str| &state[name];
    assert_eq!((told("collections"), told("rating"), told("set")), (&json!([collection]), &Value::Null, &Value::Null));

    let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
    gz.write_all(format!("{TAKE}{GAME}{LIVE}").as_bytes()).unwrap();
    let again = book.desk.must("open_problems", source("book.sgf.gz", gz.finish().unwrap()));
    assert_eq!((&again["isNew"], &again["collection"]["id"]), (&json!(false), &book.id), "the same problems");
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, sgf) in [("a.sgf", TAKE), ("b.sgf", LIVE), ("c.txt", "nothing")] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(sgf.as_bytes()).unwrap();
    }
    let zipped = book.desk.must("open_problems", source("club.zip", zip.finish().unwrap().into_inner()));
    assert_eq!(zipped["collection"]["id"], book.id, "in an archive too");
    let games = book.desk.must("open_problems", source("game.sgf", GAME));
    assert_eq!(games, json!({"collection": null, "isNew": false, "skipped": 1}));
    let list = book.desk.must("list_games", source("book.sgf", format!("{TAKE}{GAME}{LIVE}"))["source"].clone());
    assert_eq!((list["games"].as_array().map(Vec::len), &list["asks"]), (Some(3), &json!(2)));

    let left = book.desk.must("remove_problems", json!({"collectionId": book.id}));
    assert_eq!(left["collections"], json!([]));
    book.desk.must("open_problems", source("book.sgf", format!("{TAKE}{GAME}{LIVE}")));
    assert_eq!(book.desk.must("problem_state", json!({}))["collections"], json!([collection]));
    for name in ["remove_problems", "next_problem"] {
        let args = json!({"collectionId": "x", "order": "file", "after": null});
        assert!(matches!(book.desk.give(name, args), Err(ApiError::NotFound { .. })), "{name}");
    }
}

#[test]
fn the_file_says_what_is_right_and_replies() {
    let book = book();
    let view = book.next("file", json!(1));
    assert_eq!(
        (&view["number"], &view["text"], &view["board"]["toMove"]),
        (&json!(2), &json!("White to live"), &json!("white"))
    );
    assert_eq!((&view["level"], &book.next("file", json!(null))["level"]), (&json!(""), &json!("15k")));
    let problem = view["problem"].clone();
    assert_eq!(problem["turn"], 0, "as the file has it");

    let refused = book.attempt(&problem, &json!([]), "B13");
    assert_eq!(
        (&refused["verdict"], &refused["moves"], &refused["counted"]),
        (&json!("refused"), &json!([]), &json!(null))
    );
    let first = book.attempt(&problem, &json!([]), "B12");
    assert_eq!(
        (&first["verdict"], &first["comment"], &first["engine"]),
        (&json!("right"), &json!("Good."), &json!(false))
    );
    assert_eq!(first["moves"], json!([at("B12"), at("B13")]));
    assert_eq!(
        (&first["board"]["stones"][at("B13") as usize], &first["board"]["toMove"]),
        (&json!(1), &json!("white"))
    );
    assert_eq!(book.rating(), json!(null), "nothing is decided yet");
    let second = book.attempt(&problem, &first["moves"], "A12");
    assert_eq!((&second["verdict"], &second["counted"]["solved"]), (&json!("solved"), &json!(true)));
    assert!(second["counted"]["after"]["rating"].as_f64() > Some(1500.0), "{second}");
    assert!(second["counted"]["problem"]["rating"].as_f64() < Some(1500.0), "{second}");
    assert_eq!(book.next("open", json!(null))["number"], 1);
    assert_eq!(book.next("open", json!(1))["number"], 1, "the only one that is left");

    let solution = book.desk.must("problem_solution", json!({"problem": problem, "givenUp": true}));
    assert_eq!(solution["line"]["moves"], json!([at("B12"), at("B13"), at("A12")]));
    assert_eq!((&solution["right"], &solution["comments"]), (&json!([at("B12")]), &json!(["Good.", "", ""])));
    assert_eq!(solution["counted"], json!(null), "who has solved it gives nothing up");
}

#[test]
fn a_wrong_move_is_punished_and_counts_once_a_day() {
    let book = book();
    let problem = book.problem(1);
    let wrong = book.attempt(&problem, &json!([]), "H11");
    assert_eq!((&wrong["verdict"], &wrong["comment"]), (&json!("wrong"), &json!("Too far.\nOut.")));
    assert_eq!(wrong["line"]["moves"], json!(["H11", "H13", "H12", "J13"].map(at)));
    assert_eq!(wrong["counted"]["solved"], false);
    let fallen = book.rating();
    assert!(fallen["rating"].as_f64() < Some(1500.0));
    let solved = book.attempt(&problem, &json!([]), "H13");
    assert_eq!(
        (&solved["verdict"], &solved["comment"], &solved["counted"]),
        (&json!("solved"), &json!("Taken."), &json!(null))
    );
    assert_eq!((book.rating(), &book.next("open", json!(null))["number"]), (fallen.clone(), &json!(1)));

    // Tomorrow it counts again, and is turned: its words name neither colours nor points.
    book.desk.sleep_for(21 * HOUR);
    let view = book.next("open", json!(null));
    let again = view["problem"].clone();
    assert_ne!(again["turn"], 0, "{again}");
    let solution = book.desk.must("problem_solution", json!({"problem": again, "givenUp": false}));
    let seen = solution["right"][0].clone();
    let solved = book.desk.must("try_problem", json!({"problem": again, "moves": [], "vertex": seen}));
    assert_eq!((&solved["verdict"], &solved["counted"]["solved"]), (&json!("solved"), &json!(true)));
    assert!(book.rating()["rating"].as_f64() > fallen["rating"].as_f64());
}

#[test]
fn the_right_moves_are_the_same_under_every_turn() {
    let book = book();
    let id = book.problem(1)["problemId"].clone();
    let mut pictures = BTreeSet::new();
    for turn in 0..16 {
        let problem = json!({"problemId": id, "turn": turn});
        let solution = book.desk.must("problem_solution", json!({"problem": problem, "givenUp": false}));
        pictures.insert(solution["line"]["boards"][0].to_string());
        let answer = json!({"problem": problem, "moves": [], "vertex": solution["right"][0]});
        assert_eq!(book.desk.must("try_problem", answer)["verdict"], "solved", "turn {turn}");
    }
    assert_eq!(pictures.len(), 16);
}

#[test]
fn a_move_that_the_file_does_not_know_is_answered_by_the_engine_and_never_solves() {
    let book = book();
    let problem = book.problem(1);
    // One thread searches the same tree each time.
    book.desk.must("set_settings", json!({"threads": 1}));
    // H12 holds the stones as well; only the file could say that this is right.
    let kept = book.attempt(&problem, &json!([]), "H12");
    assert_eq!((&kept["verdict"], &kept["engine"], &kept["counted"]), (&json!("unknown"), &json!(true), &json!(null)));
    assert_ne!(kept["opinion"]["kind"], "loses", "{kept}");
    assert_eq!(kept["moves"].as_array().map(Vec::len), Some(2));
    // It goes on from there with the engine.
    let on =
        book.desk.give("try_problem", json!({"problem": problem, "moves": kept["moves"], "vertex": null})).unwrap();
    assert_eq!((&on["verdict"], &on["moves"][2]), (&json!("unknown"), &json!(null)));
    assert_eq!(book.rating(), json!(null));

    // Elsewhere is a pass, and loses the stones.
    let lost = book.attempt(&problem, &json!([]), "L3");
    assert_eq!((&lost["verdict"], &lost["opinion"]["kind"]), (&json!("unknown"), &json!("loses")), "{lost}");
    assert_eq!((&lost["engine"], &lost["counted"]["solved"]), (&json!(true), &json!(false)));
    let reply = lost["line"]["moves"][1].as_u64().expect("the engine replies") as usize;
    assert_eq!(lost["line"]["boards"][1][reply], -1);
}

#[test]
fn a_try_that_cannot_be_made_is_refused() {
    let book = book();
    let problem = book.problem(1);
    let refused = |args: Value| book.desk.give("try_problem", args).unwrap_err();
    let occupied = refused(json!({"problem": problem, "moves": [], "vertex": at("A13")}));
    assert!(matches!(occupied, ApiError::IllegalMove { .. }), "{occupied:?}");
    for (moves, vertex) in [(json!([5]), 6), (json!([]), 169), (json!([999, 5]), 6), (json!(vec![json!(null); 402]), 6)]
    {
        let error = refused(json!({"problem": problem, "moves": moves, "vertex": vertex}));
        assert!(matches!(error, ApiError::InvalidRequest { .. }), "{error:?}");
    }
    for gone in [json!({"problemId": "77", "turn": 0}), json!({"problemId": "x", "turn": 0})] {
        let error = refused(json!({"problem": gone, "moves": [], "vertex": 0}));
        assert!(matches!(error, ApiError::NotFound { .. }), "{error:?}");
    }
    let turned = refused(json!({"problem": {"problemId": problem["problemId"], "turn": 16}, "moves": [], "vertex": 0}));
    assert!(turned.to_string().contains("no turn 16"), "{turned}");
}

#[test]
fn a_set_is_solved_against_the_clock() {
    let book = book();
    let start = |count: u32, seconds: u32| {
        let wanted = json!({"collectionId": book.id, "order": "file", "count": count, "seconds": seconds});
        book.desk.give("start_problem_set", wanted)
    };
    for (count, seconds) in [(0, 60), (101, 60), (5, 9), (5, 36_001)] {
        assert!(matches!(start(count, seconds), Err(ApiError::InvalidRequest { .. })));
    }
    let asked = start(10, 600).unwrap();
    let set = |answer: &Value| {
        let set = &answer["set"];
        json!([set["number"], set["count"], set["tried"], set["solved"], set["over"]])
    };
    assert_eq!(set(&asked), json!([1, 2, 0, 0, false]), "there are no more");
    let wrong = book.attempt(&asked["problem"]["problem"], &json!([]), "H11");
    assert_eq!(set(&wrong), json!([1, 2, 1, 0, false]));
    let second = book.desk.must("next_in_set", json!({}));
    let problem = second["problem"]["problem"].clone();
    let first = book.attempt(&problem, &json!([]), "B12");
    let solved = book.attempt(&problem, &first["moves"], "A12");
    assert_eq!(set(&solved), json!([2, 2, 2, 1, true]));
    let end = book.desk.must("next_in_set", json!({}));
    assert_eq!((&end["problem"], set(&end)), (&json!(null), set(&solved)));

    // The time passes: what is answered later does not count in the set.
    start(2, 60).unwrap();
    let problem = json!({"problemId": book.problem(1)["problemId"], "turn": 0});
    book.desk.sleep_for(61);
    let late = book.attempt(&problem, &json!([]), "H13");
    assert_eq!(set(&late), json!([1, 2, 0, 0, true]));
    assert_eq!((&late["verdict"], &late["set"]["secondsLeft"]), (&json!("solved"), &json!(0.0)));
    start(2, 60).unwrap();
    assert_eq!(book.desk.must("end_problem_set", json!({}))["set"]["over"], true);
}

#[test]
fn problems_come_near_the_own_strength() {
    let desk = Desk::new();
    let of_level = |level: &str, x: char| format!("(;SZ[9]DI[{level}]AB[{x}c]AW[{x}d];B[{x}e])");
    let sgf: String = [("20k", 'a'), ("10k", 'b'), ("5d", 'c')].map(|(level, x)| of_level(level, x)).concat();
    let opened = desk.must("open_problems", source("levels.sgf", sgf));
    let next = |after: Value| {
        let wanted = json!({"collectionId": opened["collection"]["id"], "order": "near", "after": after});
        desk.must("next_problem", wanted)["problem"].clone()
    };
    let first = next(json!(null));
    assert_eq!(first["level"], "10k", "everybody begins there");
    assert_eq!(next(first["number"].clone())["level"], "20k", "another one where that is passed over");
    desk.must("problem_solution", json!({"problem": first["problem"], "givenUp": true}));
    assert_eq!(next(json!(null))["level"], "20k", "what was tried today rests");
}

#[test]
fn a_frame_is_an_edit_that_can_be_undone() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[19]AB[ea][eb][dc][cd][bd][ad]AW[da][db][cc][bc][ac])");
    let stones =
        |update: &Value| update["position"]["stones"].as_array().unwrap().iter().filter(|stone| **stone != 0).count();
    let framed = desk.must("frame_position", json!({"gameId": id}));
    assert!(stones(&framed) > 200, "{}", stones(&framed));
    let undone = desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!(stones(&undone), 11);
    let empty = desk.open("(;SZ[19])");
    let refused = desk.give("frame_position", json!({"gameId": empty})).unwrap_err();
    assert!(matches!(refused, ApiError::InvalidRequest { .. }), "{refused:?}");
    let torus = desk.open("(;SZ[19]TOPO[torus]AB[ea][eb]AW[da][db])");
    let refused = desk.give("frame_position", json!({"gameId": torus})).unwrap_err();
    assert!(matches!(&refused, ApiError::InvalidRequest { message } if message.contains("edges meet")), "{refused:?}");
}

/// Three points in the corner, whose middle kills; the file has the corner itself as the only wrong move.
const THREE: &str = "(;SZ[13]AB[ca][cb][cc][cd][ce][ae][be]AW[ba][bb][bc][bd][ad]PL[B](;B[ab]C[RIGHT])(;B[aa];W[ab]))";

#[test]
fn the_referee_says_what_the_group_is_and_refutes_what_the_file_does_not_know() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    desk.stop_clock();
    let opened = desk.must("open_problems", source("three.sgf", THREE));
    let asked =
        desk.must("next_problem", json!({"collectionId": opened["collection"]["id"], "order": "file", "after": null}));
    let problem = &asked["problem"]["problem"];
    let ruling = desk.must("judge_problem", json!({"problem": problem, "moves": []}));
    assert_eq!((&ruling["owner"], ruling["group"].as_array().map(Vec::len)), (&json!("white"), Some(5)));
    assert_eq!(
        (&ruling["solverFirst"]["fate"], &ruling["opponentFirst"]["fate"]),
        (&json!({"kind": "dead"}), &json!({"kind": "alive"}))
    );
    assert_eq!((&ruling["decides"], &ruling["right"]), (&json!(true), &json!([at("A12")])));
    assert_eq!(ruling["line"]["moves"][0], at("A12"));

    let tried = desk.must("try_problem", json!({"problem": problem, "moves": [], "vertex": at("A11")}));
    assert_eq!((&tried["verdict"], &tried["proved"], &tried["engine"]), (&json!("wrong"), &json!(true), &json!(false)));
    assert_eq!(tried["line"]["moves"], json!([at("A11"), at("A12")]), "White lives");

    // After the answer of the file there is nothing left to decide.
    let dead = desk.must("judge_problem", json!({"problem": problem, "moves": [at("A12"), null]}));
    assert_eq!(
        (&dead["solverFirst"]["fate"], &dead["decides"], &dead["right"]),
        (&json!({"kind": "dead"}), &json!(false), &json!([]))
    );
}

/// Two corners like [`THREE`], and the file asks about the lower one.
const TWO_CORNERS: &str = "(;SZ[13]AB[ca][cb][cc][cd][ce][ae][be][km][kl][kk][kj][ki][mi][li]\
AW[ba][bb][bc][bd][ad][lm][ll][lk][lj][mj]PL[B](;B[ml]C[RIGHT])(;B[mm];W[ml]))";

#[test]
fn the_referee_asks_about_the_group_that_the_moves_of_the_file_are_best_for() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    desk.stop_clock();
    let opened = desk.must("open_problems", source("corners.sgf", TWO_CORNERS));
    let asked =
        desk.must("next_problem", json!({"collectionId": opened["collection"]["id"], "order": "file", "after": null}));
    let problem = &asked["problem"]["problem"];
    let ruling = desk.must("judge_problem", json!({"problem": problem, "moves": []}));
    assert_eq!((&ruling["decides"], &ruling["right"]), (&json!(true), &json!([at("N2")])));
    let mut group: Vec<u64> = ruling["group"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    group.sort_unstable();
    assert_eq!(group, ["M4", "N4", "M3", "M2", "M1"].map(at));

    // It takes the other group, and the one in question lives.
    let tried = desk.must("try_problem", json!({"problem": problem, "moves": [], "vertex": at("A12")}));
    assert_eq!((&tried["verdict"], &tried["proved"]), (&json!("wrong"), &json!(true)), "{tried}");
    assert_eq!(tried["line"]["moves"], json!([at("A12"), at("N2")]));
}

#[test]
fn problems_that_come_with_the_program_are_taken_in_when_somebody_begins_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let state = desk.must("problem_state", json!({}));
    assert_eq!(state["collections"], json!([]), "nothing is written before it is asked for");
    let shipped = state["shipped"].as_array().unwrap();
    assert_eq!((&shipped[0]["theme"], &shipped[0]["problems"]), (&json!("firstSteps"), &json!(13)));
    let count: u64 = shipped.iter().map(|theme| theme["problems"].as_u64().unwrap()).sum();
    assert!(count >= 120, "{count}");
    let capture = shipped.iter().find(|theme| theme["theme"] == "capture").unwrap();
    assert_eq!((&capture["easiest"], &capture["hardest"]), (&json!("30k"), &json!("26k")));

    // One is solved: the rating moves, and what was tried outlasts putting the collection away.
    let opened = desk.must("open_shipped_problems", json!({"theme": "escape"}));
    assert_eq!((&opened["isNew"], &opened["collection"]["theme"]), (&json!(true), &json!("escape")));
    let id = opened["collection"]["id"].clone();
    let next = json!({"collectionId": id, "order": "file", "after": null});
    let asked = desk.must("next_problem", next)["problem"].clone();
    assert_eq!((&asked["theme"], asked["marked"].as_array().unwrap().is_empty()), (&json!("escape"), false));
    let shown = desk.must("problem_solution", json!({"problem": asked["problem"], "givenUp": false}));
    let wanted = json!({"problem": asked["problem"], "moves": [], "vertex": shown["right"][0]});
    let tried = desk.must("try_problem", wanted);
    assert_eq!((&tried["verdict"], &tried["counted"]["solved"]), (&json!("solved"), &json!(true)));
    let state = desk.must("remove_problems", json!({"collectionId": id}));
    assert_eq!(state["collections"], json!([]));
    let again = desk.must("open_shipped_problems", json!({"theme": "escape"}));
    assert_eq!((&again["isNew"], &again["collection"]["solved"]), (&json!(false), &json!(1)));
}

#[test]
fn the_first_steps_keep_their_colours_and_say_nothing_of_a_strength() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let opened = desk.must("open_shipped_problems", json!({"theme": "firstSteps"}));
    let id = &opened["collection"]["id"];
    let asked = |after: Value| {
        let asked = desk.must("next_problem", json!({"collectionId": id, "order": "file", "after": after}));
        asked["problem"].clone()
    };
    let second = asked(json!(1));
    let refused = desk
        .must("try_problem", json!({"problem": second["problem"], "moves": [], "vertex": second["board"]["width"]}));
    assert_eq!(refused["verdict"], "refused", "nobody fails here");
    let right = desk.must("problem_solution", json!({"problem": second["problem"], "givenUp": false}))["right"].clone();
    let solved = desk.must("try_problem", json!({"problem": second["problem"], "moves": [], "vertex": right[0]}));
    assert_eq!((&solved["verdict"], &solved["counted"]), (&json!("solved"), &Value::Null));
    let state = desk.must("problem_state", json!({}));
    assert_eq!((&state["collections"][0]["solved"], &state["rating"]["rating"]), (&json!(1), &json!(1500.0)));
    let again = asked(json!(1));
    assert_eq!((&again["problem"]["turn"], &again["board"]), (&json!(0), &second["board"]));
    // A ko that was just taken may not be taken back.
    assert!(asked(json!(7))["board"]["ko"].is_number());
}
