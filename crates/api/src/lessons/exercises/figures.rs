//! How well exercises are answered, with intervals.

use super::super::weak::interval::{Counted, mean, rate};
use crate::{ExerciseFigures, ExerciseKind, ExerciseMonth, ExerciseRate, KindFigures};
use honinbo_library::ExerciseSum;

/// Months that are told.
const MAX_MONTHS: usize = 24;

/// The figures of all kinds; `due` as [`honinbo_library::ExerciseKind::ALL`] counts.
pub(super) fn figures(sums: &[ExerciseSum], due: [u32; 4]) -> ExerciseFigures {
    let kinds = honinbo_library::ExerciseKind::ALL.into_iter().zip(due).map(|(kind, due)| {
        let own: Vec<&ExerciseSum> = sums.iter().filter(|sum| sum.kind == kind).collect();
        let skip = own.len().saturating_sub(MAX_MONTHS);
        KindFigures {
            kind: ExerciseKind::from(kind),
            due,
            all: rate_of(&own),
            months: own[skip..]
                .iter()
                .filter_map(|sum| Some(ExerciseMonth { month: sum.month, rate: rate_of(&[sum])? }))
                .collect(),
        }
    });
    ExerciseFigures { kinds: kinds.collect() }
}

fn rate_of(sums: &[&ExerciseSum]) -> Option<ExerciseRate> {
    let asked: u32 = sums.iter().map(|sum| sum.asked).sum();
    let right: u32 = sums.iter().map(|sum| sum.right).sum();
    let [error, squares] =
        sums.iter().fold([0.0; 2], |[error, squares], sum| [error + sum.error, squares + sum.squares]);
    if asked == 0 {
        return None;
    }
    // Each answer stands for itself: nothing is alike within a game.
    let (n, good) = (f64::from(asked), f64::from(right));
    let share = rate(&Counted { games: 1, moves: n, mistakes: good, lost: 0.0, squares: [good, good, n] });
    let error = mean(asked, error, squares);
    Some(ExerciseRate {
        asked,
        right,
        rate: share.middle.into(),
        low: share.low.into(),
        high: share.high.into(),
        error: error.middle.into(),
        error_low: (asked > 1).then(|| error.low.max(0.0).into()),
        error_high: (asked > 1).then(|| error.high.into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(month: u32, asked: u32, right: u32, error: f64, squares: f64) -> ExerciseSum {
        ExerciseSum { kind: honinbo_library::ExerciseKind::Score, month, asked, right, error, squares }
    }

    #[test]
    fn months_are_told_one_by_one_and_together_with_intervals() {
        // Errors 1, 2, 3 and then 4, 5.
        let found = figures(&[sum(202601, 3, 2, 6.0, 14.0), sum(202602, 2, 0, 9.0, 41.0)], [7, 0, 0, 0]);
        let score = &found.kinds[0];
        assert_eq!((score.due, score.months.len(), found.kinds[1].all), (7, 2, None));
        let all = score.all.unwrap();
        assert_eq!((all.asked, all.right, all.error.get()), (5, 2, 3.0));
        // Wilson's interval of 2 of 5, and Student's of 1 to 5: 3 and 1.963 to each side.
        assert!((all.low.get() - 0.118).abs() < 2e-3 && (all.high.get() - 0.769).abs() < 2e-3, "{all:?}");
        let half = all.error_high.unwrap().get() - 3.0;
        assert!((half - 1.963).abs() < 0.02, "{half}");
        let single = figures(&[sum(202601, 1, 1, 2.0, 4.0)], [0; 4]).kinds[0].all.unwrap();
        assert_eq!((single.error.get(), single.error_low), (2.0, None));
    }
}
