//! Whole networks against KataGo's recorded answers. Needs ONNX Runtime.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test ends at the first surprise")]

mod common;

use std::path::PathBuf;

use honinbo_evaluator::StopFlag;
use honinbo_net::check::{CheckError, CheckOptions, CheckReport, check_networks};
use honinbo_net::onnx::Precision;
use honinbo_net::{EvaluatorOptions, open_network};
use honinbo_testkit::fixtures;

/// The recordings of the repository, and those of the larger collection.
fn recordings() -> impl Iterator<Item = PathBuf> {
    std::iter::once(fixtures::fixture("golden")).chain(fixtures::shared("golden"))
}

fn check(golden: PathBuf, only: Option<&str>, most_positions: Option<usize>) -> Option<CheckReport> {
    let runtime = common::runtime()?;
    let options = CheckOptions {
        golden,
        networks: fixtures::network_folders(),
        evaluator: EvaluatorOptions::cpu(2),
        most_positions,
        only: only.map(str::to_string),
    };
    let report = check_networks(&options, &runtime, &mut |_| {}, &StopFlag::new()).unwrap();
    eprintln!("{report}");
    Some(report)
}

#[test]
fn small_networks_answer_as_katago_does() {
    for only in ["g170-b6c96", "b7c96h3tfrs", "b7c96h6kv3"] {
        let Some(report) = check(fixtures::fixture("golden"), Some(only), Some(10)) else { return };
        assert!(report.positions() >= 10 && report.passed(), "{report}");
    }
    // Every other version of the format, where the larger collection is.
    let Some(golden) = fixtures::shared("golden") else { return };
    let Some(report) = check(golden, Some("synthetic"), Some(10)) else { return };
    assert!(report.positions() >= 10 && report.passed(), "{report}");
}

#[test]
fn small_networks_answer_nearly_as_katago_does_with_16_bits() {
    let Some(runtime) = common::runtime() else { return };
    for precision in [Precision::Bf16, Precision::Int16] {
        let evaluator = EvaluatorOptions { precision, ..EvaluatorOptions::cpu(2) };
        let small = fixtures::fixture("networks/g170-b6c96-s175395328-d26788732.bin.gz");
        if open_network(&small, &runtime, evaluator.clone(), (19, 19)).unwrap().precision() != precision {
            fixtures::skip(&format!("this processor does not multiply {precision}"));
            continue;
        }
        for only in ["g170-b6c96", "b7c96h3tfrs", "b7c96h6kv3"] {
            let options = CheckOptions {
                golden: fixtures::fixture("golden"),
                networks: fixtures::network_folders(),
                evaluator: evaluator.clone(),
                most_positions: Some(20),
                only: Some(only.to_owned()),
            };
            let report = check_networks(&options, &runtime, &mut |_| {}, &StopFlag::new()).unwrap();
            let [network, ..] = report.networks.as_slice() else { panic!("{report}") };
            assert!(network.limits.is_some() && report.passed(), "{precision} {report}");
            assert!(network.outputs.iter().any(|output| output.beyond > 0), "not a number was rounded: {report}");
        }
    }
}

#[test]
fn all_networks_answer_as_katago_does_on_all_positions() {
    if !fixtures::slow_tests() {
        return;
    }
    for golden in recordings() {
        let Some(report) = check(golden, None, None) else { return };
        assert!(report.networks.len() >= 6 && report.passed(), "{report}");
    }
}

#[test]
fn a_check_that_finds_differences_says_where() {
    let Some(runtime) = common::runtime() else { return };
    // The answers of one network, offered as those of another.
    let folder = tempfile::tempdir().unwrap();
    let recorded = fixtures::fixture("golden/b7c96h3tfrs-test5-cnorm.jsonl.gz");
    std::fs::copy(recorded, folder.path().join("g170-b6c96-s175395328-d26788732.jsonl.gz")).unwrap();
    std::fs::write(folder.path().join("missing.jsonl"), "").unwrap();
    let options = CheckOptions {
        golden: folder.path().to_path_buf(),
        networks: vec![fixtures::fixture("networks")],
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

#[test]
fn a_damaged_recording_is_an_error_and_nothing_checked_is_no_success() {
    let Some(runtime) = common::runtime() else { return };
    let recorded = std::fs::read(fixtures::fixture("golden/b7c96h3tfrs-test5-cnorm.jsonl.gz")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("b7c96h3tfrs-test5-cnorm.jsonl.gz");
    let options = |networks| CheckOptions {
        golden: folder.path().to_path_buf(),
        networks,
        evaluator: EvaluatorOptions::cpu(1),
        most_positions: Some(1),
        only: None,
    };
    let run = |options: &CheckOptions| check_networks(options, &runtime, &mut |_| {}, &StopFlag::new());
    let mut flipped = recorded.clone();
    flipped[recorded.len() / 2] ^= 0x55;
    for damaged in [&recorded[..recorded.len() / 2], &recorded[..recorded.len() - 1], &flipped] {
        std::fs::write(&file, damaged).unwrap();
        let error = run(&options(vec![fixtures::fixture("networks")])).unwrap_err();
        assert!(matches!(error, CheckError::Recording { .. }), "{error}");
    }
    std::fs::write(&file, &recorded).unwrap();
    let report = run(&options(vec![folder.path().to_path_buf()])).unwrap();
    assert_eq!((report.networks.len(), report.skipped.len(), report.passed()), (0, 1, false));
}
