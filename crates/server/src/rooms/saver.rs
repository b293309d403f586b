//! Writes rooms into the store: on a thread of its own, many in one transaction where many wait.

use honinbo_library::{RoomChange, ServerStore, StoreError};
use std::sync::{Arc, mpsc};
use tokio::sync::oneshot;

/// Rooms in one transaction at most.
const MAX_BATCH: usize = 512;

struct Order {
    change: RoomChange,
    done: oneshot::Sender<Saved>,
}

/// What became of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Saved {
    Yes,
    /// It failed, which is in the log, and may be tried again.
    NotYet,
    /// Another server has the room now: nothing may be said of what was not kept.
    TakenOver,
}

/// Hands changes to the thread that writes. Each room waits for its own, so that no more wait than there are rooms.
#[derive(Clone)]
pub(super) struct Saver(mpsc::Sender<Order>);

impl Saver {
    /// Starts the thread, which ends with the last clone.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start(store: Arc<ServerStore>) -> std::io::Result<Self> {
        let (orders, queue) = mpsc::channel();
        std::thread::Builder::new().name("rooms".into()).spawn(move || write(&store, &queue))?;
        Ok(Self(orders))
    }

    /// Writes a change.
    pub(super) async fn save(&self, change: RoomChange) -> Saved {
        let (done, written) = oneshot::channel();
        match self.0.send(Order { change, done }) {
            Ok(()) => written.await.unwrap_or(Saved::NotYet),
            Err(_) => Saved::NotYet,
        }
    }
}

fn write(store: &ServerStore, queue: &mpsc::Receiver<Order>) {
    while let Ok(first) = queue.recv() {
        let mut changes = vec![first.change];
        let mut waiting = vec![first.done];
        for order in queue.try_iter().take(MAX_BATCH - 1) {
            changes.push(order.change);
            waiting.push(order.done);
        }
        let saved: Vec<Saved> = match store.change_rooms(&changes) {
            Ok(made) => made.into_iter().map(|made| if made { Saved::Yes } else { Saved::TakenOver }).collect(),
            Err(StoreError::TakenOver) => vec![Saved::TakenOver; changes.len()],
            Err(error) => {
                tracing::error!(%error, hint = error.hint(), rooms = changes.len(), "rooms could not be kept");
                vec![Saved::NotYet; changes.len()]
            }
        };
        for (done, saved) in waiting.into_iter().zip(saved) {
            let _ = done.send(saved); // Whoever waited may have gone.
        }
    }
}
