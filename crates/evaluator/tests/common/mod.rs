//! Games to ask about, and an evaluator that counts.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test program uses a part")]
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::sync::atomic::{AtomicUsize, Ordering};

use honinbo_evaluator::{BatchLimits, EvalError, EvalParams, EvalRequest, Evaluation, Evaluator, StopFlag};
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

/// Counts the positions that reach it.
pub struct Counting<E>(pub E, AtomicUsize);

impl<E> Counting<E> {
    pub fn new(inner: E) -> Self {
        Self(inner, AtomicUsize::new(0))
    }

    pub fn asked(&self) -> usize {
        self.1.load(Ordering::SeqCst)
    }
}

impl<E: Evaluator> Evaluator for Counting<E> {
    fn limits(&self) -> BatchLimits {
        self.0.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        self.1.fetch_add(requests.len(), Ordering::SeqCst);
        self.0.evaluate(requests, stop)
    }
}
