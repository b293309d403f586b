//! Who meets whom in the next round.

use super::ahead::looking_ahead;
use super::matching::cheapest_pairs;
use super::{Attendance, MAX_TOURNAMENT_ROUNDS, RestPoints, Tournament, TournamentError};
use std::collections::{HashMap, HashSet};

/// What is wanted of a pairing, the first before all that follow: nobody who meets anybody again, opponents with nearly as
/// many points, nobody drawn up or down again and again, colours that change, and halves of a group against each other. Each
/// is worth more than all that can be had of the next one over a whole round.
const AGAIN: i128 = 10_i128.pow(28);
const SCORE: i128 = 10_i128.pow(21);
const DRAWN: i128 = 10_i128.pow(14);
const COLOR: i128 = 10_i128.pow(7);

/// A round without rooms.
pub(super) struct Paired {
    pub(super) pairs: Vec<Pair>,
    pub(super) bye: Option<usize>,
}

/// A game without a room.
pub(super) struct Pair {
    /// Black and White.
    pub(super) players: [usize; 2],
    /// By how many half points White stands higher.
    pub(super) drawn: i64,
    /// See [`super::Pairing::handicap`].
    pub(super) handicap: u32,
}

/// What a player has had so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Past {
    /// Even games with Black, less those with White.
    colors: i64,
    /// 1 where the last game was with Black, -1 with White.
    last_color: i64,
    drawn_up: i64,
    drawn_down: i64,
    byes: u32,
}

/// A player in the order of the table.
#[derive(Debug, Clone, Copy)]
struct Entrant {
    player: usize,
    score: i64,
    past: Past,
    /// The place among those with as many points, and how many these are.
    nth: i64,
    of: i64,
}

impl Tournament {
    /// The next round of a Swiss or McMahon tournament. The top half of those with as many points meets the bottom half.
    /// Somebody meets anybody again only where nobody is left.
    pub(super) fn pair(&self) -> Result<Paired, TournamentError> {
        let (past, met) = self.past();
        let mut here: Vec<Entrant> = self
            .standings()
            .into_iter()
            .filter(|standing| self.players[standing.player].attendance == Attendance::Here)
            .filter(|standing| self.rest_of(self.rounds.len(), standing.player).is_none())
            .map(|standing| Entrant {
                player: standing.player,
                score: standing.score.into(),
                past: past[standing.player],
                nth: 0,
                of: 0,
            })
            .collect();
        if here.len() < 2 {
            return Err(TournamentError::TooFew);
        }
        for group in here.chunk_by_mut(|a, b| a.score == b.score) {
            let of = group.len() as i64;
            group.iter_mut().enumerate().for_each(|(nth, entrant)| (entrant.nth, entrant.of) = (nth as i64, of));
        }
        // Whoever has no opponent meets nobody, who stands one point below the lowest.
        let nobody = here.len();
        let lowest = here.iter().map(|entrant| entrant.score).min().unwrap_or_default();
        let fewest_byes = here.iter().map(|entrant| entrant.past.byes).min().unwrap_or_default();
        let may_rest = |a: usize| here[a].past.byes == fewest_byes;
        let times_met = |a: usize, b: usize| {
            i128::from(met.get(&ordered(here[a].player, here[b].player)).copied().unwrap_or(0_u32))
        };
        let handicaps = self.handicaps();
        let cost = |a: usize, b: usize| {
            if b == nobody {
                let one = &here[a];
                let behind = (nobody - a) as i128;
                let far = i128::from(one.score - lowest + 2);
                return may_rest(a).then(|| far.pow(2) * SCORE + behind.pow(2));
            }
            let (upper, lower) = (&here[a], &here[b]);
            let is_even = handicaps.between(upper.score, lower.score) == 0;
            Some(times_met(a, b) * AGAIN + cost_of(upper, lower, (b - a) as i64, is_even))
        };
        let cheapest =
            cheapest_pairs(here.len() + here.len() % 2, cost).expect("all can meet, and somebody can have a bye");
        let may_meet = |a: usize, b: usize| if b == nobody { may_rest(a) } else { times_met(a, b) == 0 };
        let left = self.rounds_planned().saturating_sub(self.rounds.len() + 1);
        let mates = looking_ahead(cheapest, left, may_meet, cost);
        let mut paired = Paired { pairs: Vec::new(), bye: None };
        for (nth, &mate) in mates.iter().enumerate() {
            if mate == nobody {
                paired.bye = Some(here[nth].player);
            } else if nth < mate {
                let (upper, lower) = (&here[nth], &here[mate]);
                let handicap = handicaps.between(upper.score, lower.score);
                let upper_is_black =
                    handicap == 0 && has_black(&upper.past, &lower.past, (self.rounds.len() + nth).is_multiple_of(2));
                let [black, white] = if upper_is_black { [upper, lower] } else { [lower, upper] };
                let players = [black.player, white.player];
                paired.pairs.push(Pair { players, drawn: white.score - black.score, handicap });
            }
        }
        Ok(paired)
    }

    /// The next round of the schedule, which is made at the first one.
    pub(super) fn next_of_schedule(&mut self) -> Result<Paired, TournamentError> {
        if self.rounds.is_empty() {
            let count = self.players.len();
            if count < 2 {
                return Err(TournamentError::TooFew);
            }
            if count > MAX_TOURNAMENT_ROUNDS as usize + 1 {
                return Err(TournamentError::TooMany);
            }
            self.schedule = round_robin(count);
        }
        let pairs = self.schedule.get(self.rounds.len()).ok_or(TournamentError::NoRoundLeft)?;
        let playing: HashSet<usize> = pairs.iter().flatten().copied().collect();
        let bye = (0..self.players.len()).find(|player| !playing.contains(player));
        Ok(Paired { pairs: pairs.iter().map(|&players| Pair { players, drawn: 0, handicap: 0 }).collect(), bye })
    }

    /// What everybody has had, and how often two have met.
    pub(super) fn past(&self) -> (Vec<Past>, HashMap<[usize; 2], u32>) {
        let mut past = vec![Past::default(); self.players.len()];
        let mut met = HashMap::new();
        for round in &self.rounds {
            if let Some(bye) = round.bye {
                past[bye].byes += 1;
            }
            for pairing in &round.pairings {
                let [black, white] = pairing.players;
                *met.entry(ordered(black, white)).or_default() += 1;
                for (player, color, higher) in [(black, 1, pairing.drawn), (white, -1, -pairing.drawn)] {
                    let past = &mut past[player];
                    if pairing.handicap == 0 {
                        past.colors += color;
                        past.last_color = color;
                    }
                    past.drawn_up += i64::from(higher > 0);
                    past.drawn_down += i64::from(higher < 0);
                }
            }
        }
        for rest in self.rests.iter().filter(|rest| rest.round < self.rounds.len() && rest.points == RestPoints::Bye) {
            past[rest.player].byes += 1;
        }
        (past, met)
    }
}

fn ordered(a: usize, b: usize) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// What it costs to pair two, of whom the first stands `apart` places higher; colours are a choice in even games alone.
fn cost_of(upper: &Entrant, lower: &Entrant, apart: i64, is_even: bool) -> i128 {
    let difference = upper.score - lower.score;
    let drawn = if difference > 0 { upper.past.drawn_down + lower.past.drawn_up } else { 0 };
    let after = |upper_color: i64| {
        let [one, other] = [upper.past.colors + upper_color, lower.past.colors - upper_color];
        one.pow(2) + other.pow(2)
    };
    let colors = if is_even { after(1).min(after(-1)) } else { 0 };
    // Half a group apart; those of different groups as near to each other as can be.
    let place = if difference == 0 { lower.nth - upper.nth - upper.of / 2 } else { apart };
    i128::from(difference.pow(2)) * SCORE
        + i128::from(drawn) * DRAWN
        + i128::from(colors) * COLOR
        + i128::from(place.pow(2))
}

/// Whether the first of two has Black: who had it less often, or last had White.
pub(super) fn has_black(one: &Past, other: &Past, otherwise: bool) -> bool {
    match (one.colors, one.last_color).cmp(&(other.colors, other.last_color)) {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Greater => false,
        std::cmp::Ordering::Equal => otherwise,
    }
}

/// Everybody against everybody, with Black and White as often as can be: the circle method. One stays in its place, the
/// others move on by one each round.
fn round_robin(count: usize) -> Vec<Vec<[usize; 2]>> {
    let even = count + count % 2;
    let moving = even - 1;
    let rounds = (0..moving).map(|round| {
        let fixed = if round % 2 == 0 { [round, moving] } else { [moving, round] };
        let others = (1..even / 2).map(|apart| {
            let pair = [(round + apart) % moving, (round + moving - apart) % moving];
            if apart % 2 == 1 { pair } else { [pair[1], pair[0]] }
        });
        // The last place is empty where the number is odd.
        std::iter::once(fixed).chain(others).filter(|pair| pair.iter().all(|&player| player < count)).collect()
    });
    rounds.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_round_robin_everybody_meets_everybody_once_with_colours_in_turn() {
        for count in 2..=MAX_TOURNAMENT_ROUNDS as usize + 1 {
            let rounds = round_robin(count);
            let mut met = HashSet::new();
            let mut colors = vec![0_i64; count];
            for round in &rounds {
                let mut here = HashSet::new();
                for &[black, white] in round {
                    assert!(met.insert(ordered(black, white)), "{count}: {black} and {white} meet again");
                    assert!(here.insert(black) && here.insert(white), "{count}: somebody plays twice");
                    colors[black] += 1;
                    colors[white] -= 1;
                }
                assert_eq!(round.len(), count / 2);
            }
            assert_eq!(met.len(), count * (count - 1) / 2);
            assert!(colors.iter().all(|more| more.abs() <= 1), "{count}: {colors:?}");
        }
    }
}
