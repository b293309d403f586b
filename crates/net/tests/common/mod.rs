//! Networks and the library that runs them.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test program uses a part")]
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::io::Read;
use std::path::Path;

use honinbo_testkit::fixtures;

pub fn gunzip(path: &Path) -> Vec<u8> {
    let mut text = Vec::new();
    let file = std::fs::File::open(path).unwrap();
    flate2::read::GzDecoder::new(file).read_to_end(&mut text).unwrap();
    text
}

/// ONNX Runtime, when it is there.
pub fn runtime() -> Option<honinbo_net::Runtime> {
    let search = honinbo_net::LibrarySearch::new(None, vec![fixtures::resources().join("onnxruntime")]);
    if search.find().is_err() {
        fixtures::skip("ONNX Runtime is not there; scripts/resources fetches it");
        return None;
    }
    Some(honinbo_net::Runtime::load(&search).unwrap())
}

/// A network by the start of its file name.
pub fn network(start: &str) -> Option<std::path::PathBuf> {
    let found = fixtures::network(start);
    if found.is_none() {
        fixtures::skip(&format!("the network {start} is not there; scripts/resources fetches the default one"));
    }
    found
}
