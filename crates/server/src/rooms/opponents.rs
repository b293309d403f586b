//! Who plays in rooms where no person does.

use honinbo_api::{ApiError, App, EngineSource};
use honinbo_players::Player;
use honinbo_rules::{Game, Point};

/// Engines for rooms. The one real implementation is [`honinbo_api::App`]; tests have their own.
pub trait Opponents: Send + Sync + 'static {
    /// A player of this level, rank or name.
    ///
    /// # Errors
    /// [`ApiError::InvalidRequest`] when there is none.
    fn opponent(&self, level: &str) -> Result<Box<dyn Player>, ApiError>;

    /// Names of all players: levels, ranks and engines. May block for as long as a disk.
    fn names(&self) -> Vec<String>;

    /// What answers for positions in everybody's own window. May block until a network is read.
    fn engine(&self) -> EngineSource;

    /// The stones that are dead in a game that both players have passed in. May block for as long as a search.
    fn dead_stones(&self, game: &Game) -> Vec<Point>;
}

impl Opponents for App {
    fn opponent(&self, level: &str) -> Result<Box<dyn Player>, ApiError> {
        App::opponent(self, level)
    }

    fn names(&self) -> Vec<String> {
        self.opponent_names()
    }

    fn engine(&self) -> EngineSource {
        match self.ready_engine() {
            Ok(ready) => EngineSource::Given { evaluator: ready.evaluator, network: ready.network },
            // Then each window says itself what is missing.
            Err(error) => {
                tracing::warn!(?error, "people's own boards have no network");
                EngineSource::Network
            }
        }
    }

    fn dead_stones(&self, game: &Game) -> Vec<Point> {
        App::dead_stones(self, game)
    }
}
