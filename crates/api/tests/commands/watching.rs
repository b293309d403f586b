//! Games of two opponents, which nobody plays.

use crate::host::Desk;
use crate::play::{in_library, record, started, turn};
#[cfg(unix)]
use crate::play::{wait_for_file, wait_until_gone, with_engine, with_one_that_passes};
use honinbo_api::{ApiError, Event, PlayNews};
use serde_json::{Value, json};

/// Begins a game between two opponents with so many seconds between their moves.
fn watched(desk: &Desk, black: &str, white: &str, pace: u32) -> String {
    let wanted = json!({"seats": {"black": black, "white": white}, "pace": pace, "game": {"black": "", "white": ""}});
    started(desk, wanted).0
}

fn stands_at(desk: &Desk, game: &str) -> Value {
    desk.must("get_play", json!({"gameId": game}))
}

/// Waits for a move of a game, and for nothing after it.
fn moved(desk: &Desk, game: &str, number: u32) -> PlayNews {
    desk.wait_for(|event| match event {
        Event::Play(news) if news.play.game_id == game => {
            let update = news.update.as_ref()?;
            (update.position.move_number == number).then(|| PlayNews::clone(news))
        }
        _ => None,
    })
}

/// Waits for the end of a game.
fn ended(desk: &Desk, game: &str) -> PlayNews {
    desk.wait_for(|event| match event {
        Event::Play(news) if news.play.game_id == game && news.play.result.is_some() => Some(PlayNews::clone(news)),
        _ => None,
    })
}

fn pause(desk: &Desk, game: &str, paused: bool) -> Value {
    desk.must("pause_play", json!({"gameId": game, "paused": paused}))
}

#[test]
fn two_opponents_move_in_turn_after_a_handicap_until_the_game_has_a_result() {
    let desk = Desk::new();
    let wanted = json!({
        "seats": {"black": "easy", "white": "medium"},
        "game": {"handicap": 2, "komi": 0.5, "black": "", "white": ""},
    });
    let (game, play) = started(&desk, wanted);
    assert_eq!((&play["toMove"], &play["thinking"], &play["rated"]), (&json!("white"), &json!(true), &json!(false)));
    let end = ended(&desk, &game);
    assert!(!end.play.thinking && !end.play.counting, "{:?}", end.play);
    let sgf = record(&desk, &game);
    let moves = sgf.split(';').filter_map(|node| ["B[", "W["].iter().position(|color| node.starts_with(color)));
    let moves: Vec<usize> = moves.collect();
    assert!(moves.len() > 10 && moves.iter().enumerate().all(|(at, color)| *color == (at + 1) % 2), "{sgf}");
    let kept = &in_library(&desk)["records"][0];
    assert_eq!((&kept["black"], &kept["white"]), (&json!("Honinbo easy"), &json!("Honinbo medium")));
    assert_eq!(kept["result"].as_str(), end.play.result.as_deref());
    for board in desk.must("rated_progress", json!({}))["boards"].as_array().unwrap() {
        assert_eq!(board["games"], json!([]), "nobody is rated by it");
    }
    let again = desk.must("rematch", json!({"gameId": game, "otherColor": true}));
    assert_eq!(again["play"]["seats"], json!({"black": "medium", "white": "easy"}));
}

#[test]
fn a_game_that_is_watched_stands_goes_on_by_one_move_and_runs_on() {
    let desk = Desk::new();
    let game = watched(&desk, "easy", "easy", 60);
    moved(&desk, &game, 1);
    assert_eq!(stands_at(&desk, &game)["thinking"], true, "it rests before the next move");
    assert_eq!(pause(&desk, &game, true)["thinking"], false);
    for number in [2, 3] {
        desk.must("step_play", json!({"gameId": game}));
        assert!(!moved(&desk, &game, number).play.thinking, "it stands again");
    }
    let play = stands_at(&desk, &game);
    assert_eq!((&play["generation"], &play["thinking"]), (&json!(3), &json!(false)));
    // Another one is none of its business.
    let other = watched(&desk, "easy", "easy", 0);
    ended(&desk, &other);
    assert_eq!(stands_at(&desk, &game)["generation"], 3);
    pause(&desk, &game, false);
    moved(&desk, &game, 4);
}

#[test]
fn the_rest_between_moves_is_nobodys_time() {
    let desk = Desk::new();
    desk.stop_clock();
    let clock = json!({"kind": "absolute", "mainSeconds": 60, "periodSeconds": 0, "stones": 0, "periods": 0});
    let wanted = json!({"seats": {"black": "easy", "white": "easy"}, "pace": 60, "clock": clock});
    let (game, _) = started(&desk, wanted);
    moved(&desk, &game, 1);
    desk.sleep_for(3600);
    let clocks = &stands_at(&desk, &game)["clocks"];
    assert_eq!((&clocks["running"], &clocks["white"]["mainSeconds"]), (&Value::Null, &json!(60.0)));
    pause(&desk, &game, true);
    desk.must("step_play", json!({"gameId": game}));
    assert_eq!(moved(&desk, &game, 2).play.result, None);
}

#[test]
fn who_watches_does_nothing_that_a_player_does() {
    let desk = Desk::new();
    let game = watched(&desk, "easy", "easy", 60);
    moved(&desk, &game, 1);
    let this = json!({"gameId": game});
    let turn = desk.give("play_turn", json!({"gameId": game, "vertex": 40, "insist": false}));
    assert!(matches!(turn, Err(ApiError::IllegalMove { .. })), "{turn:?}");
    for command in ["take_back", "resign_play", "continue_play"] {
        assert!(matches!(desk.give(command, this.clone()), Err(ApiError::InvalidRequest { .. })), "{command}");
    }
    // The engine may be asked about it all the same.
    desk.must("set_analysis", json!({"gameId": game, "running": true, "visits": 1}));
    let own = started(&desk, json!({})).0;
    for command in ["step_play", "take_seat"] {
        let refused = desk.give(command, json!({"gameId": own, "side": "white"}));
        assert!(matches!(refused, Err(ApiError::InvalidRequest { .. })), "a person plays: {refused:?}");
    }
}

#[test]
fn a_side_is_taken_over_and_the_other_one_plays_on() {
    for (side, own) in [("white", 2), ("black", 3)] {
        let desk = Desk::new();
        let game = watched(&desk, "easy", "easy", 60);
        moved(&desk, &game, 1);
        let play = desk.must("take_seat", json!({"gameId": game, "side": side}));
        assert_eq!(play["seats"][side], Value::Null);
        // The opponent that is left does not rest any more.
        if own == 3 {
            moved(&desk, &game, 2);
        }
        let stones = desk.must("get_game", json!({"gameId": game}))["position"]["stones"].clone();
        let free = (0..81_u16).find(|&point| stones[usize::from(point)] == 0).unwrap();
        assert_eq!(turn(&desk, &game, Some(free))["update"]["position"]["moveNumber"], own);
        moved(&desk, &game, own + 1);
        let again = desk.give("take_seat", json!({"gameId": game, "side": side}));
        assert!(matches!(again, Err(ApiError::InvalidRequest { .. })), "{again:?}");
        assert_eq!(
            desk.must("get_game", json!({"gameId": game}))["info"][side],
            "Honinbo easy",
            "it is not their game"
        );
    }
}

#[test]
fn a_game_that_is_watched_waits_after_a_restart_until_it_is_let_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let game = {
        let desk = Desk::in_folder(folder.path());
        desk.app.keep_open_games();
        let game = watched(&desk, "easy", "medium", 60);
        moved(&desk, &game, 1);
        desk.app.shut_down();
        game
    };
    let desk = Desk::in_folder(folder.path());
    desk.app.keep_open_games();
    let play = stands_at(&desk, &game);
    assert_eq!(
        (&play["seats"], &play["toMove"], &play["thinking"]),
        (&json!({"black": "easy", "white": "medium"}), &json!("white"), &json!(false))
    );
    pause(&desk, &game, false);
    moved(&desk, &game, 2);
}

#[cfg(unix)]
#[test]
fn after_two_passes_nobody_is_asked_what_is_dead() {
    let desk = Desk::new();
    with_one_that_passes(&desk);
    let game = watched(&desk, "passes", "passes", 0);
    assert_eq!(ended(&desk, &game).play.result.as_deref(), Some("W+7.5"));
    desk.each_event(|event| assert!(!matches!(event, Event::Play(news) if news.play.counting)));
}

/// Nobody moves in the place of either: the game is about the two.
#[cfg(unix)]
#[test]
fn an_engine_that_crashes_has_the_game_stand_with_a_sentence() {
    let desk = Desk::new();
    with_engine(&desk, ":", "exit 7");
    let game = watched(&desk, "easy", "engine", 0);
    let halted = || {
        desk.wait_for(|event| match event {
            Event::Play(news) if news.notice.is_some() => Some(PlayNews::clone(news)),
            _ => None,
        })
    };
    let news = halted();
    assert!(news.update.is_none() && !news.play.thinking && news.play.result.is_none(), "{news:?}");
    assert!(news.notice.unwrap().contains("status 7"));
    assert_eq!(stands_at(&desk, &game)["generation"], 1, "White has not moved");
    // It is tried again, and then a person plays on.
    desk.forget_events();
    pause(&desk, &game, false);
    halted();
    desk.must("take_seat", json!({"gameId": game, "side": "white"}));
    turn(&desk, &game, None);
    moved(&desk, &game, 3);
}

#[cfg(unix)]
#[test]
fn both_engines_end_at_once_with_their_game() {
    for ends in ["close_game", "stop_play", "shut down", "take_seat"] {
        let desk = Desk::new();
        let (pids, asked) = (desk.path("pids"), desk.path("asked"));
        let genmove = format!(
            "if [ \"$color\" = black ] || [ \"$color\" = B ]; then echo \"=$id D4\"; else : > '{}'; sleep 10000; fi",
            asked.display()
        );
        with_engine(&desk, &format!("echo $$ >> '{}'", pids.display()), &genmove);
        let game = watched(&desk, "engine", "engine", 0);
        wait_for_file(&asked);
        match ends {
            "shut down" => desk.app.shut_down(),
            // The one that thinks is ended, and the other one waits for the person.
            "take_seat" => {
                desk.must(ends, json!({"gameId": game, "side": "white"}));
                turn(&desk, &game, None);
                moved(&desk, &game, 3);
                desk.must("stop_play", json!({"gameId": game}));
            }
            command => drop(desk.must(command, json!({"gameId": game}))),
        }
        wait_until_gone(&pids);
    }
}
