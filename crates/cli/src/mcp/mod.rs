//! `honinbo mcp`: positions, searches, reviews and the library as tools for assistants, by the Model Context Protocol
//! on standard input and output.
//!
//! Each tool is a command of the back end; what is here are names, schemas and Go coordinates. The protocol itself is
//! the official SDK's.

mod arguments;
mod backend;
#[cfg(any(test, fuzzing))]
#[path = "../../fuzz/fuzz_targets/mcp.rs"]
pub(crate) mod fuzz;
mod position;
mod tools;

use crate::app;
use crate::args::McpArgs;
use crate::failure::Failure;
use crate::run::as_path_if_file;
use backend::Backend;
use honinbo_api::App;
use honinbo_evaluator::StopFlag;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::time::{MissedTickBehavior, interval};
use tools::TOOLS;

/// Tools that work at the same time; others wait.
const MAX_AT_ONCE: usize = 4;
/// Interval of reports to who asked for them.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// Answers an assistant until the end of the input.
pub(crate) fn mcp(args: &McpArgs, data: Option<PathBuf>) -> Result<(), Failure> {
    let (app, events) = app::open(data);
    drop(events);
    app.override_precision(args.precision.get());
    app.override_engine(args.net.as_deref().map(as_path_if_file), args.device.clone(), None);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let server = Server::new(Arc::clone(&app));
    let spoken = runtime.block_on(async move {
        let service = server.serve(rmcp::transport::stdio()).await.map_err(|error| error.to_string())?;
        service.waiting().await.map_err(|error| error.to_string()).map(drop)
    });
    // The thread that reads standard input waits for a line that may never come.
    runtime.shutdown_background();
    app.shut_down();
    spoken.map_err(|error| Failure::new(format!("the conversation ended: {error}"), "start it from an assistant"))
}

/// A call under way, as its tool sees it.
struct Work {
    /// Set when nobody waits for the answer any more.
    stop: StopFlag,
    progress: watch::Sender<Progress>,
}

/// How much of a call is done, and of how much; zero as long as that is not known.
#[derive(Clone, Copy, Default)]
struct Progress {
    done: f64,
    total: f64,
}

impl Work {
    fn report(&self, done: f64, total: f64) {
        self.progress.send_replace(Progress { done, total });
    }
}

struct Server {
    backend: Arc<Backend>,
    at_once: Arc<Semaphore>,
}

impl Server {
    fn new(app: Arc<App>) -> Self {
        Self { backend: Arc::new(Backend::new(app)), at_once: Arc::new(Semaphore::new(MAX_AT_ONCE)) }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut implementation = Implementation::new("honinbo", env!("CARGO_PKG_VERSION"));
        implementation.title = Some("Honinbo".into());
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(implementation)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(described).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool {:?}", request.name), None));
        };
        let given = request.arguments.unwrap_or_default();
        let _turn = self.at_once.acquire().await;
        let stop = StopFlag::new();
        let (progress, reported) = watch::channel(Progress::default());
        let (backend, work) = (Arc::clone(&self.backend), Work { stop: stop.clone(), progress });
        let mut working = tokio::task::spawn_blocking(move || {
            let arguments = tool.arguments(given)?;
            (tool.answer)(&backend, &arguments, &work)
        });
        let token = context.meta.get_progress_token();
        let mut ticks = interval(PROGRESS_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last = 0.0;
        let done = loop {
            tokio::select! {
                done = &mut working => break done,
                // Nobody waits any more: the search ends, and what it found is answered to nobody.
                () = context.ct.cancelled(), if !stop.is_set() => stop.set(),
                _ = ticks.tick(), if !stop.is_set() => {
                    let Progress { done, total } = *reported.borrow();
                    // The protocol wants each report to be further than the one before.
                    if let Some(token) = token.clone().filter(|_| done > last) {
                        last = done;
                        let report = ProgressNotificationParam::new(token, done).with_total(total);
                        // Who cannot be told is answered all the same, or is gone.
                        let _ = context.peer.notify_progress(report).await;
                    }
                }
            }
        };
        let answer = done.map_err(|_| ErrorData::internal_error("a fault of the program; its log says more", None))?;
        Ok(match answer {
            Ok(value) => CallToolResult::structured(value),
            // A tool's failure is for the assistant to read, not a fault of the protocol.
            Err(error) => CallToolResult::error(vec![ContentBlock::text(Failure::from(error).line())]),
        }
        .into())
    }
}

/// What an assistant is told first.
const INSTRUCTIONS: &str = "Honinbo knows the game of Go (weiqi, baduk). Points are written as on the board: a column \
letter without I and a row counted from the bottom, such as D4 or Q16, or pass. Give a position as sgf, or as moves \
with size. Leads and chances to win are Black's unless a name says otherwise. Games of the library have ids from \
search_library.";

fn described(tool: &tools::ToolSpec) -> Tool {
    let schema: JsonObject = (tool.schema)().as_object().cloned().unwrap_or_default();
    let mut described = Tool::new(tool.name, tool.told, Arc::new(schema));
    let annotations = ToolAnnotations::with_title(tool.title).read_only(!tool.writes).open_world(false);
    described.annotations = Some(annotations.destructive(false));
    described
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use super::fuzz::Quiet;
    use super::*;
    use honinbo_api::EngineSource;
    use honinbo_testkit::UniformEvaluator;
    use serde_json::{Value, json};
    use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

    #[test]
    fn who_asks_for_it_hears_how_far_a_long_call_is() {
        let evaluator = Arc::new(UniformEvaluator::slow(Duration::from_millis(100)));
        let source = EngineSource::Given { evaluator, network: "uniform".into() };
        let server = Server::new(App::with_engine(Arc::new(Quiet::new()), source));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let moves: String = ('a'..='s').map(|column| format!(";B[{column}c];W[{column}q]")).collect();
        let arguments = json!({ "sgf": format!("(;SZ[19]{moves})"), "visits": 2 });
        let review = json!({ "name": "review_game", "arguments": arguments, "_meta": { "progressToken": "far" } });
        let message = |id: u64, method: &str, params: &Value| {
            format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
        };
        let info = json!({ "name": "test", "version": "1" });
        let begin = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info });
        let started = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let asked = message(0, "initialize", &begin) + &format!("{started}\n") + &message(1, "tools/call", &review);
        let reports = runtime.block_on(async {
            let (ours, theirs) = tokio::io::duplex(1 << 16);
            let served =
                tokio::spawn(async move { server.serve(tokio::io::split(theirs)).await.unwrap().waiting().await });
            let (answers, mut questions) = tokio::io::split(ours);
            questions.write_all(asked.as_bytes()).await.unwrap();
            let mut answers = BufReader::new(answers).lines();
            let mut reports = Vec::new();
            loop {
                let line: Value = serde_json::from_str(&answers.next_line().await.unwrap().unwrap()).unwrap();
                if line["id"] == 1 {
                    assert!(line["result"]["structuredContent"]["moves"].is_array(), "{line}");
                    break;
                }
                if line["method"] == "notifications/progress" {
                    reports.push(line["params"].clone());
                }
            }
            drop((answers, questions));
            served.await.unwrap().unwrap();
            reports
        });
        assert!(!reports.is_empty());
        for report in &reports {
            assert_eq!(report["progressToken"], "far");
            assert!(report["progress"].as_f64() <= report["total"].as_f64(), "{report}");
        }
        assert!(reports.is_sorted_by(|a, b| a["progress"].as_f64() < b["progress"].as_f64()), "{reports:?}");
    }
}
