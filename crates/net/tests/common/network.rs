//! Networks that searches in tests ask.

use std::sync::Arc;

use honinbo_evaluator::Evaluator;
use honinbo_net::{EvaluatorOptions, LibrarySearch, Limits, NetworkFile, OrtEvaluator, Runtime};
use honinbo_testkit::fixtures;

/// The network of that name; `None`, counted as skipped, without it or without what runs it.
pub(crate) fn evaluator(network: &str) -> Option<Arc<dyn Evaluator>> {
    let Some(path) = fixtures::network(&format!("{network}.bin.gz")) else {
        fixtures::skip(&format!("the network {network} is not there; scripts/resources fetches the default one"));
        return None;
    };
    opened(NetworkFile::open(&path, &Limits::default()).unwrap())
}

/// What that file's network answers; `None`, counted as skipped, without what runs it.
pub(crate) fn opened(file: NetworkFile) -> Option<Arc<dyn Evaluator>> {
    let runtime = match Runtime::load(&LibrarySearch::new(None, vec![fixtures::resources().join("onnxruntime")])) {
        Ok(runtime) => runtime,
        Err(error) => {
            fixtures::skip(&error.to_string());
            return None;
        }
    };
    Some(Arc::new(OrtEvaluator::new(runtime, Arc::new(file), EvaluatorOptions::cpu(1))))
}
