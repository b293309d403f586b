//! `honinbo net bench`: evaluations a second.

use super::{cores, engine_files, locate, read, with_kernels};
use crate::app::data_dir;
use crate::args::NetBenchArgs;
use crate::failure::Failure;
use crate::interrupt::stop_on_interrupt;
use crate::output::Output;
use honinbo_evaluator::StopFlag;
use honinbo_net::bench::{BenchError, BenchOptions, bench_network, bench_subnormals};
use honinbo_net::{EvaluatorOptions, NetworkFile};
use serde::Serialize;
use std::fmt::Display;
use std::path::PathBuf;
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
        size: (19, 19),
    };
    let stop = StopFlag::new();
    if let Err(error) = stop_on_interrupt(&stop) {
        tracing::warn!(%error, "Ctrl-C will end the program at once");
    }
    let begun = Instant::now();
    let elapsed = || begun.elapsed();
    if args.subnormals {
        each(&nets, args.json, output, |net| bench_subnormals(net, &files.runtime, &options, &elapsed, &stop))
    } else {
        each(&nets, args.json, output, |net| bench_network(net, &files.runtime, &options, &elapsed, &stop))
    }
}

/// Measures one network after the other. Each report is shown as soon as it is known, or all as one JSON value.
fn each<R: Display + Serialize>(
    nets: &[PathBuf],
    json: bool,
    output: &mut Output,
    measure: impl Fn(&Arc<NetworkFile>) -> Result<R, BenchError>,
) -> Result<(), Failure> {
    let mut reports = Vec::new();
    for path in nets {
        let report = measure(&Arc::new(read(path)?))
            .map_err(|error| Failure::new(format!("{}: {error}", path.display()), "try another network or device"))?;
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
