//! Boards as text: `.` empty, `X` black, `O` white, one row a line from the top.

use crate::{Board, BoardSize, Color, Point, SetupError, Topology};

impl Board {
    /// Reads a diagram: a row a line, `.` or `+` empty, `X`, `x`, `#` or `B` black, `O`, `o` or `W` white; blanks between
    /// points and blank lines do not matter.
    ///
    /// # Errors
    /// When rows differ in length, a character is not understood, the size is out of range, or a chain has no
    /// liberty.
    ///
    /// ```
    /// use honinbo_rules::{Board, Topology};
    /// let board = Board::from_diagram(". X .\nX O .\n. X .", Topology::Plane).unwrap();
    /// assert_eq!(board.stones().count(), 4);
    /// ```
    pub fn from_diagram(text: &str, topology: Topology) -> Result<Board, SetupError> {
        let mut stones = Vec::new();
        let (mut width, mut height) = (None, 0);
        for (number, line) in text.lines().enumerate() {
            let mut x = 0;
            for letter in line.chars().filter(|c| !c.is_whitespace()) {
                let stone = match letter {
                    '.' | '+' => None,
                    'X' | 'x' | '#' | 'B' => Some(Color::Black),
                    'O' | 'o' | 'W' => Some(Color::White),
                    _ => return Err(SetupError::Diagram { line: number + 1, problem: "a character is no stone" }),
                };
                stones.extend(stone.map(|color| (Point::new(x, height), color)));
                x += 1;
            }
            if x == 0 {
                continue;
            }
            if *width.get_or_insert(x) != x {
                return Err(SetupError::Diagram {
                    line: number + 1,
                    problem: "the row differs in length from the first",
                });
            }
            height += 1;
        }
        Board::with_stones(BoardSize::new(width.unwrap_or(0), height)?, topology, stones)
    }
}

/// The diagram that [`Board::from_diagram`] reads, with a blank between points and no line break at the end.
impl std::fmt::Display for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = self.size().width();
        for (index, stone) in self.points().enumerate() {
            if index > 0 {
                f.write_str(if index % width == 0 { "\n" } else { " " })?;
            }
            f.write_str(match stone {
                None => ".",
                Some(Color::Black) => "X",
                Some(Color::White) => "O",
            })?;
        }
        Ok(())
    }
}
