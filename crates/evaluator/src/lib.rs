//! The seam between whoever asks about positions and whatever answers: one position in, one [`Evaluation`] out.
//!
//! Searches, players and protocols know this crate and no network; `honinbo-net` answers with one. What stands between
//! the two is here as well: a memory of answers ([`CachingEvaluator`]) in front of a queue that many share
//! ([`EvalService`]).
//!
//! ```
//! use honinbo_evaluator::{CachingEvaluator, EvalParams, EvalRequest, EvalService, Evaluator};
//! use honinbo_evaluator::{BatchLimits, EvalError, Evaluation, Priority, ServiceOptions, StopFlag};
//! use honinbo_rules::{Game, Preset, Setup};
//! use std::sync::Arc;
//!
//! /// Has no opinion.
//! struct Even;
//!
//! impl Evaluator for Even {
//!     fn limits(&self) -> BatchLimits {
//!         BatchLimits { preferred: 8, max: 8 }
//!     }
//!
//!     fn evaluate(&self, requests: &[EvalRequest<'_>], _: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
//!         let moves = |game: &Game| game.board().size().area() + 1;
//!         Ok(requests.iter().map(|request| Evaluation::even(moves(request.game))).collect())
//!     }
//! }
//!
//! let service = EvalService::new(Arc::new(Even), ServiceOptions::for_sessions(1, 8));
//! let evaluator = CachingEvaluator::new(service.handle(Priority::Live), 1 << 20);
//! let game = Game::new(Setup::preset(Preset::Chinese)).unwrap();
//! let request = EvalRequest { game: &game, params: EvalParams::default() };
//! let answers = evaluator.evaluate(&[request], &StopFlag::new())?;
//! assert_eq!(answers[0].white_win, 0.5);
//! evaluator.evaluate(&[request], &StopFlag::new())?;
//! assert_eq!(service.stats().evaluated, 1, "the second time nobody waits in the queue");
//! # Ok::<(), EvalError>(())
//! ```

mod cache;
mod evaluation;
mod evaluator;
mod key;
mod profile;
mod ration;
mod service;
mod stop;

pub use cache::{AnswerMemory, CacheStats, CachingEvaluator};
pub use evaluation::{EvalParams, EvalRequest, Evaluation};
pub use evaluator::{BatchLimits, EvalError, Evaluator};
pub use key::PositionKey;
pub use profile::{PROFILE_CHANNELS, PlayerProfile, ProfileError};
pub use ration::{Allowance, Ration, RationedEvaluator};
pub use service::{EvalService, Priority, ServiceEvaluator, ServiceOptions, ServiceStats};
pub use stop::StopFlag;
