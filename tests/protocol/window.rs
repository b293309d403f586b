//! The WebSocket of `honinbo serve --http`, with the real back end behind it.

use crate::support::{Honinbo, engine, famous_game};
use base64::Engine as _;
use serde_json::{Value, json};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};

pub(crate) struct Window {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    last_id: u64,
    events: Vec<Value>,
}

impl Window {
    pub(crate) fn open(url: &str) -> Self {
        let address = url.replace("http://", "ws://").replace("/?token=", "/api/ws?token=");
        let (socket, _) = connect(address).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        }
        let mut window = Self { socket, last_id: 0, events: Vec::new() };
        let hello = window.receive();
        assert!(hello["run"].is_string(), "{hello}");
        window
    }

    fn receive(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// The answer to a command; events that come before it are kept.
    pub(crate) fn call(&mut self, command: &str, args: Value) -> Result<Value, Value> {
        self.last_id += 1;
        let message = json!({ "id": self.last_id, "command": command, "args": args });
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let mut message = self.receive();
            if message.get("event").is_some() {
                self.events.push(message);
            } else {
                assert_eq!(message["id"], self.last_id, "{message}");
                return match message.get_mut("ok") {
                    Some(answer) => Ok(answer.take()),
                    None => Err(message["error"].take()),
                };
            }
        }
    }

    /// The next event of this name.
    pub(crate) fn event(&mut self, name: &str) -> Value {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(120) {
            let event = if self.events.is_empty() { self.receive() } else { self.events.remove(0) };
            if event["event"] == name {
                return event["payload"].clone();
            }
        }
        panic!("no event {name}");
    }
}

#[test]
fn a_game_is_opened_played_saved_and_found() {
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&[]);
    let mut window = Window::open(&service.url);
    let startup = window.call("startup", json!({})).unwrap();
    assert_eq!(startup["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(startup["capabilities"], json!({ "paths": false, "nativeDialogs": false, "menuBar": false }));

    let new =
        json!({ "width": 9, "height": 9, "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "A", "white": "B" });
    let game = window.call("new_game", new).unwrap();
    let id = game["gameId"].clone();
    let update = window.call("play", json!({ "gameId": id, "vertex": 40 })).unwrap();
    assert_eq!(update["position"]["stones"][40], 1);
    assert_eq!(update["position"]["toMove"], "white");
    let refused = window.call("play", json!({ "gameId": id, "vertex": 40 })).unwrap_err();
    assert_eq!((&refused["kind"], &refused["reason"]), (&json!("illegalMove"), &json!("occupied")));

    let saved = window.call("save_goban", json!({ "gameId": id })).unwrap();
    window.event("libraryChanged");
    let query = json!({ "text": "", "sort": "added", "descending": true, "offset": 0, "limit": 10 });
    let page = window.call("search_records", query).unwrap();
    assert_eq!((&page["total"], &page["records"][0]["id"]), (&json!(1), &saved["id"]));

    // A browser has no business with paths on the server's disk.
    for (command, args) in [
        ("open_file", json!({ "path": "/etc/passwd" })),
        ("save_file", json!({ "gameId": id, "path": "/tmp/x.sgf" })),
        ("import_paths", json!({ "paths": ["/etc"] })),
    ] {
        assert_eq!(window.call(command, args).unwrap_err()["kind"], "notPossibleHere", "{command}");
    }
    assert_eq!(window.call("no_such_command", json!({})).unwrap_err()["kind"], "invalidRequest");
    assert_eq!(window.call("play", json!({ "gameId": 7 })).unwrap_err()["kind"], "invalidRequest");
    assert_eq!(window.call("get_game", json!({ "gameId": "gone" })).unwrap_err()["kind"], "notFound");

    // A window that comes again finds its game.
    drop(window);
    let mut again = Window::open(&service.url);
    assert_eq!(again.call("startup", json!({})).unwrap()["games"][0]["gameId"], id);
    assert_eq!(service.end(), 0);
}

#[test]
fn ending_while_the_network_is_read_or_asked_is_clean() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    for round in 0..6 {
        let service = honinbo.serve(&["--net", &network]);
        let mut window = Window::open(&service.url);
        // The engine begins to read its network when a window comes.
        window.call("startup", json!({})).unwrap();
        if round % 2 == 1 {
            let content = base64::engine::general_purpose::STANDARD.encode(std::fs::read(famous_game()).unwrap());
            let game = window.call("open_content", json!({ "name": "famous.sgf", "base64": content })).unwrap();
            let analysis = json!({ "gameId": game["gameId"], "running": true, "visits": 0 });
            window.call("set_analysis", analysis).unwrap();
            window.event("analysis");
        }
        assert_eq!(service.end(), 0);
    }
}

#[test]
fn a_finished_game_is_counted_with_the_stones_that_the_network_holds_for_dead() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&["--net", &network]);
    let mut window = Window::open(&service.url);
    let content = base64::engine::general_purpose::STANDARD.encode(std::fs::read(famous_game()).unwrap());
    let game = window.call("open_content", json!({ "name": "famous.sgf", "base64": content })).unwrap();
    let id = game["gameId"].clone();
    window.call("go_to", json!({ "gameId": id, "nodeId": 325 })).unwrap();
    let score = window.call("score", json!({ "gameId": id, "dead": null })).unwrap();
    assert_eq!(score["result"], "B+2", "{score}");
}

#[test]
fn analysis_streams_and_stops() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&["--net", &network]);
    let mut window = Window::open(&service.url);
    let new =
        json!({ "width": 9, "height": 9, "rules": "japanese", "komi": 6.5, "handicap": 0, "black": "", "white": "" });
    let id = window.call("new_game", new).unwrap()["gameId"].clone();
    window.call("set_analysis", json!({ "gameId": id, "running": true, "visits": 0 })).unwrap();
    let mut last = 0;
    let mut saw_candidates = false;
    for _ in 0..5 {
        let update = window.event("analysis");
        assert_eq!((&update["gameId"], &update["running"]), (&id, &json!(true)));
        let sequence = update["sequence"].as_u64().unwrap();
        assert!(sequence > last, "updates came out of their order");
        last = sequence;
        assert_eq!(update["blackOwnership"].as_array().unwrap().len(), 81);
        saw_candidates |= !update["candidates"].as_array().unwrap().is_empty();
    }
    assert!(saw_candidates, "five updates and not one candidate");
    window.call("play", json!({ "gameId": id, "vertex": 40 })).unwrap();
    while window.event("analysis")["nodeId"] == 0 {}
    window.call("set_analysis", json!({ "gameId": id, "running": false, "visits": 0 })).unwrap();
    while window.event("analysis")["running"] == true {}
}
