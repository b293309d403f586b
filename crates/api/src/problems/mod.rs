//! Problems: collections with right and wrong answers, solved one after the other or against the clock.
//!
//! What is right is the file's to say ([`Tsumego`]). A move that it does not know is answered by the engine, and never
//! counts as solved: see `opinion.rs`. Where something can be proved of it, that is said instead: see `referee.rs`.

mod asking;
mod collections;
pub(crate) mod handlers;
mod list;
mod opinion;
mod rating;
mod referee;
mod set;
mod shipped;
mod trying;
pub(crate) mod types;

use crate::analysis::AnalysisRoom;
use crate::lessons::turn::Turn;
use crate::library::LibraryRoom;
use crate::{ApiError, Host, ProblemRef};
use honinbo_library::StoredProblem;
use honinbo_record::{Tsumego, read_sgf_text};
use parking_lot::Mutex;
use set::TimedSet;
use std::sync::Arc;

/// The problems of the library, and the timed set that goes on.
pub(crate) struct ProblemsRoom {
    host: Arc<dyn Host>,
    analysis: Arc<AnalysisRoom>,
    library: Arc<LibraryRoom>,
    /// One at a time; the last one stays here when it is over.
    set: Mutex<Option<TimedSet>>,
}

/// A problem that is asked.
struct Asked {
    stored: StoredProblem,
    problem: Tsumego,
    turn: Turn,
}

impl ProblemsRoom {
    pub(crate) fn new(host: Arc<dyn Host>, analysis: Arc<AnalysisRoom>, library: Arc<LibraryRoom>) -> Self {
        Self { host, analysis, library, set: Mutex::new(None) }
    }

    fn asked(&self, wanted: &ProblemRef) -> Result<Asked, ApiError> {
        let gone = || ApiError::NotFound { message: "that problem is not in the library any more".into() };
        let stored = wanted.problem_id.parse::<i64>().ok().map(|id| self.library.problem(id)).transpose()?.flatten();
        let stored = stored.ok_or_else(gone)?;
        let problem = problem_of(&stored)?;
        let turn = Turn::named(wanted.turn, problem.game().board())?;
        Ok(Asked { problem, stored, turn })
    }
}

fn problem_of(stored: &StoredProblem) -> Result<Tsumego, ApiError> {
    let tree = read_sgf_text(&stored.sgf).games.into_iter().next().map(|game| game.tree);
    tree.and_then(Tsumego::read).ok_or_else(|| ApiError::UnreadableFile {
        file: "the problem".into(),
        message: "its record is damaged".into(),
        problem: None,
    })
}
