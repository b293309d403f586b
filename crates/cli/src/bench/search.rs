//! Speed of the search: with answers that cost nothing, which measures the search itself, and with a network, beside
//! another engine if wanted.

use super::{Figure, latency};
use crate::app::data_dir;
use crate::failure::Failure;
use crate::net::{cores, engine_files, locate};
use honinbo_evaluator::{CachingEvaluator, EvalService, Evaluator, Priority, ServiceOptions, StopFlag};
use honinbo_net::{EvaluatorOptions, open_network};
use honinbo_players::{CommandLine, EngineError, EngineLimits, EngineReport, GtpPlayer};
use honinbo_search::bench::{BenchReport, Scrambled, bench, positions};
use honinbo_search::{SearchLimits, Stopwatch, TimeLimit};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Visits of each position in the run whose fingerprint is printed.
const FINGERPRINT_VISITS: u64 = 500;
/// How often another engine is asked to report.
const REPORTS: Duration = Duration::from_millis(100);
/// Visits of each position that every session has met its board after.
const GRAPHS_VISITS: u64 = 16;
/// Searches of each position that are told to end.
const ENDINGS: u64 = 10;
/// The search keeps every node; a measurement needs no more than this.
const MAX_VISITS: u64 = 200_000;

pub(crate) fn figures(
    time: Duration,
    net: Option<&str>,
    beside: Option<&str>,
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
            let service = EvalService::new(Arc::new(network), service_options);
            let evaluator: Arc<dyn Evaluator> =
                Arc::new(CachingEvaluator::new(service.handle(Priority::Live), 64 << 20));
            // Graphs for the sizes of these boards are made when they are first met, in each session.
            let first = SearchLimits { max_visits: GRAPHS_VISITS, threads, ..SearchLimits::default() };
            run(&evaluator, &first, &stopwatch)?;
            let report = run(&evaluator, &limits(time, threads, &stopwatch), &stopwatch)?;
            figures.push(Figure::new(format!("visit, {threads} threads"), report.visits, report.seconds));
            figures.push(Figure::new(format!("evaluation, {threads} threads"), report.evaluations, report.seconds));
            for (what, figure) in latency::figures(&evaluator, threads, ENDINGS)? {
                more[format!("{what}, {threads} threads")] = figure;
            }
            if let Some(command) = beside {
                let (name, visits, seconds) = other(command, threads, time)?;
                let ratio = report.visits as f64 / report.seconds / (visits as f64 / seconds);
                more[format!("times the other's visits, {threads} threads")] = ratio.into();
                figures.push(Figure::new(format!("visit, {threads} threads, {name}"), visits, seconds));
            }
        }
    }
    Ok((figures, more))
}

/// What another engine is called, and its visits and seconds over the same positions, a new tree for each of them.
///
/// Both are counted from its first report on, a tenth of a second after its start: what it does once is left out.
fn other(command: &str, threads: usize, time: Duration) -> Result<(String, u64, f64), Failure> {
    let line = CommandLine::parse(command).map_err(|error| Failure::new(error.to_string(), "name a GTP engine"))?;
    let failure = |error: EngineError| Failure::new(error.to_string(), error.hint());
    let commands = vec![format!("kata-set-param numSearchThreads {threads}")];
    let mut player = GtpPlayer::new(line, EngineLimits::default(), commands);
    let (mut visits, mut seconds) = (0, 0.0);
    for game in positions() {
        let mut first = None;
        let mut last = (0, 0.0);
        let mut listen = |report: EngineReport| {
            let (before, since) = *first.get_or_insert_with(|| (report.visits, Instant::now()));
            last = (u64::from(report.visits.saturating_sub(before)), since.elapsed().as_secs_f64());
            since.elapsed() < time
        };
        player.analyse(&game, &[], REPORTS, &StopFlag::new(), &mut listen).map_err(failure)?;
        visits += last.0;
        seconds += last.1;
    }
    let client = player.client().map_err(failure)?;
    Ok((format!("{} {}", client.name(), client.version()), visits, seconds))
}

fn limits(time: Duration, threads: usize, stopwatch: &Stopwatch) -> SearchLimits {
    // The time is for each of the positions; one searches them one after the other.
    let until = TimeLimit { stopwatch: stopwatch.clone(), max: time };
    SearchLimits { max_visits: MAX_VISITS, time: Some(until), threads, ..SearchLimits::default() }
}

fn run(evaluator: &Arc<dyn Evaluator>, limits: &SearchLimits, stopwatch: &Stopwatch) -> Result<BenchReport, Failure> {
    Ok(bench(evaluator, limits, stopwatch, &StopFlag::new())?)
}
