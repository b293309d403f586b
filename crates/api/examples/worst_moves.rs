//! What is known of each position of a game after how many visits, to replay rules on that say where a review looks
//! (docs/experiments/worst-move.md).
//!
//! `cargo run --release -p honinbo-api --example worst_moves -- search NETWORK VISITS FILE... >positions.jsonl`: a line of
//! JSON for each game, with what a search of so many visits knew of each position on its way. ONNX Runtime is taken from
//! `HONINBO_ONNXRUNTIME`.

#![expect(clippy::print_stdout, reason = "a program that prints its result")]

use honinbo_evaluator::{CachingEvaluator, EvalService, Priority, ServiceOptions, StopFlag};
use honinbo_net::{EvaluatorOptions, LibrarySearch, Runtime, open_network};
use honinbo_record::{ReplayOptions, read_sgf, replay_each};
use honinbo_rules::{Color, Game, Move};
use honinbo_search::{Perspective, ReportOptions, Search, SearchLimits, SearchParams};
use serde_json::json;
use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

type Failure = Box<dyn Error + Send + Sync>;

/// Visits at which a search is looked at on its way.
const STEPS: [u64; 7] = [1, 4, 8, 16, 32, 50, 100];
/// Games that are searched side by side: the network answers them in batches.
const SIDE_BY_SIDE: usize = 8;

/// Positions of a main line, with the move that was played in each.
fn positions(file: &str) -> Result<Vec<(Game, Move)>, Failure> {
    let tree = read_sgf(&std::fs::read(file)?).games.swap_remove(0).tree;
    let last = tree.line_from(tree.root()).last().unwrap_or(tree.root());
    let mut line = Vec::<Game>::new();
    replay_each(&tree, last, ReplayOptions::default(), &mut |_, game| line.push(game.clone()));
    let pairs = line.windows(2).filter_map(|pair| {
        let [before, after] = pair else { return None };
        let played = after.turns().last().filter(|_| after.turns().len() == before.turns().len() + 1)?;
        Some((before.clone(), played.played))
    });
    let mut positions: Vec<(Game, Move)> = pairs.collect();
    positions.extend(line.pop().map(|game| (game, Move::Pass)));
    Ok(positions)
}

fn search(evaluator: &EvalService, file: &str, visits: u64) -> Result<String, Failure> {
    let mut known = Vec::new();
    let positions = positions(file)?;
    let Some((first, _)) = positions.first() else { return Err(format!("{file}: no moves").into()) };
    let size = first.board().size();
    let evaluator = Arc::new(CachingEvaluator::new(evaluator.handle(Priority::Batch), 32 << 20));
    let search = Search::new(evaluator, first.clone(), SearchParams::analysis(), 1)?;
    let options = ReportOptions { perspective: Perspective::Black, ..ReportOptions::default() };
    for (game, played) in &positions {
        search.set_root(game.clone())?;
        let mut found = Vec::new();
        for max_visits in STEPS.into_iter().filter(|step| *step < visits).chain([visits]) {
            search.run(&SearchLimits { max_visits, threads: 1, ..SearchLimits::default() }, &StopFlag::new())?;
            let report = search.report(&options).ok_or("a search without a report")?;
            let candidates = report.candidates.iter().filter(|candidate| candidate.edge_visits > 0);
            found.push(json!({
                "visits": report.root.visits,
                "lead": report.root.score_lead,
                "win": report.root.win_rate,
                "stdev": report.root.score_stdev,
                "candidates": candidates
                    .map(|candidate| json!([candidate.mv.to_gtp(size), candidate.edge_visits, candidate.score_lead]))
                    .collect::<Vec<_>>(),
            }));
            if max_visits == 1 {
                let prior = |mv: Move| report.policy.get(mv.point().map_or(size.area(), |point| point.index(size)));
                found.last_mut().ok_or("no report")?["prior"] = json!(prior(*played));
                found.last_mut().ok_or("no report")?["best"] = json!(report.policy.iter().copied().fold(0.0, f32::max));
            }
        }
        known.push(json!({
            "black": game.to_play() == Color::Black, "played": played.to_gtp(size), "found": found,
        }));
    }
    Ok(json!({ "file": file, "positions": known }).to_string())
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [_, network, visits, files @ ..] = &arguments[..] else { return Err("search NETWORK VISITS FILE...".into()) };
    let visits = visits.parse()?;
    let runtime = Runtime::load(&LibrarySearch::new(None, Vec::new()))?;
    let cores = std::thread::available_parallelism()?.get();
    let evaluator = open_network(Path::new(network), &runtime, EvaluatorOptions::cpu(cores), (19, 19))?;
    let service = EvalService::new(Arc::new(evaluator), ServiceOptions::for_sessions(cores, 8));
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    std::thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match search(&service, file, visits) {
                        Ok(line) => println!("{line}"),
                        Err(error) => *failed.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(error),
                    }
                }
            });
        }
    });
    failed.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).map_or(Ok(()), Err)
}
