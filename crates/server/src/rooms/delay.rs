//! What those who only watch see of a game that is shown later.

use axum::extract::ws::Utf8Bytes;
use std::collections::VecDeque;
use std::time::Duration;

/// A room as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    /// The number of the last event by then.
    pub(super) seq: u64,
    pub(super) text: Utf8Bytes,
}

/// What the states of one room that wait may take, as a long game's states have all its chat: about 14 kB for each second
/// of the longest delay.
const MAX_BYTES: u64 = 8 << 20;

/// Whole states that are shown later than they were.
pub(super) struct Delay {
    by: Duration,
    /// When each is due, the first one first.
    waiting: VecDeque<(Duration, Shown)>,
    /// What is seen now; nothing until a state that was found after a restart is due.
    shown: Option<Shown>,
}

impl Delay {
    /// Nothing is seen later where `seconds` is 0.
    pub(super) fn new(seconds: u32) -> Option<Self> {
        let by = Duration::from_secs(seconds.into());
        (seconds > 0).then(|| Self { by, waiting: VecDeque::new(), shown: None })
    }

    /// Shows a state at once: nothing has been played that anybody could be told of.
    pub(super) fn show(&mut self, state: Shown) {
        self.shown = Some(state);
    }

    /// The room is like that now.
    pub(super) fn put(&mut self, now: Duration, state: Shown) {
        let due = now + self.by;
        let step = self.step_seconds(state.text.len());
        match self.waiting.back_mut() {
            // One for each step, the last one: so the delay bounds what waits.
            Some(last) if last.0.as_secs() / step == due.as_secs() / step => *last = (due, state),
            _ => self.waiting.push_back((due, state)),
        }
    }

    /// How far apart states of a size are kept, so that as many as wait at a time fit into [`MAX_BYTES`].
    fn step_seconds(&self, bytes: usize) -> u64 {
        let all = self.by.as_secs().saturating_mul(bytes as u64);
        all.div_ceil(MAX_BYTES).max(1)
    }

    /// What is to be shown from now on, if that has changed.
    pub(super) fn take_due(&mut self, now: Duration) -> Option<Shown> {
        let mut newest = None;
        while self.waiting.front().is_some_and(|(due, _)| *due <= now) {
            newest = self.waiting.pop_front().map(|(_, state)| state);
        }
        self.shown = newest.clone().or(self.shown.take());
        newest
    }

    /// What is seen now.
    pub(super) fn shown(&self) -> Option<&Shown> {
        self.shown.as_ref()
    }

    /// When something else will be seen.
    pub(super) fn next(&self) -> Option<Duration> {
        self.waiting.front().map(|(due, _)| *due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn state(text: &str) -> Shown {
        Shown { seq: 1, text: text.to_owned().into() }
    }

    #[test]
    fn nothing_is_seen_before_its_time_and_the_newest_that_is_due_is_shown() {
        assert!(Delay::new(0).is_none());
        let mut delay = Delay::new(60).unwrap();
        assert_eq!((delay.shown(), delay.next()), (None, None));
        delay.show(state("start"));
        delay.put(at(100.0), state("one"));
        delay.put(at(130.0), state("two"));
        assert_eq!(delay.take_due(at(159.9)), None);
        assert_eq!((delay.shown(), delay.next()), (Some(&state("start")), Some(at(160.0))));
        assert_eq!(delay.take_due(at(500.0)), Some(state("two")));
        assert_eq!((delay.shown(), delay.next()), (Some(&state("two")), None));
    }

    #[test]
    fn what_waits_is_bounded_and_a_stream_of_changes_is_shown_all_the_same() {
        let mut delay = Delay::new(10).unwrap();
        let mut seen = 0;
        for tenth in 0..1000 {
            let now = at(f64::from(tenth) / 10.0);
            delay.put(now, state(&tenth.to_string()));
            assert!(delay.waiting.len() <= 12, "{}", delay.waiting.len());
            if let Some(Shown { text, .. }) = delay.take_due(now) {
                seen += 1;
                let played: f64 = text.as_str().parse().unwrap();
                assert!(now.as_secs_f64() - played / 10.0 >= 9.999, "{text} at {now:?}");
            }
        }
        assert!((85..=91).contains(&seen), "{seen}");
    }

    #[test]
    fn large_states_wait_further_apart_and_take_no_more_than_others() {
        let mut delay = Delay::new(600).unwrap();
        let state = state(&"x".repeat(170_000));
        let mut seen = 0;
        for second in 0..1300 {
            let now = at(f64::from(second));
            delay.put(now, state.clone());
            seen += u32::from(delay.take_due(now).is_some());
            let bytes: usize = delay.waiting.iter().map(|(_, state)| state.text.len()).sum();
            assert!(bytes as u64 <= MAX_BYTES + 2 * 170_000, "{bytes} at {now:?}");
        }
        assert!((45..=60).contains(&seen), "{seen}");
    }
}
