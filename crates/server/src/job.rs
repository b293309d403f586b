//! A command under way, off the event loop.

use crate::Backend;
use honinbo_api::{ApiError, Caller};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How often a command that should end is told so, until it has ended. Telling once is not enough: a command may not
/// have got as far as listening.
const REMINDER: Duration = Duration::from_millis(20);

/// How often somebody has asked for what is under way to end. A command remembers the count at the time when it was
/// asked for and ends when the count has grown.
pub(crate) type Cancels = watch::Sender<u64>;

/// Asks for everything that was asked for up to now to end.
pub(crate) fn cancel(cancels: &Cancels) {
    cancels.send_modify(|count| *count += 1);
}

/// Gives a command on a thread that may block and waits for its answer.
///
/// When the count of `cancels` is not (or no longer) `asked_at`, the command is ended; it still answers, with what it has.
/// When the future is dropped the command is ended too, and nobody hears its answer.
pub(crate) async fn call(
    backend: &Arc<dyn Backend>,
    caller: &Arc<Caller>,
    name: &str,
    args: Value,
    mut cancels: watch::Receiver<u64>,
    asked_at: u64,
) -> Result<Value, ApiError> {
    let mut job = Job::start(backend, caller, name.to_string(), args);
    let answer = tokio::select! {
        answer = &mut job.handle => answer,
        () = grown(&mut cancels, asked_at) => loop {
            job.caller.cancel();
            if let Ok(answer) = tokio::time::timeout(REMINDER, &mut job.handle).await {
                break answer;
            }
        },
    };
    answer.unwrap_or_else(|error| {
        let report = report_number();
        tracing::error!(%report, command = name, %error, "a command panicked");
        Err(ApiError::Internal { report })
    })
}

/// Waits until the count is another one. A count that nobody can change any more belongs to a connection that is gone.
async fn grown(cancels: &mut watch::Receiver<u64>, count: u64) {
    let _ = cancels.wait_for(|now| *now != count).await;
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
        if self.handle.is_finished() {
            return;
        }
        self.handle.abort(); // Only helps while it has not begun.
        let (running, caller) = (self.handle.abort_handle(), self.caller.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                while !running.is_finished() {
                    caller.cancel();
                    tokio::time::sleep(REMINDER).await;
                }
            });
        }
    }
}

fn report_number() -> String {
    use std::time::{SystemTime, UNIX_EPOCH};
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}", now.as_millis())
}
