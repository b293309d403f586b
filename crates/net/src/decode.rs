//! From raw network outputs to an [`Evaluation`].
//!
//! Source: KataGo v1.17.2, `cpp/neuralnet/nneval.cpp`; the order of operations and the width of the numbers are kept, so
//! that answers agree to the last digits that KataGo prints.

use honinbo_rules::{Color, Game, KoRule, Scoring};

use crate::codec::{NetworkHeader, NetworkOutputs};
use crate::features::{PlaneMap, inverse_map};
use crate::file::model::OutputScales;
use honinbo_evaluator::{EvalError, EvalParams, Evaluation};

/// What decoding has to know of a network.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Decoder {
    network: String,
    version: u32,
    scales: OutputScales,
    policy_outputs: usize,
    score_outputs: usize,
    has_meta: bool,
}

/// The raw outputs of one position.
pub(crate) struct RawPosition<'a> {
    pub(crate) policy: &'a [f32],
    pub(crate) pass: &'a [f32],
    pub(crate) value: &'a [f32],
    pub(crate) score: &'a [f32],
    pub(crate) ownership: &'a [f32],
}

/// With passing hacks a pass gets at most this many times the weight of all moves together: 95 % of the policy.
const MAX_PASS: f32 = 19.0;

impl Decoder {
    pub(crate) fn new(header: &NetworkHeader) -> Self {
        Self {
            network: header.name.clone(),
            version: header.version,
            scales: header.scales,
            policy_outputs: header.policy_outputs,
            score_outputs: header.score_outputs,
            has_meta: header.human_style,
        }
    }

    /// Splits a batch's outputs.
    pub(crate) fn position<'a>(
        &self,
        outputs: &'a NetworkOutputs,
        index: usize,
        buffer_area: usize,
    ) -> RawPosition<'a> {
        let part = |values: &'a [f32], length: usize| &values[index * length..][..length];
        RawPosition {
            policy: part(&outputs.policy, self.policy_outputs * buffer_area),
            pass: part(&outputs.pass, self.policy_outputs),
            value: part(&outputs.value, 3),
            score: part(&outputs.score, self.score_outputs),
            ownership: part(&outputs.ownership, buffer_area),
        }
    }

    /// `map`: where the board's points are in the turned buffer.
    pub(crate) fn decode(
        &self,
        game: &Game,
        params: &EvalParams,
        map: &PlaneMap,
        raw: &RawPosition<'_>,
    ) -> Result<Evaluation, EvalError> {
        let policy = self.policy(game, params, map, raw)?;
        let mut evaluation = self.values(game, raw, policy)?;
        if params.include_ownership {
            let sign = if game.to_play() == Color::White { 1.0 } else { -1.0 };
            let ownership: Box<[f32]> = inverse_map(map, raw.ownership).map(|value| sign * value.tanh()).collect();
            if ownership.iter().any(|value| !value.is_finite()) {
                return Err(self.not_finite("ownership"));
            }
            evaluation.white_ownership = Some(ownership);
        }
        Ok(evaluation)
    }

    fn not_finite(&self, output: &'static str) -> EvalError {
        EvalError::NotFinite { network: self.network.clone(), output }
    }

    fn policy(
        &self,
        game: &Game,
        params: &EvalParams,
        map: &PlaneMap,
        raw: &RawPosition<'_>,
    ) -> Result<Box<[f32]>, EvalError> {
        let size = game.board().size();
        let buffer = raw.policy.len() / self.policy_outputs;
        let optimism = if self.has_meta { 0.0 } else { params.policy_optimism };
        let mixed = |plain: f32, optimistic: f32| plain + (optimistic - plain) * optimism;
        let mut logits: Vec<f32> = if self.policy_outputs >= 2 {
            let (plain, rest) = raw.policy.split_at(buffer);
            inverse_map(map, plain).zip(inverse_map(map, &rest[..buffer])).map(|(p, o)| mixed(p, o)).collect()
        } else {
            inverse_map(map, raw.policy).collect()
        };
        logits.push(if self.policy_outputs >= 2 { mixed(raw.pass[0], raw.pass[1]) } else { raw.pass[0] });

        let mut legal = vec![false; size.area() + 1];
        legal[size.area()] = true;
        for point in game.legal_points() {
            legal[point.index(size)] = true;
        }
        let mut highest = f32::NEG_INFINITY;
        for (logit, &legal) in logits.iter_mut().zip(&legal) {
            if legal && !logit.is_finite() {
                return Err(self.not_finite("policy"));
            }
            *logit = if legal { *logit / params.policy_temperature } else { -1e30 };
            highest = highest.max(*logit);
        }
        let mut sum = 0.0f32;
        let (pass, moves) = logits.split_last_mut().expect("the pass is always there");
        for weight in moves.iter_mut() {
            *weight = (*weight - highest).exp();
            sum += *weight;
        }
        *pass = (*pass - highest).exp();
        if params.passing_hacks {
            *pass = pass.min(MAX_PASS * sum).max(1e-20);
        }
        sum += *pass;
        if !sum.is_finite() {
            return Err(self.not_finite("policy"));
        }
        let allowed = legal.iter().filter(|&&legal| legal).count() as f32;
        let share = |weight: f32| if sum > 0.0 { weight / sum } else { 1.0 / allowed };
        Ok(logits.iter().zip(&legal).map(|(&weight, &legal)| if legal { share(weight) } else { -1.0 }).collect())
    }

    fn values(&self, game: &Game, raw: &RawPosition<'_>, policy: Box<[f32]>) -> Result<Evaluation, EvalError> {
        let rules = game.ruleset();
        let wide = |value: f32| f64::from(value);
        let cycles_are_void = rules.ko == KoRule::Simple || rules.scoring == Scoring::Territory;
        let (win_logit, loss_logit) = (wide(raw.value[0]), wide(raw.value[1]));
        let void_logit = wide(raw.value[2]) - if cycles_are_void { 0.0 } else { 100_000.0 };
        let highest = win_logit.max(loss_logit).max(void_logit);
        let win = (win_logit - highest).exp();
        let loss = (loss_logit - highest).exp();
        let void = if cycles_are_void { (void_logit - highest).exp() } else { 0.0 };
        let sum = win + loss + void;
        let (win, loss, void) = (win / sum, loss / sum, void / sum);

        let s = |index: usize| raw.score.get(index).map_or(0.0, |&value| wide(value));
        let scales = &self.scales;
        let mean = s(0) * scales.score_mean;
        let stdev = softplus(s(1)) * scales.score_stdev;
        let mean_sq = mean * mean + stdev * stdev;
        // A void game counts as nothing.
        let mean = mean * (1.0 - void);
        let mean_sq = mean_sq * (1.0 - void);
        let lead = s(2) * scales.lead * (1.0 - void);
        let time_left = if self.version >= 9 { softplus(s(3)) * scales.variance_time } else { -1.0 };
        let (value_scale, score_scale) = (scales.shortterm_value_error, scales.shortterm_score_error);
        let (winloss_error, score_error) = match self.version {
            ..=8 => (-1.0, -1.0),
            9 => (softplus(s(4)), softplus(s(5)) * 10.0),
            10..=13 => ((softplus(s(4)) * value_scale).sqrt(), (softplus(s(5)) * score_scale).sqrt()),
            _ => {
                let halved = |index| softplus(s(index) * 0.5).powi(2);
                ((halved(4) * value_scale).sqrt(), (halved(5) * score_scale).sqrt())
            }
        };

        let white = game.to_play() == Color::White;
        let sign = if white { 1.0 } else { -1.0 };
        let evaluation = Evaluation {
            white_win: if white { win } else { loss } as f32,
            white_loss: if white { loss } else { win } as f32,
            no_result: void as f32,
            white_score_mean: (sign * mean) as f32,
            white_score_mean_sq: mean_sq as f32,
            white_lead: (sign * lead) as f32,
            var_time_left: time_left as f32,
            shortterm_winloss_error: winloss_error as f32,
            shortterm_score_error: score_error as f32,
            policy,
            white_ownership: None,
        };
        let outputs = [
            ("win probability", evaluation.white_win),
            ("loss probability", evaluation.white_loss),
            ("no-result probability", evaluation.no_result),
            ("score", evaluation.white_score_mean),
            ("squared score", evaluation.white_score_mean_sq),
            ("lead", evaluation.white_lead),
            ("time left", evaluation.var_time_left),
            ("short-term value error", evaluation.shortterm_winloss_error),
            ("short-term score error", evaluation.shortterm_score_error),
        ];
        match outputs.iter().find(|(_, value)| !value.is_finite()) {
            Some(&(output, _)) => Err(self.not_finite(output)),
            None => Ok(evaluation),
        }
    }
}

fn softplus(x: f64) -> f64 {
    if x > 40.0 { x } else { x.exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::{BoardSize, Komi, Ruleset, Setup, Symmetry, Topology};

    fn decoder(version: u32, policy_outputs: usize) -> Decoder {
        let scales = OutputScales { shortterm_score_error: 150.0, ..OutputScales::default() };
        Decoder { network: "test".into(), version, scales, policy_outputs, score_outputs: 6, has_meta: false }
    }

    fn game(ko: KoRule) -> Game {
        let size = BoardSize::square(3).unwrap();
        let ruleset = Ruleset { ko, ..Ruleset::TROMP_TAYLOR };
        Game::new(Setup::new(size, Topology::Plane, ruleset, Komi::from_half_points(15))).unwrap()
    }

    fn evaluate(decoder: &Decoder, game: &Game, params: &EvalParams, policy: &[f32], pass: &[f32]) -> Evaluation {
        let map = PlaneMap::new(game.board(), 3, 3, params.symmetry);
        let raw = RawPosition {
            policy,
            pass,
            value: &[0.0, 1.0, -6.0],
            score: &[0.1, -1.0, 0.05, 0.5, -2.0, -3.0],
            ownership: &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8],
        };
        decoder.decode(game, params, &map, &raw).unwrap()
    }

    #[test]
    fn values_are_those_worked_out_by_hand() {
        let e = evaluate(&decoder(14, 1), &game(KoRule::Simple), &EvalParams::default(), &[0.0; 9], &[0.0]);
        let close = |a: f32, b: f32| assert!((a - b).abs() <= 1e-4 * b.abs().max(0.1), "{a} is not {b}");
        close(e.white_win, 0.73057);
        close(e.white_loss, 0.26876);
        close(e.no_result, 0.00067);
        close(e.white_score_mean, -1.9987);
        close(e.white_score_mean_sq, 43.224);
        close(e.white_lead, -0.99933);
        close(e.var_time_left, 38.963);
        close(e.shortterm_winloss_error, 0.15663);
        close(e.shortterm_score_error, 2.4669);
    }

    #[test]
    fn cycles_cannot_happen_under_superko() {
        let e = evaluate(&decoder(14, 1), &game(KoRule::Positional), &EvalParams::default(), &[0.0; 9], &[0.0]);
        assert_eq!(e.no_result, 0.0);
        assert!((e.white_win + e.white_loss - 1.0).abs() < 1e-6);
        let old = evaluate(&decoder(8, 1), &game(KoRule::Simple), &EvalParams::default(), &[0.0; 9], &[0.0]);
        assert_eq!((old.var_time_left, old.shortterm_winloss_error, old.shortterm_score_error), (-1.0, -1.0, -1.0));
    }

    #[test]
    fn optimism_mixes_logits_and_passing_hacks_cap_the_pass() {
        let mut two = vec![0.0; 18];
        two[9] = 2.0;
        let params = EvalParams { policy_optimism: 0.5, ..EvalParams::default() };
        let e = evaluate(&decoder(14, 2), &game(KoRule::Simple), &params, &two, &[-50.0, -50.0]);
        let expected = 1f32.exp() / (1f32.exp() + 8.0);
        assert!((e.policy[0] - expected).abs() < 1e-6);

        let hacks = EvalParams { passing_hacks: true, ..EvalParams::default() };
        let e = evaluate(&decoder(14, 1), &game(KoRule::Simple), &hacks, &[-10.0; 9], &[0.0]);
        assert!((e.policy[9] - 0.95).abs() < 1e-6, "{}", e.policy[9]);
    }

    #[test]
    fn planes_are_turned_back() {
        let logits: Vec<f32> = (0..9).map(|i| i as f32 * 0.5).collect();
        let plain = evaluate(&decoder(8, 1), &game(KoRule::Simple), &EvalParams::default(), &logits, &[0.0]);
        for symmetry in Symmetry::ALL {
            let size = BoardSize::square(3).unwrap();
            let mut turned = vec![0.0; 9];
            for point in honinbo_rules::Point::all(size) {
                turned[symmetry.apply(point, size).index(size)] = logits[point.index(size)];
            }
            let params = EvalParams { symmetry, ..EvalParams::default() };
            let e = evaluate(&decoder(8, 1), &game(KoRule::Simple), &params, &turned, &[0.0]);
            assert_eq!(e.policy, plain.policy, "symmetry {}", symmetry.number());
        }
    }

    #[test]
    fn numbers_that_are_none_are_an_error() {
        let game = game(KoRule::Simple);
        let map = PlaneMap::new(game.board(), 3, 3, Symmetry::IDENTITY);
        let ok =
            RawPosition { policy: &[0.0; 9], pass: &[0.0], value: &[0.0; 3], score: &[0.0; 6], ownership: &[0.0; 9] };
        let bad = [
            RawPosition { policy: &[f32::NAN; 9], ..ok },
            RawPosition { value: &[f32::INFINITY, 0.0, 0.0], ..ok },
            RawPosition { score: &[f32::NAN; 6], ..ok },
        ];
        for raw in bad {
            let error = decoder(14, 1).decode(&game, &EvalParams::default(), &map, &raw).unwrap_err();
            assert!(matches!(error, EvalError::NotFinite { .. }), "{error}");
        }
    }
}
