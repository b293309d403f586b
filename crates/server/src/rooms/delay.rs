//! What those who only watch see of a game that is shown later.

use axum::extract::ws::Utf8Bytes;
use std::collections::VecDeque;
use std::time::Duration;

/// Whole states that are shown later than they were.
pub(super) struct Delay {
    by: Duration,
    /// When each is due, the first one first.
    waiting: VecDeque<(Duration, Utf8Bytes)>,
    /// What is seen now; nothing until a state that was found after a restart is due.
    shown: Option<Utf8Bytes>,
}

impl Delay {
    /// Nothing is seen later where `seconds` is 0.
    pub(super) fn new(seconds: u32) -> Option<Self> {
        let by = Duration::from_secs(seconds.into());
        (seconds > 0).then(|| Self { by, waiting: VecDeque::new(), shown: None })
    }

    /// Shows a state at once: nothing has been played that anybody could be told of.
    pub(super) fn show(&mut self, state: Utf8Bytes) {
        self.shown = Some(state);
    }

    /// The room is like that now.
    pub(super) fn put(&mut self, now: Duration, state: Utf8Bytes) {
        let due = now + self.by;
        match self.waiting.back_mut() {
            // One for each second, the last one: so the delay bounds what waits.
            Some(last) if last.0.as_secs() == due.as_secs() => *last = (due, state),
            _ => self.waiting.push_back((due, state)),
        }
    }

    /// What is to be shown from now on, if that has changed.
    pub(super) fn take_due(&mut self, now: Duration) -> Option<Utf8Bytes> {
        let mut newest = None;
        while self.waiting.front().is_some_and(|(due, _)| *due <= now) {
            newest = self.waiting.pop_front().map(|(_, state)| state);
        }
        self.shown = newest.clone().or(self.shown.take());
        newest
    }

    /// What is seen now.
    pub(super) fn shown(&self) -> Option<&Utf8Bytes> {
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

    #[test]
    fn nothing_is_seen_before_its_time_and_the_newest_that_is_due_is_shown() {
        assert!(Delay::new(0).is_none());
        let mut delay = Delay::new(60).unwrap();
        assert_eq!((delay.shown(), delay.next()), (None, None));
        delay.show("start".into());
        delay.put(at(100.0), "one".into());
        delay.put(at(130.0), "two".into());
        assert_eq!(delay.take_due(at(159.9)), None);
        assert_eq!((delay.shown().map(Utf8Bytes::as_str), delay.next()), (Some("start"), Some(at(160.0))));
        assert_eq!(delay.take_due(at(500.0)).as_deref(), Some("two"));
        assert_eq!((delay.shown().map(Utf8Bytes::as_str), delay.next()), (Some("two"), None));
    }

    #[test]
    fn what_waits_is_bounded_and_a_stream_of_changes_is_shown_all_the_same() {
        let mut delay = Delay::new(10).unwrap();
        let mut seen = 0;
        for tenth in 0..1000 {
            let now = at(f64::from(tenth) / 10.0);
            delay.put(now, tenth.to_string().into());
            assert!(delay.waiting.len() <= 12, "{}", delay.waiting.len());
            if let Some(state) = delay.take_due(now) {
                seen += 1;
                let played: f64 = state.as_str().parse().unwrap();
                assert!(now.as_secs_f64() - played / 10.0 >= 9.999, "{state} at {now:?}");
            }
        }
        assert!((85..=91).contains(&seen), "{seen}");
    }
}
