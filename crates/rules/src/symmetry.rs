//! The eight symmetries of the square, numbered as KataGo numbers them.

use crate::{BoardSize, Point};

/// A symmetry of the board: bit 0 flips rows (y), bit 1 flips columns (x), bit 2 exchanges the axes.
///
/// Flips are done first, the exchange last. Source: KataGo `cpp/game/board.cpp`, `SymmetryHelpers`, v1.17.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Changes nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All eight, 0 to 7.
    pub const ALL: [Symmetry; 8] =
        [Symmetry(0), Symmetry(1), Symmetry(2), Symmetry(3), Symmetry(4), Symmetry(5), Symmetry(6), Symmetry(7)];

    /// The symmetry of that number, 0 to 7.
    #[must_use]
    pub const fn new(number: usize) -> Option<Symmetry> {
        if number < 8 { Some(Symmetry(number as u8)) } else { None }
    }

    /// 0 to 7.
    #[must_use]
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// Whether rows become columns.
    #[must_use]
    pub const fn transposes(self) -> bool {
        self.0 & 4 != 0
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            _ => self,
        }
    }

    /// First `self`, then `next`.
    #[must_use]
    pub const fn then(self, next: Symmetry) -> Symmetry {
        let next = if self.transposes() { (next.0 & 4) | ((next.0 & 1) << 1) | ((next.0 & 2) >> 1) } else { next.0 };
        Symmetry(self.0 ^ next)
    }

    /// The size of the image of a board.
    #[must_use]
    pub const fn apply_size(self, size: BoardSize) -> BoardSize {
        if self.transposes() { size.transposed() } else { size }
    }

    /// Where a point of a board of this size goes; the image lies on a board of [`Symmetry::apply_size`].
    #[must_use]
    pub const fn apply(self, point: Point, size: BoardSize) -> Point {
        let x = if self.0 & 2 != 0 { size.width() - 1 - point.x() } else { point.x() };
        let y = if self.0 & 1 != 0 { size.height() - 1 - point.y() } else { point.y() };
        if self.transposes() { Point::new(y, x) } else { Point::new(x, y) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbering_is_that_of_katago() {
        let size = BoardSize::square(3).unwrap();
        let image = |s: usize| Symmetry::ALL[s].apply(Point::new(1, 0), size);
        let expected = [(1, 0), (1, 2), (1, 0), (1, 2), (0, 1), (2, 1), (0, 1), (2, 1)];
        for (s, &(x, y)) in expected.iter().enumerate() {
            assert_eq!(image(s), Point::new(x, y), "symmetry {s}");
        }
        assert_eq!(Symmetry(1).then(Symmetry(4)), Symmetry(5));
        assert_eq!(Symmetry(4).then(Symmetry(1)), Symmetry(6));
    }

    #[test]
    fn composition_and_inverse_agree_with_the_maps() {
        let size = BoardSize::new(4, 7).unwrap();
        for a in Symmetry::ALL {
            let turned = a.apply_size(size);
            assert_eq!(a.then(a.inverse()), Symmetry::IDENTITY);
            for point in Point::all(size) {
                assert_eq!(a.inverse().apply(a.apply(point, size), turned), point);
                for b in Symmetry::ALL {
                    assert_eq!(a.then(b).apply(point, size), b.apply(a.apply(point, size), turned));
                }
            }
        }
    }
}
