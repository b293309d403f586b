//! What the search itself costs: the bench with an evaluator that answers at once.
//!
//! `cargo run --release -p honinbo-search --example overhead -- [VISITS] [THREADS] [LEAVES]`

use std::sync::Arc;
use std::time::Instant;

use honinbo_net::{Evaluator, StopFlag};
use honinbo_search::bench::{Scrambled, bench};
use honinbo_search::{SearchLimits, Stopwatch};

#[expect(clippy::print_stdout, reason = "a program that prints its result")]
fn main() {
    let argument =
        |nth: usize, default: u64| std::env::args().nth(nth).and_then(|text| text.parse().ok()).unwrap_or(default);
    let began = Instant::now();
    let stopwatch: Stopwatch = Arc::new(move || began.elapsed());
    let evaluator: Arc<dyn Evaluator> = Arc::new(Scrambled);
    let limits = SearchLimits {
        max_visits: argument(1, 2000),
        threads: argument(2, 1) as usize,
        leaves_per_thread: Some(argument(3, 1) as usize),
        ..SearchLimits::default()
    };
    match bench(&evaluator, &limits, &stopwatch, &StopFlag::new()) {
        Ok(report) => println!("{report:#?}"),
        Err(error) => println!("{error}"),
    }
}
