//! A person's back end for tests.

use super::commands::OfPerson;
use crate::quota::Quota;
use crate::{EventHub, ServerHost};
use honinbo_api::{App, EngineSource};
use honinbo_testkit::UniformEvaluator;
use std::path::Path;
use std::sync::Arc;

/// The window of somebody whose folder may take so much.
pub(super) fn person(folder: &Path, max_bytes: u64) -> OfPerson {
    let quota = Arc::new(Quota::new(folder.to_owned(), max_bytes));
    let host = ServerHost::new(folder.to_owned(), Vec::new(), Arc::new(EventHub::new())).within(Arc::clone(&quota));
    let source = EngineSource::Given { evaluator: Arc::new(UniformEvaluator::default()), network: "uniform".into() };
    OfPerson { app: App::with_engine(Arc::new(host), source), quota, closed: Arc::default() }
}
