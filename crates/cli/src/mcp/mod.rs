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
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tools::TOOLS;

/// Tools that work at the same time; others wait.
const MAX_AT_ONCE: usize = 4;

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
        let (backend, stop_work) = (Arc::clone(&self.backend), stop.clone());
        let mut work = tokio::task::spawn_blocking(move || {
            let arguments = tool.arguments(given)?;
            (tool.answer)(&backend, &arguments, &stop_work)
        });
        let done = tokio::select! {
            done = &mut work => done,
            // Nobody waits any more: the search ends, and what it found is answered to nobody.
            () = context.ct.cancelled() => {
                stop.set();
                work.await
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
