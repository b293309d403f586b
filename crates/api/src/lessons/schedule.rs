//! When a card comes back: FSRS-6, by the reference implementation.
//!
//! FSRS counts in days. What was answered wrongly comes back on the same day where FSRS says so; what was right, after a
//! day at least. Days are whole, and a card is due a few hours before the last of them is over, so that who practises in
//! the evening finds it the evening it is due.

use crate::ApiError;
use fsrs::{FSRS, ItemState, MemoryState};
use honinbo_library::{CardAnswered, CardMemory};

const DAY_MS: i64 = 86_400_000;
/// Least time until a card is asked again.
const MIN_PAUSE_MS: i64 = 600_000;
/// How long before the end of its last day a card is due.
const EARLY_MS: i64 = DAY_MS / 3;
/// Chance with which a card is to be remembered when it comes back.
const RETENTION: f32 = 0.9;

/// How an answer is graded, with FSRS's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grade {
    Wrong = 1,
    Right = 3,
}

/// What an answer leaves that was given now to what was answered `last`, in milliseconds since 1970, and is remembered
/// so well.
///
/// # Errors
/// [`ApiError::InvalidRequest`] for parameters that FSRS refuses.
pub(super) fn answered(
    own: Option<&[f32]>,
    last: Option<i64>,
    memory: Option<CardMemory>,
    now: i64,
    grade: Grade,
) -> Result<CardAnswered, ApiError> {
    let days = days_since(last, now);
    let (memory, interval) = after(own, memory, days, grade)?;
    Ok(CardAnswered { grade: grade as u8, days, memory, due: due(now, grade, interval) })
}

/// How well a card is remembered after an answer, and the days until it is to come back, by the person's own parameters
/// or the usual ones.
fn after(
    own: Option<&[f32]>,
    memory: Option<CardMemory>,
    days: u32,
    grade: Grade,
) -> Result<(CardMemory, f64), ApiError> {
    let broken =
        |error: fsrs::FSRSError| ApiError::InvalidRequest { message: format!("the card cannot be scheduled: {error}") };
    let known =
        memory.map(|known| MemoryState { stability: known.stability as f32, difficulty: known.difficulty as f32 });
    let states = own
        .map_or_else(|| Ok(FSRS::default()), FSRS::new)
        .map_err(broken)?
        .next_states(known, RETENTION, days)
        .map_err(broken)?;
    let ItemState { memory, interval } = match grade {
        Grade::Wrong => states.again,
        Grade::Right => states.good,
    };
    let memory = CardMemory { stability: memory.stability.into(), difficulty: memory.difficulty.into() };
    Ok((memory, interval.into()))
}

/// Days since the last answer, to the nearest.
fn days_since(answered: Option<i64>, now: i64) -> u32 {
    let passed = answered.map_or(0, |answered| now.saturating_sub(answered).max(0));
    u32::try_from((passed + DAY_MS / 2) / DAY_MS).unwrap_or(u32::MAX)
}

/// When a card is due that is to come back after so many days.
fn due(now: i64, grade: Grade, interval: f64) -> i64 {
    if grade == Grade::Wrong && interval < 0.5 {
        return now.saturating_add(MIN_PAUSE_MS.max((interval * DAY_MS as f64) as i64));
    }
    let days = interval.round().clamp(1.0, 36_500.0) as i64;
    now.saturating_add(days * DAY_MS - EARLY_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last state after answers, each with the days since the one before.
    fn remembered(answers: &[(Grade, u32)]) -> (CardMemory, f64) {
        answers
            .iter()
            .fold(None, |known: Option<(CardMemory, f64)>, &(grade, days)| {
                Some(after(None, known.map(|(memory, _)| memory), days, grade).unwrap())
            })
            .unwrap()
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-4, "{found}, expected {expected}");
    }

    /// Source: fsrs-rs 6.6.2, `src/inference.rs`, `test_memory_state` and the example of `next_states`.
    #[test]
    fn the_schedule_is_that_of_the_reference() {
        use Grade::{Right, Wrong};
        let answers = [(Wrong, 0), (Right, 0), (Right, 1), (Right, 3), (Right, 8), (Right, 21)];
        let (memory, interval) = remembered(&answers);
        close(memory.stability, 53.62691);
        close(memory.difficulty, 6.3574867);
        close(interval, 53.62691);
        let (memory, interval) = remembered(&[(Right, 0)]);
        close(memory.stability, 2.3065);
        close(memory.difficulty, 2.118104);
        close(interval, 2.3065);
        let (memory, interval) = remembered(&[(Wrong, 0)]);
        close(memory.stability, 0.212);
        close(memory.difficulty, 6.4133);
        close(interval, 0.212);
    }

    #[test]
    fn a_card_is_due_on_its_day_whatever_the_hour() {
        let evening = 20 * 3_600_000;
        assert_eq!(due(evening, Grade::Right, 2.3), evening + 2 * DAY_MS - DAY_MS / 3);
        // Answered an hour earlier two days later: two days have passed.
        assert_eq!(days_since(Some(evening), evening + 2 * DAY_MS - 3_600_000), 2);
        assert_eq!(days_since(Some(evening), evening + 5 * 3_600_000), 0);
        assert_eq!((days_since(None, evening), days_since(Some(evening), 0)), (0, 0));
    }

    #[test]
    fn what_was_forgotten_comes_back_the_same_day_but_not_at_once() {
        assert_eq!(due(0, Grade::Wrong, 0.212), (0.212 * DAY_MS as f64) as i64);
        assert_eq!(due(0, Grade::Wrong, 0.0), MIN_PAUSE_MS);
        assert_eq!(due(0, Grade::Wrong, 0.5), DAY_MS - EARLY_MS);
        assert_eq!(due(0, Grade::Right, 0.25), DAY_MS - EARLY_MS, "what is known can wait until tomorrow");
        assert!(due(i64::MAX - 1, Grade::Right, 1e9) > 0);
    }
}
