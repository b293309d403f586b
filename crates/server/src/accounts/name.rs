//! Names of accounts: what may be one, and when two are the same.

use super::AccountError;
use honinbo_rooms::is_ignorable;
use unicode_normalization::UnicodeNormalization as _;
use unicode_script::{Script, UnicodeScript as _};

/// What the names of guests begin with, and no other.
pub(super) const GUEST: &str = "guest-";
/// What the names of engines' rooms begin with.
const ENGINE: &str = "ai_";
/// Names that speak for the server, as they are compared and without what stands between letters.
const RESERVED: [&str; 5] = ["admin", "administrator", "honinbo", "operator", "system"];
const MAX_CHARS: usize = 24;

/// A name as it is shown and as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) shown: String,
    pub(super) key: String,
}

impl Name {
    /// Letters and digits of any script, and single spaces and `_ - . '` between them. What cannot be seen is refused: two
    /// names would look the same.
    pub(super) fn parse(text: &str) -> Result<Self, AccountError> {
        let shown: String = text.trim().nfc().collect();
        let chars = shown.chars().count();
        if !(2..=MAX_CHARS).contains(&chars) {
            return Err(AccountError::BadName("a name has 2 to 24 characters"));
        }
        let is_mark = |c: char| unicode_normalization::char::is_combining_mark(c);
        let joins = |c: char| matches!(c, ' ' | '_' | '-' | '.' | '\'');
        let mut previous = ' ';
        for c in shown.chars() {
            let is_allowed = (c.is_alphanumeric() || joins(c) || is_mark(c)) && !is_ignorable(c);
            // A space or a mark alone has nothing that it belongs to.
            if !is_allowed || ((joins(c) || is_mark(c)) && joins(previous)) {
                return Err(AccountError::BadName(
                    "a name has letters and digits, and single spaces, _ - . ' between them",
                ));
            }
            previous = c;
        }
        let key = Self::key_of(&shown);
        if joins(previous) {
            return Err(AccountError::BadName("a name ends with a letter or a digit"));
        }
        if mixes_alphabets(&key) {
            return Err(AccountError::BadName("a name has the letters of one alphabet: Latin, Greek or Cyrillic"));
        }
        // They are the server's own.
        let letters: String = key.chars().filter(|c| c.is_alphabetic()).collect();
        if key.starts_with(GUEST) || key.starts_with(ENGINE) || RESERVED.contains(&letters.as_str()) {
            return Err(AccountError::NameTaken);
        }
        Ok(Self { shown, key })
    }

    /// The name as it is compared: compatible forms and cases of a letter are one.
    pub(super) fn key_of(text: &str) -> String {
        let folded = text.trim().nfkc().flat_map(char::to_lowercase).collect::<String>();
        folded.nfkc().collect()
    }
}

/// Whether a name has letters of more than one of the alphabets whose letters look alike. Other scripts go with each of them,
/// as in Japanese names.
fn mixes_alphabets(name: &str) -> bool {
    let is_alphabet = |script: &Script| matches!(script, Script::Latin | Script::Greek | Script::Cyrillic);
    let mut alphabets: Vec<Script> = name.chars().map(|c| c.script()).filter(is_alphabet).collect();
    alphabets.dedup();
    alphabets.len() > 1
}

/// How often a name is tried with another number behind it.
const NUMBERED: u32 = 20;

/// Names for somebody whom others call so: as they are, with a number, and with something that nobody has.
pub(super) fn offers(wishes: &[String], random: &str) -> Vec<Name> {
    let wishes: Vec<String> = wishes.iter().map(|wish| likeness(wish, MAX_CHARS)).collect();
    let plain = wishes.iter().filter_map(|wish| Name::parse(wish).ok());
    let first = wishes.iter().find(|wish| Name::parse(wish).is_ok()).map_or("player", String::as_str);
    let numbered = (2..=NUMBERED).map(|number| number.to_string()).chain(std::iter::once(random.to_owned()));
    let numbered = numbered.filter_map(|number| {
        let room = MAX_CHARS - number.len() - 1;
        Name::parse(&format!("{} {number}", likeness(first, room))).ok()
    });
    plain.chain(numbered).collect()
}

/// The signs of a text that a name may have, at most so many.
fn likeness(text: &str, most: usize) -> String {
    let mut name = String::new();
    let mut chars = 0;
    for c in text.nfc().filter(|c| !is_ignorable(*c)) {
        let is_mark = unicode_normalization::char::is_combining_mark(c);
        let c = if c.is_alphanumeric() || is_mark || matches!(c, '_' | '-' | '.' | '\'') { c } else { ' ' };
        let joins = !c.is_alphanumeric() && !is_mark;
        let after_join = name.chars().next_back().is_none_or(|last| matches!(last, ' ' | '_' | '-' | '.' | '\''));
        if (joins || is_mark) && after_join {
            continue;
        }
        if chars == most {
            break;
        }
        name.push(c);
        chars += 1;
    }
    name.trim_end_matches([' ', '_', '-', '.', '\'']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_somebody_has_elsewhere_becomes_one_here() {
        let first = |wishes: &[&str]| {
            let wishes: Vec<String> = wishes.iter().map(|&wish| wish.to_owned()).collect();
            offers(&wishes, "1a2b3c4d").into_iter().map(|name| name.shown).collect::<Vec<_>>()
        };
        assert_eq!(first(&["anna"])[..3], ["anna", "anna 2", "anna 3"]);
        assert_eq!(first(&["anna"]).last().unwrap(), "anna 1a2b3c4d");
        assert_eq!(first(&["  <b>Cho  Chikun</b>!! "])[0], "b Cho Chikun b");
        assert_eq!(first(&["guest-1", "ai_hard", "Admin", "吴清源"])[..2], ["吴清源", "吴清源 2"]);
        assert_eq!(first(&["Аnna", "Анна"])[..2], ["Анна", "Анна 2"]);
        assert_eq!(first(&[])[0], "player 2");
        assert_eq!(first(&["\u{202e}", "x", "\u{301}", "\u{3164}\u{3164}"])[0], "player 2");
        assert_eq!(first(&["葛\u{e0100}飾"])[0], "葛飾");
        let long = "x".repeat(40);
        assert_eq!(first(&[&long])[0].chars().count(), 24);
        for name in first(&[&long, "Jan--Ove._", "e\u{301}li"]) {
            assert!(Name::parse(&name).is_ok(), "{name}");
        }
    }

    #[test]
    fn names_of_all_scripts_are_names() {
        for name in ["Go Seigen", "吴清源", "呉清源", "이창호", "Jan-Ove", "O'Meien", "ça", "e\u{301}li", "d.a_n"]
        {
            assert!(Name::parse(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn what_could_deceive_is_none() {
        for name in [
            "",
            "a",
            " ",
            "a\u{200b}b",
            "a\u{202e}b",
            "tab\tbed",
            "two  spaces",
            "-dash",
            "dash-",
            "ai_hard",
            "Guest-1",
            "a/b",
            "<b>",
            "anna\u{fe0f}",
            "an\u{34f}na",
            "anna\u{e0100}",
            "anna\u{3164}",
            "anna\u{ffa0}",
            "\u{3164}\u{3164}",
            "\u{301}\u{302}",
            "\u{301}anna",
            "anna \u{301}b",
            &"x".repeat(25),
        ] {
            assert!(Name::parse(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn letters_of_another_alphabet_do_not_stand_in_for_ones_that_look_alike() {
        // Each with a Cyrillic or a Greek letter among Latin ones, or the other way round.
        for name in
            ["\u{410}nna", "ann\u{430}", "Be\u{3bd}", "\u{3bf}peth", "Иvан", "Γiorgos", "Ва\u{3bf}", "a\u{1d0b}\u{43a}"]
        {
            assert!(matches!(Name::parse(name), Err(AccountError::BadName(_))), "{name}");
        }
        for name in ["Анна", "Анна 2", "Ναυσικά", "Łukasz", "Ærø", "Đặng Thị", "囲碁Taro", "바둑 Anna"]
        {
            assert!(Name::parse(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn nobody_speaks_for_the_server() {
        for name in ["Operator", "admin", "ADMIN 1", "ad-min", "Honinbo", "system_", "Ｓｙｓｔｅｍ", "Administrator"]
        {
            assert!(Name::parse(name).is_err(), "{name}");
        }
        for name in ["Honinbo Shusaku", "Sysop", "Admiral"] {
            assert!(Name::parse(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn names_that_look_alike_are_the_same() {
        let key = |name: &str| Name::parse(name).unwrap().key;
        assert_eq!(key("ＡＮＮＡ"), key("anna"));
        assert_eq!(key("e\u{301}li"), key("ÉLI"));
        assert_ne!(key("anna"), key("anne"));
        // A variation selector or a filler would tell them apart, and nobody would see it.
        for c in ['\u{34f}', '\u{115f}', '\u{180f}', '\u{3164}', '\u{fe00}', '\u{e01ef}'] {
            assert!(Name::parse(&format!("an{c}na")).is_err(), "{c:?}");
        }
        assert_eq!(Name::key_of(" Anna "), key("anna"));
    }
}
