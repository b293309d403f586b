//! How far a network's values reach, for graphs with 8 bits.

use std::sync::Arc;

use honinbo_rules::{BoardSize, Game, Move, Point, Preset, Random, Setup, Topology};
use parking_lot::Mutex;

use super::ort::{EvaluatorOptions, OrtEvaluator};
use crate::file::NetworkFile;
use crate::onnx::Calibration;
use crate::runtime::{ModelCache, NetSession, Runtime, SessionError};
use honinbo_evaluator::{EvalError, EvalParams, EvalRequest, Evaluator, StopFlag};

/// Why a network was not calibrated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CalibrationError {
    /// It could not be made ready with 32 bits.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// It did not answer, or the measurement was stopped.
    #[error(transparent)]
    Evaluation(#[from] EvalError),
    /// Between its layers are numbers that 8 bits cannot stand for.
    #[error("{network} computes with numbers that are not finite")]
    NotFinite {
        /// The network.
        network: String,
    },
}

impl CalibrationError {
    /// What a person can do about it; `None` where there is nothing to do.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Session(error) => Some(error.hint()),
            Self::Evaluation(error) => error.hint(),
            Self::NotFinite { .. } => Some("the network file may be damaged: fetch it again"),
        }
    }
}

/// Board sizes of the games played, and how many moves are drawn from one answer.
const GAMES: [(usize, usize); 6] = [(19, 4), (19, 4), (19, 4), (19, 4), (13, 2), (9, 1)];
const ROUNDS: usize = 50;
/// Of each game one position in so many rounds is measured: 60 in all.
const EVERY: usize = 5;

/// Measures how far a network's values reach in sixty positions of games that it plays with itself, drawing moves from
/// its policy. Takes about 300 evaluations on the processor, and always plays the same games on the same machine.
///
/// # Errors
/// See [`CalibrationError`].
pub fn calibrate(
    runtime: &Runtime,
    file: &Arc<NetworkFile>,
    cores: usize,
    stop: &StopFlag,
) -> Result<Calibration, CalibrationError> {
    let player = OrtEvaluator::new(runtime.clone(), Arc::clone(file), EvaluatorOptions::cpu(cores));
    let mut observer = NetSession::observing(runtime, file, cores)?;
    // Human-style networks will not answer without a profile.
    let params = EvalParams { profile: "rank_1d".parse().ok(), ..EvalParams::default() };
    let mut games = GAMES.map(|(side, _)| new_game(side));
    let mut random = Random::new(0);
    let mut batches = Vec::new();
    for round in 0..ROUNDS {
        let requests: Vec<EvalRequest<'_>> = games.iter().flatten().map(|game| EvalRequest { game, params }).collect();
        if round % EVERY == EVERY - 1 {
            for inputs in player.inputs_by_size(&requests) {
                if stop.is_set() {
                    return Err(EvalError::Cancelled.into());
                }
                let device = || "cpu".to_string();
                batches
                    .push(observer.observe(&inputs).map_err(|reason| EvalError::Device { device: device(), reason })?);
            }
        }
        let answers = player.evaluate(&requests, stop)?;
        for ((game, answer), (_, moves)) in games.iter_mut().flatten().zip(&answers).zip(GAMES) {
            play(game, &answer.policy, moves, &mut random);
        }
    }
    Calibration::of(&batches).ok_or_else(|| CalibrationError::NotFinite { network: file.model.name.clone() })
}

fn new_game(side: usize) -> Option<Game> {
    let preset = Preset::Chinese;
    Game::new(Setup::new(BoardSize::square(side).ok()?, Topology::Plane, preset.ruleset(), preset.komi())).ok()
}

/// Plays up to `moves` moves drawn from a policy, none twice.
fn play(game: &mut Game, policy: &[f32], moves: usize, random: &mut Random) {
    let size = game.board().size();
    let mut left: Vec<f32> = policy[..size.area()].iter().map(|share| share.max(0.0)).collect();
    for _ in 0..moves {
        let mut rest = random.unit() as f32 * left.iter().sum::<f32>();
        let drawn = left.iter().position(|&share| {
            rest -= share;
            share > 0.0 && rest <= 0.0
        });
        let Some(index) = drawn else { return };
        left[index] = 0.0;
        // What was legal a move ago need not be any more; then one move fewer is played.
        let _ = game.play(game.to_play(), Move::Place(Point::new(index % size.width(), index / size.width())));
    }
}

/// Version of how reaches are measured; part of the names of cached files.
const CALIBRATION_VERSION: u32 = 1;

/// A network's calibration, measured when it is asked for first and kept in the cache folder.
pub(super) struct Calibrator {
    runtime: Runtime,
    file: Arc<NetworkFile>,
    cache: Option<ModelCache>,
    cores: usize,
    /// Held while it is measured: whoever needs it too waits for it. Nothing that is done meanwhile asks for it.
    found: Mutex<Option<Arc<Calibration>>>,
}

impl Calibrator {
    pub(super) fn new(runtime: Runtime, file: Arc<NetworkFile>, cache: Option<ModelCache>, cores: usize) -> Self {
        Self { runtime, file, cache, cores, found: Mutex::new(None) }
    }

    pub(super) fn get(&self) -> Result<Arc<Calibration>, SessionError> {
        let mut found = self.found.lock();
        if let Some(calibration) = &*found {
            return Ok(Arc::clone(calibration));
        }
        let sha256 = &self.file.sha256;
        let name = format!("{}-reach-v{CALIBRATION_VERSION}.json", &sha256[..16.min(sha256.len())]);
        let kept = self.cache.as_ref().and_then(|cache| cache.read(&name));
        let kept = kept.and_then(|bytes| serde_json::from_slice::<Calibration>(&bytes).ok());
        let calibration = match kept {
            Some(calibration) => calibration,
            None => {
                let measured = calibrate(&self.runtime, &self.file, self.cores, &StopFlag::new()).map_err(|error| {
                    SessionError::Calibration { network: self.file.model.name.clone(), reason: error.to_string() }
                })?;
                if let (Some(cache), Ok(bytes)) = (&self.cache, serde_json::to_vec(&measured)) {
                    cache.write(&name, &bytes);
                }
                measured
            }
        };
        let calibration = Arc::new(calibration);
        *found = Some(Arc::clone(&calibration));
        Ok(calibration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_drawn_from_the_policy_and_none_twice() {
        let mut game = new_game(9).unwrap();
        let mut policy = vec![-1.0; 82];
        policy[81] = 1.0;
        let mut random = Random::new(7);
        play(&mut game, &policy, 3, &mut random);
        assert_eq!(game.turns().len(), 0, "a pass is never drawn");
        for index in [3, 40, 77] {
            policy[index] = 0.3;
        }
        play(&mut game, &policy, 5, &mut random);
        assert_eq!(game.turns().len(), 3);
    }
}
