//! What a network is to say, how wrong it is, and which way each of its outputs should move.
//!
//! Terms and weights are KataGo's (v1.17.2, `python/katago/train/metrics_pytorch.py`), but for the spread of the score:
//! KataGo reads it from a distribution over scores that this network has not, so here it follows the mean error that is
//! seen. The slopes are written out, and the framework carries them back through the network: a loss of so many small
//! steps costs more in a graph of tensors than the convolutions of a small network.

use honinbo_net::model::{Model, OutputScales};
use honinbo_training::Losses;

/// What a batch is to be told: one entry a board, all from the side of the player to move.
#[derive(Debug, Default, Clone)]
pub(crate) struct Targets {
    /// Weight of each row.
    pub(crate) weight: Vec<f32>,
    /// `[board][area + 1]`, summing to one.
    pub(crate) policy: Vec<f32>,
    pub(crate) policy_weight: Vec<f32>,
    pub(crate) reply: Vec<f32>,
    pub(crate) reply_weight: Vec<f32>,
    /// `[board][win, loss, no result]` of the game.
    pub(crate) value: Vec<f32>,
    /// The final score.
    pub(crate) score: Vec<f32>,
    /// Of score and ownership: 0 where a game has none.
    pub(crate) score_weight: Vec<f32>,
    pub(crate) lead: Vec<f32>,
    pub(crate) lead_weight: Vec<f32>,
    pub(crate) time: Vec<f32>,
    /// `[board][area]`, -1 to 1.
    pub(crate) ownership: Vec<f32>,
    /// `[board][win, loss, no result, score]` as the search sees it soon.
    pub(crate) soon: Vec<f32>,
}

/// The outputs of a batch as numbers, in the order of [`Outputs::all`](crate::network::Outputs::all), or their slopes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Numbers {
    pub(crate) policy: Vec<f32>,
    pub(crate) reply: Vec<f32>,
    pub(crate) value: Vec<f32>,
    pub(crate) score: Vec<f32>,
    pub(crate) ownership: Vec<f32>,
    pub(crate) soon: Vec<f32>,
}

const REPLY: f64 = 0.15;
const VALUE: f64 = 1.2;
const SOON_VALUE: f64 = 0.6;
const SOON_SCORE: f64 = 0.0004;
const SCORE_MEAN: f64 = 0.0015;
const SCORE_SPREAD: f64 = 0.001;
const LEAD: f64 = 0.006;
const TIME: f64 = 0.0003;
const OWNERSHIP: f64 = 1.5;
const VALUE_ERROR: f64 = 2.0;
const SCORE_ERROR: f64 = 0.00002;
/// Standard deviation of a normal variable by its mean distance from the middle: the square root of half of pi.
const SPREAD_OF_DISTANCE: f64 = 1.253_314_137_315_5;

/// The mean loss of a batch, and its slope along every output.
pub(crate) fn losses(model: &Model, area: usize, outputs: &Numbers, targets: &Targets) -> (Losses, Numbers) {
    let boards = targets.weight.len();
    let mut sum = Losses::default();
    let zeros = |values: &[f32]| vec![0.0f32; values.len()];
    let mut slopes = Numbers {
        policy: zeros(&outputs.policy),
        reply: zeros(&outputs.reply),
        value: zeros(&outputs.value),
        score: zeros(&outputs.score),
        ownership: zeros(&outputs.ownership),
        soon: zeros(&outputs.soon),
    };
    let moves = area + 1;
    let n_score = outputs.score.len() / boards.max(1);
    for board in 0..boards {
        let weight = f64::from(targets.weight[board]) / boards as f64;
        let part = |values: &[f32], each: usize| -> std::ops::Range<usize> {
            debug_assert!(values.len() >= (board + 1) * each);
            board * each..(board + 1) * each
        };
        let of_moves = part(&outputs.policy, moves);
        let w = weight * f64::from(targets.policy_weight[board]);
        sum.policy += cross_entropy(
            &outputs.policy[of_moves.clone()],
            &targets.policy[of_moves.clone()],
            w,
            &mut slopes.policy[of_moves.clone()],
        );
        let w = REPLY * weight * f64::from(targets.reply_weight[board]);
        sum.reply += cross_entropy(
            &outputs.reply[of_moves.clone()],
            &targets.reply[of_moves.clone()],
            w,
            &mut slopes.reply[of_moves],
        );
        let of_value = part(&outputs.value, 3);
        sum.value += cross_entropy(
            &outputs.value[of_value.clone()],
            &targets.value[of_value.clone()],
            VALUE * weight,
            &mut slopes.value[of_value],
        );
        let of_area = part(&outputs.ownership, area);
        let w = OWNERSHIP * weight * f64::from(targets.score_weight[board]) / area as f64;
        sum.ownership += owned(
            &outputs.ownership[of_area.clone()],
            &targets.ownership[of_area.clone()],
            w,
            &mut slopes.ownership[of_area],
        );
        let of_score = part(&outputs.score, n_score);
        let of_soon = part(&outputs.soon, 4);
        let row = Row {
            scales: &model.scales,
            version: model.version,
            weight,
            score: f64::from(targets.score[board]),
            score_weight: f64::from(targets.score_weight[board]),
            lead: f64::from(targets.lead[board]),
            lead_weight: f64::from(targets.lead_weight[board]),
            time: f64::from(targets.time[board]),
            soon: &targets.soon[of_soon.clone()],
        };
        let (score, soon) = row.losses(
            &outputs.score[of_score.clone()],
            &outputs.soon[of_soon.clone()],
            &mut slopes.score[of_score],
            &mut slopes.soon[of_soon],
        );
        sum.score += score;
        sum.soon += soon;
    }
    sum.total = sum.policy + sum.reply + sum.value + sum.score + sum.ownership + sum.soon;
    (sum, slopes)
}

/// One board's scores.
struct Row<'a> {
    scales: &'a OutputScales,
    version: u32,
    weight: f64,
    score: f64,
    score_weight: f64,
    lead: f64,
    lead_weight: f64,
    time: f64,
    soon: &'a [f32],
}

impl Row<'_> {
    fn losses(&self, raw: &[f32], soon: &[f32], raw_slopes: &mut [f32], soon_slopes: &mut [f32]) -> (f64, f64) {
        let scales = self.scales;
        let mut total = 0.0;
        let mut term = |index: usize, (value, slope): (f64, f64), target: f64, width: f64, weight: f64| {
            let (loss, by) = huber(value - target, width);
            raw_slopes[index] += (weight * by * slope) as f32;
            total += weight * loss;
            value
        };
        let linear = |index: usize, scale: f64| (f64::from(raw[index]) * scale, scale);
        let soft = |index: usize, scale: f64| {
            let (value, slope) = softplus(f64::from(raw[index]));
            (value * scale, slope * scale)
        };
        let weight = self.weight * self.score_weight;
        let mean = term(0, linear(0, scales.score_mean), self.score, 12.0, SCORE_MEAN * weight);
        let distance = (self.score - mean).abs() * SPREAD_OF_DISTANCE;
        term(1, soft(1, scales.score_stdev), distance, 10.0, SCORE_SPREAD * weight);
        term(2, linear(2, scales.lead), self.lead, 8.0, LEAD * self.weight * self.lead_weight);
        term(3, soft(3, scales.variance_time), self.time + 1e-5, 50.0, TIME * self.weight);

        let later: Vec<f64> = softmax(&soon[..3]);
        let mut soon_total =
            cross_entropy(&soon[..3], &self.soon[..3], SOON_VALUE * self.weight, &mut soon_slopes[..3]);
        let predicted = f64::from(soon[3]) * scales.score_mean;
        let (loss, by) = huber(predicted - f64::from(self.soon[3]), 12.0);
        soon_total += SOON_SCORE * self.weight * loss;
        soon_slopes[3] += (SOON_SCORE * self.weight * by * scales.score_mean) as f32;
        if raw.len() >= 6 {
            let squared = |index: usize, scale: f64| {
                let x = f64::from(raw[index]);
                match self.version {
                    ..=9 => {
                        let (value, slope) = softplus(x);
                        (value * value, 2.0 * value * slope)
                    }
                    10..=13 => soft(index, scale),
                    _ => {
                        let (value, slope) = softplus(0.5 * x);
                        (value * value * scale, value * slope * scale)
                    }
                }
            };
            let value_gap = later[0] - later[1] - f64::from(self.soon[0] - self.soon[1]);
            let score_gap = predicted - f64::from(self.soon[3]);
            for (index, scale, gap, least, width, weight) in [
                (4, scales.shortterm_value_error, value_gap, 1e-8, 0.4, VALUE_ERROR),
                (5, scales.shortterm_score_error, score_gap, 1e-4, 100.0, SCORE_ERROR),
            ] {
                let (value, slope) = squared(index, scale);
                let (loss, by) = huber(value - (gap * gap + least), width);
                raw_slopes[index] += (weight * self.weight * by * slope) as f32;
                soon_total += weight * self.weight * loss;
            }
        }
        (total, soon_total)
    }
}

/// Half a square near zero, a line beyond `width`; with its slope.
fn huber(x: f64, width: f64) -> (f64, f64) {
    if x.abs() > width { (width * (x.abs() - 0.5 * width), width * x.signum()) } else { (0.5 * x * x, x) }
}

/// `ln(1 + e^x)` and its slope.
fn softplus(x: f64) -> (f64, f64) {
    (if x > 40.0 { x } else { x.exp().ln_1p() }, 1.0 / (1.0 + (-x).exp()))
}

fn softmax(logits: &[f32]) -> Vec<f64> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut shares: Vec<f64> = logits.iter().map(|logit| f64::from(logit - most).exp()).collect();
    let sum: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

fn cross_entropy(logits: &[f32], target: &[f32], weight: f64, slopes: &mut [f32]) -> f64 {
    if weight == 0.0 {
        return 0.0;
    }
    let shares = softmax(logits);
    let mass: f64 = target.iter().map(|&target| f64::from(target)).sum();
    let mut loss = 0.0;
    for ((share, &target), slope) in shares.iter().zip(target).zip(slopes) {
        let target = f64::from(target);
        if target > 0.0 {
            loss -= target * share.max(1e-30).ln();
        }
        *slope += (weight * (share * mass - target)) as f32;
    }
    weight * loss
}

/// Cross entropy of "mine" against "theirs", where the output is half a logit.
fn owned(outputs: &[f32], target: &[f32], weight: f64, slopes: &mut [f32]) -> f64 {
    if weight == 0.0 {
        return 0.0;
    }
    let mut loss = 0.0;
    for ((&output, &target), slope) in outputs.iter().zip(target).zip(slopes) {
        let (logit, mine) = (2.0 * f64::from(output), 0.5 * (1.0 + f64::from(target)));
        let (soft, share) = softplus(logit);
        loss += soft - mine * logit;
        *slope += (weight * 2.0 * (share - mine)) as f32;
    }
    weight * loss
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NetworkShape;
    use honinbo_rules::Random;

    fn example(version: u32) -> (Model, Numbers, Targets) {
        let mut model = NetworkShape { blocks: 1, channels: 4, ..NetworkShape::default() }.random("a", 1);
        model.version = version;
        let mut random = Random::new(u64::from(version));
        let mut some = |count: usize| -> Vec<f32> { (0..count).map(|_| 4.0 * random.unit() as f32 - 2.0).collect() };
        let scores = if version >= 9 { 6 } else { 4 };
        let outputs = Numbers {
            policy: some(10),
            reply: some(10),
            value: some(6),
            score: some(2 * scores),
            ownership: some(8),
            soon: some(8),
        };
        let targets = Targets {
            weight: vec![1.0, 0.5],
            policy: vec![0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.1, 0.2, 0.3, 0.4],
            policy_weight: vec![1.0, 1.0],
            reply: vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            reply_weight: vec![1.0, 0.0],
            value: vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
            score: vec![3.0, -45.0],
            score_weight: vec![1.0, 1.0],
            lead: vec![2.0, -30.0],
            lead_weight: vec![1.0, 1.0],
            time: vec![4.0, 0.0],
            ownership: vec![1.0, -1.0, 0.0, 1.0, -1.0, -1.0, -1.0, 1.0],
            soon: vec![0.7, 0.3, 0.0, 2.0, 0.1, 0.9, 0.0, -4.0],
        };
        (model, outputs, targets)
    }

    /// Along every output but those whose targets follow from another one, which is held still there.
    #[test]
    fn slopes_are_those_of_the_loss() {
        for version in [8, 9, 11, 14] {
            let (model, outputs, targets) = example(version);
            let (_, slopes) = losses(&model, 4, &outputs, &targets);
            let scores = outputs.score.len() / 2;
            let check = |pick: fn(&mut Numbers) -> &mut Vec<f32>, index: usize, found: f32| {
                let at = |by: f32| {
                    let mut moved = outputs.clone();
                    pick(&mut moved)[index] += by;
                    losses(&model, 4, &moved, &targets).0.total
                };
                let slope = (at(1e-3) - at(-1e-3)) / 2e-3;
                assert!(
                    (slope - f64::from(found)).abs() < 2e-3 * slope.abs().max(0.05),
                    "{version} {index} {slope} {found}"
                );
            };
            for index in 0..10 {
                check(|n| &mut n.policy, index, slopes.policy[index]);
                check(|n| &mut n.reply, index, slopes.reply[index]);
            }
            (0..6).for_each(|index| check(|n| &mut n.value, index, slopes.value[index]));
            (0..8).for_each(|index| check(|n| &mut n.ownership, index, slopes.ownership[index]));
            // Later, what the errors should be follows from what is expected soon.
            if version == 8 {
                (0..8).for_each(|index| check(|n| &mut n.soon, index, slopes.soon[index]));
            }
            for index in (0..2 * scores).filter(|index| index % scores != 0) {
                check(|n| &mut n.score, index, slopes.score[index]);
            }
        }
    }

    /// Their slopes are not those of the whole loss, as other targets follow from them.
    #[test]
    fn expected_scores_move_towards_their_targets() {
        for version in [8, 9, 11, 14] {
            let (model, outputs, targets) = example(version);
            let (_, slopes) = losses(&model, 4, &outputs, &targets);
            let scores = outputs.score.len() / 2;
            for board in 0..2 {
                for (output, slope, target) in [
                    (outputs.score[board * scores], slopes.score[board * scores], targets.score[board]),
                    (outputs.soon[board * 4 + 3], slopes.soon[board * 4 + 3], targets.soon[board * 4 + 3]),
                ] {
                    let gap = f64::from(output) * model.scales.score_mean - f64::from(target);
                    assert!(f64::from(slope) * gap > 0.0, "{version} {board}: {slope} at {gap}");
                }
            }
        }
    }

    #[test]
    fn a_loss_of_one_position_is_worked_out_by_hand() {
        let (model, mut outputs, targets) = example(11);
        outputs.policy.fill(0.0);
        outputs.value.fill(0.0);
        outputs.ownership.fill(0.0);
        let (found, _) = losses(&model, 4, &outputs, &targets);
        // Weights 1 and a half of two boards.
        assert!((found.policy - 0.75 * 5f64.ln()).abs() < 1e-6, "{found:?}");
        assert!((found.value - 0.75 * 1.2 * 3f64.ln()).abs() < 1e-6);
        assert!((found.ownership - 0.75 * 1.5 * 2f64.ln()).abs() < 1e-6);
    }

    #[test]
    fn rows_without_weight_say_nothing() {
        let (model, outputs, mut targets) = example(11);
        targets.weight = vec![0.0, 0.0];
        let (found, slopes) = losses(&model, 4, &outputs, &targets);
        assert_eq!(found, Losses::default());
        assert!(slopes.policy.iter().chain(&slopes.score).chain(&slopes.soon).all(|slope| *slope == 0.0));
    }
}
