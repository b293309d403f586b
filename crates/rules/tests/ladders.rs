//! Ladders found are those of a plain reading that plays every move on a copy of the board.
#![allow(clippy::unwrap_used, reason = "tests stop")]

use honinbo_rules::{Board, BoardSize, Color, Move, Point, Random, Topology, ladders};

/// One chain to be caught, by one of its stones.
struct Reading {
    stone: Point,
    owner: Color,
    deepest: usize,
    played: usize,
}

impl Reading {
    fn play(&mut self, board: &Board, color: Color, at: Point) -> Option<Board> {
        let mut after = board.clone();
        // Suicide of several stones neither saves nor catches anything here.
        board.is_legal(color, at, false).then(|| after.play(color, at).unwrap())?;
        self.played += 1;
        Some(after)
    }

    fn attacker_catches(&mut self, board: &Board, depth: usize) -> bool {
        if depth >= self.deepest {
            return true;
        }
        let liberties: Vec<Point> = board.chain_at(self.stone).unwrap().liberties().collect();
        match liberties.len() {
            0 | 1 => true,
            2 if self.is_caught_between_kos(board, &liberties) => true,
            2 => liberties.into_iter().any(|at| {
                let after = self.play(board, self.owner.opponent(), at);
                after.is_some_and(|after| self.owner_is_caught(&after, depth + 1))
            }),
            _ => false,
        }
    }

    fn owner_is_caught(&mut self, board: &Board, depth: usize) -> bool {
        if depth >= self.deepest {
            return true;
        }
        let chain = board.chain_at(self.stone).unwrap();
        if board.ko_point().is_some() {
            return false;
        }
        let mut moves: Vec<Point> = chain.liberties().collect();
        for q in chain.stones().flat_map(|stone| board.neighbors(stone)) {
            if board.get(q) == Some(self.owner.opponent()) && board.chain_at(q).unwrap().is_in_atari() {
                moves.extend(board.chain_at(q).unwrap().liberties());
            }
        }
        moves.sort();
        moves.dedup();
        moves.into_iter().all(|at| {
            let after = self.play(board, self.owner, at);
            after.is_none_or(|after| self.attacker_catches(&after, depth + 1))
        })
    }

    /// Both liberties are mouths of kos, connecting there gains nothing, and no attacker can be taken.
    fn is_caught_between_kos(&self, board: &Board, liberties: &[Point]) -> bool {
        let mouth = |at: Point| {
            let chains: Vec<_> = board.neighbors(at).map(|q| board.chain_at(q)).collect();
            let owned = chains.iter().flatten().filter(|chain| chain.color() == self.owner).count() == chains.len();
            let taken: Vec<_> = chains.into_iter().flatten().filter(|chain| chain.is_in_atari()).collect();
            owned && taken.len() == 1 && taken[0].len() == 1
        };
        let gains_nothing = |at: Point| {
            let mut after = board.clone();
            after.clear_ko();
            after.play(self.owner, at).is_err() || after.chain_at(at).unwrap().liberties_up_to(3) <= 2
        };
        let mut around = board
            .chain_at(self.stone)
            .unwrap()
            .stones()
            .flat_map(|stone| board.neighbors(stone))
            .filter_map(|q| board.chain_at(q));
        liberties.iter().all(|&at| mouth(at) && gains_nothing(at))
            && !around.any(|chain| chain.color() != self.owner && chain.is_in_atari())
    }
}

/// Whether a chain is caught as it stands, and the attacker's moves that catch it.
fn read(board: &Board, stone: Point) -> Option<(bool, Vec<Point>)> {
    let owner = board.get(stone).unwrap();
    let mut reading = Reading { stone, owner, deepest: 3 * board.size().area() / 2, played: 0 };
    let liberties: Vec<Point> = board.chain_at(stone).unwrap().liberties().collect();
    let mut start = board.clone();
    let found = match liberties.len() {
        1 => {
            start.clear_ko();
            (reading.owner_is_caught(&start, 0), Vec::new())
        }
        2 => {
            let mut works = liberties;
            works.retain(|&at| {
                let Some(mut after) = reading.play(&start, owner.opponent(), at) else { return false };
                after.clear_ko();
                reading.owner_is_caught(&after, 0)
            });
            works.sort();
            (!works.is_empty(), works)
        }
        _ => (false, Vec::new()),
    };
    // Longer readings may be given up: they are left out.
    (reading.played < 5_000).then_some(found)
}

#[test]
fn ladders_agree_with_a_plain_reading_on_copies() {
    let mut random = Random::new(21);
    let (mut caught, mut compared) = (0, 0);
    for topology in Topology::ALL {
        for (width, height) in [(4, 4), (5, 7), (7, 7), (9, 9), (13, 13)] {
            let size = BoardSize::new(width, height).unwrap();
            for nth in 0..300 {
                let mut board = Board::new(size, topology);
                board.play_out(Color::Black, size.area() * (nth % 6 + 2) / 12, &mut random);
                let found = ladders(&board);
                for chain in board.chains() {
                    let Some((is_caught, works)) = read(&board, chain.head_point()) else { continue };
                    let laddered = found.iter().find(|l| l.stones.contains(&chain.head_point()));
                    let at = chain.head_point();
                    assert_eq!(laddered.is_some(), is_caught, "{at} {topology}\n{board}");
                    let mut moves = laddered.map(|l| l.working_moves.clone()).unwrap_or_default();
                    moves.sort();
                    assert_eq!(moves, works, "{at} {topology}\n{board}");
                    compared += 1;
                    caught += usize::from(is_caught);
                }
            }
        }
    }
    assert!(caught > 5_000 && compared > 40_000, "{caught} of {compared}");
}

/// A ladder from a diagram: whether it works, and its moves.
fn line(diagram: &str, stone: &str) -> Option<(bool, String)> {
    let board = Board::from_diagram(diagram, Topology::Plane).unwrap();
    let size = board.size();
    let honinbo_rules::Move::Place(point) = honinbo_rules::Move::from_gtp(stone, size).unwrap() else { unreachable!() };
    let found = honinbo_rules::ladder_line(&board, point, None)?;
    let words = found.moves.iter().map(|(_, at)| honinbo_rules::Move::Place(*at).to_gtp(size).to_string());
    Some((found.works, words.collect::<Vec<_>>().join(" ")))
}

const OPEN: &str = "
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . X . . . . .
    . . X O . . . . .
    . . . X . . . . .";

#[test]
fn a_ladder_runs_across_the_board_and_a_breaker_on_the_way_saves_the_chain() {
    let diagram = |breaker: bool| {
        let board = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . ? . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X O . . . . . .
        . . X X . . . . .";
        board.replace('?', if breaker { "O" } else { "." })
    };
    let (caught, long) = line(&diagram(false), "C2").unwrap();
    let (works, moves) = line(&diagram(true), "C2").unwrap();
    assert!(caught && !works, "{long} / {moves}");
    assert!(long.split(' ').count() > 10, "{long}");
    assert!(moves.split(' ').count() >= 6 && moves.starts_with("C3 D2 E2 D3"), "{long} / {moves}");
}

#[test]
fn only_a_chain_with_two_liberties_is_a_ladder() {
    assert_eq!(line(OPEN, "D2"), None, "one liberty");
    assert_eq!(line(OPEN, "D3"), None, "three liberties");
    assert_eq!(line(OPEN, "A1"), None, "no stone");
}

#[test]
fn lines_of_random_positions_end_as_the_reader_says() {
    let mut random = Random::new(11);
    let (mut caught, mut free, mut unplayable) = (0, 0, 0);
    for _ in 0..300 {
        let size = BoardSize::square(9).unwrap();
        let mut board = Board::new(size, Topology::Plane);
        let mut color = Color::Black;
        for _ in 0..45 {
            let points: Vec<Point> = board.legal_points(color, false).collect();
            let Some(&at) = points.get(random.below(points.len().max(1))) else { break };
            board.play(color, at).unwrap();
            color = color.opponent();
        }
        let targets: Vec<Point> =
            board.chains().filter(|chain| chain.liberties_up_to(3) == 2).map(|chain| chain.head_point()).collect();
        for point in targets {
            let works = honinbo_rules::LadderReader::new().captured_if_attacker_moves(&board, point);
            let Some(found) = honinbo_rules::ladder_line(&board, point, None) else {
                unplayable += 1;
                continue;
            };
            assert_eq!(found.works, works);
            let mut played = board.clone();
            for (color, at) in found.moves {
                assert!(played.is_legal(color, at, false));
                played.play(color, at).unwrap();
            }
            assert_eq!(played.get(point).is_none(), works);
            if works { caught += 1 } else { free += 1 }
        }
    }
    assert!(caught > 300 && free > 300, "{caught} {free}");
    assert!(unplayable * 20 < caught + free, "{unplayable} of {}", caught + free);
}

#[test]
fn a_line_begins_with_the_move_that_is_asked_for() {
    let board = Board::from_diagram(
        ". . . . . .
         . . . . . .
         . . X . . .
         . X O . . .
         . . . X . .
         . . . . . .",
        Topology::Plane,
    )
    .unwrap();
    let stone = Point::new(2, 3);
    let chain = board.chain_at(stone).unwrap();
    for first in chain.liberties() {
        let found = honinbo_rules::ladder_line(&board, stone, Some(first)).unwrap();
        assert!(found.works && found.moves[0] == (Color::Black, first), "{found:?}");
        let last = found.moves.iter().fold(board.clone(), |mut played, &(color, at)| {
            played.play(color, at).unwrap();
            played
        });
        assert_eq!(last.get(stone), None);
    }
    // Another move leaves the chain both its liberties.
    let elsewhere = honinbo_rules::ladder_line(&board, stone, Some(Point::new(5, 0)));
    assert_ne!(elsewhere.map(|found| found.works), Some(true));
    assert_eq!(honinbo_rules::ladder_line(&board, stone, Some(stone)), None, "not allowed");
}

#[test]
fn whoever_has_no_move_in_a_ladder_passes() {
    let [first, last] = [Point::new(0, 0), Point::new(1, 0)];
    let line = honinbo_rules::LadderLine { works: true, moves: vec![(Color::Black, first), (Color::Black, last)] };
    assert_eq!(line.moves_in_turn(), [Move::Place(first), Move::Pass, Move::Place(last)]);
}
