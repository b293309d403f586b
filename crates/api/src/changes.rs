//! What windows have not been told of yet.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether something changed since every window was last told so.
#[derive(Debug, Default)]
pub(crate) struct Changes(AtomicBool);

impl Changes {
    /// Something changed.
    pub(crate) fn note(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether somebody has to tell; then it is the asker who does.
    pub(crate) fn take(&self) -> bool {
        self.0.swap(false, Ordering::AcqRel)
    }
}
