//! How a game ended, as `RE` says it in many dialects.

use honinbo_rules::Color;

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GameResult {
    /// Won by points.
    Score {
        /// Who won.
        winner: Color,
        /// By how many points, above 0.
        margin: f32,
    },
    /// The other player resigned.
    Resignation(Color),
    /// The other player's time ran out.
    Time(Color),
    /// The other player forfeited: absent, disconnected, broke a rule.
    Forfeit(Color),
    /// Won, nobody says how.
    Win(Color),
    /// Jigo.
    Draw,
    /// No result: suspended, or a long cycle.
    Void,
    /// Not said.
    Unknown,
}

impl GameResult {
    /// Reads a value of `RE`; whatever it is, there is an answer.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if text.is_empty() || text == "?" {
            return Self::Unknown;
        }
        let lower: String = text.chars().take(64).flat_map(char::to_lowercase).collect();
        match lower.as_str() {
            "0" | "draw" | "jigo" | "tie" | "0.0" => return Self::Draw,
            "void" | "no result" | "both lost" => return Self::Void,
            "unfinished" | "unknown" | "adjourned" | "resume" => return Self::Unknown,
            _ => {}
        }
        if ["和棋", "平局", "持碁", "持棋", "무승부"].iter().any(|word| lower.contains(word)) {
            return Self::Draw;
        }
        let Some(winner) = winner_of(&lower) else { return Self::Unknown };
        Self::how(&lower, winner)
    }

    fn how(lower: &str, winner: Color) -> Self {
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let tail = lower.split_once('+').map_or("", |(_, tail)| tail.trim());
        let resigned = ["resign", "中盘", "中盤", "中押", "불계", "认输", "認輸", "认负", "認負", "投了", "投子"];
        if matches!(tail, "r" | "resign" | "res" | "resignation") || has(&resigned) {
            return Self::Resignation(winner);
        }
        if matches!(tail, "t" | "time" | "timeout") || has(&["time", "超时", "超時", "時間切れ", "시간승", "시간패"])
        {
            return Self::Time(winner);
        }
        if matches!(tail, "f") || has(&["forfeit", "offline", "disconnect", "弃权", "棄權", "棄権", "反則"]) {
            return Self::Forfeit(winner);
        }
        match margin_of(lower) {
            Some(margin) if margin > 0.0 => Self::Score { winner, margin },
            _ => Self::Win(winner),
        }
    }

    /// Who won, if anybody did.
    #[must_use]
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::Score { winner, .. }
            | Self::Resignation(winner)
            | Self::Time(winner)
            | Self::Forfeit(winner)
            | Self::Win(winner) => Some(winner),
            Self::Draw | Self::Void | Self::Unknown => None,
        }
    }

    /// By how many points, if the game was counted.
    #[must_use]
    pub fn margin(self) -> Option<f32> {
        match self {
            Self::Score { margin, .. } => Some(margin),
            _ => None,
        }
    }

    /// `score`, `resignation`, `time`, `forfeit`, `win`, `draw`, `void` or `unknown`.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            Self::Score { .. } => "score",
            Self::Resignation(_) => "resignation",
            Self::Time(_) => "time",
            Self::Forfeit(_) => "forfeit",
            Self::Win(_) => "win",
            Self::Draw => "draw",
            Self::Void => "void",
            Self::Unknown => "unknown",
        }
    }
}

impl std::fmt::Display for GameResult {
    /// As the SGF standard writes it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Score { winner, margin } => write!(f, "{}+{margin}", winner.letter()),
            Self::Resignation(winner) => write!(f, "{}+R", winner.letter()),
            Self::Time(winner) => write!(f, "{}+T", winner.letter()),
            Self::Forfeit(winner) => write!(f, "{}+F", winner.letter()),
            Self::Win(winner) => write!(f, "{}+", winner.letter()),
            Self::Draw => f.write_str("0"),
            Self::Void => f.write_str("Void"),
            Self::Unknown => f.write_str("?"),
        }
    }
}

/// Words behind a colour that say whether it won. "Resign" and "resignation" are not among them: they stand behind
/// whoever won by it as well.
const OUTCOMES: &[(&str, bool)] = &[
    ("win", true),
    ("wins", true),
    ("won", true),
    ("winner", true),
    ("lose", false),
    ("loses", false),
    ("lost", false),
    ("resigns", false),
    ("resigned", false),
    ("forfeits", false),
    ("forfeited", false),
    ("timed out", false),
    ("ran out", false),
    ("胜", true),
    ("勝", true),
    ("赢", true),
    ("贏", true),
    ("负", false),
    ("負", false),
    ("输", false),
    ("輸", false),
    ("败", false),
    ("敗", false),
    ("投了", false),
    ("投子", false),
    ("弃权", false),
    ("棄權", false),
    ("棄権", false),
    ("승", true),
    ("패", false),
];

/// Who won: the first colour of which the text says how it fared, or the opponent where it says that the colour lost;
/// else the first one named.
fn winner_of(lower: &str) -> Option<Color> {
    let named = named_colors(lower);
    let fared = named.iter().enumerate().find_map(|(at, &(_, end, color))| {
        let said = &lower[end..named.get(at + 1).map_or(lower.len(), |next| next.0)];
        let won = said.trim_start().starts_with('+') || outcome_in(said)?;
        Some(if won { color } else { color.opponent() })
    });
    fared.or_else(|| named.first().map(|&(_, _, color)| color))
}

/// Where colours are named, from and to, in the order of the text.
fn named_colors(lower: &str) -> Vec<(usize, usize, Color)> {
    let mut named = Vec::new();
    let is_apart = |rest: &str| rest.chars().next().is_none_or(|c| c.is_whitespace() || matches!(c, '+' | '-'));
    for (letter, color) in [('b', Color::Black), ('w', Color::White)] {
        if lower.strip_prefix(letter).is_some_and(is_apart) {
            named.push((0, 1, color));
        }
    }
    let black = ["black", "黑", "黒", "흑"].map(|word| (word, Color::Black));
    let white = ["white", "白", "백"].map(|word| (word, Color::White));
    for (word, color) in black.into_iter().chain(white) {
        named.extend(lower.match_indices(word).map(|(start, _)| (start, start + word.len(), color)));
    }
    named.sort_by_key(|&(start, ..)| start);
    named
}

/// Whether a text tells first of a win, or of a loss.
fn outcome_in(text: &str) -> Option<bool> {
    let is_letter = |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_alphabetic);
    let found = OUTCOMES.iter().filter_map(|&(word, won)| {
        let mut places = text.match_indices(word).map(|(start, _)| start);
        let is_whole = |start: usize| !is_letter(start.checked_sub(1)) && !is_letter(Some(start + word.len()));
        Some((places.find(|&start| !word.is_ascii() || is_whole(start))?, won))
    });
    found.min_by_key(|&(start, _)| start).map(|(_, won)| won)
}

/// Points; a margin in stones of Chinese counting (子) is doubled, 半 is a half.
fn margin_of(lower: &str) -> Option<f32> {
    let points = match lower.find(|c: char| c.is_ascii_digit()) {
        Some(start) => WrittenPoints::begin(&lower[start..])?.in_points(),
        None if lower.contains(HALVES) => 0.5,
        None => return None,
    };
    (points.is_finite() && points < 2000.0).then_some(points as f32)
}

/// The half that stands behind a number, in Chinese and Japanese, and in Korean.
const HALVES: [char; 2] = ['半', '반'];

/// Points as people write them: `2.5`, `3/4`, `2 3/4`, `2又3/4子`, `6目半`, `6½`.
pub(crate) struct WrittenPoints<'t> {
    /// The number with its fraction or half.
    value: f64,
    /// They are stones of Chinese counting, each of which counts for two points.
    pub(crate) are_stones: bool,
    /// The number was written with a decimal point.
    pub(crate) has_decimals: bool,
    /// What stands behind all of it.
    pub(crate) rest: &'t str,
}

impl<'t> WrittenPoints<'t> {
    /// Those that a text begins with; `None` where it begins with no digit, or its number is none.
    pub(crate) fn begin(text: &'t str) -> Option<Self> {
        const FRACTIONS: [(&str, f64); 6] =
            [("1/4", 0.25), ("1/2", 0.5), ("3/4", 0.75), ("¼", 0.25), ("½", 0.5), ("¾", 0.75)];
        let fraction =
            |text: &'t str| FRACTIONS.iter().find_map(|(word, value)| Some((*value, text.strip_prefix(word)?)));
        let joins = |c: char| c.is_whitespace() || matches!(c, '又' | '+' | '-' | '子' | '目' | '집');
        let (whole, after) = match fraction(text) {
            Some(_) => (0.0, text),
            None => {
                let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).unwrap_or(text.len());
                (text[..end].replace(',', ".").trim_end_matches('.').parse().ok()?, &text[end..])
            }
        };
        let number = &text[..text.len() - after.len()];
        let (part, rest) = match fraction(after.trim_start_matches(joins)) {
            Some(found) => found,
            None if after.contains(HALVES) => (0.5, after),
            None => (0.0, after),
        };
        Some(Self {
            value: whole + part,
            are_stones: text.contains('子'),
            has_decimals: number.contains(['.', ',']),
            rest: rest.trim_matches(|c| joins(c) || HALVES.contains(&c)),
        })
    }

    /// Stones counted double.
    pub(crate) fn in_points(&self) -> f64 {
        if self.are_stones { 2.0 * self.value } else { self.value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_many_writers() {
        for (text, expected) in [
            ("B+R", "B+R"),
            ("w+Resign", "W+R"),
            ("B+3.5", "B+3.5"),
            ("B+2.50", "B+2.5"),
            ("W+0,5", "W+0.5"),
            ("W+T", "W+T"),
            ("B+Time", "B+T"),
            ("B+Offline", "B+F"),
            ("B+F", "B+F"),
            ("B", "B+"),
            ("W+", "W+"),
            ("B+0.0", "B+"),
            ("0", "0"),
            ("Jigo", "0"),
            ("Draw", "0"),
            ("Void", "Void"),
            ("?", "?"),
            ("", "?"),
            ("黑中盘胜", "B+R"),
            ("白中押し勝ち", "W+R"),
            ("黑胜1/4子", "B+0.5"),
            ("白胜3.75子", "W+7.5"),
            ("黒1目半勝ち", "B+1.5"),
            ("흑 불계승", "B+R"),
            ("Black wins by 4.5 points", "B+4.5"),
            ("White wins by resignation", "W+R"),
            ("White by resignation", "W+R"),
            ("White resigns", "B+R"),
            ("Black resigned.", "W+R"),
            ("Black (Winston) resigned", "W+R"),
            ("Black loses on time", "W+T"),
            ("White ran out of time", "B+T"),
            ("w lost on time", "B+T"),
            ("Black forfeits", "W+F"),
            ("Black forfeited, White wins", "W+F"),
            ("Black loses by 3.5 points", "W+3.5"),
            ("White wins, Black lost on time", "W+T"),
            ("W+Resign (Black lost)", "W+R"),
            ("白认输", "B+R"),
            ("黑投子认负", "W+R"),
            ("黑投子", "W+R"),
            ("黒投了", "W+R"),
            ("黒番、白の投了により勝ち", "B+R"),
            ("黒時間切れ負け", "W+T"),
            ("黒の時間切れ負け", "W+T"),
            ("白時間切れ勝ち", "W+T"),
            ("黑超时负", "W+T"),
            ("白超时胜", "W+T"),
            ("黑弃权", "W+F"),
            ("白負 半目", "B+0.5"),
            ("흑 시간패", "W+T"),
            ("백 불계패", "B+R"),
            ("白中押勝ち", "W+R"),
            ("黒番中押し勝ち", "B+R"),
            ("白胜2又3/4子", "W+5.5"),
            ("黑胜1又1/4子", "B+2.5"),
            ("黑胜1又1/2子", "B+3"),
            ("黑胜1/2子", "B+1"),
            ("白胜3/4子", "W+1.5"),
            ("黑胜1子半", "B+3"),
            ("W+2 3/4", "W+2.75"),
            ("B+1 1/2", "B+1.5"),
            ("B+1/2", "B+0.5"),
            ("nobody knows", "?"),
        ] {
            assert_eq!(GameResult::parse(text).to_string(), expected, "{text}");
        }
    }
}
