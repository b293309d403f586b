//! Changes that have not been reported yet.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether something changed since the last report.
#[derive(Debug, Default)]
pub(crate) struct Changes(AtomicBool);

impl Changes {
    /// Something changed.
    pub(crate) fn note(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether a report is due; then it is the asker who makes it.
    pub(crate) fn take(&self) -> bool {
        self.0.swap(false, Ordering::AcqRel)
    }
}
