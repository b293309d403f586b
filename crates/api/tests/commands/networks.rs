//! The shelf of networks, with a server on this machine.

use crate::host::Desk;
use honinbo_api::{ApiError, Event, NetworkFetch, ShelfState};
use honinbo_evaluator::{EvalError, EvalParams, EvalRequest, Evaluator, StopFlag};
use honinbo_rules::{BoardSize, Game, Komi, Move, Ruleset, Setup, Topology};
use honinbo_testkit::fixtures;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

const FILE: &str = "listed.bin.gz";

/// A server that sends half of a file, and the rest when it is told to.
pub(crate) struct Slow {
    pub(crate) address: String,
    pub(crate) go_on: Sender<()>,
}

impl Slow {
    pub(crate) fn start(content: Vec<u8>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/nets/{FILE}", listener.local_addr().unwrap());
        let (go_on, told): (_, Receiver<()>) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                send(stream.unwrap(), &content, &told);
            }
        });
        Self { address, go_on }
    }
}

fn send(mut stream: TcpStream, content: &[u8], told: &Receiver<()>) {
    let mut from = 0;
    for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
        if line.is_empty() {
            break;
        }
        if let Some(range) = line.to_lowercase().strip_prefix("range: bytes=") {
            from = range.trim_end_matches('-').parse().unwrap();
        }
    }
    let rest = &content[from..];
    let (status, range) = match from {
        0 => ("200 OK", String::new()),
        _ => {
            ("206 Partial Content", format!("Content-Range: bytes {from}-{}/{}\r\n", content.len() - 1, content.len()))
        }
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nETag: \"v1\"\r\n{range}Connection: close\r\n\r\n",
        rest.len()
    );
    let half = rest.len() / 2;
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&rest[..half]));
    let _ = told.recv();
    let _ = stream.write_all(&rest[half..]);
}

fn content() -> Vec<u8> {
    std::fs::read(fixtures::fixture("networks/g170-b6c96-s175395328-d26788732.bin.gz")).unwrap()
}

/// A desk whose list has one network, at this address.
fn desk(address: &str) -> Desk {
    let desk = Desk::new();
    let list = json!({ "serial": 1, "networks": [{
        "file": FILE, "kind": "quick", "bytes": 3_827_339, "billionMultiplyAdds": 0.36,
        "licence": "MIT", "licencePage": "https://example.org/licence", "addresses": [address],
    }]});
    std::fs::write(desk.path("data").join("list-for-tests.json"), list.to_string()).unwrap();
    desk
}

fn listed(shelf: &Value) -> Value {
    shelf["networks"].as_array().unwrap().iter().find(|network| network["file"] == FILE).cloned().unwrap_or(Value::Null)
}

fn news(desk: &Desk, wanted: impl Fn(&NetworkFetch) -> bool) -> NetworkFetch {
    desk.wait_for(|event| match event {
        Event::Network(fetch) => Some(fetch.clone()).filter(|fetch| wanted(fetch)),
        _ => None,
    })
}

#[test]
fn a_network_is_fetched_paused_gone_on_with_used_and_removed() {
    let server = Slow::start(content());
    let desk = desk(&server.address);
    let name = json!({ "file": FILE });
    let entry = listed(&desk.must("list_shelf", json!({})));
    assert_eq!(
        (&entry["state"], &entry["kind"], &entry["licence"]),
        (&json!("absent"), &json!("quick"), &json!("MIT"))
    );
    assert!(entry["source"].as_str().unwrap().starts_with("127.0.0.1:"), "{entry}");

    desk.must("fetch_network", name.clone());
    desk.must("fetch_network", name.clone()); // It is under way already.
    news(&desk, |fetch| fetch.state == ShelfState::Fetching);
    let refused = desk.give("remove_network", name.clone()).unwrap_err();
    assert!(matches!(refused, ApiError::InvalidRequest { .. }), "{refused}");
    desk.must("pause_network", name.clone());
    let paused = news(&desk, |fetch| matches!(fetch.state, ShelfState::Paused | ShelfState::Absent));
    assert_eq!(paused.message, "");
    server.go_on.send(()).unwrap();

    desk.forget_events();
    desk.must("fetch_network", name.clone());
    server.go_on.send(()).unwrap();
    let here = news(&desk, |fetch| fetch.state == ShelfState::Here || !fetch.message.is_empty());
    assert_eq!((here.state, here.message.as_str()), (ShelfState::Here, ""));
    let kept = desk.path("data").join("networks").join(FILE);
    assert_eq!(std::fs::read(&kept).unwrap(), content());
    assert_eq!(listed(&desk.must("list_shelf", json!({})))["state"], "here");

    let mut settings = desk.must("startup", json!({}))["settings"].clone();
    settings["network"] = json!(FILE);
    desk.must("set_settings", settings.clone());
    assert_eq!(listed(&desk.must("list_shelf", json!({})))["inUse"], true);
    let refused = desk.give("remove_network", name.clone()).unwrap_err();
    assert!(refused.to_string().contains("in use"), "{refused}");
    settings["network"] = json!("");
    desk.must("set_settings", settings);
    assert_eq!(listed(&desk.must("remove_network", name.clone()))["state"], "absent");
    assert!(!kept.exists());
    assert!(matches!(desk.give("remove_network", name), Err(ApiError::NotFound { .. })));
}

#[test]
fn a_failure_is_told_with_what_to_do() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let desk = desk(&format!("http://{nobody}/{FILE}"));
    desk.must("fetch_network", json!({ "file": FILE }));
    let failed = news(&desk, |fetch| !fetch.message.is_empty());
    assert_eq!(failed.state, ShelfState::Absent);
    assert!(failed.message.contains("cannot be fetched") && failed.hint.contains("connection"), "{failed:?}");
    for unknown in ["nobody.bin.gz", "../settings.toml"] {
        let error = desk.give("fetch_network", json!({ "file": unknown })).unwrap_err();
        assert!(matches!(error, ApiError::NotFound { .. }), "{error}");
    }
}

#[test]
fn networks_are_put_into_the_folder_that_the_person_chose_and_found_there() {
    let server = Slow::start(content());
    server.go_on.send(()).unwrap();
    let desk = desk(&server.address);
    let folder = desk.path("own networks");
    let mut settings = desk.must("startup", json!({}))["settings"].clone();
    settings["networkFolder"] = json!(folder);
    desk.must("set_settings", settings);
    desk.must("fetch_network", json!({ "file": FILE }));
    let here = news(&desk, |fetch| fetch.state == ShelfState::Here || !fetch.message.is_empty());
    assert_eq!(here.message, "");
    assert!(folder.join(FILE).is_file());
    let shelf = desk.must("list_shelf", json!({}));
    assert_eq!((&shelf["folder"], &listed(&shelf)["state"]), (&json!(folder), &json!("here")));
}

#[test]
fn a_browser_is_not_told_where_networks_lie() {
    assert_eq!(Desk::without_paths().must("list_shelf", json!({}))["folder"], "");
}

#[test]
fn a_list_that_cannot_be_read_is_said_and_what_is_here_is_shown() {
    let desk = desk("http://127.0.0.1:9/x.bin.gz");
    std::fs::write(desk.path("data").join("list-for-tests.json"), "{").unwrap();
    std::fs::create_dir_all(desk.path("data").join("networks")).unwrap();
    std::fs::write(desk.path("data").join("networks").join("mine.bin.gz"), "x").unwrap();
    let shelf = desk.must("list_shelf", json!({}));
    assert!(shelf["problem"].as_str().unwrap().contains("cannot be read"), "{shelf}");
    let files: Vec<&str> =
        shelf["networks"].as_array().unwrap().iter().map(|network| network["file"].as_str().unwrap()).collect();
    assert!(files.contains(&"mine.bin.gz"), "{files:?}");
    assert!(matches!(desk.give("renew_shelf", json!({})), Err(ApiError::NotPossibleHere { .. })));
}

#[test]
fn who_shares_an_engine_follows_it_to_another_network_and_other_threads() {
    let (Some(one), Some(two)) = (fixtures::network("g170-b6c96"), fixtures::network("b7c96h3tfrs")) else {
        return fixtures::skip("there are no two networks");
    };
    if !fixtures::resources().join("onnxruntime").is_dir() {
        return fixtures::skip("there is no ONNX Runtime");
    }
    let folder = tempfile::tempdir().unwrap();
    let networks = folder.path().join("networks");
    std::fs::create_dir_all(&networks).unwrap();
    std::fs::copy(one, networks.join("one.bin.gz")).unwrap();
    std::fs::copy(two, networks.join("two.bin.gz")).unwrap();
    let owner = Desk::with_networks(folder.path());
    owner.must("set_settings", json!({"network": "one.bin.gz"}));
    let guest = Desk::sharing(&owner);
    let id = guest.open("(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gg])");
    // Each time at a position that nobody has looked at.
    let asked = || {
        guest.must("navigate", json!({"gameId": id, "step": "next"}));
        guest.give("run", json!({"gameId": id, "visits": 5}))
    };
    let name = |reply: &Value| reply["network"].as_str().unwrap().to_owned();
    let first = name(&asked().unwrap());
    guest.must("set_analysis", json!({"gameId": id, "running": true, "visits": 10}));
    let shown = |wanted: &dyn Fn(&str) -> bool| {
        guest.wait_for(|event| match event {
            Event::Engine(status) if wanted(&status.network) => Some(status.network.clone()),
            _ => None,
        })
    };
    shown(&|network| network == first);
    guest.forget_events();
    owner.must("set_settings", json!({"network": "two.bin.gz"}));
    let second = shown(&|network| !network.is_empty() && network != first);
    assert_eq!(name(&asked().unwrap()), second, "also what is analysed by itself has gone over");
    owner.must("set_settings", json!({"threads": 1}));
    assert_eq!(name(&asked().unwrap()), second);
    // Where the network lies is nobody else's business.
    owner.must("set_settings", json!({"network": "gone.bin.gz"}));
    let error = guest.give("run", json!({"gameId": id, "visits": 50})).unwrap_err().to_string();
    assert!(error.contains("the engine of this server does not answer"), "{error}");
    owner.must("set_settings", json!({"network": "one.bin.gz"}));
    assert_eq!(name(&guest.must("run", json!({"gameId": id, "visits": 50}))), first);
}

/// A network that computes on this machine, in this data folder; `None`, counted as skipped, where there is none.
fn computing(data_dir: &Path) -> Option<Desk> {
    let Some(network) = fixtures::network("g170-b6c96") else {
        fixtures::skip("there is no network");
        return None;
    };
    if !fixtures::resources().join("onnxruntime").is_dir() {
        fixtures::skip("there is no ONNX Runtime");
        return None;
    }
    std::fs::create_dir_all(data_dir.join("networks")).unwrap();
    std::fs::copy(network, data_dir.join("networks").join("one.bin.gz")).unwrap();
    let desk = Desk::with_networks(data_dir);
    desk.must("set_settings", json!({"network": "one.bin.gz"}));
    Some(desk)
}

fn small_game() -> Game {
    let setup = Setup::new(BoardSize::NINE, Topology::Plane, Ruleset::TROMP_TAYLOR, Komi::from_half_points(15));
    Game::new(setup).unwrap()
}

#[test]
fn installed_networks_play_each_other_and_those_of_human_style_are_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let Some(desk) = computing(folder.path()) else { return };
    let networks = folder.path().join("networks");
    for name in ["a+b.bin.gz", "b18-humanv0.bin.gz"] {
        std::fs::copy(networks.join("one.bin.gz"), networks.join(name)).unwrap();
    }
    let listed = desk.must("list_opponents", json!({}));
    let ids: Vec<&str> = listed["opponents"].as_array().unwrap().iter().filter_map(|one| one["id"].as_str()).collect();
    assert!(ids.contains(&"network:a+b.bin.gz") && ids.contains(&"network:one.bin.gz"), "{ids:?}");
    assert!(!ids.iter().any(|id| id.contains("human")), "{ids:?}");
    assert!(!desk.app.opponent_names().iter().any(|name| name.contains("network")), "not in the rooms of a server");
    let start = |white: &str| {
        let game = json!({"width": 9, "height": 9, "topology": "plane", "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": ""});
        let seats = json!({"black": "network:a+b.bin.gz", "white": white});
        desk.give("start_play", json!({"game": game, "seats": seats, "clock": null, "teaching": null}))
    };
    assert!(matches!(start("network:missing.bin.gz"), Err(ApiError::InvalidRequest { .. })));
    let started = start("network:one.bin.gz").unwrap();
    let info = &started["game"]["info"];
    assert_eq!((&info["black"], &info["white"]), (&json!("Honinbo a+b"), &json!("Honinbo one")));
    desk.wait_for(|event| match event {
        Event::Play(news) if news.update.as_ref().is_some_and(|update| update.position.move_number == 2) => {
            assert_eq!(news.notice, None);
            Some(())
        }
        _ => None,
    });
    desk.must("stop_play", json!({"gameId": started["game"]["gameId"]}));
}

#[test]
fn who_thinks_while_another_setting_is_chosen_goes_on_until_the_program_ends() {
    let folder = tempfile::tempdir().unwrap();
    let Some(desk) = computing(folder.path()) else { return };
    let evaluator = desk.app.ready_engine().unwrap().evaluator;
    let mut game = small_game();
    // Each time about a position that nobody remembers.
    let mut asked = || {
        let first = game.legal_points().next().unwrap();
        game.play(game.to_play(), Move::Place(first)).unwrap();
        let request = EvalRequest { game: &game, params: EvalParams::default() };
        evaluator.evaluate(&[request], &StopFlag::new()).map(|answers| answers.len())
    };
    assert_eq!(asked(), Ok(1));
    for change in [json!({"threads": 1}), json!({"network": ""}), json!({"precision": "exact"})] {
        desk.must("set_settings", change);
        assert_eq!(asked(), Ok(1));
    }
    desk.app.shut_down();
    assert_eq!(asked(), Err(EvalError::Closed));
}

#[test]
fn answers_that_are_remembered_do_not_make_a_network_faster() {
    let folder = tempfile::tempdir().unwrap();
    let Some(desk) = computing(folder.path()) else { return };
    let ready = desk.app.ready_engine().unwrap();
    let game = small_game();
    let ask = |evaluator: &dyn Evaluator| {
        evaluator.evaluate(&[EvalRequest { game: &game, params: EvalParams::default() }], &StopFlag::new()).unwrap();
    };
    ask(&*ready.evaluator);
    let speed = desk.app.engine_status().evaluations_per_second.get();
    assert!(speed > 0.0);
    for _ in 0..100 {
        ask(&*ready.evaluator);
        ask(&*ready.background);
    }
    assert_eq!(desk.app.engine_status().evaluations_per_second.get(), speed);
}
