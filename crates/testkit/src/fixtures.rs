//! Files that tests need, and how a test says that it did not run.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The repository.
#[must_use]
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file or folder of `tests/fixtures`.
///
/// # Panics
/// When it is not there: a checkout without it is damaged.
#[must_use]
pub fn fixture(name: &str) -> PathBuf {
    let path = repository().join("tests/fixtures").join(name);
    assert!(path.exists(), "{} is not there", path.display());
    path
}

/// A file or folder of the larger collection that a checkout may have: in `HONINBO_SHARED`, else `shared` beside the
/// repository. Tests prove their claims without it.
#[must_use]
pub fn shared(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("HONINBO_SHARED").map_or_else(|| repository().join("../shared"), PathBuf::from);
    Some(folder.join(name)).filter(|path| path.exists())
}

/// Folders that may hold networks: `HONINBO_NETWORKS`, the fixtures, the package's resources, the larger collection.
#[must_use]
pub fn network_folders() -> Vec<PathBuf> {
    let named = std::env::var_os("HONINBO_NETWORKS").map(PathBuf::from);
    let folders = [fixture("networks"), resources().join("networks")];
    named.into_iter().chain(folders).chain(shared("nets")).collect()
}

/// A network by the start of its file name.
#[must_use]
pub fn network(start: &str) -> Option<PathBuf> {
    network_folders().iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().find_map(|entry| {
        let path = entry.ok()?.path();
        path.file_name()?.to_str()?.starts_with(start).then_some(path)
    })
}

/// A network of human style, as the content of a `.bin.gz` file: the small transformer with an encoder of profiles before
/// its first block, whose weights are drawn at random. Its answers mean nothing, but KataGo gives the same.
///
/// # Panics
/// When its parts are damaged.
#[must_use]
pub fn human_style() -> Vec<u8> {
    let read = |name: &str| {
        let mut bytes = Vec::new();
        let file = File::open(fixture(name)).expect("a fixture can be read");
        GzDecoder::new(file).read_to_end(&mut bytes).expect("a fixture can be unpacked");
        bytes
    };
    let trunk = read("networks/b7c96h3tfrs-test5-cnorm.bin.gz");
    let at = |text: &[u8]| trunk.windows(text.len()).position(|window| window == text).expect("a part of the network");
    // The header's number after the last of its scales is the version of the encoder.
    let version = at(b"\n150.0\n0\n") + b"\n150.0\n".len();
    let block = at(b"transformer_attention_block");
    let encoder = read("networks/human-encoder.part.gz");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    for part in [&trunk[..version], b"1", &trunk[version + 1..block], &encoder, &trunk[block..]] {
        packed.write_all(part).expect("memory can be written");
    }
    packed.finish().expect("memory can be written")
}

/// The resources of a package in the making (`scripts/resources`), or `HONINBO_RESOURCES`.
#[must_use]
pub fn resources() -> PathBuf {
    std::env::var_os("HONINBO_RESOURCES").map_or_else(|| repository().join("src-tauri/resources"), PathBuf::from)
}

/// Whether the slow tests run. Where they do not, the test counts as skipped.
#[must_use]
pub fn slow_tests() -> bool {
    let runs = are_slow_tests_on();
    if !runs {
        skip("slow: HONINBO_SLOW_TESTS=1 runs it, as every night");
    }
    runs
}

/// Whether a test is to take its larger form; it runs either way.
#[must_use]
pub fn are_slow_tests_on() -> bool {
    std::env::var_os("HONINBO_SLOW_TESTS").is_some_and(|value| value == "1")
}

/// Says that the running test did not run. `scripts/test` counts it as skipped, not as passed, and names it.
///
/// A test runner knows no such outcome at run time, so a line with the test's name goes to the file that
/// `HONINBO_SKIPPED` names.
///
/// # Panics
/// When that file cannot be written.
#[allow(clippy::print_stderr, reason = "what is skipped is said aloud")]
pub fn skip(reason: &str) {
    let thread = std::thread::current();
    // nextest runs each test in a process of its own, and libtest each on a thread of its name.
    let test = std::env::var("NEXTEST_TEST_NAME").ok().or_else(|| thread.name().map(str::to_owned));
    let test = test.unwrap_or_else(|| "a test".into());
    let program = std::env::args().next().unwrap_or_default();
    let program = Path::new(&program).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let program = program.rsplit_once('-').map_or(program.as_str(), |(name, _)| name);
    eprintln!("SKIPPED: {program} {test}: {reason}");
    if let Some(path) = std::env::var_os("HONINBO_SKIPPED") {
        let mut file =
            std::fs::OpenOptions::new().create(true).append(true).open(&path).expect("the list of skipped tests");
        // One write, so that lines of processes that skip at once do not mix.
        file.write_all(format!("{program} {test}\t{reason}\n").as_bytes()).expect("the list of skipped tests");
    }
}
