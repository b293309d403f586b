//! Who plays in rooms where no person does.

use honinbo_api::{ApiError, App, Caller, EngineSource, RunLimits, RunReply, WireMove};
use honinbo_players::Player;
use honinbo_rooms::{Opinion, OpinionMove};
use honinbo_rules::{Color, Game, Point};

/// Visits of an opinion that a lesson shows.
const OPINION_VISITS: u32 = 200;
/// Candidates of it.
const MAX_CANDIDATES: usize = 8;

/// Engines for rooms. The one real implementation is [`honinbo_api::App`]; tests have their own.
pub trait Opponents: Send + Sync + 'static {
    /// A player of this level, rank or name.
    ///
    /// # Errors
    /// [`ApiError::InvalidRequest`] when there is none.
    fn opponent(&self, level: &str) -> Result<Box<dyn Player>, ApiError>;

    /// Names of all players: levels, ranks and engines. May block for as long as a disk.
    fn names(&self) -> Vec<String>;

    /// What answers for positions in everybody's own window; nothing is read yet.
    fn engine(&self) -> EngineSource;

    /// The stones that are dead in a game that both players have passed in. May block for as long as a search.
    fn dead_stones(&self, game: &Game) -> Vec<Point>;

    /// What the engine thinks of a game's position; `None` where nobody can say, or the caller has ended it. May block for as long
    /// as a search.
    fn opinion(&self, game: &Game, caller: &Caller) -> Option<Opinion>;
}

impl Opponents for App {
    fn opponent(&self, level: &str) -> Result<Box<dyn Player>, ApiError> {
        App::opponent(self, level)
    }

    fn names(&self) -> Vec<String> {
        self.opponent_names()
    }

    fn engine(&self) -> EngineSource {
        self.shared_engine()
    }

    fn dead_stones(&self, game: &Game) -> Vec<Point> {
        App::dead_stones(self, game)
    }

    fn opinion(&self, game: &Game, caller: &Caller) -> Option<Opinion> {
        let limits = RunLimits::new(Some(OPINION_VISITS), None, false, 0).ok()?;
        match self.run_game(game.clone(), &limits, false, caller.stop(), &|_| {}) {
            Ok(reply) => Some(opinion(&reply, game.to_play())),
            Err(ApiError::Cancelled) => None,
            Err(error) => {
                tracing::warn!(?error, "a lesson has no opinion of the engine");
                None
            }
        }
    }
}

/// From Black's side.
fn opinion(reply: &RunReply, mover: Color) -> Opinion {
    let win_prob = |rate: f64| if mover == Color::Black { rate } else { 1.0 - rate };
    let lead = |points: f64| if mover == Color::Black { points } else { -points };
    let candidates = reply.candidates.iter().take(MAX_CANDIDATES).map(|candidate| {
        let (x, y) = match candidate.candidate {
            WireMove::Place { x, y } => (Some(x - 1), Some(y - 1)),
            WireMove::Pass { .. } => (None, None),
        };
        OpinionMove {
            x,
            y,
            black_win_prob: win_prob(candidate.winrate.get()),
            black_lead: lead(candidate.score_lead.get()),
            visits: candidate.visits,
        }
    });
    Opinion {
        black_win_prob: win_prob(reply.winrate.get()),
        black_lead: lead(reply.score_lead.get()),
        visits: reply.visits,
        candidates: candidates.collect(),
    }
}
