//! A frame around a position in a corner or at a side: the rest of the board, divided between both players in stones that
//! live, so that an engine looks at nothing but the position.
//!
//! The idea is that of the tsumego frames of other programs (<https://github.com/sanderland/katrain/issues/498>); this one
//! sets no ko threats, and proves by Benson's algorithm that what it sets lives.

use crate::area::pass_alive;
use crate::{Board, BoardSize, Color, Point, Topology};

/// Lines between the stones of the position and the frame.
const MARGIN: usize = 2;
/// Stones so near to an edge belong to a position at that edge.
const NEAR_EDGE: usize = 3;
/// The part of the board that must be left for a frame, as one of so many.
const MIN_OUTSIDE: usize = 3;
/// Parities of the columns and rows on which eyes are, in the order in which they are tried.
const EYES: [(usize, usize); 4] = [(1, 1), (0, 0), (1, 0), (0, 1)];

/// The part of a board that a position needs: first and last column, first and last row.
#[derive(Debug, Clone, Copy)]
struct Region {
    columns: (usize, usize),
    rows: (usize, usize),
}

impl Region {
    /// Lines outside of it, 0 within.
    fn distance(self, point: Point) -> usize {
        let beyond = |at: usize, (first, last): (usize, usize)| first.saturating_sub(at).max(at.saturating_sub(last));
        beyond(point.x(), self.columns).max(beyond(point.y(), self.rows))
    }

    /// Lines to the nearest of its borders behind which there is more of the board.
    fn depth(self, point: Point, size: BoardSize) -> usize {
        let sides = |at: usize, (first, last): (usize, usize), side: usize| {
            let low = if first > 0 { at - first } else { usize::MAX };
            let high = if last + 1 < side { last - at } else { usize::MAX };
            low.min(high)
        };
        sides(point.x(), self.columns, size.width()).min(sides(point.y(), self.rows, size.height()))
    }
}

/// Why there is no frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoFrame {
    /// The edges meet.
    #[error("a board whose edges meet has no side to frame")]
    JoinedEdges,
    /// Stones of one player, or none.
    #[error("a frame goes around stones of both players")]
    NoFight,
    /// The position takes too much of the board.
    #[error("there is no room for a frame")]
    NoRoom,
}

/// The board with a frame around its position.
///
/// Who is nearer to the open board is taken to be the one who surrounds. That player has the ring around the position, the
/// other the rest, so divided that who wins the fight is ahead by about half of the position's part of the board with a
/// komi of 0.
///
/// # Errors
/// [`NoFrame`].
pub fn framed(board: &Board) -> Result<Board, NoFrame> {
    if board.topology() != Topology::Plane {
        return Err(NoFrame::JoinedEdges);
    }
    if Color::ALL.iter().any(|&color| board.count(color) == 0) {
        return Err(NoFrame::NoFight);
    }
    let size = board.size();
    let region = region_of(board).ok_or(NoFrame::NoFight)?;
    let mut outside: Vec<Point> = Point::all(size).filter(|&point| region.distance(point) > 0).collect();
    let inside = size.area() - outside.len();
    if outside.len() * MIN_OUTSIDE < size.area() {
        return Err(NoFrame::NoRoom);
    }
    let attacker = attacker(board, region);
    // Nearest first; the sort keeps rows together, so both shares hang together.
    outside.sort_by_key(|&point| region.distance(point));
    let share = outside.len().saturating_sub(inside / 2) / 2;
    let mut owner: Vec<Option<Color>> = vec![None; size.area()];
    for (number, point) in outside.iter().enumerate() {
        owner[point.index(size)] = Some(if number < share { attacker } else { attacker.opponent() });
    }
    // Where eyes fit depends on how the share lies: in a narrow one they fit on every other line only.
    let mut parities = EYES.iter().flat_map(|&own| EYES.iter().map(move |&other| [own, other]));
    parities.find_map(|eyes| with_frame(board, &outside, &owner, attacker, eyes)).ok_or(NoFrame::NoRoom)
}

/// The board with these shares in stones, but for eyes of the attacker and of the other player on lines of these parities;
/// `None` where they would not live.
fn with_frame(
    board: &Board,
    outside: &[Point],
    owner: &[Option<Color>],
    attacker: Color,
    eyes: [(usize, usize); 2],
) -> Option<Board> {
    let size = board.size();
    let is_eye = |point: Point| {
        let own = owner[point.index(size)];
        let (x, y) = eyes[usize::from(own != Some(attacker))];
        point.x() % 2 == x && point.y() % 2 == y && board.neighbors(point).all(|next| owner[next.index(size)] == own)
    };
    let frame =
        outside.iter().filter(|&&point| !is_eye(point)).filter_map(|&point| Some((point, owner[point.index(size)]?)));
    let framed = Board::with_stones(size, board.topology(), board.stones().chain(frame.clone())).ok()?;
    let alive = pass_alive(&framed, true);
    frame.clone().all(|(point, color)| alive[point.index(size)] == Some(color)).then_some(framed)
}

fn region_of(board: &Board) -> Option<Region> {
    let span = |values: &mut dyn Iterator<Item = usize>, side: usize| {
        let (mut low, mut high) = (usize::MAX, 0);
        for value in values {
            (low, high) = (low.min(value), high.max(value));
        }
        let first = if low <= NEAR_EDGE { 0 } else { low - MARGIN };
        let last = if high + NEAR_EDGE + 1 >= side { side - 1 } else { high + MARGIN };
        (low <= high).then_some((first, last.min(side - 1)))
    };
    let size = board.size();
    Some(Region {
        columns: span(&mut board.stones().map(|(point, _)| point.x()), size.width())?,
        rows: span(&mut board.stones().map(|(point, _)| point.y()), size.height())?,
    })
}

/// Who is nearer to the open board on average.
fn attacker(board: &Board, region: Region) -> Color {
    let depth = |wanted: Color| {
        let own = board.stones().filter(|(_, color)| *color == wanted);
        let total: usize = own.map(|(point, _)| region.depth(point, board.size()).min(BoardSize::MAX)).sum();
        total as f64 / board.count(wanted).max(1) as f64
    };
    if depth(Color::Black) < depth(Color::White) { Color::Black } else { Color::White }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Symmetry, area_map};
    use proptest::prelude::*;

    fn board(side: usize, black: &[(usize, usize)], white: &[(usize, usize)]) -> Board {
        let stones = |points: &[(usize, usize)], color| {
            points.iter().map(|&(x, y)| (Point::new(x, y), color)).collect::<Vec<_>>()
        };
        let size = BoardSize::square(side).unwrap();
        Board::with_stones(size, Topology::Plane, [stones(black, Color::Black), stones(white, Color::White)].concat())
            .unwrap()
    }

    /// White in the corner, Black around.
    fn corner() -> Board {
        board(19, &[(4, 0), (4, 1), (3, 2), (2, 3), (1, 3), (0, 3)], &[(3, 0), (3, 1), (2, 2), (1, 2), (0, 2)])
    }

    #[test]
    fn who_surrounds_has_the_ring_and_the_fight_decides() {
        let framed = framed(&corner()).unwrap();
        let size = framed.size();
        for (point, color) in corner().stones() {
            assert_eq!(framed.get(point), Some(color), "the position stays");
        }
        assert_eq!(framed.get(Point::new(8, 0)), Some(Color::Black), "next to the position");
        assert_eq!(framed.get(Point::new(18, 18)), Some(Color::White), "far from it");
        let lead = |board: &Board| -> i32 {
            area_map(board, true).into_iter().flatten().map(|color| if color == Color::Black { 1 } else { -1 }).sum()
        };
        // Half of the seven columns and six rows or so that belong to the position, either way.
        let without = |color: Color| {
            let stones = framed.stones().filter(|&(point, stone)| !(stone == color && point.x() < 7 && point.y() < 6));
            Board::with_stones(size, Topology::Plane, stones).unwrap()
        };
        assert!(lead(&without(Color::White)) > 10, "{}", lead(&without(Color::White)));
        assert!(lead(&without(Color::Black)) < -10, "{}", lead(&without(Color::Black)));
    }

    #[test]
    fn a_narrow_share_lives_too() {
        // A position along a whole side of a small board leaves three lines for who surrounds.
        let black: Vec<_> = (6..13).map(|x| (x, 2)).collect();
        let white: Vec<_> = (6..13).flat_map(|x| [(x, 0), (x, 1)]).chain([(3, 1)]).collect();
        assert!(framed(&board(13, &black, &white)).is_ok());
    }

    #[test]
    fn there_is_no_frame_without_room_or_without_a_fight() {
        let refused = |board: &Board| framed(board).err();
        assert_eq!(refused(&board(19, &[(3, 3)], &[])), Some(NoFrame::NoFight));
        let whole = board(19, &[(3, 3), (15, 15)], &[(3, 15), (15, 3)]);
        assert_eq!(refused(&whole), Some(NoFrame::NoRoom), "the whole board");
        assert_eq!(refused(&board(9, &[(2, 2), (5, 5)], &[(3, 3)])), Some(NoFrame::NoRoom), "a small board");
        let size = BoardSize::square(19).unwrap();
        let torus = Board::with_stones(size, Topology::Torus, corner().stones()).unwrap();
        assert_eq!(refused(&torus), Some(NoFrame::JoinedEdges));
    }

    proptest! {
        #[test]
        fn a_frame_lives_and_leaves_the_position_alone_under_every_symmetry(
            stones in prop::collection::btree_map((0usize..8, 0usize..7), prop::bool::ANY, 2..20), number in 0usize..8, side in 13usize..20,
        ) {
            let size = BoardSize::square(side).unwrap();
            let stones = stones.into_iter().map(|((x, y), black)| (Point::new(x, y), if black { Color::Black } else { Color::White }));
            let Ok(board) = Board::with_stones(size, Topology::Plane, stones) else { return Ok(()) };
            let board = board.transformed(Symmetry::new(number).unwrap());
            if let Ok(framed) = framed(&board) {
                let region = region_of(&board).unwrap();
                let alive = pass_alive(&framed, true);
                for point in Point::all(size) {
                    if region.distance(point) == 0 {
                        prop_assert_eq!(framed.get(point), board.get(point));
                    } else if let Some(color) = framed.get(point) {
                        prop_assert_eq!(alive[point.index(size)], Some(color));
                    } else {
                        prop_assert!(alive[point.index(size)].is_some(), "an eye");
                    }
                }
            }
        }
    }
}
