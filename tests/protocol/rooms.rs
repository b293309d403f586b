//! Rooms of `honinbo serve --rooms`: what a crash must not take.

use crate::support::{Honinbo, Service, engine, lines_of};
use crate::window::Window;
use serde_json::{Value, json};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};

pub(crate) type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

pub(crate) fn address(service: &Service) -> &str {
    service.url.strip_prefix("http://").unwrap().split('/').next().unwrap()
}

pub(crate) fn post(service: &Service, path: &str, token: Option<&str>, body: &Value) -> Value {
    let answer = ask(service, path, token, body);
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

/// What somebody is answered who only looks.
#[cfg(unix)]
pub(crate) fn get(service: &Service, path: &str, token: &str) -> Value {
    let answer = ask_by(service, "GET", path, Some(token), &Value::Null);
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

/// A whole answer, head and body.
fn ask(service: &Service, path: &str, token: Option<&str>, body: &Value) -> String {
    ask_by(service, "POST", path, token, body)
}

fn ask_by(service: &Service, method: &str, path: &str, token: Option<&str>, body: &Value) -> String {
    let authorization = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
    ask_with(address(service), method, path, &authorization, body)
}

/// A whole answer to a request with these lines in its head.
pub(crate) fn ask_with(host: &str, method: &str, path: &str, head: &str, body: &Value) -> String {
    let stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    ask_over(stream, host, method, path, head, body)
}

/// The same over a connection that is there.
pub(crate) fn ask_over(
    mut stream: impl Read + Write,
    host: &str,
    method: &str,
    path: &str,
    head: &str,
    body: &Value,
) -> String {
    let body = body.to_string();
    let close = if head.contains("Upgrade:") { "" } else { "Connection: close\r\n" };
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{close}{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        // An encrypted connection may end without a goodbye.
        Err(error) if error.kind() != ErrorKind::UnexpectedEof => panic!("{error}"),
        _ => String::from_utf8(answer).unwrap(),
    }
}

pub(crate) fn register(service: &Service, name: &str) -> String {
    let answer = post(service, "/api/register", None, &json!({ "username": name, "password": "long enough" }));
    answer["token"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

pub(crate) fn enter(service: &Service, room: &str, token: &str) -> Socket {
    let (socket, _) = connect(format!("ws://{}/ws/{room}?token={token}", address(service))).unwrap();
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    }
    socket
}

/// Passes messages over until the game has had so many moves.
pub(crate) fn state_after(socket: &mut Socket, moves: u64) -> Value {
    loop {
        let text = match socket.read().unwrap() {
            Message::Text(text) => text,
            Message::Close(why) => panic!("the server closed the connection: {why:?}"),
            _ => continue,
        };
        let message: Value = serde_json::from_str(&text).unwrap();
        assert_ne!(message["type"], "error", "{message}");
        if message["state"]["current_move_number"] == moves && message["state"]["stage"] == "playing" {
            return message["state"].clone();
        }
    }
}

/// Plays on in one game: so many moves, each told to both.
pub(crate) fn play(players: &mut [Socket; 2], from: u64, moves: u64) -> Value {
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

/// Asks for something in a lesson. How it stands then, and the own board, each where they changed.
fn ask_lesson(socket: &mut Socket, id: &mut u64, mut request: Value) -> (Value, Value) {
    *id += 1;
    request["id"] = (*id).into();
    socket.send(Message::text(request.to_string())).unwrap();
    let (mut state, mut own) = (Value::Null, Value::Null);
    loop {
        let Message::Text(text) = socket.read().unwrap() else { continue };
        let message: Value = serde_json::from_str(&text).unwrap();
        match message["type"].as_str().unwrap() {
            "error" => panic!("{request}: {message}"),
            "ack" if message["id"] == *id => return (state, own),
            "own_board" => own = message["own"].clone(),
            _ if message["state"].is_object() => state = message["state"].clone(),
            _ => {}
        }
    }
}

/// Comes into a lesson: the connection, how it stands, and the board of one's own.
fn enter_lesson(service: &Service, room: &str, token: &str) -> (Socket, Value, Value) {
    let mut socket = enter(service, room, token);
    let mut next = |kind: &str| loop {
        let Message::Text(text) = socket.read().unwrap() else { continue };
        let message: Value = serde_json::from_str(&text).unwrap();
        if message["type"] == kind {
            return message;
        }
    };
    let state = next("lesson_state")["state"].clone();
    let own = next("own_board")["own"].clone();
    (socket, state, own)
}

/// Every position of a lesson's record, whose variations all begin at its root; ends where the last one does.
fn walk(teacher: &mut Socket, id: &mut u64) -> Vec<Value> {
    let (root, _) = ask_lesson(teacher, id, json!({ "type": "step", "by": -100 }));
    let mut seen = vec![root.clone()];
    for index in 0..root["continuations"].as_array().unwrap().len() {
        ask_lesson(teacher, id, json!({ "type": "step", "by": -100 }));
        let (mut state, _) = ask_lesson(teacher, id, json!({ "type": "enter", "index": index }));
        seen.push(state.clone());
        while state["moves_ahead"] != 0 {
            state = ask_lesson(teacher, id, json!({ "type": "step", "by": 1 })).0;
            seen.push(state.clone());
        }
    }
    seen.iter().map(position_of).collect()
}

/// What of a lesson's state is in its record.
fn position_of(state: &Value) -> Value {
    let fields = ["board", "turn", "move_number", "moves_ahead", "last_move", "continuations", "variation", "comment"];
    let mut position = json!({ "marks": state["marks"] });
    for field in fields {
        position[field] = state[field].clone();
    }
    position
}

fn roles(state: &Value) -> Vec<[Value; 2]> {
    let people = state["people"].as_array().unwrap();
    people.iter().map(|person| [person["name"].clone(), person["role"].clone()]).collect()
}

/// A lesson in the middle: a teacher with three variations, a student who offers one, and somebody in the audience.
struct Taught {
    room: String,
    /// Of the teacher, the student and the audience.
    tokens: [String; 3],
    positions: Vec<Value>,
    state: Value,
    /// The student's own board.
    own: Value,
    /// Open until the lesson goes on.
    _sockets: [Socket; 3],
    last_id: u64,
}

fn teach(service: &Service, nth: u64, tokens: [String; 3], audience: &str) -> Taught {
    let wanted = json!({ "title": format!("Lesson {nth}"), "terms": { "width": 9, "height": 9 }, "listed": true });
    let answer = post(service, "/api/lessons", Some(&tokens[0]), &wanted);
    let room = answer["room_id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    let mut sockets = [0, 1, 2].map(|person: usize| enter_lesson(service, &room, &tokens[person]).0);
    let mut id = 0;
    let [teacher, student, _] = &mut sockets;
    ask_lesson(teacher, &mut id, json!({ "type": "role", "name": audience, "role": "audience" }));
    for variation in 0..3 {
        ask_lesson(teacher, &mut id, json!({ "type": "step", "by": -100 }));
        for number in 0..=(nth + variation) % 4 {
            let point = json!({ "type": "play", "x": 2 * number, "y": variation + nth % 5 });
            ask_lesson(teacher, &mut id, point);
        }
        ask_lesson(teacher, &mut id, json!({ "type": "comment", "text": format!("Variation {variation} (of 3) \\]") }));
        ask_lesson(teacher, &mut id, json!({ "type": "mark", "x": variation, "y": 8, "shape": "triangle" }));
    }
    let positions = walk(teacher, &mut id);
    let mut student_id = 0;
    for x in 0..3 {
        ask_lesson(student, &mut student_id, json!({ "type": "try", "x": 8 - x, "y": 7 }));
    }
    ask_lesson(student, &mut student_id, json!({ "type": "offer" }));
    let (_, own) = ask_lesson(student, &mut student_id, json!({ "type": "try", "x": 0, "y": 7 }));
    let (state, _) = ask_lesson(teacher, &mut id, json!({ "type": "newcomers", "role": "audience" }));
    Taught { room, tokens, positions, state, own, _sockets: sockets, last_id: id.max(student_id) }
}

impl Taught {
    /// The lesson is there as it was, and goes on.
    fn goes_on(mut self, service: &Service) {
        let room = &self.room;
        let entered = [0, 1, 2].map(|person: usize| enter_lesson(service, room, &self.tokens[person]));
        for (nth, (_, state, own)) in entered.iter().enumerate() {
            assert_eq!(position_of(state), position_of(&self.state), "lesson {room}");
            assert_eq!(roles(state), roles(&self.state), "lesson {room}");
            for same in ["title", "teacher", "offers", "newcomers", "engine", "chat_on", "over"] {
                assert_eq!(state[same], self.state[same], "{same} in lesson {room}");
            }
            let expected = if nth == 1 { &self.own } else { &Value::Null };
            assert_eq!(own, expected, "the own board of {nth} in lesson {room}");
        }
        let [(mut teacher, ..), (mut student, ..), (mut audience, ..)] = entered;
        assert_eq!(walk(&mut teacher, &mut self.last_id), self.positions, "the record of lesson {room}");
        // Everybody may still do what they could, and nothing else.
        for (socket, message, kind) in [
            (&mut student, json!({ "type": "comment", "text": "x" }), "only_the_teacher"),
            (&mut audience, json!({ "type": "chat", "text": "x" }), "audience"),
        ] {
            socket.send(Message::text(message.to_string())).unwrap();
            let refused = loop {
                let Message::Text(text) = socket.read().unwrap() else { continue };
                let message: Value = serde_json::from_str(&text).unwrap();
                if message["type"] == "error" {
                    break message;
                }
            };
            assert_eq!(refused["kind"], kind, "lesson {room}");
        }
        let offered = self.state["offers"][0]["name"].clone();
        let show = json!({ "type": "show_offer", "name": offered });
        let (state, _) = ask_lesson(&mut teacher, &mut self.last_id, show);
        assert_eq!(state["board"][7][8], json!(state["board"][7][6]), "the variation that was offered: {state}");
        ask_lesson(&mut student, &mut self.last_id, json!({ "type": "follow" }));
    }
}

#[test]
fn a_server_on_every_address_names_one_that_can_be_opened() {
    let honinbo = Honinbo::new();
    let mut server = honinbo.spawn(&["serve", "--http", "0.0.0.0:0", "--rooms"]);
    let lines = lines_of(server.stdout.take().unwrap());
    let [web, rooms] = [0; 2].map(|_| lines.recv_timeout(Duration::from_secs(60)).unwrap());
    server.kill().unwrap();
    server.wait().unwrap();
    let origin = web.strip_prefix("web ").and_then(|url| url.split_once("/?token=")).unwrap().0;
    assert!(origin.starts_with("http://127.0.0.1:"), "{web}");
    assert_eq!(rooms, format!("rooms {origin}/api/openapi.json"));
}

#[test]
fn a_hundred_games_and_twenty_lessons_survive_the_death_of_the_server() {
    const PAIRS: usize = 10;
    const GAMES: usize = 10;
    const LESSONS: usize = 20;
    let honinbo = Honinbo::new();
    let (mut games, mut lessons) = (Vec::new(), Vec::new());
    {
        let service = honinbo.serve(&["--rooms"]);
        let pairs: Vec<[String; 2]> = (0..PAIRS)
            .map(|pair| ["black", "white"].map(|color| register(&service, &format!("{color} {pair}"))))
            .collect();
        for (pair, tokens) in pairs.iter().enumerate() {
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
            for nth in 0..LESSONS / PAIRS {
                let other = (pair + 1) % PAIRS;
                let people = [&tokens[0], &tokens[1], &pairs[other][1]].map(Clone::clone);
                lessons.push(teach(&service, (pair + nth * PAIRS) as u64, people, &format!("white {other}")));
            }
        }
        // The service is killed here, with every connection open.
    }
    let service = honinbo.serve(&["--rooms"]);
    for lesson in lessons {
        lesson.goes_on(&service);
    }
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

/// The tournament as it is told to somebody.
fn tournament(service: &Service, id: &Value, token: &str) -> Value {
    let (mut socket, _) = connect(format!("ws://{}/ws/tournaments/{id}?token={token}", address(service))).unwrap();
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            let message: Value = serde_json::from_str(&text).unwrap();
            return message["tournament"].clone();
        }
    }
}

#[test]
fn a_tournament_goes_on_after_the_death_of_the_server_in_the_middle_of_a_round() {
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&["--rooms"]);
    let tokens: Vec<String> = (0..4).map(|nth| register(&service, &format!("player {nth}"))).collect();
    let wanted = json!({ "title": "Cup", "system": "swiss", "rounds": 2, "terms": { "width": 9, "height": 9 } });
    let id = post(&service, "/api/tournaments", Some(&tokens[0]), &wanted)["id"].clone();
    let deed = |service: &Service, deed: &str, token: &str| {
        post(service, &format!("/api/tournaments/{id}/{deed}"), Some(token), &json!({}))
    };
    for token in &tokens {
        deed(&service, "join", token);
    }
    let round = deed(&service, "rounds", &tokens[0]);
    let rooms: Vec<(String, [usize; 2])> = round["rounds"][0]["games"]
        .as_array()
        .unwrap_or_else(|| panic!("{round}"))
        .iter()
        .map(|game| {
            let player = |color: &str| game[color].as_u64().unwrap() as usize;
            (game["room"].as_str().unwrap().to_owned(), [player("black"), player("white")])
        })
        .collect();
    let resign = |service: &Service, (room, players): &(String, [usize; 2])| {
        let mut players = players.map(|player| enter(service, room, &tokens[player]));
        for player in &mut players {
            state_after(player, 0);
        }
        players[1].send(Message::text(r#"{"type":"resign","id":1}"#)).unwrap();
        loop {
            let Message::Text(text) = players[1].read().unwrap() else { continue };
            if serde_json::from_str::<Value>(&text).unwrap()["type"] == "ack" {
                break;
            }
        }
    };
    resign(&service, &rooms[0]);
    // Killed, perhaps before the table has heard of the game that has just ended.
    drop(service);
    let service = honinbo.serve(&["--rooms"]);
    let back = tournament(&service, &id, &tokens[0]);
    assert_eq!(back["rounds"][0]["games"][0]["result"], "black", "{back}");
    assert_eq!((&back["rounds"][0]["games"][1]["result"], &back["can_pair"]), (&Value::Null, &json!(false)));
    resign(&service, &rooms[1]);
    let begun = std::time::Instant::now();
    while tournament(&service, &id, &tokens[0])["can_pair"] != true {
        assert!(begun.elapsed() < Duration::from_secs(120), "the result does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
    let round = deed(&service, "rounds", &tokens[0]);
    assert_eq!(round["rounds"].as_array().map(Vec::len), Some(2), "{round}");
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

#[test]
fn a_server_with_rooms_does_not_begin_without_the_settings_that_it_was_given() {
    let honinbo = Honinbo::new();
    let settings = honinbo.data.path().join("settings.toml");
    let aside = honinbo.data.path().join("settings.toml.unreadable");
    let broken = "[store]\naddress = \"postgres://go:hidden@127.0.0.1/go\n[oidc]\n";
    std::fs::write(&settings, broken).unwrap();
    let start = || honinbo.run(&["serve", "--rooms", "--http", "0"]);
    let refused = start();
    assert!(refused.failure().contains("settings.toml cannot be read: line 2"), "{refused:?}");
    assert!(!refused.stderr.contains("hidden"), "{refused:?}");
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), broken, "the settings stay as they are");
    std::fs::rename(&settings, &aside).unwrap();
    assert!(start().failure().contains("settings.toml.unreadable"));
    assert!(!honinbo.data.path().join("server.sqlite").exists(), "no other store was begun");
}

#[test]
fn a_network_or_a_device_that_was_named_and_is_not_there_is_refused_before_anybody_comes_in() {
    let honinbo = Honinbo::new();
    for rooms in [&["--rooms"] as &[&str], &[]] {
        let refused = honinbo.run(&[&["serve", "--http", "0", "--net", "no-such-network.bin.gz"], rooms].concat());
        assert!(refused.failure().contains("no-such-network.bin.gz"), "{refused:?}");
        assert_eq!(refused.stdout, "", "{refused:?}");
    }
    let Some(network) = engine() else { return };
    let refused = honinbo.run(&["serve", "--rooms", "--http", "0", "--net", &network, "--device", "no-such-device"]);
    assert!(refused.failure().contains("no-such-device"), "{refused:?}");
}

#[test]
fn a_class_behind_one_address_comes_in_and_who_is_too_many_is_said_to_the_operator() {
    let honinbo = Honinbo::new();
    let doors = ["--http", "0", "--tcp", "127.0.0.1:0"];
    let options = ["--rooms", "--guests", "--trusted-proxy", "loopback"];
    let mut server = honinbo.spawn(&[&["serve"], doors.as_slice(), options.as_slice()].concat());
    let log = lines_of(server.stderr.take().unwrap());
    let service = Honinbo::opened(server);
    let come = |from: &str| {
        let head = format!("X-Forwarded-For: {from}\r\n");
        let answer = ask_with(address(&service), "POST", "/api/guest", &head, &json!({}));
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    for guest in 0..200 {
        assert_eq!(come("192.0.2.1"), "201", "guest {guest}");
    }
    assert_eq!(come("192.0.2.1"), "429");
    assert_eq!(come("192.0.2.2"), "201", "whoever is elsewhere");
    let mut said = std::iter::from_fn(|| log.recv_timeout(Duration::from_secs(60)).ok());
    assert!(said.any(|line| line.contains("address=192.0.2.1 limit=200")), "the operator is not told");
}

#[test]
fn a_server_does_not_begin_without_its_data_folder() {
    let honinbo = Honinbo::new();
    let file = honinbo.data.path().join("file");
    std::fs::write(&file, "").unwrap();
    for place in [file.clone(), file.join("below")] {
        for rooms in [&["--rooms"] as &[&str], &[]] {
            let place = place.display().to_string();
            let refused = honinbo.run(&[&["serve", "--http", "0", "--data", &place], rooms].concat());
            assert!(refused.failure().contains(&format!("cannot use {place}")), "{refused:?}");
            assert_eq!(refused.stdout, "", "{refused:?}");
        }
    }
}
