//! Speed of the rules: random playouts, copies, lists of legal moves, ladders, pass-alive areas.

use super::{Figure, measure};
use crate::positions::scattered_games;
use honinbo_rules::{Board, BoardSize, Color, Game, PlayoutRandom, Topology, ladders, pass_alive};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Bytes that a copy of a 19x19 board moves.
pub(crate) fn board_bytes() -> usize {
    std::mem::size_of::<Board>()
}

pub(crate) fn figures(time: Duration) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (side, topology) in [(9, Topology::Plane), (19, Topology::Plane), (9, Topology::Torus), (19, Topology::Torus)] {
        let Ok(size) = BoardSize::square(side) else { continue };
        figures.extend(playouts(size, topology, time));
    }
    let games = scattered_games(BoardSize::NINETEEN, Topology::Plane, 32);
    figures.extend(positions(&games, time));
    figures
}

/// Random games to the end: no own eye filled; legality, captures, ko and hash in full.
fn playouts(size: BoardSize, topology: Topology, time: Duration) -> [Figure; 2] {
    let name = format!("{size} {topology}");
    let empty = Board::new(size, topology);
    let mut board = empty.clone();
    let mut random = PlayoutRandom::new(7);
    let (mut playouts, mut moves) = (0_u64, 0_u64);
    let begun = Instant::now();
    while begun.elapsed() < time {
        for _ in 0..16 {
            board.clone_from(&empty);
            moves += board.play_out(Color::Black, 3 * size.area(), &mut random) as u64;
            playouts += 1;
        }
    }
    black_box(&board);
    let seconds = begun.elapsed().as_secs_f64();
    [
        Figure::new(format!("playout, {name}"), playouts, seconds),
        Figure::new(format!("move in a playout, {name}"), moves, seconds),
    ]
}

fn positions(games: &[Game], time: Duration) -> [Figure; 5] {
    let each = |name: &str, work: &mut dyn FnMut(&Game)| {
        measure(name, time, || {
            games.iter().for_each(&mut *work);
            games.len() as u64
        })
    };
    [
        each("copy of a board, 19x19", &mut |game| {
            black_box(game.board().clone());
        }),
        each("copy of a game with its history, 19x19", &mut |game| {
            black_box(game.clone());
        }),
        each("list of legal moves, 19x19", &mut |game| {
            black_box(game.legal_points().count());
        }),
        each("all ladders of a position, 19x19", &mut |game| {
            black_box(ladders(game.board()));
        }),
        each("pass-alive areas of a position, 19x19", &mut |game| {
            black_box(pass_alive(game.board(), false));
        }),
    ]
}
