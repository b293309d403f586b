//! The ways in which a pattern may lie on the board.

use honinbo_rules::{Color, Symmetry};

use super::sets::sift_shifted;
use crate::index::words;
use crate::pattern_query::{Anchor, Cell, PatternQuery};

/// One way in which a pattern may lie: turned, mirrored, colours exchanged.
pub(crate) struct Variant {
    pub(crate) symmetry: Symmetry,
    pub(crate) swapped: bool,
    /// Column, row and content of the points that are asked about, stones first.
    pub(super) cells: Vec<(usize, usize, Cell)>,
    /// Their distances, in points of the board, from the top left one.
    pub(super) offsets: Vec<usize>,
    /// Offset and content of each, side by side.
    pub(super) flat: Vec<(usize, Cell)>,
    /// Offset of each stone, and which set it must ever have been in: black, white, any.
    pub(super) stones: Vec<(usize, usize)>,
    /// Offset of each point where not every stone may stand, and the set of the stones that may not.
    pub(super) forbidden: Vec<(usize, usize)>,
    /// Where its top left corner may lie, as a set of points.
    pub(super) anchors: Vec<u64>,
    /// Moves that must follow, as this variant sees them.
    pub(super) sequence: Vec<(Color, usize, usize)>,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// A point of a rectangle under a symmetry.
pub(crate) fn turn(symmetry: Symmetry, x: usize, y: usize, width: usize, height: usize) -> (usize, usize) {
    let number = symmetry.number();
    let x = if number & 2 != 0 { width - 1 - x } else { x };
    let y = if number & 1 != 0 { height - 1 - y } else { y };
    if symmetry.transposes() { (y, x) } else { (x, y) }
}

impl Variant {
    pub(super) fn new(query: &PatternQuery, symmetry: Symmetry, swapped: bool) -> Option<Self> {
        let (board_width, board_height) = (query.size.width(), query.size.height());
        let (width, height) =
            if symmetry.transposes() { (query.height, query.width) } else { (query.width, query.height) };
        if width > board_width || height > board_height {
            return None;
        }
        let mut cells = Vec::new();
        for (number, &cell) in query.cells.iter().enumerate() {
            if cell != Cell::Any {
                let (x, y) = turn(symmetry, number % query.width, number / query.width, query.width, query.height);
                cells.push((x, y, if swapped { cell.swapped() } else { cell }));
            }
        }
        // Stones rule out most games, and at once.
        cells.sort_by_key(|&(x, y, cell)| (!matches!(cell, Cell::Black | Cell::White | Cell::Stone), y, x));
        let mut anchors = vec![0u64; words(query.size)];
        let mut allow = |x: usize, y: usize| anchors[(y * board_width + x) / 64] |= 1 << ((y * board_width + x) % 64);
        let last = |side: usize, length: usize, wraps: bool| if wraps { side - 1 } else { side - length };
        match query.anchor {
            Anchor::Anywhere => {
                for y in 0..=last(board_height, height, query.topology.wraps_y()) {
                    for x in 0..=last(board_width, width, query.topology.wraps_x()) {
                        allow(x, y);
                    }
                }
            }
            Anchor::Corner | Anchor::At { .. } | Anchor::Side => {
                let places: Vec<(usize, usize)> = match query.anchor {
                    Anchor::At { x, y } => vec![(x.into(), y.into())],
                    Anchor::Side => {
                        (0..=last(board_width, query.width, query.topology.wraps_x())).map(|x| (x, 0)).collect()
                    }
                    _ => vec![(0, 0)],
                };
                for (x, y) in places {
                    // The image of the rectangle begins at the image of one of its corners.
                    let first = turn(symmetry, x, y, board_width, board_height);
                    let (right, bottom) = ((x + query.width - 1) % board_width, (y + query.height - 1) % board_height);
                    let other = turn(symmetry, right, bottom, board_width, board_height);
                    let number = symmetry.number();
                    let (flips_x, flips_y) = if symmetry.transposes() {
                        (number & 1 != 0, number & 2 != 0)
                    } else {
                        (number & 2 != 0, number & 1 != 0)
                    };
                    allow(if flips_x { other.0 } else { first.0 }, if flips_y { other.1 } else { first.1 });
                }
            }
        }
        let offsets: Vec<usize> = cells.iter().map(|&(x, y, _)| y * board_width + x).collect();
        let flat = offsets.iter().zip(&cells).map(|(&offset, &(_, _, cell))| (offset, cell)).collect();
        let stones = cells.iter().zip(&offsets).map_while(|(&(_, _, cell), &offset)| match cell {
            Cell::Black => Some((offset, 0)),
            Cell::White => Some((offset, 1)),
            Cell::Stone => Some((offset, 2)),
            // Stones stand first.
            _ => None,
        });
        let stones = stones.collect();
        let forbidden = cells.iter().zip(&offsets).filter_map(|(&(_, _, cell), &offset)| match cell {
            Cell::WhiteOrEmpty => Some((offset, 0)),
            Cell::BlackOrEmpty => Some((offset, 1)),
            Cell::Empty => Some((offset, 2)),
            _ => None,
        });
        let forbidden = forbidden.collect();
        let sequence = query.sequence.iter().map(|&(color, x, y)| {
            let (x, y) = turn(symmetry, x.into(), y.into(), query.width, query.height);
            (if swapped { color.opponent() } else { color }, x, y)
        });
        let sequence = sequence.collect();
        Some(Self { symmetry, swapped, cells, offsets, flat, stones, forbidden, anchors, sequence, width, height })
    }

    pub(super) fn looks_like(&self, other: &Self) -> bool {
        (self.width, self.height) == (other.width, other.height)
            && self.cells == other.cells
            && self.anchors == other.anchors
            && self.sequence == other.sequence
    }

    /// Keeps the places where each stone of the pattern falls on a point that ever held such a stone: the set of those
    /// points is shifted against the set of places, 64 at a time. Answers 0 when none is left.
    pub(super) fn keep_possible(&self, places: &mut [u64], ever: [&[u64]; 3]) -> u64 {
        let mut any = u64::MAX;
        for &(offset, set) in &self.stones {
            any = match <&mut [u64; WORDS_OF_19]>::try_from(&mut *places) {
                Ok(places) => sift_shifted::<true>(places, ever[set], offset),
                Err(_) => sift_shifted::<true>(places, ever[set], offset),
            };
            if any == 0 {
                return 0;
            }
        }
        any
    }

    /// Drops the places where a stone has stood since before the last look that should not stand there: up to then the
    /// pattern was not found, and since then it cannot have stood. Ends when few are left, which are sooner tried than
    /// dropped. Answers 0 when none is left.
    pub(super) fn drop_impossible(&self, places: &mut [u64], standing: [&[u64]; 3]) -> u64 {
        let mut any = u64::MAX;
        for &(offset, set) in &self.forbidden {
            if places.iter().map(|word| word.count_ones()).sum::<u32>() <= MAX_SOON_TRIED {
                return u64::MAX;
            }
            any = match <&mut [u64; WORDS_OF_19]>::try_from(&mut *places) {
                Ok(places) => sift_shifted::<false>(places, standing[set], offset),
                Err(_) => sift_shifted::<false>(places, standing[set], offset),
            };
            if any == 0 {
                return 0;
            }
        }
        any
    }
}

/// Places whose trial costs no more than looking at all of them once more.
const MAX_SOON_TRIED: u32 = 3;

/// Words of a set of points of the usual board, on which nearly all searches run: loops of a length that is known are
/// twice as fast.
const WORDS_OF_19: usize = 6;
