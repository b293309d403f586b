//! Patterns that can lie in a few places only: each place is compared by itself.

use super::variant::Variant;
use crate::index::words;
use crate::pattern_query::{Cell, PatternQuery};

/// Places up to which each is compared by itself: so many as a pattern in a corner has with all symmetries and colours.
const MAX_FIXED_PLACES: usize = 16;

/// A place of a variant, with the points that must ever have held its stones.
pub(super) struct FixedPlace {
    pub(super) variant: usize,
    pub(super) place: usize,
    black: Vec<u64>,
    white: Vec<u64>,
    any: Vec<u64>,
    /// Points where black stones, white ones, any may not stand.
    forbidden: [Vec<u64>; 3],
}

impl FixedPlace {
    /// A stone has stood there since before the last look that should not; see [`Variant::drop_impossible`].
    #[inline]
    pub(super) fn is_barred(&self, standing: [&[u64]; 3]) -> bool {
        let both = |(forbidden, stands): (&Vec<u64>, &[u64])| forbidden.iter().zip(stands).any(|(a, b)| a & b != 0);
        self.forbidden.iter().zip(standing).any(both)
    }

    #[inline]
    pub(super) fn is_possible(&self, black: &[u64], white: &[u64]) -> bool {
        let within = |need: &[u64], has: &[u64]| need.iter().zip(has).all(|(need, has)| need & !has == 0);
        let any = || self.any.iter().zip(black.iter().zip(white)).all(|(need, (b, w))| need & !(b | w) == 0);
        within(&self.black, black) && within(&self.white, white) && any()
    }
}

/// The places of all variants, if they are few.
pub(super) fn few_places(variants: &[Variant], query: &PatternQuery) -> Vec<FixedPlace> {
    let (width, height) = (query.size.width(), query.size.height());
    let count: u32 = variants.iter().flat_map(|variant| &variant.anchors).map(|word| word.count_ones()).sum();
    if count as usize > MAX_FIXED_PLACES {
        return Vec::new();
    }
    let mut places = Vec::new();
    for (number, variant) in variants.iter().enumerate() {
        let is_anchor = |place: &usize| variant.anchors[place / 64] >> (place % 64) & 1 == 1;
        for place in (0..width * height).filter(is_anchor) {
            let empty = || vec![0; words(query.size)];
            let forbidden = [empty(), empty(), empty()];
            let mut fixed =
                FixedPlace { variant: number, place, black: empty(), white: empty(), any: empty(), forbidden };
            for &(x, y, cell) in &variant.cells {
                let at = (place / width + y) % height * width + (place % width + x) % width;
                let set = match cell {
                    Cell::Black => &mut fixed.black,
                    Cell::White => &mut fixed.white,
                    Cell::Stone => &mut fixed.any,
                    Cell::WhiteOrEmpty => &mut fixed.forbidden[0],
                    Cell::BlackOrEmpty => &mut fixed.forbidden[1],
                    Cell::Empty => &mut fixed.forbidden[2],
                    Cell::Any => continue,
                };
                set[at / 64] |= 1 << (at % 64);
            }
            places.push(fixed);
        }
    }
    places
}
