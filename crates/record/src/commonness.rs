//! How common the characters of a text are: telling a text from what comes out when it is read in a wrong character set.

use std::ops::RangeInclusive;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252};

use crate::charset::Charset;

/// Syllables of the texts of this program and of names of Korean professionals.
const EVERYDAY_HANGUL: &str = include_str!("everyday_hangul.txt");

/// What a Han character counts that is usual. Most bytes of other languages are one as well, where hardly a text becomes
/// usual kana or hangul by chance.
const USUAL_HAN: f64 = 0.9;

/// What a character counts that a language has and hardly uses.
const RARE: f64 = 0.2;

/// What a letter counts that stands in a word. Bytes that are common Han as well are more likely that.
const LETTER: f64 = 0.6;

/// Characters that are looked at: more say nothing else.
const MAX_CHARACTERS: u32 = 500;

/// How common the characters of a text beyond ASCII are where this character set is written, from 0 to 1 on average.
/// Punctuation is left out; a text with nothing else has 0.
pub(crate) fn commonness(text: &str, charset: Charset) -> f64 {
    let encoding = charset.encoding();
    let (mut sum, mut count) = (0.0, 0);
    let (mut before, mut rest) = (' ', text.chars().peekable());
    while let Some(c) = rest.next()
        && count < MAX_CHARACTERS
    {
        if !c.is_ascii() && !is_punctuation(c) {
            let after = rest.peek().copied().unwrap_or(' ');
            sum += of_character(c, [before, after], encoding);
            count += 1;
        }
        before = c;
    }
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

fn of_character(c: char, beside: [char; 2], encoding: &'static Encoding) -> f64 {
    // The first level of each standard has the usual characters.
    if encoding == GB18030 {
        if is_kana(c) { 0.0 } else { by_level(c, GB18030, 0xB0..=0xD7) }
    } else if encoding == BIG5 {
        if is_kana(c) { 0.0 } else { by_level(c, BIG5, 0xA4..=0xC6) }
    } else if encoding == EUC_JP || encoding == SHIFT_JIS {
        if is_kana(c) { 1.0 } else { by_level(c, EUC_JP, 0xB0..=0xCF) }
    } else if encoding == EUC_KR {
        match c {
            '가'..='힣' if EVERYDAY_HANGUL.contains(c) => 1.0,
            '가'..='힣' => RARE,
            _ if is_han(c) => RARE,
            _ => 0.0,
        }
    } else if encoding == UTF_8 {
        let sets = [GB18030, BIG5, EUC_JP, EUC_KR, WINDOWS_1251, WINDOWS_1252];
        sets.into_iter().map(|set| of_character(c, beside, set)).fold(0.0, f64::max)
    } else {
        // Latin letters with accents stand among others, Cyrillic ones among themselves.
        let is_latin = encoding != WINDOWS_1251;
        let is_word = |other: char| other.is_alphabetic() && other.is_ascii() == is_latin;
        if c.is_alphabetic() && beside.into_iter().any(is_word) { LETTER } else { 0.0 }
    }
}

/// Han characters are usual in the first level of a standard, which has these first bytes.
fn by_level(c: char, standard: &'static Encoding, first: RangeInclusive<u8>) -> f64 {
    let mut utf8 = [0; 4];
    match *standard.encode(c.encode_utf8(&mut utf8)).0 {
        [lead, trail] if first.contains(&lead) && (trail >= 0xA1 || standard == BIG5) => USUAL_HAN,
        _ if is_han(c) => RARE,
        _ => 0.0,
    }
}

fn is_han(c: char) -> bool {
    ('\u{4E00}'..='\u{9FFF}').contains(&c)
}

/// Full width alone: files of our days hardly have others, and a wrong reading makes many.
fn is_kana(c: char) -> bool {
    ('\u{3040}'..='\u{30FF}').contains(&c)
}

/// Signs of all languages, full-width letters and digits among them.
fn is_punctuation(c: char) -> bool {
    matches!(c, '\u{A0}' | '\u{B7}' | '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{303F}' | '\u{FF01}'..='\u{FF5E}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_more_common_than_wrong_readings_of_them() {
        for (text, encoding) in [
            ("那么骄傲中国围棋", GB18030),
            ("周俊勳九段", BIG5),
            ("本因坊秀策の碁", EUC_JP),
            ("바둑왕전 결승 대국", EUC_KR),
            ("Müller gegen Jörg", WINDOWS_1252),
        ] {
            let bytes = encoding.encode(text).0;
            let right = commonness(text, Charset::of(encoding));
            for other in [GB18030, BIG5, EUC_JP, SHIFT_JIS, EUC_KR].into_iter().filter(|other| *other != encoding) {
                if let Some(wrong) = other.decode_without_bom_handling_and_without_replacement(&bytes) {
                    assert!(commonness(&wrong, Charset::of(other)) < right, "{text} as {}: {wrong}", other.name());
                }
            }
        }
        assert_eq!(commonness("(;PB[plain])", Charset::UTF_8), 0.0);
    }
}
