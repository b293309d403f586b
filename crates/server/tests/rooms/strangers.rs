//! Everything that a stranger may not do: the table is the server's own list of routes, so that a new one is in it.

use crate::boards::{command, two_ends, window_of};
use crate::club::{Club, OPEN};
use honinbo_api::{COMMANDS, Command};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

#[tokio::test(flavor = "multi_thread")]
async fn every_route_refuses_every_kind_of_stranger() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let person = club.register("Anna").await;
    let left = club.register("Ben").await;
    club.post("/api/logout", Some(&left), json!({})).await;
    let (_, document) = club.get("/api/openapi.json", None).await;
    let (mut guarded, mut open) = (0, Vec::new());
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let Some(security) = operation["security"][0].as_object() else {
                open.push(path.as_str());
                continue;
            };
            guarded += 1;
            let asked = path.replace("{id}", "1").replace("{name}", "Anna").replace("{room_id}", "12345678");
            let wrong = if security.contains_key("operator") { &person } else { &club.operator };
            // Where both may ask, only those who are neither are strangers.
            let wrong = (operation["security"][1] == Value::Null).then_some(wrong.as_str());
            let strangers = [None, Some(""), Some("0"), Some(left.as_str())];
            for token in strangers.into_iter().chain(wrong.map(Some)) {
                let (status, head, body) = club.ask(&method.to_uppercase(), &asked, token, "{}").await;
                assert_eq!(status, 401, "{method} {path} with {token:?}: {body}");
                assert!(head.contains("www-authenticate: bearer"), "{head}");
                let error: Value = serde_json::from_str(&body).unwrap();
                assert_eq!(error["error"]["kind"], "unauthorized", "{method} {path}");
            }
        }
    }
    assert!(guarded >= 12, "{guarded}");
    open.sort_unstable();
    let known = [
        "/api/asyncapi.json",
        "/api/guest",
        "/api/health",
        "/api/login",
        "/api/oidc/backchannel-logout",
        "/api/oidc/begin",
        "/api/oidc/callback",
        "/api/oidc/enter",
        "/api/oidc/logged-out",
        "/api/openapi.json",
        "/api/ready",
        "/api/register",
        "/api/reset-password",
        "/api/server",
    ];
    assert_eq!(open, known, "what is open to everybody is a decision");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_described_route_is_there_and_needs_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (_, document) = club.get("/api/openapi.json", None).await;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let asked = path.replace("{id}", "1").replace("{name}", "Anna").replace("{room_id}", "12345678");
            let other = if method == "get" { "PUT" } else { "DELETE" };
            let token = (operation["security"] != Value::Null).then_some("x");
            let (status, _, body) = club.ask(other, &asked, token, "{}").await;
            assert!(status == 405 || status == 401, "{other} {path}: {status} {body}");
            // A body without what it needs is refused, whatever else it has.
            let body = &operation["requestBody"]["content"]["application/json"]["schema"];
            if operation["security"] == Value::Null
                && body["required"].as_array().is_some_and(|required| !required.is_empty())
            {
                let (status, answer) = club.post(&asked, None, json!({ "surplus": 1 })).await;
                assert_eq!((status, &answer["error"]["kind"]), (400, &json!("malformed")), "{path}");
            }
        }
    }
    assert_eq!(
        club.get("/api/nothing", None).await.0,
        503,
        "what is no route is a file of the window, which is not there"
    );
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_are_taken_have_the_form_that_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (_, document) = club.get("/api/openapi.json", None).await;
    let body = &document["paths"]["/api/register"]["post"]["requestBody"]["content"]["application/json"]["schema"];
    let pattern = body["properties"]["username"]["pattern"].as_str().unwrap();
    // A letter whose mark is a character of its own, as in Thai and Hindi.
    club.register("x\u{301}y").await;
    assert_eq!(pattern, r"^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*([ _.'-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$");
    // A mark with no letter that it belongs to is against the form; two alphabets and marks that leave one letter are not.
    for wrong in ["anna \u{301}b", "\u{301}anna", "\u{410}nna", "x\u{483}y", "e\u{301}"] {
        let account = json!({ "username": wrong, "password": "long enough" });
        let (status, answer) = club.post("/api/register", None, account).await;
        assert_eq!((status, &answer["error"]["kind"]), (409, &json!("bad_name")), "{wrong}: {answer}");
    }
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_token_and_the_own_origin_open_a_room() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let anna = club.register("Anna").await;
    let room = club.room(&anna, json!({})).await;
    for token in ["", "0", club.operator.as_str()] {
        assert_eq!(club.try_enter(&room, token, "").await.err(), Some(401), "{token}");
    }
    let url = format!("ws://{}/ws/{room}?token={anna}", club.address);
    let mut foreign = url.into_client_request().unwrap();
    foreign.headers_mut().insert("Origin", "http://evil.example".parse().unwrap());
    let Err(Error::Http(response)) = connect_async(foreign).await else { panic!("another origin was let in") };
    assert_eq!(response.status(), 403);
    for unknown in ["00000000", "1", "nonsense", "..%2Fserver.sqlite"] {
        let mut guest = club.enter(unknown, &anna).await;
        let error = guest.receive().await;
        assert_eq!((&error["type"], &error["kind"]), (&json!("error"), &json!("unknown_room")), "{unknown}");
        assert_eq!(guest.receive().await["code"], 4404);
    }
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_names_a_path_of_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let anna = club.register("Anna").await;
    let place = folder.path().display().to_string();
    let (_, document) = club.get("/api/openapi.json", None).await;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let asked = path.replace("{id}", "1").replace("{name}", "Anna").replace("{room_id}", "12345678");
            if asked.contains("delete-account") || asked.contains("logout") {
                continue;
            }
            for body in ["", "{", r#"{"username":"a","password":"b"}"#] {
                let (_, _, answer) = club.ask(&method.to_uppercase(), &asked, Some(&anna), body).await;
                assert!(!answer.contains(&place) && !answer.contains(".sqlite"), "{path}: {answer}");
            }
        }
    }
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_command_of_a_persons_window_names_a_path_of_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let people = Some(folder.path().join("people"));
    let club = Club::open_with(folder.path(), OPEN, two_ends(), people).await;
    let anna = club.register("Anna").await;
    let mut window = window_of(&club, &anna).await;
    // Its name alone: JSON writes the separators of some systems otherwise.
    let place = folder.path().file_name().unwrap().to_str().unwrap();
    let new = json!({
        "width": 9, "height": 9, "rules": "chinese", "komi": 7, "handicap": 0, "black": "", "white": "",
    });
    let game = command(&mut window, "new_game", new).await["gameId"].clone();
    let (mut given, mut done) = (0, 0);
    for Command { name, .. } in COMMANDS {
        for args in [json!({}), json!({ "gameId": game, "visits": 1 })] {
            given += 1;
            window.send(json!({ "id": given, "command": name, "args": args })).await;
            let answer = window.until(name, |message| message["id"] == given).await;
            assert!(!answer.to_string().contains(place), "{name}: {answer}");
            done += u32::from(answer["error"].is_null());
        }
    }
    assert!(done >= 30, "{done} of {given} were done");
    drop(window);
    club.close().await;
}
