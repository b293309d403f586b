//! Evaluators that need no network.
#![allow(dead_code, reason = "each test binary uses its own part")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use honinbo_net::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::{BoardSize, Game, Preset, Setup, Topology};

/// Answers that look like a network's and depend on the stones alone: the same position has the same answer.
pub struct Hashed {
    /// How long one call takes.
    pub delay: Duration,
    /// Calls after which every call fails.
    pub fails_after: usize,
    /// Calls so far.
    pub calls: AtomicUsize,
    /// Positions so far.
    pub positions: AtomicUsize,
}

impl Hashed {
    pub fn new() -> Arc<Self> {
        Self::with(Duration::ZERO, usize::MAX)
    }

    pub fn with(delay: Duration, fails_after: usize) -> Arc<Self> {
        Arc::new(Self { delay, fails_after, calls: AtomicUsize::new(0), positions: AtomicUsize::new(0) })
    }
}

impl Evaluator for Hashed {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 8, max: 64 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        self.positions.fetch_add(requests.len(), Ordering::Relaxed);
        if self.calls.fetch_add(1, Ordering::Relaxed) >= self.fails_after {
            return Err(EvalError::Device { device: "test".into(), reason: "unplugged".into() });
        }
        let began = Instant::now();
        while began.elapsed() < self.delay {
            if stop.is_set() {
                return Err(EvalError::Cancelled);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(requests.iter().map(|request| answer(request.game, request.params.include_ownership)).collect())
    }
}

fn scramble(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn answer(game: &Game, with_ownership: bool) -> Evaluation {
    let board = game.board();
    let size = board.size();
    let seed = scramble(board.hash().low() ^ game.to_play().index() as u64 ^ (game.consecutive_passes() as u64) << 8);
    let unit =
        |salt: u64| (scramble(seed ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 40) as f32 / (1u64 << 24) as f32;
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
        white_ownership: with_ownership.then(|| (0..size.area() as u64).map(|i| unit(1000 + i) * 1.8 - 0.9).collect()),
    }
}

/// An empty board.
pub fn empty(side: usize, topology: Topology, preset: Preset) -> Game {
    let size = BoardSize::square(side).unwrap();
    Game::new(Setup::new(size, topology, preset.ruleset(), preset.komi())).unwrap()
}
