//! Answers on their way to a client that may read slowly, or not at all.

use std::collections::VecDeque;
use std::io::{self, Write};

use parking_lot::{Condvar, Mutex};
use serde_json::Value;

/// Of the unread bytes that there may be, the part from which on news of running searches are dropped.
const SHARE_OF_NEWS: usize = 64;

/// Lines that wait to be written.
pub(crate) struct Outbox {
    /// Unread bytes from which on whoever has a last answer waits.
    most_bytes: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    lines: VecDeque<String>,
    bytes: usize,
    /// Nobody writes any more: the client is gone.
    closed: bool,
    /// Nothing more will come.
    finished: bool,
}

impl Outbox {
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self { most_bytes, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Hands in a line that must arrive; waits while too much is unread. Lost where the client is gone.
    pub(crate) fn send(&self, answer: &Value) {
        let line = answer.to_string();
        let mut state = self.state.lock();
        while state.bytes >= self.most_bytes && !state.closed {
            self.changed.wait(&mut state);
        }
        self.push(&mut state, line);
    }

    /// Hands in a line that is worth something only while it is new; dropped where earlier ones are still unread.
    pub(crate) fn send_news(&self, answer: &Value) {
        let line = answer.to_string();
        let mut state = self.state.lock();
        if state.bytes < self.most_bytes / SHARE_OF_NEWS {
            self.push(&mut state, line);
        }
    }

    fn push(&self, state: &mut State, line: String) {
        if !state.closed {
            state.bytes += line.len() + 1;
            state.lines.push_back(line);
            self.changed.notify_all();
        }
    }

    /// Says that nothing more will come.
    pub(crate) fn finish(&self) {
        self.state.lock().finished = true;
        self.changed.notify_all();
    }

    /// Writes until everything is written and [`Outbox::finish`] was called, or the client is gone.
    pub(crate) fn write_to(&self, output: &mut dyn Write) -> io::Result<()> {
        let result = self.write_all(output);
        if result.is_err() {
            let mut state = self.state.lock();
            state.closed = true;
            state.lines.clear();
            state.bytes = 0;
            self.changed.notify_all();
        }
        result
    }

    fn write_all(&self, output: &mut dyn Write) -> io::Result<()> {
        loop {
            let mut state = self.state.lock();
            while state.lines.is_empty() {
                if state.finished {
                    return Ok(());
                }
                self.changed.wait(&mut state);
            }
            let lines = std::mem::take(&mut state.lines);
            drop(state);
            for line in lines {
                output.write_all(line.as_bytes())?;
                output.write_all(b"\n")?;
                // What is being written counts as unread until it is.
                self.state.lock().bytes -= line.len() + 1;
                self.changed.notify_all();
            }
            output.flush()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const MAX_BYTES: usize = 64 << 10;

    #[test]
    fn news_are_dropped_where_nobody_reads() {
        let outbox = Outbox::new(MAX_BYTES);
        let large = json!("x".repeat(MAX_BYTES / SHARE_OF_NEWS));
        outbox.send(&large);
        outbox.send_news(&json!("late"));
        outbox.send(&json!("last"));
        outbox.finish();
        let mut written = Vec::new();
        outbox.write_to(&mut written).unwrap();
        let text = String::from_utf8(written).unwrap();
        assert_eq!(text.lines().count(), 2);
        assert!(text.ends_with("\"last\"\n") && !text.contains("late"));
    }

    #[test]
    fn a_client_that_is_gone_stops_nobody() {
        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let outbox = Outbox::new(MAX_BYTES);
        let large = json!("x".repeat(MAX_BYTES));
        outbox.send(&large);
        assert!(outbox.write_to(&mut Broken).is_err());
        outbox.send(&large);
        outbox.send(&large);
        assert_eq!(outbox.state.lock().bytes, 0);
    }
}
