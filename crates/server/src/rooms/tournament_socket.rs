//! News of a tournament: the whole of it at once, and again whenever something changes. Nothing waits for a client but the
//! newest state.

use super::service::Rooms;
use super::tournament_view::TournamentView;
use super::tournaments::Asker;
use crate::Limits;
use crate::accounts::Account;
use crate::stop::Stop;
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::{SinkExt as _, StreamExt as _};
use serde::Serialize;
use specta::Type;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval, timeout};

/// Between two pings. A client that is silent for three of them is gone.
const PING_EVERY: Duration = Duration::from_secs(10);

/// What is sent.
#[derive(Serialize, Type)]
pub(crate) struct TournamentNews {
    version: u32,
    #[serde(rename = "type")]
    kind: &'static str,
    tournament: TournamentView,
}

/// Serves somebody who looks at a tournament and came in with this token, until they go, their account is gone, the token has
/// ended, or the server stops.
pub(crate) async fn serve(
    socket: WebSocket,
    rooms: Rooms,
    id: i64,
    (account, token): (Account, String),
    limits: Limits,
    mut stop: Stop,
) {
    let ended = rooms.accounts().until_ended(&token);
    tokio::pin!(ended);
    let (mut sink, mut stream) = socket.split();
    let Ok(mut changes) = rooms.tournament_news(id) else { return };
    changes.mark_changed();
    let (mut gone, own) = (rooms.accounts_gone(), account.id);
    let asker = Asker::Person(account);
    let mut pings = interval(PING_EVERY);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = tokio::time::Instant::now();
    loop {
        let message = tokio::select! {
            changed = changes.changed() => {
                let Ok(tournament) = rooms.tournament(id) else { return };
                if changed.is_err() {
                    return; // It was over long ago, and others took its place.
                }
                let tournament = TournamentView::new(id, &tournament, &asker);
                let news = TournamentNews { version: honinbo_rooms::VERSION, kind: "tournament", tournament };
                match serde_json::to_string(&news) {
                    Ok(text) => Message::Text(text.into()),
                    Err(error) => {
                        tracing::error!(%error, "a tournament is no JSON");
                        return;
                    }
                }
            }
            _ = pings.tick() => {
                if heard.elapsed() > 3 * PING_EVERY {
                    return;
                }
                Message::Ping(Bytes::new())
            }
            // What comes says that somebody is there; who sends a text asks whether the connection still is one.
            read = stream.next() => match read {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(message)) => {
                    heard = tokio::time::Instant::now();
                    if matches!(message, Message::Text(_)) {
                        changes.mark_changed();
                    }
                    continue;
                }
            },
            account = gone.recv() => match account {
                Ok(account) if account != own => continue,
                // Who missed some of them comes again, unless the account is one of these.
                Ok(_) | Err(_) => return,
            },
            () = &mut ended => return,
            () = stop.requested() => {
                let frame = CloseFrame { code: close_code::AWAY, reason: Utf8Bytes::from_static("the server stops") };
                let _ = timeout(limits.write_time, sink.send(Message::Close(Some(frame)))).await;
                return;
            }
        };
        if !matches!(timeout(limits.write_time, sink.send(message)).await, Ok(Ok(()))) {
            return;
        }
    }
}
