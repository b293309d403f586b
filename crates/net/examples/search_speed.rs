//! Visits a second: of the search alone, or with a network.
//!
//! `cargo run --release -p honinbo-net --example search_speed -- VISITS THREADS LEAVES [NETWORK SESSIONS]`
//!
//! Without a network an evaluator is used that answers at once, so that what is measured is the search. ONNX Runtime is
//! taken from `HONINBO_ONNXRUNTIME`.

#![expect(clippy::print_stdout, reason = "a program that prints its result")]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use honinbo_evaluator::{Evaluator, StopFlag};
use honinbo_net::{EvaluatorOptions, LibrarySearch, Runtime, open_network};
use honinbo_search::bench::{Scrambled, bench};
use honinbo_search::{SearchLimits, Stopwatch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |nth: usize, default: usize| arguments.get(nth).and_then(|text| text.parse().ok()).unwrap_or(default);
    let evaluator: Arc<dyn Evaluator> = match arguments.get(4) {
        Some(network) => {
            let runtime = Runtime::load(&LibrarySearch::new(None, Vec::new()))?;
            let options = EvaluatorOptions::cpu(number(5, 1));
            Arc::new(open_network(Path::new(network), &runtime, options, (19, 19))?)
        }
        None => Arc::new(Scrambled),
    };
    let limits = SearchLimits {
        max_visits: number(1, 2000) as u64,
        threads: number(2, 1),
        leaves_per_thread: Some(number(3, 1)),
        ..SearchLimits::default()
    };
    // The graphs for each size are built before the measurement.
    bench(
        &evaluator,
        &SearchLimits { max_visits: 2, ..limits.clone() },
        &(Arc::new(Default::default) as Stopwatch),
        &StopFlag::new(),
    )?;
    let began = Instant::now();
    let stopwatch: Stopwatch = Arc::new(move || began.elapsed());
    println!("{:#?}", bench(&evaluator, &limits, &stopwatch, &StopFlag::new())?);
    Ok(())
}
