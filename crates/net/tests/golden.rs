//! Whole networks against KataGo's recorded answers. Needs ONNX Runtime, the recordings and networks.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test ends at the first surprise and says what it skips"
)]

mod common;

use honinbo_net::check::{CheckOptions, CheckReport, check_networks};
use honinbo_net::{EvaluatorOptions, StopFlag};

fn check(only: Option<&str>, most_positions: Option<usize>) -> Option<CheckReport> {
    let (runtime, golden) = (common::runtime()?, common::shared("golden")?);
    let mut networks: Vec<_> = common::resources().into_iter().map(|folder| folder.join("networks")).collect();
    networks.extend(common::shared("nets"));
    let options = CheckOptions {
        golden,
        networks,
        evaluator: EvaluatorOptions::cpu(2),
        most_positions,
        only: only.map(str::to_string),
    };
    Some(check_networks(&options, &runtime, &mut |_| {}, &StopFlag::new()).unwrap())
}

#[test]
fn small_networks_answer_as_katago_does() {
    for only in ["g170-b6c96", "b7c96h3tfrs", "b7c96h6kv3", "synthetic"] {
        let Some(report) = check(Some(only), Some(10)) else { return };
        eprintln!("{report}");
        assert!(report.positions() >= 10 && report.passed(), "{report}");
    }
}

#[test]
fn all_networks_answer_as_katago_does_on_all_positions() {
    if !common::slow_tests() {
        eprintln!("SKIPPED: HONINBO_SLOW_TESTS=1 runs all recorded positions");
        return;
    }
    let Some(report) = check(None, None) else { return };
    eprintln!("{report}");
    assert!(!report.networks.is_empty() && report.passed(), "{report}");
}

#[test]
fn a_check_that_finds_differences_says_where() {
    let Some(runtime) = common::runtime() else { return };
    let Some(nets) = common::shared("nets") else { return };
    let Some(golden) = common::shared("golden") else { return };
    // The answers of one network, offered as those of another.
    let folder = tempfile::tempdir().unwrap();
    let recorded = golden.join("b7c96h3tfrs-test5-cnorm.jsonl.gz");
    std::fs::copy(recorded, folder.path().join("g170-b6c96-s175395328-d26788732.jsonl.gz")).unwrap();
    std::fs::write(folder.path().join("missing.jsonl"), "").unwrap();
    let options = CheckOptions {
        golden: folder.path().to_path_buf(),
        networks: vec![nets],
        evaluator: EvaluatorOptions::cpu(1),
        most_positions: Some(2),
        only: None,
    };
    let report = check_networks(&options, &runtime, &mut |_| {}, &StopFlag::new()).unwrap();
    assert!(!report.passed());
    let text = report.to_string();
    assert!(text.contains("OUT OF TOLERANCE") && text.contains("jsonl.gz line"), "{text}");
    assert!(text.ends_with("1 recordings checked, 2 positions, 1 out of tolerance, 1 skipped"), "{text}");
}
