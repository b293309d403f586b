//! The WebSocket of a room.

use super::actor::Input;
use super::enter::Seated;
use super::error::OpenError;
use super::mailbox::{Letter, Mailbox};
use super::service::Rooms;
use super::together::Arriving;
use crate::Limits;
use crate::accounts::Account;
use crate::stop::Stop;
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use parking_lot::Mutex;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, timeout};

/// Between two measurements of how long a message takes. Twice that without a word, and the client is gone.
const PING_EVERY: Duration = Duration::from_secs(10);

/// Closes with one of these: RFC 6455 leaves numbers from 4000 on to programs.
const REFUSED: u16 = 4404;
const AWAY: u16 = 1001;

/// What a client says of itself in the address, and what it was let in with.
pub(crate) struct Entrance {
    /// What the client came in with: the connection ends with it.
    pub(crate) token: String,
    pub(crate) watch: bool,
    pub(crate) after: Option<u64>,
    /// Until the client is in the room.
    pub(crate) arriving: Arc<Arriving>,
}

/// Serves a client of a room until it goes, is gone, its token has ended, or the server stops.
pub(crate) async fn serve(
    mut socket: WebSocket,
    rooms: Rooms,
    room: String,
    account: Account,
    entrance: Entrance,
    limits: Limits,
    stop: Stop,
) {
    let mailbox = Arc::new(Mailbox::default());
    let Entrance { token, watch, after, arriving } = entrance;
    let entered = rooms.enter(&room, &account, watch, after, &mailbox).await;
    drop(arriving);
    let seated = match entered {
        Ok(seated) => seated,
        Err(error) => {
            let _ = timeout(limits.write_time, refuse(&mut socket, &room, &error)).await;
            return;
        }
    };
    let Seated { connection, inputs } = seated;
    let (sink, stream) = socket.split();
    let client =
        Client { connection, inputs, mailbox, limits, sent_ping: Mutex::new(None), lag: Mutex::new(Duration::ZERO) };
    let why = tokio::select! {
        why = client.read(stream) => why,
        why = client.write(sink, stop) => why,
        () = rooms.accounts().until_ended(&token) => "its token has ended",
    };
    tracing::debug!(room, why, "a client has left a room");
    let _ = client.inputs.send(Input::Leave { connection }).await;
}

/// The answer has the form of every other error, so that clients need to know only one.
async fn refuse(socket: &mut WebSocket, room: &str, error: &OpenError) -> Result<(), axum::Error> {
    if matches!(error, OpenError::Moved) {
        // The client comes again by itself, and finds it where it is then.
        let frame = CloseFrame { code: AWAY, reason: Utf8Bytes::from_static(error.kind()) };
        return socket.send(Message::Close(Some(frame))).await;
    }
    let message = json!({
        "version": honinbo_rooms::VERSION, "room": room, "seq": 0, "type": "error",
        "kind": error.kind(), "message": error.to_string(),
    });
    socket.send(Message::Text(message.to_string().into())).await?;
    let frame = CloseFrame { code: REFUSED, reason: Utf8Bytes::from_static(error.kind()) };
    socket.send(Message::Close(Some(frame))).await
}

struct Client {
    connection: u64,
    inputs: mpsc::Sender<Input>,
    mailbox: Arc<Mailbox>,
    limits: Limits,
    /// When the ping without an answer was sent, and its number.
    sent_ping: Mutex<Option<(u64, Instant)>>,
    /// From here to the client and back, as it was measured last.
    lag: Mutex<Duration>,
}

impl Client {
    async fn read(&self, mut stream: SplitStream<WebSocket>) -> &'static str {
        let (mut second, mut count) = (Instant::now(), 0);
        loop {
            let message = match timeout(3 * PING_EVERY, stream.next()).await {
                Ok(Some(Ok(message))) => message,
                Ok(Some(Err(_)) | None) => return "its connection ended",
                Err(_) => return "it was silent",
            };
            match message {
                Message::Text(text) => {
                    if second.elapsed() >= Duration::from_secs(1) {
                        (second, count) = (Instant::now(), 0);
                    }
                    count += 1;
                    if count > self.limits.room_messages {
                        tokio::time::sleep(Duration::from_secs(1).saturating_sub(second.elapsed())).await;
                    }
                    let lag = *self.lag.lock();
                    let input = Input::Message { connection: self.connection, text, lag };
                    if self.inputs.send(input).await.is_err() {
                        return "the room is closed";
                    }
                }
                Message::Pong(number) => {
                    if let Some(lag) = self.measured(&number) {
                        *self.lag.lock() = lag;
                        let _ = self.inputs.send(Input::Lag { connection: self.connection, lag }).await;
                    }
                }
                Message::Close(_) => return "it said goodbye",
                Message::Binary(_) | Message::Ping(_) => {}
            }
        }
    }

    fn measured(&self, number: &Bytes) -> Option<Duration> {
        let mut sent = self.sent_ping.lock();
        let (expected, at) = (*sent)?;
        if number.as_ref() != expected.to_be_bytes() {
            return None;
        }
        *sent = None;
        Some(at.elapsed())
    }

    async fn write(&self, mut sink: SplitSink<WebSocket, Message>, mut stop: Stop) -> &'static str {
        let mut pings = interval(PING_EVERY);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut number = 0_u64;
        loop {
            let message = tokio::select! {
                letter = self.mailbox.next() => match letter {
                    Some(Letter::Message(text)) => Message::Text(text),
                    Some(Letter::WholeRoom) => {
                        let _ = self.inputs.send(Input::TellAll { connection: self.connection }).await;
                        continue;
                    }
                    None => return "its account is gone",
                },
                _ = pings.tick() => {
                    number += 1;
                    *self.sent_ping.lock() = Some((number, Instant::now()));
                    Message::Ping(Bytes::copy_from_slice(&number.to_be_bytes()))
                }
                () = stop.requested() => {
                    let frame = CloseFrame { code: AWAY, reason: Utf8Bytes::from_static("the server stops") };
                    let _ = timeout(self.limits.write_time, sink.send(Message::Close(Some(frame)))).await;
                    return "the server stops";
                }
            };
            match timeout(self.limits.write_time, sink.send(message)).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return "its connection broke",
                Err(_) => return "it did not read",
            }
        }
    }
}
