//! Ranks as players and servers write them.

/// A player's grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rank {
    /// Amateur student grade, 1 the strongest.
    Kyu(u8),
    /// Amateur master grade.
    Dan(u8),
    /// Professional grade.
    Professional(u8),
}

impl Rank {
    /// Reads `5k`, `5 kyu`, `5级`, `3d`, `3段`, `三段`, `初段`, `9p`, `P9`, `P9段`, `9 Dan pro`. Ratings are no ranks.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let lower: String = text.trim().chars().take(24).flat_map(char::to_lowercase).collect();
        let digits: String =
            lower.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
        let number = if digits.is_empty() { chinese_number(&lower)? } else { digits.parse::<u8>().ok()? };
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let rest: String = lower.chars().filter(|c| c.is_alphabetic()).collect();
        if rest.starts_with('k') || has(&["级", "級", "급", "kyu"]) {
            return (1..=40).contains(&number).then_some(Self::Kyu(number));
        }
        if !(1..=10).contains(&number) {
            return None;
        }
        if rest.starts_with('p') || has(&["pro", "职业", "職業"]) {
            return Some(Self::Professional(number));
        }
        (rest.starts_with('d') || has(&["段", "단"])).then_some(Self::Dan(number))
    }

    /// From weak to strong: 30 kyu is 11, 1 kyu 40, 1 dan 41, 9 dan 49, 1 dan professional 51.
    #[must_use]
    pub fn strength(self) -> u8 {
        match self {
            Self::Kyu(grade) => 41u8.saturating_sub(grade).max(1),
            Self::Dan(grade) => 40 + grade,
            Self::Professional(grade) => 50 + grade,
        }
    }

    /// The inverse of [`Rank::strength`].
    #[must_use]
    pub fn from_strength(strength: u8) -> Option<Self> {
        match strength {
            1..=40 => Some(Self::Kyu(41 - strength)),
            41..=50 => Some(Self::Dan(strength - 40)),
            51..=60 => Some(Self::Professional(strength - 50)),
            _ => None,
        }
    }
}

impl std::fmt::Display for Rank {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Kyu(grade) => write!(f, "{grade}k"),
            Self::Dan(grade) => write!(f, "{grade}d"),
            Self::Professional(grade) => write!(f, "{grade}p"),
        }
    }
}

fn chinese_number(text: &str) -> Option<u8> {
    const DIGITS: [(char, u8); 10] =
        [('初', 1), ('一', 1), ('二', 2), ('三', 3), ('四', 4), ('五', 5), ('六', 6), ('七', 7), ('八', 8), ('九', 9)];
    text.chars().find_map(|c| DIGITS.iter().find(|(digit, _)| *digit == c).map(|(_, value)| *value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_many_writers() {
        for (text, expected) in [
            ("9段", "9d"),
            ("P9段", "9p"),
            ("P3", "3p"),
            ("9p", "9p"),
            ("9 Dan", "9d"),
            ("初段", "1d"),
            ("七段", "7d"),
            ("5k", "5k"),
            ("12 kyu", "12k"),
            ("3级", "3k"),
            ("2d?", "2d"),
        ] {
            assert_eq!(Rank::parse(text).map(|rank| rank.to_string()).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "2950", "P", "?", "99d", "strong"] {
            assert_eq!(Rank::parse(text), None, "{text}");
        }
        for strength in 1..=60 {
            assert_eq!(Rank::from_strength(strength).map(Rank::strength), Some(strength));
        }
        assert!(Rank::Kyu(1).strength() < Rank::Dan(1).strength());
        assert!(Rank::Dan(9).strength() < Rank::Professional(1).strength());
    }
}
