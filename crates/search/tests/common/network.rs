//! Networks that lie beside the repository.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use honinbo_net::{Evaluator, EvaluatorOptions, LibrarySearch, Limits, NetworkFile, OrtEvaluator, Runtime};

/// The folder of networks and recorded answers: `HONINBO_SHARED`, or `shared` beside the repository.
pub(crate) fn shared() -> PathBuf {
    std::env::var_os("HONINBO_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from)
}

/// A network out of `HONINBO_NETWORKS` or the shared folder; tells aloud when it, or what runs it, is not there.
pub(crate) fn evaluator(network: &str) -> Option<Arc<dyn Evaluator>> {
    let folders = std::env::var_os("HONINBO_NETWORKS").map(PathBuf::from).into_iter().chain([shared().join("nets")]);
    let Some(path) = folders.map(|folder| folder.join(format!("{network}.bin.gz"))).find(|path| path.is_file()) else {
        eprintln!("SKIPPED: network {network} not there");
        return None;
    };
    let resources = std::env::var_os("HONINBO_RESOURCES")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src-tauri/resources"), PathBuf::from);
    let runtime = match Runtime::load(&LibrarySearch::new(None, vec![resources.join("onnxruntime")])) {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("SKIPPED: {error}");
            return None;
        }
    };
    let file = NetworkFile::open(&path, &Limits::default()).unwrap();
    Some(Arc::new(OrtEvaluator::new(runtime, Arc::new(file), EvaluatorOptions::cpu(1))))
}
