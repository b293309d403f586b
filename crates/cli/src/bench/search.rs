//! Speed of the search: with answers that cost nothing, which measures the search itself, and with a network.

use super::Figure;
use crate::app::data_dir;
use crate::failure::Failure;
use crate::net::{cores, engine_files, locate};
use honinbo_net::{
    CachingEvaluator, EvalService, Evaluator, EvaluatorOptions, Priority, ServiceOptions, StopFlag, open_network,
};
use honinbo_search::bench::{BenchReport, Scrambled, bench};
use honinbo_search::{SearchLimits, Stopwatch, TimeLimit};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Visits of each position in the run whose fingerprint is told.
const FINGERPRINT_VISITS: u64 = 500;
/// The search keeps every node; a measurement needs no more than this.
const MOST_VISITS: u64 = 200_000;

pub(crate) fn figures(
    time: Duration,
    net: Option<&str>,
    data: Option<PathBuf>,
) -> Result<(Vec<Figure>, Value), Failure> {
    let begun = Instant::now();
    let stopwatch: Stopwatch = Arc::new(move || begun.elapsed());
    let scrambled: Arc<dyn Evaluator> = Arc::new(Scrambled);
    let fixed = SearchLimits { max_visits: FINGERPRINT_VISITS, ..SearchLimits::default() };
    let fingerprint = run(&scrambled, &fixed, &stopwatch)?.fingerprint;

    let mut threads = vec![1, cores()];
    threads.dedup();
    let mut figures = Vec::new();
    for &threads in &threads {
        let report = run(&scrambled, &limits(time, threads, &stopwatch), &stopwatch)?;
        figures.push(Figure::new(format!("visit, no network, {threads} threads"), report.visits, report.seconds));
    }
    let mut more = json!({ "fingerprint": fingerprint });
    if let Some(net) = net {
        let path = locate(Some(net), data.clone())?;
        let files = engine_files(&data_dir(data), None)?;
        for &threads in &threads {
            let options = EvaluatorOptions { cache: Some(files.cache.clone()), ..EvaluatorOptions::cpu(threads) };
            let service_options = ServiceOptions::for_sessions(options.sessions, options.batch);
            let network = open_network(&path, &files.runtime, options, (19, 19))
                .map_err(|error| Failure::new(format!("{}: {error}", path.display()), error.hint()))?;
            more["network"] = network.network().model.name.clone().into();
            let service = EvalService::new(Arc::new(CachingEvaluator::new(network, 64 << 20)), service_options);
            let evaluator: Arc<dyn Evaluator> = Arc::new(service.handle(Priority::Live));
            let report = run(&evaluator, &limits(time, threads, &stopwatch), &stopwatch)?;
            figures.push(Figure::new(format!("visit, {threads} threads"), report.visits, report.seconds));
            figures.push(Figure::new(format!("evaluation, {threads} threads"), report.evaluations, report.seconds));
        }
    }
    Ok((figures, more))
}

fn limits(time: Duration, threads: usize, stopwatch: &Stopwatch) -> SearchLimits {
    // The time is for each of the positions; one searches them one after the other.
    let until = TimeLimit { stopwatch: stopwatch.clone(), max: time };
    SearchLimits { max_visits: MOST_VISITS, time: Some(until), threads, ..SearchLimits::default() }
}

fn run(evaluator: &Arc<dyn Evaluator>, limits: &SearchLimits, stopwatch: &Stopwatch) -> Result<BenchReport, Failure> {
    bench(evaluator, limits, stopwatch, &StopFlag::new())
        .map_err(|error| Failure::new(error.to_string(), error.hint().unwrap_or_default()))
}
