//! Lines of bounded length from a stream that may be slow, endless or broken.

use std::io;
use std::time::Duration;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};
use tokio::time::{Instant, timeout_at};

/// What stood between two line ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line without its end.
    Whole(Vec<u8>),
    /// A line longer than the limit. It was skipped to its end and not kept.
    TooLong,
}

/// Why there is no next line.
#[derive(Debug)]
pub(crate) enum LineError {
    /// A line was begun and not completed in time.
    Slow,
    /// Nothing at all came for a long time.
    Idle,
    /// The connection is gone.
    Broken(#[allow(dead_code, reason = "shown by Debug in the log")] io::Error),
}

/// Reads lines. Never holds more than `max_len` bytes of one, besides the stream's own buffer.
pub(crate) struct LineReader<R> {
    stream: R,
    max_len: usize,
    line_time: Duration,
    idle_time: Duration,
}

impl<R: AsyncBufRead + Unpin> LineReader<R> {
    /// `line_time` is how long a line may take from its first byte to its end, `idle_time` how long the first byte may
    /// take to come.
    pub(crate) fn new(stream: R, max_len: usize, line_time: Duration, idle_time: Duration) -> Self {
        Self { stream, max_len, line_time, idle_time }
    }

    /// The next line, or `None` at the end of the stream. What stands behind the last line end counts as a line.
    pub(crate) async fn next(&mut self) -> Result<Option<Line>, LineError> {
        let mut kept: Vec<u8> = Vec::new();
        let mut too_long = false;
        let mut begun = false;
        let mut deadline = Instant::now() + self.idle_time;
        loop {
            let available = match timeout_at(deadline, self.stream.fill_buf()).await {
                Ok(Ok(available)) => available,
                Ok(Err(error)) => return Err(LineError::Broken(error)),
                Err(_) => return Err(if begun { LineError::Slow } else { LineError::Idle }),
            };
            if available.is_empty() {
                return Ok(begun.then(|| finish(kept, too_long)));
            }
            if !begun {
                begun = true;
                deadline = Instant::now() + self.line_time;
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            if !too_long && kept.len() + part.len() > self.max_len {
                too_long = true;
                kept = Vec::new();
            }
            if !too_long {
                kept.extend_from_slice(part);
            }
            let consumed = part.len() + usize::from(end.is_some());
            self.stream.consume(consumed);
            if end.is_some() {
                return Ok(Some(finish(kept, too_long)));
            }
        }
    }
}

fn finish(mut kept: Vec<u8>, too_long: bool) -> Line {
    if too_long {
        return Line::TooLong;
    }
    if kept.last() == Some(&b'\r') {
        kept.pop();
    }
    Line::Whole(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncWriteExt as _, BufReader};

    async fn all(input: &[u8], max_len: usize) -> Vec<Line> {
        let mut reader = LineReader::new(
            BufReader::with_capacity(7, input),
            max_len,
            Duration::from_secs(5),
            Duration::from_secs(5),
        );
        let mut lines = Vec::new();
        while let Some(line) = reader.next().await.unwrap() {
            lines.push(line);
        }
        lines
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn lines_end_with_lf_or_crlf_and_the_last_one_may_lack_its_end() {
        assert_eq!(all(b"one\r\n\ntwo\nthree", 20).await, [whole("one"), whole(""), whole("two"), whole("three")]);
        assert_eq!(all(b"", 20).await, []);
    }

    #[tokio::test]
    async fn a_line_of_the_limit_passes_and_one_more_byte_does_not() {
        assert_eq!(all(b"0123456789\nnext\n", 10).await, [whole("0123456789"), whole("next")]);
        assert_eq!(all(b"0123456789a\nnext\n", 10).await, [Line::TooLong, whole("next")]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_line_that_is_never_completed_is_given_up() {
        let (mut writer, reader) = tokio::io::duplex(64);
        let mut reader =
            LineReader::new(BufReader::new(reader), 1000, Duration::from_secs(10), Duration::from_secs(100));
        writer.write_all(b"{\"half\":").await.unwrap();
        assert!(matches!(reader.next().await, Err(LineError::Slow)));
    }

    #[tokio::test(start_paused = true)]
    async fn silence_is_not_a_slow_line() {
        let (_writer, reader) = tokio::io::duplex(64);
        let mut reader =
            LineReader::new(BufReader::new(reader), 1000, Duration::from_secs(10), Duration::from_secs(100));
        assert!(matches!(reader.next().await, Err(LineError::Idle)));
    }
}
