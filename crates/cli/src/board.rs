//! A board in a terminal.

use honinbo_rules::{Board, BoardSize, Color, Point, Topology};

/// What is shown beside the stones.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// The last move.
    pub(crate) last: Option<Point>,
    /// Candidates, best first; numbered from 1.
    pub(crate) candidates: Vec<Point>,
}

const BOARD: &str = "\u{1b}[48;5;179m";
const BLACK: &str = "\u{1b}[38;5;16m";
const WHITE: &str = "\u{1b}[38;5;231m";
const LINES: &str = "\u{1b}[38;5;94m";
const CANDIDATE: &str = "\u{1b}[1;38;5;25m";
const RESET: &str = "\u{1b}[0m";

/// The lines of a board with its coordinates: `X` and `O` in plain text, stones on wood with colours.
pub(crate) fn draw(board: &Board, marks: &Marks, color: bool) -> Vec<String> {
    let size = board.size();
    let margin = size.height().to_string().len();
    let columns: Vec<String> = (0..size.width()).map(|x| column(x, size)).collect();
    // Boards wider than the alphabet have columns of two letters.
    let width = columns.iter().map(String::len).max().unwrap_or(1);
    let header: String = columns.iter().map(|name| format!(" {name:^width$}")).collect();
    let header = format!("{:margin$} {}", "", header.trim_end());

    let mut lines = vec![header.clone()];
    for y in 0..size.height() {
        let mut cells = String::new();
        for x in 0..size.width() {
            let point = Point::new(x, y);
            let is_last = marks.last == Some(point);
            let before = match (is_last, x.checked_sub(1).map(|x| Point::new(x, y))) {
                (true, _) => "(",
                (false, left) if left.is_some() && left == marks.last => ")",
                _ => " ",
            };
            cells.push_str(&paint(before, LINES, color));
            let (text, ink) = cell(board, point, marks, color);
            cells.push_str(&paint(&format!("{text:^width$}"), ink, color));
        }
        let end = if marks.last == Some(Point::new(size.width() - 1, y)) { ")" } else { " " };
        cells.push_str(&paint(end, LINES, color));
        let number = size.height() - y;
        let row = if color { format!("{BOARD}{cells}{RESET}") } else { cells };
        lines.push(format!("{number:>margin$} {row} {number}"));
    }
    lines.push(header);
    lines
}

fn cell(board: &Board, point: Point, marks: &Marks, color: bool) -> (String, &'static str) {
    let candidate = marks.candidates.iter().position(|&candidate| candidate == point);
    match (board.get(point), candidate) {
        (Some(Color::Black), _) => (if color { "●" } else { "X" }.into(), BLACK),
        (Some(Color::White), _) => (if color { "●" } else { "O" }.into(), WHITE),
        (None, Some(order)) => ((order + 1).to_string(), CANDIDATE),
        (None, None) if is_star(point, board) => ("+".into(), LINES),
        (None, None) => (if color { "·" } else { "." }.into(), LINES),
    }
}

fn paint(text: &str, ink: &str, color: bool) -> String {
    if color { format!("{ink}{text}") } else { text.to_string() }
}

/// The letters of a column, as in `Q16`.
fn column(x: usize, size: BoardSize) -> String {
    Point::new(x, size.height() - 1).to_gtp(size).trim_end_matches(|letter: char| letter.is_ascii_digit()).to_string()
}

/// Where a wooden board has its dots; none where edges meet.
fn is_star(point: Point, board: &Board) -> bool {
    if board.topology() != Topology::Plane {
        return false;
    }
    let size = board.size();
    let marked = |at: usize, length: usize| {
        let edge = if length >= 13 { 3 } else { 2 };
        let middle = length % 2 == 1 && at == length / 2;
        length >= 7 && (at == edge || at + 1 + edge == length || middle)
    };
    let (x, y) = (point.x(), point.y());
    let (middle_x, middle_y) = (2 * x + 1 == size.width(), 2 * y + 1 == size.height());
    // Small boards have no dots on the sides.
    let on_side = middle_x != middle_y;
    marked(x, size.width()) && marked(y, size.height()) && (!on_side || size.width().min(size.height()) >= 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_board_with_its_marks() {
        let size = BoardSize::new(7, 5).unwrap();
        let stones = [(Point::new(2, 1), Color::Black), (Point::new(6, 1), Color::White)];
        let board = Board::with_stones(size, Topology::Plane, stones).unwrap();
        let marks = Marks { last: Some(Point::new(6, 1)), candidates: vec![Point::new(0, 0), Point::new(3, 4)] };
        insta::assert_snapshot!(draw(&board, &marks, false).join("\n"), @r#"
           A B C D E F G
        5  1 . . . . . .  5
        4  . . X . . .(O) 4
        3  . . . . . . .  3
        2  . . . . . . .  2
        1  . . . 2 . . .  1
           A B C D E F G
        "#);
    }

    #[test]
    fn a_large_board_has_nine_dots() {
        let board = Board::new(BoardSize::NINETEEN, Topology::Plane);
        let dots = draw(&board, &Marks::default(), false).join("").matches('+').count();
        assert_eq!(dots, 9);
        let board = Board::new(BoardSize::NINE, Topology::Plane);
        assert_eq!(draw(&board, &Marks::default(), false).join("").matches('+').count(), 5);
        for topology in [Topology::Torus, Topology::Cylinder] {
            let board = Board::new(BoardSize::NINE, topology);
            assert!(!draw(&board, &Marks::default(), false).join("").contains('+'), "{topology}");
        }
    }
}
