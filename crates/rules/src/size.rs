//! How large a board is, and whether its edges are joined.

/// Width and height of a board, each from 2 to 52: what the letters of an SGF point can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardSize {
    width: u8,
    height: u8,
}

/// A board size outside the supported range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("board size {width}x{height} is not between {min}x{min} and {max}x{max}", min = BoardSize::MIN, max = BoardSize::MAX)]
pub struct SizeError {
    /// Columns asked for.
    pub width: usize,
    /// Rows asked for.
    pub height: usize,
}

impl SizeError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        "choose a width and a height from 2 to 52"
    }
}

impl BoardSize {
    /// Smallest width and height.
    pub const MIN: usize = 2;
    /// Largest width and height.
    pub const MAX: usize = 52;
    /// 9x9.
    pub const NINE: BoardSize = BoardSize { width: 9, height: 9 };
    /// 19x19.
    pub const NINETEEN: BoardSize = BoardSize { width: 19, height: 19 };

    /// A board of `width` columns and `height` rows.
    ///
    /// # Errors
    /// When either is below [`BoardSize::MIN`] or above [`BoardSize::MAX`].
    pub const fn new(width: usize, height: usize) -> Result<BoardSize, SizeError> {
        if width < Self::MIN || width > Self::MAX || height < Self::MIN || height > Self::MAX {
            return Err(SizeError { width, height });
        }
        Ok(BoardSize { width: width as u8, height: height as u8 })
    }

    /// A board of `side` columns and rows.
    ///
    /// # Errors
    /// When `side` is below [`BoardSize::MIN`] or above [`BoardSize::MAX`].
    pub const fn square(side: usize) -> Result<BoardSize, SizeError> {
        BoardSize::new(side, side)
    }

    /// Columns.
    #[must_use]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Rows.
    #[must_use]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Number of points.
    #[must_use]
    pub const fn area(self) -> usize {
        self.width() * self.height()
    }

    /// Whether width and height are the same.
    #[must_use]
    pub const fn is_square(self) -> bool {
        self.width == self.height
    }

    /// Columns and rows exchanged.
    #[must_use]
    pub const fn transposed(self) -> BoardSize {
        BoardSize { width: self.height, height: self.width }
    }
}

impl std::fmt::Display for BoardSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A text that names no board size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseSizeError {
    /// It is neither a side nor two.
    #[error("expected a side such as 19, or WxH such as 13x9")]
    Form,
    /// The size is out of range.
    #[error("{0}; {hint}", hint = .0.hint())]
    Range(#[from] SizeError),
}

impl std::str::FromStr for BoardSize {
    type Err = ParseSizeError;

    /// Reads a side, `19`, or columns and rows, `13x9`.
    fn from_str(text: &str) -> Result<BoardSize, ParseSizeError> {
        let side = |text: &str| text.trim().parse().map_err(|_| ParseSizeError::Form);
        let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
        Ok(BoardSize::new(side(width)?, side(height)?)?)
    }
}

/// Which edges of the board are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Topology {
    /// The ordinary board: four edges.
    #[default]
    Plane,
    /// The left and right edges are joined (x wraps); top and bottom are edges.
    Cylinder,
    /// Both pairs of edges are joined, as in Daoqi (道棋): no edges at all.
    Torus,
}

impl Topology {
    /// All topologies.
    pub const ALL: [Topology; 3] = [Topology::Plane, Topology::Cylinder, Topology::Torus];

    /// Whether the last column is next to the first.
    #[must_use]
    pub const fn wraps_x(self) -> bool {
        matches!(self, Topology::Cylinder | Topology::Torus)
    }

    /// Whether the last row is next to the first.
    #[must_use]
    pub const fn wraps_y(self) -> bool {
        matches!(self, Topology::Torus)
    }

    /// `plane`, `cylinder` or `torus`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Topology::Plane => "plane",
            Topology::Cylinder => "cylinder",
            Topology::Torus => "torus",
        }
    }

    /// Reads a name, in any case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Topology> {
        Topology::ALL.into_iter().find(|topology| topology.name().eq_ignore_ascii_case(text.trim()))
    }
}

impl std::fmt::Display for Topology {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_they_are_written() {
        for (text, width, height) in [("19", 19, 19), ("13x9", 13, 9), ("13X9", 13, 9), (" 2 x 52 ", 2, 52)] {
            assert_eq!(text.parse(), Ok(BoardSize::new(width, height).unwrap()), "{text}");
        }
        for wrong in ["", "x", "9x", "-1x9", "9x9x9", "nineteen", "any"] {
            assert_eq!(wrong.parse::<BoardSize>(), Err(ParseSizeError::Form), "{wrong}");
        }
        let refused = "99x9".parse::<BoardSize>().unwrap_err().to_string();
        assert_eq!(refused, "board size 99x9 is not between 2x2 and 52x52; choose a width and a height from 2 to 52");
    }
}
