//! How soon a search has something to say, and how soon it ends when it is told to.

use crate::failure::Failure;
use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::{Game, Move, Point};
use honinbo_search::bench::positions;
use honinbo_search::{ReportOptions, Search, SearchError, SearchLimits, SearchParams};
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// How often the search is asked whether it has a candidate.
const GLANCES: Duration = Duration::from_millis(1);
/// After this a search that found nothing is given up.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// Milliseconds from the network's first answer to the first candidate that has a visit, and from the order to end to
/// the end: the median and the longest of so many searches around each position, each told to end at another moment.
pub(super) fn figures(
    evaluator: &Arc<dyn Evaluator>,
    threads: usize,
    times: u64,
) -> Result<[(&'static str, Value); 2], Failure> {
    let (mut first, mut ending) = (Vec::new(), Vec::new());
    for game in positions() {
        for time in 0..times {
            let game = one_move_on(&game, time as usize);
            let answered = Arc::new(Noting { inner: Arc::clone(evaluator), first: OnceLock::new() });
            let params = SearchParams::play();
            let search = Search::new(Arc::clone(&answered) as _, game, params, time)?;
            let limits = SearchLimits { threads, ..SearchLimits::default() };
            let stop = StopFlag::new();
            let (candidate, stopped, outcome) = thread::scope(|scope| {
                let run = scope.spawn(|| search.run(&limits, &stop));
                let candidate = first_candidate(&search, || run.is_finished());
                // Not in step with the network's answers.
                thread::sleep(Duration::from_micros(100_000 + 3_700 * time));
                let stopped = Instant::now();
                stop.set();
                (candidate, stopped, run.join())
            });
            ending.push(milliseconds(stopped.elapsed()));
            outcome.map_err(|_| SearchError::WorkerLost)??;
            let candidate = candidate.ok_or_else(|| Failure::new("the search found no candidate", ""))?;
            let answered = answered.first.get().copied().unwrap_or(candidate);
            first.push(milliseconds(candidate.saturating_duration_since(answered)));
        }
    }
    Ok([("ms from the first evaluation to a candidate", summary(first)), ("ms to end", summary(ending))])
}

/// The position after another first move for each number, so that no evaluation is remembered from the one before.
fn one_move_on(game: &Game, number: usize) -> Game {
    let mut next = game.clone();
    let mut legal = Point::all(game.board().size()).filter(|point| game.is_legal_point(*point));
    if let Some(point) = legal.nth(3 * number) {
        // Legal as it is, it cannot be refused.
        let _ = next.play(game.to_play(), Move::Place(point));
    }
    next
}

/// When the search first had a candidate with a visit.
fn first_candidate(search: &Search, ended: impl Fn() -> bool) -> Option<Instant> {
    let begun = Instant::now();
    let options = ReportOptions::default();
    while begun.elapsed() < MAX_WAIT && !ended() {
        if search.report(&options).is_some_and(|report| report.candidates.iter().any(|found| found.visits > 0)) {
            return Some(Instant::now());
        }
        thread::sleep(GLANCES);
    }
    None
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn summary(mut times: Vec<f64>) -> Value {
    times.sort_by(f64::total_cmp);
    json!({ "median": times.get(times.len() / 2), "longest": times.last(), "times": times.len() })
}

/// Remembers when the first answer came.
struct Noting {
    inner: Arc<dyn Evaluator>,
    first: OnceLock<Instant>,
}

impl Evaluator for Noting {
    fn limits(&self) -> BatchLimits {
        self.inner.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let answers = self.inner.evaluate(requests, stop);
        if answers.is_ok() {
            self.first.get_or_init(Instant::now);
        }
        answers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_search::bench::Scrambled;
    use honinbo_testkit::FailingEvaluator;

    #[test]
    fn every_search_is_timed_and_a_failure_told() {
        let scrambled: Arc<dyn Evaluator> = Arc::new(Scrambled);
        for (what, figure) in figures(&scrambled, 2, 1).unwrap() {
            assert_eq!(figure["times"], positions().len(), "{what}: {figure}");
            assert!(figure["median"].as_f64().is_some_and(|ms| ms > 0.0), "{what}: {figure}");
        }

        let gone = EvalError::Device { device: "cpu".into(), reason: "is gone".into() };
        let broken: Arc<dyn Evaluator> = Arc::new(FailingEvaluator::after(0, gone));
        let failure = format!("{:?}", figures(&broken, 1, 1).unwrap_err());
        assert!(failure.contains("is gone"), "{failure}");
    }
}
