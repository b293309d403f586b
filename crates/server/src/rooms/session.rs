//! Who is in a room or a lesson, and what is sent to them.

use super::actor::Input;
use super::engines::Engines;
use super::mailbox::Mailbox;
use super::service::Inner;
use axum::extract::ws::Utf8Bytes;
use honinbo_library::Account;
use honinbo_rooms::{Now, ServerMessage};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Somebody with an open connection.
pub(super) struct Visitor {
    pub(super) account: Account,
    /// Does not want a seat.
    pub(super) watch: bool,
    /// The last event that the client knows of.
    pub(super) after: Option<u64>,
    pub(super) mailbox: Arc<Mailbox>,
}

/// Somebody who is in.
pub(super) struct Present {
    pub(super) visitor: Visitor,
    /// The account, as rooms and lessons name people.
    pub(super) person: String,
}

/// The connections of a room or a lesson.
pub(super) struct Session {
    /// What the room is called in the store.
    pub(super) key: String,
    pub(super) inner: Arc<Inner>,
    pub(super) own: mpsc::WeakSender<Input>,
    pub(super) present: HashMap<u64, Present>,
    last_number: u64,
}

impl Session {
    pub(super) fn new(key: String, inner: Arc<Inner>, own: mpsc::WeakSender<Input>) -> Self {
        Self { key, inner, own, present: HashMap::new(), last_number: 0 }
    }

    pub(super) fn now(&self) -> Now {
        Now::at(self.inner.clock.monotonic())
    }

    /// Gives a connection its number.
    pub(super) fn add(&mut self, visitor: Visitor) -> u64 {
        self.last_number += 1;
        let person = visitor.account.id.to_string();
        self.present.insert(self.last_number, Present { visitor, person });
        self.last_number
    }

    /// Sends a text to one connection.
    pub(super) fn put(&self, connection: u64, text: Utf8Bytes) {
        if let Some(present) = self.present.get(&connection) {
            present.visitor.mailbox.put(text);
        }
    }

    /// Sends a message to one connection.
    pub(super) fn send(&self, connection: u64, message: &ServerMessage) {
        self.put(connection, message.to_json().into());
    }

    /// Sends a text to all for whom it is meant, by their connection and who they are.
    pub(super) fn put_to(&self, text: &Utf8Bytes, is_meant: impl Fn(u64, &str) -> bool) {
        for (_, present) in self.present.iter().filter(|(number, present)| is_meant(**number, &present.person)) {
            present.visitor.mailbox.put(text.clone());
        }
    }

    /// Has an engine work on something once it has a place. What came of it is heard; `None` where the engine panicked.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Engines) -> T + Send + 'static,
        to_input: impl FnOnce(Option<T>) -> Input + Send + 'static,
    ) {
        let (inner, own) = (Arc::clone(&self.inner), self.own.clone());
        tokio::spawn(async move {
            let place = inner.engines.place().await;
            let found = inner.work(place, work).await;
            if let Some(own) = own.upgrade() {
                let _ = own.send(to_input(found)).await; // The room may be closed.
            }
        });
    }
}
