//! Rooms of `honinbo serve --rooms`: what a crash must not take.

use crate::support::{Honinbo, Service};
use crate::window::Window;
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
    let answer = ask(service, path, token, body);
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

/// A whole answer, head and body.
fn ask(service: &Service, path: &str, token: Option<&str>, body: &Value) -> String {
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
    answer
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

/// The records of somebody's library.
fn records(window: &mut Window) -> Vec<Value> {
    let query = json!({ "text": "", "sort": "date", "descending": false, "offset": 0, "limit": 100 });
    let page = window.call("search_records", query).unwrap();
    page["records"].as_array().unwrap().clone()
}

#[test]
fn everybody_has_a_board_and_a_library_of_their_own_with_the_games_they_played() {
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&["--rooms", "--guests"]);
    let tokens = ["Anna", "Ben", "Carl"].map(|name| register(&service, name));
    let url = |token: &str| format!("http://{}/?token={token}", address(&service));
    let mut ben = Window::open(&url(&tokens[1]));
    assert!(records(&mut ben).is_empty());

    let wanted = json!({ "terms": { "width": 9, "height": 9 }, "color": "black" });
    let room = post(&service, "/api/generate-room", Some(&tokens[0]), &wanted)["room_id"].as_str().unwrap().to_owned();
    let mut players = [0, 1].map(|nth: usize| enter(&service, &room, &tokens[nth]));
    for player in &mut players {
        state_after(player, 0);
    }
    play(&mut players, 0, 3);
    players[1].send(Message::text(r#"{"type":"resign"}"#)).unwrap();
    // Ben's library is open, and is given the game at once; Anna's when she opens it.
    let begun = std::time::Instant::now();
    while records(&mut ben).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(120), "the game does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
    for (nth, games) in [(0, 1), (1, 1), (2, 0)] {
        let mut window = Window::open(&url(&tokens[nth]));
        let found = records(&mut window);
        assert_eq!(found.len(), games, "{found:?}");
        if let Some(game) = found.first() {
            assert!(game.to_string().contains("Anna") && game.to_string().contains("Ben"), "{game}");
            let opened = window.call("open_record", json!({ "id": game["id"] })).unwrap();
            assert_eq!(opened["position"]["line"].as_array().unwrap().len(), 4, "{opened}");
            // It is this person's own: deleted here, it is there for the other still, and does not come back.
            if nth == 0 {
                window.call("delete_records", json!({ "ids": [game["id"]] })).unwrap();
                assert!(records(&mut window).is_empty());
            }
        }
    }
    assert!(records(&mut Window::open(&url(&tokens[0]))).is_empty());

    // What is the machine's is not theirs.
    let engine = json!({ "name": "x", "command": "/bin/true" });
    for (command, args) in [
        ("add_engine", engine.clone()),
        ("test_engine", engine),
        ("fetch_network", json!({ "name": "x" })),
        ("open_file", json!({ "path": "/etc/passwd" })),
        ("import_paths", json!({ "paths": ["/etc"] })),
        ("backup_library", json!({ "path": "" })),
        ("no_such_command", json!({})),
    ] {
        let refused = ben.call(command, args).unwrap_err();
        assert_eq!(refused["kind"], "notPossibleHere", "{command}: {refused}");
    }
    let mut settings = ben.call("startup", json!({})).unwrap()["settings"].clone();
    settings["theme"] = "dark".into();
    settings["networkFolder"] = "/etc".into();
    let kept = ben.call("set_settings", settings).unwrap();
    assert_eq!((&kept["theme"], &kept["networkFolder"]), (&json!("dark"), &json!("")));

    let guest = post(&service, "/api/guest", None, &json!({}))["token"].as_str().unwrap().to_owned();
    for stranger in [guest.as_str(), "", "0"] {
        let refused = connect(format!("ws://{}/api/ws?token={stranger}", address(&service)));
        assert!(
            matches!(&refused, Err(tokio_tungstenite::tungstenite::Error::Http(answer)) if answer.status() == 403),
            "{stranger} was let in"
        );
    }
    // Whoever deletes the account leaves nothing here.
    let folder = |id: u32| honinbo.data.path().join(format!("people/{id}"));
    assert!(folder(2).join("library.sqlite").exists());
    let answer = ask(&service, "/api/delete-account", Some(&tokens[1]), &json!({ "password": "long enough" }));
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    assert!(!folder(2).exists() && folder(1).exists());
    drop((ben, players));
    assert_eq!(service.end(), 0);
}

#[test]
fn what_a_server_carries_can_be_measured() {
    let honinbo = Honinbo::new();
    let few = ["--rooms", "3", "--pace", "0.2", "--seconds", "0.5", "--idle", "6", "--clients", "3", "--json"];
    let ended = honinbo.run(&[&["bench", "server"], few.as_slice()].concat());
    assert_eq!(ended.status, 0, "{ended:?}");
    let more = &ended.json()["more"];
    assert_eq!((&more["playing"]["clients"], &more["idle"]["sockets"]), (&json!(6), &json!(6)), "{more}");
    assert_eq!(more["playing"]["milliseconds"]["moves"], 12, "four moves in each of three rooms");
    assert_eq!(more["neverReading"]["millisecondsInTheirRoom"]["moves"], 80);
}
