//! The WebSocket of a window: `{id, command, args}` in, `{id, ok}` or `{id, error}` and `{event, payload}` out.
//!
//! Commands of one window are done in the order they came, but for those that may take long ([`is_beside`]), which go on
//! beside the others, and `cancel`, which is heard at once.

use crate::job::{self, Cancels};
use crate::outbox::{Item, Outbox};
use crate::rest::Presence;
use crate::stop::Stop;
use crate::{Backend, EventHub, Limits};
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use honinbo_api::{ApiError, Caller};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};

/// The largest message of a window in bytes: a record of tens of MiB in base64.
pub(crate) const MAX_MESSAGE: usize = 64 << 20;
/// Commands of one window that may wait behind the one under way.
const WAITING: usize = 32;
/// Commands of one window that may go on beside the others.
const BESIDE: usize = 8;

/// What the connections of all windows share.
#[derive(Clone)]
pub(crate) struct Windows {
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) events: Arc<EventHub>,
    pub(crate) presence: Arc<Presence>,
    pub(crate) limits: Limits,
}

#[derive(Deserialize)]
struct Request {
    #[serde(default)]
    id: Value,
    command: String,
    #[serde(default = "no_args")]
    args: Value,
}

fn no_args() -> Value {
    json!({})
}

/// A command with the count of cancels when it came.
struct Asked {
    request: Request,
    at: u64,
}

/// Whether a command may take long and changes nothing that a later one builds on, or ends such a one.
fn is_beside(command: &str) -> bool {
    matches!(
        command,
        "run"
            | "score"
            | "play_out"
            | "compare_networks"
            | "end_comparison"
            | "cancel_import"
            | "cancel_pattern"
            | "engine_status"
    )
}

/// Serves a window until it goes, or until `stop` becomes true.
pub(crate) async fn serve(socket: WebSocket, windows: Windows, mut stop: Stop) {
    let _here = windows.presence.enter();
    let outbox = windows.events.subscribe();
    let (sink, stream) = socket.split();
    let (queue, queued) = mpsc::channel(WAITING);
    let session = Session {
        outbox: outbox.clone(),
        caller: Arc::new(Caller::new()),
        cancels: Arc::new(watch::channel(0).0),
        beside: Arc::new(Semaphore::new(BESIDE)),
        windows,
    };
    let reason = tokio::select! {
        reason = session.read(stream, queue) => reason,
        reason = session.write(sink, stop.clone()) => reason,
        () = session.answer(queued) => "the queue has ended",
        // The writer says goodbye first.
        () = async { stop.requested().await; tokio::time::sleep(Duration::from_secs(2)).await } => "the server stops",
    };
    tracing::debug!(reason, "a window has gone");
    // Commands of this window that go on beside the others hear that nobody waits for them.
    job::cancel(&session.cancels);
}

struct Session {
    outbox: Arc<Outbox>,
    caller: Arc<Caller>,
    cancels: Arc<Cancels>,
    beside: Arc<Semaphore>,
    windows: Windows,
}

impl Session {
    async fn read(&self, mut stream: SplitStream<WebSocket>, queue: mpsc::Sender<Asked>) -> &'static str {
        let silence = self.windows.limits.ping_time * 3;
        loop {
            let message = match timeout(silence, stream.next()).await {
                Err(_) => return "it did not answer pings",
                Ok(None) => return "it closed the connection",
                Ok(Some(Err(error))) => {
                    tracing::debug!(%error, "a window's connection broke");
                    return "its connection broke";
                }
                Ok(Some(Ok(message))) => message,
            };
            let text = match message {
                Message::Text(text) => text,
                Message::Binary(_) => {
                    self.refuse(&Value::Null, "a command is a text message, this one is binary".into());
                    continue;
                }
                Message::Ping(_) | Message::Pong(_) => continue,
                Message::Close(_) => return "it said goodbye",
            };
            let request = match serde_json::from_str::<Request>(&text) {
                Ok(request) => request,
                Err(error) => {
                    self.refuse(&Value::Null, format!("the message is no {{id, command, args}}: {error}"));
                    continue;
                }
            };
            let at = *self.cancels.borrow();
            if request.command == "cancel" {
                job::cancel(&self.cancels);
                self.outbox.answer(answer(&request.id, Ok(Value::Null)));
            } else if is_beside(&request.command) {
                self.begin_beside(Asked { request, at });
            } else if queue.send(Asked { request, at }).await.is_err() {
                return "the queue has ended";
            }
        }
    }

    fn refuse(&self, id: &Value, message: String) {
        self.outbox.answer(answer(id, Err(ApiError::InvalidRequest { message })));
    }

    fn begin_beside(&self, asked: Asked) {
        let Ok(place) = self.beside.clone().try_acquire_owned() else {
            let message = format!("{BESIDE} long commands are under way; wait for one of them, or cancel");
            return self.refuse(&asked.request.id, message);
        };
        let (backend, caller) = (self.windows.backend.clone(), self.caller.clone());
        let (outbox, cancels) = (self.outbox.clone(), self.cancels.subscribe());
        tokio::spawn(async move {
            let Request { id, command, args } = asked.request;
            let result = job::call(&backend, &caller, &command, args, cancels, asked.at).await;
            outbox.answer(answer(&id, result));
            drop(place);
        });
    }

    /// Does the commands of the queue one after the other.
    async fn answer(&self, mut queue: mpsc::Receiver<Asked>) {
        while let Some(Asked { request: Request { id, command, args }, at: _ }) = queue.recv().await {
            self.outbox.room().await;
            // `cancel` is for `run` and `play_out`, which are never in this queue: these commands are short and whole.
            let (never, count) = watch::channel(0);
            let result = job::call(&self.windows.backend, &self.caller, &command, args, count, 0).await;
            drop(never);
            self.outbox.answer(answer(&id, result));
        }
    }

    async fn write(&self, mut sink: SplitSink<WebSocket, Message>, mut stop: Stop) -> &'static str {
        let limits = &self.windows.limits;
        let mut pings = interval(limits.ping_time);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let message = tokio::select! {
                item = self.outbox.next() => match item {
                    Item::Answer(text) => Message::Text(text.into()),
                    Item::Event(event) => match serde_json::to_string(&event) {
                        Ok(text) => Message::Text(text.into()),
                        Err(error) => {
                            tracing::error!(%error, "an event is no JSON");
                            continue;
                        }
                    },
                },
                _ = pings.tick() => Message::Ping(axum::body::Bytes::new()),
                () = stop.requested() => {
                    let goodbye = CloseFrame { code: close_code::AWAY, reason: Utf8Bytes::from_static("the server stops") };
                    let _ = timeout(limits.write_time, sink.send(Message::Close(Some(goodbye)))).await;
                    return "the server stops";
                }
            };
            match timeout(limits.write_time, sink.send(message)).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return "its connection broke",
                Err(_) => return "it did not read",
            }
        }
    }
}

fn answer(id: &Value, result: Result<Value, ApiError>) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    enum Outcome {
        Ok(Value),
        Error(ApiError),
    }
    #[derive(Serialize)]
    struct Answer<'a> {
        id: &'a Value,
        #[serde(flatten)]
        outcome: Outcome,
    }
    let outcome = result.map_or_else(Outcome::Error, Outcome::Ok);
    serde_json::to_string(&Answer { id, outcome }).unwrap_or_else(|error| {
        tracing::error!(%error, "an answer is no JSON");
        json!({ "id": id, "error": { "kind": "internal", "report": "json" } }).to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_repeat_the_id() {
        assert_eq!(answer(&json!(7), Ok(json!({ "a": 1 }))), r#"{"id":7,"ok":{"a":1}}"#);
        assert_eq!(answer(&json!("x"), Ok(Value::Null)), r#"{"id":"x","ok":null}"#);
        assert_eq!(answer(&Value::Null, Err(ApiError::Cancelled)), r#"{"id":null,"error":{"kind":"cancelled"}}"#);
    }
}
