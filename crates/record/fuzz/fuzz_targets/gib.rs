//! Any bytes behind the beginning of Tygem records are a game or a refusal; a game is written as SGF that is read back.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
#[path = "../other.rs"]
mod other;

/// What such files begin with.
const BEGINNING: &[u8] = b"\\\\HS\n";

pub(crate) fn run(data: &[u8]) {
    crate::other::holds(BEGINNING, data);
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
