//! Names in Chinese characters by the Latin letters that they are typed with: pinyin without tones, or the first letters
//! of all syllables.

use pinyin::{Pinyin, ToPinyinMulti};

use super::name_parts::bare_parts;

/// What is typed for the ü, on keyboards and in passports.
const TYPED_UMLAUTS: [&str; 3] = ["v", "u", "yu"];

/// Surnames with a reading that is none of the two most usual ones of their character.
const SURNAMES: [(char, &str); 4] = [('单', "shan"), ('單', "shan"), ('繆', "miao"), ('萬', "mo")];

/// Latin letters that may stand for a name.
pub(super) struct Spelling(String);

impl Spelling {
    /// The letters of a folded word, two at least, without its blanks; `None` for a word with anything else.
    pub(super) fn of(word: &str) -> Option<Self> {
        let letters = word.replace(' ', "");
        (letters.len() >= 2 && letters.bytes().all(|letter| letter.is_ascii_lowercase())).then_some(Self(letters))
    }

    /// Whether the letters are typed for a name, of which the folded form is given too.
    pub(super) fn finds(&self, name: &str, folded: &str) -> bool {
        // Readings are those of the name as it was written: 曾 folds to 曽, and 芸 to 艺.
        self.spells(name) || self.abbreviates(name, folded)
    }

    /// Whether the letters are syllables of a name that stand side by side, each in one of its readings. Behind the first
    /// one the last may be only begun, as while it is typed.
    fn spells(&self, name: &str) -> bool {
        // What is left of the letters behind syllables that end here: never more than there are letters.
        let mut rests: Vec<&str> = Vec::new();
        for sign in signs(name) {
            let mut next = Vec::new();
            for reading in readings(sign) {
                if rests.iter().any(|rest| reading.starts_with(rest)) {
                    return true;
                }
                for rest in rests.iter().copied().chain([self.0.as_str()]).flat_map(|rest| behind(rest, reading)) {
                    if rest.is_empty() {
                        return true;
                    }
                    if !next.contains(&rest) {
                        next.push(rest);
                    }
                }
            }
            rests = next;
        }
        false
    }

    /// Whether the letters are the first ones of all syllables of a name, but for a rank.
    fn abbreviates(&self, name: &str, folded: &str) -> bool {
        let n_signs: usize = bare_parts(folded).iter().map(|part| part.chars().count()).sum();
        n_signs == self.0.len()
            && signs(name)
                .zip(self.0.chars())
                .all(|(sign, letter)| readings(sign).any(|reading| reading.starts_with(letter)))
    }
}

/// Letters and characters of a name, without what stands between them.
fn signs(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|sign| sign.is_alphanumeric())
}

/// The two most usual readings of a character, without tones, and its reading as a surname; none of what is no Chinese
/// character. With the rare ones, 方 would be found as wang.
fn readings(sign: char) -> impl Iterator<Item = &'static str> {
    let mut all = sign.to_pinyin_multi().into_iter().flatten().map(Pinyin::plain);
    let first = all.next();
    let second = all.find(|reading| Some(*reading) != first);
    let surname = SURNAMES.iter().find(|(surname, _)| *surname == sign).map(|(_, reading)| *reading);
    first.into_iter().chain(second).chain(surname)
}

/// What is left of some letters behind a reading, in each way to type it.
fn behind<'l>(letters: &'l str, reading: &'static str) -> impl Iterator<Item = &'l str> {
    let (head, vowels, tail) = match reading.split_once('ü') {
        Some((head, tail)) => (head, TYPED_UMLAUTS.as_slice(), tail),
        None => (reading, [""].as_slice(), ""),
    };
    let rest = letters.strip_prefix(head);
    vowels.iter().filter_map(move |vowel| rest?.strip_prefix(vowel)?.strip_prefix(tail))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::fold;

    fn is_found(name: &str, word: &str) -> bool {
        Spelling::of(&fold(word)).is_some_and(|spelling| spelling.finds(name, &fold(name)))
    }

    #[test]
    fn a_name_is_found_by_its_syllables_and_by_their_first_letters() {
        for (name, words) in [
            ("柯洁", &["kejie", "ke jie", "Ke Jie", "ke", "jie", "kej", "kj"][..]),
            ("柯潔", &["kejie", "ke jie", "kj"]),
            ("柯　洁", &["kejie", "kj"]),
            ("柯洁 9p", &["kejie", "kj"]),
            ("柯洁(9段)", &["kejie", "kj"]),
            ("柯潔九段", &["kejie", "kj"]),
            ("古力", &["guli", "Gu Li", "gl"]),
            ("辜梓豪", &["guzihao", "gu zihao", "Gu Zi-hao", "zihao", "guzih", "gzh"]),
            ("西安", &["xi'an", "xa"]),
            // Surnames that are read in a way of their own, and given names that are not read as the characters they fold to.
            ("单霞丽", &["shanxiali", "danxiali", "sxl"]),
            ("單霞麗", &["shanxiali"]),
            ("繆健", &["miaojian", "moujian"]),
            ("曾广骏", &["zengguangjun", "cengguangjun", "zgj"]),
            ("仇丹云", &["qiudanyun", "choudanyun"]),
            ("查理", &["zhali"]),
            ("翟晓芸", &["zhaixiaoyun"]),
            ("吕吉", &["lvji", "luji", "lyuji", "Lü Ji", "lj"]),
        ] {
            for word in words {
                assert!(is_found(name, word), "{name} by {word}");
            }
        }
    }

    #[test]
    fn letters_that_are_no_syllables_of_a_name_find_nothing() {
        for (name, words) in [
            ("柯洁", &["k", "j", "jk", "jieke", "ejie", "kji", "kejiea", "kejie9", "ken"][..]),
            // First letters are those of a whole name.
            ("王柯洁", &["kj", "wk", "wkji"]),
            ("柯洁杯", &["kj"]),
            ("柯A洁", &["kejie", "kj"]),
            ("柯", &["kk", "k"]),
            ("林海峰", &["li", "lh"]),
            ("方天丰", &["wang"]),
            ("李世乭 vs 柯洁", &["shike", "kj"]),
            ("신진서", &["shen", "sjs"]),
            ("ひかる", &["hi", "hikaru"]),
            ("Ke Jie", &["kejie", "kj"]),
            ("", &["kj"]),
            ("9段", &["jd", "kj"]),
        ] {
            for word in words {
                assert!(!is_found(name, word), "{name} by {word}");
            }
        }
    }

    proptest::proptest! {
        /// Any syllables of a name side by side, each in any of its readings.
        #[test]
        fn all_readings_are_found(name in "[曾单仇柯吕女绿略行重长乐解折和尉迟万俟]{1,60}", from in 0usize..60, choice in 0usize..8) {
            let syllables: Vec<Vec<&str>> = name.chars().map(|sign| readings(sign).collect()).collect();
            let from = from % syllables.len();
            let spelled: String = syllables[from..].iter().map(|all| all[choice % all.len()]).take(16).collect();
            if spelled.len() > 1 {
                proptest::prop_assert!(is_found(&name, &spelled), "{} by {}", name, spelled);
            }
        }
    }
}
