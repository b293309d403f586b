//! The named levels: from a random move to the strongest that the machine can do.

mod config;
mod eyes;
mod fallback;
mod heuristic;
mod limited;
mod named;
mod network;
mod rank;
mod style;

pub use config::{EnginesFile, EnginesFileError, LevelSpec};
pub use fallback::WithFallback;
pub use heuristic::{HeuristicPlayer, HeuristicWeights, RandomPlayer};
pub use named::Limited;
pub use network::{NetworkPlayer, NetworkSource, OtherNetwork, OtherNetworks, ReadyNetwork};
pub use rank::{Rank, RankError, RankLimits};
pub use style::{Style, StyleError};

use honinbo_rules::{BoardSize, Topology};

use crate::{AnalysisPlayer, GtpPlayer, Player};

/// The names of the levels, weakest first; `custom` is what the person made of it.
pub const LEVELS: [&str; 5] = ["easy", "medium", "hard", "expert", "custom"];

/// The names of those who have just learnt the rules, weakest first.
pub const PUPILS: [&str; 5] = ["pupil_1", "pupil_2", "pupil_3", "pupil_4", "pupil_5"];
/// Sides of the boards that their networks have learnt on.
const PUPIL_SIDES: std::ops::RangeInclusive<usize> = 5..=9;

/// Whether somebody of that name is offered on a board.
#[must_use]
pub fn plays_on(name: &str, size: BoardSize, topology: Topology) -> bool {
    let is_small = [size.width(), size.height()].iter().all(|side| PUPIL_SIDES.contains(side));
    !PUPILS.contains(&name) || is_small && topology == Topology::Plane
}

impl LevelSpec {
    /// A player of this kind. `seed` fixes what is random in it.
    ///
    /// What needs a network or another program answers with the heuristic of `medium` when it fails or takes too long.
    #[must_use]
    pub fn player(&self, name: &str, network: &NetworkSource, seed: u64) -> Box<dyn Player> {
        match self {
            LevelSpec::Random => Box::new(RandomPlayer::new(name, seed)),
            LevelSpec::Heuristic { weights, randomness } => {
                Box::new(HeuristicPlayer::new(name, *weights, *randomness, seed))
            }
            LevelSpec::Network { seconds, visits, timeout } => {
                let player = NetworkPlayer::new(name, network.clone(), *seconds, *visits, seed);
                Box::new(WithFallback::new(player, *timeout, seed))
            }
            LevelSpec::Limited { limited, timeout } => {
                let player = NetworkPlayer::limited(name, network.clone(), *limited, seed);
                Box::new(WithFallback::new(player, *timeout, seed))
            }
            LevelSpec::Analysis { line, visits, timeout, limits } => {
                let player = AnalysisPlayer::new(line.clone(), *limits, *visits);
                Box::new(WithFallback::new(player, *timeout, seed))
            }
            LevelSpec::Gtp { line, commands, timeout, limits } => {
                let player = GtpPlayer::new(line.clone(), *limits, commands.clone());
                Box::new(WithFallback::new(player, *timeout, seed))
            }
        }
    }

    /// Whether a network is needed.
    #[must_use]
    pub fn needs_network(&self) -> bool {
        matches!(self, LevelSpec::Network { .. } | LevelSpec::Limited { .. })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use honinbo_rules::{Game, Preset, Setup};

    use super::*;

    #[test]
    fn pupils_know_small_boards_that_end_at_their_edges() {
        let on = |name, width, height, topology| plays_on(name, BoardSize::new(width, height).unwrap(), topology);
        for pupil in PUPILS {
            assert!(on(pupil, 5, 9, Topology::Plane));
            assert!(!on(pupil, 4, 9, Topology::Plane) && !on(pupil, 9, 13, Topology::Plane));
            assert!(!on(pupil, 9, 9, Topology::Torus) && !on(pupil, 9, 9, Topology::Cylinder));
        }
        assert!(on("rank_20k", 19, 19, Topology::Torus));
    }

    #[test]
    fn weak_players_give_up_later_and_those_who_have_just_learnt_the_rules_never() {
        let game = Game::new(Setup::preset(Preset::Chinese)).unwrap();
        let network: NetworkSource = Arc::new(|| Err("there is none".into()));
        let rule = |name: &str| LevelSpec::usual(name).unwrap().player(name, &network, 1).resign_rule(&game);
        for name in ["easy", "medium", "custom", "pupil_1", "pupil_5"] {
            assert_eq!(rule(name), None, "{name}");
        }
        let [strongest, weak, weakest] = ["rank_9d", "rank_10k", "rank_20k+adaptive"].map(|name| rule(name).unwrap());
        assert_eq!(rule("hard"), Some(strongest));
        assert_eq!((strongest.turns, weakest.turns), (3, 8));
        assert!(strongest.least_deficit > 20.0 && strongest.least_deficit < weak.least_deficit);
        assert!(weak.turns < weakest.turns && weak.least_deficit < weakest.least_deficit);
    }
}
