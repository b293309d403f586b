//! Self-test of networks against recorded answers of KataGo.
//!
//! Two kinds of recordings are understood: `NAME.jsonl[.gz]` with one position a line, compared on buffers of exactly
//! the board's size, and `raw/NAME.txt` with the output of KataGo's `kata-raw-nn` for the commands in `raw/*.gtp`,
//! compared on its buffer of 19x19.

mod compare;
mod raw;
mod recorded;
mod report;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::evaluator::{EvaluatorOptions, OrtEvaluator};
use crate::file::{Limits, NetworkFile};
use crate::runtime::Runtime;
use compare::Comparison;
use honinbo_evaluator::{EvalError, EvalRequest, Evaluator, StopFlag};
use recorded::Recorded;
pub use report::{Agreement, AgreementLimits, CheckReport, NetworkCheck, OutputCheck, Skipped};

/// What to check, and how.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// Folder of recordings.
    pub golden: PathBuf,
    /// Folders of networks, searched in this order.
    pub networks: Vec<PathBuf>,
    /// How networks are run. Single precision on the processor is what the tolerances are for.
    pub evaluator: EvaluatorOptions,
    /// Check at most this many positions of each recording, spread over the whole of it.
    pub most_positions: Option<usize>,
    /// Check only networks whose name contains this.
    pub only: Option<String>,
}

/// Why nothing could be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The folder of recordings cannot be read.
    #[error("cannot read the recordings in {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The folder holds no recordings.
    #[error("there are no recordings of network answers in {}", path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// A recording is damaged.
    #[error("{}, line {line}: {reason}", path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// Somebody stopped it.
    #[error("the check was stopped")]
    Cancelled,
}

impl CheckError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Folder { .. } | Self::Empty { .. } => Some("name the folder that holds files like NAME.jsonl.gz"),
            Self::Recording { .. } => Some("fetch the recordings again"),
            Self::Cancelled => None,
        }
    }
}

/// How far a check has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckProgress {
    /// The network at work.
    pub network: String,
    /// Positions done.
    pub done: usize,
    /// Positions in all, of this network.
    pub of: usize,
}

/// Compares every network that is there with its recordings. Networks that cannot be opened count as failed, networks
/// that are not there as skipped; a report without any does not pass.
///
/// # Errors
/// When the recordings cannot be read, or `stop` is set.
pub fn check_networks(
    options: &CheckOptions,
    runtime: &Runtime,
    progress: &mut dyn FnMut(&CheckProgress),
    stop: &StopFlag,
) -> Result<CheckReport, CheckError> {
    let recordings = recordings(&options.golden)?;
    let mut report = CheckReport::default();
    for recording in recordings {
        if options.only.as_ref().is_some_and(|only| !recording.name.contains(only.as_str())) {
            continue;
        }
        let mut positions = recording.read()?;
        if positions.is_empty() {
            report.skipped.push(Skipped { name: recording.title(), reason: "it holds no network answers".into() });
            continue;
        }
        let Some(path) = find_network(&options.networks, &recording.name) else {
            report.skipped.push(Skipped { name: recording.title(), reason: "the network is not there".into() });
            continue;
        };
        thin_out(&mut positions, options.most_positions);
        match check_one(options, runtime, &recording, &path, &positions, progress, stop) {
            Ok(check) => report.networks.push(check),
            Err(Failure::Cancelled) => return Err(CheckError::Cancelled),
            Err(Failure::Broken(reason)) => {
                report.networks.push(NetworkCheck::broken(recording.title(), options.evaluator.precision, reason))
            }
        }
    }
    Ok(report)
}

enum Failure {
    Cancelled,
    Broken(String),
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Self {
        match error {
            EvalError::Cancelled => Self::Cancelled,
            other => Self::Broken(other.to_string()),
        }
    }
}

/// One file of recorded answers.
struct Recording {
    name: String,
    path: PathBuf,
    raw: bool,
}

impl Recording {
    fn title(&self) -> String {
        if self.raw { format!("{} (19x19 buffer)", self.name) } else { self.name.clone() }
    }

    fn read(&self) -> Result<Vec<Recorded>, CheckError> {
        if self.raw { raw::read(&self.path, &self.name) } else { recorded::read(&self.path) }
    }
}

fn recordings(folder: &Path) -> Result<Vec<Recording>, CheckError> {
    let failed = |source| CheckError::Folder { path: folder.to_path_buf(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(name) = file.strip_suffix(".jsonl.gz").or_else(|| file.strip_suffix(".jsonl")) {
            found.push(Recording { name: name.into(), path, raw: false });
        }
    }
    for entry in std::fs::read_dir(folder.join("raw")).into_iter().flatten().flatten() {
        let path = entry.path();
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(name) = file.strip_suffix(".txt") {
            found.push(Recording { name: name.into(), path, raw: true });
        }
    }
    if found.is_empty() {
        return Err(CheckError::Empty { path: folder.to_path_buf() });
    }
    found.sort_by(|a, b| (a.raw, &a.name).cmp(&(b.raw, &b.name)));
    Ok(found)
}

fn find_network(folders: &[PathBuf], name: &str) -> Option<PathBuf> {
    let candidates =
        folders.iter().flat_map(|folder| [".bin.gz", ".txt.gz"].map(|suffix| folder.join(format!("{name}{suffix}"))));
    candidates.into_iter().find(|path| path.is_file())
}

/// Keeps `most` positions, evenly spread.
fn thin_out(positions: &mut Vec<Recorded>, most: Option<usize>) {
    let Some(most) = most.filter(|&most| most < positions.len()) else { return };
    let all = positions.len();
    let mut index = 0;
    positions.retain(|_| {
        let keep = index * most / all != (index + 1) * most / all;
        index += 1;
        keep
    });
}

fn check_one(
    options: &CheckOptions,
    runtime: &Runtime,
    recording: &Recording,
    path: &Path,
    positions: &[Recorded],
    progress: &mut dyn FnMut(&CheckProgress),
    stop: &StopFlag,
) -> Result<NetworkCheck, Failure> {
    let file = NetworkFile::open(path, &Limits::default()).map_err(|error| Failure::Broken(error.to_string()))?;
    let mut evaluator = options.evaluator.clone();
    evaluator.buffer = recording.raw.then_some((19, 19));
    let evaluator = OrtEvaluator::new(runtime.clone(), Arc::new(file), evaluator);
    // Boards of one size stand together, so that each graph is built once.
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by_key(|&index| {
        let size = positions[index].game.board().size();
        (size.width(), size.height(), index)
    });
    let mut comparison = Comparison::new(evaluator.adds_in_order());
    let mut done = 0;
    for batch in order.chunks(evaluator.limits().max) {
        let requests: Vec<EvalRequest<'_>> = batch
            .iter()
            .map(|&index| EvalRequest { game: &positions[index].game, params: positions[index].params })
            .collect();
        for (&index, evaluation) in batch.iter().zip(evaluator.evaluate(&requests, stop)?) {
            comparison.add(&positions[index], &evaluation);
        }
        done += batch.len();
        progress(&CheckProgress { network: recording.title(), done, of: positions.len() });
    }
    Ok(comparison.finish(recording.title(), options.evaluator.precision))
}
