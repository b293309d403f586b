//! Whole tournaments over the routes and the sockets.

use crate::club::{Club, Guest, OPEN};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;

/// What somebody looks at: the whole tournament, again with every change.
async fn watch(club: &Club, id: i64, token: &str) -> Guest {
    let (socket, _) = connect_async(format!("ws://{}/ws/tournaments/{id}?token={token}", club.address)).await.unwrap();
    Guest::on(socket)
}

/// Passes news over until the tournament is as wanted.
async fn until(news: &mut Guest, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
    let told = news.until(what, |message| message["type"] == "tournament" && is_it(&message["tournament"])).await;
    assert_eq!(told["version"], 1);
    told["tournament"].clone()
}

async fn make(club: &Club, token: &str, wanted: Value) -> i64 {
    let (status, answer) = club.post("/api/tournaments", Some(token), wanted).await;
    assert_eq!(status, 201, "{answer}");
    answer["id"].as_i64().unwrap()
}

async fn ask(club: &Club, id: i64, deed: &str, token: &str, body: Value) -> (u16, Value) {
    club.post(&format!("/api/tournaments/{id}/{deed}"), Some(token), body).await
}

async fn done(club: &Club, id: i64, deed: &str, token: &str, body: Value) -> Value {
    let (status, answer) = ask(club, id, deed, token, body).await;
    assert_eq!(status, 200, "{deed}: {answer}");
    answer
}

fn swiss(rounds: u32) -> Value {
    json!({ "title": "Spring cup", "system": "swiss", "rounds": rounds, "terms": { "width": 9, "height": 9 } })
}

/// The rooms of the last round, with the tokens of Black and White, and whether Black is to win: the one with the smaller
/// number does.
fn games<'a>(tournament: &Value, tokens: &'a [String]) -> Vec<(String, [&'a str; 2], bool)> {
    let last = tournament["rounds"].as_array().unwrap().last().unwrap();
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let game = |game: &Value| {
        let players = [number(&game["black"]), number(&game["white"])];
        let room = game["room"].as_str().unwrap().to_owned();
        (room, players.map(|player| tokens[player].as_str()), players[0] < players[1])
    };
    last["games"].as_array().unwrap().iter().map(game).collect()
}

/// Both come into their room; the game has begun.
async fn sit_down(club: &Club, room: &str, tokens: [&str; 2]) -> [Guest; 2] {
    let mut players = [club.enter(room, tokens[0]).await, club.enter(room, tokens[1]).await];
    for (nth, player) in players.iter_mut().enumerate() {
        let begun = player.until("the game", |message| message["state"]["stage"] == "playing").await;
        assert_ne!(begun["state"]["players"][nth]["name"], Value::Null);
    }
    players
}

async fn lose(mut players: [Guest; 2], black_wins: bool) {
    let loser = usize::from(black_wins);
    players[loser].send(json!({ "type": "resign" })).await;
    for player in &mut players {
        player.until_type("game_over").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_mcmahon_tournament_stones_follow_from_points() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let organiser = club.register("Tomo").await;
    let terms = json!({ "width": 9, "height": 9, "komi": 5.5 });
    let wanted = json!({ "title": "Spring", "system": "mc_mahon", "rounds": 2, "handicap_less": 1, "terms": terms });
    let id = make(&club, &organiser, wanted).await;
    let tokens = [club.register("Strong").await, club.register("Weak").await];
    for (token, rank) in tokens.iter().zip(["1k", "5k"]) {
        done(&club, id, "join", token, json!({ "rank": rank })).await;
    }
    let round = done(&club, id, "rounds", &organiser, json!({})).await;
    assert_eq!(round["handicap_less"], 1);
    let game = &round["rounds"][0]["games"][0];
    assert_eq!((&game["black"], &game["white"], &game["handicap"]), (&json!(1), &json!(0), &json!(3)));
    let mut weak = club.enter(game["room"].as_str().unwrap(), &tokens[1]).await;
    let state = weak.until("the state", |message| message["state"]["board"].is_array()).await["state"].clone();
    let stones = |color: u8| {
        let rows = state["board"].as_array().unwrap().iter();
        rows.flat_map(|row| row.as_array().unwrap()).filter(|point| **point == json!(color)).count()
    };
    assert_eq!((stones(1), stones(2), &state["komi"]), (3, 0, &json!(0.5)), "{state}");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_play_a_tournament_to_its_end_also_over_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let organiser = club.register("Tomo").await;
    let id = make(&club, &organiser, swiss(3)).await;
    let mut news = watch(&club, id, &organiser).await;
    let first = until(&mut news, "the empty table", |_| true).await;
    assert_eq!((&first["stage"], &first["organises"], &first["you"]), (&json!("open"), &json!(true), &Value::Null));
    // Whoever asks whether the connection still is one is answered.
    news.send(json!({ "type": "sync" })).await;
    assert_eq!(until(&mut news, "the answer", |_| true).await["id"], json!(id));
    let mut tokens = Vec::new();
    for nth in 0..8 {
        let token = club.register(&format!("Player {nth}")).await;
        // The last one is put on the list by the organiser.
        if nth < 7 {
            let joined = done(&club, id, "join", &token, json!({ "rank": format!("{} kyu", nth + 1) })).await;
            assert_eq!((&joined["you"], &joined["organises"]), (&json!(nth), &json!(false)));
        } else {
            club.get("/api/me", Some(&token)).await;
            done(&club, id, "players", &organiser, json!({ "username": "player 7", "rank": "8k" })).await;
        }
        tokens.push(token);
    }
    let full = until(&mut news, "eight players", |now| now["table"].as_array().unwrap().len() == 8).await;
    assert_eq!((&full["table"][7]["name"], &full["table"][7]["rank"]), (&json!("Player 7"), &json!("8k")));
    let (_, list) = club.get("/api/tournaments", Some(&tokens[0])).await;
    let expected = json!([{
        "id": id, "title": "Spring cup", "system": "swiss", "stage": "open", "organiser": "Tomo", "players": 8,
        "round": 0, "planned": 3, "joined": true,
    }]);
    assert_eq!(list["tournaments"], expected);

    // Round 1: everybody finds their room, and the results come by themselves.
    let (status, refused) = ask(&club, id, "rounds", &tokens[0], json!({})).await;
    assert_eq!((status, &refused["error"]["kind"]), (403, &json!("not_the_organiser")));
    let round = done(&club, id, "rounds", &organiser, json!({})).await;
    let (status, refused) = ask(&club, id, "rounds", &organiser, json!({})).await;
    assert_eq!((status, &refused["error"]["kind"]), (409, &json!("round_goes_on")));
    let carl = club.register("Carl").await;
    let (_, rooms) = club.get("/api/rooms", Some(&carl)).await;
    assert_eq!(rooms["rooms"].as_array().unwrap().len(), 4, "everybody may watch");
    for (nth, (room, players, black_wins)) in games(&round, &tokens).into_iter().enumerate() {
        if nth == 0 {
            // The seats are theirs: a stranger watches, and nobody gives one up.
            let mut stranger = club.enter(&room, &carl).await;
            assert_eq!(stranger.receive().await["state"]["stage"], "waiting");
            let mut one = club.enter(&room, players[0]).await;
            one.send(json!({ "type": "leave" })).await;
            assert_eq!(one.until_type("error").await["kind"], "fixed_seats");
        }
        let players = sit_down(&club, &room, players).await;
        lose(players, black_wins).await;
    }
    let after =
        until(&mut news, "the first round's end", |now| now["can_pair"] == true && now["rounds"][0] != Value::Null)
            .await;
    let scores = |now: &Value| -> Vec<(String, f64)> {
        let rows = now["table"].as_array().unwrap().iter();
        rows.map(|row| (row["name"].as_str().unwrap().to_owned(), row["score"].as_f64().unwrap())).collect()
    };
    assert_eq!(scores(&after).iter().filter(|(_, score)| *score == 1.0).count(), 4);

    // Round 2: one game is over, one is played, two have not begun when the server is started again.
    let round = done(&club, id, "rounds", &organiser, json!({})).await;
    let second = games(&round, &tokens);
    let (room, players, black_wins) = &second[0];
    lose(sit_down(&club, room, *players).await, *black_wins).await;
    let mut playing = sit_down(&club, &second[1].0, second[1].1).await;
    playing[0].send(json!({ "type": "move", "x": 4, "y": 4 })).await;
    playing[1].until_move(1).await;
    drop(playing);
    until(&mut news, "the first result", |now| now["rounds"][1]["games"][0]["result"] != Value::Null).await;
    drop(news);
    club.close().await;
    let club = Club::open(folder.path(), OPEN).await;
    let mut news = watch(&club, id, &organiser).await;
    let back = until(&mut news, "the tournament as it was", |_| true).await;
    let result = if second[0].2 { "black" } else { "white" };
    assert_eq!(
        (&back["rounds"][1]["games"][0]["result"], &back["rounds"][1]["games"][1]["result"]),
        (&json!(result), &Value::Null)
    );
    assert_eq!(games(&back, &tokens), second, "everybody's room is the same");
    for (nth, (room, players, black_wins)) in second.iter().enumerate().skip(1) {
        let mut players = sit_down(&club, room, *players).await;
        if nth == 1 {
            players[0].send(json!({ "type": "sync" })).await;
            players[0].until_move(1).await;
        }
        lose(players, *black_wins).await;
    }
    until(&mut news, "the second round's end", |now| now["can_pair"] == true).await;

    // Round 3: the organiser enters a result, and corrects it; that room is closed.
    let round = done(&club, id, "rounds", &organiser, json!({})).await;
    let third = games(&round, &tokens);
    let mut waiting = club.enter(&third[3].0, third[3].1[0]).await;
    assert_eq!(waiting.receive().await["state"]["stage"], "waiting");
    let enter = |result: &str| json!({ "round": 2, "game": 3, "result": result });
    let (status, _) = ask(&club, id, "results", &tokens[0], enter("black")).await;
    assert_eq!(status, 403);
    done(&club, id, "results", &organiser, enter("both_lost")).await;
    waiting.until("empty seats", |message| message["state"]["players"] == json!([null, null])).await;
    drop(waiting);
    done(&club, id, "results", &organiser, enter(if third[3].2 { "black" } else { "white" })).await;
    let (status, _) = ask(&club, id, "results", &organiser, json!({ "round": 7, "game": 0, "result": "draw" })).await;
    assert_eq!(status, 404);
    let (status, refused) = ask(&club, id, "finish", &organiser, json!({})).await;
    assert_eq!((status, &refused["error"]["kind"]), (409, &json!("round_goes_on")));
    for (room, players, black_wins) in third.iter().take(3) {
        lose(sit_down(&club, room, *players).await, *black_wins).await;
    }
    let played = |now: &Value| {
        let games = now["rounds"][2]["games"].as_array();
        games.is_some_and(|games| games.iter().all(|game| game["result"] != Value::Null))
    };
    let end = until(&mut news, "the last result", played).await;
    assert_eq!(end["can_pair"], false);
    let over = done(&club, id, "finish", &organiser, json!({})).await;
    assert_eq!(over["stage"], "over");
    let table = over["table"].as_array().unwrap();
    assert_eq!(
        (&table[0]["name"], &table[0]["score"], &table[0]["place"]),
        (&json!("Player 0"), &json!(3.0), &json!(1))
    );
    assert_eq!(scores(&over).iter().map(|row| row.1).sum::<f64>(), 12.0);
    for row in table {
        assert_eq!(row["rounds"].as_array().unwrap().len(), 3, "{row}");
    }
    let (status, refused) = ask(&club, id, "join", &carl, json!({})).await;
    assert_eq!((status, &refused["error"]["kind"]), (409, &json!("tournament_over")));
    // What was entered wrong is corrected all the same; the organiser and the operator let it go on, and nobody else.
    let draw = json!({ "round": 2, "game": 3, "result": "draw" });
    let corrected = done(&club, id, "results", &club.operator, draw).await;
    assert_eq!((&corrected["stage"], &corrected["rounds"][2]["games"][3]["result"]), (&json!("over"), &json!("draw")));
    let (status, refused) = ask(&club, id, "reopen", &tokens[0], json!({})).await;
    assert_eq!((status, &refused["error"]["kind"]), (403, &json!("not_the_organiser")));
    for token in [&organiser, &club.operator] {
        assert_eq!(done(&club, id, "reopen", token, json!({})).await["stage"], "running");
        let (status, refused) = ask(&club, id, "reopen", token, json!({})).await;
        assert_eq!((status, &refused["error"]["kind"]), (409, &json!("tournament_goes_on")));
        done(&club, id, "finish", token, json!({})).await;
    }
    // The games are with those who played them: eleven in rooms, one by the organiser's word.
    let mut played = 0;
    for token in &tokens {
        played += club.get("/api/games", Some(token)).await.1["games"].as_array().unwrap().len();
    }
    assert_eq!(played, 22);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_leads_what_nobody_leads_and_who_is_gone_has_lost() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let organiser = club.register("Tomo").await;
    let guest = club.post("/api/guest", None, json!({})).await.1["token"].as_str().unwrap().to_owned();
    let (status, refused) = club.post("/api/tournaments", Some(&guest), swiss(3)).await;
    assert_eq!((status, &refused["error"]["kind"]), (403, &json!("needs_account")));
    let id = make(&club, &organiser, swiss(3)).await;
    assert_eq!(ask(&club, id, "join", &guest, json!({})).await.0, 403);
    let mut tokens = Vec::new();
    for name in ["Anna", "Ben", "Carl", "Dora"] {
        let token = club.register(name).await;
        done(&club, id, "join", &token, json!({})).await;
        tokens.push(token);
    }
    // The organiser takes somebody off the list who is not there any more by then.
    let guest_player = club.register("Eva").await;
    done(&club, id, "join", &guest_player, json!({})).await;
    done(&club, id, "attendance", &guest_player, json!({ "attendance": "gone" })).await;
    let other = json!({ "player": 3, "name": "Eva", "attendance": "gone" });
    let (status, refused) = ask(&club, id, "attendance", &organiser, other).await;
    assert_eq!((status, &refused["error"]["kind"]), (409, &json!("other_player")));
    let (_, now) = club.get(&format!("/api/tournaments/{id}"), Some(&organiser)).await;
    assert_eq!(now["table"].as_array().unwrap().len(), 4, "{now}");
    club.post("/api/delete-account", Some(&organiser), json!({ "password": "long enough" })).await;
    let round = done(&club, id, "rounds", &club.operator, json!({})).await;
    assert_eq!((&round["organises"], &round["organiser"]), (&json!(true), &json!("Tomo")));
    let pairings = games(&round, &tokens);
    let (room, players, _) = &pairings[0];
    let mut stays = club.enter(room, players[0]).await;
    stays.receive().await;
    // Whose account goes before the game has begun has lost, and nobody else gets the seat.
    club.post("/api/delete-account", Some(players[1]), json!({ "password": "long enough" })).await;
    assert_eq!(stays.until_type("game_over").await["state"]["result"], "B+F");
    let (_, now) = club.get(&format!("/api/tournaments/{id}"), Some(&club.operator)).await;
    assert_eq!(now["rounds"][0]["games"][0]["result"], "black", "{now}");
    let gone = now["rounds"][0]["games"][0]["white"].clone();
    let row = now["table"].as_array().unwrap().iter().find(|row| row["player"] == gone).unwrap();
    assert_eq!(row["attendance"], "gone");
    // Somebody says for themselves that they come no more, and for nobody else.
    let number = now["rounds"][0]["games"][1]["black"].clone();
    let other = json!({ "player": number, "attendance": "gone" });
    let (status, refused) = ask(&club, id, "attendance", players[0], other).await;
    assert_eq!((status, &refused["error"]["kind"]), (403, &json!("not_the_organiser")));
    // Nobody whose account is gone looks on.
    let last = club.register("Late").await;
    let mut news = watch(&club, id, &last).await;
    until(&mut news, "the tournament", |_| true).await;
    club.post("/api/delete-account", Some(&last), json!({ "password": "long enough" })).await;
    while news.receive().await["type"] != "closed" {}
    let absent = done(&club, id, "attendance", players[0], json!({ "attendance": "absent" })).await;
    let row = absent["table"].as_array().unwrap().iter().find(|row| row["player"] == absent["you"]).unwrap();
    assert_eq!(row["attendance"], "absent");
    for (wanted, kind) in [
        (json!({ "title": " ", "system": "swiss" }), "bad_title"),
        (json!({ "title": "x", "system": "swiss", "rounds": 99 }), "bad_rounds"),
        (json!({ "title": "x", "system": "mc_mahon", "bar": "strong" }), "bad_rank"),
        (json!({ "title": "x", "system": "swiss", "terms": { "handicap": 4 } }), "bad_terms"),
        (json!({ "title": "x", "system": "knock-out" }), "malformed"),
        (json!({ "title": "x" }), "malformed"),
    ] {
        let (status, answer) = club.post("/api/tournaments", Some(players[0]), wanted).await;
        assert_eq!((status, &answer["error"]["kind"]), (400, &json!(kind)), "{answer}");
    }
    let (status, answer) = club.get("/api/tournaments/999", Some(&club.operator)).await;
    assert_eq!((status, &answer["error"]["kind"]), (404, &json!("unknown_tournament")));
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pairing_is_taken_back_until_somebody_has_played() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let organiser = club.register("Tomo").await;
    let id = make(&club, &organiser, swiss(3)).await;
    let mut tokens = Vec::new();
    for name in ["Anna", "Ben", "Carl", "Dora"] {
        let token = club.register(name).await;
        done(&club, id, "join", &token, json!({})).await;
        tokens.push(token);
    }
    let (status, refused) = ask(&club, id, "take-back", &organiser, json!({})).await;
    assert_eq!((status, &refused["error"]["kind"]), (404, &json!("unknown_pairing")));
    // In one room both sit at an empty board, in the other one somebody waits.
    let round = done(&club, id, "rounds", &organiser, json!({})).await;
    assert_eq!(round["can_take_back"], true);
    let pairings = games(&round, &tokens);
    let mut seated = sit_down(&club, &pairings[0].0, pairings[0].1).await;
    let mut waiting = club.enter(&pairings[1].0, pairings[1].1[0]).await;
    assert_eq!(waiting.receive().await["state"]["stage"], "waiting");
    let (status, refused) = ask(&club, id, "take-back", &tokens[0], json!({})).await;
    assert_eq!((status, &refused["error"]["kind"]), (403, &json!("not_the_organiser")));
    let open = done(&club, id, "take-back", &organiser, json!({})).await;
    assert_eq!((&open["stage"], &open["rounds"], &open["can_take_back"]), (&json!("open"), &json!([]), &json!(false)));
    seated[0].until_type("game_over").await;
    waiting.until("empty seats", |message| message["state"]["players"] == json!([null, null])).await;
    drop((seated, waiting));

    // Paired again, in other rooms; after a move the pairing stands.
    let round = done(&club, id, "rounds", &organiser, json!({})).await;
    let again = games(&round, &tokens);
    assert!(again.iter().all(|(room, ..)| pairings.iter().all(|(before, ..)| before != room)));
    let mut playing = sit_down(&club, &again[0].0, again[0].1).await;
    playing[0].send(json!({ "type": "move", "x": 4, "y": 4 })).await;
    playing[1].until_move(1).await;
    let (status, refused) = ask(&club, id, "take-back", &organiser, json!({})).await;
    assert_eq!((status, &refused["error"]["kind"]), (409, &json!("round_begun")));
    lose(playing, again[0].2).await;
    lose(sit_down(&club, &again[1].0, again[1].1).await, again[1].2).await;
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_was_entered_by_a_slip_is_taken_back_and_the_game_played() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let organiser = club.register("Tomo").await;
    let id = make(&club, &organiser, swiss(2)).await;
    let mut tokens = Vec::new();
    for name in ["Anna", "Ben", "Carl", "Dora"] {
        let token = club.register(name).await;
        done(&club, id, "join", &token, json!({})).await;
        tokens.push(token);
    }
    let round = done(&club, id, "rounds", &organiser, json!({})).await;
    let pairings = games(&round, &tokens);
    let say = |game: u64, result: Value| json!({ "round": 0, "game": game, "result": result });
    let mut playing = sit_down(&club, &pairings[1].0, pairings[1].1).await;
    playing[0].send(json!({ "type": "move", "x": 4, "y": 4 })).await;
    playing[1].until_move(1).await;
    for game in [0, 1] {
        done(&club, id, "results", &organiser, say(game, json!("draw"))).await;
    }
    // It has to be said, by the organiser.
    let (status, _) = ask(&club, id, "results", &organiser, json!({ "round": 0, "game": 0 })).await;
    assert_eq!(status, 400);
    let (status, _) = ask(&club, id, "results", &tokens[0], say(0, Value::Null)).await;
    assert_eq!(status, 403);
    // The room that was closed is replaced; the game that goes on stays where it is.
    done(&club, id, "results", &organiser, say(0, Value::Null)).await;
    let now = done(&club, id, "results", &organiser, say(1, Value::Null)).await;
    let again = games(&now, &tokens);
    assert!(again[0].0 != pairings[0].0 && again[1].0 == pairings[1].0);
    lose(playing, again[1].2).await;
    lose(sit_down(&club, &again[0].0, again[0].1).await, again[0].2).await;
    let mut news = watch(&club, id, &organiser).await;
    until(&mut news, "the results", |now| now["can_pair"] == true).await;
    // What was played to its end can be corrected, and not played again.
    let (status, refused) = ask(&club, id, "results", &organiser, say(1, Value::Null)).await;
    assert_eq!((status, &refused["error"]["kind"]), (409, &json!("game_begun")));
    club.close().await;
}

/// The number of the player with this name.
fn number(now: &Value, name: &str) -> u64 {
    let row = now["table"].as_array().unwrap().iter().find(|row| row["name"] == name);
    row.unwrap()["player"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_organiser_pairs_by_hand_and_gives_pauses_also_over_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open(folder.path(), OPEN).await;
    let organiser = club.register("Tomo").await;
    let id = make(&club, &organiser, swiss(3)).await;
    let mut tokens = Vec::new();
    for name in ["Anna", "Ben", "Carl", "Dora", "Eva"] {
        let token = club.register(name).await;
        done(&club, id, "join", &token, json!({})).await;
        tokens.push(token);
    }
    // Nobody but the organiser and the operator says anything of that.
    let half = json!({ "round": 0, "player": 4, "name": "Eva", "points": "half" });
    let apart = json!({ "round": 0, "one": 0, "other": 2, "change": "unpair" });
    for (deed, body) in [("rests", &half), ("pairings", &apart)] {
        for token in &tokens[..2] {
            let (status, refused) = ask(&club, id, deed, token, body.clone()).await;
            assert_eq!((status, &refused["error"]["kind"]), (403, &json!("not_the_organiser")), "{deed}");
        }
    }
    let paused = done(&club, id, "rests", &club.operator, half.clone()).await;
    assert_eq!(paused["rests"], json!([{ "round": 0, "player": 4, "points": "half" }]));
    let round = done(&club, id, "rounds", &organiser, json!({})).await;
    assert_eq!((&round["rounds"][0]["bye"], &round["table"][0]["name"]), (&Value::Null, &json!("Eva")));
    assert_eq!((&round["table"][0]["score"], &round["table"][0]["rounds"][0]["result"]), (&json!(0.5), &json!("half")));
    let pairings = games(&round, &tokens);
    assert_eq!(pairings.len(), 2);

    // Anna and Carl sit in their room, where nobody has played; they are taken apart, and that room is closed.
    let mut waiting = club.enter(&pairings[0].0, pairings[0].1[0]).await;
    assert_eq!(waiting.receive().await["state"]["stage"], "waiting");
    let (status, refused) =
        ask(&club, id, "pairings", &organiser, json!({ "round": 0, "one": 0, "other": 1, "change": "pair" })).await;
    assert_eq!((status, &refused["error"]["kind"]), (409, &json!("has_game")));
    let now = done(&club, id, "pairings", &organiser, apart.clone()).await;
    assert_eq!(now["rounds"][0]["games"].as_array().unwrap().len(), 1);
    waiting.until("empty seats", |message| message["state"]["players"] == json!([null, null])).await;
    drop(waiting);
    let (status, refused) = ask(&club, id, "pairings", &organiser, apart).await;
    assert_eq!((status, &refused["error"]["kind"]), (404, &json!("unknown_pairing")));
    // A result is not entered for a game that others have by now.
    let stale = json!({ "round": 0, "game": 0, "black": 0, "white": 2, "result": "black" });
    let (status, refused) = ask(&club, id, "results", &organiser, stale).await;
    assert_eq!((status, &refused["error"]["kind"]), (409, &json!("other_pairing")));
    // Anna exchanges places with Ben; Carl, who has nobody, gets Ben.
    let change = json!({ "round": 0, "one": 0, "other": 1, "change": "exchange" });
    done(&club, id, "pairings", &organiser, change).await;
    let change = json!({ "round": 0, "one": 2, "other": 1, "change": "pair" });
    let now = done(&club, id, "pairings", &organiser, change).await;
    let changed = games(&now, &tokens);
    let rooms: Vec<&String> = pairings.iter().chain(&changed).map(|(room, ..)| room).collect();
    assert!(rooms.iter().enumerate().all(|(nth, room)| !rooms[..nth].contains(room)), "rooms of their own: {rooms:?}");
    for game in now["rounds"][0]["games"].as_array().unwrap() {
        let mut players = [game["black"].as_u64().unwrap(), game["white"].as_u64().unwrap()];
        players.sort_unstable();
        assert!(players == [0, 3] || players == [1, 2], "{game}");
    }

    // It is the same after a restart, and in the rooms that were made.
    club.close().await;
    let club = Club::open(folder.path(), OPEN).await;
    let (_, back) = club.get(&format!("/api/tournaments/{id}"), Some(&organiser)).await;
    assert_eq!((&back["rounds"], &back["rests"]), (&now["rounds"], &now["rests"]));
    let mut playing = sit_down(&club, &changed[0].0, changed[0].1).await;
    playing[0].send(json!({ "type": "move", "x": 4, "y": 4 })).await;
    playing[1].until_move(1).await;
    // A game under way is nobody's to take away, nor is one that has ended.
    let game = &back["rounds"][0]["games"][0];
    for (change, others) in [("unpair", [&game["black"], &game["white"]]), ("exchange", [&game["black"], &json!(4)])] {
        let wanted = json!({ "round": 0, "one": others[0], "other": others[1], "change": change, "rematch": true });
        let (status, refused) = ask(&club, id, "pairings", &organiser, wanted).await;
        assert_eq!((status, &refused["error"]["kind"]), (409, &json!("game_begun")), "{change}");
    }
    lose(playing, changed[0].2).await;
    lose(sit_down(&club, &changed[1].0, changed[1].1).await, changed[1].2).await;
    let mut news = watch(&club, id, &organiser).await;
    until(&mut news, "the round's end", |now| now["can_pair"] == true).await;

    // Somebody comes late: the round that was missed is half a point. Those who met are told of it before they meet again.
    let late = club.register("Late").await;
    club.get("/api/me", Some(&late)).await;
    let added = done(&club, id, "players", &organiser, json!({ "username": "Late", "missed": "half" })).await;
    let number = number(&added, "Late");
    let row = added["table"].as_array().unwrap().iter().find(|row| row["player"] == number).unwrap();
    assert_eq!((&row["score"], &row["rounds"][0]["result"]), (&json!(0.5), &json!("half")));
    let round = done(&club, id, "rounds", &organiser, json!({})).await;
    for game in round["rounds"][1]["games"].as_array().unwrap() {
        let wanted = json!({ "round": 1, "one": game["black"], "other": game["white"], "change": "unpair" });
        done(&club, id, "pairings", &organiser, wanted).await;
    }
    let again = |rematch: bool| json!({ "round": 1, "one": 1, "other": 2, "change": "pair", "rematch": rematch });
    let (status, refused) = ask(&club, id, "pairings", &organiser, again(false)).await;
    assert_eq!((status, &refused["error"]["kind"]), (409, &json!("rematch")));
    let now = done(&club, id, "pairings", &organiser, again(true)).await;
    assert_eq!(now["rounds"][1]["games"][0]["rematch"], true);
    for (body, status, kind) in [
        (json!({ "round": 1, "one": 3, "other": 3, "change": "pair" }), 409, "same_player"),
        (json!({ "round": 2, "one": 3, "other": 4, "change": "pair" }), 404, "unknown_round"),
        (json!({ "round": 1, "one": 3, "other": 99, "change": "pair" }), 404, "unknown_player"),
        (json!({ "round": 1, "one": 3, "other": 4, "change": "marry" }), 400, "malformed"),
    ] {
        let (refused, answer) = ask(&club, id, "pairings", &organiser, body).await;
        assert_eq!((refused, &answer["error"]["kind"]), (status, &json!(kind)), "{answer}");
    }
    let (status, refused) =
        ask(&club, id, "rests", &organiser, json!({ "round": 1, "player": 1, "points": "bye" })).await;
    assert_eq!((status, &refused["error"]["kind"]), (409, &json!("has_game")));
    club.close().await;
}
