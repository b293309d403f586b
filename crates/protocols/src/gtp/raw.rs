//! `kata-raw-nn`: what the network says of a position, as it stands.

use std::fmt::Write as _;

use honinbo_net::{EvalParams, EvalRequest, Evaluation, StopFlag};
use honinbo_rules::{Color, Symmetry};

use super::Reply;
use super::engine::{GtpEngine, described};

impl GtpEngine {
    /// `[COLOR] SYMMETRY [OPTIMISM]`.
    pub(crate) fn raw_network(&self, arguments: &[String]) -> Reply {
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
            [text] => text
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
                    ..EvalParams::default()
                },
            })
            .collect();
        let answers = self.evaluator.evaluate(&requests, &StopFlag::new()).map_err(|error| described(&error))?;
        let width = self.table.size().width();
        let texts: Vec<String> =
            symmetries.iter().zip(&answers).map(|(symmetry, answer)| written(*symmetry, answer, width)).collect();
        Ok(texts.join("\n").trim_end().to_owned())
    }
}

fn written(symmetry: Symmetry, answer: &Evaluation, width: usize) -> String {
    let mut text = format!("symmetry {}\n", symmetry.number());
    for (key, value) in
        [("whiteWin", answer.white_win), ("whiteLoss", answer.white_loss), ("noResult", answer.no_result)]
    {
        let _ = writeln!(text, "{key} {value:.6}");
    }
    for (key, value) in [
        ("whiteLead", answer.white_lead),
        ("whiteScoreSelfplay", answer.white_score_mean),
        ("whiteScoreSelfplaySq", answer.white_score_mean_sq),
        ("varTimeLeft", answer.var_time_left),
        ("shorttermWinlossError", answer.shortterm_winloss_error),
        ("shorttermScoreError", answer.shortterm_score_error),
    ] {
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
