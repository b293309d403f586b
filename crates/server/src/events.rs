//! Events for every window that is connected.

use crate::outbox::Outbox;
use honinbo_api::Event;
use parking_lot::Mutex;
use std::sync::{Arc, Weak};

/// Hands events to every connected window. The back end's `Host::emit` ends here; it never blocks.
#[derive(Debug, Default)]
pub struct EventHub {
    outboxes: Mutex<Vec<Weak<Outbox>>>,
}

impl EventHub {
    /// A hub without windows.
    pub fn new() -> Self {
        Self::default()
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

    /// A queue that receives every event from now on, for as long as it is held.
    pub(crate) fn subscribe(&self) -> Arc<Outbox> {
        let outbox = Arc::new(Outbox::default());
        self.outboxes.lock().push(Arc::downgrade(&outbox));
        outbox
    }
}
