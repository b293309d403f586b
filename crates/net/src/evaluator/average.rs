//! The mean of several looks at a position.

use honinbo_rules::Symmetry;

use super::key::PositionKey;
use crate::evaluation::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};

/// Asks another evaluator under several symmetries and averages the finished answers, as KataGo does.
///
/// Which symmetries are used depends on the position and the seed alone, so the same question gets the same answer. A
/// symmetry given in a request is ignored. Costs as many evaluations as there are symmetries.
#[derive(Debug)]
pub struct AveragingEvaluator<E> {
    inner: E,
    count: usize,
    seed: u64,
}

impl<E> AveragingEvaluator<E> {
    /// `count` symmetries, 1 to 8, for each position.
    #[must_use]
    pub fn new(inner: E, count: usize, seed: u64) -> Self {
        Self { inner, count: count.clamp(1, 8), seed }
    }

    /// `count` different symmetries, without order or preference.
    fn symmetries(&self, request: &EvalRequest<'_>) -> Vec<Symmetry> {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (PositionKey::of(request), self.seed).hash(&mut hasher);
        let mut random = hasher.finish();
        let mut left = Symmetry::ALL.to_vec();
        (0..self.count)
            .map(|_| {
                let index = (random % left.len() as u64) as usize;
                random /= left.len() as u64;
                left.swap_remove(index)
            })
            .collect()
    }
}

impl<E: Evaluator> Evaluator for AveragingEvaluator<E> {
    fn limits(&self) -> BatchLimits {
        let inner = self.inner.limits();
        let whole = |positions: usize| (positions / self.count).max(1);
        BatchLimits { preferred: whole(inner.preferred), max: whole(inner.max) }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let turned: Vec<EvalRequest<'_>> = requests
            .iter()
            .flat_map(|request| {
                self.symmetries(request).into_iter().map(|symmetry| {
                    let params = crate::evaluation::EvalParams { symmetry, ..request.params };
                    EvalRequest { game: request.game, params }
                })
            })
            .collect();
        let answers = self.inner.evaluate(&turned, stop)?;
        Ok(answers.chunks_exact(self.count).map(mean).collect())
    }
}

/// The arithmetic mean of everything. Illegal moves stay -1.
fn mean(answers: &[Evaluation]) -> Evaluation {
    let share = 1.0 / answers.len() as f64;
    let number = |of: fn(&Evaluation) -> f32| (answers.iter().map(|e| f64::from(of(e))).sum::<f64>() * share) as f32;
    let array = |of: &dyn Fn(&Evaluation) -> &[f32]| -> Box<[f32]> {
        let mut sums = vec![0.0f64; of(&answers[0]).len()];
        for answer in answers {
            sums.iter_mut().zip(of(answer)).for_each(|(sum, &value)| *sum += f64::from(value));
        }
        sums.into_iter().map(|sum| (sum * share) as f32).collect()
    };
    let has_ownership = answers.iter().all(|answer| answer.white_ownership.is_some());
    Evaluation {
        white_win: number(|e| e.white_win),
        white_loss: number(|e| e.white_loss),
        no_result: number(|e| e.no_result),
        white_score_mean: number(|e| e.white_score_mean),
        white_score_mean_sq: number(|e| e.white_score_mean_sq),
        white_lead: number(|e| e.white_lead),
        var_time_left: number(|e| e.var_time_left),
        shortterm_winloss_error: number(|e| e.shortterm_winloss_error),
        shortterm_score_error: number(|e| e.shortterm_score_error),
        policy: array(&|e| &e.policy),
        white_ownership: has_ownership.then(|| array(&|e| e.white_ownership.as_deref().unwrap_or_default())),
    }
}
