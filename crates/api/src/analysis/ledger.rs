//! Where the visits of a review go: half of them to every position alike, the others where the verdict on a move is open.
//!
//! The rule and its figures are in docs/experiments/search.md: at equal visits fewer verdicts are wrong than when all
//! positions get the same.

use honinbo_library::{BLUNDER_FROM, ENOUGH_VISITS, MISTAKE_FROM};

/// Visits as a multiple of the mean that one position may get.
const MOST: u32 = 4;

/// Visits that every position gets first, in a review that gives so many on average. With few, each needs all of them.
pub(crate) fn each_first(mean: u32) -> u32 {
    if mean >= 2 * ENOUGH_VISITS { mean / 2 } else { mean }
}

/// A position of the line under review.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// Visits that it has.
    pub(crate) visits: u32,
    /// Points that the move to it lost, as far as that is judged.
    pub(crate) lost: Option<f64>,
}

/// The place whose visits to double next: the one that a verdict near a limit rests on, for what it has been given.
/// `None` where `left` visits are too few, or every place that a verdict rests on has as many as one may get.
pub(crate) fn next(places: &[Place], left: u64, mean: u32) -> Option<usize> {
    let open = |at: usize| {
        let lost = places.get(at)?.lost?;
        let to_limit = (lost - MISTAKE_FROM).abs().min((lost - BLUNDER_FROM).abs());
        Some(1.0 / (1.0 + to_limit))
    };
    let worth = |(at, place): (usize, &Place)| {
        if u64::from(place.visits) > left || place.visits > MOST / 2 * mean {
            return None;
        }
        // A verdict rests on the position before the move and on the one after it.
        let open = open(at).into_iter().chain(open(at + 1)).max_by(f64::total_cmp)?;
        Some((at, open / f64::from(place.visits.max(1)).sqrt()))
    };
    let most = places.iter().enumerate().filter_map(worth).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    most.map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place(visits: u32, lost: f64) -> Place {
        Place { visits, lost: Some(lost) }
    }

    #[test]
    fn the_visits_go_where_a_verdict_is_open() {
        let clear = [0.0, 0.1, 12.0, 0.0, 2.1, 0.0].map(|lost| place(50, lost));
        assert_eq!(next(&clear, 1000, 100), Some(3), "before the move that lost 2.1");
        let given = [place(50, 0.0), place(100, 0.0), place(100, 2.5), place(50, 3.1)];
        assert_eq!(next(&given, 1000, 100), Some(3), "the others were given twice as many");
    }

    #[test]
    fn no_position_gets_more_than_there_is_or_than_four_times_the_mean() {
        assert_eq!(next(&[place(50, 2.0), place(50, 2.0)], 49, 100), None);
        assert_eq!(next(&[place(400, 2.0), place(201, 2.0)], 10_000, 100), None);
        assert_eq!(next(&[Place { visits: 50, lost: None }], 10_000, 100), None, "nothing rests on it");
    }

    #[test]
    fn few_visits_are_not_divided() {
        assert_eq!([2, 50, 99, 100, 400].map(each_first), [2, 50, 99, 50, 200]);
    }

    proptest! {
        #[test]
        fn the_mean_is_kept_and_the_end_is_reached(losses in prop::collection::vec(0.0..20.0_f64, 1..80), mean in 100..1000_u32) {
            let mut places: Vec<Place> = losses.iter().map(|&lost| place(each_first(mean), lost)).collect();
            let all = u64::from(mean) * places.len() as u64;
            let mut left = all - u64::from(each_first(mean)) * places.len() as u64;
            while let Some(at) = next(&places, left, mean) {
                left -= u64::from(places[at].visits);
                places[at].visits *= 2;
            }
            prop_assert!(places.iter().map(|place| u64::from(place.visits)).sum::<u64>() <= all);
            prop_assert!(places.iter().all(|place| place.visits <= MOST * mean));
            prop_assert!(left < u64::from(each_first(mean)) || places.iter().all(|place| place.visits > MOST / 2 * mean));
        }
    }
}
