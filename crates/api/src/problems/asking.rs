//! Which problem comes next, and how it is shown.

use super::rating::{REST_MS, shown};
use super::shipped::theme_of;
use super::{ProblemsRoom, problem_of};
use crate::lessons::turn::{SWAPPED, Turn};
use crate::{ApiError, NextProblemOf, ProblemAsked, ProblemOrder, ProblemRef, ProblemTheme, ProblemView};
use honinbo_library::{NextProblem, StoredProblem};
use honinbo_players::Glicko2;
use honinbo_record::Tsumego;
use honinbo_rules::Move;

impl ProblemsRoom {
    /// The problem of a collection that comes next.
    pub(crate) fn next(&self, wanted: &NextProblemOf) -> Result<ProblemAsked, ApiError> {
        let found = self.in_order(&wanted.collection_id, wanted.order, wanted.after, 1)?;
        Ok(ProblemAsked { problem: found.first().map(Self::view_of).transpose()?, set: self.set_view() })
    }

    pub(super) fn in_order(
        &self,
        collection_id: &str,
        order: ProblemOrder,
        after: Option<u32>,
        limit: u32,
    ) -> Result<Vec<StoredProblem>, ApiError> {
        // The library counts from 0.
        let after = after.and_then(|number| number.checked_sub(1));
        let next = match order {
            ProblemOrder::File => NextProblem::After(after),
            ProblemOrder::Open => NextProblem::Open(after),
            ProblemOrder::Near => NextProblem::Near {
                rating: self.library.solver_rating()?.map_or(Glicko2::default().rating(), |own| own.rating),
                rested: self.host.unix_ms().saturating_sub(REST_MS),
                after,
            },
        };
        self.library.next_problems(Self::collection_id(collection_id)?, next, limit)
    }

    pub(super) fn view_of(stored: &StoredProblem) -> Result<ProblemView, ApiError> {
        let problem = problem_of(stored)?;
        let number = turn_of(stored, &problem);
        let (size, topology) = (problem.game().board().size(), problem.game().board().topology());
        let turn = Turn::of_number(number, size, topology).unwrap_or(Turn::NONE);
        Ok(ProblemView {
            problem: ProblemRef { problem_id: stored.id.to_string(), turn: number },
            collection_id: stored.collection.to_string(),
            number: stored.number.saturating_add(1),
            name: problem.name(),
            text: problem.text(),
            theme: theme_of(&problem),
            marked: problem.marked().into_iter().filter_map(|point| turn.vertex(Move::Place(point), size)).collect(),
            level: problem.level().map(|level| level.to_string()).unwrap_or_default(),
            rating: shown(stored.rating),
            tries: stored.tries,
            solved: stored.solved,
            board: turn.board(problem.game()),
        })
    }
}

/// As the file has it at first, then another way each time; never so that the file's words become wrong.
fn turn_of(stored: &StoredProblem, problem: &Tsumego) -> u32 {
    // The words of the first steps are as theirs: they say who moves first.
    if stored.tries == 0 || problem.names_points() || theme_of(problem) == Some(ProblemTheme::FirstSteps) {
        return 0;
    }
    let board = problem.game().board();
    let turn = Turn::of_asking(&stored.id.to_string(), stored.tries, board.size(), board.topology());
    if problem.names_colors() { turn & !SWAPPED } else { turn }
}
