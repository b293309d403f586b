//! What every opponent can do.

use std::time::Duration;

use honinbo_evaluator::StopFlag;
use honinbo_rules::{BoardSize, Game, IllegalMove, Move, Point};
use honinbo_search::{ReportOptions, ResignRule, SearchError, SearchReport};

use crate::{EngineError, GameClock};

/// Somebody who plays. Not shared between games that run at the same time: each takes its own.
pub trait Player: Send {
    /// What the player is called, for tables and records.
    fn name(&self) -> String;

    /// The turn that the player to move takes in this game, which is not over.
    ///
    /// `within` bounds the answer of players that could be late; `stop` ends a search early with what it has.
    /// The move is what the player wants: whether the rules allow it is the caller's question.
    ///
    /// # Errors
    /// When the player cannot answer. It may be asked again: players that are programs are then started again.
    fn choose(&mut self, game: &Game, within: Duration, stop: &StopFlag) -> Result<Move, PlayerError>;

    /// Whether it could be asked for a turn at once: a program that does not run has to be started first.
    fn is_ready(&self) -> bool {
        true
    }

    /// Starts what is not ready, which may take long: reading a large network does. Whoever keeps its time lets the
    /// clock stand meanwhile; a player that was not prepared starts in its turn.
    ///
    /// # Errors
    /// When it does not start.
    fn prepare(&mut self) -> Result<(), PlayerError> {
        Ok(())
    }

    /// Once this flag is set nobody waits for the player any more, whatever it is at: a program is ended. Holds until
    /// another flag takes its place.
    fn abandon_when(&mut self, _abandoned: StopFlag) {}

    /// What the clocks of the game show before a turn, for players that share their time out themselves. Never called
    /// in games without a clock.
    fn see_clock(&mut self, _clock: &GameClock, _now: Duration) {}

    /// As [`Player::choose`], after both players passed and the game went on so that dead stones are taken off.
    ///
    /// # Errors
    /// As [`Player::choose`].
    fn clean_up(&mut self, game: &Game, within: Duration, stop: &StopFlag) -> Result<Move, PlayerError> {
        self.choose(game, within, stop)
    }

    /// The game is over, and nobody asks for a turn soon: a program ends. Returns at once; whoever asks again all the
    /// same is answered as before.
    fn rest(&mut self) {}

    /// Why somebody else answered for the player in its last turn, reported once; `None` where it answered itself.
    fn take_notice(&mut self) -> Option<PlayerError> {
        None
    }

    /// What the search behind the last turn says; `None` for players that do not search, and where somebody else
    /// answered.
    fn last_report(&self, _options: &ReportOptions) -> Option<SearchReport> {
        None
    }

    /// When the player gives this game up, judged by what [`Player::last_report`] says; `None` where it never does, or
    /// resigns by itself.
    fn resign_rule(&self, _game: &Game) -> Option<ResignRule> {
        None
    }

    /// What the player takes Black's lead to be in a game that both players have passed in; `None` where it has no
    /// view of its own.
    fn black_lead(&mut self, _game: &Game, _within: Duration) -> Option<f64> {
        None
    }

    /// The stones that the player takes to be dead; `None` where it has no view of its own.
    fn dead_stones(&mut self, _game: &Game, _within: Duration) -> Option<Vec<Point>> {
        None
    }
}

/// Why a player did not answer.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The program that it is failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The search that it uses failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// There is no network to search with.
    #[error("the network does not answer: {message}")]
    NoNetwork {
        /// What is missing.
        message: String,
    },
    /// Its search did not come back.
    #[error("the search did not answer within {seconds} s")]
    Unanswered {
        /// How long it had.
        seconds: f64,
    },
    /// It wanted what the rules refuse.
    #[error("{played} was its choice: {why}")]
    Illegal {
        /// The move.
        played: String,
        /// The rule.
        why: String,
    },
    /// The search ended without a single visit.
    #[error("the search ended before it had a move")]
    NoMove,
}

impl PlayerError {
    /// A choice that the rules refuse.
    #[must_use]
    pub fn illegal(played: Move, why: IllegalMove, size: BoardSize) -> Self {
        Self::Illegal { played: played.to_gtp(size), why: why.on_board(size) }
    }

    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            PlayerError::Engine(error) => error.hint(),
            PlayerError::Search(_) => "see whether the network and the device in use still answer".into(),
            PlayerError::NoNetwork { .. } => "choose a network that is at hand".into(),
            PlayerError::Unanswered { .. } | PlayerError::NoMove => "give it more time, or fewer visits".into(),
            PlayerError::Illegal { .. } => "report this to the engine's authors".into(),
        }
    }
}
