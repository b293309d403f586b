//! A ladder, move by move to its end.

use crate::{Board, Color, LadderReader, Move, Point};

/// A ladder that was played out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LadderLine {
    /// Whether the chain is caught.
    pub works: bool,
    /// The moves from the attacker's first on: to the capture, or until the chain is out of it. They take turns, but for the
    /// capture of a chain whose owner has no move any more.
    pub moves: Vec<(Color, Point)>,
}

impl LadderLine {
    /// The moves in turn: whoever has none passes.
    #[must_use]
    pub fn moves_in_turn(&self) -> Vec<Move> {
        let (mut moves, mut last) = (Vec::with_capacity(self.moves.len() + 1), None);
        for &(color, at) in &self.moves {
            if last == Some(color) {
                moves.push(Move::Pass);
            }
            moves.push(Move::Place(at));
            last = Some(color);
        }
        moves
    }
}

/// The ladder around a chain with two liberties whose opponent moves first. Whether it works is [`LadderReader`]'s to say;
/// the attacker's moves are working ones, or, where none works, those that leave the chain fewest liberties; the owner's
/// save the chain where one does, or resist longest. With a `first` move of the attacker it is the ladder that begins
/// with this one, and works where the chain is caught after it.
///
/// `None` for a chain with another number of liberties, for a first move that is not allowed, and where the reader's answer cannot be played: it looks past a ko.
///
/// ```
/// use honinbo_rules::{Board, Point, Topology, ladder_line};
/// let board = Board::from_diagram(
///     ". . . . . .
///      . . . . . .
///      . . X . . .
///      . X O . . .
///      . . . X . .
///      . . . . . .", Topology::Plane).unwrap();
/// let line = ladder_line(&board, Point::new(2, 3), None).unwrap();
/// assert!(line.works);
/// ```
#[must_use]
pub fn ladder_line(board: &Board, point: Point, mut first: Option<Point>) -> Option<LadderLine> {
    let owner = board.get(point)?;
    if liberties(board, point).len() != 2 {
        return None;
    }
    let mut reader = LadderReader::new();
    let works = match first {
        None => reader.captured_if_attacker_moves(board, point),
        Some(first) => reader.captured_if_owner_moves(&after(board, owner.opponent(), first)?, point),
    };
    let mut line = Line { reader, board: board.clone(), point, owner, moves: Vec::new() };
    let limit = 3 * board.size().area() / 2;
    while line.moves.len() < limit {
        if liberties(&line.board, point).len() > 2 {
            return (!works).then_some(LadderLine { works, moves: line.moves });
        }
        // Where no atari is left to give, the chain is out of it.
        let Some(attack) = first.take().or_else(|| line.attack(works)) else {
            return (!works).then_some(LadderLine { works, moves: line.moves });
        };
        line.play(owner.opponent(), attack)?;
        if line.board.get(point).is_none() {
            return works.then_some(LadderLine { works, moves: line.moves });
        }
        match line.reply(works) {
            Some(reply) => line.play(owner, reply)?,
            // The chain cannot move any more.
            None if works => {
                let last = liberties(&line.board, point).first().copied()?;
                line.play(owner.opponent(), last)?;
                return line.board.get(point).is_none().then_some(LadderLine { works, moves: line.moves });
            }
            None => return None,
        }
    }
    None
}

struct Line {
    reader: LadderReader,
    board: Board,
    /// A stone of the chain.
    point: Point,
    owner: Color,
    moves: Vec<(Color, Point)>,
}

impl Line {
    fn play(&mut self, color: Color, at: Point) -> Option<()> {
        self.board.play(color, at).ok()?;
        self.moves.push((color, at));
        Some(())
    }

    fn attack(&mut self, works: bool) -> Option<Point> {
        let attacker = self.owner.opponent();
        let mut best: Option<(usize, Point)> = None;
        for at in liberties(&self.board, self.point) {
            let Some(board) = after(&self.board, attacker, at) else { continue };
            let gone = board.get(self.point).is_none();
            if works {
                if gone || self.reader.captured_if_owner_moves(&board, self.point) {
                    return Some(at);
                }
                continue;
            }
            // How far the chain gets if it simply runs.
            let run = liberties(&board, self.point).first().copied().and_then(|run| {
                let mut board = board.clone();
                board.play(self.owner, run).ok()?;
                Some(liberties(&board, self.point).len())
            });
            let run = run.unwrap_or(0);
            if best.is_none_or(|(least, _)| run < least) {
                best = Some((run, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// A move that saves the chain; where it is caught, the one that leaves it most liberties.
    fn reply(&mut self, works: bool) -> Option<Point> {
        let run = liberties(&self.board, self.point);
        let takes: Vec<Point> = self.board.chain_at(self.point).map(|chain| {
            let around = chain.stones().flat_map(|stone| self.board.neighbors(stone));
            let attackers = around.filter(|&at| self.board.get(at) == Some(self.owner.opponent()));
            attackers
                .filter_map(|at| Some(liberties(&self.board, at)).filter(|few| few.len() == 1)?.first().copied())
                .collect()
        })?;
        let mut longest: Option<(usize, Point)> = None;
        for at in run.into_iter().chain(takes) {
            let Some(board) = after(&self.board, self.owner, at) else { continue };
            let free = liberties(&board, self.point).len();
            let caught = free < 2 || free == 2 && self.reader.captured_if_attacker_moves(&board, self.point);
            if !works && !caught {
                return Some(at);
            }
            if works && longest.is_none_or(|(most, _)| free > most) {
                longest = Some((free, at));
            }
        }
        longest.map(|(_, at)| at)
    }
}

/// The board after a move, where it is allowed.
fn after(board: &Board, color: Color, at: Point) -> Option<Board> {
    let mut board = board.clone();
    board.is_legal(color, at, false).then(|| board.play(color, at).ok()).flatten()?;
    Some(board)
}

fn liberties(board: &Board, point: Point) -> Vec<Point> {
    board.chain_at(point).map(|chain| chain.liberties().collect()).unwrap_or_default()
}
