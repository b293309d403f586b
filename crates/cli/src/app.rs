//! The back end of a terminal.

use crate::notes::note;
use honinbo_api::{App, Capabilities, Event, Host, default_data_dir};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// The data folder that was asked for, or the usual one.
pub(crate) fn data_dir(asked: Option<PathBuf>) -> PathBuf {
    asked.unwrap_or_else(default_data_dir)
}

/// A back end and its events. Says what is wrong with the settings.
pub(crate) fn open(data: Option<PathBuf>) -> (Arc<App>, Receiver<Event>) {
    let (sender, events) = channel();
    let host = TerminalHost { data_dir: data_dir(data), started: Instant::now(), events: sender };
    let app = App::new(Arc::new(host));
    if let Some(notice) = app.settings_notice() {
        note(notice);
    }
    (app, events)
}

/// A [`Host`] for one command of the person whose disk it is.
struct TerminalHost {
    data_dir: PathBuf,
    started: Instant,
    events: Sender<Event>,
}

impl Host for TerminalHost {
    fn data_dir(&self) -> PathBuf {
        self.data_dir.clone()
    }

    fn resource_dirs(&self) -> Vec<PathBuf> {
        Vec::new() // The back end itself looks around the executable.
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { paths: true, native_dialogs: false, menu_bar: false }
    }

    fn has_windows(&self) -> bool {
        false
    }

    fn emit(&self, event: Event) {
        let _ = self.events.send(event); // A command that does not listen has dropped the receiver.
    }
}
