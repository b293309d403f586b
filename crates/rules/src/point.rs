//! Points and moves, and how GTP and SGF write them.

use crate::BoardSize;

/// A point of a board: `x` counts columns from the left, `y` rows from the top, both from 0.
///
/// Displayed in SGF letters when no board is at hand (`dd`); see [`Point::to_gtp`] for `D16`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    y: u8,
    x: u8,
}

const GTP_COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

impl Point {
    /// The point in column `x` and row `y`. Coordinates of 255 or more become 255, which is on no board.
    #[must_use]
    pub const fn new(x: usize, y: usize) -> Point {
        Point { x: if x > 255 { 255 } else { x as u8 }, y: if y > 255 { 255 } else { y as u8 } }
    }

    /// Column from the left, from 0.
    #[must_use]
    pub const fn x(self) -> usize {
        self.x as usize
    }

    /// Row from the top, from 0.
    #[must_use]
    pub const fn y(self) -> usize {
        self.y as usize
    }

    /// Whether the point lies on a board of this size.
    #[must_use]
    pub const fn is_on(self, size: BoardSize) -> bool {
        self.x() < size.width() && self.y() < size.height()
    }

    /// Row-major number of the point, `y * width + x`; only meaningful when [`Point::is_on`] holds.
    #[must_use]
    pub const fn index(self, size: BoardSize) -> usize {
        self.y() * size.width() + self.x()
    }

    /// The inverse of [`Point::index`].
    #[must_use]
    pub const fn from_index(index: usize, size: BoardSize) -> Point {
        Point::new(index % size.width(), index / size.width())
    }

    /// Every point of the board, row by row from the top.
    pub fn all(size: BoardSize) -> impl Iterator<Item = Point> + Clone {
        (0..size.area()).map(move |index| Point::from_index(index, size))
    }

    /// GTP letters: columns `A` to `Z` without `I`, then `AA`, `AB` …; rows from 1 at the bottom.
    #[must_use]
    pub fn to_gtp(self, size: BoardSize) -> String {
        let row = size.height() as i32 - self.y as i32;
        let (high, low) = (self.x() / 25, self.x() % 25);
        let low = GTP_COLUMNS[low] as char;
        if high == 0 { format!("{low}{row}") } else { format!("{}{low}{row}", GTP_COLUMNS[high - 1] as char) }
    }

    /// Reads GTP letters in any case. `None` when the text is no point of this board.
    #[must_use]
    pub fn from_gtp(text: &str, size: BoardSize) -> Option<Point> {
        let text = text.trim();
        let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (column, row) = text.split_at(letters);
        let mut x = 0usize;
        for (nth, byte) in column.bytes().enumerate() {
            let place = GTP_COLUMNS.iter().position(|&c| c == byte.to_ascii_uppercase())?;
            x = match nth {
                0 => place,
                1 => (x + 1) * 25 + place,
                _ => return None,
            };
        }
        if letters == 0 || row.is_empty() || row.len() > 3 || !row.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let row: usize = row.parse().ok()?;
        let y = size.height().checked_sub(row)?;
        Some(Point::new(x, y)).filter(|point| row > 0 && point.is_on(size))
    }

    /// SGF letters, column then row from the top: `a` to `z`, then `A` to `Z`.
    #[must_use]
    pub fn to_sgf(self) -> String {
        [self.x, self.y].iter().map(|&n| sgf_letter(n)).collect()
    }

    /// Reads two SGF letters. `None` when they are no letters or no point of this board.
    #[must_use]
    pub fn from_sgf(text: &str, size: BoardSize) -> Option<Point> {
        let &[x, y] = text.as_bytes() else { return None };
        Some(Point::new(sgf_number(x)?, sgf_number(y)?)).filter(|point| point.is_on(size))
    }
}

fn sgf_letter(n: u8) -> char {
    match n {
        0..26 => (b'a' + n) as char,
        26..52 => (b'A' + n - 26) as char,
        _ => '?',
    }
}

fn sgf_number(letter: u8) -> Option<usize> {
    match letter {
        b'a'..=b'z' => Some(usize::from(letter - b'a')),
        b'A'..=b'Z' => Some(usize::from(letter - b'A') + 26),
        _ => None,
    }
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.x < 52 && self.y < 52 { f.write_str(&self.to_sgf()) } else { write!(f, "({}, {})", self.x, self.y) }
    }
}

/// What a player does in one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A stone on a point.
    Place(Point),
    /// No stone.
    Pass,
    /// Gives the game up.
    Resign,
}

impl Move {
    /// The point of a placed stone.
    #[must_use]
    pub const fn point(self) -> Option<Point> {
        match self {
            Move::Place(point) => Some(point),
            Move::Pass | Move::Resign => None,
        }
    }

    /// `D16`, `pass` or `resign`.
    #[must_use]
    pub fn to_gtp(self, size: BoardSize) -> String {
        match self {
            Move::Place(point) => point.to_gtp(size),
            Move::Pass => "pass".into(),
            Move::Resign => "resign".into(),
        }
    }

    /// Reads a GTP vertex, `pass` or `resign`, in any case.
    #[must_use]
    pub fn from_gtp(text: &str, size: BoardSize) -> Option<Move> {
        match text.trim() {
            word if word.eq_ignore_ascii_case("pass") => Some(Move::Pass),
            word if word.eq_ignore_ascii_case("resign") => Some(Move::Resign),
            word => Point::from_gtp(word, size).map(Move::Place),
        }
    }
}

impl From<Point> for Move {
    fn from(point: Point) -> Move {
        Move::Place(point)
    }
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Move::Place(point) => point.fmt(f),
            Move::Pass => f.write_str("pass"),
            Move::Resign => f.write_str("resign"),
        }
    }
}
