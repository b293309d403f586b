//! What a diagram shows: a part of a board, numbers and marks.

use crate::content::Exercise;
use honinbo_rules::{Board, BoardSize, Color, Move, Point, Topology};

/// Lines beyond the last stone that a part of a board shows.
const MARGIN: usize = 2;
/// A part that comes so near to an edge goes up to it.
const NEAR_EDGE: usize = 3;
/// A part with more of the board than this share is the whole board.
const MAX_PART: f32 = 0.6;
/// Moves of a solution that are drawn; more would cover each other.
pub(crate) const MAX_NUMBERS: usize = 30;

/// A rectangle of points, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) left: usize,
    pub(crate) top: usize,
    pub(crate) right: usize,
    pub(crate) bottom: usize,
}

/// A stone of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stone {
    pub(crate) at: Point,
    pub(crate) color: Color,
    /// The number of its move, or `×`.
    pub(crate) label: String,
}

/// A board as it is drawn.
#[derive(Debug, Clone)]
pub(crate) struct Diagram {
    pub(crate) size: BoardSize,
    pub(crate) topology: Topology,
    pub(crate) window: Window,
    pub(crate) stones: Vec<Stone>,
    /// The mark of the move of the game, on an empty point.
    pub(crate) cross: Option<Point>,
    /// Moves that cannot be drawn: number, and where.
    pub(crate) aside: Vec<(usize, Move, Option<usize>)>,
}

impl Diagram {
    /// The position.
    pub(crate) fn question(exercise: &Exercise) -> Self {
        let stones = exercise.board.stones().map(|(at, color)| Stone { at, color, label: String::new() }).collect();
        Self {
            size: exercise.board.size(),
            topology: exercise.board.topology(),
            window: window(exercise),
            stones,
            cross: None,
            aside: Vec::new(),
        }
    }

    /// The position with the moves of its solution.
    pub(crate) fn solution(exercise: &Exercise) -> Self {
        let mut diagram = Self::question(exercise);
        let mut color = exercise.to_play;
        for (index, played) in exercise.solution().into_iter().take(MAX_NUMBERS).enumerate() {
            let number = index + 1;
            match played {
                Move::Place(at) => match diagram.stones.iter().find(|stone| stone.at == at) {
                    // On a point where a stone was: it is said beside the diagram, as books do.
                    Some(below) => diagram.aside.push((number, played, below.label.parse().ok())),
                    None => diagram.stones.push(Stone { at, color, label: number.to_string() }),
                },
                _ => diagram.aside.push((number, played, None)),
            }
            color = color.opponent();
        }
        let cross = exercise.played.and_then(Move::point);
        diagram.cross = cross.filter(|cross| diagram.stones.iter().all(|stone| stone.at != *cross));
        diagram
    }

    /// Whether the part ends at an edge of the board on the left, right, top and bottom; elsewhere its lines go on.
    pub(crate) fn edges(&self) -> [bool; 4] {
        let (window, size) = (self.window, self.size);
        let (ends_x, ends_y) = (!self.topology.wraps_x(), !self.topology.wraps_y());
        [
            ends_x && window.left == 0,
            ends_x && window.right + 1 == size.width(),
            ends_y && window.top == 0,
            ends_y && window.bottom + 1 == size.height(),
        ]
    }

    /// The marked points; none where edges meet.
    pub(crate) fn stars(&self) -> Vec<Point> {
        if self.topology == Topology::Plane { stars(self.size) } else { Vec::new() }
    }
}

/// The part of the board that matters: all stones, what is right, and some lines around. Games have the whole board.
fn window(exercise: &Exercise) -> Window {
    let size = exercise.board.size();
    let whole = Window { left: 0, top: 0, right: size.width() - 1, bottom: size.height() - 1 };
    if exercise.board.topology() != Topology::Plane {
        return whole;
    }
    let mut points: Vec<Point> = exercise.board.stones().map(|(at, _)| at).collect();
    points.extend(exercise.solution().into_iter().chain(exercise.also_right()).filter_map(Move::point));
    let reach = |values: &mut dyn Iterator<Item = usize>, length: usize| -> Option<(usize, usize)> {
        let (low, high) = values.fold((usize::MAX, 0), |(low, high), value| (low.min(value), high.max(value)));
        (low <= high).then(|| {
            let (low, high) = (low.saturating_sub(MARGIN), (high + MARGIN).min(length - 1));
            (if low < NEAR_EDGE { 0 } else { low }, if length - 1 - high < NEAR_EDGE { length - 1 } else { high })
        })
    };
    let across = reach(&mut points.iter().map(|at| at.x()), size.width());
    let down = reach(&mut points.iter().map(|at| at.y()), size.height());
    let (Some((left, right)), Some((top, bottom))) = (across, down) else { return whole };
    let part = ((right - left + 1) * (bottom - top + 1)) as f32 / size.area() as f32;
    if part > MAX_PART { whole } else { Window { left, top, right, bottom } }
}

impl Window {
    pub(crate) fn columns(&self) -> usize {
        self.right - self.left + 1
    }

    pub(crate) fn rows(&self) -> usize {
        self.bottom - self.top + 1
    }

    pub(crate) fn holds(&self, at: Point) -> bool {
        (self.left..=self.right).contains(&at.x()) && (self.top..=self.bottom).contains(&at.y())
    }
}

/// How a column is called.
pub(crate) fn column_name(column: usize, size: BoardSize) -> String {
    let name = Point::new(column, size.height() - 1).to_gtp(size);
    name.trim_end_matches(|letter: char| letter.is_ascii_digit()).to_owned()
}

/// The marked points of an ordinary board.
fn stars(size: BoardSize) -> Vec<Point> {
    let line = |length: usize| -> Vec<usize> {
        let edge = if length < 12 { 2 } else { 3 };
        match length {
            0..=6 => Vec::new(),
            _ if length % 2 == 1 => vec![edge, length / 2, length - 1 - edge],
            _ => vec![edge, length - 1 - edge],
        }
    };
    let (across, down) = (line(size.width()), line(size.height()));
    let is_side = |x: usize, y: usize| {
        let (middle_x, middle_y) = (size.width() / 2, size.height() / 2);
        (x == middle_x) != (y == middle_y) && size.width().min(size.height()) < 15
    };
    let points = across.iter().flat_map(|&x| down.iter().map(move |&y| (x, y)));
    points.filter(|&(x, y)| !is_side(x, y)).map(|(x, y)| Point::new(x, y)).collect()
}

/// The board after a move, or as it was where the move is none.
pub(crate) fn after(board: &Board, color: Color, played: Move) -> Board {
    let mut board = board.clone();
    if let Some(at) = played.point() {
        // What a file holds may break the rules; it is shown as far as it goes.
        let _ = board.play(color, at);
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Try;

    fn exercise(width: usize, stones: &[(usize, usize)]) -> Exercise {
        joined(width, stones, Topology::Plane)
    }

    fn joined(width: usize, stones: &[(usize, usize)], topology: Topology) -> Exercise {
        let size = BoardSize::new(width, width).unwrap();
        let stones: Vec<(Point, Color)> = stones.iter().map(|&(x, y)| (Point::new(x, y), Color::Black)).collect();
        let board = Board::with_stones(size, topology, stones).unwrap();
        let tries = vec![Try::new(Move::Place(Point::new(1, 1)), true)];
        Exercise { heading: String::new(), text: String::new(), board, to_play: Color::White, tries, played: None }
    }

    #[test]
    fn a_corner_is_shown_as_a_corner_and_a_game_as_a_board() {
        let corner = window(&exercise(19, &[(0, 3), (4, 2)]));
        assert_eq!(corner, Window { left: 0, top: 0, right: 6, bottom: 5 });
        let game = window(&exercise(19, &[(3, 3), (15, 15), (3, 15)]));
        assert_eq!((game.columns(), game.rows()), (19, 19));
        assert_eq!(window(&exercise(9, &[])).columns(), 4);
        // Each right move can be found, and played on the page.
        let mut two = exercise(19, &[(0, 3), (4, 2)]);
        two.tries.push(Try::new(Move::Place(Point::new(8, 1)), true));
        assert_eq!(window(&two), Window { right: 10, ..corner });
    }

    #[test]
    fn lines_go_on_over_edges_that_meet() {
        let of = |topology| Diagram::question(&joined(19, &[(0, 3), (4, 2)], topology));
        assert_eq!(of(Topology::Plane).edges(), [true, false, true, false]);
        assert_eq!(of(Topology::Cylinder).edges(), [false, false, true, true]);
        assert_eq!((of(Topology::Torus).edges(), of(Topology::Torus).stars()), ([false; 4], Vec::new()));
        assert!(!Diagram::question(&exercise(9, &[(3, 3), (6, 6)])).stars().is_empty());
    }

    #[test]
    fn stars_are_where_players_know_them() {
        let stars = |width| stars(BoardSize::new(width, width).unwrap()).len();
        assert_eq!([19, 13, 9, 5].map(stars), [9, 5, 5, 0]);
    }
}
