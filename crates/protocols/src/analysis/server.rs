//! The loop between a client and the engine.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::sync_channel;

use super::engine::AnalysisEngine;
use super::outbox::Outbox;
use super::queue::Queue;
use crate::lines::read_line;

/// The longest line that is read; the rest of a longer one is dropped and the line refused.
const MAX_LINE_BYTES: usize = 4 << 20;
/// Lines that are read ahead.
const LINES_AHEAD: usize = 4;

/// Something that happened to one of the pipes.
enum Event {
    Line(Vec<u8>),
    /// The client has said everything.
    InputEnded,
    /// The client is gone.
    OutputClosed,
}

/// Answers queries until the end of the input, and then what still waits; or until the output is closed.
///
/// # Errors
/// When the output cannot be written.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: &mut (dyn Write + Send),
    engine: &AnalysisEngine,
) -> io::Result<()> {
    let (events, happened) = sync_channel(LINES_AHEAD);
    let lines = events.clone();
    // Not joined: it may be waiting for a line that never comes.
    std::thread::spawn(move || {
        let mut input = input;
        while let Ok(Some(line)) = read_line(&mut input, MAX_LINE_BYTES) {
            if lines.send(Event::Line(line)).is_err() {
                return;
            }
        }
        let _ = lines.send(Event::InputEnded);
    });
    let (queue, outbox) = (Queue::default(), Outbox::new(engine.options.unread_bytes));
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let result = outbox.write_to(output);
            if result.is_err() {
                queue.abandon();
                let _ = events.send(Event::OutputClosed);
            }
            result
        });
        let workers: Vec<_> =
            (0..engine.options.positions.max(1)).map(|_| scope.spawn(|| engine.work(&queue, &outbox))).collect();
        while let Ok(Event::Line(line)) = happened.recv() {
            engine.take(&line, MAX_LINE_BYTES, &queue, &outbox);
        }
        if engine.options.quit_without_waiting {
            queue.abandon();
        }
        queue.close();
        // Whoever is still reading may stop now.
        drop(happened);
        let lost = workers.into_iter().map(|worker| worker.join().is_err()).fold(false, |lost, one| lost | one);
        outbox.finish();
        let written = writer.join().unwrap_or_else(|_| Err(io::Error::other("the writer ended unexpectedly")));
        if lost { written.and(Err(io::Error::other("a search ended unexpectedly"))) } else { written }
    })
}
