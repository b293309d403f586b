//! How strong somebody played, from one game: a rank with an interval; and whether somebody of a rank finds a move.

use crate::level::Rank;

/// Share of the ranks' weight that the interval holds.
const COVERED: f64 = 0.9;
/// Judged moves from which something can be said.
const MIN_MOVES: u32 = 25;
/// A position in which one side wins with more than this is decided: nobody needs the best move there.
const DECIDED: f64 = 0.95;
/// Points above which a blunder counts no more.
const MAX_LOST: f64 = 15.0;
/// Added to the mean before the logarithm, in points.
const OFFSET: f64 = 0.1;

/// Rank above 20 kyu, and the mean of the logarithm of the points lost by a move there; a straight line between two.
///
/// Fitted to 434 halves of 244 games on 19x19 between people of 28 kyu to 9 dan (OGS, KGS, IGS, Tom, clubs), reviewed
/// with 10 visits of `g170-b6c96`; from 1 dan on the losses tell no ranks apart. See docs/experiments/rank-estimate.md.
const LOSSES: &[(f64, f64)] = &[(-4.0, 1.615), (4.0, 1.291), (12.0, 0.811), (20.0, 0.467), (28.0, 0.455)];
/// Variance of that logarithm from game to game, and what comes to it of a single move. Fitted with [`LOSSES`].
const VARIANCE: (f64, f64) = (0.076, 5.83);
/// Moves of a game are no independent witnesses, so that their likelihoods count only in part. Not fitted.
const WITNESSES: f64 = 0.3;

/// How strong somebody played in one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankEstimate {
    /// The weaker half of what is believed ends here.
    pub middle: Rank,
    /// The rank is between this one, which stands for all weaker ones as well,
    pub low: Rank,
    /// and this one with 90 %.
    pub high: Rank,
    /// Moves that it rests on.
    pub moves: u32,
}

/// A rank from the points that each move lost, with the player's chance to win before it. Moves of decided positions say
/// nothing; `None` where fewer than 25 are left.
#[must_use]
pub fn rank_from_losses(moves: impl IntoIterator<Item = (f64, f64)>) -> Option<RankEstimate> {
    let (mut count, mut sum) = (0_u32, 0.0);
    for (lost, chance) in moves {
        if (1.0 - DECIDED..=DECIDED).contains(&chance) {
            count += 1;
            sum += lost.clamp(0.0, MAX_LOST);
        }
    }
    if count < MIN_MOVES {
        return None;
    }
    let found = (sum / f64::from(count) + OFFSET).ln();
    let variance = VARIANCE.0 + VARIANCE.1 / f64::from(count);
    let of_rank = |rank: Rank| {
        let from_usual = found - between(LOSSES, f64::from(rank.above_weakest()));
        -from_usual * from_usual / (2.0 * variance)
    };
    believed(of_rank, count)
}

/// A rank from how likely its moves are in the eyes of a network of human style: for some ranks, in their order, the sum of
/// the logarithms over so many moves.
#[must_use]
pub fn rank_from_likelihoods(ranks: &[(Rank, f64)], moves: u32) -> Option<RankEstimate> {
    if moves < MIN_MOVES || ranks.len() < 2 || ranks.iter().any(|(_, log)| !log.is_finite()) {
        return None;
    }
    let known: Vec<(f64, f64)> = ranks.iter().map(|&(rank, log)| (rank.above_weakest().into(), log)).collect();
    believed(|rank| WITNESSES * between(&known, rank.above_weakest().into()), moves)
}

/// The middle and the interval, where every rank was as likely before the game.
fn believed(log_weight: impl Fn(Rank) -> f64, moves: u32) -> Option<RankEstimate> {
    let logs: Vec<f64> = Rank::all().map(log_weight).collect();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let quantile = |part: f64| {
        let mut so_far = 0.0;
        Rank::all().zip(&weights).find_map(|(rank, weight)| {
            so_far += weight / sum;
            (so_far >= part).then_some(rank)
        })
    };
    let edge = (1.0 - COVERED) / 2.0;
    let high = quantile(1.0 - edge).unwrap_or(Rank::STRONGEST);
    Some(RankEstimate { middle: quantile(0.5)?, low: quantile(edge)?, high, moves })
}

/// A value of a table in a straight line between its rows.
fn between(table: &[(f64, f64)], at: f64) -> f64 {
    let above = table.iter().position(|row| row.0 >= at).unwrap_or(table.len() - 1);
    let (high, low) = (table[above], table[above.saturating_sub(1)]);
    let part = if high.0 > low.0 { ((at - low.0) / (high.0 - low.0)).clamp(0.0, 1.0) } else { 1.0 };
    low.1 + part * (high.1 - low.1)
}

/// How likely somebody of a rank plays one of the good moves, 0 to 1: as the level of that rank would choose by the
/// network's first thoughts. `candidates` are its odds for the moves that were looked at, and whether each is good; what
/// was not looked at counts as one bad move.
#[must_use]
pub fn chance_to_find(rank: Rank, candidates: &[(f64, bool)]) -> f64 {
    let limits = rank.limits();
    let power = 1.0 / limits.temperature.max(0.05);
    let most = candidates.iter().map(|&(prior, _)| prior).fold(f64::MIN_POSITIVE, f64::max);
    let rest = (1.0 - candidates.iter().map(|&(prior, _)| prior).sum::<f64>()).clamp(0.0, 1.0);
    let weight = |prior: f64| (prior / most).powf(power);
    let good: f64 = candidates.iter().filter(|(_, good)| *good).map(|&(prior, _)| weight(prior)).sum();
    let all: f64 = candidates.iter().map(|&(prior, _)| weight(prior)).sum::<f64>() + weight(rest.min(most));
    if all > 0.0 { (1.0 - limits.whim) * good / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(name: &str) -> Rank {
        name.parse().unwrap()
    }

    fn from_mean(lost: f64, moves: usize) -> RankEstimate {
        rank_from_losses(vec![(lost, 0.5); moves]).unwrap()
    }

    #[test]
    fn who_loses_less_is_stronger_and_the_interval_holds_the_middle() {
        let found: Vec<RankEstimate> = [6.0, 4.0, 2.5, 1.6, 0.8].map(|lost| from_mean(lost, 100)).to_vec();
        for pair in found.windows(2) {
            assert!(pair[0].middle <= pair[1].middle && pair[0].low <= pair[1].low, "{pair:?}");
        }
        for one in &found {
            assert!(one.low <= one.middle && one.middle <= one.high && one.low < one.high, "{one:?}");
        }
        assert!(found[0].middle < rank("14k") && found[4].middle > rank("1k"), "{found:?}");
    }

    #[test]
    fn fewer_moves_say_less_and_too_few_nothing() {
        let width = |moves| {
            let found = from_mean(2.0, moves);
            found.high.above_weakest() - found.low.above_weakest()
        };
        assert!(width(30) >= width(150), "{} {}", width(30), width(150));
        assert_eq!(rank_from_losses(vec![(1.0, 0.5); 24]), None);
        assert_eq!(rank_from_losses(vec![(1.0, 0.99); 200]), None, "decided");
        let mut moves = vec![(2.0, 0.5); 60];
        moves.extend(vec![(30.0, 0.01); 60]);
        assert_eq!(rank_from_losses(moves), rank_from_losses(vec![(2.0, 0.5); 60]), "what was decided is left out");
    }

    #[test]
    fn likelihoods_of_a_human_network_name_the_rank_that_fits_best() {
        let log = |best: f64, at: f64| -0.5 * (at - best).powi(2);
        let of = |best: f64| {
            let ranks: Vec<(Rank, f64)> = ["20k", "12k", "4k", "3d", "9d"]
                .map(|name| (rank(name), log(best, rank(name).above_weakest().into())))
                .to_vec();
            rank_from_likelihoods(&ranks, 60).unwrap()
        };
        assert!(of(0.0).middle < of(15.0).middle && of(15.0).middle < of(28.0).middle);
        assert_eq!(rank_from_likelihoods(&[(rank("5k"), -1.0)], 60), None, "one rank is no comparison");
        assert_eq!(rank_from_likelihoods(&[(rank("5k"), -1.0), (rank("1k"), f64::NAN)], 60), None);
    }

    #[test]
    fn what_is_obvious_is_found_by_more_than_what_is_not() {
        let obvious = [(0.7, true), (0.2, false)];
        let hidden = [(0.05, true), (0.7, false)];
        for name in ["20k", "10k", "5k", "1d", "9d"] {
            let [one, other] = [&obvious, &hidden].map(|moves| chance_to_find(rank(name), moves));
            assert!((0.0..=1.0).contains(&one) && one > other, "{name}: {one} {other}");
        }
        assert!(chance_to_find(rank("20k"), &obvious) < chance_to_find(rank("5k"), &obvious));
        assert!(chance_to_find(rank("9d"), &obvious) > 0.99 && chance_to_find(rank("5k"), &[]) <= 0.0);
    }
}
