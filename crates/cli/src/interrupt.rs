//! Ctrl-C and requests of the system to end.

use honinbo_net::StopFlag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Sets `stop` on the first Ctrl-C, so that what is under way ends with what it has; a second one ends the program.
pub(crate) fn stop_on_interrupt(stop: &StopFlag) -> io::Result<()> {
    let (stop, asked) = (stop.clone(), Arc::new(AtomicBool::new(false)));
    watch(move || {
        if asked.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        stop.set();
    })
}

/// Calls `on_interrupt` at every Ctrl-C, from a thread of its own.
fn watch(mut on_interrupt: impl FnMut() + Send + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    std::thread::Builder::new().name("interrupt".into()).spawn(move || {
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                on_interrupt();
            }
        });
    })?;
    Ok(())
}

/// Waits for Ctrl-C or for the system's request to end.
pub(crate) async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => {
                tokio::select! {
                    _ = tokio::signal::ctrl_c() => {}
                    _ = terminate.recv() => {}
                }
                return;
            }
            Err(error) => tracing::warn!(%error, "SIGTERM will not be heard"),
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
