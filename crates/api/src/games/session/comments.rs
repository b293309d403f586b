//! What a person wrote into a comment, apart from the texts that KaTrain puts into the same property.
//!
//! Source: KaTrain, `core/constants.py` and `core/game_node.py`.

use std::borrow::Cow;

/// In every text of KaTrain's own, which it throws away when it reads the record.
const OF_KATRAIN: &str = "\u{3164}\u{200b}";
/// Between the person's text and KaTrain's.
const SEPARATOR: &str = "\u{3164}\u{3164}";

/// The part that a person wrote.
pub(super) fn by_hand(comment: &str) -> Cow<'_, str> {
    if !comment.contains(OF_KATRAIN) {
        return Cow::Borrowed(comment);
    }
    let own: String = comment.split(SEPARATOR).filter(|part| !part.contains(OF_KATRAIN)).collect();
    Cow::Owned(own.trim().to_owned())
}

/// Whether a comment that is there has such a part; also of one that is escaped.
pub(super) fn has_part_by_hand(comment: &str) -> bool {
    !comment.contains(OF_KATRAIN) || !by_hand(comment).is_empty()
}

/// The comment with another text of the person's; what KaTrain wrote stays.
pub(super) fn with_text_by_hand(comment: &str, text: &str) -> String {
    let of_katrain: Vec<&str> = comment.split(SEPARATOR).filter(|part| part.contains(OF_KATRAIN)).collect();
    if of_katrain.is_empty() {
        return text.to_owned();
    }
    let own = if text.is_empty() { String::new() } else { format!("{text}\n{SEPARATOR}") };
    own + &of_katrain.join(SEPARATOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_katrain_stay_behind_those_of_the_person() {
        let katrain = "\nMove 5: B Q16\nScore: B+2.5\n\u{3164}\u{200b}";
        let comment = format!("a good move\n\u{3164}\u{3164}{katrain}");
        assert_eq!(by_hand(&comment), "a good move");
        assert_eq!(with_text_by_hand(&comment, "a good move"), comment);
        assert_eq!(with_text_by_hand(&comment, "bad"), format!("bad\n\u{3164}\u{3164}{katrain}"));
        assert_eq!(with_text_by_hand(&comment, ""), katrain);
        assert_eq!((by_hand(katrain).as_ref(), has_part_by_hand(katrain)), ("", false));
        assert!(has_part_by_hand(&comment) && has_part_by_hand("plain"));
        assert_eq!((by_hand(" plain\n").as_ref(), with_text_by_hand("plain", "other").as_str()), (" plain\n", "other"));
    }
}
