//! Cores that compute together.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rayon_core::{ThreadPool, ThreadPoolBuilder};

use super::trunk::Scratch;
use crate::subnormal::FlushToZero;

/// The cores that the computations of one network share.
///
/// In a search that is under way every core has a position of its own, which is the fastest. Where fewer positions wait
/// than there are cores, as at the root and in a young tree, the cores left over take parts of the computation that
/// goes on, and the answer comes sooner. The numbers are the same however many take part.
pub(crate) struct Team {
    /// One thread less than there are cores; none where there is one core.
    helpers: Option<ThreadPool>,
    cores: usize,
    /// Computations that go on.
    computing: AtomicUsize,
    /// Cores that help one of them.
    helping: AtomicUsize,
    /// Memory of helpers that are not at work.
    scratches: Mutex<Vec<Scratch>>,
    /// Multiply-adds that a helper is woken for.
    worth_waking: usize,
    began: Instant,
    idle: Mutex<IdleWindow>,
}

/// Smaller products cost more to share than they bring: `docs/experiments/cpu-speed.md`, "One position on several
/// cores".
const WORTH_WAKING: usize = 20_000_000;

/// Whether the cores left over will stay so.
///
/// Between two evaluations a core of a search is free for a moment, too short for helping: waking a helper for it costs
/// more than it brings, and the search waits for its core. So a core counts as free once most have been for a while.
#[derive(Debug, Clone, Copy, Default)]
struct IdleWindow {
    /// When more than half of the cores were last seen computing.
    crowded: Option<Duration>,
    /// How long the last computation took that nobody helped with.
    alone: Duration,
}

impl IdleWindow {
    /// Shorter than anything that is worth waking a helper for.
    const MIN: Duration = Duration::from_millis(1);
    /// A core is back from what lies between two evaluations within this part of the time that one takes.
    const PART: u32 = 8;

    fn is_long(&self, now: Duration) -> bool {
        let lasting = |crowded| now.saturating_sub(crowded) > Self::MIN.max(self.alone / Self::PART);
        self.crowded.is_none_or(lasting)
    }
}

impl Team {
    /// A team of so many cores. Should the system refuse the threads, every computation has one core.
    pub(crate) fn new(cores: usize) -> Self {
        let name = |number| format!("honinbo-helper-{number}");
        let helpers = (cores > 1)
            .then(|| ThreadPoolBuilder::new().num_threads(cores - 1).thread_name(name).build())
            .transpose()
            .inspect_err(|error| tracing::warn!(%error, "a network's cores cannot help each other"))
            .ok()
            .flatten();
        let cores = if helpers.is_some() { cores } else { 1 };
        let (computing, helping) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (scratches, idle) = (Mutex::default(), Mutex::default());
        Self { helpers, cores, computing, helping, scratches, worth_waking: WORTH_WAKING, began: Instant::now(), idle }
    }

    /// A team that shares the smallest work.
    #[cfg(test)]
    pub(super) fn eager(cores: usize) -> Self {
        Self { worth_waking: 0, ..Self::new(cores) }
    }

    /// Begins a computation, which lasts until the member is dropped.
    pub(crate) fn join(&self) -> Member<'_> {
        let computing = self.computing.fetch_add(1, Ordering::AcqRel) + 1;
        let joined = self.began.elapsed();
        self.notice(computing, joined);
        Member { team: self, joined, alone: AtomicBool::new(true) }
    }

    fn notice(&self, computing: usize, now: Duration) {
        if self.is_crowded(computing) {
            self.idle.lock().crowded = Some(now);
        }
    }

    /// Whether more than half of the cores compute.
    fn is_crowded(&self, computing: usize) -> bool {
        2 * computing > self.cores.max(2)
    }

    /// Cores that nobody needs.
    fn free(&self) -> usize {
        let computing = self.computing.load(Ordering::Acquire);
        let free = self.cores.saturating_sub(computing + self.helping.load(Ordering::Acquire));
        if free > 0 && !self.is_crowded(computing) && self.idle.lock().is_long(self.began.elapsed()) { free } else { 0 }
    }

    /// Takes up to so many of the free cores.
    fn enlist(&self, wanted: usize) -> Option<Enlisted<'_>> {
        let free = self.free();
        let mut count = 0;
        let taken = self.helping.fetch_update(Ordering::AcqRel, Ordering::Acquire, |helping| {
            count = wanted.min(free).min(self.cores.saturating_sub(helping + 1));
            (count > 0).then_some(helping + count)
        });
        taken.is_ok().then_some(Enlisted { team: self, count })
    }
}

impl std::fmt::Debug for Team {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Team").field("cores", &self.cores).finish_non_exhaustive()
    }
}

/// Cores that help.
struct Enlisted<'t> {
    team: &'t Team,
    count: usize,
}

impl Drop for Enlisted<'_> {
    fn drop(&mut self) {
        self.team.helping.fetch_sub(self.count, Ordering::AcqRel);
    }
}

/// A computation by a [`Team`], with a core of its own and whichever are free.
pub(crate) struct Member<'t> {
    team: &'t Team,
    joined: Duration,
    /// Nobody has helped yet.
    alone: AtomicBool,
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        let now = self.team.began.elapsed();
        self.team.notice(self.team.computing.fetch_sub(1, Ordering::AcqRel), now);
        if self.alone.load(Ordering::Acquire) {
            self.team.idle.lock().alone = now.saturating_sub(self.joined);
        }
    }
}

impl Member<'_> {
    /// Cores that could take part just now, this one among them, in so many multiply-adds.
    pub(super) fn cores(&self, multiply_adds: usize) -> usize {
        if multiply_adds < self.team.worth_waking { 1 } else { 1 + self.team.free() }
    }

    /// Rows of a part where `rows` of so many multiply-adds each are shared: all of them where nobody helps, else
    /// about two parts for each core, each long enough for the weights that it reads.
    pub(super) fn share_of(&self, rows: usize, multiply_adds: usize) -> usize {
        const MIN_ROWS: usize = 48;
        match self.cores(rows * multiply_adds) {
            1 => rows.max(1),
            cores => rows.div_ceil(2 * cores).max(MIN_ROWS),
        }
    }

    /// Works on every part, with the cores that are free; each has memory of its own. Ends when all is done.
    pub(super) fn share<T: Send>(&self, parts: Vec<T>, own: &mut Scratch, work: impl Fn(T, &mut Scratch) + Sync) {
        let enlisted = if parts.len() > 1 { self.team.enlist(parts.len() - 1) } else { None };
        let Some((helpers, enlisted)) = self.team.helpers.as_ref().zip(enlisted) else {
            parts.into_iter().for_each(|part| work(part, own));
            return;
        };
        let parts = Mutex::new(parts.into_iter());
        let take_all = |scratch: &mut Scratch| {
            loop {
                // In a statement of its own: the next one must not wait until this part is done.
                let part = parts.lock().next();
                match part {
                    Some(part) => work(part, scratch),
                    None => break,
                }
            }
        };
        self.alone.store(false, Ordering::Release);
        helpers.in_place_scope(|scope| {
            for _ in 0..enlisted.count {
                scope.spawn(|_| {
                    let _mode = FlushToZero::enter();
                    let mut scratch = self.team.scratches.lock().pop().unwrap_or_default();
                    take_all(&mut scratch);
                    self.team.scratches.lock().push(scratch);
                });
            }
            take_all(own);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(team: &Team, parts: usize) -> Vec<usize> {
        let mut numbers = vec![0; parts];
        let member = team.join();
        member.share(numbers.iter_mut().enumerate().collect(), &mut Scratch::default(), |(index, number), _| {
            *number += index + 1;
        });
        numbers
    }

    #[test]
    fn every_part_is_worked_on_once_however_many_help() {
        for cores in [0, 1, 2, 5] {
            let team = Team::new(cores);
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        for parts in 0..40 {
                            assert_eq!(sums(&team, parts), (1..=parts).collect::<Vec<_>>());
                        }
                    });
                }
            });
            assert_eq!(left(&team), (0, 0));
        }
    }

    fn left(team: &Team) -> (usize, usize) {
        (team.computing.load(Ordering::Acquire), team.helping.load(Ordering::Acquire))
    }

    #[test]
    fn only_free_cores_are_counted_and_they_are_given_back() {
        let team = Team::new(6);
        let first = team.join();
        const MUCH: usize = 100_000_000;
        assert_eq!((first.cores(MUCH), first.share_of(361, MUCH / 361)), (6, 48));
        assert_eq!((first.cores(MUCH / 10), first.share_of(361, 1000)), (1, 361), "not worth it");
        let second = team.join();
        assert_eq!((first.cores(MUCH), second.cores(MUCH)), (5, 5));
        let enlisted = team.enlist(3).unwrap();
        assert_eq!((enlisted.count, first.cores(MUCH)), (3, 2));
        assert_eq!(team.enlist(9).map(|enlisted| enlisted.count), Some(1));
        drop((enlisted, second));
        assert_eq!(first.cores(MUCH), 6);
        let others = [team.join(), team.join(), team.join()];
        // For longer than the shortest idle window.
        std::thread::sleep(3 * IdleWindow::MIN);
        assert_eq!((first.cores(MUCH), first.share_of(361, MUCH)), (1, 361), "most compute");
        assert!(team.enlist(1).is_none());
        drop(others);
        assert_eq!(left(&team), (1, 0));
    }

    #[test]
    fn a_moment_between_two_evaluations_is_no_idle_window() {
        let ms = Duration::from_millis;
        let never = IdleWindow::default();
        assert!(never.is_long(ms(0)));
        let short = IdleWindow { crowded: Some(ms(100)), alone: ms(2) };
        assert!(!short.is_long(ms(100)) && !short.is_long(ms(101)) && short.is_long(ms(102)));
        let long = IdleWindow { crowded: Some(ms(100)), alone: ms(160) };
        assert!(!long.is_long(ms(120)) && long.is_long(ms(121)));
    }

    #[test]
    fn a_part_that_fails_leaves_the_team_whole() {
        let team = Team::new(2);
        let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let member = team.join();
            member.share((0..8).collect(), &mut Scratch::default(), |part, _| assert_ne!(part, 5, "a part fails"));
        }));
        assert!(failed.is_err());
        assert_eq!(left(&team), (0, 0));
        assert_eq!(sums(&team, 9), (1..=9).collect::<Vec<_>>());
    }
}
