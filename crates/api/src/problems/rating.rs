//! Ratings of the solver and of the problems, by the Glicko-2 system: a problem plays against who tries it.

use super::shipped::theme_of;
use super::{Asked, ProblemsRoom};
use crate::{ApiError, ProblemCounted, ProblemRating, ProblemTheme};
use honinbo_library::KeptRating;
use honinbo_players::{Glicko2, RatedResult};
use honinbo_record::Rank;

/// Time in which a problem counts once: what was shown today is remembered, not solved. Less than a day, so that it may be
/// an hour earlier tomorrow.
pub(super) const REST_MS: i64 = 20 * 3_600_000;
/// How sure the level is that a file gives.
const DEVIATION_OF_A_LEVEL: f64 = 200.0;

/// How hard a problem is before anybody tried.
pub(super) fn first_rating(level: Option<Rank>) -> KeptRating {
    let first = Glicko2::default();
    let Some(level) = level else { return kept(first) };
    let weakest = honinbo_players::Rank::WEAKEST;
    let above = i32::from(level.strength()) - i32::from(Rank::Kyu(20).strength());
    kept(Glicko2::new(weakest.stronger_by(above).rating(), DEVIATION_OF_A_LEVEL, first.volatility()))
}

pub(super) fn shown(rating: KeptRating) -> ProblemRating {
    ProblemRating { rating: rating.rating.into(), deviation: rating.deviation.into() }
}

fn of_kept(rating: KeptRating) -> Glicko2 {
    Glicko2::new(rating.rating, rating.deviation, rating.volatility)
}

fn kept(rating: Glicko2) -> KeptRating {
    KeptRating { rating: rating.rating(), deviation: rating.deviation(), volatility: rating.volatility() }
}

/// The problem's rating and the person's after a try.
fn after(problem: Glicko2, person: Glicko2, solved: bool) -> (Glicko2, Glicko2) {
    let score = f64::from(u8::from(solved));
    (
        problem.after(&[RatedResult { opponent: person, score: 1.0 - score }]),
        person.after(&[RatedResult { opponent: problem, score }]),
    )
}

impl ProblemsRoom {
    /// Writes an answer down, in the timed set too. It moves the ratings unless the problem was answered today.
    pub(super) fn count(&self, asked: &Asked, solved: bool) -> Result<Option<ProblemCounted>, ApiError> {
        if let Some(set) = self.set.lock().as_mut() {
            set.answer(asked.stored.id, solved, self.host.monotonic());
        }
        let now = self.host.unix_ms();
        let mut counted = None;
        self.library.answer_problem(asked.stored.id, solved, now, |stored, person| {
            // The calendar may have been set back.
            if stored.answered.is_some_and(|answered| now.abs_diff(answered) < REST_MS.unsigned_abs()) {
                return None;
            }
            let before = person.map_or_else(Glicko2::default, of_kept);
            // Nobody fails at the first steps: they say nothing of a strength.
            if theme_of(&asked.problem) == Some(ProblemTheme::FirstSteps) {
                return Some((stored.rating, kept(before)));
            }
            let (problem, person) = after(of_kept(stored.rating), before, solved);
            let (problem, person) = (kept(problem), kept(person));
            counted = Some(ProblemCounted {
                solved,
                before: shown(kept(before)),
                after: shown(person),
                problem: shown(problem),
            });
            Some((problem, person))
        })?;
        Ok(counted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_of_the_file_is_where_the_problem_begins() {
        let rating = |level| first_rating(level).rating;
        assert_eq!((rating(None), first_rating(None).deviation), (1500.0, 350.0));
        assert_eq!((rating(Some(Rank::Kyu(10))), first_rating(Some(Rank::Kyu(10))).deviation), (1500.0, 200.0));
        assert!(rating(Some(Rank::Dan(1))) > rating(Some(Rank::Kyu(1))));
        assert_eq!(rating(Some(Rank::Kyu(30))), rating(Some(Rank::Kyu(20))), "no player is weaker");
        assert_eq!(rating(Some(Rank::Professional(9))), rating(Some(Rank::Dan(9))));
    }

    #[test]
    fn who_solves_a_hard_problem_gains_what_the_problem_loses() {
        let person = Glicko2::default();
        let hard = Glicko2::new(1800.0, 100.0, 0.06);
        let (problem, better) = after(hard, person, true);
        assert!(better.rating() > person.rating() && problem.rating() < hard.rating());
        let (problem, worse) = after(hard, person, false);
        assert!(worse.rating() < person.rating() && problem.rating() > hard.rating());
        assert!(better.rating() - person.rating() > person.rating() - worse.rating(), "it was not to be expected");
    }
}
