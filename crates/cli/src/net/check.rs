//! `honinbo net check`: networks against recorded answers.

use super::{engine_files, with_kernels};
use crate::app::data_dir;
use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::interrupt::until_interrupted;
use crate::output::Output;
use crate::progress;
use honinbo_net::check::{CheckError, CheckOptions, CheckProgress, check_networks};
use honinbo_net::{Device, EvaluatorOptions};
use serde_json::json;
use std::path::PathBuf;

pub(crate) fn check(args: &CheckArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let files = engine_files(&data_dir(data), args.device.as_deref())?;
    let networks = match &args.nets {
        Some(folder) => vec![folder.clone()],
        None => files.network_folders.clone(),
    };
    // A card is kept busy by one session.
    let sessions = if files.device == Device::Cpu { super::cores() } else { 1 };
    let options = CheckOptions {
        golden: args.golden.clone(),
        networks,
        evaluator: EvaluatorOptions {
            device: files.device,
            cache: Some(files.cache.clone()),
            precision: args.precision.into(),
            ..with_kernels(EvaluatorOptions::cpu(sessions), args.kernels, args.instructions)
        },
        most_positions: args.positions,
        only: args.only.clone(),
    };
    let stop = until_interrupted();
    let bar = progress::bar(Some(0), "{bar:30} {pos} of {len} positions, {msg}");
    let mut show = |progress: &CheckProgress| {
        bar.set_length(progress.of as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(progress.network.clone());
    };
    let report = check_networks(&options, &files.runtime, &mut show, &stop);
    bar.finish_and_clear();
    let report =
        report.map_err(|error: CheckError| Failure::new(error.to_string(), error.hint().unwrap_or_default()))?;
    if args.json {
        output.json(&json!({
            "passed": report.passed(),
            "positions": report.positions(),
            "networks": report.networks,
            "skipped": report.skipped,
        }))?;
    } else {
        output.line(report.to_string())?;
    }
    if report.networks.is_empty() {
        Err(Failure::new(
            "nothing was checked",
            "put the networks that the recordings are named after into one folder and name it with --nets",
        ))
    } else if report.passed() {
        Ok(())
    } else {
        Err(Failure::new(
            "some answers are out of tolerance",
            "the lines marked above say where; fetch those networks again",
        ))
    }
}
