//! Parameters by KataGo's names, for `kata-get-param` and `kata-set-param`.

use std::ops::RangeInclusive;
use std::time::Duration;

use honinbo_rules::{BoardSize, Komi};
use honinbo_search::{SearchParams, switch_of};
use serde_json::{Map, Value, json};

use super::Reply;
use super::engine::{GtpEngine, RESIGN_BELOW};
use crate::katago::{Stance, explained, key};
use crate::parameters::{
    Chosen, HoldsFor, UNUSED_PROFILE, gtp_names, gtp_parameter, json_of, need_human, perspective_of, seed_from, set,
    settings_in,
};

/// A setting of the engine, beside those of its searches.
struct EngineSetting {
    name: &'static str,
    get: fn(&GtpEngine) -> Value,
    /// `None` where the text is no such value.
    set: fn(&mut GtpEngine, &str) -> Option<()>,
}

/// One line of [`ENGINE_SETTINGS`].
const fn setting(
    name: &'static str,
    get: fn(&GtpEngine) -> Value,
    set: fn(&mut GtpEngine, &str) -> Option<()>,
) -> EngineSetting {
    EngineSetting { name, get, set }
}

#[rustfmt::skip]
const ENGINE_SETTINGS: [EngineSetting; 20] = [
    setting("maxVisits", |e| shown_limit(e.options.max_visits), |e, text| limit(text).map(|n| e.options.max_visits = n)),
    setting("maxPlayouts", |e| shown_limit(e.options.max_playouts), |e, text| limit(text).map(|n| e.options.max_playouts = n)),
    setting("maxTime", |e| json!(e.options.max_time.map_or(1e20, |time| time.as_secs_f64())), |e, text| {
        number(text, 0.0..=f64::MAX).map(|n| e.options.max_time = (n < 1e9).then(|| Duration::from_secs_f64(n)))
    }),
    setting("maxVisitsPondering", |e| shown_limit(e.options.max_ponder_visits), |e, text| limit(text).map(|n| e.options.max_ponder_visits = n)),
    setting("maxPlayoutsPondering", |e| shown_limit(e.options.max_ponder_playouts), |e, text| limit(text).map(|n| e.options.max_ponder_playouts = n)),
    setting("maxTimePondering", |e| json!(e.options.max_ponder_time.as_secs_f64()), |e, text| {
        number(text, 0.0..=1e9).map(|n| e.options.max_ponder_time = Duration::from_secs_f64(n))
    }),
    setting("searchFactorAfterOnePass", |e| json!(e.options.haste.after_one_pass), |e, text| number(text, 0.0..=1.0).map(|n| e.options.haste.after_one_pass = n)),
    setting("searchFactorAfterTwoPass", |e| json!(e.options.haste.after_two_passes), |e, text| number(text, 0.0..=1.0).map(|n| e.options.haste.after_two_passes = n)),
    setting("searchFactorWhenWinning", |e| json!(e.options.haste.when_winning), |e, text| number(text, 0.0..=1.0).map(|n| e.options.haste.when_winning = n)),
    setting("searchFactorWhenWinningThreshold", |e| json!(e.options.haste.winning_above), |e, text| number(text, 0.0..=1.0).map(|n| e.options.haste.winning_above = n)),
    setting("futileVisitsThreshold", |e| json!(e.play_params.futile_visits_threshold), |e, text| {
        number(text, 0.0..=1.0).map(|share| e.play_params.futile_visits_threshold = share)
    }),
    setting("openMoveTimeFactor", |e| e.options.open_stretch.map_or(json!("auto"), |stretch| json!(stretch)), |e, text| {
        let stretch = if text == "auto" { None } else { Some(number(text, 1.0..=10.0)?) };
        e.options.open_stretch = stretch;
        Some(())
    }),
    setting("overallocateTimeFactor", |e| json!(e.options.overallocate), |e, text| number(text, 0.01..=100.0).map(|n| e.options.overallocate = n)),
    setting("numSearchThreads", |e| json!(e.options.threads), |e, text| {
        text.parse().ok().filter(|threads| (1..=1024).contains(threads)).map(|threads| e.options.threads = threads)
    }),
    setting("lagBuffer", |e| json!(e.clocks.lag_buffer), |e, text| {
        number(text, f64::MIN..=f64::MAX).map(|n| e.clocks.lag_buffer = n.clamp(0.0, 3600.0))
    }),
    setting("ponderingEnabled", |e| json!(e.options.ponders), |e, text| switch_of(text).map(|on| e.options.ponders = on)),
    setting("allowResignation", |e| json!(e.options.resign_below.is_some()), |e, text| {
        switch_of(text).map(|on| e.options.resign_below = e.options.resign_below.or(Some(RESIGN_BELOW)).filter(|_| on))
    }),
    setting("dynamicPlayoutDoublingAdvantageCapPerOppLead", |e| json!(e.options.doublings_per_point), |e, text| {
        number(text, 0.0..=0.5).map(|n| e.options.doublings_per_point = n)
    }),
    setting("delayMoveScale", |e| json!(e.options.pause_scale), |e, text| number(text, 0.0..=10_000.0).map(|n| e.options.pause_scale = n)),
    setting("delayMoveMax", |e| json!(e.options.longest_pause.as_secs_f64()), |e, text| {
        number(text, 0.0..=1e6).map(|n| e.options.longest_pause = Duration::from_secs_f64(n))
    }),
];

fn number(text: &str, range: RangeInclusive<f64>) -> Option<f64> {
    text.parse().ok().filter(|number| range.contains(number))
}

/// A number of visits, 0 for as many as it takes.
fn limit(text: &str) -> Option<u64> {
    let count: u64 = text.parse().ok().filter(|count| *count > 0)?;
    Some(if count >= NO_LIMIT { 0 } else { count })
}

fn shown_limit(count: u64) -> Value {
    json!(if count == 0 { NO_LIMIT } else { count })
}

impl GtpEngine {
    /// All names, for `kata-list-params`.
    pub(crate) fn parameter_names(&self) -> String {
        let names: Vec<&str> = gtp_names().chain(ENGINE_SETTINGS.iter().map(|setting| setting.name)).collect();
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
        self.parameter(name).map(|value| value.to_string()).ok_or_else(|| not_a_parameter(name))
    }

    fn parameter(&self, name: &str) -> Option<Value> {
        if let Some((parameter, holds_for)) = gtp_parameter(name) {
            let params = if holds_for == HoldsFor::Analysing { &self.analysis_params } else { &self.play_params };
            return Some(json_of((parameter.get)(params)));
        }
        let setting = ENGINE_SETTINGS.iter().find(|setting| setting.name == name)?;
        Some((setting.get)(self))
    }

    /// Takes settings by KataGo's names: lines `name = value`. Gives a sentence on each that is not used here, which
    /// configuration files of KataGo are full of.
    ///
    /// # Errors
    /// When a line is no setting, or a value cannot be; of those before the wrong value are taken.
    pub fn configure(&mut self, text: &str) -> Result<Vec<String>, String> {
        let mut unused = Vec::new();
        let settings = settings_in(text).map_err(|error| error.to_string())?;
        for &(name, value) in &settings {
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
                "ignoreGTPAndForceKomi" => {
                    let komi =
                        value.parse().ok().and_then(|points| Komi::from_points(points).ok()).ok_or_else(wrong)?;
                    self.options.forced_komi = Some(komi);
                    self.force_komi();
                }
                "assumeMultipleStartingBlackMovesAreHandicap" => {
                    self.table.count_opening_moves(switch_of(value).ok_or_else(wrong)?)?;
                }
                "preventCleanupPhase" => self.table.prevent_clean_up(switch_of(value).ok_or_else(wrong)?),
                "cleanupBeforePass" => self.options.cleans_up = choice_of(value).ok_or_else(wrong)?,
                "friendlyPass" => self.options.passes_friendly = choice_of(value).ok_or_else(wrong)?,
                "startupPrintMessageToStderr" => self.options.announces = switch_of(value).ok_or_else(wrong)?,
                "defaultBoardXSize" | "defaultBoardYSize" => {
                    let side = value.parse().map_err(|_| wrong())?;
                    let now = self.table.size();
                    let sides = if name == "defaultBoardXSize" { (side, now.height()) } else { (now.width(), side) };
                    drop(self.table.resize(BoardSize::new(sides.0, sides.1).map_err(|_| wrong())?)?);
                }
                "antiMirror" => {
                    // Alone it holds for playing, too.
                    if !settings.iter().any(|(name, _)| *name == "genmoveAntiMirror") {
                        drop(self.set_parameter("genmoveAntiMirror", value)?);
                    }
                    drop(self.set_parameter(name, value)?);
                }
                "humanSLProfile" => {
                    // As KataGo: a default that no network uses is no reason not to play.
                    let mut wanted = self.play_params.clone();
                    set(&mut wanted, &mut Chosen::default(), name, value).map_err(|_| wrong())?;
                    if self.lacks_human(&wanted) {
                        unused.push(UNUSED_PROFILE.into());
                    } else {
                        drop(self.set_parameter(name, value)?);
                    }
                }
                "forDeterministicTesting" => {
                    if switch_of(value).ok_or_else(wrong)? {
                        self.set_seed(seed_from(name))?;
                    }
                }
                "ogsChatToStderr" => self.options.logs_for_chat = switch_of(value).ok_or_else(wrong)?,
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
                name => unused.push(explained(name)),
            }
        }
        if (self.options.cleans_up, self.options.passes_friendly) == (Some(true), Some(true)) {
            return Err("cleanupBeforePass and friendlyPass cannot both be true".into());
        }
        Ok(unused)
    }

    fn lacks_human(&self, params: &SearchParams) -> bool {
        self.options.human.is_none() && need_human(params, self.options.uses_profile)
    }

    /// Sets one rule, by its name in a configuration file.
    fn set_rule_from_file(&mut self, rule: &str, name: &str, value: &str) -> Result<(), String> {
        let known = self.set_rule(&[rule.to_owned(), value.to_owned()]);
        known.map(drop).map_err(|reason| format!("could not set '{name}' to '{value}': {reason}"))
    }

    /// Changes one value, for both playing and analysing where both have it.
    pub(crate) fn set_parameter(&mut self, name: &str, value: &str) -> Reply {
        let wrong = || format!("could not set '{name}' to '{value}'");
        let Some((parameter, holds_for)) = gtp_parameter(name) else {
            let known = |setting: &&EngineSetting| setting.name == name;
            let setting = ENGINE_SETTINGS.iter().find(known).ok_or_else(|| not_a_parameter(name))?;
            (setting.set)(self, value.trim()).ok_or_else(wrong)?;
            return Ok(String::new());
        };
        let (mut play, mut analysis) = (self.play_params.clone(), self.analysis_params.clone());
        if holds_for != HoldsFor::Analysing {
            (parameter.set)(&mut play, value).ok_or_else(wrong)?;
        }
        if holds_for != HoldsFor::Playing {
            (parameter.set)(&mut analysis, value).ok_or_else(wrong)?;
        }
        let mut chosen = self.chosen.clone();
        chosen.add(parameter);
        chosen.lead(&mut play);
        chosen.lead(&mut analysis);
        if self.lacks_human(&play) {
            return Err(format!("'{name}' needs a network of human style, and --human-net names none"));
        }
        play.check().and_then(|()| analysis.check()).map_err(|error| error.to_string())?;
        (self.play_params, self.analysis_params, self.chosen) = (play, analysis, chosen);
        Ok(String::new())
    }
}

/// Why a name is none of `kata-set-param`'s.
fn not_a_parameter(name: &str) -> String {
    match key(name).map(|entry| entry.stance) {
        Some(Stance::Answered(_)) => format!("'{name}' can be set in a configuration file only"),
        Some(_) => explained(name),
        None => format!("unknown parameter '{name}'"),
    }
}

/// On, off, or `auto`.
fn choice_of(text: &str) -> Option<Option<bool>> {
    if text.trim().eq_ignore_ascii_case("auto") { Some(None) } else { switch_of(text).map(Some) }
}

/// What KataGo says for "no limit".
const NO_LIMIT: u64 = 1 << 50;
