//! The kept inputs of the fuzz targets, run without a fuzzer.
#![expect(unexpected_cfgs, reason = "a fuzzer sets `fuzzing`")]

use honinbo_testkit::corpora;

#[path = "../fuzz/fuzz_targets/games.rs"]
mod games;
#[path = "../fuzz/fuzz_targets/texts.rs"]
mod texts;

#[test]
fn the_inputs_of_games_hold() {
    corpora::replay("rules", "games", games::run);
}

#[test]
fn the_inputs_of_texts_hold() {
    corpora::replay("rules", "texts", texts::run);
}
