//! Known positions by which a network is told from another.

use honinbo_evaluator::{EvalError, EvalParams, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_net::onnx::Precision;
use honinbo_net::{DeviceDifferences, DeviceLimits, bench::positions};
use honinbo_rules::Game;

/// Columns and rows of the positions: small boards in a larger buffer show a graph that was made for one size.
const SIZE: usize = 9;
/// Positions that are compared.
const COMPARED: usize = 4;

/// Positions with what the network here answers.
#[derive(Debug, Clone)]
pub struct Fingerprint {
    games: Vec<Game>,
    answers: Vec<Evaluation>,
}

impl Fingerprint {
    /// Asks the network here.
    ///
    /// # Errors
    /// Those of the network.
    pub fn of(network: &dyn Evaluator, stop: &StopFlag) -> Result<Self, EvalError> {
        let games = positions(SIZE, SIZE, COMPARED)
            .map_err(|error| EvalError::Unsupported { network: "the network".into(), reason: error.to_string() })?;
        let answers = network.evaluate(&requests(&games), stop)?;
        Ok(Self { games, answers })
    }

    /// The questions.
    #[must_use]
    pub fn requests(&self) -> Vec<EvalRequest<'_>> {
        requests(&self.games)
    }

    /// The answers of the network here.
    #[must_use]
    pub fn answers(&self) -> &[Evaluation] {
        &self.answers
    }

    /// What differs by more than computing with 16 bits explains, as a part of a sentence; `None` for the same network.
    #[must_use]
    pub fn difference(&self, answers: &[Evaluation]) -> Option<String> {
        if answers.len() != self.answers.len() {
            return Some("it answers another number of positions".into());
        }
        let each = answers.iter().zip(&self.answers).map(|(theirs, ours)| DeviceDifferences::between(theirs, ours));
        each.fold(DeviceDifferences::default(), DeviceDifferences::max).beyond(DeviceLimits::of(Precision::Fp16))
    }
}

fn requests(games: &[Game]) -> Vec<EvalRequest<'_>> {
    let params = EvalParams {
        // Human-style networks will not answer without a profile.
        profile: "rank_1d".parse().ok(),
        include_ownership: true,
        ..EvalParams::default()
    };
    games.iter().map(|game| EvalRequest { game, params }).collect()
}
