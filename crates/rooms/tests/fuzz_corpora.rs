//! The kept inputs of the fuzz targets, run without a fuzzer.
#![expect(unexpected_cfgs, reason = "a fuzzer sets `fuzzing`")]

use honinbo_testkit::corpora;

#[path = "../fuzz/fuzz_targets/lesson.rs"]
mod lesson;
#[path = "../fuzz/fuzz_targets/room.rs"]
mod room;
#[path = "../fuzz/fuzz_targets/tournament.rs"]
mod tournament;

#[test]
fn the_inputs_of_lesson_hold() {
    corpora::replay("rooms", "lesson", lesson::run);
}

#[test]
fn the_inputs_of_tournament_hold() {
    corpora::replay("rooms", "tournament", tournament::run);
}

#[test]
fn the_inputs_of_room_hold() {
    corpora::replay("rooms", "room", room::run);
}
