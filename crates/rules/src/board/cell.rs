//! What a board keeps about each point, packed into one word.

use crate::geometry::Index;

/// Contents of a cell. Stones are `color as u8 + 1`.
pub(crate) const EMPTY: u8 = 0;
const WALL: u8 = 3;

/// Everything known of one point, in 64 bits: one load reads it, one store writes it, and no narrow store is followed
/// by a wide load, which processors are slow at. From the lowest bit:
///
/// | bits | what |
/// | --- | --- |
/// | 12 | head: the point that stands for the stone's chain; the point itself where there is no stone |
/// | 2 | stone: `EMPTY`, 1 black, 2 white, `WALL` |
/// | 3, 3, 3 | black, white and empty neighbours |
/// | 12 | next stone of the chain, in a ring |
/// | 12 | at the head of a chain: number of stones |
/// | 17 | at the head of a chain: pseudo-liberties, the number of (stone, empty neighbour) pairs |
///
/// What random play asks most lies in the lower half, where an instruction can hold the mask.
/// Counts of neighbours and pseudo-liberties are also written where they mean nothing, as that is cheaper than
/// asking: pseudo-liberties of empty points, and both of the wall. What overflows there runs upwards into fields that
/// mean nothing either, and leaves the word at its top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cell(u64);

const HEAD: u32 = 0;
const STONE: u32 = 12;
const BLACK: u32 = 14;
const WHITE: u32 = 17;
const FREE: u32 = 20;
const NEXT: u32 = 23;
const SIZE: u32 = 35;
const PAIRS: u32 = 47;
const POINT: u64 = 0xfff;
/// Pseudo-liberties where there is no stone start in the middle of their range, far from 0: what is counted there in
/// vain never looks like a chain without liberty.
const NO_CHAIN: u64 = 1 << 63;

impl Cell {
    /// Above every cell in the order by pseudo-liberties.
    pub(super) const MAX_PAIRS: Cell = Cell(u64::MAX);

    /// A point without stone and with so many neighbours, all empty.
    pub(super) fn vacant(index: Index, degree: u8) -> Cell {
        let at = u64::from(index);
        Cell(at << HEAD | at << NEXT | u64::from(degree) << FREE | NO_CHAIN)
    }

    /// The point beyond every edge.
    pub(super) fn wall(index: Index) -> Cell {
        Cell(Cell::vacant(index, 0).0 | u64::from(WALL) << STONE)
    }

    #[inline]
    pub(crate) fn stone(self) -> u8 {
        (self.0 >> STONE & 3) as u8
    }

    #[inline]
    pub(crate) fn head(self) -> Index {
        (self.0 >> HEAD & POINT) as Index
    }

    #[inline]
    pub(crate) fn next(self) -> Index {
        (self.0 >> NEXT & POINT) as Index
    }

    /// Number of stones, at the head of a chain.
    #[inline]
    pub(crate) fn size(self) -> u16 {
        (self.0 >> SIZE & POINT) as u16
    }

    /// Pseudo-liberties, at the head of a chain.
    #[inline]
    pub(crate) fn pseudo_liberties(self) -> u32 {
        (self.0 >> PAIRS) as u32
    }

    /// Whether the chain with this head has no liberty.
    #[inline]
    pub(crate) fn is_breathless(self) -> bool {
        self.0 >> PAIRS == 0
    }

    /// Number of empty neighbours.
    #[inline]
    pub(crate) fn empty_neighbors(self) -> u16 {
        (self.0 >> FREE & 7) as u16
    }

    /// Whether some neighbour is empty.
    #[inline]
    pub(crate) fn has_empty_neighbor(self) -> bool {
        self.0 & 7 << FREE != 0
    }

    /// Number of neighbours that hold a stone of this kind, 1 or 2.
    #[inline]
    pub(crate) fn near_count(self, stone: u8) -> u8 {
        (self.0 >> (BLACK + 3 * (u32::from(stone) - 1)) & 7) as u8
    }

    /// Whether the point holds a stone of this kind.
    #[inline]
    pub(crate) fn holds(self, stone: u8) -> bool {
        self.0 & 3 << STONE == u64::from(stone) << STONE
    }

    /// The same point with a lone stone on it.
    #[inline]
    pub(super) fn with_stone(self, stone: u8, index: Index) -> Cell {
        let at = u64::from(index);
        let neighbors = self.0 & 0x1ff << BLACK;
        Cell(
            neighbors | u64::from(stone) << STONE | at << HEAD | at << NEXT | 1 << SIZE | (self.0 >> FREE & 7) << PAIRS,
        )
    }

    /// The same point without its stone.
    #[inline]
    pub(super) fn without_stone(self, index: Index) -> Cell {
        let at = u64::from(index);
        Cell(self.0 & 0x1ff << BLACK | at << HEAD | at << NEXT | NO_CHAIN)
    }

    #[inline]
    pub(super) fn with_head(self, head: Index) -> Cell {
        Cell(self.0 & !(POINT << HEAD) | u64::from(head) << HEAD)
    }

    #[inline]
    pub(super) fn with_next(self, next: Index) -> Cell {
        Cell(self.0 & !(POINT << NEXT) | u64::from(next) << NEXT)
    }

    /// The head of a chain that takes up another chain.
    #[inline]
    pub(super) fn joined_by(self, other: Cell) -> Cell {
        Cell(self.0 + (u64::from(other.size()) << SIZE) + (u64::from(other.pseudo_liberties()) << PAIRS))
    }

    /// After a neighbour turned from empty to a stone of this kind.
    #[inline]
    pub(super) fn neighbor_filled(self, delta: u64) -> Cell {
        Cell(self.0.wrapping_add(delta))
    }

    /// After a neighbour's stone was taken.
    #[inline]
    pub(super) fn neighbor_cleared(self, delta: u64) -> Cell {
        Cell(self.0.wrapping_sub(delta))
    }

    /// What [`Cell::neighbor_filled`] adds.
    #[inline]
    pub(super) const fn delta(stone: u8) -> u64 {
        (1u64 << (if stone == 1 { BLACK } else { WHITE })).wrapping_sub(1 << FREE)
    }

    #[inline]
    pub(super) fn lost_pair(self) -> Cell {
        Cell(self.0.wrapping_sub(1 << PAIRS))
    }

    #[inline]
    pub(super) fn gained_pair(self) -> Cell {
        Cell(self.0.wrapping_add(1 << PAIRS))
    }
}
