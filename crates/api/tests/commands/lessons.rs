//! Turning points as cards, what answers are worth, and cards that come back.

use crate::host::Desk;
use honinbo_api::{Event, SweepState};
use honinbo_testkit::InfluenceEvaluator;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Black leaves three stones in atari for a corner at move 15, and White leaves them too for another at move 16: about five
/// points each, which no search doubts. The komi keeps it close.
const GAME: &str = "(;SZ[9]KM[0.5]RU[Chinese]PB[Aya]PW[Ben];B[ee];W[cc];B[ed];W[de];B[ef];W[df];B[gg];W[dd];B[gc];W[ec]\
                    ;B[cg];W[eg];B[fh];W[fe];B[aa];W[ia];B[ff];W[hd])";
const DAY: u64 = 86_400;

/// A reviewed game; the desk's data folder is the caller's.
fn reviewed(folder: &tempfile::TempDir) -> (Desk, String) {
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let id = desk.open(GAME);
    desk.must("sweep_game", json!({"gameId": id, "passes": [60]}));
    desk.end_of_sweep();
    (desk, id)
}

fn turning_points(desk: &Desk, id: &str, side: Value) -> Vec<Value> {
    desk.must("turning_points", json!({"gameId": id, "side": side}))["cards"].as_array().unwrap().clone()
}

/// The card of a move.
fn card_of(desk: &Desk, id: &str, number: u32) -> Value {
    let cards = turning_points(desk, id, json!(null));
    cards.into_iter().find(|card| card["number"] == number).unwrap_or_else(|| panic!("move {number} is no card"))
}

#[test]
fn the_moves_that_cost_most_are_the_cards_in_the_order_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let id = desk.open(GAME);
    let before = desk.must("turning_points", json!({"gameId": id, "side": null}));
    assert_eq!(before, json!({"judged": 0, "moves": 18, "cards": []}), "nothing is judged before the review");
    desk.must("sweep_game", json!({"gameId": id, "passes": [60]}));
    desk.end_of_sweep();

    let cards = turning_points(&desk, &id, json!(null));
    let numbers: Vec<u64> = cards.iter().map(|card| card["number"].as_u64().unwrap()).collect();
    assert!(numbers.len() <= 5 && numbers.is_sorted(), "{numbers:?}");
    assert!(numbers.contains(&15) && numbers.contains(&16), "{numbers:?}");
    for card in &cards {
        let stones = card["board"]["stones"].as_array().unwrap().iter().filter(|stone| **stone != 0).count() as u64;
        assert_eq!(stones, card["number"].as_u64().unwrap() - 1, "the position before the move");
        assert_eq!((&card["black"], &card["white"], &card["kept"]), (&json!("Aya"), &json!("Ben"), &json!(false)));
    }
    let black = turning_points(&desk, &id, json!("black"));
    assert!(!black.is_empty() && black.iter().all(|card| card["board"]["toMove"] == "black"));
}

#[test]
fn the_move_of_the_game_is_refused_with_a_reply_and_the_card_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, id) = reviewed(&folder);
    let card = card_of(&desk, &id, 15)["card"].clone();
    desk.must("prepare_card", json!({"card": card}));
    let answer = desk.must("answer_card", json!({"card": card, "vertex": 0}));
    assert_eq!((&answer["accepted"], &answer["isBest"]), (&json!(false), &json!(false)));
    assert!(answer["pointsLost"].as_f64() > Some(1.0), "{answer}");
    assert_eq!(answer["line"]["moves"][0], 0);
    let reply = answer["line"]["moves"][1].as_u64().expect("the engine replies") as usize;
    assert_eq!((&answer["line"]["boards"][0][0], &answer["line"]["boards"][1][reply]), (&json!(1), &json!(-1)));
    assert_eq!(answer["kept"]["kept"], true);
    assert!(answer["kept"]["due"].as_f64() > Some(1_700_000_000.0));
    assert_eq!(card_of(&desk, &id, 15)["kept"], true);

    let solution = desk.must("card_solution", json!({"card": card, "givenUp": false}));
    assert_eq!(solution["played"]["vertex"], 0);
    assert!(solution["played"]["pointsLost"].as_f64() >= Some(2.0), "{solution}");
    assert_eq!(
        (&solution["best"], &solution["better"]["moves"][0]),
        (&solution["good"][0]["vertex"], &solution["best"])
    );
    let right = desk.must("answer_card", json!({"card": card, "vertex": solution["best"]}));
    assert_eq!((&right["accepted"], &right["isBest"], &right["pointsLost"]), (&json!(true), &json!(true), &json!(0.0)));

    let refused = |vertex: u32| desk.give("answer_card", json!({"card": card, "vertex": vertex})).unwrap_err();
    assert!(refused(40).to_string().contains("occupied"), "no rule is broken");
    assert!(refused(81).to_string().contains("no point"));
}

#[test]
fn the_review_of_the_game_takes_over_what_the_card_s_search_found() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, id) = reviewed(&folder);
    let card = card_of(&desk, &id, 15)["card"].clone();
    let mistake = || {
        let review = desk.must("review_line", json!({"gameId": id}));
        let mistakes = review["mistakes"].as_array().unwrap();
        mistakes.iter().find(|mistake| mistake["number"] == 15).cloned().unwrap()
    };
    let before = u32::try_from(mistake()["before"].as_u64().unwrap()).unwrap();
    desk.forget_events();
    let solution = desk.must("card_solution", json!({"card": card, "givenUp": false}));
    let mut visits = 0;
    desk.each_event(|event| {
        if let Event::Graph(graph) = event {
            let deeper = graph.values.iter().filter(|value| value.node_id == before).map(|value| value.visits).max();
            visits = visits.max(deeper.unwrap_or(0));
        }
    });
    assert!(visits >= 200, "{visits}");
    let mistake = mistake();
    assert_eq!((&mistake["best"], &mistake["pointsLost"]), (&solution["best"], &solution["played"]["pointsLost"]));
}

#[test]
fn a_wrong_move_is_answered_as_somebody_of_a_rank_would() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, id) = reviewed(&folder);
    let card = card_of(&desk, &id, 15)["card"].clone();
    let answer = desk.must("answer_card", json!({"card": card, "vertex": 0, "replier": "5k"}));
    let moves = answer["line"]["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &moves[0], &answer["accepted"]), (2, &json!(0), &json!(false)), "{answer}");
    let refused = desk.give("answer_card", json!({"card": card, "vertex": 0, "replier": "3p"})).unwrap_err();
    assert!(refused.to_string().contains("rank_3p"), "{refused}");
}

#[test]
fn what_was_found_at_once_is_not_kept_unless_it_is_wished_for() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, id) = reviewed(&folder);
    let card = card_of(&desk, &id, 16)["card"].clone();
    let best = desk.must("card_solution", json!({"card": card, "givenUp": false}))["best"].clone();
    let right = desk.must("answer_card", json!({"card": card, "vertex": best}));
    assert_eq!(right["kept"], json!({"kept": false, "due": null}));
    assert_eq!(desk.must("drill_state", json!({})), json!({"total": 0, "due": 0, "nextDue": null}));
    assert_eq!(desk.must("keep_card", json!({"card": card}))["kept"], true);
    assert_eq!(desk.must("drill_state", json!({}))["due"], 1);
    assert_eq!(desk.must("remove_card", json!({"card": card})), json!({"kept": false, "due": null}));
    assert_eq!(desk.must("drill_state", json!({}))["total"], 0);
    desk.must("undo_library", json!({}));
    assert_eq!(desk.must("drill_state", json!({}))["total"], 1);
    // Any position can be added, with the move that the game went on with.
    desk.must("keep_position", json!({"gameId": id, "nodeId": 2}));
    desk.must("keep_position", json!({"gameId": id, "nodeId": 10}));
    assert_eq!(desk.must("drill_state", json!({}))["total"], 3);
    // Who gives up has failed.
    let other = card_of(&desk, &id, 15)["card"].clone();
    let solution = desk.must("card_solution", json!({"card": other, "givenUp": true}));
    assert!(solution["kept"]["due"].as_f64() > Some(1_700_000_000.0), "{solution}");
}

#[test]
fn a_card_comes_back_later_each_time_that_it_is_known_and_is_asked_turned() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, id) = reviewed(&folder);
    let card = card_of(&desk, &id, 15)["card"].clone();
    desk.must("answer_card", json!({"card": card, "vertex": 0}));
    desk.must("close_game", json!({"gameId": id}));
    assert_eq!(desk.must("next_drill", json!({}))["card"], json!(null), "not at once");

    let (mut pauses, mut turns) = (Vec::new(), BTreeSet::new());
    for _ in 0..5 {
        let now = desk.must("drill_state", json!({}));
        assert_eq!((&now["total"], &now["due"]), (&json!(1), &json!(0)));
        let pause = now["nextDue"].as_f64().unwrap() - desk.now() as f64;
        pauses.push(pause);
        desk.sleep_for(pause.ceil() as u64);
        let drill = desk.must("next_drill", json!({}));
        assert_eq!(drill["state"]["due"], 1);
        let card = drill["card"]["card"].clone();
        turns.insert(card["turn"].as_u64().unwrap());
        let best = desk.must("card_solution", json!({"card": card, "givenUp": false}))["best"].clone();
        let answer = desk.must("answer_card", json!({"card": card, "vertex": best}));
        assert_eq!(answer["accepted"], true);
        // A second answer on the same day says nothing.
        let again = desk.must("answer_card", json!({"card": card, "vertex": best}));
        assert_eq!(again["kept"], answer["kept"]);
    }
    assert_eq!(turns.len(), 5, "never the same picture: {turns:?}");
    assert!(pauses[0] < (DAY / 2) as f64, "what was missed comes back on the same day: {pauses:?}");
    let days: Vec<f64> = pauses[1..].iter().map(|pause| (pause / DAY as f64).ceil()).collect();
    assert_eq!(days, [1.0, 2.0, 6.0, 18.0], "as FSRS-6 has it for a card that was missed once");
}

#[test]
fn the_accepted_moves_are_those_of_the_search_under_every_turn() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    // Wider than high, so that a turn that exchanges the axes is seen to.
    let (width, height) = (6_usize, 5_usize);
    let id = desk.open("(;SZ[6:5]KM[0.5]RU[Chinese];B[cc];W[dd];B[db];W[bd])");
    desk.must("keep_position", json!({"gameId": id, "nodeId": 4}));
    let card_id = desk.must("next_drill", json!({}))["card"]["card"]["cardId"].clone();
    // Where a point of the record is seen, by KataGo's numbers: rows, columns, axes.
    let seen = |turn: usize, point: usize| {
        let (x, y) = (point % width, point / width);
        let x = if turn & 2 != 0 { width - 1 - x } else { x };
        let y = if turn & 1 != 0 { height - 1 - y } else { y };
        if turn & 4 != 0 { x * height + y } else { y * width + x }
    };
    let answer = |turn: usize, vertex: usize| {
        let card = json!({"kind": "drill", "cardId": card_id, "turn": turn});
        desk.give("answer_card", json!({"card": card, "vertex": vertex})).ok()
    };
    let accepted = |turn: usize| -> BTreeSet<usize> {
        (0..width * height)
            .filter(|&point| answer(turn, seen(turn, point)).is_some_and(|answer| answer["accepted"] == true))
            .collect()
    };
    let first = accepted(0);
    assert!(!first.is_empty() && first.len() < 26, "{first:?}");
    for point in 0..width * height {
        let Some(answer) = answer(0, point) else { continue };
        let lost = answer["pointsLost"].as_f64().unwrap();
        assert_eq!(lost <= 1.0, first.contains(&point), "{answer}");
    }
    for turn in 0..16 {
        assert_eq!(accepted(turn), first, "turn {turn}");
        let card = json!({"kind": "drill", "cardId": card_id, "turn": turn});
        let solution = desk.must("card_solution", json!({"card": card, "givenUp": false}));
        let good: Vec<usize> =
            solution["good"].as_array().unwrap().iter().map(|good| good["vertex"].as_u64().unwrap() as usize).collect();
        assert!(!good.is_empty());
        for vertex in good {
            assert!(first.iter().any(|&point| seen(turn, point) == vertex), "turn {turn}: {vertex}");
        }
    }
}

#[test]
fn nobody_is_helped_by_cards_in_a_rated_game() {
    let desk = Desk::new();
    let game = json!({
        "width": 9, "height": 9, "topology": "plane", "rules": "japanese", "komi": 6.5, "handicap": 0, "black": "", "white": "",
    });
    let play = json!({"game": game, "seats": {"black": null, "white": "rated"}, "clock": null, "teaching": null});
    let id = desk.must("start_play", play)["game"]["gameId"].clone();
    let card = json!({"kind": "turn", "gameId": id, "nodeId": 1});
    let questions = [
        ("turning_points", json!({"gameId": id, "side": null})),
        ("prepare_card", json!({"card": card})),
        ("answer_card", json!({"card": card, "vertex": 40})),
        ("card_solution", json!({"card": card, "givenUp": false})),
    ];
    for (name, args) in questions {
        let refused = desk.give(name, args).unwrap_err().to_string();
        assert!(refused.contains("rated"), "{name}: {refused}");
    }
    let unknown = json!({"kind": "drill", "cardId": "77", "turn": 3});
    let gone = desk.give("answer_card", json!({"card": unknown, "vertex": 40})).unwrap_err().to_string();
    assert!(gone.contains("no card 77"), "{gone}");
}

#[test]
fn a_deck_is_given_away_and_taken_in() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, id) = reviewed(&folder);
    let card = card_of(&desk, &id, 15)["card"].clone();
    desk.must("answer_card", json!({"card": card, "vertex": 0}));
    desk.must("keep_position", json!({"gameId": id, "nodeId": 4}));
    let deck = desk.must("export_deck", json!({}));
    assert_eq!(deck["fileName"], "practice.sgf");
    let sgf = deck["sgf"].as_str().unwrap();
    assert!(sgf.contains(";B[aa]BM[1]HBL[") && sgf.contains("TE[1]"), "{sgf}");

    let other = Desk::new();
    let source = |text: &str| {
        use base64::Engine as _;
        json!({"kind": "content", "name": "deck.sgf", "base64": base64::engine::general_purpose::STANDARD.encode(text)})
    };
    let import = |text: &str| other.must("import_deck", json!({"source": source(text)}));
    assert_eq!(import(&format!("{sgf}(;SZ[9];B[ee])")), json!({"added": 2, "known": 0, "skipped": 1}));
    assert_eq!(import(sgf), json!({"added": 0, "known": 2, "skipped": 0}));
    assert_eq!(other.must("drill_state", json!({}))["due"], 2);
    let asked = other.must("next_drill", json!({}));
    assert_eq!((&asked["card"]["black"], &asked["card"]["number"]), (&json!("Aya"), &json!(15)));
    other.must("undo_library", json!({}));
    assert_eq!(other.must("drill_state", json!({}))["total"], 0, "all at once");
}

#[test]
fn a_deck_of_more_cards_than_are_taken_in_at_once_comes_in_whole() {
    use base64::Engine as _;
    let point = |n: usize| format!("[{}{}]", char::from(b'a' + (n % 5) as u8), char::from(b'a' + (n / 5 % 5) as u8));
    let card = |n: usize| {
        let (black, white) = (n % 24, n / 24 % 24);
        format!(
            "(;SZ[5]AB{}AW{}PL[B](;B[ee]TE[1]))",
            point(black),
            point(if black == white { 23 - white } else { white })
        )
    };
    let deck: String = (0..10_001).map(card).collect();
    let encoded = base64::engine::general_purpose::STANDARD.encode(deck);
    let desk = Desk::new();
    let source = json!({"kind": "content", "name": "deck.sgf", "base64": encoded});
    let imported = desk.must("import_deck", json!({"source": source}));
    assert_eq!(imported["added"].as_u64().unwrap() + imported["known"].as_u64().unwrap(), 10_001);
    assert_eq!(imported["skipped"], 0);
    assert_eq!(desk.must("drill_state", json!({}))["total"], imported["added"]);
}

/// What a review by itself begins; null where it does not.
fn by_itself(desk: &Desk, id: &str) -> Value {
    desk.must("review_by_itself", json!({"gameId": id}))
}

#[test]
fn a_game_that_is_opened_is_reviewed_by_itself_and_its_turning_points_stand() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    let id = desk.open(GAME);
    assert!(by_itself(&desk, &id)["serial"].is_u64());
    desk.end_of_sweep();
    let numbers: Vec<u64> =
        turning_points(&desk, &id, json!(null)).iter().map(|card| card["number"].as_u64().unwrap()).collect();
    assert!(numbers.contains(&15) && numbers.contains(&16), "{numbers:?}");
    let review = desk.must("review_line", json!({"gameId": id}));
    let told: Vec<&Value> = review["turningPoints"].as_array().unwrap().iter().collect();
    let named = review["mistakes"].as_array().unwrap().iter().filter(|mistake| told.contains(&&mistake["nodeId"]));
    let mut told: Vec<u64> = named.map(|mistake| mistake["number"].as_u64().unwrap()).collect();
    told.sort_unstable();
    assert_eq!(told, numbers, "the review and the cards have one rule");
}

#[test]
fn nothing_is_reviewed_by_itself_that_should_not_be() {
    let desk = Desk::new();
    let id = desk.open(GAME);
    desk.must("set_settings", json!({"reviewByItself": false}));
    assert_eq!(by_itself(&desk, &id), json!(null), "switched off");
    desk.must("set_settings", json!({"reviewByItself": true}));
    assert_eq!(by_itself(&desk, &desk.open("(;SZ[9];B[ee];W[cc])")), json!(null), "two moves decide nothing");

    let game = json!({
        "width": 9, "height": 9, "topology": "plane", "rules": "japanese", "komi": 6.5, "handicap": 0, "black": "", "white": "",
    });
    let play = json!({"game": game, "seats": {"black": null, "white": "rated"}, "clock": null, "teaching": null});
    let played = desk.must("start_play", play)["game"]["gameId"].clone();
    assert_eq!(by_itself(&desk, played.as_str().unwrap()), json!(null), "it is being played");
    assert_eq!(by_itself(&desk, &id), json!(null), "a rated game has the machine to itself");
    desk.must("resign_play", json!({"gameId": played}));
    assert!(by_itself(&desk, &id)["serial"].is_u64());
    desk.end_of_sweep();
}

#[test]
fn a_game_that_ends_goes_before_a_review_that_nobody_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, gate) = Desk::held(folder.path(), InfluenceEvaluator);
    let opened = desk.open(GAME);
    let ended = ended_game(&desk);

    let first = by_itself(&desk, &opened)["serial"].as_u64().unwrap();
    assert_eq!(by_itself(&desk, &desk.open(GAME)), json!(null), "a record waits for the one before it");
    let second = by_itself(&desk, &ended)["serial"].as_u64().unwrap();
    assert!(second > first, "its players wait for its story");
    let asked = desk.must("sweep_game", json!({"gameId": opened, "passes": [1]}))["serial"].as_u64().unwrap();
    assert_eq!(by_itself(&desk, &ended), json!(null), "somebody asked for that one");
    gate.allow(None);
    desk.end_of_sweep_of(asked);
    let last = by_itself(&desk, &ended)["serial"].as_u64().unwrap();
    assert_eq!(desk.end_of_sweep_of(last).state, SweepState::Finished);
}

/// Two persons played this; one of them resigned.
fn ended_game(desk: &Desk) -> String {
    let game = json!({
        "width": 9, "height": 9, "topology": "plane", "rules": "japanese", "komi": 6.5, "handicap": 0, "black": "", "white": "",
    });
    let play = json!({"game": game, "seats": {"black": null, "white": null}, "clock": null, "teaching": null});
    let id = desk.must("start_play", play)["game"]["gameId"].as_str().unwrap().to_owned();
    for vertex in [40, 20, 24, 56, 60] {
        desk.must("play_turn", json!({"gameId": id, "vertex": vertex, "insist": true}));
    }
    desk.must("resign_play", json!({"gameId": id}));
    id
}

#[test]
fn what_is_said_of_a_turning_point_is_shown_on_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    // Searches of one thread are the same each time.
    desk.must("set_settings", json!({"threads": 1}));
    let id = desk.open(GAME);
    desk.must("sweep_game", json!({"gameId": id, "passes": [60]}));
    desk.end_of_sweep();
    let cards = turning_points(&desk, &id, json!(null));
    let facts: Vec<Value> = cards
        .iter()
        .flat_map(|card| desk.must("card_facts", json!({"card": card["card"]}))["facts"].as_array().unwrap().clone())
        .collect();
    for fact in &facts {
        let moves = fact["line"]["moves"].as_array().unwrap();
        assert!(!moves.is_empty() && moves.len() == fact["line"]["boards"].as_array().unwrap().len(), "{fact}");
    }
    let lead = &facts.iter().find(|fact| fact["fact"]["kind"] == "lead").expect("who took the lead")["fact"];
    for told in [&lead["before"], &lead["after"]] {
        let chance = told["chance"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&chance) && (told["side"].is_null() || chance > 0.5), "{lead}");
    }
    // Nothing is said where no move of a game is known.
    desk.must("keep_position", json!({"gameId": id, "nodeId": 18}));
    let drill = desk.must("next_drill", json!({}))["card"]["card"].clone();
    assert_eq!(desk.must("card_facts", json!({"card": drill})), json!({"facts": []}));
}

#[test]
fn how_other_games_of_the_library_went_on_is_counted_however_they_lay() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::asking(folder.path(), Arc::new(InfluenceEvaluator));
    desk.must("set_settings", json!({"threads": 1}));
    let record = desk.must("save_goban", json!({"goban": GAME}))["id"].clone();
    let id = desk.must("open_record", json!({"id": record}))["gameId"].as_str().unwrap().to_owned();
    desk.must("sweep_game", json!({"gameId": id, "passes": [60]}));
    desk.end_of_sweep();
    let card = card_of(&desk, &id, 15)["card"].clone();
    let said = |card: &Value| {
        let facts = desk.must("card_facts", json!({"card": card}))["facts"].as_array().unwrap().clone();
        facts.into_iter().find(|view| view["fact"]["kind"] == "inLibrary")
    };
    let before = &GAME[GAME.find(";B[ee]").unwrap()..GAME.find(";B[aa]").unwrap()];
    let keep = |next: &str, result: &str, mirrored: bool| {
        let mut last = ' ';
        let flipped = |at: char| {
            let image = if mirrored && last == '[' { char::from(b'a' + b'i' - at as u8) } else { at };
            last = at;
            image
        };
        let moves: String = format!("{before}{next}").chars().map(flipped).collect();
        desk.must("save_goban", json!({"goban": format!("(;SZ[9]KM[6.5]RE[{result}]{moves})")}));
    };
    keep(";B[ff];W[ie]", "B+R", false);
    keep(";B[ff];W[ei]", "W+R", true);
    assert_eq!(said(&card), None, "two games beside this one are too few");
    keep(";B[aa];W[ii]", "B+1.5", false);
    let told =
        json!({"kind": "inLibrary", "games": 3, "most": 50, "count": 2, "blackWins": 1, "whiteWins": 1, "played": 1});
    let view = said(&card).unwrap();
    assert_eq!((&view["fact"], &view["line"]["moves"], &view["points"]), (&told, &json!([50]), &json!([50])));

    // As a card it is nobody's record any more: the game itself counts. Colours are as they are shown.
    keep(";B[ff];W[ai]", "B+R", true);
    desk.must("keep_card", json!({"card": card}));
    let kept = desk.must("next_drill", json!({}))["card"]["card"]["cardId"].clone();
    let told =
        json!({"kind": "inLibrary", "games": 5, "most": 50, "count": 3, "blackWins": 1, "whiteWins": 2, "played": 2});
    assert_eq!(said(&json!({"kind": "drill", "cardId": kept, "turn": 8})).unwrap()["fact"], told);
    // A rank that is none is no question.
    let error = desk.give("card_facts", json!({"card": card, "rank": "3p"})).unwrap_err();
    assert!(error.to_string().contains("20k"), "{error}");
}

#[test]
fn cards_go_to_anki_and_come_back_and_records_of_other_decks_are_taken() {
    let desk = Desk::new();
    let give = |name: &str, base64: &str| {
        let source = json!({"kind": "content", "name": name, "base64": base64});
        desk.must("import_deck", json!({"source": source}))
    };
    use base64::Engine as _;
    let encoded = |text: &str| base64::engine::general_purpose::STANDARD.encode(text);
    let deck = "(;GM[1]SZ[9]PB[柯洁];B[ee](;W[ce]BM[1]HBL[2])(;W[cc]TE[1]))(;SZ[9];B[cc](;W[dd]BM[1]HBL[3]))";
    assert_eq!(give("deck.sgf", &encoded(deck))["added"], 2);
    let made = desk.must("export_anki_deck", json!({"name": "My cards"}));
    assert_eq!(made["cards"], 2);
    let package = made["base64"].as_str().unwrap();
    assert_eq!(give("practice.APKG", package), json!({"added": 0, "known": 2, "skipped": 0}));
    let other = Desk::new();
    let source = json!({"kind": "content", "name": "practice.apkg", "base64": package});
    assert_eq!(other.must("import_deck", json!({"source": source})), json!({"added": 2, "known": 0, "skipped": 0}));
    let torn = json!({"kind": "content", "name": "practice.apkg", "base64": encoded("PK torn")});
    let error = desk.give("import_deck", json!({"source": torn})).unwrap_err();
    assert!(matches!(error, honinbo_api::ApiError::UnreadableFile { .. }), "{error}");
}

/// A joseki: Black answers both of White's moves, in two ways after C2, beside one that is said to be bad.
const JOSEKI: &str = "(;SZ[9];B[ee](;W[ch](;B[gg])(;B[gc];W[cc])(;B[aa]BM[1]))(;W[dc];B[cg]))";

/// What the record has after its second move, as numbers of points.
const RIGHT: usize = 60;
const ALSO_RIGHT: usize = 24;
/// What it calls bad there, and what it does not have.
const BAD: usize = 0;
const OTHER: usize = 10;

#[test]
fn positions_of_a_record_come_back_with_its_moves_as_answers_and_no_engine_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, _never_opened) = Desk::held(folder.path(), InfluenceEvaluator);
    let id = desk.open(JOSEKI);
    let nodes = json!([{"nodeId": 0, "missed": false}, {"nodeId": 2, "missed": true}, {"nodeId": 7, "missed": false}]);
    let kept = desk.must("keep_lines", json!({"gameId": id, "positions": nodes}));
    assert_eq!(kept, json!({"cards": 3, "new": 3}));
    let again = desk.must("keep_lines", json!({"gameId": id, "positions": nodes}));
    assert_eq!(again, json!({"cards": 3, "new": 0}));
    // The practice was the first answer: what was missed comes back on the same day, the rest later.
    let state = desk.must("drill_state", json!({}));
    assert_eq!((&state["total"], &state["due"]), (&json!(3), &json!(0)));
    let pause = state["nextDue"].as_f64().unwrap() - desk.now() as f64;
    assert!(pause < (DAY / 2) as f64, "{pause}");
    desk.sleep_for(pause.ceil() as u64);
    let drill = desk.must("next_drill", json!({}));
    assert_eq!(
        (&drill["state"]["due"], &drill["card"]["recorded"], &drill["card"]["number"]),
        (&json!(1), &json!(true), &json!(3))
    );
    let card = drill["card"]["card"].clone();
    desk.must("prepare_card", json!({"card": card}));
    let wrong = desk.must("answer_card", json!({"card": turned(&card, 0), "vertex": BAD}));
    assert_eq!(
        (&wrong["accepted"], &wrong["isBest"], &wrong["line"]["moves"]),
        (&json!(false), &json!(false), &json!([BAD]))
    );
    let right = desk.must("answer_card", json!({"card": turned(&card, 0), "vertex": ALSO_RIGHT}));
    assert_eq!((&right["accepted"], &right["pointsLost"], &right["kept"]), (&json!(true), &json!(0.0), &wrong["kept"]));
    let solution = desk.must("card_solution", json!({"card": turned(&card, 0), "givenUp": false}));
    let good: Vec<_> = solution["good"].as_array().unwrap().iter().map(|good| good["vertex"].clone()).collect();
    assert_eq!((&solution["played"], good), (&json!(null), vec![json!(ALSO_RIGHT), json!(RIGHT)]));
    assert_eq!(desk.must("card_facts", json!({"card": card})), json!({"facts": []}));
    desk.must("undo_library", json!({}));
    assert_eq!(desk.must("drill_state", json!({}))["total"], 0, "all at once");
}

/// The same card, asked by another turn.
fn turned(card: &Value, turn: u32) -> Value {
    json!({"kind": "drill", "cardId": card["cardId"], "turn": turn})
}

#[test]
fn the_moves_of_a_record_are_accepted_under_every_turn_and_no_others() {
    let desk = Desk::new();
    let id = desk.open(JOSEKI);
    desk.must("keep_lines", json!({"gameId": id, "positions": [{"nodeId": 2, "missed": true}]}));
    desk.sleep_for(DAY);
    let card = desk.must("next_drill", json!({}))["card"]["card"].clone();
    // Where a point of the record is seen, by KataGo's numbers: rows, columns, axes.
    let seen = |turn: u32, point: usize| {
        let (x, y) = (point % 9, point / 9);
        let x = if turn & 2 != 0 { 8 - x } else { x };
        let y = if turn & 1 != 0 { 8 - y } else { y };
        if turn & 4 != 0 { x * 9 + y } else { y * 9 + x }
    };
    for turn in 0..16 {
        let accepted = |point: usize| {
            let args = json!({"card": turned(&card, turn), "vertex": seen(turn, point)});
            desk.give("answer_card", args).is_ok_and(|answer| answer["accepted"] == true)
        };
        let right: Vec<usize> = (0..81).filter(|&point| accepted(point)).collect();
        assert_eq!(right, [ALSO_RIGHT, RIGHT], "turn {turn}");
    }
}

#[test]
fn the_answers_follow_the_record_of_the_library() {
    let desk = Desk::new();
    let record = desk.must("save_goban", json!({"goban": JOSEKI}))["id"].clone();
    let id = desk.must("open_record", json!({"id": record}))["gameId"].as_str().unwrap().to_owned();
    desk.must("keep_lines", json!({"gameId": id, "positions": [{"nodeId": 2, "missed": true}]}));
    desk.sleep_for(DAY);
    let card = desk.must("next_drill", json!({}))["card"]["card"].clone();
    let accepted = |vertex: usize| {
        desk.must("answer_card", json!({"card": turned(&card, 0), "vertex": vertex}))["accepted"].clone()
    };
    assert_eq!((accepted(RIGHT), accepted(OTHER)), (json!(true), json!(false)));
    desk.must("go_to", json!({"gameId": id, "nodeId": 2}));
    desk.must("play", json!({"gameId": id, "vertex": OTHER}));
    desk.must("save_goban", json!({"gameId": id, "goban": null}));
    assert_eq!((accepted(RIGHT), accepted(OTHER)), (json!(true), json!(true)));
    desk.must("close_game", json!({"gameId": id}));
    desk.must("delete_records", json!({"ids": [record]}));
    assert_eq!((accepted(RIGHT), accepted(BAD)), (json!(true), json!(false)), "as it was last");
}

#[test]
fn what_cannot_be_kept_of_a_record_is_said() {
    let desk = Desk::new();
    let id = desk.open(JOSEKI);
    let refused = |positions: Value| {
        desk.give("keep_lines", json!({"gameId": id, "positions": positions})).unwrap_err().to_string()
    };
    let at = |node: u32| json!({"nodeId": node, "missed": false});
    assert!(refused(json!([at(99)])).contains("99"));
    assert!(refused(json!([at(3)])).contains("no move"), "nothing follows");
    assert!(refused(json!(vec![at(0); 10_001])).contains("10001"));
    assert_eq!(desk.must("drill_state", json!({}))["total"], 0);
}

#[test]
fn cards_of_a_record_go_into_decks_and_come_back_with_their_answers() {
    use base64::Engine as _;
    let desk = Desk::new();
    let id = desk.open(JOSEKI);
    desk.must("keep_lines", json!({"gameId": id, "positions": [{"nodeId": 2, "missed": true}]}));
    let sgf = desk.must("export_deck", json!({}))["sgf"].as_str().unwrap().to_owned();
    assert!(sgf.contains("HBR[1](;B[gc]TE[1])(;B[gg]TE[1])"), "{sgf}");
    let package = desk.must("export_anki_deck", json!({"name": "Joseki"}));
    let encoded = base64::engine::general_purpose::STANDARD.encode(&sgf);
    let files = [("deck.sgf", encoded.as_str()), ("deck.apkg", package["base64"].as_str().unwrap())];
    for (name, base64) in files {
        let other = Desk::new();
        let source = json!({"kind": "content", "name": name, "base64": base64});
        assert_eq!(other.must("import_deck", json!({"source": source}))["added"], 1, "{name}");
        let drill = other.must("next_drill", json!({}))["card"].clone();
        assert_eq!(drill["recorded"], true, "{name}");
        let accepted = |vertex: usize| {
            other.must("answer_card", json!({"card": turned(&drill["card"], 0), "vertex": vertex}))["accepted"].clone()
        };
        assert_eq!(
            [RIGHT, ALSO_RIGHT, BAD, OTHER].map(accepted),
            [json!(true), json!(true), json!(false), json!(false)],
            "{name}"
        );
    }
}
