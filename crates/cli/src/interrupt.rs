//! Ctrl-C and requests of the system to end.

use honinbo_api::excuse_device_checks;
use honinbo_evaluator::StopFlag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set on the first Ctrl-C, as by [`stop_on_interrupt`]. Where the system does not let it be heard, it ends the program.
pub(crate) fn until_interrupted() -> StopFlag {
    let stop = StopFlag::new();
    if let Err(error) = stop_on_interrupt(&stop) {
        tracing::warn!(%error, "Ctrl-C will end the program at once");
    }
    stop
}

/// Sets `stop` on the first Ctrl-C, so that what is under way ends with what it has; a second one ends the program.
pub(crate) fn stop_on_interrupt(stop: &StopFlag) -> io::Result<()> {
    let (stop, asked) = (stop.clone(), Arc::new(AtomicBool::new(false)));
    watch(move || {
        if asked.swap(true, Ordering::SeqCst) {
            end();
        }
        stop.set();
    })
}

/// Sets `stop` when Ctrl-C or the system's request to end comes, as schedulers send it; another one ends the program.
pub(crate) fn stop_when_asked(stop: &StopFlag) -> io::Result<()> {
    let stop = stop.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let first = {
        let _inside = runtime.enter();
        asked_to_end()?
    };
    std::thread::Builder::new().name("interrupt".into()).spawn(move || {
        runtime.block_on(first);
        stop.set();
        let again = {
            let _inside = runtime.enter();
            asked_to_end()
        };
        if let Ok(again) = again {
            runtime.block_on(again);
            end();
        }
    })?;
    Ok(())
}

/// Ends the program without waiting for anything.
fn end() -> ! {
    excuse_device_checks();
    std::process::exit(130);
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

/// Hears Ctrl-C and the system's request to end from now on; what it gives back waits for one of them.
///
/// To be called before anybody is told that the program is there: a signal that nobody listens for ends it at once.
#[cfg(unix)]
pub(crate) fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Hears Ctrl-C from now on; what it gives back waits for it.
#[cfg(windows)]
pub(crate) fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    Ok(async move {
        interrupt.recv().await;
    })
}
