//! What whoever runs the server sees and does.

use crate::club::{Club, OPEN};
use honinbo_api::{ApiError, Caller, EngineSource};
use honinbo_evaluator::StopFlag;
use honinbo_players::{Player, PlayerError};
use honinbo_rooms::Opinion;
use honinbo_rules::{Game, Move, Point};
use honinbo_server::{AccountPolicy, Opponents};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

async fn overview(club: &Club) -> Value {
    let (status, overview) = club.get("/api/operator", Some(&club.operator)).await;
    assert_eq!(status, 200, "{overview}");
    overview
}

async fn people(club: &Club, query: &str) -> (Vec<(i64, String)>, Value) {
    let (status, page) = club.get(&format!("/api/operator/people{query}"), Some(&club.operator)).await;
    assert_eq!(status, 200, "{page}");
    let list = page["people"].as_array().unwrap();
    let named = |person: &Value| (person["id"].as_i64().unwrap(), person["username"].as_str().unwrap().to_owned());
    (list.iter().map(named).collect(), page["next"].clone())
}

async fn rooms(club: &Club) -> (usize, Value) {
    let (_, rooms) = club.get("/api/operator/rooms", Some(&club.operator)).await;
    (rooms["rooms"].as_array().unwrap().len() + rooms["lessons"].as_array().unwrap().len(), rooms["total"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_sees_who_is_there_and_lets_somebody_go() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (anna, ben) = (club.register("Anna").await, club.register("Ben").await);
    let (found, next) = people(&club, "").await;
    assert_eq!((found.len(), found[0].1.as_str(), &next), (2, "Anna", &Value::Null));
    let (first, next) = people(&club, "?limit=1").await;
    let (second, end) = people(&club, &format!("?limit=1&after={}", next.as_str().unwrap())).await;
    assert_eq!((first[0].1.as_str(), second[0].1.as_str()), ("Anna", "Ben"));
    assert_eq!(people(&club, &format!("?limit=1&after={}", end.as_str().unwrap())).await, (Vec::new(), Value::Null));
    assert_eq!(people(&club, "?part=BE").await.0, second, "names are compared as they are for logging in");

    for (method, path) in
        [("GET", "people?limit=9007199254740992"), ("GET", "people?limit=-1"), ("DELETE", "people/-1")]
    {
        let refused = club.ask(method, &format!("/api/operator/{path}"), Some(&club.operator), "").await;
        assert_eq!(refused.0, 400, "{method} {path}: {refused:?}");
    }

    // Ben leaves in the middle of a game: it is Anna's.
    let room = club.room(&anna, json!({ "color": "black", "terms": { "width": 9, "height": 9 } })).await;
    let mut black = club.enter(&room, &anna).await;
    let mut white = club.enter(&room, &ben).await;
    black.until_type("game_start").await;
    let deleted = club.ask("DELETE", &format!("/api/operator/people/{}", second[0].0), Some(&club.operator), "").await;
    assert_eq!(deleted.0, 204, "{deleted:?}");
    for gone in [second[0].0, 9999] {
        let path = format!("/api/operator/people/{gone}");
        let (status, _, refused) = club.ask("DELETE", &path, Some(&club.operator), "").await;
        assert!(status == 404 && refused.contains("unknown_player"), "{status} {refused}");
    }
    let over = black.until_type("game_over").await;
    assert_eq!(over["state"]["result"], "B+F", "{over}");
    while white.receive().await["type"] != "closed" {}
    assert_eq!(club.get("/api/me", Some(&ben)).await.0, 401);
    assert_eq!(people(&club, "").await.0, first);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_lets_somebody_in_who_forgot_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let anna = club.register("Anna").await;
    club.post("/api/guest", None, json!({})).await;
    let (found, _) = people(&club, "").await;
    let id = |name: &str| found.iter().find(|person| person.1.starts_with(name)).unwrap().0;
    let make = |id: i64| {
        let club = &club;
        async move { club.post(&format!("/api/operator/people/{id}/reset"), Some(&club.operator), json!({})).await }
    };
    for nobody in [id("guest-"), 999] {
        let (status, refused) = make(nobody).await;
        assert_eq!((status, &refused["error"]["kind"]), (404, &json!("unknown_player")));
    }
    let (status, made) = make(id("Anna")).await;
    assert_eq!(status, 201, "{made}");
    assert_eq!(club.get("/api/me", Some(&anna)).await.0, 200, "until it is used nothing has changed");
    let reset = |code: &Value, new: &str| {
        let (club, body) = (&club, json!({ "code": code, "new_password": new }));
        async move { club.post("/api/reset-password", None, body).await }
    };
    let (status, refused) = reset(&made["code"], "short").await;
    assert_eq!((status, &refused["error"]["kind"]), (400, &json!("bad_password")));
    let (status, entered) = reset(&made["code"], "another one").await;
    assert_eq!((status, &entered["username"], &entered["operator"]), (200, &json!("Anna"), &json!(false)));
    assert_eq!(club.get("/api/me", Some(&anna)).await.0, 401);
    assert_eq!(club.get("/api/me", entered["token"].as_str()).await.1["username"], "Anna");
    // A code that was used and one that never was look the same.
    let used = reset(&made["code"], "a third one").await;
    assert_eq!((used.0, &used.1["error"]["kind"]), (403, &json!("bad_reset_code")));
    assert_eq!(reset(&json!("nonsense"), "a third one").await, used);
    let log_in = json!({ "username": "anna", "password": "another one" });
    assert_eq!(club.post("/api/login", None, log_in).await.0, 200);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_closes_a_room_and_a_lesson() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (anna, ben) = (club.register("Anna").await, club.register("Ben").await);
    let room = club.room(&anna, json!({ "color": "black", "terms": { "width": 9, "height": 9 } })).await;
    let mut black = club.enter(&room, &anna).await;
    let _white = club.enter(&room, &ben).await;
    black.until_type("game_start").await;
    let (_, lesson) = club.post("/api/lessons", Some(&anna), json!({ "title": "Corners" })).await;
    let lesson = lesson["room_id"].as_str().unwrap().to_owned();
    let mut teacher = club.enter(&lesson, &anna).await;
    assert_eq!(rooms(&club).await, (2, json!(2)), "also such as nobody lists");
    let now = overview(&club).await;
    assert_eq!((&now["playing"], &now["lessons"], &now["connections"]), (&json!(1), &json!(1), &json!(3)), "{now}");
    assert!(now["engines_at_a_time"].as_u64() >= Some(1) && now["people_online"] == 2, "{now}");

    for place in [&room, &lesson] {
        let closed = club.ask("DELETE", &format!("/api/operator/rooms/{place}"), Some(&club.operator), "").await;
        assert_eq!(closed.0, 204, "{closed:?}");
    }
    assert_eq!(black.until_type("game_over").await["state"]["result"], "Void");
    teacher.until("its end", |message| message["state"]["over"] == true).await;
    assert_eq!(rooms(&club).await, (0, json!(0)));
    assert_eq!(club.ask("DELETE", "/api/operator/rooms/00000000", Some(&club.operator), "").await.0, 404);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_rooms_against_one_engine_the_operator_closes_the_one_that_is_meant() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let tokens = [club.register("Anna").await, club.register("Ben").await, club.register("Carl").await];
    let mut players = Vec::new();
    for token in &tokens {
        let mut player = club.enter("ai_easy", token).await;
        player.until_type("game_start").await;
        players.push(player);
    }
    let listed = async || {
        let (_, all) = club.get("/api/operator/rooms", Some(&club.operator)).await;
        let rooms = all["rooms"].as_array().unwrap().iter();
        let mut rooms: Vec<(String, String)> = rooms
            .map(|room| {
                assert_eq!(room["room_id"], "ai_easy", "{room}");
                (room["black"].as_str().unwrap().to_owned(), room["key"].as_str().unwrap().to_owned())
            })
            .collect();
        rooms.sort();
        rooms
    };
    let close = async |key: &str| {
        let key = key.replace(':', "%3A").replace('#', "%23");
        club.ask("DELETE", &format!("/api/operator/rooms/{key}"), Some(&club.operator), "").await.0
    };
    let mut all = listed().await;
    assert_eq!(all.iter().map(|(black, _)| black.as_str()).collect::<Vec<_>>(), ["Anna", "Ben", "Carl"]);
    assert_eq!(close("ai_easy").await, 404, "that is everybody's name for their own");
    for nth in [1, 1, 0] {
        let (_, key) = all.remove(nth);
        assert_eq!(close(&key).await, 204);
        let over = players.remove(nth).until_type("game_over").await;
        assert_eq!(over["state"]["result"], "Void");
        assert_eq!(listed().await, all, "nobody else's game has ended");
    }
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_says_who_may_come_in() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let policy =
        |guests: bool, registration: &str| json!({ "guests": guests, "registration": registration }).to_string();
    let put = async |body: String| club.ask("PUT", "/api/operator/policy", Some(&club.operator), &body).await;
    assert_eq!(put(policy(false, "invitation")).await.0, 200);
    assert_eq!(overview(&club).await["registration"], "invitation");
    let new = json!({ "username": "Anna", "password": "long enough" });
    assert_eq!(club.post("/api/register", None, new.clone()).await.0, 403);
    assert_eq!(club.post("/api/guest", None, json!({})).await.0, 403);
    assert_eq!(put(policy(true, "open")).await.0, 200);
    assert_eq!(club.post("/api/register", None, new).await.0, 201);
    assert_eq!(club.post("/api/guest", None, json!({})).await.0, 201);
    for bad in [policy(true, "everybody"), "{}".into(), r#"{"guests":true,"registration":"open","more":1}"#.into()] {
        assert_eq!(put(bad).await.0, 400);
    }
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_come_in_holds_after_a_restart_until_other_options_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let closed = json!({ "guests": false, "registration": "invitation" });
    let put = club.ask("PUT", "/api/operator/policy", Some(&club.operator), &closed.to_string()).await;
    assert_eq!(put.0, 200);
    club.close().await;
    let club = Club::open(folder.path(), OPEN).await;
    assert_eq!(overview(&club).await["registration"], "invitation");
    assert_eq!(club.post("/api/guest", None, json!({})).await.0, 403);
    club.close().await;
    let other = AccountPolicy { guests: false, ..OPEN };
    let club = Club::open(folder.path(), other).await;
    let now = overview(&club).await;
    assert_eq!(
        (&now["registration"], &now["guests"]),
        (&json!("open"), &json!(false)),
        "the options say something else"
    );
    club.close().await;
    let club = Club::open(folder.path(), OPEN).await;
    assert_eq!(overview(&club).await["registration"], "open", "what was set before is forgotten");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_changes_limits_and_they_hold_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let anna = club.register("Anna").await;
    let usual = overview(&club).await["limits"].clone();
    let put = async |limits: &Value| {
        let answer = club.ask("PUT", "/api/operator/limits", Some(&club.operator), &limits.to_string()).await;
        (answer.0, serde_json::from_str::<Value>(&answer.2).unwrap())
    };
    let mut limits = usual.clone();
    limits["rooms_of_one"] = json!(2);
    limits["log_ins_of_name"] = json!(3);
    assert_eq!(put(&limits).await, (200, limits.clone()));
    assert_eq!(overview(&club).await["limits"], limits);
    for _ in 0..2 {
        club.room(&anna, json!({})).await;
    }
    assert_eq!(club.post("/api/generate-room", Some(&anna), json!({})).await.0, 409);
    let wrong = json!({ "username": "Anna", "password": "wrong password" });
    for status in [401, 401, 401, 429] {
        assert_eq!(club.post_from("192.0.2.1", "/api/login", &wrong).await.0, status);
    }
    assert_eq!(put(&usual).await.0, 200);
    club.room(&anna, json!({})).await;
    assert_eq!(club.post_from("192.0.2.1", "/api/login", &wrong).await.0, 401);
    for bad in [json!(0), json!(-1), json!(100_001), json!("x"), json!(null)] {
        let mut limits = usual.clone();
        limits["rooms_of_one"] = bad;
        assert_eq!(put(&limits).await.0, 400);
    }
    assert_eq!(put(&json!({ "rooms_of_one": 5 })).await.0, 400);
    assert_eq!(overview(&club).await["limits"], usual);
    assert_eq!(put(&limits).await.0, 200);
    club.close().await;
    let club = Club::open(folder.path(), OPEN).await;
    assert_eq!(overview(&club).await["limits"], limits, "they hold after a restart");
    assert_eq!(club.post("/api/generate-room", Some(&anna), json!({})).await.0, 409);
    club.close().await;
}

/// Engines that never have a move.
struct Failing;

impl Opponents for Failing {
    fn opponent(&self, _: &str) -> Result<Box<dyn Player>, ApiError> {
        Ok(Box::new(Self))
    }

    fn names(&self) -> Vec<String> {
        vec!["hard".into()]
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

impl Player for Failing {
    fn name(&self) -> String {
        "failing".into()
    }

    fn choose(&mut self, _: &Game, _: Duration, _: &StopFlag) -> Result<Move, PlayerError> {
        Err(PlayerError::NoMove)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_of_substitutes_are_counted_for_the_operator() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open_with(folder.path(), OPEN, Arc::new(Failing), None).await;
    assert_eq!(overview(&club).await["engine_stand_ins"], 0);
    let anna = club.register("Anna").await;
    let mut room = club.enter("ai_hard", &anna).await;
    room.receive().await;
    room.send(json!({ "type": "move", "x": 3, "y": 3, "color": 1 })).await;
    room.until_move(2).await;
    assert_eq!(overview(&club).await["engine_stand_ins"], 1);
    let (_, _, figures) = club.ask("GET", "/metrics", Some(&club.operator), "").await;
    assert!(figures.lines().any(|line| line == "honinbo_engine_stand_ins_total 1"), "{figures}");
    club.close().await;
}
