//! Cards, drills, exercises and problems on a server: everybody has their own, and a guest has none.

use crate::boards::{command, two_ends, window_of};
use crate::club::{Club, Guest, OPEN};
use base64::Engine as _;
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Error;

/// White's stone at C3 is in a ladder that crosses the board. The twenty moves stand in the upper left, out of the way.
const LADDER: &str = "(;SZ[19]RU[Chinese]KM[7.5]PB[Anna]PW[Ben]RE[B+R]AB[bq][cr][dr]AW[cq]\
    ;B[bb];W[bf];B[db];W[df];B[fb];W[ff];B[hb];W[hf];B[jb];W[jf];B[bd];W[bh];B[dd];W[dh];B[fd];W[fh];B[hd];W[hh];B[jd];W[bj])";
/// Three points in the corner, whose middle kills.
const THREE: &str = "(;SZ[13]AB[ca][cb][cc][cd][ce][ae][be]AW[ba][bb][bc][bd][ad]PL[B](;B[ab]C[RIGHT])(;B[aa];W[ab]))";

fn content(name: &str, text: impl AsRef<[u8]>) -> Value {
    json!({ "kind": "content", "name": name, "base64": base64::engine::general_purpose::STANDARD.encode(text) })
}

/// Does something that may fail for its own reasons, but not because it is not allowed here.
async fn may(window: &mut Guest, name: &str, args: Value) {
    window.send(json!({ "id": name, "command": name, "args": args })).await;
    let answer = window.until(name, |message| message["id"] == name).await;
    assert_ne!(answer["error"]["kind"], "notPossibleHere", "{name}: {answer}");
    assert!(!answer["error"].to_string().contains("missing field"), "{name} was not asked as it is: {answer}");
}

async fn exercises(window: &mut Guest) {
    command(window, "save_goban", json!({ "goban": LADDER })).await;
    let asked = command(window, "next_exercise", json!({ "kind": "ladder" })).await["exercise"]["exercise"].clone();
    command(window, "prepare_exercise", json!({ "exercise": asked })).await;
    let answer = json!({ "exercise": asked, "answer": { "kind": "ladder", "works": true } });
    assert_eq!(command(window, "answer_exercise", answer).await["right"], true);
    let figures = command(window, "exercise_figures", json!({})).await;
    let ladders = figures["kinds"].as_array().unwrap().iter().find(|one| one["kind"] == "ladder").unwrap().clone();
    assert_eq!(ladders["all"]["asked"], 1);
}

async fn cards(window: &mut Guest) {
    let source = content("game.sgf", "(;SZ[9]KM[0.5]RU[Chinese];B[cc];W[dd];B[db];W[bd];B[gg])");
    let game = command(window, "open_games", json!({ "source": source, "games": [0] })).await[0]["gameId"].clone();
    command(window, "turning_points", json!({ "gameId": game, "side": null })).await;
    may(window, "rank_review", json!({ "gameId": game, "rank": null })).await;
    command(window, "keep_position", json!({ "gameId": game, "nodeId": 3 })).await;
    assert_eq!(command(window, "drill_state", json!({})).await["due"], 1);
    let card = json!({ "card": command(window, "next_drill", json!({})).await["card"]["card"] });
    command(window, "prepare_card", card.clone()).await;
    let solution = json!({ "card": card["card"], "givenUp": false });
    let best = command(window, "card_solution", solution).await["best"].clone();
    let answer = command(window, "answer_card", json!({ "card": card["card"], "vertex": best })).await;
    assert_eq!(answer["accepted"], true);
    command(window, "card_facts", card.clone()).await;
    command(window, "remove_card", card.clone()).await;
    command(window, "undo_library", json!({})).await;
    command(window, "keep_card", card).await;
    let deck = command(window, "export_deck", json!({})).await["sgf"].clone();
    let taken = json!({ "source": content("cards.sgf", deck.as_str().unwrap()) });
    command(window, "import_deck", taken).await;
    command(window, "export_anki_deck", json!({ "name": "Cards" })).await;
    assert_eq!(command(window, "drill_state", json!({})).await["total"], 1);
}

async fn problems(window: &mut Guest) {
    let opened = command(window, "open_problems", json!({ "source": content("three.sgf", THREE) })).await;
    let id = opened["collection"]["id"].clone();
    let next = json!({ "collectionId": id, "order": "file", "after": null });
    let problem = command(window, "next_problem", next).await["problem"]["problem"].clone();
    let ruling = command(window, "judge_problem", json!({ "problem": problem, "moves": [] })).await;
    assert_eq!((&ruling["decides"], &ruling["right"]), (&json!(true), &json!([13])), "{ruling}");
    let tried = command(window, "try_problem", json!({ "problem": problem, "moves": [], "vertex": 13 })).await;
    assert_eq!(tried["verdict"], "solved");
    command(window, "problem_solution", json!({ "problem": problem, "givenUp": false })).await;
    command(window, "start_problem_set", json!({ "collectionId": id, "order": "file", "count": 1, "seconds": 60 }))
        .await;
    command(window, "next_in_set", json!({})).await;
    command(window, "end_problem_set", json!({})).await;
    assert_eq!(command(window, "problem_state", json!({})).await["collections"].as_array().map(Vec::len), Some(1));
}

async fn weaknesses(window: &mut Guest) {
    command(window, "weaknesses", json!({ "name": "Anna" })).await;
    let class = json!({ "name": "Anna", "class": "all", "limit": 3 });
    command(window, "weak_positions", class.clone()).await;
    may(window, "practise_weakness", class).await;
    may(window, "practise_opening", json!({ "name": "Anna", "corner": false, "line": "" })).await;
    may(window, "end_training", json!({ "class": "all" })).await;
    command(window, "repertoire", json!({ "name": "Anna" })).await;
    command(window, "review_player", json!({ "name": "Anna" })).await;
    command(window, "clear_review_queue", json!({})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_has_cards_exercises_and_problems_of_their_own_and_a_guest_is_told_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open_with(folder.path(), OPEN, two_ends(), Some(folder.path().join("people"))).await;
    let [anna, ben] = [club.register("Anna").await, club.register("Ben").await];
    let (mut annas, mut bens) = (window_of(&club, &anna).await, window_of(&club, &ben).await);
    exercises(&mut annas).await;
    cards(&mut annas).await;
    problems(&mut annas).await;
    weaknesses(&mut annas).await;
    // None of that is Ben's.
    assert_eq!(command(&mut bens, "drill_state", json!({})).await["total"], 0);
    assert_eq!(command(&mut bens, "problem_state", json!({})).await["collections"], json!([]));
    assert_eq!(command(&mut bens, "next_exercise", json!({ "kind": "ladder" })).await["exercise"], json!(null));

    let guest = club.post("/api/guest", None, json!({})).await.1["token"].as_str().unwrap().to_owned();
    let refused = connect_async(format!("ws://{}/api/ws?token={guest}", club.address)).await.unwrap_err();
    let Error::Http(refused) = refused else { panic!("{refused}") };
    let told = String::from_utf8_lossy(refused.body().as_deref().unwrap_or_default()).into_owned();
    assert!(refused.status() == 403 && told.contains("register"), "{} {told}", refused.status());
    drop((annas, bens));
    club.close().await;
}
