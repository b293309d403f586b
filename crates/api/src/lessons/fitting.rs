//! How this person forgets: the parameters of FSRS, fitted to their own answers once there are enough.
//!
//! What was fitted counts only where it foretells answers to cards that it has not seen better than the usual parameters.

use fsrs::{ComputeParametersInput, DEFAULT_PARAMETERS, FSRS, FSRSItem, FSRSReview, compute_parameters};
use parking_lot::Mutex;

/// Days since the answer before, and grade, of each answer to a card.
pub(super) type Answers = Vec<(u32, u8)>;

/// Answers from which parameters are fitted. Below, they say more of the cards than of the person.
const MIN_ANSWERS: usize = 300;
/// How many more answers there are before it is done again, as a share.
const AGAIN_AFTER: f64 = 0.1;
/// Answers that are looked at, those of the newest cards.
const MAX_ANSWERS: u32 = 50_000;
/// One card of so many is not fitted to, but foretold.
const FORETOLD: usize = 5;

/// What was fitted last.
#[derive(Default)]
pub(super) struct Fitting {
    last: Mutex<Option<Fitted>>,
}

struct Fitted {
    answers: u32,
    parameters: Option<Vec<f32>>,
}

impl Fitting {
    /// The person's parameters; `None` where the usual ones are right. `answers` is how many there are now, `read` reads
    /// those to the newest cards, so many at most.
    pub(super) fn parameters<Error>(
        &self,
        answers: u32,
        read: impl FnOnce(u32) -> Result<Vec<Answers>, Error>,
    ) -> Result<Option<Vec<f32>>, Error> {
        if (answers as usize) < MIN_ANSWERS {
            return Ok(None);
        }
        let mut last = self.last.lock();
        let fresh = |fitted: &&Fitted| f64::from(answers) < f64::from(fitted.answers) * (1.0 + AGAIN_AFTER);
        if let Some(known) = last.as_ref().filter(fresh) {
            return Ok(known.parameters.clone());
        }
        let parameters = fitted(&read(MAX_ANSWERS)?);
        *last = Some(Fitted { answers, parameters: parameters.clone() });
        Ok(parameters)
    }
}

/// Parameters that foretell a person's answers better than the usual ones do.
fn fitted(histories: &[Answers]) -> Option<Vec<f32>> {
    let (foretold, seen): (Vec<_>, Vec<_>) = histories.iter().enumerate().partition(|(place, _)| place % FORETOLD == 0);
    let of = |chosen: Vec<(usize, &Answers)>| -> Vec<FSRSItem> {
        chosen.into_iter().flat_map(|(_, history)| items(history)).collect()
    };
    let foretold = of(foretold);
    let tried = fit(of(seen))?;
    let loss = |parameters: &[f32]| {
        let found = FSRS::new(parameters).ok()?.evaluate(foretold.clone(), |_| true).ok()?;
        Some(found.log_loss)
    };
    if loss(&tried)? >= loss(&DEFAULT_PARAMETERS)? {
        return None;
    }
    fit(histories.iter().flat_map(items).collect())
}

fn fit(train_set: Vec<FSRSItem>) -> Option<Vec<f32>> {
    let found = compute_parameters(ComputeParametersInput { train_set, ..ComputeParametersInput::default() });
    found.inspect_err(|error| tracing::warn!(%error, "the practice cannot be fitted")).ok()
}

/// What each answer but those on the day of the one before has to tell: itself after all that went before.
fn items(history: &Answers) -> impl Iterator<Item = FSRSItem> + '_ {
    let review = |place: usize| {
        let (days, grade) = history[place];
        FSRSReview { rating: u32::from(grade).clamp(1, 4), delta_t: if place == 0 { 0 } else { days } }
    };
    (1..history.len())
        .filter(|&last| history[last].0 > 0)
        .map(move |last| FSRSItem { reviews: (0..=last).map(review).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fsrs::{MemoryState, current_retrievability};
    use honinbo_rules::splitmix;

    /// Answers of somebody who forgets by these parameters, asked when the usual schedule says.
    fn person(parameters: &[f32], cards: u64, seed: u64) -> Vec<Answers> {
        let (own, usual) = (FSRS::new(parameters).unwrap(), FSRS::default());
        let decay = *parameters.last().unwrap();
        let mut histories = Vec::new();
        for card in 0..cards {
            let (mut state, mut shown): (Option<MemoryState>, Option<MemoryState>) = (None, None);
            let (mut history, mut days) = (Answers::new(), 0);
            for answer in 0..7_u64 {
                let random = splitmix(splitmix(seed ^ card << 8) ^ answer) as f64 / u64::MAX as f64;
                let known = state.map_or(0.5, |state| f64::from(current_retrievability(state, days as f32, decay)));
                let right = random < known;
                let pick = |next: fsrs::NextStates| if right { next.good } else { next.again };
                state = Some(pick(own.next_states(state, 0.9, days).unwrap()).memory);
                let next = pick(usual.next_states(shown, 0.9, days).unwrap());
                shown = Some(next.memory);
                history.push((days, if right { 3 } else { 1 }));
                days = next.interval.round().max(1.0) as u32;
            }
            histories.push(history);
        }
        histories
    }

    fn loss(parameters: &[f32], histories: &[Answers]) -> f32 {
        let asked = histories.iter().flat_map(items).collect();
        FSRS::new(parameters).unwrap().evaluate(asked, |_| true).unwrap().log_loss
    }

    /// Half as long in memory, whatever the answer.
    fn forgetful() -> Vec<f32> {
        let mut parameters = DEFAULT_PARAMETERS.to_vec();
        parameters[..4].iter_mut().for_each(|stability| *stability *= 0.35);
        parameters[8] -= 0.7;
        parameters
    }

    #[test]
    fn who_forgets_sooner_is_asked_sooner() {
        let own = fitted(&person(&forgetful(), 150, 1)).expect("another person than the usual one");
        let others = person(&forgetful(), 150, 2);
        let (fitted, usual, true_one) =
            (loss(&own, &others), loss(&DEFAULT_PARAMETERS, &others), loss(&forgetful(), &others));
        assert!(fitted < usual, "{fitted}, the usual ones {usual}");
        assert!(fitted - true_one < 0.5 * (usual - true_one), "{fitted}: between {true_one} and {usual}");
        let first =
            |parameters: &[f32]| FSRS::new(parameters).unwrap().next_states(None, 0.9, 0).unwrap().good.interval;
        assert!(first(&own) < 0.7 * first(&DEFAULT_PARAMETERS), "{}", first(&own));
    }

    #[test]
    fn few_answers_change_nothing_and_many_are_fitted_once() {
        let fitting = Fitting::default();
        let histories = person(&forgetful(), 60, 3);
        let answers = histories.iter().map(Vec::len).sum::<usize>() as u32;
        let read = |_| Ok::<_, ()>(histories.clone());
        assert_eq!(fitting.parameters(MIN_ANSWERS as u32 - 1, read), Ok(None));
        let found = fitting.parameters(answers, read).unwrap();
        let again = fitting.parameters(answers + 1, |_| Err("not to be read again"));
        assert_eq!(again, Ok(found));
        assert_eq!(fitting.parameters(2 * answers, |_| Err("to be read")), Err("to be read"));
    }

    #[test]
    fn what_cannot_be_fitted_leaves_the_usual_parameters() {
        for histories in [vec![], vec![vec![]; 400], vec![vec![(0, 3)]; 400], vec![vec![(0, 9), (u32::MAX, 0)]; 400]] {
            let found = fitted(&histories);
            assert!(found.is_none_or(|found| found.iter().all(|parameter| parameter.is_finite())));
        }
    }
}
