//! What Leela Zero knows beside the commands of others, for programs that take any engine for it: Lizzie and its children.
//!
//! Source: what Leela Zero 0.17 answers; `Leelaz.java` of LizzieYzy, which reads both.

use std::fmt::Write as _;

use honinbo_evaluator::{EvalParams, EvalRequest, StopFlag};
use honinbo_rules::{Color, Symmetry};

use super::Reply;
use super::engine::{GtpEngine, RESIGN_BELOW, described};

/// The most visits that Leela Zero's option takes; from it on there is no limit.
const MAX_VISITS: u64 = 1_000_000_000;

/// Its options, in the form that it lists them.
const OPTIONS: &str = "option name Maximum Memory Use (MiB) type spin default 2048 min 128 max 131072\n\
                       option name Percentage of memory for cache type spin default 10 min 1 max 99\n\
                       option name Visits type spin default 0 min 0 max 1000000000\n\
                       option name Playouts type spin default 0 min 0 max 1000000000\n\
                       option name Lagbuffer type spin default 0 min 0 max 3000\n\
                       option name Resign Percentage type spin default -1 min -1 max 30\n\
                       option name Pondering type check default true";

impl GtpEngine {
    /// `heatmap [SYMMETRY]`: what the network thinks of each point, in thousandths, and of a pass; the chance of the player
    /// to move.
    pub(crate) fn heatmap(&self, arguments: &[String]) -> Reply {
        let wrong = |text: &str| format!("could not parse symmetry '{text}', expected 0 to 7, 'all' or 'average'");
        let symmetries = match arguments.first().map(|text| text.to_lowercase()).as_deref() {
            None => vec![Symmetry::ALL[0]],
            Some("all" | "average") => Symmetry::ALL.to_vec(),
            Some(text) => vec![text.parse().ok().and_then(Symmetry::new).ok_or_else(|| wrong(text))?],
        };
        let game = self.table.game();
        let ask = |symmetry: &Symmetry| {
            let params = EvalParams {
                symmetry: *symmetry,
                policy_optimism: self.analysis_params.root_policy_optimism as f32,
                profile: self.analysis_params.profile,
                ..EvalParams::default()
            };
            EvalRequest { game, params }
        };
        let requests: Vec<EvalRequest<'_>> = symmetries.iter().map(ask).collect();
        let answers = self.evaluator.evaluate(&requests, &StopFlag::new()).map_err(|error| described(&error))?;
        let mean =
            |value: &dyn Fn(usize) -> f32| (0..answers.len()).map(value).sum::<f32>() / answers.len().max(1) as f32;
        let thousandths = |index: usize| (1000.0 * mean(&|at| answers[at].policy[index].max(0.0))).round() as u32;
        let size = self.table.size();
        // The first row must not stand behind the sign of success.
        let mut text = String::from("\n");
        for y in 0..size.height() {
            for x in 0..size.width() {
                let _ = write!(text, "{:3} ", thousandths(y * size.width() + x));
            }
            text.push('\n');
        }
        let white = mean(&|at| answers[at].white_win + 0.5 * answers[at].no_result);
        let mover = if game.to_play() == Color::White { white } else { 1.0 - white };
        let _ = write!(text, "pass: {}\nwinrate: {mover:.6}", thousandths(size.area()));
        Ok(text)
    }

    /// `lz-setoption [name NAME value VALUE]`.
    pub(crate) fn set_leela_option(&mut self, arguments: &[String]) -> Reply {
        if arguments.is_empty() {
            return Ok(format!("\n{OPTIONS}"));
        }
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let form = || "expected: name NAME value VALUE".to_owned();
        let value_at = words.iter().position(|word| *word == "value").ok_or_else(form)?;
        let ["name", name @ ..] = &words[..value_at] else { return Err(form()) };
        let name = name.join(" ").to_lowercase();
        let [value] = &words[value_at + 1..] else { return Err(form()) };
        let number = |low: f64, high: f64| {
            let number: Option<f64> = value.parse().ok().filter(|number| (low..=high).contains(number));
            number.ok_or_else(|| format!("could not parse value '{value}', expected {low} to {high}"))
        };
        let limit = |count: f64| if count <= 0.0 || count as u64 >= MAX_VISITS { 0 } else { count as u64 };
        match name.as_str() {
            "visits" => self.options.max_visits = limit(number(0.0, MAX_VISITS as f64)?),
            "playouts" => self.options.max_playouts = limit(number(0.0, MAX_VISITS as f64)?),
            // Hundredths of a second.
            "lagbuffer" => self.clocks.lag_buffer = number(0.0, 3000.0)? / 100.0,
            // Percent; -1 leaves it to the engine, 0 never resigns.
            "resign percentage" => {
                let percent = number(-1.0, 30.0)?;
                let below = if percent < 0.0 { RESIGN_BELOW } else { percent / 100.0 };
                self.options.resign_below = Some(below).filter(|below| *below > 0.0);
            }
            "pondering" => {
                let on = honinbo_search::switch_of(value);
                self.options.ponders =
                    on.ok_or_else(|| format!("could not parse value '{value}', expected true or false"))?;
            }
            // Memory follows the board and the threads here.
            "maximum memory use (mib)" => {
                number(128.0, 131_072.0)?;
            }
            "percentage of memory for cache" => {
                number(1.0, 99.0)?;
            }
            _ => return Err(format!("there is no option '{name}'; lz-setoption alone lists them")),
        }
        Ok(String::new())
    }
}
