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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventHub, ServerHost};
    use honinbo_rules::{BoardSize, Komi, Move, Ruleset, Setup, Topology};
    use honinbo_testkit::InfluenceEvaluator;
    use std::sync::Arc;

    /// All is Black's but for an eye of two points and one of one.
    const EYES: [(u8, u8); 3] = [(3, 0), (4, 0), (0, 2)];

    /// After a pass, so that one is thought of.
    fn black_ahead(to_play: Color) -> Game {
        let size = BoardSize::new(5, 4).unwrap();
        let is_eye = |point: &Point| EYES.contains(&(point.x() as u8, point.y() as u8));
        let stones = Point::all(size).filter(|point| !is_eye(point)).map(|point| (point, Color::Black)).collect();
        let setup = Setup::new(size, Topology::Plane, Ruleset::TROMP_TAYLOR, Komi::from_half_points(1));
        let mut game = Game::new(Setup { stones, first_player: to_play.opponent(), ..setup }).unwrap();
        game.play(to_play.opponent(), Move::Pass).unwrap();
        game
    }

    #[test]
    fn an_opinion_is_blacks_whoever_is_to_move_and_its_points_are_those_of_the_board() {
        let folder = tempfile::tempdir().unwrap();
        let host = ServerHost::new(folder.path().to_owned(), Vec::new(), Arc::new(EventHub::new()));
        let source = EngineSource::Given { evaluator: Arc::new(InfluenceEvaluator), network: "influence".into() };
        let app = App::with_engine(Arc::new(host), source);
        for to_play in Color::ALL {
            let opinion = Opponents::opinion(&*app, &black_ahead(to_play), &Caller::new()).unwrap();
            assert!(opinion.black_lead > 5.0 && opinion.black_win_prob > 0.7, "{to_play:?}: {opinion:?}");
            assert!(opinion.visits > 0 && opinion.candidates.len() > 1, "{to_play:?}: {opinion:?}");
            for candidate in &opinion.candidates {
                assert!(candidate.black_lead > 0.0 && candidate.black_win_prob > 0.5, "{to_play:?}: {candidate:?}");
            }
            let (passes, stones): (Vec<_>, Vec<_>) = opinion
                .candidates
                .iter()
                .map(|candidate| (candidate.x, candidate.y))
                .partition(|at| *at == (None, None));
            assert_eq!(passes.len(), 1, "{to_play:?}: {opinion:?}");
            for at in stones {
                assert!(EYES.iter().any(|(x, y)| at == (Some(*x), Some(*y))), "{to_play:?}: {at:?}");
            }
        }
    }
}
