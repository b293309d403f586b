//! What a program printed and nobody has read yet, in bounded memory.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read as _};
use std::time::Instant;

use parking_lot::{Condvar, Mutex};

/// The longest line that is kept; the rest of a longer one is skipped.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// Bytes that may wait. A program that prints more has to wait itself.
const MAX_PENDING_BYTES: usize = 4 << 20;

/// Lines between the thread that reads them and whoever wants them.
#[derive(Default)]
pub(super) struct Lines {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Vec<u8>>,
    bytes: usize,
    /// The program has closed its output.
    ended: bool,
    /// Nobody wants the rest.
    abandoned: bool,
}

/// What came next.
pub(super) enum Next {
    Line(Vec<u8>),
    Ended,
    TimeOver,
}

impl Lines {
    /// Reads until the end of the output, or until nobody wants the rest. For a thread of its own.
    pub(super) fn fill_from(&self, output: impl BufRead) {
        let mut reader = LineReader::new(output);
        while let Ok(Some(line)) = reader.next_line() {
            let mut state = self.state.lock();
            while state.bytes >= MAX_PENDING_BYTES && !state.abandoned {
                self.changed.wait(&mut state);
            }
            if state.abandoned {
                return;
            }
            state.bytes += line.len() + 1;
            state.waiting.push_back(line);
            self.changed.notify_all();
        }
        self.state.lock().ended = true;
        self.changed.notify_all();
    }

    /// The next line, waited for until `deadline`.
    pub(super) fn next(&self, deadline: Instant) -> Next {
        let mut state = self.state.lock();
        loop {
            if let Some(line) = state.waiting.pop_front() {
                state.bytes -= line.len() + 1;
                self.changed.notify_all();
                return Next::Line(line);
            }
            if state.ended {
                return Next::Ended;
            }
            if self.changed.wait_until(&mut state, deadline).timed_out() && state.waiting.is_empty() {
                return if state.ended { Next::Ended } else { Next::TimeOver };
            }
        }
    }

    /// Takes all that waits.
    pub(super) fn drain(&self) -> VecDeque<Vec<u8>> {
        let mut state = self.state.lock();
        state.bytes = 0;
        self.changed.notify_all();
        std::mem::take(&mut state.waiting)
    }

    /// Lets go of what waits and of what may come.
    pub(super) fn abandon(&self) {
        self.state.lock().abandoned = true;
        self.drain();
    }
}

/// Reads lines of bounded length from a program that may print anything.
pub(super) struct LineReader<R> {
    output: R,
    /// The line that was given last had more, which nobody wants.
    skips_rest: bool,
}

impl<R: BufRead> LineReader<R> {
    pub(super) fn new(output: R) -> Self {
        Self { output, skips_rest: false }
    }

    /// One line without its end; of one that is too long the beginning, at once, as the rest may never end.
    pub(super) fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if self.output.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            let is_whole = line.last() == Some(&b'\n');
            if !std::mem::replace(&mut self.skips_rest, !is_whole && line.len() as u64 == MAX_LINE_BYTES) {
                if is_whole {
                    line.pop();
                }
                return Ok(Some(line));
            }
        }
    }
}
