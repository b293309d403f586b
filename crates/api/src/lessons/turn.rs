//! How a position is turned before it is asked, so that no picture is learnt by heart.

use crate::games::session::{sign, vertex};
use crate::{ApiError, CardBoard, LineView, Vertex};
use honinbo_rules::{Board, BoardSize, Color, Game, Move, Point, Symmetry, Topology, splitmix};

/// One of the eight symmetries of the board, with the colours as they are or exchanged. Along sides that are joined the
/// stones are shifted before that, all by the same; anywhere else a shift would make another position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn {
    symmetry: Symmetry,
    swapped: bool,
    /// Columns and rows, less than the board has.
    shift: (usize, usize),
}

/// The bit of a turn's number that says that the colours are exchanged.
pub(crate) const SWAPPED: u32 = 8;

/// How many shifts there are along the columns and along the rows: one where the sides are not joined, the one by nothing.
fn ways(size: BoardSize, topology: Topology) -> (usize, usize) {
    let along = |wraps, length| if wraps { length } else { 1 };
    (along(topology.wraps_x(), size.width()), along(topology.wraps_y(), size.height()))
}

/// Moves of a line that are shown.
const MAX_LINE: usize = 12;

impl Turn {
    /// As it was played.
    pub(crate) const NONE: Self = Self { symmetry: Symmetry::IDENTITY, swapped: false, shift: (0, 0) };

    /// The turn of this number on such a board: bits 0 to 2 the symmetry, 3 where the colours are exchanged, 8 to 15 the
    /// columns that it is shifted by, 16 to 23 the rows.
    pub(crate) fn of_number(number: u32, size: BoardSize, topology: Topology) -> Option<Self> {
        let byte = |at: u32| (number >> at & 0xff) as usize;
        let (columns, rows) = ways(size, topology);
        let shift = (byte(8), byte(16));
        if number >> 24 != 0 || byte(0) > 15 || shift.0 >= columns || shift.1 >= rows {
            return None;
        }
        Some(Self { symmetry: Symmetry::new(byte(0) & 7)?, swapped: number & SWAPPED != 0, shift })
    }

    /// The turn that somebody names, for such a board.
    pub(crate) fn named(number: u32, board: &Board) -> Result<Self, ApiError> {
        Self::of_number(number, board.size(), board.topology()).ok_or_else(|| ApiError::InvalidRequest {
            message: format!("this board has no turn {number}; name the one that it was shown with"),
        })
    }

    /// How a card is asked for the time after so many answers: another way each time, the same whoever asks.
    pub(crate) fn of_asking(card: &str, answers: u32, size: BoardSize, topology: Topology) -> u32 {
        let seed = card.bytes().fold(0, |seed, byte| splitmix(seed ^ u64::from(byte)));
        // Every odd step goes through all sixteen before one comes again.
        let step = (splitmix(!seed) & 14) as u32 | 1;
        let number = ((splitmix(seed) & 15) as u32).wrapping_add(answers.wrapping_mul(step));
        // On a cylinder the axes differ.
        let kept = if topology == Topology::Cylinder { 0b1011 } else { 0b1111 };
        let (columns, rows) = ways(size, topology);
        let chance = splitmix(seed ^ splitmix(u64::from(answers)));
        let (column, row) = (chance % columns as u64, (chance >> 32) % rows as u64);
        number & kept | (column as u32) << 8 | (row as u32) << 16
    }

    /// Where a point lies once the stones are shifted.
    fn shifted(self, point: Point, size: BoardSize) -> Point {
        let x = (point.x() + self.shift.0) % size.width();
        let y = (point.y() + self.shift.1) % size.height();
        Point::new(x, y)
    }

    /// The other way round.
    fn unshifted(self, point: Point, size: BoardSize) -> Point {
        let x = (point.x() + size.width() - self.shift.0) % size.width();
        let y = (point.y() + size.height() - self.shift.1) % size.height();
        Point::new(x, y)
    }

    /// Where the person sees a point.
    fn seen(self, point: Point, size: BoardSize) -> Point {
        self.symmetry.apply(self.shifted(point, size), size)
    }

    pub(crate) fn color(self, color: Color) -> Color {
        if self.swapped { color.opponent() } else { color }
    }

    /// The board as the person sees it.
    pub(crate) fn board_size(self, size: BoardSize) -> BoardSize {
        self.symmetry.apply_size(size)
    }

    /// A move as the person sees it.
    pub(crate) fn vertex(self, played: Move, size: BoardSize) -> Vertex {
        let image = self.symmetry.apply_size(size);
        played.point().map(|point| vertex(self.seen(point, size), image))
    }

    /// A move that the person made, on the board as it was played; `None` where it is not on the board.
    pub(crate) fn back(self, seen: Vertex, size: BoardSize) -> Option<Move> {
        let image = self.symmetry.apply_size(size);
        match seen {
            None => Some(Move::Pass),
            Some(index) if usize::from(index) < image.area() => {
                let point = Point::from_index(index.into(), image);
                Some(Move::Place(self.unshifted(self.symmetry.inverse().apply(point, image), size)))
            }
            Some(_) => None,
        }
    }

    /// Values of points row by row, each where the person sees its point.
    pub(crate) fn map<T: Clone + Default>(self, size: BoardSize, value: impl Fn(Point) -> T) -> Vec<T> {
        let image = self.symmetry.apply_size(size);
        let mut seen = vec![T::default(); size.area()];
        for point in Point::all(size) {
            seen[self.seen(point, size).index(image)] = value(point);
        }
        seen
    }

    fn stones(self, board: &Board) -> Vec<i8> {
        let size = board.size();
        let stones: Vec<Option<Color>> = board.points().collect();
        self.map(size, |point| stones[point.index(size)].map_or(0, |color| sign(self.color(color))))
    }

    /// The position that is asked.
    pub(crate) fn board(self, game: &Game) -> CardBoard {
        let board = game.board();
        let size = board.size();
        let (image, to_play) = (self.symmetry.apply_size(size), game.to_play());
        let small = |side: usize| u8::try_from(side).unwrap_or(u8::MAX);
        let may_play = |point| !game.is_over() && game.legality(to_play, Move::Place(point)).is_ok();
        let captured = |color| u16::try_from(board.captured_by(self.color(color))).unwrap_or(u16::MAX);
        let last = game.turns().last().map(|turn| turn.played);
        CardBoard {
            width: small(image.width()),
            height: small(image.height()),
            topology: board.topology().into(),
            stones: self.stones(board),
            legal: self.map(size, |point| u8::from(may_play(point))),
            to_move: crate::games::session::side(self.color(to_play)),
            last_move: last.and_then(|last| self.vertex(last, size)),
            ko: board.ko_point().and_then(|point| self.vertex(Move::Place(point), size)),
            captured_by_black: captured(Color::Black),
            captured_by_white: captured(Color::White),
        }
    }

    /// A line from a position on, with the stones after each move; it ends before a move that cannot be played.
    pub(crate) fn line(self, game: &Game, moves: &[Move]) -> LineView {
        self.line_of(game, moves, MAX_LINE)
    }

    /// As [`Turn::line`], with so many moves at most.
    pub(crate) fn line_of(self, game: &Game, moves: &[Move], limit: usize) -> LineView {
        let size = game.board().size();
        let mut game = game.clone();
        let mut line = LineView { moves: Vec::new(), boards: Vec::new() };
        for &played in moves.iter().take(limit) {
            if game.play(game.to_play(), played).is_err() {
                break;
            }
            line.moves.push(self.vertex(played, size));
            line.boards.push(self.stones(game.board()));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::{Preset, Setup, canonical_hash};

    #[test]
    fn a_move_goes_to_the_persons_board_and_back_under_every_turn() {
        for (width, height) in [(9, 9), (9, 13)] {
            let size = BoardSize::new(width, height).unwrap();
            for number in 0..16 {
                let turn = Turn::of_number(number, size, Topology::Plane).unwrap();
                for point in Point::all(size) {
                    let seen = turn.vertex(Move::Place(point), size);
                    assert_eq!(turn.back(seen, size), Some(Move::Place(point)), "turn {number}");
                }
                assert_eq!(turn.back(turn.vertex(Move::Pass, size), size), Some(Move::Pass));
                assert_eq!(turn.back(Some(u16::try_from(size.area()).unwrap()), size), None);
            }
        }
        let size = BoardSize::square(9).unwrap();
        for (number, topology) in [
            (16, Topology::Plane),
            (0x100, Topology::Plane),
            (0x10000, Topology::Cylinder),
            (0x900, Topology::Torus),
            (1 << 24, Topology::Torus),
        ] {
            assert_eq!(Turn::of_number(number, size, topology), None, "{number} {topology:?}");
        }
        assert!(Turn::of_number(0x100, size, Topology::Cylinder).is_some());
    }

    #[test]
    fn stones_players_and_what_may_be_played_are_turned_together() {
        let mut game =
            Game::new(Setup { size: BoardSize::new(5, 7).unwrap(), ..Setup::preset(Preset::Chinese) }).unwrap();
        let size = game.board().size();
        for text in ["A7", "B6", "C1"] {
            game.play(game.to_play(), Move::from_gtp(text, size).unwrap()).unwrap();
        }
        for number in 0..16 {
            let turn = Turn::of_number(number, size, Topology::Plane).unwrap();
            let seen = turn.board(&game);
            let swapped = number >= 8;
            assert_eq!((seen.width == 7, seen.stones.len()), (number & 4 != 0, 35));
            assert_eq!(seen.to_move == crate::Side::White, !swapped);
            assert_eq!(seen.stones.iter().map(|&stone| i32::from(stone)).sum::<i32>(), if swapped { -1 } else { 1 });
            let last = usize::from(seen.last_move.unwrap());
            assert_eq!((seen.stones[last], seen.legal[last]), (if swapped { -1 } else { 1 }, 0));
            assert_eq!(seen.legal.iter().filter(|&&may| may == 1).count(), 32);
        }
    }

    #[test]
    fn a_card_is_asked_in_sixteen_ways_before_one_comes_again() {
        for card in ["1", "2", "77"] {
            let size = BoardSize::square(9).unwrap();
            let asked = |topology| (0..16).map(move |answers| Turn::of_asking(card, answers, size, topology));
            let mut seen: Vec<u32> = asked(Topology::Plane).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..16).collect::<Vec<u32>>());
            assert!(asked(Topology::Cylinder).all(|number| number & 4 == 0 && number >> 16 == 0));
            for topology in Topology::ALL {
                assert!(asked(topology).all(|number| Turn::of_number(number, size, topology).is_some()));
            }
            let shifts = |at: u32| {
                asked(Topology::Torus).map(move |number| number >> at & 0xff).collect::<std::collections::BTreeSet<_>>()
            };
            assert!(shifts(8).len() > 4 && shifts(16).len() > 4, "{:?} {:?}", shifts(8), shifts(16));
        }
    }

    #[test]
    fn a_torus_is_shifted_and_stays_the_same_position() {
        let size = BoardSize::new(5, 7).unwrap();
        let setup = Setup { size, topology: Topology::Torus, ..Setup::preset(Preset::Chinese) };
        let mut game = Game::new(setup.clone()).unwrap();
        for text in ["A7", "B6", "C1", "E4", "E7"] {
            game.play(game.to_play(), Move::from_gtp(text, size).unwrap()).unwrap();
        }
        let wanted = canonical_hash(game.board(), game.to_play());
        for answers in 0..64 {
            let number = Turn::of_asking("card", answers, size, Topology::Torus) & !SWAPPED;
            let turn = Turn::of_number(number, size, Topology::Torus).unwrap();
            for point in Point::all(size) {
                let seen = turn.vertex(Move::Place(point), size);
                assert_eq!(turn.back(seen, size), Some(Move::Place(point)), "turn {number:x}");
            }
            let image = turn.board_size(size);
            let mut moved = Game::new(Setup { size: image, ..setup.clone() }).unwrap();
            for played in game.turns() {
                let seen = turn.vertex(played.played, size).unwrap();
                moved.play(moved.to_play(), Move::Place(Point::from_index(seen.into(), image))).unwrap();
            }
            assert_eq!(canonical_hash(moved.board(), moved.to_play()), wanted, "turn {number:x}");
            let stones: Vec<i8> = moved.board().points().map(|color| color.map_or(0, sign)).collect();
            assert_eq!(turn.board(&game).stones, stones, "turn {number:x}");
        }
    }
}
