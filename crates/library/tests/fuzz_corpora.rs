//! The kept inputs of the fuzz targets, run without a fuzzer.
#![expect(unexpected_cfgs, reason = "a fuzzer sets `fuzzing`")]

use honinbo_testkit::corpora;

#[path = "../fuzz/fuzz_targets/archive.rs"]
mod archive;
#[path = "../fuzz/fuzz_targets/damaged.rs"]
mod damaged;

#[test]
fn the_inputs_of_archive_hold() {
    corpora::replay("library", "archive", archive::run);
}

#[test]
fn the_inputs_of_damaged_hold() {
    corpora::replay("library", "damaged", damaged::run);
}
