//! The web app, from the outside.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{PATIENCE, Running, eventually, start};
use futures_util::{SinkExt as _, StreamExt as _};
use honinbo_api::{AnalysisUpdate, Event, Finite};
use honinbo_server::Limits;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

async fn http(server: &Running, request: &str) -> String {
    let mut stream = TcpStream::connect(server.http).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("no end of the answer").unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

async fn get(server: &Running, path: &str, host: &str) -> String {
    http(server, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")).await
}

struct Window(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Window {
    async fn open(server: &Running) -> Self {
        Self::greeted(server).await.0
    }

    /// A window, and which run of the back end it was told that this is.
    async fn greeted(server: &Running) -> (Self, Value) {
        let mut window = Self(connect_async(server.ws_url()).await.unwrap().0);
        let hello = window.receive().await;
        assert!(hello["run"].is_string(), "{hello}");
        (window, hello)
    }

    async fn send(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).await.unwrap();
    }

    async fn receive(&mut self) -> Value {
        // One limit for all that is read: the server's pings come for ever.
        let message = timeout(PATIENCE, async {
            loop {
                match self.0.next().await.unwrap().unwrap() {
                    Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                    Message::Close(_) => return json!("closed"),
                    _ => {}
                }
            }
        });
        message.await.expect("nothing came")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_carry_strict_headers() {
    let web = tempfile::tempdir().unwrap();
    std::fs::write(web.path().join("index.html"), "<!doctype html><title>Go</title>").unwrap();
    let server = start(Limits::default(), Some(web.path().to_path_buf())).await;
    let page = get(&server, "/?token=whatever", "localhost").await;
    let changing = |line: &&str| !line.starts_with("date:") && !line.starts_with("etag:");
    let page = page.lines().filter(changing).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(page, @r#"
    HTTP/1.1 200 OK
    content-type: text/html; charset=utf-8
    cache-control: no-cache
    content-security-policy: default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    x-content-type-options: nosniff
    x-frame-options: DENY
    referrer-policy: no-referrer
    cross-origin-opener-policy: same-origin
    cross-origin-resource-policy: same-origin
    permissions-policy: camera=(), microphone=(), geolocation=(), payment=(), usb=()
    content-length: 32
    connection: close

    <!doctype html><title>Go</title>
    "#);
    assert!(get(&server, "/other", "localhost").await.starts_with("HTTP/1.1 404"));
    assert!(get(&server, "/../../etc/passwd", "localhost").await.starts_with("HTTP/1.1 404"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_could_be_pointed_here_is_refused() {
    let server = start(Limits::default(), None).await;
    for path in ["/", "/api/ws"] {
        let answer = get(&server, path, "evil.example").await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
        assert!(answer.contains("content-security-policy"), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_never_ends_is_given_up() {
    let server = start(Limits { header_time: Duration::from_millis(200), ..Limits::default() }, None).await;
    http(&server, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ").await;
    http(&server, &format!("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: {}", "x".repeat(600_000))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_token_opens_a_window() {
    let server = start(Limits::default(), None).await;
    for query in ["", "?token=", "?token=0000", "?Token=x", "?token=%00"] {
        let refused = connect_async(format!("ws://{}/api/ws{query}", server.http)).await;
        let Err(Error::Http(response)) = refused else { panic!("{query}: {refused:?}") };
        assert_eq!(response.status(), 403, "{query}");
    }
    let mut foreign = server.ws_url().into_client_request().unwrap();
    foreign.headers_mut().insert("Origin", "http://evil.example".parse().unwrap());
    let Err(Error::Http(response)) = connect_async(foreign).await else { panic!("another origin was let in") };
    assert_eq!(response.status(), 403);
    let mut own = server.ws_url().into_client_request().unwrap();
    own.headers_mut().insert("Origin", format!("http://{}", server.http).parse().unwrap());
    connect_async(own).await.unwrap();
}

/// Open games have other names after a restart: a window that comes back has to know.
#[tokio::test(flavor = "multi_thread")]
async fn a_window_is_told_first_which_run_of_the_back_end_this_is() {
    let (server, restarted) = (start(Limits::default(), None).await, start(Limits::default(), None).await);
    let (_one, hello) = Window::greeted(&server).await;
    let (_two, again) = Window::greeted(&server).await;
    let (_three, other) = Window::greeted(&restarted).await;
    assert_eq!(hello, again);
    assert_ne!(hello, other);
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_and_their_answers_carry_the_id() {
    let server = start(Limits::default(), None).await;
    let mut window = Window::open(&server).await;
    window.send(json!({ "id": 1, "command": "echo", "args": { "a": [1, 2] } })).await;
    window.send(json!({ "id": "two", "command": "echo" })).await;
    window.send(json!({ "id": 3, "command": "unheard_of", "args": {} })).await;
    window.send(json!({ "id": 4, "command": "panic", "args": {} })).await;
    window.0.send(Message::text("{")).await.unwrap();
    window.0.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    let mut answers = Vec::new();
    for _ in 0..6 {
        let mut answer = window.receive().await;
        if let Some(report) = answer.pointer_mut("/error/report") {
            *report = json!("…");
        }
        answers.push(answer.to_string());
    }
    answers.sort();
    insta::assert_snapshot!(answers.join("\n"), @r#"
    {"error":{"kind":"internal","report":"…"},"id":4}
    {"error":{"kind":"invalidRequest","message":"a command is a text message, this one is binary"},"id":null}
    {"error":{"kind":"invalidRequest","message":"the message is no {id, command, args}: EOF while parsing an object at line 1 column 1"},"id":null}
    {"error":{"kind":"invalidRequest","message":"there is no command \"unheard_of\""},"id":3}
    {"id":"two","ok":{}}
    {"id":1,"ok":{"a":[1,2]}}
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_of_a_window_are_done_in_order_while_a_run_goes_on_beside_them() {
    let server = start(Limits::default(), None).await;
    let mut window = Window::open(&server).await;
    window.send(json!({ "id": 0, "command": "run", "args": {} })).await;
    for (id, ms) in [(1, 60), (2, 1), (3, 30)] {
        window.send(json!({ "id": id, "command": "sleep", "args": { "ms": ms } })).await;
    }
    for id in 1..=3 {
        assert_eq!(window.receive().await["id"], id);
    }
    window.send(json!({ "id": 9, "command": "cancel", "args": {} })).await;
    // The run may hear of it before whoever asked does.
    let mut answers = [window.receive().await, window.receive().await];
    answers.sort_by_key(|answer| answer["id"].as_u64());
    let stopped = json!({ "id": 0, "ok": { "move": { "pass": true }, "stopped": true } });
    assert_eq!(answers, [stopped, json!({ "id": 9, "ok": null })]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_pattern_search_ends_the_first() {
    let server = start(Limits::default(), None).await;
    let (mut window, mut other) = (Window::open(&server).await, Window::open(&server).await);
    let search = |id: u32| json!({ "id": id, "command": "search_pattern", "args": {} });
    window.send(search(1)).await;
    other.send(search(7)).await;
    window.send(search(2)).await;
    assert_eq!(window.receive().await, json!({ "id": 1, "ok": { "stopped": true } }));
    window.send(json!({ "id": 3, "command": "cancel_pattern", "args": {} })).await;
    let mut answers = [window.receive().await, window.receive().await];
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert_eq!(answers, [json!({ "id": 2, "ok": { "stopped": true } }), json!({ "id": 3, "ok": null })]);
    server.backend.released.store(true, Ordering::SeqCst);
    assert_eq!(other.receive().await, json!({ "id": 7, "ok": { "stopped": false } }), "another window's goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_a_disk_or_an_engine_holds_up_nothing_else_of_the_window() {
    let server = start(Limits::default(), None).await;
    for command in ["backup_library", "check_library", "compare_networks", "test_engine", "import_content"] {
        let mut window = Window::open(&server).await;
        server.backend.released.store(false, Ordering::SeqCst);
        window.send(json!({ "id": 1, "command": command, "args": {} })).await;
        window.send(json!({ "id": 2, "command": "echo", "args": {} })).await;
        assert_eq!(window.receive().await, json!({ "id": 2, "ok": {} }), "{command}");
        server.backend.released.store(true, Ordering::SeqCst);
        assert_eq!(window.receive().await, json!({ "id": 1, "ok": { "stopped": false } }), "{command}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_command_begins_after_what_was_asked_before_it() {
    let server = start(Limits::default(), None).await;
    let mut window = Window::open(&server).await;
    window.send(json!({ "id": 1, "command": "sleep", "args": { "ms": 50 } })).await;
    window.send(json!({ "id": 2, "command": "run", "args": {} })).await;
    assert_eq!(window.receive().await["id"], 1);
    eventually("the run begins", || server.backend.running.load(Ordering::SeqCst) == 1).await;
    assert_eq!(*server.backend.calls.lock(), ["sleep", "run"]);
    // One that is cancelled before its turn comes ends as soon as it does.
    window.send(json!({ "id": 3, "command": "sleep", "args": { "ms": 50 } })).await;
    window.send(json!({ "id": 4, "command": "run", "args": {} })).await;
    window.send(json!({ "id": 5, "command": "cancel", "args": {} })).await;
    let mut answers = Vec::new();
    for _ in 2..=5 {
        answers.push(window.receive().await["id"].as_u64().unwrap());
    }
    answers.sort_unstable();
    assert_eq!(answers, [2, 3, 4, 5]);
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_a_window_ends_its_run() {
    let server = start(Limits::default(), None).await;
    let mut window = Window::open(&server).await;
    window.send(json!({ "id": 0, "command": "run", "args": { "begins_after_ms": 100 } })).await;
    eventually("the run begins", || server.backend.running.load(Ordering::SeqCst) == 1).await;
    drop(window);
    eventually("the run ends", || server.backend.running.load(Ordering::SeqCst) == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn analysis_rests_when_no_window_is_left_but_not_while_a_page_is_reloaded() {
    let server = start(Limits { rest_after: Duration::from_millis(2000), ..Limits::default() }, None).await;
    let resting = || server.backend.calls.lock().iter().any(|name| name == "set_analysis");
    drop(Window::open(&server).await);
    let again = Window::open(&server).await;
    tokio::time::sleep(Duration::from_millis(3000)).await;
    assert!(!resting(), "a reloaded page ended the analysis");
    drop(again);
    eventually("the analysis rests", resting).await;
}

fn analysis(node_id: u32, sequence: u32) -> Event {
    Event::Analysis(AnalysisUpdate {
        game_id: "g1".into(),
        node_id,
        sequence,
        focus: 0,
        visits: sequence,
        visits_per_second: Finite::new(100.0),
        black_win_prob: Finite::new(0.5),
        black_score_lead: Some(Finite::new(0.25)),
        score_stdev: Finite::new(10.0),
        candidates: Vec::new(),
        // As large as an update of a large board, so that the buffers of a slow client fill.
        black_ownership: vec![-100; 20_000],
        policy: Vec::new(),
        running: true,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn every_window_hears_every_event() {
    let server = start(Limits::default(), None).await;
    let mut windows = [Window::open(&server).await, Window::open(&server).await];
    for window in &mut windows {
        window.send(json!({ "id": 1, "command": "echo", "args": {} })).await;
        window.receive().await;
    }
    server.emit(Event::LibraryChanged);
    for window in &mut windows {
        assert_eq!(window.receive().await, json!({ "event": "libraryChanged" }));
    }
    server.emit(analysis(3, 7));
    for window in &mut windows {
        let event = window.receive().await;
        assert_eq!(event["event"], "analysis");
        assert_eq!(event["payload"]["nodeId"], 3);
        assert_eq!(event["payload"]["sequence"], 7);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_reads_slowly_misses_updates_but_never_the_last() {
    let server = start(Limits::default(), None).await;
    let mut window = Window::open(&server).await;
    window.send(json!({ "id": 1, "command": "echo", "args": {} })).await;
    window.receive().await;
    for sequence in 1..=2000 {
        server.emit(analysis(3, sequence));
        tokio::task::yield_now().await;
    }
    let mut seen = Vec::new();
    while seen.last() != Some(&2000) {
        seen.push(window.receive().await["payload"]["sequence"].as_u64().unwrap());
    }
    assert!(seen.is_sorted());
    assert!(seen.len() < 2000, "nothing was left out: the buffers are endless");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_never_reads_is_dropped() {
    let limits = Limits { write_time: Duration::from_millis(300), ..Limits::default() };
    let server = start(limits, None).await;
    let mut window = Window::open(&server).await;
    for id in 0..40 {
        window.send(json!({ "id": id, "command": "large", "args": {} })).await;
    }
    let mut done = usize::MAX;
    while done != server.backend.calls.lock().len() {
        done = server.backend.calls.lock().len();
        tokio::time::sleep(Duration::from_millis(1500)).await;
    }
    assert!(done < 40, "40 answers of 4 MiB were made for somebody who reads none");
    let end = async { while let Some(Ok(_)) = window.0.next().await {} };
    timeout(PATIENCE, end).await.expect("the connection is still open");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_window_is_gone_after_three_pings() {
    let server = start(Limits { ping_time: Duration::from_millis(100), ..Limits::default() }, None).await;
    // A client that upgrades and then says nothing, not even to pings.
    let mut stream = TcpStream::connect(server.http).await.unwrap();
    let request = format!(
        "GET /api/ws?token={} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.token()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("still open").unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 101"));
}

#[tokio::test(flavor = "multi_thread")]
async fn windows_hear_that_the_server_stops() {
    let server = start(Limits::default(), None).await;
    let mut window = Window::open(&server).await;
    window.send(json!({ "id": 1, "command": "echo", "args": {} })).await;
    window.receive().await;
    let stopping = tokio::spawn(server.stop());
    assert_eq!(window.receive().await, json!("closed"));
    drop(window);
    stopping.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_windows_are_refused() {
    let server = start(Limits { windows: 1, ..Limits::default() }, None).await;
    let _window = Window::open(&server).await;
    let Err(Error::Http(response)) = connect_async(server.ws_url()).await else { panic!("a second window was let in") };
    assert_eq!(response.status(), 503);
}
