//! What time it is, for accounts and rooms.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Two clocks: one that people know and one that never goes back. Tests bring their own.
#[derive(Clone)]
pub(crate) struct Clock {
    unix_ms: Arc<dyn Fn() -> i64 + Send + Sync>,
    started: Instant,
    started_ms: i64,
}

impl Clock {
    /// The system's.
    pub(crate) fn system() -> Self {
        Self::from_unix_ms(|| {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
        })
    }

    /// One whose date is told.
    pub(crate) fn from_unix_ms(unix_ms: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Self { started_ms: unix_ms(), started: Instant::now(), unix_ms: Arc::new(unix_ms) }
    }

    /// Milliseconds since 1970.
    pub(crate) fn unix_ms(&self) -> i64 {
        (self.unix_ms)()
    }

    /// Milliseconds since 1970 by the date at the start and the time since: differences between two of them stay what they
    /// are when somebody sets the date. Of another process's they mean nothing.
    pub(crate) fn steady_unix_ms(&self) -> i64 {
        self.started_ms.saturating_add(i64::try_from(self.monotonic().as_millis()).unwrap_or(i64::MAX))
    }

    /// Time since the start; never goes back.
    pub(crate) fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicI64, Ordering};

    #[test]
    fn a_step_of_the_date_is_no_time_that_has_passed() {
        let date = Arc::new(AtomicI64::new(1_800_000_000_000));
        let told = Arc::clone(&date);
        let clock = Clock::from_unix_ms(move || told.load(Ordering::Relaxed));
        let saved = clock.steady_unix_ms();
        for step in [7_200_000, -10_800_000] {
            date.fetch_add(step, Ordering::Relaxed);
            let alive = clock.steady_unix_ms();
            assert!(alive >= saved);
            assert!(alive - 1_800_000_000_000 <= i64::try_from(clock.monotonic().as_millis()).unwrap(), "{step}");
        }
        assert_eq!(clock.unix_ms(), 1_800_000_000_000 - 3_600_000);
    }
}
