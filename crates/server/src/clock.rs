//! What time it is, for accounts and rooms.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Two clocks: one that people know and one that never goes back. Tests bring their own.
#[derive(Clone)]
pub(crate) struct Clock {
    unix_ms: Arc<dyn Fn() -> i64 + Send + Sync>,
    started: Instant,
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
        Self { unix_ms: Arc::new(unix_ms), started: Instant::now() }
    }

    /// Milliseconds since 1970.
    pub(crate) fn unix_ms(&self) -> i64 {
        (self.unix_ms)()
    }

    /// Time since the start; never goes back.
    pub(crate) fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}
