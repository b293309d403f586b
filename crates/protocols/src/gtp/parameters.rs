//! Parameters by KataGo's names, for `kata-get-param` and `kata-set-param`.

use std::time::Duration;

use honinbo_rules::{BoardSize, Color};
use honinbo_search::HumanParams;
use serde_json::{Map, Value, json};

use super::Reply;
use super::engine::{GtpEngine, RESIGN_BELOW};
use crate::parameters::{self, Refusal, perspective_of, settings_in, switch_of};

/// Parameters of playing alone, of analysis alone, and of the engine.
const OTHERS: [&str; 22] = [
    "analysisWideRootNoise",
    "analysisIgnorePreRootHistory",
    "maxVisits",
    "maxPlayouts",
    "maxTime",
    "maxVisitsPondering",
    "maxPlayoutsPondering",
    "maxTimePondering",
    "searchFactorAfterOnePass",
    "searchFactorAfterTwoPass",
    "searchFactorWhenWinning",
    "searchFactorWhenWinningThreshold",
    "numSearchThreads",
    "lagBuffer",
    "ponderingEnabled",
    "allowResignation",
    "wideRootNoise",
    "ignorePreRootHistory",
    "playoutDoublingAdvantagePla",
    "dynamicPlayoutDoublingAdvantageCapPerOppLead",
    "delayMoveScale",
    "delayMoveMax",
];

impl GtpEngine {
    /// All names, for `kata-list-params`.
    pub(crate) fn parameter_names(&self) -> String {
        let names: Vec<&str> = parameters::names().chain(OTHERS).collect();
        names.join(" ")
    }

    /// All values, for `kata-get-params`.
    pub(crate) fn all_parameters(&self) -> Value {
        let names = self.parameter_names();
        let values: Map<String, Value> =
            names.split(' ').filter_map(|name| Some((name.to_owned(), self.parameter(name)?))).collect();
        Value::Object(values)
    }

    /// One value.
    pub(crate) fn get_parameter(&self, name: &str) -> Reply {
        self.parameter(name).map(|value| value.to_string()).ok_or_else(|| format!("unknown parameter '{name}'"))
    }

    fn parameter(&self, name: &str) -> Option<Value> {
        if let Some(value) = parameters::get(&self.play_params, name) {
            return Some(value);
        }
        let limit = |count: u64| json!(if count == 0 { NO_LIMIT } else { count });
        Some(match name {
            "analysisWideRootNoise" => json!(self.analysis_params.wide_root_noise),
            "analysisIgnorePreRootHistory" => json!(self.analysis_params.ignore_pre_root_history),
            "maxVisits" => limit(self.options.max_visits),
            "maxPlayouts" => limit(self.options.max_playouts),
            "maxVisitsPondering" => limit(self.options.max_ponder_visits),
            "maxPlayoutsPondering" => limit(self.options.max_ponder_playouts),
            "searchFactorAfterOnePass" => json!(self.options.haste.after_one_pass),
            "searchFactorAfterTwoPass" => json!(self.options.haste.after_two_passes),
            "searchFactorWhenWinning" => json!(self.options.haste.when_winning),
            "searchFactorWhenWinningThreshold" => json!(self.options.haste.winning_above),
            "maxTime" => json!(self.options.max_time.map_or(1e20, |time| time.as_secs_f64())),
            "maxTimePondering" => json!(self.options.max_ponder_time.as_secs_f64()),
            "ponderingEnabled" => json!(self.options.ponders),
            "numSearchThreads" => json!(self.options.threads),
            "lagBuffer" => json!(self.clocks.lag_buffer),
            "allowResignation" => json!(self.options.resign_below.is_some()),
            "wideRootNoise" => json!(self.play_params.wide_root_noise),
            "ignorePreRootHistory" => json!(self.play_params.ignore_pre_root_history),
            "playoutDoublingAdvantagePla" => json!(match self.play_params.playout_doubling_advantage_player {
                Some(Color::Black) => "BLACK",
                Some(Color::White) => "WHITE",
                None => "",
            }),
            "dynamicPlayoutDoublingAdvantageCapPerOppLead" => json!(self.options.doublings_per_point),
            "delayMoveScale" => json!(self.options.pause_scale),
            "delayMoveMax" => json!(self.options.longest_pause.as_secs_f64()),
            _ => return None,
        })
    }

    /// Takes settings by KataGo's names: lines `name = value`. Gives the names that mean nothing here, which
    /// configuration files of KataGo are full of.
    ///
    /// # Errors
    /// When a value cannot be; earlier lines are taken then.
    pub fn configure(&mut self, text: &str) -> Result<Vec<String>, String> {
        let mut unknown = Vec::new();
        for (name, value) in settings_in(text) {
            let wrong = || format!("could not set '{name}' to '{value}'");
            match name {
                "rules" => drop(self.set_rules(value)?),
                "koRule" => self.set_rule_from_file("ko", name, value)?,
                "scoringRule" => self.set_rule_from_file("scoring", name, value)?,
                "taxRule" => self.set_rule_from_file("tax", name, value)?,
                "multiStoneSuicideLegal" => self.set_rule_from_file("suicide", name, value)?,
                "hasButton" | "friendlyPassOk" | "whiteHandicapBonus" => self.set_rule_from_file(name, name, value)?,
                "defaultBoardSize" => {
                    let size = value.parse().ok().and_then(|size| BoardSize::square(size).ok()).ok_or_else(wrong)?;
                    drop(self.table.resize(size)?);
                }
                "analysisPVLen" => {
                    let in_range = |length: &usize| (1..=1000).contains(length);
                    self.options.pv_len = value.parse().ok().filter(in_range).ok_or_else(wrong)?;
                }
                "reportAnalysisWinratesAs" => self.options.perspective = perspective_of(value).ok_or_else(wrong)?,
                "searchRandSeed" => self.set_seed(seed_from(value))?,
                "resignThreshold" => {
                    // Win minus loss there, a win rate here.
                    let in_range = |threshold: &f64| (-1.0..=0.0).contains(threshold);
                    let threshold = value.parse::<f64>().ok().filter(in_range).ok_or_else(wrong)?;
                    self.options.resign_below = self.options.resign_below.map(|_| 0.5 * (1.0 + threshold));
                }
                "resignConsecTurns" => {
                    let in_range = |turns: &usize| (1..=100).contains(turns);
                    self.options.resign_turns = value.parse().ok().filter(in_range).ok_or_else(wrong)?;
                }
                "resignMinScoreDifference" => {
                    let in_range = |points: &f64| (0.0..=1000.0).contains(points);
                    self.options.resign_least_deficit = value.parse().ok().filter(in_range).ok_or_else(wrong)?;
                }
                "resignMinMovesPerBoardArea" => {
                    let in_range = |share: &f64| (0.0..=1.0).contains(share);
                    self.options.resign_moves_per_point = value.parse().ok().filter(in_range).ok_or_else(wrong)?;
                }
                name if self.parameter(name).is_some() => drop(self.set_parameter(name, value)?),
                name => unknown.push(name.to_owned()),
            }
        }
        Ok(unknown)
    }

    /// Sets one rule, by its name in a configuration file.
    fn set_rule_from_file(&mut self, rule: &str, name: &str, value: &str) -> Result<(), String> {
        let known = self.set_rule(&[rule.to_owned(), value.to_owned()]);
        known.map(drop).map_err(|reason| format!("could not set '{name}' to '{value}': {reason}"))
    }

    /// Changes one value, for both playing and analysing where both have it.
    pub(crate) fn set_parameter(&mut self, name: &str, value: &str) -> Reply {
        let wrong = || format!("could not set '{name}' to '{value}'");
        let number = || value.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong);
        let share = || number().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(wrong);
        let limit = || {
            let count: u64 = value.parse().ok().filter(|count| *count > 0).ok_or_else(wrong)?;
            Ok::<_, String>(if count >= NO_LIMIT { 0 } else { count })
        };
        let (mut play, mut analysis) = (self.play_params.clone(), self.analysis_params.clone());
        match parameters::set(&mut play, name, value).and_then(|()| parameters::set(&mut analysis, name, value)) {
            Ok(()) => {}
            Err(Refusal::WrongValue) => return Err(wrong()),
            Err(Refusal::UnknownName) => match name {
                "analysisWideRootNoise" => analysis.wide_root_noise = number()?,
                "analysisIgnorePreRootHistory" => {
                    analysis.ignore_pre_root_history = switch_of(value).ok_or_else(wrong)?;
                }
                "maxVisits" => self.options.max_visits = limit()?,
                "maxPlayouts" => self.options.max_playouts = limit()?,
                "maxVisitsPondering" => self.options.max_ponder_visits = limit()?,
                "maxPlayoutsPondering" => self.options.max_ponder_playouts = limit()?,
                "searchFactorAfterOnePass" => self.options.haste.after_one_pass = share()?,
                "searchFactorAfterTwoPass" => self.options.haste.after_two_passes = share()?,
                "searchFactorWhenWinning" => self.options.haste.when_winning = share()?,
                "searchFactorWhenWinningThreshold" => self.options.haste.winning_above = share()?,
                "maxTime" => {
                    let seconds = number()?;
                    if seconds < 0.0 {
                        return Err(wrong());
                    }
                    self.options.max_time = (seconds < 1e9).then(|| Duration::from_secs_f64(seconds));
                }
                "maxTimePondering" => {
                    let seconds = number()?;
                    if !(0.0..1e9).contains(&seconds) {
                        return Err(wrong());
                    }
                    self.options.max_ponder_time = Duration::from_secs_f64(seconds);
                }
                "ponderingEnabled" => self.options.ponders = switch_of(value).ok_or_else(wrong)?,
                "numSearchThreads" => {
                    self.options.threads =
                        value.parse().ok().filter(|threads| (1..=1024).contains(threads)).ok_or_else(wrong)?;
                }
                "lagBuffer" => {
                    self.clocks.lag_buffer = number()?.clamp(0.0, 3600.0);
                }
                "allowResignation" => {
                    let allowed = switch_of(value).ok_or_else(wrong)?;
                    self.options.resign_below = self.options.resign_below.or(Some(RESIGN_BELOW)).filter(|_| allowed);
                }
                "wideRootNoise" => play.wide_root_noise = number()?,
                "ignorePreRootHistory" => play.ignore_pre_root_history = switch_of(value).ok_or_else(wrong)?,
                "playoutDoublingAdvantagePla" => {
                    let player = match value.to_lowercase().as_str() {
                        "" => None,
                        "black" | "b" => Some(Color::Black),
                        "white" | "w" => Some(Color::White),
                        _ => return Err(wrong()),
                    };
                    play.playout_doubling_advantage_player = player;
                    analysis.playout_doubling_advantage_player = player;
                }
                "dynamicPlayoutDoublingAdvantageCapPerOppLead" => {
                    let in_range = |number: &f64| (0.0..=0.5).contains(number);
                    self.options.doublings_per_point = number().ok().filter(in_range).ok_or_else(wrong)?;
                }
                "delayMoveScale" => {
                    let in_range = |scale: &f64| (0.0..=10_000.0).contains(scale);
                    self.options.pause_scale = number().ok().filter(in_range).ok_or_else(wrong)?;
                }
                "delayMoveMax" => {
                    let in_range = |seconds: &f64| (0.0..=1e6).contains(seconds);
                    let seconds = number().ok().filter(in_range).ok_or_else(wrong)?;
                    self.options.longest_pause = Duration::from_secs_f64(seconds);
                }
                _ => return Err(format!("unknown parameter '{name}'")),
            },
        }
        if play.human != HumanParams::default() && self.options.human.is_none() {
            return Err(format!("'{name}' needs a network of human style, and --human-net names none"));
        }
        play.check().and_then(|()| analysis.check()).map_err(|error| error.to_string())?;
        (self.play_params, self.analysis_params) = (play, analysis);
        Ok(String::new())
    }
}

/// What KataGo says for "no limit".
const NO_LIMIT: u64 = 1 << 50;

/// The seed that KataGo's `searchRandSeed` names, which may be any text: a number stands for itself.
fn seed_from(text: &str) -> u64 {
    // FNV-1a (Fowler, Noll, Vo), the same on every machine.
    let hash = |seed: u64, byte: u8| (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.parse().unwrap_or_else(|_| text.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
}
