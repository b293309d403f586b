//! No window, no analysis: an engine that nobody watches rests.

use crate::Backend;
use honinbo_api::Caller;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How long the engine goes on when the last window has gone: reloading a page takes less.
const GRACE: Duration = Duration::from_secs(10);

/// How many windows are here.
#[derive(Debug)]
pub(crate) struct Presence(watch::Sender<usize>);

/// A window that is here for as long as this is held.
pub(crate) struct Here(Arc<Presence>);

impl Presence {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self(watch::channel(0).0))
    }

    pub(crate) fn enter(self: &Arc<Self>) -> Here {
        self.0.send_modify(|count| *count += 1);
        Here(self.clone())
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count -= 1);
    }
}

/// Turns live analysis off whenever the last window has been gone for a while. Never ends by itself.
pub(crate) async fn rest_when_alone(backend: Arc<dyn Backend>, presence: Arc<Presence>) {
    let mut count = presence.0.subscribe();
    let caller = Caller::new();
    loop {
        until(&mut count, |count| count > 0).await;
        until(&mut count, |count| count == 0).await;
        if tokio::time::timeout(GRACE, until(&mut count, |count| count > 0)).await.is_ok() {
            continue;
        }
        let Ok(status) = backend.call(&caller, "engine_status", json!({})) else { continue };
        if let Some(game_id @ Value::String(_)) = status.get("analysing") {
            tracing::info!("no window is left: the analysis rests");
            let args = json!({ "gameId": game_id, "running": false, "visits": 0 });
            if let Err(error) = backend.call(&caller, "set_analysis", args) {
                tracing::warn!(%error, "the analysis could not be ended");
            }
        }
    }
}

async fn until(count: &mut watch::Receiver<usize>, reached: impl Fn(usize) -> bool) {
    let _ = count.wait_for(|count| reached(*count)).await;
}
