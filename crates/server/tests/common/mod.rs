//! A back end that does what a test needs, and a server around it.
#![allow(dead_code, reason = "each test file uses its part")]

use honinbo_api::{ApiError, Caller, Event, RunProgress};
use honinbo_server::{Backend, EventHub, Limits, ServeOptions, Server};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Answers `echo`; `run` takes until it is cancelled, other long commands until they are released; counts what is under way.
#[derive(Default)]
pub(crate) struct TestBackend {
    pub(crate) running: AtomicUsize,
    /// The long commands beside `run` may end.
    pub(crate) released: AtomicBool,
    pub(crate) calls: parking_lot::Mutex<Vec<String>>,
}

impl Backend for TestBackend {
    fn call(&self, caller: &Caller, name: &str, args: Value) -> Result<Value, ApiError> {
        self.calls.lock().push(name.to_string());
        match name {
            "run" => {
                if let Some(pause) = args["begins_after_ms"].as_u64() {
                    std::thread::sleep(Duration::from_millis(pause));
                }
                let stop = caller.stop();
                let mut visits = 0;
                self.running.fetch_add(1, Ordering::SeqCst);
                let begun = Instant::now();
                let time = Duration::from_millis(args["ms"].as_u64().unwrap_or(300_000));
                while !stop.is_set() && begun.elapsed() < time {
                    visits += 1;
                    caller.report(RunProgress::new(visits, 0, begun.elapsed(), Some(time)));
                    std::thread::sleep(Duration::from_millis(2));
                }
                self.running.fetch_sub(1, Ordering::SeqCst);
                Ok(json!({ "move": { "pass": true }, "stopped": stop.is_set() }))
            }
            "search_pattern" | "backup_library" | "check_library" | "compare_networks" | "test_engine"
            | "import_content" => {
                while !caller.stop().is_set() && !self.released.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Ok(json!({ "stopped": caller.stop().is_set() }))
            }
            "save_goban" => Ok(json!({ "id": args["goban"], "duplicateOf": null })),
            "echo" => Ok(args),
            "large" => Ok(json!("x".repeat(4 << 20))),
            "sleep" => {
                std::thread::sleep(Duration::from_millis(args["ms"].as_u64().unwrap()));
                Ok(json!(args["ms"]))
            }
            "cancel" | "cancel_pattern" => Ok(Value::Null),
            "panic" => panic!("on purpose"),
            "engine_status" => Ok(json!({ "analysing": "g1" })),
            _ => Err(ApiError::InvalidRequest { message: format!("there is no command {name:?}") }),
        }
    }
}

pub(crate) struct Running {
    pub(crate) backend: Arc<TestBackend>,
    pub(crate) events: Arc<EventHub>,
    pub(crate) tcp: SocketAddr,
    pub(crate) http: SocketAddr,
    pub(crate) url: String,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

impl Running {
    pub(crate) fn token(&self) -> &str {
        self.url.split("token=").nth(1).unwrap()
    }

    pub(crate) fn ws_url(&self) -> String {
        format!("ws://{}/api/ws?token={}", self.http, self.token())
    }

    pub(crate) fn emit(&self, event: Event) {
        self.events.emit(&event);
    }

    /// Stops the server, and waits until it has.
    pub(crate) async fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        self.task.await.unwrap();
    }
}

pub(crate) async fn start(limits: Limits, web_dir: Option<PathBuf>) -> Running {
    let backend = Arc::new(TestBackend::default());
    let events = Arc::new(EventHub::new());
    let options =
        ServeOptions { http: Some("0".into()), tcp: Some(":0".into()), web_dir, limits, ..ServeOptions::default() };
    let server = Server::bind(backend.clone(), events.clone(), options).await.unwrap();
    let (tcp, http) = (server.tcp_address().unwrap(), server.http_address().unwrap());
    assert!(tcp.ip().is_loopback() && http.ip().is_loopback());
    let url = server.url().unwrap();
    let (stop, stopped) = oneshot::channel();
    let task = tokio::spawn(server.run_until(async { stopped.await.unwrap_or(()) }));
    Running { backend, events, tcp, http, url, stop: Some(stop), task }
}

/// How long a test waits for what must come, on a machine that is busy with other things.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until something is so.
pub(crate) async fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
