//! Sets of points and of places, 64 to a word.

/// Keeps the places from which a point of the set lies this far, or those from which none does. `points` has as many
/// words of zeros behind it as `places` has words.
#[inline(always)]
pub(super) fn sift_shifted<const HAS_POINT: bool>(places: &mut [u64], points: &[u64], offset: usize) -> u64 {
    let (first, bits) = (offset / 64, offset % 64);
    let points = &points[first..][..places.len() + 1];
    let mut any = 0;
    for (at, place) in places.iter_mut().enumerate() {
        let with_point = points[at] >> bits | points[at + 1] << 1 << (63 - bits);
        *place &= if HAS_POINT { with_point } else { !with_point };
        any |= *place;
    }
    any
}

/// Leaves out the places that an earlier look tried in vain, and remembers those that are possible now.
///
/// Where all stones had come and the pattern did not stand, some stone stood that should not, or one had gone again;
/// that changes only by a stone that is removed from one of the pattern's points.
pub(super) fn skip_tried(possible: &mut [u64], tried: &mut [u64], restless: Option<&[u64]>) -> u64 {
    let mut any = 0;
    for (at, (place, tried)) in possible.iter_mut().zip(tried).enumerate() {
        let now = *place;
        *place &= !*tried | restless.map_or(0, |restless| restless[at]);
        *tried = now;
        any |= *place;
    }
    any
}

/// Makes of a set of points the set of places from which a rectangle covers one of them. Rows run into each other, which
/// makes the set larger than it needs to be.
pub(super) fn cover(points: &mut [u64], width: usize, height: usize, board_width: usize) {
    for (length, step) in [(width, 1), (height, board_width)] {
        let mut covered = 1;
        while covered < length {
            let more = covered.min(length - covered);
            or_shifted(points, more * step);
            covered += more;
        }
    }
}

/// Adds to each point the one so many points behind it.
fn or_shifted(points: &mut [u64], offset: usize) {
    let (first, bits) = (offset / 64, offset % 64);
    for at in 0..points.len() {
        let word = |at: usize| points.get(at).copied().unwrap_or(0);
        let shifted = word(at + first) >> bits | word(at + first + 1) << 1 << (63 - bits);
        points[at] |= shifted;
    }
}
