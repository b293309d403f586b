//! Sets of problems against the clock.

use super::ProblemsRoom;
use crate::{ApiError, ProblemAsked, ProblemSet, ProblemState, StartProblemSet};
use std::time::Duration;

/// Problems of a set.
const MAX_PROBLEMS: u32 = 100;
/// Seconds of a set.
const SECONDS: std::ops::RangeInclusive<u32> = 10..=36_000;

/// A set that goes on or is over. It is told what time it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TimedSet {
    problems: Vec<i64>,
    at: usize,
    /// The problem that is asked has been answered.
    answered: bool,
    tried: u32,
    solved: u32,
    began: Duration,
    limit: Duration,
    ended: Option<Duration>,
}

impl TimedSet {
    fn new(problems: Vec<i64>, limit: Duration, now: Duration) -> Self {
        Self { problems, at: 0, answered: false, tried: 0, solved: 0, began: now, limit, ended: None }
    }

    fn taken(&self, now: Duration) -> Duration {
        self.ended.unwrap_or(now).saturating_sub(self.began).min(self.limit)
    }

    fn is_over(&self, now: Duration) -> bool {
        self.ended.is_some() || self.taken(now) >= self.limit
    }

    fn end(&mut self, now: Duration) {
        if !self.is_over(now) {
            self.ended = Some(now);
        }
    }

    /// The first answer to the problem that is asked.
    pub(super) fn answer(&mut self, problem: i64, solved: bool, now: Duration) {
        if self.is_over(now) || self.answered || self.problems.get(self.at) != Some(&problem) {
            return;
        }
        self.answered = true;
        self.tried += 1;
        self.solved += u32::from(solved);
        if self.at + 1 == self.problems.len() {
            self.end(now);
        }
    }

    /// Goes to the next problem; `None` where the set is over.
    fn next(&mut self, now: Duration) -> Option<i64> {
        if self.at + 1 >= self.problems.len() {
            self.end(now);
        }
        if self.is_over(now) {
            return None;
        }
        self.at += 1;
        self.answered = false;
        self.problems.get(self.at).copied()
    }

    pub(super) fn view(&self, now: Duration) -> ProblemSet {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let taken = self.taken(now);
        let over = self.is_over(now);
        ProblemSet {
            count: number(self.problems.len()),
            number: number(self.at + 1),
            tried: self.tried,
            solved: self.solved,
            seconds: taken.as_secs_f64().into(),
            seconds_left: if over { 0.0 } else { self.limit.saturating_sub(taken).as_secs_f64() }.into(),
            over,
        }
    }
}

impl ProblemsRoom {
    /// Begins a set.
    pub(crate) fn start_set(&self, wanted: &StartProblemSet) -> Result<ProblemAsked, ApiError> {
        if !(1..=MAX_PROBLEMS).contains(&wanted.count) || !SECONDS.contains(&wanted.seconds) {
            let message =
                format!("a set has 1 to {MAX_PROBLEMS} problems and {} to {} seconds", SECONDS.start(), SECONDS.end());
            return Err(ApiError::InvalidRequest { message });
        }
        let problems = self.in_order(&wanted.collection_id, wanted.order, None, wanted.count)?;
        let Some(first) = problems.first() else {
            *self.set.lock() = None;
            return Ok(ProblemAsked { problem: None, set: None });
        };
        let view = Self::view_of(first)?;
        let ids = problems.iter().map(|problem| problem.id).collect();
        let set = TimedSet::new(ids, Duration::from_secs(wanted.seconds.into()), self.host.monotonic());
        *self.set.lock() = Some(set);
        Ok(ProblemAsked { problem: Some(view), set: self.set_view() })
    }

    /// Goes on with the set.
    pub(crate) fn next_in_set(&self) -> Result<ProblemAsked, ApiError> {
        let now = self.host.monotonic();
        let next = self.set.lock().as_mut().and_then(|set| set.next(now));
        let stored = next.map(|id| self.library.problem(id)).transpose()?.flatten();
        Ok(ProblemAsked { problem: stored.as_ref().map(Self::view_of).transpose()?, set: self.set_view() })
    }

    /// Ends the set.
    pub(crate) fn end_set(&self) -> Result<ProblemState, ApiError> {
        let now = self.host.monotonic();
        if let Some(set) = self.set.lock().as_mut() {
            set.end(now);
        }
        self.state()
    }

    pub(super) fn set_view(&self) -> Option<ProblemSet> {
        let now = self.host.monotonic();
        self.set.lock().as_ref().map(|set| set.view(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn state(set: &TimedSet, now: u64) -> (u32, u32, u32, f64, f64, bool) {
        let ProblemSet { number, tried, solved, seconds, seconds_left, over, .. } = set.view(at(now));
        (number, tried, solved, seconds.get(), seconds_left.get(), over)
    }

    #[test]
    fn a_set_is_over_with_its_last_answer() {
        let mut set = TimedSet::new(vec![7, 8, 9], at(60), at(100));
        set.answer(7, true, at(110));
        set.answer(7, false, at(111));
        set.answer(9, true, at(112));
        assert_eq!(state(&set, 112), (1, 1, 1, 12.0, 48.0, false), "the first answer to the problem that is asked");
        assert_eq!(set.next(at(113)), Some(8));
        assert_eq!(set.next(at(114)), Some(9), "passed over");
        set.answer(9, false, at(120));
        assert_eq!(state(&set, 500), (3, 2, 1, 20.0, 0.0, true));
        assert_eq!(set.next(at(121)), None);
    }

    #[test]
    fn nothing_counts_when_the_time_is_up() {
        let mut set = TimedSet::new(vec![7, 8], at(60), at(100));
        assert_eq!(state(&set, 160), (1, 0, 0, 60.0, 0.0, true));
        set.answer(7, true, at(160));
        assert_eq!((state(&set, 161).1, set.next(at(161))), (0, None));
        let mut ended = TimedSet::new(vec![7, 8], at(60), at(100));
        ended.end(at(130));
        ended.end(at(140));
        assert_eq!(state(&ended, 150), (1, 0, 0, 30.0, 0.0, true));
        let mut passed = TimedSet::new(vec![7], at(60), at(100));
        assert_eq!((passed.next(at(105)), state(&passed, 150).3), (None, 5.0));
    }
}
