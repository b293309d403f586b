//! The kept inputs of the fuzz targets, run without a fuzzer.
#![expect(unexpected_cfgs, reason = "a fuzzer sets `fuzzing`")]

use honinbo_testkit::corpora;

#[path = "../fuzz/fuzz_targets/socket.rs"]
mod socket;

#[test]
fn the_inputs_of_socket_hold() {
    corpora::replay("server", "socket", socket::run);
}
