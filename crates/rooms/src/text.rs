//! Texts that people send, in one line.

/// Without line ends and other control characters; empty where nothing of it would be drawn.
pub(crate) fn plain(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().all(|c| c.is_whitespace() || is_ignorable(c)) {
        return String::new();
    }
    text.trim().to_owned()
}

/// Whether a character is not drawn: Unicode's `Default_Ignorable_Code_Point`. Some of them are letters or marks, such as
/// the fillers of Hangul and variation selectors.
///
/// Source: Unicode 16, `DerivedCoreProperties.txt`.
#[must_use]
pub fn is_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_nobody_sees_is_none() {
        for nothing in ["", " \n\t ", "\u{200b}", "\u{3164} \u{2060}", "\u{202e}\u{feff}"] {
            assert_eq!(plain(nothing), "", "{nothing:?}");
        }
        // Within a text they join letters and make pictures.
        for text in ["two lines", "❤\u{fe0f}", "می\u{200c}خواهم"] {
            assert_eq!(plain(text), text);
        }
        assert_eq!(plain(" two\nlines\u{7}"), "two lines");
    }
}
