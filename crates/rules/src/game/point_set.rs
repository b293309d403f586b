//! Sets of points that a game carries along with it.

use crate::board::WORDS;
use crate::geometry::Index;

/// Words for every point up to 19x19.
const FEW: usize = (19usize * 19).div_ceil(64);

/// A set of points of one board. Copying a game copies three: up to 19x19 they lie in place, and are small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PointSet {
    /// Boards of up to 361 points.
    Small([u64; FEW]),
    /// Any other board.
    Large(Box<[u64; WORDS]>),
}

impl PointSet {
    /// No point of a board with so many.
    pub(crate) fn empty(area: usize) -> PointSet {
        if area <= FEW * 64 { PointSet::Small([0; FEW]) } else { PointSet::Large(Box::new([0; WORDS])) }
    }

    /// The points, 64 to a word, from the lowest bit.
    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        match self {
            PointSet::Small(words) => words,
            PointSet::Large(words) => words.as_slice(),
        }
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        match self {
            PointSet::Small(words) => words,
            PointSet::Large(words) => words.as_mut_slice(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    pub(crate) fn clear(&mut self) {
        self.words_mut().fill(0);
    }

    #[inline]
    pub(crate) fn contains(&self, index: Index) -> bool {
        self.words()[usize::from(index) / 64] >> (index % 64) & 1 != 0
    }

    #[inline]
    pub(crate) fn insert(&mut self, index: Index) {
        self.words_mut()[usize::from(index) / 64] |= 1 << (index % 64);
    }

    #[inline]
    pub(crate) fn toggle(&mut self, index: Index) {
        self.words_mut()[usize::from(index) / 64] ^= 1 << (index % 64);
    }
}
