//! Any bytes, and any damage to a small network of any version, are a network or a refusal that says what is wrong.
#![cfg_attr(fuzzing, no_main)]

use honinbo_net::{Limits, NetworkFile};
use honinbo_testkit::{TinyNetwork, damaged};

/// What a file may be called.
const NAMES: [&str; 5] = ["a.bin", "a.txt", "a.bin.gz", "a.txt.gz", "a.gz"];

pub(crate) fn run(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else { return };
    let choice = usize::from(choice);
    let (name, bytes) = match choice % 3 {
        0 => (NAMES[choice / 3 % NAMES.len()], rest.to_vec()),
        1 => ("a.txt", damaged(TinyNetwork::convolutional(8 + choice as u32 / 3 % 10).to_text().as_bytes(), rest)),
        _ => ("a.txt", damaged(TinyNetwork::transformer().to_text().as_bytes(), rest)),
    };
    match NetworkFile::from_bytes(name, &bytes, &Limits::default()) {
        Ok(file) => assert!(file.info().parameters >= 0.0),
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
