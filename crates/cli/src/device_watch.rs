//! Telling what becomes of the device while a command computes.

use honinbo_api::App;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often is looked.
const INTERVAL: Duration = Duration::from_secs(1);

/// Looks at what there is to know of the device until it is dropped: the protocols have no place for it in their answers.
#[must_use]
pub(crate) struct DeviceWatch {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl DeviceWatch {
    /// Tells what is known of the engine's device, each note once, when it first appears.
    pub(crate) fn of(app: &Arc<App>, tell: impl FnMut(&str) + Send + 'static) -> Self {
        let app = Arc::clone(app);
        Self::start(move || app.engine_status().device_note, tell)
    }

    fn start(look: impl Fn() -> String + Send + 'static, mut tell: impl FnMut(&str) + Send + 'static) -> Self {
        let (end, ended) = channel::<()>();
        let thread = std::thread::Builder::new().name("device notes".into()).spawn(move || {
            let mut told = BTreeSet::from([String::new()]);
            loop {
                let is_over = matches!(ended.recv_timeout(INTERVAL), Err(RecvTimeoutError::Disconnected));
                let note = look();
                if !told.contains(&note) {
                    tell(&note);
                    told.insert(note);
                }
                if is_over {
                    return;
                }
            }
        });
        if let Err(error) = &thread {
            tracing::warn!(%error, "what becomes of the device is not told");
        }
        Self { end: Some(end), thread: thread.ok() }
    }
}

impl Drop for DeviceWatch {
    fn drop(&mut self) {
        // It looks once more when nobody holds the other end.
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn a_note_is_told_once_and_before_the_end() {
        let note = Arc::new(Mutex::new("a card is not used".to_owned()));
        let told = Arc::new(Mutex::new(Vec::<String>::new()));
        let (seen, heard) = (Arc::clone(&note), Arc::clone(&told));
        let (first, waiting) = channel();
        let watch = DeviceWatch::start(
            move || seen.lock().unwrap().clone(),
            move |text| {
                heard.lock().unwrap().push(text.to_owned());
                let _ = first.send(());
            },
        );
        waiting.recv().unwrap();
        *note.lock().unwrap() = "the card was lost".to_owned();
        drop(watch);
        assert_eq!(*told.lock().unwrap(), ["a card is not used", "the card was lost"]);
        let heard = Arc::clone(&told);
        drop(DeviceWatch::start(String::new, move |text| heard.lock().unwrap().push(text.to_owned())));
        assert_eq!(told.lock().unwrap().len(), 2, "nothing to tell");
    }
}
