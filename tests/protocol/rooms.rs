//! Rooms of `honinbo serve --rooms`: what a crash must not take.

use crate::support::{Honinbo, Service};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};

type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

fn address(service: &Service) -> &str {
    service.url.strip_prefix("http://").unwrap().split('/').next().unwrap()
}

fn post(service: &Service, path: &str, token: Option<&str>, body: &Value) -> Value {
    let mut stream = TcpStream::connect(address(service)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let (body, host) = (body.to_string(), address(service));
    let authorization = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{authorization}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

fn register(service: &Service, name: &str) -> String {
    let answer = post(service, "/api/register", None, &json!({ "username": name, "password": "long enough" }));
    answer["token"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

fn enter(service: &Service, room: &str, token: &str) -> Socket {
    let (socket, _) = connect(format!("ws://{}/ws/{room}?token={token}", address(service))).unwrap();
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    }
    socket
}

/// Passes messages over until the game has had so many moves.
fn state_after(socket: &mut Socket, moves: u64) -> Value {
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            let message: Value = serde_json::from_str(&text).unwrap();
            assert_ne!(message["type"], "error", "{message}");
            if message["state"]["current_move_number"] == moves && message["state"]["stage"] == "playing" {
                return message["state"].clone();
            }
        }
    }
}

/// Plays on in one game: so many moves, each told to both.
fn play(players: &mut [Socket; 2], from: u64, moves: u64) -> Value {
    let mut state = Value::Null;
    for number in from..from + moves {
        let mover = &mut players[usize::from(number % 2 == 1)];
        let (x, y) = (number % 9, number / 9 * 2);
        mover.send(Message::text(json!({ "type": "move", "x": x, "y": y }).to_string())).unwrap();
        for player in players.iter_mut() {
            state = state_after(player, number + 1);
        }
    }
    state
}

#[test]
fn a_hundred_games_survive_the_death_of_the_server() {
    const PAIRS: usize = 10;
    const GAMES: usize = 10;
    let honinbo = Honinbo::new();
    let mut games = Vec::new();
    {
        let service = honinbo.serve(&["--rooms"]);
        for pair in 0..PAIRS {
            let tokens = ["black", "white"].map(|color| register(&service, &format!("{color} {pair}")));
            for game in 0..GAMES {
                let time = json!({ "kind": "fischer", "main_seconds": 3600, "increment_seconds": 10 });
                let terms = json!({ "width": 9, "height": 9, "time": time });
                let wanted = json!({ "terms": terms, "color": "black" });
                let answer = post(&service, "/api/generate-room", Some(&tokens[0]), &wanted);
                let room = answer["room_id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
                let mut players = [0, 1].map(|nth: usize| enter(&service, &room, &tokens[nth]));
                // An open connection is not yet a seat: the game begins when both have one.
                for player in &mut players {
                    state_after(player, 0);
                }
                let state = play(&mut players, 0, 1 + (game as u64 % 5));
                games.push((room, tokens.clone(), state, players));
            }
        }
        // The service is killed here, with every connection open.
    }
    let service = honinbo.serve(&["--rooms"]);
    for (room, tokens, before, _) in &games {
        let mut players = [0, 1].map(|nth: usize| enter(&service, room, &tokens[nth]));
        let moves = before["current_move_number"].as_u64().unwrap();
        let after = state_after(&mut players[0], moves);
        for same in ["board", "turn", "stage", "last_move", "black_captured", "white_captured"] {
            assert_eq!(after[same], before[same], "{same} in room {room}");
        }
        let left = |state: &Value, color: &str| state["clock"][color]["main_seconds"].as_f64().unwrap();
        let mover = if before["turn"] == 1 { "black" } else { "white" };
        let other = if before["turn"] == 1 { "white" } else { "black" };
        assert!((left(&after, other) - left(before, other)).abs() < 1e-6, "a clock that stood");
        let charged = left(before, mover) - left(&after, mover);
        assert!((-1e-6..600.0).contains(&charged), "{charged} s were charged in room {room}");
        play(&mut players, moves, 1);
    }
    assert_eq!(service.end(), 0);
}
