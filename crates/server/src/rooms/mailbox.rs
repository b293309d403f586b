//! What waits to be sent to one client of a room: bounded, whatever the client reads.

use axum::extract::ws::Utf8Bytes;
use parking_lot::Mutex;
use std::collections::VecDeque;
use tokio::sync::Notify;

/// Bytes that may wait for a client. One that is behind by more is told the whole room once it reads again.
const MAX_BYTES: usize = 128 << 10;

/// What a client is to be sent next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Letter {
    /// A message.
    Message(Utf8Bytes),
    /// Messages were dropped: the whole room as it is by then.
    WholeRoom,
}

#[derive(Debug, Default)]
struct State {
    messages: VecDeque<Utf8Bytes>,
    bytes: usize,
    dropped: bool,
    closed: bool,
}

/// The mailbox of one client. Filled by the room without waiting, emptied by the client's own task.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    state: Mutex<State>,
    changed: Notify,
}

impl Mailbox {
    /// Adds a message, or drops all that wait where they became too many. One is taken whatever its length where nothing
    /// waits: refused, it would be asked for again without end.
    pub(super) fn put(&self, message: Utf8Bytes) {
        {
            let mut state = self.state.lock();
            if state.dropped || state.closed {
                return;
            }
            if !state.messages.is_empty() && state.bytes + message.len() > MAX_BYTES {
                state.messages.clear();
                state.bytes = 0;
                state.dropped = true;
            } else {
                state.bytes += message.len();
                state.messages.push_back(message);
            }
        }
        self.changed.notify_one();
    }

    /// Nothing more comes; what waits is still read.
    pub(super) fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_one();
    }

    /// Waits for what is to be sent next; `None` when nothing more comes. One task only.
    pub(super) async fn next(&self) -> Option<Letter> {
        loop {
            {
                let mut state = self.state.lock();
                if let Some(message) = state.messages.pop_front() {
                    state.bytes -= message.len();
                    return Some(Letter::Message(message));
                }
                if std::mem::take(&mut state.dropped) {
                    return Some(Letter::WholeRoom);
                }
                if state.closed {
                    return None;
                }
            }
            self.changed.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn messages_come_in_their_order_to_the_end() {
        let mailbox = Mailbox::default();
        mailbox.put("1".into());
        mailbox.put("2".into());
        mailbox.close();
        mailbox.put("3".into());
        assert_eq!(mailbox.next().await, Some(Letter::Message("1".into())));
        assert_eq!(mailbox.next().await, Some(Letter::Message("2".into())));
        assert_eq!(mailbox.next().await, None);
    }

    #[tokio::test]
    async fn who_reads_nothing_costs_a_bounded_amount_and_gets_the_whole_room() {
        let mailbox = Mailbox::default();
        let message: Utf8Bytes = "x".repeat(1000).into();
        for _ in 0..100_000 {
            mailbox.put(message.clone());
            assert!(mailbox.state.lock().bytes <= MAX_BYTES);
        }
        assert_eq!(mailbox.next().await, Some(Letter::WholeRoom));
        mailbox.put("after".into());
        assert_eq!(mailbox.next().await, Some(Letter::Message("after".into())));
    }

    #[tokio::test]
    async fn a_message_comes_whatever_its_length_where_nothing_else_waits() {
        let mailbox = Mailbox::default();
        let long: Utf8Bytes = "x".repeat(MAX_BYTES + 1).into();
        mailbox.put(long.clone());
        assert_eq!(mailbox.next().await, Some(Letter::Message(long.clone())));
        mailbox.put("first".into());
        mailbox.put(long);
        assert_eq!(mailbox.next().await, Some(Letter::WholeRoom));
    }
}
