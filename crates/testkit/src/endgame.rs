//! Endgames of small closed boards, read to their end: how many points a player can be sure of.

use honinbo_rules::{Board, Color, Move, Point, PositionHash, area_map, pass_alive};
use std::collections::HashMap;

/// Bytes of stack for a reading: a way without a repetition may be hundreds of moves long.
const STACK: usize = 1 << 28;

/// What a repetition of a position comes to for the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    /// The worst: what the player reaches all the same, no ko takes away.
    Loses,
    /// The best: what the player does not reach even so, no ko brings.
    Wins,
}

/// Between which points a position lies for the player, and the move to try first.
#[derive(Debug, Clone, Copy)]
struct Known {
    low: i32,
    high: i32,
    first: Option<Move>,
}

/// Reads all moves of both until two passes, and counts by area with all stones standing: dead ones have to be taken.
///
/// A move where everything is settled already (D. B. Benson, 1976) is a pass, and read as one. What is known of a position
/// was found on some way to it; on another way there may be fewer repetitions, so with [`Repetition::Loses`] it is never
/// too good for the player, and with [`Repetition::Wins`] never too bad.
#[derive(Debug)]
pub struct EndgameReading {
    board: Board,
    player: Color,
    repetition: Repetition,
    known: HashMap<(PositionHash, Color, u8), Known>,
    way: Vec<PositionHash>,
}

impl EndgameReading {
    /// A position in which this player is to move.
    #[must_use]
    pub fn new(board: &Board, player: Color, repetition: Repetition) -> Self {
        let mut board = board.clone();
        board.clear_ko();
        Self { board, player, repetition, known: HashMap::new(), way: Vec::new() }
    }

    /// Whether the player comes to lead by so many points at least after some moves by turns, of which the player made the
    /// first. They have to be legal.
    pub fn reaches(&mut self, moves: &[Move], points: i32) -> bool {
        let (mut board, mut mover, mut passes) = (self.board.clone(), self.player, 0);
        self.way.clear();
        for &made in moves {
            if !self.way.contains(&board.hash()) {
                self.way.push(board.hash());
            }
            if let Move::Place(at) = made {
                board = played(&board, mover, at).expect("the moves are legal");
            }
            passes = if made == Move::Pass { passes + 1 } else { 0 };
            mover = mover.opponent();
        }
        std::thread::scope(|scope| {
            let reading = std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, || self.read(&board, mover, passes, points))
                .expect("the system has a thread left");
            reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn read(&mut self, board: &Board, mover: Color, passes: u8, points: i32) -> bool {
        if passes == 2 {
            return self.lead(&area_map(board, false)) >= points;
        }
        let hash = board.hash();
        let is_on_way = self.way.contains(&hash);
        if passes == 0 && is_on_way {
            return self.repetition == Repetition::Wins;
        }
        let key = (hash, mover, passes);
        let settled = pass_alive(board, false);
        let known = self.known.get(&key).copied().unwrap_or_else(|| {
            let open = i32::try_from(settled.iter().filter(|owner| owner.is_none()).count()).unwrap_or(i32::MAX);
            let lead = self.lead(&settled);
            Known { low: lead - open, high: lead + open, first: None }
        });
        if known.low >= points || known.high < points {
            return known.low >= points;
        }
        if !is_on_way {
            self.way.push(hash);
        }
        let is_player = mover == self.player;
        let turning = self.moves(board, mover, &settled, known.first).into_iter().find(|&made| {
            let reached = match made {
                Move::Pass => self.read(board, mover.opponent(), passes + 1, points),
                Move::Resign => !is_player,
                Move::Place(at) => {
                    let next = played(board, mover, at);
                    next.map_or(!is_player, |next| self.read(&next, mover.opponent(), 0, points))
                }
            };
            reached == is_player
        });
        if !is_on_way {
            self.way.pop();
        }
        let reaches = turning.is_some() == is_player;
        let bounds = if reaches { Known { low: points, ..known } } else { Known { high: points - 1, ..known } };
        self.known.insert(key, Known { first: turning.or(known.first), ..bounds });
        reaches
    }

    /// The moves where something is open, captures and contact first, and a pass.
    fn moves(&self, board: &Board, mover: Color, settled: &[Option<Color>], first: Option<Move>) -> Vec<Move> {
        let size = board.size();
        let touched = |at: Point| board.neighbors(at).filter(|&near| board.get(near) == Some(mover.opponent())).count();
        let mut points: Vec<Point> = board.empty_points().filter(|at| settled[at.index(size)].is_none()).collect();
        points.sort_by_key(|&at| std::cmp::Reverse(touched(at)));
        let mut moves: Vec<Move> = points.into_iter().map(Move::Place).chain([Move::Pass]).collect();
        if let Some(place) = first.and_then(|first| moves.iter().position(|&made| made == first)) {
            moves[..=place].rotate_right(1);
        }
        moves
    }

    fn lead(&self, owners: &[Option<Color>]) -> i32 {
        owners.iter().flatten().map(|&owner| if owner == self.player { 1 } else { -1 }).sum()
    }
}

/// The board after a legal move, without a ko: that is for the repetition to say.
fn played(board: &Board, color: Color, at: Point) -> Option<Board> {
    if !board.is_legal(color, at, false) {
        return None;
    }
    let mut next = board.clone();
    next.play(color, at).ok()?;
    next.clear_ko();
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::Topology;

    /// The lead that the player is sure of after a first move.
    fn worth(diagram: &str, player: Color, first: Move, repetition: Repetition) -> i32 {
        let board = Board::from_diagram(diagram, Topology::Plane).unwrap();
        let area = i32::try_from(board.size().area()).unwrap();
        let mut reading = EndgameReading::new(&board, player, repetition);
        (-area..=area).rev().find(|&points| reading.reaches(&[first], points)).unwrap()
    }

    fn both(diagram: &str, player: Color, first: Move) -> [i32; 2] {
        [Repetition::Loses, Repetition::Wins].map(|repetition| worth(diagram, player, first, repetition))
    }

    /// Two territories with one neutral point between them, D3.
    const LAST: &str = ". X . X O
                        X X X X O
                        X X X . O
                        O O O O O
                        . O . O .";

    #[test]
    fn the_last_neutral_point_is_one_point_of_area() {
        let at = Move::Place(Point::new(3, 2));
        assert_eq!(both(LAST, Color::Black, at), [-1, -1], "12 to 13");
        assert_eq!(both(LAST, Color::Black, Move::Pass), [-3, -3]);
        assert_eq!(both(LAST, Color::White, at), [3, 3]);
        assert_eq!(both(LAST, Color::White, Move::Pass), [1, 1]);
    }

    #[test]
    fn a_move_on_settled_ground_is_worth_a_pass() {
        assert_eq!(both(LAST, Color::White, Move::Place(Point::new(4, 4))), [1, 1], "two eyes are left");
    }

    #[test]
    fn a_ko_is_worth_more_where_repetitions_win() {
        let ko = ". X . X O . O
                  X X X . X O .
                  . X . X O O O
                  X X X O O . O
                  X X X O O O O
                  X . X X O O .
                  X X X X O O O";
        let at = Move::Place(Point::new(3, 1));
        let board = Board::from_diagram(ko, Topology::Plane).unwrap();
        assert!(board.is_legal(Color::White, at.point().unwrap(), false));
        let [least, most] = both(ko, Color::White, at);
        assert!(least < most, "{least} to {most}");
    }
}
