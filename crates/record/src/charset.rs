//! Character sets: which one a file is written in, reading it, and writing it back byte for byte.
//!
//! A byte that is not valid in the file's character set is kept as a character of the last private plane,
//! so that writing gives the same byte again; [`displayable`] shows it as U+FFFD.
//!
//! ISO-2022-JP is read and not written: its characters are made of ASCII bytes, those of brackets and backslashes among
//! them, where a program that looks for brackets before it decodes sees the end of a value. Such a record becomes UTF-8.

use std::borrow::Cow;

use encoding_rs::{
    BIG5, DecoderResult, EUC_JP, EUC_KR, EncoderResult, Encoding, GB18030, GBK, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_1252,
};

use crate::commonness::commonness;
use crate::diagnostic::{Diagnostic, Problem};

/// First of the 128 characters that stand for the invalid bytes 0x80 to 0xFF.
const ESCAPE_BASE: u32 = 0x10_FF00;

/// Character sets that are taken for each other, the most usual one first.
const EASTERN: [&Encoding; 4] = [GB18030, EUC_KR, BIG5, EUC_JP];

/// How much more common the characters of another set are before it is believed, see docs/experiments/library.md.
const CLEARLY_MORE: f64 = 0.15;

/// Bytes that are compared; longer texts are no riddle to the detector.
const MAX_COMPARED: usize = 4096;

/// A character set that a record can be read from and, but for ISO-2022-JP, written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset(&'static Encoding);

impl Charset {
    /// UTF-8, what everything new is written in.
    pub const UTF_8: Self = Self(UTF_8);

    /// The character set of a label as `CA` gives it, such as `gb2312` or `Shift_JIS`.
    #[must_use]
    pub fn for_label(label: &str) -> Option<Self> {
        let label = label.trim();
        let known = Encoding::for_label(label.as_bytes()).or_else(|| match label.to_ascii_lowercase().as_str() {
            "utf_8" => Some(UTF_8),
            "gb" | "cp936" | "ms936" => Some(GBK),
            "cp950" | "big-5" => Some(BIG5),
            "sjis" | "shift-jis" | "cp932" => Some(encoding_rs::SHIFT_JIS),
            "eucjp" => Some(EUC_JP),
            "euckr" | "cp949" | "ks_c_5601" => Some(EUC_KR),
            _ => None,
        })?;
        // GB18030 contains GBK and GB2312 and writes their characters with the same bytes.
        Some(Self(if known == GBK { GB18030 } else { known }))
    }

    /// The character set that the text of a record names in its first `CA`; UTF-8 where it names none that is known.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        let named = declared_charset(text.as_bytes()).and_then(|label| Self::for_label(&label));
        let is_known_again = |set: &Self| set.is_known_by_name() || text.starts_with('\u{feff}');
        named.filter(is_known_again).unwrap_or(Self::UTF_8)
    }

    /// Whether the name in `CA` can be read before its character set is known. What is not ASCII underneath is known by a
    /// byte order mark alone.
    fn is_known_by_name(self) -> bool {
        self.0.is_ascii_compatible() || self.0 == ISO_2022_JP
    }

    /// Whether a text can be written in it.
    #[must_use]
    pub fn has_all_of(self, text: &str) -> bool {
        self == Self::UTF_8 || encode(text, self).is_some()
    }

    pub(crate) const fn of(encoding: &'static Encoding) -> Self {
        Self(encoding)
    }

    pub(crate) fn encoding(self) -> &'static Encoding {
        self.0
    }

    /// Name as `CA` writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }
}

/// A file's text and how it was found.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) charset: Charset,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Reads `bytes` in this character set, whatever they say and look like.
pub(crate) fn decode_in(bytes: &[u8], charset: Charset) -> Decoded {
    let mut diagnostics = Vec::new();
    if charset.0 == ISO_2022_JP {
        return decode_iso_2022_jp(bytes, diagnostics);
    }
    let (text, invalid) = decode_as(bytes, charset.0);
    report_invalid(&mut diagnostics, invalid, charset.0);
    Decoded { text, charset, diagnostics }
}

/// Reads `bytes` in the character set that they are really in; `CA` may name it.
pub(crate) fn decode(bytes: &[u8]) -> Decoded {
    decode_declared(bytes, declared_charset(bytes))
}

/// Reads `bytes` in the character set that they are really in, of which the file says that it is this one.
pub(crate) fn decode_declared(bytes: &[u8], declared: Option<String>) -> Decoded {
    let mut diagnostics = Vec::new();
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        // The mark itself stays in the text as U+FEFF, for writing the file back.
        let (text, invalid) = decode_as(bytes, encoding);
        report_invalid(&mut diagnostics, invalid, encoding);
        return Decoded { text, charset: Charset(encoding), diagnostics };
    }
    let known = declared.as_deref().and_then(Charset::for_label);
    if let (Some(name), None) = (&declared, known)
        && !name.trim().is_empty()
    {
        diagnostics.push(Diagnostic::file(Problem::UnknownCharset { name: crate::value::shorten(name) }));
    }
    let has_escape = || bytes.windows(2).any(|pair| matches!(pair, [0x1B, b'$' | b'(']));
    if known.is_some_and(|charset| charset.0 == ISO_2022_JP) && has_escape() {
        return decode_iso_2022_jp(bytes, diagnostics);
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.chars().any(is_escape)
    {
        if let (Some(name), Some(charset)) = (&declared, known)
            && charset.0 != UTF_8
            && !text.is_ascii()
        {
            let declared = crate::value::shorten(name);
            diagnostics.push(Diagnostic::file(Problem::WrongCharset { declared, actual: "UTF-8" }));
        }
        // ASCII is the same bytes in all of them, but an edit may add text: then the declared one counts.
        let charset = if text.is_ascii() { known.unwrap_or(Charset::UTF_8) } else { Charset::UTF_8 };
        let charset = if charset.is_known_by_name() { charset } else { Charset::UTF_8 };
        return Decoded { text: text.to_owned(), charset, diagnostics };
    }
    let mut best: Option<(usize, String, &'static Encoding)> = None;
    let declared_encoding = known.map(|charset| charset.0);
    let guessed = guess(bytes);
    // Servers cut names in the middle of a character: a few bad bytes do not make a UTF-8 file something else.
    let utf8_first = (declared_encoding.is_none_or(|e| e == UTF_8) && mostly_utf8(bytes)).then_some(UTF_8);
    // Without an escape nothing is ISO-2022-JP.
    let declared_first = declared_encoding.filter(|&encoding| encoding != ISO_2022_JP);
    for encoding in [utf8_first, declared_first, Some(guessed)].into_iter().flatten() {
        if best.as_ref().is_some_and(|(_, _, tried)| *tried == encoding) {
            continue;
        }
        let (text, invalid) = decode_as(bytes, encoding);
        // A single-byte set takes nearly every byte, so that it has fewer errors proves nothing.
        let guess_proves_nothing = encoding != guessed && guessed.is_single_byte();
        let settled = utf8_first == Some(encoding)
            || invalid == 0
            || guess_proves_nothing && is_damaged(&text, invalid, encoding);
        if best.as_ref().is_none_or(|(fewest, _, _)| invalid < *fewest) {
            best = Some((invalid, text, encoding));
        }
        if settled {
            break;
        }
    }
    let (invalid, text, encoding) = best.expect("at least the guessed character set was tried");
    match (&declared, declared_encoding) {
        (Some(name), Some(said)) if said != encoding => {
            let declared = crate::value::shorten(name);
            diagnostics.push(Diagnostic::file(Problem::WrongCharset { declared, actual: encoding.name() }));
        }
        (_, None) => diagnostics.push(Diagnostic::file(Problem::GuessedCharset { actual: encoding.name() })),
        _ => {}
    }
    report_invalid(&mut diagnostics, invalid, encoding);
    Decoded { text, charset: Charset(encoding), diagnostics }
}

/// Since this set is not written, nothing of it has to come back as it was: an invalid sequence is U+FFFD at once.
fn decode_iso_2022_jp(bytes: &[u8], mut diagnostics: Vec<Diagnostic>) -> Decoded {
    let (text, _) = ISO_2022_JP.decode_without_bom_handling(bytes);
    report_invalid(&mut diagnostics, text.matches(char::REPLACEMENT_CHARACTER).count(), ISO_2022_JP);
    // Many programs leave Japanese by the escape for Roman letters, where the byte of the backslash is a yen sign.
    Decoded { text: text.replace('\u{a5}', "\\"), charset: Charset(ISO_2022_JP), diagnostics }
}

fn report_invalid(diagnostics: &mut Vec<Diagnostic>, count: usize, encoding: &'static Encoding) {
    if count > 0 {
        diagnostics.push(Diagnostic::file(Problem::InvalidBytes { count, charset: encoding.name() }));
    }
}

/// The value of the first `CA` in the first 64 KiB, searched in the bytes since it comes before any decoding.
pub(crate) fn declared_charset(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(65_536)];
    let mut at = 0;
    while let Some(found) = head[at..].windows(3).position(|window| window == b"CA[") {
        let start = at + found;
        let preceded_by_letter = start > 0 && head[start - 1].is_ascii_uppercase();
        let value = &head[start + 3..];
        if !preceded_by_letter {
            let end = value.iter().position(|&byte| byte == b']')?;
            return Some(String::from_utf8_lossy(&value[..end.min(200)]).into_owned());
        }
        at = start + 3;
    }
    None
}

/// True when multi-byte UTF-8 sequences clearly outnumber the errors.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut sequences, mut errors) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        sequences += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        errors += usize::from(!chunk.invalid().is_empty());
    }
    sequences > errors * 2
}

/// Whether a text with invalid bytes is in a character set of the East all the same: what is left of it without them is
/// most of it, and looks like one.
fn is_damaged(text: &str, invalid: usize, encoding: &'static Encoding) -> bool {
    let sound: String = text.chars().filter(|&c| !is_escape(c)).collect();
    let characters = sound.chars().filter(|c| !c.is_ascii()).count();
    characters > invalid && !guess(&encoding.encode(&sound).0).is_single_byte()
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    // One MiB is more text than any decision needs.
    let sample = &bytes[..bytes.len().min(1 << 20)];
    detector.feed(sample, true);
    let found = detector.guess(None, chardetng::Utf8Detection::Deny);
    more_common(&sample[..sample.len().min(MAX_COMPARED)], if found == GBK { GB18030 } else { found })
}

/// Two names are too little for the detector, which goes by pairs of bytes: of the sets of the East in which they are all
/// valid, another than `found` is taken where its characters are clearly more common.
fn more_common(bytes: &[u8], found: &'static Encoding) -> &'static Encoding {
    if !EASTERN.contains(&found) {
        return found;
    }
    let common = |set: &'static Encoding| {
        let text = decode_whole(bytes, Charset(set))?;
        Some(commonness(&text, Charset(set)))
    };
    let Some(mut needed) = common(found).map(|common| common + CLEARLY_MORE) else { return found };
    let mut best = found;
    for set in EASTERN {
        if let Some(common) = common(set).filter(|common| *common > needed) {
            (best, needed) = (set, common);
        }
    }
    best
}

/// Text and number of invalid bytes, each of which became an escape character.
fn decode_as(bytes: &[u8], encoding: &'static Encoding) -> (String, usize) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 2 + 16);
    let (mut read_total, mut invalid) = (0usize, 0usize);
    loop {
        let rest = &bytes[read_total..];
        let needed = decoder.max_utf8_buffer_length_without_replacement(rest.len().min(1 << 20)).unwrap_or(1 << 22);
        text.reserve(needed.max(64));
        let piece = &rest[..rest.len().min(1 << 20)];
        let last = piece.len() == rest.len();
        let (result, read) = decoder.decode_to_string_without_replacement(piece, &mut text, last);
        read_total += read;
        match result {
            DecoderResult::InputEmpty if last => break,
            DecoderResult::InputEmpty | DecoderResult::OutputFull => {}
            DecoderResult::Malformed(bad, after) => {
                let end = read_total.saturating_sub(usize::from(after));
                let start = end.saturating_sub(usize::from(bad));
                for &byte in &bytes[start..end] {
                    invalid += 1;
                    text.push(escape_byte(byte));
                }
            }
        }
    }
    if encoding == UTF_8 && text.chars().any(is_ambiguous_escape(invalid)) {
        return decode_utf8_with_private_text(bytes);
    }
    (text, invalid)
}

/// Escape characters in a text without any invalid byte came from the file itself.
fn is_ambiguous_escape(invalid: usize) -> impl Fn(char) -> bool {
    move |c| invalid == 0 && is_escape(c)
}

/// UTF-8 that itself contains characters of the escape range: those are taken apart into bytes too.
fn decode_utf8_with_private_text(bytes: &[u8]) -> (String, usize) {
    let mut text = String::with_capacity(bytes.len());
    let mut invalid = 0;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_escape(c) {
                let mut buffer = [0; 4];
                for &byte in c.encode_utf8(&mut buffer).as_bytes() {
                    invalid += 1;
                    text.push(escape_byte(byte));
                }
            } else {
                text.push(c);
            }
        }
        for &byte in chunk.invalid() {
            invalid += 1;
            text.push(escape_byte(byte));
        }
    }
    (text, invalid)
}

/// ASCII bytes can be part of an invalid pair; they stand for themselves.
fn escape_byte(byte: u8) -> char {
    if byte.is_ascii() {
        char::from(byte)
    } else {
        char::from_u32(ESCAPE_BASE + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

fn is_escape(c: char) -> bool {
    (ESCAPE_BASE + 0x80..=ESCAPE_BASE + 0xFF).contains(&u32::from(c))
}

/// The text as a person may see it: bytes that were invalid appear as U+FFFD.
#[must_use]
pub fn displayable(text: &str) -> Cow<'_, str> {
    // All escape characters start with the byte 0xF4, which real records hardly ever contain.
    if text.bytes().any(|byte| byte == 0xF4) && text.chars().any(is_escape) {
        Cow::Owned(text.chars().map(|c| if is_escape(c) { char::REPLACEMENT_CHARACTER } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// The bytes of `text` in `charset`, invalid bytes restored; `None` when a character cannot be written in it.
#[must_use]
pub(crate) fn encode(text: &str, charset: Charset) -> Option<Vec<u8>> {
    if charset.0 == UTF_16LE || charset.0 == UTF_16BE {
        let big_endian = charset.0 == UTF_16BE;
        let units = text.encode_utf16();
        return Some(units.flat_map(|u| if big_endian { u.to_be_bytes() } else { u.to_le_bytes() }).collect());
    }
    if charset.0 == ISO_2022_JP && (!text.is_ascii() || text.contains('\u{1b}')) {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find(is_escape) {
        encode_plain(&rest[..at], charset, &mut bytes)?;
        let escape = rest[at..].chars().next()?;
        bytes.push(u8::try_from(u32::from(escape) - ESCAPE_BASE).ok()?);
        rest = &rest[at + escape.len_utf8()..];
    }
    encode_plain(rest, charset, &mut bytes)?;
    Some(bytes)
}

/// The bytes that were read as `text` in `charset`, by whatever program.
pub(crate) fn encode_read(text: &str, charset: Charset) -> Option<Vec<u8>> {
    if !charset.0.is_ascii_compatible() {
        return None;
    }
    // Taken for ISO-8859-1 they are controls where windows-1252 has letters.
    let latin: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(c).ok()).collect();
    latin.filter(|_| charset.0 == WINDOWS_1252).or_else(|| encode(text, charset))
}

/// The text of bytes that are all valid in `charset`.
pub(crate) fn decode_whole(bytes: &[u8], charset: Charset) -> Option<String> {
    let (text, invalid) = decode_as(bytes, charset.0);
    (invalid == 0).then_some(text)
}

fn encode_plain(text: &str, charset: Charset, bytes: &mut Vec<u8>) -> Option<()> {
    if charset.0 == UTF_8 || text.is_ascii() {
        bytes.extend_from_slice(text.as_bytes());
        return Some(());
    }
    let mut encoder = charset.0.new_encoder();
    let mut rest = text;
    loop {
        let needed = encoder.max_buffer_length_from_utf8_without_replacement(rest.len()).unwrap_or(rest.len() * 4);
        bytes.reserve(needed.max(16));
        let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(rest, bytes, true);
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return Some(()),
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(_) => return None,
        }
    }
}
