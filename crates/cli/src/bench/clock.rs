//! The clock that speeds are measured with.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Time that only goes forward: what this thread has spent on a processor, where the system tells it (Linux), so that
/// other programs on the machine do not count; otherwise the time that has passed.
pub(crate) fn working_time() -> Duration {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    processor_time().unwrap_or_else(|| BEGUN.get_or_init(Instant::now).elapsed())
}

/// Nanoseconds on a processor: the first number of `/proc/thread-self/schedstat`.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// What [`working_time`] measures.
pub(crate) fn name() -> &'static str {
    if processor_time().is_some() { "processor time of one thread" } else { "time passed" }
}
