//! What is said in a room: lines of bounded length, at a bounded rate, kept in bounded number.

use crate::event::ChatLine;
use crate::refusal::Refusal;
use crate::text::plain;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

/// Longest line, in characters.
pub const MAX_CHAT_CHARS: usize = 500;
/// Lines that a room remembers.
pub const MAX_CHAT_LINES: usize = 100;
/// Bytes of names and lines that a room remembers: with them the whole room is one message of moderate length.
const MAX_CHAT_BYTES: usize = 32 << 10;
/// Lines of one person within [`RATE_WINDOW`].
const MAX_RATE: usize = 5;
const RATE_WINDOW: Duration = Duration::from_secs(10);
/// People whose rate is watched: those who said something last.
const MAX_WATCHED: usize = 1000;

/// The talk of one room.
#[derive(Debug, Clone)]
pub(crate) struct Chat {
    pub(crate) on: bool,
    pub(crate) lines: VecDeque<ChatLine>,
    said: HashMap<String, VecDeque<Duration>>,
}

impl Chat {
    pub(crate) fn new(on: bool, lines: impl IntoIterator<Item = ChatLine>) -> Self {
        let mut chat = Self { on, lines: lines.into_iter().collect(), said: HashMap::new() };
        chat.forget_old_lines();
        chat
    }

    /// Adds a line; what was said without any visible character is refused.
    pub(crate) fn say(&mut self, person: &str, name: &str, text: &str, now: Duration) -> Result<ChatLine, Refusal> {
        if !self.on {
            return Err(Refusal::ChatOff);
        }
        let text = plain(text);
        let chars = text.chars().count();
        if chars == 0 || chars > MAX_CHAT_CHARS {
            return Err(Refusal::ChatLength { chars, limit: MAX_CHAT_CHARS });
        }
        self.forget_silent(now);
        if self.said.len() >= MAX_WATCHED && !self.said.contains_key(person) {
            return Err(Refusal::ChatTooFast);
        }
        let recent = self.said.entry(person.to_owned()).or_default();
        if recent.len() >= MAX_RATE {
            return Err(Refusal::ChatTooFast);
        }
        recent.push_back(now);
        let line = ChatLine { name: name.to_owned(), text };
        self.lines.push_back(line.clone());
        self.forget_old_lines();
        Ok(line)
    }

    fn forget_old_lines(&mut self) {
        let mut bytes: usize = self.lines.iter().map(|line| line.name.len() + line.text.len()).sum();
        while self.lines.len() > MAX_CHAT_LINES || bytes > MAX_CHAT_BYTES {
            let Some(oldest) = self.lines.pop_front() else { return };
            bytes -= oldest.name.len() + oldest.text.len();
        }
    }

    fn forget_silent(&mut self, now: Duration) {
        self.said.retain(|_, times| {
            while times.front().is_some_and(|&then| now.saturating_sub(then) >= RATE_WINDOW) {
                times.pop_front();
            }
            !times.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn who_talks_too_fast_waits_and_others_do_not() {
        let mut chat = Chat::new(true, []);
        for nth in 0..MAX_RATE as u64 {
            chat.say("a", "A", "你好", at(nth)).unwrap();
        }
        assert_eq!(chat.say("a", "A", "again", at(5)), Err(Refusal::ChatTooFast));
        assert!(chat.say("b", "B", "hello", at(5)).is_ok());
        assert!(chat.say("a", "A", "again", at(10)).is_ok(), "the first line was ten seconds ago");
        assert!(chat.say("a", "A", "again", at(10)).is_err());
    }

    #[test]
    fn lines_are_short_visible_and_few() {
        let mut chat = Chat::new(true, []);
        for wrong in ["", " \n\t ", "\u{200b}\u{3164}", &"x".repeat(MAX_CHAT_CHARS + 1)] {
            assert!(matches!(chat.say("a", "A", wrong, at(1)), Err(Refusal::ChatLength { .. })), "{wrong:?}");
        }
        assert_eq!(chat.say("a", "A", "two\nlines\u{7}", at(1)).unwrap().text, "two lines");
        for nth in 0..300 {
            chat.say("a", "A", &nth.to_string(), at(100 * nth)).unwrap();
        }
        assert_eq!((chat.lines.len(), chat.lines[99].text.as_str()), (MAX_CHAT_LINES, "299"));
        chat.on = false;
        assert_eq!(chat.say("a", "A", "hello", at(99_999)), Err(Refusal::ChatOff));
    }

    #[test]
    fn long_lines_are_remembered_in_smaller_number_also_those_that_were_kept() {
        let mut chat = Chat::new(true, []);
        let long = "長".repeat(MAX_CHAT_CHARS);
        for nth in 0..100 {
            chat.say("a", "A", &long, at(100 * nth)).unwrap();
        }
        let most = MAX_CHAT_BYTES / (long.len() + 1);
        assert_eq!(chat.lines.len(), most);
        let kept = (0..100).map(|nth| ChatLine { name: nth.to_string(), text: long.clone() });
        let back = Chat::new(true, kept);
        assert_eq!((back.lines.len(), back.lines[most - 1].name.as_str()), (most, "99"));
    }
}
