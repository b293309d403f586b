//! The named levels: from a random move to the strongest that the machine can do.

mod config;
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
pub use network::{HumanNetwork, NetworkPlayer, NetworkSource, ReadyNetwork};
pub use rank::{Rank, RankError, RankLimits};
pub use style::{Style, StyleError};

use crate::{AnalysisPlayer, EngineLimits, GtpPlayer, Player};

/// The names of the levels, weakest first; `custom` is what the person made of it.
pub const LEVELS: [&str; 5] = ["easy", "medium", "hard", "expert", "custom"];

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
            LevelSpec::Analysis { line, visits, timeout } => {
                let player = AnalysisPlayer::new(line.clone(), EngineLimits::default(), *visits);
                Box::new(WithFallback::new(player, *timeout, seed))
            }
            LevelSpec::Gtp { line, commands, timeout } => {
                let player = GtpPlayer::new(line.clone(), EngineLimits::default(), commands.clone());
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
