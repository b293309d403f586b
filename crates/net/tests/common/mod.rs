//! Where recorded answers, networks and the library are, when they are there.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test program uses a part")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test ends at the first surprise and says what it skips"
)]

use std::io::Read;
use std::path::{Path, PathBuf};

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file or folder of recorded answers and small networks, from `HONINBO_SHARED` or beside the repository.
pub fn shared(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("HONINBO_SHARED").map_or_else(|| repository().join("../shared"), PathBuf::from);
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {name} is not there (HONINBO_SHARED names the folder it would be in)");
    None
}

pub fn slow_tests() -> bool {
    std::env::var_os("HONINBO_SLOW_TESTS").is_some_and(|value| value == "1")
}

pub fn gunzip(path: &Path) -> Vec<u8> {
    let mut text = Vec::new();
    let file = std::fs::File::open(path).unwrap();
    flate2::read::GzDecoder::new(file).read_to_end(&mut text).unwrap();
    text
}

/// Folders that may hold the resources of a package.
pub fn resources() -> Vec<PathBuf> {
    let given = std::env::var_os("HONINBO_RESOURCES").map(PathBuf::from);
    given.into_iter().chain([repository().join("src-tauri/resources")]).collect()
}

/// ONNX Runtime, when it is there.
pub fn runtime() -> Option<honinbo_net::Runtime> {
    let folders = resources().into_iter().map(|folder| folder.join("onnxruntime")).collect();
    let search = honinbo_net::LibrarySearch::new(None, folders);
    if search.find().is_err() {
        eprintln!("SKIPPED: ONNX Runtime is not there (HONINBO_ONNXRUNTIME names its file)");
        return None;
    }
    Some(honinbo_net::Runtime::load(&search).unwrap())
}

/// A network by the start of its file name.
pub fn network(start: &str) -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> = resources().into_iter().map(|folder| folder.join("networks")).collect();
    folders.extend(shared("nets"));
    let found = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().find_map(|entry| {
        let path = entry.ok()?.path();
        path.file_name()?.to_str()?.starts_with(start).then_some(path)
    });
    if found.is_none() {
        eprintln!("SKIPPED: the network {start} is not there (HONINBO_RESOURCES names the folder it would be in)");
    }
    found
}
