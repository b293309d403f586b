//! Standard output that may be closed at any time.

use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write};

/// Standard output. Unlike `println!` it fails, and does not panic, when nobody reads it.
pub(crate) struct Output {
    writer: BufWriter<Stdout>,
    /// It is shown to a person.
    pub(crate) is_terminal: bool,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        Self { writer: BufWriter::new(stdout), is_terminal }
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.writer.write_all(text.as_ref().as_bytes())?;
        self.writer.write_all(b"\n")
    }

    /// Writes a value as one line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string(value).map_err(io::Error::other)?;
        self.line(text)
    }

    /// Lets the reader have what was written so far.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
