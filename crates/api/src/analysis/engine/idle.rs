//! Measuring a device while nobody asks for anything.
//!
//! Which kernels, how many sessions and which batch are fastest takes seconds to find out, mostly for making the network
//! ready in ways that are not used afterwards. Whoever starts the program for the first time wants an answer instead, and
//! gets it by the settings that are nearly always the fastest.

use super::{Loaded, Shared};
use honinbo_evaluator::EvalError;
use honinbo_net::bench::BenchError;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// So long nobody asked for anything before measuring begins.
const QUIET: Duration = Duration::from_secs(5);
/// Between two looks.
const LOOK: Duration = Duration::from_millis(200);

/// Has the device of a network measured later, where something about it is open.
pub(super) fn measure_later(shared: &Arc<Shared>, loaded: &Arc<Loaded>) {
    if loaded.unmeasured.is_none() {
        return;
    }
    let (shared, loaded) = (Arc::clone(shared), Arc::downgrade(loaded));
    // Without a thread the usual settings stay.
    let _ = std::thread::Builder::new().name("measure".into()).spawn(move || measure(&shared, &loaded));
}

fn measure(shared: &Arc<Shared>, loaded: &Weak<Loaded>) {
    let Some(info) = loaded.upgrade().and_then(|loaded| loaded.unmeasured.clone()) else { return };
    let is_faster = loop {
        let Some(asked) = wait_for_quiet(shared, loaded) else { return };
        let stop = shared.demand.begin_idle_work();
        if shared.demand.asked() != asked {
            continue;
        }
        match shared.measure_idle(&info, &stop) {
            Ok(is_faster) => break is_faster,
            Err(BenchError::Evaluation(EvalError::Cancelled)) => {}
            Err(error) => {
                tracing::warn!(device = %info.device, %error, "its settings are not measured");
                return;
            }
        }
    };
    // Reading the network again would throw away what live analysis knows.
    while is_faster && wait_for_quiet(shared, loaded).is_some() {
        if loaded.upgrade().is_none_or(|loaded| loaded.is_held()) {
            // What was measured counts from the next start on.
            return;
        }
        if shared.read_again_if_unused() {
            return;
        }
    }
}

/// Waits until nobody asked for a while, and says how often that was done until then; `None` when this network is no longer
/// the one in use, or the program ends.
fn wait_for_quiet(shared: &Shared, loaded: &Weak<Loaded>) -> Option<u64> {
    let (mut asked, mut since) = (shared.demand.asked(), Instant::now());
    loop {
        std::thread::sleep(LOOK);
        let (is_used, other_works) = {
            let state = shared.state.lock();
            let is_used = state.loaded.as_ref().is_some_and(|now| Arc::downgrade(now).ptr_eq(loaded));
            (is_used, state.other.is_some() && state.target.is_some())
        };
        if !is_used || shared.ending.is_set() {
            return None;
        }
        let now = shared.demand.asked();
        if now != asked || other_works {
            (asked, since) = (now, Instant::now());
        } else if since.elapsed() >= QUIET {
            return Some(asked);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use crate::testing::gated;

    #[test]
    fn a_network_that_somebody_holds_is_not_read_a_second_time() {
        let (app, _gate) = gated();
        let shared = &app.analysis.engine.shared;
        let held = app.ready_engine().unwrap();
        assert!(!shared.read_again_if_unused());
        drop(held);
        assert!(shared.read_again_if_unused());
    }
}
