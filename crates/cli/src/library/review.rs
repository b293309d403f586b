//! `honinbo library review`: games of the library, one after the other.

use super::{existing, failed, no_library};
use crate::app;
use crate::failure::Failure;
use crate::interrupt::until_interrupted;
use crate::notes::note;
use crate::output::Output;
use crate::progress;
use crate::words::counted;
use honinbo_api::{Caller, Event, NoArgs, QueueReviews, QueueState, RestReason, ReviewQueue, commands};
use honinbo_library::GameFilter;
use indicatif::ProgressBar;
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// Reviews games, or with `go_on` those that wait already. What is broken off goes on with the next call, or in the window.
pub(super) fn review(
    filter: &GameFilter,
    go_on: bool,
    json: bool,
    data: Option<PathBuf>,
    output: &mut Output,
) -> Result<(), Failure> {
    let (path, library) = existing(data.clone())?;
    let library = library.ok_or_else(|| no_library(&path))?;
    let ids = if go_on { Vec::new() } else { library.ids(filter).map_err(failed(&path))? };
    drop(library);
    if ids.is_empty() && !go_on {
        return Err(Failure::new("no game meets the conditions", "ask for fewer of them"));
    }
    let (app, events) = app::open(data);
    let ids = ids.iter().map(ToString::to_string).collect();
    let mut queue = commands::queue_reviews(&app, &Caller::new(), QueueReviews { ids, first: false })?;
    let stop = until_interrupted();
    let bar = progress::bar(Some(0), "{bar:30} {pos} of {len} games, {msg}");
    let mut rested = None;
    while queue.waiting > 0 && !stop.is_set() {
        show(&bar, &queue);
        match &queue.state {
            QueueState::Resting { reason: RestReason::NoEngine } => {
                app.shut_down();
                let hint = "`honinbo net list` names networks that can be fetched; the games wait on";
                return Err(Failure::new("there is no network that answers", hint));
            }
            QueueState::Resting { reason: RestReason::Library } => {
                app.shut_down();
                let hint = "see whether its disk is full or may not be written to; the games wait on";
                return Err(Failure::new("the library cannot keep what was found", hint));
            }
            QueueState::Resting { reason } if rested != Some(*reason) => {
                rested = Some(*reason);
                note("the machine runs on its battery: the review goes on with mains power");
            }
            _ => {}
        }
        match events.recv_timeout(Duration::from_millis(200)) {
            Ok(Event::Reviews(now)) => queue = now,
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    bar.finish_and_clear();
    app.shut_down();
    let queue = commands::review_queue(&app, &Caller::new(), NoArgs {})?;
    if json {
        output.json(&queue)?;
    } else {
        let failed = if queue.failed > 0 { format!(", {} of them unreadable", queue.failed) } else { String::new() };
        let left = if queue.waiting > 0 { format!("; {} left", queue.waiting) } else { String::new() };
        output.line(format!("{} reviewed{failed}{left}", counted(queue.done, "game")))?;
    }
    Ok(())
}

fn show(bar: &ProgressBar, queue: &ReviewQueue) {
    bar.set_length((queue.waiting + queue.done).into());
    bar.set_position(queue.done.into());
    let left = queue.seconds_left.map(|seconds| (seconds.get() / 60.0).ceil() as u32);
    bar.set_message(left.map(|minutes| format!("about {} left", counted(minutes, "minute"))).unwrap_or_default());
}
