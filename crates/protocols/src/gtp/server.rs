//! The loop between a controller and the engine.

use std::cell::Cell;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use honinbo_evaluator::StopFlag;
use parking_lot::Mutex;

use super::engine::GtpEngine;
use super::line::{Line, MAX_LINE, is_interrupt, parse};
use crate::lines::read_line;

/// Lines that may wait while a move is searched; a controller that sends more has to wait itself.
const WAITING_LINES: usize = 1024;

/// Lines that have arrived.
pub(crate) struct Inbox {
    lines: Receiver<Vec<u8>>,
    /// A line that was seen while something ran, and is to be handled next.
    seen: Cell<Option<Vec<u8>>>,
    closed: Cell<bool>,
}

impl Inbox {
    /// Whether there is a line to handle, or the controller is gone.
    pub(crate) fn has_line(&self) -> bool {
        let seen = self.seen.take();
        if seen.is_some() {
            self.seen.set(seen);
            return true;
        }
        match self.lines.try_recv() {
            Ok(line) => {
                self.seen.set(Some(line));
                true
            }
            Err(TryRecvError::Disconnected) => {
                self.closed.set(true);
                true
            }
            Err(TryRecvError::Empty) => false,
        }
    }

    fn next(&self) -> Option<Vec<u8>> {
        if let Some(line) = self.seen.take() {
            return Some(line);
        }
        if self.closed.get() {
            return None;
        }
        self.lines.recv().ok()
    }
}

/// Which lines the controller has interrupted. An interrupt may be read before the command that it is meant for has
/// begun, so it counts for all lines that were sent before it.
#[derive(Default)]
struct Interrupts {
    /// Lines that were read.
    read: u64,
    /// Lines that were handled, with the one that is being handled.
    handled: u64,
    /// Lines up to this one are interrupted.
    interrupted: u64,
    /// Ends what the line that is being handled has under way.
    flag: StopFlag,
}

impl Interrupts {
    fn interrupt(&mut self) {
        self.interrupted = self.read;
        if self.handled <= self.interrupted {
            self.flag.set();
        }
    }

    /// The flag of the next line.
    fn begin(&mut self) -> StopFlag {
        self.handled += 1;
        self.flag = StopFlag::new();
        if self.handled <= self.interrupted {
            self.flag.set();
        }
        self.flag.clone()
    }
}

/// Answers commands until `quit`, the end of the input, or an output that is closed.
///
/// # Errors
/// When the output cannot be written.
pub fn serve(input: impl BufRead + Send + 'static, output: &mut dyn Write, engine: &mut GtpEngine) -> io::Result<()> {
    let (sender, lines) = sync_channel(WAITING_LINES);
    let interrupts = Arc::new(Mutex::new(Interrupts::default()));
    let of_reader = Arc::clone(&interrupts);
    // Not joined: it may be waiting for a line that never comes.
    std::thread::spawn(move || {
        let mut input = input;
        while let Ok(Some(line)) = read_line(&mut input, MAX_LINE) {
            {
                let mut interrupts = of_reader.lock();
                if is_interrupt(&line) {
                    interrupts.interrupt();
                    continue;
                }
                interrupts.read += 1;
            }
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let inbox = Inbox { lines, seen: Cell::new(None), closed: Cell::new(false) };
    loop {
        engine.ponder(&inbox);
        let Some(bytes) = inbox.next() else { break };
        engine.interrupt = interrupts.lock().begin();
        let command = match parse(&bytes) {
            Line::Empty | Line::Comment => continue,
            Line::TooLong => {
                write!(output, "? line is longer than {MAX_LINE} bytes\n\n")?;
                output.flush()?;
                continue;
            }
            Line::Command(command) => command,
        };
        let id = command.id.map(|id| id.to_string()).unwrap_or_default();
        let goes_on = engine.handle(&command, &id, &inbox, output)?;
        output.flush()?;
        if !goes_on {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use honinbo_rules::{BoardSize, Color, Komi, Move};
    use honinbo_search::ReportOptions;
    use honinbo_search::bench::Scrambled;

    use super::super::GtpOptions;
    use super::super::genmove::Manner;
    use super::*;

    #[test]
    fn what_is_thought_on_the_opponents_time_is_known_at_the_next_move_of_a_handicap_game() {
        let options = GtpOptions {
            size: BoardSize::NINE,
            // White begins behind, as with handicap stones.
            komi: Komi::from_half_points(0),
            // What is believed of a handicap changes now and then, and with it the whole tree.
            doublings_per_point: 0.0,
            resign_below: None,
            max_playouts: 100,
            ponders: true,
            max_ponder_playouts: 300,
            ..GtpOptions::new("scrambled")
        };
        let mut engine = GtpEngine::new(Arc::new(Scrambled), options).unwrap();
        let (_controller, lines) = sync_channel(1);
        let inbox = Inbox { lines, seen: Cell::new(None), closed: Cell::new(false) };
        engine.table.play(Color::Black, Move::from_gtp("C4", BoardSize::NINE).unwrap()).unwrap();
        let play = |engine: &mut GtpEngine| {
            let mv = engine.find_move(Color::White, None, &inbox, Manner::default(), &mut io::sink()).unwrap().unwrap();
            let visits = engine.search.root_visits();
            engine.table.play(Color::White, mv).unwrap();
            engine.ponder_after(mv);
            visits
        };
        assert_eq!(play(&mut engine), 100);
        engine.ponder(&inbox);
        let visits = engine.search.root_visits();
        assert!(visits > 300, "the search for the move is gone: {visits}");
        let options = ReportOptions { symmetric_images: false, ..ReportOptions::default() };
        let answer = engine.search.report(&options).unwrap().candidates[0].clone();
        engine.table.play(Color::Black, answer.mv).unwrap();
        let visits = play(&mut engine);
        assert_eq!(visits, answer.visits + 100, "what was thought meanwhile is gone");
    }
}
