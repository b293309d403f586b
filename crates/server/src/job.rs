//! A command under way, off the event loop.

use crate::Backend;
use honinbo_api::{ApiError, Caller};
use serde_json::Value;
use std::sync::Arc;
use tokio::task::JoinHandle;

/// Gives a command on a thread that may block and waits for its answer.
///
/// When the future is dropped the command's stop flag is set.
pub(crate) async fn call(
    backend: &Arc<dyn Backend>,
    caller: &Arc<Caller>,
    name: &str,
    args: Value,
) -> Result<Value, ApiError> {
    let mut job = Job::start(backend, caller, name.to_string(), args);
    (&mut job.handle).await.unwrap_or_else(|error| {
        let report = report_number();
        tracing::error!(%report, command = name, %error, "a command panicked");
        Err(ApiError::Internal { report })
    })
}

struct Job {
    handle: JoinHandle<Result<Value, ApiError>>,
    caller: Arc<Caller>,
}

impl Job {
    fn start(backend: &Arc<dyn Backend>, caller: &Arc<Caller>, name: String, args: Value) -> Self {
        let (backend, its_caller) = (backend.clone(), caller.clone());
        let handle = tokio::task::spawn_blocking(move || backend.call(&its_caller, &name, args));
        Self { handle, caller: caller.clone() }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if !self.handle.is_finished() {
            self.caller.stop().set();
            self.handle.abort(); // Only helps while it has not begun.
        }
    }
}

fn report_number() -> String {
    use std::time::{SystemTime, UNIX_EPOCH};
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}", now.as_millis())
}
