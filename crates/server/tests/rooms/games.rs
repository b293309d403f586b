//! Games between two clients, and against engines.

use crate::club::{Club, DATABASE_FILE, Guest, OPEN, PATIENCE};
use futures_util::SinkExt as _;
use honinbo_api::{ApiError, Caller, EngineSource};
use honinbo_evaluator::StopFlag;
use honinbo_library::{RoomChange, ServerStore, StoredRoom};
use honinbo_players::{Player, PlayerError};
use honinbo_rooms::{
    ClientMessage, MAX_CHAT_CHARS, MAX_CHAT_LINES, Now, Opinion, Request, Room, Seat, Terms, TimeTerms,
};
use honinbo_rules::{Game, Move, Point};
use honinbo_server::Opponents;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

fn nine() -> Value {
    json!({ "terms": { "width": 9, "height": 9 }, "color": "black" })
}

/// Two people in a room whose game has begun.
async fn two(club: &Club, wanted: Value) -> (String, [String; 2], [Guest; 2]) {
    let (anna, ben) = (club.register("Anna").await, club.register("Ben").await);
    let room = club.room(&anna, wanted).await;
    let mut black = club.enter(&room, &anna).await;
    assert_eq!(black.receive().await["state"]["stage"], "waiting");
    let mut white = club.enter(&room, &ben).await;
    assert_eq!(white.receive().await["type"], "game_start");
    black.until_type("game_start").await;
    (room, [anna, ben], [black, white])
}

/// The number of a room that was kept.
const KEPT: &str = "12345678";

/// The file of a server that is closed.
fn store_in(folder: &Path) -> ServerStore {
    ServerStore::open(&folder.join("server.sqlite")).unwrap()
}

fn person_in(store: &ServerStore, key: &str) -> String {
    store.account_named(key).unwrap().unwrap().id.to_string()
}

/// Keeps the room of Anna and Ben on 9x9 as it was in the first second of 1970, after what `happens` in it.
fn keep_game(store: &ServerStore, people: [&str; 2], time: Option<TimeTerms>, happens: impl FnOnce(&mut Room)) {
    let [anna, ben] = people;
    let seats = [Some(Seat::person(anna, "Anna")), Some(Seat::person(ben, "Ben"))];
    let mut room = Room::new(KEPT, Terms { width: 9, height: 9, time, ..Terms::default() }, seats).unwrap();
    for person in people {
        room.connected(person, Now::at(Duration::ZERO));
    }
    happens(&mut room);
    let room = StoredRoom { id: KEPT.into(), state: room.to_kept(Duration::ZERO), saved_ms: 1_000 };
    store.change_rooms(&[RoomChange::Save { room, finished: None }]).unwrap();
}

fn place(x: u64, y: u64, color: u64) -> Value {
    json!({ "type": "move", "x": x, "y": y, "color": color })
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_are_cut_off_come_back_and_count() {
    two_people_play_are_cut_off_come_back_and_count_in(tempfile::tempdir().unwrap().path()).await;
}

async fn two_people_play_are_cut_off_come_back_and_count_in(folder: &Path) {
    let club = Club::open(folder, OPEN).await;
    let (room, [anna, ben], [mut black, mut white]) = two(&club, nine()).await;
    let mut number = 0;
    for y in 0..9 {
        number += 1;
        black.send(place(3, y, 1)).await;
        assert_eq!(white.until_move(number).await["state"]["turn"], 2);
        black.until_move(number).await;
        number += 1;
        white.send(place(4, y, 2)).await;
        let last = white.until_move(number).await["seq"].as_u64().unwrap();
        black.until_move(number).await;
        if y == 4 {
            // White is cut off, hears nothing of Black's move, and finds the very same game.
            drop(white);
            black.until("White is away", |message| message["state"]["players"][1]["online"] == false).await;
            black.send(json!({ "type": "chat", "text": "またね" })).await;
            black.until_type("chat").await;
            white = club.try_enter(&room, &ben, &format!("&after={last}")).await.unwrap();
            let missed = white.receive().await;
            let kinds: Vec<&str> =
                missed["events"].as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap()).collect();
            assert_eq!(kinds, ["presence", "chat", "presence"]);
            assert_eq!(missed["state"]["current_move_number"], number);
        }
    }
    black.send(json!({ "type": "pass" })).await;
    white.until_move(19).await;
    white.send(json!({ "type": "pass" })).await;
    for guest in [&mut black, &mut white] {
        let counting = guest.until("counting", |message| message["state"]["stage"] == "counting").await;
        let revision = counting["state"]["counting"]["revision"].clone();
        guest.send(json!({ "type": "agree", "revision": revision })).await;
    }
    for guest in [&mut black, &mut white] {
        let over = guest.until_type("game_over").await;
        assert_eq!(over["state"]["result"], "W+16.5");
        assert_eq!(over["state"]["winner"], 2);
        assert_eq!(over["state"]["final_score"], json!({ "black": 36.0, "white": 52.5 }));
    }
    // The game is in both lists, and its record can be had by those who played it alone.
    let carl = club.register("Carl").await;
    for token in [&anna, &ben] {
        let (_, games) = club.get("/api/games", Some(token)).await;
        let game = &games["games"][0];
        assert_eq!((&game["black"], &game["white"], &game["moves"]), (&json!("Anna"), &json!("Ben"), &json!(20)));
        let path = format!("/api/games/{}", game["id"]);
        let (status, sgf) = club.get(&path, Some(token)).await;
        assert!(status == 200 && sgf.as_str().unwrap().contains("RE[W+16.5]"), "{sgf}");
        assert_eq!(club.get(&path, Some(&carl)).await.0, 404);
        let path = format!("{path}/positions");
        let (_, looked) = club.get(&path, Some(token)).await;
        let positions = looked["positions"].as_array().unwrap();
        assert_eq!((positions.len(), &positions[0]["stones"]), (21, &json!(".".repeat(81))));
        assert_eq!(
            positions[1],
            json!({ "stones": format!("...X.....{}", ".".repeat(72)), "last_move": [3, 0], "moved": 1 })
        );
        assert_eq!((&positions[20]["last_move"], &positions[20]["moved"]), (&Value::Null, &json!(2)));
        assert_eq!(club.get(&path, Some(&carl)).await.0, 404);
    }
    assert_eq!(club.get("/api/games", Some(&carl)).await.1, json!({ "games": [] }));
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (room, _, [black, white]) = two(&club, nine()).await;
    let carl = club.register("Carl").await;
    let mut watcher = club.enter(&room, &carl).await;
    assert_eq!(watcher.receive().await["type"], "game_start", "a third one watches");
    let mut guests = [black, white, watcher];
    for (nth, message, kind) in [
        (1, place(0, 0, 2), "not_your_turn"),
        (0, place(0, 0, 2), "not_your_color"),
        (0, place(9, 0, 1), "outside"),
        (2, place(0, 0, 1), "not_a_player"),
        (2, json!({ "type": "resign" }), "not_a_player"),
        (1, json!({ "type": "undo_answer", "granted": true }), "nothing_asked"),
        (0, json!({ "type": "steal" }), "malformed"),
        (0, json!([1, 2]), "malformed"),
    ] {
        guests[nth].send(message.clone()).await;
        let error = guests[nth].until_type("error").await;
        assert_eq!(error["kind"], kind, "{message}");
    }
    let [mut black, mut white, _watcher] = guests;
    black.send(json!({ "type": "nonsense", "id": 5 })).await;
    let error = black.until_type("error").await;
    assert_eq!((&error["kind"], &error["id"]), (&json!("malformed"), &json!(5)));
    black.socket.send(Message::text("x".repeat(9000))).await.unwrap();
    assert_eq!(black.until_type("error").await["kind"], "malformed");
    black.send(json!({ "type": "sync", "id": 6 })).await;
    let state = black.until_type("game_start").await;
    assert_eq!((&state["state"]["current_move_number"], &state["moves"]), (&json!(0), &json!([])));
    // After what was asked for.
    assert_eq!(black.until_type("ack").await["id"], 6);
    // A message that is sent again is done once.
    let first = json!({ "type": "move", "x": 4, "y": 4, "id": 1 });
    for _ in 0..3 {
        black.send(first.clone()).await;
        assert_eq!(black.until_type("ack").await["id"], 1);
    }
    assert_eq!(white.until_move(1).await["state"]["board"][4][4], 1);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_come_back_when_the_server_does() {
    rooms_come_back_when_the_server_does_in(tempfile::tempdir().unwrap().path()).await;
}

async fn rooms_come_back_when_the_server_does_in(folder: &Path) {
    let club = Club::open(folder, OPEN).await;
    let time = json!({ "kind": "byo_yomi", "main_seconds": 600, "period_seconds": 30, "periods": 3 });
    let wanted = json!({ "terms": { "width": 13, "height": 11, "topology": "torus", "time": time }, "color": "black" });
    let (room, [anna, _], [mut black, mut white]) = two(&club, wanted).await;
    black.send(place(0, 0, 1)).await;
    let before = white.until_move(1).await;
    club.close().await;
    let goodbye = loop {
        let message = white.receive().await;
        if message["type"] == "closed" {
            break message;
        }
    };
    assert_eq!(goodbye["code"], 1001);

    let club = Club::open(folder, OPEN).await;
    let mut black = club.enter(&room, &anna).await;
    let after = black.receive().await;
    assert_eq!(after["type"], "game_start");
    assert!(after["seq"].as_u64() > before["seq"].as_u64());
    for same in ["board", "turn", "topology", "current_move_number", "stage", "last_move"] {
        assert_eq!(after["state"][same], before["state"][same], "{same}");
    }
    let left = |state: &Value, color: &str| state["clock"][color]["main_seconds"].as_f64().unwrap();
    assert!((left(&after["state"], "black") - left(&before["state"], "black")).abs() < 1e-6);
    assert!(left(&after["state"], "white") <= left(&before["state"], "white") + 1e-6);
    assert_eq!(after["state"]["clock"]["running"], Value::Null, "it stands until White is back");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_whose_time_has_run_out_when_its_room_comes_back_is_kept_once() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (anna, _) = (club.register("Anna").await, club.register("Ben").await);
    club.close().await;
    {
        let store = store_in(folder.path());
        let [anna, ben] = ["anna", "ben"].map(|key| person_in(&store, key));
        let time = Some(TimeTerms::Absolute { main_seconds: 60.0 });
        keep_game(&store, [&anna, &ben], time, |_| ());
        // The server ran on for longer than Black had.
        store.set_alive(62_000).unwrap();
    }
    // The room is over the next time.
    for _ in 0..2 {
        let club = Club::open(folder.path(), OPEN).await;
        let begun = Instant::now();
        let games = loop {
            let (_, games) = club.get("/api/games", Some(&anna)).await;
            let games = games["games"].as_array().unwrap().clone();
            if !games.is_empty() {
                break games;
            }
            assert!(begun.elapsed() < PATIENCE, "the game is not kept");
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert_eq!((games.len(), &games[0]["result"]), (1, &json!("W+T")));
        club.close().await;
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_club_whose_store_is_postgresql_is_the_same_one() {
    let Some(server) = honinbo_testkit::PostgresServer::start() else { return };
    let [first, second, third] = [0; 3].map(|_| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(DATABASE_FILE), server.database()).unwrap();
        folder
    });
    two_people_play_are_cut_off_come_back_and_count_in(first.path()).await;
    rooms_come_back_when_the_server_does_in(second.path()).await;
    let club = Club::open(third.path(), OPEN).await;
    let (status, refused) = club.post("/api/backup", Some(&club.operator), json!({})).await;
    assert_eq!((status, &refused["error"]["kind"]), (409, &json!("copied_elsewhere")));
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_plays_in_a_room_of_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (anna, ben) = (club.register("Anna").await, club.register("Ben").await);
    let mut room = club.enter("ai_katago", &anna).await;
    let start = room.receive().await;
    assert_eq!((&start["type"], &start["room"]), (&json!("game_start"), &json!("ai_katago")));
    assert_eq!((&start["state"]["ai_enabled"], &start["state"]["ai_difficulty"]), (&json!(true), &json!("hard")));
    room.send(place(3, 3, 1)).await;
    assert_eq!(room.until_move(2).await["state"]["board"][0][0], 2);
    let mut other = club.enter("ai_katago", &ben).await;
    assert_eq!(other.receive().await["state"]["current_move_number"], 0, "somebody else's is another one");
    let mut easy = club.enter("ai_easy", &anna).await;
    assert_eq!(easy.receive().await["state"]["current_move_number"], 0, "and so is one against another engine");

    room.send(json!({ "type": "pass" })).await;
    let counting = room.until("engine agrees", |message| message["state"]["counting"]["agreed"] == json!([2])).await;
    room.send(json!({ "type": "agree", "revision": counting["state"]["counting"]["revision"] })).await;
    room.until_type("game_over").await;
    let mut again = club.enter("ai_katago", &anna).await;
    assert_eq!(again.receive().await["state"]["current_move_number"], 0, "the next game begins");
    let (_, games) = club.get("/api/games", Some(&anna)).await;
    assert_eq!((games["games"].as_array().unwrap().len(), &games["games"][0]["white"]), (1, &json!("hard")));

    let mut unknown = club.enter("ai_nobody", &anna).await;
    assert_eq!(unknown.receive().await["kind"], "unknown_engine");
    let (status, answer) = club.post("/api/generate-room", Some(&anna), json!({ "opponent": "nobody" })).await;
    assert_eq!((status, &answer["error"]["kind"]), (404, &json!("unknown_engine")));
    club.close().await;
}

/// Engines that play once they are let.
#[derive(Clone)]
struct Held {
    let_play: watch::Sender<bool>,
    /// How many turns have been thought about.
    begun: watch::Sender<usize>,
}

struct HeldPlayer(Held);

impl Player for HeldPlayer {
    fn name(&self) -> String {
        "held".into()
    }

    fn choose(&mut self, game: &Game, _: Duration, stop: &StopFlag) -> Result<Move, PlayerError> {
        self.0.begun.send_modify(|begun| *begun += 1);
        while !*self.0.let_play.borrow() && !stop.is_set() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(game.legal_points().next().map_or(Move::Pass, Move::Place))
    }
}

impl Opponents for Held {
    fn opponent(&self, _: &str) -> Result<Box<dyn Player>, ApiError> {
        Ok(Box::new(HeldPlayer(self.clone())))
    }

    fn names(&self) -> Vec<String> {
        vec!["held".into()]
    }

    fn engine(&self) -> EngineSource {
        EngineSource::Network
    }

    fn dead_stones(&self, _: &Game) -> Vec<Point> {
        Vec::new()
    }

    fn opinion(&self, _: &Game, _: &Caller) -> Option<Opinion> {
        None
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_of_an_engine_stands_while_it_waits_for_others() {
    let folder = tempfile::tempdir().unwrap();
    let engines = Held { let_play: watch::channel(false).0, begun: watch::channel(0).0 };
    let club = Club::open_with(folder.path(), OPEN, Arc::new(engines.clone()), None).await;
    let anna = club.register("Anna").await;
    // Two engines think at a time, and these do until they are let play.
    let mut guests = Vec::new();
    let mut begun = engines.begun.subscribe();
    for time in [Value::Null, Value::Null, json!({ "kind": "absolute", "main_seconds": 600 })] {
        let terms = json!({ "width": 9, "height": 9, "time": time });
        let room = club.room(&anna, json!({ "terms": terms, "color": "black", "opponent": "held" })).await;
        let mut guest = club.enter(&room, &anna).await;
        guest.send(place(4, 4, 1)).await;
        guest.until_move(1).await;
        guests.push(guest);
        let thinking = guests.len().min(2);
        timeout(PATIENCE, begun.wait_for(|begun| *begun >= thinking)).await.expect("it does not think").unwrap();
    }
    let waiting = &mut guests[2];
    let told = waiting.until("the engine waits", |message| message["events"][0]["kind"] == "engine_busy").await;
    assert_eq!(told["state"]["clock"]["running"], Value::Null);
    engines.let_play.send_replace(true);
    waiting.until("it thinks", |message| message["state"]["clock"]["running"] == 2).await;
    assert_eq!(waiting.until_move(2).await["state"]["clock"]["running"], 1);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_reads_nothing_holds_nobody_up_and_gets_the_whole_room_later() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (room, _, [mut black, mut white]) =
        two(&club, json!({ "color": "black", "terms": { "width": 37, "height": 37 } })).await;
    let carl = club.register("Carl").await;
    let mut sleeper = club.enter(&room, &carl).await;
    // Far more than the sockets and the mailbox hold.
    for nth in 0..45 {
        for on in [false, true] {
            let guest = if nth % 2 == 0 { &mut black } else { &mut white };
            for _ in 0..25 {
                guest.send(json!({ "type": "chat_switch", "on": on })).await;
                guest.send(json!({ "type": "chat_switch", "on": !on })).await;
            }
            guest.send(json!({ "type": "sync" })).await;
            guest.until("the whole room", |message| message["moves"].is_array()).await;
        }
    }
    black.send(place(3, 3, 1)).await;
    let newest = black.until_move(1).await["seq"].as_u64().unwrap();
    let mut messages = 0;
    let caught_up = loop {
        let message = sleeper.receive().await;
        messages += 1;
        if message["seq"].as_u64().unwrap() >= newest {
            break message;
        }
    };
    assert_eq!(caught_up["state"]["board"][3][3], 1);
    assert!(messages < newest, "{messages} messages of {newest} were kept for it");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_reloads_a_room_full_of_talk_sees_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (anna, _) = (club.register("Anna").await, club.register("Ben").await);
    club.close().await;
    {
        let store = store_in(folder.path());
        let [anna, ben] = ["anna", "ben"].map(|key| person_in(&store, key));
        keep_game(&store, [&anna, &ben], None, |room| {
            // As long and as many lines as there may be, in characters of three bytes.
            let text = "話".repeat(MAX_CHAT_CHARS);
            let message = ClientMessage { id: None, request: Request::Chat { text } };
            for nth in 1..=MAX_CHAT_LINES as u64 {
                room.handle(&anna, "Anna", &message, Now::at(Duration::from_secs(100 * nth))).unwrap();
            }
        });
    }
    let club = Club::open(folder.path(), OPEN).await;
    let mut black = club.enter(KEPT, &anna).await;
    let start = black.receive().await;
    assert_eq!((&start["type"], start["state"]["board"].as_array().map(Vec::len)), (&json!("game_start"), Some(9)));
    let lines = start["chat"].as_array().unwrap().len();
    assert!((10..MAX_CHAT_LINES).contains(&lines), "{lines} lines are remembered");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whose_account_is_deleted_has_lost() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (_, [anna, ben], [mut black, mut white]) = two(&club, nine()).await;
    // Ben watches somebody else's game too.
    let room = club.room(&anna, json!({ "terms": { "width": 9, "height": 9 }, "color": "black" })).await;
    let mut other = club.enter(&room, &anna).await;
    let mut watcher = club.try_enter(&room, &ben, "&watch=true").await.unwrap();
    other.receive().await;
    assert_eq!(watcher.receive().await["state"]["spectators"], 1);
    let (status, answer) = club.post("/api/delete-account", Some(&ben), json!({ "password": "wrong" })).await;
    assert_eq!((status, &answer["error"]["kind"]), (403, &json!("wrong_credentials")));
    let (status, _) = club.post("/api/delete-account", Some(&ben), json!({ "password": "long enough" })).await;
    assert_eq!(status, 204);
    assert_eq!(black.until_type("game_over").await["state"]["result"], "B+F");
    white.until_type("game_over").await;
    assert_eq!(white.receive().await["type"], "closed");
    while watcher.receive().await["type"] != "closed" {}
    other.send(json!({ "type": "sync" })).await;
    let now = other.until("the room", |message| message["moves"].is_array()).await;
    assert_eq!(now["state"]["spectators"], 0);
    let (_, online) = club.get("/api/online-users", Some(&anna)).await;
    assert_eq!(online["users"].as_array().unwrap().len(), 1, "{online}");
    assert_eq!(club.get("/api/me", Some(&ben)).await.0, 401);
    let (_, games) = club.get("/api/games", Some(&anna)).await;
    assert_eq!(games["games"][0]["result"], "B+F");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whose_account_was_deleted_when_the_server_ended_has_lost_when_the_room_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let anna = club.register("Anna").await;
    club.close().await;
    {
        let store = store_in(folder.path());
        keep_game(&store, [&person_in(&store, "anna"), "999999"], None, |_| ());
    }
    let club = Club::open(folder.path(), OPEN).await;
    let mut black = club.enter(KEPT, &anna).await;
    assert_eq!(black.until_type("game_over").await["state"]["result"], "B+F");
    let (_, games) = club.get("/api/games", Some(&anna)).await;
    assert_eq!(games["games"][0]["result"], "B+F");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_have_the_form_that_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (_, document) = club.get("/api/asyncapi.json", None).await;
    let schemas = &document["components"]["schemas"];
    // The largest board, whose last point is the largest number that a point has.
    let wanted = json!({ "terms": { "width": 52, "height": 52 }, "color": "black" });
    let (_, [anna, _], [mut black, mut white]) = two(&club, wanted).await;
    black.send(place(51, 51, 1)).await;
    let update = white.until_move(1).await;
    let mut keys: Vec<&String> = update["state"].as_object().unwrap().keys().collect();
    let mut described: Vec<&str> =
        schemas["state"]["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    keys.sort();
    described.sort_unstable();
    assert_eq!(keys, described);
    let kinds = schemas["event"]["properties"]["kind"]["enum"].as_array().unwrap();
    for event in update["events"].as_array().unwrap() {
        assert!(kinds.contains(&event["kind"]), "{event}");
    }
    assert_eq!(update["state"]["last_move"], json!([51, 51]));
    assert_eq!(schemas["point"]["items"]["maximum"], 51);
    white.send(json!({ "type": "resign", "id": 1 })).await;
    white.until_type("ack").await;
    let (_, games) = club.get("/api/games", Some(&anna)).await;
    let path = format!("/api/games/{}/positions", games["games"][0]["id"]);
    let (_, found) = club.get(&path, Some(&anna)).await;
    assert_eq!(found["positions"][1]["last_move"], json!([51, 51]));
    let (_, routes) = club.get("/api/openapi.json", None).await;
    let answer = &routes["paths"]["/api/games/{id}/positions"]["get"]["responses"]["200"]["content"];
    let position = &answer["application/json"]["schema"]["properties"]["positions"]["items"];
    assert_eq!(position["properties"]["last_move"]["items"]["maximum"], 51);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rated_game_moves_both_ratings_and_they_are_the_same_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let rated = json!({ "terms": { "width": 9, "height": 9, "rated": true }, "color": "black" });
    let (_, [anna, ben], [mut black, mut white]) = two(&club, rated.clone()).await;
    assert_eq!(club.get("/api/players/Ben", Some(&anna)).await.1["ratings"], json!([]));
    black.send(place(2, 2, 1)).await;
    assert_eq!(white.until_move(1).await["state"]["rated"], true);
    white.send(json!({ "type": "resign", "id": 1 })).await;
    white.until_type("ack").await;
    let (_, page) = club.get("/api/players/ANNA", Some(&ben)).await;
    let rating = &page["ratings"][0];
    assert_eq!(
        (&page["username"], &rating["rating"], &rating["deviation"]),
        (&json!("Anna"), &json!(1662), &json!(290))
    );
    assert_eq!((&rating["width"], &rating["games"], &rating["provisional"]), (&json!(9), &json!(1), &json!(true)));
    let (_, online) = club.get("/api/online-users", Some(&anna)).await;
    assert_eq!(online["users"][1]["ratings"][0]["rating"], 1338);

    // What does not count: a game that was not to, one against an engine, one with handicap, one of a guest.
    let (status, answer) =
        club.post("/api/generate-room", Some(&anna), json!({ "terms": { "rated": true }, "opponent": "hard" })).await;
    assert_eq!((status, &answer["error"]["kind"]), (409, &json!("not_rated")));
    let handicap = json!({ "terms": { "rated": true, "handicap": 4 } });
    assert_eq!(club.post("/api/generate-room", Some(&anna), handicap).await.0, 409);
    for odd in [json!({ "rated": true, "komi": -60 }), json!({ "rated": true, "width": 2, "height": 2 })] {
        let (status, answer) = club.post("/api/generate-room", Some(&anna), json!({ "terms": odd })).await;
        assert_eq!((status, &answer["error"]["kind"]), (409, &json!("bad_terms")));
    }
    let (_, guest) = club.post("/api/guest", None, json!({})).await;
    let guest = guest["token"].as_str().unwrap().to_owned();
    assert_eq!(club.post("/api/generate-room", Some(&guest), rated.clone()).await.0, 409);
    let room = club.room(&anna, nine()).await;
    let mut unrated = [club.enter(&room, &anna).await, club.enter(&room, &ben).await];
    unrated[0].until_type("game_start").await;
    unrated[1].send(json!({ "type": "resign", "id": 1 })).await;
    unrated[1].until_type("ack").await;
    assert_eq!(club.get("/api/players/Anna", Some(&ben)).await.1["ratings"][0]["games"], 1);
    // Nobody learns who else has an account.
    let carl = club.register("Carl").await;
    assert_eq!(club.get("/api/players/Nobody", Some(&carl)).await.0, 404);
    drop((black, white, unrated));
    club.close().await;

    let club = Club::open(folder.path(), OPEN).await;
    assert_eq!(club.get("/api/players/Anna", Some(&ben)).await.1, page);
    assert_eq!(club.get("/api/players/Carl", Some(&ben)).await.0, 404, "he is not here and has played nothing");
    // Whoever deletes the account takes nobody's rating along, and loses a game under way as any other.
    let before = club.get("/api/players/Ben", Some(&ben)).await.1["ratings"].clone();
    assert_eq!(before[0]["rating"], 1338);
    let room = club.room(&anna, json!({ "terms": { "width": 9, "height": 9, "rated": true }, "color": "black" })).await;
    let mut players = [club.enter(&room, &anna).await, club.enter(&room, &ben).await];
    players[0].until_type("game_start").await;
    players[0].send(place(2, 2, 1)).await;
    players[1].until_move(1).await;
    club.post("/api/delete-account", Some(&anna), json!({ "password": "long enough" })).await;
    players[1].until_type("game_over").await;
    let after = club.get("/api/players/Ben", Some(&ben)).await.1["ratings"].clone();
    assert_eq!(after[0]["games"], 2, "{after}");
    assert!(after[0]["rating"].as_i64() > before[0]["rating"].as_i64(), "{before} {after}");
    drop(players);
    club.close().await;
    let club = Club::open(folder.path(), OPEN).await;
    assert_eq!(club.get("/api/players/Ben", Some(&ben)).await.1["ratings"], after);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_watches_a_rated_game_and_is_not_invited_to_one() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let rated = json!({ "terms": { "width": 9, "height": 9, "rated": true }, "color": "black" });
    let (anna, ben) = (club.register("Anna").await, club.register("Ben").await);
    let (_, guest) = club.post("/api/guest", None, json!({})).await;
    let (name, guest) = (&guest["username"], guest["token"].as_str().unwrap());
    club.get("/api/me", Some(guest)).await;
    let room = club.room(&anna, rated.clone()).await;
    let mut black = club.enter(&room, &anna).await;
    let mut watcher = club.enter(&room, guest).await;
    assert_eq!(watcher.receive().await["state"]["players"][1], Value::Null, "the seat is free");
    for into in [json!({ "username": name, "room_id": room }), json!({ "username": name, "room": rated })] {
        let (status, answer) = club.post("/api/invite", Some(&anna), into).await;
        assert_eq!((status, &answer["error"]["kind"]), (409, &json!("not_rated")));
    }
    assert_eq!(club.get("/api/invitations", Some(guest)).await.1, json!({ "invitations": [] }));
    let (_, rooms) = club.get("/api/rooms", Some(&anna)).await;
    assert_eq!(rooms["rooms"].as_array().unwrap().len(), 1, "none was made for an invitation that was refused");
    let mut white = club.enter(&room, &ben).await;
    black.until_type("game_start").await;
    assert_eq!(white.receive().await["state"]["players"][1]["name"], "Ben");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn those_who_watch_a_game_with_a_delay_see_it_later_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let wanted = json!({ "terms": { "width": 9, "height": 9, "delay_seconds": 2 }, "color": "black" });
    let (room, [anna, _], [mut black, mut white]) = two(&club, wanted).await;
    let cara = club.register("Cara").await;
    let mut watcher = club.try_enter(&room, &cara, "&watch=true").await.unwrap();
    let first = watcher.receive().await;
    assert_eq!((&first["state"]["current_move_number"], &first["state"]["delay_seconds"]), (&json!(0), &json!(2)));
    let played = Instant::now();
    black.send(place(2, 2, 1)).await;
    white.until_move(1).await;
    watcher.send(json!({ "type": "sync" })).await;
    let seen = watcher.until_move(1).await;
    assert!(played.elapsed() >= Duration::from_secs(2), "{:?}", played.elapsed());
    // Who has seen what may be seen by now is not told the whole room again.
    watcher.send(json!({ "type": "sync", "after": seen["seq"] })).await;
    let nothing = watcher.until("nothing new", |message| message["state"].is_null()).await;
    assert_eq!((&nothing["seq"], &nothing["events"]), (&seen["seq"], &json!([])));
    // Neither coming back nor asking again shows more than that.
    white.send(place(6, 6, 2)).await;
    black.until_move(2).await;
    let mut other = club.try_enter(&room, &cara, "&watch=true&after=0").await.unwrap();
    let first = other.receive().await;
    assert_eq!(first["state"]["current_move_number"], 1);
    // An answer says no more either, not even how much there is.
    for (asked, answer) in [("chat", "ack"), ("resign", "error")] {
        other.send(json!({ "type": asked, "text": "well played", "id": 7 })).await;
        let told = other.until_type(answer).await;
        assert_eq!((&told["seq"], &told["id"]), (&first["seq"], &json!(7)), "{told}");
    }
    club.close().await;

    let restarted = Instant::now();
    let club = Club::open(folder.path(), OPEN).await;
    let mut watcher = club.try_enter(&room, &cara, "&watch=true").await.unwrap();
    watcher.until_move(2).await;
    assert!(restarted.elapsed() >= Duration::from_secs(2), "{:?}", restarted.elapsed());
    let mut black = club.enter(&room, &anna).await;
    assert_eq!(black.receive().await["state"]["current_move_number"], 2, "a player sees the game as it is");
    let late = json!({ "terms": { "delay_seconds": 601 } });
    assert_eq!(club.post("/api/generate-room", Some(&anna), late).await.0, 400);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_gives_a_seat_up_watches_like_anybody_else() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let [anna, ben, carl] = [club.register("Anna").await, club.register("Ben").await, club.register("Carl").await];
    let wanted = json!({ "terms": { "width": 9, "height": 9, "delay_seconds": 600 }, "color": "black" });
    let room = club.room(&anna, wanted).await;
    let mut left = club.enter(&room, &anna).await;
    left.send(json!({ "type": "leave", "id": 1 })).await;
    left.until_type("ack").await;
    let mut players = [club.enter(&room, &ben).await, club.enter(&room, &carl).await];
    players[1].until_type("game_start").await;
    players[0].send(json!({ "type": "move", "x": 2, "y": 2 })).await;
    players[1].until_move(1).await;
    left.send(json!({ "type": "sync" })).await;
    let seen = left.receive().await;
    assert_eq!(seen["state"]["current_move_number"], 0, "those who watch see it later: {seen}");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_tab_of_who_sat_down_again_makes_nobody_away() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let [anna, ben] = [club.register("Anna").await, club.register("Ben").await];
    let room = club.room(&anna, json!({ "terms": { "width": 9, "height": 9 }, "color": "black" })).await;
    let mut old = club.enter(&room, &anna).await;
    old.send(json!({ "type": "leave", "id": 1 })).await;
    old.until_type("ack").await;
    let mut new = club.enter(&room, &anna).await;
    assert_eq!(new.receive().await["state"]["spectators"], 1, "the old tab");
    drop(old);
    let begun = Instant::now();
    loop {
        new.send(json!({ "type": "sync" })).await;
        let state = new.until("the room", |message| message["state"].is_object()).await["state"].clone();
        assert_eq!(state["players"][0]["online"], true, "{state}");
        if state["spectators"] == 0 {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "the old tab is still there: {state}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut other = club.enter(&room, &ben).await;
    other.until_type("game_start").await;
    club.close().await;
}
