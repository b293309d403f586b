//! Where the visits of a review go: half of them to every position alike, the others where the verdict on a move is open.
//!
//! The rule and its figures are in docs/experiments/search.md: at equal visits fewer verdicts are wrong than when all
//! positions get the same.

use honinbo_library::{BLUNDER_FROM, ENOUGH_VISITS, MISTAKE_FROM};
use std::collections::HashSet;

/// Visits as a multiple of the mean that one position may get.
const MAX_MULTIPLE: u64 = 4;

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

/// The visits of a review that are not given out yet.
#[derive(Debug)]
pub(crate) struct Ledger {
    left: u64,
    /// Visits from which a place is not doubled any more.
    enough: u64,
    /// Places whose search had no more room for its tree.
    full: HashSet<usize>,
}

impl Ledger {
    /// With so many visits left, of so many on average.
    pub(crate) fn new(left: u64, mean: u32) -> Self {
        Self { left, enough: MAX_MULTIPLE * u64::from(mean) / 2, full: HashSet::new() }
    }

    /// The place to look at next, and with how many visits: twice those of the one that a verdict near a limit rests on,
    /// for what it has been given. `None` where too few are left, or every place that a verdict rests on has as many as one
    /// may get.
    pub(crate) fn next(&self, places: &[Place]) -> Option<(usize, u32)> {
        let open = |at: usize| {
            let lost = places.get(at)?.lost?;
            let to_limit = (lost - MISTAKE_FROM).abs().min((lost - BLUNDER_FROM).abs());
            Some(1.0 / (1.0 + to_limit))
        };
        let worth = |(at, place): (usize, &Place)| {
            if u64::from(place.visits) > self.left.min(self.enough) || self.full.contains(&at) {
                return None;
            }
            // A verdict rests on the position before the move and on the one after it.
            let open = open(at).into_iter().chain(open(at + 1)).max_by(f64::total_cmp)?;
            Some((at, open / f64::from(place.visits.max(1)).sqrt()))
        };
        let most = places.iter().enumerate().filter_map(worth).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        most.map(|(at, _)| (at, places[at].visits.saturating_mul(2)))
    }

    /// A place that had `before` visits has `now`. What was known already, and not `searched`, costs nothing.
    pub(crate) fn looked(&mut self, at: usize, before: u32, now: u32, searched: bool) {
        if searched {
            self.left = self.left.saturating_sub(before.into());
        }
        if now <= before {
            self.full.insert(at);
        }
    }

    /// Visits that are left.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place(visits: u32, lost: f64) -> Place {
        Place { visits, lost: Some(lost) }
    }

    fn next(places: &[Place], left: u64, mean: u32) -> Option<(usize, u32)> {
        Ledger::new(left, mean).next(places)
    }

    #[test]
    fn the_visits_go_where_a_verdict_is_open() {
        let clear = [0.0, 0.1, 12.0, 0.0, 2.1, 0.0].map(|lost| place(50, lost));
        assert_eq!(next(&clear, 1000, 100), Some((3, 100)), "before the move that lost 2.1");
        let given = [place(50, 0.0), place(100, 0.0), place(100, 2.5), place(50, 3.1)];
        assert_eq!(next(&given, 1000, 100), Some((3, 100)), "the others were given twice as many");
    }

    #[test]
    fn no_position_gets_more_than_there_is_or_than_four_times_the_mean() {
        assert_eq!(next(&[place(50, 2.0), place(50, 2.0)], 49, 100), None);
        assert_eq!(next(&[place(400, 2.0), place(201, 2.0)], 10_000, 100), None);
        assert_eq!(next(&[Place { visits: 50, lost: None }], 10_000, 100), None, "nothing rests on it");
    }

    #[test]
    fn a_search_that_has_no_more_room_is_not_asked_again() {
        let places = [place(50, 2.0), place(50, 3.0)];
        let mut ledger = Ledger::new(u64::from(u32::MAX), u32::MAX);
        ledger.looked(0, 50, 50, true);
        assert_eq!(ledger.next(&places), Some((1, 100)));
        ledger.looked(1, 50, 50, true);
        assert_eq!(ledger.next(&places), None);
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
            let mut ledger = Ledger::new(all - u64::from(each_first(mean)) * places.len() as u64, mean);
            while let Some((at, visits)) = ledger.next(&places) {
                ledger.looked(at, places[at].visits, visits, true);
                places[at].visits = visits;
            }
            prop_assert!(places.iter().map(|place| u64::from(place.visits)).sum::<u64>() <= all);
            prop_assert!(places.iter().all(|place| u64::from(place.visits) <= MAX_MULTIPLE * u64::from(mean)));
            prop_assert!(ledger.left() < u64::from(each_first(mean)) || places.iter().all(|place| place.visits > 2 * mean));
        }
    }
}
