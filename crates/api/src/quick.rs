//! What a quick command promises: that it waits for no disk. Debug builds, and so every test, end with one that does.

use crate::Pace;
use std::cell::Cell;

thread_local! {
    /// The quick command that this thread is doing.
    static UNDER_WAY: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// A command is done by this thread, until this is dropped.
pub(crate) struct Doing(());

impl Doing {
    pub(crate) fn begin(name: &'static str, pace: Pace) -> Self {
        UNDER_WAY.set((pace == Pace::Quick).then_some(name));
        Self(())
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        UNDER_WAY.set(None);
    }
}

/// Said by whatever reads or writes files or the library, before it does.
pub(crate) fn waits_for_disk() {
    debug_assert_eq!(UNDER_WAY.get(), None, "a command that is declared quick waits for the disk");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_quick_command_that_is_under_way_may_not_wait() {
        let waits = |pace| {
            std::panic::catch_unwind(|| {
                let _doing = Doing::begin("play", pace);
                waits_for_disk();
            })
        };
        assert!(waits(Pace::Long(&[])).is_ok());
        assert_eq!(waits(Pace::Quick).is_err(), cfg!(debug_assertions));
        waits_for_disk();
    }
}
