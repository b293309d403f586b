//! Games to ask about.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test program uses a part")]
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use honinbo_evaluator::{EvalParams, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::{BoardSize, Game, Move, Point, Preset, Setup, Topology};

/// A game of `turns` moves that look random and are always the same.
pub fn game(width: usize, height: usize, topology: Topology, turns: usize) -> Game {
    let size = BoardSize::new(width, height).unwrap();
    let preset = Preset::TrompTaylor;
    let mut game = Game::new(Setup::new(size, topology, preset.ruleset(), preset.komi())).unwrap();
    for turn in 0..turns {
        let legal: Vec<Point> = game.legal_points().collect();
        game.play(game.to_play(), Move::Place(legal[(turn * 7919 + 13) % legal.len()])).unwrap();
    }
    game
}

pub fn ask(evaluator: &dyn Evaluator, games: &[&Game], params: EvalParams) -> Vec<Evaluation> {
    let requests: Vec<EvalRequest<'_>> = games.iter().map(|game| EvalRequest { game, params }).collect();
    evaluator.evaluate(&requests, &StopFlag::new()).unwrap()
}
