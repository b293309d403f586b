//! What `honinbo bench rules` measures. Figures come from a clock that the caller passes in.

use std::hint::black_box;
use std::time::Duration;

use crate::{Board, BoardSize, Color, Game, LadderReader, Move, Point, Preset, Random, Setup, Topology, pass_alive};

/// Something that was done so often in such a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchFigure {
    /// What was measured, and on what.
    pub name: String,
    /// How often it was done.
    pub count: u64,
    /// How long that took.
    pub elapsed: Duration,
}

/// Measures 9x9 and 19x19 on plane and torus: random playouts (from a random point on, the first legal point that is
/// no simple eye, until both players pass), and on middle-game positions copies, lists of legal points, ladders,
/// pass-alive areas, and games with their history.
///
/// `now` reads a clock that only goes forward; processor time serves as well as real time. `each` is the time spent on
/// every figure: 0.2 s gives steady ones. Nothing is allocated while playouts, copies and lists are measured.
pub fn bench(now: &mut dyn FnMut() -> Duration, each: Duration) -> Vec<BenchFigure> {
    let mut bench = Bench { now, each, figures: Vec::new(), on: String::new() };
    for topology in [Topology::Plane, Topology::Torus] {
        for size in [BoardSize::NINE, BoardSize::NINETEEN] {
            bench.on = format!("{size} {topology}");
            bench.board(size, topology);
        }
    }
    bench.figures
}

/// What the first 256 random games on 9x9 and 19x19 planes left on their boards, for comparing with another program
/// that plays them: stones played, and a mark of every point of every last board, each time 31 times the mark before
/// and 0 for an empty point, 1 for a black stone, 2 for a white one, in 32 bits.
#[must_use]
pub fn bench_games() -> Vec<String> {
    [BoardSize::NINE, BoardSize::NINETEEN].map(|size| games_on(size, Topology::Plane)).into()
}

fn games_on(size: BoardSize, topology: Topology) -> String {
    let mut random = Random::new(1);
    let (mut stones, mut mark) = (0, 0u32);
    for _ in 0..256 {
        let mut board = Board::new(size, topology);
        stones += board.play_out(Color::Black, 3 * size.area(), &mut random);
        for stone in board.points() {
            mark = mark.wrapping_mul(31).wrapping_add(stone.map_or(0, |color| 1 + color.index() as u32));
        }
    }
    format!("{size} {topology}: {stones} stones, mark {mark}")
}

struct Bench<'a> {
    now: &'a mut dyn FnMut() -> Duration,
    each: Duration,
    figures: Vec<BenchFigure>,
    /// The board at hand, as the figures' names say it.
    on: String,
}

impl Bench<'_> {
    fn board(&mut self, size: BoardSize, topology: Topology) {
        let mut random = Random::new(1);
        let empty = Board::new(size, topology);
        let mut board = empty.clone();
        let mut moves = 0;
        let playouts = self.time("playout", 64, || {
            board.clone_from(&empty);
            moves += board.play_out(Color::Black, 3 * size.area(), &mut random) as u64;
        });
        self.figures.push(BenchFigure { name: format!("move in a playout, {}", self.on), count: moves, ..playouts });

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
            black_box(&middles[nth])
        };
        self.time("copy of a board", 8192, || board.clone_from(next()));
        let mut list: Vec<Point> = Vec::with_capacity(size.area());
        self.time("list of legal points", 1024, || {
            list.clear();
            list.extend(next().legal_points(Color::Black, false));
        });
        let mut reader = LadderReader::new();
        self.time("all ladders of a position", 16, || {
            black_box(reader.read(next()));
        });
        self.time("pass-alive areas of a position", 16, || {
            black_box(pass_alive(next(), false));
        });

        let game = middle_game(size, topology, &mut random);
        self.time("copy of a game with its history", 512, || {
            black_box(game.clone());
        });
        let mut replayed = 0;
        let replays = self.time("game replayed under positional superko", 1, || {
            let mut again = new_game(size, topology);
            for turn in game.turns() {
                replayed += u64::from(again.play(turn.color, turn.played).is_ok());
            }
        });
        self.figures.push(BenchFigure { name: format!("move of a game, {}", self.on), count: replayed, ..replays });
    }

    /// Does `work` again and again, `batch` times between looks at the clock.
    fn time(&mut self, what: &str, batch: u64, mut work: impl FnMut()) -> BenchFigure {
        let begun = (self.now)();
        let mut count = 0;
        let elapsed = loop {
            for _ in 0..batch {
                work();
            }
            count += batch;
            let elapsed = (self.now)().saturating_sub(begun);
            // A clock that stands still must not keep this running for ever.
            if elapsed >= self.each || count > 1 << 32 {
                break elapsed;
            }
        };
        let figure = BenchFigure { name: format!("{what}, {}", self.on), count, elapsed };
        self.figures.push(figure.clone());
        figure
    }
}

fn new_game(size: BoardSize, topology: Topology) -> Game {
    let preset = Preset::TrompTaylor;
    Game::new(Setup::new(size, topology, preset.ruleset(), preset.komi())).expect("an empty board is a position")
}

/// A random game of two moves for every five points.
fn middle_game(size: BoardSize, topology: Topology, random: &mut Random) -> Game {
    let mut game = new_game(size, topology);
    for _ in 0..size.area() * 2 / 5 {
        let played = game.board().random_move(game.to_play(), random).map_or(Move::Pass, Move::Place);
        if game.play(game.to_play(), played).is_err() {
            break;
        }
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workload_is_counted_on_every_board() {
        let mut ticks = 0;
        let mut now = || {
            ticks += 1;
            Duration::from_millis(ticks)
        };
        let figures = bench(&mut now, Duration::from_millis(1));
        assert_eq!(figures.len(), 4 * 9);
        assert!(figures.iter().all(|figure| figure.count > 0 && !figure.elapsed.is_zero()));
    }

    #[test]
    fn the_games_are_those_that_katago_plays() {
        // Printed by tests/rivals/katago-board.cpp with the Board of KataGo 1.17.2.
        let katago = ["9x9 plane: 27472 stones, mark 508477187", "19x19 plane: 117528 stones, mark 1327086214"];
        assert_eq!(bench_games(), katago);
    }

    #[test]
    fn a_19x19_position_is_copied_in_less_than_4_kib() {
        let bytes = Board::new(BoardSize::NINETEEN, Topology::Torus).copied_bytes();
        assert!(bytes < 4096, "{bytes} bytes");
    }
}
