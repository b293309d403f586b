//! Events for every window that is connected.

use crate::outbox::Outbox;
use honinbo_api::Event;
use parking_lot::Mutex;
use serde_json::json;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Weak};

/// Hands events to every connected window. The back end's `Host::emit` ends here; it never blocks.
///
/// There is one for each back end. The first message of a window names this run of it: open games have other names in the
/// next one, so a window that comes back has to know whether it is the same.
#[derive(Debug)]
pub struct EventHub {
    /// The first message of every window.
    hello: String,
    outboxes: Mutex<Vec<Weak<Outbox>>>,
}

impl Default for EventHub {
    fn default() -> Self {
        Self::new()
    }
}

impl EventHub {
    /// A hub without windows.
    pub fn new() -> Self {
        // Its keys are random, and others each time.
        let run = RandomState::new().hash_one(0);
        Self { hello: json!({ "run": format!("{run:016x}") }).to_string(), outboxes: Mutex::default() }
    }

    /// Emits an event to every window.
    pub fn emit(&self, event: &Event) {
        self.outboxes.lock().retain(|outbox| match outbox.upgrade() {
            Some(outbox) => {
                outbox.event(event.clone());
                true
            }
            None => false,
        });
    }

    /// A queue that receives every event from now on, for as long as it is held, after the name of this run.
    pub(crate) fn subscribe(&self) -> Arc<Outbox> {
        let outbox = Arc::new(Outbox::default());
        outbox.answer(self.hello.clone());
        self.outboxes.lock().push(Arc::downgrade(&outbox));
        outbox
    }
}
