//! Registering, logging in, inviting.

use crate::boards::{two_ends, window_of};
use crate::club::{Club, OPEN};
use honinbo_server::{AccountPolicy, Registration};
use serde_json::{Value, json};

fn credentials(name: &str, password: &str) -> Value {
    json!({ "username": name, "password": password })
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_registers_logs_in_and_out() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let first = club.register("吴清源").await;
    let (status, again) = club.post("/api/register", None, credentials("吴清源", "long enough")).await;
    assert_eq!((status, &again["error"]["kind"]), (409, &json!("name_taken")));
    let (status, answer) = club.post("/api/login", None, credentials("吴清源", "long enough")).await;
    assert_eq!((status, &answer["username"], &answer["guest"]), (200, &json!("吴清源"), &json!(false)));
    assert_eq!(club.post("/api/logout", Some(&first), json!({})).await.0, 204);
    assert_eq!(club.get("/api/me", Some(&first)).await.0, 401);
    let second = answer["token"].as_str().unwrap();
    let change = json!({ "old_password": "long enough", "new_password": "another one" });
    let (status, changed) = club.post("/api/change-password", Some(second), change).await;
    assert_eq!(status, 200, "{changed}");
    assert_eq!(club.get("/api/me", Some(second)).await.0, 401, "a new password ends every token");
    assert_eq!(club.get("/api/me", changed["token"].as_str()).await.1["username"], "吴清源");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_end_with_the_token_that_they_were_opened_with() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open_with(folder.path(), OPEN, two_ends(), Some(folder.path().join("people"))).await;
    let (stolen, ben) = (club.register("Anna").await, club.register("Ben").await);
    let (_, answer) = club.post("/api/login", None, credentials("Anna", "long enough")).await;
    let own = answer["token"].as_str().unwrap();
    let room = club.room(&ben, json!({ "terms": { "width": 9, "height": 9 }, "listed": true })).await;
    let lesson = club.post("/api/lessons", Some(&ben), json!({ "title": "Ko" })).await.1;
    let cup = club.post("/api/tournaments", Some(&ben), json!({ "title": "Cup", "system": "swiss" })).await.1;
    let mut open = vec![window_of(&club, &stolen).await];
    for name in [room.clone(), lesson["room_id"].as_str().unwrap().to_owned(), format!("tournaments/{}", cup["id"])] {
        open.push(club.enter(&name, &stolen).await);
    }
    let mut bens = club.enter(&room, &ben).await;
    let mut elsewhere = club.enter(&room, own).await;
    // One place ends, and no other one.
    assert_eq!(club.post("/api/logout", Some(&stolen), json!({})).await.0, 204);
    for connection in &mut open {
        while connection.receive().await["type"] != "closed" {}
    }
    elsewhere.send(json!({ "type": "sync", "id": 1 })).await;
    elsewhere.until_type("ack").await;
    let change = json!({ "old_password": "long enough", "new_password": "another one" });
    assert_eq!(club.post("/api/change-password", Some(own), change).await.0, 200);
    while elsewhere.receive().await["type"] != "closed" {}
    bens.send(json!({ "type": "sync", "id": 1 })).await;
    bens.until_type("ack").await;
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_learns_who_has_an_account_and_who_guesses_waits() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    club.register("anna").await;
    let known = club.post("/api/login", None, credentials("anna", "wrong password")).await;
    let unknown = club.post("/api/login", None, credentials("nobody", "wrong password")).await;
    assert_eq!(known, unknown);
    assert_eq!(known.0, 401);
    // Whatever they say before the address that the proxy adds.
    let mut tries = 0;
    let wrong = credentials("anna", "wrong password");
    let head = loop {
        let (status, head, _) = club.post_from(&format!("203.0.113.{tries}, 192.0.2.1"), "/api/login", &wrong).await;
        tries += 1;
        if status == 429 {
            break head;
        }
        assert!(tries < 50, "nobody has to wait");
    };
    assert!(head.contains("retry-after: "), "{head}");
    let right = credentials("anna", "long enough");
    assert_eq!(club.post_from("192.0.2.1", "/api/login", &right).await.0, 429);
    assert_eq!(club.post_from("192.0.2.2", "/api/login", &right).await.0, 200, "nobody else is locked out");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_is_one_answer_that_is_sent_again_only_when_something_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (anna, ben) = (club.register("Anna").await, club.register("Ben").await);
    for token in [&anna, &ben] {
        club.get("/api/me", Some(token)).await;
    }
    let tag_of = |head: &str| head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let (status, head, lobby) = club.ask("GET", "/api/lobby", Some(&anna), "").await;
    assert_eq!(status, 200, "{lobby}");
    assert!(head.contains("cache-control: private, no-cache") && head.contains("vary: authorization"), "{head}");
    let lobby: Value = serde_json::from_str(&lobby).unwrap();
    for (part, path) in [
        ("rooms", "/api/rooms"),
        ("lessons", "/api/lessons"),
        ("tournaments", "/api/tournaments"),
        ("users", "/api/online-users"),
        ("invitations", "/api/invitations"),
    ] {
        assert_eq!(lobby[part], club.get(path, Some(&anna)).await.1[part], "{part}");
    }
    assert_eq!(lobby["users"].as_array().unwrap().len(), 2);
    let tag = tag_of(&head);
    let (status, head, body) = club.get_unless("/api/lobby", &anna, &tag).await;
    assert_eq!((status, body.as_str(), tag_of(&head)), (304, "", tag.clone()));
    club.post("/api/invite", Some(&ben), json!({ "username": "Anna" })).await;
    let (status, head, body) = club.get_unless("/api/lobby", &anna, &tag).await;
    assert_eq!(status, 200, "{body}");
    assert_ne!(tag_of(&head), tag);
    let invited: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(invited["invitations"][0]["from"], "Ben");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_is_invited_and_comes() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (anna, ben, carl) = (club.register("Anna").await, club.register("Ben").await, club.register("Carl").await);
    let (_, nobody) = club.post("/api/invite", Some(&anna), json!({ "username": "Ben" })).await;
    assert_eq!(nobody["error"]["kind"], "not_online");
    club.get("/api/me", Some(&ben)).await;
    let (_, online) = club.get("/api/online-users", Some(&anna)).await;
    let names: Vec<&Value> = online["users"].as_array().unwrap().iter().map(|user| &user["username"]).collect();
    assert_eq!(names, ["Anna", "Ben"]);

    let room = json!({ "terms": { "width": 9, "height": 9 }, "color": "white" });
    let (status, invited) = club.post("/api/invite", Some(&anna), json!({ "username": "BEN", "room": room })).await;
    assert_eq!(status, 200, "{invited}");
    let number = invited["room_id"].as_str().unwrap();
    let (_, invitations) = club.get("/api/invitations", Some(&ben)).await;
    let terms = json!({
        "width": 9, "height": 9, "topology": "plane", "rules": "chinese", "komi": 7.5, "handicap": 0, "time": null,
        "rated": false, "delay_seconds": 0,
    });
    let invitation = json!({ "room_id": number, "from": "Anna", "lesson": false, "terms": terms });
    assert_eq!(invitations, json!({ "invitations": [invitation] }));
    let acceptance = json!({ "room_id": number });
    assert_eq!(club.post("/api/accept-invitation", Some(&carl), acceptance.clone()).await.0, 404);
    let mut watcher = club.enter(number, &carl).await;
    assert_eq!(watcher.receive().await["state"]["players"][0], Value::Null, "the seat is kept");
    assert_eq!(club.post("/api/accept-invitation", Some(&ben), acceptance).await.0, 200);
    let mut white = club.enter(number, &anna).await;
    let mut black = club.enter(number, &ben).await;
    assert_eq!(black.receive().await["state"]["players"][0]["name"], "Ben");
    white.until_type("game_start").await;
    assert_eq!(club.post("/api/invite", Some(&carl), json!({ "username": "Ben", "room_id": number })).await.0, 403);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_invitation_takes_the_seat_from_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let mut tokens = Vec::new();
    for name in ["Anna", "Ben", "Carl", "Dora"] {
        let token = club.register(name).await;
        club.get("/api/me", Some(&token)).await;
        tokens.push(token);
    }
    let number = club.room(&tokens[0], json!({ "terms": { "width": 9, "height": 9 }, "color": "white" })).await;
    for name in ["Ben", "Carl"] {
        let invitation = json!({ "username": name, "room_id": number });
        assert_eq!(club.post("/api/invite", Some(&tokens[0]), invitation).await.0, 200, "{name}");
    }
    let refusal = json!({ "room_id": number });
    assert_eq!(club.post("/api/decline-invitation", Some(&tokens[2]), refusal).await.0, 204);
    let mut watcher = club.enter(&number, &tokens[3]).await;
    assert_eq!(watcher.receive().await["state"]["players"][0], Value::Null, "it is still kept for Ben");
    let mut black = club.enter(&number, &tokens[1]).await;
    assert_eq!(black.receive().await["state"]["players"][0]["name"], "Ben");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_are_listed_for_those_who_may_see_them() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (anna, ben) = (club.register("Anna").await, club.register("Ben").await);
    let hidden = club.room(&anna, json!({})).await;
    let shown = club.room(&anna, json!({ "listed": true, "terms": { "rules": "japanese" } })).await;
    let ids = |list: Value| -> Vec<String> {
        list["rooms"].as_array().unwrap().iter().map(|room| room["room_id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(club.get("/api/rooms", Some(&ben)).await.1), std::slice::from_ref(&shown));
    let own = ids(club.get("/api/rooms", Some(&anna)).await.1);
    assert!(own.len() == 2 && own.contains(&hidden) && own.contains(&shown));
    for wrong in [
        json!({ "terms": { "width": 99 } }),
        json!({ "terms": { "rules": "none" } }),
        json!({ "terms": { "widht": 9 } }),
        json!({ "color": "green" }),
        json!({ "colour": "black" }),
        json!([]),
    ] {
        assert_eq!(club.post("/api/generate-room", Some(&anna), wrong.clone()).await.0, 400, "{wrong}");
    }
    for _ in 0..18 {
        club.room(&anna, json!({})).await;
    }
    assert_eq!(club.post("/api/generate-room", Some(&anna), json!({})).await.0, 409, "twenty are enough");
    assert_eq!(club.post("/api/generate-room", Some(&ben), json!({})).await.0, 201);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_lets_people_in_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let policy = AccountPolicy { registration: Registration::Invitation, guests: false };
    let club = Club::open(folder.path(), policy).await;
    assert_eq!(
        club.get("/api/server", None).await.1,
        json!({ "guests": false, "registration": "invitation", "boards": false })
    );
    assert_eq!(club.post("/api/guest", None, json!({})).await.0, 403);
    assert_eq!(club.post("/api/register", None, credentials("anna", "long enough")).await.0, 403);
    let (status, code) = club.post("/api/sign-up-codes", Some(&club.operator), json!({})).await;
    assert_eq!(status, 201);
    let mut account = credentials("anna", "long enough");
    account["code"] = code["code"].clone();
    assert_eq!(club.post("/api/register", None, account.clone()).await.0, 201);
    account["username"] = "ben".into();
    assert_eq!(club.post("/api/register", None, account).await.0, 403, "a code is for one person");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_says_how_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    assert_eq!(club.get("/api/health", None).await, (200, json!({ "status": "ok" })));
    assert_eq!(club.get("/api/ready", None).await, (200, json!({ "status": "ok" })));
    let long = json!({ "username": "x".repeat(20_000), "password": "y" });
    assert_eq!(club.post("/api/login", None, long).await.0, 413);
    assert_eq!(club.ask("POST", "/api/login", None, "{").await.0, 400);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_can_be_declined_and_who_sent_it_hears_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (anna, ben) = (club.register("Anna").await, club.register("Ben").await);
    club.get("/api/me", Some(&ben)).await;
    let (_, invited) = club.post("/api/invite", Some(&anna), json!({ "username": "Ben" })).await;
    let number = invited["room_id"].as_str().unwrap();
    let mut waiting = club.enter(number, &anna).await;
    waiting.receive().await;
    let refusal = json!({ "room_id": number });
    assert_eq!(club.post("/api/decline-invitation", Some(&anna), refusal.clone()).await.0, 404, "it is Ben's");
    assert_eq!(club.post("/api/decline-invitation", Some(&ben), refusal.clone()).await.0, 204);
    let told = waiting.until("the answer", |message| message["events"][0]["kind"] == "declined").await;
    assert_eq!(told["events"][0]["name"], "Ben");
    assert_eq!(club.post("/api/decline-invitation", Some(&ben), refusal).await.0, 404, "it was declined already");
    let (_, invitations) = club.get("/api/invitations", Some(&ben)).await;
    assert_eq!(invitations, json!({ "invitations": [] }));
    // Anna gives up waiting: her room is gone, and nobody sees an empty one.
    waiting.send(json!({ "type": "leave" })).await;
    waiting
        .until("her seat to be free", |message| {
            message["state"]["players"][0] == Value::Null && message["state"]["players"][1] == Value::Null
        })
        .await;
    drop(waiting);
    let (_, rooms) = club.get("/api/rooms", Some(&anna)).await;
    assert_eq!(rooms, json!({ "rooms": [] }));
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invitations_stand_as_long_as_the_seat_does_also_over_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let (anna, ben, carl) = (club.register("Anna").await, club.register("Ben").await, club.register("Carl").await);
    for token in [&ben, &carl] {
        club.get("/api/me", Some(token)).await;
    }
    let invited =
        async |club: &Club, token: &str| club.get("/api/invitations", Some(token)).await.1["invitations"].clone();
    let number = club.room(&anna, json!({ "terms": { "width": 9, "height": 9 } })).await;
    for name in ["Ben", "Carl"] {
        let invitation = json!({ "username": name, "room_id": number });
        assert_eq!(club.post("/api/invite", Some(&anna), invitation).await.0, 200, "{name}");
    }
    let before = invited(&club, &ben).await;
    assert_eq!((&before[0]["room_id"], &before[0]["from"]), (&json!(number), &json!("Anna")));
    club.close().await;

    let club = Club::open(folder.path(), OPEN).await;
    assert_eq!(invited(&club, &ben).await, before);
    let mut black = club.enter(&number, &ben).await;
    black.receive().await;
    for token in [&ben, &carl] {
        assert_eq!(invited(&club, token).await, json!([]), "the seat is taken");
    }
    // Anna gives up waiting in another one.
    let (_, again) = club.post("/api/invite", Some(&anna), json!({ "username": "Ben" })).await;
    let mut waiting = club.enter(again["room_id"].as_str().unwrap(), &anna).await;
    assert_eq!(invited(&club, &ben).await.as_array().unwrap().len(), 1);
    waiting.send(json!({ "type": "leave" })).await;
    waiting.until("her seat to be free", |message| message["events"][0]["kind"] == "left").await;
    assert_eq!(invited(&club, &ben).await, json!([]), "nobody waits there");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_room_can_be_is_offered() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let anna = club.register("Anna").await;
    let (status, offer) = club.get("/api/offer?width=9&height=9&rules=japanese&handicap=3", Some(&anna)).await;
    assert_eq!((status, &offer["komi"]), (200, &json!(0.5)), "{offer}");
    assert_eq!(offer["engines"], json!(["easy", "hard"]));
    for engine in offer["engines"].as_array().unwrap() {
        club.room(&anna, json!({ "opponent": engine })).await;
    }
    for rules in offer["rulesets"].as_array().unwrap() {
        club.room(&anna, json!({ "terms": { "width": 9, "height": 9, "rules": rules } })).await;
    }
    for wrong in ["width=99", "width=-1", "rules=none", "topology=sphere", "handicap=x", "handicap=10"] {
        assert_eq!(club.get(&format!("/api/offer?{wrong}"), Some(&anna)).await.0, 400, "{wrong}");
    }
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_copies_the_file_while_people_play_and_the_copy_serves() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let anna = club.register("Anna").await;
    let room = club.room(&anna, json!({ "opponent": "hard", "color": "black" })).await;
    let mut black = club.enter(&room, &anna).await;
    black.receive().await;
    black.send(json!({ "type": "move", "x": 4, "y": 4 })).await;
    black.until_move(2).await;
    // Made while the clock was wrong, and one that was not finished.
    let backups = folder.path().join("backups");
    std::fs::create_dir(&backups).unwrap();
    for nth in 0..10 {
        std::fs::write(backups.join(format!("server-{}.sqlite", 9_000_000_000_000_i64 + nth)), "").unwrap();
    }
    std::fs::write(backups.join("server-1.sqlite.part"), "").unwrap();
    let mut newest = String::new();
    for _ in 0..12 {
        let (status, copied) = club.post("/api/backup", Some(&club.operator), json!({})).await;
        assert!(status == 201 && copied["bytes"].as_u64().unwrap() > 10_000, "{copied}");
        newest = copied["file"].as_str().unwrap().to_owned();
        assert!(!newest.contains('/'), "no path of the machine");
        assert!(backups.join(&newest).exists(), "it is not taken for an old one");
        assert_eq!(std::fs::read_dir(&backups).unwrap().count(), 10);
    }
    black.send(json!({ "type": "move", "x": 5, "y": 5 })).await;
    black.until_move(4).await;
    club.close().await;

    let other = tempfile::tempdir().unwrap();
    std::fs::copy(backups.join(newest), other.path().join("server.sqlite")).unwrap();
    let club = Club::open(other.path(), OPEN).await;
    let mut black = club.enter(&room, &anna).await;
    assert_eq!(black.receive().await["state"]["current_move_number"], 2, "as it was when it was copied");
    club.close().await;
}
