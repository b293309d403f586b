//! The JSON lines service, from the outside.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{PATIENCE, eventually, start};
use honinbo_server::Limits;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

struct Client(BufReader<TcpStream>);

impl Client {
    async fn connect(running: &common::Running) -> Self {
        Self(BufReader::new(TcpStream::connect(running.tcp).await.unwrap()))
    }

    async fn send(&mut self, line: &str) {
        self.0.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// The next line; empty at the end.
    async fn receive(&mut self) -> String {
        let mut line = String::new();
        timeout(PATIENCE, self.0.read_line(&mut line)).await.expect("no answer came").unwrap();
        line.trim_end().to_string()
    }

    async fn ask(&mut self, line: &str) -> String {
        self.send(line).await;
        self.receive().await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_answered_in_their_order_and_refusals_leave_the_connection_open() {
    let server = start(Limits::default(), None).await;
    let mut client = Client::connect(&server).await;
    let requests = [
        r#"{"operator":"run","ms":30}"#,
        "not JSON",
        "",
        r#"{"operator":"saveGoban","goban":"(;GM[1])"}"#,
        "\u{1F600}",
        r#"{"operator":"saveGoban","goban":"2"}"#,
    ];
    client.send(&requests.join("\r\n")).await;
    let mut answers = Vec::new();
    for _ in 0..5 {
        answers.push(client.receive().await);
    }
    insta::assert_snapshot!(answers.join("\n"), @r#"
    {"operator":"run","ok":true,"move":{"pass":true},"stopped":false}
    {"operator":null,"ok":false,"error":{"kind":"invalidRequest","message":"the line is not JSON: expected ident at line 1 column 2"}}
    {"operator":"saveGoban","ok":true,"duplicateOf":null,"id":"(;GM[1])"}
    {"operator":null,"ok":false,"error":{"kind":"invalidRequest","message":"the line is not JSON: expected value at line 1 column 1"}}
    {"operator":"saveGoban","ok":true,"duplicateOf":null,"id":"2"}
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_of_10_mib_is_refused_and_the_next_one_answered() {
    let server = start(Limits::default(), None).await;
    let mut client = Client::connect(&server).await;
    let long = format!(r#"{{"operator":"saveGoban","goban":"{}"}}"#, "x".repeat(10 << 20));
    assert_eq!(
        client.ask(&long).await,
        r#"{"operator":null,"ok":false,"error":{"kind":"lineTooLong","message":"the line is longer than 1048576 bytes and was skipped"}}"#
    );
    assert_eq!(
        client.ask(r#"{"operator":"saveGoban","goban":"3"}"#).await,
        r#"{"operator":"saveGoban","ok":true,"duplicateOf":null,"id":"3"}"#
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn cancel_is_heard_while_a_run_is_under_way() {
    let server = start(Limits::default(), None).await;
    let mut client = Client::connect(&server).await;
    client.send(r#"{"operator":"run"}"#).await;
    eventually("the run begins", || server.backend.running.load(Ordering::SeqCst) == 1).await;
    assert_eq!(client.ask(r#"{"operator":"cancel","id":7}"#).await, r#"{"operator":"cancel","ok":true,"id":7}"#);
    assert_eq!(client.receive().await, r#"{"operator":"run","ok":true,"move":{"pass":true},"stopped":true}"#);
    // The next one is not ended by what ended the last.
    assert!(client.ask(r#"{"operator":"run","ms":20}"#).await.contains(r#""stopped":false"#));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_that_comes_before_the_run_has_begun_ends_it_too() {
    let server = start(Limits::default(), None).await;
    let mut client = Client::connect(&server).await;
    let lines = "{\"operator\":\"run\",\"begins_after_ms\":150}\n{\"operator\":\"cancel\"}";
    assert_eq!(client.ask(lines).await, r#"{"operator":"cancel","ok":true}"#);
    assert!(client.receive().await.contains(r#""stopped":true"#));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_waits_for_its_place_is_cancelled_at_once() {
    let server = start(Limits { runs: 1, ..Limits::default() }, None).await;
    let (mut first, mut second) = (Client::connect(&server).await, Client::connect(&server).await);
    first.send(r#"{"operator":"run"}"#).await;
    eventually("the run begins", || server.backend.running.load(Ordering::SeqCst) == 1).await;
    for run in [r#"{"operator":"run"}"#, r#"{"operator":"run","progress":0.1}"#] {
        second.send(run).await;
        second.send(r#"{"operator":"cancel"}"#).await;
        // The one who reads and the one who answers are two.
        let mut answers = [second.receive().await, second.receive().await];
        answers.sort();
        assert_eq!(answers[0], r#"{"operator":"cancel","ok":true}"#);
        assert!(
            answers[1].starts_with(r#"{"operator":"run","ok":false,"error":{"kind":"cancelled""#),
            "{}",
            answers[1]
        );
    }
    assert!(second.ask(r#"{"operator":"saveGoban","goban":"9"}"#).await.contains(r#""ok":true"#));
    assert_eq!(*server.backend.calls.lock(), ["run", "save_goban"], "it never began");
    assert_eq!(server.backend.running.load(Ordering::SeqCst), 1, "somebody else's goes on");
}

/// What was told of a run, and the answer to it.
async fn until_answer(client: &mut Client) -> (Vec<Value>, Value) {
    let mut told = Vec::new();
    loop {
        let line: Value = serde_json::from_str(&client.receive().await).unwrap();
        if line.get("ok").is_some() {
            return (told, line);
        }
        told.push(line);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_tells_its_progress_where_that_is_asked_for() {
    let server = start(Limits::default(), None).await;
    let mut client = Client::connect(&server).await;
    client.send(r#"{"operator":"run","id":"first","progress":0.1,"ms":700}"#).await;
    client.send(r#"{"operator":"run","ms":20}"#).await;
    let (told, answer) = until_answer(&mut client).await;
    assert_eq!((&answer["operator"], &answer["id"], &answer["ok"]), (&json!("run"), &json!("first"), &json!(true)));
    assert!(!told.is_empty() && told.len() <= 8, "{told:?}");
    for line in &told {
        assert_eq!(
            (&line["operator"], &line["kind"], &line["id"]),
            (&json!("run"), &json!("progress"), &json!("first"))
        );
        assert_eq!(line["allowedSeconds"], 0.7);
    }
    let visits: Vec<u64> = told.iter().map(|line| line["visits"].as_u64().unwrap()).collect();
    assert!(visits.is_sorted() && visits[0] >= 1, "{visits:?}");
    // One that did not ask for it is told nothing, as before.
    assert_eq!(client.receive().await, r#"{"operator":"run","ok":true,"move":{"pass":true},"stopped":false}"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_tells_its_progress_is_cancelled_and_tells_nothing_after_its_answer() {
    let server = start(Limits::default(), None).await;
    let mut client = Client::connect(&server).await;
    client.send(r#"{"operator":"run","id":7,"progress":0.1}"#).await;
    for _ in 0..3 {
        let line: Value = serde_json::from_str(&client.receive().await).unwrap();
        assert_eq!((&line["kind"], &line["id"]), (&json!("progress"), &json!(7)));
    }
    client.send(r#"{"operator":"cancel"}"#).await;
    let (_, cancelled) = until_answer(&mut client).await;
    assert_eq!(cancelled, json!({ "operator": "cancel", "ok": true }));
    let (_, answer) = until_answer(&mut client).await;
    assert_eq!((&answer["id"], &answer["stopped"]), (&json!(7), &json!(true)));
    let saved = client.ask(r#"{"operator":"saveGoban","goban":"8"}"#).await;
    assert_eq!(saved, r#"{"operator":"saveGoban","ok":true,"duplicateOf":null,"id":"8"}"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_progress_nobody_takes_ends() {
    let server = start(Limits { after_close: Duration::from_millis(100), ..Limits::default() }, None).await;
    let mut client = Client::connect(&server).await;
    client.send(r#"{"operator":"run","progress":0.1}"#).await;
    assert!(client.receive().await.contains("progress"));
    drop(client);
    eventually("the run ends", || server.backend.running.load(Ordering::SeqCst) == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_last_line_without_its_end_is_answered_after_the_client_has_said_all() {
    let server = start(Limits::default(), None).await;
    let mut client = Client::connect(&server).await;
    client.0.write_all(br#"{"operator":"run","ms":50}"#).await.unwrap();
    client.0.get_mut().shutdown().await.unwrap();
    assert!(client.receive().await.contains(r#""stopped":false"#));
    assert_eq!(client.receive().await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_for_a_client_that_is_gone_ends() {
    let server = start(Limits { after_close: Duration::from_millis(100), ..Limits::default() }, None).await;
    let mut client = Client::connect(&server).await;
    client.send(r#"{"operator":"run"}"#).await;
    eventually("the run begins", || server.backend.running.load(Ordering::SeqCst) == 1).await;
    drop(client);
    eventually("the run ends", || server.backend.running.load(Ordering::SeqCst) == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_half_line_is_given_up_in_time() {
    let server = start(Limits { line_time: Duration::from_millis(150), ..Limits::default() }, None).await;
    let mut client = Client::connect(&server).await;
    client.0.write_all(br#"{"operator":"#).await.unwrap();
    assert!(client.receive().await.contains(r#""kind":"timeout""#));
    assert_eq!(client.receive().await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_never_reads_is_dropped_and_hurts_nobody() {
    let server = start(Limits { write_time: Duration::from_millis(300), ..Limits::default() }, None).await;
    let mut deaf = Client::connect(&server).await;
    // Answers repeat the record: some tens of MB that nobody takes fill every buffer on the way.
    let request = format!("{{\"operator\":\"saveGoban\",\"goban\":\"{}\"}}\n", "x".repeat(900_000));
    let flood = async {
        for _ in 0..100 {
            if deaf.0.write_all(request.as_bytes()).await.is_err() {
                return;
            }
        }
    };
    timeout(PATIENCE, flood).await.expect("the server neither reads nor hangs up");
    let mut other = Client::connect(&server).await;
    assert!(other.ask(r#"{"operator":"saveGoban","goban":"4"}"#).await.contains(r#""id":"4""#));
    assert!(server.backend.calls.lock().len() < 100, "the flood was answered though nobody read");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_connection_too_many_is_told_so() {
    let server = start(Limits { tcp_connections: 2, ..Limits::default() }, None).await;
    let mut first = Client::connect(&server).await;
    let mut second = Client::connect(&server).await;
    for client in [&mut first, &mut second] {
        assert!(client.ask(r#"{"operator":"saveGoban","goban":"5"}"#).await.contains("\"ok\":true"));
    }
    let mut third = Client::connect(&server).await;
    assert_eq!(
        third.receive().await,
        r#"{"operator":null,"ok":false,"error":{"kind":"busy","message":"2 connections are open, which is the limit; try again later"}}"#
    );
    assert_eq!(third.receive().await, "");
    drop(first);
    let mut fourth = String::new();
    let begun = Instant::now();
    while !fourth.contains("\"ok\":true") && begun.elapsed() < PATIENCE {
        let mut client = Client::connect(&server).await;
        client.send(r#"{"operator":"saveGoban","goban":"6"}"#).await;
        fourth = client.receive().await;
    }
    assert!(fourth.contains("\"ok\":true"), "{fourth}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_web_page_cannot_speak_to_it() {
    let server = start(Limits::default(), None).await;
    let mut client = Client::connect(&server).await;
    let body = r#"{"operator":"saveGoban","goban":"evil"}"#;
    let request = format!("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    client.send(&request).await;
    let mut answer = String::new();
    timeout(PATIENCE, client.0.read_to_string(&mut answer)).await.unwrap().ok();
    assert!(answer.contains("not HTTP"), "{answer}");
    assert!(server.backend.calls.lock().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_text_are_refused() {
    let server = start(Limits::default(), None).await;
    let mut client = Client::connect(&server).await;
    client.0.write_all(b"\xff\xfe\x00{\n").await.unwrap();
    assert!(client.receive().await.contains("invalidRequest"));
    client.0.write_all(b"{\"operator\":\"saveGoban\",\"goban\":\"\xff\"}\n").await.unwrap();
    assert!(client.receive().await.contains("invalidRequest"));
    assert!(client.ask(r#"{"operator":"saveGoban","goban":"7"}"#).await.contains("\"ok\":true"));
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_ends_what_is_under_way_and_says_what_it_has() {
    let server = start(Limits::default(), None).await;
    let mut client = Client::connect(&server).await;
    client.send(r#"{"operator":"run"}"#).await;
    eventually("the run begins", || server.backend.running.load(Ordering::SeqCst) == 1).await;
    // The run of the fake would take five minutes.
    timeout(PATIENCE, server.stop()).await.expect("the run is waited for");
    assert!(client.receive().await.contains(r#""stopped":true"#));
    assert_eq!(client.receive().await, "");
}
