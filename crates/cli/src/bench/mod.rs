//! `honinbo bench`: how fast parts of the program are on this machine.

mod clock;
mod features;
mod latency;
mod library;
mod rules;
mod search;
mod server;

use crate::args::{BenchArgs, BenchSubject};
use crate::failure::Failure;
use crate::notes::note;
use crate::output::Output;
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// One measured speed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Figure {
    /// What was measured, and on what.
    pub(crate) name: String,
    /// How often it was done.
    pub(crate) count: u64,
    /// How long that took.
    pub(crate) seconds: f64,
    /// How often a second.
    pub(crate) per_second: f64,
    /// Nanoseconds for each.
    pub(crate) nanoseconds: f64,
}

impl Figure {
    pub(crate) fn new(name: impl Into<String>, count: u64, seconds: f64) -> Self {
        let per_second = count as f64 / seconds.max(1e-9);
        Self { name: name.into(), count, seconds, per_second, nanoseconds: 1e9 / per_second.max(1e-9) }
    }
}

/// Does `work`, which says how much it did, again and again for about `time`.
pub(crate) fn measure(name: impl Into<String>, time: Duration, mut work: impl FnMut() -> u64) -> Figure {
    work(); // The first time fills caches and sets memory up.
    let begun = Instant::now();
    let mut count = 0;
    while begun.elapsed() < time {
        count += work();
    }
    Figure::new(name, count, begun.elapsed().as_secs_f64())
}

/// Measures what was asked for and prints it.
pub(crate) fn bench(args: BenchArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let time = Duration::from_secs_f64(args.seconds);
    let (figures, extra) = match args.what {
        BenchSubject::Rules => (
            rules::figures(time),
            json!({ "boardBytes": rules::board_bytes(), "clock": clock::name(), "games": rules::games() }),
        ),
        BenchSubject::Features => (features::figures(time), json!({})),
        BenchSubject::Search => search::figures(time, args.net.as_deref(), args.beside.as_deref(), data)?,
        BenchSubject::Library if !args.games.is_empty() => {
            (Vec::new(), json!({ "library": library::of_records(&args.games, args.times)? }))
        }
        BenchSubject::Library => (library::figures(time)?, json!({})),
        BenchSubject::Server => (Vec::new(), server::figures(&args)?),
    };
    if args.json {
        output.json(&json!({
            "bench": format!("{:?}", args.what).to_lowercase(),
            "version": env!("CARGO_PKG_VERSION"),
            "optimised": !cfg!(debug_assertions),
            "figures": figures,
            "more": extra,
        }))?;
    } else {
        for figure in &figures {
            output.line(format!(
                "{:<44} {:>14.0} a second {:>12.0} ns each",
                figure.name, figure.per_second, figure.nanoseconds
            ))?;
        }
        if let Some(fields) = extra.as_object() {
            for (name, value) in fields {
                output.line(format!("{name}: {value}"))?;
            }
        }
    }
    if cfg!(debug_assertions) {
        note("this is a debug build; figures of a release build differ");
    }
    Ok(())
}
