//! Opponents of every strength, with or without a network, and the engines that people already own.
//!
//! A [`Player`] is asked for its turn in a [`honinbo_rules::Game`] and answers with one move; it follows whatever the
//! game did since it was asked last, so taking back needs no word to it.
//! [`GtpPlayer`] is another program that speaks GTP: it may crash, hang or talk nonsense, and each of these is an
//! [`EngineError`] with a hint.
//! [`Contest`] has two players meet in many games and says how much stronger one is.
//!
//! ```
//! use honinbo_players::Tally;
//!
//! let tally = Tally { wins: 60, losses: 40, ..Tally::default() };
//! assert_eq!(tally.elo().unwrap().round(), 70.0);
//! ```

mod clock;
mod contest;
mod estimate;
mod external;
mod glicko;
mod level;
mod player;
mod recorded_time;

pub use clock::{GameClock, TimeControl, TimeLeft};
pub use contest::{
    Contest, ContestError, ContestGame, Ending, GameTerms, Openings, PlayedGame, Tally, play_game, record_of,
};
pub use estimate::{RankEstimate, chance_to_find, rank_from_likelihoods, rank_from_losses};
pub use external::{
    AnalysisPlayer, Analyst, CommandLine, CommandLineError, EngineCandidate, EngineError, EngineLimits, EngineReport,
    GtpClient, GtpPlayer, InstalledEngine, Wanted, installed_engines,
};
pub use glicko::{Glicko2, RatedResult};
pub use level::{
    EnginesFile, EnginesFileError, HeuristicPlayer, HeuristicWeights, LEVELS, LevelSpec, Limited, NetworkPlayer,
    NetworkSource, OtherNetwork, OtherNetworks, PUPILS, RandomPlayer, Rank, RankError, RankLimits, ReadyNetwork, Style,
    StyleError, WithFallback, plays_on,
};
pub use player::{Player, PlayerError};
pub use recorded_time::RecordedTime;
