//! How fast the search itself is, and a fingerprint of what it does.
//!
//! [`Scrambled`] answers at once, so that what is measured is the search; with a real evaluator the same bench tells
//! visits a second.

use std::sync::Arc;

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::{BoardSize, Color, Game, Move, Point, Preset, Setup, Topology, mix};
use serde::Serialize;

use crate::{ReportOptions, Search, SearchError, SearchLimits, SearchParams, Stopwatch, TimeLimit};

/// Answers that look like a network's, cost next to nothing and depend on the position alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scrambled;

impl Evaluator for Scrambled {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 8, max: 256 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        if stop.is_set() {
            return Err(EvalError::Cancelled);
        }
        Ok(requests.iter().map(|request| scrambled(request.game, request.params.include_ownership)).collect())
    }
}

fn scrambled(game: &Game, include_ownership: bool) -> Evaluation {
    let board = game.board();
    let size = board.size();
    let mover = game.to_play().index() as u64;
    let seed = mix(board.hash().low() ^ mover ^ (u64::from(game.consecutive_passes()) << 8));
    let unit = |salt: u64| (mix(seed ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 40) as f32 / (1u64 << 24) as f32;
    let mut policy = vec![-1.0f32; size.area() + 1];
    for point in game.legal_points() {
        policy[point.index(size)] = unit(100 + point.index(size) as u64).powi(6);
    }
    policy[size.area()] = unit(99).powi(6) * 0.2;
    let sum: f32 = policy.iter().filter(|p| **p > 0.0).sum::<f32>().max(1e-6);
    policy.iter_mut().filter(|p| **p > 0.0).for_each(|p| *p /= sum);
    let win = 0.5 + 0.3 * (unit(1) - 0.5);
    let score = (win - 0.5) * 20.0;
    Evaluation {
        white_win: win,
        white_loss: 1.0 - win,
        no_result: 0.0,
        white_score_mean: score,
        white_score_mean_sq: score * score + 25.0,
        white_lead: score,
        var_time_left: 10.0,
        shortterm_winloss_error: 0.1 + 0.3 * unit(2),
        shortterm_score_error: 1.0 + unit(3),
        policy: policy.into(),
        white_ownership: include_ownership
            .then(|| (0..size.area() as u64).map(|i| unit(1000 + i) * 1.8 - 0.9).collect()),
    }
}

/// What a bench measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BenchReport {
    /// Positions searched.
    pub positions: usize,
    /// Visits of all roots together.
    pub visits: u64,
    /// Positions that the evaluator was asked for.
    pub evaluations: u64,
    /// Seconds that it took.
    pub seconds: f64,
    /// Visits a second.
    pub visits_per_second: f64,
    /// Evaluations a second.
    pub evaluations_per_second: f64,
    /// Most nodes that one tree held.
    pub nodes: usize,
    /// A hash of all candidates with their visits: the same for the same search, with one thread.
    pub fingerprint: String,
}

/// Searches a few fixed positions on 9x9, 13x13 and 19x19, each with an empty tree, up to the limits given; a limit of
/// time is each position's own.
///
/// # Errors
/// When a search fails.
pub fn bench(
    evaluator: &Arc<dyn Evaluator>,
    limits: &SearchLimits,
    stopwatch: &Stopwatch,
    stop: &StopFlag,
) -> Result<BenchReport, SearchError> {
    let games = positions();
    let began = stopwatch();
    let (mut visits, mut evaluations, mut nodes, mut fingerprint) = (0, 0, 0, 0u64);
    for (number, game) in games.iter().enumerate() {
        let params = SearchParams::play();
        let search = Search::new(Arc::clone(evaluator), game.clone(), params, number as u64)?;
        let limits = SearchLimits { time: limits.time.as_ref().map(from_now), ..limits.clone() };
        let outcome = search.run(&limits, stop)?;
        visits += outcome.root_visits;
        evaluations += outcome.evaluations;
        nodes = nodes.max(search.nodes());
        let Some(report) = search.report(&ReportOptions::default()) else { continue };
        let size = game.board().size();
        for candidate in &report.candidates {
            let words = [crate::position::index_of(candidate.mv, size).into(), candidate.edge_visits, candidate.visits];
            fingerprint = words.into_iter().fold(fingerprint, |hash, word: u64| mix(hash.rotate_left(7) ^ word));
        }
    }
    let seconds = (stopwatch() - began).as_secs_f64();
    let rate = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
    Ok(BenchReport {
        positions: games.len(),
        visits,
        evaluations,
        seconds,
        visits_per_second: rate(visits),
        evaluations_per_second: rate(evaluations),
        nodes,
        fingerprint: format!("{fingerprint:016x}"),
    })
}

/// The same time, which begins now: a search counts from its own beginning.
fn from_now(time: &TimeLimit) -> TimeLimit {
    let (stopwatch, begun) = (Arc::clone(&time.stopwatch), (time.stopwatch)());
    TimeLimit { stopwatch: Arc::new(move || stopwatch().saturating_sub(begun)), max: time.max }
}

/// The positions of [`bench()`]: an opening, a scattered middle game and crowded boards, made by a fixed rule.
#[must_use]
pub fn positions() -> Vec<Game> {
    [
        (9, Preset::TrompTaylor, 12),
        (13, Preset::Chinese, 60),
        (19, Preset::Japanese, 30),
        (19, Preset::TrompTaylor, 150),
    ]
    .into_iter()
    .filter_map(|(side, preset, turns)| {
        let size = BoardSize::square(side).ok()?;
        let mut game = Game::new(Setup::new(size, Topology::Plane, preset.ruleset(), preset.komi())).ok()?;
        let mut seed = side as u64;
        while game.turns().len() < turns {
            seed = mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
            let point = Point::from_index((seed % size.area() as u64) as usize, size);
            let color: Color = game.to_play();
            // Points that are taken or forbidden are passed over.
            let _ = game.play(color, Move::Place(point));
        }
        Some(game)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Changes only with a commit that says so: the search then does something else than before.
    const FINGERPRINT: &str = "e12489d4f6d6913b";

    #[test]
    fn every_position_has_the_time_that_is_given() {
        let evaluator: Arc<dyn Evaluator> = Arc::new(Scrambled);
        // A millisecond passes whenever somebody looks.
        let looks = std::sync::atomic::AtomicU64::new(0);
        let stopwatch: Stopwatch =
            Arc::new(move || Duration::from_millis(looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed)));
        let visits_in = |milliseconds| {
            let time = TimeLimit { stopwatch: Arc::clone(&stopwatch), max: Duration::from_millis(milliseconds) };
            let limits = SearchLimits { max_visits: 10_000, time: Some(time), ..SearchLimits::default() };
            bench(&evaluator, &limits, &stopwatch, &StopFlag::new()).unwrap().visits
        };
        let (first, again, twice) = (visits_in(200), visits_in(200), visits_in(400));
        assert_eq!(first, again, "what was searched before takes no time away");
        assert!(first > 4 * 20 && twice > first * 3 / 2, "{first} and {twice}");
    }

    #[test]
    fn the_fingerprint_of_a_fixed_search_stays() {
        let evaluator: Arc<dyn Evaluator> = Arc::new(Scrambled);
        let stopwatch: Stopwatch = Arc::new(|| Duration::ZERO);
        let limits = SearchLimits { max_visits: 500, ..SearchLimits::default() };
        let report = bench(&evaluator, &limits, &stopwatch, &StopFlag::new()).unwrap();
        assert_eq!((report.positions, report.visits), (4, 2000));
        assert_eq!(report.fingerprint, FINGERPRINT);
    }
}
