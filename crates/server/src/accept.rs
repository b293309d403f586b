//! Accepting connections, and not too many of them.

use crate::stop::Stop;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

/// Serves every connection of a listener in a task of its own until `stop` becomes true, then waits for those that are
/// left. One that comes while `limit` others are served is given to `refuse`.
pub(crate) async fn accept<S, R>(
    listener: TcpListener,
    limit: usize,
    mut stop: Stop,
    serve: impl Fn(TcpStream, SocketAddr) -> S,
    refuse: impl Fn(TcpStream) -> R,
) where
    S: Future<Output = ()> + Send + 'static,
    R: Future<Output = ()> + Send + 'static,
{
    let places = Arc::new(Semaphore::new(limit));
    // Telling a client that there is no place costs something too: those who are being told are counted as well.
    let refusals = Arc::new(Semaphore::new(limit));
    let mut tasks = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.requested() => break,
        };
        while tasks.try_join_next().is_some() {}
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, say: the connections that are open will give some back.
                tracing::warn!(%error, "cannot accept a connection");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true); // Only costs speed where it fails.
        if let Ok(place) = places.clone().try_acquire_owned() {
            tasks.spawn(holding(place, serve(stream, address)));
        } else if let Ok(place) = refusals.clone().try_acquire_owned() {
            tracing::warn!(%address, limit, "a connection was refused: there are too many");
            tasks.spawn(holding(place, refuse(stream)));
        }
    }
    drop(listener);
    while tasks.join_next().await.is_some() {}
}

async fn holding(place: OwnedSemaphorePermit, work: impl Future<Output = ()>) {
    work.await;
    drop(place);
}
