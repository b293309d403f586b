//! The engine, and what is asked of it: live analysis, sweeps, reviews.

pub(crate) mod accuracy;
mod comparison;
mod dead_stones;
pub(crate) mod engine;
pub(crate) mod evaluations;
pub(crate) mod handlers;
mod known;
pub(crate) mod ledger;
mod list;
mod play_out;
pub(crate) mod question;
pub(crate) mod resources;
pub(crate) mod review;
pub(crate) mod score;
pub(crate) mod turning;
pub(crate) mod types;
pub(crate) mod views;

use crate::games::session::Session;
use crate::games::{GamesRoom, target_of};
use crate::{
    AnalysisUpdate, ApiError, EngineStatus, GameRef, Host, LineReview, NodeRef, OpenGameId, SetAnalysis, SweepGame,
    SweepStarted,
};
use engine::{AfterSweep, AnalysisFocus, Engine, EngineSource, Held, Loaded, SharedEngine, SweepPurpose, SweepWork};
use evaluations::Evaluations;
use honinbo_evaluator::Evaluator;
use honinbo_library::ENOUGH_VISITS;
use std::sync::Arc;
use std::time::Duration;

/// A review by itself: the first thought on each position, then visits enough to judge moves, where it is open which move
/// of each player lost most, as many as this number of moves takes, and on a slow machine as many as the time allows.
const QUICK_PASSES: [u32; 2] = [1, ENOUGH_VISITS];
const QUICK_MOVES: usize = 24;
const QUICK_PATIENCE: Duration = Duration::from_secs(30);
/// A game of fewer moves decides nothing.
const MIN_MOVES: usize = 3;

/// An engine that answers. Its evaluators go on answering, whoever keeps them, whatever is chosen later; as long as this is
/// kept, the network is not read anew for a faster setting.
pub struct ReadyEngine {
    /// Answers for positions that somebody waits for; shared with everybody else.
    pub evaluator: Arc<dyn Evaluator>,
    /// The same for what may take its time.
    pub background: Arc<dyn Evaluator>,
    /// The network's own name.
    pub network: String,
    /// The device that computes.
    pub device: String,
    /// Search threads that keep it busy.
    pub threads: usize,
    /// KataGo's number for the network's architecture, where it is known.
    pub model_version: Option<u32>,
    /// Whether the network is of human style and wants to know who plays.
    pub human_style: bool,
    loaded: Held,
}

impl ReadyEngine {
    fn new(loaded: Arc<Loaded>) -> Self {
        Self {
            evaluator: loaded.evaluator(),
            background: loaded.background(),
            network: loaded.network.clone(),
            device: loaded.computing.words(),
            threads: loaded.threads,
            model_version: loaded.model_version,
            human_style: loaded.human_style,
            loaded: Held::new(loaded),
        }
    }

    /// Forgets remembered evaluations.
    pub fn clear_cache(&self) {
        self.loaded.clear_cache();
    }
}

/// The engine, and what it found.
pub(crate) struct AnalysisRoom {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) engine: Engine,
    pub(crate) evaluations: Arc<Evaluations>,
    pub(crate) games: Arc<GamesRoom>,
}

impl AnalysisRoom {
    /// The engine as it is now.
    pub(crate) fn engine_status(&self) -> EngineStatus {
        self.engine.status()
    }

    /// The engine itself, for protocols that have a search of their own; the network is read now if it has not been.
    ///
    /// # Errors
    /// [`ApiError::EngineUnavailable`] when nobody can answer.
    pub(crate) fn ready_engine(&self) -> Result<ReadyEngine, ApiError> {
        Ok(ReadyEngine::new(self.engine.load()?))
    }

    /// The engine for back ends that share it; see [`EngineSource::Shared`].
    pub(crate) fn shared_engine(&self) -> EngineSource {
        EngineSource::Shared(SharedEngine::of(self.engine.clone()))
    }

    /// A second network beside the one in use: a file, or the name of one that is at hand.
    ///
    /// # Errors
    /// [`ApiError::EngineUnavailable`] when it cannot be read.
    pub(crate) fn ready_engine_beside(&self, network: &str) -> Result<ReadyEngine, ApiError> {
        Ok(ReadyEngine::new(Arc::new(self.engine.load_beside(network)?)))
    }

    /// Reads the network in the background, so that the first answer comes sooner: for hosts whose window takes a
    /// while to ask.
    pub(crate) fn warm_up(&self) {
        self.engine.warm_up();
    }

    pub(crate) fn set_analysis(&self, wanted: &SetAnalysis) -> Result<(), ApiError> {
        let id = &wanted.game_id;
        let focus = AnalysisFocus {
            visits: wanted.visits,
            allow: wanted.allow.clone(),
            avoid: wanted.avoid.clone(),
            candidate_ownership: wanted.candidate_ownership,
            closer: Vec::new(),
            equal: None,
        };
        // Held to the end: a step made meanwhile would be followed by the position before it.
        self.games.find(id)?.with(|session| {
            let equal = wanted.equal.clone().filter(|equal| equal.node_id == session.current_id());
            let closer = wanted.closer.clone().filter(|closer| closer.node_id == session.current_id());
            let closer = closer.map(|closer| closer.points).unwrap_or_default();
            let target = target_of(session, AnalysisFocus { equal, closer, ..focus });
            if wanted.running {
                self.engine.analyse(Some(target));
            } else {
                self.engine.leave(id);
            }
            Ok(())
        })
    }

    /// As the command of that name; `then` follows where it is not broken off.
    pub(crate) fn sweep(&self, wanted: &SweepGame, then: AfterSweep) -> Result<SweepStarted, ApiError> {
        if wanted.passes.is_empty() {
            return Err(ApiError::InvalidRequest { message: "a sweep needs at least one pass".into() });
        }
        let look_up = |session: &mut Session| Ok((self.engine.era_of(&session.id), session.line_positions()));
        let (begun, (line, positions)) = self.games.with_game(&wanted.game_id, look_up)?;
        let work = SweepWork {
            game_id: wanted.game_id.clone(),
            begun,
            line,
            positions,
            passes: wanted.passes.clone(),
            worst: wanted.worst.map(|moves| moves as usize),
            patience: wanted.seconds.map(|seconds| Duration::from_secs(seconds.into())),
            by_need: wanted.by_need,
            purpose: if wanted.unasked { SweepPurpose::Graph } else { SweepPurpose::Asked },
            then,
        };
        // What nobody asked for gives way to every sweep.
        let (serial, _) = self.engine.sweep(work, |_| wanted.unasked);
        Ok(SweepStarted { serial })
    }

    /// As the command of that name, once it is known that nothing speaks against it. A game that has `ended` here goes
    /// before whatever else nobody asked for: its players wait for its story.
    pub(crate) fn review_by_itself(
        &self,
        id: &OpenGameId,
        ended: bool,
        then: AfterSweep,
    ) -> Result<Option<SweepStarted>, ApiError> {
        let look_up = |session: &mut Session| Ok((self.engine.era_of(&session.id), session.line_positions()));
        let (begun, (line, positions)) = self.games.with_game(id, look_up)?;
        let network = self.engine.network_name(line.start().board());
        if positions.len() <= MIN_MOVES || network.is_none() {
            return Ok(None);
        }
        let work = SweepWork {
            game_id: id.clone(),
            begun,
            line,
            positions,
            passes: QUICK_PASSES.to_vec(),
            worst: Some(QUICK_MOVES),
            patience: Some(QUICK_PATIENCE),
            by_need: false,
            purpose: SweepPurpose::ByItself,
            then,
        };
        let (serial, is_this) = self.engine.sweep(work, |other| !ended || other == SweepPurpose::Asked);
        Ok(is_this.then_some(SweepStarted { serial }))
    }

    /// How the players of the variation on the board did, as far as its moves are judged.
    pub(crate) fn line_review(&self, game: &GameRef) -> Result<LineReview, ApiError> {
        let (line, area) = self
            .games
            .with_game(&game.game_id, |session| Ok((session.line_moves(), session.game().board().size().area())))?;
        Ok(self.engine.line_review(&game.game_id, &line, area))
    }

    /// What is known of a node's position; `None` where nobody looked at it, or nobody knows which moves are good.
    pub(crate) fn known_analysis(&self, wanted: &NodeRef) -> Result<Option<AnalysisUpdate>, ApiError> {
        let game = self.games.with_game(&wanted.game_id, |session| session.game_at(wanted.node_id))?;
        Ok(self.engine.known_analysis(&wanted.game_id, wanted.node_id, &game))
    }
}
