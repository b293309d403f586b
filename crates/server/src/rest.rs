//! No window, no analysis: an engine that nobody watches rests.

use crate::Backend;
use honinbo_api::Caller;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

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

/// Turns live analysis off whenever the last window has been gone for `grace`. Never ends by itself.
pub(crate) async fn rest_when_alone(backend: Arc<dyn Backend>, presence: Arc<Presence>, grace: Duration) {
    let mut count = presence.0.subscribe();
    loop {
        until(&mut count, |count| count > 0).await;
        until(&mut count, |count| count == 0).await;
        if tokio::time::timeout(grace, until(&mut count, |count| count > 0)).await.is_ok() {
            continue;
        }
        let backend = backend.clone();
        if let Err(error) = tokio::task::spawn_blocking(move || rest(backend.as_ref())).await {
            tracing::error!(%error, "a command panicked");
        }
    }
}

fn rest(backend: &dyn Backend) {
    let caller = Caller::new();
    let Ok(status) = backend.call(&caller, "engine_status", json!({})) else { return };
    if let Some(game_id @ Value::String(_)) = status.get("analysing") {
        tracing::info!("no window is left: the analysis rests");
        let args = json!({ "gameId": game_id, "running": false, "visits": 0 });
        if let Err(error) = backend.call(&caller, "set_analysis", args) {
            tracing::warn!(%error, "the analysis could not be ended");
        }
    }
    // A second network is in memory for somebody who looks at it.
    if let Err(error) = backend.call(&caller, "end_comparison", json!({})) {
        tracing::warn!(%error, "the comparison of networks could not be ended");
    }
}

async fn until(count: &mut watch::Receiver<usize>, reached: impl Fn(usize) -> bool) {
    let _ = count.wait_for(|count| reached(*count)).await;
}
