//! Whatever a client says to the GTP engine, every reply has the protocol's form and the engine goes on.
#![cfg_attr(fuzzing, no_main)]

use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;

use honinbo_evaluator::EvalError;
use honinbo_protocols::gtp::{GtpEngine, GtpOptions, serve};
use honinbo_rules::BoardSize;
use honinbo_testkit::FailingEvaluator;

/// Positions that are evaluated before the network breaks: no search goes on for long, whatever its limits are set to.
const POSITIONS: usize = 100;

pub(crate) fn run(data: &[u8]) {
    let broken = EvalError::Device { device: "cpu".into(), reason: "enough".into() };
    let options = GtpOptions {
        max_visits: 8,
        max_time: Some(Duration::from_millis(20)),
        longest_pause: Duration::ZERO,
        size: BoardSize::NINE,
        ..GtpOptions::new("uniform")
    };
    let evaluator = Arc::new(FailingEvaluator::after(POSITIONS, broken));
    let mut engine = GtpEngine::new(evaluator, options).expect("usual options");
    let mut output = Vec::new();
    serve(Cursor::new(data.to_vec()), &mut output, &mut engine).expect("a list takes everything");
    let text = String::from_utf8(output).expect("replies are text");
    assert!(text.is_empty() || text.ends_with("\n\n"), "{text:?}");
    for reply in text.split("\n\n").filter(|reply| !reply.is_empty()) {
        assert!(reply.starts_with(['=', '?']), "{reply:?}");
    }
    let mut last = Vec::new();
    serve(Cursor::new(b"7 protocol_version\n".to_vec()), &mut last, &mut engine).expect("a list takes everything");
    assert_eq!(last, b"=7 2\n\n");
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
