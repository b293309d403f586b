//! Any bytes behind the beginning of wBaduk records are a game or a refusal; a game is written as SGF that is read back.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
#[path = "../other.rs"]
mod other;

/// What such files begin with.
const BEGINNING: &[u8] = b"Rating game\n19\na       1D\nb       2D\nsite\n0\n0\n6\n20020101 [12:00]\n10\nWhite wins by time!\n2\nPMABBQDDQ\n";

pub(crate) fn run(data: &[u8]) {
    crate::other::holds(BEGINNING, data);
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
