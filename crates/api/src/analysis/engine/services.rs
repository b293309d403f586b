//! What computes for an engine, whoever still uses it.

use honinbo_evaluator::EvalService;
use parking_lot::Mutex;
use std::sync::{Arc, Weak};

/// The queues of all networks that an engine has read and somebody still asks: opponents and reviews go on with the one
/// that they began with. Closed at the end of the program, when no thread may be inside ONNX Runtime any more.
#[derive(Default)]
pub(super) struct Services(Mutex<Known>);

#[derive(Default)]
struct Known {
    services: Vec<Weak<EvalService>>,
    closed: bool,
}

impl Services {
    /// A network was read.
    pub(super) fn add(&self, service: &Arc<EvalService>) {
        let mut known = self.0.lock();
        if known.closed {
            drop(known);
            service.close();
            return;
        }
        known.services.retain(|service| service.strong_count() > 0);
        known.services.push(Arc::downgrade(service));
    }

    /// Closes all, and what is added later, and waits until none computes.
    pub(super) fn close(&self) {
        let services = {
            let mut known = self.0.lock();
            known.closed = true;
            std::mem::take(&mut known.services)
        };
        for service in services.iter().filter_map(Weak::upgrade) {
            service.close();
        }
    }
}
