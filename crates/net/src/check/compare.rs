//! Differences between an answer and its recording.

use super::recorded::Recorded;
use super::report::{NetworkCheck, OutputCheck};
use crate::evaluation::Evaluation;

/// Allowed differences: what the reference's own rounding and other ways of adding up leave open.
struct Tolerance {
    output: &'static str,
    absolute: f64,
    /// Times the size of the recorded value.
    relative: f64,
}

const fn tolerance(output: &'static str, absolute: f64, relative: f64) -> Tolerance {
    Tolerance { output, absolute, relative }
}

/// In the order in which they are reported. Where KataGo prints fewer digits than it knows, one unit of the last printed
/// place is allowed.
const TOLERANCES: [Tolerance; 12] = [
    tolerance("policy", 2e-5, 0.0),
    tolerance("pass", 3e-6, 0.0),
    tolerance("win", 1e-5, 0.0),
    tolerance("loss", 1e-5, 0.0),
    tolerance("noResult", 1e-6, 0.0),
    tolerance("lead", 2e-3, 0.0),
    tolerance("scoreMean", 2e-3, 0.0),
    tolerance("scoreMeanSq", 2e-3, 1e-5),
    tolerance("varTimeLeft", 1e-3, 0.0),
    tolerance("shorttermWinlossError", 1e-3, 0.0),
    tolerance("shorttermScoreError", 1e-3, 0.0),
    tolerance("ownership", 2e-5, 0.0),
];

/// Differences gathered over positions.
#[derive(Default)]
pub(super) struct Comparison {
    positions: usize,
    largest: [f64; TOLERANCES.len()],
    beyond: [usize; TOLERANCES.len()],
    /// The largest difference as a share of what is allowed there, and where that is.
    worst: [(f64, Option<String>); TOLERANCES.len()],
    illegal: Vec<String>,
}

impl Comparison {
    pub(super) fn add(&mut self, recorded: &Recorded, answer: &Evaluation) {
        self.positions += 1;
        let expected = &recorded.expected;
        let (pass, moves) = answer.policy.split_last().expect("a policy holds at least the pass");
        let mut illegal = moves.len() != expected.policy.len();
        for (&found, &expected) in moves.iter().zip(&expected.policy) {
            match expected {
                Some(expected) if found >= 0.0 => self.one(0, found, expected, recorded),
                None if found < 0.0 => {}
                _ => illegal = true,
            }
        }
        if illegal {
            self.illegal.push(recorded.place.clone());
        }
        self.one(1, *pass, expected.pass, recorded);
        self.one(2, answer.white_win, expected.white_win, recorded);
        self.one(3, answer.white_loss, expected.white_loss, recorded);
        self.one(4, answer.no_result, expected.no_result, recorded);
        self.one(5, answer.white_lead, expected.white_lead, recorded);
        self.one(6, answer.white_score_mean, expected.white_score_mean, recorded);
        self.one(7, answer.white_score_mean_sq, expected.white_score_mean_sq, recorded);
        self.one(8, answer.var_time_left, expected.var_time_left, recorded);
        self.one(9, answer.shortterm_winloss_error, expected.shortterm_winloss_error, recorded);
        self.one(10, answer.shortterm_score_error, expected.shortterm_score_error, recorded);
        let ownership = answer.white_ownership.as_deref().unwrap_or_default();
        if ownership.len() != expected.white_ownership.len() {
            self.illegal.push(format!("{} (ownership of another size)", recorded.place));
        }
        for (&found, &expected) in ownership.iter().zip(&expected.white_ownership) {
            self.one(11, found, expected, recorded);
        }
    }

    fn one(&mut self, output: usize, found: f32, expected: f64, recorded: &Recorded) {
        let difference = (f64::from(found) - expected).abs();
        let Tolerance { absolute, relative, .. } = TOLERANCES[output];
        // Both numbers are decimal, so a little is allowed for the binary form of what is exactly on the border.
        let share = difference / (absolute * (1.0 + 1e-4) + relative * expected.abs());
        // "Not a number" is out of tolerance too, and larger than anything.
        if share > 1.0 || share.is_nan() {
            self.beyond[output] += 1;
        }
        if difference > self.largest[output] || difference.is_nan() {
            self.largest[output] = difference;
        }
        if share > self.worst[output].0 || share.is_nan() {
            self.worst[output] = (share, Some(recorded.place.clone()));
        }
    }

    pub(super) fn finish(self, name: String) -> NetworkCheck {
        let outputs = TOLERANCES
            .iter()
            .enumerate()
            .map(|(index, tolerance)| OutputCheck {
                output: tolerance.output,
                largest: self.largest[index],
                tolerance: tolerance.absolute,
                relative_tolerance: tolerance.relative,
                beyond: self.beyond[index],
                share_of_tolerance: self.worst[index].0,
                worst: self.worst[index].1.clone(),
            })
            .collect();
        NetworkCheck { name, positions: self.positions, outputs, illegal: self.illegal, failure: None }
    }
}
