//! `kata-raw-nn` and `kata-raw-human-nn`: what a network says of a position, as it stands.

use std::fmt::Write as _;

use honinbo_evaluator::{EvalParams, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::{Color, Symmetry};

use super::Reply;
use super::engine::{GtpEngine, described};

/// Which of two networks is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Network {
    Main,
    Human,
}

impl GtpEngine {
    /// `[COLOR] SYMMETRY [OPTIMISM]`.
    pub(crate) fn raw_network(&self, arguments: &[String]) -> Reply {
        self.raw(arguments, &*self.evaluator, Network::Main)
    }

    /// The same of the network of human style beside the main one: `[COLOR] SYMMETRY`.
    pub(crate) fn raw_human_network(&self, arguments: &[String]) -> Reply {
        let (model, evaluator) =
            self.options.human.as_ref().ok_or("no network of human style was given with --human-net")?;
        if model.uses_profile && self.analysis_params.profile.is_none() {
            return Err("the network of human style wants to know who plays: set humanSLProfile".into());
        }
        self.raw(arguments, &**evaluator, Network::Human)
    }

    fn raw(&self, arguments: &[String], evaluator: &dyn Evaluator, network: Network) -> Reply {
        let (color, rest) = match arguments.split_first() {
            Some((first, rest)) if Color::parse(first).is_some() => (Color::parse(first), rest),
            _ => (None, arguments),
        };
        let [symmetry, optimism @ ..] = rest else { return Err("expected a symmetry from 0 to 7, or 'all'".into()) };
        let symmetries: Vec<Symmetry> = if symmetry.eq_ignore_ascii_case("all") {
            Symmetry::ALL.to_vec()
        } else {
            let wrong = || format!("could not parse symmetry '{symmetry}', expected 0 to 7 or 'all'");
            vec![symmetry.parse().ok().and_then(Symmetry::new).ok_or_else(wrong)?]
        };
        let policy_optimism = match optimism {
            [] => self.analysis_params.root_policy_optimism as f32,
            [text] if network == Network::Main => text
                .parse()
                .ok()
                .filter(|value| (0.0..=1.0).contains(value))
                .ok_or_else(|| format!("could not parse optimism '{text}', expected 0 to 1"))?,
            _ => return Err("too many arguments".into()),
        };
        let game = self.table.game_for(color.unwrap_or(self.table.game().to_play()))?;
        let requests: Vec<EvalRequest<'_>> = symmetries
            .iter()
            .map(|symmetry| EvalRequest {
                game: &game,
                params: EvalParams {
                    symmetry: *symmetry,
                    policy_optimism,
                    include_ownership: true,
                    profile: self.analysis_params.profile,
                    ..EvalParams::default()
                },
            })
            .collect();
        let answers = evaluator.evaluate(&requests, &StopFlag::new()).map_err(|error| described(&error))?;
        let width = self.table.size().width();
        let texts: Vec<String> = symmetries
            .iter()
            .zip(&answers)
            .map(|(symmetry, answer)| written(*symmetry, answer, network, width))
            .collect();
        Ok(texts.join("\n").trim_end().to_owned())
    }
}

fn written(symmetry: Symmetry, answer: &Evaluation, network: Network, width: usize) -> String {
    let mut text = format!("symmetry {}\n", symmetry.number());
    for (key, value) in
        [("whiteWin", answer.white_win), ("whiteLoss", answer.white_loss), ("noResult", answer.no_result)]
    {
        let _ = writeln!(text, "{key} {value:.6}");
    }
    let scores = match network {
        Network::Main => vec![
            ("whiteLead", answer.white_lead),
            ("whiteScoreSelfplay", answer.white_score_mean),
            ("whiteScoreSelfplaySq", answer.white_score_mean_sq),
            ("varTimeLeft", answer.var_time_left),
        ],
        Network::Human => {
            vec![("whiteScore", answer.white_score_mean), ("whiteScoreSq", answer.white_score_mean_sq)]
        }
    };
    let errors = [
        ("shorttermWinlossError", answer.shortterm_winloss_error),
        ("shorttermScoreError", answer.shortterm_score_error),
    ];
    for (key, value) in scores.into_iter().chain(errors) {
        let _ = writeln!(text, "{key} {value:.3}");
    }
    let probability = |p: f32| if p < 0.0 { "    NAN ".to_owned() } else { format!("{p:8.6} ") };
    let (board, pass) = answer.policy.split_at(answer.policy.len() - 1);
    text.push_str("policy\n");
    for row in board.chunks(width) {
        text.extend(row.iter().map(|p| probability(*p)));
        text.push('\n');
    }
    let _ = writeln!(text, "policyPass {}", probability(pass[0]));
    text.push_str("whiteOwnership\n");
    for row in answer.white_ownership.as_deref().unwrap_or_default().chunks(width) {
        for point in row {
            let _ = write!(text, "{point:9.7} ");
        }
        text.push('\n');
    }
    text
}
