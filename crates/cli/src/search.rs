//! `honinbo search check`: searches against KataGo's recorded ones.

use crate::app::data_dir;
use crate::args::SearchCommand;
use crate::failure::Failure;
use crate::interrupt::until_interrupted;
use crate::net::{cores, engine_files};
use crate::output::Output;
use crate::progress;
use flate2::read::MultiGzDecoder;
use honinbo_evaluator::Evaluator;
use honinbo_net::{EvaluatorOptions, NetworkError, open_network};
use honinbo_search::check::{CheckReport, check_recorded_searches};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest recording that is read, unpacked.
const MAX_BYTES: u64 = 1 << 30;
/// Searches that differ and are listed for a person.
const MAX_DIFFERENCES: usize = 10;

/// Does one of the commands about the search.
pub(crate) fn search(command: SearchCommand, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let SearchCommand::Check { golden, nets, searches, device, json } = command;
    let recordings = recordings(&golden)?;
    let files = engine_files(&data_dir(data), device.as_deref())?;
    let folders = nets.map_or_else(|| files.network_folders.clone(), |folder| vec![folder]);
    let stop = until_interrupted();
    let mut checked: Vec<Value> = Vec::new();
    let mut skipped: Vec<Value> = Vec::new();
    let mut failed = 0;
    for (name, path) in recordings {
        let Some(network) = network_of(&folders, &name) else {
            if !json {
                output.line(format!("{name}: skipped, the network is not there"))?;
            }
            skipped.push(json!({ "name": name, "reason": "the network is not there" }));
            continue;
        };
        let text = read(&path)?;
        let (device, cache) = (files.device, Some(files.cache.clone()));
        let options = EvaluatorOptions { device, cache, batch: 1, ..EvaluatorOptions::cpu(1) };
        let evaluator = open_network(&network, &files.runtime, options, (19, 19))
            .map_err(|error: NetworkError| Failure::new(format!("{}: {error}", network.display()), error.hint()))?;
        let evaluator: Arc<dyn Evaluator> = Arc::new(evaluator);
        let lines: Vec<&str> =
            text.lines().filter(|line| !line.trim().is_empty()).take(searches.unwrap_or(usize::MAX)).collect();
        let bar = bar(lines.len(), &name);
        let report =
            check_recorded_searches(&evaluator, lines.into_iter(), &stop, |done| bar.set_position(done as u64));
        bar.finish_and_clear();
        if stop.is_set() {
            return Err(Failure::new("the check was stopped", ""));
        }
        let report = report.map_err(|error| Failure::new(with_causes(&path, &error), "fetch the recordings again"))?;
        failed += usize::from(!report.passes());
        if json {
            checked.push(json!({ "name": name, "passed": report.passes(), "share": report.share(), "report": report }));
        } else {
            print(&name, &report, output)?;
            checked.push(Value::Null);
        }
    }
    let summary =
        format!("{} networks checked on {} cores, {failed} failed, {} skipped", checked.len(), cores(), skipped.len());
    if json {
        output
            .json(&json!({ "passed": failed == 0 && !checked.is_empty(), "networks": checked, "skipped": skipped }))?;
    } else {
        output.line(summary)?;
    }
    if checked.is_empty() {
        let hint = "put the networks that the recordings are named after into one folder and name it with --nets";
        return Err(Failure::new("nothing was checked", hint));
    }
    if failed > 0 {
        return Err(Failure::new("some searches differ from the recorded ones", "the report above says which"));
    }
    Ok(())
}

fn print(name: &str, report: &CheckReport, output: &mut Output) -> Result<(), Failure> {
    let verdict = if report.passes() { "ok" } else { "DIFFERENT" };
    let share = report.share() * 100.0;
    output.line(format!(
        "{name}: {verdict}, {} of {} searches with the same visits ({share:.1} %)",
        report.same_visits, report.searches
    ))?;
    let largest = &report.largest;
    output.line(format!(
        "  largest differences: win rate {:.1e}, score {:.1e}, utility {:.1e}, lcb {:.1e}, prior {:.1e}, weight {:.1e}, \
         ownership {:.1e}; {} of {} variations differ",
        largest.win_rate,
        largest.score,
        largest.utility,
        largest.lcb,
        largest.prior,
        largest.weight,
        largest.ownership,
        largest.variations,
        largest.moves
    ))?;
    for different in report.different.iter().chain(&report.different_variations).take(MAX_DIFFERENCES) {
        output.line(format!("  line {}, {}", different.line, different.what))?;
        output.line(format!("    expected {}", different.expected))?;
        output.line(format!("    found    {}", different.found))?;
    }
    Ok(())
}

/// Recordings by the name of their network, in order.
fn recordings(golden: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let hint = "name the folder that holds files like NAME.jsonl.gz";
    let unreadable = |error: std::io::Error| {
        Failure::new(format!("cannot read the recordings in {}: {error}", golden.display()), hint)
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(golden).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let Some(file_name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let name = file_name.strip_suffix(".jsonl.gz").or_else(|| file_name.strip_suffix(".jsonl"));
        if let Some(name) = name {
            found.push((name.to_string(), path.clone()));
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(Failure::new(format!("there are no recorded searches in {}", golden.display()), hint));
    }
    Ok(found)
}

fn network_of(folders: &[PathBuf], name: &str) -> Option<PathBuf> {
    let candidates =
        folders.iter().flat_map(|folder| [".bin.gz", ".txt.gz"].map(|end| folder.join(format!("{name}{end}"))));
    candidates.into_iter().find(|path| path.is_file())
}

fn read(path: &Path) -> Result<String, Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::new(format!("{} cannot be read: {error}", path.display()), "fetch the recordings again")
    };
    let file = File::open(path).map_err(unreadable)?;
    let mut text = String::new();
    if path.extension().is_some_and(|end| end == "gz") {
        MultiGzDecoder::new(file).take(MAX_BYTES).read_to_string(&mut text).map_err(unreadable)?;
    } else {
        file.take(MAX_BYTES).read_to_string(&mut text).map_err(unreadable)?;
    }
    Ok(text)
}

fn with_causes(path: &Path, error: &dyn std::error::Error) -> String {
    let mut text = format!("{}: {error}", path.display());
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

fn bar(length: usize, name: &str) -> ProgressBar {
    let bar = progress::bar(Some(length as u64), "{bar:30} {pos} of {len} searches, {msg}");
    bar.set_message(name.to_string());
    bar
}
