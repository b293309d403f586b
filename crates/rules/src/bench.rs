//! What `honinbo bench rules` measures. Figures come from a clock that the caller passes in.

use std::hint::black_box;
use std::time::Duration;

use crate::board::{Board, Cell};
use crate::{BoardSize, Color, Game, LadderReader, Move, PlayoutRandom, Point, Preset, Setup, Topology, pass_alive};

/// Speed on one kind of board. All times are means.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchFigures {
    /// Width and height.
    pub size: BoardSize,
    /// Which edges are joined.
    pub topology: Topology,
    /// Random games to the end, a second: each from a copy of the empty board, scanning from a random point to the
    /// first legal point that is no simple eye, until both players pass.
    pub playouts_per_second: f64,
    /// Time of a move in them, choosing included.
    pub ns_per_move: f64,
    /// Moves of such a game.
    pub moves_per_playout: f64,
    /// Bytes that copying a position moves.
    pub board_bytes: usize,
    /// Copying a position into an existing one.
    pub copy_ns: f64,
    /// Listing all legal points of a middle-game position.
    pub legal_list_ns: f64,
    /// Reading all ladders of a middle-game position.
    pub ladders_ns: f64,
    /// Finding pass-alive chains and territory of a middle-game position.
    pub pass_alive_ns: f64,
    /// Copying a game of 0.4 moves a point with its history.
    pub game_clone_ns: f64,
    /// A move in a game with positional superko, all bookkeeping included.
    pub game_move_ns: f64,
}

/// Measures 9x9 and 19x19 on plane and torus.
///
/// `now` reads a clock that only goes forward; processor time serves as well as real time. `each` is the time spent on
/// every figure: 0.2 s gives steady ones.
pub fn bench(now: &mut dyn FnMut() -> Duration, each: Duration) -> Vec<BenchFigures> {
    let boards = [Topology::Plane, Topology::Torus].map(|t| [BoardSize::NINE, BoardSize::NINETEEN].map(|s| (s, t)));
    boards.into_iter().flatten().map(|(size, topology)| measure(size, topology, now, each)).collect()
}

fn measure(size: BoardSize, topology: Topology, now: &mut dyn FnMut() -> Duration, each: Duration) -> BenchFigures {
    let mut random = PlayoutRandom::new(1);
    let empty = Board::new(size, topology);
    let mut board = empty.clone();
    let (mut moves, mut games) = (0usize, 0usize);
    let playout_ns = time(now, each, 20, || {
        board.clone_from(&empty);
        moves += board.play_out(Color::Black, 3 * size.area(), &mut random);
        games += 1;
    });
    let moves_per_playout = moves as f64 / games as f64;

    let middles: Vec<Board> = (0..64)
        .map(|_| {
            let mut board = empty.clone();
            board.play_out(Color::Black, size.area() * 2 / 5, &mut random);
            board
        })
        .collect();
    let mut nth = 0;
    let mut next = || {
        nth = (nth + 1) % middles.len();
        &middles[nth]
    };
    let copy_ns = time(now, each, 500, || board.clone_from(black_box(next())));
    let mut list: Vec<Point> = Vec::with_capacity(size.area());
    let legal_list_ns = time(now, each, 100, || {
        list.clear();
        list.extend(black_box(next()).legal_points(Color::Black, false));
        black_box(&list);
    });
    let mut reader = LadderReader::new();
    let ladders_ns = time(now, each, 10, || {
        black_box(reader.read(next()));
    });
    let pass_alive_ns = time(now, each, 20, || {
        black_box(pass_alive(next(), false));
    });

    let game = middle_game(size, topology, &mut random);
    let game_clone_ns = time(now, each, 100, || {
        black_box(game.clone());
    });
    let start = Game::new(setup(size, topology)).expect("an empty board is a position");
    let turns = game.turns().to_vec();
    let game_ns = time(now, each, 1, || {
        let mut game = start.clone();
        for turn in &turns {
            let _ = black_box(game.play(turn.color, turn.played));
        }
    });
    BenchFigures {
        size,
        topology,
        playouts_per_second: 1e9 / playout_ns,
        ns_per_move: playout_ns / moves_per_playout,
        moves_per_playout,
        board_bytes: size_of::<Board>() + (size.area() + 1) * size_of::<Cell>(),
        copy_ns,
        legal_list_ns,
        ladders_ns,
        pass_alive_ns,
        game_clone_ns,
        game_move_ns: game_ns / turns.len().max(1) as f64,
    }
}

fn setup(size: BoardSize, topology: Topology) -> Setup {
    Setup::new(size, topology, Preset::TrompTaylor.ruleset(), Preset::TrompTaylor.komi())
}

fn middle_game(size: BoardSize, topology: Topology, random: &mut PlayoutRandom) -> Game {
    let mut game = Game::new(setup(size, topology)).expect("an empty board is a position");
    for _ in 0..size.area() * 2 / 5 {
        let played = game.board().random_move(game.to_play(), random).map_or(Move::Pass, Move::Place);
        if game.play(game.to_play(), played).is_err() {
            break;
        }
    }
    game
}

/// Mean time of one call in nanoseconds, calling `batch` times between looks at the clock.
fn time(now: &mut dyn FnMut() -> Duration, each: Duration, batch: usize, mut work: impl FnMut()) -> f64 {
    work();
    let start = now();
    let mut calls = 0usize;
    loop {
        for _ in 0..batch {
            work();
        }
        calls += batch;
        let spent = now().saturating_sub(start);
        // A clock that stands still must not keep this running for ever.
        if spent >= each || calls > 1_000_000_000 {
            return spent.as_nanos() as f64 / calls as f64;
        }
    }
}
