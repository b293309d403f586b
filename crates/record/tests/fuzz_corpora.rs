//! The kept inputs of the fuzz targets, run without a fuzzer.
#![expect(unexpected_cfgs, reason = "a fuzzer sets `fuzzing`")]

use honinbo_testkit::corpora;

#[path = "../fuzz/fuzz_targets/charsets.rs"]
mod charsets;
#[path = "../fuzz/fuzz_targets/evaluations.rs"]
mod evaluations;
#[path = "../fuzz/fuzz_targets/gib.rs"]
mod gib;
#[path = "../fuzz/fuzz_targets/ngf.rs"]
mod ngf;
#[path = "../fuzz/other.rs"]
mod other;
#[path = "../fuzz/fuzz_targets/sgf.rs"]
mod sgf;
#[path = "../fuzz/fuzz_targets/ugf.rs"]
mod ugf;

#[test]
fn the_inputs_of_charsets_hold() {
    corpora::replay("record", "charsets", charsets::run);
}

#[test]
fn the_inputs_of_evaluations_hold() {
    corpora::replay("record", "evaluations", evaluations::run);
}

#[test]
fn the_inputs_of_gib_hold() {
    corpora::replay("record", "gib", gib::run);
}

#[test]
fn the_inputs_of_ngf_hold() {
    corpora::replay("record", "ngf", ngf::run);
}

#[test]
fn the_inputs_of_sgf_hold() {
    corpora::replay("record", "sgf", sgf::run);
}

#[test]
fn the_inputs_of_ugf_hold() {
    corpora::replay("record", "ugf", ugf::run);
}
