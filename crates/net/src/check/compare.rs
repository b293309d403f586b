//! Differences between an answer and its recording.

use super::recorded::Recorded;
use super::report::{Agreement, AgreementLimits, NetworkCheck, OutputCheck};
use crate::onnx::Precision;
use honinbo_evaluator::Evaluation;

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

/// The score's second moment hangs on one sum over a whole board, which KataGo's processor adds up one after the other:
/// devices that add otherwise were off by up to 3e-5 of its size (docs/experiments/devices.md).
const OTHER_ORDER: f64 = 5e-5;

/// Where that moment stands.
const SECOND_MOMENT: usize = 7;

/// Differences gathered over positions.
#[derive(Default)]
pub(super) struct Comparison {
    /// Whether sums are KataGo's, term by term.
    in_order: bool,
    positions: usize,
    largest: [f64; TOLERANCES.len()],
    beyond: [usize; TOLERANCES.len()],
    /// The largest difference as a share of what is allowed there, and where that is.
    worst: [(f64, Option<String>); TOLERANCES.len()],
    illegal: Vec<String>,
    /// Sums until the end.
    agreement: Agreement,
}

impl Comparison {
    /// `in_order`: sums are added in KataGo's order.
    pub(super) fn new(in_order: bool) -> Self {
        Self { in_order, ..Self::default() }
    }

    fn tolerance(&self, output: usize) -> Tolerance {
        let Tolerance { output: name, absolute, relative } = TOLERANCES[output];
        let relative = if output == SECOND_MOMENT && !self.in_order { OTHER_ORDER } else { relative };
        tolerance(name, absolute, relative)
    }

    pub(super) fn add(&mut self, recorded: &Recorded, answer: &Evaluation) {
        self.positions += 1;
        self.agree(recorded, answer);
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
        self.one(SECOND_MOMENT, answer.white_score_mean_sq, expected.white_score_mean_sq, recorded);
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

    fn agree(&mut self, recorded: &Recorded, answer: &Evaluation) {
        let expected = &recorded.expected;
        let shares = expected.policy.iter().copied().chain([Some(expected.pass)]);
        let pairs: Vec<(f64, f64)> =
            shares.zip(&answer.policy).filter_map(|(share, found)| Some((share?, f64::from(found.max(0.0))))).collect();
        let best = |of: fn(&(f64, f64)) -> f64| {
            pairs.iter().enumerate().max_by(|a, b| of(a.1).total_cmp(&of(b.1))).map(|(index, _)| index)
        };
        let sums = &mut self.agreement;
        sums.same_best_move += usize::from(best(|pair| pair.0) == best(|pair| pair.1));
        // A recording prints six digits; what it rounds to nothing says nothing.
        let divergence = |&(share, found): &(f64, f64)| {
            if share > 0.0 { share * (share / found.max(1e-9)).ln() } else { 0.0 }
        };
        sums.policy_divergence += pairs.iter().map(divergence).sum::<f64>();
        let win = (f64::from(answer.white_win) - expected.white_win).abs();
        sums.win_error += win;
        sums.largest_win_error = sums.largest_win_error.max(win);
        sums.lead_error += (f64::from(answer.white_lead) - expected.white_lead).abs();
    }

    fn one(&mut self, output: usize, found: f32, expected: f64, recorded: &Recorded) {
        let difference = (f64::from(found) - expected).abs();
        let Tolerance { absolute, relative, .. } = self.tolerance(output);
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

    pub(super) fn finish(self, name: String, precision: Precision) -> NetworkCheck {
        let each = 1.0 / self.positions.max(1) as f64;
        let sums = self.agreement;
        let agreement = Agreement {
            policy_divergence: sums.policy_divergence * each,
            win_error: sums.win_error * each,
            lead_error: sums.lead_error * each,
            ..sums
        };
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
        let (positions, illegal, limits) = (self.positions, self.illegal, AgreementLimits::of(precision));
        NetworkCheck { name, positions, precision, agreement, limits, outputs, illegal, failure: None }
    }
}
