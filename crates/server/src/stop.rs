//! The end of the server, signalled to every connection.

use tokio::sync::watch;

/// Hears that the server stops.
#[derive(Debug, Clone)]
pub(crate) struct Stop(watch::Receiver<bool>);

/// Says that the server stops.
#[derive(Debug)]
pub(crate) struct Stopper(watch::Sender<bool>);

/// A stopper and what hears it.
pub(crate) fn stop_channel() -> (Stopper, Stop) {
    let (sender, receiver) = watch::channel(false);
    (Stopper(sender), Stop(receiver))
}

impl Stopper {
    /// Signals every connection.
    pub(crate) fn stop(&self) {
        let _ = self.0.send(true);
    }
}

impl Stop {
    /// Waits until the server stops. A server that is no longer there has stopped.
    pub(crate) async fn requested(&mut self) {
        let _ = self.0.wait_for(|stop| *stop).await;
    }
}
