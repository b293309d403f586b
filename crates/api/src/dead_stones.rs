//! Which stones are dead, as the engine sees it.

use crate::{ApiError, App};
use honinbo_net::{EvalParams, EvalRequest, StopFlag};
use honinbo_rules::{Color, Game, Point, Symmetry};

/// Ownership beyond which a stone is another's: halfway between open and sure.
const SURE: f32 = 0.5;

impl App {
    /// Stones that the network gives to the other side, by chains: a chain is dead when its stones are, on average.
    ///
    /// # Errors
    /// When the engine cannot answer.
    pub(crate) fn propose_dead(&self, game: &Game) -> Result<Vec<Point>, ApiError> {
        let loaded = self.engine().load()?;
        let params = EvalParams { include_ownership: true, ..EvalParams::default() };
        // The mean of all symmetries: this is asked once, and a wrong mark is seen by everybody.
        let requests: Vec<_> = Symmetry::ALL
            .iter()
            .map(|&symmetry| EvalRequest { game, params: EvalParams { symmetry, ..params } })
            .collect();
        let answers =
            loaded.evaluator().evaluate(&requests, &StopFlag::new()).map_err(|e| ApiError::from_evaluation(&e))?;
        let board = game.board();
        let size = board.size();
        let white_owns = |point: Point| {
            let of = |answer: &honinbo_net::Evaluation| {
                answer.white_ownership.as_ref().map_or(0.0, |o| o[point.index(size)])
            };
            answers.iter().map(of).sum::<f32>() / answers.len() as f32
        };
        let mut dead = Vec::new();
        for chain in board.chains() {
            let theirs = if chain.color() == Color::Black { 1.0 } else { -1.0 };
            let owned: f32 = chain.stones().map(|point| theirs * white_owns(point)).sum();
            if owned / chain.len() as f32 > SURE {
                dead.push(chain.head_point());
            }
        }
        Ok(dead)
    }
}
