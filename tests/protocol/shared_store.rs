//! Servers with one store in PostgreSQL: one has the rooms, and another goes on with them.

use crate::rooms::{Socket, enter, play, post, register, state_after};
use crate::support::{Honinbo, Service};
use honinbo_testkit::PostgresServer;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

/// Black and White in a game that has begun, with its room.
fn begin(service: &Service, tokens: &[String; 2]) -> (String, [Socket; 2]) {
    let time = json!({ "kind": "fischer", "main_seconds": 3600, "increment_seconds": 10 });
    let wanted = json!({ "terms": { "width": 9, "height": 9, "time": time }, "color": "black" });
    let answer = post(service, "/api/generate-room", Some(&tokens[0]), &wanted);
    let room = answer["room_id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    let mut players = [0, 1].map(|nth: usize| enter(service, &room, &tokens[nth]));
    for player in &mut players {
        state_after(player, 0);
    }
    (room, players)
}

fn left(state: &Value, color: &str) -> f64 {
    state["clock"][color]["main_seconds"].as_f64().unwrap()
}

/// The game is as it was, its clocks charged as after a crash; both are in it again.
fn goes_on(service: &Service, room: &str, tokens: &[String; 2], before: &Value) -> [Socket; 2] {
    let moves = before["current_move_number"].as_u64().unwrap();
    let mut players = [0, 1].map(|nth: usize| enter(service, room, &tokens[nth]));
    for player in &mut players {
        let after = state_after(player, moves);
        for same in ["board", "turn", "stage", "last_move", "black_captured", "white_captured"] {
            assert_eq!(after[same], before[same], "{same}");
        }
        let (mover, other) = if before["turn"] == 1 { ("black", "white") } else { ("white", "black") };
        assert!((left(&after, other) - left(before, other)).abs() < 1e-6, "a clock that stood");
        let charged = left(before, mover) - left(&after, mover);
        assert!((-1e-6..600.0).contains(&charged), "{charged} s were charged");
    }
    players
}

fn games_of(service: &Service, token: &str) -> Vec<Value> {
    let answer = crate::rooms::get(service, "/api/games", token);
    answer["games"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

#[test]
fn rooms_go_on_in_another_server_when_theirs_is_killed() {
    let Some(database) = PostgresServer::start() else { return };
    let address = database.database();
    let [first, second, third] = [0; 3].map(|_| Honinbo::new());
    let args = ["--rooms", "--store", &address];
    let service = first.serve(&args);
    let tokens = ["Anna", "Ben"].map(|name| register(&service, name));
    let (over, mut players) = begin(&service, &tokens);
    play(&mut players, 0, 2);
    players[0].send(Message::text(r#"{"type":"resign","id":1}"#)).unwrap();
    loop {
        let Message::Text(text) = players[0].read().unwrap() else { continue };
        if serde_json::from_str::<Value>(&text).unwrap()["type"] == "ack" {
            break;
        }
    }
    let games: Vec<_> = (1..=4).map(|moves| (begin(&service, &tokens), moves)).collect();
    let games: Vec<_> =
        games.into_iter().map(|((room, mut players), moves)| (room, play(&mut players, 0, moves), players)).collect();

    let refused = third.run(&[&["serve", "--http", "0"], &args[..]].concat());
    assert!(refused.failure().contains("another server uses this store"), "{refused:?}");
    let next = second.serve_later(&[&args[..], &["--standby"]].concat(), |note| {
        assert!(note.contains("waits"), "{note}");
        drop(service); // Killed, with every connection open.
    });
    for (room, before, _) in &games {
        let mut players = goes_on(&next, room, &tokens, before);
        play(&mut players, before["current_move_number"].as_u64().unwrap(), 2);
    }
    assert!(games.iter().all(|(room, ..)| *room != over));
    assert_eq!(games_of(&next, &tokens[1]).len(), 1, "the game that was over is there once");
    assert_eq!(next.end(), 0);
}

#[test]
fn a_server_that_stood_still_for_too_long_writes_no_more_and_ends() {
    let Some(database) = PostgresServer::start() else { return };
    let address = database.database();
    let [first, second] = [0; 2].map(|_| Honinbo::new());
    let args = ["--rooms", "--store", &address];
    let service = first.serve(&args);
    let tokens = ["Anna", "Ben"].map(|name| register(&service, name));
    let (room, mut old) = begin(&service, &tokens);
    let before = play(&mut old, 0, 2);
    let next = second.serve_later(&[&args[..], &["--standby"]].concat(), |_| service.signal("STOP"));
    let mut players = goes_on(&next, &room, &tokens, &before);
    let after = play(&mut players, 2, 1);
    // What the first one finds when it wakes up: a move that was sent to it meanwhile.
    old[0].send(Message::text(json!({ "type": "move", "x": 8, "y": 8, "id": 9 }).to_string())).unwrap();
    service.signal("CONT");
    while let Ok(message) = old[0].read() {
        let Message::Text(text) = message else { continue };
        let message: Value = serde_json::from_str(&text).unwrap();
        assert_ne!(message["type"], "ack", "it was told to have been played: {message}");
        assert!(message["state"]["current_move_number"].as_u64().is_none_or(|moves| moves <= 2), "{message}");
    }
    let ended = service.ended();
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.stderr.contains("another server has taken"), "{ended:?}");
    for player in &mut players {
        player.send(Message::text(r#"{"type":"sync"}"#)).unwrap();
        assert_eq!(state_after(player, 3)["board"], after["board"]);
    }
    play(&mut players, 3, 1);
    assert_eq!(next.end(), 0);
}

#[test]
fn a_servers_store_moves_into_a_database_and_back() {
    let Some(database) = PostgresServer::start() else { return };
    let address = database.database();
    let (first, second) = (Honinbo::new(), Honinbo::new());
    let file = |honinbo: &Honinbo| honinbo.data.path().join("server.sqlite").display().to_string();
    let service = first.serve(&["--rooms"]);
    let tokens = ["Anna", "Ben"].map(|name| register(&service, name));
    let (room, mut players) = begin(&service, &tokens);
    let before = play(&mut players, 0, 3);
    let from = file(&first);
    let refused = first.run(&["store", "copy", &from, &address]);
    assert!(refused.failure().contains("the store to copy is in use by a server"), "{refused:?}");
    drop(players);
    assert_eq!(service.end(), 0);

    let copied = first.run(&["store", "copy", &from, &address, "--json"]).json();
    assert_eq!((&copied["copied"]["accounts"], &copied["copied"]["rooms"]), (&json!(2), &json!(1)), "{copied}");
    let again = first.run(&["store", "copy", &from, &address]);
    assert!(again.failure().contains("not empty") && !again.stderr.contains(database.password()), "{again:?}");
    // Everybody is still logged in, and the game goes on.
    let service = first.serve(&["--rooms", "--store", &address]);
    let mut players = goes_on(&service, &room, &tokens, &before);
    let before = play(&mut players, 3, 2);
    let to = file(&second);
    let refused = first.run(&["store", "copy", &address, &to]);
    assert!(refused.failure().contains("in use"), "{refused:?}");
    drop(players);
    assert_eq!(service.end(), 0);

    let copied = first.run(&["store", "copy", &address, &to]);
    assert!(copied.stdout.lines().any(|line| line.split_whitespace().eq(["accounts", "2"])), "{copied:?}");
    let service = second.serve(&["--rooms"]);
    goes_on(&service, &room, &tokens, &before);
    let nowhere = first.run(&["store", "copy", "nothing.sqlite", &address]);
    assert!(nowhere.failure().contains("nothing.sqlite is not there"), "{nowhere:?}");
}
