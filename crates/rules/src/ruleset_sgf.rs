//! Rulesets as records name them in SGF's `RU`.

use crate::{Komi, ParsedRuleset, Preset, Ruleset, Topology};

/// Words that records in the wild use, in lower case, tried in order: the first that the text contains decides.
/// Longer and more special ones come first, as `chinese-kgs` contains `chinese`.
const WORDS: &[(&str, Preset)] = &[
    ("tromp", Preset::TrompTaylor),
    ("logical", Preset::TrompTaylor),
    ("stone scoring", Preset::StoneScoring),
    ("stone-scoring", Preset::StoneScoring),
    ("ancient", Preset::StoneScoring),
    ("daoqi", Preset::Daoqi),
    ("道棋", Preset::Daoqi),
    ("new zealand", Preset::NewZealand),
    ("new-zealand", Preset::NewZealand),
    ("newzealand", Preset::NewZealand),
    ("japan", Preset::Japanese),
    ("nihon", Preset::Japanese),
    ("日本", Preset::Japanese),
    ("territory", Preset::Japanese),
    ("korea", Preset::Korean),
    ("한국", Preset::Korean),
    ("韩", Preset::Korean),
    ("韓", Preset::Korean),
    ("chinese-ogs", Preset::ChineseOgs),
    ("chinese-kgs", Preset::ChineseKgs),
    ("chin", Preset::Chinese),
    ("中国", Preset::Chinese),
    ("中國", Preset::Chinese),
    ("数子", Preset::Chinese),
    ("area", Preset::Chinese),
    ("aga", Preset::Aga),
    ("bga", Preset::Bga),
    ("british", Preset::Bga),
    ("american", Preset::Aga),
    ("french", Preset::French),
    ("goe", Preset::Ing),
    ("应氏", Preset::Ing),
    ("應氏", Preset::Ing),
    ("數子", Preset::Chinese),
    ("jp", Preset::Japanese),
    ("kr", Preset::Korean),
    ("cn", Preset::Chinese),
];

/// Values that are too short to be looked for inside other words.
const SHORT: [(&str, Preset); 12] = [
    ("jp", Preset::Japanese),
    ("jpn", Preset::Japanese),
    ("j", Preset::Japanese),
    ("cn", Preset::Chinese),
    ("chn", Preset::Chinese),
    ("c", Preset::Chinese),
    ("kr", Preset::Korean),
    ("kor", Preset::Korean),
    ("ko", Preset::Korean),
    ("nz", Preset::NewZealand),
    ("ing", Preset::Ing),
    ("tt", Preset::TrompTaylor),
];

impl Preset {
    /// The preset that a value of SGF's `RU` means: its own name, or what servers and programs write for it in several
    /// languages; of KataGo's compact form, the one with these rules, if there is one. `None` when it means nothing known;
    /// a blank value is nothing known.
    #[must_use]
    pub fn from_sgf(value: &str) -> Option<Preset> {
        let value = value.trim();
        if value.is_empty() || value.len() > 1000 {
            return None;
        }
        if let Some(preset) = Preset::parse(value) {
            return Some(preset);
        }
        // Its words (`scoreAREA`) are no names.
        if let Ok(spelled_out) = Ruleset::parse(value) {
            return Preset::of(&spelled_out.ruleset);
        }
        let lower = value.to_lowercase();
        let short = || SHORT.iter().find(|&&(word, _)| lower == word || word == "ing" && lower.starts_with("ing "));
        let known = short().or_else(|| WORDS.iter().find(|&&(word, _)| lower.contains(word)));
        known.map(|&(_, preset)| preset)
    }
}

impl Ruleset {
    /// Reads the value of SGF's `RU`: the names of the standard (`AGA`, `GOE`, `Japanese`, `NZ`), those that servers
    /// and programs write in several languages, this program's presets, and KataGo's compact form. `None` when it
    /// means nothing known; a blank value is nothing known.
    ///
    /// ```
    /// use honinbo_rules::{Preset, Ruleset};
    /// assert_eq!(Ruleset::from_sgf("中国规则").unwrap().ruleset, Preset::Chinese.ruleset());
    /// assert!(Ruleset::from_sgf("house rules").is_none());
    /// ```
    #[must_use]
    pub fn from_sgf(value: &str) -> Option<ParsedRuleset> {
        let value = value.trim();
        if value.is_empty() || value.len() > 1000 {
            return None;
        }
        if let Ok(parsed) = Ruleset::parse(value) {
            return Some(parsed);
        }
        Preset::from_sgf(value).map(|preset| ParsedRuleset {
            ruleset: preset.ruleset(),
            komi: preset.komi(),
            komi_given: false,
        })
    }

    /// The value to write as SGF's `RU`: the standard's own name where it has one, else a preset's, else KataGo's
    /// compact form. A ruleset may go by another name where edges meet: see [`Preset::of_board`].
    #[must_use]
    pub fn to_sgf(&self, komi: Komi, topology: Topology) -> String {
        match Preset::of_board(self, topology) {
            Some(Preset::Japanese) => "Japanese".into(),
            Some(Preset::Chinese) => "Chinese".into(),
            Some(Preset::Aga) => "AGA".into(),
            Some(Preset::NewZealand) => "NZ".into(),
            Some(Preset::Ing) => "GOE".into(),
            Some(preset) => preset.name().into(),
            None => self.to_compact(komi),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_found_in_records_are_understood() {
        for (value, preset) in [
            ("Japanese", Preset::Japanese),
            ("JAPANESE", Preset::Japanese),
            ("jp", Preset::Japanese),
            ("Japanese rules, 5 captures", Preset::Japanese),
            ("Chinese", Preset::Chinese),
            ("chinese", Preset::Chinese),
            ("Chinese, Korean", Preset::Korean),
            ("AGA", Preset::Aga),
            ("NZ", Preset::NewZealand),
            ("GOE", Preset::Ing),
            ("Ing", Preset::Ing),
            ("Ing rules 1991", Preset::Ing),
            ("JP rules", Preset::Japanese),
            ("數子規則", Preset::Chinese),
            ("韩国规则", Preset::Korean),
            ("tromp-taylor", Preset::TrompTaylor),
            ("Stone_Scoring", Preset::StoneScoring),
        ] {
            assert_eq!(Ruleset::from_sgf(value).map(|read| read.ruleset), Some(preset.ruleset()), "{value}");
        }
        assert_eq!(Ruleset::from_sgf("  "), None);
        assert_eq!(Ruleset::from_sgf("Go"), None);
    }

    #[test]
    fn a_compact_form_is_the_preset_with_its_rules_or_none() {
        let named = |value: &str| Preset::from_sgf(value);
        assert_eq!(named("koPOSITIONALscoreAREAtaxNONEsui1"), Some(Preset::TrompTaylor));
        assert_eq!(named("koSIMPLEscoreTERRITORYtaxSEKIsui0komi6.5"), Some(Preset::Japanese));
        assert_eq!(named("koSITUATIONALscoreAREAtaxSEKIsui1"), None);
        assert_eq!(named("{\"ko\":\"SITUATIONAL\",\"scoring\":\"AREA\",\"tax\":\"SEKI\"}"), None);
        assert_eq!(named("Korean"), Some(Preset::Korean), "its rules are those of Japan");
    }

    #[test]
    fn what_is_written_is_read_back() {
        for preset in Preset::ALL {
            let ruleset = preset.ruleset();
            assert_eq!(Ruleset::from_sgf(&ruleset.to_sgf(preset.komi(), preset.board().1)).unwrap().ruleset, ruleset);
            assert_eq!(Ruleset::from_json(&ruleset.to_json()).unwrap().ruleset, ruleset);
            let compact = Ruleset::parse(&ruleset.to_compact(preset.komi())).unwrap();
            assert_eq!((compact.ruleset, compact.komi, compact.komi_given), (ruleset, preset.komi(), true));
            assert_eq!(Preset::parse(preset.name()), Some(preset));
        }
        for text in ["{\"ko\":\"SIMPLE\",\"x\":1}", "koWRONG", "komi", "", "{", "{\"komi\":0.3}", "komi1e9"] {
            let error = Ruleset::parse(text).unwrap_err();
            assert!(!error.to_string().is_empty() && !error.hint().is_empty());
        }
    }
}
