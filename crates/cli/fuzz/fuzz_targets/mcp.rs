//! Whatever an assistant says after the handshake: each answer is a message of the protocol, each call of a tool is
//! answered, no tool breaks down, and the conversation ends with the input.
//!
//! Part of the program (`src/mcp`): compiled for a fuzzer with the whole of it, and for the kept inputs with its tests.

#[path = "../../../server/fuzz/quiet.rs"]
mod quiet;

use super::Server;
use honinbo_api::{App, EngineSource};
use honinbo_testkit::UniformEvaluator;
pub(crate) use quiet::Quiet;
use rmcp::ServiceExt as _;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::runtime::Runtime;

/// Visits that a call may ask for, so that an input takes no longer than a moment.
const MAX_VISITS: f64 = 20.0;

const HANDSHAKE: &str = r#"{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fuzz","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;
const LAST: &str = "\n{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"ping\"}\n";

/// What stays until the process ends.
fn world() -> &'static (Runtime, Arc<App>) {
    static WORLD: OnceLock<(Runtime, Arc<App>)> = OnceLock::new();
    WORLD.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let host = Arc::new(Quiet::new());
        let source =
            EngineSource::Given { evaluator: Arc::new(UniformEvaluator::default()), network: "uniform".into() };
        (runtime.expect("a runtime"), App::with_engine(host, source))
    })
}

/// A call of a tool as the protocol writes it; what is said twice in it is no call.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    jsonrpc: String,
    id: Value,
    method: String,
    #[serde(rename = "params")]
    _params: Params,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    #[serde(rename = "name")]
    _name: String,
    #[serde(rename = "arguments")]
    _arguments: Map<String, Value>,
}

/// The number of a call that must be answered.
fn call_of(line: &[u8]) -> Option<String> {
    let Call { jsonrpc, id, method, _params } = serde_json::from_slice(line).ok()?;
    let has_number = id.is_string() || id.as_u64().is_some_and(|id| id < 1 << 31);
    (has_number && jsonrpc == "2.0" && method == "tools/call").then(|| id.to_string())
}

pub(crate) fn run(data: &[u8]) {
    let said: Vec<Value> =
        data.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    if said.iter().any(|said| said["params"]["arguments"]["visits"].as_f64().is_some_and(|visits| visits > MAX_VISITS))
    {
        return;
    }
    let takes_back = said.iter().any(|said| said["method"] == "notifications/cancelled");
    let calls = data.split(|&byte| byte == b'\n').filter(|_| !takes_back).filter_map(call_of);
    let mut unanswered: HashSet<String> = calls.chain(["\"first\"".to_owned(), "\"last\"".to_owned()]).collect();
    let input = [HANDSHAKE.as_bytes(), data, LAST.as_bytes()].concat();
    let (runtime, app) = world();
    runtime.block_on(async {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let server = Server::new(Arc::clone(app));
        let served = tokio::spawn(async move {
            if let Ok(service) = server.serve(tokio::io::split(theirs)).await {
                let _ = service.waiting().await;
            }
        });
        let (answers, mut questions) = tokio::io::split(ours);
        let asked = tokio::spawn(async move {
            // Who speaks another protocol is cut off while it speaks.
            let _ = questions.write_all(&input).await;
            questions
        });
        let mut answers = BufReader::new(answers).lines();
        while !unanswered.is_empty()
            && let Ok(Some(line)) = answers.next_line().await
        {
            let answer: Value = serde_json::from_str(&line).expect("an answer is JSON");
            assert_eq!(answer["jsonrpc"], "2.0", "{line}");
            assert!(!line.contains("a fault of the program"), "{line}");
            unanswered.remove(&answer["id"].to_string());
        }
        // The end of the input ends the conversation.
        asked.abort();
        drop((asked.await, answers));
        served.await.expect("the conversation has an end");
    });
}

#[cfg(all(test, not(fuzzing)))]
#[test]
fn the_inputs_of_mcp_hold() {
    honinbo_testkit::corpora::replay("cli", "mcp", run);
}
