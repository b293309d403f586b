//! What a position search asks for.

use honinbo_rules::{Board, BoardSize, Color, Topology};

use crate::error::PatternError;
use crate::query::GameFilter;

/// What may stand on one point of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Cell {
    /// Anything.
    Any,
    /// No stone.
    Empty,
    /// A black stone.
    Black,
    /// A white stone.
    White,
    /// A black stone or none.
    BlackOrEmpty,
    /// A white stone or none.
    WhiteOrEmpty,
    /// A stone of either colour.
    Stone,
}

impl Cell {
    /// Reads `*` or `?` any, `.` empty, `X` black, `O` white, `x` black or empty, `o` white or empty, `#` a stone.
    #[must_use]
    pub fn from_char(c: char) -> Option<Self> {
        Some(match c {
            '*' | '?' => Self::Any,
            '.' | '+' => Self::Empty,
            'X' => Self::Black,
            'O' => Self::White,
            'x' => Self::BlackOrEmpty,
            'o' => Self::WhiteOrEmpty,
            '#' => Self::Stone,
            _ => return None,
        })
    }

    pub(crate) fn swapped(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
            Self::BlackOrEmpty => Self::WhiteOrEmpty,
            Self::WhiteOrEmpty => Self::BlackOrEmpty,
            other => other,
        }
    }

    /// Whether a point with this content fits.
    #[must_use]
    pub fn allows(self, content: Option<Color>) -> bool {
        match self {
            Self::Any => true,
            Self::Empty => content.is_none(),
            Self::Black => content == Some(Color::Black),
            Self::White => content == Some(Color::White),
            Self::BlackOrEmpty => content != Some(Color::White),
            Self::WhiteOrEmpty => content != Some(Color::Black),
            Self::Stone => content.is_some(),
        }
    }
}

/// Where on the board a pattern may lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Anchor {
    /// Anywhere, also across joined edges.
    Anywhere,
    /// Its top left corner in the board's top left corner; with symmetries in any corner.
    Corner,
    /// Its top row on the board's top row; with symmetries along any side.
    Side,
    /// Its top left corner at this point, from 0 at the top left; with symmetries at the eight images of it.
    At {
        /// Column.
        x: u8,
        /// Row.
        y: u8,
    },
}

/// Moves of a sequence.
const MAX_SEQUENCE: usize = 100;

/// A search for a pattern; a whole-board position is a pattern as large as the board.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternQuery {
    /// Size of the boards searched.
    pub size: BoardSize,
    /// Kind of the boards searched.
    pub topology: Topology,
    /// Columns of the pattern.
    pub width: usize,
    /// Rows of the pattern.
    pub height: usize,
    /// Row by row from the top left.
    pub cells: Vec<Cell>,
    /// Where it may lie.
    pub anchor: Anchor,
    /// Also turned and mirrored.
    pub any_symmetry: bool,
    /// Also with colours exchanged.
    pub any_color: bool,
    /// Who makes the next move of the game.
    pub next_player: Option<Color>,
    /// The pattern stands after this many moves or later.
    pub first_move: u32,
    /// The pattern stands after this many moves or earlier.
    pub last_move: u32,
    /// Moves that follow in the pattern's area, in this order and with none between them there: colour, column and row
    /// in the pattern. The pattern stands before the first of them.
    pub sequence: Vec<(Color, u8, u8)>,
    /// Only games that meet this.
    pub filter: GameFilter,
    /// Moves after the pattern, or after the sequence, that [`crate::SearchResult::tree`] follows; 0 makes none.
    pub tree_depth: usize,
    /// Hits returned, at most; all are counted.
    pub max_hits: usize,
}

impl PatternQuery {
    /// The position of a board, under any symmetry.
    #[must_use]
    pub fn position(board: &Board) -> Self {
        let size = board.size();
        let cells = board.points().map(|content| match content {
            None => Cell::Empty,
            Some(Color::Black) => Cell::Black,
            Some(Color::White) => Cell::White,
        });
        let topology = board.topology();
        let anchor = if topology == Topology::Plane { Anchor::At { x: 0, y: 0 } } else { Anchor::Anywhere };
        Self::of_cells(size, topology, (size.width(), size.height()), cells.collect(), anchor)
    }

    /// Cells, and of everything else what is usual.
    fn of_cells(
        size: BoardSize,
        topology: Topology,
        (width, height): (usize, usize),
        cells: Vec<Cell>,
        anchor: Anchor,
    ) -> Self {
        Self {
            size,
            topology,
            width,
            height,
            cells,
            anchor,
            any_symmetry: true,
            any_color: false,
            next_player: None,
            first_move: 0,
            last_move: u32::MAX,
            sequence: Vec::new(),
            tree_depth: 0,
            filter: GameFilter::default(),
            max_hits: 1000,
        }
    }

    /// A pattern drawn in lines, with the characters of [`Cell::from_char`]; blanks between them do not count.
    ///
    /// # Errors
    /// An unknown character or lines of different lengths.
    pub fn diagram(text: &str, size: BoardSize, topology: Topology, anchor: Anchor) -> Result<Self, PatternError> {
        let mut cells = Vec::new();
        let (mut width, mut height) = (0, 0);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let start = cells.len();
            for c in line.chars().filter(|c| !c.is_whitespace()) {
                cells.push(Cell::from_char(c).ok_or(PatternError::UnknownCharacter(c))?);
            }
            height += 1;
            width = width.max(cells.len() - start);
            if cells.len() != width * height {
                return Err(PatternError::WrongShape { width, height, cells: cells.len() });
            }
        }
        let query = Self::of_cells(size, topology, (width, height), cells, anchor);
        query.check().map(|()| query)
    }

    pub(crate) fn check(&self) -> Result<(), PatternError> {
        if self.width == 0 || self.height == 0 || self.cells.len() != self.width * self.height {
            let (width, height, cells) = (self.width, self.height, self.cells.len());
            return Err(PatternError::WrongShape { width, height, cells });
        }
        let outside = |&(_, x, y): &(Color, u8, u8)| usize::from(x) >= self.width || usize::from(y) >= self.height;
        if self.sequence.len() > MAX_SEQUENCE || self.sequence.iter().any(outside) {
            return Err(PatternError::BadSequence);
        }
        let (board_width, board_height) = (self.size.width(), self.size.height());
        let fits = |x: usize, y: usize| {
            (self.topology.wraps_x() || x + self.width <= board_width)
                && (self.topology.wraps_y() || y + self.height <= board_height)
        };
        let (x, y) = match self.anchor {
            Anchor::At { x, y } => (x.into(), y.into()),
            _ => (0, 0),
        };
        let inside = x < board_width && y < board_height && self.width <= board_width && self.height <= board_height;
        if inside && fits(x, y) { Ok(()) } else { Err(PatternError::TooLarge) }
    }

    /// A whole-board position: every point is named, and none more loosely than empty, black or white.
    pub(crate) fn is_position(&self) -> bool {
        // Where edges are joined, a pattern of the board's size may still be asked for at another place.
        let anchored = self.topology == Topology::Plane
            || matches!(self.anchor, Anchor::Anywhere | Anchor::Corner | Anchor::At { x: 0, y: 0 });
        anchored
            && self.sequence.is_empty()
            && self.width == self.size.width()
            && self.height == self.size.height()
            && self.cells.iter().all(|cell| matches!(cell, Cell::Empty | Cell::Black | Cell::White))
    }
}
