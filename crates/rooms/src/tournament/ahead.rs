//! The rounds that follow: whether they can be paired without anybody meeting again.
//!
//! Who can still meet is a graph, and each round takes a perfect matching out of it. The search puts pairs into all of the
//! rounds at once, always where the fewest are possible.

use super::matching::MAX_COST;

/// Most places of a round, that of nobody among them, for which those that follow are looked at: with more players than
/// that there are far more opponents than rounds.
const MAX_PLACES: usize = 12;
/// Pairs that the search tries for a number of rounds before it is content with one less; some milliseconds. Where everybody
/// was there all the time about fifty are enough; where people came and went, 4 % of rounds were given up once or twice
/// (2026-11, 806 rounds at random).
const MAX_STEPS: u32 = 5_000;

/// Chooses the pairing of a round, in which each place has a partner. `cheapest` is the choice that does not look ahead; it
/// gives way to the cheapest one after which more rounds, at most `wanted`, can be paired without anybody meeting again.
pub(super) fn looking_ahead(
    cheapest: Vec<usize>,
    wanted: usize,
    may_meet: impl Fn(usize, usize) -> bool,
    cost: impl Fn(usize, usize) -> Option<i128>,
) -> Vec<usize> {
    if cheapest.len() > MAX_PLACES {
        return cheapest;
    }
    let unmet = Unmet::new(cheapest.len(), may_meet);
    for rounds in (1..=wanted.min(unmet.fewest().saturating_sub(1))).rev() {
        let mut steps = MAX_STEPS;
        if !unmet.holds(rounds + 1, &mut steps) {
            continue;
        }
        if unmet.without(&cheapest).holds(rounds, &mut steps) {
            return cheapest;
        }
        let mut others: Vec<(i128, Vec<usize>)> = unmet
            .pairings()
            .into_iter()
            .map(|mates| {
                let pairs = mates.iter().enumerate().filter(|(place, mate)| place < *mate);
                (pairs.map(|(place, &mate)| cost(place, mate).unwrap_or(MAX_COST)).sum(), mates)
            })
            .collect();
        others.sort_by_key(|(cost, _)| *cost);
        let holds = |(_, mates): &(i128, Vec<usize>)| unmet.without(mates).holds(rounds, &mut steps);
        if let Some((_, mates)) = others.into_iter().find(holds) {
            return mates;
        }
    }
    cheapest
}

/// Who can meet whom for the first time: of each place a bit for every other.
#[derive(Debug, Clone)]
struct Unmet(Vec<u16>);

impl Unmet {
    fn new(places: usize, may_meet: impl Fn(usize, usize) -> bool) -> Self {
        let mut unmet = Self(vec![0; places]);
        for a in 0..places {
            for b in a + 1..places {
                if may_meet(a, b) {
                    unmet.flip(a, b);
                }
            }
        }
        unmet
    }

    fn flip(&mut self, a: usize, b: usize) {
        self.0[a] ^= 1 << b;
        self.0[b] ^= 1 << a;
    }

    /// Fewest that anybody can meet.
    fn fewest(&self) -> usize {
        self.0.iter().map(|others| others.count_ones() as usize).min().unwrap_or_default()
    }

    /// After a round with these partners.
    fn without(&self, mates: &[usize]) -> Self {
        Self(self.0.iter().zip(mates).map(|(others, mate)| others & !(1 << mate)).collect())
    }

    /// Every pairing of all places.
    fn pairings(&self) -> Vec<Vec<usize>> {
        fn go_on(unmet: &Unmet, free: u16, mates: &mut [usize], found: &mut Vec<Vec<usize>>) {
            let Some(place) = bits(free).next() else {
                found.push(mates.to_vec());
                return;
            };
            for mate in bits(unmet.0[place] & free) {
                (mates[place], mates[mate]) = (mate, place);
                go_on(unmet, free & !(1 << place) & !(1 << mate), mates, found);
            }
        }
        let (mut mates, mut found) = (vec![0; self.0.len()], Vec::new());
        go_on(self, self.everybody(), &mut mates, &mut found);
        found
    }

    /// Whether so many rounds can be paired; false, too, where the search is given up.
    fn holds(&self, rounds: usize, steps: &mut u32) -> bool {
        let mut unmet = self.clone();
        let mut free = vec![self.everybody(); rounds];
        self.fewest() >= rounds && unmet.fill(&mut free, steps)
    }

    /// Fills rounds, of each of which these places have nobody yet.
    fn fill(&mut self, free: &mut [u16], steps: &mut u32) -> bool {
        let choices =
            free.iter().enumerate().flat_map(|(round, &places)| bits(places).map(move |place| (round, place, places)));
        let choices = choices.map(|(round, place, places)| (self.0[place] & places, round, place));
        let Some((mates, round, place)) = choices.min_by_key(|(mates, ..)| mates.count_ones()) else { return true };
        for mate in bits(mates) {
            let Some(left) = steps.checked_sub(1) else { return false };
            *steps = left;
            self.flip(place, mate);
            free[round] ^= (1 << place) | (1 << mate);
            if self.fill(free, steps) {
                return true;
            }
            self.flip(place, mate);
            free[round] ^= (1 << place) | (1 << mate);
        }
        false
    }

    fn everybody(&self) -> u16 {
        (1_u16 << self.0.len()) - 1
    }
}

/// The places of the bits that are set.
fn bits(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(lowest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A prism: two triangles, 0 1 2 and 3 4 5, with an edge from each corner to that of the other.
    fn prism() -> Unmet {
        let edges = [[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [0, 3], [1, 4], [2, 5]];
        Unmet::new(6, |a, b| edges.contains(&[a, b]))
    }

    fn holds(unmet: &Unmet, rounds: usize) -> bool {
        let mut steps = MAX_STEPS;
        unmet.holds(rounds, &mut steps)
    }

    #[test]
    fn two_triangles_hold_no_round_and_the_prism_holds_three() {
        assert!(holds(&prism(), 3) && !holds(&prism(), 4));
        let triangles = prism().without(&[3, 4, 5, 0, 1, 2]);
        assert!(!holds(&triangles, 1) && holds(&triangles, 0));
        assert_eq!(prism().pairings().len(), 4);
        assert!(!prism().holds(3, &mut 2), "given up");
    }

    #[test]
    fn the_cheapest_pairing_gives_way_to_one_that_leaves_rounds() {
        let across = vec![3, 4, 5, 0, 1, 2];
        let may_meet = |a: usize, b: usize| prism().0[a] >> b & 1 == 1;
        // Those across are the cheapest; after them nobody could be paired.
        let cost = |a: usize, b: usize| Some(if b == a + 3 { 0 } else { 10 + a as i128 });
        assert_eq!(looking_ahead(across.clone(), 0, may_meet, cost), across, "it is the last round");
        let chosen = looking_ahead(across, 2, may_meet, cost);
        assert!(holds(&prism().without(&chosen), 2));
        assert_eq!(chosen, [1, 0, 5, 4, 3, 2], "the cheapest of those");
    }

    #[test]
    fn twelve_can_play_eleven_rounds() {
        assert!(holds(&Unmet::new(12, |_, _| true), 11));
    }
}
