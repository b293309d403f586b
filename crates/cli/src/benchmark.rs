//! `honinbo benchmark`: visits a second for several numbers of threads, as KataGo's command of this name says it.

use crate::app::open;
use crate::args::BenchmarkArgs;
use crate::failure::Failure;
use crate::interrupt::until_interrupted;
use crate::notes::note;
use crate::output::Output;
use crate::run::as_path_if_file;
use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_search::bench::{BenchReport, bench};
use honinbo_search::{SearchLimits, Stopwatch};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Counts how often the search asks, and for how many positions: KataGo's batches.
struct Counting {
    evaluator: Arc<dyn Evaluator>,
    batches: AtomicU64,
    positions: AtomicU64,
}

impl Counting {
    /// Batches a second, in so many seconds, and positions in each.
    fn rates(&self, seconds: f64) -> (f64, f64) {
        let batches = self.batches.load(Ordering::Relaxed) as f64;
        (batches / seconds.max(f64::MIN_POSITIVE), self.positions.load(Ordering::Relaxed) as f64 / batches.max(1.0))
    }
}

impl Evaluator for Counting {
    fn limits(&self) -> BatchLimits {
        self.evaluator.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        self.batches.fetch_add(1, Ordering::Relaxed);
        self.positions.fetch_add(requests.len() as u64, Ordering::Relaxed);
        self.evaluator.evaluate(requests, stop)
    }
}

/// Measures, and says which number of threads is fastest.
pub(crate) fn benchmark(args: &BenchmarkArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    for option in args.katagos.given() {
        note(&format!(
            "{option} means nothing to honinbo benchmark, which has positions and numbers of threads of its own"
        ));
    }
    let (app, events) = open(data);
    drop(events);
    app.override_precision(args.precision.get());
    app.override_engine(args.net.as_deref().map(as_path_if_file), args.device.clone(), None);
    let ready = app.ready_engine()?;
    let stop = until_interrupted();
    let numbers = if args.threads.is_empty() { usual(ready.threads) } else { args.threads.clone() };
    if !args.json {
        output.line(format!("{} on {}, {} visits a position", ready.network, ready.device, args.visits))?;
        output.flush()?;
    }
    let mut found: Vec<(u32, BenchReport)> = Vec::new();
    for &threads in &numbers {
        // What is remembered of the one before would be free.
        ready.clear_cache();
        let counting = Arc::new(Counting {
            evaluator: Arc::clone(&ready.evaluator),
            batches: AtomicU64::new(0),
            positions: AtomicU64::new(0),
        });
        let evaluator: Arc<dyn Evaluator> = Arc::clone(&counting) as Arc<dyn Evaluator>;
        let limits = SearchLimits {
            max_visits: args.visits.into(),
            threads: threads as usize,
            leaves_per_thread: None,
            ..SearchLimits::default()
        };
        let report = bench(&evaluator, &limits, &stopwatch(), &stop)
            .map_err(|error| Failure::new(error.to_string(), "try another device with --device"))?;
        if stop.is_set() {
            break;
        }
        if !args.json {
            let (batches, size) = counting.rates(report.seconds);
            output.line(format!(
                "numSearchThreads = {threads:>2}: {0} / {0} positions, visits/s = {1:.2} nnEvals/s = {2:.2} nnBatches/s = \
                 {batches:.2} avgBatchSize = {size:.2} ({3:.1} secs)",
                report.positions, report.visits_per_second, report.evaluations_per_second, report.seconds
            ))?;
            output.flush()?;
        }
        found.push((threads, report));
    }
    let (network, device) = (ready.network.clone(), ready.device.clone());
    app.shut_down();
    let fastest = found.iter().max_by(|(_, a), (_, b)| a.visits_per_second.total_cmp(&b.visits_per_second));
    let Some((fastest, _)) = fastest else {
        return Err(Failure::new("the benchmark was stopped before it had measured anything", "let it go on"));
    };
    if args.json {
        let runs: Vec<Value> = found
            .iter()
            .map(|(threads, report)| {
                json!({
                    "threads": threads, "positions": report.positions, "seconds": report.seconds,
                    "visitsPerSecond": report.visits_per_second, "evaluationsPerSecond": report.evaluations_per_second,
                })
            })
            .collect();
        output.json(&json!({
            "network": network, "device": device, "visits": args.visits, "fastestThreads": fastest, "runs": runs,
        }))?;
    } else {
        // Programs that call KataGo's look for the last word.
        output.line(format!(
            "numSearchThreads = {fastest}: the fastest here; honinbo genconfig writes it down (recommended)"
        ))?;
    }
    Ok(())
}

/// Numbers of threads that are worth a look: up to twice as many as there are by default.
fn usual(threads: usize) -> Vec<u32> {
    let threads = threads.max(1) as u32;
    let mut numbers = vec![1, threads.div_ceil(2), threads, threads * 2];
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn stopwatch() -> Stopwatch {
    let began = Instant::now();
    Arc::new(move || began.elapsed())
}
