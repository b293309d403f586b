//! Texts without the differences that searches pass over: letter case, width, accents, the forms of Chinese characters,
//! signs within names.

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// First and last of the characters that [`FORMS`] knows.
const HAN: (char, char) = ('\u{4E00}', '\u{9FFF}');

/// For each character from [`HAN`] on the one that it is compared as.
static FORMS: LazyLock<Vec<char>> = LazyLock::new(|| {
    let mut forms: Vec<char> = (HAN.0..=HAN.1).collect();
    for line in include_str!("han_forms.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut line = line.chars();
        let Some(shown) = line.next() else { continue };
        for other in line {
            forms[other as usize - HAN.0 as usize] = shown;
        }
    }
    forms
});

/// A text as it is compared with what is looked for. It is made letter by letter, so that a part of a text folds to a part
/// of the folded text; only Korean syllables in single jamo, which are put together first, are told from their beginnings.
#[must_use]
pub fn fold(text: &str) -> String {
    let has_jamo = text.chars().any(|letter| ('\u{1100}'..='\u{11FF}').contains(&letter));
    let mut folded = Folded(String::with_capacity(text.len()));
    if has_jamo {
        text.nfc().for_each(|letter| folded.add(letter))
    } else {
        text.chars().for_each(|c| folded.add(c))
    }
    folded.0
}

struct Folded(String);

impl Folded {
    fn add(&mut self, letter: char) {
        match letter {
            _ if letter.is_ascii() => self.add_plain(letter),
            '\u{4E00}'..='\u{9FFF}' => self.0.push(FORMS[letter as usize - HAN.0 as usize]),
            // Syllables are letters here: in jamo, one would be part of each that only adds a consonant.
            '\u{AC00}'..='\u{D7A3}' => self.0.push(letter),
            _ => std::iter::once(letter).nfkd().for_each(|part| self.add_part(part)),
        }
    }

    /// A letter in its plain form, or a mark that stood upon one.
    fn add_part(&mut self, part: char) {
        match part {
            '\u{4E00}'..='\u{9FFF}' => self.0.push(FORMS[part as usize - HAN.0 as usize]),
            // Voiced kana are other letters, not accented ones.
            '\u{3099}' | '\u{309A}' => self.0.push(part),
            // Not in the block of the others.
            '\u{FA11}' => self.add('崎'),
            'ß' | 'ẞ' => self.0.push_str("ss"),
            'æ' | 'Æ' => self.0.push_str("ae"),
            'œ' | 'Œ' => self.0.push_str("oe"),
            'ø' | 'Ø' => self.0.push('o'),
            'ł' | 'Ł' => self.0.push('l'),
            'đ' | 'Đ' => self.0.push('d'),
            'ı' => self.0.push('i'),
            _ if canonical_combining_class(part) != 0 => {}
            _ => part.to_lowercase().for_each(|letter| self.add_plain(letter)),
        }
    }

    fn add_plain(&mut self, letter: char) {
        match letter {
            '-' | '_' | '\'' | '`' | '\u{2BC}' | '\u{2010}' | '\u{2013}' | '\u{2018}' | '\u{2019}' => {}
            // What stands between the parts of a name, once.
            ',' | '、' | '·' | '・' => self.add_space(),
            _ if letter.is_whitespace() => self.add_space(),
            _ => self.0.push(letter.to_ascii_lowercase()),
        }
    }

    fn add_space(&mut self) {
        if !self.0.ends_with(' ') {
            self.0.push(' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What is part of a text is part of it when both are folded.
        #[test]
        fn folding_keeps_parts(before in "\\PC{0,8}", part in "\\PC{0,8}", after in "\\PC{0,8}") {
            let whole = [before, part.clone(), after].concat();
            prop_assert!(fold(&whole).contains(&fold(&part)));
        }
    }

    #[test]
    fn the_forms_of_a_name_are_one() {
        for (one, two) in [
            ("楚陽春", "楚阳春"),
            ("驪龍", "骊龙"),
            ("藤沢秀行", "藤澤秀行"),
            ("広瀬優一", "廣瀨优一"),
            ("趙治勲", "赵治勋"),
            ("申眞諝", "申真谞"),
            ("Ｍａｓｔｅｒ", "master"),
            ("カタカナ", "ｶﾀｶﾅ"),
            ("ガロ", "ｶﾞﾛ"),
            ("Park Jung-hwan", "park  junghwan"),
            ("Müller", "Muller"),
            ("Mu\u{308}ller", "MÜLLER"),
            ("Łukasz Bjørn", "lukasz bjorn"),
            ("O’Neil, John", "oneil john"),
            ("マイケル・レドモンド", "マイケル　レドモンド"),
            ("\u{1112}\u{1161}\u{11AB}", "한"),
        ] {
            assert_eq!(fold(one), fold(two), "{one} and {two}");
        }
    }

    #[test]
    fn other_names_stay_other_names() {
        for (one, two) in [("柯洁", "柯吉"), ("ハク", "パク"), ("하", "한"), ("Lee Sedol", "LeeSedol")] {
            assert_ne!(fold(one), fold(two), "{one} and {two}");
        }
        assert!(!fold("한").contains(&fold("하")));
    }
}
