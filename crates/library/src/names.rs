//! Whether two names may be one person's.
//!
//! Alike are names with the same parts in another order or with other signs between them, with and without a rank
//! behind them, and names in Latin letters that one slip of the pen tells apart.

use crate::facts::{bare_parts, fold, is_rank};

/// Letters that a name has at least before a slip is thought of: shorter ones are too often somebody else's.
const MIN_LETTERS: usize = 6;
/// Parts of a name whose order is tried; more are a title or a sentence.
const MAX_PARTS: usize = 4;

/// Whether two names are those of two people: they can be compared, and have nothing in common. Names in different
/// scripts say nothing of each other, and a part that both have may be all that somebody wrote down.
pub(crate) fn are_two_people(one: &str, two: &str) -> bool {
    let (one, two) = (Shape::of(one), Shape::of(two));
    let Some((script, _)) = one.script().zip(two.script()).filter(|(one, two)| one == two) else { return false };
    let share = match script {
        Script::Latin => one.sorted.iter().any(|part| part.chars().count() >= MIN_TELLING && two.sorted.contains(part)),
        Script::Other => one
            .sorted
            .iter()
            .flat_map(|part| part.chars())
            .any(|letter| letter.is_alphabetic() && two.sorted.iter().any(|part| part.contains(letter))),
        Script::Hangul => one.sorted.iter().any(|part| two.sorted.contains(part)),
    };
    !share && !one.is_like(&two)
}

/// Letters of a part of a name in Latin script that tell people apart.
const MIN_TELLING: usize = 3;

/// What programs write for players whose names they do not know, folded.
const COLORS: [&str; 6] = ["black", "white", "黑", "白", "흑", "백"];

/// What the letters of a name belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Hangul,
    /// Chinese characters, above all, of which a name has few, in several forms each.
    Other,
}

/// What of a name is compared.
pub(crate) struct Shape {
    /// The parts behind each other, beginning with each of them in turn; the name's own order first.
    orders: Vec<Vec<char>>,
    /// The parts in alphabetical order.
    sorted: Vec<String>,
}

impl Shape {
    pub(crate) fn of(name: &str) -> Self {
        let folded = fold(name);
        let parts = bare_parts(&folded);
        let turns = if parts.len() > MAX_PARTS { 1 } else { parts.len() };
        let turned = |turn: usize| parts[turn..].iter().chain(&parts[..turn]).flat_map(|part| part.chars()).collect();
        let orders = (0..turns).map(turned).collect();
        let mut sorted: Vec<String> = parts.iter().map(|&part| part.to_owned()).collect();
        sorted.sort_unstable();
        Self { orders, sorted }
    }

    /// That of its first letter; `None` where it names nobody.
    fn script(&self) -> Option<Script> {
        let telling = self.sorted.iter().filter(|part| !is_rank(part) && !COLORS.contains(&part.as_str()));
        let first = telling.flat_map(|part| part.chars()).find(|letter| letter.is_alphabetic())?;
        Some(match first {
            ..'\u{250}' => Script::Latin,
            '\u{AC00}'..='\u{D7A3}' => Script::Hangul,
            _ => Script::Other,
        })
    }

    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let (Some(one), Some(two)) = (self.orders.first(), other.orders.first()) else { return false };
        self.sorted == other.sorted
            || self.orders.iter().any(|order| same_but_for_a_slip(order, two))
            || other.orders.iter().any(|order| same_but_for_a_slip(order, one))
    }
}

/// Equal, or Latin letters of which one is missing, too many or another one.
fn same_but_for_a_slip(one: &[char], two: &[char]) -> bool {
    if one == two {
        return !one.is_empty();
    }
    if one.len().min(two.len()) < MIN_LETTERS || one.len().abs_diff(two.len()) > 1 {
        return false;
    }
    let before = one.iter().zip(two).take_while(|(a, b)| a == b).count();
    let after = one[before..].iter().rev().zip(two[before..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&one[before..one.len() - after], &two[before..two.len() - after]);
    // A digit is never a slip: accounts are numbered.
    left.len() <= 1 && right.len() <= 1 && left.iter().chain(right).all(char::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(one: &str, two: &str) -> bool {
        let (one, two) = (Shape::of(one), Shape::of(two));
        assert_eq!(one.is_like(&two), two.is_like(&one), "it does not matter who is asked about whom");
        one.is_like(&two)
    }

    #[test]
    fn order_signs_ranks_and_slips_do_not_make_another_person() {
        for (one, two) in [
            ("Lee Sedol", "Sedol Lee"),
            ("Lee Sedol", "LEE, Sedol"),
            ("Lee Sedol", "Lee Se-dol"),
            ("Lee Sedol", "LeeSedol 9p"),
            ("Lee Sedol", "Lee Sedoll"),
            ("Honinbo Shusaku", "Honinbo Shuusaku"),
            ("柯洁", "柯潔九段"),
            ("柯洁", "柯洁 9段"),
            ("이세돌", "이세돌 9단"),
            ("ＡｌｐｈａＧｏ", "AlphaGo"),
        ] {
            assert!(alike(one, two), "{one} and {two}");
        }
    }

    #[test]
    fn other_people_stay_other_people() {
        for (one, two) in [
            ("Lee", "Leo"),
            ("柯洁", "柯吉"),
            ("player12345", "player12346"),
            ("Kobayashi Koichi", "Kobayashi Satoru"),
            ("三段", "九段"),
            ("", ""),
            ("...", "9p"),
        ] {
            assert!(!alike(one, two), "{one} and {two}");
        }
    }

    #[test]
    fn people_are_two_where_their_names_have_nothing_in_common() {
        for (one, two, expected) in [
            ("Lee Sedol", "Ke Jie", true),
            ("Lee Sedol", "LEE, Sedol 9p", false),
            ("Shusaku", "Honinbo Shusaku", false),
            ("Honinbo Shusaku", "Kuwahara Shusaku", false),
            ("柯洁", "李世石", true),
            ("柯洁", "柯潔九段", false),
            ("柯洁", "Ke Jie", false),
            ("이세돌", "신진서", true),
            ("player12345", "player12346", true),
            ("", "Ke Jie", false),
            ("9p", "Ke Jie", false),
            ("Black", "Ke Jie", false),
        ] {
            assert_eq!(are_two_people(one, two), expected, "{one} and {two}");
            assert_eq!(are_two_people(two, one), expected, "{two} and {one}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_name_is_like_itself_turned_and_harms_nothing(one in "\\PC{0,24}", two in "[a-z]{2,9} [a-z]{2,9}") {
            let _ = alike(&one, &two);
            let (first, last) = two.split_once(' ').unwrap_or_default();
            let turned = [last, first].join(", ");
            proptest::prop_assert!(alike(&two, &turned));
        }
    }
}
