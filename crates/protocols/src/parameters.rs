//! Parameters of the search by KataGo's names: for GTP's `kata-set-param`, the analysis protocol's `overrideSettings`
//! and configuration files. What there is, and what it may be, says [`SearchParams::table`].

use std::collections::BTreeSet;

use honinbo_rules::Color;
use honinbo_search::{HumanParams, Names, Parameter, Perspective, SearchParams, Setting};
use serde_json::{Value, json};

/// Why a parameter was not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The name means nothing.
    UnknownName,
    /// The value is not of the parameter's kind.
    WrongValue,
}

/// What a name of GTP's holds for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HoldsFor {
    Both,
    Playing,
    Analysing,
}

/// All names that GTP knows.
pub(crate) fn gtp_names() -> impl Iterator<Item = &'static str> {
    let known = |parameter: &&Parameter| !matches!(parameter.names, Names::Analysis(_));
    SearchParams::table().iter().filter(known).flat_map(|parameter| parameter.names.all())
}

/// The parameter that GTP calls so.
pub(crate) fn gtp_parameter(name: &str) -> Option<(&'static Parameter, HoldsFor)> {
    SearchParams::table().iter().find_map(|parameter| {
        let holds_for = match parameter.names {
            Names::Shared(known) if known == name => HoldsFor::Both,
            Names::Apart { usual, .. } if usual == name => HoldsFor::Playing,
            Names::Apart { gtp_analysis, .. } if gtp_analysis == name => HoldsFor::Analysing,
            Names::Split { usual, .. } if usual == name => HoldsFor::Analysing,
            Names::Split { gtp_playing, .. } if gtp_playing == name => HoldsFor::Playing,
            _ => return None,
        };
        Some((parameter, holds_for))
    })
}

/// Which parameters somebody set by name; the others may follow those that they hang on ([`SearchParams::follow`]).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen(BTreeSet<&'static str>);

impl Chosen {
    /// Notes a parameter.
    pub(crate) fn add(&mut self, parameter: &Parameter) {
        self.0.insert(parameter.field);
    }

    /// Whether somebody set this field.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.0.contains(field)
    }

    /// Lets the others follow.
    pub(crate) fn lead(&self, params: &mut SearchParams) {
        params.follow(|field| self.0.contains(field));
    }
}

/// Sets a parameter by the name that the analysis protocol and configuration files have for it; limits are for
/// [`SearchParams::check`] to judge.
///
/// # Errors
/// See [`Refusal`].
pub fn set(params: &mut SearchParams, chosen: &mut Chosen, name: &str, text: &str) -> Result<(), Refusal> {
    let known = |parameter: &&Parameter| match parameter.names {
        Names::Shared(known)
        | Names::Analysis(known)
        | Names::Apart { usual: known, .. }
        | Names::Split { usual: known, .. } => known == name,
    };
    let parameter = SearchParams::table().iter().find(known).ok_or(Refusal::UnknownName)?;
    (parameter.set)(params, text).ok_or(Refusal::WrongValue)?;
    chosen.add(parameter);
    chosen.lead(params);
    Ok(())
}

/// Whether these need a network of human style beside the search's own. One that `uses_profile` resembles people itself.
pub(crate) fn need_human(params: &SearchParams, uses_profile: bool) -> bool {
    (params.profile.is_some() && !uses_profile) || params.human != HumanParams::default()
}

/// What is said of a profile in a configuration that no network uses.
pub(crate) const UNUSED_PROFILE: &str =
    "humanSLProfile is not used: it needs a network of human style, and --human-net names none";

/// A value as the protocols write it.
pub(crate) fn json_of(setting: Setting) -> Value {
    match setting {
        Setting::Number(value) => json!(value),
        Setting::Small(value) => json!(value),
        Setting::Count(value) => json!(value),
        Setting::Switch(value) => json!(value),
        Setting::Choice(value) => value.map_or_else(|| json!("auto"), |value| json!(value)),
        Setting::Player(player) => json!(match player {
            Some(Color::Black) => "BLACK",
            Some(Color::White) => "WHITE",
            None => "",
        }),
        Setting::Profile(profile) => json!(profile.map(|profile| profile.to_string()).unwrap_or_default()),
    }
}

/// Whose figures `reportAnalysisWinratesAs` asks for.
pub(crate) fn perspective_of(text: &str) -> Option<Perspective> {
    match text.to_ascii_uppercase().as_str() {
        "BLACK" | "B" => Some(Perspective::Black),
        "WHITE" | "W" => Some(Perspective::White),
        "SIDETOMOVE" => Some(Perspective::Mover),
        _ => None,
    }
}

/// The seed that KataGo's `searchRandSeed` names, which may be any text: a number stands for itself.
pub(crate) fn seed_from(text: &str) -> u64 {
    // FNV-1a (Fowler, Noll, Vo), the same on every machine.
    let hash = |seed: u64, byte: u8| (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.parse().unwrap_or_else(|_| text.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
}

/// A line of a configuration file that is neither a setting nor a comment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no setting, expected NAME = VALUE")]
pub struct NotASetting(String);

/// The setting in a line of a configuration file of KataGo's: `name = value`, `#` begins a comment. `None` where there
/// is nothing but a comment.
///
/// # Errors
/// See [`NotASetting`].
pub fn setting_in(line: &str) -> Result<Option<(&str, &str)>, NotASetting> {
    let setting = line.split('#').next().unwrap_or_default().trim();
    if setting.is_empty() {
        return Ok(None);
    }
    match setting.split_once('=').map(|(name, value)| (name.trim(), value.trim().trim_matches('"'))) {
        Some((name, value)) if !name.is_empty() => Ok(Some((name, value))),
        _ => Err(NotASetting(setting.chars().take(60).collect())),
    }
}

/// The settings in a configuration file of KataGo's.
pub(crate) fn settings_in(text: &str) -> Result<Vec<(&str, &str)>, NotASetting> {
    text.lines().filter_map(|line| setting_in(line).transpose()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(params: &mut SearchParams, name: &str, text: &str) -> Result<(), Refusal> {
        super::set(params, &mut Chosen::default(), name, text)
    }

    #[test]
    fn every_parameter_takes_its_own_value() {
        let params = SearchParams::play();
        for name in gtp_names() {
            let (parameter, _) = gtp_parameter(name).unwrap();
            let value = json_of((parameter.get)(&params));
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let mut same = params.clone();
            assert_eq!((parameter.set)(&mut same, &text), Some(()), "{name}");
            assert_eq!(same, params, "{name}");
            assert_eq!((parameter.set)(&mut same, "many"), None, "{name}");
        }
        assert_eq!(set(&mut SearchParams::play(), "speed", "1"), Err(Refusal::UnknownName));
        assert_eq!(set(&mut SearchParams::play(), "lcbStdevs", "many"), Err(Refusal::WrongValue));
    }

    #[test]
    fn a_line_that_sets_nothing_is_refused() {
        let text = "# comment\n\n maxVisits = 5 # few\nlogDir=\"logs\"\nkomi = \n";
        assert_eq!(settings_in(text), Ok(vec![("maxVisits", "5"), ("logDir", "logs"), ("komi", "")]));
        for wrong in ["maxVisits", "=5", " = 5 # five"] {
            let why = settings_in(&format!("maxTime = 3\n{wrong}\n")).unwrap_err().to_string();
            assert!(why.contains("expected NAME = VALUE"), "{why}");
        }
    }

    #[test]
    fn each_protocol_knows_the_names_that_are_its_own() {
        let mut params = SearchParams::analysis();
        assert_eq!(set(&mut params, "ignoreAllHistory", "true"), Ok(()));
        assert!(params.ignore_all_history && gtp_parameter("ignoreAllHistory").is_none());
        assert_eq!(set(&mut params, "analysisWideRootNoise", "1"), Err(Refusal::UnknownName));
        assert_eq!(set(&mut params, "playoutDoublingAdvantagePla", "BLACK"), Ok(()));
        assert_eq!(params.playout_doubling_advantage_player, Some(Color::Black));
        let holds_for = |name| gtp_parameter(name).map(|(parameter, holds_for)| (parameter.field, holds_for));
        assert_eq!(holds_for("wideRootNoise"), Some(("wide_root_noise", HoldsFor::Playing)));
        assert_eq!(holds_for("analysisWideRootNoise"), Some(("wide_root_noise", HoldsFor::Analysing)));
        assert_eq!(holds_for("lcbStdevs"), Some(("lcb_stdevs", HoldsFor::Both)));
        let player = "playout_doubling_advantage_player";
        assert_eq!(holds_for("playoutDoublingAdvantagePla"), Some((player, HoldsFor::Both)));
    }

    #[test]
    fn what_nobody_set_follows_what_it_hangs_on() {
        let set_all = |settings: &[(&str, &str)]| {
            let (mut params, mut chosen) = (SearchParams::analysis(), Chosen::default());
            for (name, value) in settings {
                super::set(&mut params, &mut chosen, name, value).unwrap();
            }
            params
        };
        let leaders = [
            ("rootPolicyTemperature", "1.3"),
            ("fpuLossProp", "0.4"),
            ("rootNoiseEnabled", "true"),
            ("policyOptimism", "0.1"),
        ];
        let params = set_all(&leaders);
        let follow = |params: &SearchParams| {
            [
                params.root_policy_temperature_early,
                params.root_fpu_loss_prop,
                params.root_fpu_reduction_max,
                params.root_policy_optimism,
            ]
        };
        assert_eq!(follow(&params), [1.3, 0.4, 0.0, 0.1]);
        let own = [
            ("rootPolicyTemperatureEarly", "1"),
            ("rootFpuLossProp", "0"),
            ("rootFpuReductionMax", "0.1"),
            ("rootPolicyOptimism", "0.2"),
        ];
        // Also where the value is the usual one, and whichever was set first.
        for settings in [[leaders, own].concat(), [own, leaders].concat()] {
            assert_eq!(follow(&set_all(&settings)), [1.0, 0.0, 0.1, 0.2], "{settings:?}");
        }
        assert_eq!(set_all(&[("policyOptimism", "0.9")]).root_policy_optimism, 0.2);
        assert_eq!(set_all(&[("lcbStdevs", "4")]), SearchParams { lcb_stdevs: 4.0, ..SearchParams::analysis() });
    }
}
