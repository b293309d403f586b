//! Lessons over sockets: a class, cuts, restarts, records.

use crate::club::{Club, Guest, OPEN};
use base64::Engine as _;
use serde_json::{Value, json};

fn corners() -> Value {
    json!({ "title": "Corners", "terms": { "width": 9, "height": 9 }, "listed": true })
}

async fn lesson(club: &Club, token: &str, wanted: Value) -> String {
    let (status, answer) = club.post("/api/lessons", Some(token), wanted).await;
    assert_eq!(status, 201, "{answer}");
    answer["room_id"].as_str().unwrap().to_owned()
}

fn play(x: u64, y: u64) -> Value {
    json!({ "type": "play", "x": x, "y": y })
}

/// Comes into a lesson; how it stands, and the board of one's own.
async fn enter(club: &Club, room: &str, token: &str) -> (Guest, Value, Value) {
    let mut guest = club.enter(room, token).await;
    let state = guest.receive().await;
    assert_eq!(state["type"], "lesson_state", "{state}");
    assert!(state["chat"].is_array());
    let own = guest.receive().await;
    assert_eq!(own["type"], "own_board");
    (guest, state["state"].clone(), own["own"].clone())
}

async fn until_move(guest: &mut Guest, number: u64) -> Value {
    let told = guest.until("a move", |message| message["state"]["move_number"] == number).await;
    told["state"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_class_of_ten_sees_one_board_and_keeps_the_lesson() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let teacher = club.register("Tomo").await;
    let room = lesson(&club, &teacher, corners()).await;
    let (mut tomo, state, own) = enter(&club, &room, &teacher).await;
    assert_eq!(
        (&state["title"], &state["people"][0]["role"], own),
        (&json!("Corners"), &json!("teacher"), Value::Null)
    );
    let mut class = Vec::new();
    for nth in 0..10 {
        let token = club.register(&format!("Student {nth}")).await;
        let (_, listed) = club.get("/api/lessons", Some(&token)).await;
        assert_eq!(
            (&listed["lessons"][0]["room_id"], &listed["lessons"][0]["online"]),
            (&json!(room), &json!(nth + 1))
        );
        let (guest, state, _) = enter(&club, &room, &token).await;
        assert_eq!(state["people"][nth + 1]["role"], "student");
        class.push((token, guest));
    }
    tomo.send(play(2, 2)).await;
    let mut boards = vec![until_move(&mut tomo, 1).await["board"].clone()];
    for (_, guest) in &mut class {
        boards.push(until_move(guest, 1).await["board"].clone());
    }
    assert!(boards.iter().all(|board| board[2][2] == 1), "{boards:?}");

    // One tries something, is cut off, and finds the lesson and the own board again.
    let (token, mut anna) = class.remove(0);
    for (x, y) in [(2, 3), (3, 3)] {
        anna.send(json!({ "type": "try", "x": x, "y": y })).await;
        anna.until_type("own_board").await;
    }
    drop(anna);
    tomo.until("she is away", |message| message["state"]["people"][1]["online"] == false).await;
    tomo.send(json!({ "type": "comment", "text": "Contact!" })).await;
    tomo.until("the comment", |message| message["state"]["comment"] == "Contact!").await;
    let (mut anna, state, own) = enter(&club, &room, &token).await;
    assert_eq!((&state["comment"], &own["moves"], &own["board"][3][3]), (&json!("Contact!"), &json!(2), &json!(1)));
    // What one may not do is refused, to that one alone.
    anna.send(json!({ "type": "play", "x": 0, "y": 0, "id": 1 })).await;
    let refused = anna.until_type("error").await;
    assert_eq!((&refused["kind"], &refused["id"]), (&json!("only_the_teacher"), &json!(1)));
    anna.send(json!({ "type": "offer", "id": 2 })).await;
    assert_eq!(anna.until_type("ack").await["id"], 2);
    tomo.until("the offer", |message| message["state"]["offers"][0]["name"] == "Student 0").await;
    tomo.send(json!({ "type": "show_offer", "name": "Student 0" })).await;
    for (_, guest) in &mut class {
        assert_eq!(until_move(guest, 3).await["board"][3][3], 1);
    }
    tomo.send(json!({ "type": "point", "x": 4, "y": 4 })).await;
    assert_eq!(class[0].1.until_type("lesson_pointer").await["point"], json!([4, 4]));
    class[1].1.send(json!({ "type": "chat", "text": "なるほど" })).await;
    let line = class[2].1.until_type("chat").await;
    assert_eq!((&line["events"][0]["name"], &line["events"][0]["text"]), (&json!("Student 2"), &json!("なるほど")));

    // The server is started again in the middle.
    drop((tomo, anna));
    let tokens: Vec<String> = class.into_iter().map(|(token, _)| token).collect();
    club.close().await;
    let club = Club::open(folder.path(), OPEN).await;
    let (mut tomo, state, _) = enter(&club, &room, &teacher).await;
    assert_eq!((&state["move_number"], &state["board"][3][3]), (&json!(3), &json!(1)));
    assert_eq!(state["people"].as_array().unwrap().len(), 11);
    let (mut ben, ..) = enter(&club, &room, &tokens[0]).await;
    tomo.send(json!({ "type": "finish" })).await;
    let over = ben.until("the end", |message| message["state"]["over"] == true).await;
    assert_eq!(over["events"][0]["kind"], "finished");
    for token in tokens.iter().chain([&token, &teacher]) {
        let (_, kept) = club.get("/api/lesson-records", Some(token)).await;
        assert_eq!((&kept["records"][0]["title"], &kept["records"][0]["teacher"]), (&json!("Corners"), &json!("Tomo")));
        let id = kept["records"][0]["id"].as_i64().unwrap();
        let (status, head, sgf) = club.ask("GET", &format!("/api/lesson-records/{id}"), Some(token), "").await;
        assert!(status == 200 && head.contains("application/x-go-sgf"));
        assert!(sgf.contains("C[Contact!]") && sgf.contains("N[Student 0]") && sgf.contains("GN[Corners]"), "{sgf}");
    }
    // Whoever was not there has none of it.
    let stranger = club.register("Stranger").await;
    assert_eq!(club.get("/api/lesson-records", Some(&stranger)).await.1, json!({ "records": [] }));
    let (status, answer) = club.get("/api/lesson-records/1", Some(&stranger)).await;
    assert_eq!((status, &answer["error"]["kind"]), (404, &json!("unknown_lesson")));
    // It is in nobody's list any more, and does not come back.
    assert_eq!(club.get("/api/lessons", Some(&stranger)).await.1, json!({ "lessons": [] }));
    club.close().await;
    let club = Club::open(folder.path(), OPEN).await;
    let mut late = club.enter(&room, &teacher).await;
    assert_eq!(late.receive().await["kind"], "unknown_room");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_whether_anything_is_new_is_not_told_the_talk_again() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let teacher = club.register("Tomo").await;
    let room = lesson(&club, &teacher, corners()).await;
    let (mut tomo, ..) = enter(&club, &room, &teacher).await;
    tomo.send(json!({ "type": "chat", "text": "Welcome" })).await;
    let seq = tomo.until_type("chat").await["seq"].as_u64().unwrap();
    for (after, lines) in [(json!(seq), None), (json!(seq - 1), Some(1)), (Value::Null, Some(1))] {
        tomo.send(json!({ "type": "sync", "after": after })).await;
        let state = tomo.until_type("lesson_state").await;
        assert_eq!((state["chat"].as_array().map(Vec::len), &state["seq"]), (lines, &json!(seq)), "{after}");
        tomo.until_type("own_board").await;
    }
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_sees_the_engines_opinion_as_long_as_the_teacher_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (teacher, student) = (club.register("Tomo").await, club.register("Anna").await);
    let room = lesson(&club, &teacher, corners()).await;
    let (mut tomo, ..) = enter(&club, &room, &teacher).await;
    let (mut anna, state, _) = enter(&club, &room, &student).await;
    assert_eq!((&state["engine"], &state["opinion"]), (&json!(false), &Value::Null));
    tomo.send(json!({ "type": "engine", "on": true })).await;
    let told = anna.until("an opinion", |message| message["state"]["opinion"].is_object()).await;
    assert_eq!(told["state"]["opinion"]["black_lead"], 0.0);
    tomo.send(play(2, 2)).await;
    let told = anna.until("another one", |message| message["state"]["opinion"]["black_lead"] == 1.0).await;
    assert_eq!(told["state"]["opinion"]["candidates"][0]["visits"], 7);
    tomo.send(json!({ "type": "engine", "on": false })).await;
    let told = anna.until("none", |message| message["state"]["engine"] == false).await;
    assert_eq!(told["state"]["opinion"], Value::Null);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lesson_is_about_ones_own_game_or_a_record_and_only_its_teacher_invites() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (anna, ben) = (club.register("Anna").await, club.register("Ben").await);
    let game = club.room(&anna, json!({ "terms": { "width": 9, "height": 9 }, "color": "black" })).await;
    let mut black = club.enter(&game, &anna).await;
    let mut white = club.enter(&game, &ben).await;
    black.until_type("game_start").await;
    black.send(json!({ "type": "move", "x": 4, "y": 4 })).await;
    white.until_move(1).await;
    white.send(json!({ "type": "resign" })).await;
    black.until_type("game_over").await;
    let (_, games) = club.get("/api/games", Some(&anna)).await;
    let id = &games["games"][0]["id"];
    let room = lesson(&club, &ben, json!({ "title": "What I missed", "game": id })).await;
    let (mut teacher, state, _) = enter(&club, &room, &ben).await;
    assert_eq!((&state["players"], &state["moves_ahead"]), (&json!(["Anna", "Ben"]), &json!(1)));
    // Neither listed nor invited, and not the teacher: the number alone lets somebody in.
    assert_eq!(club.get("/api/lessons", Some(&anna)).await.1, json!({ "lessons": [] }));
    let carl = club.register("Carl").await;
    let (status, answer) = club.post("/api/lessons", Some(&carl), json!({ "title": "x", "game": id })).await;
    assert_eq!((status, &answer["error"]["kind"]), (404, &json!("unknown_game")));
    let (status, answer) = club.post("/api/invite", Some(&carl), json!({ "username": "Anna", "room_id": room })).await;
    assert_eq!((status, &answer["error"]["kind"]), (403, &json!("not_yours")));
    let (status, _) = club.post("/api/invite", Some(&ben), json!({ "username": "Anna", "room_id": room })).await;
    assert_eq!(status, 200);
    let (_, invitations) = club.get("/api/invitations", Some(&anna)).await;
    assert_eq!(invitations["invitations"], json!([{ "room_id": room, "from": "Ben", "lesson": true, "terms": null }]));
    let (status, _) = club.post("/api/accept-invitation", Some(&anna), json!({ "room_id": room })).await;
    assert_eq!(status, 200);
    enter(&club, &room, &anna).await;

    // A long record goes in where it is one, and nothing else is longer than before.
    let long = format!("(;GM[1]SZ[9]C[{}];B[aa])", "word ".repeat(20_000));
    lesson(&club, &anna, json!({ "title": "Long", "sgf": long })).await;
    // A file comes as its bytes, whose character set the reader finds.
    let file = b"(;GM[1]CA[GB18030]SZ[9]PB[\xbf\xc2\xbd\xe0]PW[B]C[\xba\xc3\xca\xd6];B[aa])";
    let file = base64::engine::general_purpose::STANDARD.encode(file);
    let room = lesson(&club, &anna, json!({ "title": "From a file", "sgf_base64": file })).await;
    let (_, state, _) = enter(&club, &room, &anna).await;
    assert_eq!((&state["players"], &state["comment"]), (&json!(["柯洁", "B"]), &json!("好手")));
    for (wanted, kind) in [
        (json!({ "title": "x", "sgf": "no record" }), "bad_lesson"),
        (json!({ "title": "x", "sgf_base64": "bm8gcmVjb3Jk" }), "bad_lesson"),
        (json!({ "title": "x", "sgf_base64": "no base64" }), "bad_lesson"),
        (json!({ "title": "  ", "sgf": "(;GM[1])" }), "bad_lesson"),
        (json!({ "title": "x", "sgf": format!("(;GM[1]C[{}])", "x".repeat(140_000)) }), "bad_lesson"),
        (json!({ "title": "x", "terms": { "width": 99 } }), "bad_terms"),
        (json!({ "title": "x", "path": "/etc/passwd" }), "malformed"),
    ] {
        let (status, answer) = club.post("/api/lessons", Some(&anna), wanted).await;
        assert_eq!((status, answer["error"]["kind"].as_str()), (400, Some(kind)), "{answer}");
    }
    let (status, _) = club.post("/api/generate-room", Some(&anna), json!({ "opponent": "x".repeat(20_000) })).await;
    assert_eq!(status, 413);
    // Whose account is deleted teaches no more; who was there has the record.
    club.post("/api/delete-account", Some(&ben), json!({ "password": "long enough" })).await;
    teacher.until("the end", |message| message["state"]["over"] == true).await;
    let (_, kept) = club.get("/api/lesson-records", Some(&anna)).await;
    assert_eq!(kept["records"][0]["title"], "What I missed");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_reads_nothing_costs_the_class_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (teacher, student) = (club.register("Tomo").await, club.register("Anna").await);
    let room = lesson(&club, &teacher, json!({ "title": "Long" })).await;
    let (mut tomo, ..) = enter(&club, &room, &teacher).await;
    let (mut asleep, ..) = enter(&club, &room, &student).await;
    // Many times what the way to her and the mailbox hold.
    let rounds = 3000;
    for nth in 0..rounds {
        let message =
            if nth % 2 == 0 { play(nth / 2 % 19, nth / 38 % 19) } else { json!({ "type": "step", "by": -1 }) };
        tomo.send(json!({ "id": nth + 1, "type": message["type"], "x": message["x"], "y": message["y"], "by": message["by"] })).await;
        tomo.until("an answer", |message| message["type"] == "ack" || message["type"] == "error").await;
    }
    tomo.send(json!({ "type": "comment", "text": "the end" })).await;
    let mut messages = 0;
    let state = loop {
        let message = asleep.receive().await;
        messages += 1;
        if message["state"]["comment"] == "the end" {
            break message;
        }
    };
    assert!(messages < rounds, "{messages} messages were kept for her");
    assert_eq!(state["state"]["move_number"], 0);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_of_a_lesson_have_the_form_that_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (_, document) = club.get("/api/asyncapi.json", None).await;
    let schemas = &document["components"]["schemas"];
    let teacher = club.register("Tomo").await;
    let room = lesson(&club, &teacher, corners()).await;
    let (mut tomo, state, _) = enter(&club, &room, &teacher).await;
    let described = |schema: &str| -> Vec<String> {
        let names = schemas[schema]["required"].as_array().unwrap();
        let mut names: Vec<String> = names.iter().map(|name| name.as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&state), described("lesson_state_fields"));
    tomo.send(json!({ "type": "try", "x": 1, "y": 1 })).await;
    let own = tomo.until_type("own_board").await;
    assert_eq!(keys(&own["own"]), described("own"));
    // Every request that is described is understood, and no other.
    let requests = schemas["lesson_request"]["oneOf"].as_array().unwrap();
    let types = requests.iter().flat_map(|request| {
        let kind = &request["properties"]["type"];
        kind["enum"].as_array().cloned().unwrap_or_else(|| vec![kind["const"].clone()])
    });
    let mut count = 0;
    for kind in types.filter(|kind| kind != "finish") {
        count += 1;
        let message = json!({
            "type": kind, "id": count, "x": 3, "y": 3, "by": 1, "index": 0, "text": "x", "on": true, "name": "Tomo",
            "role": "student",
        });
        tomo.send(message).await;
        let answer = tomo.until("an answer", |message| message["type"] == "ack" || message["type"] == "error").await;
        assert_ne!(answer["kind"], "malformed", "{kind}: {answer}");
        assert_eq!(answer["id"], count, "{kind}: {answer}");
    }
    assert_eq!(count, 22);
    club.close().await;
}
