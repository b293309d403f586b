//! The board of one's own: what it costs the others.

use crate::club::{Club, Guest, OPEN, PATIENCE};
use honinbo_api::{ApiError, App, Caller, EngineSource};
use honinbo_players::Player;
use honinbo_rooms::Opinion;
use honinbo_rules::{Game, Point};
use honinbo_server::{EventHub, Opponents, ServerHost};
use honinbo_testkit::CountingEvaluator;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio_tungstenite::connect_async;

/// The operator's back end, whose engine has two ends and is everybody's.
pub(crate) struct TwoEnds {
    app: Arc<App>,
    _folder: tempfile::TempDir,
}

impl TwoEnds {
    fn of(live: Arc<CountingEvaluator>, background: Arc<CountingEvaluator>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let host = ServerHost::new(folder.path().join("data"), Vec::new(), Arc::new(EventHub::new()));
        let source = EngineSource::TwoEnds { live, background, network: "uniform".into() };
        Self { app: App::with_engine(Arc::new(host), source), _folder: folder }
    }
}

impl Opponents for TwoEnds {
    fn opponent(&self, level: &str) -> Result<Box<dyn Player>, ApiError> {
        Err(ApiError::InvalidRequest { message: level.to_owned() })
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn engine(&self) -> EngineSource {
        self.app.engine()
    }

    fn dead_stones(&self, _: &Game) -> Vec<Point> {
        Vec::new()
    }

    fn opinion(&self, _: &Game, _: &Caller) -> Option<Opinion> {
        None
    }
}

pub(crate) fn two_ends() -> Arc<TwoEnds> {
    Arc::new(TwoEnds::of(Arc::default(), Arc::default()))
}

pub(crate) async fn window_of(club: &Club, token: &str) -> Guest {
    let (socket, _) = connect_async(format!("ws://{}/api/ws?token={token}", club.address)).await.unwrap();
    Guest::on(socket)
}

/// The texts of the records in somebody's library, as they are kept.
async fn library(window: &mut Guest) -> Vec<String> {
    let query = json!({ "text": "", "sort": "date", "descending": false, "offset": 0, "limit": 100 });
    let page = command(window, "search_records", query).await;
    let mut texts = Vec::new();
    for record in page["records"].as_array().unwrap() {
        let opened = command(window, "open_record", json!({ "id": record["id"] })).await;
        let game = json!({ "gameId": opened["gameId"] });
        let text = command(window, "export_sgf", game.clone()).await;
        texts.push(text["sgf"].as_str().unwrap_or_else(|| panic!("{text}")).to_owned());
        command(window, "close_game", game).await;
    }
    texts
}

pub(crate) async fn command(window: &mut Guest, name: &str, args: Value) -> Value {
    window.send(json!({ "id": name, "command": name, "args": args })).await;
    let answer = window.until(name, |message| message["id"] == name).await;
    assert!(answer["error"].is_null(), "{answer}");
    answer["ok"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_store_gives_nobodys_board_to_whoever_has_the_number_now() {
    let [first, second, third, folder] = [0; 4].map(|_| tempfile::tempdir().unwrap());
    let people = folder.path().join("people");
    let club = Club::open_with(first.path(), OPEN, two_ends(), Some(people.clone())).await;
    let anna = club.register("Anna").await;
    command(&mut window_of(&club, &anna).await, "startup", json!({})).await;
    club.close().await;
    let [own, aside] = ["1", "1.of-another-1"].map(|name| people.join(name).join("annas"));
    std::fs::write(&own, "").unwrap();

    let club = Club::open_with(second.path(), OPEN, two_ends(), Some(people.clone())).await;
    let delete = json!({ "password": "long enough" });
    let ben = club.register("Ben").await;
    assert_eq!(club.post("/api/delete-account", Some(&ben), delete).await.0, 204);
    assert!(own.exists(), "who never had the board cannot take it along");
    club.close().await;

    let club = Club::open_with(third.path(), OPEN, two_ends(), Some(people)).await;
    let cleo = club.register("Cleo").await;
    command(&mut window_of(&club, &cleo).await, "startup", json!({})).await;
    assert_eq!((own.exists(), aside.exists()), (false, true));
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn somebodys_sweep_waits_behind_what_others_wait_for() {
    let folder = tempfile::tempdir().unwrap();
    let (live, background) = (Arc::new(CountingEvaluator::default()), Arc::new(CountingEvaluator::default()));
    let opponents = TwoEnds::of(Arc::clone(&live), Arc::clone(&background));
    let people = Some(folder.path().join("people"));
    let club = Club::open_with(folder.path(), OPEN, Arc::new(opponents), people).await;
    let anna = club.register("Anna").await;
    let (socket, _) = connect_async(format!("ws://{}/api/ws?token={anna}", club.address)).await.unwrap();
    let mut window = Guest::on(socket);
    let startup = command(&mut window, "startup", json!({})).await;
    assert_eq!(startup["settings"]["evaluationsMib"], 64, "what a server gives, not what a disk of one's own would");
    let new = json!({
        "width": 9, "height": 9, "rules": "chinese", "komi": 7, "handicap": 0, "black": "", "white": "",
    });
    let game = command(&mut window, "new_game", new).await["gameId"].clone();
    command(&mut window, "sweep_game", json!({ "gameId": game, "passes": [50] })).await;
    let begun = std::time::Instant::now();
    while background.asked() < 50 {
        assert!(begun.elapsed() < PATIENCE, "{} and {} positions were asked about", live.asked(), background.asked());
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert_eq!(live.asked(), 0, "a sweep is nothing that anybody waits for");
    command(&mut window, "set_analysis", json!({ "gameId": game, "running": true, "visits": 500 })).await;
    while live.asked() == 0 {
        assert!(begun.elapsed() < PATIENCE, "live analysis asked nobody");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    drop(window);
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_of_a_lesson_is_put_into_the_libraries_of_all_who_took_part() {
    let folder = tempfile::tempdir().unwrap();
    let people = Some(folder.path().join("people"));
    let club = Club::open_with(folder.path(), OPEN, two_ends(), people.clone()).await;
    let mut tokens = Vec::new();
    for name in ["Tomo", "Anna", "Ben", "Carl", "Dora"] {
        tokens.push(club.register(name).await);
    }
    let guest = club.post("/api/guest", None, json!({})).await.1["token"].as_str().unwrap().to_owned();
    let wanted = json!({ "title": "Corners", "terms": { "width": 9, "height": 9 } });
    let (status, answer) = club.post("/api/lessons", Some(&tokens[0]), wanted).await;
    assert_eq!(status, 201, "{answer}");
    let room = answer["room_id"].as_str().unwrap().to_owned();
    // The teacher and a student look at their boards meanwhile; Dora is not there.
    let mut boards = [window_of(&club, &tokens[0]).await, window_of(&club, &tokens[1]).await];
    for board in &mut boards {
        assert_eq!(library(board).await, [""; 0]);
    }
    let mut teacher = club.enter(&room, &tokens[0]).await;
    let mut class = Vec::new();
    for token in [&tokens[1], &tokens[2], &tokens[3], &guest] {
        let mut person = club.enter(&room, token).await;
        person.until_type("lesson_state").await;
        class.push(person);
    }
    teacher.send(json!({ "type": "role", "name": "Carl", "role": "audience" })).await;
    teacher.send(json!({ "type": "play", "x": 2, "y": 2 })).await;
    teacher.send(json!({ "type": "comment", "text": "The 3-3 point" })).await;
    // Ben goes before the end; he took part all the same.
    drop(class.remove(1));
    teacher.send(json!({ "type": "finish" })).await;
    teacher.until("the end", |message| message["state"]["over"] == true).await;

    let is_the_lesson = |texts: &[String]| {
        assert!(texts.len() <= 1, "{texts:?}");
        texts.iter().any(|text| text.contains("GN[Corners]") && text.contains(";B[cc]C[The 3-3 point]"))
    };
    // Boards that are open are given it at once.
    for board in &mut boards {
        let begun = std::time::Instant::now();
        while !is_the_lesson(&library(board).await) {
            assert!(begun.elapsed() < PATIENCE, "the lesson does not come");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
    // The audience's is opened later, and Ben's after the server was started again; nobody gets it twice.
    assert!(is_the_lesson(&library(&mut window_of(&club, &tokens[3]).await).await), "the audience");
    drop((boards, teacher, class));
    club.close().await;
    let club = Club::open_with(folder.path(), OPEN, two_ends(), people).await;
    for token in &tokens[..4] {
        assert!(is_the_lesson(&library(&mut window_of(&club, token).await).await));
    }
    assert_eq!(library(&mut window_of(&club, &tokens[4]).await).await, [""; 0], "Dora took no part");
    club.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_a_room_counts_on_its_players_own_pages_without_being_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let club = Club::open_with(folder.path(), OPEN, two_ends(), Some(folder.path().join("people"))).await;
    let [anna, ben] = [club.register("Anna").await, club.register("Ben").await];
    let mut board = window_of(&club, &anna).await;
    assert_eq!(library(&mut board).await, [""; 0]);
    let wanted = json!({ "terms": { "width": 9, "height": 9 }, "color": "black" });
    let room = club.room(&anna, wanted).await;
    let mut players = [club.enter(&room, &anna).await, club.enter(&room, &ben).await];
    players[0].until_type("game_start").await;
    for (nth, at) in [(2, 2), (6, 6), (2, 6), (6, 2), (4, 4)].into_iter().enumerate() {
        players[nth % 2].send(json!({ "type": "move", "x": at.0, "y": at.1, "color": nth % 2 + 1 })).await;
        players[(nth + 1) % 2].until_move(nth as u64 + 1).await;
    }
    players[1].send(json!({ "type": "resign", "id": 9 })).await;
    let begun = std::time::Instant::now();
    while library(&mut board).await.is_empty() {
        assert!(begun.elapsed() < PATIENCE, "the game does not come");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    loop {
        let page = command(&mut board, "weaknesses", json!({ "name": "Anna" })).await;
        if page["judged"] == 1 {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "it is not reviewed: {page}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    drop((board, players));
    club.close().await;
}
