//! Speed of the rules: random playouts, copies, lists of legal moves, ladders, pass-alive areas.

use super::Figure;
use super::clock::working_time;
use honinbo_rules::{Board, BoardSize, Topology};
use std::time::Duration;

/// Bytes that a copy of a 19x19 board moves.
pub(crate) fn board_bytes() -> usize {
    Board::new(BoardSize::NINETEEN, Topology::Plane).copied_bytes()
}

/// What random games left on their boards, to be compared with those of another program.
pub(crate) fn games() -> Vec<String> {
    honinbo_rules::bench_games()
}

pub(crate) fn figures(time: Duration) -> Vec<Figure> {
    honinbo_rules::bench(&mut working_time, time)
        .into_iter()
        .map(|figure| Figure::new(figure.name, figure.count, figure.elapsed.as_secs_f64()))
        .collect()
}
