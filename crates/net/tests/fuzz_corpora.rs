//! The kept inputs of the fuzz targets, run without a fuzzer.
#![expect(unexpected_cfgs, reason = "a fuzzer sets `fuzzing`")]

use honinbo_testkit::corpora;

#[path = "../fuzz/fuzz_targets/network.rs"]
mod network;

#[test]
fn the_inputs_of_network_hold() {
    corpora::replay("net", "network", network::run);
}
