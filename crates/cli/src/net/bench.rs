//! `honinbo net bench`: evaluations a second.

use super::{cores, engine_files, locate, read, with_kernels};
use crate::app::data_dir;
use crate::args::NetBenchArgs;
use crate::failure::Failure;
use crate::interrupt::until_interrupted;
use crate::output::Output;
use honinbo_evaluator::{EvalError, StopFlag};
use honinbo_net::bench::{BenchError, BenchOptions, bench_network, bench_subnormals, positions, rate};
use honinbo_net::{EvaluatorOptions, NetworkFile, NetworkHeader, OrtEvaluator, Runtime};
use honinbo_remote::{ConnectError, Endpoint, EndpointPhase, EndpointStatus, RemoteEvaluator, RemoteOptions};
use serde::Serialize;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) fn bench(args: &NetBenchArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let files = engine_files(&data_dir(data.clone()), args.device.as_deref())?;
    let nets = if args.nets.is_empty() {
        vec![locate(None, data)?]
    } else {
        args.nets.iter().map(|name| locate(Some(name), data.clone())).collect::<Result<Vec<_>, _>>()?
    };
    let batches = if args.batch.is_empty() { vec![1, 4, 8] } else { args.batch.clone() };
    let mut threads = if args.threads.is_empty() { vec![1, cores()] } else { args.threads.clone() };
    threads.dedup();
    if batches.iter().chain(&threads).any(|count| !(1..=1024).contains(count)) {
        return Err(Failure::Usage("--batch and --threads are 1 to 1024".into()));
    }
    let options = BenchOptions {
        evaluator: EvaluatorOptions {
            device: files.device,
            cache: Some(files.cache.clone()),
            precision: args.precision.into(),
            ..with_kernels(EvaluatorOptions::cpu(1), args.kernels, args.instructions)
        },
        threads,
        batches,
        time: Duration::from_secs_f64(args.seconds),
        size: (args.size.width(), args.size.height()),
    };
    let stop = until_interrupted();
    let begun = Instant::now();
    let elapsed = || begun.elapsed();
    if let Some(inference) = args.inference.get()? {
        return each(&nets, args.json, output, |path, net| {
            bench_inference(net, &files.runtime, &options, &inference, &elapsed, &stop)
                .map_err(|error| error.failure(path))
        });
    }
    if args.subnormals {
        each(&nets, args.json, output, |path, net| {
            bench_subnormals(net, &files.runtime, &options, &elapsed, &stop).map_err(|error| failure(path, &error))
        })
    } else {
        each(&nets, args.json, output, |path, net| {
            bench_network(net, &files.runtime, &options, &elapsed, &stop).map_err(|error| failure(path, &error))
        })
    }
}

fn failure(path: &Path, error: &BenchError) -> Failure {
    Failure::new(format!("{}: {error}", path.display()), "try another network or device")
}

/// Turns that this process and each server have at every batch.
const TURNS: usize = 5;

/// What asking servers costs, against one session of this process.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct InferenceReport {
    network: String,
    /// Whether the project's own kernels computed here.
    own_kernels: bool,
    rows: Vec<InferenceRow>,
}

/// One server and one size of requests. Figures are the medians of the turns.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct InferenceRow {
    server: String,
    batch: usize,
    here_per_second: f64,
    there_per_second: f64,
    /// `there / here` of the turns.
    ratio: f64,
    /// What a request takes longer, in milliseconds.
    added_ms: f64,
}

impl Display for InferenceReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kernels = if self.own_kernels { "own kernels" } else { "ONNX Runtime" };
        writeln!(f, "{}: one session here ({kernels}), one request at a time to each server", self.network)?;
        let width = self.rows.iter().map(|row| row.server.len()).max().unwrap_or_default().max("server".len());
        write!(f, "{:<width$}  batch  here/s  there/s  ratio  ms added", "server")?;
        for InferenceRow { server, batch, here_per_second, there_per_second, ratio, added_ms } in &self.rows {
            write!(f, "\n{server:<width$}  {batch:>5}  {here_per_second:>6.1}  {there_per_second:>7.1}  ")?;
            write!(f, "{ratio:>5.2}  {added_ms:>8.2}")?;
        }
        Ok(())
    }
}

fn bench_inference(
    net: &Arc<NetworkFile>,
    runtime: &Runtime,
    options: &BenchOptions,
    inference: &RemoteOptions,
    clock: &dyn Fn() -> Duration,
    stop: &StopFlag,
) -> Result<InferenceReport, InferenceBenchError> {
    let largest = options.batches.iter().copied().max().unwrap_or(1);
    let here = EvaluatorOptions { batch: largest, ..options.evaluator.clone() };
    let here = OrtEvaluator::new(runtime.clone(), Arc::clone(net), here);
    let header = NetworkHeader::of(net);
    let connect = |endpoint: &Endpoint| {
        let alone = RemoteOptions { endpoints: vec![endpoint.clone()], ..inference.clone() };
        let server = RemoteEvaluator::connect(&alone, header.clone(), &here, stop)?;
        let unreachable = server.status().into_iter().find(|status| status.phase != EndpointPhase::Ready);
        if let Some(EndpointStatus { address, error: Some(error), .. }) = unreachable {
            return Err(ConnectError::Refused { address, error }.into());
        }
        Ok(server)
    };
    let servers = inference.endpoints.iter().map(connect).collect::<Result<Vec<_>, InferenceBenchError>>()?;
    let games = positions(options.size.0, options.size.1, 16)?;
    let mut rows = Vec::new();
    for &batch in &options.batches {
        let mut ours = Vec::new();
        let mut theirs: Vec<_> = servers.iter().map(|_| (Vec::new(), Vec::new(), Vec::new())).collect();
        for _ in 0..TURNS {
            let (here_per_second, here_seconds) = rate(&here, &games, batch, options.time, clock, stop)?;
            ours.push(here_per_second);
            let each = inference.endpoints.iter().zip(&servers).zip(&mut theirs);
            for ((endpoint, server), (rates, ratios, added)) in each {
                let (per_second, seconds) = rate(server, &games, batch, options.time, clock, stop)
                    .map_err(|error| InferenceBenchError::Server { address: endpoint.to_string(), error })?;
                rates.push(per_second);
                ratios.push(per_second / here_per_second);
                added.push((seconds - here_seconds) * 1e3);
            }
        }
        let here_per_second = median(ours);
        rows.extend(inference.endpoints.iter().zip(theirs).map(|(endpoint, (rates, ratios, added))| InferenceRow {
            server: endpoint.to_string(),
            batch,
            here_per_second,
            there_per_second: median(rates),
            ratio: median(ratios),
            added_ms: median(added),
        }));
    }
    Ok(InferenceReport { network: net.model.name.clone(), own_kernels: here.uses_own_kernels(), rows })
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

#[derive(Debug)]
enum InferenceBenchError {
    Connect(ConnectError),
    /// A server that was there failed while it was measured.
    Server {
        address: String,
        error: EvalError,
    },
    Bench(BenchError),
}

impl InferenceBenchError {
    /// What to say of it, with the network or the server that it is about.
    fn failure(&self, path: &Path) -> Failure {
        match self {
            Self::Connect(ConnectError::Reference(error))
            | Self::Server { error: error @ EvalError::Cancelled, .. } => failure(path, &error.clone().into()),
            Self::Connect(error) => Failure::new(error.to_string(), error.hint()),
            Self::Server { address, error } => {
                Failure::new(format!("the inference server {address} failed: {error}"), "see whether it still runs")
            }
            Self::Bench(error) => failure(path, error),
        }
    }
}

impl From<ConnectError> for InferenceBenchError {
    fn from(error: ConnectError) -> Self {
        Self::Connect(error)
    }
}

impl From<BenchError> for InferenceBenchError {
    fn from(error: BenchError) -> Self {
        Self::Bench(error)
    }
}

impl From<EvalError> for InferenceBenchError {
    fn from(error: EvalError) -> Self {
        Self::Bench(error.into())
    }
}

/// Measures one network after the other. Each report is shown as soon as it is known, or all as one JSON value.
fn each<R: Display + Serialize>(
    nets: &[PathBuf],
    json: bool,
    output: &mut Output,
    measure: impl Fn(&Path, &Arc<NetworkFile>) -> Result<R, Failure>,
) -> Result<(), Failure> {
    let mut reports = Vec::new();
    for path in nets {
        let report = measure(path, &Arc::new(read(path)?))?;
        if !json {
            output.line(report.to_string())?;
            output.flush()?;
        }
        reports.push(report);
    }
    if json {
        output.json(&reports)?;
    }
    Ok(())
}
