//! Positions of records that are played on.

use crate::host::Desk;
use crate::play::{in_library, opponent_moved, record, started, turn};
use honinbo_api::ApiError;
use serde_json::{Value, json};

/// A game with a variation: Black's third move is node 3, or node 5 with a comment.
const RECORD: &str = "(;SZ[9]RU[Japanese]KM[5.5]PB[Cho]BR[9d]PW[Otake]DT[1980-05-01]RE[W+R]AB[cc]AW[gg]PL[B]\
                      ;B[ee];W[ge](;B[cg];W[ec])(;B[gc]C[look]))";

/// The end of a record, without what every record begins with.
fn moves_of(sgf: &str) -> &str {
    sgf.find(";B[").map_or("", |at| &sgf[at..])
}

fn from(game: &str, node: u32) -> Value {
    json!({"gameId": game, "nodeId": node})
}

/// Begins a game between two persons there.
fn between_two(desk: &Desk, game: &str, node: u32) -> (String, Value) {
    started(desk, json!({"from": from(game, node), "seats": {"black": null, "white": null}}))
}

#[test]
fn a_position_is_played_on_in_a_game_of_its_own() {
    let desk = Desk::new();
    let original = desk.open(RECORD);
    let before = record(&desk, &original);
    let (game, play) = started(&desk, json!({"from": from(&original, 5), "seats": {"black": "medium", "white": null}}));
    assert_ne!(game, original);
    assert_eq!(
        (&play["toMove"], &play["tip"], &play["begin"], &play["rated"]),
        (&json!("white"), &json!(3), &json!(3), &json!(false))
    );
    let view = desk.must("get_game", json!({"gameId": game}));
    assert_eq!((&view["position"]["moveNumber"], &view["modified"]), (&json!(3), &json!(false)));
    let info = &view["info"];
    assert_eq!((&info["rules"], &info["komi"]), (&json!("japanese"), &json!(5.5)));
    assert_eq!(
        [&info["black"], &info["blackRank"], &info["white"], &info["date"], &info["result"]],
        ["Anna", "", "Ben", "", ""],
        "it is another game"
    );
    let sgf = record(&desk, &game);
    assert!(sgf.contains("AB[cc]") && sgf.contains("AW[gg]") && !sgf.contains("look"), "{sgf}");
    assert_eq!(moves_of(&sgf), ";B[ee];W[ge];B[gc])");
    assert_eq!(in_library(&desk)["total"], 0, "nobody has moved");
    turn(&desk, &game, Some(0));
    opponent_moved(&desk);
    assert!(record(&desk, &game).contains(";B[ee];W[ge];B[gc];W[aa];B["));
    assert_eq!(record(&desk, &original), before, "the game that it comes from stays as it is");
}

#[test]
fn what_was_played_in_the_other_game_is_not_taken_back() {
    let desk = Desk::new();
    let original = desk.open(RECORD);
    let (game, _) = started(&desk, json!({"from": from(&original, 5), "seats": {"black": null, "white": "medium"}}));
    // White is to move.
    assert_eq!(opponent_moved(&desk).update.unwrap().position.move_number, 4);
    let take_back = || desk.give("take_back", json!({"gameId": game}));
    assert!(matches!(take_back(), Err(ApiError::InvalidRequest { .. })), "Black's move was another person's");
    desk.forget_events();
    turn(&desk, &game, Some(0));
    opponent_moved(&desk);
    let answer = take_back().unwrap();
    assert_eq!((&answer["update"]["position"]["moveNumber"], &answer["play"]["toMove"]), (&json!(4), &json!("black")));
    assert!(take_back().is_err());
}

#[test]
fn whoever_is_to_move_there_is_to_move_also_after_passes() {
    let desk = Desk::new();
    for rules in ["Chinese", "Japanese"] {
        let original = desk.open(&format!("(;SZ[9]RU[{rules}]KM[7.5];B[ee];W[ec];B[];W[])"));
        let (game, play) = between_two(&desk, &original, 4);
        assert_eq!((&play["toMove"], &play["counting"]), (&json!("black"), &json!(false)), "the passes ended it");
        assert_eq!(moves_of(&record(&desk, &game)), ";B[ee];W[ec])");
        turn(&desk, &game, None);
        assert_eq!(turn(&desk, &game, None)["play"]["counting"], true);
        let answer = desk.must("continue_play", json!({"gameId": game}));
        assert_eq!((&answer["play"]["toMove"], &answer["play"]["tip"]), (&json!("black"), &play["begin"]));
        let (game, play) = between_two(&desk, &original, 3);
        assert_eq!(play["toMove"], "white");
        let answer = turn(&desk, &game, Some(0));
        assert_eq!(
            (&answer["update"]["position"]["stones"][0], &answer["play"]["toMove"]),
            (&json!(-1), &json!("black"))
        );
        let answer = desk.must("take_back", json!({"gameId": game}));
        assert_eq!((&answer["play"]["toMove"], &answer["play"]["tip"]), (&json!("white"), &play["begin"]));
    }
}

#[test]
fn rules_komi_and_board_are_spelled_out_where_the_record_leaves_them_to_guess() {
    let desk = Desk::new();
    for (sgf, node, expected) in [
        ("(;SZ[7:5]TOPO[torus]KM[4];B[aa];W[bb])", 2, json!([7, 5, "torus", 4.0])),
        ("(;SZ[7:5]TOPO[cylinder]RU[Chinese]KM[4];B[aa];W[bb])", 2, json!([7, 5, "cylinder", 4.0])),
        // Before komi was usual.
        ("(;SZ[9]DT[1910-01-01];B[ee])", 1, json!([9, 9, "plane", 0.0])),
        ("(;SZ[9]HA[2];W[ee])", 0, json!([9, 9, "plane", 0.5])),
        // Black places the handicap by hand.
        ("(;SZ[9]HA[2]KM[0.5];B[cc];B[gg];W[ee])", 0, json!([9, 9, "plane", 0.5])),
        ("(;SZ[9]HA[2]KM[0.5];B[cc];B[gg];W[ee])", 1, json!([9, 9, "plane", 0.5])),
    ] {
        let original = desk.open(sgf);
        desk.must("go_to", json!({"gameId": original, "nodeId": node}));
        let before = desk.must("get_game", json!({"gameId": original}));
        let (game, _) = between_two(&desk, &original, node);
        let after = desk.must("get_game", json!({"gameId": game}));
        let facts = json!([after["width"], after["height"], after["topology"], after["info"]["komi"]]);
        assert_eq!(facts, expected, "{sgf}");
        for fact in ["stones", "toMove"] {
            assert_eq!(after["position"][fact], before["position"][fact], "{fact} of {sgf} at {node}");
        }
        assert_eq!(after["info"]["rules"], before["info"]["rules"], "{sgf}");
    }
}

#[test]
fn a_rated_game_neither_begins_at_a_position_nor_lends_its_own() {
    let desk = Desk::new();
    let refused = |from: Value, opponent: &str| {
        let wanted = json!({
            "game": {"width": 9, "height": 9, "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": ""},
            "from": from, "seats": {"black": null, "white": opponent}, "clock": null, "teaching": null,
        });
        desk.give("start_play", wanted).unwrap_err()
    };
    let open = desk.open(RECORD);
    let refusal = refused(from(&open, 2), "rated");
    assert!(matches!(&refusal, ApiError::InvalidRequest { message } if message.contains("empty board")), "{refusal}");
    let (rated, _) = started(&desk, json!({"seats": {"white": "rated"}, "game": {"white": ""}}));
    let refusal = refused(from(&rated, 0), "easy");
    assert!(matches!(&refusal, ApiError::InvalidRequest { message } if message.contains("no help")), "{refusal}");
    assert!(matches!(refused(from(&open, 99), "easy"), ApiError::NotFound { .. }));
    assert!(matches!(refused(from("g99", 0), "easy"), ApiError::NotFound { .. }));
}

#[test]
fn a_position_is_played_on_once_more() {
    let desk = Desk::new();
    let original = desk.open(RECORD);
    let (game, _) = started(&desk, json!({"from": from(&original, 5), "seats": {"black": "medium", "white": null}}));
    turn(&desk, &game, Some(0));
    opponent_moved(&desk);
    desk.must("close_game", json!({"gameId": original}));
    desk.must("resign_play", json!({"gameId": game}));
    let again = desk.must("rematch", json!({"gameId": game, "otherColor": true}));
    let id = again["game"]["gameId"].as_str().unwrap();
    assert_eq!((&again["play"]["seats"]["black"], &again["game"]["info"]["white"]), (&Value::Null, &json!("Anna")));
    assert!(record(&desk, id).contains(";B[ee];W[ge];B[gc]"));
    assert_eq!(again["game"]["position"]["moveNumber"], 3);
}

/// What an engine is told is written to a file.
#[cfg(unix)]
#[test]
fn an_engine_is_told_the_stones_and_moves_before() {
    let desk = Desk::new();
    let (script, told) = (desk.path("writes.sh"), desk.path("told"));
    let body = format!(
        "while read -r id command rest; do echo \"$command $rest\" >> '{}'; case $command in\n\
         protocol_version) echo \"=$id 2\";;\ngenmove) echo \"=$id A1\";;\n*) echo \"=$id\";;\nesac; echo; done",
        told.display()
    );
    std::fs::write(&script, body).unwrap();
    let text = format!("engines:\n  writes: {{ command: \"sh '{}'\" }}\n", script.display());
    std::fs::write(desk.path("data").join("engines.yaml"), text).unwrap();
    let original = desk.open(RECORD);
    started(&desk, json!({"from": from(&original, 5), "seats": {"black": null, "white": "writes"}}));
    let news = opponent_moved(&desk);
    assert_eq!((news.notice, news.update.unwrap().position.stones[72]), (None, -1));
    let told = std::fs::read_to_string(told).unwrap().to_ascii_lowercase();
    let board: Vec<&str> = told
        .lines()
        .filter(|line| ["boardsize", "komi", "play", "genmove"].iter().any(|word| line.starts_with(word)))
        .collect();
    assert_eq!(
        board,
        [
            "boardsize 9",
            "komi 5.5",
            "play black c7",
            "play white g3",
            "play black e5",
            "play white g5",
            "play black g7",
            "genmove white"
        ]
    );
}

#[test]
fn a_game_that_was_played_on_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    {
        let desk = Desk::in_folder(folder.path());
        desk.app.keep_open_games();
        let original = desk.open("(;SZ[9]RU[Chinese]KM[7.5];B[ee];W[gg];AB[cc]PL[W];W[cg])");
        let (game, _) = between_two(&desk, &original, 4);
        turn(&desk, &game, Some(0));
        desk.app.shut_down();
    }
    let desk = Desk::in_folder(folder.path());
    desk.app.keep_open_games();
    let game = desk.must("startup", json!({}))["games"][0]["gameId"].as_str().unwrap().to_owned();
    let play = desk.must("get_play", json!({"gameId": game}));
    assert_eq!((&play["toMove"], &play["begin"], &play["tip"]), (&json!("white"), &json!(4), &json!(5)));
    let answer = desk.must("take_back", json!({"gameId": game}));
    assert_eq!((&answer["play"]["tip"], &answer["play"]["toMove"]), (&json!(4), &json!("black")));
    assert!(desk.give("take_back", json!({"gameId": game})).is_err());
}
