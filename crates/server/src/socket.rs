//! The WebSocket of a window: `{id, command, args}` in, `{run}` first and then `{id, ok}` or `{id, error}` and
//! `{event, payload}` out.
//!
//! How the commands of one window go together is said by the list of commands ([`Pace`]): quick ones are done in the
//! order they came, those that may take long go on beside them, and what ends others is heard at once.

use crate::job;
use crate::outbox::{Item, Outbox};
use crate::rest::Presence;
use crate::stop::Stop;
use crate::{Backend, EventHub, Limits};
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use honinbo_api::{ApiError, Caller, Client, Pace};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};

/// The largest message of a window in bytes: a record of tens of MiB in base64.
pub(crate) const MAX_MESSAGE: usize = 64 << 20;
/// Commands of one window that may wait behind the one under way.
const WAITING: usize = 32;
/// Long commands of one window that go on at once.
const BESIDE: usize = 8;
/// Long commands of one window that have not been answered; one more is refused.
const MAX_LONG: usize = BESIDE + WAITING;
/// Commands of one window that end others and have not been answered; one more is refused.
const MAX_CANCELS: usize = 8;

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

/// A command and who waits for it.
struct Asked {
    request: Request,
    caller: Arc<Caller>,
    /// The place of a long command among those that have not been answered.
    long: Option<OwnedSemaphorePermit>,
}

/// Serves a window until it goes, or until `stop` becomes true.
pub(crate) async fn serve(socket: WebSocket, windows: Windows, mut stop: Stop) {
    let _here = windows.presence.enter();
    let outbox = windows.events.subscribe();
    let (sink, stream) = socket.split();
    let (queue, queued) = mpsc::channel(WAITING);
    let connection = Connection {
        outbox: outbox.clone(),
        client: Client::new(),
        beside: Arc::new(Semaphore::new(BESIDE)),
        long: Arc::new(Semaphore::new(MAX_LONG)),
        cancels: Arc::new(Semaphore::new(MAX_CANCELS)),
        under_way: Mutex::default(),
        windows,
    };
    let reason = tokio::select! {
        reason = connection.read(stream, queue) => reason,
        reason = connection.write(sink, stop.clone()) => reason,
        () = connection.answer(queued) => "the queue has ended",
        // The writer says goodbye first.
        () = async { stop.requested().await; tokio::time::sleep(Duration::from_secs(2)).await } => "the server stops",
    };
    tracing::debug!(reason, "a window has gone");
}

struct Connection {
    outbox: Arc<Outbox>,
    client: Client,
    beside: Arc<Semaphore>,
    long: Arc<Semaphore>,
    cancels: Arc<Semaphore>,
    /// Commands that go on beside the others; they end with the window.
    under_way: Mutex<JoinSet<()>>,
    windows: Windows,
}

impl Connection {
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
            let pace = Pace::of(&request.command);
            let places = match pace {
                Pace::Quick => None,
                Pace::Long(_) => Some(&self.long),
                Pace::Cancels(_) => Some(&self.cancels),
            };
            let Ok(place) = places.map(|places| places.clone().try_acquire_owned()).transpose() else {
                let message = "too many long commands are under way; wait for one of them, or cancel".into();
                self.refuse(&request.id, message);
                continue;
            };
            let caller = Arc::new(self.client.begin(pace));
            if matches!(pace, Pace::Cancels(_)) {
                self.begin_beside(request, caller, place, None);
            } else if queue.send(Asked { request, caller, long: place }).await.is_err() {
                return "the queue has ended";
            }
        }
    }

    fn refuse(&self, id: &Value, message: String) {
        self.outbox.answer(answer(id, Err(ApiError::InvalidRequest { message })));
    }

    /// Gives a command beside the others, once `turns` has a turn for it.
    fn begin_beside(
        &self,
        request: Request,
        caller: Arc<Caller>,
        place: Option<OwnedSemaphorePermit>,
        turns: Option<Arc<Semaphore>>,
    ) {
        let (backend, outbox) = (self.windows.backend.clone(), self.outbox.clone());
        let mut under_way = self.under_way.lock();
        while under_way.try_join_next().is_some() {}
        under_way.spawn(async move {
            let Request { id, command, args } = request;
            let turn = match turns {
                Some(turns) => turns.acquire_owned().await.ok(),
                None => None,
            };
            outbox.room().await;
            let result = job::call(&backend, &caller, &command, args).await;
            outbox.answer(answer(&id, result));
            drop((turn, place));
        });
    }

    /// Does the quick commands of the queue one after the other, and begins the long ones.
    async fn answer(&self, mut queue: mpsc::Receiver<Asked>) {
        while let Some(Asked { request, caller, long }) = queue.recv().await {
            if long.is_some() {
                self.begin_beside(request, caller, long, Some(self.beside.clone()));
                continue;
            }
            let Request { id, command, args } = request;
            self.outbox.room().await;
            let result = job::call(&self.windows.backend, &caller, &command, args).await;
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
