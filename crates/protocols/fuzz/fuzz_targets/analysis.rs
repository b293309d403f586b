//! Whatever a client says to the analysis engine, every answer is a line of JSON, and the engine comes to an end.
#![cfg_attr(fuzzing, no_main)]

use std::io::Cursor;
use std::sync::Arc;

use honinbo_evaluator::EvalError;
use honinbo_protocols::ModelInfo;
use honinbo_protocols::analysis::{AnalysisEngine, AnalysisOptions, serve};
use honinbo_testkit::FailingEvaluator;

/// Positions that are evaluated before the network breaks.
const POSITIONS: usize = 100;

pub(crate) fn run(data: &[u8]) {
    let broken = EvalError::Device { device: "cpu".into(), reason: "enough".into() };
    let model =
        ModelInfo { name: "a.bin.gz".into(), internal_name: "a".into(), version: Some(15), uses_profile: false };
    let options = AnalysisOptions { threads: 1, positions: 1, ..AnalysisOptions::new(model) };
    let engine = AnalysisEngine::new(Arc::new(FailingEvaluator::after(POSITIONS, broken)), options);
    // Queries may ask for any number of visits; the last line ends them all.
    let input = [data, b"\n{\"id\":\"last line\",\"action\":\"terminate_all\"}\n"].concat();
    let mut output = Vec::new();
    serve(Cursor::new(input), &mut output, &engine).expect("a list takes everything");
    let text = String::from_utf8(output).expect("answers are text");
    let mut is_ended = false;
    for line in text.lines() {
        let answer: serde_json::Value = serde_json::from_str(line).expect("an answer is JSON");
        assert!(answer.is_object(), "{line}");
        is_ended |= answer["id"] == "last line";
    }
    assert!(is_ended, "{text}");
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
