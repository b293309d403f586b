//! Whether a device computes what the processor computes, and how fast.

use std::time::Duration;

use honinbo_evaluator::{EvalError, EvalParams, EvalRequest, Evaluation, Evaluator, StopFlag};
use serde::{Deserialize, Serialize};

use crate::bench::{BenchError, positions};
use crate::onnx::Precision;

/// How far a device's answer to one position may be from the processor's with 32 bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeviceLimits {
    /// Largest difference of a move's probability, 0 to 1.
    pub policy: f64,
    /// Difference of the winning probability, 0 to 1.
    pub win: f64,
    /// Difference of the lead, in points.
    pub lead: f64,
    /// Largest difference of a point's ownership, 0 to 2.
    pub ownership: f64,
}

impl DeviceLimits {
    /// Software Vulkan stays within 2e-6 with 32 bits. Cards that round products to 10 bits of the mantissa come to some
    /// 1e-3, which moves no decision; a driver that computes nonsense is far beyond. With 16 bits ONNX Runtime's own
    /// answers were off by 0.063 in policy logits and 0.009 in value logits (`docs/experiments/devices.md`).
    #[must_use]
    pub fn of(precision: Precision) -> Self {
        match precision {
            Precision::Fp32 => Self { policy: 5e-3, win: 5e-3, lead: 0.1, ownership: 0.02 },
            _ => Self { policy: 3e-2, win: 2e-2, lead: 0.5, ownership: 0.1 },
        }
    }
}

/// The largest differences that were found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeviceDifferences {
    /// Of a move's probability, 0 to 1.
    pub policy: f64,
    /// Of the winning probability, 0 to 1.
    pub win: f64,
    /// Of the lead, in points.
    pub lead: f64,
    /// Of a point's ownership, 0 to 2.
    pub ownership: f64,
}

impl DeviceDifferences {
    /// Between two answers to the same question.
    #[must_use]
    pub fn between(ours: &Evaluation, theirs: &Evaluation) -> Self {
        Self {
            policy: largest(&ours.policy, &theirs.policy),
            win: difference(ours.white_win.into(), theirs.white_win.into()),
            lead: difference(ours.white_lead.into(), theirs.white_lead.into()),
            ownership: match (&ours.white_ownership, &theirs.white_ownership) {
                (Some(ours), Some(theirs)) => largest(ours, theirs),
                (None, None) => 0.0,
                _ => f64::INFINITY,
            },
        }
    }

    /// The larger of each.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            policy: self.policy.max(other.policy),
            win: self.win.max(other.win),
            lead: self.lead.max(other.lead),
            ownership: self.ownership.max(other.ownership),
        }
    }

    /// What is out of bounds, as a part of a sentence; `None` when all is well.
    #[must_use]
    pub fn beyond(&self, limits: DeviceLimits) -> Option<String> {
        let found = [
            ("the probability of a move", self.policy, limits.policy),
            ("the winning probability", self.win, limits.win),
            ("the lead", self.lead, limits.lead),
            ("the ownership of a point", self.ownership, limits.ownership),
        ];
        let (what, by, limit) = found.into_iter().find(|(_, found, limit)| found > limit)?;
        Some(format!("{what} differs from the processor's by {by:.3}, allowed are {limit}"))
    }
}

/// Numbers that are not there or are none differ without bound.
fn largest(ours: &[f32], theirs: &[f32]) -> f64 {
    if ours.len() != theirs.len() {
        return f64::INFINITY;
    }
    ours.iter().zip(theirs).map(|(&a, &b)| difference(a.into(), b.into())).fold(0.0, f64::max)
}

fn difference(ours: f64, theirs: f64) -> f64 {
    let difference = (ours - theirs).abs();
    if difference.is_nan() { f64::INFINITY } else { difference }
}

/// What a check found.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceCheck {
    /// Why the device is not to be used, as a part of a sentence; `None` when it answers rightly.
    pub refused: Option<String>,
    /// How far its answers are from the processor's.
    pub differences: DeviceDifferences,
    /// Positions a second, in batches as large as it likes them; 0 when it was refused before that was measured.
    pub evaluations_per_second: f64,
    /// From one position to its answer.
    pub first_answer: Duration,
    /// The processor's positions a second.
    pub processor_per_second: f64,
}

/// How a device is checked.
#[derive(Debug, Clone, Copy)]
pub struct DeviceCheckOptions {
    /// How far answers may differ.
    pub limits: DeviceLimits,
    /// How long each of the two is measured.
    pub time: Duration,
}

/// Positions that are compared.
const COMPARED: usize = 4;

/// A device whose second answer took this many times as long as the processor's is not measured further: it cannot be the
/// faster one, and large batches would keep a person waiting.
const HOPELESS: u32 = 20;

/// Compares a device with the answers of `reference`, the processor's with 32 bits, on positions of 19x19, and measures it
/// and the processor as it is used, which may have fewer bits. `clock` is the time since some fixed moment.
///
/// # Errors
/// The processor's failures, and a stop. Those of the device are a refusal.
pub fn check_device(
    device: &dyn Evaluator,
    reference: &dyn Evaluator,
    processor: &dyn Evaluator,
    options: &DeviceCheckOptions,
    clock: &dyn Fn() -> Duration,
    stop: &StopFlag,
) -> Result<DeviceCheck, BenchError> {
    let games = positions(19, 19, 16)?;
    let params = EvalParams {
        // Human-style networks will not answer without a profile.
        profile: "rank_1d".parse().ok(),
        include_ownership: true,
        ..EvalParams::default()
    };
    let requests = |count: usize| -> Vec<EvalRequest<'_>> {
        games.iter().cycle().take(count).map(|game| EvalRequest { game, params }).collect()
    };
    // Spread over the whole length of a game.
    let compared: Vec<EvalRequest<'_>> =
        games.iter().step_by(games.len() / COMPARED).map(|game| EvalRequest { game, params }).collect();
    let theirs = reference.evaluate(&compared, stop)?;
    let mut check = DeviceCheck {
        refused: None,
        differences: DeviceDifferences::default(),
        evaluations_per_second: 0.0,
        first_answer: Duration::ZERO,
        processor_per_second: speed(processor, &requests(processor.limits().max), options.time, clock, stop)?,
    };
    match answers(device, &compared, clock, stop) {
        Ok((ours, first_answer)) => {
            check.first_answer = first_answer;
            let each = ours.iter().zip(&theirs).map(|(ours, theirs)| DeviceDifferences::between(ours, theirs));
            check.differences = each.fold(DeviceDifferences::default(), DeviceDifferences::max);
            check.refused = check.differences.beyond(options.limits);
        }
        Err(EvalError::Cancelled) => return Err(EvalError::Cancelled.into()),
        Err(error) => check.refused = Some(error.to_string()),
    }
    let hopeless = Duration::from_secs_f64(f64::from(HOPELESS) / check.processor_per_second.max(1e-3));
    if check.refused.is_none() && check.first_answer < hopeless {
        match speed(device, &requests(device.limits().max), options.time, clock, stop) {
            Ok(speed) => check.evaluations_per_second = speed,
            Err(EvalError::Cancelled) => return Err(EvalError::Cancelled.into()),
            Err(error) => check.refused = Some(error.to_string()),
        }
    } else if check.refused.is_none() {
        check.evaluations_per_second = 1.0 / check.first_answer.as_secs_f64().max(1e-9);
    }
    Ok(check)
}

/// All answers one by one, and how long the second took: the first one waits for programs of the device to be compiled.
/// The last ones come together, so that a fault in batches shows.
fn answers(
    device: &dyn Evaluator,
    requests: &[EvalRequest<'_>],
    clock: &dyn Fn() -> Duration,
    stop: &StopFlag,
) -> Result<(Vec<Evaluation>, Duration), EvalError> {
    let mut all = device.evaluate(&requests[..1], stop)?;
    let began = clock();
    all.extend(device.evaluate(&requests[1..2], stop)?);
    let second = clock().saturating_sub(began);
    all.extend(device.evaluate(&requests[2..], stop)?);
    Ok((all, second))
}

fn speed(
    evaluator: &dyn Evaluator,
    requests: &[EvalRequest<'_>],
    time: Duration,
    clock: &dyn Fn() -> Duration,
    stop: &StopFlag,
) -> Result<f64, EvalError> {
    // The first call builds sessions and compiles programs for this size of batch.
    evaluator.evaluate(requests, stop)?;
    let began = clock();
    let mut calls = 0u32;
    let mut spent = Duration::ZERO;
    while spent < time || calls == 0 {
        evaluator.evaluate(requests, stop)?;
        calls += 1;
        spent = clock().saturating_sub(began);
    }
    Ok(f64::from(calls) * requests.len() as f64 / spent.as_secs_f64().max(1e-9))
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_evaluator::BatchLimits;
    use honinbo_rules::Color;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Answers by what is on the board, bent by a made-up fault.
    struct Driver(fn(&mut Evaluation, usize));

    impl Evaluator for Driver {
        fn limits(&self) -> BatchLimits {
            BatchLimits { preferred: 8, max: 8 }
        }

        fn evaluate(&self, requests: &[EvalRequest<'_>], _: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
            let mut all = Vec::new();
            for request in requests {
                let board = request.game.board();
                let mut answer = Evaluation::even(board.size().area() + 1);
                let black = board.stones().filter(|(_, color)| *color == Color::Black).count();
                answer.white_lead = 3.0 - black as f32;
                answer.white_ownership = Some(vec![0.5; board.size().area()].into());
                (self.0)(&mut answer, requests.len());
                all.push(answer);
            }
            Ok(all)
        }
    }

    /// The processor is right with 32 bits and off by a hundredth as it is used; each look at the clock takes 10 ms.
    fn check(device: &dyn Evaluator) -> DeviceCheck {
        let now = AtomicU64::new(0);
        let clock = || Duration::from_millis(now.fetch_add(10, Ordering::Relaxed));
        let limits = DeviceLimits::of(Precision::Fp32);
        let options = DeviceCheckOptions { limits, time: Duration::from_millis(20) };
        let (reference, processor) = (Driver(|_, _| {}), Driver(|answer, _| answer.white_win += 0.01));
        check_device(device, &reference, &processor, &options, &clock, &StopFlag::new()).unwrap()
    }

    #[test]
    fn a_device_that_answers_rightly_is_measured() {
        let found = check(&Driver(|answer, _| answer.white_win += 1e-4));
        assert_eq!(found.refused, None);
        assert!((found.differences.win - 1e-4).abs() < 1e-6 && found.differences.lead == 0.0, "{found:?}");
        assert!(found.evaluations_per_second > 0.0 && found.processor_per_second > 0.0, "{found:?}");
    }

    #[test]
    fn a_driver_that_computes_something_else_is_refused_with_a_sentence() {
        let refused = |fault| {
            let found = check(&Driver(fault));
            assert_eq!(found.evaluations_per_second, 0.0, "nothing is measured");
            found.refused.unwrap()
        };
        assert_eq!(
            refused(|answer, _| answer.white_win += 0.25),
            "the winning probability differs from the processor's by 0.250, allowed are 0.005"
        );
        assert!(refused(|answer, _| answer.policy[40] = 0.9).starts_with("the probability of a move differs"));
        assert!(
            refused(|answer, _| answer.white_lead = f32::NAN).contains("the lead differs from the processor's by inf")
        );
        assert!(refused(|answer, _| answer.white_ownership = None).starts_with("the ownership of a point"));
        // Only where positions come together.
        assert!(
            refused(|answer, batch| answer.white_lead += if batch > 1 { 1.0 } else { 0.0 }).starts_with("the lead")
        );
    }

    #[test]
    fn a_device_that_fails_is_refused_with_its_own_words() {
        struct Gone;
        impl Evaluator for Gone {
            fn limits(&self) -> BatchLimits {
                BatchLimits { preferred: 1, max: 1 }
            }
            fn evaluate(&self, _: &[EvalRequest<'_>], _: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
                Err(EvalError::Device { device: "webgpu".into(), reason: "out of memory".into() })
            }
        }
        assert_eq!(check(&Gone).refused.as_deref(), Some("webgpu failed while evaluating: out of memory"));
    }
}
