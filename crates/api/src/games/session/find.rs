//! Looking for words among what a game says of its positions.

use super::{Session, comments, seam_id};
use crate::{FoundPlace, FoundPlaces};
use honinbo_library::fold;

/// The most places that are told.
const MAX_PLACES: usize = 200;
/// Letters of a comment that are told in all, and those of them before the word that was found.
const MAX_LETTERS: usize = 160;
const LETTERS_BEFORE: usize = 24;

impl Session {
    /// The nodes whose name and comment have all these words, in the order of the record; without words, all nodes that
    /// have a name or a comment.
    pub(crate) fn find(&self, words: &str) -> FoundPlaces {
        let words: Vec<String> = words.split_whitespace().map(|word| fold(word).trim().to_owned()).collect();
        let tree = &self.tree;
        let mut move_numbers = vec![0_u32; tree.slot_count()];
        let (mut places, mut total) = (Vec::new(), 0);
        for node in tree.subtree(tree.root()) {
            let before = tree.parent(node).map_or(0, |parent| move_numbers[parent.index()]);
            let move_number = before + u32::from(tree.move_at(node, self.size).is_some());
            move_numbers[node.index()] = move_number;
            let (name, comment) = (tree.node_name(node), tree.comment(node).unwrap_or_default());
            let comment = comments::by_hand(&comment);
            if name.trim().is_empty() && comment.trim().is_empty() {
                continue;
            }
            let folded = fold(&format!("{name}\n{comment}"));
            if words.iter().all(|word| folded.contains(word.as_str())) {
                total += 1;
                if places.len() < MAX_PLACES {
                    places.push(FoundPlace {
                        node_id: seam_id(node),
                        move_number,
                        name: name.split_whitespace().collect::<Vec<_>>().join(" "),
                        comment: excerpt(&comment, &words),
                    });
                }
            }
        }
        FoundPlaces { places, total }
    }
}

/// A part of a comment in one line, with the first of these words that it has.
fn excerpt(comment: &str, words: &[String]) -> String {
    let letters: Vec<char> = comment.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    let has = |length: usize, word: &String| fold(&letters[..length].iter().collect::<String>()).contains(word);
    let end_of = |word: &String| {
        let (mut without, mut with) = (0, letters.len());
        while without < with {
            let middle = without.midpoint(with);
            if has(middle, word) { with = middle } else { without = middle + 1 }
        }
        (has(with.min(letters.len()), word)).then_some(with)
    };
    let first = words.iter().filter_map(|word| Some((end_of(word)?, word.chars().count()))).min();
    let start = first.map_or(0, |(end, length)| end.saturating_sub(length + LETTERS_BEFORE));
    let start = if letters.len() <= MAX_LETTERS { 0 } else { start };
    let end = letters.len().min(start + MAX_LETTERS);
    let shown: String = letters[start..end].iter().collect();
    let (before, after) = (if start > 0 { "…" } else { "" }, if end < letters.len() { "…" } else { "" });
    format!("{before}{}{after}", shown.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_comment_is_told_from_a_little_before_the_first_word_found() {
        let words = |text: &str| text.split_whitespace().map(fold).collect::<Vec<_>>();
        let long = format!("{}a good  shape\nhere {}", "before ".repeat(60), "after ".repeat(60));
        let found = excerpt(&long, &words("SHAPE good"));
        assert!(found.starts_with('…') && found.contains("a good shape here after") && found.ends_with('…'), "{found}");
        assert!(found.chars().count() <= MAX_LETTERS + 2);
        assert!(found.find("good").unwrap() < 2 * LETTERS_BEFORE, "{found}");
        assert!(excerpt(&long, &words("after")).contains("here after after"));
        assert_eq!(excerpt("short\nand good", &words("good")), "short and good");
        assert_eq!(excerpt("", &words("good")), "");
        assert!(excerpt(&long, &words("elsewhere")).starts_with("before before"), "the word stands in the name");
    }
}
