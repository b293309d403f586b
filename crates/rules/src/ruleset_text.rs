//! Rulesets as KataGo writes them: a name, a JSON object or a compact string.

use serde_json::{Map, Value, json};

use crate::{HandicapBonus, KoRule, Komi, Preset, Ruleset, Scoring, Tax};

/// Why a text is no ruleset.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RulesetError {
    /// Neither a known name nor one of the other forms.
    #[error("`{0}` is no known ruleset")]
    UnknownName(String),
    /// The text begins like a JSON object but is none.
    #[error("the ruleset is no JSON object: {0}")]
    NotJson(String),
    /// A key that means nothing.
    #[error("`{0}` is no part of a ruleset")]
    UnknownKey(String),
    /// A value that does not fit its key.
    #[error("`{value}` is no value of `{key}`")]
    BadValue {
        /// The part of the ruleset.
        key: String,
        /// What was given.
        value: String,
    },
}

impl RulesetError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            RulesetError::UnknownName(_) | RulesetError::NotJson(_) => {
                let names: Vec<&str> = Preset::ALL.iter().map(|preset| preset.name()).collect();
                format!("use one of {}", names.join(", "))
            }
            RulesetError::UnknownKey(_) => {
                "use ko, scoring, tax, suicide, hasButton, whiteHandicapBonus, friendlyPassOk or komi".into()
            }
            RulesetError::BadValue { .. } => "see KataGo's rules for the values of each part".into(),
        }
    }
}

impl Preset {
    /// As [`Preset::parse`], with the sentence that says which names there are.
    ///
    /// # Errors
    /// [`RulesetError::UnknownName`].
    pub fn named(name: &str) -> Result<Preset, RulesetError> {
        Preset::parse(name).ok_or_else(|| RulesetError::UnknownName(name.to_owned()))
    }
}

/// A ruleset that was read, and the komi that came with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParsedRuleset {
    /// The rules.
    pub ruleset: Ruleset,
    /// The komi named in the text, or the one that goes with the rules.
    pub komi: Komi,
    /// Whether the text itself named the komi.
    pub komi_given: bool,
}

/// Parts as they were read; missing ones are filled in at the end.
#[derive(Default)]
struct Parts {
    ko: Option<KoRule>,
    scoring: Option<Scoring>,
    tax: Option<Tax>,
    suicide: Option<bool>,
    button: Option<bool>,
    bonus: Option<HandicapBonus>,
    friendly: Option<bool>,
    komi: Option<Komi>,
}

impl Parts {
    /// Tromp-Taylor for what is missing, but a tax on seki and komi 6.5 under territory scoring, and komi 7 with a
    /// button.
    fn complete(self) -> ParsedRuleset {
        let base = Ruleset::TROMP_TAYLOR;
        let scoring = self.scoring.unwrap_or(base.scoring);
        let button = self.button.unwrap_or(base.button);
        let territory = scoring == Scoring::Territory;
        let ruleset = Ruleset {
            ko: self.ko.unwrap_or(base.ko),
            scoring,
            tax: self.tax.unwrap_or(if territory { Tax::Seki } else { base.tax }),
            multi_stone_suicide: self.suicide.unwrap_or(base.multi_stone_suicide),
            button,
            white_handicap_bonus: self.bonus.unwrap_or(base.white_handicap_bonus),
            friendly_pass: self.friendly.unwrap_or(base.friendly_pass),
        };
        let usual = Komi::from_half_points(if territory {
            13
        } else if button {
            14
        } else {
            15
        });
        ParsedRuleset { ruleset, komi: self.komi.unwrap_or(usual), komi_given: self.komi.is_some() }
    }
}

impl Ruleset {
    /// Reads a preset's name, KataGo's JSON object or KataGo's compact string.
    ///
    /// # Errors
    /// When the text is none of them.
    ///
    /// ```
    /// use honinbo_rules::{Preset, Ruleset};
    /// let read = Ruleset::parse("koSIMPLEscoreTERRITORYtaxSEKIsui0komi6.5").unwrap();
    /// assert_eq!(read.ruleset, Preset::Japanese.ruleset());
    /// assert_eq!(read.komi.points(), 6.5);
    /// ```
    pub fn parse(text: &str) -> Result<ParsedRuleset, RulesetError> {
        let text = text.trim();
        if let Some(preset) = Preset::parse(text) {
            return Ok(ParsedRuleset { ruleset: preset.ruleset(), komi: preset.komi(), komi_given: false });
        }
        if text.starts_with('{') {
            let value: Value = serde_json::from_str(text).map_err(|e| RulesetError::NotJson(e.to_string()))?;
            return Ruleset::from_json(&value);
        }
        parse_compact(text)
    }

    /// Reads KataGo's JSON form: an object, or a string that [`Ruleset::parse`] reads.
    ///
    /// # Errors
    /// When it is neither, has unknown keys or values.
    pub fn from_json(value: &Value) -> Result<ParsedRuleset, RulesetError> {
        match value {
            Value::String(text) if !text.trim_start().starts_with('{') => Ruleset::parse(text),
            Value::Object(parts) => from_object(parts),
            other => Err(RulesetError::NotJson(shorten(&other.to_string()))),
        }
    }

    /// KataGo's JSON object, without komi.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "ko": self.ko.name(),
            "scoring": self.scoring.name(),
            "tax": self.tax.name(),
            "suicide": self.multi_stone_suicide,
            "hasButton": self.button,
            "whiteHandicapBonus": self.white_handicap_bonus.name(),
            "friendlyPassOk": self.friendly_pass,
        })
    }

    /// KataGo's compact string with komi, as `koPOSITIONALscoreAREAtaxNONEsui1komi7.5`.
    #[must_use]
    pub fn to_compact(&self, komi: Komi) -> String {
        // Taken apart whole: stored evaluations are told apart by these words, so none may be missing.
        let Ruleset { ko, scoring, tax, multi_stone_suicide, button, white_handicap_bonus, friendly_pass } = *self;
        let mut text =
            format!("ko{}score{}tax{}sui{}", ko.name(), scoring.name(), tax.name(), u8::from(multi_stone_suicide));
        if button {
            text.push_str("button1");
        }
        if white_handicap_bonus != HandicapBonus::Zero {
            text.push_str("whb");
            text.push_str(white_handicap_bonus.name());
        }
        if friendly_pass {
            text.push_str("fpok1");
        }
        text.push_str("komi");
        text.push_str(&komi.to_string());
        text
    }
}

fn from_object(object: &Map<String, Value>) -> Result<ParsedRuleset, RulesetError> {
    let mut parts = Parts::default();
    for (key, value) in object {
        let bad = || RulesetError::BadValue { key: shorten(key), value: shorten(&value.to_string()) };
        let word = || value.as_str().ok_or_else(bad);
        let flag = || value.as_bool().ok_or_else(bad);
        match key.as_str() {
            "ko" => parts.ko = Some(named(KoRule::ALL, KoRule::name, word()?).ok_or_else(bad)?),
            "score" | "scoring" => parts.scoring = Some(named(Scoring::ALL, Scoring::name, word()?).ok_or_else(bad)?),
            "tax" => parts.tax = Some(named(Tax::ALL, Tax::name, word()?).ok_or_else(bad)?),
            "whiteHandicapBonus" => {
                parts.bonus = Some(named(HandicapBonus::ALL, HandicapBonus::name, word()?).ok_or_else(bad)?);
            }
            "suicide" => parts.suicide = Some(flag()?),
            "hasButton" => parts.button = Some(flag()?),
            "friendlyPassOk" => parts.friendly = Some(flag()?),
            "komi" => {
                let points = value.as_f64().ok_or_else(bad)?;
                parts.komi = Some(Komi::from_points(points).map_err(|_| bad())?);
            }
            _ => return Err(RulesetError::UnknownKey(shorten(key))),
        }
    }
    Ok(parts.complete())
}

fn parse_compact(text: &str) -> Result<ParsedRuleset, RulesetError> {
    let mut parts = Parts::default();
    let mut rest = text;
    if text.is_empty() {
        return Err(RulesetError::UnknownName(String::new()));
    }
    while !rest.is_empty() {
        // Longer keys first: `komi` begins with `ko`.
        let keys = ["komi", "ko", "scoring", "score", "tax", "sui", "button", "whb", "fpok"];
        let Some((key, after)) = keys.iter().find_map(|&key| Some((key, rest.strip_prefix(key)?))) else {
            return Err(RulesetError::UnknownName(shorten(text)));
        };
        let bad = || RulesetError::BadValue { key: key.into(), value: shorten(after) };
        rest = match key {
            "komi" => {
                let digits = after.find(|c: char| !matches!(c, '0'..='9' | '.' | '-' | '+')).unwrap_or(after.len());
                let points: f64 = after[..digits].parse().map_err(|_| bad())?;
                parts.komi = Some(Komi::from_points(points).map_err(|_| bad())?);
                &after[digits..]
            }
            "ko" => take(&mut parts.ko, KoRule::ALL, KoRule::name, after).ok_or_else(bad)?,
            "scoring" | "score" => take(&mut parts.scoring, Scoring::ALL, Scoring::name, after).ok_or_else(bad)?,
            "tax" => take(&mut parts.tax, Tax::ALL, Tax::name, after).ok_or_else(bad)?,
            "whb" => take(&mut parts.bonus, HandicapBonus::ALL, HandicapBonus::name, after).ok_or_else(bad)?,
            _ => {
                let slot = match key {
                    "sui" => &mut parts.suicide,
                    "button" => &mut parts.button,
                    _ => &mut parts.friendly,
                };
                take(slot, [false, true], |flag| if flag { "1" } else { "0" }, after).ok_or_else(bad)?
            }
        }
        .trim_start();
    }
    Ok(parts.complete())
}

/// Reads the longest name that the text begins with, and answers the rest.
fn take<'a, T: Copy, const N: usize>(
    slot: &mut Option<T>,
    all: [T; N],
    name: impl Fn(T) -> &'static str,
    text: &'a str,
) -> Option<&'a str> {
    let value =
        all.into_iter().filter(|&value| text.starts_with(name(value))).max_by_key(|&value| name(value).len())?;
    *slot = Some(value);
    text.strip_prefix(name(value))
}

fn named<T: Copy, const N: usize>(all: [T; N], name: impl Fn(T) -> &'static str, text: &str) -> Option<T> {
    all.into_iter().find(|&value| name(value) == text)
}

/// Enough of a foreign text to recognise it in a message.
fn shorten(text: &str) -> String {
    if text.chars().count() <= 60 { text.into() } else { text.chars().take(57).chain("...".chars()).collect() }
}
