//! Texts of a record that were read in a wrong character set, by this program or by one before it, read again.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, ISO_8859_2, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

use crate::charset::{self, Charset};
use crate::commonness::commonness;
use crate::tree::GameTree;
use crate::value::{escape, unescape};

/// What the texts of records were taken for, and should have been.
const SETS: [Charset; 9] = [
    Charset::of(GB18030),
    Charset::of(BIG5),
    Charset::of(SHIFT_JIS),
    Charset::of(EUC_JP),
    Charset::of(EUC_KR),
    Charset::UTF_8,
    Charset::of(WINDOWS_1252),
    Charset::of(WINDOWS_1251),
    Charset::of(ISO_8859_2),
];

/// Readings that are offered.
const MAX_READINGS: usize = 10;

/// Bytes are rarely UTF-8 by chance: that they are counts as much as half of the characters.
const UTF_8_BY_DESIGN: f64 = 0.5;

/// A way to read the texts of a record: they were taken for one character set and are in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextReading {
    /// What they were read in.
    pub taken: Charset,
    /// What they are read in instead.
    pub meant: Charset,
}

impl GameTree {
    /// The ways to read the texts of this record, the one in force first and the others by how common the characters are
    /// that come out; at most ten. Each gives other texts, and nothing is lost by any.
    ///
    /// ```
    /// # use honinbo_record::read_sgf;
    /// // Chinese in GBK that a program took for Latin letters, and wrote in UTF-8.
    /// let tree = read_sgf("(;CA[UTF-8]PB[¿Â½à])".as_bytes()).games.remove(0).tree;
    /// let reading = tree.text_readings()[1];
    /// assert_eq!((reading.taken.name(), reading.meant.name()), ("windows-1252", "gb18030"));
    /// let again = tree.read_again(reading).unwrap();
    /// assert_eq!(again.text_value(again.root(), "PB").as_deref(), Some("柯洁"));
    /// ```
    #[must_use]
    pub fn text_readings(&self) -> Vec<TextReading> {
        let charset = self.charset();
        let in_force = TextReading { taken: charset, meant: charset };
        let mut seen = HashSet::new();
        let texts: Vec<&str> = self
            .text_values()
            .into_iter()
            .map(|value| self.slice(self.values[value].raw))
            .filter(|raw| seen.insert(*raw))
            .collect();
        let mut outcomes = HashSet::from([hash_of(&texts)]);
        let mut readings: Vec<(f64, TextReading)> = Vec::new();
        let others = SETS.into_iter().filter(|set| *set != charset);
        for taken in std::iter::once(charset).chain(others) {
            for meant in SETS.into_iter().filter(|meant| *meant != taken) {
                let reading = TextReading { taken, meant };
                let again: Option<Vec<String>> = texts.iter().map(|raw| value_again(raw, reading, charset)).collect();
                if let Some(again) = again
                    && outcomes.insert(hash_of(&again))
                {
                    readings.push((plausibility(&again, reading), reading));
                }
            }
        }
        readings.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let offered = readings.into_iter().map(|(_, reading)| reading);
        std::iter::once(in_force).chain(offered).take(MAX_READINGS).collect()
    }

    /// The same record with all its texts read so, in UTF-8; its nodes keep their names. `None` where a text would be lost.
    #[must_use]
    pub fn read_again(&self, reading: TextReading) -> Option<Self> {
        let mut tree = self.clone();
        for value in self.text_values() {
            let raw = value_again(self.slice(self.values[value].raw), reading, self.charset())?;
            tree.values[value].raw = tree.append_text(&raw);
        }
        Some(tree.in_utf8())
    }

    /// The values that are not ASCII: moves, points and numbers all are.
    fn text_values(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for node in self.subtree(self.root()) {
            let mut at = self.nodes[node.index()].first_property;
            while let Some(property) = self.properties.get(at as usize) {
                let values = property.first_value as usize..(property.first_value + property.n_values) as usize;
                found.extend(values.filter(|&value| !self.slice(self.values[value].raw).is_ascii()));
                at = property.next;
            }
        }
        found
    }
}

/// The second byte of a character can be that of a backslash or a bracket. A program that keeps values as they stand gives
/// back the bytes as they were; one that takes them apart and escapes them anew gives back those of the plain text.
fn value_again(raw: &str, reading: TextReading, charset: Charset) -> Option<String> {
    // Text that was lost before, and bytes that only the record's own character set can give back.
    let is_lost = raw.contains(char::REPLACEMENT_CHARACTER);
    let has_bytes = charset::displayable(raw) != raw;
    if is_lost || has_bytes && reading.taken != charset {
        return None;
    }
    let kept = text_again(raw, reading).filter(|raw| is_value(raw));
    kept.or_else(|| {
        let plain = unescape(raw);
        if has_bytes { None } else { Some(escape(&text_again(&plain, reading)?).into_owned()) }
    })
}

/// `None` unless the text goes there and back without loss.
fn text_again(text: &str, TextReading { taken, meant }: TextReading) -> Option<String> {
    let bytes = charset::encode_read(text, taken)?;
    let again = charset::decode_whole(&bytes, meant)?;
    (charset::encode(&again, meant)? == bytes).then_some(again)
}

/// Whether a text can stand between brackets as it is.
fn is_value(raw: &str) -> bool {
    let mut escaped = false;
    for c in raw.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' => return false,
            _ => {}
        }
    }
    !escaped
}

fn plausibility(texts: &[String], TextReading { taken, meant }: TextReading) -> f64 {
    let share = |charset| if charset == Charset::UTF_8 { UTF_8_BY_DESIGN } else { 0.0 };
    commonness(&texts.join("\n"), meant) + share(meant) - share(taken)
}

fn hash_of<S: AsRef<str>>(texts: &[S]) -> u64 {
    let mut hasher = DefaultHasher::new();
    texts.iter().for_each(|text| text.as_ref().hash(&mut hasher));
    hasher.finish()
}
