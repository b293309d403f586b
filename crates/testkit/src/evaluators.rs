//! Evaluators that need no network.

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::Color;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
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

/// Counts the positions that another evaluator is asked about.
#[derive(Debug, Default)]
pub struct CountingEvaluator<E = UniformEvaluator> {
    inner: E,
    asked: AtomicUsize,
}

impl<E> CountingEvaluator<E> {
    /// Counts from 0 what `inner` is asked.
    pub fn new(inner: E) -> Self {
        Self { inner, asked: AtomicUsize::new(0) }
    }

    /// How many it were so far.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl<E: Evaluator> Evaluator for CountingEvaluator<E> {
    fn limits(&self) -> BatchLimits {
        self.inner.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        self.asked.fetch_add(requests.len(), Ordering::SeqCst);
        self.inner.evaluate(requests, stop)
    }
}

/// Notes something of every question before another evaluator is asked it.
#[derive(Debug)]
pub struct NotingEvaluator<E, T> {
    inner: E,
    note: fn(&EvalRequest<'_>) -> T,
    noted: Mutex<Vec<T>>,
}

impl<E, T: Clone> NotingEvaluator<E, T> {
    /// Keeps what `note` says of each question for `inner`.
    pub fn new(inner: E, note: fn(&EvalRequest<'_>) -> T) -> Self {
        Self { inner, note, noted: Mutex::default() }
    }

    /// What was noted so far, in the order of the questions.
    pub fn noted(&self) -> Vec<T> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl<E: Evaluator, T: Send> Evaluator for NotingEvaluator<E, T> {
    fn limits(&self) -> BatchLimits {
        self.inner.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).extend(requests.iter().map(self.note));
        self.inner.evaluate(requests, stop)
    }
}

/// Changes the answers of another evaluator.
#[derive(Debug)]
pub struct AlteredEvaluator<E, F> {
    inner: E,
    alter: F,
}

impl<E: Evaluator, F: Fn(&EvalRequest<'_>, &mut Evaluation) + Send + Sync> AlteredEvaluator<E, F> {
    /// Answers as `inner` does, once `alter` has changed it.
    pub fn new(inner: E, alter: F) -> Self {
        Self { inner, alter }
    }
}

impl<E: Evaluator, F: Fn(&EvalRequest<'_>, &mut Evaluation) + Send + Sync> Evaluator for AlteredEvaluator<E, F> {
    fn limits(&self) -> BatchLimits {
        self.inner.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let mut answers = self.inner.evaluate(requests, stop)?;
        for (request, answer) in requests.iter().zip(&mut answers) {
            (self.alter)(request, answer);
        }
        Ok(answers)
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
