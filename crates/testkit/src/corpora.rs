//! The kept inputs of the fuzz targets, for compilers and machines that do not fuzz.

use crate::fixtures;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a fuzz target on every input that is kept for it in `crates/KRATE/fuzz/corpus/TARGET`.
///
/// # Panics
/// When there is none, and when the target fails on one, which is named.
pub fn replay(krate: &str, target: &str, run: fn(&[u8])) {
    let folder = fixtures::repository().join("crates").join(krate).join("fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut inputs: Vec<_> = entries.map(|entry| entry.expect("a folder that can be read").path()).collect();
    inputs.sort();
    assert!(!inputs.is_empty(), "{} has no input", folder.display());
    let failed: Vec<_> = inputs
        .iter()
        .filter(|path| {
            let input = std::fs::read(path).expect("an input that can be read");
            catch_unwind(AssertUnwindSafe(|| run(&input))).is_err()
        })
        .collect();
    assert!(failed.is_empty(), "{} of {} inputs fail: {failed:?}", failed.len(), inputs.len());
}
