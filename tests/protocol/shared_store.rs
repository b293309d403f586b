//! Servers with one store in PostgreSQL: each room is in one of them, whichever one a client comes to, and another goes on
//! with it when that one fails.

use crate::rooms::{Socket, address, ask_over, ask_with, enter, get, play, post, register, state_after};
use crate::support::{Honinbo, Service};
use honinbo_testkit::{PostgresServer, fixtures};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, SignatureScheme, StreamOwned};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Error, Message, connect};

/// A database, and servers on it, each with a data folder of its own. The first one leads.
struct Together {
    database: PostgresServer,
    address: String,
    homes: Vec<Honinbo>,
}

impl Together {
    fn start() -> Option<Self> {
        let database = PostgresServer::start()?;
        let address = database.database();
        Some(Self { database, address, homes: Vec::new() })
    }

    fn serve(&mut self) -> Service {
        self.serve_in(Honinbo::new())
    }

    fn serve_in(&mut self, home: Honinbo) -> Service {
        let service = home.serve(&["--rooms", "--guests", "--store", &self.address]);
        self.homes.push(home);
        service
    }

    fn ask(&self, sql: &str) -> String {
        self.database.psql(&self.address, sql)
    }

    /// The number of the server that has a room; they are counted from 1.
    fn owner(&self, room: &str) -> String {
        self.ask(&format!("SELECT process FROM rooms WHERE id = '{room}'"))
    }

    /// Where other servers come to one.
    fn door(&self, process: u32) -> String {
        self.ask(&format!("SELECT address FROM processes WHERE id = {process}"))
    }
}

/// Comes back into a room as browsers do: again and again, until somebody answers.
fn come_back(service: &Service, room: &str, token: &str) -> Socket {
    let begun = Instant::now();
    loop {
        match connect(format!("ws://{}/ws/{room}?token={token}", address(service))) {
            Ok((mut socket, _)) => {
                if let MaybeTlsStream::Plain(stream) = socket.get_mut() {
                    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
                }
                return socket;
            }
            Err(Error::Http(response)) if response.status() == 503 => {}
            Err(error) => panic!("{error}"),
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "nobody has the room");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Waits for what has to come.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Reads on until the connection is over.
fn read_to_the_end(socket: &mut Socket) {
    while !matches!(socket.read(), Err(_) | Ok(Message::Close(_))) {}
}

/// A room in which whoever makes it has Black.
fn make_room(service: &Service, token: &str) -> String {
    let time = json!({ "kind": "fischer", "main_seconds": 3600, "increment_seconds": 10 });
    let wanted = json!({ "terms": { "width": 9, "height": 9, "time": time }, "color": "black", "listed": true });
    let answer = post(service, "/api/generate-room", Some(token), &wanted);
    answer["room_id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Black and White in a game that has begun, with its room.
fn begin(service: &Service, tokens: &[String; 2]) -> (String, [Socket; 2]) {
    let room = make_room(service, &tokens[0]);
    let players = at_the_start([0, 1].map(|nth: usize| enter(service, &room, &tokens[nth])));
    (room, players)
}

/// Two players who have come in and see the empty board.
fn at_the_start(mut players: [Socket; 2]) -> [Socket; 2] {
    for player in &mut players {
        state_after(player, 0);
    }
    players
}

fn left(state: &Value, color: &str) -> f64 {
    state["clock"][color]["main_seconds"].as_f64().unwrap()
}

/// The game is as it was, its clocks charged as after a crash; both are in it again.
fn goes_on(service: &Service, room: &str, tokens: &[String; 2], before: &Value) -> [Socket; 2] {
    let moves = before["current_move_number"].as_u64().unwrap();
    let mut players = [0, 1].map(|nth: usize| come_back(service, room, &tokens[nth]));
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
    let answer = get(service, "/api/games", token);
    answer["games"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

#[test]
fn people_at_two_servers_play_one_game_and_see_one_lobby() {
    let Some(mut together) = Together::start() else { return };
    let services = [together.serve(), together.serve()];
    let [first, second] = &services;
    // Both ways: accounts are made at either, and known at both.
    let tokens = [register(first, "Anna"), register(second, "Ben")];
    let log_in = json!({ "username": "anna", "password": "long enough" });
    assert_eq!(post(second, "/api/login", None, &log_in)["username"], "Anna");

    // A room goes to where somebody comes first.
    for (nth, come) in [[0, 1], [1, 0]].into_iter().enumerate() {
        let room = make_room(&services[1 - nth], &tokens[0]);
        let place = |player: usize| &services[come[player]];
        let mut players = at_the_start([enter(place(0), &room, &tokens[0]), enter(place(1), &room, &tokens[1])]);
        assert_eq!(together.owner(&room), (come[0] + 1).to_string());
        let state = play(&mut players, 0, 10);
        assert_eq!(state["current_move_number"], 10);
        for service in &services {
            let found = until("the room is not in the list of both with its moves", || {
                let rooms = get(service, "/api/rooms", &tokens[0])["rooms"].as_array().unwrap().clone();
                rooms.into_iter().find(|found| found["room_id"] == room.as_str() && found["moves"] == 10)
            });
            assert_eq!(found["stage"], "playing", "{found}");
            until("both are not online for both", || {
                let users = get(service, "/api/online-users", &tokens[1])["users"].clone();
                let names: Vec<_> = users.as_array().unwrap().iter().map(|user| user["username"].clone()).collect();
                (names == ["Anna", "Ben"] && users[0]["rooms"] == 1).then_some(())
            });
        }
        let [anna, ben] = &mut players;
        anna.send(Message::text(r#"{"type":"resign","id":1}"#)).unwrap();
        loop {
            let Message::Text(text) = ben.read().unwrap() else { continue };
            if serde_json::from_str::<Value>(&text).unwrap()["state"]["game_over"] == true {
                break;
            }
        }
        drop(players);
        for service in &services {
            assert_eq!(games_of(service, &tokens[1]).len(), nth + 1);
        }
    }

    // Who is at one server is invited at the other, into a room of that one.
    let room = make_room(first, &tokens[0]);
    let anna = enter(second, &room, &tokens[0]);
    assert_eq!(together.owner(&room), "2");
    let invited = post(first, "/api/invite", Some(&tokens[0]), &json!({ "username": "ben", "room_id": room }));
    assert_eq!(invited["room_id"], room.as_str(), "{invited}");
    assert_eq!(get(second, "/api/invitations", &tokens[1])["invitations"][0]["room_id"], room.as_str());
    let accepted = post(second, "/api/accept-invitation", Some(&tokens[1]), &json!({ "room_id": room }));
    assert_eq!(accepted["room_id"], room.as_str(), "{accepted}");
    let stranger = post(second, "/api/guest", None, &Value::Null)["token"].as_str().unwrap().to_owned();
    let others = post(first, "/api/invite", Some(&stranger), &json!({ "username": "ben", "room_id": room }));
    assert_eq!(others["error"]["kind"], "not_yours", "{others}");
    let mut players = at_the_start([anna, enter(first, &room, &tokens[1])]);
    play(&mut players, 0, 2);
    let [mut anna, mut ben] = players;
    // An account that is deleted at one loses its games at the other.
    let gone = post_any(first, "/api/delete-account", &tokens[1], &json!({ "password": "long enough" }));
    assert!(gone.contains(" 204 "), "{gone}");
    loop {
        let Message::Text(text) = anna.read().unwrap() else { continue };
        if serde_json::from_str::<Value>(&text).unwrap()["state"]["winner"] == 1 {
            break;
        }
    }
    read_to_the_end(&mut ben);
    for service in services {
        assert_eq!(service.end(), 0);
    }
}

fn post_any(service: &Service, path: &str, token: &str, body: &Value) -> String {
    ask_with(address(service), "POST", path, &format!("Authorization: Bearer {token}\r\n"), body)
}

#[test]
fn games_go_on_at_another_server_when_theirs_is_killed() {
    let Some(mut together) = Together::start() else { return };
    let first = together.serve();
    let second = together.serve();
    let tokens = ["Anna", "Ben"].map(|name| register(&second, name));
    let (over, mut players) = begin(&first, &tokens);
    play(&mut players, 0, 2);
    players[0].send(Message::text(r#"{"type":"resign","id":1}"#)).unwrap();
    loop {
        let Message::Text(text) = players[0].read().unwrap() else { continue };
        if serde_json::from_str::<Value>(&text).unwrap()["type"] == "ack" {
            break;
        }
    }
    // The second one has none of these, and a player in each.
    let games: Vec<_> = (1..=4)
        .map(|moves| {
            let room = make_room(&second, &tokens[0]);
            let mut players = at_the_start([enter(&first, &room, &tokens[0]), enter(&second, &room, &tokens[1])]);
            assert_eq!(together.owner(&room), "1");
            let before = play(&mut players, 0, moves);
            (room, before, players)
        })
        .collect();
    drop(first); // Killed, with every connection open.
    for (room, before, mut players) in games {
        assert_ne!(room, over);
        for player in &mut players {
            read_to_the_end(player);
        }
        let mut players = goes_on(&second, &room, &tokens, &before);
        play(&mut players, before["current_move_number"].as_u64().unwrap(), 2);
        assert_eq!(together.owner(&room), "2");
    }
    assert_eq!(games_of(&second, &tokens[1]).len(), 1, "the game that was over is there once");
    assert_eq!(second.end(), 0);
}

#[test]
fn a_server_that_ends_leaves_its_rooms_to_the_others_at_once() {
    let Some(mut together) = Together::start() else { return };
    let first = together.serve();
    let second = together.serve();
    let tokens = ["Anna", "Ben"].map(|name| register(&first, name));
    let room = make_room(&first, &tokens[0]);
    let mut players = at_the_start([enter(&second, &room, &tokens[0]), enter(&first, &room, &tokens[1])]);
    let before = play(&mut players, 0, 3);
    assert_eq!(second.end(), 0);
    assert_eq!(together.ask("SELECT ended FROM processes ORDER BY id"), "0\n1");
    for player in &mut players {
        read_to_the_end(player);
    }
    play(&mut goes_on(&first, &room, &tokens, &before), 3, 2);
    // The one that leads ends too, and a third one comes.
    let third = together.serve();
    assert_eq!(first.end(), 0);
    let before = until("nobody leads", || {
        let games = get(&third, "/api/rooms", &tokens[0]);
        games["rooms"][0]["moves"].as_u64()
    });
    assert_eq!(before, 5);
    let mut players = [0, 1].map(|nth: usize| come_back(&third, &room, &tokens[nth]));
    for player in &mut players {
        state_after(player, 5);
    }
    play(&mut players, 5, 1);
    assert_eq!(third.end(), 0);
}

#[test]
fn a_server_that_stood_still_for_too_long_writes_no_more_and_ends() {
    let Some(mut together) = Together::start() else { return };
    let service = together.serve();
    let next = together.serve();
    let tokens = ["Anna", "Ben"].map(|name| register(&service, name));
    let (room, mut old) = begin(&service, &tokens);
    let before = play(&mut old, 0, 2);
    assert_eq!(together.owner(&room), "1");
    service.signal("STOP");
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

#[test]
fn a_room_that_moves_again_and_again_is_the_same_for_everybody() {
    let Some(mut together) = Together::start() else { return };
    let services = [together.serve(), together.serve(), together.serve()];
    let tokens = ["Anna", "Ben"].map(|name| register(&services[1], name));
    let room = make_room(&services[2], &tokens[0]);
    let mut random = 2026_u64;
    let mut draw = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let (mut moves, mut owners, mut before) = (0, Vec::new(), Value::Null);
    // Each takes as long as the list of rooms is behind.
    let many = if fixtures::are_slow_tests_on() { 100 } else { 20 };
    while owners.len() < many {
        let order = if draw(2) == 0 { [0, 1] } else { [1, 0] };
        let mut sockets = [None, None];
        for player in order {
            let mut socket = come_back(&services[draw(3)], &room, &tokens[player]);
            let state = loop {
                let Message::Text(text) = socket.read().unwrap() else { continue };
                let message: Value = serde_json::from_str(&text).unwrap();
                if message["state"].is_object() {
                    break message["state"].clone();
                }
            };
            if !before.is_null() {
                assert_eq!((&state["board"], &state["turn"]), (&before["board"], &before["turn"]), "after {owners:?}");
            }
            sockets[player] = Some(socket);
        }
        let mut players = sockets.map(Option::unwrap);
        for player in &mut players {
            player.send(Message::text(r#"{"type":"sync"}"#)).unwrap();
            state_after(player, moves);
        }
        if moves < 36 {
            before = play(&mut players, moves, 1);
            moves += 1;
        }
        owners.push(together.owner(&room));
        for player in &mut players {
            player.close(None).unwrap();
            read_to_the_end(player);
        }
        drop(players);
        // Where nobody is in it any more, it may move.
        until("the server does not see that they have gone", || {
            let rooms = get(&services[0], "/api/rooms", &tokens[0])["rooms"].as_array().unwrap().clone();
            rooms.iter().all(|room| room["black_online"] == false && room["white_online"] == false).then_some(())
        });
    }
    let moved = owners.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(moved > many / 3, "{owners:?}");
    for service in services {
        assert_eq!(service.end(), 0);
    }
}

#[test]
fn strangers_do_not_come_in_by_the_door_of_the_other_servers() {
    let Some(mut together) = Together::start() else { return };
    let loud = Honinbo::new().with("HONINBO_LOG", "honinbo_server=debug");
    let services = [together.serve_in(loud), together.serve()];
    let token = register(&services[1], "Anna");
    let secret = together.ask("SELECT secret FROM honinbo_store");
    let doors = [together.door(1), together.door(2)];
    let (_, description) = answer(&ask_with(address(&services[0]), "GET", "/api/openapi.json", "", &Value::Null));
    let description: Value = serde_json::from_str(&description).unwrap();
    let mut routes: Vec<(String, String)> = vec![("POST".into(), "/peer".into()), ("GET".into(), "/api/ws".into())];
    for (path, methods) in description["paths"].as_object().unwrap() {
        let path = path.replace("{id}", "1").replace("{name}", "Anna").replace("{room_id}", "12345678");
        routes.extend(methods.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone())));
    }
    let bearer = format!("Authorization: Bearer {token}\r\n");
    let wrong = format!("honinbo-secret: {}\r\nhoninbo-operator: 1\r\n{bearer}", "0".repeat(secret.len()));
    let near = format!("honinbo-secret: {}\r\n", &secret[1..]);
    for door in &doors {
        // Nobody is answered who does not encrypt.
        let mut plain = TcpStream::connect(door).unwrap();
        plain.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let asked = format!("GET /api/health HTTP/1.1\r\nHost: {door}\r\nhoninbo-secret: {secret}\r\n\r\n");
        let _ = plain.write_all(asked.as_bytes()); // It may be cut off in the middle.
        let mut said = Vec::new();
        let _ = plain.read_to_end(&mut said);
        assert!(!String::from_utf8_lossy(&said).contains("HTTP"), "{}", String::from_utf8_lossy(&said));
        for (method, path) in &routes {
            for stranger in ["", &bearer, &wrong] {
                let (status, body) = answer(&ask_door(door, method, path, stranger, &json!({ "order": "view" })));
                assert_eq!(status, 403, "{method} {path} with {stranger:?}: {body}");
            }
        }
    }
    for door in &doors {
        for stranger in [near.as_str(), "honinbo-secret: \r\n"] {
            assert_eq!(answer(&ask_door(door, "POST", "/peer", stranger, &json!({ "order": "view" }))).0, 403);
        }
    }
    // Nor does it help at the other door to look like a server.
    for service in &services {
        let posing = format!("honinbo-secret: {secret}\r\nhoninbo-operator: 1\r\n{bearer}");
        for (method, path, expected) in
            [("GET", "/api/operator", 401), ("GET", "/metrics", 401), ("POST", "/api/sign-up-codes", 401)]
        {
            let (status, body) = answer(&ask_with(address(service), method, path, &posing, &Value::Null));
            assert_eq!(status, expected, "{path}: {body}");
        }
        let (status, body) = answer(&ask_with(address(service), "POST", "/peer", &posing, &json!({ "order": "view" })));
        assert!(!body.contains("people") && [404, 405].contains(&status), "{status}: {body}");
        // Whoever started either server is an operator at both.
        let own = service.url.split_once("token=").unwrap().1;
        assert!(get(service, "/api/operator", own)["people_online"].is_number());
    }
    // With the secret: what was sent on once is not sent on again.
    let knows = format!("honinbo-secret: {secret}\r\n{bearer}");
    let (status, body) = answer(&ask_door(&doors[1], "GET", "/api/me", &knows, &Value::Null));
    assert_eq!(status, 421, "{body}");
    let (status, body) = answer(&ask_door(&doors[0], "GET", "/api/me", &knows, &Value::Null));
    assert_eq!(status, 200, "{body}");
    let room = make_room(&services[0], &token);
    let upgrade = "Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let (status, body) =
        answer(&ask_door(&doors[1], "GET", &format!("/ws/{room}"), &format!("{knows}{upgrade}"), &Value::Null));
    assert_eq!(status, 421, "{body}");
    let [first, second] = services;
    assert_eq!(second.end(), 0);
    first.signal("TERM");
    let ended = first.ended();
    assert!(ended.stderr.contains("stranger") && !ended.stderr.contains(&secret), "the secret is in the log");
    assert!(!ended.stderr.contains(&token), "a token is in the log");
}

/// Whoever has the certificate that is shown.
#[derive(Debug)]
struct Anybody;

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        rustls::crypto::ring::default_provider().signature_verification_algorithms.supported_schemes()
    }
}

/// A whole answer at the door of the other servers, which is encrypted.
fn ask_door(door: &str, method: &str, path: &str, head: &str, body: &Value) -> String {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.dangerous().with_custom_certificate_verifier(Arc::new(Anybody)).with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let stream = TcpStream::connect(door).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let client = ClientConnection::new(Arc::new(config), name).unwrap();
    ask_over(StreamOwned::new(client, stream), door, method, path, head, body)
}

#[test]
fn limits_that_the_operator_sets_hold_when_another_server_leads() {
    let Some(mut together) = Together::start() else { return };
    let [first, second] = [together.serve(), together.serve()];
    let own = |service: &Service| service.url.split_once("token=").unwrap().1.to_owned();
    let mut limits = get(&first, "/api/operator", &own(&first))["limits"].clone();
    limits["rooms_of_one"] = json!(3);
    let bearer = format!("Authorization: Bearer {}\r\n", own(&first));
    let (status, set) = answer(&ask_with(address(&first), "PUT", "/api/operator/limits", &bearer, &limits));
    assert_eq!((status, serde_json::from_str::<Value>(&set).unwrap()), (200, limits.clone()));
    let token = own(&second);
    assert_eq!(first.end(), 0);
    until("nobody leads", || {
        let bearer = format!("Authorization: Bearer {token}\r\n");
        let (status, found) = answer(&ask_with(address(&second), "GET", "/api/operator", &bearer, &Value::Null));
        (status == 200).then(|| assert_eq!(serde_json::from_str::<Value>(&found).unwrap()["limits"], limits))
    });
    assert_eq!(second.end(), 0);
}

/// Status and body.
fn answer(answer: &str) -> (u16, String) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer}"));
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

/// Whoever is let in at one server while somebody comes by another one is not sent away again.
#[test]
fn two_who_enter_at_once_by_two_servers_are_both_in() {
    let Some(mut together) = Together::start() else { return };
    let services = [together.serve(), together.serve()];
    let tokens = ["Anna", "Ben"].map(|name| register(&services[0], name));
    for round in 0..60 {
        let room = make_room(&services[round % 2], &tokens[0]);
        let mut players = std::thread::scope(|scope| {
            let entering = [0, 1].map(|nth: usize| {
                let (service, room, token) = (&services[nth], &room, &tokens[nth]);
                scope.spawn(move || enter(service, room, token))
            });
            entering.map(|entering| entering.join().unwrap())
        });
        for player in &mut players {
            state_after(player, 0);
        }
        players[0].send(Message::text(r#"{"type":"resign","id":1}"#)).unwrap();
    }
}

/// Prints what docs/experiments/server-load.md has of it.
#[test]
fn a_move_through_another_server_takes_a_little_longer() {
    if !fixtures::slow_tests() {
        return;
    }
    let Some(mut together) = Together::start() else { return };
    let services = [together.serve(), together.serve()];
    let tokens = ["Anna", "Ben"].map(|name| register(&services[0], name));
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..50 {
        for (way, times) in times.iter_mut().enumerate() {
            let room = make_room(&services[0], &tokens[0]);
            let mut players =
                at_the_start([enter(&services[0], &room, &tokens[0]), enter(&services[way], &room, &tokens[1])]);
            for number in 0..40_u64 {
                let begun = Instant::now();
                play(&mut players, number, 1);
                // White's are the ones that go the way.
                if number % 2 == 1 {
                    times.push(begun.elapsed());
                }
            }
            players[0].send(Message::text(r#"{"type":"resign","id":1}"#)).unwrap();
        }
    }
    for (way, times) in ["direct", "through another server"].iter().zip(&mut times) {
        times.sort_unstable();
        let [median, p99] = [times.len() / 2, times.len() * 99 / 100].map(|nth| times[nth].as_secs_f64() * 1000.0);
        eprintln!("{way}: {} moves, median {median:.2} ms, p99 {p99:.2} ms", times.len());
    }
}
