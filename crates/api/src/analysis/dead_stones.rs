//! Which stones are dead, as the engine sees it.

use crate::ApiError;
use crate::analysis::AnalysisRoom;
use honinbo_evaluator::{EvalParams, EvalRequest, StopFlag};
use honinbo_rules::{DeadStones, Game, Point, Symmetry};

/// Playouts from which dead stones are guessed where there is no network.
const GUESS: usize = 300;

impl AnalysisRoom {
    /// Stones that the network gives to the other side, whole chains.
    ///
    /// # Errors
    /// When the engine cannot answer.
    pub(crate) fn propose_dead(&self, game: &Game) -> Result<Vec<Point>, ApiError> {
        let loaded = self.engine.load()?;
        let params = EvalParams { include_ownership: true, ..EvalParams::default() };
        // The mean of all symmetries: this is asked once, and a wrong mark is seen by everybody.
        let requests: Vec<_> = Symmetry::ALL
            .iter()
            .map(|&symmetry| EvalRequest { game, params: EvalParams { symmetry, ..params } })
            .collect();
        let answers =
            loaded.evaluator().evaluate(&requests, &StopFlag::new()).map_err(|e| ApiError::from_evaluation(&e))?;
        let mut black_ownership = vec![0.0; game.board().size().area()];
        for answer in answers.iter().filter_map(|answer| answer.white_ownership.as_ref()) {
            for (sum, white) in black_ownership.iter_mut().zip(answer.iter()) {
                *sum -= white / answers.len() as f32;
            }
        }
        Ok(DeadStones::from_ownership(game.board(), &black_ownership).to_vec())
    }

    /// What both players would call dead: as the network sees it, or what random play loses where there is none.
    pub(crate) fn dead_at_the_end(&self, game: &Game) -> Vec<Point> {
        self.propose_dead(game).unwrap_or_else(|error| {
            tracing::warn!(%error, "dead stones are guessed without a network");
            DeadStones::guess_by_playouts(game.board(), GUESS, 1).to_vec()
        })
    }
}
