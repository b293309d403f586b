//! The kept inputs of the fuzz targets, run without a fuzzer.
#![expect(unexpected_cfgs, reason = "a fuzzer sets `fuzzing`")]

use honinbo_testkit::corpora;

#[path = "../fuzz/fuzz_targets/room.rs"]
mod room;

#[test]
fn the_inputs_of_room_hold() {
    corpora::replay("rooms", "room", room::run);
}
