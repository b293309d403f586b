//! Property values: escaping, compositions and point letters.

use std::borrow::Cow;

/// The plain text behind a raw value: escapes resolved, soft line breaks removed, other white space kept.
#[must_use]
pub fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return crate::charset::displayable(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match chars.next() {
            // A backslash before a line break joins the lines; CR LF and LF CR count as one break.
            Some(line_break @ ('\n' | '\r')) => {
                chars.next_if(|&next| next != line_break && (next == '\n' || next == '\r'));
            }
            Some(escaped) => text.push(escaped),
            None => {}
        }
    }
    match crate::charset::displayable(&text) {
        Cow::Borrowed(_) => Cow::Owned(text),
        Cow::Owned(shown) => Cow::Owned(shown),
    }
}

/// A text as `SimpleText` has it, in one line: line breaks and tabs are spaces.
#[must_use]
pub fn simple_text(text: &str) -> String {
    text.replace(char::is_control, " ").trim().to_owned()
}

/// A text as it stands between brackets: `]` and `\` get a backslash.
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_where(text, |c| c == ']' || c == '\\')
}

/// A text that is one half of a composition, where `:` needs a backslash too.
#[must_use]
pub fn escape_composed(text: &str) -> Cow<'_, str> {
    escape_where(text, |c| c == ']' || c == '\\' || c == ':')
}

fn escape_where(text: &str, special: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&special) {
        return Cow::Borrowed(text);
    }
    let mut raw = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if special(c) {
            raw.push('\\');
        }
        raw.push(c);
    }
    Cow::Owned(raw)
}

/// Splits a raw value at its first unescaped colon.
#[must_use]
pub fn split_composed(raw: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    for (at, c) in raw.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ':' => return Some((&raw[..at], &raw[at + 1..])),
            _ => {}
        }
    }
    None
}

/// Column and row, from 0 at the top left, of two SGF letters; `a` to `z` then `A` to `Z`.
#[must_use]
pub fn point_letters(raw: &str) -> Option<(u8, u8)> {
    let mut letters = raw.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let (x, y) = (letter_value(letters.next()?)?, letter_value(letters.next()?)?);
    letters.next().is_none().then_some((x, y))
}

fn letter_value(byte: u8) -> Option<u8> {
    match byte {
        b'a'..=b'z' => Some(byte - b'a'),
        b'A'..=b'Z' => Some(byte - b'A' + 26),
        _ => None,
    }
}

/// The two SGF letters of a column and a row below 52.
#[must_use]
pub fn letters_of(x: u8, y: u8) -> String {
    let letter = |value: u8| char::from(if value < 26 { b'a' + value } else { b'A' + (value - 26) % 26 });
    [letter(x), letter(y)].iter().collect()
}

/// The first characters of a text, for a message.
pub(crate) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().filter(|c| !c.is_control()).take(24).collect();
    if text.chars().nth(24).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_come_and_go() {
        assert_eq!(unescape(r"a\]b\\c\:d"), r"a]b\c:d");
        assert_eq!(unescape("soft\\\r\nbreak\nhard"), "softbreak\nhard");
        assert_eq!(unescape("end\\"), "end");
        assert_eq!(escape(r"[x]\"), r"[x\]\\");
        assert_eq!(escape_composed("a:b"), r"a\:b");
    }

    #[test]
    fn compositions_split_at_the_first_free_colon() {
        assert_eq!(split_composed("aa:cc"), Some(("aa", "cc")));
        assert_eq!(split_composed(r"a\:b:c:d"), Some((r"a\:b", "c:d")));
        assert_eq!(split_composed("aa"), None);
    }

    #[test]
    fn letters_reach_37() {
        assert_eq!(point_letters("aa"), Some((0, 0)));
        assert_eq!(point_letters("Kz"), Some((36, 25)));
        assert_eq!(letters_of(36, 25), "Kz");
        assert_eq!(point_letters("a"), None);
        assert_eq!(point_letters("aaa"), None);
    }
}
