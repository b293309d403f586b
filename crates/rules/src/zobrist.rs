//! Random numbers that make up position hashes.

use crate::random::splitmix;
use crate::{BoardSize, Color};

/// Hash of an arrangement of stones: 128 bits, so that no two positions of any library ever meet by chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct PositionHash(pub u128);

impl PositionHash {
    /// The lower half, for tables that keep 64 bits.
    #[must_use]
    pub const fn low(self) -> u64 {
        self.0 as u64
    }

    /// Sixteen bytes, most significant first: the form to store.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// The inverse of [`PositionHash::to_bytes`].
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> PositionHash {
        PositionHash(u128::from_be_bytes(bytes))
    }
}

impl std::fmt::Display for PositionHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

const POINTS: usize = BoardSize::MAX * BoardSize::MAX;

/// One key per colour and row-major point number of the board at hand, the wall included.
static STONES: [[u128; POINTS + 1]; 2] = stone_keys();

/// Keys of the things that are no stones; numbers are stable because stored hashes are built from them.
pub(crate) mod salt {
    /// White is to move.
    pub(crate) const WHITE_TO_MOVE: u128 = super::nth_key(0x5100_0001);
}

#[inline]
pub(crate) fn stone_key(color: usize, index: usize) -> u128 {
    STONES[color][index]
}

/// A key for a small number, such as a board size: well mixed, the same for ever.
pub(crate) const fn nth_key(n: u64) -> u128 {
    let high = splitmix(n.wrapping_mul(2).wrapping_add(0x0900_71b0));
    let low = splitmix(n.wrapping_mul(2).wrapping_add(0x0900_71b1));
    ((high as u128) << 64) | low as u128
}

/// The key of a player to move: nothing for Black.
pub(crate) const fn mover_key(color: Color) -> u128 {
    match color {
        Color::Black => 0,
        Color::White => salt::WHITE_TO_MOVE,
    }
}

const fn stone_keys() -> [[u128; POINTS + 1]; 2] {
    let mut keys = [[0; POINTS + 1]; 2];
    let mut color = 0;
    while color < 2 {
        let mut index = 0;
        while index <= POINTS {
            keys[color][index] = nth_key((1 + color as u64) * 0x1_0000 + index as u64);
            index += 1;
        }
        color += 1;
    }
    keys
}
