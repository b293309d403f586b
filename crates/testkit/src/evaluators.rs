//! Evaluators that need no network.

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::Color;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Thinks all legal moves equally good, and values a position by a hash of its stones: always the same answer to the
/// same question, never two positions alike.
#[derive(Debug, Clone, Default)]
pub struct UniformEvaluator {
    delay: Duration,
}

impl UniformEvaluator {
    /// Takes so long for each batch, as a slow device does; ends early when stopped.
    #[must_use]
    pub fn slow(delay: Duration) -> Self {
        Self { delay }
    }
}

impl Evaluator for UniformEvaluator {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 4, max: 64 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        if stop.is_set() {
            return Err(EvalError::Cancelled);
        }
        if !self.delay.is_zero() {
            std::thread::sleep(self.delay);
        }
        Ok(requests.iter().map(uniform).collect())
    }
}

/// Answers some questions, then fails for good.
#[derive(Debug)]
pub struct FailingEvaluator {
    left: AtomicUsize,
    error: EvalError,
}

impl FailingEvaluator {
    /// Answers so many positions as [`UniformEvaluator`] does, then gives `error`.
    #[must_use]
    pub fn after(positions: usize, error: EvalError) -> Self {
        Self { left: AtomicUsize::new(positions), error }
    }
}

impl Evaluator for FailingEvaluator {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 4, max: 64 }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let taken =
            self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| left.checked_sub(requests.len()));
        if taken.is_err() {
            return Err(self.error.clone());
        }
        UniformEvaluator::default().evaluate(requests, stop)
    }
}

fn uniform(request: &EvalRequest<'_>) -> Evaluation {
    let game = request.game;
    let board = game.board();
    let area = board.size().area();
    let mut policy = vec![-1.0; area + 1];
    let moves: Vec<usize> = game.legal_points().map(|point| point.index(board.size())).chain([area]).collect();
    for &index in &moves {
        policy[index] = 1.0 / moves.len() as f32;
    }
    // Between -0.25 and 0.25.
    let hash = board.hash().low();
    let lean = (hash >> 40) as f32 / (1_u64 << 24) as f32 * 0.5 - 0.25;
    let owner = |stone: Option<Color>| match stone {
        Some(Color::White) => 0.9,
        Some(Color::Black) => -0.9,
        None => lean,
    };
    Evaluation {
        white_win: 0.5 + lean,
        white_loss: 0.5 - lean,
        no_result: 0.0,
        white_score_mean: 20.0 * lean,
        white_score_mean_sq: 400.0 * lean * lean + 25.0,
        white_lead: 20.0 * lean,
        var_time_left: -1.0,
        shortterm_winloss_error: -1.0,
        shortterm_score_error: -1.0,
        policy: policy.into(),
        white_ownership: request.params.include_ownership.then(|| board.points().map(owner).collect()),
    }
}
