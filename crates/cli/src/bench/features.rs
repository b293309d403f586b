//! Speed of the network's inputs.

use super::{Figure, measure};
use crate::positions::scattered_games;
use honinbo_evaluator::EvalParams;
use honinbo_net::{FeatureOptions, encode};
use honinbo_rules::{BoardSize, Topology};
use std::hint::black_box;
use std::time::Duration;

const SIDE: usize = 19;

pub(crate) fn figures(time: Duration) -> Vec<Figure> {
    let games = scattered_games(BoardSize::NINETEEN, Topology::Plane, 64);
    let options =
        FeatureOptions { width: SIDE, height: SIDE, pass_alive_under_suicide: false, exclude_beside_atari: false };
    let mut spatial = vec![0.0; 22 * SIDE * SIDE];
    let mut global = vec![0.0; 19];
    let figure = measure("inputs of a position, 19x19", time, || {
        for game in &games {
            encode(game, &EvalParams::default(), &options, &mut spatial, &mut global);
            black_box((&spatial, &global));
        }
        games.len() as u64
    });
    vec![figure]
}
