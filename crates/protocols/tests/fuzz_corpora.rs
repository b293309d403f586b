//! The kept inputs of the fuzz targets, run without a fuzzer.
#![expect(unexpected_cfgs, reason = "a fuzzer sets `fuzzing`")]

use honinbo_testkit::corpora;

#[path = "../fuzz/fuzz_targets/analysis.rs"]
mod analysis;
#[path = "../fuzz/fuzz_targets/gtp.rs"]
mod gtp;

#[test]
fn the_inputs_of_analysis_hold() {
    corpora::replay("protocols", "analysis", analysis::run);
}

#[test]
fn the_inputs_of_gtp_hold() {
    corpora::replay("protocols", "gtp", gtp::run);
}
