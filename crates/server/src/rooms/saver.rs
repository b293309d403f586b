//! Writes rooms into the store: on a thread of its own, many in one transaction where many wait.

use honinbo_library::{RoomChange, ServerStore};
use std::sync::{Arc, mpsc};
use tokio::sync::oneshot;

/// Rooms in one transaction at most.
const MAX_BATCH: usize = 512;

struct Order {
    change: RoomChange,
    done: oneshot::Sender<bool>,
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

    /// Writes a change; false when that failed, which is in the log then.
    pub(super) async fn save(&self, change: RoomChange) -> bool {
        let (done, written) = oneshot::channel();
        self.0.send(Order { change, done }).is_ok() && written.await.unwrap_or(false)
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
        let written = store.change_rooms(&changes);
        if let Err(error) = &written {
            tracing::error!(%error, hint = error.hint(), rooms = changes.len(), "rooms could not be kept");
        }
        for done in waiting {
            let _ = done.send(written.is_ok()); // Whoever waited may have gone.
        }
    }
}
